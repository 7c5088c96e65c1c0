// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts for counters that have wrapped, in boxes that are frozen and never
 * reset: each wrap is added once, whoever sees it first.
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
	KUNIT_EXPECT_FALSE(test, pmon_bank_take_wraps(&t->bank));
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
	end_long_one(t, 1, 3);
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

/* Events 0 and 2 count on counters 0 and 2, each from 2^32 - 0x10 on. */
static struct rig *two_near_the_end(struct kunit *test)
{
	struct rig *t = rig_device(test, &telling);

	t->bank.ctl_event = cpmu_type.ctl_mask | cpmu_type.ctl_set;
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
	return t;
}

/* Two have wrapped, and the last counter does not answer: its bit stays. */
static void the_bit_of_a_silent_counter_stays(struct kunit *test)
{
	struct rig *t = two_near_the_end(test);

	r(t, CPMU_OVERFLOW, 0x21);
	r(t, CPMU_CTR(0), 0x10);
	expect_all_ones(t, CPMU_CTR(5));
	w(t, CPMU_OVERFLOW, 1);
	KUNIT_EXPECT_TRUE(test, pmon_bank_overflow(&t->bank));
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 0x20ULL);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 0ULL);
}

static void both_are_read(struct rig *t, u64 a, u64 b)
{
	r(t, CPMU_OVERFLOW, 0x21);
	r(t, CPMU_CTR(0), a);
	r(t, CPMU_CTR(5), b);
	w(t, CPMU_OVERFLOW, 0x21);
	KUNIT_EXPECT_TRUE(t->fake.test, pmon_bank_overflow(&t->bank));
	fake_done(&t->fake);
}

/* Each of two was seen to wrap before their interrupt, which adds neither. */
static void each_wrap_is_added_once(struct kunit *test)
{
	struct rig *t = two_near_the_end(test);

	r(t, CPMU_CTR(0), 0x10);
	r(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	r(t, CPMU_CTR(5), 0x20);
	r(t, CPMU_CFG(5), 2 << 24 | CPMU_ENABLE);
	pmon_bank_read(&t->bank, &t->ev[2].event);
	r(t, CPMU_CTR(0), 0x10);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	both_are_read(t, 0x11, 0x22);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 0x21ULL);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 0x32ULL);

	/* One by its bit: it may have wrapped past its old value. */
	fake_time += 2000000000;
	r(t, CPMU_CTR(0), 1);
	r(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	r(t, CPMU_CTR(5), 0x23);
	r(t, CPMU_OVERFLOW, 0x21);
	r(t, CPMU_CTR(5), 0x24);
	pmon_bank_read(&t->bank, &t->ev[2].event);
	both_are_read(t, 2, 0x25);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, RANGE + 0x12);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, RANGE + 0x35);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);
}

/* Served after its event has ended, a wrap hides none of the next event. */
static void a_wrap_is_served_after_its_event(struct kunit *test)
{
	struct rig *t = two_near_the_end(test);

	del(t, 0);
	w(t, CPMU_CFG(0), 0);
	r(t, CPMU_CTR(0), 0x10);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 0x20ULL);
	r(t, CPMU_OVERFLOW, 1);
	w(t, CPMU_OVERFLOW, 1);
	KUNIT_EXPECT_TRUE(test, pmon_bank_overflow(&t->bank));

	want_on(t, 0, 1 << 24, 0);
	r(t, CPMU_CTR(0), 0x10);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	apply(t);
	fake_time += 2000000000;
	expect_interrupt(t, 0x12, RANGE + 2);
	fake_done(&t->fake);
}

/* A box may have 64 counters, and its overflow register a bit for each. */
static void the_last_of_64_wraps(struct kunit *test)
{
	static struct pmon_counter counters[PMON_SLOTS_MAX];
	struct pmon_layout layout = telling;
	struct rig *t;
	unsigned int i;

	for (i = 0; i < PMON_SLOTS_MAX; i++)
		counters[i] = (struct pmon_counter) {
			.width = 32, .ctl = CPMU_CFG(i), .ctr = CPMU_CTR(i),
			.bit = i,
		};
	layout.counter = counters;
	layout.counters = PMON_SLOTS_MAX;
	t = box(test, &layout);
	pmon_bank_is_off(&t->bank, ~0ULL);
	want_on(t, 0, 1 << 24, 63);
	w(t, CPMU_OVERFLOW, ~0ULL);
	expect_one_on(t, 63, 1 << 24 | CPMU_ENABLE, 1000);
	apply(t);
	fake_time += 2000000000;
	r(t, CPMU_OVERFLOW, BIT_ULL(63));
	r(t, CPMU_CTR(63), 5);
	w(t, CPMU_OVERFLOW, BIT_ULL(63));
	KUNIT_EXPECT_TRUE(test, pmon_bank_overflow(&t->bank));
	fake_done(&t->fake);
	expect_gain(t, RANGE - 995);
}

/*
 * An interrupt comes while the register of overflows does not respond, and one
 * while the counter does not: each is served when the box responds again, since
 * it may not come once more; meanwhile nothing is accessed. The next owner finds
 * no bit of it.
 */
