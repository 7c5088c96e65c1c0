// SPDX-License-Identifier: GPL-2.0-only
/* A bank of counters with a lock, events of perf, and a place. */
#include <linux/cpu.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include <compat/cleanup.h>

#include "core.h"
#include "count.h"
#include "event.h"
#include "lock.h"

static void pmon_event_gain(struct pmon_event *event, u64 delta)
{
	struct perf_event *perf = pmon_event_perf(event);

	local64_add(delta, &perf->count);
	pmon_hw(perf)->box->gained = true;
}

/*
 * Another program or firmware changed registers of the box. If the box was
 * reset, the same may have set the global freeze bit.
 */
static void pmon_box_disturbed(struct pmon_bank *bank)
{
	struct pmon_box *box = container_of(bank, struct pmon_box, bank);

	if (box->restarts != bank->restarts) {
		box->restarts = bank->restarts;
		pmon_global_doubt(box);
		pmon_global_start(box);
	}
	pmon_later(PMON_LATER_TELL);
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

/* The function may be in D3. */
static void pmon_box_unresponsive(struct pmon_bank *bank)
{
	struct pmon_box *box = container_of(bank, struct pmon_box, bank);

	pmon_later(PMON_LATER_TELL);
	if (box->power)
		pmon_later(PMON_LATER_POWER);
}

static void pmon_box_refused(struct pmon_bank *bank)
{
	pmon_later(PMON_LATER_TELL);
}

static void pmon_box_lost(struct pmon_event *event)
{
	pmon_event_lost(pmon_event_perf(event));
}

static const struct pmon_bank_ops pmon_box_bank_ops = {
	.gain = pmon_event_gain,
	.disturbed = pmon_box_disturbed,
	.refused = pmon_box_refused,
	.lost = pmon_box_lost,
	.clock = ktime_get_mono_fast_ns,
	.unresponsive = pmon_box_unresponsive,
};

/* For boxes behind a PCI function that may enter D3. */
static const struct pmon_bank_ops pmon_box_sleepy_ops = {
	.gain = pmon_event_gain,
	.disturbed = pmon_box_disturbed,
	.refused = pmon_box_refused,
	.lost = pmon_box_lost,
	.clock = ktime_get_mono_fast_ns,
	.unresponsive = pmon_box_unresponsive,
	.asleep = pmon_box_is_asleep,
};

static const struct pmon_bank_ops *
pmon_box_ops(const struct pmon_box_info *info)
{
	return info->power ? &pmon_box_sleepy_ops : &pmon_box_bank_ops;
}

/* Is the function of @box in D3? It may be removed just now. */
bool pmon_box_sleeps(struct pmon_box *box)
{
	guard(spinlock)(&box->pmu->lock);
	return pmon_box_is_off(box);
}

struct pmon_box *pmon_box_create(struct pmon_pmu *pmu,
				 struct pmon_place *place,
				 const struct pmon_box_info *info)
{
	unsigned int slots = info->layout.counters;
	struct pmon_box *box = kzalloc(sizeof(*box), GFP_KERNEL);

	if (!box)
		return NULL;

	raw_spin_lock_init(&box->lock);
	box->pmu = pmu;
	box->place = place;
	box->period_ns = pmon_layout_period_ns(&info->layout);
	box->bank.ops = pmon_box_ops(info);
	box->bank.ctl_event = (pmu->type->ctl_event ?: pmu->type->ctl_mask) |
			      pmu->type->ctl_set;
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
 * The hardware of @box is there, for the first time or again.
 * pmon_box_find_again() has checked that a box that was there before has the
 * same counters.
 */
void pmon_box_find(struct pmon_box *box, const struct pmon_box_info *info)
{
	struct pmon_layout layout = info->layout;

	scoped_guard(spinlock, &box->pmu->lock) {
		box->power = info->power;
		box->in_bar = info->in_bar;
	}
	guard(pmon_box)(box);
	box->global = info->global;
	box->asleep = false;
	box->away = false;
	layout.counter = memcpy(box->counter, info->layout.counter,
				layout.counters * sizeof(*box->counter));
	/* A box that is there again has the same data: pmon_layouts_alike(). */
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
	bool was, differs;

	lockdep_assert_irqs_disabled();
	pmon_box_lock(box);
	was = box->bank.running;
	pmon_bank_apply(&box->bank);
	/* Where they differ without that, a tick has ended it. */
	differs = box->bank.running != was ||
		  box->bank.running != READ_ONCE(box->queued);
	pmon_box_unlock(box);
	if (differs)
		pmon_timer_update(box);
}

static void pmon_box_apply_here(void *data)
{
	struct pmon_box *box = data;

	scoped_guard(pmon_box, box)
		pmon_global_start(box);
	pmon_box_apply(box);
}

static void pmon_box_release_here(void *data)
{
	struct pmon_box *box = data;

	guard(pmon_box)(box);
	pmon_bank_leave(&box->bank);
}

/*
 * Run @fn, with interrupts off, on the CPU that serves the box, and wait for
 * it. If no CPU that reaches the box is online, @fn does not run:
 * pmon_box_leave() has handed the box back, unless its function slept then.
 * Then it keeps what it holds, and @bank.used, until a CPU is online again. The
 * caller holds the CPU hotplug lock, so that the CPU stays online.
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

	guard(pmon_box)(box);
	if (!pmon_bank_falls_asleep(&box->bank))
		pmon_bank_resume(&box->bank);
}

/*
 * After S3, S4 or suspend to idle: a box of whose registers anything is known
 * may have been reset, and so may counters that run by themselves. Any may have
 * been frozen with others.
 */
void pmon_box_resume(struct pmon_box *box)
{
	scoped_guard(pmon_box, box)
		pmon_global_doubt(box);
	if (READ_ONCE(box->bank.used) || READ_ONCE(box->bank.written) ||
	    READ_ONCE(box->bank.free_running_counts))
		pmon_box_call(box, pmon_box_resume_here);
}

/*
 * The function of @box is in D0 again: its registers may be touched, and
 * nothing is known of them.
 */
static void pmon_box_rouse(struct pmon_box *box)
{
	const struct pmon_layout layout = box->bank.layout;
	const struct pmon_regs regs = box->bank.regs;

	lockdep_assert_held(&box->lock);
	pmon_bank_find(&box->bank, &layout, &regs);
	pmon_global_doubt(box);
	box->asleep = false;
	box->told_asleep = false;
	box->away = false;
}

/*
 * Is there something to hand back? The caller knows that the function of @box
 * is awake; pmon_box_wake() may not have been called yet. A box that was not
 * used is lost at once: perf could start an event on it after this.
 */
static bool pmon_box_is_to_hand_back(struct pmon_box *box)
{
	guard(pmon_box)(box);
	if (!box->bank.used) {
		pmon_bank_lose(&box->bank);
		return false;
	}
	if (box->asleep)
		pmon_box_rouse(box);
	return true;
}

static void pmon_box_give_over_here(void *data)
{
	struct pmon_box *box = data;

	guard(pmon_box)(box);
	pmon_bank_give_over(&box->bank);
}

/*
 * As pmon_box_release(), of a box that may have events, and may not answer:
 * pmon_box_lose() is to follow. Its function is awake.
 */
void pmon_box_give_over(struct pmon_box *box)
{
	if (pmon_box_is_to_hand_back(box))
		pmon_box_call(box, pmon_box_give_over_here);
}

/*
 * Hand a box that was used back: controls cleared, running. It may have events,
 * and perf does not start another one after that: pmon_box_lose() is to follow.
 * Its function is awake.
 */
void pmon_box_release(struct pmon_box *box)
{
	if (pmon_box_is_to_hand_back(box))
		pmon_box_call(box, pmon_box_release_here);
}

static void pmon_box_stop(struct pmon_box *box, bool asleep)
{
	unsigned long flags;

	local_irq_save(flags);
	scoped_guard(pmon_box, box) {
		if (asleep)
			pmon_bank_sleep(&box->bank);
		else
			pmon_bank_lose(&box->bank);
		box->asleep = asleep;
		box->away = false;
	}
	pmon_timer_update(box);
	local_irq_restore(flags);
}

/*
 * The device of @box is gone. When this returns no register of it is being
 * accessed, and none will be; and @box->power, to which the leaf is about to
 * drop its reference, is not looked at any more.
 */
void pmon_box_lose(struct pmon_box *box)
{
	pmon_box_stop(box, false);
	scoped_guard(pmon_box, box)
		box->global = NULL;
	guard(spinlock)(&box->pmu->lock);
	box->power = NULL;
}

/*
 * The PCI function of @box is in D3: as pmon_box_lose(), until pmon_box_wake().
 */
void pmon_box_sleep(struct pmon_box *box)
{
	pmon_box_stop(box, true);
}

/*
 * Runs on the last CPU of a package before that goes offline. MSRs cannot be
 * reached from other packages, so a box that was used is handed back, unless
 * its function is @off; perf ends its events after this. As for
 * pmon_box_release(), one that was found asleep may have woken since.
 */
void pmon_box_leave(struct pmon_box *box, bool off)
{
	unsigned long flags;

	local_irq_save(flags);
	scoped_guard(pmon_box, box) {
		if (box->asleep && !off)
			pmon_box_rouse(box);
		box->away = !box->bank.gone;
		if (off)
			pmon_bank_sleep(&box->bank);
		else
			pmon_bank_leave(&box->bank);
	}
	pmon_timer_update(box);
	local_irq_restore(flags);
}

/* A CPU of the package of @box is online again. */
void pmon_box_return(struct pmon_box *box)
{
	if (box->away)
		pmon_box_wake(box);
}

/* The function of @box is in D0 again: set the box up for its events. */
void pmon_box_wake(struct pmon_box *box)
{
	scoped_guard(pmon_box, box)
		pmon_box_rouse(box);
	pmon_box_apply_remotely(box);
}

/*
 * No event of @box is open, and its function sleeps: what its registers and the
 * global control hold is not known any more. An event may have been opened
 * since.
 */
void pmon_box_doubt(struct pmon_box *box)
{
	guard(pmon_box)(box);
	WRITE_ONCE(box->bank.unresponsive, false);
	if (box->bank.counting)
		return;
	pmon_bank_knows_nothing(&box->bank);
	pmon_global_doubt(box);
}
