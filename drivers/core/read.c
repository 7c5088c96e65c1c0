// SPDX-License-Identifier: GPL-2.0-only
/*
 * Read registers of one box. A read adds the gain of a plain value to the
 * events, and returns a verdict about each other value, and about controls. No
 * function changes the state of the box: verdict.c does.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/time64.h>

#include "read.h"

/* ---- time and rates ----------------------------------------------------- */

/* Return the ticks since @before, rounded up, including the time of sleep. */
u64 pmon_ticks_since(const struct pmon_box_hw *hw, u64 now, u64 before)
{
	u64 second = hw->ops->second;

	return now - before + 1 +
	       hw->ops->sleep_ns() / (NSEC_PER_SEC / second);
}

/* Return the largest gain of a counter in @ticks at 2^@rate_log2 a second. */
static u64 pmon_gain_max(u64 ticks, unsigned int rate_log2, u64 second)
{
	if (!(ticks >> (63 - rate_log2)))
		return (ticks << rate_log2) / second;
	ticks = ticks / second + 1;
	return ticks >> (63 - rate_log2) ? U64_MAX : ticks << rate_log2;
}

static u8 pmon_counter_rate_log2(const struct pmon_box_hw *hw, unsigned int i)
{
	const struct pmon_protocol *protocol = hw->layout.protocol;

	return hw->counter[i].counted->rate_log2 ?:
	       hw->layout.counter[i].rate_log2 ?:
	       protocol ? protocol->rate_log2 : 0;
}

/* Return true if counter @i can have wrapped since its last read. */
bool pmon_may_wrap(const struct pmon_box_hw *hw, unsigned int i, u64 now)
{
	const struct pmon_hw_counter *counter = &hw->counter[i];
	u64 missing = counter->mask - (counter->value & counter->mask) + 1;
	u64 ticks = pmon_ticks_since(hw, now, counter->read_at);

	return missing <= pmon_gain_max(ticks, pmon_counter_rate_log2(hw, i) ?:
					PMON_FASTEST_RATE_LOG2,
					hw->ops->second);
}

/* Take the time now: the pass may have begun long before this read. */
bool pmon_is_too_much(const struct pmon_box_hw *hw, unsigned int i, u64 gain)
{
	u64 ticks = pmon_ticks_since(hw, READ_ONCE(*hw->ops->ticks),
				     hw->counter[i].read_at);

	return gain >= PMON_DELTA_SMALL &&
	       gain > pmon_gain_max(ticks, 3 + (pmon_counter_rate_log2(hw, i) ?:
						PMON_RATE_LOG2),
				    hw->ops->second);
}

/* ---- controls ----------------------------------------------------------- */

static u64 pmon_read_ctl_reg(const struct pmon_box_hw *hw, u32 reg, u8 bytes,
			     struct pmon_pass *pass)
{
	u64 all = GENMASK_ULL(8 * bytes - 1, 0), value;
	unsigned int tries = PMON_READS;

	do {
		value = pmon_read(&hw->regs, reg, bytes);
		if (value != all)
			return value;
	} while (--tries);
	pass->silent = reg;
	pass->silent_bytes = bytes;
	return PMON_NO_READING;
}

/* Read a control; of a split control, read the half that selects events. */
u64 pmon_read_ctl(const struct pmon_box_hw *hw, unsigned int i,
		  struct pmon_pass *pass)
{
	u8 bytes = hw->regs.ops->split && !(hw->ctl_event >> 32) ?
		   4 : hw->layout.ctl_bytes;

	return pmon_read_ctl_reg(hw, hw->layout.counter[i].ctl, bytes, pass);
}

/*
 * Compare a control with what its event needs, in event bits only: others may
 * read as 0.
 */
static bool pmon_ctl_differs(const struct pmon_box_hw *hw, unsigned int i,
			     struct pmon_pass *pass)
{
	const struct pmon_counter *desc = &hw->layout.counter[i];
	u64 event = desc->kind == PMON_COUNTER_FIXED ? desc->enable :
						       hw->ctl_event;
	u64 ctl = pmon_read_ctl(hw, i, pass);

	return ctl != PMON_NO_READING &&
	       (ctl ^ hw->counter[i].counted->ctl) & event;
}

/*
 * Check for a freeze of a counter that counts. Only a restart ends a freeze
 * that no register shows. If the box control of a CPMU is all-ones, all of 64
 * counters may be frozen: an event control shows whether the CPMU responds.
 */
static bool pmon_box_is_frozen(const struct pmon_box_hw *hw,
			       struct pmon_pass *pass)
{
	const struct pmon_protocol *protocol = hw->layout.protocol;
	u64 counting = hw->active & hw->controlled, each, own = 0, frozen;

