// SPDX-License-Identifier: GPL-2.0-only
/*
 * Poll a domain: read the die level, read and clear modules where it has a
 * reason of the gate, and turn what was found into time in each reason.
 *
 * Reasons are sticky: a bit that was set since the last clear says that the
 * limit was in force at some time since then. So an interval in which a bit
 * came up counts as a whole, and a limit that stays sets its bit again in the
 * next.
 *
 * Three kinds of die level are conceivable, and the specification does not say
 * which one a part has: it collects the reasons of modules and keeps them; it
 * is computed from them; it takes them again as long as modules keep them. So
 * the die level is cleared before modules are read and once more after they
 * were cleared, and a reason that modules may have put there again is in force
 * only if a module has it, too.
 */
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "monitor.h"

/* Turns without a module that has the reason until the die level is ignored. */
#define UNMATCHED_TURNS	3

/* All modules are read that often, whatever the die level shows. */
#define ROUND_NS	10000000000ULL
/* The second reading of all modules is that soon after the first. */
#define SECOND_ROUND_NS	500000000ULL

/* A module whose turn has not come keeps its state for that long at least. */
#define TURN_NS		2000000000ULL

/* Take the lowest bit out of a mask that is not empty. */
static unsigned int plr_take(u64 *mask)
{
	unsigned int bit = __ffs64(*mask);

	*mask &= *mask - 1;

	return bit;
}

/* The bit of the die level for a reason; reserved ones have their own. */
static int plr_die_bit(unsigned int bit)
{
	int coarse = plr_reason_coarse(bit);

	return coarse < 0 && bit < PLR_COARSE_BITS ? (int)bit : coarse;
}

/* The reasons of @value whose coarse reason is in the gate, or not known. */
static u64 plr_gated(const struct plr_monitor *monitor, u64 value)
{
	unsigned int bit;
	u64 gated = 0;
	int coarse;

	while (value) {
		bit = plr_take(&value);
		coarse = plr_die_bit(bit);
		if (coarse < 0 || monitor->gate & BIT_ULL(coarse))
			gated |= BIT_ULL(bit);
	}

	return gated;
}

/* Set the reasons of the interval that ends now. */
static void plr_part_set_active(struct plr_part *part, u64 active)
{
	u64 rest = part->active & ~active;

	while (rest)
		WRITE_ONCE(part->since_ns[plr_take(&rest)], 0);
	WRITE_ONCE(part->active, active);
}

static void plr_part_add_time(struct plr_part *part, unsigned int bit, u64 ns,
			      u64 boot_ns)
{
	WRITE_ONCE(part->time_ns[bit], part->time_ns[bit] + ns);
	WRITE_ONCE(part->last_ns[bit], boot_ns);
	if (!part->since_ns[bit])
		WRITE_ONCE(part->since_ns[bit], boot_ns - ns);
}

/* The state of a part is known until @now_ns, but for what was skipped. */
static void plr_part_observe(struct plr_part *part, u64 now_ns, u64 boot_ns)
{
	u64 ns = part->upto_ns ? now_ns - part->upto_ns : 0;

	ns -= min(ns, part->skipped_ns);
	WRITE_ONCE(part->observed_ns, part->observed_ns + ns);
	WRITE_ONCE(part->observed_last_ns, boot_ns);
	if (!part->observed_since_ns)
		WRITE_ONCE(part->observed_since_ns, boot_ns);
	part->skipped_ns = 0;
	part->upto_ns = now_ns;
}

/* Nothing is known of a part any more. */
static void plr_part_lose(struct plr_part *part)
{
	plr_part_set_active(part, 0);
	WRITE_ONCE(part->known, false);
	WRITE_ONCE(part->observed_since_ns, 0);
	part->read_ns = 0;
	part->upto_ns = 0;
	part->skipped_ns = 0;
	part->noted = 0;
}

/*
 * For how long a reason that was found now counts: since the last reading where
 * it has been in force since; otherwise while the die level showed it because
 * of a module, and where that did not, it came up just now.
 */
static u64 plr_reason_time(const struct plr_monitor *monitor,
			   const struct plr_part *part, unsigned int bit,
			   u64 elapsed)
{
	int coarse = plr_die_bit(bit);
	u64 shown = 0;

	if (part->previous & BIT_ULL(bit))
		return elapsed;
	if (coarse >= 0)
		shown = monitor->shown_ns[coarse] - part->shown_ns[coarse];

	return min(shown ?: monitor->interval_ns, elapsed);
}

/* A module has reasons of the die level: they were in force all the time. */
static void plr_monitor_confirm(struct plr_monitor *monitor, u64 value)
{
	u64 confirmed = value & monitor->unconfirmed;
	unsigned int bit;

	monitor->unconfirmed &= ~confirmed;
	while (confirmed) {
		bit = plr_take(&confirmed);
		monitor->shown_ns[bit] += monitor->pending_ns[bit] +
					  monitor->interval_ns;
	}
}

/*
 * Account a reading of a module or the mesh. The first one counts for no time:
 * nothing says when its reasons were set.
 */
