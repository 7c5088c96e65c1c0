/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Some bits of a register that are to have a value while events count: the
 * control of the L2 banks, the hyperprivileged bit of a strand. Pure.
 */
#ifndef PMON_VFALLS_HOLD_H
#define PMON_VFALLS_HOLD_H

#include <linux/types.h>

#include "call.h"

/**
 * struct vfalls_hold - what is held in a register
 * @users: events that want @value there
 * @owed: @before was refused when the last of them ended
 * @value: what they want, or the last ones wanted
 * @before: what was there
 */
struct vfalls_hold {
	unsigned int users;
	bool owed;
	u64 value;
	u64 before;
};

/**
 * vfalls_hold_begin() - one more event wants a value
 * @hold: of the register; the caller serialises
 * @hv: how to call the hypervisor
 * @reg: the register
 * @mask: its bits that are meant
 * @value: what they shall be
 *
 * Return: 0, -EBUSY while other events want another value, or what the
 * hypervisor says.
 */
int vfalls_hold_begin(struct vfalls_hold *hold, const struct vfalls_hv *hv,
		      unsigned int reg, u64 mask, u64 value);

/**
 * vfalls_hold_end() - one event less wants the value
 * @hold: of the register
 * @hv: how to call the hypervisor
 * @reg: the register
 * @mask: its bits that are meant
 *
 * After the last one the bits are again what they were.
 *
 * Return: 0, 1 when the bits had not the value any more, because the kernel or
 * another guest has written them, or what the hypervisor says: then it is owed.
 */
int vfalls_hold_end(struct vfalls_hold *hold, const struct vfalls_hv *hv,
		    unsigned int reg, u64 mask);

/*
 * Write the bits @mask of @reg back that vfalls_hold_begin() found there, if
 * vfalls_hold_end() could not, no event holds them again, and @reg still has
 * what vfalls_hold_begin() wrote. What the kernel or another guest has written
 * since stays.
 */
int vfalls_hold_hand_back(struct vfalls_hold *hold, const struct vfalls_hv *hv,
			  unsigned int reg, u64 mask);

/* Are the bits not what they were? */
static inline bool vfalls_hold_is_used(const struct vfalls_hold *hold)
{
	return hold->users || hold->owed;
}

#endif
