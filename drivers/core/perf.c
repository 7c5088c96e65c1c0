// SPDX-License-Identifier: GPL-2.0-only
/*
 * The callbacks of perf. Between pmu_disable and pmu_enable perf takes events
 * off and puts events on, often the same ones; all of it is only noted, and
 * the hardware is changed once, in the outermost pmu_enable. perf does this on
 * the CPU of the events with interrupts off.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/percpu.h>

#include <compat/cleanup.h>
#include <compat/perf.h>
#include <compat/traced.h>

#include "assign.h"
#include "core.h"
#include "encode.h"
#include "event.h"
#include "opened.h"
#include "traced.h"

static void pmon_collect_begin(struct pmon_pmu *pmu)
{
	this_cpu_inc(pmu->cpu_state->depth);
}

static void pmon_collect_end(struct pmon_pmu *pmu)
{
	struct pmon_cpu_state *cpu_state;
	struct pmon_box *box;

	lockdep_assert_irqs_disabled();
	cpu_state = this_cpu_ptr(pmu->cpu_state);
	if (--cpu_state->depth)
		return;

	box = cpu_state->box;
	if (!box)
		return;
	cpu_state->box = NULL;
	pmon_box_apply(box);
}

static void pmon_perf_disable(struct pmu *pmu)
{
	pmon_collect_begin(to_pmon_pmu(pmu));
}

static void pmon_perf_enable(struct pmu *pmu)
{
	pmon_collect_end(to_pmon_pmu(pmu));
}

static void pmon_perf_start_txn(struct pmu *pmu, unsigned int txn)
{
	struct pmon_pmu *p = to_pmon_pmu(pmu);

	this_cpu_write(p->cpu_state->txn, txn);
	if (txn & PERF_PMU_TXN_ADD)
		pmon_collect_begin(p);
}

static void pmon_perf_end_txn(struct pmu *pmu)
{
	struct pmon_pmu *p = to_pmon_pmu(pmu);
	unsigned int txn = this_cpu_read(p->cpu_state->txn);

	this_cpu_write(p->cpu_state->txn, 0);
	if (txn & PERF_PMU_TXN_ADD)
		pmon_collect_end(p);
}

static int pmon_perf_commit_txn(struct pmu *pmu)
{
	pmon_perf_end_txn(pmu);
	return 0;
}

/* perf always collects changes while it makes some; if not, make them now. */
static void pmon_perf_changed(struct pmon_box *box)
{
	struct pmon_cpu_state *cpu_state = this_cpu_ptr(box->pmu->cpu_state);

	if (cpu_state->depth)
		cpu_state->box = box;
	else
		pmon_box_apply(box);
}

/* Give the event a counter, if its box is there and can count. */
static __always_inline int pmon_event_add(struct pmon_box *box,
					  struct pmon_hw_event *hw, int flags)
{
	lockdep_assert_held(&box->lock);
	if (box->bank.gone)
		return -ENODEV;
	if (unlikely(READ_ONCE(box->unsure)) && pmon_global_keeps(box, false))
		return -EBUSY;
	hw->event.stopped = !(flags & PERF_EF_START);
	return pmon_bank_add(&box->bank, &hw->event) ? 0 : -EAGAIN;
}

static int pmon_perf_add(struct perf_event *event, int flags)
{
	struct pmon_hw_event *hw = pmon_hw(event);
	struct pmon_box *box = hw->box;
	int ret;

	lockdep_assert_irqs_disabled();
	raw_spin_lock(&box->lock);
	ret = pmon_event_add(box, hw, flags);
	raw_spin_unlock(&box->lock);
	if (unlikely(ret))
		return ret;
	event->hw.state = flags & PERF_EF_START ? 0 : PERF_HES_STOPPED;
	pmon_perf_changed(box);
	if (unlikely(smp_processor_id() != READ_ONCE(box->place->cpu)))
		pmon_later(PMON_LATER_GATHER);
	return 0;
}

static void pmon_perf_del(struct perf_event *event, int flags)
{
	struct pmon_hw_event *hw = pmon_hw(event);
	struct pmon_box *box = hw->box;

	lockdep_assert_irqs_disabled();
	raw_spin_lock(&box->lock);
	pmon_bank_del(&box->bank, &hw->event);
	raw_spin_unlock(&box->lock);
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	pmon_perf_changed(box);
}

