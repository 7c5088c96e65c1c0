// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check that a stop reads the box control and the control of each event that
 * has counted for a second, and so finds changes by other programs.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "rig.h"
#include "suites.h"

#define CTL(n)	(0x40 + 4 * (n))
#define CTR(n)	(8 + 8 * (n))
#define SECOND_NS	1000000000ULL

/* Start four events, and let them count for @ns. */
static struct rig *four(struct kunit *test, u64 ns)
{
	struct rig *t = rig_new(test, &imc, false);

	start_four(test, t);
	fake_time += ns;
	return t;
}

static void ctl_is(struct rig *t, unsigned int i, u32 val)
{
	unsigned int reads = val == U32_MAX && t->hw.state == PMON_BOX_READY ?
			     READS : 1;

	while (reads--)
		expect(t, R4(CTL(i), val));
}

static void expect_found(struct rig *t, unsigned int disturbed)
{
	KUNIT_EXPECT_EQ(t->fake.test, t->hw.disturbed, disturbed);
	KUNIT_EXPECT_EQ(t->fake.test, t->reports, disturbed);
	KUNIT_EXPECT_EQ(t->fake.test, t->hw.restarts, 0U);
	KUNIT_EXPECT_EQ(t->fake.test, t->hw.lost, 0U);
}

/* Stop event 0 at 7, while the others count on. */
static void end_one(struct rig *t)
{
	del(t, 0);
	apply_as(t, W4(CTL(0), 0), R8(CTR(0), 7));
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[0].count, 7ULL);
}

/* Stop all events from @first on; the box is idle then. */
static void end_all(struct rig *t, unsigned int first)
{
	unsigned int i;

	fake_write(&t->fake, 0, FREEZE, 4);
	for (i = first; i < 4; i++) {
		del(t, i);
		fake_read(&t->fake, CTR(i), 7);
	}
	apply(t);
	for (i = first; i < 4; i++)
		KUNIT_EXPECT_EQ(t->fake.test, t->ev[i].count, 7ULL);
}

/* The stop of an event that counted for under a second reads no control. */
static void a_short_event_costs_nothing(struct kunit *test)
{
	struct rig *t = four(test, SECOND_NS * 9 / 10);

	end_one(t);
	end_all(t, 1);
	expect_found(t, 0);
}

/* Expect reads of the box control and of the controls of @counters. */
static void expect_verified(struct rig *t, u64 counters)
{
	unsigned int i;

	expect(t, R4(0, RUN));
	for (i = 0; i < 4; i++)
		if (counters & BIT_ULL(i))
			ctl_is(t, i, 1 + i);
}

/* After a second, a stop reads the box control and the event's control. */
static void a_long_event_is_verified(struct kunit *test)
{
	struct rig *t = four(test, 0);

	fake_time = t->hw.counter[0].began + SECOND_NS;
	expect_verified(t, BIT(0));
	end_one(t);
	expect_verified(t, BIT(1) | BIT(2) | BIT(3));
	end_all(t, 1);
	expect_found(t, 0);
}

/* Time is measured since the start of the event, not since a read or tick. */
static void readings_do_not_matter(struct kunit *test)
{
	static const u64 ticks[4];
	struct rig *t = four(test, SECOND_NS / 2);

	expect_count(t, 0, CTR(0), 5, 5);
	fake_time += SECOND_NS / 2;
	expect_count(t, 0, CTR(0), 6, 6);
	expect_verified(t, BIT(0));
	end_one(t);
	expect_period(t, ticks);
	rig_tick(t);
	expect_verified(t, BIT(1) | BIT(2) | BIT(3));
	end_all(t, 1);
	expect_found(t, 0);
}

static const struct {
	const char *what;
	u32 box;
	int event;
	u32 ctl;
} controls[] = {
	{ "another event", RUN, 0, 2 },
	{ "cleared", RUN, 0, 0 },
	{ "one more bit", RUN, 0, 0x80000001 },
	{ "of another member of the group", RUN, 2, 0 },
	{ "frozen", FREEZE, -1 },
};

/* A count that may include another event is kept, but @disturbed grows. */
static void a_change_by_others_is_noticed(struct kunit *test)
{
	unsigned int i;
	int k;

	for (i = 0; i < ARRAY_SIZE(controls); i++) {
		struct rig *t = four(test, SECOND_NS);

		expect(t, R4(0, controls[i].box));
		for (k = 0; k <= controls[i].event; k++)
			ctl_is(t, k, k == controls[i].event ?
				     controls[i].ctl : 1 + k);
		end_all(t, 0);
		KUNIT_EXPECT_EQ_MSG(test, t->hw.disturbed, 1U, "%s",
				    controls[i].what);
		expect_found(t, 1);
	}
}

