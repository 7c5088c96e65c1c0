// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check how events are added and deleted, access by access. Each test lists the
 * expected accesses, in order, before the call.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "rig.h"
#include "suites.h"

static void expect_assigned(struct rig *t, unsigned int i, int counter)
{
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[i].event.assigned_to, counter);
	KUNIT_EXPECT_PTR_EQ(t->fake.test, t->hw.assigned[counter],
			    &t->ev[i].event);
}

/* ---- assignment of counters ---------------------------------------------- */

/* If perf deletes all events and adds them again, no register is accessed. */
static void coming_back_costs_nothing(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	int i;

	start_four(test, t);
	for (i = 0; i < 4; i++)
		del(t, i);
	for (i = 3; i >= 0; i--)
		KUNIT_ASSERT_TRUE(test, add(t, i));
	apply(t);
	for (i = 0; i < 4; i++) {
		KUNIT_EXPECT_EQ(test, t->ev[i].event.counted_on, i);
		expect_assigned(t, i, i);
	}
	apply(t);
}

/* A new event takes a free counter, not one whose deleted event may return. */
static void newcomers_leave_counters_to_their_owners(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	add_new(t, 0, 0x1, 0);
	add_new(t, 1, 0x2, 0);
	apply_as(t, W4(0, RESET), W4(0x40, 0x1), W4(0x44, 0x2), W4(0, RUN));
	del(t, 0);
	del(t, 1);
	add_new(t, 2, 0x3, 0);
	add(t, 1);
	add(t, 0);
	apply_as(t, W4(0x48, 0x3));
}

/* If a counter counts a single event only, assign that counter first. */
static void its_own_counter_comes_first(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	for (i = 0; i < 2; i++) {
		config(t, i, 0xff, 0);
		t->ev[i].event.allowed = 0x1f;
		KUNIT_ASSERT_TRUE(test, add(t, i));
		expect_assigned(t, i, i ? 0 : 4);
	}
}

static void constrained_event_moves_another(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	add_new(t, 0, 0x1, 0);
	apply_as(t, W4(0, RESET), W4(0x40, 0x1), W4(0, RUN));
	add_new(t, 1, 0x11, 0);
	expect_assigned(t, 0, 1);
	expect_assigned(t, 1, 0);
	apply_as(t, W4(0x40, 0), R8(0x8, 9), W4(0x40, 0x11), W4(0x44, 0x1));
	/* event 0 counts on with counter 1, which starts from 0 */
	expect_count(t, 0, 0x10, 4, 13);

	/* two events for the same counter do not fit */
	config(t, 2, 0x11, 0);
	KUNIT_EXPECT_FALSE(test, add(t, 2));
	apply(t);
}

/* ---- changes while other events count ------------------------------------ */

/* All four events make room for others, two with a control that was there. */
static void exchange_of_four(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	start_four(test, t);
	for (i = 0; i < 4; i++)
		del(t, i);
	add_on(t, 4, 0x21, 1);
	add_on(t, 5, 0x22, 3);
	add_on(t, 6, 0x1, 0);
	add_on(t, 7, 0x3, 2);
	apply_as(t, W4(0x40, 0), W4(0x44, 0), W4(0x48, 0), W4(0x4c, 0),
		 R8(0x8, 30), R8(0x10, 1000), R8(0x18, 40), R8(0x20, 2000),
		 W4(0x40, 1), W4(0x44, 0x21), W4(0x48, 3), W4(0x4c, 0x22));
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 30ULL);
	KUNIT_EXPECT_EQ(test, t->ev[0].event.counted_on, -1);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 1000ULL);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 40ULL);
	KUNIT_EXPECT_EQ(test, t->ev[3].count, 2000ULL);
	expect_count(t, 4, 0x10, 1007, 7);
	expect_count(t, 6, 0x8, 33, 3);
	expect_count(t, 7, 0x18, 41, 1);
}

