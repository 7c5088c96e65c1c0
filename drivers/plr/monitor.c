// SPDX-License-Identifier: GPL-2.0-only
/*
 * Poll a domain: look at the die level, have the sampler read modules, look at
 * the die level again, and account what each module and the die have shown. The
 * die has reasons of the die level and new reasons of modules. A reason of the
 * die alone (of its mesh, or of a module without a CPU) leaves the gate after a
 * while. Nobody clears a mesh: a reason that returns after a clear is in force
 * only if the die level collects.
 *
 * The specification does not define the die level after a clear: it may collect
 * the reasons of modules, be computed from them, or latch them again. To be
 * right in each case, clear the die level before modules are read and after
 * modules are cleared.
 */
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "monitor.h"

/* The die's account waits for modules this long plus two rounds of reads. */
#define BEGIN_NS		1000000000ULL

/* @die_only gets a reason that only the die has had for at least this time. */
#define DIE_ONLY_NS		2000000000ULL

/* FREQUENCY_PCS_TRL, a turbo limit by a BMC, adds FREQUENCY to the gate. */
#define PCS_TRL		(32 + 7)

/*
 * Account a clear by a user, of @value, between two polls. The die gets @value
 * in the next poll, but for what ended before: a reason that the die level
 * showed earlier, or that the last read left set, and not the last poll. The
 * caller holds domain->lock.
 */
void plr_monitor_account_clear(struct plr_monitor *monitor,
			       struct plr_record *record, u64 value)
{
	struct plr_account *account = &record->account;

	plr_record_log(record, value);
	if (!monitor->poll_ns)
		return;
	monitor->owed |= lower_32_bits(value) &
			 ~((account->unread | account->uncleared) &
			   ~monitor->level.shown);
	account->erased |= value;
}

/* Return the reasons in force in any module. */
static u64 plr_monitor_active(const struct plr_monitor *monitor)
{
	const struct plr_record *record;
	u64 active = 0;
	unsigned int i;

	plr_for_each_record(&monitor->sampler, record, i)
		active |= record->account.active;
	return active;
}

/*
 * Note since when the die has had reasons @shown that no module has. A module
 * that had one when it was read, of unknown age, may have it.
 */
static void plr_monitor_note_alone(struct plr_monitor *monitor, u64 shown)
{
	const struct plr_sampler *sampler = &monitor->sampler;
	const struct plr_record *record;
	u64 alone = shown, found = 0;
	unsigned int i;

	plr_for_each_record(sampler, record, i) {
		alone &= ~(record->account.active | record->account.uncleared);
		found |= record->value;
	}
	for (i = 0; i < PLR_REASON_BITS; i++)
		if (!(alone & BIT_ULL(i)))
			monitor->alone_ns[i] = 0;
		else if (!monitor->alone_ns[i] || found & BIT_ULL(i))
			monitor->alone_ns[i] = sampler->clock.now_ns;
}

/*
 * Return the reasons that no module has had for @least_ns and a whole round of
 * tries to read modules.
 */
static u64 plr_monitor_alone(const struct plr_monitor *monitor, u64 least_ns)
{
	u64 round_ns = plr_sampler_round(&monitor->sampler), alone = 0;
	u64 now_ns = monitor->sampler.clock.now_ns, since_ns;
	unsigned int bit;

	for (bit = 0; bit < PLR_REASON_BITS; bit++) {
		since_ns = monitor->alone_ns[bit];
		if (since_ns && round_ns >= since_ns &&
		    now_ns - since_ns >= least_ns)
			alone |= BIT_ULL(bit);
	}
	return alone;
}

/*
 * Set the gate. Return true if it has new reasons: their bits in modules may be
 * stale, so all modules have to be read anew.
 */
