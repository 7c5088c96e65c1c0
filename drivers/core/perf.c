// SPDX-License-Identifier: GPL-2.0-only
/*
 * The callbacks of perf. Between pmu_disable and pmu_enable perf takes events
 * off and puts events on, often the same ones; all of it is only noted, and
 * the hardware is changed once, in the outermost pmu_enable. perf does this on
 * the CPU of the events with interrupts off.
 */
#include <linux/cpumask.h>
#include <linux/percpu.h>

#include <compat/cleanup.h>

#include "assign.h"
#include "core.h"
#include "event.h"

static struct pmon_box *pmon_this_box(struct pmon_pmu *pmu)
{
	unsigned int index;

	if (!pmon_package_of(smp_processor_id(), &index))
		return NULL;
	return READ_ONCE(pmu->box[index]);
}

static void pmon_window_open(struct pmon_pmu *pmu)
{
	this_cpu_inc(pmu->window->depth);
}

static void pmon_window_close(struct pmon_pmu *pmu)
{
	struct pmon_box *box;

	if (this_cpu_dec_return(pmu->window->depth))
		return;

	box = pmon_this_box(pmu);
	if (box && READ_ONCE(box->bank.dirty))
		pmon_box_apply(box);
}

static void pmon_perf_disable(struct pmu *pmu)
{
	pmon_window_open(to_pmon_pmu(pmu));
}

static void pmon_perf_enable(struct pmu *pmu)
{
	pmon_window_close(to_pmon_pmu(pmu));
}

static void pmon_perf_start_txn(struct pmu *pmu, unsigned int txn)
{
	struct pmon_pmu *p = to_pmon_pmu(pmu);
	struct pmon_window *window = this_cpu_ptr(p->window);

	window->txn = txn;
	window->snapshot = false;
	if (txn & PERF_PMU_TXN_ADD)
		pmon_window_open(p);
}

static void pmon_perf_end_txn(struct pmu *pmu)
{
	struct pmon_pmu *p = to_pmon_pmu(pmu);
	struct pmon_window *window = this_cpu_ptr(p->window);
	unsigned int txn = window->txn;

	window->txn = 0;
	window->snapshot = false;
	if (txn & PERF_PMU_TXN_ADD)
		pmon_window_close(p);
}

static int pmon_perf_commit_txn(struct pmu *pmu)
{
	pmon_perf_end_txn(pmu);
	return 0;
}

/* perf always collects changes while it makes some; if not, make them now. */
static void pmon_perf_changed(struct pmon_box *box)
{
	if (!this_cpu_read(box->pmu->window->depth))
		pmon_box_apply(box);
}

static int pmon_perf_add(struct perf_event *event, int flags)
{
	struct pmon_hw_event *hw = pmon_hw(event);
	struct pmon_box *box = hw->box;

	scoped_guard(raw_spinlock_irqsave, &box->lock) {
		if (box->bank.gone)
			return -ENODEV;
		hw->event.stopped = !(flags & PERF_EF_START);
		if (!pmon_bank_add(&box->bank, &hw->event))
			return -EAGAIN;
	}
	event->hw.state = flags & PERF_EF_START ? 0 : PERF_HES_STOPPED;
	pmon_perf_changed(box);
	return 0;
}

static void pmon_perf_del(struct perf_event *event, int flags)
{
	struct pmon_hw_event *hw = pmon_hw(event);
	struct pmon_box *box = hw->box;

	scoped_guard(raw_spinlock_irqsave, &box->lock)
		pmon_bank_del(&box->bank, &hw->event);
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	pmon_perf_changed(box);
}

static void pmon_perf_set_stopped(struct perf_event *event, bool stopped)
{
	struct pmon_hw_event *hw = pmon_hw(event);
	struct pmon_box *box = hw->box;

	scoped_guard(raw_spinlock_irqsave, &box->lock)
		pmon_bank_set_stopped(&box->bank, &hw->event, stopped);
	event->hw.state = stopped ? PERF_HES_STOPPED | PERF_HES_UPTODATE : 0;
	pmon_perf_changed(box);
}

