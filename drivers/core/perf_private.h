/* SPDX-License-Identifier: GPL-2.0-only */
/* All uses of private fields of perf events; perf exports no functions. */
#ifndef PMON_PERF_PRIVATE_H
#define PMON_PERF_PRIVATE_H

#include <linux/atomic.h>
#include <linux/perf_event.h>

/* Get a reference to @event; fails while perf closes it. */
static inline bool pmon_event_get(struct perf_event *event)
{
	return atomic_long_inc_not_zero(&event->refcount);
}

/* Put a reference; perf_event_release_kernel() puts the last. May sleep. */
static inline void pmon_event_put(struct perf_event *event)
{
	if (atomic_long_fetch_add_unless(&event->refcount, -1, 1) == 1)
		perf_event_release_kernel(event);
}

/* Return true if the user has disabled @event. */
static inline bool pmon_event_is_off(const struct perf_event *event)
{
	return READ_ONCE(event->state) == PERF_EVENT_STATE_OFF;
}

/* Return true if @event is neither disabled, failed nor closed. */
static inline bool pmon_event_is_enabled(const struct perf_event *event)
{
	return READ_ONCE(event->state) >= PERF_EVENT_STATE_INACTIVE;
}

/* Disable an event that does not count; returns true if it was enabled. */
static inline bool pmon_event_set_off(struct perf_event *event)
{
	return cmpxchg(&event->state, PERF_EVENT_STATE_INACTIVE,
		       PERF_EVENT_STATE_OFF) == PERF_EVENT_STATE_INACTIVE;
}

/*
 * Fail a disabled event, so that read() returns 0 bytes, and perf stat shows
 * <not counted>. Returns true unless @event is enabled.
 */
static inline bool pmon_event_set_failed(struct perf_event *event)
{
	return cmpxchg(&event->state, PERF_EVENT_STATE_OFF,
		       PERF_EVENT_STATE_ERROR) <= PERF_EVENT_STATE_OFF;
}

/*
 * Get the group leader of @event, under RCU. If @event is closed, its
 * @group_leader may point to a freed event, so return @event instead.
 */
static inline struct perf_event *pmon_event_leader(struct perf_event *event)
{
	return READ_ONCE(event->state) < PERF_EVENT_STATE_ERROR ?
	       event : READ_ONCE(event->group_leader);
}
#endif /* PMON_PERF_PRIVATE_H */