/* If a box does not respond, nothing is written, and the last read fails. */
static void no_answer_is_no_change(struct kunit *test)
{
	struct rig *t = four(test, SECOND_NS);

	del(t, 0);
	expect(t, R4(0, RUN));
	ctl_is(t, 0, U32_MAX);
	apply(t);
	expect_responds(t, false);
	KUNIT_EXPECT_EQ(test, t->hw.lost, 1U);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 0U);
}

/* A stop finds a change, then no response, so the others do not restart. */
static void no_answer_after_a_change(struct kunit *test)
{
	struct rig *t = four(test, SECOND_NS);

	del(t, 0);
	expect(t, R4(0, FREEZE), W4(CTL(0), 0));
	expect_all_ones(t, CTR(0));
	apply(t);
	expect_responds(t, false);
	KUNIT_EXPECT_EQ(test, t->hw.lost, 1U);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
}

/* Expect a freeze, reads of counters @left, a start. Control 1 gets @ctl. */
static void expect_start_of(struct rig *t, u64 left, u64 value, u32 ctl)
{
	unsigned int i;

	expect(t, W4(0, FREEZE));
	for (i = 0; i < 4; i++)
		if (left & BIT_ULL(i))
			expect(t, R8(CTR(i), value));
	expect(t, W4(0, RESET));
	for (i = 0; i < 4; i++)
		if (left & BIT_ULL(i))
			expect(t, W4(CTL(i), i == 1 ? ctl : 1 + i));
	expect(t, W4(0, RUN));
}

/* Of the stops after a reset, only the first increments @disturbed. */
static void a_reset_that_a_stop_finds(struct kunit *test)
{
	struct rig *t = four(test, SECOND_NS / 2);
	unsigned int i;

	for (i = 0; i < 4; i++)
		expect_count(t, i, CTR(i), 100, 100);
	del(t, 0);
	expect(t, W4(CTL(0), 0), R8(CTR(0), 7));
	expect_start_of(t, BIT(1) | BIT(2) | BIT(3), 7, 2);
	apply(t);
	expect_found(t, 1);
	del(t, 1);
	apply_as(t, W4(CTL(1), 0), R8(CTR(1), 5));
	expect_found(t, 1);
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ(test, t->ev[i].count, i == 1 ? 105 : 100ULL);
}

/*
 * An event stops when another event replaces it, even with the same control. An
 * event that perf deletes and adds again does not stop.
 */
static void the_control_of_a_replaced_event_is_read(struct kunit *test)
{
	struct rig *t = four(test, SECOND_NS);
	unsigned int i;

	for (i = 1; i < 4; i++)
		del(t, i);
	for (i = 1; i < 4; i++)
		KUNIT_ASSERT_TRUE(test, add(t, i));
	apply(t);
	del(t, 0);
	add_new(t, 4, 0x1, 0);
	expect_verified(t, BIT(0));
	apply_as(t, W4(CTL(0), 0), R8(CTR(0), 7), W4(CTL(0), 0x1));
	expect_found(t, 0);

	del(t, 1);
	add_new(t, 5, 0x5, 0);
	expect(t, R4(0, RUN));
	ctl_is(t, 1, 0x99);
	expect(t, W4(CTL(1), 0), R8(CTR(1), 7), W4(CTL(1), 0x5));
	expect_start_of(t, 0xf, 7, 0x5);
	apply(t);
	expect_found(t, 1);
}

/*
 * Event 0 counts the clock in rows with @clock 1. A clock that gains nothing
 * in a second shows a freeze. Bits above the counter's width are ignored.
 */
