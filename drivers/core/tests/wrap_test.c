// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whether a counter that went back has wrapped or was reset, in boxes that are
 * frozen and never reset.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "cpmu.h"
#include "suites.h"

static const struct pmon_counter narrow_counters[] = {
	{ .width = 40, .ctl = CPMU_CFG(0), .ctr = CPMU_CTR(0) },
	{ .width = 32, .ctl = CPMU_CFG(1), .ctr = CPMU_CTR(1) },
};

static const struct pmon_layout narrow = {
	.protocol = &cpmu_protocol, .counter = narrow_counters, .counters = 2,
	.ctl_bytes = 8, .box_ctl = CPMU_BOX,
};

/* Event 0 counts 2^31 on counter 1, from 0 on. */
static struct rig *half_way(struct kunit *test)
{
	struct rig *t = box(test, &narrow);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	want_on(t, 0, 1 << 24, 1);
	expect_one_on(t, 1, 1 << 24 | CPMU_ENABLE, 0);
	apply(t);
	fake_time += 1000000000;
	r(t, CPMU_CTR(1), RANGE / 2);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, RANGE / 2);
	t->ev[0].count = 0;
	return t;
}

/*
 * What went back has wrapped if its control is as it was written, and else was
 * reset: nothing is gained then, and at the next tick it is set up again.
 */
static void what_was_reset_has_not_wrapped(struct kunit *test)
{
	struct rig *t = half_way(test);

	r(t, CPMU_CTR(1), 7);
	r(t, CPMU_CFG(1), 1 << 24 | CPMU_ENABLE | 2);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	expect_gain(t, RANGE / 2 + 7);

	fake_time += 1000000000;
	r(t, CPMU_CTR(1), 3);
	r(t, CPMU_CFG(1), 2);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	r(t, CPMU_CTR(1), 3);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	expect_gain(t, 0);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.restarts, 0U);

	r(t, CPMU_CFG(1), 2);
	w(t, CPMU_CFG(0), 0);
	w(t, CPMU_CFG(1), 0);
	expect_one_on(t, 1, 1 << 24 | CPMU_ENABLE, 4);
	pmon_bank_tick(&t->bank);
	r(t, CPMU_CTR(1), 6);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	expect_gain(t, 2);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.restarts, 1U);
}

/*
 * A control that was stopped does not say whether there was a reset. But of
 * 2^40, of which 2^32 at most are gained in a second, none wraps in ten.
 */
static void what_was_reset_ends(struct kunit *test)
{
	struct rig *t = box(test, &narrow);
	unsigned int i;

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	for (i = 0; i < 2; i++) {
		want_on(t, i, 1 << 24, 0);
		expect_one(t, 1 << 24 | CPMU_ENABLE, 1000);
		apply(t);
		fake_time += i ? 137500000000ULL : 10000000000ULL;
		end_long_one(t, i, 5);
	}
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 0ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, BIT_ULL(40) - 995);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);
}

static const struct pmon_counter wide_counters[] = {
	{ .width = 48, .ctl = CPMU_CFG(0), .ctr = CPMU_CTR(0) },
};

static const struct pmon_layout wide = {
	.protocol = &cpmu_protocol, .counter = wide_counters, .counters = 1,
	.ctl_bytes = 8, .box_ctl = CPMU_BOX,
};

/* Event 0 counts, from 2^48 - 2^34 on, for two seconds. */
static struct rig *near_the_end(struct kunit *test, u8 rate_log2)
{
	struct rig *t = box(test, &wide);

	pmon_bank_is_off(&t->bank, BIT(0));
	want_on(t, 0, 1 << 24, 0);
	t->ev[0].event.rate_log2 = rate_log2;
	expect_one(t, 1 << 24 | CPMU_ENABLE, BIT_ULL(48) - BIT_ULL(34));
	apply(t);
	fake_time += 2000000000;
	return t;
}

/* What 28.5e9 a second have become since then. */
#define FAST_VALUE	40000000000ULL
#define FAST_GAIN	(FAST_VALUE + BIT_ULL(34))

/*
 * A control that stands says that the counter has wrapped, however fast; what
 * is beyond any counter has not. One that does not answer says nothing.
 */
