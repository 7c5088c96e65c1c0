/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_OVERFLOW_H
#define HOST_LINUX_OVERFLOW_H

#include <linux/limits.h>
#include <linux/types.h>

#define check_add_overflow(a, b, d) __builtin_add_overflow(a, b, d)
#define check_sub_overflow(a, b, d) __builtin_sub_overflow(a, b, d)
#define check_mul_overflow(a, b, d) __builtin_mul_overflow(a, b, d)
#define check_shl_overflow(a, s, d) ({					\
	u64 host_a = (a);						\
	unsigned int host_s = (s);					\
	unsigned __int128 host_r =					\
		host_s < 64 ? (unsigned __int128)host_a << host_s : 0;	\
	*(d) = (typeof(*(d)))host_r;					\
	host_s >= 64 || (unsigned __int128)*(d) != host_r;		\
})

/* Saturate, so that an allocation of the result fails. */
static inline size_t size_mul(size_t a, size_t b)
{
	size_t r;

	return __builtin_mul_overflow(a, b, &r) ? SIZE_MAX : r;
}

static inline size_t size_add(size_t a, size_t b)
{
	size_t r;

	return __builtin_add_overflow(a, b, &r) ? SIZE_MAX : r;
}

#define array_size(a, b) size_mul(a, b)
#define flex_array_size(p, member, count) \
	size_mul(count, sizeof(*(p)->member))
#define struct_size(p, member, count) \
	size_add(sizeof(*(p)), flex_array_size(p, member, count))

#endif
