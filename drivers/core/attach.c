// SPDX-License-Identifier: GPL-2.0-only
/* Set up and release boxes as devices and CPUs come and go, and after sleep. */
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "core.h"

struct pmon_box *pmon_box_create(struct pmon_pmu *pmu,
				 struct pmon_place *place,
				 const struct pmon_box_info *info)
{
	unsigned int counters = info->layout.counters;
	struct pmon_box *box = kzalloc(sizeof(*box), GFP_KERNEL);

	if (!box)
		return NULL;

	raw_spin_lock_init(&box->lock);
	box->pmu = pmu;
	box->place = place;
	box->period_ns = pmon_layout_period_ns(&info->layout);
	box->hw.ops = &pmon_hw_ops;
	box->hw.ctl_event = (pmu->type->ctl_event ?: pmu->covered[0]) |
			    pmu->type->ctl_set;
	box->hw.counter = kcalloc(counters, sizeof(*box->hw.counter),
				  GFP_KERNEL);
	box->counter = kcalloc(counters, sizeof(*box->counter), GFP_KERNEL);
	box->data = kmemdup(info->layout.data, info->layout.data_bytes,
			    GFP_KERNEL);
	if (!box->hw.counter || !box->counter || !box->data) {
		pmon_box_free(box);
		return NULL;
	}
	pmon_box_attach(box, info);
	return box;
}

/* @info has as many counters as the box: see pmon_layouts_alike(). */
void pmon_box_attach(struct pmon_box *box, const struct pmon_box_info *info)
{
	struct pmon_layout layout = info->layout;
	unsigned int i;

	guard(raw_spinlock_irq)(&box->pmu->lock);
	guard(pmon_box)(box);
	box->power = info->power;
	box->in_bar = info->in_bar;
	box->global = info->global;
	/* The report begins with the first tick; looks are once a second. */
	box->wake_ns = min_t(u64, box->period_ns, NSEC_PER_SEC *
			     (pmon_global_is_watched(box) ? 1 : 30));
	layout.counter = memcpy(box->counter, info->layout.counter,
				layout.counters * sizeof(*box->counter));
	layout.data = box->data;
	pmon_hw_init(&box->hw, &layout, &info->regs);
	for (i = 0; info->ctl && i < layout.counters; i++)
		box->hw.counter[i].ctl = info->ctl[i];
}

void pmon_box_free(struct pmon_box *box)
{
	if (!box)
		return;
	kfree(box->data);
	kfree(box->counter);
	kfree(box->hw.counter);
	kfree(box);
}

/* Call @fn on the designated CPU. Do nothing if the box has no online CPU. */
void pmon_box_call(struct pmon_box *box, smp_call_func_t fn)
{
	int cpu = box->place->cpu;

	if (cpu >= 0)
		smp_call_function_single(cpu, fn, box, true);
}

static void pmon_box_catch_up(void *data)
{
	struct pmon_box *box = data;

	scoped_guard(pmon_box, box) {
		box->hw.dirty |= box->hw.taken & ~box->hw.active;
		pmon_global_start(box);
	}
	if (pmon_box_apply(box, NULL) & PMON_APPLIED_STARTS)
		pmon_poll_add(box);
}

/*
 * Bring a box to its level: a box whose CPUs are back is ready, and hardware
 * counts what is taken. Perf ended the events with the last CPU, unless the
 * kernel took back the CPU before perf's own callback.
 */
void pmon_box_reconcile(struct pmon_box *box)
{
	lockdep_assert_held(&pmon_mutex);
	if (READ_ONCE(box->hw.state) == PMON_BOX_NO_CPU &&
	    box->place->cpu >= 0) {
		guard(pmon_box_irq)(box);
		pmon_hw_set_ready(&box->hw, box->hw.taken);
		pmon_global_mark_unchecked(box);
	}
	if (pmon_hw_is_behind(&box->hw))
		pmon_box_call(box, pmon_box_catch_up);
}

static void pmon_box_resume_here(void *data)
{
	struct pmon_box *box = data;

	guard(pmon_box)(box);
	if (!pmon_box_update_state(box))
		return;
	if (box->hw.active)
		pmon_global_start(box);
	pmon_hw_resume(&box->hw);
}

/* After sleep the box may be reset, or frozen by its global control. */
void pmon_box_resume(struct pmon_box *box)
{
	scoped_guard(pmon_box_irq, box) {
		pmon_global_mark_unchecked(box);
		pmon_hw_restart_probes(&box->hw);
		if (!box->hw.active)
			pmon_hw_resume(&box->hw);
	}
	if (READ_ONCE(box->hw.active))
		pmon_box_call(box, pmon_box_resume_here);
}

/* Set NO_CPU or REMOVED. After return no register is accessed. */
static void pmon_box_end(struct pmon_box *box, enum pmon_box_state state)
{
	scoped_guard(pmon_box_irq, box) {
		pmon_hw_set_state(&box->hw, state);
		pmon_global_update_active(box);
	}
	pmon_poll_remove(box);
}

static void pmon_box_release(void *data)
{
	struct pmon_box *box = data;

	guard(pmon_box)(box);
	pmon_hw_release(&box->hw);
}

/*
 * Check for D3 here, because the state of a box without events does not show
 * D3 of its PCI function. After return nothing uses @box->power, so the driver
 * may put its reference. The caller holds pmon_mutex.
 */
void pmon_box_remove(struct pmon_box *box, bool release)
{
	bool used = release && pmon_box_access(box) == PMON_PCI_ACCESSIBLE;

	scoped_guard(pmon_box_irq, box) {
		used = used && box->hw.used;
		if (!used)
			pmon_hw_set_state(&box->hw, PMON_BOX_REMOVED);
	}
	if (used)
		pmon_box_call(box, pmon_box_release);
	pmon_box_end(box, PMON_BOX_REMOVED);
	guard(raw_spinlock_irq)(&box->pmu->lock);
	guard(pmon_box)(box);
	box->global = NULL;
	box->power = NULL;
}

/*
 * Release the box on this last CPU, because others may not reach its MSRs. If
 * the events cannot be read, fail them, because perf ends them now.
 */
void pmon_box_cpu_offline(struct pmon_box *box)
{
	if (pmon_box_access(box) == PMON_PCI_ACCESSIBLE)
		smp_call_function_single(smp_processor_id(),
					 pmon_box_release, box, true);
	else
		scoped_guard(pmon_box_irq, box)
			pmon_hw_fail(&box->hw, box->hw.active | box->hw.taken,
				     PMON_ALL_FAIL);
	pmon_box_end(box, PMON_BOX_NO_CPU);
}