static void a_clock_that_stands_still(struct kunit *test)
{
	static const struct {
		u64 clock, ns, gain;
		bool two;
		unsigned int stalls;
		u64 above;
	} rows[] = {
		{ 1, SECOND_NS, 0, false, 1 }, { 1, SECOND_NS, 0, true, 1 },
		{ 1, SECOND_NS, 0, false, 1, BIT_ULL(48) },
		{ 1, SECOND_NS, 1, false, 0 }, { 1, SECOND_NS / 2, 0, false, 0 },
		{ 3, SECOND_NS, 0, false, 0 }, { 0, SECOND_NS, 0, false, 0 },
	};
	struct pmon_layout layout = imc;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct rig *t;

		layout.clock = rows[i].clock;
		t = rig_new(test, &layout, false);
		add_new(t, 0, 1, 0);
		expect(t, W4(0, 0x301), W4(CTL(0), 1));
		if (rows[i].two) {
			add_new(t, 1, 2, 0);
			expect(t, W4(CTL(1), 2));
		}
		apply_as(t, W4(0, RUN));
		fake_time += rows[i].ns;
		del(t, 0);
		if (rows[i].ns >= SECOND_NS)
			expect_verified(t, BIT(0));
		expect(t, W4(rows[i].two ? CTL(0) : 0, rows[i].two ? 0 : FREEZE));
		apply_as(t, R8(CTR(0), rows[i].gain | rows[i].above));
		KUNIT_EXPECT_EQ_MSG(test, t->hw.stalls,
				    rows[i].stalls, "row %u", i);
		KUNIT_EXPECT_EQ(test, t->reports, rows[i].stalls);
		KUNIT_EXPECT_EQ(test, t->ev[0].count, rows[i].gain);
		if (!rows[i].two)
			continue;
		/* event 1 counts no clock */
		del(t, 1);
		expect_verified(t, BIT(1));
		apply_as(t, W4(0, FREEZE), R8(CTR(1), 0));
		KUNIT_EXPECT_EQ(test, t->hw.stalls, 1U);
	}
}

/* Event 0 has counted the clock for a second. */
static struct rig *clock_of_a_second(struct kunit *test)
{
	struct pmon_layout layout = imc;
	struct rig *t;

	layout.clock = 1;
	t = rig_new(test, &layout, false);
	add_new(t, 0, 1, 0);
	apply_as(t, W4(0, RESET), W4(CTL(0), 1), W4(0, RUN));
	fake_time += SECOND_NS;
	return t;
}

/* A clock whose last read fails has not stood still. */
static void a_clock_without_a_last_reading(struct kunit *test)
{
	struct rig *t = clock_of_a_second(test);

	del(t, 0);
	expect_verified(t, BIT(0));
	expect(t, W4(0, FREEZE));
	expect_all_ones(t, CTR(0));
	apply(t);
	KUNIT_EXPECT_EQ(test, t->hw.lost, 1U);
	KUNIT_EXPECT_EQ(test, t->hw.stalls, 0U);
}

/* A clock at 0 has not stood still if a tick zeroed it under a second ago. */
static void a_clock_after_a_tick(struct kunit *test)
{
	static const u64 ticks[] = { 100 };
	struct rig *t = clock_of_a_second(test);

	expect_period(t, ticks);
	rig_tick(t);
	fake_time += SECOND_NS / 2;
	del(t, 0);
	expect_verified(t, BIT(0));
	apply_as(t, W4(0, FREEZE), R8(CTR(0), 0));
	KUNIT_EXPECT_EQ(test, t->hw.stalls, 0U);
}

/*
 * A clock that starts from 50 in an active box stands still at 50, or at 0 if
 * another program resets the box.
 */
static void a_clock_that_starts_anywhere(struct kunit *test)
{
	struct pmon_layout layout = imc;
	unsigned int reset;

	layout.clock = 1;
	for (reset = 0; reset < 2; reset++) {
		struct rig *t = rig_new(test, &layout, false);

		add_new(t, 0, 1, 0);
		add_new(t, 1, 2, 0);
		apply_as(t, W4(0, RESET), W4(CTL(0), 1), W4(CTL(1), 2),
			 W4(0, RUN));
		del(t, 0);
		apply_as(t, W4(CTL(0), 0), R8(CTR(0), 50));
		KUNIT_ASSERT_TRUE(test, add(t, 0));
		apply_as(t, W4(CTL(0), 1));
		fake_time += SECOND_NS;
		if (reset)
			expect_count(t, 0, CTR(0), 0, 50);
		del(t, 0);
		expect_verified(t, BIT(0));
		apply_as(t, W4(CTL(0), 0), R8(CTR(0), reset ? 0 : 50));
		KUNIT_EXPECT_EQ(test, t->hw.stalls, 1U);
	}
}

#define FIXED_CTL	0x54
#define FIXED_CTR	0x38
#define FIXED_ON	0x400000

