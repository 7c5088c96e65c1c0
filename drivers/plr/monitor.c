// SPDX-License-Identifier: GPL-2.0-only
/*
 * Poll a domain: look at the die level, have the sampler read modules, look at
 * the die level again, and account what each module and the die have shown. The
 * account of the die begins when all modules were read, or after a while. It
 * has reasons that the die level shows, and new reasons of modules that the die
 * level has not shown. A reason that only the die level has (of its mesh, or of
 * a module without a CPU) leaves the gate after a while.
 *
 * The specification does not define the die level after a clear. It may collect
 * the reasons of modules, be computed from the modules, or latch reasons again
 * while modules have them. To be right in each case, clear the die level before
 * modules are read and once more after modules are cleared.
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
 * Account a clear by a user between two polls. @value was read before the clear
 * and belongs to the current interval. Carry @value to the next poll, because
 * after the clear neither the cleared register nor a die level computed from
 * the modules has the reasons. A reason that the die level showed earlier, or
 * that the last read left set, but that the last poll did not show, ended
 * before. The caller holds domain->lock.
 */
void plr_monitor_account_clear(struct plr_monitor *monitor,
			       struct plr_record *record, u64 value)
{
	u64 ended = (record->account.pending | record->account.uncleared) &
		    ~monitor->shown;

	plr_record_log(record, value);
	if (!monitor->poll_ns)
		return;
	monitor->carry |= lower_32_bits(value & ~ended);
	record->account.carry |= value;
}

static void plr_monitor_begin(struct plr_monitor *monitor)
{
	const struct plr_wait *wait = monitor->sampler.mailbox->wait;

	monitor->announced = plr_gate_reasons(PLR_COARSE_MASK);
	monitor->clock.now_ns = wait->now_ns();
	monitor->clock.boot_ns = wait->boot_ns();
	monitor->interval_ns = monitor->poll_ns ?
		monitor->clock.now_ns - monitor->poll_ns : 0;
}

/*
 * Mark a reason as the die's alone if no module has had it for DIE_ONLY_NS,
 * three polls and a whole round of tries to read modules. @seen has reasons
 * of modules whose state is not known yet.
 */
static void plr_monitor_mark_die_only(struct plr_monitor *monitor, u64 shown)
{
	u64 now_ns = monitor->clock.now_ns, *since_ns;
	u64 alone = shown & monitor->open &
		    ~(monitor->active | monitor->sampler.seen);
	unsigned int bit;

	monitor->die_only = 0;
	for (bit = 0; bit < PLR_REASON_BITS; bit++) {
		since_ns = &monitor->alone_ns[bit];
		if (!(alone & BIT_ULL(bit)))
			*since_ns = 0;
		else if (!*since_ns)
			*since_ns = now_ns;
		else if (monitor->sampler.round_ns > *since_ns &&
			 now_ns - *since_ns >=
				 max(DIE_ONLY_NS, 3 * monitor->interval_ns))
			monitor->die_only |= BIT_ULL(bit);
	}
}

/*
 * Set the gate of this poll. Return true if the gate has new reasons: their
 * bits in modules may be stale, so all modules have to be read anew.
 */
static bool plr_monitor_open(struct plr_monitor *monitor, u64 shown)
{
	struct plr_sampler *sampler = &monitor->sampler;
	u64 open = monitor->gate, opened;
	int coarse = plr_reason_coarse(PCS_TRL);

	if (coarse >= 0 && monitor->active & BIT_ULL(PCS_TRL))
		open |= BIT_ULL(coarse);
	opened = (open & ~monitor->open) |
		 (monitor->die_only & monitor->requested &
		  ~monitor->last_requested);
	monitor->last_requested = monitor->requested;
	monitor->open = open;
	WRITE_ONCE(monitor->ready, monitor->ready & open & ~opened);
	if (opened)
		monitor->opened_ns = monitor->clock.now_ns;
	sampler->gate = open & ~monitor->die_only;
	sampler->slow = shown & monitor->die_only & monitor->requested;
	sampler->clear = ~plr_gate_reasons(PLR_COARSE_MASK & ~open);
	return opened;
}

/*
 * Look at the die level again if modules were cleared, or if not @primed. Carry
 * to the next poll any reason that this poll does not account. @shown: reasons
 * of this poll; @before: those left in the die level before modules were read.
 */
static u64 plr_monitor_read_die_again(struct plr_monitor *monitor, u64 shown,
				      u64 before)
{
	struct plr_sampler *sampler = &monitor->sampler;
	u64 level;

	if ((monitor->primed && !sampler->cleared) ||
	    plr_die_read(sampler->mailbox, &level))
		return 0;
	plr_record_log(monitor->die, level);
	monitor->carry |= level & ~before & ~(sampler->seen & shown);
	if (level)
		plr_die_clear(sampler->mailbox);
	return level;
}

/*
 * Account a module for this poll. Return the reasons that came up on the module
 * but that the die level has not shown since the module's last read.
 */
