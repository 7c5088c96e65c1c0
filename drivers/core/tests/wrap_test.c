// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check the gain of a counter that went back: by a wrap, or by a reset, in
 * boxes with a freeze, but without a reset. The gain does not count if the
 * control has lost the event, or if the gain is too fast for the counter.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/limits.h>

#include "cpmu.h"
#include "suites.h"

/* Bits 0 and 1 of a control hold the type of the counter (CXL 3.1, 8.2.7). */
#define CTL	CPMU_ON(1)
#define CTL_READ	(CTL | 2)
#define CTL_RESET	2

#define RANGE	BIT_ULL(32)

/* Narrower counters are rejected at 2^32 a second. */
#define NARROW	26

/* The CPU is away for this time after each read of counter 0. */
static u64 pause_ns;
static u64 (*read_at_once)(const struct pmon_regs *regs, u32 reg, u8 bytes);

static u64 read_and_pause(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	u64 value = read_at_once(regs, reg, bytes);

	if (reg == CPMU_CTR(0))
		fake_time += pause_ns;
	return value;
}

/* Start event 0 on a counter of @width bits, at @from. */
static struct rig *counting(struct kunit *test, u8 width, u64 from)
{
	struct pmon_counter *counter =
		kunit_kzalloc(test, sizeof(*counter), GFP_KERNEL);
	struct pmon_protocol *protocol =
		kunit_kzalloc(test, sizeof(*protocol), GFP_KERNEL);
	struct pmon_layout layout = {
		.protocol = protocol, .counter = counter, .counters = 1,
		.ctl_bytes = 8, .box_ctl = CPMU_BOX,
	};
	struct rig *t;

	KUNIT_ASSERT_TRUE(test, counter && protocol);
	*protocol = cpmu_protocol;
	if (width < NARROW)
		protocol->rate_log2 = 1;
	counter->width = width;
	counter->ctl = CPMU_CFG(0);
	counter->ctr = CPMU_CTR(0);
	t = box(test, &layout);
	read_at_once = t->fake.ops.read;
	t->fake.ops.read = read_and_pause;
	pmon_hw_mark_zero(&t->hw, BIT(0));
	want(t, 0, 1 << 24);
	expect_one(t, CTL, from);
	apply(t);
	return t;
}

/* A tick reads @value, and the control again if @is_rechecked; it adds @gain. */
static void tick_gains(struct rig *t, unsigned int row, u64 value,
		       bool is_rechecked, u64 gain)
{
	u64 before = t->ev[0].count;

	expect(t, R8(CPMU_CFG(0), CTL_READ), R8(CPMU_CTR(0), value));
	if (is_rechecked)
		expect(t, R8(CPMU_CFG(0), CTL_READ));
	rig_tick(t);
	KUNIT_EXPECT_EQ_MSG(t->fake.test, t->ev[0].count - before, gain,
			    "row %u", row);
}

/* Read @value after two seconds, and check the gain. */
static void gains(struct rig *t, u64 value, u64 gain)
{
	u64 before = t->ev[0].count;

	fake_time += 2000000000;
	r(t, CPMU_CTR(0), value);
	rig_read(t, 0);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[0].count - before, gain);
}

/* As gains(), and the control, read after the counter, holds @ctl. */
static void went_back(struct rig *t, u64 value, u64 ctl, u64 gain)
{
	u64 before = t->ev[0].count;
	unsigned int reads;

	fake_time += 2000000000;
	expect(t, R8(CPMU_CTR(0), value), R8(CPMU_CFG(0), ctl));
	for (reads = 1; ctl == ~0ULL && reads < READS; reads++)
		expect(t, R8(CPMU_CFG(0), ctl));
	rig_read(t, 0);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[0].count - before, gain);
}

