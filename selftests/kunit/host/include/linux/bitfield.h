/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_BITFIELD_H
#define HOST_LINUX_BITFIELD_H

#include <linux/bits.h>
#include <linux/build_bug.h>

#define __bf_shf(mask) (__builtin_ffsll(mask) - 1)

#define FIELD_FIT(mask, val) (!((((u64)(val)) << __bf_shf(mask)) & ~(u64)(mask)))
#define FIELD_GET(mask, reg) \
	((typeof(mask))(((reg) & (mask)) >> __bf_shf(mask)))
#define FIELD_PREP(mask, val) \
	((typeof(mask))(((typeof(mask))(val) << __bf_shf(mask)) & (mask)))

#define HOST_BITFIELD(type)						\
static inline type type##_get_bits(type v, type field)			\
{									\
	return (v & field) >> __bf_shf(field);				\
}									\
static inline type type##_encode_bits(type v, type field)		\
{									\
	return (v << __bf_shf(field)) & field;				\
}									\
static inline type type##_replace_bits(type old, type v, type field)	\
{									\
	return (old & ~field) | type##_encode_bits(v, field);		\
}									\
static inline void type##p_replace_bits(type *p, type v, type field)	\
{									\
	*p = type##_replace_bits(*p, v, field);				\
}
HOST_BITFIELD(u8)
HOST_BITFIELD(u16)
HOST_BITFIELD(u32)
HOST_BITFIELD(u64)

#endif
