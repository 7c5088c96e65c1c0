/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From what a box does now to what it shall do: which register accesses, and
 * in which order.
 */
#ifndef PMON_CHANGE_H
#define PMON_CHANGE_H

#include "slot.h"

/**
 * struct pmon_change - what happens to the counters of an active box
 * @leave: slots whose event ends: they are read a last time
 * @arrive: slots on which an event begins: their control is written
 * @over: slots of both on which an event of the same control follows. The
 *	counter counts on, and one reading is the end of the one and the start
 *	of the other.
 * @filters: slots whose filter register must be written; slot 0 when there is
 *	one for all
 * @when: a moment before the first access
 */
struct pmon_change {
	u64 leave;
	u64 arrive;
	u64 over;
	u64 filters;
	u64 when;
};

/*
 * Controls and the filter are noted in the bank, what was read in the events.
 * A filter's value is @slot.filter.
 */

/* The box becomes active: @slots shall count. */
void pmon_change_begin(struct pmon_bank *bank, u64 slots, u64 filters);

/* It becomes idle. */
void pmon_change_end(struct pmon_bank *bank);

/* It stays active: no event arrives, those of @slots leave. */
void pmon_change_leave(struct pmon_bank *bank, u64 slots);

/* It stays active, and events arrive. */
void pmon_change_active(struct pmon_bank *bank, struct pmon_change *change);

/*
 * Read all @slots at one moment. If the box does not run again all have failed.
 */
void pmon_change_snapshot(struct pmon_bank *bank, u64 slots);

/* Clear the box and let it run, as a driver finds it after reset. */
void pmon_change_release(struct pmon_bank *bank);

#endif /* PMON_CHANGE_H */
