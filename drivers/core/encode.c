// SPDX-License-Identifier: GPL-2.0-only
/*
 * From perf's configuration words to what is written for an event: its control,
 * its filter and the counters that can count it. Done once, when it is opened.
 */
#include <linux/bitops.h>
#include <linux/bits.h>

#include "assign.h"
#include "encode.h"

static void pmon_event_use_filter(struct pmon_event *event,
				  const struct pmon_layout *layout, u64 filter)
{
	event->uses_filter = true;
	event->shares_filter = layout->shares_filter;
	event->filter = filter;
}

/* Is every counter that can count the event a free-running one? */
static bool pmon_event_is_free_running(const struct pmon_event *event,
				       const struct pmon_layout *layout)
{
	u64 own = event->allowed & layout->own;

	if (layout->free_running)
		return true;
	return own && layout->counter[__ffs64(own)].kind ==
			      PMON_COUNTER_FREE_RUNNING;
}

static void pmon_event_set_free_running(struct pmon_event *event)
{
	event->free_running = true;
	event->next = NULL;
}

void pmon_event_init(struct pmon_event *event, const struct pmon_type *type,
		     const struct pmon_layout *layout, u64 config, u64 config1)
{
	u64 own;

	*event = (struct pmon_event) {
		.ctl = (config & type->ctl_mask) | type->ctl_set,
		.allowed = pmon_allowed(type, layout, config),
		.assigned_to = -1,
		.counted_on = -1,
	};

	own = event->allowed & layout->own;
	if (own)
		event->ctl = layout->counter[__ffs64(own)].enable;
	if (pmon_event_is_free_running(event, layout))
		pmon_event_set_free_running(event);
	else if (config & type->filter_enable && layout->filter_bytes)
		pmon_event_use_filter(event, layout,
				      config1 & type->filter_mask);
}

int pmon_event_encode(struct pmon_event *event, const struct pmon_type *type,
		      const struct pmon_layout *layout, const u64 *config)
{
	struct pmon_encoding encoding = { };
	int ret = type->encode(layout, config, &encoding);

	if (ret)
		return ret;

	*event = (struct pmon_event) {
		.ctl = encoding.ctl | type->ctl_set,
		.allowed = encoding.allowed & (layout->any | layout->own),
		.assigned_to = -1,
		.counted_on = -1,
		.rate_log2 = encoding.rate_log2,
	};
	if (pmon_event_is_free_running(event, layout))
		pmon_event_set_free_running(event);
	else if (encoding.uses_filter)
		pmon_event_use_filter(event, layout, encoding.filter);
	return 0;
}