static void pmon_perf_start(struct perf_event *event, int flags)
{
	pmon_perf_set_stopped(event, false);
}

static void pmon_perf_stop(struct perf_event *event, int flags)
{
	pmon_perf_set_stopped(event, true);
}

static bool pmon_is_snapshot(const struct perf_event *event)
{
	return event->attr.config2 & PMON_SNAPSHOT_MASK;
}

/* The counters that the events of a group have in hardware. */
static u64 pmon_group_slots(struct perf_event *leader)
{
	struct perf_event *sibling;
	u64 slots = 0;

	if (pmon_hw(leader)->event.hw >= 0)
		slots |= BIT_ULL(pmon_hw(leader)->event.hw);
	for_each_sibling_event(sibling, leader)
		if (sibling->pmu == leader->pmu &&
		    pmon_hw(sibling)->event.hw >= 0)
			slots |= BIT_ULL(pmon_hw(sibling)->event.hw);
	return slots;
}

/*
 * perf reads a group leader first, inside a transaction. If the leader says
 * snapshot=1, all of the group is read then and the siblings need not be.
 */
static void pmon_read_locked(struct pmon_box *box, struct perf_event *event)
{
	struct pmon_window *window = this_cpu_ptr(box->pmu->window);
	bool group = window->txn & PERF_PMU_TXN_READ;

	lockdep_assert_held(&box->lock);
	if (group && event->group_leader == event && pmon_is_snapshot(event)) {
		pmon_bank_snapshot(&box->bank, pmon_group_slots(event));
		window->snapshot = true;
	} else if (!group || !window->snapshot) {
		pmon_bank_read(&box->bank, &pmon_hw(event)->event);
	}
}

/* In an NMI the count may be as of the last reading, but never waits. */
static void pmon_perf_read(struct perf_event *event)
{
	struct pmon_box *box = pmon_hw(event)->box;
	unsigned long flags;

	if (in_nmi()) {
		if (!box->bank.regs.ops->nmi_safe ||
		    !raw_spin_trylock_irqsave(&box->lock, flags))
			return;
		pmon_bank_read(&box->bank, &pmon_hw(event)->event);
	} else {
		raw_spin_lock_irqsave(&box->lock, flags);
		pmon_read_locked(box, event);
	}
	raw_spin_unlock_irqrestore(&box->lock, flags);
}

/* Is this an event of this PMU that counters can count? */
static int pmon_event_check(const struct pmon_pmu *p,
			    const struct perf_event *event)
{
	u64 config[PMON_CONFIG_WORDS] = {
		event->attr.config, event->attr.config1,
		event->attr.config2 & ~PMON_SNAPSHOT_MASK,
	};

	if (event->attr.type != p->pmu.type)
		return -ENOENT;
	/* No interrupts to sample with, no counters of a task's own. */
	if (event->attr.sample_period || event->attach_state & PERF_ATTACH_TASK)
		return -EINVAL;
	if (event->cpu < 0)
		return -EINVAL;
	return pmon_fields_cover(p->type->fields, config) ? 0 : -EINVAL;
}

/* One more event in a box that holds nothing but the group. */
static bool pmon_group_add(struct pmon_assignment *a, struct perf_event *other,
			   const struct perf_event *event)
{
	u64 allowed = pmon_hw(other)->event.allowed;
	struct pmon_chain chain;

	if (other->pmu != event->pmu)
		return true;
	/* Any number of events can share such a counter. */
	if (pmon_hw(other)->event.free_running)
		return allowed;
	if (!pmon_assign(a, allowed, 0, 0, &chain))
		return false;

	pmon_assignment_apply(a, allowed, &chain);
	return true;
}

static bool pmon_group_agrees(struct perf_event *other,
			      struct perf_event *event)
{
	return other->pmu != event->pmu ||
	       pmon_events_agree(&pmon_hw(other)->event,
				 &pmon_hw(event)->event);
}

