// SPDX-License-Identifier: GPL-2.0-only
/* Halves of a counter that goes on counting between the reads. */
#include <linux/kernel.h>

#include "../wide.h"
#include "rig.h"
#include "suites.h"

#define FASTEST_NS	275ULL	/* 2^38 a second */
#define LIMIT_NS	3000000

static u64 wide_now;

static u64 wide_clock(void)
{
	return wide_now;
}

/*
 * Counts @step at each access, after it. After access @stalls, for @stall_ns,
 * it counts as fast as a counter can until it is read.
 */
struct wide_counter {
	u64 value;
	u64 step;
	unsigned int reads;
	unsigned int stalls;
	u64 stall_ns;
};

static u32 wide_read32(const void *data, u32 reg)
{
	struct wide_counter *counter = (struct wide_counter *)data;
	u32 half = reg ? counter->value >> 32 : counter->value;

	counter->reads++;
	counter->value += counter->step;
	if (counter->reads == counter->stalls) {
		counter->value += counter->stall_ns * FASTEST_NS;
		wide_now += counter->stall_ns;
	}
	return half;
}

/* A reading lies between what was there before and what is there after. */
static void wide_check(struct kunit *test, u64 start, u64 step)
{
	struct wide_counter counter = { .value = start, .step = step };
	u64 got = pmon_wide_read(wide_read32, wide_clock, LIMIT_NS, &counter,
				 0);

	KUNIT_EXPECT_GE(test, got, start);
	KUNIT_EXPECT_LE(test, got, counter.value);
	KUNIT_EXPECT_LE(test, counter.reads, 4U);
	if ((u32)start < 0xc0000000)
		KUNIT_EXPECT_EQ(test, counter.reads, 2U);
}

static void readings_are_never_torn(struct kunit *test)
{
	static const u64 steps[] = { 0, 1, 3, 1000, 0x100000, 0x3fffffff };
	static const u64 highs[] = { 0, 1, 0xffff, 0xffff0000 };
	unsigned int i, j;
	int k;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		for (j = 0; j < ARRAY_SIZE(highs); j++) {
			u64 carry = (highs[j] + 1) << 32;

			for (k = -3; k < 8; k++) {
				wide_check(test, carry + k * (s64)steps[i] - 1,
					   steps[i]);
				wide_check(test, carry + k - 4, steps[i]);
			}
		}
	}
}

/* Long enough for any number of carries, or just long enough for one. */
static void a_long_pause_is_noticed(struct kunit *test)
{
	static const u64 pauses[] = {
		1000, 2999999, 3000001, 15000000, 16000000, 1000000000,
	};
	static const u64 lows[] = { 0, 0x10000000, 0xbfffffff, 0xc0000000,
				    0xffffffff };
	unsigned int i, j, stalls;

	for (i = 0; i < ARRAY_SIZE(pauses); i++)
		for (j = 0; j < ARRAY_SIZE(lows); j++)
			for (stalls = 1; stalls <= 3; stalls++) {
				struct wide_counter counter = {
					.value = 7ULL << 32 | lows[j],
					.step = 100, .stalls = stalls,
					.stall_ns = pauses[i],
				};
				u64 got = pmon_wide_read(wide_read32,
							 wide_clock, LIMIT_NS,
							 &counter, 0);

				KUNIT_EXPECT_GE(test, got, 7ULL << 32 | lows[j]);
				KUNIT_EXPECT_LE(test, got, counter.value);
			}
}

/* Always interrupted: there is no value, and that is no endless loop. */
static u32 wide_read32_slow(const void *data, u32 reg)
{
	wide_now += 4000000;
	return wide_read32(data, reg);
}

static void no_time_is_no_value(struct kunit *test)
{
	struct wide_counter counter = { .value = 5 };

	KUNIT_EXPECT_EQ(test, pmon_wide_read(wide_read32_slow, wide_clock,
					     LIMIT_NS, &counter, 0), ~0ULL);
	KUNIT_EXPECT_LE(test, counter.reads, 8U);
}