/* While event 3 counts on, stop three counters, and start one of them. */
static void exchange_of_three_of_four(struct kunit *test)
{
	struct rig *t = rig_new(test, &upi, true);
	unsigned int i;

	start_four(test, t);
	for (i = 0; i < 3; i++)
		del(t, i);
	add_new(t, 4, 0x100000021, 0);
	/* split: a stop clears the low half, a start writes a new high half */
	apply_as(t, W4(0x38, 0), W4(0x40, 0), W4(0x48, 0), R8(0x8, 1),
		 R8(0x10, 2), R8(0x18, 3), W8(0x38, 0x100000021));

	/* a stop keeps the high half, so the next start does not write it */
	del(t, 4);
	apply_as(t, W4(0x38, 0x100000000), R8(0x8, 1));
	add_new(t, 5, 0x100000022, 0);
	apply_as(t, W4(0x38, 0x100000022));
	/* a new high half needs all 8 bytes */
	del(t, 5);
	apply_as(t, W4(0x38, 0x100000000), R8(0x8, 1));
	add_new(t, 6, 0x23, 0);
	apply_as(t, W8(0x38, 0x23));
}

/* A tick between del() and apply() ends deleted events, and starts new ones. */
static void a_tick_before_a_change(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	start_four(test, t);
	KUNIT_EXPECT_FALSE(test, t->hw.dirty);
	del(t, 0);
	del(t, 1);
	add_on(t, 4, 9, 4);
	expect(t, R4(0, RUN), R4(0x40, 1), R4(0x44, 2), R4(0x48, 3), R4(0x4c, 4),
	       W4(0, FREEZE), R8(0x8, 10), R8(0x10, 11), R8(0x18, 12),
	       R8(0x20, 13), W4(0, RESET), W4(0x48, 3), W4(0x4c, 4),
	       W4(0x54, 9), R8(0x38, 100), W4(0, RUN));
	rig_tick(t);
	for (i = 0; i < 2; i++) {
		KUNIT_EXPECT_EQ(test, t->ev[i].count, 10ULL + i);
		KUNIT_EXPECT_EQ(test, t->ev[i].event.counted_on, -1);
	}
	apply(t);
	KUNIT_EXPECT_FALSE(test, t->hw.dirty);
	expect_count(t, 4, 0x38, 103, 3);
	expect_count(t, 2, 0x18, 2, 14);
}

/* Of 64 counters, the most that a box may have, use the first and the last. */
static void the_last_of_64_counters(struct kunit *test)
{
	struct pmon_counter *counter =
		kunit_kzalloc(test, COUNTERS * sizeof(*counter), GFP_KERNEL);
	struct pmon_layout many = imc;
	struct rig *t;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, counter);
	for (i = 0; i < COUNTERS; i++)
		counter[i] = (struct pmon_counter) {
			.width = 48, .ctl = 0x400 + 4 * i, .ctr = 0x800 + 8 * i,
		};
	many.counter = counter;
	many.counters = COUNTERS;
	t = rig_new(test, &many, false);
	KUNIT_EXPECT_EQ(test, t->hw.layout.general, ~0ULL);

	add_new(t, 0, 0x1, 0);
	apply_as(t, W4(0, RESET), W4(0x400, 0x1), W4(0, RUN));
	add_on(t, 1, 0x2, 63);
	apply_as(t, W4(0x4fc, 0x2));
	KUNIT_EXPECT_EQ(test, t->ev[1].event.counted_on, 63);
	del(t, 1);
	apply_as(t, W4(0x4fc, 0), R8(0x9f8, 77));
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 77ULL);
	KUNIT_EXPECT_EQ(test, t->hw.active, 0x1ULL);

	/* the next start resets all counters */
	del(t, 0);
	apply_as(t, W4(0, FREEZE), R8(0x800, 5));
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	apply_as(t, W4(0, RESET), W4(0x400, 0x1), W4(0, RUN));
}

/* ---- filters ------------------------------------------------------------- */

/* Expect a reset of the box, and a write of the filter before the control. */
static void expect_filtered(struct rig *t)
{
	expect(t, W8(0, RESET), W8(14, 0x7), W8(2, 0x10001), W8(0, RUN));
}

/* Start an event with a filter for thread 7. */
static struct rig *filtered(struct kunit *test)
{
	struct rig *t = rig_new(test, &cha, false);

	add_new(t, 0, 0x10001, 0x7);
	expect_filtered(t);
	apply(t);
	return t;
}

