/* SPDX-License-Identifier: GPL-2.0-only */
/* The filter registers of a box: written only by events that use them. */
#ifndef PMON_FILTER_H
#define PMON_FILTER_H

#include "slot.h"

/*
 * Write these registers, each with the filter of its slot. Events of @slots
 * whose filter is refused have failed.
 */
void pmon_write_filters(struct pmon_bank *bank, u64 filters, u64 slots);
/* The box is handed back: turn off those that we have left on. */
void pmon_filters_off(struct pmon_bank *bank);

#endif /* PMON_FILTER_H */
