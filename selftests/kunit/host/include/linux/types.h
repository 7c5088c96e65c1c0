/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_TYPES_H
#define HOST_LINUX_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <linux/compiler.h>

/* Define u64 as long long, as the kernel does, so that %llx fits. */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char s8;
typedef long long s64;

typedef u32 __u32;
typedef unsigned int gfp_t;

#define DECLARE_BITMAP(name, bits) \
	unsigned long name[((bits) + 8 * sizeof(long) - 1) / (8 * sizeof(long))]

#endif
