/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_LOG2_H
#define HOST_LINUX_LOG2_H

#include <linux/types.h>

#define ilog2(n) (63 - __builtin_clzll(n))

static inline bool is_power_of_2(unsigned long n)
{
	return n && !(n & (n - 1));
}

#endif