static u64 plr_monitor_account(struct plr_monitor *monitor,
			       struct plr_record *record, u64 shown,
			       u64 required, u64 limit_ns)
{
	struct plr_account *account = &record->account;
	u64 anew = 0, missing;

	if (!record->read_ns)
		return 0;
	if (record->is_read)
		anew = plr_account_read(account, &monitor->clock, record->value,
					record->is_cleared);
	else
		plr_account_unread(account, &monitor->clock,
				   monitor->announced, shown);
	missing = plr_gate_reasons(account->pending) | account->uncleared;
	/*
	 * A module that does not respond may have any reason of the die, and
	 * any reason at all after a missed scan.
	 */
	if (record->read_ns < monitor->sampler.scan_ns)
		missing = ~0ULL;
	else if (record->read_ns < record->tried_ns)
		missing &= plr_gate_reasons(monitor->open);
	else
		missing &= required;
	plr_account_check(account, &monitor->clock, missing, limit_ns);
	return anew;
}

/*
 * Account the die. Each poll is evidence of all reasons of the die, except
 * those that a module still has but the cleared die level does not show.
 */
static void plr_monitor_account_die(struct plr_monitor *monitor, u64 shown)
{
	struct plr_account *die = &monitor->die->account;

	plr_account_add(die, &monitor->clock, shown,
			PLR_COARSE_MASK & ~(monitor->active & ~shown));
	plr_account_observe(die, &monitor->clock);
}

/*
 * End a poll. New reasons of modules (@anew) go to the die in the next poll.
 * The account of the die begins when all modules were read and old bits cleared
 * (!@left), or after a while, because a command may never end.
 */
static void plr_monitor_end(struct plr_monitor *monitor, u64 shown, u64 anew,
			    bool left)
{
	u64 round_ns = monitor->sampler.round_ns;
	u64 now_ns = monitor->clock.now_ns;
	u64 left_ns = BEGIN_NS + monitor->sampler.count * 4 * PLR_EACH_NS;

	anew &= PLR_COARSE_MASK & ~shown;
	if (monitor->primed) {
		plr_record_log(monitor->die, anew);
		monitor->carry |= anew;
		plr_monitor_account_die(monitor, shown);
	} else if (!left || now_ns - monitor->opened_ns >= left_ns) {
		WRITE_ONCE(monitor->primed, true);
		monitor->carry = 0;
		plr_monitor_account_die(monitor, 0);
	}
	if (round_ns >= monitor->opened_ns)
		WRITE_ONCE(monitor->ready, monitor->open);
	WRITE_ONCE(monitor->poll_ns, now_ns);
}

/* Make all states unknown; logs and times stay. */
void plr_monitor_stop(struct plr_monitor *monitor)
{
	struct plr_sampler *sampler = &monitor->sampler;
	unsigned int i;

	plr_account_stop(&monitor->die->account);
	for (i = 0; i < sampler->count; i++)
		plr_account_stop(&sampler->records[i]->account);
	plr_sampler_stop(sampler);
	memset_startat(monitor, 0, clock);
}

/*
 * Poll a domain; @period_ns is the nominal interval. Takes one register access
 * while the die level has no reason of the gate. Sleeps; the caller holds
 * domain->lock. Stop and return -EIO if the die level reads as all ones.
 */
int plr_monitor_poll(struct plr_monitor *monitor, u64 period_ns)
{
	struct plr_sampler *sampler = &monitor->sampler;
	u64 level, shown, pending, after, required, limit_ns;
	u64 active = 0, anew = 0;
	struct plr_record *record;
	bool opened, clears, left = false;
	unsigned int i;

	if (plr_die_read(sampler->mailbox, &level)) {
		plr_monitor_stop(monitor);
		return -EIO;
	}
	plr_monitor_begin(monitor);
	plr_record_log(monitor->die, level);
	shown = level | monitor->carry;
	monitor->carry = 0;
	monitor->shown = shown;
	/* Add requested reasons that the die level cannot show. */
	pending = shown | (monitor->requested & ~PLR_COARSE_MASK);

	plr_monitor_mark_die_only(monitor, pending);
	opened = plr_monitor_open(monitor, pending);
	clears = plr_sampler_mark(sampler, monitor->clock.now_ns, pending,
				  opened);
	if (clears && level)
		plr_die_clear(sampler->mailbox);
	plr_sampler_read(sampler);
	after = plr_monitor_read_die_again(monitor, shown, clears ? 0 : level);
	plr_sampler_end(sampler, pending | after);

	/* Require evidence of a @die_only reason only if it is requested. */
	required = plr_gate_reasons(monitor->open & ~(monitor->die_only &
						      ~monitor->requested));
	/* Keep states for two intervals and two rounds without evidence. */
	limit_ns = 2 * (max(period_ns, monitor->interval_ns) + sampler->count *
			(sampler->slow ? PLR_SLOW_EACH_NS : 2 * PLR_EACH_NS));
	for (i = 0; i < sampler->count; i++) {
		record = sampler->records[i];
		anew |= plr_monitor_account(monitor, record, pending, required,
					    limit_ns);
		record->account.pending |= after;
		active |= record->account.active;
		left |= !record->read_ns ||
			record->account.uncleared & required;
	}
	monitor->active = active;
	plr_monitor_end(monitor, shown, anew, left);
	return 0;
}