static void plr_monitor_account(struct plr_monitor *monitor,
				struct plr_part *part, u64 value, u64 now_ns,
				u64 boot_ns)
{
	u64 rest, elapsed, gap = part->skipped_ns;
	unsigned int bit;

	WRITE_ONCE(part->log, part->log | value);
	plr_part_observe(part, now_ns, boot_ns);
	plr_monitor_confirm(monitor, value);
	if (part->read_ns) {
		elapsed = now_ns - part->read_ns;
		elapsed -= min(elapsed, gap);
		for (rest = value; rest; ) {
			bit = plr_take(&rest);
			plr_part_add_time(part, bit,
					  plr_reason_time(monitor, part, bit,
							  elapsed),
					  boot_ns);
		}
		plr_part_set_active(part, value | part->noted);
		WRITE_ONCE(part->known, true);
	}
	memcpy(part->shown_ns, monitor->shown_ns, sizeof(part->shown_ns));
	part->previous = value;
	part->read_ns = now_ns;
}

/* Account a reading between two polls; its reasons are of this interval. */
void plr_monitor_note(struct plr_monitor *monitor, struct plr_part *part,
		      u64 value)
{
	const struct plr_wait *wait = monitor->mailbox->wait;

	part->noted |= value;
	plr_monitor_account(monitor, part, value, wait->now_ns(),
			    wait->boot_ns());
}

void plr_monitor_add(struct plr_monitor *monitor, struct plr_part *part)
{
	part->due = PLR_DUE_ROUND;
	monitor->part[monitor->count++] = part;
}

static void plr_monitor_set_due(struct plr_monitor *monitor, enum plr_due due)
{
	struct plr_part *part;
	unsigned int i;

	for (i = 0; i < monitor->count; i++) {
		part = monitor->part[i];
		part->due = max_t(u8, part->due, due);
		part->failed = false;
	}
}

/* Decide what is read in this poll, and whether the die is cleared. */
static bool plr_monitor_choose(struct plr_monitor *monitor, u64 shown)
{
	u64 gated = shown & monitor->gate;

	monitor->elsewhere &= shown;
	if (!monitor->poll_ns ||
	    monitor->now_ns - monitor->round_ns >= monitor->until_round_ns) {
		monitor->until_round_ns = monitor->poll_ns ? ROUND_NS :
							     SECOND_ROUND_NS;
		monitor->round_ns = monitor->now_ns;
		plr_monitor_set_due(monitor, PLR_DUE_ROUND);
		return shown;
	}
	plr_monitor_set_due(monitor, gated & ~monitor->elsewhere ?
					     PLR_DUE_GATE : PLR_NOT_DUE);

	return gated;
}

static int plr_monitor_visit(struct plr_monitor *monitor, struct plr_part *part)
{
	struct plr_mailbox *mailbox = monitor->mailbox;
	u64 value;
	int ret;

	ret = plr_mailbox_read(mailbox, part->domain, part->id, &value);
	part->failed = ret;
	if (ret)
		return ret;
	/* Readings of a poll count as of its begin, however long it takes. */
	plr_monitor_account(monitor, part, value, monitor->now_ns,
			    monitor->boot_ns);
	part->noted = 0;
	monitor->seen |= value;
	monitor->turn_seen |= value;
	monitor->turn_visits++;
	if (part->due == PLR_DUE_ROUND ? value : plr_gated(monitor, value)) {
		monitor->cleared = true;
		ret = plr_mailbox_clear(mailbox, part->domain, part->id);
	}
	part->due = PLR_NOT_DUE;

	return ret;
}

/*
 * The index of the part whose turn is next of those that are due and had a
 * reason of the gate, or of the others; or -1.
 */
static int plr_monitor_next(const struct plr_monitor *monitor, bool hot)
{
	const struct plr_part *part;
	unsigned int i, at;

	for (i = 1; i <= monitor->count; i++) {
		at = (monitor->last[hot] + i) % monitor->count;
		part = monitor->part[at];
		if (part->due && !part->failed &&
		    !plr_gated(monitor, part->active) != hot)
			return at;
	}

	return -1;
}

/*
 * Read the parts that are due as far as commands go: one that had a reason, as
 * these show best what goes on, and one of the others by turns. After a command
 * that is late nothing else can be read, and the rest is not observed.
 */
static void plr_monitor_visit_all(struct plr_monitor *monitor)
{
	bool hot;
	int at;

	if (monitor->late && plr_mailbox_is_busy(monitor->mailbox))
		return;
	monitor->late = false;
	while (!monitor->late) {
		hot = monitor->hot;
		at = plr_monitor_next(monitor, hot);
		if (at < 0) {
			hot = !hot;
			at = plr_monitor_next(monitor, hot);
		}
		if (at < 0)
			return;
		if (!plr_mailbox_has_budget(monitor->mailbox)) {
			monitor->behind = true;
			return;
		}
		monitor->last[hot] = at;
		monitor->hot = !hot;
		if (plr_monitor_visit(monitor, monitor->part[at]) == -ETIMEDOUT)
			monitor->late = monitor->mailbox->late;
	}
}

