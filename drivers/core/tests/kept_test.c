// SPDX-License-Identifier: GPL-2.0-only
/*
 * Boxes that are frozen and never reset, access by access: CXL CPMUs (CXL 3.1,
 * 8.2.7). What was there stays there.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "cpmu.h"
#include "suites.h"

static const struct pmon_counter cpmu_counters[] = {
	{ .width = 48, .ctl = CPMU_CFG(0), .ctr = CPMU_CTR(0) },
	{ .width = 48, .ctl = CPMU_CFG(1), .ctr = CPMU_CTR(1) },
	{ .width = 48, .ctl = CPMU_CFG(2), .ctr = CPMU_CTR(2) },
};

static const struct pmon_layout cpmu = {
	.protocol = &cpmu_protocol, .counter = cpmu_counters, .counters = 3,
	.ctl_bytes = 8, .box_ctl = CPMU_BOX,
};

#define CPMU_FILTER(n)	(0x400 + 0x20 * (n))

static const struct pmon_counter filtered_counters[] = {
	{ .width = 48, .ctl = CPMU_CFG(0), .ctr = CPMU_CTR(0),
	  .filter = CPMU_FILTER(0) },
	{ .width = 48, .ctl = CPMU_CFG(1), .ctr = CPMU_CTR(1),
	  .filter = CPMU_FILTER(1) },
	{ .width = 48, .ctl = CPMU_CFG(2), .ctr = CPMU_CTR(2),
	  .filter = CPMU_FILTER(2) },
};

/* One with a filter for each counter. */
static const struct pmon_layout filtered = {
	.protocol = &cpmu_protocol, .counter = filtered_counters, .counters = 3,
	.ctl_bytes = 8, .filter_bytes = 4, .box_ctl = CPMU_BOX,
};

/* The same, when nothing is known of the CPMU: all controls are cleared. */
static void expect_start(struct rig *t, u64 ctl, u64 value)
{
	w(t, CPMU_CFG(0), 0);
	w(t, CPMU_CFG(1), 0);
	w(t, CPMU_CFG(2), 0);
	expect_one(t, ctl, value);
}

/* What others left in counters is no count, and their controls are stopped. */
static void kept_counters_are_read_when_they_start(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	want(t, 0, 1 << 24);
	expect_start(t, 1 << 24 | CPMU_ENABLE, 0x123456);
	apply(t);

	/* The others run on: it is read before its control lets it count. */
	want(t, 1, 2 << 24);
	r(t, CPMU_CTR(1), 0xabc);
	w(t, CPMU_CFG(1), 2 << 24 | CPMU_ENABLE);
	apply(t);

	r(t, CPMU_CTR(0), 0x123456 + 5);
	r(t, CPMU_CTR(1), 0xabc + 7);
	pmon_bank_sync(&t->bank);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 5ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 7ULL);
	fake_done(&t->fake);

	/* Where an event left a counter that is off the next one begins. */
	del(t, 1);
	want_on(t, 2, 3 << 24, 1);
	w(t, CPMU_CFG(1), 0);
	r(t, CPMU_CTR(1), 0xabc + 9);
	w(t, CPMU_CFG(1), 3 << 24 | CPMU_ENABLE);
	apply(t);
	r(t, CPMU_CTR(1), 0xabc + 10);
	pmon_bank_read(&t->bank, &t->ev[2].event);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 9ULL);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 1ULL);

	/* Unless it did not answer then: it is asked once more. */
	del(t, 2);
	want_on(t, 3, 4 << 24, 1);
	w(t, CPMU_CFG(1), 0);
	r(t, CPMU_CTR(1), ~0ULL);
	r(t, CPMU_CTR(1), 0xabc + 20);
	w(t, CPMU_CFG(1), 4 << 24 | CPMU_ENABLE);
	apply(t);
	r(t, CPMU_CTR(1), 0xabc + 21);
	pmon_bank_read(&t->bank, &t->ev[3].event);
	KUNIT_EXPECT_EQ(test, t->ev[3].count, 1ULL);
	fake_done(&t->fake);
}

