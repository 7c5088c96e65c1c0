/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_CONTAINER_OF_H
#define HOST_LINUX_CONTAINER_OF_H

#include <stddef.h>

#define container_of(ptr, type, member) \
	((type *)((char *)(1 ? (ptr) : &((type *)0)->member) - \
		  offsetof(type, member)))

#endif
