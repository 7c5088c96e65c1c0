// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check free-running counters, which are never written and may have several
 * events. An event gains what its counter gains while the event counts.
 */
#include <linux/kernel.h>

#include "rig.h"
#include "suites.h"

#define CLOCK	0x10ff
#define IN(n)	(0x20ff + (n) * 0x100)
#define OUT(n)	(0x30ff + (n) * 0x100)

#define FREE(_config, _ctr, _width) \
	{ .config = (_config), .ctr = (_ctr), .width = (_width), \
	  .kind = PMON_COUNTER_FREE_RUNNING }
#define INTO(n)	FREE(IN(n), 0x3800 + (n), 48)
#define FROM(n)	FREE(OUT(n), 0x3808 + (n), 36)

static const struct pmon_counter port_counters[] = {
	FREE(CLOCK, 0x340e, 48),
	INTO(0), INTO(1), INTO(2), INTO(3), INTO(4), INTO(5), INTO(6), INTO(7),
	FROM(0), FROM(1), FROM(2), FROM(3), FROM(4), FROM(5), FROM(6), FROM(7),
};

static const struct pmon_layout ports = {
	.counter = port_counters, .counters = ARRAY_SIZE(port_counters),
	.indexed = true,
};

static void start(struct kunit *test, struct rig *t, unsigned int i,
		  u64 event, u32 reg, u64 value)
{
	add_new(t, i, event, 0);
	apply_as(t, R8(reg, value));
}

struct free_case {
	u64 config;
	u32 reg;	/* 0: no counter */
};

static const struct free_case free_cases[] = {
	{ CLOCK, 0x340e },
	{ IN(0), 0x3800 }, { IN(7), 0x3807 },
	{ OUT(0), 0x3808 }, { OUT(7), 0x380f },
	{ 0, 0 }, { 0xff, 0 }, { 0x10fe, 0 }, { 0x1100, 0 },
	{ CLOCK + 0x100, 0 }, { IN(-1), 0 }, { IN(8), 0 }, { OUT(8), 0 },
	{ IN(0) | 1ULL << 16, 0 }, { IN(0) | 1ULL << 63, 0 },
};

static void each_event_has_its_register(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(free_cases); i++) {
		const struct free_case *c = &free_cases[i];

		config(t, 0, c->config, 0);
		KUNIT_EXPECT_EQ(test, !!t->ev[0].event.allowed, !!c->reg);
		if (!c->reg)
			continue;
		KUNIT_EXPECT_TRUE(test, t->ev[0].event.free_running);
		start(test, t, 0, c->config, c->reg, 0);
		del(t, 0);
		apply_as(t, R8(c->reg, 0));
	}
}

/*
 * An event gains nothing before its start or after its end. No register was
 * written, so the box is not handed back.
 */
static void an_event_is_a_difference(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);

	start(test, t, 0, IN(2), 0x3802, 5000);
	KUNIT_EXPECT_TRUE(test, t->hw.active);
	expect_count(t, 0, 0x3802, 5100, 100);
	del(t, 0);
	KUNIT_EXPECT_TRUE(test, t->hw.dirty);
	apply_as(t, R8(0x3802, 5101));
	KUNIT_EXPECT_FALSE(test, t->hw.dirty);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 101ULL);
	KUNIT_EXPECT_FALSE(test, t->hw.active);

	KUNIT_ASSERT_TRUE(test, add(t, 0));
	KUNIT_EXPECT_TRUE(test, t->hw.dirty);
	apply_as(t, R8(0x3802, 9000));
	expect(t, R8(0x3802, 9009));
	rig_sync(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 110ULL);
	KUNIT_EXPECT_EQ(test, t->reports, 0U);
	KUNIT_EXPECT_FALSE(test, t->hw.used);
	expect(t, R8(0x3802, 9009));
	rig_release(t);
}

static void it_wraps_at_its_own_width(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);

	start(test, t, 0, OUT(1), 0x3809, 0xfffffffffULL);
	expect_count(t, 0, 0x3809, 4, 5);

	start(test, t, 1, IN(1), 0x3801, 0xfffffffffULL);
	expect_count(t, 1, 0x3801, 0x1000000004ULL, 5);
}