/*
 * Of two a control was read that selects nothing: it need not be cleared, but
 * once the box was found changed nothing is known of any.
 */
static void what_is_off_is_not_written(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(2));
	want(t, 0, 1 << 24);
	w(t, CPMU_CFG(1), 0);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 7);
	apply(t);
	fake_done(&t->fake);

	r(t, CPMU_CFG(0), 0);
	expect_start(t, 1 << 24 | CPMU_ENABLE, 4);
	pmon_bank_tick(&t->bank);
	fake_done(&t->fake);
}

/* One event begins with two writes and a reading, and ends with one of each. */
static void a_kept_box_starts_again(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	want(t, 0, 1 << 24);
	expect_start(t, 1 << 24 | CPMU_ENABLE, 10);
	apply(t);
	end_one(t, 0, 13);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 3ULL);

	/* Meanwhile another program has set it. */
	want(t, 1, 1 << 24);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 0);
	apply(t);
	end_one(t, 1, 2);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 2ULL);

	want_on(t, 2, 4 << 24, 2);
	expect_one_on(t, 2, 4 << 24 | CPMU_ENABLE, 0);
	apply(t);
	fake_done(&t->fake);
}

/*
 * Several begin and end at one moment, with a freeze; what they have left in
 * controls is stopped when one of them begins alone.
 */
static void a_kept_group_is_frozen(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1) | BIT(2));
	want_on(t, 0, 1 << 24, 0);
	want_on(t, 1, 2 << 24, 1);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	w(t, CPMU_CFG(1), 2 << 24 | CPMU_ENABLE);
	w(t, CPMU_BOX, CPMU_STOP);
	r(t, CPMU_CTR(0), 5);
	r(t, CPMU_CTR(1), 6);
	w(t, CPMU_BOX, 0);
	apply(t);
	del(t, 0);
	del(t, 1);
	w(t, CPMU_BOX, CPMU_STOP);
	r(t, CPMU_CTR(0), 7);
	r(t, CPMU_CTR(1), 9);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 2ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 3ULL);
	fake_done(&t->fake);

	want_on(t, 2, 3 << 24, 0);
	w(t, CPMU_CFG(1), 0);
	expect_one(t, 3 << 24 | CPMU_ENABLE, 8);
	apply(t);
	r(t, CPMU_CTR(0), 10);
	pmon_bank_read(&t->bank, &t->ev[2].event);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 2ULL);
	fake_done(&t->fake);
}

/* A counter that does not answer: its event fails, and nothing is left on. */
static void one_that_does_not_answer_ends_frozen(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1) | BIT(2));
	want(t, 0, 1 << 24);
	r(t, CPMU_CTR(0), ~0ULL);
	w(t, CPMU_BOX, 0);
	w(t, CPMU_BOX, CPMU_STOP);
	apply(t);
	fake_done(&t->fake);
	KUNIT_EXPECT_TRUE(test, t->ev[0].event.failed);
	KUNIT_EXPECT_EQ(test, t->bank.counting, 0ULL);
}

/* The same of a group: each of them fails. */
static void a_group_that_does_not_answer(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1) | BIT(2));
	want_on(t, 0, 1 << 24, 0);
	want_on(t, 1, 2 << 24, 1);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	w(t, CPMU_CFG(1), 2 << 24 | CPMU_ENABLE);
	w(t, CPMU_BOX, CPMU_STOP);
	r(t, CPMU_CTR(0), ~0ULL);
	r(t, CPMU_CTR(1), ~0ULL);
	w(t, CPMU_BOX, 0);
	w(t, CPMU_BOX, CPMU_STOP);
	apply(t);
	KUNIT_EXPECT_TRUE(test, t->ev[0].event.failed);
	KUNIT_EXPECT_TRUE(test, t->ev[1].event.failed);
	KUNIT_EXPECT_EQ(test, t->bank.counting, 0ULL);
}

