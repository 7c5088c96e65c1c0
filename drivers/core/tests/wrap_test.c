// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whether a counter that went back has wrapped, and how often, or was reset, in
 * boxes that are frozen and never reset.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "cpmu.h"
#include "suites.h"

#define CPMU_OVERFLOW	0x10

static const struct pmon_counter telling_counters[] = {
	{ .width = 32, .ctl = CPMU_CFG(0), .ctr = CPMU_CTR(0), .bit = 0 },
	{ .width = 32, .ctl = CPMU_CFG(1), .ctr = CPMU_CTR(1), .bit = 1 },
	{ .width = 32, .ctl = CPMU_CFG(5), .ctr = CPMU_CTR(5), .bit = 5 },
};

/* One whose overflows are interrupts. */
static const struct pmon_layout telling = {
	.protocol = &cpmu_protocol, .counter = telling_counters, .counters = 3,
	.ctl_bytes = 8, .box_ctl = CPMU_BOX, .overflow = true,
	.overflow_reg = CPMU_OVERFLOW,
};

/*
 * Of an overflow: one reading of which, one of each that has wrapped and counts,
 * one writing. Of another device's interrupt: one reading.
 */
static void overflows_are_read_and_cleared(struct kunit *test)
{
	struct rig *t = box(test, &telling);

	KUNIT_EXPECT_FALSE(test, pmon_bank_overflow(&t->bank));
	want_on(t, 0, 1 << 24, 0);
	want_on(t, 2, 2 << 24, 2);
	w(t, CPMU_BOX, CPMU_STOP);
	w(t, CPMU_CFG(1), 0);
	/* What was there before would hide the next. */
	w(t, CPMU_OVERFLOW, 0x23);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	w(t, CPMU_CFG(5), 2 << 24 | CPMU_ENABLE);
	r(t, CPMU_CTR(0), 0xfffffff0);
	r(t, CPMU_CTR(5), 1000);
	w(t, CPMU_BOX, 0);
	apply(t);

	r(t, CPMU_OVERFLOW, 0);
	KUNIT_EXPECT_FALSE(test, pmon_bank_overflow(&t->bank));
	r(t, CPMU_OVERFLOW, 3);
	r(t, CPMU_CTR(0), 0x10);
	w(t, CPMU_OVERFLOW, 3);
	KUNIT_EXPECT_TRUE(test, pmon_bank_overflow(&t->bank));
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 0x20ULL);
	KUNIT_EXPECT_EQ(test, pmon_layout_period_ns(&telling), 60000000000ULL);

	/* Nothing answers: that is no overflow of all. */
	r(t, CPMU_OVERFLOW, ~0ULL);
	KUNIT_EXPECT_FALSE(test, pmon_bank_overflow(&t->bank));
	pmon_bank_lose(&t->bank);
	KUNIT_EXPECT_FALSE(test, pmon_bank_overflow(&t->bank));
	fake_done(&t->fake);
}

/* Event 0 counts on counter 0, from 1000 on. */
static struct rig *telling_from_1000(struct kunit *test)
{
	struct rig *t = box(test, &telling);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1) | BIT(2));
	want_on(t, 0, 1 << 24, 0);
	w(t, CPMU_OVERFLOW, 0x23);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 1000);
	apply(t);
	return t;
}

#define RANGE	BIT_ULL(32)

static void expect_gain(struct rig *t, u64 gain)
{
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[0].count, gain);
	t->ev[0].count = 0;
	fake_time += 2000000000;
}

static void expect_interrupt(struct rig *t, u64 value, u64 gain)
{
	r(t, CPMU_OVERFLOW, 1);
	r(t, CPMU_CTR(0), value);
	w(t, CPMU_OVERFLOW, 1);
	KUNIT_EXPECT_TRUE(t->fake.test, pmon_bank_overflow(&t->bank));
	expect_gain(t, gain);
}

/*
 * From one interrupt to the next a counter gains its whole range, or a bit more,
 * as the second one is served later. No wrap is lost and none is added twice.
 */
