/* SPDX-License-Identifier: GPL-2.0-only */
/* Keep the core's state of an event in perf's struct hw_perf_event. */
#ifndef PMON_EVENT_H
#define PMON_EVENT_H

#include <linux/list.h>
#include <linux/perf_event.h>

#include "bank.h"

struct pmon_box;

/**
 * struct pmon_hw_event - what a box counts; lies over the first fields of
 *	struct hw_perf_event
 * @event: what the bank knows
 * @box: where the event counts
 */
struct pmon_hw_event {
	struct pmon_event event;
	struct pmon_box *box;
};

/**
 * enum pmon_event_mark - what the work item does with an event
 * @PMON_EVENT_FAIL: disable it and put it in perf's error state
 * @PMON_EVENT_DISABLE: its user has disabled it, and perf enabled it when its
 *	CPU changed: disable it; add() refuses it until then
 */
enum pmon_event_mark {
	PMON_EVENT_FAIL		= BIT(0),
	PMON_EVENT_DISABLE	= BIT(1),
};

/**
 * struct pmon_open_event - an open event in the list of its PMU; lies over
 *	@extra_reg and @branch_reg of struct hw_perf_event
 * @list: in &pmon_pmu.events; under &pmon_pmu.lock
 * @cpu: the CPU that the event is counted for in pmon_cpu_events; likewise
 * @marks: enum pmon_event_mark; changed likewise, read by add()
 * @added: add() was called, so perf has installed the event; written by add()
 */
struct pmon_open_event {
	struct list_head list;
	unsigned int cpu;
	u8 marks;
	bool added;
};

/*
 * hw.flags, between the two, is not ours: x86 looks there, for any event,
 * whether user space may read the counter itself.
 */
static_assert(sizeof(struct pmon_hw_event) <=
	      offsetof(struct hw_perf_event, flags));
static_assert(sizeof(struct pmon_open_event) <=
	      2 * sizeof(struct hw_perf_event_extra));

static inline struct pmon_hw_event *pmon_hw(struct perf_event *event)
{
	return (struct pmon_hw_event *)&event->hw;
}

static inline struct pmon_open_event *pmon_open(struct perf_event *event)
{
	return (struct pmon_open_event *)&event->hw.extra_reg;
}

static inline struct perf_event *pmon_event_perf(struct pmon_event *event)
{
	struct pmon_hw_event *hw =
		container_of(event, struct pmon_hw_event, event);

	return container_of((struct hw_perf_event *)hw, struct perf_event, hw);
}

static inline struct perf_event *pmon_open_perf(struct pmon_open_event *open)
{
	return container_of((struct hw_perf_event_extra *)open,
			    struct perf_event, hw.extra_reg);
}

#endif /* PMON_EVENT_H */
