// SPDX-License-Identifier: GPL-2.0-only
/*
 * The events of a PMU that are open: which they are, how many, and how they end
 * when their device goes before them, or refuses to start or to read them.
 *
 * What is not counted any more would look as if it were: the count stands
 * still, and the time that perf shows as counted goes on. So such an event is
 * disabled and gets the state that perf has for events that it could not count:
 * read() returns nothing, and perf stat says <not counted>. Since 6.16 perf
 * takes all events of a PMU away that it is to forget; reading one fails, and
 * perf stat says the same.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/lockdep.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include <compat/cleanup.h>
#include <compat/perf.h>

#include "core.h"
#include "event.h"

/* Incremented after each open and close was noted. */
static atomic_t pmon_event_moves;

/* Return: how many events were opened or closed so far. */
int pmon_pmu_event_moves(void)
{
	return atomic_read(&pmon_event_moves);
}

static void pmon_pmu_event_moved(void)
{
	/* Pairs with the barriers of pmon_owner_settled(). */
	smp_mb__before_atomic();
	atomic_inc(&pmon_event_moves);
}

/*
 * An event keeps the leaf loaded: by perf's own reference to pmu.module, or by
 * this one where that module must be ours. The caller has @pmu's lock and has
 * seen that it is not dead, so that the leaf is there.
 */
static bool pmon_presence_hold(struct pmon_pmu *pmu)
{
	lockdep_assert_held(&pmu->lock);
	return !COMPAT_PMU_STAYS || try_module_get(pmu->owner);
}

static void pmon_presence_drop(struct module *owner)
{
	if (COMPAT_PMU_STAYS)
		module_put(owner);
}

/*
 * Count @event as open. The caller holds @pmu->lock and has checked that @pmu
 * is ready and not dead. @box is NULL for software counts.
 */
static void pmon_pmu_note_open(struct pmon_pmu *pmu, struct pmon_box *box,
			       struct perf_event *event)
{
	lockdep_assert_held(&pmu->lock);
	hlist_add_head(&event->hlist_entry, &pmu->events);
	if (box)
		box->open++;
	pmu->open++;
	pmon_pmu_event_moved();
}

/*
 * Why no event of @box can be opened now, or 0. That of a box which sleeps, or
 * that no CPU reaches, must not end the `perf stat` of a wildcard, which counts
 * on other boxes: perf before 7.3 shows <not supported> for ENXIO and goes on,
 * and gives up for ENODEV. The caller holds the lock of its PMU.
 */
static int pmon_box_refuses(const struct pmon_box *box, int cpu)
{
	if (cpu < 0 || READ_ONCE(box->asleep) || READ_ONCE(box->away) ||
	    pmon_box_is_off(box))
		return -ENXIO;
	return READ_ONCE(box->bank.gone) ? -ENODEV : 0;
}

/*
 * Count the event as open; with a dead box there is none to open. First of all:
 * what is open stays, and before that the PMU may be anything, because perf may
 * have found it while it comes, goes or is used again.
 */
struct pmon_box *pmon_event_open(struct perf_event *event, struct pmon_pmu *p)
{
	struct pmon_box *box;
	int index, cpu, ret;

	guard(spinlock)(&p->lock);
	if (!p->ready || p->dead)
		return ERR_PTR(-ENODEV);
	index = pmon_place_index(p->near, event->cpu);
	box = index < 0 ? NULL : READ_ONCE(p->box[index]);
	if (!box)
		return ERR_PTR(-EINVAL);
	cpu = READ_ONCE(box->place->cpu);
	ret = pmon_box_refuses(box, cpu);
	if (ret)
		return ERR_PTR(ret);
	if (!pmon_presence_hold(p))
		return ERR_PTR(-ENODEV);

	event->cpu = cpu;
	event->event_caps |= PERF_EV_CAP_READ_ACTIVE_PKG;
	pmon_hw(event)->box = box;
	pmon_pmu_note_open(p, box, event);
	return box;
}

/* Count @event as open, unless @pmu is not ready or dead: then return false. */
bool pmon_pmu_open(struct pmon_pmu *pmu, struct perf_event *event)
{
	guard(spinlock)(&pmu->lock);
	if (!pmu->ready || pmu->dead || !pmon_presence_hold(pmu))
		return false;

	pmon_pmu_note_open(pmu, NULL, event);
	return true;
}

/* As pmon_pmu_close(); @box is NULL for software counts. */
static __always_inline void pmon_pmu_note_close(struct pmon_pmu *pmu,
						struct pmon_box *box,
						struct perf_event *event)
{
	struct module *owner = pmu->owner;
	bool last;

