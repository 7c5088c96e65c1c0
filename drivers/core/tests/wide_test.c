// SPDX-License-Identifier: GPL-2.0-only
/* Halves of a counter that goes on counting between the reads. */
#include <linux/kernel.h>

#include "../wide.h"
#include "suites.h"

/* Counts @step at each access, after it. */
struct wide_counter {
	u64 value;
	u64 step;
	unsigned int reads;
};

static u32 wide_read32(const void *data, u32 reg)
{
	struct wide_counter *counter = (struct wide_counter *)data;
	u32 half = reg ? counter->value >> 32 : counter->value;

	counter->reads++;
	counter->value += counter->step;
	return half;
}

/* A reading lies between what was there before and what is there after. */
static void wide_check(struct kunit *test, u64 start, u64 step)
{
	struct wide_counter counter = { .value = start, .step = step };
	u64 got = pmon_wide_read(wide_read32, &counter, 0);

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

static void a_gone_device_stays_all_ones(struct kunit *test)
{
	struct wide_counter counter = { .value = ~0ULL };

	KUNIT_EXPECT_EQ(test, pmon_wide_read(wide_read32, &counter, 0), ~0ULL);
}

static struct kunit_case wide_tests[] = {
	KUNIT_CASE(readings_are_never_torn),
	KUNIT_CASE(a_gone_device_stays_all_ones),
	{ }
};

struct kunit_suite pmon_wide_suite = {
	.name = "pmon_wide",
	.test_cases = wide_tests,
};
