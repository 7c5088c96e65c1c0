// SPDX-License-Identifier: GPL-2.0-only
/*
 * The global control of a device's boxes. Its freeze bit stops all of them,
 * and may be set since power-on: then every count is 0. So the register is read
 * before the first box of the device is used, and the bit is cleared by one
 * write, unless the leaf keeps its hands off. Nothing else writes it.
 *
 * It is read again only after a sign that the bit may have been set since:
 * a box that had been reset, one that slept, one whose package was away.
 */
#include <linux/bits.h>
#include <linux/capability.h>
#include <linux/export.h>
#include <linux/printk.h>
#include <linux/smp.h>

#include <compat/cleanup.h>

#include "core.h"

/* States of struct pmon_global. */
enum {
	PMON_GLOBAL_UNKNOWN,
	PMON_GLOBAL_RUNS,	/* or it does not answer, which stops nothing */
	PMON_GLOBAL_KEPT,	/* frozen, and it stays so */
};

void pmon_global_init(struct pmon_global *global)
{
	raw_spin_lock_init(&global->lock);
	INIT_LIST_HEAD(&global->boxes);
	global->state = PMON_GLOBAL_UNKNOWN;
}
EXPORT_SYMBOL_GPL(pmon_global_init);

const char *pmon_global_state(const struct pmon_global *global)
{
	static const char * const names[] = {
		[PMON_GLOBAL_UNKNOWN] = "unknown",
		[PMON_GLOBAL_RUNS] = "running",
		[PMON_GLOBAL_KEPT] = "frozen",
	};

	return names[READ_ONCE(global->state)];
}
EXPORT_SYMBOL_GPL(pmon_global_state);

/* All its boxes know it. */
static void pmon_global_set(struct pmon_global *global, int state)
{
	struct pmon_box *box;

	lockdep_assert_held(&global->lock);
	if (global->state == state)
		return;

	WRITE_ONCE(global->state, state);
	list_for_each_entry(box, &global->boxes, stopped_with)
		WRITE_ONCE(box->unsure, state != PMON_GLOBAL_RUNS);
}

static void pmon_global_examine(struct pmon_global *global)
{
	u64 value = pmon_read(&global->regs, 0, global->bytes);
	u64 all = GENMASK_ULL(8 * global->bytes - 1, 0);

	lockdep_assert_held(&global->lock);
	if (value == all || !(value & global->freeze)) {
		pmon_global_set(global, PMON_GLOBAL_RUNS);
		return;
	}

	global->value = value;
	if (global->keep) {
		pmon_global_set(global, PMON_GLOBAL_KEPT);
	} else {
		pmon_write(&global->regs, 0, value & ~global->freeze,
			   global->bytes);
		pmon_global_set(global, PMON_GLOBAL_RUNS);
		global->cleared++;
	}
	pmon_later(PMON_LATER_TELL);
}

/*
 * Is the box stopped by its global control, for good? Called before the box is
 * used, on a CPU that reaches it, with its lock held. With @again the register
 * is read again.
 */
bool pmon_global_keeps(struct pmon_box *box, bool again)
{
	struct pmon_global *global = box->global;

	lockdep_assert_held(&box->lock);
	if (!global || box->bank.gone)
		return false;

	guard(raw_spinlock)(&global->lock);
	if (global->state == PMON_GLOBAL_UNKNOWN ||
	    (again && global->state == PMON_GLOBAL_KEPT))
		pmon_global_examine(global);
	return global->state == PMON_GLOBAL_KEPT;
}

/*
 * The freeze bit may have been set since it was last read. Called with the
 * box's lock held.
 */
void pmon_global_doubt(struct pmon_box *box)
{
	lockdep_assert_held(&box->lock);
	if (!box->global)
		return;

	guard(raw_spinlock)(&box->global->lock);
	pmon_global_set(box->global, PMON_GLOBAL_UNKNOWN);
}

/* Set which global control can stop the box; NULL for none. */
void pmon_global_attach(struct pmon_box *box, struct pmon_global *global)
{
	guard(pmon_box)(box);
	if (box->global) {
		scoped_guard(raw_spinlock, &box->global->lock)
			list_del_init(&box->stopped_with);
	}
	box->global = global;
	WRITE_ONCE(box->unsure, false);
	if (!global)
		return;

	guard(raw_spinlock)(&global->lock);
	list_add(&box->stopped_with, &global->boxes);
	WRITE_ONCE(box->unsure, global->state != PMON_GLOBAL_RUNS);
}

struct pmon_global_call {
	struct pmon_box *box;
	bool kept;
};

static void pmon_global_open_here(void *data)
{
	struct pmon_global_call *call = data;

	guard(pmon_box)(call->box);
	call->kept = pmon_global_keeps(call->box, true);
}

static bool pmon_global_was_kept(struct pmon_box *box)
{
	guard(pmon_box)(box);
	return box->global &&
	       READ_ONCE(box->global->state) == PMON_GLOBAL_KEPT;
}

/*
 * An event of @box is being opened, whose @unsure says that the global control
 * has to be looked at first. perf has yet to check whether the caller may open
 * it: without the right to count everywhere no register is read here, but when
 * the event is to count.
 */
int pmon_global_open(struct pmon_box *box)
{
	struct pmon_global_call call = { .box = box };
	int cpu = READ_ONCE(box->place->cpu);

	if (!perfmon_capable())
		return pmon_global_was_kept(box) ? -EBUSY : 0;

	if (cpu >= 0)
		smp_call_function_single(cpu, pmon_global_open_here, &call,
					 true);
	return call.kept ? -EBUSY : 0;
}

/*
 * Write to the log what was found, once each time. Called with pmon_mutex held,
 * under which boxes are lost, too.
 */
void pmon_global_tell(const struct pmon_box *box)
{
	struct pmon_global *global = box->global;
	unsigned int cleared;

	if (!global)
		return;

	cleared = READ_ONCE(global->cleared);
	if (global->told != cleared)
		pr_info("%s: all boxes were frozen by the global control 0x%llx: cleared it\n",
			box->place->name, READ_ONCE(global->value));
	global->told = cleared;
	if (READ_ONCE(global->state) != PMON_GLOBAL_KEPT || global->told_kept)
		return;

	global->told_kept = true;
	pr_warn("%s: all boxes are frozen by the global control 0x%llx and unfreeze=N keeps it: events are refused\n",
		box->place->name, READ_ONCE(global->value));
}
