/* SPDX-License-Identifier: GPL-2.0-only */
/* What an event is in the registers of a box: known when it is opened. */
#ifndef PMON_ENCODE_H
#define PMON_ENCODE_H

#include <linux/types.h>

#include <pmon/box.h>

#include "assign.h"
#include "slot.h"

/* Describe an event that is on no counter, of a type that has rows for it. */
void pmon_event_init(struct pmon_event *event, const struct pmon_type *type,
		     const struct pmon_layout *layout, u64 config, u64 config1);

/*
 * The same of one that no counter has for its own and that uses no filter; all
 * other bits of @event are 0. Returns false when no counter can count it.
 */
static inline bool pmon_event_describe_plain(struct pmon_event *event,
					     const struct pmon_type *type,
					     const struct pmon_layout *layout,
					     u64 config)
{
	event->ctl = config | type->ctl_set;
	event->assigned_to = -1;
	event->counted_on = -1;
	event->allowed = pmon_allowed_any(type, layout, config);
	return event->allowed;
}

/**
 * pmon_event_encode() - describe an event of a type with a function for it
 * @event: gets the description; is on no counter
 * @type: the kind of box, with @encode
 * @layout: the box
 * @config: the event's words of configuration, %PMON_CONFIG_WORDS
 *
 * Return: 0, or what the function says: the box has no such event.
 */
int pmon_event_encode(struct pmon_event *event, const struct pmon_type *type,
		      const struct pmon_layout *layout, const u64 *config);

#endif /* PMON_ENCODE_H */
