/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Use the two private fields of struct perf_event that no exported function
 * stands for: @refcount, so that an event stays while it is disabled, and
 * @state, because nothing exported fails an event or says whether its user has
 * disabled it. No other file touches private state of perf.
 */
#ifndef PMON_PERF_FIELDS_H
#define PMON_PERF_FIELDS_H

#include <linux/atomic.h>
#include <linux/perf_event.h>

/* Take a reference to @event, unless it is being closed. */
static inline bool pmon_event_get(struct perf_event *event)
{
	return atomic_long_inc_not_zero(&event->refcount);
}

/*
 * Put a reference. perf_event_release_kernel() puts the last one, whether perf
 * still lists the event or not. Sleeps.
 */
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

/*
 * Fail an event that is disabled, unless it was closed or enabled meanwhile:
 * read() returns nothing then, and perf stat shows <not counted>.
 * perf_event_enable() leaves this state as it leaves any other.
 */
static inline void pmon_event_set_failed(struct perf_event *event)
{
	cmpxchg(&event->state, PERF_EVENT_STATE_OFF, PERF_EVENT_STATE_ERROR);
}

#endif /* PMON_PERF_FIELDS_H */
