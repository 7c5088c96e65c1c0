/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_ATOMIC_H
#define HOST_LINUX_ATOMIC_H

/* Define only the type, because code in user space uses no atomic_t member. */
typedef struct {
	int counter;
} atomic_t;

#endif /* HOST_LINUX_ATOMIC_H */