/* At the next tick, a box that was reset is set up again. */
static void a_reset_is_no_wrap(struct kunit *test)
{
	struct rig *t = counting(test, 32, 0);

	gains(t, RANGE / 2, RANGE / 2);
	went_back(t, 7, CTL_READ, RANGE / 2 + 7);
	went_back(t, 3, CTL_RESET, 0);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
	KUNIT_EXPECT_EQ(test, t->hw.restarts, 0U);
	/* counts on from the lower value */
	gains(t, 4, 1);

	expect(t, R8(CPMU_CFG(0), CTL_RESET), W8(CPMU_CFG(0), 0));
	expect_one(t, CTL, 4);
	rig_tick(t);
	KUNIT_EXPECT_EQ(test, t->hw.restarts, 1U);
	gains(t, 6, 2);
}

/* If the control reads as all-ones, the gain does not count. */
static void a_wrap_without_an_answer_is_none(struct kunit *test)
{
	struct rig *t = counting(test, 32, RANGE / 2);

	went_back(t, 7, ~0ULL, 0);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
	gains(t, 9, 2);
}

/* Gains below 2^28 count without a read of the control. */
static void a_small_gain_is_not_checked(struct kunit *test)
{
	static const u8 widths[] = { 26, 28, 35, 36, 48 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(widths); i++) {
		struct rig *t = counting(test, widths[i],
					 BIT_ULL(widths[i]) - 16);

		gains(t, 5, 21);
	}
}

/* A full counter is valid at any width; a full register is not. */
static void all_ones_is_no_reading_at_any_width(struct kunit *test)
{
	u8 width;

	for (width = PMON_WIDTH_MIN; width < PMON_WIDTH_MAX; width++) {
		u64 max = GENMASK_ULL(width - 1, 0);
		struct rig *t = counting(test, width, max - 1);

		gains(t, max, 1);
		fake_read(&t->fake, CPMU_CTR(0), ~0ULL);
		/* bits above the counter are ignored */
		gains(t, ~max, 1);
	}
}

/*
 * The limit is 2^32 a second, or the rate of the event: so far from the end a
 * counter may be that wraps in a second. After the wrap eight times the rate is
 * possible: 2^36 in two seconds, but not 2^39 in four.
 */
static void the_rate_decides(struct kunit *test)
{
	struct rig *t = counting(test, 48, BIT_ULL(48) - BIT_ULL(33));

	went_back(t, BIT_ULL(35), CTL_READ, BIT_ULL(33) + BIT_ULL(35));
	gains(t, BIT_ULL(35) + BIT_ULL(39), 0);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);

	t = counting(test, 48, 0);
	t->ev[0].event.rate_log2 = 38;
	gains(t, BIT_ULL(39), BIT_ULL(39));
	/* 2^48 - 1 in four seconds is a reset at any rate */
	gains(t, BIT_ULL(39) - 1, 0);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
}

/*
 * Waiting requests of a CXL device are known to gain up to 2^38 a second: a
 * counter of 40 bits may wrap soon after the start. 2^34 in two seconds is
 * faster than any clock.
 */
static void a_fast_event_wraps_early(struct kunit *test)
{
	struct rig *t = counting(test, 40, BIT_ULL(40) - BIT_ULL(34));

	t->ev[0].event.rate_log2 = 38;
	went_back(t, BIT_ULL(34), CTL_READ, BIT_ULL(35));
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 0U);

	t = counting(test, 40, BIT_ULL(40) - BIT_ULL(34));
	went_back(t, BIT_ULL(34), CTL_READ, 0);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
}

/*
 * A stopped control does not show a reset. But at 2^35 a second, a counter of
 * 40 bits does not wrap in ten seconds.
 */
static void a_reset_before_the_end(struct kunit *test)
{
	static const struct {
		u64 seconds, count;
	} rows[] = { { 10, 0 }, { 257, BIT_ULL(40) - 995 } };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct rig *t = counting(test, 40, 1000);

		fake_time += rows[i].seconds * 1000000000;
		del(t, 0);
		expect(t, R8(CPMU_CFG(0), CTL_READ), W8(CPMU_CFG(0), 0),
		       R8(CPMU_CTR(0), 5));
		apply(t);
		KUNIT_EXPECT_EQ(test, t->ev[0].count, rows[i].count);
		KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U - i);
	}
}

