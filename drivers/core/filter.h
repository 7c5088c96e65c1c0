/* SPDX-License-Identifier: GPL-2.0-only */
/* The filter registers of a box: written only by events that use them. */
#ifndef PMON_FILTER_H
#define PMON_FILTER_H

#include "slot.h"

/*
 * The filter register, named by its slot, that an event arriving on slot @i
 * needs and that does not hold its filter; or none.
 */
u64 pmon_filter_differs(struct pmon_bank *bank, unsigned int i,
			const struct pmon_event *event);

static inline u64 pmon_needs_filter(struct pmon_bank *bank, unsigned int i,
				    const struct pmon_event *event)
{
	return event->uses_filter ? pmon_filter_differs(bank, i, event) : 0;
}

/*
 * Of slots with a filter register of their own: those whose event uses it, and
 * of which it is not known what it holds.
 */
u64 pmon_unknown_filters(const struct pmon_bank *bank, u64 slots);
/*
 * Write these registers, each with the filter of its slot. Events of @slots
 * whose filter is refused have failed.
 */
void pmon_write_filters(struct pmon_bank *bank, u64 filters, u64 slots);
/* The box is handed back: turn off those that we have left on. */
void pmon_filters_off(struct pmon_bank *bank);

#endif /* PMON_FILTER_H */
