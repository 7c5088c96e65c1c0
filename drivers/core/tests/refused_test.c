// SPDX-License-Identifier: GPL-2.0-only
/* Check refused writes of controls, filters and box controls. */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "rig.h"
#include "suites.h"

#define CTL(n)	(0x40 + 4 * (n))
#define CTR(n)	(8 + 8 * (n))

/* Add two events on counters 0 and 1, with controls 1 and 2. */
static struct rig *two(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	add_new(t, 0, 1, 0);
	add_new(t, 1, 2, 0);
	return t;
}

/* Add a failed event again, after perf has disabled and deleted it. */
static void add_failed(struct rig *t, unsigned int i)
{
	t->ev[i].event.failed = false;
	KUNIT_ASSERT_TRUE(t->fake.test, add(t, i));
}

static void expect_failed(struct rig *t, unsigned int i, bool failed)
{
	KUNIT_EXPECT_EQ_MSG(t->fake.test, t->ev[i].event.failed, failed,
			    "event %u", i);
}

static void expect_refusals(struct rig *t, unsigned int n)
{
	KUNIT_EXPECT_EQ(t->fake.test, t->hw.refused, n);
	KUNIT_EXPECT_EQ(t->fake.test, t->reports, n);
}

/* If the write of one of three controls is refused, two events still count. */
static void an_event_whose_control_is_refused(struct kunit *test)
{
	struct rig *t = two(test);

	add_new(t, 2, 3, 0);
	apply_as(t, W4(0, RESET), W4(CTL(0), 1), X4(CTL(1), 2), W4(CTL(2), 3),
		 W4(0, RUN));
	expect_failed(t, 0, false);
	expect_failed(t, 1, true);
	expect_failed(t, 2, false);
	expect_refusals(t, 1);

	/* the failed event gains nothing; apply() does not repeat the write */
	expect(t, R8(CTR(0), 1), R8(CTR(1), 2), R8(CTR(2), 3));
	rig_sync(t);
	apply(t);
	/* deleted and added again before apply(), the event stays failed */
	del(t, 1);
	KUNIT_ASSERT_TRUE(test, add(t, 1));
	apply(t);
	expect_failed(t, 1, true);
	del(t, 1);
	apply_as(t, W4(CTL(1), 0), R8(CTR(1), 7));
	/* the event was found to have failed, because perf reads it next */
	KUNIT_EXPECT_EQ(test, t->ev[1].lost, 1U);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 1ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 0ULL);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 3ULL);

	/* the write is refused again while the others count, then accepted */
	add_failed(t, 1);
	apply_as(t, X4(CTL(1), 2));
	expect_failed(t, 1, true);
	expect_refusals(t, 2);
	del(t, 1);
	apply_as(t, W4(CTL(1), 0), R8(CTR(1), 7));
	add_failed(t, 1);
	apply_as(t, W4(CTL(1), 2));
	expect_count(t, 1, CTR(1), 16, 9);
	expect_failed(t, 1, false);
	expect_refusals(t, 2);

	/* a tick does not read a control whose write was refused */
	t = two(test);
	apply_as(t, W4(0, RESET), X4(CTL(0), 1), W4(CTL(1), 2), W4(0, RUN));
	expect(t, R4(0, RUN), R4(CTL(1), 2), W4(0, FREEZE), R8(CTR(0), 5),
	       R8(CTR(1), 6), W4(0, RESET), W4(CTL(0), 1), W4(CTL(1), 2),
	       W4(0, RUN));
	rig_tick(t);
}

/*
 * Delete both events, and add them again. No event counted, so no counter is
 * read, and each event is found to have failed.
 */
static void two_end(struct rig *t)
{
	unsigned int i, lost[2];

	for (i = 0; i < 2; i++) {
		expect_failed(t, i, true);
		lost[i] = t->ev[i].lost;
		del(t, i);
	}
	apply_as(t, W4(0, FREEZE));
	KUNIT_EXPECT_EQ(t->fake.test, t->hw.disturbed, 0U);
	for (i = 0; i < 2; i++) {
		KUNIT_EXPECT_EQ(t->fake.test, t->ev[i].count, 0ULL);
		KUNIT_EXPECT_EQ(t->fake.test, t->ev[i].lost, lost[i] + 1);
		add_failed(t, i);
	}
}

/*
 * If the reset or the run of a box is refused, nothing can count, so all events
 * fail. After a refused reset nothing is written.
 */
static void a_box_that_is_not_reset_or_run(struct kunit *test)
{
	struct rig *t = two(test);

	apply_as(t, X4(0, RESET));
	expect_refusals(t, 1);
	two_end(t);
	apply_as(t, W4(0, RESET), W4(CTL(0), 1), W4(CTL(1), 2), X4(0, RUN));
	expect_refusals(t, 2);
	two_end(t);
	apply_as(t, W4(0, RESET), W4(CTL(0), 1), W4(CTL(1), 2), W4(0, RUN));
	expect_failed(t, 0, false);
	expect_failed(t, 1, false);
	expect_refusals(t, 2);
}

/*
 * If the freeze is refused, the running counters are read. If the run is
 * refused, all assigned events fail, started or not, and keep their counts.
 */
static void a_snapshot_is_refused(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	start_four(test, t);
	expect(t, X4(0, FREEZE));
	expect_four_reads(t, 10);
	rig_snapshot(t, 0xf);
	KUNIT_EXPECT_EQ(test, t->hw.frozen_ns, 0ULL);
	KUNIT_EXPECT_EQ(test, t->ev[3].count, 13ULL);
	expect_refusals(t, 0);

	del(t, 0);
	add_new(t, 4, 5, 0);
	expect(t, W4(0, FREEZE));
	expect_four_reads(t, 20);
	expect(t, X4(0, RUN));
	rig_snapshot(t, 0xf);
	for (i = 0; i < 5; i++) {
		expect_failed(t, i, i > 0);
		KUNIT_EXPECT_EQ(test, t->ev[i].count, i < 4 ? 20ULL + i : 0);
	}
	expect_refusals(t, 1);

	/* their end leaves the box frozen, without a read */
	for (i = 1; i < 5; i++)
		del(t, i);
	apply_as(t, W4(0, FREEZE));
}

