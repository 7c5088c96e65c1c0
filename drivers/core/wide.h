/* SPDX-License-Identifier: GPL-2.0-only */
/* Counters that can only be read in halves. */
#ifndef PMON_WIDE_H
#define PMON_WIDE_H

#include <linux/types.h>

/**
 * pmon_wide_read() - read a counting register of 8 bytes as two of 4
 * @read32: reads 4 bytes at an offset
 * @clock: nanoseconds that pass
 * @regs: handed to @read32
 * @reg: offset of the low half
 *
 * Two reads normally; up to four when the low half is about to carry into the
 * high one, so that the halves always belong together. Again if the reads
 * took so long that a carry might not show.
 *
 * Return: the value, or all-ones when no reading was possible in time.
 */
u64 pmon_wide_read(u32 (*read32)(const void *regs, u32 reg),
		   u64 (*clock)(void), const void *regs, u32 reg);

#endif /* PMON_WIDE_H */
