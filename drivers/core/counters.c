// SPDX-License-Identifier: GPL-2.0-only
/*
 * Assign counters to the events of one box, and access the registers. No
 * counter register is ever written.
 *
 * The start of the first event resets an idle box, so general-purpose counters
 * start at 0 and need no read. The stop of the last event freezes the box, then
 * reads the counters. In an active box one counter starts or stops while the
 * others count on. Each tick stops and starts all events, so a general-purpose
 * counter never wraps: if its value went back, another program or firmware has
 * reset it. With @no_reset most ticks only read, a start reads the counter, and
 * a single event, or any event of a box without box control, starts and stops
 * without a freeze. A free-running counter is read when an event starts or
 * stops; every read adds the gain to all events of the counter.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/time64.h>

#include <asm/local64.h>

#include "box_hw.h"

/* ---- reading ------------------------------------------------------------ */

/* Return the ticks since @before, rounded up, including the time of sleep. */
static u64 pmon_hw_ticks_since(const struct pmon_box_hw *hw, u64 now,
			       u64 before)
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

/* Count a change by another program, and mark idle registers as unknown. */
static void pmon_hw_count_disturbance(struct pmon_box_hw *hw)
{
	u64 counters;

	hw->disturbed++;
	hw->filters_known = 0;
	for (counters = hw->controlled; counters; counters &= counters - 1) {
		struct pmon_hw_counter *counter =
			&hw->counter[__ffs64(counters)];

		if (!(hw->active & counters & -counters))
			counter->ctl = PMON_CTL_UNKNOWN;
		else if (hw->regs.ops->split)
			counter->ctl |= PMON_CTL_HIGH;
	}
	hw->ops->report(hw);
}

/* A register is all-ones if this many reads in a row return all-ones. */
#define PMON_READS	4

enum pmon_ctl_state {
	PMON_CTL_NOT_READ,
	PMON_CTL_UNCHANGED,
	PMON_CTL_CHANGED,
	PMON_CTL_ALL_ONES,
};

/* Reads of counters in one operation: a read(), a stop or a tick. */
struct pmon_pass {
	u64 now;			/* in ticks */
	enum pmon_ctl_state ctl;	/* CHANGED: counted in @disturbed */
};

/* Mark a box unresponsive; probes read the first register without response. */
static void pmon_hw_set_unresponsive(struct pmon_box_hw *hw, u32 reg, u8 bytes)
{
	if (hw->state == PMON_BOX_READY) {
		hw->probe_reg = reg;
		hw->probe_bytes = bytes;
	}
	pmon_hw_set_state(hw, PMON_BOX_UNRESPONSIVE);
}

static u64 pmon_hw_read_ctl_reg(struct pmon_box_hw *hw, u32 reg, u8 bytes)
{
	u64 all = GENMASK_ULL(8 * bytes - 1, 0), value;
	unsigned int tries = PMON_READS;

	do {
		value = pmon_read(&hw->regs, reg, bytes);
		if (value != all)
			return value;
	} while (--tries);
	pmon_hw_set_unresponsive(hw, reg, bytes);
	return PMON_NO_READING;
}

/* Check a control for changes, in event bits only: others may read as 0. */
static enum pmon_ctl_state pmon_hw_read_ctl(struct pmon_box_hw *hw,
					    unsigned int i)
{
	const struct pmon_counter *desc = &hw->layout.counter[i];
	u64 event = desc->kind == PMON_COUNTER_FIXED ? desc->enable :
						       hw->ctl_event;
	u8 bytes = hw->regs.ops->split && !(hw->ctl_event >> 32) ?
		   4 : hw->layout.ctl_bytes;
	u64 ctl = pmon_hw_read_ctl_reg(hw, desc->ctl, bytes);

	if (ctl == PMON_NO_READING)
		return PMON_CTL_ALL_ONES;
	return (ctl ^ hw->counter[i].ctl) & event &
	       GENMASK_ULL(8 * bytes - 1, 0) ?
		       PMON_CTL_CHANGED : PMON_CTL_UNCHANGED;
}

/* Check for a freeze. Only a restart ends a freeze that no register shows. */
static enum pmon_ctl_state pmon_hw_read_box_ctl(struct pmon_box_hw *hw)
{
	const struct pmon_protocol *protocol = hw->layout.protocol;
	u64 value;

	if (!protocol->bytes)
		return PMON_CTL_UNCHANGED;
	value = pmon_hw_read_ctl_reg(hw, hw->layout.box_ctl, protocol->bytes);
	if (value == PMON_NO_READING)
		return PMON_CTL_ALL_ONES;
	return value & protocol->freeze & ~protocol->run ?
		       PMON_CTL_CHANGED : PMON_CTL_UNCHANGED;
}

/*
 * Read the box control if @box_ctl, then the controls of @counters. End at the
 * first control that another program has changed, or that does not respond.
 * Skip controls that this driver has cleared, or could not write.
 */
