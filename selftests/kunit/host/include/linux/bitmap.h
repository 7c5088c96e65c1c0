/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_BITMAP_H
#define HOST_LINUX_BITMAP_H

#include <string.h>

#include <linux/bitops.h>

static inline void bitmap_zero(unsigned long *map, unsigned int n)
{
	memset(map, 0, BITS_TO_LONGS(n) * sizeof(long));
}

static inline unsigned int bitmap_weight(const unsigned long *map,
					 unsigned int n)
{
	unsigned int i, sum = 0;

	for (i = 0; i < n; i++)
		sum += test_bit(i, map);
	return sum;
}

static inline bool bitmap_empty(const unsigned long *map, unsigned int n)
{
	return !bitmap_weight(map, n);
}

#endif
