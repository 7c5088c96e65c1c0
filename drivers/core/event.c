// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implement perf's callbacks. Between pmu_disable and pmu_enable perf takes
 * events off and puts events on, often the same ones; all of it is only noted,
 * and the hardware is changed once, in the outermost pmu_enable. perf does this
 * on the CPU of the events with interrupts off.
 */
#include <linux/percpu.h>
#include <linux/perf_event.h>

#include <compat/cleanup.h>
#include <compat/perf.h>

#include "assign.h"
#include "core.h"
#include "encode.h"

/* ---- counting ----------------------------------------------------------- */

static void pmon_perf_disable(struct pmu *pmu)
{
	this_cpu_inc(to_pmon_pmu(pmu)->cpu_state->depth);
}

static void pmon_perf_enable(struct pmu *pmu)
{
	struct pmon_cpu_state *cpu_state;
	struct pmon_box *box;

	lockdep_assert_irqs_disabled();
	cpu_state = this_cpu_ptr(to_pmon_pmu(pmu)->cpu_state);
	if (--cpu_state->depth)
		return;

	box = cpu_state->box;
	if (!box)
		return;
	cpu_state->box = NULL;
	pmon_box_apply(box);
}

static void pmon_perf_start_txn(struct pmu *pmu, unsigned int txn)
{
	this_cpu_write(to_pmon_pmu(pmu)->cpu_state->txn, txn);
	if (txn & PERF_PMU_TXN_ADD)
		pmon_perf_disable(pmu);
}

static void pmon_perf_cancel_txn(struct pmu *pmu)
{
	struct pmon_pmu *p = to_pmon_pmu(pmu);
	unsigned int txn = this_cpu_read(p->cpu_state->txn);

	this_cpu_write(p->cpu_state->txn, 0);
	if (txn & PERF_PMU_TXN_ADD)
		pmon_perf_enable(pmu);
}

static int pmon_perf_commit_txn(struct pmu *pmu)
{
	pmon_perf_cancel_txn(pmu);
	return 0;
}

/* perf disables a PMU while it adds or deletes events. */
static void pmon_perf_changed(struct pmon_box *box)
{
	this_cpu_write(box->pmu->cpu_state->box, box);
}

/* Give the event a counter, if its box is there and can count. */
static int pmon_event_add(struct pmon_box *box, struct pmon_hw_event *hw,
			  bool first)
{
	lockdep_assert_held(&box->lock);
	pmon_box_leave_d3(box);
	if (box->bank.state != PMON_BOX_PRESENT)
		return -ENODEV;
	if (!pmon_bank_responds(&box->bank, first))
		return -EIO;
	if (!box->bank.taken && !box->bank.free_running) {
		int ret = pmon_global_start(box);

		if (ret)
			return ret;
	}
	return pmon_bank_add(&box->bank, &hw->event) ? 0 : -EAGAIN;
}

static int pmon_perf_add(struct perf_event *event, int flags)
{
	struct pmon_hw_event *hw = pmon_hw(event);
	struct pmon_box *box = hw->box;
	bool first = !READ_ONCE(pmon_open(event)->added);
	int ret;

	ret = pmon_event_enter(event);
	if (unlikely(ret))
		return ret;
	scoped_guard(pmon_box, box)
		ret = pmon_event_add(box, hw, first);
	if (unlikely(ret))
		return ret;
	pmon_perf_changed(box);
	return 0;
}

static void pmon_perf_del(struct perf_event *event, int flags)
{
	struct pmon_hw_event *hw = pmon_hw(event);
	struct pmon_box *box = hw->box;

	scoped_guard(pmon_box, box)
		pmon_bank_del(&box->bank, &hw->event);
	pmon_perf_changed(box);
}

/*
 * perf adds events with PERF_EF_START, and stops one that it does not take off
 * only because of samples: since 6.16 all of a group whose leader, a clock for
 * one, has taken too many, until the next tick. A counter need not rest, and
 * would miss what happens meanwhile.
 */
static void pmon_perf_start_or_stop(struct perf_event *event, int flags)
{
}

/* Is the group of this leader to be read as a whole? */
static bool pmon_is_snapshot(const struct perf_event *leader,
			     const struct pmon_box *box)
{
	const struct pmon_type *type = box->pmu->type;
	u64 word = pmon_snapshot_word(type) == 1 ? leader->attr.config1 :
						   leader->attr.config2;

	return word & PMON_SNAPSHOT_MASK;
}

/* The counters that the events of a group have in hardware. */
static u64 pmon_group_slots(struct perf_event *leader)
{
	struct perf_event *sibling;
	u64 slots = 0;

	if (pmon_hw(leader)->event.counted_on >= 0)
		slots |= BIT_ULL(pmon_hw(leader)->event.counted_on);
	for_each_sibling_event(sibling, leader)
		if (sibling->pmu == leader->pmu &&
		    pmon_hw(sibling)->event.counted_on >= 0)
			slots |= BIT_ULL(pmon_hw(sibling)->event.counted_on);
	return slots;
}

/*
 * perf reads a group leader first, inside a transaction. If the leader says
 * snapshot=1, all of the group is read then and the siblings need not be.
 */
static void pmon_read_group(struct pmon_box *box, struct perf_event *event)
{
	struct pmon_cpu_state *cpu_state = this_cpu_ptr(box->pmu->cpu_state);

	lockdep_assert_held(&box->lock);
	if (cpu_state->txn & PMON_TXN_WAS_READ)
		return;
	if (cpu_state->txn & PERF_PMU_TXN_READ &&
	    event->group_leader == event) {
		pmon_bank_snapshot(&box->bank, pmon_group_slots(event));
		cpu_state->txn |= PMON_TXN_WAS_READ;
	} else {
		pmon_bank_read(&box->bank, &pmon_hw(event)->event);
	}
}

