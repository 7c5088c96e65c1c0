// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keep the list of the open events of each PMU: count them, fail those whose
 * hardware has gone, move them when the designated CPU changes.
 *
 * &pmon_pmu.lock protects the list. It is held over no call of perf: event_init
 * of a sibling runs with the mutex of the group's context held, which disabling
 * and moving events take.
 */
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>

#include <compat/cleanup.h>
#include <compat/perf.h>
#include <compat/workqueue.h>

#include "core.h"
#include "perf_fields.h"

/*
 * Bit 22 of a PMON control is an enable bit that newer boxes ignore. Programs
 * that write controls themselves (pcm) set it in config, too, and intel_uncore
 * masks it off: accept and ignore it where no term has it.
 */
#define PMON_ENABLE_BIT		BIT_ULL(22)

/*
 * What no PMU of ours can do: sample (there is no interrupt), record branches,
 * count for a task (counters are the machine's), and use bits of configuration
 * that no term is in. The PMU may be one that waits to be used again, without a
 * type.
 */
static int pmon_event_refuse(const struct perf_event *event)
{
	const struct pmon_pmu *p = to_pmon_pmu(event->pmu);
	const struct perf_event_attr *attr = &event->attr;

	if (attr->config & ~(p->covered[0] | PMON_ENABLE_BIT) ||
	    attr->config1 & ~p->covered[1] ||
	    attr->config2 & ~p->covered[2])
		return -EINVAL;
	if (attr->sample_period || attr->branch_sample_type ||
	    event->attach_state & PERF_ATTACH_TASK || event->cpu < 0)
		return p->refusal;
	return compat_attr_config3(attr) ? -EINVAL : 0;
}

/* Open events by CPU, so that a CPU without any goes offline at once. */
static DEFINE_PER_CPU(atomic_t, pmon_cpu_events);

/**
 * pmon_cpu_has_events() - is an event open on a CPU?
 * @cpu: which
 *
 * Context: any; an event that is being opened or closed may be missed.
 */
bool pmon_cpu_has_events(unsigned int cpu)
{
	return atomic_read(per_cpu_ptr(&pmon_cpu_events, cpu));
}

/**
 * pmon_event_begin_open() - begin to open an event
 * @event: perf has found its PMU
 *
 * Where a PMU stays with perf its module is the core, and this takes a
 * reference to the driver; elsewhere perf has it.
 *
 * Return: 0, or the error for perf: -ENODEV unless the PMU is registered and
 * has a device.
 */
int pmon_event_begin_open(struct perf_event *event)
{
	struct pmon_pmu *pmu = to_pmon_pmu(event->pmu);
	int ret;

	if (event->attr.type != pmu->pmu.type)
		return -ENOENT;
	scoped_guard(spinlock, &pmu->lock)
		if (!pmu->ready || pmu->dead ||
		    (COMPAT_PMU_STAYS && !try_module_get(pmu->owner)))
			return -ENODEV;

	ret = pmon_event_refuse(event);
	if (ret)
		pmon_event_abort_open(event);
	return ret;
}

/* The event is not opened after all, or was closed. */
void pmon_event_abort_open(struct perf_event *event)
{
	if (COMPAT_PMU_STAYS)
		module_put(to_pmon_pmu(event->pmu)->owner);
}

/* The event is closed. perf uses the PMU for a moment after this. */
static void pmon_event_destroy(struct perf_event *event)
{
	struct pmon_pmu *pmu = to_pmon_pmu(event->pmu);
	struct pmon_open_event *open = pmon_open(event);
	bool last;

	if (pmu->soft)
		pmu->soft->close(event);
	scoped_guard(spinlock, &pmu->lock) {
		list_del(&open->list);
		pmu->open--;
		last = pmu->dead && !pmu->open;
		atomic_dec(per_cpu_ptr(&pmon_cpu_events, open->cpu));
	}
	if (last)
		queue_work(pmon_workqueue, &pmu->unregister_work);
	pmon_event_abort_open(event);
}

/**
 * pmon_event_open() - the last step of a successful event_init
 * @event: is complete; its CPU is the designated one
 *
 * Return: 0, or -ENODEV when the device of its PMU has gone meanwhile.
 */
