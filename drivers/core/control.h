/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writing the control of a box and those of its counters. Inline: each start
 * and stop is some of these.
 */
#ifndef PMON_CONTROL_H
#define PMON_CONTROL_H

#include <linux/bits.h>
#include <linux/compiler.h>

#include "slot.h"

/* Write the box control. Returns 0, or an error when it was not written. */
static __always_inline int pmon_tell_box(struct pmon_bank *bank, u64 val,
					 u8 bytes)
{
	return pmon_write(&bank->regs, bank->layout.box_ctl, val, bytes);
}

/* The box counts after this. Returns as pmon_tell_box(). */
static __always_inline int pmon_run_box(struct pmon_bank *bank)
{
	const struct pmon_protocol *protocol = bank->layout.protocol;

	return pmon_tell_box(bank, protocol->run, protocol->bytes);
}

/*
 * A control of 8 bytes that is reached in halves needs only the low one when
 * the high one is known and stays as it is. Returns 0 when it was written.
 */
static __always_inline int pmon_write_ctl(struct pmon_bank *bank,
					  unsigned int i, u64 val)
{
	struct pmon_slot *slot = &bank->slot[i];
	u8 bytes = bank->layout.ctl_bytes;
	int ret;

	if (bank->regs.ops->split && slot->ctl >> 32 == val >> 32 &&
	    !(bank->halves & BIT_ULL(i)))
		bytes = 4;
	ret = pmon_write(&bank->regs, slot->ctl_reg, val, bytes);
	if (likely(!ret))
		slot->ctl = val;
	return ret;
}

#endif /* PMON_CONTROL_H */
