// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implement perf's callbacks. List the open events of each PMU, to fail events
 * of removed hardware and to move events when the designated CPU changes.
 *
 * perf calls add() and del() between pmu_disable and pmu_enable, on the CPU of
 * the events with interrupts off, and often adds an event that it has just
 * deleted. So the callbacks only note changes, and the outermost pmu_enable
 * writes the registers once.
 *
 * &pmon_pmu.lock protects the list. perf's callbacks take the lock inside the
 * lock of a context, so no code may call perf or wake a task under the lock.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include <compat/perf.h>

#include "core.h"
#include "perf_private.h"

static struct perf_event *pmon_open_perf(struct pmon_open_event *open)
{
	return pmon_event_perf(&container_of(open, struct pmon_hw_event,
					     open)->event);
}

/* ---- events whose CPU changes ------------------------------------------ */

/* Number of open events of each CPU. 0: skip the search for events to move. */
static DEFINE_PER_CPU(atomic_t, pmon_cpu_events);

/* May miss events that are being opened or closed. */
bool pmon_cpu_has_events(unsigned int cpu)
{
	return atomic_read(per_cpu_ptr(&pmon_cpu_events, cpu));
}

/*
 * perf_pmu_migrate_context() enables every event that moves. So note on the old
 * CPU whether the user has disabled the event, or its leader in another PMU (a
 * software event). Once @moved, an event that is in no context was turned off
 * by perf. Interrupts are off, so this is an RCU reader.
 */
static void pmon_event_note_off(struct pmon_open_event *open, unsigned int cpu,
				bool moved)
{
	struct perf_event *event = pmon_open_perf(open);
	struct perf_event *leader = pmon_event_leader(event);
	bool is_off = pmon_event_is_off(event);
	bool leader_is_off = pmon_event_is_off(leader);

	/* perf writes CPU, context and state in either order. */
	smp_rmb();
	if (READ_ONCE(event->cpu) != cpu)
		return;
	if (!moved || READ_ONCE(event->attach_state) & PERF_ATTACH_CONTEXT)
		open->is_off = is_off;
	if (!moved || READ_ONCE(leader->attach_state) & PERF_ATTACH_CONTEXT)
		open->leader_is_off = leader_is_off &&
				      leader->pmu != event->pmu;
}

/* On the new CPU, disable what was off on the old CPU, but only once. */
static void pmon_event_disable_again(struct pmon_open_event *open,
				     unsigned int cpu)
{
	struct perf_event *event = pmon_open_perf(open), *sibling;
	struct perf_event *leader = pmon_event_leader(event);

	if (READ_ONCE(event->cpu) != cpu)
		return;
	if (open->is_off && pmon_event_set_off(event))
		open->is_off = false;
	if (!open->leader_is_off || leader == event ||
	    !pmon_event_set_off(leader))
		return;
	for_each_sibling_event(sibling, leader)
		if (sibling->pmu == event->pmu)
			pmon_event_hw(sibling)->open.leader_is_off = false;
}

static noinline void pmon_pmu_keep_moving_off(struct pmon_pmu *pmu)
{
	unsigned int cpu = smp_processor_id();
	struct pmon_open_event *open;

	guard(raw_spinlock)(&pmu->lock);
	if (!pmu->moving)
		return;
	hlist_for_each_entry(open, &pmu->events, node) {
		if (cpu == pmu->old_cpu)
			pmon_event_note_off(open, cpu, true);
		else
			pmon_event_disable_again(open, cpu);
	}
}

/*
 * Called by pmu_disable(), with the CPU's context locked: perf has enabled or
 * installed events, but not added them. Disable again events that were disabled
 * before the move, so that perf does not add them and fails no pinned event. If
 * the user disables an event now, perf writes the state later: look again then.
 */
