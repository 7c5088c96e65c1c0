// SPDX-License-Identifier: GPL-2.0-only
/*
 * Start and stop events: write the registers of one box. No counter register is
 * ever written.
 *
 * The start of the first event resets an idle box, so general-purpose counters
 * start at 0 and need no read. The stop of the last event freezes the box, then
 * reads the counters. In an active box one counter starts or stops while the
 * others count on. With @no_reset a start reads the counter, and a single
 * event, or any event of a box without box control, starts and stops without a
 * freeze. A free-running counter is read when an event starts or stops.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/minmax.h>

#include "program.h"

/* ---- writing ------------------------------------------------------------ */

int pmon_write_box(struct pmon_box_hw *hw, u64 val)
{
	return pmon_write(&hw->regs, hw->layout.box_ctl, val,
			  hw->layout.protocol->bytes);
}

/* Write a control of which a write may change only some bits. */
static noinline bool pmon_change_ctl(struct pmon_box_hw *hw, unsigned int i,
				     u64 val)
{
	struct pmon_hw_counter *counter = &hw->counter[i];
	u32 reg = hw->layout.counter[i].ctl;
	struct pmon_pass pass = { };

	if (counter->ctl == PMON_CTL_UNKNOWN)
		counter->ctl = pmon_read_ctl(hw, i, &pass);
	if (counter->ctl != PMON_NO_READING)
		counter->ctl = hw->regs.ops->write_ctl(&hw->regs, reg,
						       counter->ctl, val);
	return counter->ctl != PMON_NO_READING;
}

/* Write the high half of a split control only if it changes or is unknown. */
static __always_inline bool pmon_write_ctl(struct pmon_box_hw *hw,
					   unsigned int i, u64 val)
{
	struct pmon_hw_counter *counter = &hw->counter[i];
	u8 bytes = hw->layout.ctl_bytes;

	if (unlikely(hw->regs.ops->write_ctl))
		return pmon_change_ctl(hw, i, val);
	if (hw->regs.ops->split && val >> 32 == counter->ctl >> 32)
		bytes = 4;
	if (unlikely(pmon_write(&hw->regs, hw->layout.counter[i].ctl, val,
				bytes))) {
		counter->ctl = PMON_CTL_UNKNOWN;
		return false;
	}
	counter->ctl = val;
	return true;
}

static void pmon_write_ctls(struct pmon_box_hw *hw, u64 counters)
{
	u64 refused = 0;

	for (; counters; counters &= counters - 1) {
		unsigned int i = __ffs64(counters);

		if (!pmon_write_ctl(hw, i, hw->assigned[i]->ctl))
			refused |= counters & -counters;
	}
	if (unlikely(refused))
		pmon_hw_fail(hw, refused, PMON_START_FAILED);
}

/*
 * Stop events: zero the controls that are not known to be 0. Keep a known high
 * half of a split control, because event select 0 counts nothing. If a write
 * fails, the counter counts on, and is read before its next event starts.
 */
void pmon_clear_ctls(struct pmon_box_hw *hw, u64 counters)
{
	for (; counters; counters &= counters - 1) {
		unsigned int i = __ffs64(counters);
		u64 ctl = hw->counter[i].ctl, val = 0;

		if (hw->regs.ops->split && ctl < PMON_CTL_HIGH)
			val = ctl & PMON_CTL_HIGH;
		if (ctl != val)
			pmon_write_ctl(hw, i, val);
	}
}

/*
 * Write the filters of events, a shared register once. Where the control holds
 * an earlier event, clear it first if a write may change only some of its bits.
 */
static void pmon_write_filters(struct pmon_box_hw *hw, u64 counters)
{
	const struct pmon_layout *layout = &hw->layout;
	u64 refused = 0, written = 0;

	if (!layout->filter_bytes)
		return;
	for (; counters; counters &= counters - 1) {
		unsigned int i = __ffs64(counters);
		const struct pmon_event *event = hw->assigned[i];

		if (!event->uses_filter || (written && event->shares_filter))
			continue;
		if (hw->regs.ops->write_ctl)
			pmon_write_ctl(hw, i, 0);
		if (pmon_write(&hw->regs, layout->counter[i].filter,
			       event->filter, layout->filter_bytes))
			refused |= BIT_ULL(i);
		else
			written |= BIT_ULL(i);
	}
	hw->filtered |= written != 0;
	if (unlikely(refused))
		pmon_hw_fail(hw, refused, PMON_START_FAILED);
}

