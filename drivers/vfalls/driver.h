/* SPDX-License-Identifier: GPL-2.0-only */
/* pmon_vfalls: the state of the driver and which file does what. */
#ifndef PMON_VFALLS_DRIVER_H
#define PMON_VFALLS_DRIVER_H

#include <linux/atomic.h>
#include <linux/spinlock.h>

#include <pmon/pmu.h>

#include "vfalls.h"

/**
 * struct vfalls_box - a unit that is there
 * @lock: protects @pair; with interrupts off
 * @flags: interrupts of the CPU that holds @lock; under @lock
 * @pair: its counters
 * @due: when they must be read, in nanoseconds; 0: nothing counts. Under @lock
 * @pmu: the core's, or NULL
 * @name: of @pmu
 * @failed: an event could not be started, or read a last time; to be logged
 * @shown_disturbed: &vfalls_pair.disturbed in sysfs
 */
struct vfalls_box {
	raw_spinlock_t lock;	/* see above */
	unsigned long flags;
	struct vfalls_pair pair;
	u64 due;
	struct pmon_pmu *pmu;
	char name[VFALLS_NAME_SIZE];
	bool failed;
	unsigned int shown_disturbed;
};

/**
 * struct vfalls - the driver
 * @minor: of the version of the API
 * @found: what the machine has
 * @cpu: the designated CPU: events of all units count there
 * @box: by number, see vfalls_unit()
 * @blocked: calls that would have blocked
 * @missed: accesses that were given up for it
 * @overwritten: settings that were not in force any more at their events' end
 */
struct vfalls {
	unsigned int minor;
	struct vfalls_found found;
	unsigned int cpu;
	struct vfalls_box box[VFALLS_UNITS];
	atomic_long_t blocked;
	atomic_long_t missed;
	atomic_long_t overwritten;
};

extern struct vfalls vfalls;

/* hcall.S: both return the status, @value changes only when that is HV_EOK */
unsigned long vfalls_get_perfreg(unsigned long reg, unsigned long *value);
unsigned long vfalls_set_perfreg(unsigned long reg, unsigned long value);

/* vfalls_drv.c */
extern const struct vfalls_hv vfalls_hv;

/* pmus.c */
void vfalls_report_soon(void);
void vfalls_report_stop(void);
void vfalls_no_close(struct perf_event *event);
void vfalls_pmus_add(void);
void vfalls_pmus_remove(void);
void vfalls_pmus_offline(unsigned int cpu);

/* settings.c */
void vfalls_settings_add(void);
void vfalls_settings_offline(unsigned int cpu);

#endif
