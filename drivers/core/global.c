// SPDX-License-Identifier: GPL-2.0-only
/*
 * Let boxes run when a global control freezes them: the freeze bit may be set
 * at power-on, and likwid leaves it set after each run. On older parts it is
 * write-only; no public document specifies the value read on newer parts. So
 * write the register, whatever it reads as, when the first event under the
 * control starts and in each round of the poll timer.
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
}
EXPORT_SYMBOL_GPL(pmon_global_init);

const char *pmon_global_state(const struct pmon_global *global)
{
	if (READ_ONCE(global->is_frozen))
		return "frozen";
	return READ_ONCE(global->checked) ? "running" : "unknown";
}
EXPORT_SYMBOL_GPL(pmon_global_state);

/* All-ones: the register does not exist. */
static void pmon_global_read(struct pmon_global *global)
{
	u64 value = pmon_read(&global->regs, 0, global->bytes);
	bool frozen = value & global->freeze &&
		      value != GENMASK_ULL(8 * global->bytes - 1, 0);

	lockdep_assert_held(&global->lock);
	WRITE_ONCE(global->checked, true);
	WRITE_ONCE(global->is_frozen, global->read_only && frozen);
	if (!frozen)
		return;

	WRITE_ONCE(global->value, value);
	if (!global->read_only) {
		WRITE_ONCE(global->unfreezes, global->unfreezes + 1);
		global->disturbances += global->active != 0;
	}
	pmon_report_soon();
}

static void pmon_global_run(struct pmon_global *global)
{
	lockdep_assert_held(&global->lock);
	WRITE_ONCE(global->checked, true);
	pmon_write(&global->regs, 0, 0, global->bytes);
}

/*
 * Let the box run for its first event, and count it in @active. Returns -EBUSY
 * if it is frozen and unfreeze=N; 0 in D3, where pmon_box_apply() fails events.
 * Context: a CPU that reaches the box; pmon_global_update_active() follows.
 */
int pmon_global_start(struct pmon_box *box)
{
	struct pmon_global *global = box->global;

	lockdep_assert_held(&box->lock);
	if (!global || pmon_box_is_in_d3(box))
		return 0;

	guard(raw_spinlock)(&global->lock);
	if (!global->checked ||
	    (!global->status && (!global->active || global->is_frozen))) {
		if (global->read_only)
			pmon_global_read(global);
		else
			pmon_global_run(global);
	}
	if (!box->hw.active)
		box->disturbances = global->disturbances;
	if (global->is_frozen && !global->status)
		return -EBUSY;
	global->active += !box->in_global;
	box->in_global = true;
	return 0;
}

/* Update @active if the box has started or stopped. Context: @box->lock. */
void pmon_global_update_active(struct pmon_box *box)
{
	struct pmon_global *global = box->global;
	bool runs = box->hw.active;

	if (!global || runs == box->in_global)
		return;

	guard(raw_spinlock)(&global->lock);
	box->in_global = runs;
	global->active += runs ? 1 : -1;
}

/* Called in each tick of an active box. Returns the number of accesses. */
unsigned int pmon_global_tick(struct pmon_box *box, unsigned int round)
{
	struct pmon_global *global = box->global;
	unsigned int accesses = 0;
	bool disturbed;

	lockdep_assert_held(&box->lock);
	if (!global || global->status)
		return 0;

	scoped_guard(raw_spinlock, &global->lock) {
		if (global->round != round) {
			global->round = round;
			pmon_global_read(global);
			if (!global->read_only)
				pmon_global_run(global);
			accesses = 2;
		}
		disturbed = box->disturbances != global->disturbances;
		box->disturbances = global->disturbances;
	}
	if (disturbed) {
		box->hw.disturbed++;
		pmon_report_soon();
	}
	return accesses;
}

void pmon_global_mark_unchecked(struct pmon_box *box)
{
	lockdep_assert_held(&box->lock);
	if (!box->global)
		return;

	guard(raw_spinlock)(&box->global->lock);
	WRITE_ONCE(box->global->checked, false);
}

static void pmon_global_open_here(void *data)
{
	struct pmon_box *box = data;
	struct pmon_global *global;

	guard(pmon_box)(box);
	global = box->global;
	if (!global || pmon_box_is_in_d3(box))
		return;
	guard(raw_spinlock)(&global->lock);
	pmon_global_read(global);
	WRITE_ONCE(box->refuses, global->is_frozen);
}

/*
 * With unfreeze=N the open fails if the box is frozen. perf checks rights after
 * event_init(), so access no register here for a caller without CAP_PERFMON.
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

/* The caller holds pmon_mutex, so the box is not removed. */
void pmon_global_report(const struct pmon_box *box)
{
	struct pmon_global *global = box->global;
	unsigned int unfreezes;

	if (!global)
		return;

	unfreezes = READ_ONCE(global->unfreezes);
	if (global->logged_unfreezes != unfreezes)
		pr_info("%s: all boxes were frozen by the global control 0x%llx: cleared it\n",
			box->place->name, READ_ONCE(global->value));
	global->logged_unfreezes = unfreezes;
	if (!READ_ONCE(global->is_frozen) || global->logged_frozen)
		return;

	global->logged_frozen = true;
	if (global->status) {
		pr_info("%s: an overflow in the status 0x%llx is not cleared: all boxes may be frozen\n",
			box->place->name, READ_ONCE(global->value));
		return;
	}
	pr_warn("%s: all boxes are frozen by the global control 0x%llx and unfreeze=N keeps it: events are refused\n",
		box->place->name, READ_ONCE(global->value));
}