static void several_share_a_counter(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);

	start(test, t, 0, CLOCK, 0x340e, 100);
	KUNIT_EXPECT_TRUE(test, t->hw.active);
	start(test, t, 1, CLOCK, 0x340e, 150);
	start(test, t, 2, CLOCK, 0x340e, 170);
	del(t, 1);
	apply_as(t, R8(0x340e, 180));
	KUNIT_EXPECT_NULL(test, t->ev[1].event.next);
	del(t, 2);
	apply_as(t, R8(0x340e, 190));
	del(t, 0);
	apply_as(t, R8(0x340e, 200));
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 100ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 30ULL);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 20ULL);
	KUNIT_EXPECT_NULL(test, t->hw.counter[0].counted);
}

/* An event deleted from an unresponsive box is read when the box responds. */
static void it_ends_before_its_box_responds(struct kunit *test)
{
	struct rig *t = rig_new(test, &mixed, false);

	add_new(t, 0, 1, 0);
	apply_as(t, W4(0, RESET), W4(0x40, 1), W4(0, RUN));
	start(test, t, 1, 0xff, 0x100, 100);
	expect_all_ones(t, 0x8);
	rig_read(t, 0);
	del(t, 1);
	expect(t, R8(0x8, 1), R8(0x100, 150), R8(0x100, 151), W4(0, RESET),
	       W4(0x40, 1), W4(0, RUN));
	KUNIT_EXPECT_TRUE(test, rig_probe(t));
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 51ULL);
	KUNIT_EXPECT_EQ(test, t->hw.restarts, 1U);
}

/* A tick before apply() does not start a free-running event; apply() does. */
static void a_tick_before_it_starts(struct kunit *test)
{
	static const u64 values[] = { 5 };
	struct rig *t = rig_new(test, &mixed, false);

	add_new(t, 0, 1, 0);
	apply_as(t, W4(0, RESET), W4(0x40, 1), W4(0, RUN));
	add_new(t, 1, 0xff, 0);
	expect_period(t, values);
	rig_tick(t);
	apply_as(t, R8(0x100, 100));
	expect_count(t, 1, 0x100, 107, 7);
}

/*
 * A tick finds that the box was reset. So the free-running counter has not
 * wrapped, and the gain is the value of the counter.
 */
static void a_reset_is_no_wrap(struct kunit *test)
{
	static const struct pmon_counter counters[] = {
		{ .width = 48, .ctl = 0x40, .ctr = 0x8 },
		FREE(0xff, 0x100, 32),
	};
	struct pmon_layout layout = mixed;
	struct rig *t;

	layout.counter = counters;
	t = rig_new(test, &layout, false);
	add_new(t, 0, 1, 0);
	apply_as(t, W4(0, RESET), W4(0x40, 1), W4(0, RUN));
	start(test, t, 1, 0xff, 0x100, 0xe0000000);
	fake_time += 1000000000;
	expect(t, R4(0, RUN), R4(0x40, 0), W4(0, FREEZE), R8(0x8, 0),
	       R8(0x100, 5), W4(0, RESET), W4(0x40, 1), W4(0, RUN));
	rig_tick(t);
	KUNIT_EXPECT_EQ(test, t->hw.restarts, 1U);
	fake_time += 1000000000;
	expect_count(t, 1, 0x100, 9, 9);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
}

/* The time since the last read, by a tick or by perf, limits the next gain. */
static void a_reading_of_the_tick_is_the_last(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);

	fake_time += 1000000000;
	start(test, t, 0, CLOCK, 0x340e, 100);
	fake_time += 1000000000;
	fake_read(&t->fake, 0x340e, 200);
	rig_sync(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 100ULL);

	/* the largest gain that is not checked, then a gain larger by 1 */
	expect_count(t, 0, 0x340e, 200 + PMON_DELTA_SMALL - 1,
		     99 + PMON_DELTA_SMALL);
	expect_count(t, 0, 0x340e, 199 + 2 * PMON_DELTA_SMALL,
		     99 + PMON_DELTA_SMALL);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
}

/*
 * If perf deletes all events and adds the same events again, no register is
 * accessed. If an event ends, the others count on.
 */
static void coming_back_costs_nothing(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);
	int i;

	for (i = 0; i < 3; i++)
		start(test, t, i, IN(i), 0x3800 + i, 0);
	for (i = 0; i < 3; i++)
		del(t, i);
	for (i = 2; i >= 0; i--)
		KUNIT_ASSERT_TRUE(test, add(t, i));
	apply(t);
	for (i = 0; i < 3; i++) {
		del(t, i);
		apply_as(t, R8(0x3800 + i, 0));
		KUNIT_EXPECT_TRUE(test, t->hw.active);
		start(test, t, i, IN(i), 0x3800 + i, 0);
	}
}

