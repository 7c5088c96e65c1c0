// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keep the global control of a device's boxes clear of its freeze bit, which
 * stops all of them: it may be set at power-on, and other programs leave it set
 * (likwid after each run). The register is read when the first event under it
 * starts and once in each round of the wrap timer, and the bit is cleared by
 * one write if it is set. Nothing else writes the register.
 *
 * On older parts the bit is write-only, and nobody has published that it reads
 * back on newer ones. So it is cleared whatever was read the first time after
 * load and resume, and after all counters under it stood still.
 */
#include <linux/bits.h>
#include <linux/capability.h>
#include <linux/export.h>
#include <linux/printk.h>
#include <linux/smp.h>

#include "core.h"

void pmon_global_init(struct pmon_global *global)
{
	raw_spin_lock_init(&global->lock);
	global->blind = true;
}
EXPORT_SYMBOL_GPL(pmon_global_init);

const char *pmon_global_state(const struct pmon_global *global)
{
	if (READ_ONCE(global->kept))
		return "frozen";
	return READ_ONCE(global->blind) ? "unknown" : "running";
}
EXPORT_SYMBOL_GPL(pmon_global_state);

static void pmon_global_count_freeze(struct pmon_global *global, u64 value)
{
	lockdep_assert_held(&global->lock);
	WRITE_ONCE(global->value, value);
	WRITE_ONCE(global->cleared, global->cleared + 1);
	if (global->active)
		global->disturbances++;
	pmon_report_soon();
}

/*
 * Read the register, and clear the freeze bit if it is set, or if @blind. A
 * register that reads as all-ones is not there, and is not written.
 */
static void pmon_global_clear(struct pmon_global *global, bool blind)
{
	u64 all = GENMASK_ULL(8 * global->bytes - 1, 0);
	u64 value = pmon_read(&global->regs, 0, global->bytes);
	bool frozen = value != all && value & global->freeze;

	lockdep_assert_held(&global->lock);
	WRITE_ONCE(global->blind, false);
	WRITE_ONCE(global->kept, global->keep && frozen);
	if (global->keep) {
		WRITE_ONCE(global->value, value);
		if (frozen)
			pmon_report_soon();
		return;
	}
	if (value != all && (frozen || blind))
		pmon_write(&global->regs, 0, value & ~global->freeze,
			   global->bytes);
	if (frozen)
		pmon_global_count_freeze(global, value);
}

/*
 * A box without events gets one: it is counted among those that run, and
 * pmon_global_count() is to follow. On a CPU that reaches the box, with its
 * lock held. -EBUSY when the box is frozen and unfreeze=N keeps it so.
 */
int pmon_global_start(struct pmon_box *box)
{
	struct pmon_global *global = box->global;

	lockdep_assert_held(&box->lock);
	if (!global)
		return 0;

	guard(raw_spinlock)(&global->lock);
	if (global->blind ||
	    (!global->status && (!global->active || global->kept)))
		pmon_global_clear(global, global->blind);
	if (!box->bank.running)
		box->disturbances = global->disturbances;
	if (global->kept && !global->status)
		return -EBUSY;
	global->active += !box->counted;
	box->counted = true;
	return 0;
}

/*
 * A box under @box's global control begins or ends to run; @box's lock is held.
 * If the last one ends and none has gained anything, they may have been frozen
 * all the time.
 */
void pmon_global_count(struct pmon_box *box)
{
	struct pmon_global *global = box->global;
	bool runs = box->bank.running;

	if (!global || runs == box->counted)
		return;

	guard(raw_spinlock)(&global->lock);
	global->gained |= box->bank.gained;
	box->bank.gained = false;
	box->counted = runs;
	global->active += runs ? 1 : -1;
	if (global->active)
		return;
	if (!global->gained)
		WRITE_ONCE(global->blind, true);
	global->gained = false;
	global->whole_round = false;
}