int pmon_event_open(struct perf_event *event)
{
	struct pmon_pmu *pmu = to_pmon_pmu(event->pmu);
	struct pmon_open_event *open = pmon_open(event);

	scoped_guard(spinlock, &pmu->lock) {
		if (!pmu->ready || pmu->dead)
			return -ENODEV;

		*open = (struct pmon_open_event) { .cpu = event->cpu };
		list_add_tail(&open->list, &pmu->events);
		pmu->open++;
		atomic_inc(per_cpu_ptr(&pmon_cpu_events, open->cpu));
		event->destroy = pmon_event_destroy;
	}
	/* Is its CPU isolated? Again and again, while events are open. */
	queue_delayed_work(system_dfl_wq, &pmon_isolation_work, 0);
	return 0;
}

/**
 * pmon_event_enter() - perf has installed an event and lets it count
 * @event: which
 *
 * Context: add(), interrupts off.
 *
 * Return: 0, or -EAGAIN while its user has disabled it.
 */
int pmon_event_enter(struct perf_event *event)
{
	struct pmon_open_event *open = pmon_open(event);

	if (unlikely(!open->added))
		WRITE_ONCE(open->added, true);
	return unlikely(READ_ONCE(open->marks) & PMON_EVENT_DISABLE) ?
	       -EAGAIN : 0;
}

/* ---- events that fail or are disabled: the work item ------------------- */

/* The next event with a mark, with a reference; one that is closed has none. */
static struct perf_event *pmon_pmu_next_marked(struct pmon_pmu *pmu)
{
	struct pmon_open_event *open;

	guard(spinlock)(&pmu->lock);
	list_for_each_entry(open, &pmu->events, list) {
		if (!open->marks)
			continue;
		if (pmon_event_get(pmon_open_perf(open)))
			return pmon_open_perf(open);
		WRITE_ONCE(open->marks, 0);
	}
	return NULL;
}

/*
 * The leader of a group, if that is another event, with a reference: perf frees
 * events after an RCU grace period.
 */
static struct perf_event *pmon_event_get_leader(struct perf_event *event)
{
	struct perf_event *leader;

	rcu_read_lock();
	leader = READ_ONCE(event->group_leader);
	if (leader == event || !pmon_event_get(leader))
		leader = NULL;
	rcu_read_unlock();
	return leader;
}

static void pmon_event_fail(struct perf_event *event)
{
	perf_event_disable(event);
	pmon_event_set_failed(event);
}

/*
 * perf reports the counts of a group, read by its leader, as counted for as
 * long as the leader was: so the leader fails, too.
 */
static void pmon_event_fail_group(struct perf_event *event)
{
	struct perf_event *leader = pmon_event_get_leader(event);

	if (leader) {
		pmon_event_fail(leader);
		pmon_event_put(leader);
	}
	pmon_event_fail(event);
}

/*
 * perf_event_disable() takes the mutex of the event's context. No lock of ours
 * is held here, and closing an event does not wait for this.
 */
void pmon_pmu_events_work(struct work_struct *work)
{
	struct pmon_pmu *pmu = container_of(work, struct pmon_pmu, events_work);
	struct perf_event *event;

	while ((event = pmon_pmu_next_marked(pmu))) {
		struct pmon_open_event *open = pmon_open(event);

		if (READ_ONCE(open->marks) & PMON_EVENT_FAIL) {
			pmon_event_fail_group(event);
			if (!pmu->soft)
				WRITE_ONCE(pmon_hw(event)->event.failed, false);
		} else {
			perf_event_disable(event);
		}
		scoped_guard(spinlock, &pmu->lock)
			WRITE_ONCE(open->marks, 0);
		pmon_event_put(event);
	}
}

/**
 * pmon_pmu_fail_events() - fail open events soon
 * @pmu: the PMU
 * @which: those that it returns true for, with @pmu's lock held; NULL: all
 * @data: handed to @which
 *
 * pmon_pmu_flush() waits for it. Only events that perf has installed fail;
 * add() refuses the others while their box has no hardware.
 */
void pmon_pmu_fail_events(struct pmon_pmu *pmu, pmon_event_match_t which,
			  const void *data)
{
	struct pmon_open_event *open;
	bool any = false;

	guard(spinlock)(&pmu->lock);
	list_for_each_entry(open, &pmu->events, list) {
		struct perf_event *event = pmon_open_perf(open);

		if (!READ_ONCE(open->added) || (which && !which(event, data)))
			continue;
		WRITE_ONCE(open->marks, open->marks | PMON_EVENT_FAIL);
		any = true;
	}
	if (any)
		queue_work(pmon_workqueue, &pmu->events_work);
}

