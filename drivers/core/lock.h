/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Take the lock of a box, with interrupts off. Each CPU counts the locks that
 * it holds or waits for: a probe (kprobe, BPF) in the middle of an access may
 * read an event, and must not wait for its own CPU.
 */
#ifndef PMON_LOCK_H
#define PMON_LOCK_H

#include <linux/percpu.h>
#include <linux/spinlock.h>

#include <compat/cleanup.h>

#include "core.h"

DECLARE_PER_CPU(unsigned int, pmon_box_locks);

static inline void pmon_box_lock(struct pmon_box *box)
{
	unsigned long flags;

	local_irq_save(flags);
	raw_cpu_inc(pmon_box_locks);
	raw_spin_lock(&box->lock);
	box->flags = flags;
}

static inline bool pmon_box_trylock(struct pmon_box *box)
{
	unsigned long flags;

	local_irq_save(flags);
	raw_cpu_inc(pmon_box_locks);
	if (raw_spin_trylock(&box->lock)) {
		box->flags = flags;
		return true;
	}
	raw_cpu_dec(pmon_box_locks);
	local_irq_restore(flags);
	return false;
}

static inline void pmon_box_unlock(struct pmon_box *box)
{
	unsigned long flags = box->flags;

	raw_spin_unlock(&box->lock);
	raw_cpu_dec(pmon_box_locks);
	local_irq_restore(flags);
}

COMPAT_DEFINE_GUARD(pmon_box, struct pmon_box *, pmon_box_lock(_T),
		    pmon_box_unlock(_T))

#endif /* PMON_LOCK_H */
