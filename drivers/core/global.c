// SPDX-License-Identifier: GPL-2.0-only
/*
 * Let boxes run when a global control freezes them: the freeze bit may be set
 * at power-on, and likwid leaves it set after each run. On older parts the bit
 * is write-only; no public document specifies the value read on newer parts. So
 * write the register, whatever it reads as, when the first event under the
 * control starts and in each round of the poll timer, and once a second where a
 * freeze can be read.
 */
#include <linux/bits.h>
#include <linux/export.h>
#include <linux/printk.h>

#include "core.h"

void pmon_global_init(struct pmon_global *global)
{
	raw_spin_lock_init(&global->lock);
}
EXPORT_SYMBOL_GPL(pmon_global_init);

const char *pmon_global_state(const struct pmon_global *global)
{
	return READ_ONCE(global->checked) ? "running" : "unknown";
}
EXPORT_SYMBOL_GPL(pmon_global_state);

/* Look for a freeze. A register that reads as all ones does not exist. */
static bool pmon_global_read(struct pmon_global *global)
{
	u64 value = pmon_read(&global->regs, 0, global->bytes);
	bool frozen = pmon_is_any_set(value, global->freeze, global->bytes);

	lockdep_assert_held(&global->lock);
	WRITE_ONCE(global->checked, true);
	if (!frozen)
		return false;

	WRITE_ONCE(global->value, value);
	WRITE_ONCE(global->times_frozen, global->times_frozen + 1);
	global->disturbances += global->active != 0;
	pmon_report_soon();
	return true;
}

static void pmon_global_run(struct pmon_global *global)
{
	lockdep_assert_held(&global->lock);
	WRITE_ONCE(global->checked, true);
	pmon_write(&global->regs, 0, 0, global->bytes);
}

/*
 * Let the box run for its first event, and count the box in @active. Do nothing
 * in D3, where pmon_box_apply() lets no event start. Called on a CPU that
 * reaches the box; the caller then calls pmon_global_update_active().
 */
void pmon_global_start(struct pmon_box *box)
{
	struct pmon_global *global = box->global;

	lockdep_assert_held(&box->lock);
	if (!global || pmon_box_is_in_d3(box))
		return;

	guard(raw_spinlock)(&global->lock);
	if (global->status && !global->checked)
		pmon_global_read(global);
	if (!global->status && (!global->checked || !global->active))
		pmon_global_run(global);
	if (!box->hw.active)
		box->disturbances = global->disturbances;
	global->active += !box->in_global;
	box->in_global = true;
}

/* Update @active if the box has started or stopped. @box->lock is held. */
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

/* Return true if a freeze of the box by its global control can be seen. */
bool pmon_global_is_watched(const struct pmon_box *box)
{
	lockdep_assert_held(&box->lock);
	return box->global && !box->global->status;
}

/*
 * Called for each active box in a round of ticks, and in a look once a second,
 * because likwid leaves a freeze after each run. The first box reads the
 * register. A look writes it only where it reads as frozen: where hardware does
 * not show the bit, ticks write it. Returns the number of accesses.
 */
unsigned int pmon_global_visit(struct pmon_box *box, unsigned int number,
			       bool is_look)
{
	struct pmon_global *global = box->global;
	unsigned int *last, accesses = 0;

	if (!pmon_global_is_watched(box))
		return 0;

	guard(raw_spinlock)(&global->lock);
	last = is_look ? &global->look : &global->round;
	if (*last != number) {
		*last = number;
		if (pmon_global_read(global) || !is_look)
			pmon_global_run(global);
		accesses = 2;
	}
	box->freezes += box->disturbances != global->disturbances;
	box->disturbances = global->disturbances;
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

/* The caller holds pmon_mutex, so the box is not removed. */
void pmon_global_report(const struct pmon_box *box)
{
	struct pmon_global *global = box->global;
	unsigned int times;

	if (!global)
		return;

	times = READ_ONCE(global->times_frozen);
	if (global->logged_frozen == times)
		return;

	if (!global->status)
		pr_info("%s: all boxes were frozen by the global control 0x%llx: cleared it\n",
			box->place->name, READ_ONCE(global->value));
	else if (!global->logged_frozen)
		pr_info("%s: an overflow in the status 0x%llx is not cleared: all boxes may be frozen\n",
			box->place->name, READ_ONCE(global->value));
	global->logged_frozen = times;
}