static void wraps_are_added_once(struct kunit *test)
{
	struct rig *t = telling_from_1000(test);

	fake_time += 2000000000;

	expect_interrupt(t, 5, RANGE - 995);
	expect_interrupt(t, 5, RANGE);
	expect_interrupt(t, 9, RANGE + 4);
	expect_interrupt(t, 3, RANGE - 6);

	/* perf reads it before the interrupt is served. */
	r(t, CPMU_CTR(0), 1);
	r(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	expect_gain(t, RANGE - 2);
	expect_interrupt(t, 4, 3);

	/* And when it was not read for so long that it may have wrapped. */
	r(t, CPMU_CTR(0), 5);
	r(t, CPMU_OVERFLOW, 1);
	r(t, CPMU_CTR(0), 6);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	expect_gain(t, RANGE + 2);
	r(t, CPMU_CTR(0), 7);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	expect_gain(t, 1);
	expect_interrupt(t, 8, 1);
	r(t, CPMU_CTR(0), 18);
	r(t, CPMU_OVERFLOW, 0);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	fake_time -= 2000000000;
	expect_gain(t, 10);
	r(t, CPMU_CTR(0), 20);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	expect_gain(t, 2);

	/* It wraps after it was read and before the bit is. */
	r(t, CPMU_CTR(0), RANGE - 1);
	r(t, CPMU_OVERFLOW, 1);
	r(t, CPMU_CTR(0), 3);
	r(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	expect_gain(t, RANGE - 17);
	expect_interrupt(t, 4, 1);
	fake_done(&t->fake);
}

/* In half a second half of 2^32 events may have come: from then on it is asked. */
static void a_late_reading_asks_for_a_wrap(struct kunit *test)
{
	struct rig *t = telling_from_1000(test);

	fake_time += 2000000000;
	r(t, CPMU_CTR(0), 1000);
	r(t, CPMU_OVERFLOW, 0);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	fake_time += 499999999 - 2 * FAKE_ACCESS_NS;
	r(t, CPMU_CTR(0), 2000);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 1000ULL);
	fake_done(&t->fake);

	fake_time += 500000000 - FAKE_ACCESS_NS;
	r(t, CPMU_CTR(0), 2000);
	r(t, CPMU_OVERFLOW, 1);
	r(t, CPMU_CTR(0), 2001);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, RANGE + 1001);
	fake_done(&t->fake);
}

/*
 * The register of overflows is cleared before the first event, and again only
 * where the last reading of an event showed a wrap that no interrupt was served
 * for.
 */
static void overflows_are_cleared_once(struct kunit *test)
{
	struct rig *t = telling_from_1000(test);

	end_one(t, 0, 1003);

	want_on(t, 1, 1 << 24, 0);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 1003);
	apply(t);
	fake_time += 2000000000;
	end_one(t, 1, 3);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, RANGE - 1000);

	want_on(t, 2, 1 << 24, 0);
	w(t, CPMU_OVERFLOW, 0x23);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 3);
	apply(t);

	/* A reset may have set it to anything. */
	end_one(t, 2, 3);
	pmon_bank_resume(&t->bank);
	want_on(t, 3, 1 << 24, 0);
	w(t, CPMU_CFG(0), 0);
	w(t, CPMU_CFG(1), 0);
	w(t, CPMU_CFG(5), 0);
	w(t, CPMU_OVERFLOW, 0x23);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 0);
	apply(t);
	fake_done(&t->fake);
}

/* Two have wrapped, and the last counter does not answer: its bit stays. */
static void the_bit_of_a_silent_counter_stays(struct kunit *test)
{
	struct rig *t = rig_sleepy(test, &telling);

	t->bank.ctl_mask = cpmu_type.ctl_mask | cpmu_type.ctl_set;
	want_on(t, 0, 1 << 24, 0);
	want_on(t, 2, 2 << 24, 2);
	w(t, CPMU_BOX, CPMU_STOP);
	w(t, CPMU_CFG(1), 0);
	w(t, CPMU_OVERFLOW, 0x23);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	w(t, CPMU_CFG(5), 2 << 24 | CPMU_ENABLE);
	r(t, CPMU_CTR(0), 0xfffffff0);
	r(t, CPMU_CTR(5), 0xfffffff0);
	w(t, CPMU_BOX, 0);
	apply(t);

	r(t, CPMU_OVERFLOW, 0x21);
	r(t, CPMU_CTR(0), 0x10);
	r(t, CPMU_CTR(5), ~0ULL);
	w(t, CPMU_OVERFLOW, 1);
	KUNIT_EXPECT_TRUE(test, pmon_bank_overflow(&t->bank));
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 0x20ULL);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 0ULL);
}

/*
 * An interrupt comes while the register of overflows does not answer, and one
 * while the counter does not: each is served when the box answers again, since
 * it may not come once more. The next owner finds no bit of it.
 */