/* ---- events start -------------------------------------------------------- */

/*
 * Read the counters @unread, before events start on @counters. If a read fails,
 * events of all @counters fail.
 */
static noinline void pmon_hw_read_values(struct pmon_box_hw *hw, u64 counters,
					 u64 unread)
{
	struct pmon_pass pass = { };

	if (hw->state == PMON_BOX_READY &&
	    pmon_read_values(hw, unread, &pass))
		return;
	if (hw->state == PMON_BOX_READY)
		pmon_hw_react(hw, 0, &pass);
	pmon_hw_fail(hw, counters, PMON_START_FAILED);
}

static inline void pmon_read_baselines(struct pmon_box_hw *hw, u64 counters,
				       u64 unread)
{
	if (unlikely(unread))
		pmon_hw_read_values(hw, counters, unread);
}

/*
 * Start the first events of a box with @no_reset. Zero other controls, because
 * another program, or a group that ended with a freeze, may have left counters
 * enabled. A counter with a known control is off or frozen, so it needs no stop
 * before the read. Enable a group before the freeze, because the effect of a
 * freeze on a disabled counter is not specified (CXL 4.0, table 8-183).
 */
static int pmon_begin_no_reset(struct pmon_box_hw *hw, u64 counters)
{
	const struct pmon_protocol *protocol = hw->layout.protocol;
	bool alone = !protocol->bytes || hweight64(counters) == 1;
	u64 stop = hw->controlled;
	int ret;

	if (protocol->bytes &&
	    (!alone || hw->counter[__ffs64(counters)].ctl != PMON_CTL_UNKNOWN))
		stop &= ~counters;
	pmon_clear_ctls(hw, stop);
	pmon_write_filters(hw, counters);
	if (alone)
		pmon_read_baselines(hw, counters, counters);
	pmon_write_ctls(hw, counters);
	if (!alone) {
		ret = pmon_write_box(hw, protocol->reset);
		if (unlikely(ret))
			return ret;
		pmon_read_baselines(hw, counters, counters);
	}
	return protocol->bytes ? pmon_write_box(hw, protocol->run) : 0;
}

/*
 * Start the first events of a box with a reset. No public document specifies
 * whether a reset zeroes the fixed counter and the high halves of controls. So
 * the fixed counter is read, and a high half that was not 0 becomes unknown.
 */
static int pmon_begin_reset(struct pmon_box_hw *hw, u64 counters, u64 now)
{
	int ret = pmon_write_box(hw, hw->layout.protocol->reset);
	struct pmon_hw_counter *counter = hw->counter;
	u64 reset;

	if (unlikely(ret))
		return ret;

	for (reset = hw->controlled; reset; counter++, reset >>= 1) {
		if (!(reset & 1))
			continue;
		counter->ctl = counter->ctl >> 32 ? PMON_CTL_HIGH : 0;
		counter->held = counter->value ?: PMON_NO_READING;
		counter->value = 0;
	}
	hw->reset_at = now;
	pmon_write_filters(hw, counters);
	pmon_write_ctls(hw, counters);
	pmon_read_baselines(hw, counters, counters & ~hw->layout.general);
	return pmon_write_box(hw, hw->layout.protocol->run);
}

/*
 * Return the counters of @start to read before they start: counters with an
 * unknown control, and those in @idle, as a program or sleep may have changed
 * the value. Of @idle skip counters in @zeroed read within the last second.
 */
static u64 pmon_hw_without_value(const struct pmon_box_hw *hw, u64 start,
				 u64 idle, u64 now)
{
	u64 unread = idle & ~hw->zeroed, each;

	for (each = start & hw->controlled & ~unread; each; each &= each - 1) {
		const struct pmon_hw_counter *counter =
			&hw->counter[__ffs64(each)];

		if (counter->ctl == PMON_CTL_UNKNOWN ||
		    (idle & each & -each &&
		     pmon_ticks_since(hw, now, max(counter->read_at,
						   hw->reset_at)) >
		     hw->ops->second))
			unread |= each & -each;
	}
	return unread;
}

