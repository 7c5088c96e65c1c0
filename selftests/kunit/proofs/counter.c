// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prove properties of one counter for all values, with cbmc: gain, wrap, reset,
 * carry, the bound of a gain, the period of reads, and the check of a layout. The
 * driver's code is included unchanged. Each function proof_*() is a property. The
 * script proofs/run lists the widths and rates.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/time64.h>

#include "drivers/core/box_hw.h"
#include "drivers/core/assign.c"
#include "drivers/core/read.c"
#include "drivers/core/verdict.c"
#include "drivers/core/changes.c"
#include "drivers/core/program.c"
#include "drivers/core/life.c"
#include "drivers/core/encode.c"
#include "drivers/core/state.c"

#ifndef WIDTH
#define WIDTH	48
#define RATE	0
#define NO_RESET false
#define SPLIT	false
#endif

#define CTL	5
#define HZ	250
#define LAST	BIT_ULL(40)	/* time of the last read, in ticks */

typedef __CPROVER_bitvector[128] u128;

u64 nondet_u64(void);
u8 nondet_u8(void);

static struct counted {
	struct pmon_event event;
	u64 count;
} ev = {
	.event = { .ctl = CTL, .allowed = 1, .assigned_to = 0, .counted_on = 0 },
};

static struct pmon_box_hw hw;
static struct pmon_hw_counter hw_counter;
static u64 ticks, clock_ns;
static u64 value, ctl;		/* of the registers */
static u64 between;		/* gained between the halves of a read */

static u64 proof_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	u64 low = value;

	if (reg == 64)
		return ctl;
	if (reg == 12)
		return value >> 32;
	if (bytes == 4)
		return (u32)value;
	if (SPLIT)
		value = (value + between) & GENMASK_ULL(WIDTH - 1, 0);
	return SPLIT ? value >> 32 << 32 | (u32)low : value;
}

static int proof_write(const struct pmon_regs *regs, u32 reg, u64 val, u8 bytes)
{
	return 0;
}

static u64 proof_clock(void)
{
	return clock_ns;
}

static u64 proof_sleep_ns(void)
{
	return 0;
}

static void proof_report(struct pmon_box_hw *hw)
{
}

static const struct pmon_hw_ops ops = {
	.count = offsetof(struct counted, count), .clock = proof_clock,
	.sleep_ns = proof_sleep_ns, .ticks = &ticks, .second = HZ,
	.report = proof_report,
};
static const struct pmon_regs_ops regs_ops = {
	.read = proof_read, .write = proof_write, .split = SPLIT,
};
static const struct pmon_protocol protocol = {
	1, 0x301, 0, 4, .no_reset = NO_RESET, .rate_log2 = RATE,
};
static const struct pmon_counter desc = { .ctl = 64, .ctr = 8, .width = WIDTH };

static const u64 mask = GENMASK_ULL(WIDTH - 1, 0);

/* Set up a counter that was last read as @before, @after ticks ago. */
static void set_up(u64 before, u64 after)
{
	__CPROVER_assume(before <= mask && after < BIT_ULL(32));
	hw.layout = (struct pmon_layout) {
		.protocol = &protocol, .counter = &desc, .counters = 1,
		.ctl_bytes = 4, .general = 1,
	};
	hw.regs.ops = &regs_ops;
	hw.ops = &ops;
	hw.counter = &hw_counter;
	hw.ctl_event = 0xffff;
	hw.controlled = 1;
	hw.zeroed = !NO_RESET;
	hw.active = 1;
	hw.taken = 1;
	hw.assigned[0] = &ev.event;
	hw_counter = (struct pmon_hw_counter) {
		.counted = &ev.event, .ctl = CTL, .value = before, .mask = mask,
		.ctr_reg = 8, .read_at = LAST, .held = PMON_NO_READING,
	};
	ticks = LAST + after;
	ctl = CTL;
}

/*
 * If nobody else uses the box, the gain is exact, and there is no disturbance.
 */
void proof_gain(void)
{
	u64 before = nondet_u64(), gain = nondet_u64(), after = nondet_u64();
	u64 rate = RATE ?: PMON_FASTEST_RATE_LOG2;

	set_up(before, after);
	/* In a period the gain is at most half of the range. */
	__CPROVER_assume(gain <= mask / 2);
	__CPROVER_assume((u128)gain * HZ <= (u128)(after + 1) << rate);
	/* In a box that has a reset, counters start at 0, so they do not wrap. */
	__CPROVER_assume(NO_RESET || before + gain <= mask);
	between = 0;
	value = (before + gain) & mask;
	/* Exclude a half that is all ones, because it causes another read. */
	__CPROVER_assume(!SPLIT || ((u32)value != U32_MAX &&
				    value >> 32 != U32_MAX));
	pmon_hw_read_one(&hw, 0);
	__CPROVER_assert(ev.count == gain, "the gain is exact");
	__CPROVER_assert(!hw.disturbed, "nobody is blamed");
	__CPROVER_assert((hw_counter.value & mask) == value, "value");
}