/* Expect three reads of all-ones, then a read of @value. */
static void expect_late(struct rig *t, u32 reg, u64 value)
{
	expect(t, R8(reg, ~0ULL), R8(reg, ~0ULL), R8(reg, ~0ULL),
	       R8(reg, value));
}

/* All-ones do not change the count. */
static void all_ones_is_read_again(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);

	add_new(t, 0, CLOCK, 0);
	expect_late(t, 0x340e, 50);
	apply(t);
	expect_late(t, 0x340e, 60);
	rig_sync(t);
	del(t, 0);
	expect_late(t, 0x340e, 75);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 25ULL);
	KUNIT_EXPECT_EQ(test, t->reports, 0U);
	KUNIT_EXPECT_FALSE(test, t->ev[0].event.failed);
}

/* Create an unresponsive box, whose events 0 and 1 have gained 10 each. */
static struct rig *unresponsive_ports(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);
	unsigned int i;

	for (i = 0; i < 2; i++)
		start(test, t, i, IN(i), 0x3800 + i, 50);
	for (i = 0; i < 2; i++)
		fake_read(&t->fake, 0x3800 + i, 60);
	rig_sync(t);
	expect_all_ones(t, 0x3800);
	rig_read(t, 0);
	fake_done(&t->fake);
	expect_responds(t, false);
	return t;
}

static void expect_ports(struct rig *t, u64 a, u64 b, bool failed)
{
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[0].count, a);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[1].count, b);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[0].event.failed, failed);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[1].event.failed, failed);
}

/*
 * Only the counter that did not respond is probed, and all events fail when the
 * box is dropped. If the box responds, the events have counted on.
 */
static void the_counter_is_probed(struct kunit *test)
{
	struct rig *t = unresponsive_ports(test);

	rig_read(t, 1);
	rig_sync(t);
	expect_ports(t, 10, 10, false);
	rig_tick(t);
	expect_ports(t, 10, 10, false);
	fake_time += PMON_RESPONSE_NS;
	expect(t, R8(0x3800, ~0ULL));
	KUNIT_EXPECT_FALSE(test, rig_probe(t));
	expect_ports(t, 10, 10, true);
	KUNIT_EXPECT_EQ(test, t->reports, 2U);
	KUNIT_EXPECT_EQ(test, t->hw.lost, 0U);

	t = unresponsive_ports(test);
	expect(t, R8(0x3800, 61), R8(0x3800, 62), R8(0x3801, 61));
	KUNIT_EXPECT_TRUE(test, rig_probe(t));
	expect_ports(t, 12, 11, false);
	expect_responds(t, true);
}

/* A counter that is lower when the box responds again was reset. */
static void a_reset_ends_a_time_without_response(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);
	const u64 end = GENMASK_ULL(47, 0) - BIT_ULL(32);

	start(test, t, 0, CLOCK, 0x340e, end);
	fake_time += 1000000000;
	expect_all_ones(t, 0x340e);
	rig_read(t, 0);
	fake_time += 1000000000;
	expect(t, R8(0x340e, 5), R8(0x340e, 6));
	KUNIT_EXPECT_TRUE(test, rig_probe(t));
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 6ULL);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
	expect_count(t, 0, 0x340e, 9, 9);
}

static void expect_lost(struct rig *t, unsigned int lost)
{
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[0].lost, 1U);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[1].lost, lost - 1);
	KUNIT_EXPECT_EQ(t->fake.test, t->hw.lost, lost);
	KUNIT_EXPECT_GT(t->fake.test, t->reports, 1U);
}

/* One of two events of a counter ends while the box does not respond. */
static void one_event_of_two_ends_unread(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);
	unsigned int i;

	for (i = 0; i < 2; i++)
		start(test, t, i, CLOCK, 0x340e, 50);
	expect_all_ones(t, 0x340e);
	rig_read(t, 0);
	del(t, 0);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].lost, 1U);
	KUNIT_EXPECT_EQ(test, t->hw.lost, 1U);
	KUNIT_EXPECT_FALSE(test, t->ev[1].event.failed);
	expect(t, R8(0x340e, 60), R8(0x340e, 61));
	KUNIT_EXPECT_TRUE(test, rig_probe(t));
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 0ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 11ULL);
}

