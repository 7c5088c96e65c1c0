// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters that can only be read in halves, and count meanwhile. A carry
 * between the two reads makes the value wrong by 2^32. It needs a low half
 * near its end, which shows: no counter gains 2^30 between two accesses. Only
 * if something kept the CPU away in between could it, and that shows too.
 */
#include <linux/bits.h>

#include "wide.h"

#define PMON_CARRY_NEAR	GENMASK(31, 30)

/* The fastest counter gains 2^38 a second, so less than 2^30 in this time. */
#define PMON_WIDE_NS_MAX	3000000
#define PMON_WIDE_TRIES		4

static u64 pmon_wide_try(u32 (*read32)(const void *regs, u32 reg),
			 const void *regs, u32 reg)
{
	u32 low = read32(regs, reg);
	u32 high = read32(regs, reg + 4);
	u32 again;

	if ((low & PMON_CARRY_NEAR) != PMON_CARRY_NEAR)
		return (u64)high << 32 | low;

	/* All-ones is also what a device answers that is not there. */
	again = read32(regs, reg);
	if (again < low)
		high = read32(regs, reg + 4);

	return (u64)high << 32 | again;
}

u64 pmon_wide_read(u32 (*read32)(const void *regs, u32 reg),
		   u64 (*clock)(void), const void *regs, u32 reg)
{
	unsigned int tries;

	for (tries = 0; tries < PMON_WIDE_TRIES; tries++) {
		u64 begin = clock();
		u64 value = pmon_wide_try(read32, regs, reg);

		if (clock() - begin <= PMON_WIDE_NS_MAX)
			return value;
	}
	return ~0ULL;
}
