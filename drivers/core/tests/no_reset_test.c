// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check each access to boxes with a freeze, but no reset: CXL CPMUs (CXL 3.1,
 * 8.2.7). Counters and controls keep their contents.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/time64.h>

#include "cpmu.h"
#include "suites.h"

#define CPMU_FILTER(n)	(0x400 + 0x20 * (n))

static const struct pmon_counter cpmu_counters[] = {
	{ .width = 48, .ctl = CPMU_CFG(0), .ctr = CPMU_CTR(0),
	  .filter = CPMU_FILTER(0) },
	{ .width = 48, .ctl = CPMU_CFG(1), .ctr = CPMU_CTR(1),
	  .filter = CPMU_FILTER(1) },
	{ .width = 48, .ctl = CPMU_CFG(2), .ctr = CPMU_CTR(2),
	  .filter = CPMU_FILTER(2) },
};

static const struct pmon_layout cpmu = {
	.protocol = &cpmu_protocol, .counter = cpmu_counters, .counters = 3,
	.ctl_bytes = 8, .filter_bytes = 4, .box_ctl = CPMU_BOX,
};

/* Create a box whose controls are all zero. */
static struct rig *off(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	set_off(&t->hw, BIT(0) | BIT(1) | BIT(2));
	return t;
}

/* Expect all controls to be cleared, because their contents are unknown. */
static void expect_cleared(struct rig *t)
{
	expect(t, W8(CPMU_CFG(0), 0), W8(CPMU_CFG(1), 0), W8(CPMU_CFG(2), 0));
}

/* Start an event on counter 0, where each counter has a bit of the freeze. */
static struct rig *freezable(struct kunit *test)
{
	static struct pmon_counter counters[ARRAY_SIZE(cpmu_counters)];
	struct pmon_layout layout = cpmu;
	unsigned int i;
	struct rig *t;

	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		counters[i] = cpmu_counters[i];
		counters[i].freeze = BIT_ULL(i);
	}
	layout.counter = counters;
	t = box(test, &layout);
	set_off(&t->hw, BIT(0) | BIT(1) | BIT(2));
	begin_one(t, 0, 1, 7);
	fake_time += NSEC_PER_SEC;
	return t;
}

/* ---- start and stop ------------------------------------------------------ */

/* A start stops counters that others left running; old values do not count. */
static void no_reset_counters_are_read_when_they_start(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	expect_cleared(t);
	begin_one(t, 0, 1, 0x123456);

	/* while counter 0 runs, read counter 1, then write its control */
	want(t, 1, 2 << 24);
	apply_as(t, R8(CPMU_CTR(1), 0xabc), W8(CPMU_CFG(1), CPMU_ON(2)),
		 R8(CPMU_BOX, 0));
	expect(t, R8(CPMU_CTR(0), 0x123456 + 5), R8(CPMU_CTR(1), 0xabc + 7));
	rig_sync(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 5ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 7ULL);

	/* the next event starts from the last value of the stopped counter */
	del(t, 1);
	want_on(t, 2, 3 << 24, 1);
	apply_as(t, W8(CPMU_CFG(1), 0), R8(CPMU_CTR(1), 0xabc + 9),
		 W8(CPMU_CFG(1), CPMU_ON(3)));
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 9ULL);
	expect_count(t, 2, CPMU_CTR(1), 0xabc + 10, 1);
}

/*
 * Another program has frozen the box when an event joins another one: both
 * start anew, and what was missed is said. A write instead of the read would
 * end the freeze without a word.
 */
static void a_start_beside_others_finds_a_freeze(struct kunit *test)
{
	struct rig *t = off(test);

	begin_one(t, 0, 1, 100);
	want(t, 1, 2 << 24);
	apply_as(t, R8(CPMU_CTR(1), 7), W8(CPMU_CFG(1), CPMU_ON(2)),
		 R8(CPMU_BOX, 1), W8(CPMU_BOX, CPMU_STOP),
		 R8(CPMU_CTR(0), 103), R8(CPMU_CTR(1), 7), W8(CPMU_CFG(2), 0),
		 W8(CPMU_CFG(0), CPMU_ON(1)), W8(CPMU_CFG(1), CPMU_ON(2)),
		 W8(CPMU_BOX, CPMU_STOP), R8(CPMU_CTR(0), 103),
		 R8(CPMU_CTR(1), 7), W8(CPMU_BOX, 0));
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 3ULL);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
	expect_count(t, 1, CPMU_CTR(1), 12, 5);
}

/*
 * A control that was read as zero is not cleared. After a tick has found a
 * change, all controls are unknown, so all are cleared.
 */
static void a_control_that_is_off_is_not_written(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	set_off(&t->hw, BIT(0) | BIT(2));
	expect(t, W8(CPMU_CFG(1), 0));
	begin_one(t, 0, 0, 7);

	/* the tick finds the cleared enable bit */
	expect(t, R8(CPMU_BOX, 0), R8(CPMU_CFG(0), 0), W8(CPMU_CFG(0), 0),
	       R8(CPMU_CTR(0), 4), W8(CPMU_CFG(1), 0), W8(CPMU_CFG(2), 0));
	expect_one(t, CPMU_ON(0), 4);
	rig_tick(t);
	KUNIT_EXPECT_EQ(test, t->hw.restarts, 1U);
	expect_count(t, 0, CPMU_CTR(0), 6, 2);
}

