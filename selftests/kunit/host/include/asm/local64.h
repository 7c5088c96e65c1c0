/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_ASM_LOCAL64_H
#define HOST_ASM_LOCAL64_H

#include <linux/types.h>

typedef struct {
	s64 a;
} local64_t;

static inline void local64_add(s64 i, local64_t *l)
{
	l->a = (u64)l->a + (u64)i;
}

#endif