static bool plr_monitor_open(struct plr_monitor *monitor)
{
	struct plr_sampler *sampler = &monitor->sampler;
	u64 open = monitor->gate, opened;
	int coarse = plr_reason_coarse(PCS_TRL);

	if (coarse >= 0 && plr_monitor_active(monitor) & BIT_ULL(PCS_TRL))
		open |= BIT_ULL(coarse);
	opened = open & ~sampler->open;
	sampler->open = open;
	sampler->die_only = open &
		plr_monitor_alone(monitor, max(DIE_ONLY_NS,
					       3 * monitor->interval_ns));
	opened |= sampler->die_only & monitor->requested &
		  ~monitor->last_requested;
	monitor->last_requested = monitor->requested;
	WRITE_ONCE(monitor->ready, monitor->ready & open & ~opened);
	if (opened)
		monitor->opened_ns = sampler->clock.now_ns;
	return opened;
}

/*
 * Clear the die level if modules will be read, or if it shows a reason of the
 * die alone, which nothing else clears. Read and clear modules. Return new
 * reasons of modules that the die has not shown.
 */
static u64 plr_monitor_sample(struct plr_monitor *monitor, u64 shown,
			      u64 period_ns)
{
	struct plr_sampler *sampler = &monitor->sampler;
	bool opened = plr_monitor_open(monitor), clears;
	u64 alone = shown & sampler->die_only;

	clears = plr_sampler_mark(sampler, shown, period_ns, opened,
				  alone & monitor->requested);
	if ((clears || alone) && monitor->level.left) {
		plr_die_clear(sampler->mailbox);
		monitor->level.left = 0;
	}
	return plr_sampler_read(sampler);
}

/* Look at the die level again if modules were cleared, or if not @primed. */
static void plr_monitor_read_die_again(struct plr_monitor *monitor)
{
	struct plr_sampler *sampler = &monitor->sampler;
	struct plr_level *die = &monitor->level;
	u64 level;

	if ((monitor->primed && !sampler->cleared) ||
	    plr_die_read(sampler->mailbox, &level))
		return;
	plr_record_log(monitor->die, level);
	die->again = level;
	monitor->owed = level & ~die->left & ~(sampler->seen & die->shown);
	if (level)
		plr_die_clear(sampler->mailbox);
}

/* Account that a module was not read, or that it cannot be. */
static void plr_monitor_account(struct plr_monitor *monitor,
				struct plr_record *record, u64 shown,
				u64 required, u64 limit_ns)
{
	const struct plr_sampler *sampler = &monitor->sampler;
	struct plr_account *account = &record->account;
	u64 missing;

	if (record->read_ns < sampler->clock.now_ns)
		plr_account_unread(account, &sampler->clock, shown);
	missing = plr_gate_reasons(account->unread) | account->uncleared;
	/* A module that missed a scan may have any reason at all. */
	if (record->read_ns < sampler->scan_ns)
		missing = ~0ULL;
	else if (record->read_ns < record->tried_ns)
		missing &= plr_gate_reasons(sampler->open);
	else
		missing &= required;
	plr_account_check(account, &sampler->clock, missing, limit_ns);
}

/* Account the modules. Return true once all were read and old bits cleared. */
static bool plr_monitor_account_modules(struct plr_monitor *monitor, u64 shown,
					u64 period_ns)
{
	const struct plr_sampler *sampler = &monitor->sampler;
	u64 alone = sampler->die_only, slow = alone & monitor->requested;
	/* Evidence of a reason of the die alone is required on request only. */
	u64 required = plr_gate_reasons(sampler->open & ~(alone ^ slow));
	/* Keep states for two intervals and two rounds without evidence. */
	u64 limit_ns = 2 * (max(period_ns, monitor->interval_ns) +
			    sampler->count * (shown & slow ? PLR_SLOW_EACH_NS :
							     2 * PLR_EACH_NS));
	struct plr_record *record;
	bool is_clear = true;
	unsigned int i;

	plr_for_each_record(sampler, record, i) {
		if (record->read_ns)
			plr_monitor_account(monitor, record, shown, required,
					    limit_ns);
		record->account.unread |= monitor->level.again;
		is_clear &= record->read_ns &&
			    !(record->account.uncleared & required);
	}
	return is_clear;
}

