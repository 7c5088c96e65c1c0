/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_MINMAX_H
#define HOST_LINUX_MINMAX_H

#include <linux/types.h>

#define min(a, b) ({							\
	typeof(a) host_a = (a);						\
	typeof(b) host_b = (b);						\
	host_a < host_b ? host_a : host_b;				\
})
#define max(a, b) ({							\
	typeof(a) host_a = (a);						\
	typeof(b) host_b = (b);						\
	host_a > host_b ? host_a : host_b;				\
})
#define max3(a, b, c) max(max(a, b), c)
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))
#define swap(a, b) do {							\
	typeof(a) host_t = (a);						\
	(a) = (b);							\
	(b) = host_t;							\
} while (0)

#endif