/* A tick or a stop finds a reset even if only the fixed counter counts. */
static void a_fixed_counter_alone_is_reset(struct kunit *test)
{
	static const u64 ticks[] = { 107 };
	struct rig *t = rig_new(test, &imc, false);

	/* The enable bit of the fixed counter is not an event bit. */
	t->hw.ctl_event = 0xffff;
	add_new(t, 0, 0xff, 0);
	apply_as(t, W4(0, RESET), W4(FIXED_CTL, FIXED_ON), R8(FIXED_CTR, 100),
		 W4(0, RUN));
	fake_time += SECOND_NS;
	expect_period(t, ticks);
	rig_tick(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 7ULL);

	expect(t, R4(0, RUN), R4(FIXED_CTL, 0), W4(0, FREEZE),
	       R8(FIXED_CTR, 3), W4(0, RESET), W4(FIXED_CTL, FIXED_ON),
	       R8(FIXED_CTR, 3), W4(0, RUN));
	rig_tick(t);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
	KUNIT_EXPECT_EQ(test, t->hw.restarts, 1U);
	expect_count(t, 0, FIXED_CTR, 8, 12);

	/* The stop of the event finds a reset, too. */
	fake_time += SECOND_NS;
	del(t, 0);
	apply_as(t, R4(0, RUN), R4(FIXED_CTL, 0), W4(0, FREEZE),
		 R8(FIXED_CTR, 8));
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 2U);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 12ULL);
}

/* Event 0 has counted 1000 and ended, and starts again on counter 0. */
static struct rig *starts_again(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	add_on(t, 0, 1, 0);
	apply_as(t, W4(0, RESET), W4(CTL(0), 1), W4(0, RUN));
	del(t, 0);
	apply_as(t, W4(0, FREEZE), R8(CTR(0), 1000));
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	apply_as(t, W4(0, RESET), W4(CTL(0), 1), W4(0, RUN));
	return t;
}

/*
 * The device was away during a start, so the writes were lost, and is back: the
 * box is frozen, or has another control, and the counter has the value of its
 * last event. It counts once, the loss is said, and the box is set up again.
 */
static void a_start_that_was_lost(struct kunit *test)
{
	unsigned int way;

	for (way = 0; way < 2; way++) {
		struct rig *t = starts_again(test);

		expect(t, R8(CTR(0), 1000), R4(0, way ? RUN : FREEZE));
		if (way)
			expect(t, R4(CTL(0), 0x99));
		rig_read(t, 0);
		fake_done(&t->fake);
		KUNIT_EXPECT_EQ(test, t->ev[0].count, 1000ULL);
		KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
		KUNIT_EXPECT_TRUE(test, pmon_hw_is_behind(&t->hw));
		apply_as(t, W4(0, RESET), W4(CTL(0), 1), W4(0, RUN));
		expect_count(t, 0, CTR(0), 7, 1007);
	}
}

/* An event may count as much as the last one; only then are controls read. */
static void a_start_that_was_not_lost(struct kunit *test)
{
	struct rig *t = starts_again(test);

	expect_count(t, 0, CTR(0), 999, 1999);
	t = starts_again(test);
	expect(t, R8(CTR(0), 1000), R4(0, RUN), R4(CTL(0), 1));
	rig_read(t, 0);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 2000ULL);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 0U);
	expect_count(t, 0, CTR(0), 1000, 2000);
}

static struct kunit_case overwritten_tests[] = {
	/* contract: control */
	KUNIT_CASE(a_short_event_costs_nothing),
	KUNIT_CASE(a_long_event_is_verified),
	KUNIT_CASE(a_change_by_others_is_noticed),
	KUNIT_CASE(no_answer_is_no_change),
	KUNIT_CASE(no_answer_after_a_change),
	KUNIT_CASE(the_control_of_a_replaced_event_is_read),
	KUNIT_CASE(a_start_that_was_lost),
	KUNIT_CASE(a_start_that_was_not_lost),
	/* contract: reset */
	KUNIT_CASE(readings_do_not_matter),
	KUNIT_CASE(a_reset_that_a_stop_finds),
	KUNIT_CASE(a_clock_that_stands_still),
	KUNIT_CASE(a_clock_without_a_last_reading),
	KUNIT_CASE(a_clock_after_a_tick),
	KUNIT_CASE(a_clock_that_starts_anywhere),
	KUNIT_CASE(a_fixed_counter_alone_is_reset),
	{ }
};

struct kunit_suite pmon_overwritten_suite = {
	.name = "pmon_overwritten",
	.test_cases = overwritten_tests,
};