static enum pmon_ctl_state pmon_hw_check(struct pmon_box_hw *hw, u64 counters,
					 bool box_ctl)
{
	enum pmon_ctl_state state = PMON_CTL_UNCHANGED;

	if (box_ctl)
		state = pmon_hw_read_box_ctl(hw);
	for (; counters && state == PMON_CTL_UNCHANGED;
	     counters &= counters - 1) {
		unsigned int i = __ffs64(counters);

		if (hw->counter[i].ctl == hw->counter[i].counted->ctl)
			state = pmon_hw_read_ctl(hw, i);
	}
	if (state == PMON_CTL_CHANGED)
		pmon_hw_count_disturbance(hw);
	return state;
}

/* A counter that gains 2^38 a second gains less than 2^30 in this time. */
#define PMON_CARRY_NS	3000000
#define PMON_CARRY_NEAR	GENMASK(31, 30)

/*
 * Read a counter up to @tries times, because boxes of Granite Rapids sometimes
 * read as all-ones (likwid PR 639), maybe in one half. A carry between the
 * halves of a split read makes the value too large by 2^32. So read a low half
 * close to 2^32 again: after a carry it is smaller. Repeat a read that takes
 * longer than PMON_CARRY_NS, because it may hide a carry.
 */
static u64 pmon_hw_read_stable(const struct pmon_box_hw *hw, u32 reg,
			       unsigned int tries)
{
	const struct pmon_regs *regs = &hw->regs;

	while (tries--) {
		u64 begin = hw->ops->clock();
		u64 value = pmon_read(regs, reg, 8);

		if (value == PMON_NO_READING)
			continue;
		if (!regs->ops->split)
			return value;
		if ((value & PMON_CARRY_NEAR) == PMON_CARRY_NEAR) {
			u32 low = pmon_read(regs, reg, 4);

			if (low == U32_MAX && (u32)value != low)
				continue;
			if (low < (u32)value)
				value = pmon_read(regs, reg + 4, 4) << 32;
			value = (value & GENMASK_ULL(63, 32)) | low;
		}
		if ((value >> 32 != U32_MAX || !tries) &&
		    hw->ops->clock() - begin <= PMON_CARRY_NS)
			return value;
	}
	return PMON_NO_READING;
}

static u8 pmon_counter_rate_log2(const struct pmon_box_hw *hw, unsigned int i)
{
	const struct pmon_protocol *protocol = hw->layout.protocol;

	return hw->counter[i].counted->rate_log2 ?:
	       hw->layout.counter[i].rate_log2 ?:
	       protocol ? protocol->rate_log2 : 0;
}

/* Return true if counter @i can have wrapped since its last read. */
static bool pmon_counter_may_wrap(const struct pmon_box_hw *hw, unsigned int i,
				  u64 now)
{
	const struct pmon_hw_counter *counter = &hw->counter[i];
	u64 missing = counter->mask - (counter->value & counter->mask) + 1;
	u64 ticks = pmon_hw_ticks_since(hw, now, counter->read_at);

	return missing <= pmon_gain_max(ticks, pmon_counter_rate_log2(hw, i) ?:
					PMON_FASTEST_RATE_LOG2,
					hw->ops->second);
}

/*
 * Return true if counter @i, whose value went back, has wrapped, and false if
 * it was reset. Sleep resets free-running counters, which have no control.
 */
static bool pmon_counter_wrapped(struct pmon_box_hw *hw, unsigned int i,
				 struct pmon_pass *pass)
{
	u64 bit = BIT_ULL(i);

	if (pass->ctl == PMON_CTL_CHANGED || hw->zeroed & bit ||
	    !pmon_counter_may_wrap(hw, i, pass->now))
		return false;
	if (!(hw->controlled & bit))
		return !hw->ops->sleep_ns();
	if (pass->ctl != PMON_CTL_NOT_READ)
		return true;
	switch (pmon_hw_check(hw, bit, false)) {
	case PMON_CTL_CHANGED:
		pass->ctl = PMON_CTL_CHANGED;
		return false;
	case PMON_CTL_UNCHANGED:
		return true;
	default:
		return false;
	}
}

/*
 * Return the gain of a counter that was reset: @value if the counter is
 * free-running and the cause (sleep, or a change of the box) is known, else 0.
 */
static u64 pmon_hw_note_reset(struct pmon_box_hw *hw, unsigned int i, u64 value,
			      struct pmon_pass *pass)
{
	bool known = pass->ctl == PMON_CTL_CHANGED || hw->ops->sleep_ns();
	u64 bit = BIT_ULL(i);

	hw->counter[i].baseline = 0;
	if (pass->ctl != PMON_CTL_CHANGED)
		pmon_hw_count_disturbance(hw);
	if (hw->zeroed & bit)
		pass->ctl = PMON_CTL_CHANGED;
	return hw->controlled & bit || !known ? 0 : value;
}