	compat_event_revoked(event);
	scoped_guard(spinlock, &pmu->lock) {
		hlist_del_init(&event->hlist_entry);
		if (box)
			box->open--;
		pmu->open--;
		last = pmu->dead && !pmu->open;
		pmon_pmu_event_moved();
	}
	if (last)
		queue_delayed_work(pmon_workqueue, &pmu->bury, 1);
	pmon_presence_drop(owner);
}

/*
 * @event, a software count, is closed, or perf has taken it away. The last
 * event of a dead PMU lets the PMU leave; the leaf's module cannot go before.
 */
void pmon_pmu_close(struct pmon_pmu *pmu, struct perf_event *event)
{
	pmon_pmu_note_close(pmu, NULL, event);
}

/* The same of an event of a box. */
void pmon_event_close(struct perf_event *event)
{
	struct pmon_box *box = pmon_hw(event)->box;

	pmon_pmu_note_close(box->pmu, box, event);
}

/*
 * The next event that is to end, with a reference of ours. One that perf has
 * not installed yet need not end: it has not counted, and cannot before its
 * device is back. One without references is being closed.
 *
 * perf may yet drop an event that is not installed, and must then have the only
 * reference. Once @ctx is set perf_event_open() does not fail any more.
 */
static struct perf_event *pmon_pmu_next_to_end(struct pmon_pmu *pmu)
{
	struct perf_event *event;

	guard(spinlock)(&pmu->lock);
	while (!hlist_empty(&pmu->ending)) {
		event = hlist_entry(pmu->ending.first, struct perf_event,
				    hlist_entry);
		hlist_del(&event->hlist_entry);
		hlist_add_head(&event->hlist_entry, &pmu->events);
		/* Pairs with perf_install_in_context(). */
		if (smp_load_acquire(&event->ctx) &&
		    atomic_long_inc_not_zero(&event->refcount))
			return event;
	}
	return NULL;
}

static void pmon_event_fail(struct perf_event *event)
{
	cmpxchg(&event->state, PERF_EVENT_STATE_OFF, PERF_EVENT_STATE_ERROR);
}

/*
 * The last reading of @event was refused. The work item ends it soon, but perf
 * stat disables its events and reads them at once. perf of 6.12 has noted that
 * an event is off by the time that it lets the hardware change; then it, and
 * the leader that perf stat reads its group by, get the error now. Called with
 * interrupts off, so neither can be freed meanwhile.
 */
void pmon_event_lost(struct perf_event *event)
{
	lockdep_assert_irqs_disabled();
	pmon_event_fail(event);
	pmon_event_fail(READ_ONCE(event->group_leader));
}

/*
 * The leader of the group that @event is in, if that is another event, with a
 * reference of ours. perf frees events after a grace period of RCU.
 */
static struct perf_event *pmon_event_leader(struct perf_event *event)
{
	struct perf_event *leader;

	rcu_read_lock();
	leader = READ_ONCE(event->group_leader);
	if (leader == event || !atomic_long_inc_not_zero(&leader->refcount))
		leader = NULL;
	rcu_read_unlock();
	return leader;
}

/*
 * If all others have gone meanwhile perf_event_release_kernel() gives back the
 * last reference; that the event was taken off its context before does not
 * matter to it, as it does not after CPU hotplug.
 */
static void pmon_event_put(struct perf_event *event)
{
	if (atomic_long_fetch_add_unless(&event->refcount, -1, 1) == 1)
		perf_event_release_kernel(event);
}

/*
 * Disabled, it is off all counters and gains no time. Only then, and only if it
 * was not closed or enabled again meanwhile, the error: that is what
 * perf_event_enable() expects of an event in this state, too.
 */
static void pmon_event_end(struct perf_event *event)
{
	perf_event_disable(event);
	pmon_event_fail(event);
	pmon_event_put(event);
}

/*
 * @event was refused. perf shows the counts of a group, read by its leader, as
 * counted for as long as the leader was, so the leader ends, too.
 */
static void pmon_event_end_refused(struct perf_event *event)
{
	struct perf_event *leader = pmon_event_leader(event);

	/* When it is enabled again that is another start. */
	WRITE_ONCE(pmon_hw(event)->event.failed, false);
	if (leader)
		pmon_event_end(leader);
	pmon_event_end(event);
}

/*
 * perf_event_disable() takes the mutex of the event's context, which is held in
 * event_init of a sibling, while user memory is written, and while events
 * migrate with pmon_mutex held. So no lock of ours is held here, and closing an
 * event does not wait for this: it may be closed with mmap_lock held, which
 * comes after that mutex. A reference keeps the event instead.
 */