/*
 * Lock a box to read an event. Another CPU that holds the lock is waited for,
 * but not in an NMI, and not if this CPU holds one: a probe (kprobe, BPF) in
 * the middle of an access reads the event then, and gets the last count.
 */
static bool pmon_box_lock_to_read(struct pmon_box *box)
{
	if (unlikely(in_nmi()) && !box->bank.regs.ops->nmi_safe)
		return false;
	if (likely(pmon_box_trylock(box)))
		return true;
	if (in_nmi() || raw_cpu_read(pmon_box_locks))
		return false;
	pmon_box_lock(box);
	return true;
}

/* Also called on another CPU of the package, and in an NMI. */
static void pmon_perf_read(struct perf_event *event)
{
	struct pmon_hw_event *hw = pmon_hw(event);
	struct pmon_box *box = hw->box;

	if (!pmon_box_lock_to_read(box))
		return;
	if (unlikely(hw->event.snapshot) && !in_nmi())
		pmon_read_group(box, event);
	else
		pmon_bank_read(&box->bank, &hw->event);
	pmon_box_unlock(box);
}

/* ---- opening ------------------------------------------------------------ */

/*
 * Add an event to a box that is empty but for the group: false if there is no
 * counter for it.
 */
static bool pmon_group_add(struct pmon_assignment *a, struct perf_event *other,
			   const struct perf_event *event)
{
	u64 allowed = pmon_hw(other)->event.allowed;
	struct pmon_assign_path path;

	if (other->pmu != event->pmu)
		return true;
	/* Any number of events can share such a counter. */
	if (pmon_hw(other)->event.free_running)
		return allowed;
	if (!pmon_assign(a, allowed, 0, 0, &path))
		return false;

	pmon_assignment_apply(a, allowed, &path);
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
	struct perf_event *sibling;
	/* Of 64 counters only those that are taken are looked at. */
	struct pmon_assignment a __uninitialized;

	a.taken = 0;
	if (!pmon_group_add(&a, event, event))
		return false;
	if (!pmon_group_agrees(leader, event) ||
	    !pmon_group_add(&a, leader, event))
		return false;
	for_each_sibling_event(sibling, leader)
		if (!pmon_group_agrees(sibling, event) ||
		    !pmon_group_add(&a, sibling, event))
			return false;
	return true;
}

/* Describe the event for its box. */
static int pmon_event_describe(struct perf_event *event, struct pmon_box *box)
{
	const struct pmon_type *type = box->pmu->type;
	const struct perf_event *leader = event->group_leader;
	struct pmon_event *described = &pmon_hw(event)->event;
	bool snapshot = leader->pmu == event->pmu &&
			pmon_is_snapshot(leader, box);
	u64 config[PMON_CONFIG_WORDS] = {
		event->attr.config & box->pmu->covered[0],
		event->attr.config1, event->attr.config2,
	};
	int ret;

	config[pmon_snapshot_word(type)] &= ~PMON_SNAPSHOT_MASK;
	ret = pmon_event_encode(described, type, &box->bank.layout, config);
	if (ret)
		return ret;
	/* What runs by itself cannot be frozen. */
	if (described->free_running && snapshot)
		return -EINVAL;
	/* Bits that the control register does not have. */
	if (box->bank.layout.ctl_bytes == 4 && described->ctl >> 32)
		return -EINVAL;

	described->snapshot = snapshot;
	if (leader == event)
		return described->allowed ? 0 : -EINVAL;
	return pmon_group_fits(event) ? 0 : -EINVAL;
}

/* Find the box that an event counts on, and move it to the designated CPU. */
static int pmon_event_settle(struct perf_event *event)
{
	struct pmon_pmu *pmu = to_pmon_pmu(event->pmu);
	int index = pmon_place_index(READ_ONCE(pmu->near), event->cpu);
	struct pmon_box *box = index < 0 ? NULL : READ_ONCE(pmu->box[index]);
	int cpu, ret;

	if (!box)
		return -EINVAL;
	ret = pmon_box_open(box);
	if (ret)
		return ret;
	cpu = READ_ONCE(box->place->cpu);
	if (cpu < 0)
		return -ENXIO;

	event->cpu = cpu;
	event->event_caps |= PERF_EV_CAP_READ_ACTIVE_PKG;
	pmon_hw(event)->box = box;
	return pmon_event_describe(event, box) ?: pmon_global_open(box);
}

static int pmon_perf_event_init(struct perf_event *event)
{
	int ret = pmon_event_begin_open(event);

	if (ret)
		return ret;

	ret = pmon_event_settle(event) ?: pmon_event_open(event);
	if (ret)
		pmon_event_abort_open(event);
	return ret;
}

/*
 * Not PERF_PMU_CAP_NO_INTERRUPT: perf of 6.12 would not let go on what it has
 * throttled among the events of such a PMU, and a software event that leads
 * some of ours is one of them. What samples is refused in event_init.
 */
const struct pmu pmon_perf_callbacks = {
	.task_ctx_nr = perf_invalid_context,
	.capabilities = PERF_PMU_CAP_NO_EXCLUDE,
	.pmu_enable = pmon_perf_enable,
	.pmu_disable = pmon_perf_disable,
	.event_init = pmon_perf_event_init,
	.add = pmon_perf_add,
	.del = pmon_perf_del,
	.start = pmon_perf_start_or_stop,
	.stop = pmon_perf_start_or_stop,
	.read = pmon_perf_read,
	.start_txn = pmon_perf_start_txn,
	.commit_txn = pmon_perf_commit_txn,
	.cancel_txn = pmon_perf_cancel_txn,
};