void pmon_pmu_keep_events_off(struct pmon_pmu *pmu)
{
	lockdep_assert_irqs_disabled();
	/* pmon_pmu_keep_moving_off() checks again, under the lock. */
	if (likely(!data_race(pmu->moving)))
		return;
	pmon_pmu_keep_moving_off(pmu);
	irq_work_queue(&pmu->lost_work);
}

static void pmon_pmu_mark_moving(void *data)
{
	unsigned int cpu = smp_processor_id(), events = 0;
	struct pmon_pmu *pmu = data;
	struct pmon_open_event *open;

	guard(raw_spinlock)(&pmu->lock);
	pmu->old_cpu = cpu;
	hlist_for_each_entry(open, &pmu->events, node) {
		events += READ_ONCE(pmon_open_perf(open)->cpu) == cpu;
		pmon_event_note_off(open, cpu, false);
	}
	WRITE_ONCE(pmu->moving, events);
}

/* Returns the number of events to move. */
static unsigned int pmon_pmu_begin_move(struct pmon_pmu *pmu, unsigned int from)
{
	smp_call_function_single(from, pmon_pmu_mark_moving, pmu, true);
	return pmu->moving;
}

static void pmon_pmu_end_move(struct pmon_pmu *pmu, unsigned int from)
{
	struct pmon_open_event *open;

	guard(raw_spinlock_irq)(&pmu->lock);
	WRITE_ONCE(pmu->moving, 0);
	hlist_for_each_entry(open, &pmu->events, node) {
		unsigned int cpu = READ_ONCE(pmon_open_perf(open)->cpu);

		open->is_off = false;
		open->leader_is_off = false;
		if (open->cpu == (int)from && cpu != from) {
			atomic_dec(per_cpu_ptr(&pmon_cpu_events, from));
			atomic_inc(per_cpu_ptr(&pmon_cpu_events, cpu));
			open->cpu = cpu;
		}
	}
}

/*
 * Move events to an online CPU that reaches the boxes, with pmon_mutex held.
 *
 * Call perf up to once for each event, because in Linux 6.2 to 7.2 (except the
 * last releases of 6.12) perf_pmu_migrate_context() moves only one event or
 * group: it continues from an event that it has just removed from the tree.
 */
void pmon_pmu_move_events(struct pmon_pmu *pmu, unsigned int from,
			  unsigned int to)
{
	unsigned int tries = pmon_pmu_begin_move(pmu, from);

	while (tries) {
		perf_pmu_migrate_context(&pmu->pmu, from, to);
		if (!--tries || !pmon_pmu_begin_move(pmu, from))
			break;
	}
	pmon_pmu_end_move(pmu, from);
}

/* ---- events are opened and closed ---------------------------------------- */

/*
 * Enable bit of a PMON control. Accept the bit in config, because pcm sets it
 * (intel_uncore clears it). Without a format term the bit has no effect.
 */
#define PMON_ENABLE_BIT		BIT_ULL(22)

/*
 * Check the attributes of a new event. No PMU can sample or record branches,
 * and few can count for a task. Config bits outside all format terms would have
 * no effect. With COMPAT_PMU_STAYS take a reference to the driver: perf holds
 * none.
 */
int pmon_event_begin_open(struct perf_event *event)
{
	struct pmon_pmu *pmu = to_pmon_pmu(event->pmu);
	const struct perf_event_attr *attr = &event->attr;

	if (attr->type != pmu->pmu.type)
		return -ENOENT;

	guard(raw_spinlock_irq)(&pmu->lock);
	if (!pmu->registered || pmu->dead)
		return -ENODEV;
	if (attr->config & ~(pmu->covered[0] | PMON_ENABLE_BIT) ||
	    attr->config1 & ~pmu->covered[1] ||
	    attr->config2 & ~pmu->covered[2])
		return -EINVAL;
	if (attr->sample_period || attr->branch_sample_type ||
	    (!pmon_pmu_is_of_tasks(pmu) &&
	     (event->attach_state & PERF_ATTACH_TASK || event->cpu < 0)))
		return pmu->type->refusal ?: -EINVAL;
	if (compat_attr_more_config(attr))
		return -EINVAL;
	if (compat_open_hangs(event))
		return -EBUSY;
	return COMPAT_PMU_STAYS && !try_module_get(pmu->owner) ? -ENODEV : 0;
}