static void a_filter_is_written_with_each_event(struct kunit *test)
{
	struct rig *t = filtered(test);

	/* filter 0x8 does not fit; event 3 uses none */
	add_new(t, 1, 0x10002, 0x7);
	config(t, 2, 0x10003, 0x8);
	KUNIT_EXPECT_FALSE(test, add(t, 2));
	add_new(t, 3, 0x00004, 0x8);
	apply_as(t, W8(14, 0x7), W8(3, 0x10002), W8(4, 0x4));

	/* the events with filter 0x7 stop, and the event with 0x8 starts */
	del(t, 0);
	del(t, 1);
	KUNIT_EXPECT_TRUE(test, add(t, 2));
	apply_as(t, W8(2, 0), W8(3, 0), R8(8, 1), R8(9, 1), W8(14, 0x8),
		 W8(5, 0x10003));
}

/* After a reset write the filter, even if the next event equals the last. */
static void a_filter_that_is_unknown_is_written(struct kunit *test)
{
	struct rig *t = filtered(test);

	fake_time += 500000000;
	expect_count(t, 0, 8, BIT_ULL(39), BIT_ULL(39));
	expect_count(t, 0, 8, 7, BIT_ULL(39));
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
	del(t, 0);
	config(t, 1, 0x10001, 0x7);
	t->ev[1].event.allowed = BIT(0);
	KUNIT_ASSERT_TRUE(test, add(t, 1));
	apply_as(t, W8(2, 0), R8(8, 9), W8(14, 0x7), W8(2, 0x10001));
}

/*
 * No event counts with the filter of another event. If the filter changes, stop
 * the counters, even if the controls are equal.
 */
static void filter_changes_for_all(struct kunit *test)
{
	struct rig *t = rig_new(test, &cha, false);
	unsigned int i;

	for (i = 0; i < 4; i++)
		add_new(t, i, 0x10001 + i, 0x7);
	apply_as(t, W8(0, RESET), W8(14, 0x7), W8(2, 0x10001), W8(3, 0x10002),
		 W8(4, 0x10003), W8(5, 0x10004), W8(0, RUN));
	for (i = 0; i < 4; i++)
		del(t, i);
	for (i = 0; i < 4; i++)
		add_new(t, 4 + i, 0x10001 + i, 0x9);
	apply_as(t, W8(2, 0), W8(3, 0), W8(4, 0), W8(5, 0), R8(8, 5), R8(9, 5),
		 R8(10, 5), R8(11, 5), W8(14, 0x9), W8(2, 0x10001),
		 W8(3, 0x10002), W8(4, 0x10003), W8(5, 0x10004));
	KUNIT_EXPECT_EQ(test, t->ev[3].count, 5ULL);
}

/*
 * While a box is idle another program may write the filter; after removal,
 * reset or sleep the filter may be zero. So write the filter again.
 */
static void a_filter_is_written_again(struct kunit *test)
{
	static const char * const ways[] = {
		"lost", "idle", "released", "idle asleep", "reset", "asleep",
	};
	unsigned int way;

	for (way = 0; way < ARRAY_SIZE(ways); way++) {
		struct rig *t = filtered(test);

		if (way >= 1 && way <= 3) {
			del(t, 0);
			apply_as(t, W8(0, FREEZE), R8(8, 100));
			KUNIT_ASSERT_TRUE(test, add(t, 0));
		}
		if (way == 0) {
			pmon_hw_set_state(&t->hw, PMON_BOX_REMOVED);
			pmon_hw_init(&t->hw, &cha, &t->fake.regs);
			KUNIT_EXPECT_TRUE(test, t->hw.dirty);
		} else if (way == 2) {
			expect(t, R8(2, 0), W8(0, RESET), W8(14, 0),
			       W8(0, RUN));
			rig_release(t);
			rig_ready(t);
		} else if (way >= 4) {
			expect(t, R8(0, RUN), R8(2, 0), W8(0, FREEZE), R8(8, 0));
		}
		if (way >= 4)
			expect_filtered(t);
		if (way == 3 || way == 5)
			rig_resume(t);
		if (way == 4)
			rig_tick(t);
		if (way < 4)
			expect_filtered(t);
		apply(t);
		KUNIT_EXPECT_EQ_MSG(test, t->hw.restarts, way >= 4 ? 1U : 0U,
				    "%s", ways[way]);
	}
}

