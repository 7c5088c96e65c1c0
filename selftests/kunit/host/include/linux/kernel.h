/* SPDX-License-Identifier: GPL-2.0-only */
/* User-space stand-in: what the suite's pure files use, and no more. */
#ifndef HOST_LINUX_KERNEL_H
#define HOST_LINUX_KERNEL_H

#include <stdarg.h>
#include <stdio.h>

#include <asm/byteorder.h>
#include <linux/align.h>
#include <linux/array_size.h>
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/container_of.h>
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/stddef.h>
#include <linux/types.h>

#define upper_32_bits(n) ((u32)((u64)(n) >> 32))
#define lower_32_bits(n) ((u32)(n))
#define __stringify_1(x...) #x
#define __stringify(x...) __stringify_1(x)
#define IS_ENABLED(option) 0

/* Returns what was written, not what would have been. */
static inline __printf(3, 0)
int vscnprintf(char *buf, size_t size, const char *fmt, va_list args)
{
	int n = vsnprintf(buf, size, fmt, args);

	if (!size)
		return 0;
	return (size_t)n < size ? n : (int)size - 1;
}

static inline __printf(3, 4)
int scnprintf(char *buf, size_t size, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = vscnprintf(buf, size, fmt, args);
	va_end(args);
	return n;
}

#endif
