/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters that can only be read in halves, and count meanwhile. A carry
 * between the two reads makes the value wrong by 2^32. It needs a low half
 * near its end, which shows: no counter gains 2^30 between two accesses. Only
 * if something kept the CPU away in between could it, and that shows too.
 */
#ifndef PMON_WIDE_H
#define PMON_WIDE_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/types.h>

#define PMON_CARRY_NEAR	GENMASK(31, 30)
#define PMON_WIDE_TRIES		4

static __always_inline u64
pmon_wide_try(u32 (*read32)(const void *regs, u32 reg), const void *regs,
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

/**
 * pmon_wide_read() - read a counting register of 8 bytes as two of 4
 * @read32: reads 4 bytes at an offset
 * @clock: what passes meanwhile, in any unit
 * @limit: the fastest counter, of 2^38 a second, gains less than 2^30 in this
 *	time; so not more than 3 milliseconds
 * @regs: handed to @read32
 * @reg: offset of the low half
 *
 * Two reads normally; up to four when the low half is about to carry into the
 * high one, so that the halves always belong together. Again if the reads
 * took so long that a carry might not show. Inline, so that it costs no more
 * than the reads.
 *
 * Return: the value, or all-ones when no reading was possible in time.
 */
static __always_inline u64
pmon_wide_read(u32 (*read32)(const void *regs, u32 reg), u64 (*clock)(void),
	       u64 limit, const void *regs, u32 reg)
{
	unsigned int tries;

	for (tries = 0; tries < PMON_WIDE_TRIES; tries++) {
		u64 begin = clock();
		u64 value = pmon_wide_try(read32, regs, reg);

		if (clock() - begin <= limit)
			return value;
	}
	return ~0ULL;
}

#endif /* PMON_WIDE_H */
