/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Access two private fields of perf, and only here: @refcount keeps an event;
 * nothing exported fails an event, or keeps it disabled, as @state does.
 */
#ifndef PMON_PERF_PRIVATE_H
#define PMON_PERF_PRIVATE_H

#include <linux/atomic.h>
#include <linux/perf_event.h>

/* Take a reference to @event, unless it is being closed. */
static inline bool pmon_event_get(struct perf_event *event)
{
	return atomic_long_inc_not_zero(&event->refcount);
}

/* Put it. perf_event_release_kernel() puts the last one. Sleeps. */
static inline void pmon_event_put(struct perf_event *event)
{
	if (atomic_long_fetch_add_unless(&event->refcount, -1, 1) == 1)
		perf_event_release_kernel(event);
}

/* Has the user disabled @event? */
static inline bool pmon_event_is_off(const struct perf_event *event)
{
	return READ_ONCE(event->state) == PERF_EVENT_STATE_OFF;
}

/* Disable an event that does not count. Returns whether it has done so. */
static inline bool pmon_event_set_off(struct perf_event *event)
{
	return cmpxchg(&event->state, PERF_EVENT_STATE_INACTIVE,
		       PERF_EVENT_STATE_OFF) == PERF_EVENT_STATE_INACTIVE;
}

/*
 * Fail an event that is disabled: read() returns nothing then, and perf stat
 * shows <not counted>. Returns whether it has failed, now or before.
 */
static inline bool pmon_event_set_failed(struct perf_event *event)
{
	enum perf_event_state was = cmpxchg(&event->state, PERF_EVENT_STATE_OFF,
					    PERF_EVENT_STATE_ERROR);

	return was == PERF_EVENT_STATE_OFF || was == PERF_EVENT_STATE_ERROR;
}

/*
 * The leader of the group of @event, under RCU. That is @event for one that was
 * closed: perf leaves a pointer in it to a leader that may have been freed.
 */
static inline struct perf_event *pmon_event_leader(struct perf_event *event)
{
	return READ_ONCE(event->state) < PERF_EVENT_STATE_ERROR ?
	       event : READ_ONCE(event->group_leader);
}

#endif /* PMON_PERF_PRIVATE_H */