#define FIRST_CTL(n)	(0x40 + 4 * (n))
#define FIRST_CTR(n)	(8 + 8 * (n))
#define MINUTE		60000U
#define END(_width, _missing)	(BIT_ULL(_width) - (_missing))
#define IS_KEPT		1
#define IS_CHANGED	2

/*
 * Event 0 of @events counts on counters of @width bits, at 2^@rate_log2 a
 * second or less. A tick after @seconds reads @before. @ms later the counter
 * holds @value: in a tick, or in a stop if @stops. The control reads as @ctl,
 * and all active controls are read if @are_read. Event 0 gains @gain.
 */
static const struct {
	const char *what;
	u8 width, rate_log2;
	bool has_control;
	unsigned int events;
	u64 before;
	unsigned int seconds;
	bool stops;
	unsigned int ms;
	u64 value;
	u32 ctl;
	bool are_read;
	u64 gain;
} went_back_rows[] = {
	/* A box with a clock for a day is reset: same event, or another. */
	{ "48 bits, to 0", 48, 0, true, 1, 200000000000000, 83000, false,
	  MINUTE, 1000, IS_KEPT, true, 0 },
	{ "48 bits, late", 48, 0, true, 1, 250000000000000, 104000, false,
	  MINUTE, 1000, IS_KEPT, true, 0 },
	{ "48 bits, beside others", 48, 0, true, 3, 250000000000000, 104000,
	  false, MINUTE, 1000, IS_KEPT, true, 0 },
	{ "48 bits, no reset", 48, 0, false, 1, 250000000000000, 104000, false,
	  MINUTE, 1000, IS_KEPT, true, 0 },
	{ "48 bits, no reset, beside others", 48, 0, false, 3, 250000000000000,
	  104000, false, MINUTE, 1000, IS_KEPT, true, 0 },
	{ "44 bits, fast protocol", 44, 37, true, 3, 12000000000000, 5000, false,
	  MINUTE, 1000, IS_KEPT, true, 0 },
	{ "44 bits, no reset", 44, 37, false, 1, 12000000000000, 5000, false,
	  MINUTE, 1000, IS_KEPT, true, 0 },
	{ "32 bits", 32, 25, true, 2, 1000000000, 600, false, MINUTE, 1000,
	  IS_KEPT, true, 0 },
	{ "32 bits, no reset", 32, 25, false, 1, 1000000000, 600, false, MINUTE,
	  1000, IS_KEPT, true, 0 },
	/* Just before the end: only the control shows the reset. */
	{ "48 bits, stops", 48, 0, true, 4, END(48, 1000), 100000, true, MINUTE,
	  5, IS_CHANGED, false, 0 },
	{ "44 bits, stops", 44, 37, true, 2, END(44, 1000), 7000, true, MINUTE,
	  5, IS_CHANGED, false, 0 },
	{ "32 bits, stops", 32, 25, true, 2, END(32, 1000), 600, true, MINUTE,
	  5, IS_CHANGED, false, 0 },
	{ "48 bits, no reset, stops", 48, 0, false, 1, END(48, 1000), 100000, true,
	  MINUTE, 5, IS_CHANGED, false, 0 },
	{ "32 bits, no reset, stops", 32, 25, false, 2, END(32, 1000), 600, true,
	  MINUTE, 5, IS_CHANGED, false, 0 },
	/* Wraps. */
	{ "a clock", 48, 0, true, 3, END(48, 1ULL << 36), 131000, false, MINUTE,
	  1ULL << 36, IS_KEPT, true, 1ULL << 37 },
	{ "a clock, stops", 44, 37, true, 3, END(44, 1ULL << 36), 8000, true,
	  MINUTE, 1ULL << 36, IS_KEPT, true, 1ULL << 37 },
	{ "a narrow one", 32, 25, true, 1, END(32, 1ULL << 30), 600, false,
	  MINUTE, 1ULL << 29, IS_KEPT, true, 3ULL << 29 },
	{ "no reset, in its first second", 48, 32, false, 1,
	  END(48, 1ULL << 29), 0, false, 900, 1ULL << 29, IS_KEPT, true,
	  1ULL << 30 },
	{ "a fresh event on an old counter", 48, 0, false, 3,
	  END(48, 1ULL << 37), 0, false, MINUTE, 1ULL << 36, IS_KEPT, true,
	  3ULL << 36 },
	{ "a burst after an idle hour", 48, 0, false, 1, END(48, 1ULL << 37),
	  3600, false, MINUTE, 1ULL << 37, IS_KEPT, true, 1ULL << 38 },
	/* Bounds: 2^25, 2^40, 2^32 a second for 60 s; 16 * 2^48 in 10,000 s. */
	{ "the documented rate", 32, 25, false, 1, END(32, 60ULL << 25), 0, false,
	  59999, 5, IS_KEPT, true, (60ULL << 25) + 5 },
	{ "more", 32, 25, false, 1, END(32, 60ULL << 25) - 1, 0, false, 59999, 5,
	  IS_KEPT, true, 0 },
	{ "the fastest event", 48, 0, true, 1, END(48, 60ULL << 40), 60, false,
	  59999, 5, IS_KEPT, true, (60ULL << 40) + 5 },
	{ "more", 48, 0, true, 1, END(48, 60ULL << 40) - 1, 60, false, 59999, 5,
	  IS_KEPT, true, 0 },
	{ "a clock's rate", 48, 0, false, 1, END(48, 60ULL << 32), 0, false,
	  59999, 5, IS_KEPT, true, (60ULL << 32) + 5 },
	{ "more", 48, 0, false, 1, END(48, 60ULL << 32) - 1, 0, false, 59999, 5,
	  IS_KEPT, true, 0 },
	{ "16 times its own", 48, 0, true, 1, END(48, 24522731430720), 10000,
	  false, 59999, 5, IS_KEPT, true, 24522731430725 },
	{ "more", 48, 0, true, 1, END(48, 24522731430720) - 1, 10000, false,
	  59999, 5, IS_KEPT, true, 0 },
	{ "40 bits", 40, 35, false, 1, END(40, 1ULL << 38), 0, false, 59999, 5,
	  IS_KEPT, true, 0 },
	{ "39 bits", 39, 35, false, 1, END(39, 1ULL << 38), 0, false, 59999, 5,
	  IS_KEPT, true, (1ULL << 38) + 5 },
	{ "an occupancy", 48, 0, true, 2, END(48, 1ULL << 43), 1000, false,
	  MINUTE, 1ULL << 42, IS_KEPT, true, 3ULL << 42 },
};