/* Undo pmon_event_begin_open() when the open fails or the event is closed. */
void pmon_event_put_owner(struct perf_event *event)
{
	if (COMPAT_PMU_STAYS)
		module_put(to_pmon_pmu(event->pmu)->owner);
}

static void pmon_event_destroy(struct perf_event *event)
{
	struct pmon_pmu *pmu = to_pmon_pmu(event->pmu);
	struct pmon_open_event *open = &pmon_event_hw(event)->open;
	struct pmon_box *box = open->box;
	bool last;

	if (!box)
		pmu->boxless->close(event);
	else if (atomic_dec_and_test(&box->place->open_events))
		pmon_poll_end(box->place);
	scoped_guard(raw_spinlock_irq, &pmu->lock) {
		/* Write no list poison, because perf frees the event now. */
		__hlist_del(&open->node);
		if (open->cpu >= 0)
			atomic_dec(per_cpu_ptr(&pmon_cpu_events, open->cpu));
		last = pmu->dead && hlist_empty(&pmu->events);
	}
	if (unlikely(last))
		queue_work(pmon_workqueue, &pmu->unregister_work);
	pmon_event_put_owner(event);
}

/* Finish event_init, unless the device was removed or entered D3 meanwhile. */
int pmon_event_finish_open(struct perf_event *event)
{
	struct pmon_pmu *pmu = to_pmon_pmu(event->pmu);
	struct pmon_open_event *open = &pmon_event_hw(event)->open;
	struct pmon_box *box = open->box;

	scoped_guard(raw_spinlock_irq, &pmu->lock) {
		if (!pmu->registered || pmu->dead)
			return -ENODEV;
		if (box && (READ_ONCE(box->hw.state) == PMON_BOX_READY ?
			    pmon_box_is_in_d3(box) :
			    pmon_box_access(box) != PMON_PCI_ACCESSIBLE))
			return -ENXIO;

		*open = (struct pmon_open_event) {
			.box = box,
			.cpu = pmon_pmu_is_of_tasks(pmu) ? -1 : event->cpu,
		};
		hlist_add_head(&open->node, &pmu->events);
		if (pmu->moving)
			pmon_event_note_off(open, pmu->old_cpu, false);
		if (open->cpu >= 0)
			atomic_inc(per_cpu_ptr(&pmon_cpu_events, open->cpu));
		event->destroy = pmon_event_destroy;
	}
	/* An event of a task is read on its CPU alone. */
	if (!pmon_pmu_is_of_tasks(pmu))
		event->event_caps |= PERF_EV_CAP_READ_ACTIVE_PKG;
	if (box) {
		/* A full barrier, which pairs with that in pmon_poll_end(). */
		if (atomic_inc_return(&box->place->open_events) == 1)
			atomic_inc(&pmon_open_places);
	}
	return 0;
}

void pmon_event_mark_added(struct perf_event *event)
{
	WRITE_ONCE(pmon_event_hw(event)->open.added, true);
}

/* ---- counting ----------------------------------------------------------- */

static void pmon_perf_disable(struct pmu *pmu)
{
	this_cpu_inc(to_pmon_pmu(pmu)->cpu_state->depth);
	pmon_pmu_keep_events_off(to_pmon_pmu(pmu));
}

