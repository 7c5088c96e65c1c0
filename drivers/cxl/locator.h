/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a function has its CPMUs: its register locator (CXL 3.1, 8.1.9). Pure.
 */
#ifndef PMON_CXL_LOCATOR_H
#define PMON_CXL_LOCATOR_H

#include <linux/types.h>

#include "caps.h"

#define CXL_BARS		6
/*
 * More than a function has; the extended configuration space has room for 500.
 */
#define CXL_ENTRIES_MAX		64

/**
 * struct cxl_bar - a BAR
 * @size: 0 when there is none
 * @memory: it is in memory, not an I/O port
 */
struct cxl_bar {
	u64 size;
	bool memory;
};

/**
 * struct cxl_place - what an entry of the locator says
 * @offset: of the block in the BAR
 * @bir: which BAR
 * @block: what the block is
 */
struct cxl_place {
	u64 offset;
	u8 bir;
	u8 block;
};

struct cxl_place cxl_place_of(u64 entry);
bool cxl_is_cpmu(const struct cxl_place *place);
bool cxl_check_place(const u64 *entries, unsigned int count, unsigned int which,
		     const struct cxl_bar bar[CXL_BARS],
		     struct cpmu_fault *fault);

#endif
