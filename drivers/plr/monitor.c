// SPDX-License-Identifier: GPL-2.0-only
/*
 * Poll a domain, and account the time in each reason. Each poll reads the die
 * level. The gate is a set of coarse reasons: while the die level has such a
 * reason, polls also read and clear the modules.
 *
 * Bits are sticky: a set bit means a limit at some time since the last clear.
 * So an interval in which a bit is set counts as a whole.
 *
 * The specification does not define the die level after a clear. It may collect
 * the reasons of modules, be computed from the modules, or latch reasons again
 * while modules have them. To be right in each case, clear the die level before
 * modules are read and once more after modules are cleared.
 */
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "monitor.h"

/* Period of scans of all modules, independent of the die level. */
#define SCAN_NS	10000000000ULL
/* Delay of the second scan after the first. */
#define SECOND_SCAN_NS	500000000ULL

/*
 * If only the die level has a reason, and no module, the reason opens the gate
 * for this time and at least three polls.
 */
#define DIE_ONLY_NS	2000000000ULL

/* A module that waits for a read keeps its state for at least this time. */
#define TURN_NS		2000000000ULL

/* Average length of a line of time_in_reason, in bytes. */
#define LINE_SIZE	64

static unsigned int plr_take_bit(u64 *mask)
{
	unsigned int bit = __ffs64(*mask);

	*mask &= *mask - 1;
	return bit;
}

/*
 * Return the bit of the coarse reason of @bit; for a reserved coarse bit return
 * @bit. Negative for a reserved fine bit or a bit above 63.
 */
int plr_die_bit(unsigned int bit)
{
	int coarse = plr_reason_coarse(bit);

	return coarse < 0 && bit < PLR_COARSE_BITS ? (int)bit : coarse;
}

/* monitor->gate, and FREQUENCY while a module has FREQUENCY_PCS_TRL. */
static u64 plr_monitor_whole_gate(const struct plr_monitor *monitor)
{
	int coarse = plr_reason_coarse(PLR_PCS_TRL);

	if (coarse < 0 || !(monitor->active & BIT_ULL(PLR_PCS_TRL)))
		return monitor->gate;
	return monitor->gate | BIT_ULL(coarse);
}

/*
 * Return the bits of @value that have no coarse reason, or whose coarse reason
 * opens the gate.
 */
static u64 plr_gated(const struct plr_monitor *monitor, u64 value)
{
	unsigned int bit;
	u64 gated = 0;
	int coarse;

	while (value) {
		bit = plr_take_bit(&value);
		coarse = plr_die_bit(bit);
		if (coarse < 0 || monitor->open & BIT_ULL(coarse))
			gated |= BIT_ULL(bit);
	}
	return gated;
}

static void plr_record_set_active(struct plr_record *record, u64 active)
{
	u64 ended = record->active & ~active;

	while (ended)
		WRITE_ONCE(record->since_ns[plr_take_bit(&ended)], 0);
	WRITE_ONCE(record->active, active);
}

static void plr_record_count(struct plr_record *record, u64 onset)
{
	unsigned int bit;

	while (onset) {
		bit = plr_take_bit(&onset);
		WRITE_ONCE(record->count[bit], record->count[bit] + 1);
	}
}

static void plr_record_add_time(struct plr_record *record, unsigned int bit,
				u64 ns, u64 boot_ns)
{
	WRITE_ONCE(record->time_ns[bit], record->time_ns[bit] + ns);
	WRITE_ONCE(record->last_ns[bit], boot_ns);
	if (!record->since_ns[bit])
		WRITE_ONCE(record->since_ns[bit], boot_ns - ns);
}

static void plr_record_log(struct plr_record *record, u64 value)
{
	WRITE_ONCE(record->log, record->log | value);
}

/* Account observed time of a record up to this poll, less skipped time. */
static void plr_monitor_observe(const struct plr_monitor *monitor,
				struct plr_record *record)
{
	u64 ns = record->upto_ns ? monitor->now_ns - record->upto_ns : 0;

	ns -= min(ns, record->skipped_ns);
	WRITE_ONCE(record->observed_ns, record->observed_ns + ns);
	WRITE_ONCE(record->observed_count, record->observed_count + !!ns);
	WRITE_ONCE(record->observed_last_ns, monitor->boot_ns);
	if (!record->observed_since_ns)
		WRITE_ONCE(record->observed_since_ns, monitor->boot_ns);
	record->skipped_ns = 0;
	record->upto_ns = monitor->now_ns;
}

