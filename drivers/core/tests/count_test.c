// SPDX-License-Identifier: GPL-2.0-only
/* contract: wrap */
/* Check wraps and poll periods for every valid width of a counter. */
#include <linux/bits.h>
#include <linux/kernel.h>

#include <pmon/box.h>

#include "rig.h"
#include "suites.h"

/* At the fastest rate, narrower counters wrap too often. */
#define WIDE	32

/* Reads at steps below the range add up to the true count, over all wraps. */
static void deltas_add_up_over_wraps(struct kunit *test)
{
	struct pmon_counter counter = {
		.ctr = 0x8, .config = 0x10ff, .kind = PMON_COUNTER_FREE_RUNNING,
	};
	const struct pmon_layout layout = { .counter = &counter, .counters = 1 };

	/* Narrower counters would wrap twice in a step that is 99 longer. */
	for (counter.width = 8; counter.width <= PMON_WIDTH_MAX;
	     counter.width++) {
		u64 max = GENMASK_ULL(counter.width - 1, 0);
		u64 step = max / 3 + 1, happened = 0;
		struct rig *t = rig_new(test, &layout, false);
		unsigned int i;

		add_new(t, 0, 0x10ff, 0);
		apply_as(t, R8(0x8, 0));
		for (i = 0; i < 100; i++) {
			happened += step + i;
			/* long enough for any counter to gain @step */
			fake_time += BIT_ULL(53);
			fake_read(&t->fake, 0x8, happened & max);
			rig_sync(t);
		}
		KUNIT_EXPECT_EQ(test, t->ev[0].count, happened);
		KUNIT_EXPECT_EQ(test, t->hw.disturbed, 0U);
	}
}

static u64 period(u8 width)
{
	return pmon_wrap_period_ns(width, PMON_RATE_LOG2);
}

static void period_follows_width(struct kunit *test)
{
	u8 width;

	KUNIT_EXPECT_EQ(test, period(32), 7812500ULL);
	KUNIT_EXPECT_EQ(test, period(36), 125000000ULL);
	KUNIT_EXPECT_EQ(test, period(39), 1000000000ULL);
	KUNIT_EXPECT_EQ(test, period(44), 32000000000ULL);
	KUNIT_EXPECT_EQ(test, period(45), 60000000000ULL);
	KUNIT_EXPECT_EQ(test, period(48), 60000000000ULL);
	KUNIT_EXPECT_EQ(test, period(64), 60000000000ULL);

	for (width = WIDE; width < PMON_WIDTH_MAX; width++)
		KUNIT_EXPECT_LE(test, period(width), period(width + 1));
}

/* In one period the fastest counter gains at most half of its range. */
static void period_is_short_enough(struct kunit *test)
{
	u8 width;

	for (width = WIDE; width <= PMON_WIDTH_MAX; width++) {
		u64 ns = period(width);
		/* 2^38 per second is 2^29 per 1953125 ns. */
		u64 gained = (ns / 1953125 + 1) << 29;
		u64 slack = 1ULL << 29;

		KUNIT_EXPECT_LE(test, gained, BIT_ULL(width - 1) + slack);
	}
}

/* A slower counter may be narrower: only the difference matters. */
static void period_follows_rate(struct kunit *test)
{
	const u64 second = 1000000000;
	u8 rate, width;

	/* DRAM counters of Victoria Falls; 24 bits at a gigahertz */
	KUNIT_EXPECT_EQ(test, pmon_wrap_period_ns(31, 34), 62500000ULL);
	KUNIT_EXPECT_EQ(test, pmon_wrap_period_ns(24, 30), 7812500ULL);
	KUNIT_EXPECT_EQ(test, pmon_wrap_period_ns(1, 1), second / 2);
	KUNIT_EXPECT_EQ(test, pmon_wrap_period_ns(64, 1), 60 * second);
	for (rate = 1; rate < PMON_RATE_LOG2; rate++)
		for (width = PMON_WIDTH_MIN; width < PMON_WIDTH_MAX; width++)
			KUNIT_EXPECT_EQ(test, pmon_wrap_period_ns(width, rate),
					pmon_wrap_period_ns(width + 1,
							    rate + 1));
}

/* The bound is between 2^41 and 2^42 a second. */
static void possible_is_what_no_counter_exceeds(struct kunit *test)
{
	const u64 second = 1000000000, irp = 128 * 5000000000ULL;

	KUNIT_EXPECT_TRUE(test, pmon_delta_possible(0, 0, 0));
	KUNIT_EXPECT_TRUE(test, pmon_delta_possible(irp, second, 0));
	KUNIT_EXPECT_TRUE(test,
			  pmon_delta_possible(irp / 1000, second / 1000, 0));
	KUNIT_EXPECT_TRUE(test, pmon_delta_possible(BIT_ULL(41), second, 0));
	KUNIT_EXPECT_FALSE(test, pmon_delta_possible(BIT_ULL(42), second, 0));
	KUNIT_EXPECT_FALSE(test,
			   pmon_delta_possible(BIT_ULL(48), 60 * second, 0));
	KUNIT_EXPECT_TRUE(test, pmon_delta_possible(~0ULL, ~0ULL, 0));
}

/* Eight times the rate of a counter is possible, 16 times is not. */
static void possible_follows_rate(struct kunit *test)
{
	const u64 second = 1000000000;

	KUNIT_EXPECT_TRUE(test, pmon_delta_possible(0, 0, 32));
	KUNIT_EXPECT_TRUE(test, pmon_delta_possible(BIT_ULL(35), second, 32));
	KUNIT_EXPECT_FALSE(test, pmon_delta_possible(BIT_ULL(36), second, 32));
	KUNIT_EXPECT_TRUE(test, pmon_delta_possible(60 * BIT_ULL(38),
						    60 * second, 35));
	KUNIT_EXPECT_FALSE(test, pmon_delta_possible(120 * BIT_ULL(38),
						     60 * second, 35));
	/* the slowest rate with a check */
	KUNIT_EXPECT_TRUE(test, pmon_delta_possible(BIT_ULL(29), second, 26));
	KUNIT_EXPECT_FALSE(test, pmon_delta_possible(BIT_ULL(30), second, 26));
	KUNIT_EXPECT_TRUE(test, pmon_delta_possible(BIT_ULL(63), 0, 25));
}

static struct kunit_case count_tests[] = {
	KUNIT_CASE(deltas_add_up_over_wraps),
	KUNIT_CASE(period_follows_width),
	KUNIT_CASE(period_is_short_enough),
	KUNIT_CASE(period_follows_rate),
	KUNIT_CASE(possible_is_what_no_counter_exceeds),
	KUNIT_CASE(possible_follows_rate),
	{ }
};

struct kunit_suite pmon_count_suite = {
	.name = "pmon_count",
	.test_cases = count_tests,
};