	if (!protocol->bytes)
		return false;
	frozen = pmon_read_ctl_reg(hw, hw->layout.box_ctl, protocol->bytes,
				   pass) & protocol->freeze & ~protocol->run;
	if (!frozen)
		return false;
	for (each = counting; each; each &= each - 1)
		own |= hw->layout.counter[__ffs64(each)].freeze;
	if (own && pass->silent_bytes) {
		pass->silent_bytes = 0;
		pmon_read_ctl(hw, __ffs64(counting), pass);
	}
	return !pass->silent_bytes && frozen & (own ?: ~0ULL);
}

/*
 * Read the box control if @box_ctl, then the controls of @counters. End at the
 * first control that another program has changed, or that does not respond.
 * Skip controls that this driver could not write.
 */
void pmon_check(const struct pmon_box_hw *hw, u64 counters, bool box_ctl,
		struct pmon_pass *pass)
{
	bool differs = box_ctl && pmon_box_is_frozen(hw, pass);

	for (; counters && !differs && !pass->silent_bytes;
	     counters &= counters - 1) {
		unsigned int i = __ffs64(counters);

		if (!hw->counter[i].counted->failed)
			differs = pmon_ctl_differs(hw, i, pass);
	}
	pass->ctl = differs ? PMON_CTL_CHANGED :
		    pass->silent_bytes ? PMON_CTL_NOT_READ : PMON_CTL_UNCHANGED;
}

/* ---- counters ----------------------------------------------------------- */

/*
 * Read a counter up to @tries times, because boxes of Granite Rapids sometimes
 * read as all-ones (likwid PR 639), maybe in one half. A carry between the
 * halves of a split read makes the value too large by 2^32. So read the high
 * half before, too: without a carry both reads are equal.
 */
static u64 pmon_read_stable(const struct pmon_box_hw *hw, u32 reg,
			    unsigned int tries, struct pmon_pass *pass)
{
	bool split = hw->regs.ops->split;

	while (tries--) {
		u64 high = split ? pmon_read(&hw->regs, reg + 4, 4) : 0;
		u64 value = pmon_read(&hw->regs, reg, 8);

		if (value == PMON_NO_READING)
			continue;
		if (!split || (high == value >> 32 &&
			       (!tries || (high != U32_MAX &&
					   (u32)value != U32_MAX))))
			return value;
	}
	pass->silent = reg;
	pass->silent_bytes = 8;
	return PMON_NO_READING;
}

/*
 * Judge a value that is not plain: all-ones, a large gain, or one that went
 * back. Repeat a split read if a carry may have made the gain too large by
 * 2^32, or if the low half is all-ones. Return the bit of the counter, with a
 * verdict in @pass and the value in @latest, or 0 if the value was accepted.
 */
noinline u64 pmon_read_odd(struct pmon_box_hw *hw, unsigned int i, u64 value,
			   struct pmon_pass *pass)
{
	struct pmon_hw_counter *counter = &hw->counter[i];
	u64 before = counter->value & counter->mask;
	u64 gain = (value - before) & counter->mask;

	if (value == PMON_NO_READING ||
	    (hw->regs.ops->split &&
	     (gain > U32_MAX || (u32)value == U32_MAX)))
		value = pmon_read_stable(hw, counter->ctr_reg, PMON_READS - 1,
					 pass);
	if (value == PMON_NO_READING)
		return BIT_ULL(i);

	gain = (value - before) & counter->mask;
	if ((value & counter->mask) < before) {
		pass->back |= BIT_ULL(i);
	} else if (pmon_is_too_much(hw, i, gain)) {
		pass->jumped |= BIT_ULL(i);
	} else if (value == counter->held) {
		counter->held = PMON_NO_READING;
		pass->stale |= BIT_ULL(i);
	} else {
		pmon_accept(hw, counter, value, pass->now, gain);
		return 0;
	}
	counter->latest = value;
	return BIT_ULL(i);
}

/* Read values from which events count; returns false without an answer. */
bool pmon_read_values(struct pmon_box_hw *hw, u64 counters,
		      struct pmon_pass *pass)
{
	for (; counters; counters &= counters - 1) {
		struct pmon_hw_counter *counter =
			&hw->counter[__ffs64(counters)];
		u64 value = pmon_read_stable(hw, counter->ctr_reg, PMON_READS,
					     pass);

		if (value == PMON_NO_READING)
			return false;
		counter->value = value;
		counter->held = PMON_NO_READING;
	}
	return true;
}