static void plr_record_invalidate(struct plr_record *record)
{
	plr_record_set_active(record, 0);
	WRITE_ONCE(record->active_valid, false);
	WRITE_ONCE(record->observed_since_ns, 0);
	record->read_ns = 0;
	record->upto_ns = 0;
	record->skipped_ns = 0;
	record->carry = 0;
	record->uncleared = 0;
	record->stale = 0;
}

/*
 * Return the time to account for a reason. If the last read had the reason,
 * too, this is @elapsed, the time since that read. If not, it is the part of
 * @elapsed in which the die level had the coarse reason, or one interval if
 * there was no such part.
 */
static u64 plr_reason_time(const struct plr_monitor *monitor,
			   const struct plr_record *record, unsigned int bit,
			   u64 elapsed)
{
	int coarse = plr_die_bit(bit);
	u64 shown = 0;

	if (record->previous & BIT_ULL(bit))
		return elapsed;
	if (coarse >= 0)
		shown = monitor->shown_ns[coarse] - record->shown_ns[coarse];
	return min(shown ?: monitor->interval_ns, elapsed);
}

/* The first read accounts no time: the age of its bits is unknown. */
static void plr_monitor_account_read(struct plr_monitor *monitor,
				     struct plr_record *record, u64 value)
{
	u64 elapsed = monitor->now_ns - record->read_ns, left = value;
	unsigned int bit;

	elapsed -= min(elapsed, record->skipped_ns);
	plr_monitor_observe(monitor, record);
	while (record->read_ns && left) {
		bit = plr_take_bit(&left);
		plr_record_add_time(record, bit,
				    plr_reason_time(monitor, record, bit,
						    elapsed),
				    monitor->boot_ns);
	}
	if (record->read_ns) {
		plr_record_count(record, value & ~record->uncleared);
		plr_record_set_active(record, value);
		WRITE_ONCE(record->active_valid, true);
	}
	memcpy(record->shown_ns, monitor->shown_ns, sizeof(record->shown_ns));
	record->previous = value;
	record->read_ns = monitor->now_ns;
}

/*
 * A user clears a record between two polls. @value was read before the clear
 * and belongs to the current interval. Carry @value to the next poll, because
 * after the clear neither the record nor a die level that is computed from the
 * modules has the reasons. The caller holds domain->lock.
 */
void plr_monitor_account_clear(struct plr_monitor *monitor,
			       struct plr_record *record, u64 value)
{
	plr_record_log(record, value);
	if (!monitor->poll_ns)
		return;
	monitor->carry |= lower_32_bits(value);
	if (record != monitor->die)
		record->carry |= value;
}

void plr_monitor_add(struct plr_monitor *monitor, struct plr_record *record)
{
	record->due = PLR_DUE_SCAN;
	monitor->records[monitor->count++] = record;
}

static u64 plr_monitor_die_only(const struct plr_monitor *monitor, u64 shown)
{
	u64 least_ns = max(DIE_ONLY_NS, 3 * monitor->interval_ns);
	u64 since_ns, die_only = 0;
	unsigned int bit;

	while (shown) {
		bit = plr_take_bit(&shown);
		since_ns = monitor->die_only_ns[bit];
		if (since_ns && monitor->now_ns - since_ns >= least_ns)
			die_only |= BIT_ULL(bit);
	}
	return die_only;
}

/* @had: reasons of all records */
static void plr_monitor_update_die_only(struct plr_monitor *monitor, u64 shown,
					u64 had)
{
	unsigned int bit;

	shown &= monitor->open & ~had;
	for (bit = 0; bit < PLR_COARSE_BITS; bit++)
		if (!(shown & BIT_ULL(bit)))
			monitor->die_only_ns[bit] = 0;
		else if (!monitor->die_only_ns[bit])
			monitor->die_only_ns[bit] = monitor->now_ns;
}

static bool plr_monitor_has_record(const struct plr_monitor *monitor, u8 id)
{
	const struct plr_record *record;
	unsigned int i;

	for (i = 0; i < monitor->count; i++) {
		record = monitor->records[i];
		if (record->domain == PLR_DOMAIN_CORE && record->id == id)
			return true;
	}
	return false;
}

