// SPDX-License-Identifier: GPL-2.0-only
/*
 * Choose the lines of a domain in the kernel's log, and the time of the next
 * poll. The log has the faults in force that are in no line yet, not those that
 * begin while a line is permitted: so a fault that begins within a minute of
 * another line is logged when the minute is over, even if the fault has ended.
 * A line waits until all modules were tried since the onset, to count them.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "log.h"

/* Least time between two lines; absence after which a fault is new. */
#define LINE_NS		60000000000ULL
/* Longest wait of a line for modules that do not answer. */
#define WAIT_NS		3000000000ULL
/* Longest time from a poll to the next while a module or a line is due. */
#define SOON_MS		100

/* Update the states of all faults after a poll. */
static void plr_log_note(struct plr_log *log, const struct plr_monitor *monitor)
{
	const struct plr_sampler *sampler = &monitor->sampler;
	u64 active = monitor->die->account.active, now_ns, ended;
	unsigned int i;

	now_ns = sampler->clock.boot_ns;
	for (i = 0; i < sampler->count; i++)
		active |= sampler->records[i]->account.active;
	plr_for_each_bit(i, plr_reasons_of_kind(PLR_FAULT)) {
		ended = now_ns - log->seen_ns[i];
		if (log->logged & BIT_ULL(i) && ended >= LINE_NS)
			log->logged &= ~BIT_ULL(i);
		if (!(active & BIT_ULL(i)))
			continue;
		log->seen_ns[i] = now_ns;
		if (!(log->logged & BIT_ULL(i)) && !log->since_ns[i])
			log->since_ns[i] = now_ns;
	}
}

/* Return the time of a line with fault @bit; 0: none is due. */
static u64 plr_log_due(const struct plr_log *log,
		       const struct plr_monitor *monitor, unsigned int bit)
{
	const struct plr_clock *clock = &monitor->sampler.clock;
	u64 slept_ns = clock->boot_ns - clock->now_ns;
	/* A fine reason, which only modules show, goes with its coarse one. */
	u64 since_ns = log->since_ns[plr_gate_bit(bit)] ?: log->since_ns[bit];
	u64 due_ns = since_ns + WAIT_NS;

	if (!log->since_ns[bit])
		return 0;
	if (plr_sampler_round(&monitor->sampler) + slept_ns >= since_ns)
		due_ns = since_ns;
	return log->line_ns ? max(due_ns, log->line_ns + LINE_NS) : due_ns;
}

static bool plr_log_is_over(const struct plr_log *log,
			    const struct plr_monitor *monitor, unsigned int bit)
{
	return log->seen_ns[bit] < monitor->sampler.clock.boot_ns;
}

/* Test whether a module has fault @bit, or had it if it is over. */
static bool plr_log_has(const struct plr_log *log,
			const struct plr_monitor *monitor, unsigned int bit,
			const struct plr_record *record)
{
	const struct plr_account *account = &record->account;

	return plr_log_is_over(log, monitor, bit) ?
		account->last_ns[bit] >= log->since_ns[bit] :
		account->active & BIT_ULL(bit);
}

/* Test whether the same modules have two faults, or had them. */
static bool plr_log_is_like(const struct plr_log *log,
			    const struct plr_monitor *monitor, unsigned int bit,
			    unsigned int other)
{
	const struct plr_sampler *sampler = &monitor->sampler;
	unsigned int i;

	for (i = 0; i < sampler->count; i++)
		if (plr_log_has(log, monitor, bit, sampler->records[i]) !=
		    plr_log_has(log, monitor, other, sampler->records[i]))
			return false;
	return plr_log_is_over(log, monitor, bit) ==
	       plr_log_is_over(log, monitor, other);
}