static void interrupts_without_a_response_are_served(struct kunit *test)
{
	struct rig *t = rig_device(test, &telling);
	const u64 ctl = 1 << 24 | CPMU_ENABLE;

	t->bank.ctl_event = cpmu_type.ctl_mask | cpmu_type.ctl_set;
	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1) | BIT(2));
	want_on(t, 0, 1 << 24, 0);
	w(t, CPMU_OVERFLOW, 0x23);
	expect_one(t, ctl, 0xfffffff0);
	apply(t);

	r(t, CPMU_OVERFLOW, ~0ULL);
	KUNIT_EXPECT_FALSE(test, pmon_bank_overflow(&t->bank));
	KUNIT_EXPECT_FALSE(test, pmon_bank_overflow(&t->bank));
	r(t, CPMU_CFG(0), ctl);		/* the probe */
	r(t, CPMU_CFG(0), ctl);		/* is it as it was written? */
	r(t, CPMU_OVERFLOW, 1);
	r(t, CPMU_CTR(0), 0x10);
	w(t, CPMU_OVERFLOW, 1);
	r(t, CPMU_CTR(0), 0x10);
	pmon_bank_tick(&t->bank);
	fake_done(&t->fake);
	expect_gain(t, 0x20);

	r(t, CPMU_OVERFLOW, 1);
	expect_all_ones(t, CPMU_CTR(0));
	KUNIT_EXPECT_TRUE(test, pmon_bank_overflow(&t->bank));
	KUNIT_EXPECT_FALSE(test, pmon_bank_overflow(&t->bank));
	r(t, CPMU_CFG(0), ctl);
	r(t, CPMU_CFG(0), ctl);
	r(t, CPMU_OVERFLOW, 1);
	r(t, CPMU_CTR(0), 0x30);
	w(t, CPMU_OVERFLOW, 1);
	r(t, CPMU_CTR(0), 0x30);
	pmon_bank_tick(&t->bank);
	fake_done(&t->fake);
	expect_gain(t, RANGE + 0x20);

	del(t, 0);
	r(t, CPMU_CFG(0), ctl);
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

static const struct pmon_protocol sealed_protocol = {
	.freeze = CPMU_STOP, .reset = 0, .run = 0, .bytes = 8, .keeps = true,
	.sealed = true, .may_reset = true, .rate_log2 = 32,
};

/*
 * A group has ended with a freeze. Before the next controls can be written the
 * box must run, so its counters may wrap until they are stopped: that is no
 * wrap of the next event. After an event alone nothing has counted.
 */
static void a_wrap_before_the_next_event(struct kunit *test)
{
	struct pmon_layout layout = telling;
	struct rig *t;
	unsigned int i;

	layout.protocol = &sealed_protocol;
	t = box(test, &layout);
	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1) | BIT(2));
	want_on(t, 0, 1 << 24, 0);
	want_on(t, 1, 1 << 24, 1);
	w(t, CPMU_BOX, 0);
	w(t, CPMU_OVERFLOW, 0x23);
	r(t, CPMU_CTR(0), RANGE - 3);
	r(t, CPMU_CTR(1), 1000);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	w(t, CPMU_CFG(1), 1 << 24 | CPMU_ENABLE);
	apply(t);
	del(t, 0);
	del(t, 1);
	w(t, CPMU_BOX, CPMU_STOP);
	r(t, CPMU_CTR(0), RANGE - 1);
	r(t, CPMU_CTR(1), 1002);
	apply(t);

	for (i = 0; i < 2; i++) {
		want_on(t, 2 + i, 2 << 24, 0);
		w(t, CPMU_BOX, 0);
		if (!i) {
			w(t, CPMU_CFG(0), 0);
			w(t, CPMU_CFG(1), 0);
			w(t, CPMU_OVERFLOW, 0x23);
		}
		r(t, CPMU_CTR(0), 7);
		w(t, CPMU_CFG(0), 2 << 24 | CPMU_ENABLE);
		apply(t);
		end_one(t, 2 + i, 7);
		KUNIT_EXPECT_EQ(test, t->ev[2 + i].count, 0ULL);
	}
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

static struct kunit_case overflow_tests[] = {
	KUNIT_CASE(overflows_are_read_and_cleared),
	KUNIT_CASE(wraps_are_added_once),
	KUNIT_CASE(a_late_reading_asks_for_a_wrap),
	KUNIT_CASE(the_bit_of_a_silent_counter_stays),
	KUNIT_CASE(each_wrap_is_added_once),
	KUNIT_CASE(a_wrap_is_served_after_its_event),
	KUNIT_CASE(the_last_of_64_wraps),
	KUNIT_CASE(interrupts_without_a_response_are_served),
	KUNIT_CASE(overflows_are_cleared_once),
	KUNIT_CASE(overflows_are_cleared_under_all_protocols),
	KUNIT_CASE(a_wrap_before_the_next_event),
	KUNIT_CASE(a_fast_event_is_asked_sooner),
	{ }
};

struct kunit_suite pmon_overflow_suite = {
	.name = "pmon_overflow",
	.test_cases = overflow_tests,
};
