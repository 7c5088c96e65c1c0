/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_BITOPS_H
#define HOST_LINUX_BITOPS_H

#include <linux/bits.h>

#define hweight8(v) ((unsigned int)__builtin_popcount((u8)(v)))
#define hweight32(v) ((unsigned int)__builtin_popcount((u32)(v)))
#define hweight64(v) ((unsigned int)__builtin_popcountll(v))
#define __ffs(v) ((unsigned long)__builtin_ctzl(v))
#define __ffs64(v) ((unsigned long)__builtin_ctzll(v))
#define __fls(v) ((unsigned long)(BITS_PER_LONG - 1 - __builtin_clzl(v)))

static inline bool test_bit(unsigned int n, const unsigned long *map)
{
	return map[BIT_WORD(n)] & BIT_MASK(n);
}

static inline void set_bit(unsigned int n, unsigned long *map)
{
	map[BIT_WORD(n)] |= BIT_MASK(n);
}

static inline void clear_bit(unsigned int n, unsigned long *map)
{
	map[BIT_WORD(n)] &= ~BIT_MASK(n);
}

static inline unsigned long find_first_zero_bit(const unsigned long *map,
						unsigned long size)
{
	unsigned long n = 0;

	while (n < size && test_bit(n, map))
		n++;
	return n;
}

#endif
