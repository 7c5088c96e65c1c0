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
	account->erased |= value;
	monitor->die->account.erased |= lower_32_bits(value) &
		(monitor->level.shown |
		 ~(account->unread | account->uncleared));
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

/* Note since when reasons @shown of the die are not those of any module. */
static void plr_monitor_note_alone(struct plr_monitor *monitor, u64 shown)
{
	u64 now_ns = monitor->sampler.clock.now_ns;
	const struct plr_record *record;
	unsigned int i;

	plr_for_each_record(&monitor->sampler, record, i)
		shown &= ~record->value;
	for (i = 0; i < PLR_REASON_BITS; i++)
		monitor->alone_ns[i] = !(shown & BIT_ULL(i)) ? 0 :
			monitor->alone_ns[i] ?: now_ns;
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
 * Set the gate. Bits of modules may be stale for a reason that is new in it, or
 * that only the die has had, so read all modules anew.
 */
static void plr_monitor_open(struct plr_monitor *monitor)
{
	struct plr_sampler *sampler = &monitor->sampler;
	u64 least_ns = max(DIE_ONLY_NS, 3 * monitor->interval_ns);
	u64 last = sampler->required, opened;
	int coarse = plr_reason_coarse(PCS_TRL);

	sampler->open = monitor->gate;
	if (coarse >= 0 && plr_monitor_active(monitor) & BIT_ULL(PCS_TRL))
		sampler->open |= BIT_ULL(coarse);
	sampler->die_only = plr_monitor_alone(monitor, least_ns) &
			    sampler->open;
	sampler->required = sampler->open &
			    ~(sampler->die_only & ~monitor->requested);
	opened = sampler->required & ~last;
	WRITE_ONCE(monitor->ready, monitor->ready & sampler->open & ~opened);
	if (opened) {
		monitor->opened_ns = sampler->clock.now_ns;
		sampler->next_scan_ns = 0;
	}
}

/*
 * Clear the die level if modules will be read, or if it shows a reason of the
 * die alone, which nothing else clears. Read and clear modules; if any was
 * cleared, or if not @primed, look at the die level again. The die gets in the
 * next poll what came up only then, or in modules only.
 */
static void plr_monitor_sample(struct plr_monitor *monitor, u64 shown,
			       u64 period_ns)
{
	struct plr_sampler *sampler = &monitor->sampler;
	bool clears = plr_sampler_mark(sampler, shown, period_ns);
	struct plr_level *level = &monitor->level;
	u64 found;

	if ((clears || shown & sampler->die_only) && level->shown)
		plr_die_clear(sampler->mailbox);
	found = plr_sampler_read(sampler) & PLR_COARSE_MASK;
	plr_record_log(monitor->die, found);
	if ((!monitor->primed || sampler->cleared) &&
	    !plr_die_read(sampler->mailbox, &level->again)) {
		plr_record_log(monitor->die, level->again);
		if (level->again)
			plr_die_clear(sampler->mailbox);
	}
	monitor->die->account.erased = (found | level->again) &
					~level->shown;
}

/*
 * Account the modules, also one that was not read, or cannot be. Return true
 * once all were read and old bits cleared.
 */
static bool plr_monitor_account_modules(struct plr_monitor *monitor, u64 shown,
					u64 period_ns)
{
	const struct plr_sampler *sampler = &monitor->sampler;
	u64 required = plr_gate_reasons(sampler->required);
	u64 open = plr_gate_reasons(sampler->open), missing;
	u64 each_ns = plr_sampler_slow(sampler, shown) ? PLR_SLOW_EACH_NS :
							 2 * PLR_EACH_NS;
	/* Keep states for two intervals and two rounds without evidence. */
	u64 limit_ns = 2 * (max(period_ns, monitor->interval_ns) +
			    sampler->count * each_ns);
	struct plr_account *account;
	struct plr_record *record;
	bool is_clear = true;
	unsigned int i;

	plr_for_each_record(sampler, record, i) {
		account = &record->account;
		if (record->read_ns && record->read_ns < sampler->clock.now_ns)
			plr_account_unread(account, &sampler->clock, shown);
		is_clear &= record->read_ns && !(account->uncleared & required);
		missing = plr_gate_reasons(account->unread) |
			  account->uncleared;
		missing &= record->read_ns < record->tried_ns ? open : required;
		/* A module that missed a scan may have any reason at all. */
		if (record->read_ns < sampler->scan_ns)
			missing = ~0ULL;
		plr_account_check(account, &sampler->clock, missing, limit_ns);
		account->unread |= monitor->level.again;
	}
	return is_clear;
}

/*
 * Account the die. Each poll is evidence of all reasons of the die, except
 * those that a module still has but the cleared die level does not show. If the
 * die level may not collect, a reason without a module may be old from the
 * second poll with the reason on, or from the first poll of the account.
 */
static void plr_monitor_account_die(struct plr_monitor *monitor)
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
	plr_account_add(die, &sampler->clock, shown,
			PLR_COARSE_MASK & ~(active & ~shown) & ~old);
	plr_account_check(die, &sampler->clock, 0, 0);
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
 * while the die level has no reason of the gate. The die's account begins when
 * all modules are clear, or after a while, because a command may never end.
 * Sleeps under domain->lock. Stop and return -EIO if the die level reads as all
 * ones.
 */
int plr_monitor_poll(struct plr_monitor *monitor, u64 period_ns)
{
	struct plr_account *die = &monitor->die->account;
	struct plr_sampler *sampler = &monitor->sampler;
	const struct plr_wait *wait = sampler->mailbox->wait;
	u64 level, shown, latest_ns;

	if (plr_die_read(sampler->mailbox, &level)) {
		plr_monitor_stop(monitor);
		return -EIO;
	}
	sampler->clock = (struct plr_clock){ wait->now_ns(), wait->boot_ns() };
	monitor->interval_ns = monitor->poll_ns ?
		sampler->clock.now_ns - monitor->poll_ns : 0;
	plr_record_log(monitor->die, level);
	monitor->level = (struct plr_level){ level | die->erased };
	/* Modules are read for requests that the die level cannot show, too. */
	shown = monitor->level.shown | (monitor->requested & ~PLR_COARSE_MASK);
	plr_monitor_open(monitor);
	plr_monitor_sample(monitor, shown, period_ns);
	latest_ns = monitor->opened_ns + BEGIN_NS +
		    sampler->count * 4 * PLR_EACH_NS;
	if (plr_monitor_account_modules(monitor, shown, period_ns) ||
	    monitor->primed || sampler->clock.now_ns >= latest_ns) {
		plr_monitor_account_die(monitor);
		WRITE_ONCE(monitor->primed, true);
	}
	plr_monitor_note_alone(monitor, shown);
	if (plr_sampler_round(sampler) >= monitor->opened_ns)
		WRITE_ONCE(monitor->ready, sampler->open);
	WRITE_ONCE(monitor->poll_ns, sampler->clock.now_ns);
	return 0;
}
