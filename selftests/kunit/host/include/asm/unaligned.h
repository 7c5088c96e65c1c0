/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_ASM_UNALIGNED_H
#define HOST_ASM_UNALIGNED_H

#include <string.h>

#include <asm/byteorder.h>
#include <linux/types.h>

#define HOST_UNALIGNED(bits, order)					\
static inline u##bits get_unaligned_##order##bits(const void *p)	\
{									\
	u##bits v;							\
									\
	memcpy(&v, p, sizeof(v));					\
	return order##bits##_to_cpu(v);					\
}									\
static inline void put_unaligned_##order##bits(u##bits v, void *p)	\
{									\
	v = cpu_to_##order##bits(v);					\
	memcpy(p, &v, sizeof(v));					\
}
HOST_UNALIGNED(16, le)
HOST_UNALIGNED(32, le)
HOST_UNALIGNED(64, le)
HOST_UNALIGNED(16, be)
HOST_UNALIGNED(32, be)
HOST_UNALIGNED(64, be)

#endif
