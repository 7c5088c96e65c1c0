// SPDX-License-Identifier: GPL-2.0-only
/* A bank of counters with a lock, events of perf, and a place. */
#include <linux/cpu.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include <compat/cleanup.h>

#include "core.h"
#include "count.h"
#include "event.h"

static void pmon_event_gain(struct pmon_event *event, u64 delta)
{
	local64_add(delta, &pmon_event_perf(event)->count);
}

/*
 * Another program or firmware changed registers of the box. If the box was
 * reset, the same may have set the global freeze bit: that is looked at before
 * the bank sets the box up again.
 */
static void pmon_box_disturbed(struct pmon_bank *bank)
{
	struct pmon_box *box = container_of(bank, struct pmon_box, bank);

	if (box->restarts != bank->restarts) {
		box->restarts = bank->restarts;
		pmon_global_doubt(box);
		pmon_global_keeps(box, false);
	}
	pmon_later(PMON_LATER_TELL);
}

/*
 * As far as the kernel knows; in any context, with the lock of the box or of
 * its PMU, or pmon_mutex, of a box that is not gone for good: @power stays
 * then.
 */
bool pmon_box_is_off(const struct pmon_box *box)
{
	pci_power_t state;

	if (!box->power)
		return false;

	state = READ_ONCE(box->power->current_state);
	return state == PCI_D3hot || state == PCI_D3cold;
}

static bool pmon_box_is_asleep(struct pmon_bank *bank)
{
	struct pmon_box *box = container_of(bank, struct pmon_box, bank);

	if (!pmon_box_is_off(box))
		return false;

	box->asleep = true;
	pmon_later(PMON_LATER_POWER);
	return true;
}

static void pmon_box_silent(struct pmon_bank *bank)
{
	pmon_later(PMON_LATER_POWER);
}

static void pmon_box_refused(struct pmon_bank *bank)
{
	pmon_later(PMON_LATER_TELL);
}

static const struct pmon_bank_ops pmon_box_bank_ops = {
	.gain = pmon_event_gain,
	.disturbed = pmon_box_disturbed,
	.refused = pmon_box_refused,
	.clock = ktime_get_mono_fast_ns,
};

/* For boxes behind a PCI function that may enter D3. */
static const struct pmon_bank_ops pmon_box_sleepy_ops = {
	.gain = pmon_event_gain,
	.disturbed = pmon_box_disturbed,
	.refused = pmon_box_refused,
	.clock = ktime_get_mono_fast_ns,
	.silent = pmon_box_silent,
	.asleep = pmon_box_is_asleep,
};

struct pmon_box *pmon_box_create(struct pmon_pmu *pmu,
				 struct pmon_place *place,
				 const struct pmon_box_info *info)
{
	unsigned int slots = info->layout.counters;
	struct pmon_box *box = kzalloc(sizeof(*box), GFP_KERNEL);

	if (!box)
		return NULL;

	raw_spin_lock_init(&box->lock);
	INIT_LIST_HEAD(&box->queue);
	box->pmu = pmu;
	box->place = place;
	box->period_ns = pmon_layout_period_ns(&info->layout);
	box->bank.ops = info->power ? &pmon_box_sleepy_ops : &pmon_box_bank_ops;
	box->bank.ctl_mask = pmu->type->ctl_mask | pmu->type->ctl_set;
	box->bank.slot = kcalloc(slots, sizeof(*box->bank.slot), GFP_KERNEL);
	box->counter = kcalloc(slots, sizeof(*box->counter), GFP_KERNEL);
	box->data = kmemdup(info->layout.data, info->layout.data_bytes,
			    GFP_KERNEL);
	if (!box->bank.slot || !box->counter || !box->data) {
		pmon_box_free(box);
		return NULL;
	}
	pmon_box_find(box, info);
	return box;
}

/*
 * The hardware of @box is there: for the first time, or again after it was
 * gone; then it has as many counters as before.
 */