/*
 * Clear a module without a record; its reasons go to the log of the die. Return
 * false if the module was not read, because the mailbox is in use.
 */
static bool plr_monitor_clear_other(struct plr_monitor *monitor, u8 id,
				    u64 *value)
{
	struct plr_mailbox *mailbox = monitor->mailbox;
	int ret = plr_mailbox_read(mailbox, PLR_DOMAIN_CORE, id, value);

	if (ret)
		*value = 0;
	else if (*value)
		plr_mailbox_clear(mailbox, PLR_DOMAIN_CORE, id);
	monitor->late = mailbox->late;
	plr_record_log(monitor->die, lower_32_bits(*value));
	return !ret || ret == -EIO;
}

/*
 * @die_only may be reasons of modules without a record (no CPU came online).
 * Try the IDs that no poll has tried, until a module has such a reason. A scan
 * repeats the IDs up to the last module that was found.
 */
static void plr_monitor_clear_others(struct plr_monitor *monitor, u64 die_only)
{
	bool is_scan = monitor->scan_ns == monitor->now_ns;
	u64 found = 0;
	unsigned int id;

	if (!die_only)
		return;
	for (id = is_scan ? 0 : monitor->next_id; id < monitor->ids; id++) {
		u64 value = 0;

		if (monitor->late || !plr_mailbox_has_budget(monitor->mailbox))
			break;
		if (id >= monitor->others &&
		    (id < monitor->next_id || found & die_only))
			continue;
		if (!plr_monitor_has_record(monitor, id) &&
		    !plr_monitor_clear_other(monitor, id, &value))
			break;
		monitor->next_id = max(monitor->next_id, id + 1);
		found |= value;
		if (value)
			monitor->others = max(monitor->others, id + 1);
	}
	monitor->seen |= found & die_only;
	monitor->cleared |= !!(found & die_only);
}

static void plr_monitor_set_due(struct plr_monitor *monitor, enum plr_due due)
{
	struct plr_record *record;
	unsigned int i;

	for (i = 0; i < monitor->count; i++) {
		record = monitor->records[i];
		record->due = max_t(u8, record->due, due);
		record->failed = false;
	}
}

/*
 * Mark due records; return true if the die level is to be cleared. All records
 * are due
 * - at each scan;
 * - while the die level has a reason of the gate, and in the next poll:
 *   firmware may set a bit again just before the limit ends;
 * - when the gate opens for a further reason: set bits are stale.
 */
static bool plr_monitor_mark_due(struct plr_monitor *monitor, u64 shown)
{
	u64 open = plr_monitor_whole_gate(monitor);
	u64 gated = shown & open & ~monitor->die_only;
	bool opened = open & ~monitor->open, due = gated || monitor->read_again;

	monitor->open = open;
	monitor->read_again = gated;
	WRITE_ONCE(monitor->ready, monitor->ready & open);
	if (!monitor->poll_ns || opened ||
	    monitor->now_ns - monitor->scan_ns >= monitor->until_scan_ns) {
		monitor->until_scan_ns = monitor->poll_ns ? SCAN_NS :
							    SECOND_SCAN_NS;
		monitor->scan_ns = monitor->now_ns;
		plr_monitor_set_due(monitor, PLR_DUE_SCAN);
		return shown;
	}
	plr_monitor_set_due(monitor, due ? PLR_DUE_GATE : PLR_NOT_DUE);
	return gated;
}

static int plr_monitor_read(struct plr_monitor *monitor,
			    struct plr_record *record)
{
	struct plr_mailbox *mailbox = monitor->mailbox;
	u64 value;
	int ret;

	ret = plr_mailbox_read(mailbox, record->domain, record->id, &value);
	record->failed = ret;
	if (ret)
		return ret;
	plr_record_log(record, value);
	plr_monitor_account_read(monitor, record, value | record->carry);
	record->carry = 0;
	monitor->onset |= lower_32_bits(value & ~record->uncleared) &
			  ~record->stale;
	monitor->seen |= value;
	record->uncleared = value;
	if (record->due == PLR_DUE_SCAN ? value : plr_gated(monitor, value)) {
		monitor->cleared = true;
		ret = plr_mailbox_clear(mailbox, record->domain, record->id);
		if (!ret)
			record->uncleared = 0;
	}
	record->stale &= lower_32_bits(record->uncleared);
	record->due = PLR_NOT_DUE;
	return ret;
}

