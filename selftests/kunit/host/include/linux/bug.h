/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_BUG_H
#define HOST_LINUX_BUG_H

#include <stdio.h>
#include <stdlib.h>

#include <linux/build_bug.h>

/* End the program at a warning that the kernel would only log. */
#define WARN_ON(cond) ({						\
	bool host_warn = !!(cond);					\
	if (host_warn) {						\
		fprintf(stderr, "%s:%d: WARN_ON(%s)\n", __FILE__,	\
			__LINE__, #cond);				\
		abort();						\
	}								\
	host_warn;							\
})
#define WARN_ON_ONCE(cond) WARN_ON(cond)
#define WARN_ONCE(cond, ...) WARN_ON(cond)
#define BUG_ON(cond) ((void)WARN_ON(cond))

#endif