/*
 * If another program resets the counter, the count stays, with one disturbance.
 */
void proof_reset(void)
{
	u64 before = nondet_u64(), after = nondet_u64();

	set_up(before, after);
	value = nondet_u64() & mask;
	__CPROVER_assume(value < before);
	/* Where counters may wrap, only the control shows the reset. */
	ctl = NO_RESET ? 0 : CTL;
	pmon_hw_read_one(&hw, 0);
	__CPROVER_assert(!ev.count, "a reset adds nothing");
	__CPROVER_assert(hw.disturbed == 1, "and is counted once");
	__CPROVER_assert((hw_counter.value & mask) == value, "value");
}

/* A jump of 2^28 or more is a disturbance if above eight times the rate. */
void proof_jump(void)
{
	u64 before = nondet_u64(), after = nondet_u64();

	set_up(before, after);
	value = nondet_u64() & mask;
	__CPROVER_assume(value >= before);
	__CPROVER_assume(!SPLIT);
	__CPROVER_assume(after < 60 * HZ);
	pmon_hw_read_one(&hw, 0);
	__CPROVER_assert(ev.count < PMON_DELTA_SMALL ||
			 (u128)ev.count * HZ <=
			 (u128)(after + 1) << (3 + (RATE ?: PMON_RATE_LOG2)),
			 "no more than eight times the rate");
	__CPROVER_assert(ev.count == value - before || hw.disturbed == 1,
			 "the whole gain, or a disturbance");
}

/* A carry between the halves of a split read does not make the gain wrong. */
void proof_carry(void)
{
	u64 before = nondet_u64(), gain = nondet_u64();

	set_up(before, 60 * HZ);
	between = nondet_u64();
	__CPROVER_assume(between < BIT_ULL(24) && gain < BIT_ULL(41));
	__CPROVER_assume(before + gain + 8 * between <= mask);
	value = before + gain;
	__CPROVER_assume((value + 8 * between) >> 32 != U32_MAX);
	pmon_hw_read_one(&hw, 0);
	__CPROVER_assert(hw.disturbed || ev.count <= gain + 8 * between,
			 "not above what hardware counted");
	__CPROVER_assert(hw.disturbed || ev.count >= gain, "not below");
}

/* At its highest rate a counter gains at most half of its range in a period. */
void proof_period(void)
{
	u8 width = nondet_u8(), rate = nondet_u8();
	u64 period;

	__CPROVER_assume(width >= PMON_WIDTH_MIN && width <= PMON_WIDTH_MAX);
	__CPROVER_assume(rate >= 1 && rate <= PMON_FASTEST_RATE_LOG2);
	period = pmon_wrap_period_ns(width, rate);
	__CPROVER_assert(period <= 60 * NSEC_PER_SEC, "at most a minute");
	__CPROVER_assert((u128)period << rate <=
			 (u128)NSEC_PER_SEC << (width - 1), "half of the range");
}

/*
 * A layout is valid only if registers are in reach and the period is long enough.
 */
void proof_layout(void)
{
	struct pmon_counter counter = {
		.ctl = nondet_u64(), .ctr = nondet_u64(),
		.filter = nondet_u64(), .width = nondet_u8(),
		.kind = nondet_u8() % 3, .rate_log2 = nondet_u8(),
	};
	struct pmon_layout layout = {
		.protocol = &protocol, .counter = &counter, .counters = 1,
		.ctl_bytes = 4, .box_ctl = nondet_u64(),
	};
	u32 size = nondet_u64();

	__CPROVER_assume(size && counter.rate_log2 <= PMON_FASTEST_RATE_LOG2);
	if (pmon_layout_valid(&layout, size))
		return;
	__CPROVER_assert(counter.width >= 1 && counter.width <= 64, "width");
	__CPROVER_assert(counter.ctr + 8ULL <= size, "counter in reach");
	__CPROVER_assert(counter.kind == PMON_COUNTER_FREE_RUNNING ||
			 counter.ctl + 4ULL <= size, "control in reach");
	__CPROVER_assert(layout.box_ctl < size, "box control in reach");
	__CPROVER_assert(pmon_layout_period_ns(&layout) >= 5000000, "period");
}
