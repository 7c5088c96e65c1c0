/* SPDX-License-Identifier: GPL-2.0-only */
/* User-space stand-in: memory that is counted when it is freed. */
#ifndef HOST_LINUX_SLAB_H
#define HOST_LINUX_SLAB_H

#include <linux/types.h>

struct memory {
	unsigned int frees;
};

static inline void kfree(void *memory)
{
	((struct memory *)memory)->frees++;
}

#endif