void pmon_box_find(struct pmon_box *box, const struct pmon_box_info *info)
{
	struct pmon_layout layout = info->layout;

	pmon_global_attach(box, info->global);
	scoped_guard(spinlock, &box->pmu->lock)
		box->power = info->power;
	guard(raw_spinlock_irqsave)(&box->lock);
	box->away = false;
	layout.counter = memcpy(box->counter, info->layout.counter,
				layout.counters * sizeof(*box->counter));
	/* Found again, it has the same, see pmon_layouts_alike(). */
	layout.data = box->data;
	pmon_bank_find(&box->bank, &layout, &info->regs);
	pmon_bank_is_off(&box->bank, info->off);
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

/* Runs on a CPU that reaches the box, with interrupts off. */
void pmon_box_apply(struct pmon_box *box)
{
	lockdep_assert_irqs_disabled();
	scoped_guard(raw_spinlock, &box->lock)
		pmon_bank_apply(&box->bank);
	pmon_timer_update(box);
}

static void pmon_box_apply_here(void *data)
{
	struct pmon_box *box = data;

	scoped_guard(raw_spinlock, &box->lock)
		if (box->unsure)
			pmon_global_keeps(box, false);
	pmon_box_apply(box);
}

static void pmon_box_release_here(void *data)
{
	struct pmon_box *box = data;

	guard(raw_spinlock_irqsave)(&box->lock);
	pmon_bank_release(&box->bank);
}

/*
 * Where no CPU reaches the box there is nothing to do: it was handed back when
 * the last one went. The caller holds the hotplug lock.
 */
static void pmon_box_call(struct pmon_box *box, smp_call_func_t fn)
{
	int cpu = box->place->cpu;

	if (cpu >= 0)
		smp_call_function_single(cpu, fn, box, true);
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

	guard(raw_spinlock_irqsave)(&box->lock);
	pmon_global_doubt(box);
	if (!pmon_bank_falls_asleep(&box->bank))
		pmon_bank_resume(&box->bank);
}

/* The machine slept: a box that was ever used may have been reset. */
void pmon_box_resume(struct pmon_box *box)
{
	if (READ_ONCE(box->bank.used))
		pmon_box_call(box, pmon_box_resume_here);
}

/* Hand the hardware back, cleared and counting, if it was ever used. */
void pmon_box_release(struct pmon_box *box)
{
	if (READ_ONCE(box->bank.used))
		pmon_box_call(box, pmon_box_release_here);
}

static void pmon_box_stop(struct pmon_box *box, bool asleep)
{
	unsigned long flags;

	local_irq_save(flags);
	scoped_guard(raw_spinlock, &box->lock) {
		pmon_bank_lose(&box->bank);
		box->asleep = asleep;
		box->away = false;
	}
	pmon_timer_update(box);
	local_irq_restore(flags);
}

/*
 * When this returns no access is under way, and none will be made; nor is the
 * function looked at whose sleep mattered, which the leaf gives up now.
 */
void pmon_box_lose(struct pmon_box *box)
{
	pmon_box_stop(box, false);
	pmon_global_attach(box, NULL);
	guard(spinlock)(&box->pmu->lock);
	box->power = NULL;
}

/* The same, until pmon_box_wake(). */
void pmon_box_sleep(struct pmon_box *box)
{
	pmon_box_stop(box, true);
}

/*
 * The last CPU of a package goes, and this runs there. MSRs cannot be reached
 * from elsewhere, so what was used is handed back now; perf ends the events
 * after this.
 */
void pmon_box_leave(struct pmon_box *box)
{
	unsigned long flags;

	local_irq_save(flags);
	scoped_guard(raw_spinlock, &box->lock) {
		box->away = !box->bank.gone;
		pmon_bank_leave(&box->bank);
	}
	pmon_timer_update(box);
	local_irq_restore(flags);
}

/* The package has a CPU again. */
void pmon_box_return(struct pmon_box *box)
{
	if (box->away)
		pmon_box_wake(box);
}

/* The function of @box is in D0 again: set the box up for its events. */
void pmon_box_wake(struct pmon_box *box)
{
	const struct pmon_layout layout = box->bank.layout;
	const struct pmon_regs regs = box->bank.regs;

	scoped_guard(raw_spinlock_irqsave, &box->lock) {
		pmon_bank_find(&box->bank, &layout, &regs);
		pmon_global_doubt(box);
		box->asleep = false;
		box->away = false;
	}
	pmon_box_apply_remotely(box);
}