/*
 * Check large gains, values that went back, and all-ones. Repeat a split read
 * if a carry may have made the gain too large by 2^32, or if the low half is
 * all-ones. Return the gain. If this were inline, every read would save
 * registers. @pass is NULL in a read() of one counter.
 */
static noinline u64 pmon_hw_recheck(struct pmon_box_hw *hw, unsigned int i,
				    u64 value, u64 now, struct pmon_pass *pass)
{
	struct pmon_pass alone = { .now = now };
	struct pmon_hw_counter *counter = &hw->counter[i];
	u64 before = counter->value & counter->mask, ticks;
	u64 gain = (value - before) & counter->mask;

	pass = pass ?: &alone;
	if (value == PMON_NO_READING ||
	    (hw->regs.ops->split &&
	     (gain > U32_MAX || (u32)value == U32_MAX)))
		value = pmon_hw_read_stable(hw, counter->ctr_reg,
					    PMON_READS - 1);
	if (value == PMON_NO_READING) {
		pmon_hw_set_unresponsive(hw, counter->ctr_reg, 8);
		return PMON_NO_READING;
	}

	gain = (value - before) & counter->mask;
	/* Take the time now: the pass may have begun long before this read. */
	ticks = pmon_hw_ticks_since(hw, READ_ONCE(*hw->ops->ticks),
				    counter->read_at);
	if ((value & counter->mask) < before &&
	    !pmon_counter_wrapped(hw, i, pass)) {
		if (unlikely(hw->state != PMON_BOX_READY))
			return PMON_NO_READING;
		gain = pmon_hw_note_reset(hw, i, value & counter->mask, pass);
	}
	counter->value = value;
	counter->read_at = pass->now;
	if (gain < PMON_DELTA_SMALL ||
	    gain <= pmon_gain_max(ticks, 3 + (pmon_counter_rate_log2(hw, i) ?:
					      PMON_RATE_LOG2), hw->ops->second))
		return gain;

	pmon_hw_count_disturbance(hw);
	return 0;
}

static __always_inline void
pmon_counter_gain(const struct pmon_box_hw *hw,
		  const struct pmon_hw_counter *counter, u64 gain)
{
	struct pmon_event *event;

	for (event = counter->counted; event; event = event->next) {
		local64_t *count;

		if (event->counted_on < 0 || event->failed)
			continue;
		count = (void *)event + hw->ops->count;
		local64_add(gain, count);
	}
}

/*
 * Read the active counter @i; returns false if no value was read. @gain has
 * 64 bits, so a value that went back gives a large @gain and is rechecked, as
 * is a low half of all-ones.
 */
static __always_inline bool pmon_hw_read_counter(struct pmon_box_hw *hw,
						 unsigned int i,
						 struct pmon_pass *pass)
{
	struct pmon_hw_counter *counter = &hw->counter[i];
	u64 now = pass ? pass->now : READ_ONCE(*hw->ops->ticks);
	u64 value = pmon_read(&hw->regs, counter->ctr_reg, 8);
	u64 gain = value - counter->value;

	if (unlikely(gain >= PMON_DELTA_SMALL || (u32)value == U32_MAX)) {
		gain = pmon_hw_recheck(hw, i, value, now, pass);
		if (gain == PMON_NO_READING)
			return false;
	} else {
		counter->value = value;
		counter->read_at = now;
	}
	if (gain)
		pmon_counter_gain(hw, counter, gain);
	return true;
}

/* Read the active @counters; returns the counters that gave no value. */
static __always_inline u64 pmon_hw_read_pass(struct pmon_box_hw *hw,
					     u64 counters,
					     struct pmon_pass *pass)
{
	if (unlikely(hw->state != PMON_BOX_READY))
		return counters;

	for (; counters; counters &= counters - 1)
		if (!pmon_hw_read_counter(hw, __ffs64(counters), pass))
			break;
	return counters;
}

void pmon_hw_read_one(struct pmon_box_hw *hw, unsigned int counter)
{
	if (likely(hw->state == PMON_BOX_READY))
		pmon_hw_read_counter(hw, counter, NULL);
}

void pmon_hw_read(struct pmon_box_hw *hw, u64 counters)
{
	struct pmon_pass pass = { .now = READ_ONCE(*hw->ops->ticks) };

	pmon_hw_read_pass(hw, counters, &pass);
}

/* ---- initialisation ------------------------------------------------------ */

void pmon_layout_prepare(struct pmon_layout *layout)
{
	unsigned int i;

	layout->general = 0;
	layout->dedicated = 0;
	for (i = 0; i < layout->counters; i++) {
		if (layout->counter[i].kind == PMON_COUNTER_GENERAL)
			layout->general |= BIT_ULL(i);
		else
			layout->dedicated |= BIT_ULL(i);
	}
	layout->shares_filter = layout->filter_bytes && layout->counters > 1 &&
		layout->counter[0].filter == layout->counter[1].filter;
}