/* Start events on counters that hold @before; without box control only. */
static struct rig *counted_before(struct kunit *test, unsigned int row)
{
	const struct pmon_protocol has_control = {
		FREEZE, RESET, RUN, 4, .rate_log2 = went_back_rows[row].rate_log2,
	}, none = {
		.no_reset = true, .rate_log2 = went_back_rows[row].rate_log2,
	};
	unsigned int i, events = went_back_rows[row].events;
	bool no_reset = !went_back_rows[row].has_control;
	struct pmon_protocol *protocol =
		kunit_kzalloc(test, sizeof(*protocol), GFP_KERNEL);
	struct pmon_counter *counter =
		kunit_kzalloc(test, 4 * sizeof(*counter), GFP_KERNEL);
	struct pmon_layout layout = imc;
	struct rig *t;

	KUNIT_ASSERT_TRUE(test, counter && protocol);
	memcpy(protocol, no_reset ? &none : &has_control, sizeof(*protocol));
	memcpy(counter, imc.counter, 4 * sizeof(*counter));
	for (i = 0; i < 4; i++)
		counter[i].width = went_back_rows[row].width;
	layout.protocol = protocol;
	layout.counter = counter;
	layout.counters = 4;
	t = rig_new(test, &layout, false);
	pmon_hw_mark_zero(&t->hw, GENMASK(3, 0));
	if (!no_reset)
		expect(t, W4(0, RESET));
	for (i = 0; i < events; i++) {
		add_on(t, i, 1 + i, i);
		if (no_reset)
			r(t, FIRST_CTR(i), i ? 0 : went_back_rows[row].before);
	}
	for (i = 0; i < events; i++)
		expect(t, W4(FIRST_CTL(i), 1 + i));
	if (!no_reset)
		expect(t, W4(0, RUN));
	apply(t);
	fake_time += went_back_rows[row].seconds * 1000000000ULL;
	return t;
}

