// SPDX-License-Identifier: GPL-2.0-only
/*
 * React to what reads found: a register that does not respond, a control that
 * another program changed, a value that went back, or a gain beyond any clock.
 * Only pmon_hw_react() reacts.
 */
#include <linux/bitops.h>
#include <linux/bits.h>

#include "verdict.h"

/* Count a change by another program, after which no control is known. */
void pmon_hw_count_disturbance(struct pmon_box_hw *hw)
{
	u64 counters;

	hw->disturbed++;
	for (counters = hw->controlled; counters; counters &= counters - 1)
		hw->counter[__ffs64(counters)].ctl = PMON_CTL_UNKNOWN;
	hw->ops->report(hw);
}

static void pmon_hw_count_once(struct pmon_box_hw *hw, struct pmon_pass *pass)
{
	if (!pass->counted)
		pmon_hw_count_disturbance(hw);
	pass->counted = true;
}

/* Return the counters in @back whose controls decide: a wrap, or a reset? */
static u64 pmon_undecided(const struct pmon_box_hw *hw,
			  const struct pmon_pass *pass)
{
	u64 undecided = 0, each;

	for (each = pass->back & hw->controlled; each; each &= each - 1)
		if (pmon_may_wrap(hw, __ffs64(each), pass->now))
			undecided |= each & -each;
	return undecided;
}

/*
 * Return the gain of a counter whose value went back. After a reset it is the
 * value if the counter is free-running and the cause (sleep, or a change of the
 * box) is known, else 0. Sleep resets free-running counters.
 */
static u64 pmon_hw_gain_back(struct pmon_box_hw *hw, unsigned int i,
			     struct pmon_pass *pass)
{
	struct pmon_hw_counter *counter = &hw->counter[i];
	bool changed = pass->ctl == PMON_CTL_CHANGED;
	bool controlled = hw->controlled & BIT_ULL(i);
	u64 slept = hw->ops->sleep_ns();

	if (!changed && (controlled || !slept) &&
	    pmon_may_wrap(hw, i, pass->now))
		return (counter->latest - counter->value) & counter->mask;
	pmon_hw_count_once(hw, pass);
	counter->baseline = 0;
	return !controlled && (changed || slept) ?
	       counter->latest & counter->mask : 0;
}

static void pmon_hw_accept_odd(struct pmon_box_hw *hw, unsigned int i,
			       struct pmon_pass *pass)
{
	struct pmon_hw_counter *counter = &hw->counter[i];
	u64 bit = BIT_ULL(i), gain = 0;

	if (pass->back & bit)
		gain = pmon_hw_gain_back(hw, i, pass);
	if (pass->stale & bit && pass->ctl != PMON_CTL_CHANGED)
		gain = (counter->latest - counter->value) & counter->mask;
	if (pass->jumped & bit || pmon_is_too_much(hw, i, gain)) {
		pmon_hw_count_once(hw, pass);
		gain = 0;
	}
	pmon_accept(hw, counter, counter->latest, pass->now, gain);
}

/*
 * React to @pass, and to the values of the counters @odd. Return the counters
 * that keep their last value, because the box does not respond.
 */
noinline u64 pmon_hw_react(struct pmon_box_hw *hw, u64 odd,
			   struct pmon_pass *pass)
{
	u64 each;

	/* A counter that ticks reset went back: no other value is a wrap. */
	if (pass->back & hw->zeroed)
		pass->ctl = PMON_CTL_CHANGED;
	if (pass->ctl == PMON_CTL_NOT_READ && !pass->silent_bytes) {
		each = pmon_undecided(hw, pass);
		if (each)
			pmon_check(hw, each, false, pass);
	}
	/*
	 * A counter has the value from before the reset of its start. If the
	 * controls show that the box, which was away just then, did not get the
	 * writes of the start, set it up again in the next apply.
	 */
	if (pass->stale && pass->ctl == PMON_CTL_NOT_READ &&
	    !pass->silent_bytes) {
		pmon_check(hw, pass->stale, !pass->frozen, pass);
		hw->needs_setup |= pass->ctl == PMON_CTL_CHANGED;
	}
	if (pass->ctl == PMON_CTL_CHANGED)
		pmon_hw_count_once(hw, pass);
	if (pass->silent_bytes) {
		/* Probes read the first register without response. */
		if (hw->state == PMON_BOX_READY) {
			hw->probe_reg = pass->silent;
			hw->probe_bytes = pass->silent_bytes;
		}
		pmon_hw_set_state(hw, PMON_BOX_UNRESPONSIVE);
		return odd;
	}
	for (each = odd; each; each &= each - 1)
		pmon_hw_accept_odd(hw, __ffs64(each), pass);
	pass->back = 0;
	pass->jumped = 0;
	pass->stale = 0;
	return 0;
}

/* Report a freeze if a clock gained 0 in 1 s, even if no register shows it. */
void pmon_hw_check_clock(struct pmon_box_hw *hw, u64 counters, u64 now)
{
	if (!hw->layout.clock || now - hw->reset_at < hw->ops->second)
		return;
	for (; counters; counters &= counters - 1) {
		const struct pmon_hw_counter *counter =
			&hw->counter[__ffs64(counters)];

		if (counter->counted->ctl != hw->layout.clock ||
		    (counter->value & counter->mask) != counter->baseline)
			continue;
		hw->stalls++;
		hw->ops->report(hw);
	}
}

/* ---- reads -------------------------------------------------------------- */

/* If this were inline, every read would save registers. */
static noinline void pmon_hw_read_odd(struct pmon_box_hw *hw, unsigned int i,
				      u64 value, u64 now)
{
	struct pmon_pass pass = { .now = now };
	u64 odd = pmon_read_odd(hw, i, value, &pass);

	if (odd)
		pmon_hw_react(hw, odd, &pass);
}

void pmon_hw_read_one(struct pmon_box_hw *hw, unsigned int i)
{
	struct pmon_hw_counter *counter = &hw->counter[i];
	u64 now, value;

	if (unlikely(hw->state != PMON_BOX_READY))
		return;
	now = READ_ONCE(*hw->ops->ticks);
	value = pmon_read(&hw->regs, counter->ctr_reg, 8);
	if (unlikely(!pmon_accept_plain(hw, counter, value, now)))
		pmon_hw_read_odd(hw, i, value, now);
}