/*
 * If the box stays frozen and an event is added before the failed events are
 * deleted, the box is set up again, so that the new event counts.
 */
static void an_event_joins_a_frozen_box(struct kunit *test)
{
	struct rig *t = two(test);

	apply_as(t, W4(0, RESET), W4(CTL(0), 1), W4(CTL(1), 2), W4(0, RUN));
	expect(t, W4(0, FREEZE), R8(CTR(0), 5), R8(CTR(1), 6), X4(0, RUN));
	rig_snapshot(t, 3);
	add_new(t, 2, 3, 0);
	apply_as(t, W4(0, RESET), W4(CTL(0), 1), W4(CTL(1), 2), W4(CTL(2), 3),
		 W4(0, RUN));
	expect_failed(t, 0, true);
	expect_failed(t, 2, false);
	expect_count(t, 2, CTR(2), 9, 9);
	expect_count(t, 0, CTR(0), 9, 5);
	expect_refusals(t, 1);

	/* an event that was deleted before the refusal gets no last read */
	del(t, 2);
	expect(t, W4(0, FREEZE), R8(CTR(0), 9), R8(CTR(1), 9), X4(0, RUN));
	rig_snapshot(t, 3);
	apply_as(t, W4(0, RESET), W4(CTL(0), 1), W4(CTL(1), 2), W4(0, RUN));
	KUNIT_EXPECT_EQ(test, t->ev[2].lost, 1U);
}

/*
 * If a control cannot be cleared, its counter runs on, but later gains belong
 * to no event. The start of an event on another counter is not affected.
 */
static void a_control_that_is_not_cleared(struct kunit *test)
{
	struct rig *t = two(test);

	apply_as(t, W4(0, RESET), W4(CTL(0), 1), W4(CTL(1), 2), W4(0, RUN));
	del(t, 0);
	add_new(t, 3, 0xff, 0);
	apply_as(t, X4(CTL(0), 0), R8(CTR(0), 10), R8(0x38, 77),
		 W4(0x54, 0x400000));
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 10ULL);
	expect_count(t, 3, 0x38, 78, 1);
	add_on(t, 2, 1, 0);
	apply_as(t, R8(CTR(0), 25), W4(CTL(0), 1));
	expect_count(t, 2, CTR(0), 27, 2);
	expect_refusals(t, 0);
}

/* After a refused write, both halves of a split control are unknown. */
static void both_halves_are_written_again(struct kunit *test)
{
	struct rig *t = rig_new(test, &upi, true);

	add_new(t, 0, 1, 0);
	add_new(t, 1, 2, 0);
	apply_as(t, W4(0, RESET), W8(0x38, 1), X8(0x40, 2), W4(0, RUN));
	expect_failed(t, 1, true);
	del(t, 1);
	apply_as(t, W8(0x40, 0), R8(0x10, 0));
}

static const struct pmon_protocol no_reset = { .no_reset = true, .rate_log2 = 34 };

static const struct pmon_counter selected_counters[] = {
	{ .width = 31, .ctl = 0x100, .ctr = 0x200 },
	{ .width = 31, .ctl = 0x101, .ctr = 0x201 },
};

static const struct pmon_layout off = {
	.protocol = &no_reset, .counter = selected_counters, .counters = 2,
	.ctl_bytes = 8, .indexed = true,
};

/*
 * The hand-back of a box without box control, as on client processors, clears
 * controls that could not be cleared before, and writes no other register.
 */
static void release_clears_controls(struct kunit *test)
{
	struct rig *t = rig_new(test, &off, false);

	add_new(t, 0, 7, 0);
	apply_as(t, W8(0x100, 0), W8(0x101, 0), R8(0x200, 50), W8(0x100, 7));
	del(t, 0);
	apply_as(t, X8(0x100, 0), R8(0x200, 51));
	expect(t, R8(0x100, 7), W8(0x100, 0));
	rig_release(t);
}

/*
 * After a refused reset a read finds the old value of the counter. The next
 * reset zeroes the counter, so the next event starts from 0.
 */
static void a_counter_that_no_reset_has_zeroed(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	add_new(t, 0, 1, 0);
	apply_as(t, X4(0, RESET));
	fake_read(&t->fake, CTR(0), 1000);
	rig_read(t, 0);
	fake_done(&t->fake);

	del(t, 0);
	add_on(t, 1, 2, 0);
	apply_as(t, W4(0, RESET), W4(CTL(0), 2), W4(0, RUN));
	expect_count(t, 1, CTR(0), 5, 5);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 0U);
}

static struct kunit_case refused_tests[] = {
	/* contract: setup */
	KUNIT_CASE(an_event_whose_control_is_refused),
	KUNIT_CASE(a_box_that_is_not_reset_or_run),
	KUNIT_CASE(a_snapshot_is_refused),
	KUNIT_CASE(an_event_joins_a_frozen_box),
	KUNIT_CASE(a_control_that_is_not_cleared),
	KUNIT_CASE(both_halves_are_written_again),
	KUNIT_CASE(a_counter_that_no_reset_has_zeroed),
	/* contract: handback */
	KUNIT_CASE(release_clears_controls),
	{ }
};

struct kunit_suite pmon_refused_suite = {
	.name = "pmon_refused",
	.test_cases = refused_tests,
};