/*
 * Account the die. Each poll is evidence of all reasons of the die, except
 * those that a module still has but the cleared die level does not show. If the
 * die level may not collect, a reason without a module may be old from the
 * second poll with the reason on, or from the first poll of the account.
 */
static void plr_monitor_account_die(struct plr_monitor *monitor, u64 bits)
{
	const struct plr_sampler *sampler = &monitor->sampler;
	struct plr_account *die = &monitor->die->account;
	u64 active = plr_monitor_active(monitor), shown = monitor->level.shown;
	u64 old = plr_monitor_alone(monitor, 1);
	unsigned int bit;

	for (bit = 0; bit < PLR_COARSE_BITS; bit++)
		if (!die->from_ns[bit])
			old |= BIT_ULL(bit);
	old &= sampler->collects ? 0 : shown & ~active;
	plr_account_drop(die, old);
	plr_account_add(die, &sampler->clock, bits,
			PLR_COARSE_MASK & ~(active & ~shown) & ~old);
	plr_account_observe(die, &sampler->clock);
}

/*
 * End a poll; the die is owed new reasons of modules (@found). Its account
 * begins when all modules are clear, or after a while, because a command may
 * never end.
 */
static void plr_monitor_end(struct plr_monitor *monitor, u64 shown, u64 found,
			    bool is_clear)
{
	struct plr_sampler *sampler = &monitor->sampler;
	u64 now_ns = sampler->clock.now_ns;
	u64 latest_ns = monitor->opened_ns + BEGIN_NS +
			sampler->count * 4 * PLR_EACH_NS;

	found &= PLR_COARSE_MASK & ~monitor->level.shown;
	if (monitor->primed) {
		plr_record_log(monitor->die, found);
		monitor->owed |= found;
		plr_monitor_account_die(monitor, monitor->level.shown);
	} else if (is_clear || now_ns >= latest_ns) {
		WRITE_ONCE(monitor->primed, true);
		monitor->owed = 0;
		plr_monitor_account_die(monitor, 0);
	}
	plr_monitor_note_alone(monitor, shown);
	if (plr_sampler_round(sampler) >= monitor->opened_ns)
		WRITE_ONCE(monitor->ready, sampler->open);
	WRITE_ONCE(monitor->poll_ns, now_ns);
}

/* Make all states unknown; logs and times stay. */
void plr_monitor_stop(struct plr_monitor *monitor)
{
	plr_account_stop(&monitor->die->account, ~0ULL);
	plr_sampler_stop(&monitor->sampler);
	memset_startat(monitor, 0, poll_ns);
}

/*
 * Poll a domain; @period_ns is the nominal interval. Takes one register access
 * while the die level has no reason of the gate. Sleeps under domain->lock.
 * Stop and return -EIO if the die level reads as all ones.
 */
int plr_monitor_poll(struct plr_monitor *monitor, u64 period_ns)
{
	struct plr_mailbox *mailbox = monitor->sampler.mailbox;
	struct plr_clock *clock = &monitor->sampler.clock;
	u64 level, shown, found;
	bool is_clear;

	if (plr_die_read(mailbox, &level)) {
		plr_monitor_stop(monitor);
		return -EIO;
	}
	*clock = (struct plr_clock){ mailbox->wait->now_ns(),
				     mailbox->wait->boot_ns() };
	monitor->interval_ns = monitor->poll_ns ?
		clock->now_ns - monitor->poll_ns : 0;
	plr_record_log(monitor->die, level);
	monitor->level = (struct plr_level){ level | monitor->owed, level };
	monitor->owed = 0;
	/* Modules are read for requests that the die level cannot show, too. */
	shown = monitor->level.shown | (monitor->requested & ~PLR_COARSE_MASK);
	found = plr_monitor_sample(monitor, shown, period_ns);
	plr_monitor_read_die_again(monitor);
	is_clear = plr_monitor_account_modules(monitor, shown, period_ns);
	plr_monitor_end(monitor, shown, found, is_clear);
	return 0;
}