/*
 * Return the index of the next due record, or -1. Of all records choose only
 * the limited ones if @limited, and only the others if not.
 */
static int plr_monitor_next(const struct plr_monitor *monitor, bool limited)
{
	const struct plr_record *record;
	unsigned int i, at;

	for (i = 1; i <= monitor->count; i++) {
		at = (monitor->last[limited] + i) % monitor->count;
		record = monitor->records[at];
		if (record->due && !record->failed &&
		    !plr_gated(monitor, record->active) != limited)
			return at;
	}
	return -1;
}

/*
 * Read due records while the rate limit permits. Limited records alternate with
 * others, as limits change first in limited modules. Stop after a late command:
 * the mailbox is busy.
 */
static void plr_monitor_read_due(struct plr_monitor *monitor)
{
	bool limited;
	int at;

	if (monitor->late && plr_mailbox_is_busy(monitor->mailbox))
		return;
	monitor->late = false;
	while (!monitor->late) {
		limited = monitor->next_limited;
		at = plr_monitor_next(monitor, limited);
		if (at < 0) {
			limited = !limited;
			at = plr_monitor_next(monitor, limited);
		}
		if (at < 0)
			return;
		if (!plr_mailbox_has_budget(monitor->mailbox)) {
			monitor->behind = true;
			return;
		}
		monitor->last[limited] = at;
		monitor->next_limited = !limited;
		if (plr_monitor_read(monitor, monitor->records[at]) ==
		    -ETIMEDOUT)
			monitor->late = monitor->mailbox->late;
	}
}

/*
 * Account a record that this poll has not read. A record that was not
 * due has no reason of the gate, as the die level has none. A due record keeps
 * its state for two intervals; if the rate limit delays the read, for at least
 * TURN_NS. After an error or a late command the interval is not observed.
 */
static void plr_monitor_account_unread(struct plr_monitor *monitor,
				       struct plr_record *record, u64 period_ns)
{
	u64 limit = 2 * max(period_ns, monitor->interval_ns);

	if (!record->due && record->read_ns &&
	    record->read_ns < monitor->now_ns) {
		record->previous &= ~plr_gated(monitor, record->previous);
		plr_record_set_active(record,
				      record->active & record->previous);
		plr_monitor_observe(monitor, record);
		WRITE_ONCE(record->active_valid, true);
	}
	if (!record->due)
		return;
	if (monitor->behind)
		limit = max(limit, TURN_NS);
	else
		record->skipped_ns += monitor->interval_ns;
	if (record->upto_ns && monitor->now_ns - record->upto_ns > limit)
		plr_record_invalidate(record);
}

/*
 * A module that waits for a read still has the bits of reasons that have ended,
 * and may set these reasons in the die level again. monitor->counted has the
 * reasons, so they are no onsets.
 */
static void plr_monitor_account_die(struct plr_monitor *monitor, u64 shown)
{
	struct plr_record *die = monitor->die;
	u64 left = shown;

	plr_monitor_observe(monitor, die);
	if (!monitor->poll_ns)
		return;
	monitor->onset &= shown;
	plr_record_count(die, monitor->onset);
	while (left)
		plr_record_add_time(die, plr_take_bit(&left),
				    monitor->interval_ns, monitor->boot_ns);
	plr_record_set_active(die, shown);
	WRITE_ONCE(die->active_valid, true);
}

/* After modules were cleared: carry new reasons to the next poll. */
static void plr_monitor_clear_die(struct plr_monitor *monitor)
{
	u64 die;

	if (!monitor->cleared || plr_die_read(monitor->mailbox, &die))
		return;
	plr_record_log(monitor->die, die);
	monitor->read_again |= die & monitor->open & ~monitor->die_only;
	monitor->carry |= die & ~monitor->seen;
	if (die)
		plr_die_clear(monitor->mailbox);
}

static void plr_monitor_begin(struct plr_monitor *monitor)
{
	const struct plr_wait *wait = monitor->mailbox->wait;

	monitor->now_ns = wait->now_ns();
	monitor->boot_ns = wait->boot_ns();
	monitor->interval_ns =
		monitor->poll_ns ? monitor->now_ns - monitor->poll_ns : 0;
	monitor->seen = 0;
	monitor->cleared = false;
	monitor->behind = false;
}

