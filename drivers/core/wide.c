// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters that can only be read in halves, and count meanwhile. A carry
 * between the two reads makes the value wrong by 2^32. It needs a low half
 * near its end, which shows: no counter gains 2^30 between two accesses.
 */
#include <linux/bits.h>

#include "wide.h"

#define PMON_CARRY_NEAR	GENMASK(31, 30)

u64 pmon_wide_read(u32 (*read32)(const void *regs, u32 reg), const void *regs,
		   u32 reg)
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