static bool pmon_event_is_of(const struct perf_event *event, const void *box)
{
	return ((const struct pmon_hw_event *)&event->hw)->box == box;
}

/* The hardware of @box has gone for good. */
void pmon_box_fail_events(struct pmon_box *box)
{
	pmon_pmu_fail_events(box->pmu, pmon_event_is_of, box);
}

static bool pmon_event_was_refused(const struct perf_event *event,
				   const void *box)
{
	const struct pmon_hw_event *hw = (const void *)&event->hw;

	return hw->box == box && READ_ONCE(hw->event.failed);
}

/* Registers of @box refused to start events, or to read them a last time. */
void pmon_box_fail_refused(struct pmon_box *box)
{
	pmon_pmu_fail_events(box->pmu, pmon_event_was_refused, box);
}

/*
 * The last reading of @event was refused. The work item fails it soon, but perf
 * stat disables its events and reads them at once. perf has noted that an event
 * is off by the time that it calls del(): then it, and the leader that perf
 * stat reads its group by, fail now. Context: interrupts off, so neither is
 * freed meanwhile.
 */
void pmon_event_lost(struct perf_event *event)
{
	lockdep_assert_irqs_disabled();
	pmon_event_set_failed(event);
	pmon_event_set_failed(READ_ONCE(event->group_leader));
}
EXPORT_SYMBOL_GPL(pmon_event_lost);

/* ---- events whose CPU changes ------------------------------------------ */

/*
 * Mark events that are off: perf_pmu_migrate_context() turns them on. Returns
 * how many events are on @from.
 */
static unsigned int pmon_pmu_begin_move(struct pmon_pmu *pmu, unsigned int from)
{
	struct pmon_open_event *open;
	unsigned int events = 0;

	guard(spinlock)(&pmu->lock);
	list_for_each_entry(open, &pmu->events, list) {
		struct perf_event *event = pmon_open_perf(open);

		if (READ_ONCE(event->cpu) != from)
			continue;
		events++;
		if (pmon_event_is_off(event))
			WRITE_ONCE(open->marks,
				   open->marks | PMON_EVENT_DISABLE);
	}
	return events;
}

static bool pmon_pmu_has_events_on(struct pmon_pmu *pmu, unsigned int cpu)
{
	struct pmon_open_event *open;

	guard(spinlock)(&pmu->lock);
	list_for_each_entry(open, &pmu->events, list)
		if (READ_ONCE(pmon_open_perf(open)->cpu) == cpu)
			return true;
	return false;
}

/* An event that is still off was not moved: perf has not installed it yet. */
static void pmon_pmu_end_move(struct pmon_pmu *pmu, unsigned int from)
{
	struct pmon_open_event *open;
	bool any = false;

	guard(spinlock)(&pmu->lock);
	list_for_each_entry(open, &pmu->events, list) {
		struct perf_event *event = pmon_open_perf(open);
		unsigned int cpu = READ_ONCE(event->cpu);

		if (open->cpu == from && cpu != from) {
			atomic_dec(per_cpu_ptr(&pmon_cpu_events, from));
			atomic_inc(per_cpu_ptr(&pmon_cpu_events, cpu));
			open->cpu = cpu;
		}
		if (!(open->marks & PMON_EVENT_DISABLE))
			continue;
		if (pmon_event_is_off(event))
			WRITE_ONCE(open->marks,
				   open->marks & ~PMON_EVENT_DISABLE);
		else
			any = true;
	}
	if (any)
		queue_work(pmon_workqueue, &pmu->events_work);
}

/**
 * pmon_pmu_move_events() - move the events of a PMU from one CPU to another
 * @pmu: the PMU
 * @from: where they are
 * @to: an online CPU that reaches their box
 *
 * perf of Linux 6.2 to 7.2, but for the last 6.12, moves one event or group
 * each time, because it looks for the next one from one that it has just taken
 * off the tree. So it is called until no event is left, at most as often as
 * there were events.
 *
 * Context: sleeps; pmon_mutex held.
 */
void pmon_pmu_move_events(struct pmon_pmu *pmu, unsigned int from,
			  unsigned int to)
{
	unsigned int tries = pmon_pmu_begin_move(pmu, from);

	if (!tries)
		return;
	do {
		perf_pmu_migrate_context(&pmu->pmu, from, to);
	} while (--tries && pmon_pmu_has_events_on(pmu, from));
	pmon_pmu_end_move(pmu, from);
}