/* Events end without a last read, so each is lost and reported. */
static void events_end_unread(struct kunit *test)
{
	struct rig *t = unresponsive_ports(test);

	del(t, 0);
	del(t, 1);
	apply(t);
	expect_ports(t, 10, 10, true);
	expect_lost(t, 2);
	KUNIT_EXPECT_FALSE(test, t->hw.active);
	KUNIT_EXPECT_NULL(test, t->hw.counter[1].counted);

	/* when the last CPU goes offline, both events are lost; no hand-back */
	t = unresponsive_ports(test);
	rig_release(t);
	expect_ports(t, 10, 10, true);
	expect_lost(t, 2);

	/* the last read of event 0 fails, and event 1 is not read */
	t = rig_new(test, &ports, false);
	start(test, t, 0, IN(0), 0x3800, 50);
	start(test, t, 1, IN(1), 0x3801, 50);
	del(t, 0);
	expect_all_ones(t, 0x3800);
	apply(t);
	expect_lost(t, 1);
	KUNIT_EXPECT_FALSE(test, t->ev[1].event.failed);
	KUNIT_EXPECT_TRUE(test, t->hw.active);
}

/* If the counter of a new event does not respond, all new events fail. */
static void a_start_may_fail(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);

	add_new(t, 0, CLOCK, 0);
	add_new(t, 1, IN(1), 0);
	expect_all_ones(t, 0x340e);
	apply(t);
	expect_responds(t, false);
	KUNIT_EXPECT_FALSE(test, t->hw.active);
	expect_ports(t, 0, 0, true);
	KUNIT_EXPECT_EQ(test, t->hw.refused, 1U);
	KUNIT_EXPECT_EQ(test, t->hw.lost, 0U);

	del(t, 0);
	del(t, 1);
	apply(t);
	KUNIT_EXPECT_NULL(test, t->hw.counter[0].counted);
	fake_read(&t->fake, 0x340e, 0);	/* the probe */
	KUNIT_EXPECT_TRUE(test, rig_probe(t));
	start(test, t, 2, IN(0), 0x3800, 50);
	expect_count(t, 2, 0x3800, 53, 3);

	/* an older event on the counter of the new event fails, too */
	add_new(t, 3, IN(0), 0);
	expect_all_ones(t, 0x3800);
	apply(t);
	KUNIT_EXPECT_TRUE(test, t->ev[3].event.failed);
	KUNIT_EXPECT_TRUE(test, t->ev[2].event.failed);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 3ULL);
}

/*
 * Events of a dropped box stay failed while perf only rotates them, and count
 * again once they were deleted.
 */
static void failed_events_come_back(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);
	unsigned int i;

	for (i = 0; i < 2; i++)
		start(test, t, i, CLOCK, 0x340e, 50);
	pmon_hw_set_state(&t->hw, PMON_BOX_UNRESPONSIVE);
	fake_time += PMON_RESPONSE_NS;
	pmon_hw_no_response(&t->hw, false);
	rig_ready(t);
	for (i = 0; i < 2; i++)
		del(t, i);
	for (i = 0; i < 2; i++)
		KUNIT_ASSERT_TRUE(test, add(t, i));
	apply(t);
	expect(t, R8(0x340e, 60));
	rig_sync(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 0ULL);
	for (i = 0; i < 2; i++)
		del(t, i);
	apply_as(t, R8(0x340e, 65));
	for (i = 0; i < 2; i++)
		KUNIT_ASSERT_TRUE(test, add(t, i));
	apply_as(t, R8(0x340e, 70));
	expect(t, R8(0x340e, 75));
	rig_sync(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 5ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 5ULL);
}

/*
 * After removal no register is accessed. Once the device is back, event 0
 * counts from the first value that is read.
 */
static void hardware_goes_and_returns(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);

	start(test, t, 0, CLOCK, 0x340e, 50);
	start(test, t, 1, IN(1), 0x3801, 50);
	del(t, 1);
	pmon_hw_set_state(&t->hw, PMON_BOX_REMOVED);
	KUNIT_EXPECT_EQ(test, t->ev[0].event.counted_on, -1);
	KUNIT_EXPECT_PTR_EQ(test, t->hw.counter[0].counted, &t->ev[0].event);
	KUNIT_EXPECT_NULL(test, t->hw.counter[2].counted);
	rig_read(t, 0);
	rig_sync(t);
	apply(t);

	pmon_hw_init(&t->hw, &ports, &t->fake.regs);
	apply_as(t, R8(0x340e, 7000));
	expect_count(t, 0, 0x340e, 7001, 1);

	pmon_hw_set_state(&t->hw, PMON_BOX_REMOVED);
	del(t, 0);
	apply(t);
	KUNIT_EXPECT_NULL(test, t->hw.counter[0].counted);
}

