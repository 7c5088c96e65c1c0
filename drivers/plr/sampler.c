// SPDX-License-Identifier: GPL-2.0-only
/*
 * Choose the modules of a poll, and read them. A module becomes due at each
 * scan and a second after a failed read; at most once an interval also for a
 * reason of the gate that the module had at its last read, or that the die
 * level has shown since then. While the rate limit permits, the due module
 * tried longest ago is next, even after a failed try.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "sampler.h"

/* Period of scans of all modules, independent of the die level. */
#define SCAN_NS		10000000000ULL
/* Least share of a module in it: a read and a clear, 20 commands a second. */
#define SCAN_EACH_NS		100000000ULL
/* Time from the first scan to the second. */
#define SECOND_SCAN_NS	500000000ULL
/* Time from a failed try to the next. */
#define RETRY_NS		1000000000ULL
/* Most time by which an interval between two polls may be shorter. */
#define EARLY_NS		50000000ULL
/* Firmware surely updates the die level in this time. */
#define UPDATE_US	20000

void plr_record_log(struct plr_record *record, u64 value)
{
	WRITE_ONCE(record->log, record->log | value);
}

void plr_sampler_add(struct plr_sampler *sampler, struct plr_record *record)
{
	sampler->records[sampler->count++] = record;
}

/* Return the due record tried longest ago, or NULL. */
static struct plr_record *plr_sampler_next(const struct plr_sampler *sampler)
{
	struct plr_record *record, *next = NULL;
	unsigned int i;

	plr_for_each_record(sampler, record, i)
		if (record->due &&
		    record->tried_ns < (next ? next->tried_ns :
					       sampler->clock.now_ns))
			next = record;
	return next;
}

/* Return reasons that the die keeps by itself, but that have to be known. */
u64 plr_sampler_slow(const struct plr_sampler *sampler, u64 shown)
{
	return shown & sampler->die_only & sampler->required;
}

static bool plr_sampler_is_due(const struct plr_sampler *sampler,
			       const struct plr_record *record, u64 shown,
			       u64 wait_ns)
{
	u64 since_ns = sampler->clock.now_ns - record->tried_ns;
	u64 had = shown | record->account.unread | record->value;

	return record->tried_ns < sampler->scan_ns ||
	       (had & sampler->open & ~sampler->die_only &&
		(since_ns >= wait_ns || !record->account.active_valid)) ||
	       (plr_sampler_slow(sampler, shown) &&
		since_ns >= sampler->count * PLR_SLOW_EACH_NS) ||
	       (record->read_ns < record->tried_ns && since_ns >= RETRY_NS);
}

/*
 * Mark the modules that are due while the die level shows @shown. Return true
 * if any is: then clear the die level first. A longer interval begins after the
 * next read, to keep no state found at a shorter interval.
 */
bool plr_sampler_mark(struct plr_sampler *sampler, u64 shown, u64 period_ns)
{
	u64 next_ns = period_ns - min(period_ns / 2, EARLY_NS);
	u64 wait_ns = min(sampler->wait_ns, next_ns);
	u64 now_ns = sampler->clock.now_ns;
	struct plr_record *record;
	bool any = false;
	unsigned int i;

	sampler->wait_ns = next_ns;
	sampler->cleared = false;
	sampler->seen = 0;
	if (now_ns >= sampler->next_scan_ns) {
		sampler->next_scan_ns = now_ns + (sampler->scan_ns ?
			max(SCAN_NS, sampler->count * SCAN_EACH_NS) :
			SECOND_SCAN_NS);
		sampler->scan_ns = now_ns;
	}
	plr_for_each_record(sampler, record, i) {
		record->due = plr_sampler_is_due(sampler, record, shown,
						 wait_ns);
		any |= record->due;
	}
	return any;
}

/*
 * At the begin of a scan learn whether the die level collects: once cleared, it
 * then lacks a reason that a module still has. Read again after a while,
 * because firmware may not have updated the die level yet.
 */
static int plr_sampler_learn(struct plr_sampler *sampler,
			     const struct plr_record *record, u64 *value)
{
	struct plr_mailbox *mailbox = sampler->mailbox;
	u64 level, old = *value & PLR_COARSE_MASK & ~sampler->seen;
	int ret;

	if (sampler->collects || sampler->scan_ns < sampler->clock.now_ns ||
	    !old || plr_die_read(mailbox, &level) || !(old & ~level))
		return 0;
	mailbox->wait->sleep_us(UPDATE_US);
	ret = plr_die_read(mailbox, &level) ?:
	      plr_mailbox_read(mailbox, record->domain, record->id, value);
	if (!ret)
		sampler->collects = old & *value & ~level;
	return ret;
}

/* Return the reasons that came up, but the die level did not show. */
static u64 plr_sampler_read_one(struct plr_sampler *sampler,
				struct plr_record *record)
{
	struct plr_mailbox *mailbox = sampler->mailbox;
	bool is_scan = record->read_ns < sampler->scan_ns;
	u64 left = plr_gate_reasons(PLR_COARSE_MASK & ~sampler->open), value;
	bool cleared;

	record->tried_ns = sampler->clock.now_ns;
	if (plr_mailbox_read(mailbox, record->domain, record->id, &value) ||
	    plr_sampler_learn(sampler, record, &value))
		return 0;
	record->value = value;
	sampler->seen |= value;
	plr_record_log(record, value);
	WRITE_ONCE(record->read_ns, sampler->clock.now_ns);
	cleared = !value;
	if (is_scan ? value : value & ~left) {
		sampler->cleared = true;
		cleared = !plr_mailbox_clear(mailbox, record->domain,
					     record->id);
	}
	return plr_account_read(&record->account, &sampler->clock, value,
				cleared);
}

/*
 * Read and account due records while the rate limit permits, up to a late
 * command. Return the reasons that came up, but the die level did not show.
 */
u64 plr_sampler_read(struct plr_sampler *sampler)
{
	struct plr_mailbox *mailbox = sampler->mailbox;
	struct plr_record *record;
	bool behind = false;
	u64 found = 0;

	if (mailbox->late && plr_mailbox_is_busy(mailbox))
		return 0;
	mailbox->late = false;
	while (!mailbox->late) {
		record = plr_sampler_next(sampler);
		behind = record && !plr_mailbox_has_budget(mailbox);
		if (!record || behind)
			break;
		found |= plr_sampler_read_one(sampler, record);
	}
	WRITE_ONCE(sampler->behind, behind);
	return found;
}

/* Return the poll since which all modules were tried. */
u64 plr_sampler_round(const struct plr_sampler *sampler)
{
	u64 round_ns = sampler->clock.now_ns;
	const struct plr_record *record;
	unsigned int i;

	plr_for_each_record(sampler, record, i)
		round_ns = min(round_ns, record->tried_ns);
	return round_ns;
}

void plr_sampler_stop(struct plr_sampler *sampler)
{
	struct plr_record *record;
	unsigned int i;

	plr_for_each_record(sampler, record, i) {
		plr_account_stop(&record->account, ~0ULL);
		record->value = 0;
		WRITE_ONCE(record->read_ns, 0);
	}
	memset_startat(sampler, 0, clock);
}