/*
 * Before the wrap timer reads a box that has events, with its lock held: read
 * the control once in each round. Returns whether no counter under it gained
 * anything in the whole last round: if this box has not either,
 * pmon_global_unfreeze() is to follow.
 */
bool pmon_global_tick(struct pmon_box *box, unsigned int round)
{
	struct pmon_global *global = box->global;
	bool still = false, disturbed;

	lockdep_assert_held(&box->lock);
	if (!global || global->status || box->bank.state != PMON_BOX_PRESENT)
		return false;

	scoped_guard(raw_spinlock, &global->lock) {
		global->gained |= box->bank.gained;
		box->bank.gained = false;
		if (global->round != round) {
			still = global->whole_round && !global->gained;
			global->round = round;
			global->whole_round = true;
			global->gained = false;
			pmon_global_clear(global, global->blind);
		}
		disturbed = box->disturbances != global->disturbances;
		box->disturbances = global->disturbances;
	}
	if (disturbed) {
		box->bank.disturbed++;
		pmon_report_soon();
	}
	return still;
}

/*
 * All counters under the control of @box, which was read just now, stood still:
 * clear the bit whatever it reads as. If a counter that has not gained in a
 * whole round does so at once, it was set.
 */
void pmon_global_unfreeze(struct pmon_box *box)
{
	struct pmon_global *global = box->global;

	lockdep_assert_held(&box->lock);
	scoped_guard(raw_spinlock, &global->lock)
		pmon_global_clear(global, true);
	pmon_bank_read_at(&box->bank, box->bank.active,
			  box->bank.ops->clock());
	if (!box->bank.gained || global->keep)
		return;

	guard(raw_spinlock)(&global->lock);
	pmon_global_count_freeze(global, global->freeze);
}

/* After sleep, or a reset of the box, the bit may be set. */
void pmon_global_recheck(struct pmon_box *box)
{
	lockdep_assert_held(&box->lock);
	if (!box->global)
		return;

	guard(raw_spinlock)(&box->global->lock);
	WRITE_ONCE(box->global->blind, true);
}

static void pmon_global_open_here(void *data)
{
	struct pmon_box *box = data;
	struct pmon_global *global;

	guard(pmon_box)(box);
	global = box->global;
	if (!global)
		return;
	guard(raw_spinlock)(&global->lock);
	pmon_global_clear(global, false);
	WRITE_ONCE(box->refuses, global->kept);
}

/*
 * With unfreeze=N an event of a frozen box is refused when it is opened, where
 * perf reports the error. perf checks the caller's rights after event_init():
 * without CAP_PERFMON no register is accessed here.
 */
int pmon_global_open(struct pmon_box *box)
{
	int cpu = READ_ONCE(box->place->cpu);

	if (likely(!READ_ONCE(box->may_refuse)))
		return 0;
	if (perfmon_capable() && cpu >= 0)
		smp_call_function_single(cpu, pmon_global_open_here, box, true);
	return READ_ONCE(box->refuses) ? -EBUSY : 0;
}

/* pmon_mutex is held, under which boxes are removed, too. */
void pmon_global_report(const struct pmon_box *box)
{
	struct pmon_global *global = box->global;
	unsigned int cleared;

	if (!global)
		return;

	cleared = READ_ONCE(global->cleared);
	if (global->logged != cleared)
		pr_info("%s: all boxes were frozen by the global control 0x%llx: cleared it\n",
			box->place->name, READ_ONCE(global->value));
	global->logged = cleared;
	if (!READ_ONCE(global->kept) || global->logged_kept)
		return;

	global->logged_kept = true;
	if (global->status) {
		pr_info("%s: an overflow in the status 0x%llx is not cleared: all boxes may be frozen\n",
			box->place->name, READ_ONCE(global->value));
		return;
	}
	pr_warn("%s: all boxes are frozen by the global control 0x%llx and unfreeze=N keeps it: events are refused\n",
		box->place->name, READ_ONCE(global->value));
}
