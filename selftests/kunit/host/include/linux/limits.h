/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_LIMITS_H
#define HOST_LINUX_LIMITS_H

#include <limits.h>

#define U8_MAX 0xffU
#define S8_MAX 0x7f
#define U16_MAX 0xffffU
#define S16_MAX 0x7fff
#define U32_MAX 0xffffffffU
#define S32_MAX 0x7fffffff
#define U64_MAX 0xffffffffffffffffULL
#define S64_MAX 0x7fffffffffffffffLL
#define S64_MIN (-S64_MAX - 1)
#define S32_MIN (-S32_MAX - 1)
#ifndef SIZE_MAX
#define SIZE_MAX (~(size_t)0)
#endif

#endif
