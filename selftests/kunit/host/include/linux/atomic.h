/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_ATOMIC_H
#define HOST_LINUX_ATOMIC_H

/* Define only the type, for members that pure code does not use. */
typedef struct {
	int counter;
} atomic_t;

#endif /* HOST_LINUX_ATOMIC_H */