static void pmon_perf_enable(struct pmu *pmu)
{
	struct pmon_cpu_state *cpu_state;
	struct pmon_hw_event *deleted;
	unsigned int applied;
	struct pmon_box *box;

	lockdep_assert_irqs_disabled();
	cpu_state = this_cpu_ptr(to_pmon_pmu(pmu)->cpu_state);
	if (--cpu_state->depth)
		return;

	box = cpu_state->box;
	if (!box)
		return;
	deleted = cpu_state->deleted;
	cpu_state->box = NULL;
	cpu_state->deleted = NULL;
	applied = pmon_box_apply(box, deleted);
	if (likely(!applied))
		return;
	if (applied & PMON_APPLIED_LOST)
		pmon_pmu_lost(box->pmu);
	if (applied & PMON_APPLIED_STARTS)
		pmon_poll_add(box);
}

static void pmon_perf_start_txn(struct pmu *pmu, unsigned int txn)
{
	struct pmon_pmu *p = to_pmon_pmu(pmu);

	this_cpu_write(p->cpu_state->txn, txn);
	if (txn & PERF_PMU_TXN_ADD)
		this_cpu_inc(p->cpu_state->depth);
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

static int pmon_event_add(struct pmon_box *box, struct pmon_event *event)
{
	struct pmon_box_hw *hw = &box->hw;

	lockdep_assert_held(&box->lock);
	if (unlikely(hw->state != PMON_BOX_READY) && !pmon_box_retry(box)) {
		if (hw->state > PMON_BOX_UNRESPONSIVE)
			return -ENODEV;
		/* The event waits for the box: a reconcile must not fail it. */
		if (event->counted_on < 0)
			WRITE_ONCE(event->failed, false);
		return -EIO;
	}
	if (!hw->taken)
		pmon_global_start(box);
	return pmon_hw_add(hw, event) ? 0 : -EAGAIN;
}

static int pmon_perf_add(struct perf_event *event, int flags)
{
	struct pmon_hw_event *hw_event = pmon_event_hw(event);
	struct pmon_box *box = hw_event->open.box;
	struct pmon_cpu_state *cpu_state = this_cpu_ptr(box->pmu->cpu_state);
	int ret;

	pmon_event_mark_added(event);
	scoped_guard(pmon_box, box) {
		for (; cpu_state->deleted;
		     cpu_state->deleted = cpu_state->deleted->open.deleted)
			pmon_hw_del(&box->hw, &cpu_state->deleted->event);
		ret = pmon_event_add(box, &hw_event->event);
	}
	/* pmu_enable(), which perf calls after add(), programs this box. */
	cpu_state->box = box;
	return ret;
}

/* perf calls pmu_enable(), which uses @deleted, before freeing the event. */
static void pmon_perf_del(struct perf_event *event, int flags)
{
	struct pmon_hw_event *hw_event = pmon_event_hw(event);
	struct pmon_pmu *pmu = to_pmon_pmu(event->pmu);
	struct pmon_cpu_state *cpu_state = this_cpu_ptr(pmu->cpu_state);

	cpu_state->box = hw_event->open.box;
	hw_event->open.deleted = cpu_state->deleted;
	cpu_state->deleted = hw_event;
}

/*
 * Do nothing: add() starts events, and del() stops them. perf also calls stop()
 * to throttle samples. Since 6.16 a leader with too many samples (for example a
 * CPU clock) stops its whole group until the scheduler's next tick. Counters
 * count on meanwhile, because a stop would lose counts.
 */
void pmon_perf_start_or_stop(struct perf_event *event, int flags)
{
}

/*
 * perf reads a group leader first, inside a transaction. If the leader has
 * snapshot=1, read the whole group then, and skip the reads of the siblings.
 * If this were inline, every read would save registers for this call.
 */
static noinline void pmon_read_group(struct pmon_box *box,
				     struct perf_event *event)
{
	struct pmon_cpu_state *cpu_state = this_cpu_ptr(box->pmu->cpu_state);
	struct perf_event *leader = event->group_leader, *sibling;
	int counter = pmon_event_hw(event)->event.counted_on;
	u64 counters = counter < 0 ? 0 : BIT_ULL(counter);

	lockdep_assert_held(&box->lock);
	if (cpu_state->txn & PMON_TXN_WAS_READ)
		return;
	if (!(cpu_state->txn & PERF_PMU_TXN_READ) || event != leader) {
		if (counter >= 0)
			pmon_hw_read_one(&box->hw, counter);
		return;
	}

	for_each_sibling_event(sibling, leader) {
		counter = pmon_event_hw(sibling)->event.counted_on;
		if (sibling->pmu == leader->pmu && counter >= 0)
			counters |= BIT_ULL(counter);
	}
	pmon_hw_snapshot(&box->hw, counters);
	cpu_state->txn |= PMON_TXN_WAS_READ;
}

/*
 * perf also calls read() on other CPUs of the package, in an NMI, and inside an
 * access to a box (see pmon_box_locks). Where the lock is not available, the
 * last count stays.
 */
static void pmon_perf_read(struct perf_event *event)
{
	const struct pmon_hw_event *hw_event = pmon_event_hw(event);
	struct pmon_box *box = hw_event->open.box;

	if (unlikely(raw_cpu_read(pmon_box_locks)))
		return;
	if (likely(!in_nmi())) {
		pmon_box_lock(box);
	} else {
		if (!box->hw.regs.ops->nmi_safe ||
		    !raw_spin_trylock(&box->lock))
			return;
		raw_cpu_inc(pmon_box_locks);
	}
	if (unlikely(hw_event->event.snapshot && !in_nmi()))
		pmon_read_group(box, event);
	else if (hw_event->event.counted_on >= 0)
		pmon_hw_read_one(&box->hw, hw_event->event.counted_on);
	pmon_box_unlock(box);
}

/* ---- opening ------------------------------------------------------------ */

static bool pmon_group_add(struct pmon_event **assigned, u64 *taken,
			   struct perf_event *other,
			   const struct perf_event *event)
{
	struct pmon_event *added = &pmon_event_hw(other)->event;
	u64 moved;

	if (other->pmu != event->pmu)
		return true;
	/* Any number of events can share a free-running counter. */
	if (added->free_running)
		return added->allowed;
	moved = pmon_assign(assigned, *taken, added, 0, 0);
	*taken |= moved;
	return moved;
}

/* Return true if all events of the group, even disabled, can count at once. */
static bool pmon_group_fits(struct perf_event *event)
{
	struct perf_event *leader = event->group_leader;
	/* Only elements in @taken are read. */
	struct pmon_event *assigned[PMON_COUNTERS_MAX] __uninitialized;
	struct perf_event *sibling;
	u64 taken = 0;

	if (!pmon_group_add(assigned, &taken, event, event))
		return false;
	if (leader == event)
		return true;
	if (!pmon_group_add(assigned, &taken, leader, event))
		return false;
	for_each_sibling_event(sibling, leader)
		if (!pmon_group_add(assigned, &taken, sibling, event))
			return false;
	return true;
}

static int pmon_event_describe(struct perf_event *event, struct pmon_box *box)
{
	const struct pmon_pmu *pmu = box->pmu;
	const struct perf_event *leader = event->group_leader;
	struct pmon_event *described = &pmon_event_hw(event)->event;
	unsigned int word = pmu->type->snapshot_word ?: 2;
	u64 config[PMON_CONFIG_WORDS] = {
		event->attr.config & pmu->covered[0],
		event->attr.config1, event->attr.config2,
	};
	bool snapshot;
	int ret;

	snapshot = leader->pmu == event->pmu && PMON_SNAPSHOT_MASK &
		   (word == 1 ? leader->attr.config1 : leader->attr.config2);
	config[word] &= ~PMON_SNAPSHOT_MASK;
	if (snapshot && pmu->type->encode)
		config[word] |= PMON_SNAPSHOT_MASK;
	ret = pmon_event_encode(described, pmu->type, &box->hw.layout,
				config);
	if (ret)
		return ret;
	/* A free-running counter cannot be frozen. */
	if (described->free_running && snapshot)
		return -EINVAL;
	/* The control register does not have the upper bits. */
	if (box->hw.layout.ctl_bytes == 4 && described->ctl >> 32)
		return -EINVAL;

	described->snapshot = snapshot;
	return pmon_group_fits(event) ? 0 : -EINVAL;
}

/*
 * Set the box and the CPU of an event. After -ENXIO perf stat before 7.3 shows
 * <not supported> for an event from a wildcard, and continues; after -ENODEV
 * perf stat exits.
 */
static int pmon_event_find_box(struct perf_event *event)
{
	struct pmon_pmu *pmu = to_pmon_pmu(event->pmu);
	struct pmon_box *box = pmon_box_of_cpu(pmu, event->cpu);
	enum pmon_box_state state;
	int cpu;

	if (!box)
		return -EINVAL;

	state = READ_ONCE(box->hw.state);
	cpu = READ_ONCE(box->place->cpu);
	if (cpu < 0 || state == PMON_BOX_NO_CPU)
		return -ENXIO;
	if (state == PMON_BOX_REMOVED)
		return -ENODEV;

	event->cpu = cpu;
	pmon_event_hw(event)->open.box = box;
	return pmon_event_describe(event, box);
}

static int pmon_perf_event_init(struct perf_event *event)
{
	int ret = pmon_event_begin_open(event);

	if (ret)
		return ret;

	ret = pmon_event_find_box(event) ?: pmon_event_finish_open(event);
	if (ret)
		pmon_event_put_owner(event);
	return ret;
}

/*
 * Do not set PERF_PMU_CAP_NO_INTERRUPT: perf of 6.12 would unthrottle neither
 * events of the PMU nor a software event that leads a group with uncore events.
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

/* ---- events that fail: the work item ------------------------------------ */

/* Get the next event to fail, with a reference; skip events being closed. */
static struct perf_event *pmon_pmu_next_to_fail(struct pmon_pmu *pmu)
{
	struct pmon_open_event *open;

	guard(raw_spinlock_irq)(&pmu->lock);
	hlist_for_each_entry(open, &pmu->events, node) {
		if (!open->to_fail)
			continue;
		if (pmon_event_get(pmon_open_perf(open)))
			return pmon_open_perf(open);
		open->to_fail = false;
	}
	return NULL;
}

/* Get the leader, unless @event leads; RCU keeps the leader valid. */
static struct perf_event *pmon_event_get_leader(struct perf_event *event)
{
	struct perf_event *leader;

	rcu_read_lock();
	leader = pmon_event_leader(event);
	if (leader == event || !pmon_event_get(leader))
		leader = NULL;
	rcu_read_unlock();
	return leader;
}

/*
 * Put an event of ours into the error state unless it is enabled. Then its mark
 * has done its work: once the user enables the event again, add() decides.
 */
static void pmon_event_set_ended(struct perf_event *event)
{
	if (pmon_event_set_failed(event))
		WRITE_ONCE(pmon_event_hw(event)->event.failed, false);
}

/* Fail the leader, too: perf shows its running time for the whole group. */
static void pmon_event_fail_group(struct perf_event *event)
{
	struct perf_event *leader = pmon_event_get_leader(event);

	if (leader) {
		perf_event_disable(leader);
		pmon_event_set_failed(leader);
		pmon_event_put(leader);
	}
	perf_event_disable(event);
	pmon_event_set_ended(event);
}

/* Fail events with @to_fail set. No close of an event waits for this work. */
void pmon_pmu_events_work(struct work_struct *work)
{
	struct pmon_pmu *pmu = container_of(work, struct pmon_pmu, events_work);
	struct perf_event *event;

	while ((event = pmon_pmu_next_to_fail(pmu))) {
		pmon_event_fail_group(event);
		scoped_guard(raw_spinlock_irq, &pmu->lock)
			pmon_event_hw(event)->open.to_fail = false;
		pmon_event_put(event);
	}
}

/*
 * A group stops with its leader: no member may look like a whole count. An
 * event that is being opened is left to add(): it has no context of perf yet,
 * and perf frees it without a look at references if the open fails.
 */
static void pmon_pmu_mark_group(struct pmon_pmu *pmu, struct perf_event *leader)
{
	struct pmon_open_event *open;

	lockdep_assert_held(&pmu->lock);
	hlist_for_each_entry(open, &pmu->events, node)
		if (READ_ONCE(open->added) &&
		    pmon_event_leader(pmon_open_perf(open)) == leader &&
		    pmon_event_is_enabled(pmon_open_perf(open)))
			open->to_fail = true;
}

/*
 * Fail open events that match @which (NULL: all), and their groups. @which runs
 * under the lock of the PMU. Asynchronous: pmon_pmu_flush() waits. Events never
 * added do not fail here, because add() rejects these.
 */
void pmon_pmu_fail_events(struct pmon_pmu *pmu, pmon_event_match_t which,
			  const void *data)
{
	struct pmon_open_event *open;
	struct perf_event *leader;
	bool any = false;

	scoped_guard(raw_spinlock_irq, &pmu->lock) {
		hlist_for_each_entry(open, &pmu->events, node) {
			if (!READ_ONCE(open->added) ||
			    (which && !which(pmon_open_perf(open), data)))
				continue;
			open->to_fail = true;
			leader = pmon_event_leader(pmon_open_perf(open));
			/* Most events are alone: no search of all for each. */
			if (leader->nr_siblings)
				pmon_pmu_mark_group(pmu, leader);
			any = true;
		}
	}
	if (any)
		queue_work(pmon_workqueue, &pmu->events_work);
}

/*
 * Put disabled events that failed into the error state, with their leaders.
 * perf stat reads a group right after it has disabled the group, and before
 * events_work runs. A sibling of a disabled leader is not disabled itself.
 */
void pmon_pmu_set_failed(struct pmon_pmu *pmu)
{
	struct pmon_open_event *open;

	guard(raw_spinlock_irqsave)(&pmu->lock);
	hlist_for_each_entry(open, &pmu->events, node) {
		struct perf_event *event = pmon_open_perf(open);

		/* If the event is in error, do not judge its leader again. */
		if ((!pmon_event_is_off(event) &&
		     !pmon_event_is_enabled(event)) ||
		    !pmon_event_hw(event)->event.failed)
			continue;
		pmon_event_set_ended(event);
		pmon_event_set_failed(pmon_event_leader(event));
	}
}

void pmon_pmu_lost_irq(struct irq_work *irq)
{
	struct pmon_pmu *pmu = container_of(irq, struct pmon_pmu, lost_work);

	pmon_pmu_set_failed(pmu);
	pmon_pmu_keep_moving_off(pmu);
}

/*
 * Deleted events have failed. Look now, and again in an irq_work, as perf
 * writes the state "off" after del() (before 6.2: after pmu_enable()). If this
 * were inline, every pmu_enable() would save registers.
 */
noinline void pmon_pmu_lost(struct pmon_pmu *pmu)
{
	pmon_pmu_set_failed(pmu);
	irq_work_queue(&pmu->lost_work);
}

void pmon_event_report_lost(struct perf_event *event)
{
	pmon_event_hw(event)->event.failed = true;
	pmon_pmu_lost(to_pmon_pmu(event->pmu));
}
EXPORT_SYMBOL_GPL(pmon_event_report_lost);

/* ---- services for the counters ------------------------------------------- */

static void pmon_hw_report(struct pmon_box_hw *hw)
{
	pmon_report_soon();
}

const struct pmon_hw_ops pmon_hw_ops = {
	.count = offsetof(struct perf_event, count) -
		 offsetof(struct perf_event, hw),
	.report = pmon_hw_report,
	.clock = ktime_get_mono_fast_ns,
	.sleep_ns = pmon_sleep_ns,
	.ticks = &jiffies_64,
	.second = HZ,
};