void pmon_pmu_end_work(struct work_struct *work)
{
	struct pmon_pmu *pmu = container_of(work, struct pmon_pmu, end);
	struct perf_event *event;

	while ((event = pmon_pmu_next_to_end(pmu)))
		if (!pmu->soft && READ_ONCE(pmon_hw(event)->event.failed))
			pmon_event_end_refused(event);
		else
			pmon_event_end(event);
}

/*
 * Events that @ends says yes to, or all, end soon; pmon_pmu_flush() waits for
 * it. They do even if the device is back by then: they have missed some time.
 */
void pmon_pmu_end_events(struct pmon_pmu *pmu, pmon_event_match_t ends,
			 const void *data)
{
	struct perf_event *event;
	struct hlist_node *next;

	guard(spinlock)(&pmu->lock);
	hlist_for_each_entry_safe(event, next, &pmu->events, hlist_entry) {
		if (ends && !ends(event, data))
			continue;
		hlist_del(&event->hlist_entry);
		hlist_add_head(&event->hlist_entry, &pmu->ending);
	}
	if (!hlist_empty(&pmu->ending))
		queue_work(pmon_workqueue, &pmu->end);
}

static bool pmon_event_is_of(const struct perf_event *event, const void *box)
{
	return ((const struct pmon_hw_event *)&event->hw)->box == box;
}

/* @box has lost its hardware for good. */
void pmon_box_end_events(struct pmon_box *box)
{
	pmon_pmu_end_events(box->pmu, pmon_event_is_of, box);
}

static bool pmon_event_is_refused(const struct perf_event *event,
				  const void *box)
{
	const struct pmon_hw_event *hw = (const void *)&event->hw;

	return hw->box == box && READ_ONCE(hw->event.failed);
}

/* Events of @box that could not be started, or read a last time. */
void pmon_box_end_refused(struct pmon_box *box)
{
	pmon_pmu_end_events(box->pmu, pmon_event_is_refused, box);
}

/*
 * The CPUs that events are on. Those that perf has yet to install are not among
 * them, because it could not move them.
 */
void pmon_pmu_cpus(struct pmon_pmu *pmu, struct cpumask *cpus)
{
	struct perf_event *event;

	cpumask_clear(cpus);
	guard(spinlock)(&pmu->lock);
	hlist_for_each_entry(event, &pmu->events, hlist_entry)
		if (READ_ONCE(event->ctx))
			cpumask_set_cpu(READ_ONCE(event->cpu), cpus);
}

/* Is there an event for @cpu that perf has yet to install? */
bool pmon_pmu_awaits(struct pmon_pmu *pmu, unsigned int cpu)
{
	struct perf_event *event;

	guard(spinlock)(&pmu->lock);
	hlist_for_each_entry(event, &pmu->events, hlist_entry)
		if (!READ_ONCE(event->ctx) && READ_ONCE(event->cpu) == cpu)
			return true;
	return false;
}

/* Is there an event on @cpu that perf has attached in all these ways? */
static bool pmon_pmu_has_event_on(struct pmon_pmu *pmu, unsigned int cpu,
				  unsigned int ways)
{
	struct perf_event *event;

	guard(spinlock)(&pmu->lock);
	hlist_for_each_entry(event, &pmu->events, hlist_entry)
		if (READ_ONCE(event->ctx) && READ_ONCE(event->cpu) == cpu &&
		    !(ways & ~READ_ONCE(event->attach_state)))
			return true;
	return false;
}

/**
 * pmon_pmu_move_events() - move the events that are on a CPU to another one
 * @pmu: the PMU
 * @from: where they are
 * @to: the other CPU
 *
 * Events that are left on a CPU that goes offline have ended. perf of Linux 6.2
 * to 7.2 moves one event or group each time it is asked, because it looks for
 * the next one from one that it has just taken off the tree; 7.3 and 6.12.117
 * move all. So it is asked again until none is left, but no more often than
 * there were events. One that perf is installing just now is waited for the
 * first time.
 */
void pmon_pmu_move_events(struct pmon_pmu *pmu, unsigned int from,
			  unsigned int to)
{
	unsigned int tries;

	lockdep_assert_held(&pmon_mutex);
	scoped_guard(spinlock, &pmu->lock)
		tries = pmu->open;
	/* Each time it waits for a grace period. */
	if (!pmon_pmu_has_event_on(pmu, from, 0))
		return;
	do {
		perf_pmu_migrate_context(&pmu->pmu, from, to);
	} while (--tries &&
		 pmon_pmu_has_event_on(pmu, from, PERF_ATTACH_CONTEXT));
}