/* Start @counters in an idle box, and the free-running counters @idle. */
static void pmon_hw_start_first(struct pmon_box_hw *hw, u64 counters, u64 idle,
				u64 now)
{
	hw->used = true;
	if (unlikely(hw->layout.protocol->no_reset ?
		     pmon_begin_no_reset(hw, counters) :
		     pmon_begin_reset(hw, counters, now))) {
		hw->needs_setup = true;
		pmon_hw_fail(hw, counters, PMON_START_FAILED);
	}
	pmon_read_baselines(hw, idle, idle);
}

/* Start events as in @change; returns the counters to add to @active. */
static u64 pmon_hw_start(struct pmon_box_hw *hw,
			 const struct pmon_change *change, u64 now)
{
	u64 start = change->start, counters = start & hw->controlled;
	u64 idle = start & ~change->stop;
	struct pmon_event *event;

	if (unlikely(hw->state != PMON_BOX_READY)) {
		pmon_hw_fail(hw, start, PMON_START_FAILED);
		return 0;
	}
	if (counters && !(hw->active & hw->controlled)) {
		pmon_hw_start_first(hw, counters, idle & ~counters, now);
	} else {
		pmon_read_baselines(hw, start,
				    pmon_hw_without_value(hw, start, idle,
							  now));
		if (hw->state != PMON_BOX_READY)
			return 0;
		pmon_write_filters(hw, counters);
		pmon_write_ctls(hw, counters);
	}
	for (counters = start; counters; counters &= counters - 1) {
		unsigned int i = __ffs64(counters);
		struct pmon_hw_counter *counter = &hw->counter[i];

		counter->read_at = now;
		counter->baseline = counter->value & counter->mask;
		if (counter->counted != hw->assigned[i] && hw->assigned[i]) {
			counter->began = now;
			counter->counted = hw->assigned[i];
		}
		for (event = counter->counted; event; event = event->next)
			event->counted_on = i;
	}
	return start;
}

/* ---- events stop --------------------------------------------------------- */

static int pmon_hw_freeze(struct pmon_box_hw *hw)
{
	const struct pmon_protocol *protocol = hw->layout.protocol;
	u64 counters = hw->active & hw->controlled;
	int ret = 0;

	if (protocol->no_reset &&
	    (!protocol->bytes || hweight64(counters) == 1)) {
		pmon_clear_ctls(hw, counters);
		return 0;
	}
	ret = pmon_write_box(hw, protocol->freeze);
	if (unlikely(ret) && protocol->no_reset)
		pmon_clear_ctls(hw, hw->controlled);
	return ret;
}

/*
 * Stop events. First check the controls of events that have run for a second,
 * because a change by another program makes the count wrong; for shorter events
 * the access costs too much. Also check the controls of counters that may have
 * wrapped, before a write clears the controls.
 */
void pmon_hw_stop(struct pmon_box_hw *hw, const struct pmon_change *change,
		  struct pmon_pass *pass)
{
	u64 counters = change->stop, each, lasted = 0, check = 0, unread;
	u64 stop = counters & hw->controlled;

	for (each = counters & hw->controlled; each; each &= each - 1) {
		unsigned int i = __ffs64(each);

		if (pass->now - hw->counter[i].began >= hw->ops->second)
			lasted |= BIT_ULL(i);
		else if (!(hw->zeroed & BIT_ULL(i)) &&
			 pmon_may_wrap(hw, i, pass->now))
			check |= BIT_ULL(i);
	}
	pass->ctl = PMON_CTL_UNCHANGED;
	if (lasted | check && hw->state == PMON_BOX_READY)
		pmon_hw_check(hw, lasted | check, lasted, pass);

	if (hw->state == PMON_BOX_READY) {
		if (stop == (hw->active & hw->controlled) && stop &&
		    !(change->start & hw->controlled))
			pmon_hw_freeze(hw);
		else
			pmon_clear_ctls(hw, stop);
	}
	unread = pmon_hw_read_pass(hw, counters, pass);
	if (unlikely(unread))
		pmon_hw_fail(hw, unread, PMON_END_FAILED);
	if (lasted)
		pmon_hw_check_clock(hw, lasted & ~unread, pass->now);
	pmon_hw_detach(hw, counters);
}