/* Could the group ever be counted together, those that are off included? */
static bool pmon_group_fits(struct perf_event *event)
{
	struct perf_event *leader = event->group_leader;
	struct pmon_assignment a = {};
	struct perf_event *sibling;

	if (!pmon_group_add(&a, event, event))
		return false;
	if (leader == event)
		return true;

	if (!pmon_group_agrees(leader, event) ||
	    !pmon_group_add(&a, leader, event))
		return false;
	for_each_sibling_event(sibling, leader)
		if (!pmon_group_agrees(sibling, event) ||
		    !pmon_group_add(&a, sibling, event))
			return false;
	return true;
}

/* Describe the event for its box, and move it to the CPU that serves it. */
static int pmon_event_place(struct perf_event *event, struct pmon_box *box)
{
	struct pmon_hw_event *hw = pmon_hw(event);
	const struct pmon_layout *layout = &box->bank.layout;

	pmon_event_init(&hw->event, box->pmu->type, layout, event->attr.config,
			event->attr.config1);
	hw->box = box;

	/* What runs by itself cannot be frozen. */
	if (hw->event.free_running && pmon_is_snapshot(event))
		return -EINVAL;
	/* Bits that the control register does not have. */
	if (layout->ctl_bytes == 4 && hw->event.ctl >> 32)
		return -EINVAL;
	return pmon_group_fits(event) ? 0 : -EINVAL;
}

static void pmon_event_close(struct perf_event *event)
{
	struct pmon_box *box = pmon_hw(event)->box;
	struct pmon_pmu *p = box->pmu;
	bool last;

	scoped_guard(spinlock, &p->lock) {
		box->open--;
		p->open--;
		last = p->dead && !p->open;
		pmon_pmu_event_moved();
	}
	if (last)
		pmon_pmu_last_closed(p);
}

/* Count the event as open; with a dead box there is none to open. */
static int pmon_event_open(struct perf_event *event, struct pmon_box *box)
{
	struct pmon_pmu *p = box->pmu;
	int cpu;

	guard(spinlock)(&p->lock);
	cpu = READ_ONCE(box->package->cpu);
	if (p->dead || READ_ONCE(box->bank.gone) || cpu < 0)
		return -ENODEV;

	event->cpu = cpu;
	event->event_caps |= PERF_EV_CAP_READ_ACTIVE_PKG;
	event->destroy = pmon_event_close;
	box->open++;
	p->open++;
	pmon_pmu_event_moved();
	return 0;
}

static int pmon_perf_event_init(struct perf_event *event)
{
	struct pmon_pmu *p = to_pmon_pmu(event->pmu);
	struct pmon_box *box = NULL;
	unsigned int index;
	int ret;

	ret = pmon_event_check(p, event);
	if (ret)
		return ret;

	/* A PMU that is being taken away has no boxes to look at. */
	rcu_read_lock();
	if (pmon_package_of(event->cpu, &index))
		box = READ_ONCE(p->box[index]);
	ret = box ? pmon_event_place(event, box) : -EINVAL;
	if (!ret)
		ret = pmon_event_open(event, box);
	rcu_read_unlock();
	return ret;
}

const struct pmu pmon_perf_callbacks = {
	.task_ctx_nr = perf_invalid_context,
	.capabilities = PERF_PMU_CAP_NO_INTERRUPT | PERF_PMU_CAP_NO_EXCLUDE,
	.pmu_enable = pmon_perf_enable,
	.pmu_disable = pmon_perf_disable,
	.event_init = pmon_perf_event_init,
	.add = pmon_perf_add,
	.del = pmon_perf_del,
	.start = pmon_perf_start,
	.stop = pmon_perf_stop,
	.read = pmon_perf_read,
	.start_txn = pmon_perf_start_txn,
	.commit_txn = pmon_perf_commit_txn,
	.cancel_txn = pmon_perf_end_txn,
};
