/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Replace the kernel's headers in user space, as far as the files under test
 * need them.
 */
#ifndef HOST_LINUX_KERNEL_H
#define HOST_LINUX_KERNEL_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/container_of.h>
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/stddef.h>
#include <linux/types.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define IS_ALIGNED(x, a) (((x) & ((typeof(x))(a) - 1)) == 0)
#define lower_32_bits(n) ((u32)(n))

/* Print 64 bits as "%*pbl" does: 8-15,32 */
static inline void host_print_bitmap(char *text, const u64 *bits)
{
	unsigned int first, bit;
	char *end = text;

	*end = '\0';
	for (bit = 0; bit < 64; bit++) {
		if (!(*bits >> bit & 1))
			continue;
		for (first = bit; bit < 63 && *bits >> bit >> 1 & 1; bit++)
			;
		end += sprintf(end, "%s%u", end == text ? "" : ",", first);
		if (bit != first)
			end += sprintf(end, "-%u", bit);
	}
}

/* Return the number of characters written, not the untruncated length. */
static inline __printf(3, 4)
int scnprintf(char *buf, size_t size, const char *fmt, ...)
{
	char bitmap[128];
	va_list args;
	int n;

	va_start(args, fmt);
	/* Of the directives in use, C libraries lack only this one. */
	if (!strcmp(fmt, "%*pbl")) {
		va_arg(args, int);
		host_print_bitmap(bitmap, va_arg(args, const u64 *));
		n = snprintf(buf, size, "%s", bitmap);
	} else {
		n = vsnprintf(buf, size, fmt, args);
	}
	va_end(args);
	if (!size)
		return 0;
	return (size_t)n < size ? n : (int)size - 1;
}

#endif