static void a_fast_counter_has_wrapped(struct kunit *test)
{
	struct rig *t = near_the_end(test, 0);

	r(t, CPMU_CTR(0), FAST_VALUE);
	r(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	fake_done(&t->fake);
	expect_gain(t, FAST_GAIN);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);

	/* 2^43 in six seconds is possible, and no wrap. */
	r(t, CPMU_CTR(0), BIT_ULL(43));
	pmon_bank_read(&t->bank, &t->ev[0].event);
	expect_gain(t, BIT_ULL(43) - FAST_VALUE);
	/* 2^48 less one is not. */
	r(t, CPMU_CTR(0), BIT_ULL(43) - 1);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	expect_gain(t, 0);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);
	fake_done(&t->fake);

	t = near_the_end(test, 0);
	r(t, CPMU_CTR(0), FAST_VALUE);
	r(t, CPMU_CFG(0), ~0ULL);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	expect_gain(t, 0);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);
}

/*
 * As it ends its control is stopped, so what it gains in a second decides: 2^32,
 * or what the event says.
 */
static void a_fast_event_ends(struct kunit *test)
{
	struct rig *t = near_the_end(test, 38);

	end_long_one(t, 0, FAST_VALUE);
	expect_gain(t, FAST_GAIN);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);

	t = near_the_end(test, 0);
	end_long_one(t, 0, FAST_VALUE);
	expect_gain(t, 0);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);

	/* 2^48 - 1 in two seconds is a reset for any. */
	t = near_the_end(test, 38);
	end_long_one(t, 0, BIT_ULL(48) - BIT_ULL(34) - 1);
	expect_gain(t, 0);
}

/* What 16 before the end and 5 after it are apart. */
#define ROUND	21

/* Event 0 counts on a counter of @width bits, from @from on. */
static struct rig *slender(struct kunit *test, u8 width, u64 from)
{
	static struct pmon_counter counter;
	struct pmon_layout layout = wide;
	struct rig *t;

	counter = wide_counters[0];
	counter.width = width;
	layout.counter = &counter;
	t = box(test, &layout);
	pmon_bank_is_off(&t->bank, BIT(0));
	want_on(t, 0, 1 << 24, 0);
	expect_one(t, 1 << 24 | CPMU_ENABLE, from);
	apply(t);
	return t;
}

/* Of one that is wider next to no reset looks so: it is not asked. */
static void a_wider_counter_is_believed(struct kunit *test)
{
	struct rig *t = slender(test, 36, BIT_ULL(36) - 16);

	r(t, CPMU_CTR(0), 5);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, (u64)ROUND);
}

/* It is read, at 5, and its control holds @ctl. Returns what it has gained. */
static u64 gains(struct rig *t, u64 ctl)
{
	r(t, CPMU_CTR(0), 5);
	r(t, CPMU_CFG(0), ctl);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	fake_done(&t->fake);
	return t->ev[0].count;
}

/*
 * All that a narrow counter can gain is little, and a reset looks like that:
 * its control is asked when it went back, and at no other time.
 */
static void a_narrow_counter_was_reset(struct kunit *test)
{
	static const u8 widths[] = { 26, 28, 35 };
	struct rig *t;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(widths); i++) {
		u64 from = BIT_ULL(widths[i]) - 16;

		t = slender(test, widths[i], from);
		KUNIT_EXPECT_EQ(test, gains(t, 2), 0ULL);
		t = slender(test, widths[i], from);
		KUNIT_EXPECT_EQ(test, gains(t, 1 << 24 | CPMU_ENABLE | 2),
				(u64)ROUND);
		r(t, CPMU_CTR(0), 9);
		pmon_bank_read(&t->bank, &t->ev[0].event);
		fake_done(&t->fake);
		KUNIT_EXPECT_EQ(test, t->ev[0].count, ROUND + 4ULL);
	}
}

/*
 * As its event ends its control is stopped. 2^32 are gained in a second at
 * most, so half of 2^26 in no microsecond, but in eight milliseconds.
 */
static void a_narrow_counter_was_reset_at_the_end(struct kunit *test)
{
	const u64 half = BIT_ULL(25);
	struct rig *t = slender(test, 26, half);

	end_one(t, 0, 5);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 0ULL);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);

	t = slender(test, 26, half);
	fake_time += 8000000;
	end_one(t, 0, 5);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, half + 5);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);
}

static struct kunit_case wrap_tests[] = {
	KUNIT_CASE(what_was_reset_has_not_wrapped),
	KUNIT_CASE(what_was_reset_ends),
	KUNIT_CASE(a_fast_counter_has_wrapped),
	KUNIT_CASE(a_fast_event_ends),
	KUNIT_CASE(a_wider_counter_is_believed),
	KUNIT_CASE(a_narrow_counter_was_reset),
	KUNIT_CASE(a_narrow_counter_was_reset_at_the_end),
	{ }
};

struct kunit_suite pmon_wrap_suite = {
	.name = "pmon_wrap",
	.test_cases = wrap_tests,
};
