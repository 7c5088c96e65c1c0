// SPDX-License-Identifier: GPL-2.0-only
/* contract: torn */
/*
 * Read running counters in halves. Both halves must belong together: each
 * result must lie between the values before and after the read.
 */
#include <linux/kernel.h>

#include "rig.h"
#include "suites.h"

#define CTR	0x10

static const struct pmon_counter wide_counter = {
	.config = 0x10ff, .ctr = CTR, .width = 48,
	.kind = PMON_COUNTER_FREE_RUNNING,
};

static const struct pmon_layout wide_layout = {
	.counter = &wide_counter, .counters = 1,
};

/* The counter gains @step per access; access no. @stalls takes @stall_ns. */
static struct wide {
	u64 value;
	u64 step;
	unsigned int reads;
	unsigned int stalls;
	u64 stall_ns;
} wide;

/* Read half of the counter, which gains 2^38 a second during a stall. */
static u32 wide_half(u32 reg)
{
	u32 half = reg == CTR ? wide.value : wide.value >> 32;

	if (reg != CTR && reg != CTR + 4)
		return 0;

	wide.reads++;
	wide.value += wide.step;
	fake_time += FAKE_ACCESS_NS;
	if (wide.reads == wide.stalls) {
		wide.value += wide.stall_ns * 275;
		fake_time += wide.stall_ns;
	}
	return half;
}

static u64 wide_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	u32 low = wide_half(reg);

	return bytes < 8 ? low : (u64)wide_half(reg + 4) << 32 | low;
}

static struct rig *wide_rig(struct kunit *test)
{
	struct rig *t = rig_new(test, &wide_layout, true);

	t->fake.ops.read = wide_read;
	add_new(t, 0, 0x10ff, 0);
	return t;
}

/* Check the value from which an event starts, and the number of reads. */
static void wide_check(struct kunit *test, const struct wide *counter,
		       unsigned int reads)
{
	struct rig *t = wide_rig(test);

	wide = *counter;
	pmon_hw_apply(&t->hw);
	if (t->ev[0].event.failed)
		return;
	KUNIT_EXPECT_GE(test, t->hw.counter[0].value, counter->value);
	KUNIT_EXPECT_LE(test, t->hw.counter[0].value, wide.value);
	KUNIT_EXPECT_LE(test, wide.reads, reads);
}

static void readings_are_never_torn(struct kunit *test)
{
	static const u64 steps[] = { 0, 1, 3, 1000, 0x100000, 0x3fffffff };
	static const u64 highs[] = { 0, 1, 0xff };
	unsigned int i, j;
	int k;

	for (i = 0; i < ARRAY_SIZE(steps); i++)
		for (j = 0; j < ARRAY_SIZE(highs); j++)
			for (k = -3; k < 8; k++) {
				struct wide counter = {
					.value = ((highs[j] + 1) << 32) - 1 +
						 k * (s64)steps[i],
					.step = steps[i],
				};
				u64 low = (u32)counter.value;

				/* Three halves, again at a carry or all-ones. */
				wide_check(test, &counter,
					   low + 3 * steps[i] < U32_MAX ? 3 :
					   steps[i] ? 9 : 3 * READS);
			}
}

/* Stall an access, so that the low half carries never, once or many times. */
static void a_long_pause_is_noticed(struct kunit *test)
{
	static const u64 pauses[] = { 1000, 2999000, 3000001, 15000000,
				      1000000000 };
	static const u64 lows[] = { 0, 0x10000000, 0xbfffffff, 0xc0000000,
				    0xcedd0000, 0xffffffff };
	unsigned int i, j, stalls;

	for (i = 0; i < ARRAY_SIZE(pauses); i++)
		for (j = 0; j < ARRAY_SIZE(lows); j++)
			for (stalls = 1; stalls <= 3; stalls++) {
				const struct wide counter = {
					.value = 7ULL << 32 | lows[j],
					.step = 100, .stalls = stalls,
					.stall_ns = pauses[i],
				};

				wide_check(test, &counter, 9);
			}
}

/*
 * While an event counts, a read may be torn if the gain is 2^32 or more, or if
 * the low half is all-ones. Only then is the counter read again.
 */
static void a_gain_shows_that_a_reading_is_torn(struct kunit *test)
{
	static const struct {
		u64 value, whole, count;
		bool again;
	} rows[] = {
		{ 1000, 0, 1000, false },
		{ U32_MAX - 1, 0, U32_MAX - 1, false },
		/* all-ones in one access of two: likwid PR 639 */
		{ U32_MAX, 1500, 1500, true },
		{ 0x100000000 + 77, 78, 78, true },
		{ 0x500000000, 0x400000007, 0x400000007, true },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct rig *t = rig_new(test, &upi, true);

		start_four(test, t);
		fake_time += 1000000000;
		fake_read(&t->fake, 0x08, rows[i].value);
		if (rows[i].again)
			expect(t, R4(0x0c, rows[i].whole >> 32),
			       R8(0x08, rows[i].whole));
		rig_read(t, 0);
		fake_done(&t->fake);
		KUNIT_EXPECT_EQ(test, t->ev[0].count, rows[i].count);
		KUNIT_EXPECT_EQ(test, t->hw.disturbed, 0U);
	}
}

/* All-ones in the low half are read again even if the gain is small. */
static void all_ones_near_a_carry(struct kunit *test)
{
	struct rig *t = rig_new(test, &upi, true);

	start_four(test, t);
	fake_time += 1000000000;
	expect_count(t, 0, 0x08, U32_MAX - 1000, U32_MAX - 1000);
	fake_time += 1000000000;
	expect(t, R8(0x08, U32_MAX), R4(0x0c, 0), R8(0x08, U32_MAX - 990));
	rig_read(t, 0);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, U32_MAX - 990ULL);

	/* all-ones in the second read of the low half */
	expect(t, R8(0x08, U32_MAX), R4(0x0c, 0), R8(0x08, U32_MAX),
	       R4(0x0c, 0), R8(0x08, U32_MAX - 790));
	rig_read(t, 0);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, U32_MAX - 790ULL);

	/* a gain below 2^32 is not torn, so it is read once */
	fake_time += 1000000000;
	expect_count(t, 0, 0x08, 2ULL * U32_MAX - 790, 2ULL * U32_MAX - 790);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 0U);
}

/* A high half of all-ones is read again, but is valid if it stays. */
static void all_ones_in_the_high_half(struct kunit *test)
{
	const u64 ones = GENMASK_ULL(63, 32);
	struct rig *t = rig_new(test, &wide_layout, true);
	unsigned int i;

	add_new(t, 0, 0x10ff, 0);
	apply_as(t, R4(CTR + 4, ~0U), R8(CTR, ones | 5), R4(CTR + 4, 0),
		 R8(CTR, 5));
	expect_count(t, 0, CTR, 8, 3);

	t = rig_new(test, &wide_layout, true);
	add_new(t, 0, 0x10ff, 0);
	for (i = 0; i < READS; i++)
		expect(t, R4(CTR + 4, ~0U), R8(CTR, ones | 5));
	apply(t);
	expect_count(t, 0, CTR, ones | 8, 3);
}

static struct kunit_case wide_tests[] = {
	KUNIT_CASE(readings_are_never_torn),
	KUNIT_CASE(a_long_pause_is_noticed),
	KUNIT_CASE(a_gain_shows_that_a_reading_is_torn),
	KUNIT_CASE(all_ones_near_a_carry),
	KUNIT_CASE(all_ones_in_the_high_half),
	{ }
};

struct kunit_suite pmon_wide_suite = {
	.name = "pmon_wide",
	.test_cases = wide_tests,
};
