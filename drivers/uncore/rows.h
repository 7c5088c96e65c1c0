/* SPDX-License-Identifier: GPL-2.0-only */
/* How the tables of platforms are written down. */
#ifndef PMON_UNCORE_ROWS_H
#define PMON_UNCORE_ROWS_H

#include <linux/bits.h>

#include "unit.h"

#define MSR	BIT(UNCORE_ACCESS_MSR)
#define MMIO	BIT(UNCORE_ACCESS_MMIO)
#define PCI	BIT(UNCORE_ACCESS_PCI)

#define ROWS(_rows)	.rows = _rows, .nr_rows = ARRAY_SIZE(_rows)

/*
 * Free-running counters: an event is 0xff with the number of a group, and of
 * a counter in it, as its unit mask. Groups begin at multiples of 16.
 */
#define FREE_EVENT(_group)	(0xff | (_group) << 12)

#endif
