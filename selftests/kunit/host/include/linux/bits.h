/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_BITS_H
#define HOST_LINUX_BITS_H

#include <linux/types.h>

#define BITS_PER_LONG (8 * (int)sizeof(long))
#define BITS_TO_LONGS(n) (((n) + BITS_PER_LONG - 1) / BITS_PER_LONG)

#define BIT(n) (1UL << (n))
#define BIT_ULL(n) (1ULL << (n))
#define BIT_MASK(n) (1UL << ((n) % BITS_PER_LONG))
#define BIT_WORD(n) ((n) / BITS_PER_LONG)

/* A mask of bits @high to @low, including both. */
#define GENMASK(high, low) \
	((~0UL >> (BITS_PER_LONG - 1 - (high))) & (~0UL << (low)))
#define GENMASK_ULL(high, low) \
	((~0ULL >> (63 - (high))) & (~0ULL << (low)))

#endif