/*
 * Another program resets the device. All events lose the gain of the counter
 * since its last read, and nothing else.
 */
static void a_reset_is_no_count(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);

	fake_time += 1000000000;
	start(test, t, 0, IN(0), 0x3800, 5000);
	start(test, t, 1, IN(0), 0x3800, 5010);
	fake_time += 1000000000;
	expect_count(t, 0, 0x3800, 5100, 100);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 90ULL);
	fake_time += 1000000000;
	expect_count(t, 0, 0x3800, 7, 100);
	expect_count(t, 1, 0x3800, 9, 92);
	expect_count(t, 0, 0x3800, 11, 104);
	expect_count(t, 1, 0x3800, 11, 94);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);

	/* a reset between two events affects neither count */
	del(t, 0);
	del(t, 1);
	apply_as(t, R8(0x3800, 11));
	start(test, t, 0, IN(0), 0x3800, 3);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
	expect_count(t, 0, 0x3800, 4, 1);
}

/*
 * A counter that holds less after sleep was reset. Then the gain is the value,
 * and @disturbed increases, because gains before the reset are lost. A counter
 * that holds more has counted on.
 */
static void sleep_may_reset(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);

	start(test, t, 0, IN(0), 0x3800, 0xc00000000000ULL);
	start(test, t, 1, IN(0), 0x3800, 0xc00000000000ULL);
	start(test, t, 2, IN(1), 0x3801, 100);
	fake_time += 60000000000ULL;
	fake_sleep_ns = 36000ULL * 1000000000;
	expect(t, R8(0x3800, 7), R8(0x3801, 150));
	rig_resume(t);
	fake_sleep_ns = 0;
	expect(t, R8(0x3800, 10), R8(0x3801, 170));
	rig_sync(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 10ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 10ULL);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 70ULL);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);

	/* all-ones do not show a reset: the next read shows a gain */
	expect(t, R8(0x3800, ~0ULL), R8(0x3800, 11), R8(0x3801, 170));
	rig_resume(t);
	expect_count(t, 0, 0x3800, 19, 19);

	/* a removed box is not read */
	pmon_hw_set_state(&t->hw, PMON_BOX_REMOVED);
	rig_resume(t);
}

/* All that a resume finds in one pass is one disturbance, and one restart. */
static void sleep_resets_two(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);
	unsigned int i;

	for (i = 0; i < 2; i++)
		start(test, t, i, IN(i), 0x3800 + i, 100);
	fake_sleep_ns = 1000000000;
	expect(t, R8(0x3800, 7), R8(0x3801, 8));
	rig_resume(t);
	fake_sleep_ns = 0;
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
	KUNIT_EXPECT_EQ(test, t->hw.restarts, 1U);
}

/*
 * The clock stands still in sleep, while counters may count on. So large gains
 * are valid, even before rig_resume() runs. A counter that went back was
 * reset, however long the sleep was.
 */
static void sleep_takes_time(struct kunit *test)
{
	const u64 much = BIT_ULL(45);
	struct rig *t = rig_new(test, &ports, false);
	unsigned int i;

	for (i = 0; i < 3; i++)
		start(test, t, i, IN(i), 0x3800 + i, BIT_ULL(46));
	fake_sleep_ns = 36000ULL * 1000000000;
	expect_count(t, 0, 0x3800, BIT_ULL(46) + much, much);
	expect_count(t, 1, 0x3801, 7, 7);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
	expect(t, R8(0x3800, BIT_ULL(46) + much + 1), R8(0x3801, 9),
	       R8(0x3802, BIT_ULL(46) + much));
	rig_resume(t);
	fake_sleep_ns = 0;
	KUNIT_EXPECT_EQ(test, t->ev[0].count, much + 1);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 9ULL);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, much);
	expect_count(t, 2, 0x3802, BIT_ULL(46) + much + 3, much + 3);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
	/* without sleep the gain is too large */
	expect_count(t, 2, 0x3802, BIT_ULL(46) + 2 * much, much + 3);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 2U);
	/* a long time before the last read does not make the gain valid */
	fake_time += 36000ULL * 1000000000;
	expect(t, R8(0x3800, BIT_ULL(46) + much + 1), R8(0x3801, 9),
	       R8(0x3802, BIT_ULL(46) + 2 * much));
	rig_resume(t);
	expect_count(t, 2, 0x3802, BIT_ULL(46) + 3 * much, much + 3);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 3U);
}

