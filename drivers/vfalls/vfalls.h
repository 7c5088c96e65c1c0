/* SPDX-License-Identifier: GPL-2.0-only */
/* pmon_vfalls: the state of the driver and which file does what. */
#ifndef PMON_VFALLS_H
#define PMON_VFALLS_H

#include <linux/atomic.h>

#include <pmon/packed.h>
#include <pmon/pmu.h>

#include "call.h"
#include "probe.h"
#include "regmap.h"

/**
 * struct vfalls_box - a unit that is there
 * @packed: its registers; under the lock of the engine's box
 * @denied: the hypervisor has refused this guest one of them, see
 *	struct vfalls_rights
 * @pmu: the engine's, or NULL
 */
struct vfalls_box {
	struct pmon_packed packed;
	bool denied;
	struct pmon_pmu *pmu;
};

/**
 * struct vfalls - the driver
 * @minor: of the version of the API
 * @found: what the machine has
 * @box: by number, see vfalls_unit()
 */
struct vfalls {
	unsigned int minor;
	struct vfalls_found found;
	struct vfalls_box box[VFALLS_UNITS];
};

extern struct vfalls vfalls;

/* regs.c */
extern const struct vfalls_hv vfalls_hv;
extern atomic_long_t vfalls_blocked;
extern atomic_long_t vfalls_missed;
extern atomic_long_t vfalls_overwritten;
void vfalls_regs(struct pmon_regs *regs, struct vfalls_box *box,
		 const struct vfalls_unit *unit);

/* pmus.c */
void vfalls_pmus_add(void);

/* holds.c */
void vfalls_holds_add(void);
void vfalls_holds_remove(void);

/* sysfs.c */
int vfalls_sysfs_add(void);
void vfalls_sysfs_remove(void);

#endif
