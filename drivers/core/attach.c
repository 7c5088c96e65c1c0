// SPDX-License-Identifier: GPL-2.0-only
/*
 * Set boxes up and hand them back, as their devices and CPUs come and go and
 * the machine sleeps.
 */
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "core.h"

/* ---- memory and hardware ------------------------------------------------- */

struct pmon_box *pmon_box_create(struct pmon_pmu *pmu,
				 struct pmon_place *place,
				 const struct pmon_box_info *info,
				 const struct pmon_bank_ops *ops)
{
	unsigned int slots = info->layout.counters;
	struct pmon_box *box = kzalloc(sizeof(*box), GFP_KERNEL);

	if (!box)
		return NULL;

	raw_spin_lock_init(&box->lock);
	box->pmu = pmu;
	box->place = place;
	box->period_ns = pmon_layout_period_ns(&info->layout);
	box->bank.ops = ops;
	box->bank.ctl_event = (pmu->type->ctl_event ?: pmu->covered[0]) |
			      pmu->type->ctl_set;
	box->bank.slot = kcalloc(slots, sizeof(*box->bank.slot), GFP_KERNEL);
	box->counter = kcalloc(slots, sizeof(*box->counter), GFP_KERNEL);
	box->data = kmemdup(info->layout.data, info->layout.data_bytes,
			    GFP_KERNEL);
	if (!box->bank.slot || !box->counter || !box->data) {
		pmon_box_free(box);
		return NULL;
	}
	pmon_box_attach(box, info);
	return box;
}

/*
 * The hardware of @box is there, for the first time or again; then it has the
 * same counters and data, pmon_layouts_alike().
 */
void pmon_box_attach(struct pmon_box *box, const struct pmon_box_info *info)
{
	struct pmon_layout layout = info->layout;
	const struct pmon_global *global = info->global;

	scoped_guard(raw_spinlock_irq, &box->pmu->lock) {
		box->power = info->power;
		box->in_bar = info->in_bar;
	}
	guard(pmon_box_irq)(box);
	box->global = info->global;
	WRITE_ONCE(box->may_refuse,
		   global && global->keep && !global->status);
	layout.counter = memcpy(box->counter, info->layout.counter,
				layout.counters * sizeof(*box->counter));
	layout.data = box->data;
	pmon_bank_init(&box->bank, &layout, &info->regs);
	pmon_bank_mark_off(&box->bank, info->off);
}

void pmon_box_free(struct pmon_box *box)
{
	if (!box)
		return;
	kfree(box->data);
	kfree(box->counter);
	kfree(box->bank.slot);
	kfree(box);
}

/* ---- CPUs, sleep, and the end -------------------------------------------- */

/*
 * Run @fn on the designated CPU of the box. Without one the box was handed back
 * as the last CPU went, unless it was in D3 then.
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
	pmon_box_apply(box, NULL);
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
	if (!pmon_box_check_d3(box))
		return;
	if (box->bank.active)
		pmon_global_start(box);
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

/*
 * When this returns the box is in @state, no register of it is being accessed,
 * or will be. Not for READY.
 */
void pmon_box_set_state(struct pmon_box *box, enum pmon_box_state state)
{
	scoped_guard(pmon_box_irq, box) {
		pmon_bank_set_state(&box->bank, state);
		pmon_global_count(box);
	}
	pmon_timer_stop(box);
}

/* Not of one that is in D3 now. */
static void pmon_box_hand_back(void *data)
{
	struct pmon_box *box = data;

	guard(pmon_box)(box);
	if (box->bank.state == PMON_BOX_D3)
		pmon_box_set_ready(box);
	pmon_bank_hand_back(&box->bank);
}

/*
 * The device of @box goes. The box is handed back if it was used and answers:
 * of one without events it is not known whether it is in D3. @box->power, to
 * which the leaf is about to drop its reference, is not looked at after this.
 * The caller holds pmon_mutex.
 */
void pmon_box_remove(struct pmon_box *box, bool hand_back)
{
	bool used = hand_back && !pmon_box_reads_d3(box);

	scoped_guard(pmon_box_irq, box) {
		used = used && box->bank.used;
		if (!used)
			pmon_bank_set_state(&box->bank, PMON_BOX_REMOVED);
	}
	if (used)
		pmon_box_call(box, pmon_box_hand_back);
	pmon_box_set_state(box, PMON_BOX_REMOVED);
	scoped_guard(pmon_box_irq, box)
		box->global = NULL;
	guard(raw_spinlock_irq)(&box->pmu->lock);
	box->power = NULL;
}

/*
 * The last CPU of a package goes offline, which is this one. MSRs cannot be
 * reached from other packages, so a box that was used is handed back, unless
 * it is in D3; perf ends its events after this.
 */
void pmon_box_cpu_offline(struct pmon_box *box)
{
	if (!pmon_box_reads_d3(box))
		smp_call_function_single(smp_processor_id(),
					 pmon_box_hand_back, box, true);
	pmon_box_set_state(box, PMON_BOX_NO_CPU);
}

/* A CPU that reaches @box is online again: set the box up for its events. */
void pmon_box_cpu_online(struct pmon_box *box)
{
	if (READ_ONCE(box->bank.state) != PMON_BOX_NO_CPU)
		return;
	scoped_guard(pmon_box_irq, box)
		pmon_box_set_ready(box);
	pmon_box_apply_remotely(box);
}
