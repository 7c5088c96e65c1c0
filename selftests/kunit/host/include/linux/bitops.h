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

static inline void __set_bit(unsigned int n, unsigned long *map)
{
	map[BIT_WORD(n)] |= BIT_MASK(n);
}

static inline void __clear_bit(unsigned int n, unsigned long *map)
{
	map[BIT_WORD(n)] &= ~BIT_MASK(n);
}

static inline bool __test_and_set_bit(unsigned int n, unsigned long *map)
{
	bool old = test_bit(n, map);

	__set_bit(n, map);
	return old;
}

#define set_bit(n, map) __set_bit(n, map)
#define clear_bit(n, map) __clear_bit(n, map)
#define test_and_set_bit(n, map) __test_and_set_bit(n, map)

/* Return the first bit at or after @n with the value @v, or @size. */
static inline unsigned long host_find_bit(const unsigned long *map,
					  unsigned long size, unsigned long n,
					  bool v)
{
	while (n < size && test_bit(n, map) != v)
		n++;
	return n < size ? n : size;
}

#define find_first_bit(map, size) host_find_bit(map, size, 0, true)
#define find_next_bit(map, size, from) host_find_bit(map, size, from, true)
#define find_first_zero_bit(map, size) host_find_bit(map, size, 0, false)
#define find_next_zero_bit(map, size, from) \
	host_find_bit(map, size, from, false)
#define for_each_set_bit(n, map, size) \
	for ((n) = find_first_bit(map, size); (n) < (size); \
	     (n) = find_next_bit(map, size, (n) + 1))

#endif
