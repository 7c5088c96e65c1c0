// SPDX-License-Identifier: GPL-2.0-only
/*
 * Set boxes up and hand them back, as their devices and CPUs come and go and
 * the machine sleeps.
 */
#include <linux/smp.h>

#include "core.h"

/*
 * Run @fn on the designated CPU of the box. Without one pmon_box_leave() has
 * handed the box back, unless it was in D3 then.
 */
static void pmon_box_call(struct pmon_box *box, smp_call_func_t fn)
{
	int cpu = box->place->cpu;

	if (cpu >= 0)
		smp_call_function_single(cpu, fn, box, true);
}

static void pmon_box_apply_here(void *data)
{
	struct pmon_box *box = data;

	scoped_guard(pmon_box, box)
		pmon_global_start(box);
	if (pmon_box_apply(box, NULL))
		pmon_timer_start(box);
}

/* Apply, on a CPU that reaches the box, changes that no perf callback made. */
void pmon_box_apply_remotely(struct pmon_box *box)
{
	if (READ_ONCE(box->bank.dirty))
		pmon_box_call(box, pmon_box_apply_here);
}

static void pmon_box_resume_here(void *data)
{
	struct pmon_box *box = data;

	guard(pmon_box)(box);
	if (!pmon_box_enters_d3(box))
		pmon_bank_resume(&box->bank);
}

/*
 * After S3, S4 or suspend to idle a box of whose registers anything is known
 * may have been reset, and any may have been frozen with others.
 */
void pmon_box_resume(struct pmon_box *box)
{
	scoped_guard(pmon_box_irq, box)
		pmon_global_recheck(box);
	if (READ_ONCE(box->bank.used) || READ_ONCE(box->bank.programmed) ||
	    READ_ONCE(box->bank.active))
		pmon_box_call(box, pmon_box_resume_here);
}

static void pmon_box_give_over_here(void *data)
{
	struct pmon_box *box = data;

	guard(pmon_box)(box);
	pmon_bank_give_over(&box->bank);
}

/* Hand a box that is about to be removed back, if it was used and answers. */
static void pmon_box_give_over(struct pmon_box *box)
{
	bool used;

	/* Of one without events it is not known whether it is in D3. */
	if (pmon_box_reads_d3(box))
		return;
	scoped_guard(pmon_box_irq, box) {
		used = box->bank.used;
		if (!used)
			pmon_bank_lose(&box->bank, PMON_BOX_REMOVED);
		else if (box->bank.state == PMON_BOX_D3)
			pmon_box_find_again(box);
	}
	if (used)
		pmon_box_call(box, pmon_box_give_over_here);
}

/* When this returns no register of the box is being accessed, or will be. */
void pmon_box_stop(struct pmon_box *box, enum pmon_box_state state)
{
	scoped_guard(pmon_box_irq, box) {
		pmon_bank_lose(&box->bank, state);
		pmon_global_count(box);
	}
	pmon_timer_stop(box);
}

/*
 * The device of @box goes. @box->power, to which the leaf is about to drop its
 * reference, is not looked at after this. The caller holds pmon_mutex.
 */
void pmon_box_remove(struct pmon_box *box, bool hand_back)
{
	if (hand_back)
		pmon_box_give_over(box);
	pmon_box_stop(box, PMON_BOX_REMOVED);
	scoped_guard(pmon_box_irq, box)
		box->global = NULL;
	guard(spinlock)(&box->pmu->lock);
	box->power = NULL;
}

/*
 * The last CPU of a package goes offline, which is this one. MSRs cannot be
 * reached from other packages, so a box that was used is handed back, unless
 * it is in D3; perf ends its events after this.
 */
void pmon_box_leave(struct pmon_box *box)
{
	bool in_d3 = pmon_box_reads_d3(box);

	scoped_guard(pmon_box_irq, box) {
		if (box->bank.state == PMON_BOX_D3 && !in_d3)
			pmon_box_find_again(box);
		if (in_d3)
			pmon_bank_lose(&box->bank, PMON_BOX_NO_CPU);
		else
			pmon_bank_leave(&box->bank);
		pmon_global_count(box);
	}
	pmon_timer_stop(box);
}

/* A CPU that reaches @box is online again: set the box up for its events. */
void pmon_box_return(struct pmon_box *box)
{
	if (READ_ONCE(box->bank.state) != PMON_BOX_NO_CPU)
		return;
	scoped_guard(pmon_box_irq, box)
		pmon_box_find_again(box);
	pmon_box_apply_remotely(box);
}