/* Print who has fault @bit: most modules, some, one, or the die alone. */
static size_t plr_log_who(const struct plr_log *log,
			  const struct plr_monitor *monitor, unsigned int bit,
			  char *buf, size_t size)
{
	const struct plr_sampler *sampler = &monitor->sampler;
	const struct plr_record *record, *first = NULL, *mesh = NULL;
	unsigned int i, known = 0, count = 0;
	size_t len;
	bool has;

	for (i = 0; i < sampler->count; i++) {
		record = sampler->records[i];
		has = plr_log_has(log, monitor, bit, record);
		if (record->domain == PLR_DOMAIN_MESH) {
			mesh = has ? record : mesh;
			continue;
		}
		known += record->account.active_valid;
		count += has;
		if (has && (!first || record->id < first->id))
			first = record;
	}
	if (!first)
		return mesh ? scnprintf(buf, size, "mesh%u", mesh->id) :
			      scnprintf(buf, size, "die");
	if (count > 1 && count > known / 2)
		return scnprintf(buf, size, "die: %u of %u modules", count,
				 max(count, known));
	len = scnprintf(buf, size, "core%u", first->id);
	if (count > 1)
		len += scnprintf(buf + len, size - len, " and %u other%s",
				 count - 1, count > 2 ? "s" : "");
	return len;
}

/* Remove coarse reasons of which a fine one of the same modules is there. */
static u64 plr_log_brief(const struct plr_log *log,
			 const struct plr_monitor *monitor, u64 faults)
{
	unsigned int bit, coarse;

	plr_for_each_bit(bit, faults & PLR_FINE_MASK) {
		coarse = plr_gate_bit(bit);
		if (plr_log_is_like(log, monitor, bit, coarse))
			faults &= ~BIT_ULL(coarse);
	}
	return faults;
}

/* Print @faults, those of the same modules together. */
static size_t plr_log_format(const struct plr_log *log,
			     const struct plr_monitor *monitor, u64 faults,
			     char *buf, size_t size)
{
	unsigned int bit, other;
	size_t len = 0;
	u64 like;

	while (faults) {
		bit = __ffs64(faults);
		like = 0;
		plr_for_each_bit(other, faults)
			if (plr_log_is_like(log, monitor, bit, other))
				like |= BIT_ULL(other);
		faults &= ~like;
		len += scnprintf(buf + len, size - len, "%s", len ? "; " : "");
		len += plr_log_who(log, monitor, bit, buf + len, size - len);
		len += scnprintf(buf + len, size - len, " limited by ");
		len += plr_reasons_format(like, buf + len, size - len);
		if (plr_log_is_over(log, monitor, bit))
			len += scnprintf(buf + len, size - len, " (ended)");
	}
	return len;
}

/*
 * Note the states after a poll, and print the line that is due now; return its
 * length, 0 if none is. Without polls nothing is known, so there is none.
 */
size_t plr_log_line(struct plr_log *log, const struct plr_monitor *monitor,
		    char *buf, size_t size)
{
	u64 faults = 0, due_ns;
	u64 now_ns = monitor->sampler.clock.boot_ns;
	unsigned int bit;
	size_t len;

	if (!monitor->poll_ns) {
		memset(log->since_ns, 0, sizeof(log->since_ns));
		return 0;
	}
	plr_log_note(log, monitor);
	plr_for_each_bit(bit, plr_reasons_of_kind(PLR_FAULT)) {
		due_ns = plr_log_due(log, monitor, bit);
		if (due_ns && due_ns <= now_ns)
			faults |= BIT_ULL(bit);
	}
	if (!faults)
		return 0;
	len = plr_log_format(log, monitor, plr_log_brief(log, monitor, faults),
			     buf, size);
	log->line_ns = now_ns;
	log->logged |= faults;
	plr_for_each_bit(bit, faults)
		log->since_ns[bit] = 0;
	return len;
}

/*
 * Return the time to the next poll, @ms or less: soon while modules are left
 * that a poll could not read, because it reads up to about 43 limited modules,
 * and when a line is due.
 */
unsigned int plr_next_ms(const struct plr_log *log,
			 const struct plr_monitor *monitor, unsigned int ms)
{
	u64 now_ns = monitor->sampler.clock.boot_ns, due_ns, wait_ms;
	unsigned int bit;

	if (monitor->sampler.behind)
		return min_t(unsigned int, ms, SOON_MS);
	if (!monitor->poll_ns)
		return ms;
	plr_for_each_bit(bit, plr_reasons_of_kind(PLR_FAULT)) {
		due_ns = plr_log_due(log, monitor, bit);
		if (!due_ns)
			continue;
		wait_ms = due_ns > now_ns ? (due_ns - now_ns) / 1000000 + 1 : 0;
		ms = min_t(u64, ms, max_t(u64, wait_ms, SOON_MS));
	}
	return ms;
}