/* One that was added without PERF_EF_START; others count already. */
static void pmon_perf_start(struct perf_event *event, int flags)
{
	struct pmon_hw_event *hw = pmon_hw(event);
	struct pmon_box *box = hw->box;

	lockdep_assert_irqs_disabled();
	if (!(event->hw.state & PERF_HES_STOPPED))
		return;

	scoped_guard(raw_spinlock, &box->lock)
		pmon_bank_set_stopped(&box->bank, &hw->event, false);
	event->hw.state = 0;
	pmon_perf_changed(box);
}

/*
 * perf stops an event that it does not take off only because of samples: since
 * 6.16 all of a group whose leader, a clock for one, has taken too many, until
 * the next tick. A counter need not rest, and would miss what happens
 * meanwhile.
 */
static void pmon_perf_stop(struct perf_event *event, int flags)
{
}

/* Is the group of this leader to be read as a whole? */
static bool pmon_is_snapshot(const struct perf_event *event,
			     const struct pmon_box *box)
{
	const struct pmon_type *type = box->pmu->type;
	u64 word = pmon_snapshot_word(type) == 1 ? event->attr.config1 :
						   event->attr.config2;

	/* Counters that share a register are read with it. */
	return word & PMON_SNAPSHOT_MASK || box->bank.regs.ops->begin;
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
static void pmon_read_snapshot(struct pmon_box *box, struct perf_event *event)
{
	struct pmon_cpu_state *cpu_state = this_cpu_ptr(box->pmu->cpu_state);

	lockdep_assert_held(&box->lock);
	if (cpu_state->txn & PERF_PMU_TXN_READ &&
	    event->group_leader == event) {
		pmon_bank_snapshot(&box->bank, pmon_group_slots(event));
		cpu_state->txn |= PMON_TXN_WAS_READ;
	} else {
		pmon_bank_read(&box->bank, &pmon_hw(event)->event);
	}
}

/* In an NMI the count may be as of the last reading, but never waits. */
static noinline void pmon_read_in_nmi(struct pmon_box *box,
				      struct perf_event *event)
{
	if (!box->bank.regs.ops->nmi_safe || !raw_spin_trylock(&box->lock))
		return;
	pmon_bank_read(&box->bank, &pmon_hw(event)->event);
	raw_spin_unlock(&box->lock);
}

/*
 * A box that is busy is waited for. Not by what is attached to the tracepoint
 * of an access: this CPU may be in the middle of using that very box. It gets
 * the count as of the last reading.
 */
static bool pmon_read_locks(struct pmon_box *box)
{
	if (raw_spin_trylock(&box->lock))
		return true;
	if (this_cpu_read(pmon_traced))
		return false;

	raw_spin_lock(&box->lock);
	return true;
}

static noinline void pmon_read_special(struct pmon_box *box,
				       struct perf_event *event)
{
	bool snapshot = pmon_is_snapshot(event->group_leader, box);
	unsigned long flags;

	/* With its leader, in this transaction. */
	if (snapshot &&
	    this_cpu_read(box->pmu->cpu_state->txn) & PMON_TXN_WAS_READ)
		return;
	local_irq_save(flags);
	if (pmon_read_locks(box)) {
		if (snapshot)
			pmon_read_snapshot(box, event);
		else
			pmon_bank_read(&box->bank, &pmon_hw(event)->event);
		raw_spin_unlock(&box->lock);
	}
	local_irq_restore(flags);
}

/* A function of its own, so that reading keeps nothing for it. */
static noinline void pmon_read_doubted(struct pmon_box *box,
				       struct perf_event *event,
				       struct pmon_slot *slot, u64 value)
{
	u64 gain = pmon_bank_doubt(&box->bank, slot, value);

	if (gain != PMON_NO_READING)
		local64_add(gain, &event->count);
}

static __always_inline void pmon_read_plain(struct pmon_box *box,
					    struct perf_event *event)
{
	long n = pmon_hw(event)->event.counted_on;
	struct pmon_slot *slot;
	u64 value, gain;

	lockdep_assert_held(&box->lock);
	OPTIMIZER_HIDE_VAR(n);	/* or it is made a long after the test again */
	if (n < 0)
		return;

	slot = &box->bank.slot[n];
	value = pmon_read(&box->bank.regs, slot->ctr_reg, 8);
	if (likely(pmon_bank_believes(&box->bank, slot, value, &gain)))
		local64_add(gain, &event->count);
	else
		pmon_read_doubted(box, event, slot, value);
}

/* What perf does most often, so what need not be asked here is not. */
static void pmon_perf_read(struct perf_event *event)
{
	struct pmon_box *box = pmon_hw(event)->box;

	if (unlikely(in_nmi())) {
		pmon_read_in_nmi(box, event);
	} else if (unlikely(pmon_hw(event)->event.special) ||
		   compat_msr_is_traced()) {
		pmon_read_special(box, event);
	} else {
		lockdep_assert_irqs_disabled();
		raw_spin_lock(&box->lock);
		pmon_read_plain(box, event);
		raw_spin_unlock(&box->lock);
	}
}

/*
 * What no PMU of ours can do: sample (there is no interrupt), record branches,
 * count for a task (counters are the machine's), and use bits of configuration
 * that no term is in. The PMU may be one that waits to be used again, without a
 * type.
 */
int pmon_event_refuse(const struct perf_event *event)
{
	const struct pmon_pmu *p = to_pmon_pmu(event->pmu);
	const struct perf_event_attr *attr = &event->attr;

	if (attr->config & ~p->covered[0] || attr->config1 & ~p->covered[1] ||
	    attr->config2 & ~p->covered[2])
		return -EINVAL;
	if (attr->sample_period || attr->branch_sample_type ||
	    event->attach_state & PERF_ATTACH_TASK || event->cpu < 0)
		return p->refusal;
	return compat_attr_config3(attr) ? -EINVAL : 0;
}

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
static noinline bool pmon_group_fits(struct perf_event *event)
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

/*
 * Does reading the event take more than reading its counter? Also under a
 * sampling leader: that reads its group from an interrupt, before 6.3 with
 * interrupts on.
 */
static bool pmon_event_is_special(struct perf_event *event,
				  const struct pmon_box *box)
{
	struct perf_event *leader = event->group_leader;

	return pmon_hw(event)->event.free_running ||
	       pmon_is_snapshot(leader, box) || is_sampling_event(leader);
}

static noinline int pmon_event_call_encode(struct perf_event *event,
					   struct pmon_box *box)
{
	const struct pmon_type *type = box->pmu->type;
	u64 config[PMON_CONFIG_WORDS] = {
		event->attr.config, event->attr.config1, event->attr.config2,
	};

	config[pmon_snapshot_word(type)] &= ~PMON_SNAPSHOT_MASK;
	return pmon_event_encode(&pmon_hw(event)->event, type,
				 &box->bank.layout, config);
}

/* Fill @event's control, filter and allowed counters. */
static int pmon_event_describe(struct perf_event *event, struct pmon_box *box)
{
	const struct pmon_type *type = box->pmu->type;

	if (type->encode)
		return pmon_event_call_encode(event, box);

	pmon_event_init(&pmon_hw(event)->event, type, &box->bank.layout,
			event->attr.config, event->attr.config1);
	return 0;
}

/* Describe the event for its box. */
static int pmon_event_place(struct perf_event *event, struct pmon_box *box)
{
	struct pmon_hw_event *hw = pmon_hw(event);
	const struct pmon_layout *layout = &box->bank.layout;
	const struct perf_event *leader = event->group_leader;
	int ret;

	ret = pmon_event_describe(event, box);
	if (ret)
		return ret;
	hw->event.special = pmon_event_is_special(event, box);

	/* What runs by itself cannot be frozen. */
	if (hw->event.free_running && leader->pmu == event->pmu &&
	    pmon_is_snapshot(leader, box))
		return -EINVAL;
	/* Bits that the control register does not have. */
	if (layout->ctl_bytes == 4 && hw->event.ctl >> 32)
		return -EINVAL;
	if (event->group_leader == event)
		return hw->event.allowed ? 0 : -EINVAL;
	return pmon_group_fits(event) ? 0 : -EINVAL;
}

/* An event of a box that can be opened; it need not be one of a table. */
static int pmon_event_settle(struct perf_event *event)
{
	struct pmon_box *box = pmon_event_box(event);
	int ret;

	if (IS_ERR(box))
		return PTR_ERR(box);

	event->event_caps |= PERF_EV_CAP_READ_ACTIVE_PKG;
	pmon_hw(event)->box = box;
	ret = pmon_event_place(event, box);
	if (!ret && unlikely(READ_ONCE(box->unsure)))
		ret = pmon_global_open(box);
	return ret;
}

static noinline int pmon_event_init_any(struct perf_event *event)
{
	struct pmon_pmu *p = to_pmon_pmu(event->pmu);
	int ret;

	if (event->attr.type != p->pmu.type)
		return -ENOENT;
	if (!pmon_pmu_open(p))
		return -ENODEV;

	/* Of a PMU that is held open: what it is stays. */
	ret = pmon_event_refuse(event) ?: pmon_event_settle(event);
	if (ret)
		pmon_event_close(event);
	else if (COMPAT_PMU_STAYS)
		event->destroy = pmon_event_close;
	return ret;
}

/*
 * Nothing of it has to be refused, and it is no more than its control. One that
 * is for no task has a CPU: perf_event_alloc().
 */
static __always_inline bool pmon_event_is_plain(const struct perf_event *event,
						const struct pmon_pmu *p)
{
	const struct perf_event_attr *attr = &event->attr;

	return !((attr->config & p->special[0]) |
		 (attr->config1 & p->special[1]) |
		 (attr->config2 & p->special[2]) | compat_attr_config3(attr) |
		 attr->sample_period | attr->branch_sample_type) &&
	       attr->type == p->pmu.type && event->group_leader == event &&
	       !(event->attach_state & PERF_ATTACH_TASK);
}

/* The box for it, if that is as plain and nothing has to be asked there. */
static __always_inline struct pmon_box *
pmon_event_plain_box(const struct perf_event *event, const struct pmon_pmu *p,
		     int *cpu)
{
	struct pmon_box *box;

	/* Pairs with pmon_plain_enter_cpu(). */
	box = smp_load_acquire(&p->plain[event->cpu]);
	if (!box || event->attr.config == p->type->fixed_config ||
	    READ_ONCE(box->bank.gone) || READ_ONCE(box->unsure))
		return NULL;
	*cpu = READ_ONCE(box->place->cpu);
	return *cpu < 0 ? NULL : box;
}

static __always_inline int pmon_event_init_plain(struct perf_event *event,
						 struct pmon_box *box, int cpu)
{
	const struct pmon_type *type = to_pmon_pmu(event->pmu)->type;
	struct pmon_hw_event *hw = pmon_hw(event);

	pmon_event_opens();
	event->cpu = cpu;
	event->event_caps |= PERF_EV_CAP_READ_ACTIVE_PKG;
	hw->box = box;
	return pmon_event_describe_plain(&hw->event, type, &box->bank.layout,
					 event->attr.config) ? 0 : -EINVAL;
}

/* The same of a box whose function may sleep. */
static noinline int pmon_event_init_sleepy(struct perf_event *event,
					   struct pmon_box *box, int cpu)
{
	return pmon_box_sleeps(box) ? pmon_event_init_any(event) :
				      pmon_event_init_plain(event, box, cpu);
}

/*
 * What most programs open, an event that is just a control of a box that is
 * there, takes no lock and no call; all else is for pmon_event_init_any(). A
 * PMU with a plain box is known to perf, so its type stays until this returns.
 */
static int pmon_perf_event_init(struct perf_event *event)
{
	const struct pmon_pmu *p = to_pmon_pmu(event->pmu);
	struct pmon_box *box;
	int cpu;

	if (COMPAT_PMU_STAYS || unlikely(!pmon_event_is_plain(event, p)))
		return pmon_event_init_any(event);
	box = pmon_event_plain_box(event, p, &cpu);
	if (unlikely(!box))
		return pmon_event_init_any(event);
	return READ_ONCE(box->power) ? pmon_event_init_sleepy(event, box, cpu) :
				       pmon_event_init_plain(event, box, cpu);
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
	.start = pmon_perf_start,
	.stop = pmon_perf_stop,
	.read = pmon_perf_read,
	.start_txn = pmon_perf_start_txn,
	.commit_txn = pmon_perf_commit_txn,
	.cancel_txn = pmon_perf_end_txn,
};