static void a_gone_device_stays_all_ones(struct kunit *test)
{
	struct wide_counter counter = { .value = ~0ULL };

	KUNIT_EXPECT_EQ(test, pmon_wide_read(wide_read32, wide_clock,
					     LIMIT_NS, &counter, 0), ~0ULL);
}

/* The same in a bank, which sees by the gain that a reading may be torn. */
static u64 wide_whole;
static unsigned int wide_asked;

static u64 wide_settled(const struct pmon_regs *regs, u32 reg)
{
	wide_asked++;
	return wide_whole;
}

static struct rig *wide_rig(struct kunit *test, const struct pmon_layout *l)
{
	struct rig *t = rig_new(test, l, true);

	t->fake.ops.settled = wide_settled;
	wide_asked = 0;
	return t;
}

static const struct wide_reading {
	const char *what;
	u64 value, whole, count;
	unsigned int asked;
} wide_readings[] = {
	{ "a small gain", 1000, 0, 1000, 0 },
	{ "as much as the low half holds", U32_MAX, 0, U32_MAX, 0 },
	{ "torn", 0x100000000 + 77, 78, 78, 1 },
	{ "torn, while something kept the CPU away", 0x500000000, 0x400000007,
	  0x400000007, 1 },
	{ "a long time", 0x300000000, 0x300000009, 0x300000009, 1 },
	{ "no answer at first", ~0ULL, 78, 78, 1 },
	{ "no answer any more", 0xffffffff00000007, ~0ULL, 0, READS },
};

KUNIT_ARRAY_PARAM_DESC(wide_reading, wide_readings, what);

static void a_gain_tells_what_is_torn(struct kunit *test)
{
	const struct wide_reading *r = test->param_value;
	struct rig *t = wide_rig(test, &upi);

	start_four(test, t);
	fake_time += 1000000000;
	wide_whole = r->whole;
	expect_count(t, 0, 0x08, r->value, r->count);
	KUNIT_EXPECT_EQ(test, wide_asked, r->asked);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);
}

/* A reset does not clear the fixed counter: it starts where it is. */
static void a_start_is_not_torn(struct kunit *test)
{
	struct rig *t = wide_rig(test, &imc);

	add_new(t, 0, 0xff, 0);
	wide_whole = 0x7ffffffff;
	apply_as(t, W4(0, RESET), W4(0x54, 0x400000), W4(0, RUN));
	KUNIT_EXPECT_EQ(test, wide_asked, 1U);
	expect_count(t, 0, 0x38, 0x800000001, 2);
}

/* Of a counter that runs by itself nothing tells. */
static void a_free_counter_is_not_torn(struct kunit *test)
{
	static const struct pmon_counter counter = {
		.config = 0x10ff, .ctr = 0x10, .width = 48,
		.kind = PMON_COUNTER_FREE_RUNNING,
	};
	static const struct pmon_layout layout = {
		.counter = &counter, .counters = 1,
	};
	struct rig *t = wide_rig(test, &layout);

	add_new(t, 0, 0x10ff, 0);
	wide_whole = 0xffffffff;
	apply(t);
	wide_whole = 0x100000001;
	pmon_bank_read(&t->bank, &t->ev[0].event);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 2ULL);
	KUNIT_EXPECT_EQ(test, wide_asked, 2U);
}

static struct kunit_case wide_tests[] = {
	KUNIT_CASE(readings_are_never_torn),
	KUNIT_CASE(a_long_pause_is_noticed),
	KUNIT_CASE(no_time_is_no_value),
	KUNIT_CASE(a_gone_device_stays_all_ones),
	KUNIT_CASE_PARAM(a_gain_tells_what_is_torn, wide_reading_gen_params),
	KUNIT_CASE(a_start_is_not_torn),
	KUNIT_CASE(a_free_counter_is_not_torn),
	{ }
};

struct kunit_suite pmon_wide_suite = {
	.name = "pmon_wide",
	.test_cases = wide_tests,
};
