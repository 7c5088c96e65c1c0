/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of each platform and is not in its discovery table. Pure data.
 */
#ifndef PMON_UNCORE_PLATFORM_H
#define PMON_UNCORE_PLATFORM_H

#include <linux/types.h>

#include "table.h"

struct pmon_type;

/**
 * struct pmon_row - one unit type of one platform
 * @pmu: name, format, events, constraints: what the engine needs
 * @kernel: what the kernel's driver calls this type, if not @pmu's name
 * @type: box type in the table
 * @accesses: how such units may be reached, a mask of BIT(enum pmon_access)
 * @counters: programmable counters, 0 if the table decides
 * @ctl: offset of the first event control, 0 if the table decides
 * @ctr: offset of the first counter, 0 if the table decides
 * @ctl_stride: from one event control to the next, 0 if as usual
 * @ctl_bytes: size of an event control, 0 if as usual
 * @fixed_ctl: offset of the fixed counter's control, 0 if there is none
 * @fixed_ctr: offset of the fixed counter
 * @filter: offset of the filter register of an MSR unit, 0 if there is none
 */
struct pmon_row {
	const struct pmon_type *pmu;
	const char *kernel;
	u16 type;
	u8 accesses;
	u8 counters;
	u8 ctl;
	u8 ctr;
	u8 ctl_stride;
	u8 ctl_bytes;
	u8 fixed_ctl;
	u8 fixed_ctr;
	u8 filter;
};

/* MSRs that counter boxes of a platform may occupy, both ends included. */
struct pmon_msr_range {
	u32 first;
	u32 last;
};

/**
 * struct pmon_platform - a family of CPU models with the same boxes
 * @name: short name, as in the log and in sysfs
 * @rows: unit types with a name of their own
 * @generic: what to make of any other type, by access
 * @msr: where MSR units may be, ended by an empty entry
 * @nr_rows: number of @rows
 */
struct pmon_platform {
	const char *name;
	const struct pmon_row *rows;
	const struct pmon_row *generic;
	const struct pmon_msr_range *msr;
	u8 nr_rows;
};

extern const struct pmon_platform pmon_platform_unknown;

const struct pmon_platform *pmon_platform_find(u8 family, u8 model);
const struct pmon_row *pmon_platform_row(const struct pmon_platform *platform,
					 u16 type, u8 access);
int pmon_platform_type(const struct pmon_platform *platform, const char *pmu);

#endif
