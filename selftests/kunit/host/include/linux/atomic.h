/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_ATOMIC_H
#define HOST_LINUX_ATOMIC_H

/* Only the type, for members of structures: pure code does not use them. */
typedef struct {
	int counter;
} atomic_t;

#endif /* HOST_LINUX_ATOMIC_H */