/* Expect unchanged controls of the events from @i on. */
static void expect_unchanged(struct rig *t, unsigned int i, unsigned int events)
{
	for (; i < events; i++)
		expect(t, R4(FIRST_CTL(i), 1 + i));
}

static void expect_went_back(struct rig *t, unsigned int row, u64 value)
{
	unsigned int i;

	expect(t, R4(FIRST_CTL(0), 1), R8(FIRST_CTR(0), value));
	if (value == went_back_rows[row].value && went_back_rows[row].are_read)
		expect_unchanged(t, 0, went_back_rows[row].events);
	for (i = 1; i < went_back_rows[row].events; i++)
		r(t, FIRST_CTR(i), 7);
	rig_tick(t);
}

static void counters_that_went_back(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(went_back_rows); i++) {
		struct rig *t = counted_before(test, i);
		u64 before;

		expect_went_back(t, i, went_back_rows[i].before);
		before = t->ev[0].count;
		fake_time += went_back_rows[i].ms * 1000000ULL;
		if (went_back_rows[i].stops) {
			del(t, 0);
			expect(t, R4(FIRST_CTL(0), went_back_rows[i].ctl),
			       W4(FIRST_CTL(0), 0),
			       R8(FIRST_CTR(0), went_back_rows[i].value));
			if (went_back_rows[i].are_read)
				expect_unchanged(t, 1, went_back_rows[i].events);
			apply(t);
		} else {
			expect_went_back(t, i, went_back_rows[i].value);
		}
		KUNIT_EXPECT_EQ_MSG(test, t->ev[0].count - before,
				    went_back_rows[i].gain, "%s",
				    went_back_rows[i].what);
		KUNIT_EXPECT_EQ_MSG(test, t->hw.disturbed,
				    !went_back_rows[i].gain, "%s",
				    went_back_rows[i].what);
		KUNIT_EXPECT_EQ(test, t->hw.disturbed, t->reports);
	}
}

/*
 * The average rate includes wraps, but neither the value before the start nor
 * dropped gains. At so low a rate the event does not gain 2^43 in a minute.
 */
static void a_wrap_needs_the_rate_of_the_event(struct kunit *test)
{
	static const struct {
		u64 value, gain;
		bool is_rechecked;
		unsigned int seconds;	/* 0: 60 */
	} rows[] = {
		{ END(48, 1ULL << 33) + (1ULL << 32), 1ULL << 32, false },
		{ 1ULL << 33, 3ULL << 32, true },
		{ END(48, 1ULL << 43), 0, false },
		{ 5, 0, true },
		{ END(48, 1ULL << 43), 0, false },
		{ 7, 0, true },
		{ 8, 1, false },
		/* 16 times the average gains 9.0e11 in a minute */
		{ END(48, 1000000000000), END(48, 1000000000008), false,
		  300000 },
		{ 9, 0, true },
	};
	struct rig *t = counting(test, 48, END(48, 1ULL << 33));
	unsigned int i;

	t->ev[0].event.rate_log2 = 38;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		fake_time += (rows[i].seconds ?: 60) * 1000000000ULL;
		tick_gains(t, i, rows[i].value, rows[i].is_rechecked, rows[i].gain);
	}
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 5U);
}

