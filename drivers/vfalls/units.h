/* SPDX-License-Identifier: GPL-2.0-only */
/* What the engine needs to know of each unit: counters, events. Pure. */
#ifndef PMON_VFALLS_UNITS_H
#define PMON_VFALLS_UNITS_H

#include <pmon/box.h>
#include <pmon/packed.h>

#include "regmap.h"

/* A select and a counter for each of the two. */
#define VFALLS_PARTS		4

/**
 * struct vfalls_rights - &pmon_layout.data of a unit
 * @denied: the hypervisor has refused this guest a register of the unit
 */
struct vfalls_rights {
	const bool *denied;
};

/* What can be counted there. */
const struct pmon_type *vfalls_type(const struct vfalls_unit *unit);
/* Its registers, numbered from its select on; offsets of the layout. */
const struct pmon_part *vfalls_parts(const struct vfalls_unit *unit);
/* Its counters; @rights are yet to be put into it. */
const struct pmon_layout *vfalls_layout(const struct vfalls_unit *unit);

#endif
