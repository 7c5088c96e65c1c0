/* SPDX-License-Identifier: GPL-2.0-only */
/* User-space stand-in: locks that know whether they are held, and interrupts. */
#ifndef HOST_LINUX_SPINLOCK_H
#define HOST_LINUX_SPINLOCK_H

#include <linux/bug.h>
#include <linux/types.h>

/* Types of their own: a guard that takes the other kind does not compile. */
typedef struct spinlock {
	bool held;
} spinlock_t;

typedef struct raw_spinlock {
	bool held;
} raw_spinlock_t;

static bool host_irqs_off;

static inline void spin_lock(spinlock_t *lock)
{
	WARN_ON(lock->held);
	lock->held = true;
}

static inline void spin_unlock(spinlock_t *lock)
{
	WARN_ON(!lock->held);
	lock->held = false;
}

static inline void raw_spin_lock(raw_spinlock_t *lock)
{
	WARN_ON(lock->held);
	lock->held = true;
}

static inline void raw_spin_unlock(raw_spinlock_t *lock)
{
	WARN_ON(!lock->held);
	lock->held = false;
}

static inline void raw_spin_lock_irq(raw_spinlock_t *lock)
{
	WARN_ON(host_irqs_off);
	host_irqs_off = true;
	raw_spin_lock(lock);
}

static inline void raw_spin_unlock_irq(raw_spinlock_t *lock)
{
	raw_spin_unlock(lock);
	host_irqs_off = false;
}

#define raw_spin_lock_irqsave(lock, flags) do {				\
	(flags) = host_irqs_off;					\
	host_irqs_off = true;						\
	raw_spin_lock(lock);						\
} while (0)

#define raw_spin_unlock_irqrestore(lock, flags) do {			\
	raw_spin_unlock(lock);						\
	host_irqs_off = (flags);					\
} while (0)

#endif
