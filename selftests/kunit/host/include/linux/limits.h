/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_LIMITS_H
#define HOST_LINUX_LIMITS_H

#include <limits.h>

#define U8_MAX 0xffU
#define U16_MAX 0xffffU
#define U32_MAX 0xffffffffU
#define U64_MAX 0xffffffffffffffffULL
#ifndef SIZE_MAX
#define SIZE_MAX (~(size_t)0)
#endif

#endif
