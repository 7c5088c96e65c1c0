/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an event is in the registers of a box, known when it is opened.
 */
#ifndef PMON_ENCODE_H
#define PMON_ENCODE_H

#include <linux/bitops.h>
#include <linux/types.h>

#include <pmon/box.h>

#include "counters.h"

/**
 * pmon_event_encode() - describe an event that is on no counter
 * @event: gets the description
 * @type: the kind of box: has rows, or a function (&pmon_type.encode)
 * @layout: the box
 * @config: the event's words of configuration, %PMON_CONFIG_WORDS
 *
 * Return: 0, or the error of that function: the box has no such event.
 */
int pmon_event_encode(struct pmon_event *event, const struct pmon_type *type,
		      const struct pmon_layout *layout, const u64 *config);

/**
 * pmon_allowed() - the counters that can count an event
 * @type: the kind of box
 * @layout: the box
 * @config: the event's config word
 *
 * Return: a mask of slots; 0 when the box cannot count it.
 */
u64 pmon_allowed(const struct pmon_type *type, const struct pmon_layout *layout,
		 u64 config);

#endif /* PMON_ENCODE_H */
