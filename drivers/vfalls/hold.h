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
 * @value: what they want
 * @before: what was there
 */
struct vfalls_hold {
	unsigned int users;
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

/* One less; after the last one the bits are again what they were. */
int vfalls_hold_end(struct vfalls_hold *hold, const struct vfalls_hv *hv,
		    unsigned int reg, u64 mask);

#endif