/*
 * Of three, two controls are refused: both fail, and when the box is handed
 * back nothing is known of them.
 */
static void a_group_whose_controls_are_refused(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);
	unsigned int i;

	for (i = 0; i < 3; i++)
		want_on(t, i, 1 << 24, i);
	for (i = 0; i < 3; i++) {
		w(t, CPMU_CFG(i), 1 << 24 | CPMU_ENABLE);
		if (i < 2)
			fake_refused(&t->fake);
	}
	w(t, CPMU_BOX, CPMU_STOP);
	for (i = 0; i < 3; i++)
		r(t, CPMU_CTR(i), 5);
	w(t, CPMU_BOX, 0);
	apply(t);
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, t->ev[i].event.failed, i < 2);
	KUNIT_EXPECT_EQ(test, t->bank.counting, 0x4ULL);

	del(t, 2);
	w(t, CPMU_CFG(2), 0);
	r(t, CPMU_CTR(2), 6);
	apply(t);
	r(t, CPMU_CFG(2), 0);
	w(t, CPMU_BOX, CPMU_STOP);
	w(t, CPMU_CFG(0), 0);
	w(t, CPMU_CFG(1), 0);
	w(t, CPMU_BOX, 0);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
}

/* A group whose box cannot be frozen does not start, and is not left on. */
static void a_kept_group_is_refused(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1) | BIT(2));
	want_on(t, 0, 1 << 24, 0);
	want_on(t, 1, 2 << 24, 1);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	w(t, CPMU_CFG(1), 2 << 24 | CPMU_ENABLE);
	w(t, CPMU_BOX, CPMU_STOP);
	fake_refused(&t->fake);
	w(t, CPMU_BOX, CPMU_STOP);
	apply(t);
	KUNIT_EXPECT_TRUE(test, t->ev[0].event.failed);
	KUNIT_EXPECT_TRUE(test, t->ev[1].event.failed);
	KUNIT_EXPECT_EQ(test, t->bank.counting, 0ULL);
	KUNIT_EXPECT_EQ(test, t->bank.refused, 1U);
	fake_done(&t->fake);
}

/* The same of one whose box cannot be run. */
static void a_kept_group_stays_frozen(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1) | BIT(2));
	want_on(t, 0, 1 << 24, 0);
	want_on(t, 1, 2 << 24, 1);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	w(t, CPMU_CFG(1), 2 << 24 | CPMU_ENABLE);
	w(t, CPMU_BOX, CPMU_STOP);
	r(t, CPMU_CTR(0), 10);
	r(t, CPMU_CTR(1), 20);
	w(t, CPMU_BOX, 0);
	fake_refused(&t->fake);
	w(t, CPMU_BOX, CPMU_STOP);
	apply(t);
	KUNIT_EXPECT_TRUE(test, t->ev[0].event.failed);
	KUNIT_EXPECT_TRUE(test, t->ev[1].event.failed);
	KUNIT_EXPECT_EQ(test, t->bank.counting, 0ULL);
	KUNIT_EXPECT_EQ(test, t->bank.refused, 1U);
	fake_done(&t->fake);
}

/* Handed back, the controls that were written are cleared one by one. */
static void a_kept_box_is_handed_back(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	want(t, 0, 1 << 24);
	expect_start(t, 1 << 24 | CPMU_ENABLE, 10);
	apply(t);
	want(t, 1, 2 << 24);
	r(t, CPMU_CTR(1), 20);
	w(t, CPMU_CFG(1), 2 << 24 | CPMU_ENABLE);
	apply(t);
	del(t, 0);
	del(t, 1);
	w(t, CPMU_BOX, CPMU_STOP);
	r(t, CPMU_CTR(0), 13);
	r(t, CPMU_CTR(1), 20);
	apply(t);

	/* The type of a counter, in bits 0 and 1, is not ours. */
	r(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE | 2);
	r(t, CPMU_CFG(1), 2 << 24 | CPMU_ENABLE | 2);
	r(t, CPMU_CFG(2), 2);
	w(t, CPMU_BOX, CPMU_STOP);
	w(t, CPMU_CFG(0), 0);
	w(t, CPMU_CFG(1), 0);
	w(t, CPMU_BOX, 0);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
}

