/* SPDX-License-Identifier: GPL-2.0-only */
/* Which registers there are, and may be used. Pure. */
#ifndef PMON_VFALLS_PROBE_H
#define PMON_VFALLS_PROBE_H

#include <linux/types.h>

#include "call.h"
#include "regmap.h"

/**
 * struct vfalls_found - what a machine has
 * @units: by number, see vfalls_unit(); those of which every register can be
 *	read, or would be but for other accesses at that moment
 * @denied: units with a register that this guest may not read
 * @strand: error of reading the PCR of a strand, or 0
 * @l2: error of reading the control of the L2 banks, or 0
 */
struct vfalls_found {
	u32 units;
	u32 denied;
	int strand;
	int l2;
};

/**
 * vfalls_probe() - look for the registers
 * @hv: how to call the hypervisor; only to read
 * @minor: of the version of the API; before 1 there are no Zambezis
 * @found: gets what there is
 */
void vfalls_probe(const struct vfalls_hv *hv, unsigned int minor,
		  struct vfalls_found *found);

/* Does the unit that a register belongs to, if it does, count? */
bool vfalls_has(const struct vfalls_found *found, unsigned int reg);

#endif
