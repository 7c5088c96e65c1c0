// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check which gains are counted: a counter that went back has wrapped or was
 * reset, in boxes that are frozen and never reset. Where its control does not
 * hold the event any more, or no counter is so fast, the gain is no count.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "cpmu.h"
#include "suites.h"

/* A control has the type of its counter in bits 0 and 1 (CXL 3.1, 8.2.7). */
#define CTL	CPMU_ON(1)
#define CTL_READ	(CTL | 2)
#define CTL_RESET	2

#define RANGE	BIT_ULL(32)

/* Narrower ones cannot be driven if they gain 2^32 in a second. */
#define NARROW	26

/* Event 0 counts on a counter of @width bits, from @from on. */
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
	pmon_bank_mark_off(&t->bank, BIT(0));
	want(t, 0, 1 << 24);
	expect_one(t, CTL, from);
	apply(t);
	return t;
}

/* It is read after two seconds, at @value: it gains @gain. */
static void gains(struct rig *t, u64 value, u64 gain)
{
	u64 before = t->ev[0].count;

	fake_time += 2000000000;
	r(t, CPMU_CTR(0), value);
	bank_read(t, 0);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[0].count - before, gain);
}

/* The same, and its control, which is read after the counter, holds @ctl. */
static void went_back(struct rig *t, u64 value, u64 ctl, u64 gain)
{
	u64 before = t->ev[0].count;
	unsigned int reads;

	fake_time += 2000000000;
	expect(t, R8(CPMU_CTR(0), value), R8(CPMU_CFG(0), ctl));
	for (reads = 1; ctl == ~0ULL && reads < READS; reads++)
		expect(t, R8(CPMU_CFG(0), ctl));
	bank_read(t, 0);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[0].count - before, gain);
}

/* At the next tick a counter that was reset is set up again. */
static void what_was_reset_has_not_wrapped(struct kunit *test)
{
	struct rig *t = counting(test, 32, 0);

	gains(t, RANGE / 2, RANGE / 2);
	went_back(t, 7, CTL_READ, RANGE / 2 + 7);
	went_back(t, 3, CTL_RESET, 0);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);
	KUNIT_EXPECT_EQ(test, t->bank.restarts, 0U);
	/* It counts on from there. */
	gains(t, 4, 1);

	expect(t, R8(CPMU_CFG(0), CTL_RESET), W8(CPMU_CFG(0), 0));
	expect_one(t, CTL, 4);
	bank_tick(t);
	KUNIT_EXPECT_EQ(test, t->bank.restarts, 1U);
	gains(t, 6, 2);
}

/* A control that does not answer says nothing: the gain is not counted. */
static void a_wrap_without_an_answer_is_none(struct kunit *test)
{
	struct rig *t = counting(test, 32, RANGE / 2);

	went_back(t, 7, ~0ULL, 0);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);
	gains(t, 9, 2);
}

/* Less than 2^28 is counted whatever the control holds: it is not read. */
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

/* Full counters are values, whatever their width; a full register is none. */
static void all_ones_is_no_reading_at_any_width(struct kunit *test)
{
	u8 width;

	for (width = PMON_WIDTH_MIN; width < PMON_WIDTH_MAX; width++) {
		u64 max = GENMASK_ULL(width - 1, 0);
		struct rig *t = counting(test, width, max - 1);

		gains(t, max, 1);
		fake_read(&t->fake, CPMU_CTR(0), ~0ULL);
		/* What is above the counter's bits means nothing. */
		gains(t, ~max, 1);
	}
}

/*
 * 2^32 are gained in a second at most, or what the event says. Eight times that
 * is possible: 2^36 in two seconds, but not 2^39 in four.
 */
static void the_rate_decides(struct kunit *test)
{
	struct rig *t = counting(test, 48, BIT_ULL(48) - BIT_ULL(34));

	went_back(t, BIT_ULL(35), CTL_READ, BIT_ULL(34) + BIT_ULL(35));
	gains(t, BIT_ULL(35) + BIT_ULL(39), 0);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);

	t = counting(test, 48, 0);
	t->ev[0].event.rate_log2 = 38;
	gains(t, BIT_ULL(39), BIT_ULL(39));
	/* 2^48 less one in four seconds is a reset for any. */
	gains(t, BIT_ULL(39) - 1, 0);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);
}

/*
 * A control that was stopped does not say whether there was a reset. But of
 * 2^40, of which 2^35 at most are gained in a second, none wraps in ten.
 */
static void what_was_reset_ends(struct kunit *test)
{
	static const struct {
		u64 seconds, count;
	} rows[] = { { 10, 0 }, { 138, BIT_ULL(40) - 995 } };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct rig *t = counting(test, 40, 1000);

		fake_time += rows[i].seconds * 1000000000;
		del(t, 0);
		expect(t, R8(CPMU_CFG(0), CTL_READ), W8(CPMU_CFG(0), 0),
		       R8(CPMU_CTR(0), 5));
		apply(t);
		KUNIT_EXPECT_EQ(test, t->ev[0].count, rows[i].count);
		KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U - i);
	}
}

static struct kunit_case wrap_tests[] = {
	KUNIT_CASE(what_was_reset_has_not_wrapped),
	KUNIT_CASE(a_wrap_without_an_answer_is_none),
	KUNIT_CASE(a_small_gain_is_not_checked),
	KUNIT_CASE(all_ones_is_no_reading_at_any_width),
	KUNIT_CASE(the_rate_decides),
	KUNIT_CASE(what_was_reset_ends),
	{ }
};

struct kunit_suite pmon_wrap_suite = {
	.name = "pmon_wrap",
	.test_cases = wrap_tests,
};
