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
typedef short s16;
typedef int s32;
typedef long long s64;

/* for headers of the C library, which include this file */
typedef u8 __u8;
typedef u16 __u16;
typedef u32 __u32;
typedef u64 __u64;
typedef s8 __s8;
typedef s16 __s16;
typedef s32 __s32;
typedef s64 __s64;

typedef u16 __le16;
typedef u32 __le32;
typedef u64 __le64;
typedef u16 __be16;
typedef u32 __be32;
typedef u64 __be64;

typedef unsigned int gfp_t;

#define DECLARE_BITMAP(name, bits) \
	unsigned long name[((bits) + 8 * sizeof(long) - 1) / (8 * sizeof(long))]

#endif