/*
 * A wrap counts fully in the average: after 2^17 seconds, 16 times the average
 * just reaches the end in a minute, but not with one count less.
 */
static void a_wrap_counts_whole(struct kunit *test)
{
	const u64 seconds = BIT_ULL(17), minute = 60;
	const u64 rate = BIT_ULL(48) / (seconds + 16 * minute) + 1;
	const u64 missing = 16 * minute * rate;
	/* gain up to the first wrap */
	const u64 first = seconds * rate + missing - BIT_ULL(48);
	const struct {
		u64 ms, value, gain;
		bool is_rechecked;
	} rows[] = {
		{ 60000, 5, first + 5, false },
		{ (seconds - 2 * minute) * 1000 + 1, END(48, missing),
		  END(48, missing) - 5, false },
		{ 59999, BIT_ULL(30), missing + BIT_ULL(30), true },
	};
	struct rig *t = counting(test, 48, END(48, first));
	unsigned int i;

	t->ev[0].event.rate_log2 = 38;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		fake_time += rows[i].ms * 1000000;
		tick_gains(t, i, rows[i].value, rows[i].is_rechecked, rows[i].gain);
	}
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 0U);
}

/* Split: a gain below 2^32 is not torn, so the counter is read once. */
static void a_gain_of_halves_is_read_once(struct kunit *test)
{
	struct rig *t = rig_new(test, &upi, true);
	u64 value;

	add_new(t, 0, 1, 0);
	apply_as(t, W4(0, RESET), W8(0x38, 1), W4(0, RUN));
	for (value = BIT_ULL(31); value < BIT_ULL(34); value += BIT_ULL(31)) {
		fake_time += 2000000000;
		expect_count(t, 0, 8, value, value);
	}
	value += U32_MAX - BIT_ULL(31);
	fake_time += 2000000000;
	expect_count(t, 0, 8, value, value);
}

/*
 * Four counters are reset just before the end, and one control shows the reset:
 * no event gains, and disturbed increases once.
 */
static void one_control_is_enough(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	start_four(test, t);
	fake_time += 1000000000ULL << 17;
	expect(t, R4(FIRST_CTL(0), 1));
	expect_four_reads(t, BIT_ULL(48) - 1000);
	rig_tick(t);
	for (i = 0; i < 4; i++)
		del(t, i);
	expect(t, R4(FIRST_CTL(0), 0), W4(0, FREEZE));
	expect_four_reads(t, 5);
	apply(t);
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ(test, t->ev[i].count, BIT_ULL(48) - 1000 + i);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
	KUNIT_EXPECT_EQ(test, t->reports, 1U);
}

/*
 * Another program uses the same event on all counters except @other, and resets
 * the box just before the counters in @back wrap. No event gains, whether
 * @other is before or after these counters, and disturbed increases once.
 */
static const struct {
	unsigned int events, other;
	u32 back;
} other_rows[] = {
	{ 2, 1, BIT(0) },
	{ 2, 0, BIT(1) },
	{ 2, 1, BIT(0) | BIT(1) },
	{ 2, 0, BIT(0) | BIT(1) },
	{ 3, 2, BIT(0) },
	{ 3, 2, BIT(0) | BIT(1) },
	{ 3, 1, BIT(0) | BIT(2) },
	{ 3, 1, BIT(2) },
	{ 3, 0, BIT(1) | BIT(2) },
	{ 3, 2, BIT(0) | BIT(1) | BIT(2) },
};

/* Smallest gain with a check. */
#define LATER	BIT_ULL(28)

