/* SPDX-License-Identifier: GPL-2.0-only */
/* User-space stand-in: a lock that knows whether it is held. */
#ifndef HOST_LINUX_MUTEX_H
#define HOST_LINUX_MUTEX_H

#include <linux/bug.h>
#include <linux/types.h>

struct mutex {
	bool held;
};

static inline void mutex_lock(struct mutex *lock)
{
	WARN_ON(lock->held);
	lock->held = true;
}

static inline void mutex_unlock(struct mutex *lock)
{
	WARN_ON(!lock->held);
	lock->held = false;
}

#endif
