/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Share functions between the files that drive one box. Each file calls only
 * those before it: assign.c, read.c, state.c, verdict.c, changes.c, program.c,
 * life.c.
 */
#ifndef PMON_ROOMS_H
#define PMON_ROOMS_H

#include <linux/bitops.h>
#include <linux/compiler.h>

#include <asm/local64.h>

#include "box_hw.h"

/* ---- read.c: read registers. Changes no state of the box ------------------ */

/* A register is all-ones if this many reads in a row return all-ones. */
#define PMON_READS	4

enum pmon_ctl_state {
	PMON_CTL_NOT_READ,
	PMON_CTL_UNCHANGED,
	PMON_CTL_CHANGED,
};

/* What reads found in one operation: a read(), a stop or a tick. */
struct pmon_pass {
	u64 now;			/* in ticks */
	enum pmon_ctl_state ctl;	/* of the controls that were checked */
	bool counted;			/* in @disturbed */
	u64 back;			/* counters whose value went back */
	u64 jumped;			/* counters that gained too much */
	u32 silent;			/* first register without an answer */
	u8 silent_bytes;		/* 0: all answered */
};

u64 pmon_ticks_since(const struct pmon_box_hw *hw, u64 now, u64 before);
bool pmon_may_wrap(const struct pmon_box_hw *hw, unsigned int i, u64 now);
bool pmon_is_too_much(const struct pmon_box_hw *hw, unsigned int i, u64 gain);
void pmon_check(const struct pmon_box_hw *hw, u64 counters, bool box_ctl,
		struct pmon_pass *pass);
bool pmon_answers(const struct pmon_box_hw *hw, unsigned int i,
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

	if (unlikely(gain >= PMON_DELTA_SMALL || (u32)value == U32_MAX))
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

/* ---- verdict.c: react to what reads found --------------------------------- */

u64 pmon_hw_react(struct pmon_box_hw *hw, u64 odd, struct pmon_pass *pass);
void pmon_hw_count_disturbance(struct pmon_box_hw *hw);

/* Read the active @counters; returns the counters that gave no value. */
static __always_inline u64 pmon_hw_read_pass(struct pmon_box_hw *hw,
					     u64 counters,
					     struct pmon_pass *pass)
{
	u64 odd;

	if (unlikely(hw->state != PMON_BOX_READY))
		return counters;
	odd = pmon_read_pass(hw, counters, pass);
	return unlikely(odd) ? pmon_hw_react(hw, odd, pass) : 0;
}

/* Check controls; returns false if the box does not respond. */
static inline bool pmon_hw_check(struct pmon_box_hw *hw, u64 counters,
				 bool box_ctl, struct pmon_pass *pass)
{
	pmon_check(hw, counters, box_ctl, pass);
	if (unlikely(pass->ctl != PMON_CTL_UNCHANGED))
		pmon_hw_react(hw, 0, pass);
	return !pass->silent_bytes;
}

/* ---- changes.c: events that are added and deleted -------------------------- */

struct pmon_change {
	u64 stop;	/* counters to read a last time */
	u64 start;	/* counters on which events start */
};

void pmon_hw_report_failed(struct pmon_box_hw *hw);
struct pmon_change pmon_hw_compare(const struct pmon_box_hw *hw);

/* ---- program.c: start and stop events ------------------------------------- */

int pmon_write_box(struct pmon_box_hw *hw, u64 val);
void pmon_clear_ctls(struct pmon_box_hw *hw, u64 counters);
void pmon_hw_stop(struct pmon_box_hw *hw, const struct pmon_change *change,
		  struct pmon_pass *pass);
void pmon_hw_restart(struct pmon_box_hw *hw, struct pmon_pass *pass);

#endif /* PMON_ROOMS_H */
