/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a unit has its registers. Pure. */
#ifndef PMON_UNCORE_REGISTERS_H
#define PMON_UNCORE_REGISTERS_H

#include <linux/types.h>

#include "unit.h"

struct pmon_counter;
struct pmon_layout;

/**
 * struct uncore_geometry - how registers lie where the table does not say
 * @box_bytes: size of the box control
 * @ctl_stride: from one event control to the next
 * @ctl_bytes: size of an event control
 * @ctr_stride: from one counter to the next
 * @ctr_bytes: size of a counter
 *
 * Of MSRs everything is one register long.
 */
struct uncore_geometry {
	u8 box_bytes;
	u8 ctl_stride;
	u8 ctl_bytes;
	u8 ctr_stride;
	u8 ctr_bytes;
};

struct uncore_geometry uncore_unit_geometry(const struct uncore_unit *unit);
unsigned int uncore_unit_slots(const struct uncore_unit *unit);
void uncore_unit_layout(const struct uncore_unit *unit,
			struct pmon_counter *counter,
			struct pmon_layout *layout);

#endif