/*
 * The reset of a box does not change its free-running counters. A free-running
 * counter that is read before the reset is not read again.
 */
static void a_reset_leaves_them(struct kunit *test)
{
	struct rig *t = rig_new(test, &mixed, false);

	add_new(t, 0, 0xff, 0);
	apply_as(t, R8(0x100, 50));
	add_new(t, 1, 0xff, 0);
	add_new(t, 2, 1, 0);
	apply_as(t, R8(0x100, 60), W4(0, RESET), W4(0x40, 1), W4(0, RUN));
	expect(t, R8(0x100, 63), R8(0x8, 5));
	rig_sync(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 13ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 3ULL);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 5ULL);
}

static const struct pmon_protocol resettable = {
	.rate_log2 = 35,
};

static const struct pmon_layout resettable_ports = {
	.protocol = &resettable,
	.counter = port_counters, .counters = ARRAY_SIZE(port_counters),
	.indexed = true,
};

/*
 * A gain is valid up to eight times the rate of the counter, or of the protocol
 * if the counter has no rate. A wrap is valid only up to the rate itself.
 */
static void time_alone_decides(struct kunit *test)
{
	static const struct {
		u8 rate_log2;
		unsigned int seconds;
		u64 from, to, gain;
	} rows[] = {
		/* 60 s are too short for a quarter of the range */
		{ 0, 60, 0xc00000000000, 7, 0 },
		/* a wrap at the rate itself */
		{ 0, 60, 0xffff00000000, 60ULL << 35,
		  (60ULL << 35) + BIT_ULL(32) },
		{ 0, 1, 0x400000000000, 0x410000000000, 0 },
		{ 38, 260, 0xc00000000000, 7, 0x400000000007 },
		{ 38, 200, 0xc00000000000, 7, 0 },
	};
	struct pmon_counter counter[ARRAY_SIZE(port_counters)];
	struct pmon_layout layout = resettable_ports;
	unsigned int i;

	memcpy(counter, port_counters, sizeof(counter));
	layout.counter = counter;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct rig *t;

		counter[1].rate_log2 = rows[i].rate_log2;
		t = rig_new(test, &layout, false);
		start(test, t, 0, IN(0), 0x3800, rows[i].from);
		fake_time += rows[i].seconds * 1000000000ULL;
		expect_count(t, 0, 0x3800, rows[i].to, rows[i].gain);
		KUNIT_EXPECT_EQ(test, t->hw.disturbed, !rows[i].gain);
		expect_count(t, 0, 0x3800, rows[i].to + 2, rows[i].gain + 2);
	}
}

static struct kunit_case free_tests[] = {
	/* contract: wrap */
	KUNIT_CASE(each_event_has_its_register),
	KUNIT_CASE(an_event_is_a_difference),
	KUNIT_CASE(it_wraps_at_its_own_width),
	KUNIT_CASE(several_share_a_counter),
	KUNIT_CASE(a_reading_of_the_tick_is_the_last),
	KUNIT_CASE(coming_back_costs_nothing),
	KUNIT_CASE(a_reset_leaves_them),
	KUNIT_CASE(time_alone_decides),
	KUNIT_CASE(a_tick_before_it_starts),
	/* contract: ones */
	KUNIT_CASE(all_ones_is_read_again),
	/* contract: unresponsive */
	KUNIT_CASE(it_ends_before_its_box_responds),
	KUNIT_CASE(the_counter_is_probed),
	KUNIT_CASE(a_reset_ends_a_time_without_response),
	KUNIT_CASE(one_event_of_two_ends_unread),
	KUNIT_CASE(events_end_unread),
	KUNIT_CASE(a_start_may_fail),
	KUNIT_CASE(failed_events_come_back),
	/* contract: pulled */
	KUNIT_CASE(hardware_goes_and_returns),
	/* contract: reset */
	KUNIT_CASE(a_reset_is_no_count),
	KUNIT_CASE(a_reset_is_no_wrap),
	/* contract: slept */
	KUNIT_CASE(sleep_may_reset),
	KUNIT_CASE(sleep_resets_two),
	KUNIT_CASE(sleep_takes_time),
	{ }
};

struct kunit_suite pmon_free_running_suite = {
	.name = "pmon_free_running",
	.test_cases = free_tests,
};
