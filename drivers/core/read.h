/* SPDX-License-Identifier: GPL-2.0-only */
/* Read registers of one box. Nothing here changes the state of the box. */
#ifndef PMON_READ_H
#define PMON_READ_H

#include <linux/bitops.h>
#include <linux/compiler.h>

#include <asm/local64.h>

#include "box_hw.h"

/* A register is all-ones if this many reads in a row return all-ones. */
#define PMON_READS	4

enum pmon_ctl_state {
	PMON_CTL_NOT_READ,
	PMON_CTL_UNCHANGED,
	PMON_CTL_CHANGED,
};

/* Findings of the reads in one operation: a read(), a stop or a tick. */
struct pmon_pass {
	u64 now;			/* in ticks */
	u64 back;			/* counters whose value went back */
	u64 jumped;			/* counters that gained too much */
	u64 stale;			/* counters as before a reset */
	u32 silent;			/* first register without an answer */
	u8 silent_bytes;		/* 0: all answered */
	u8 ctl;				/* enum pmon_ctl_state, of those read */
	bool counted;			/* in @disturbed */
	bool frozen;			/* box frozen by this driver */
};

u64 pmon_ticks_since(const struct pmon_box_hw *hw, u64 now, u64 before);
bool pmon_may_wrap(const struct pmon_box_hw *hw, unsigned int i, u64 now);
bool pmon_is_too_much(const struct pmon_box_hw *hw, unsigned int i, u64 gain);
void pmon_check(const struct pmon_box_hw *hw, u64 counters, bool box_ctl,
		struct pmon_pass *pass);
u64 pmon_read_ctl(const struct pmon_box_hw *hw, unsigned int i,
		  struct pmon_pass *pass);
u64 pmon_read_odd(struct pmon_box_hw *hw, unsigned int i, u64 value,
		  struct pmon_pass *pass);
bool pmon_read_values(struct pmon_box_hw *hw, u64 counters,
		      struct pmon_pass *pass);

static __always_inline void pmon_accept(const struct pmon_box_hw *hw,
					struct pmon_hw_counter *counter,
					u64 value, u64 now, u64 gain)
{
	struct pmon_event *event;

	counter->value = value;
	counter->read_at = now;
	if (!gain)
		return;
	for (event = counter->counted; event; event = event->next) {
		local64_t *count;

		if (event->counted_on < 0 || event->failed)
			continue;
		count = (void *)event + hw->ops->count;
		local64_add(gain, count);
	}
}

/*
 * Add the gain of counter @i; return false if @value is odd. @gain has 64 bits,
 * so a value that went back gives a large @gain, and all-ones are odd, too.
 */
static __always_inline bool pmon_accept_plain(const struct pmon_box_hw *hw,
					      struct pmon_hw_counter *counter,
					      u64 value, u64 now)
{
	u64 gain = value - counter->value;

	if (unlikely(gain >= PMON_DELTA_SMALL || (u32)value == U32_MAX ||
		     value == counter->held))
		return false;
	pmon_accept(hw, counter, value, now, gain);
	return true;
}

/* Read @counters until one does not respond; returns those not accepted. */
static __always_inline u64 pmon_read_pass(struct pmon_box_hw *hw, u64 counters,
					  struct pmon_pass *pass)
{
	u64 odd = 0;

	for (; counters; counters &= counters - 1) {
		unsigned int i = __ffs64(counters);
		struct pmon_hw_counter *counter = &hw->counter[i];
		u64 value = pmon_read(&hw->regs, counter->ctr_reg, 8);

		if (likely(pmon_accept_plain(hw, counter, value, pass->now)))
			continue;
		odd |= pmon_read_odd(hw, i, value, pass);
		if (pass->silent_bytes)
			return odd | counters;
	}
	return odd;
}

#endif /* PMON_READ_H */