static size_t plr_format_line(char *buf, size_t size, const char *name,
			      const u64 ns[3], u64 count)
{
	size_t len = scnprintf(buf, size, "%s %llu", name, ns[0] / 1000000);
	unsigned int i;

	for (i = 1; i < 3; i++)
		len += ns[i] ? scnprintf(buf + len, size - len, " %llu",
					 ns[i] / 1000000) :
			       scnprintf(buf + len, size - len, " -");
	return len + scnprintf(buf + len, size - len, " %llu\n", count);
}

/*
 * Print the file time_in_reason with the first @bits reasons. A reserved bit
 * has a line once it was seen, if @size permits: all 64 lines fit a page if
 * times have 12 digits and counts have 8. A poll may add time meanwhile, but no
 * reason has more than was observed.
 */
size_t plr_record_format(const struct plr_record *record, unsigned int bits,
			 char *buf, size_t size)
{
	u64 ns[3] = { READ_ONCE(record->observed_ns),
		      READ_ONCE(record->observed_last_ns),
		      READ_ONCE(record->observed_since_ns) };
	size_t at = plr_format_line(buf, size, "observed", ns,
				    READ_ONCE(record->observed_count));
	u64 observed_ns = ns[0];
	unsigned int bit;

	for (bit = 0; bit < bits; bit++) {
		ns[0] = min(READ_ONCE(record->time_ns[bit]), observed_ns);
		ns[1] = READ_ONCE(record->last_ns[bit]);
		ns[2] = READ_ONCE(record->since_ns[bit]);
		if (plr_reason_coarse(bit) < 0 &&
		    (!ns[1] || size - at < LINE_SIZE * (bits - bit)))
			continue;
		at += plr_format_line(buf + at, size - at, plr_reason_name(bit),
				      ns, READ_ONCE(record->count[bit]));
	}
	return at;
}

/* All states become unknown; logs and times stay. */
void plr_monitor_stop(struct plr_monitor *monitor)
{
	unsigned int i;

	plr_record_invalidate(monitor->die);
	for (i = 0; i < monitor->count; i++)
		plr_record_invalidate(monitor->records[i]);
	memset_startat(monitor, 0, poll_ns);
}

/*
 * Poll a domain; @period_ns is the nominal interval. One register access while
 * the die level has no reason of the gate. Sleeps; the caller holds
 * domain->lock. -EIO: the die level reads as all ones; monitoring has stopped.
 */
int plr_monitor_poll(struct plr_monitor *monitor, u64 period_ns)
{
	bool complete = true, read = true, cleared;
	struct plr_record *record;
	unsigned int i;
	u64 shown, left, had = 0;

	if (plr_die_read(monitor->mailbox, &shown)) {
		plr_monitor_stop(monitor);
		return -EIO;
	}
	plr_monitor_begin(monitor);
	plr_record_log(monitor->die, shown);
	shown |= monitor->carry;
	monitor->carry = 0;
	for (left = shown; left; )
		monitor->shown_ns[plr_take_bit(&left)] += monitor->interval_ns;

	monitor->onset = shown & ~monitor->counted;
	monitor->die_only = plr_monitor_die_only(monitor, shown);
	cleared = plr_monitor_mark_due(monitor, shown);
	if (cleared)
		plr_die_clear(monitor->mailbox);
	plr_monitor_read_due(monitor);
	plr_monitor_clear_others(monitor, monitor->die_only);
	plr_monitor_clear_die(monitor);

	plr_monitor_account_die(monitor, shown);
	monitor->counted = cleared ? 0 : shown;
	monitor->active = 0;
	for (i = 0; i < monitor->count; i++) {
		record = monitor->records[i];
		complete &= record->read_ns || record->failed;
		read &= record->due != PLR_DUE_SCAN || record->failed;
		had |= record->previous;
		if (record->read_ns != monitor->now_ns)
			record->stale |= monitor->onset;
		record->stale &= shown;
		monitor->counted |= record->stale;
		plr_monitor_account_unread(monitor, record, period_ns);
		monitor->active |= record->active;
	}
	plr_monitor_update_die_only(monitor, shown, had);
	if (read && !monitor->late)
		WRITE_ONCE(monitor->ready, monitor->open);
	complete |= monitor->primed;
	WRITE_ONCE(monitor->primed, complete && !monitor->late);
	WRITE_ONCE(monitor->poll_ns, monitor->now_ns);
	return 0;
}