/* Two events are about to start, on counters 0 and 1. */
static struct rig *two_begin(struct kunit *test)
{
	struct rig *t = off(test);

	want_on(t, 0, 1 << 24, 0);
	want_on(t, 1, 2 << 24, 1);
	expect(t, W8(CPMU_CFG(0), CPMU_ON(1)), W8(CPMU_CFG(1), CPMU_ON(2)),
	       W8(CPMU_BOX, CPMU_STOP));
	return t;
}

/*
 * All events of a group start and stop together, by a freeze. The controls stay
 * enabled until the next event starts alone. If the freeze of the stop fails,
 * the controls are cleared instead.
 */
static void a_no_reset_group_is_frozen(struct kunit *test)
{
	unsigned int refused;

	for (refused = 0; refused < 2; refused++) {
		struct rig *t = two_begin(test);

		apply_as(t, R8(CPMU_CTR(0), 5), R8(CPMU_CTR(1), 6),
			 W8(CPMU_BOX, 0));
		del(t, 0);
		del(t, 1);
		expect(t, W8(CPMU_BOX, CPMU_STOP));
		if (refused) {
			fake_refused(&t->fake);
			expect(t, W8(CPMU_CFG(0), 0), W8(CPMU_CFG(1), 0));
		}
		apply_as(t, R8(CPMU_CTR(0), 7), R8(CPMU_CTR(1), 9));
		KUNIT_EXPECT_EQ(test, t->ev[0].count, 2ULL);
		KUNIT_EXPECT_EQ(test, t->ev[1].count, 3ULL);

		if (!refused)
			expect(t, W8(CPMU_CFG(1), 0));
		begin_one(t, 2, 3, 8);
		expect_count(t, 2, CPMU_CTR(0), 10, 2);
	}
}

/* ---- refused, or no response --------------------------------------------- */

static void expect_both_refused(struct rig *t)
{
	KUNIT_EXPECT_TRUE(t->fake.test, t->ev[0].event.failed);
	KUNIT_EXPECT_TRUE(t->fake.test, t->ev[1].event.failed);
	KUNIT_EXPECT_EQ(t->fake.test, t->hw.refused, 1U);
}

/*
 * If the box cannot be frozen or run, the group fails. No access follows the
 * refused write.
 */
static void a_no_reset_group_is_refused(struct kunit *test)
{
	struct rig *t = two_begin(test);

	fake_refused(&t->fake);
	apply(t);
	expect_both_refused(t);

	t = two_begin(test);
	apply_as(t, R8(CPMU_CTR(0), 10), R8(CPMU_CTR(1), 20), X8(CPMU_BOX, 0));
	expect_both_refused(t);
}

/*
 * Counters are read at the start. If a counter does not respond, no other
 * counter is read, and both events fail.
 */
static void a_group_that_does_not_respond(struct kunit *test)
{
	struct rig *t = two_begin(test);

	expect_all_ones(t, CPMU_CTR(0));
	apply_as(t, W8(CPMU_BOX, 0));
	expect_both_refused(t);
	expect_responds(t, false);
	KUNIT_EXPECT_EQ(test, t->reports, 2U);
}

/* ---- handed back --------------------------------------------------------- */

/* pmon_regs_ops.release() hands the box back, once after each use. */
static void a_no_reset_box_is_released(struct kunit *test)
{
	struct rig *t = off(test);

	rig_release(t);
	KUNIT_EXPECT_EQ(test, t->released, 0U);
	rig_ready(t);
	expect_cleared(t);
	begin_one(t, 0, 1, 10);
	end_one(t, 0, 13);
	expect(t, R8(CPMU_CFG(0), 0));
	rig_release(t);
	rig_ready(t);
	rig_release(t);
	rig_ready(t);
	KUNIT_EXPECT_EQ(test, t->released, 1U);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 0U);

	/* all controls are unknown after a hand-back */
	expect_cleared(t);
	begin_one(t, 1, 1, 10);
}

static void want_filtered(struct rig *t, unsigned int i)
{
	want_on(t, i, 1 << 24, 0);
	t->ev[i].event.uses_filter = true;
	t->ev[i].event.filter = 3;
}

/*
 * Another program may have zeroed a filter, which no read shows. So it is
 * written with each event, and the control after the filter: the write of a
 * filter disables the counter of a CPMU (CXL 4.0, 8.2.7.2).
 */
static void a_control_follows_its_filter(struct kunit *test)
{
	struct rig *t = off(test);

	want_filtered(t, 0);
	expect(t, W4(CPMU_FILTER(0), 3));
	expect_one(t, CPMU_ON(1), 10);
	apply(t);
	del(t, 0);
	want_filtered(t, 1);
	/* the value shows a reset, so it is read again before the start */
	apply_as(t, W8(CPMU_CFG(0), 0), R8(CPMU_CTR(0), 4),
		 R8(CPMU_CTR(0), 4), W4(CPMU_FILTER(0), 3),
		 W8(CPMU_CFG(0), CPMU_ON(1)));
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
	expect_count(t, 1, CPMU_CTR(0), 9, 5);
}