void pmon_hw_init(struct pmon_box_hw *hw, const struct pmon_layout *layout,
		  const struct pmon_regs *regs)
{
	unsigned int i;

	hw->layout = *layout;
	pmon_layout_prepare(&hw->layout);
	hw->zeroed = layout->protocol && !layout->protocol->no_reset ?
		     hw->layout.general : 0;
	hw->regs = *regs;
	hw->controlled = 0;
	for (i = 0; i < layout->counters; i++) {
		const struct pmon_counter *desc = &layout->counter[i];
		struct pmon_hw_counter *counter = &hw->counter[i];

		counter->mask = GENMASK_ULL(desc->width - 1, 0);
		counter->ctr_reg = desc->ctr;
		if (desc->kind != PMON_COUNTER_FREE_RUNNING)
			hw->controlled |= BIT_ULL(i);
	}
	hw->probe_reg = layout->counter->ctr;
	hw->probe_bytes = 8;
	pmon_hw_set_unknown(hw);
	pmon_hw_set_state(hw, PMON_BOX_READY);
}

void pmon_hw_mark_zero(struct pmon_box_hw *hw, u64 counters)
{
	if (!hw->layout.protocol || !hw->layout.protocol->no_reset)
		return;
	for (counters &= hw->controlled; counters; counters &= counters - 1)
		hw->counter[__ffs64(counters)].ctl = 0;
}

/* ---- writing ------------------------------------------------------------ */

static int pmon_write_box(struct pmon_box_hw *hw, u64 val)
{
	return pmon_write(&hw->regs, hw->layout.box_ctl, val,
			  hw->layout.protocol->bytes);
}

/* Write the high half of a split control only if it changes or is unknown. */
static __always_inline bool pmon_write_ctl(struct pmon_box_hw *hw,
					   unsigned int i, u64 val)
{
	struct pmon_hw_counter *counter = &hw->counter[i];
	u8 bytes = hw->layout.ctl_bytes;

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
static void pmon_clear_ctls(struct pmon_box_hw *hw, u64 counters)
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

static void pmon_write_filters(struct pmon_box_hw *hw, u64 counters)
{
	const struct pmon_layout *layout = &hw->layout;
	u64 refused = 0;

	if (!layout->filter_bytes)
		return;
	for (; counters; counters &= counters - 1) {
		unsigned int i = __ffs64(counters);
		const struct pmon_event *event = hw->assigned[i];
		unsigned int f = layout->shares_filter ? 0 : i;

		if (!event->uses_filter ||
		    (hw->filters_known & BIT_ULL(f) &&
		     hw->counter[f].filter == event->filter))
			continue;
		if (pmon_write(&hw->regs, layout->counter[f].filter,
			       event->filter, layout->filter_bytes)) {
			hw->filters_known &= ~BIT_ULL(f);
			refused |= BIT_ULL(i);
			continue;
		}
		hw->counter[f].filter = event->filter;
		hw->filters_known |= BIT_ULL(f);
		hw->filtered = true;
	}
	if (unlikely(refused))
		pmon_hw_fail(hw, refused, PMON_START_FAILED);
}

/* Read the counters @unread. If a read fails, events of all @counters fail. */
static noinline void pmon_read_values(struct pmon_box_hw *hw, u64 counters,
				      u64 unread)
{
	for (; unread; unread &= unread - 1) {
		struct pmon_hw_counter *counter = &hw->counter[__ffs64(unread)];
		u64 value = hw->state != PMON_BOX_READY ? PMON_NO_READING :
			    pmon_hw_read_stable(hw, counter->ctr_reg,
						PMON_READS);

		if (value == PMON_NO_READING) {
			pmon_hw_set_unresponsive(hw, counter->ctr_reg, 8);
			pmon_hw_fail(hw, counters, PMON_START_FAILED);
			return;
		}
		counter->value = value;
	}
}

static inline void pmon_read_baselines(struct pmon_box_hw *hw, u64 counters,
				       u64 unread)
{
	if (unlikely(unread))
		pmon_read_values(hw, counters, unread);
}

/* ---- events start -------------------------------------------------------- */

struct pmon_change {
	u64 stop;	/* counters to read a last time */
	u64 start;	/* counters on which events start */
	/* Of @stop and @start: control and filter stay, and are not written. */
	u64 reuse;
};

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
static int pmon_begin_reset(struct pmon_box_hw *hw, u64 counters)
{
	int ret = pmon_write_box(hw, hw->layout.protocol->reset);
	struct pmon_hw_counter *counter = hw->counter;
	u64 reset, now = READ_ONCE(*hw->ops->ticks);

	if (unlikely(ret))
		return ret;

	for (reset = hw->controlled; reset; counter++, reset >>= 1) {
		if (!(reset & 1))
			continue;
		counter->ctl = counter->ctl >> 32 ? PMON_CTL_HIGH : 0;
		counter->value = 0;
		counter->read_at = now;
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
		     pmon_hw_ticks_since(hw, now, counter->read_at) >
		     hw->ops->second))
			unread |= each & -each;
	}
	return unread;
}