static void interrupts_without_answer_are_served(struct kunit *test)
{
	struct rig *t = rig_sleepy(test, &telling);
	const u64 ctl = 1 << 24 | CPMU_ENABLE;

	t->bank.ctl_mask = cpmu_type.ctl_mask | cpmu_type.ctl_set;
	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1) | BIT(2));
	want_on(t, 0, 1 << 24, 0);
	w(t, CPMU_OVERFLOW, 0x23);
	expect_one(t, ctl, 0xfffffff0);
	apply(t);

	r(t, CPMU_OVERFLOW, ~0ULL);
	KUNIT_EXPECT_FALSE(test, pmon_bank_overflow(&t->bank));
	r(t, CPMU_CFG(0), ctl);		/* does it answer? */
	r(t, CPMU_CFG(0), ctl);		/* do all stand? */
	r(t, CPMU_OVERFLOW, 1);
	r(t, CPMU_CTR(0), 0x10);
	w(t, CPMU_OVERFLOW, 1);
	pmon_bank_ask(&t->bank);
	fake_done(&t->fake);
	expect_gain(t, 0x20);

	r(t, CPMU_OVERFLOW, 1);
	r(t, CPMU_CTR(0), ~0ULL);
	KUNIT_EXPECT_TRUE(test, pmon_bank_overflow(&t->bank));
	r(t, CPMU_CFG(0), ctl);
	r(t, CPMU_CFG(0), ctl);
	r(t, CPMU_OVERFLOW, 1);
	r(t, CPMU_CTR(0), 0x30);
	w(t, CPMU_OVERFLOW, 1);
	pmon_bank_ask(&t->bank);
	fake_done(&t->fake);
	expect_gain(t, RANGE + 0x20);

	del(t, 0);
	w(t, CPMU_CFG(0), 0);
	r(t, CPMU_CTR(0), 0x30);
	r(t, CPMU_OVERFLOW, 0);
	apply(t);
	r(t, CPMU_CFG(0), 0);
	w(t, CPMU_BOX, CPMU_STOP);
	w(t, CPMU_CFG(1), 0);
	w(t, CPMU_CFG(5), 0);
	w(t, CPMU_OVERFLOW, 0x23);
	w(t, CPMU_BOX, 0);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
}

static const struct pmon_protocol running_protocol = {
	.keeps = true, .may_reset = true, .rate_log2 = 32,
};

static const struct pmon_protocol reset_protocol = {
	FREEZE, RESET, RUN, 8, .rate_log2 = 32,
};

/* What was set before the first event would be taken for a wrap of it. */
static void overflows_are_cleared_under_all_protocols(struct kunit *test)
{
	struct pmon_layout layout = telling;
	struct rig *t;

	/* One by one: while the counter is off. */
	layout.protocol = &running_protocol;
	t = box(test, &layout);
	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1) | BIT(2));
	want_on(t, 0, 1 << 24, 0);
	w(t, CPMU_OVERFLOW, 0x23);
	r(t, CPMU_CTR(0), 1000);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	apply(t);
	del(t, 0);
	w(t, CPMU_CFG(0), 0);
	r(t, CPMU_CTR(0), 1001);
	apply(t);
	/* There has been no wrap since. */
	want_on(t, 1, 1 << 24, 0);
	r(t, CPMU_CTR(0), 1001);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	apply(t);

	/* A box that is reset: while it is frozen. */
	layout.protocol = &reset_protocol;
	t = box(test, &layout);
	want_on(t, 0, 1 << 24, 0);
	w(t, CPMU_BOX, RESET);
	w(t, CPMU_OVERFLOW, 0x23);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	w(t, CPMU_BOX, RUN);
	apply(t);
}

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
		end_one(t, i, 5);
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

	end_one(t, 0, FAST_VALUE);
	expect_gain(t, FAST_GAIN);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);

	t = near_the_end(test, 0);
	end_one(t, 0, FAST_VALUE);
	expect_gain(t, 0);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);

	/* 2^48 - 1 in two seconds is a reset for any. */
	t = near_the_end(test, 38);
	end_one(t, 0, BIT_ULL(48) - BIT_ULL(34) - 1);
	expect_gain(t, 0);
}

/* When it may have wrapped past its old value is the event's to say, too. */
static void a_fast_event_is_asked_sooner(struct kunit *test)
{
	struct rig *t = telling_from_1000(test);

	fake_time += 100000000;
	r(t, CPMU_CTR(0), 1001);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	expect_gain(t, 1);
	fake_done(&t->fake);

	fake_time -= 1900000000;
	t->ev[0].event.rate_log2 = 38;
	r(t, CPMU_CTR(0), 1002);
	r(t, CPMU_OVERFLOW, 1);
	r(t, CPMU_CTR(0), 1003);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	expect_gain(t, RANGE + 2);
	fake_done(&t->fake);
}

static struct kunit_case wrap_tests[] = {
	KUNIT_CASE(overflows_are_read_and_cleared),
	KUNIT_CASE(wraps_are_added_once),
	KUNIT_CASE(a_late_reading_asks_for_a_wrap),
	KUNIT_CASE(the_bit_of_a_silent_counter_stays),
	KUNIT_CASE(interrupts_without_answer_are_served),
	KUNIT_CASE(overflows_are_cleared_once),
	KUNIT_CASE(overflows_are_cleared_under_all_protocols),
	KUNIT_CASE(what_was_reset_has_not_wrapped),
	KUNIT_CASE(what_was_reset_ends),
	KUNIT_CASE(a_fast_counter_has_wrapped),
	KUNIT_CASE(a_fast_event_ends),
	KUNIT_CASE(a_fast_event_is_asked_sooner),
	{ }
};

struct kunit_suite pmon_wrap_suite = {
	.name = "pmon_wrap",
	.test_cases = wrap_tests,
};