/* Clear a filter only if an event used the filter since the last hand-back. */
static void a_filter_is_cleared_once(struct kunit *test)
{
	struct rig *t = filtered(test);

	del(t, 0);
	apply_as(t, W8(0, FREEZE), R8(8, 100));
	expect(t, R8(2, 0), W8(0, RESET), W8(14, 0), W8(0, RUN));
	rig_release(t);
	rig_ready(t);

	add_new(t, 1, 0x2, 0);
	apply_as(t, W8(0, RESET), W8(2, 0x2), W8(0, RUN));
	del(t, 1);
	apply_as(t, W8(0, FREEZE), R8(8, 1));
	expect(t, R8(2, 0), W8(0, RESET), W8(0, RUN));
	rig_release(t);
}

/* After a refused write the filter is unknown, so write the next value. */
static void a_filter_after_a_refusal(struct kunit *test)
{
	static const u64 filters[] = { 0x9, 0x7, 0x9 };
	struct rig *t = filtered(test);
	unsigned int i;

	add_new(t, 1, 0x2, 0);
	apply_as(t, W8(3, 0x2));
	for (i = 0; i < ARRAY_SIZE(filters); i++) {
		del(t, 0);
		apply_as(t, W8(2, 0), R8(8, 100));
		add_new(t, 0, 0x10001, filters[i]);
		if (!i)
			apply_as(t, X8(14, filters[i]), W8(2, 0x10001));
		else
			apply_as(t, W8(14, filters[i]), W8(2, 0x10001));
		KUNIT_EXPECT_EQ(test, t->ev[0].event.failed, !i);
	}
}

/*
 * If the write of the filter fails, events with this filter fail, because they
 * would count something else. The event without a filter counts.
 */
static void events_whose_filter_is_refused(struct kunit *test)
{
	struct rig *t = rig_new(test, &cha, false);
	unsigned int i;

	for (i = 0; i < 3; i++) {
		config(t, i, i ? 0x10001 : 0x1, 0x7);
		t->ev[i].event.allowed = BIT_ULL(1 + i);
		KUNIT_ASSERT_TRUE(test, add(t, i));
	}
	/* both events that need the filter try the write */
	apply_as(t, W8(0, RESET), X8(14, 0x7), X8(14, 0x7), W8(3, 0x1),
		 W8(4, 0x10001), W8(5, 0x10001), W8(0, RUN));
	KUNIT_EXPECT_EQ(test, t->hw.refused, 1U);
	KUNIT_EXPECT_EQ(test, t->reports, 1U);
	expect(t, R8(9, 5), R8(10, 5), R8(11, 5));
	rig_sync(t);
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, t->ev[i].event.failed, i > 0);
		KUNIT_EXPECT_EQ(test, t->ev[i].count, i ? 0ULL : 5ULL);
	}
}

static struct kunit_case change_tests[] = {
	/* contract: setup */
	KUNIT_CASE(coming_back_costs_nothing),
	KUNIT_CASE(newcomers_leave_counters_to_their_owners),
	KUNIT_CASE(its_own_counter_comes_first),
	KUNIT_CASE(constrained_event_moves_another),
	KUNIT_CASE(exchange_of_four),
	KUNIT_CASE(exchange_of_three_of_four),
	KUNIT_CASE(a_tick_before_a_change),
	KUNIT_CASE(the_last_of_64_counters),
	KUNIT_CASE(a_filter_is_written_with_each_event),
	KUNIT_CASE(filter_changes_for_all),
	KUNIT_CASE(a_filter_is_written_again),
	KUNIT_CASE(a_filter_that_is_unknown_is_written),
	KUNIT_CASE(a_filter_after_a_refusal),
	KUNIT_CASE(events_whose_filter_is_refused),
	/* contract: handback */
	KUNIT_CASE(a_filter_is_cleared_once),
	{ }
};

struct kunit_suite pmon_change_suite = {
	.name = "pmon_change",
	.test_cases = change_tests,
};
