/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Scope-based release: guard(), scoped_guard(), __free(). Kernels since 6.5,
 * and 6.1 with current stable updates, have <linux/cleanup.h>; earlier 6.1
 * kernels get compatible definitions of the macros used here.
 */
#ifndef COMPAT_CLEANUP_H
#define COMPAT_CLEANUP_H

#include <linux/device.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#if __has_include("linux/cleanup.h") && !defined(COMPAT_OLD_CLEANUP)

#include <linux/cleanup.h>

#define COMPAT_DEFINE_GUARD(name, type, lock_it, unlock_it)		\
	DEFINE_GUARD(name, type, lock_it, unlock_it)

#else

/*
 * With COMPAT_OLD_CLEANUP tests build the definitions below on newer kernels,
 * whose headers above have used the kernel's macros by now.
 */
#undef __free
#undef no_free_ptr
#undef return_ptr
#undef guard
#undef scoped_guard

#define COMPAT_FREE(name, expr)						\
	static inline void compat_free_##name(void *where)		\
	{								\
		void *_p = *(void **)where;				\
									\
		if (!IS_ERR_OR_NULL(_p))				\
			expr;						\
	}

COMPAT_FREE(kfree, kfree(_p))
COMPAT_FREE(put_device, put_device(_p))
COMPAT_FREE(pci_dev_put, pci_dev_put(_p))

#define __free(name)	__attribute__((__cleanup__(compat_free_##name)))

#define no_free_ptr(p) \
	({ __auto_type _taken = (p); (p) = NULL; _taken; })
#define return_ptr(p)	return no_free_ptr(p)

#define COMPAT_GUARD(name, type, lock_it, unlock_it)			\
	struct compat_guard_##name {					\
		type *lock;						\
		unsigned long flags;					\
	};								\
	static __always_inline struct compat_guard_##name		\
	compat_lock_##name(type *_l)					\
	{								\
		struct compat_guard_##name _g = { .lock = _l };		\
									\
		lock_it;						\
		return _g;						\
	}								\
	static __always_inline void					\
	compat_unlock_##name(struct compat_guard_##name *_held)		\
	{								\
		struct compat_guard_##name _g = *_held;			\
									\
		unlock_it;						\
	}

COMPAT_GUARD(mutex, struct mutex, mutex_lock(_l), mutex_unlock(_g.lock))
COMPAT_GUARD(spinlock, spinlock_t, spin_lock(_l), spin_unlock(_g.lock))
COMPAT_GUARD(raw_spinlock, raw_spinlock_t,
	     raw_spin_lock(_l), raw_spin_unlock(_g.lock))
COMPAT_GUARD(raw_spinlock_irq, raw_spinlock_t,
	     raw_spin_lock_irq(_l), raw_spin_unlock_irq(_g.lock))
COMPAT_GUARD(raw_spinlock_irqsave, raw_spinlock_t,
	     raw_spin_lock_irqsave(_l, _g.flags),
	     raw_spin_unlock_irqrestore(_g.lock, _g.flags))

/* Guard of a driver's lock type; _T is the lock, as in DEFINE_GUARD(). */
#define COMPAT_DEFINE_GUARD(name, type, lock_it, unlock_it)		\
	struct compat_guard_##name {					\
		type lock;						\
	};								\
	static __always_inline struct compat_guard_##name		\
	compat_lock_##name(type _T)					\
	{								\
		lock_it;						\
		return (struct compat_guard_##name){ .lock = _T };	\
	}								\
	static __always_inline void					\
	compat_unlock_##name(struct compat_guard_##name *_held)		\
	{								\
		type _T = _held->lock;					\
									\
		unlock_it;						\
	}

#define guard(name)							\
	struct compat_guard_##name __UNIQUE_ID(compat_guard)		\
	__attribute__((__cleanup__(compat_unlock_##name))) =		\
	compat_lock_##name

#define scoped_guard(name, args...)					\
	for (struct compat_guard_##name _scope				\
	     __attribute__((__cleanup__(compat_unlock_##name))) =	\
	     compat_lock_##name(args), *_once = &_scope;		\
	     _once; _once = NULL)

#endif

#endif /* COMPAT_CLEANUP_H */
