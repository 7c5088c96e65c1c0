/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where perf's events carry the engine's state: in the hardware part of struct
 * hw_perf_event. (ended.c marks events in hlist_entry, too.)
 */
#ifndef PMON_EVENT_H
#define PMON_EVENT_H

#include <linux/perf_event.h>

#include "bank.h"

struct pmon_box;

/**
 * struct pmon_hw_event - lies over the hardware part of struct hw_perf_event
 * @event: what the bank knows
 * @box: where the event counts
 */
struct pmon_hw_event {
	struct pmon_event event;
	struct pmon_box *box;
};

/*
 * hw.flags is not ours: x86 looks there, for any event, whether user space may
 * read the counter itself.
 */
static_assert(sizeof(struct pmon_hw_event) <=
	      offsetof(struct hw_perf_event, flags));

static inline struct pmon_hw_event *pmon_hw(struct perf_event *event)
{
	return (struct pmon_hw_event *)&event->hw;
}

static inline struct perf_event *pmon_event_perf(struct pmon_event *event)
{
	struct pmon_hw_event *hw =
		container_of(event, struct pmon_hw_event, event);

	return container_of((struct hw_perf_event *)hw, struct perf_event, hw);
}

#endif /* PMON_EVENT_H */