/*
 * Account a part that was not read in this poll. Where the die level has no
 * reason of the gate it has none either. While its turn has not come, nothing
 * has changed; otherwise this interval is not observed, and nothing is known of
 * it after two of them.
 */
static void plr_monitor_close(struct plr_monitor *monitor,
			      struct plr_part *part, u64 period_ns)
{
	u64 limit = 2 * max(period_ns, monitor->interval_ns);

	if (!part->due && part->read_ns && part->read_ns < monitor->now_ns) {
		part->previous &= ~plr_gated(monitor, part->previous);
		plr_part_set_active(part, part->active & part->previous);
		plr_part_observe(part, monitor->now_ns, monitor->boot_ns);
		WRITE_ONCE(part->known, true);
	}
	if (!part->due)
		return;
	if (monitor->behind)
		limit = max(limit, TURN_NS);
	else
		part->skipped_ns += monitor->interval_ns;
	if (part->upto_ns && monitor->now_ns - part->upto_ns > limit)
		plr_part_lose(part);
}

/*
 * Account the die. A reason that only modules whose turn has not come may have
 * put there changes nothing yet: it has been in force if a module confirms it.
 */
static void plr_monitor_close_die(struct plr_monitor *monitor, u64 shown)
{
	u64 active = shown & ~monitor->unconfirmed;
	struct plr_part *die = monitor->die;
	unsigned int bit;

	WRITE_ONCE(die->log, die->log | shown);
	plr_part_observe(die, monitor->now_ns, monitor->boot_ns);
	if (!monitor->poll_ns)
		return;
	for (bit = 0; bit < PLR_COARSE_BITS; bit++) {
		monitor->pending_ns[bit] += monitor->interval_ns;
		if (active & BIT_ULL(bit))
			plr_part_add_time(die, bit, monitor->pending_ns[bit],
					  monitor->boot_ns);
		if (!(monitor->unconfirmed & BIT_ULL(bit)))
			monitor->pending_ns[bit] = 0;
	}
	plr_part_set_active(die, active | (die->active & shown));
	WRITE_ONCE(die->known, true);
}

/*
 * Find reasons of the die level that no module has had in several turns.
 * Modules may have put into the die level again what they had when they were
 * not read.
 */
static void plr_monitor_match(struct plr_monitor *monitor, u64 shown)
{
	u64 alone = shown & monitor->gate & ~monitor->turn_seen;

	monitor->unsure = monitor->behind ? shown & monitor->gate : 0;
	if (monitor->turn_visits < monitor->count &&
	    (monitor->behind || monitor->late))
		return;
	monitor->unmatched = alone ? monitor->unmatched + 1 : 0;
	if (monitor->unmatched >= UNMATCHED_TURNS)
		monitor->elsewhere |= alone;
	monitor->turn_seen = 0;
	monitor->turn_visits = 0;
}

/* The die level again, once modules were cleared; keep what is new there. */
static void plr_monitor_clear_die(struct plr_monitor *monitor)
{
	u64 die;

	if (!monitor->cleared || plr_die_read(monitor->mailbox, &die))
		return;
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

/* End monitoring: nothing is known from here on; log and times stay. */
void plr_monitor_stop(struct plr_monitor *monitor)
{
	unsigned int i;

	plr_part_lose(monitor->die);
	for (i = 0; i < monitor->count; i++)
		plr_part_lose(monitor->part[i]);
	memset_startat(monitor, 0, poll_ns);
}

/*
 * Look at a domain once: one register access while the die level has no reason
 * of the gate. Returns 0, or -EIO when it reads as all ones and nothing is
 * known.
 */
int plr_monitor_poll(struct plr_monitor *monitor, u64 period_ns, bool blocked)
{
	bool complete = true;
	struct plr_part *part;
	unsigned int i;
	u64 shown, rest;

	if (plr_die_read(monitor->mailbox, &shown)) {
		plr_monitor_stop(monitor);
		return -EIO;
	}
	plr_monitor_begin(monitor);
	shown |= monitor->carry;
	monitor->carry = 0;
	monitor->unconfirmed = shown & monitor->unsure;
	for (rest = shown & ~monitor->unconfirmed; rest; )
		monitor->shown_ns[plr_take(&rest)] += monitor->interval_ns;

	if (plr_monitor_choose(monitor, shown) && !blocked)
		plr_die_clear(monitor->mailbox);
	if (!blocked)
		plr_monitor_visit_all(monitor);
	plr_monitor_clear_die(monitor);

	plr_monitor_close_die(monitor, shown);
	for (i = 0; i < monitor->count; i++) {
		part = monitor->part[i];
		complete &= part->read_ns || part->failed;
		if (blocked)
			plr_part_lose(part);
		else
			plr_monitor_close(monitor, part, period_ns);
	}
	plr_monitor_match(monitor, shown);
	complete |= monitor->primed;
	WRITE_ONCE(monitor->primed, complete && !blocked && !monitor->late);
	monitor->poll_ns = monitor->now_ns;

	return 0;
}