/* Start @counters in an idle box, and the free-running counters @idle. */
static void pmon_hw_start_first(struct pmon_box_hw *hw, u64 counters, u64 idle)
{
	hw->used = true;
	hw->filters_known = 0;
	if (unlikely(hw->layout.protocol->no_reset ?
		     pmon_begin_no_reset(hw, counters) :
		     pmon_begin_reset(hw, counters))) {
		hw->needs_setup = true;
		pmon_hw_fail(hw, counters, PMON_START_FAILED);
	}
	pmon_read_baselines(hw, idle, idle);
}

/* Start events as in @change; returns the counters to add to @active. */
static u64 pmon_hw_start(struct pmon_box_hw *hw,
			 const struct pmon_change *change)
{
	u64 start = change->start, counters = start & hw->controlled;
	u64 idle = start & ~change->stop, now = READ_ONCE(*hw->ops->ticks);
	struct pmon_event *event;

	if (unlikely(hw->state != PMON_BOX_READY)) {
		pmon_hw_fail(hw, start, PMON_START_FAILED);
		return 0;
	}
	if (counters && !(hw->active & hw->controlled)) {
		pmon_hw_start_first(hw, counters, idle & ~counters);
	} else {
		pmon_read_baselines(hw, start,
				    pmon_hw_without_value(hw, start, idle,
							  now));
		if (hw->state != PMON_BOX_READY)
			return 0;
		pmon_write_filters(hw, counters);
		pmon_write_ctls(hw, counters & ~change->reuse);
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

/* Report a freeze if a clock gained 0 in 1 s, even if no register shows it. */
static void pmon_hw_check_clock(struct pmon_box_hw *hw, u64 counters, u64 now)
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

/*
 * Stop events. First check the controls of events that have run for a second,
 * because a change by another program makes the count wrong; for shorter events
 * the access costs too much. Also check the controls of counters that may have
 * wrapped, before a write clears the controls.
 */
static void pmon_hw_stop(struct pmon_box_hw *hw,
			 const struct pmon_change *change,
			 struct pmon_pass *pass)
{
	u64 counters = change->stop, each, lasted = 0, check = 0, unread;
	u64 stop = counters & hw->controlled & ~change->reuse;

	for (each = counters & hw->controlled; each; each &= each - 1) {
		unsigned int i = __ffs64(each);

		if (pass->now - hw->counter[i].began >= hw->ops->second)
			lasted |= BIT_ULL(i);
		else if (!(hw->zeroed & BIT_ULL(i)) &&
			 pmon_counter_may_wrap(hw, i, pass->now))
			check |= BIT_ULL(i);
	}
	pass->ctl = PMON_CTL_UNCHANGED;
	if (lasted | check && hw->state == PMON_BOX_READY)
		pass->ctl = pmon_hw_check(hw, lasted | check, lasted);

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
	pmon_hw_check_clock(hw, lasted & ~unread, pass->now);
	pmon_hw_detach(hw, counters, unread);
}

/* ---- changes are applied ------------------------------------------------- */

static struct pmon_change pmon_hw_compare(const struct pmon_box_hw *hw)
{
	struct pmon_change change = { };
	u64 dirty;

	for (dirty = hw->dirty; dirty; dirty &= dirty - 1) {
		unsigned int i = __ffs64(dirty);
		const struct pmon_hw_counter *counter = &hw->counter[i];
		const struct pmon_event *next = hw->assigned[i], *event;
		u64 bit = BIT_ULL(i);
		bool differs = counter->counted != next;
		unsigned int f;

		if (!(hw->controlled & bit))
			for (differs = false, event = counter->counted; event;
			     event = event->next)
				differs |= event->counted_on !=
					   event->assigned_to;
		if (!differs)
			continue;
		change.stop |= hw->active & bit;
		change.start |= hw->taken & bit;
		if (!counter->counted || !next || counter->ctl != next->ctl)
			continue;
		f = hw->layout.shares_filter ? 0 : i;
		if (!next->uses_filter ||
		    (hw->filters_known & BIT_ULL(f) &&
		     hw->counter[f].filter == next->filter))
			change.reuse |= bit;
	}
	return change;
}

/*
 * Stop and start all events, so that no change by another program remains. Also
 * start events that were added, and stop events that were deleted, since apply.
 * If the box does not freeze, its events fail as if they had not started.
 */
static void pmon_hw_restart(struct pmon_box_hw *hw, struct pmon_pass *pass)
{
	u64 stop = hw->active & hw->controlled, each, ended = 0;
	struct pmon_change change = { .stop = stop };
	u64 when = hw->ops->clock();

	if (unlikely(pmon_hw_freeze(hw))) {
		hw->needs_setup = true;
		pmon_hw_fail(hw, hw->taken & hw->controlled, PMON_START_FAILED);
		return;
	}
	if (pmon_hw_read_pass(hw, hw->active, pass))
		return;

	for (each = stop; each; each &= each - 1) {
		unsigned int i = __ffs64(each);

		if (hw->counter[i].counted != hw->assigned[i])
			ended |= BIT_ULL(i);
	}
	pmon_hw_detach(hw, ended, 0);
	change.start = hw->taken & hw->controlled;
	hw->dirty &= ~hw->controlled;
	WRITE_ONCE(hw->active, hw->active & ~stop);
	if (change.start) {
		WRITE_ONCE(hw->active,
			   hw->active | pmon_hw_start(hw, &change));
		hw->frozen_ns += hw->ops->clock() - when;
	}
}

static void pmon_hw_program(struct pmon_box_hw *hw)
{
	struct pmon_change change = pmon_hw_compare(hw);
	struct pmon_pass pass = { .now = READ_ONCE(*hw->ops->ticks) };
	unsigned int disturbed = hw->disturbed;
	u64 started = 0;

	hw->dirty = 0;
	if (change.stop)
		pmon_hw_stop(hw, &change, &pass);
	if (change.start) {
		/*
		 * Write the controls in @reuse, which may have changed. Their
		 * filters are unknown now, and the write of a filter disables
		 * the counter of a CPMU.
		 */
		if (unlikely(hw->disturbed != disturbed))
			change.reuse = 0;
		started = pmon_hw_start(hw, &change);
	}
	WRITE_ONCE(hw->active, (hw->active & ~change.stop) | started);
	/* If a stop found a change, the other events may be affected, too. */
	if (unlikely(pass.ctl == PMON_CTL_CHANGED) &&
	    hw->state == PMON_BOX_READY && hw->active & hw->controlled &&
	    !hw->layout.protocol->no_reset)
		pmon_hw_restart(hw, &pass);
}

/*
 * Detach all events after a refused write or a reset, without a last read. The
 * counts are unknown, so events that were deleted meanwhile fail.
 */
static void pmon_hw_drop(struct pmon_box_hw *hw)
{
	u64 counters;

	for (counters = hw->active & hw->controlled; counters;
	     counters &= counters - 1) {
		struct pmon_event *event =
			hw->counter[__ffs64(counters)].counted;

		if (event->assigned_to < 0)
			WRITE_ONCE(event->failed, true);
	}
	pmon_hw_detach(hw, hw->active & hw->controlled, 0);
	if (!(hw->taken & hw->controlled))
		pmon_hw_freeze(hw);
	hw->active &= ~hw->controlled;
	pmon_hw_set_unknown(hw);
	hw->needs_setup = false;
}

static void pmon_hw_report_failed(struct pmon_box_hw *hw)
{
	struct pmon_event *event;

	while (unlikely(hw->failed_events)) {
		event = hw->failed_events;
		hw->failed_events = event->next;
		event->next = NULL;
		hw->ops->report_lost(event);
	}
}

void pmon_hw_apply(struct pmon_box_hw *hw)
{
	pmon_hw_report_failed(hw);
	if (unlikely(hw->needs_setup))
		pmon_hw_drop(hw);
	if (unlikely(hw->state > PMON_BOX_UNRESPONSIVE)) {
		hw->dirty = 0;
		return;
	}
	pmon_hw_program(hw);
}

/* ---- assignment of counters ---------------------------------------------- */

/* Element of from[]: the new event takes the counter. */
#define PMON_FROM_NEW	0xff

/*
 * Find a shortest augmenting path by breadth-first search, because all counters
 * in event->allowed are taken, and move the events on the path. Not inline,
 * because most events move nothing.
 */
static noinline u64 pmon_assign_moving(struct pmon_event **assigned, u64 taken,
				       struct pmon_event *event, u64 prefer,
				       u64 avoid)
{
	/* Only written elements are read. */
	u8 from[PMON_COUNTERS_MAX] __uninitialized;
	u8 queue[PMON_COUNTERS_MAX] __uninitialized;
	u8 by = PMON_FROM_NEW;
	u64 next = event->allowed, seen = 0, moved;
	unsigned int head = 0, tail = 0, counter;

	do {
		for (seen |= next; next; next &= next - 1) {
			queue[tail] = __ffs64(next);
			from[queue[tail++]] = by;
		}
		if (head == tail)
			return 0;
		by = queue[head++];
		next = assigned[by]->allowed & ~seen;
	} while (!(next & ~taken));
	/* Event @by can move to a free counter. */
	moved = pmon_assign(assigned, taken, assigned[by], prefer, avoid);
	for (counter = by; from[counter] != PMON_FROM_NEW;
	     counter = from[counter]) {
		moved |= BIT_ULL(counter);
		assigned[counter] = assigned[from[counter]];
	}
	assigned[counter] = event;
	return moved | BIT_ULL(counter);
}

/*
 * Assign a counter to @event, from @prefer first and from @avoid last. Moves as
 * few of the events in @assigned (of counters @taken) as possible, because the
 * move of a running event costs accesses. Returns the counters with new events;
 * 0, with @assigned unchanged, if the events cannot count together.
 */
u64 pmon_assign(struct pmon_event **assigned, u64 taken,
		struct pmon_event *event, u64 prefer, u64 avoid)
{
	u64 unused = event->allowed & ~taken, others;
	unsigned int counter;

	for (others = event->shares_filter ? taken : 0; others;
	     others &= others - 1) {
		const struct pmon_event *other = assigned[__ffs64(others)];

		if (other->shares_filter && other->filter != event->filter)
			return 0;
	}
	if (unlikely(!unused))
		return pmon_assign_moving(assigned, taken, event, prefer,
					  avoid);

	if (unused & prefer)
		unused &= prefer;
	else if (unused & ~avoid)
		unused &= ~avoid;
	counter = __ffs64(unused);
	assigned[counter] = event;
	return BIT_ULL(counter);
}

/*
 * If @event was deleted since the last apply, prefer its old counter, which
 * still counts. Otherwise clear @failed, so that a failed event counts again.
 */
bool pmon_hw_add(struct pmon_box_hw *hw, struct pmon_event *event)
{
	u64 prefer = event->counted_on >= 0 ?
		     BIT_ULL(event->counted_on) :
		     hw->layout.dedicated | hw->layout.prefer;
	u64 moved;

	/* A list of a free-running counter uses @next, too. */
	pmon_hw_report_failed(hw);
	if (event->counted_on < 0)
		WRITE_ONCE(event->failed, false);
	if (event->free_running) {
		struct pmon_hw_counter *counter =
			&hw->counter[__ffs64(event->allowed)];

		if (event->counted_on < 0) {
			event->next = counter->counted;
			counter->counted = event;
		}
		event->assigned_to = counter - hw->counter;
		hw->taken |= event->allowed;
		hw->dirty |= event->allowed;
		return true;
	}

	moved = pmon_assign(hw->assigned, hw->taken & hw->controlled,
			    event, prefer, hw->active);
	hw->taken |= moved;
	hw->dirty |= moved;
	for (; moved; moved &= moved - 1)
		hw->assigned[__ffs64(moved)]->assigned_to = __ffs64(moved);
	return event->assigned_to >= 0;
}

/* pmon_hw_apply() reports a failed event later, once perf has disabled it. */
void pmon_hw_del(struct pmon_box_hw *hw, struct pmon_event *event)
{
	struct pmon_event **link;
	unsigned int i = event->assigned_to;

	if (event->assigned_to < 0)
		return;

	event->assigned_to = -1;
	hw->assigned[i] = NULL;
	hw->taken &= ~BIT_ULL(i);
	hw->dirty |= BIT_ULL(i);
	link = event->free_running ? &hw->counter[i].counted : NULL;
	while (unlikely(link) && *link) {
		if (*link == event && event->counted_on < 0) {
			*link = event->next;
			event->next = NULL;
			continue;
		}
		if ((*link)->assigned_to >= 0)
			hw->taken |= BIT_ULL(i);
		link = &(*link)->next;
	}
	if (unlikely(event->failed) && event->counted_on < 0) {
		event->next = hw->failed_events;
		hw->failed_events = event;
	}
}

/* ---- a box that does not respond, or was reset --------------------------- */

/* Read free-running counters that may have been reset. */
static void pmon_hw_read_free_running(struct pmon_box_hw *hw)
{
	struct pmon_pass pass = {
		.now = READ_ONCE(*hw->ops->ticks), .ctl = PMON_CTL_CHANGED,
	};

	pmon_hw_read_pass(hw, hw->active & ~hw->controlled, &pass);
}

bool pmon_hw_probe(struct pmon_box_hw *hw)
{
	return pmon_read(&hw->regs, hw->probe_reg, hw->probe_bytes) !=
	       GENMASK_ULL(8 * hw->probe_bytes - 1, 0);
}

/*
 * Set up a box that responds again, because earlier writes may have been lost.
 * Only free-running counters may keep their counts since the last read.
 */
void pmon_hw_recover(struct pmon_box_hw *hw)
{
	pmon_hw_set_state(hw, PMON_BOX_READY);
	if (!hw->active)
		return;
	hw->restarts++;
	pmon_hw_count_disturbance(hw);
	pmon_hw_read_free_running(hw);
	if (hw->active & hw->controlled) {
		pmon_hw_set_unknown(hw);
		hw->needs_setup = true;
		pmon_hw_apply(hw);
	}
}

/* A single counter needs no freeze. */
void pmon_hw_snapshot(struct pmon_box_hw *hw, u64 counters)
{
	u64 when = hw->ops->clock();
	bool frozen;

	counters &= hw->active;
	if (!counters || hw->state != PMON_BOX_READY)
		return;

	frozen = counters & (counters - 1) && hw->layout.protocol->bytes &&
		 !pmon_write_box(hw, hw->layout.protocol->freeze);
	pmon_hw_read(hw, counters);
	if (!frozen)
		return;

	if (unlikely(pmon_write_box(hw, hw->layout.protocol->run))) {
		hw->needs_setup = true;
		pmon_hw_fail(hw, hw->taken & hw->controlled,
			     PMON_START_FAILED);
	}
	hw->frozen_ns += hw->ops->clock() - when;
}

/*
 * Without @no_reset, check the controls, and stop and start all events. With
 * @no_reset, check at most once a second, and restart only after a change.
 */
static void pmon_hw_tick_ready(struct pmon_box_hw *hw)
{
	struct pmon_pass pass = { .now = READ_ONCE(*hw->ops->ticks) };
	u64 counters = hw->active & hw->controlled;
	unsigned int disturbed = hw->disturbed;
	bool reset = counters && !hw->layout.protocol->no_reset;

	if (counters &&
	    (reset || pass.now - hw->checked >= hw->ops->second)) {
		hw->checked = pass.now;
		pass.ctl = pmon_hw_check(hw, counters, true);
	}
	if (pass.ctl == PMON_CTL_ALL_ONES)
		return;
	if (reset || pass.ctl == PMON_CTL_CHANGED)
		pmon_hw_restart(hw, &pass);
	else
		pmon_hw_read_pass(hw, hw->active, &pass);
	hw->restarts += hw->disturbed - disturbed;
}

void pmon_hw_tick(struct pmon_box_hw *hw)
{
	if (likely(hw->state == PMON_BOX_READY))
		pmon_hw_tick_ready(hw);
}

/* Return the most accesses of pmon_hw_tick() without a change or recheck. */
unsigned int pmon_hw_tick_accesses(const struct pmon_box_hw *hw)
{
	const struct pmon_layout *layout = &hw->layout;
	u64 active = READ_ONCE(hw->active), events = active & hw->controlled;
	unsigned int registers = hweight64(active) + hweight64(events) + 1;

	if (events && !layout->protocol->no_reset)
		registers += 3 + hweight64(events) +
			     hweight64(events & ~layout->general) +
			     (layout->filter_bytes ? hweight64(events) : 0);
	return hw->regs.ops->split ? 2 * registers : registers;
}

/* Check all counters after sleep. */
void pmon_hw_resume(struct pmon_box_hw *hw)
{
	if (hw->state != PMON_BOX_READY)
		return;

	hw->checked = READ_ONCE(*hw->ops->ticks) - hw->ops->second;
	if (hw->active)
		pmon_hw_tick(hw);
	if (!(hw->active & hw->controlled))
		pmon_hw_set_unknown(hw);
}

/* ---- a box is released --------------------------------------------------- */

/* Clear a box, by &pmon_regs_ops.release if a reset does not clear it all. */
static void pmon_hw_clear(struct pmon_box_hw *hw)
{
	const struct pmon_layout *layout = &hw->layout;

	if (hw->regs.ops->release) {
		hw->regs.ops->release(&hw->regs);
		return;
	}
	if (!layout->protocol->bytes) {
		pmon_clear_ctls(hw, hw->controlled);
		return;
	}
	pmon_write_box(hw, layout->protocol->reset);
	if (hw->filtered)
		pmon_write(&hw->regs, layout->counter->filter, 0,
			   layout->filter_bytes);
	pmon_write_box(hw, layout->protocol->run);
}

void pmon_hw_release(struct pmon_box_hw *hw)
{
	u64 counters = hw->active & hw->controlled ?: hw->controlled;
	struct pmon_pass pass = { .now = READ_ONCE(*hw->ops->ticks) };
	const struct pmon_change change = { .stop = hw->active };

	if (hw->state > PMON_BOX_UNRESPONSIVE)
		return;
	if (hw->used && hw->state == PMON_BOX_READY)
		pmon_hw_read_ctl(hw, __ffs64(counters));
	if (hw->active)
		pmon_hw_stop(hw, &change, &pass);
	hw->active = 0;
	if (hw->used && hw->state != PMON_BOX_READY && pmon_hw_probe(hw))
		pmon_hw_recover(hw);
	if (hw->used && hw->state == PMON_BOX_READY) {
		pmon_hw_clear(hw);
		hw->filtered = false;
		hw->used = false;
	}
	pmon_hw_set_state(hw, PMON_BOX_NO_CPU);
}