/* ---- changes are applied ------------------------------------------------- */

/*
 * Stop and start all events, so that no change by another program remains. Also
 * start events that were added, and stop events that were deleted, since apply.
 * If the box does not freeze, its events fail as if they had not started.
 */
void pmon_hw_restart(struct pmon_box_hw *hw, struct pmon_pass *pass)
{
	u64 stop = hw->active & hw->controlled;
	struct pmon_change change = { .stop = stop };
	u64 when = hw->ops->clock(), now;

	if (unlikely(pmon_hw_freeze(hw))) {
		hw->needs_setup = true;
		pmon_hw_fail(hw, hw->taken & hw->controlled, PMON_START_FAILED);
		return;
	}
	if (pmon_hw_read_pass(hw, hw->active, pass))
		return;

	pmon_hw_detach(hw, pmon_hw_compare(hw).stop & stop);
	/* The pass may have begun long before. */
	now = READ_ONCE(*hw->ops->ticks);
	change.start = hw->taken & hw->controlled;
	hw->dirty &= ~hw->controlled;
	WRITE_ONCE(hw->active, hw->active & ~stop);
	if (change.start) {
		WRITE_ONCE(hw->active,
			   hw->active | pmon_hw_start(hw, &change, now));
		hw->frozen_ns += hw->ops->clock() - when;
	}
}

/*
 * Return true if an event has joined others in a box with @no_reset, on a
 * counter that was idle. The start ends no freeze by others, and a write of the
 * box control would hide the freeze.
 */
static bool pmon_hw_joins(const struct pmon_box_hw *hw,
			  const struct pmon_change *change, u64 started)
{
	const struct pmon_protocol *protocol = hw->layout.protocol;
	u64 others = hw->controlled & ~change->stop;

	return protocol && protocol->no_reset && started & others &&
	       hw->active & others && hw->state == PMON_BOX_READY;
}

static void pmon_hw_program(struct pmon_box_hw *hw)
{
	struct pmon_pass pass = { .now = READ_ONCE(*hw->ops->ticks) };
	struct pmon_change change;
	u64 started = 0;
	bool joins = false;

	if (unlikely(hw->state != PMON_BOX_READY))
		pmon_hw_end_unread(hw, hw->dirty & hw->taken & hw->active &
				       ~hw->controlled);
	change = pmon_hw_compare(hw);
	hw->dirty = 0;
	if (change.stop)
		pmon_hw_stop(hw, &change, &pass);
	if (change.start) {
		started = pmon_hw_start(hw, &change, pass.now);
		joins = pmon_hw_joins(hw, &change, started);
	}
	WRITE_ONCE(hw->active, (hw->active & ~change.stop) | started);
	if (unlikely(joins) && pass.ctl != PMON_CTL_CHANGED)
		pmon_hw_check(hw, 0, true, &pass);
	/* If a change was found, the other events may be affected, too. */
	if (unlikely(pass.ctl == PMON_CTL_CHANGED) &&
	    hw->state == PMON_BOX_READY && hw->active & hw->controlled)
		pmon_hw_restart(hw, &pass);
}

/*
 * Detach all events after a refused write or a reset, without a last read. The
 * counts are unknown, so events that were deleted meanwhile fail.
 */
static void pmon_hw_drop(struct pmon_box_hw *hw)
{
	pmon_hw_end_unread(hw, hw->active & hw->controlled);
	pmon_hw_detach(hw, hw->active & hw->controlled);
	if (!(hw->taken & hw->controlled))
		pmon_hw_freeze(hw);
	hw->active &= ~hw->controlled;
	pmon_hw_set_unknown(hw);
	hw->needs_setup = false;
}

void pmon_hw_apply(struct pmon_box_hw *hw)
{
	if (unlikely(hw->needs_setup))
		pmon_hw_drop(hw);
	if (unlikely(hw->state > PMON_BOX_UNRESPONSIVE)) {
		hw->dirty = 0;
		return;
	}
	pmon_hw_program(hw);
}