static void other_controls_show_a_reset(struct kunit *test)
{
	unsigned int row, i;

	for (row = 0; row < ARRAY_SIZE(other_rows); row++) {
		unsigned int events = other_rows[row].events;
		unsigned int other = other_rows[row].other;
		struct rig *t = rig_new(test, &imc, false);
		bool is_known = false;

		expect(t, W4(0, RESET));
		for (i = 0; i < events; i++)
			add_on(t, i, 1 + i, i);
		for (i = 0; i < events; i++)
			expect(t, W4(FIRST_CTL(i), 1 + i));
		apply_as(t, W4(0, RUN));
		fake_time += 1000000000ULL << 17;
		expect_unchanged(t, 0, 1);
		for (i = 0; i < events; i++)
			r(t, FIRST_CTR(i), other_rows[row].back & BIT(i) ?
			  END(48, 1000) : 0);
		rig_tick(t);

		/* a snapshot reads no control first */
		fake_time += 1000000000;
		expect(t, W4(0, FREEZE));
		for (i = 0; i < events; i++) {
			r(t, FIRST_CTR(i), LATER);
			if (is_known || !(other_rows[row].back & BIT(i)))
				continue;
			expect_unchanged(t, 0, other);
			expect(t, R4(FIRST_CTL(other), 0x77));
			is_known = true;
		}
		expect(t, W4(0, RUN));
		rig_snapshot(t, GENMASK(events - 1, 0));
		for (i = 0; i < events; i++)
			KUNIT_EXPECT_EQ_MSG(test, t->ev[i].count,
					    other_rows[row].back & BIT(i) ?
					    END(48, 1000) : LATER, "row %u", row);

		/* Once more: what was gained is kept, for the rate. */
		expect(t, W4(0, FREEZE));
		for (i = 0; i < events; i++)
			r(t, FIRST_CTR(i), 7);
		expect(t, W4(0, RUN));
		rig_snapshot(t, GENMASK(events - 1, 0));
		for (i = 0; i < events; i++)
			KUNIT_EXPECT_EQ_MSG(test, t->ev[i].count,
					    t->hw.counter[i].value -
					    t->hw.counter[i].baseline,
					    "row %u", row);
		KUNIT_EXPECT_EQ_MSG(test, t->hw.disturbed, 1U, "row %u", row);
		KUNIT_EXPECT_EQ_MSG(test, t->reports, 1U, "row %u", row);
	}
}

/*
 * The CPU is away between a read and the next line of code: what the counter
 * gains meanwhile, here 2^35 in ten seconds, was gained after the read.
 */
static void a_pause_after_a_read_is_time_to_count(struct kunit *test)
{
	struct rig *t;

	pause_ns = 10000000000ULL;
	t = counting(test, 48, 0);
	pause_ns = 0;
	r(t, CPMU_CTR(0), BIT_ULL(35));
	rig_read(t, 0);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, BIT_ULL(35));

	pause_ns = 10000000000ULL;
	tick_gains(t, 0, BIT_ULL(35) + 1, false, 1);
	pause_ns = 0;
	r(t, CPMU_CTR(0), BIT_ULL(36) + 1);
	rig_read(t, 0);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, BIT_ULL(36) + 1);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 0U);
}

static struct kunit_case wrap_tests[] = {
	/* contract: wrap */
	KUNIT_CASE(a_wrap_without_an_answer_is_none),
	KUNIT_CASE(a_small_gain_is_not_checked),
	KUNIT_CASE(the_rate_decides),
	KUNIT_CASE(a_fast_event_wraps_early),
	KUNIT_CASE(a_wrap_needs_the_rate_of_the_event),
	KUNIT_CASE(a_wrap_counts_whole),
	KUNIT_CASE(a_gain_of_halves_is_read_once),
	KUNIT_CASE(a_pause_after_a_read_is_time_to_count),
	/* contract: reset */
	KUNIT_CASE(a_reset_is_no_wrap),
	KUNIT_CASE(a_reset_before_the_end),
	KUNIT_CASE(counters_that_went_back),
	KUNIT_CASE(one_control_is_enough),
	KUNIT_CASE(other_controls_show_a_reset),
	/* contract: ones */
	KUNIT_CASE(all_ones_is_no_reading_at_any_width),
	{ }
};

struct kunit_suite pmon_wrap_suite = {
	.name = "pmon_wrap",
	.test_cases = wrap_tests,
};