/*
 * Controls found as zero need no write; after sleep all controls are written,
 * even if the box was never used.
 */
static void all_controls_are_written_after_sleep(struct kunit *test)
{
	struct rig *t = off(test);

	rig_resume(t);
	expect_cleared(t);
	begin_one(t, 0, 1, 10);
}

/* So they are if only a free-running counter has an event meanwhile. */
static void a_free_running_event_sleeps(struct kunit *test)
{
	const struct pmon_counter counters[] = {
		cpmu_counters[0],
		{ .width = 48, .ctr = CPMU_CTR(1), .config = 0x77,
		  .kind = PMON_COUNTER_FREE_RUNNING },
	};
	struct pmon_layout layout = cpmu;
	struct rig *t;

	layout.counter = counters;
	layout.counters = 2;
	t = box(test, &layout);
	set_off(&t->hw, BIT(0));
	want(t, 1, 0x77);
	apply_as(t, R8(CPMU_CTR(1), 5));
	expect(t, R8(CPMU_CTR(1), 9));
	rig_resume(t);
	expect(t, W8(CPMU_CFG(0), 0));
	begin_one(t, 0, 1, 10);
}

/* Another program's freeze of a counter shows if the counter has an event. */
static void a_freeze_of_its_own_counter_shows(struct kunit *test)
{
	struct rig *t = freezable(test);

	expect(t, R8(CPMU_BOX, BIT(1) | BIT(2)), R8(CPMU_CFG(0), CPMU_ON(1)),
	       R8(CPMU_CTR(0), 8));
	rig_tick(t);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 0U);
	fake_time += NSEC_PER_SEC;
	expect(t, R8(CPMU_BOX, BIT(0)), W8(CPMU_CFG(0), 0),
	       R8(CPMU_CTR(0), 8), W8(CPMU_CFG(1), 0), W8(CPMU_CFG(2), 0));
	expect_one(t, CPMU_ON(1), 8);
	rig_tick(t);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
}

/* If all 64 counters are frozen, all-ones are no proof of silence. */
static void a_control_tells_whether_all_are_frozen(struct kunit *test)
{
	struct rig *t = freezable(test);
	unsigned int i;

	for (i = 0; i < READS; i++)
		r(t, CPMU_BOX, ~0ULL);
	expect(t, R8(CPMU_CFG(0), CPMU_ON(1)), W8(CPMU_CFG(0), 0),
	       R8(CPMU_CTR(0), 8), W8(CPMU_CFG(1), 0), W8(CPMU_CFG(2), 0));
	expect_one(t, CPMU_ON(1), 8);
	rig_tick(t);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);

	fake_time += NSEC_PER_SEC;
	for (i = 0; i < 2 * READS; i++)
		r(t, i < READS ? CPMU_BOX : CPMU_CFG(0), ~0ULL);
	rig_tick(t);
	expect_responds(t, false);
	KUNIT_EXPECT_EQ(test, t->hw.probe_reg, (u32)CPMU_CFG(0));
}

/* If the last read of an event fails, the next start clears all controls. */
static void all_controls_are_written_after_all_ones(struct kunit *test)
{
	struct rig *t = off(test);

	begin_one(t, 0, 1, 10);
	del(t, 0);
	w(t, CPMU_CFG(0), 0);
	expect_all_ones(t, CPMU_CTR(0));
	apply(t);
	expect(t, R8(CPMU_CTR(0), 0));
	KUNIT_EXPECT_TRUE(test, rig_probe(t));
	/* no event counted meanwhile */
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 0U);
	expect_cleared(t);
	begin_one(t, 0, 1, 20);
}

static struct kunit_case no_reset_tests[] = {
	/* contract: setup-cxl */
	KUNIT_CASE(no_reset_counters_are_read_when_they_start),
	KUNIT_CASE(a_start_beside_others_finds_a_freeze),
	KUNIT_CASE(a_control_that_is_off_is_not_written),
	KUNIT_CASE(a_no_reset_group_is_frozen),
	KUNIT_CASE(a_no_reset_group_is_refused),
	KUNIT_CASE(a_control_follows_its_filter),
	/* contract: handback */
	KUNIT_CASE(a_no_reset_box_is_released),
	/* contract: slept */
	KUNIT_CASE(all_controls_are_written_after_sleep),
	KUNIT_CASE(a_free_running_event_sleeps),
	/* contract: unresponsive */
	KUNIT_CASE(a_group_that_does_not_respond),
	KUNIT_CASE(all_controls_are_written_after_all_ones),
	KUNIT_CASE(a_control_tells_whether_all_are_frozen),
	/* contract: control */
	KUNIT_CASE(a_freeze_of_its_own_counter_shows),
	{ }
};

struct kunit_suite pmon_no_reset_suite = {
	.name = "pmon_no_reset",
	.test_cases = no_reset_tests,
};