#define CPMU_OVERFLOW	0x10

/*
 * A bit that is left in the register of overflows would be a wrap of the next
 * owner's counter. Other counters' bits are not ours.
 */
static void wraps_are_cleared_for_the_next_owner(struct kunit *test)
{
	static const struct pmon_counter counters[] = {
		{ .width = 48, .ctl = CPMU_CFG(0), .ctr = CPMU_CTR(0) },
		{ .width = 48, .ctl = CPMU_CFG(5), .ctr = CPMU_CTR(5),
		  .bit = 5 },
	};
	struct pmon_layout layout = cpmu;
	struct rig *t;

	layout.counter = counters;
	layout.counters = ARRAY_SIZE(counters);
	layout.overflow_reg = CPMU_OVERFLOW;
	t = box(test, &layout);
	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	want(t, 0, 1 << 24);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 10);
	apply(t);
	end_one(t, 0, 13);

	r(t, CPMU_CFG(0), 2);
	r(t, CPMU_CFG(5), 2);
	w(t, CPMU_BOX, CPMU_STOP);
	w(t, CPMU_OVERFLOW, BIT(0) | BIT(5));
	w(t, CPMU_BOX, 0);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
}

/*
 * After sleep, of its function or of the machine, it is not known any more what
 * controls hold: all are cleared.
 */
static void a_kept_box_that_slept_is_handed_back(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);
	unsigned int i, way;

	for (way = 0; way < 2; way++) {
		want(t, 0, 1 << 24);
		expect_start(t, 1 << 24 | CPMU_ENABLE, 10);
		apply(t);
		if (way) {
			pmon_bank_lose(&t->bank, PMON_BOX_D3);
			del(t, 0);
			pmon_bank_find(&t->bank, &cpmu, &t->fake.regs);
		} else {
			del(t, 0);
			w(t, CPMU_CFG(0), 0);
			r(t, CPMU_CTR(0), 10);
			apply(t);
			pmon_bank_resume(&t->bank);
		}
		w(t, CPMU_BOX, CPMU_STOP);
		for (i = 0; i < 3; i++)
			w(t, CPMU_CFG(i), 0);
		w(t, CPMU_BOX, 0);
		pmon_bank_release(&t->bank);
		fake_done(&t->fake);
	}
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);
}

/* A cleared enable bit is seen, and all is set up again. */
static void a_kept_box_is_disturbed(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	want(t, 0, 0);
	expect_start(t, CPMU_ENABLE, 10);
	apply(t);

	r(t, CPMU_CFG(0), 0);
	expect_start(t, CPMU_ENABLE, 4);
	pmon_bank_tick(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.restarts, 1U);

	r(t, CPMU_CTR(0), 6);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 2ULL);
}

/* The same control again: one reading is the end of one event, and a start. */
static void an_event_takes_over_a_kept_counter(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	want(t, 0, 1 << 24);
	expect_start(t, 1 << 24 | CPMU_ENABLE, 10);
	apply(t);

	del(t, 0);
	want_on(t, 1, 1 << 24, 0);
	r(t, CPMU_CTR(0), 14);
	apply(t);
	r(t, CPMU_CTR(0), 15);
	pmon_bank_read(&t->bank, &t->ev[1].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 4ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 1ULL);
}

static void want_filter(struct rig *t, unsigned int i, u64 filter,
			unsigned int counter)
{
	want_on(t, i, 1 << 24, counter);
	t->ev[i].event.uses_filter = true;
	t->ev[i].event.filter = filter;
}

