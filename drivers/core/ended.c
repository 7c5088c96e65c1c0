// SPDX-License-Identifier: GPL-2.0-only
/*
 * How events end whose device goes before them, or refuses to start or to read
 * them.
 *
 * What is not counted any more would look as if it were: the count stands
 * still, and the time that perf shows as counted goes on. So such an event is
 * disabled and gets the state that perf has for events that it could not count:
 * read() returns nothing, and perf stat says <not counted>. Since 6.16 perf
 * takes all events of a PMU away that it is to forget; reading one fails, and
 * perf stat says the same.
 */
#include <linux/atomic.h>
#include <linux/lockdep.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>

#include <compat/cleanup.h>

#include "core.h"
#include "event.h"

/*
 * An event that is to end is marked where perf links events of software PMUs
 * and of tracepoints; in all others it has set that to NULL.
 */
static struct hlist_node pmon_ending;

static bool pmon_event_is_ending(const struct perf_event *event)
{
	return READ_ONCE(event->hlist_entry.next) == &pmon_ending;
}

static void pmon_event_set_ending(struct perf_event *event, bool ending)
{
	WRITE_ONCE(event->hlist_entry.next, ending ? &pmon_ending : NULL);
}

/*
 * One that perf has not installed yet need not end: it has not counted, and
 * cannot before its device is back. One without references is being closed.
 *
 * perf may yet drop an event that is not installed, and must then have the only
 * reference. Once @ctx is set perf_event_open() does not fail any more.
 */
static bool pmon_event_take(struct perf_event *event, const void *data)
{
	if (!pmon_event_is_ending(event))
		return false;

	pmon_event_set_ending(event, false);
	/* Pairs with perf_install_in_context(). */
	if (!smp_load_acquire(&event->ctx) ||
	    !atomic_long_inc_not_zero(&event->refcount))
		return false;
	if (!event->destroy)
		event->destroy = pmon_event_close;
	*(struct perf_event **)data = event;
	return true;
}

/* The next event that is to end, with a reference of ours. */
static struct perf_event *pmon_pmu_next_to_end(struct pmon_pmu *pmu)
{
	struct perf_event *event = NULL;

	guard(mutex)(&pmon_mutex);
	pmon_pmu_visit(pmu, pmon_event_take, &event);
	return event;
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

struct pmon_ends {
	pmon_event_match_t which;
	const void *data;
	bool *any;
};

static bool pmon_event_ends(struct perf_event *event, const void *data)
{
	const struct pmon_ends *ends = data;

	if (!ends->which || ends->which(event, ends->data)) {
		pmon_event_set_ending(event, true);
		*ends->any = true;
	}
	return false;
}

/*
 * Events that @which says yes to, or all, end soon; pmon_pmu_flush() waits for
 * it. They do even if the device is back by then: they have missed some time.
 */
void pmon_pmu_end_events(struct pmon_pmu *pmu, pmon_event_match_t which,
			 const void *data)
{
	bool any = false;
	const struct pmon_ends ends = {
		.which = which, .data = data, .any = &any,
	};

	pmon_pmu_visit(pmu, pmon_event_ends, &ends);
	if (any)
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