/* One event and then two that change: each writes the filter of its counter. */
static void each_counter_has_its_filter(struct kunit *test)
{
	const u64 ctl = 1 << 24 | CPMU_ENABLE;
	struct rig *t = box(test, &filtered);
	unsigned int i;

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1) | BIT(2));
	want_on(t, 0, 1 << 24, 2);
	expect_one_on(t, 2, ctl, 100);
	apply(t);
	want_on(t, 5, 1 << 24, 1);
	r(t, CPMU_CTR(1), 4);
	w(t, CPMU_CFG(1), ctl);
	apply(t);
	del(t, 5);
	w(t, CPMU_CFG(1), 0);
	r(t, CPMU_CTR(1), 5);
	apply(t);
	/* Of no filter it is known that it holds 0. */
	for (i = 0; i < 2; i++) {
		want_filter(t, 1 + i, i ? 0 : 3, i);
		r(t, CPMU_CTR(i), 5);
		fake_write(&t->fake, CPMU_FILTER(i), i ? 0 : 3, 4);
		w(t, CPMU_CFG(i), ctl);
		apply(t);
	}

	for (i = 0; i < 2; i++) {
		del(t, 1 + i);
		want_filter(t, 3 + i, 6 + i, i);
		w(t, CPMU_CFG(i), 0);
	}
	for (i = 0; i < 2; i++)
		r(t, CPMU_CTR(i), 9);
	for (i = 0; i < 2; i++)
		fake_write(&t->fake, CPMU_FILTER(i), 6 + i, 4);
	for (i = 0; i < 2; i++)
		w(t, CPMU_CFG(i), ctl);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 4ULL);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 4ULL);

	/* If they are not written both events fail. */
	for (i = 0; i < 2; i++) {
		del(t, 3 + i);
		want_filter(t, 6 + i, 8 + i, i);
		w(t, CPMU_CFG(i), 0);
	}
	for (i = 0; i < 2; i++)
		r(t, CPMU_CTR(i), 10);
	for (i = 0; i < 2; i++) {
		fake_write(&t->fake, CPMU_FILTER(i), 8 + i, 4);
		fake_refused(&t->fake);
	}
	apply(t);
	KUNIT_EXPECT_TRUE(test, t->ev[6].event.failed);
	KUNIT_EXPECT_TRUE(test, t->ev[7].event.failed);
	KUNIT_EXPECT_EQ(test, t->bank.counting, 0x4ULL);
}

static void period_of_a_cpmu(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, pmon_layout_period_ns(&cpmu), 60000000000ULL);
}

static struct kunit_case kept_tests[] = {
	KUNIT_CASE(kept_counters_are_read_when_they_start),
	KUNIT_CASE(what_is_off_is_not_written),
	KUNIT_CASE(a_kept_box_starts_again),
	KUNIT_CASE(a_kept_group_is_frozen),
	KUNIT_CASE(a_kept_group_is_refused),
	KUNIT_CASE(a_kept_group_stays_frozen),
	KUNIT_CASE(one_that_does_not_answer_ends_frozen),
	KUNIT_CASE(a_group_that_does_not_answer),
	KUNIT_CASE(a_group_whose_controls_are_refused),
	KUNIT_CASE(a_kept_box_is_handed_back),
	KUNIT_CASE(wraps_are_cleared_for_the_next_owner),
	KUNIT_CASE(a_kept_box_that_slept_is_handed_back),
	KUNIT_CASE(a_kept_box_is_disturbed),
	KUNIT_CASE(an_event_takes_over_a_kept_counter),
	KUNIT_CASE(each_counter_has_its_filter),
	KUNIT_CASE(period_of_a_cpmu),
	{ }
};

struct kunit_suite pmon_kept_suite = {
	.name = "pmon_kept",
	.test_cases = kept_tests,
};
