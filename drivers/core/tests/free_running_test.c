// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters that run by themselves: they are never written, any number of
 * events may share one, and each event gains what the counter did while the
 * event counted.
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
	config(t, i, event, 0);
	KUNIT_ASSERT_TRUE(test, add(t, i));
	fake_read(&t->fake, reg, value);
	apply(t);
}

struct free_case {
	u64 config;
	u32 reg;	/* 0: nothing counts it */
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
		KUNIT_EXPECT_TRUE(test, t->ev[0].event.free_running);
		KUNIT_EXPECT_EQ(test, !!t->ev[0].event.allowed, !!c->reg);
		if (!c->reg)
			continue;
		start(test, t, 0, c->config, c->reg, 0);
		del(t, 0);
		fake_read(&t->fake, c->reg, 0);
		apply(t);
	}
}

/* What it counted before and after is not the event's. */
static void an_event_is_a_difference(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);

	start(test, t, 0, IN(2), 0x3802, 5000);
	KUNIT_EXPECT_TRUE(test, t->bank.running);
	KUNIT_EXPECT_EQ(test, t->refusals, 0U);
	fake_read(&t->fake, 0x3802, 5100);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 100ULL);

	del(t, 0);
	KUNIT_EXPECT_TRUE(test, t->bank.dirty);
	fake_read(&t->fake, 0x3802, 5101);
	apply(t);
	KUNIT_EXPECT_FALSE(test, t->bank.dirty);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 101ULL);
	KUNIT_EXPECT_FALSE(test, t->bank.running);

	KUNIT_ASSERT_TRUE(test, add(t, 0));
	KUNIT_EXPECT_TRUE(test, t->bank.dirty);
	fake_read(&t->fake, 0x3802, 9000);
	apply(t);
	fake_read(&t->fake, 0x3802, 9009);
	pmon_bank_sync(&t->bank);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 110ULL);
}

static void it_wraps_at_its_own_width(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);

	start(test, t, 0, OUT(1), 0x3809, 0xfffffffffULL);
	fake_read(&t->fake, 0x3809, 4);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 5ULL);

	start(test, t, 1, IN(1), 0x3801, 0xfffffffffULL);
	fake_read(&t->fake, 0x3801, 0x1000000004ULL);
	pmon_bank_read(&t->bank, &t->ev[1].event);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 5ULL);
}

static void several_share_a_counter(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);

	start(test, t, 0, CLOCK, 0x340e, 100);
	KUNIT_EXPECT_TRUE(test, t->bank.running);
	start(test, t, 1, CLOCK, 0x340e, 150);
	start(test, t, 2, CLOCK, 0x340e, 170);
	del(t, 1);
	fake_read(&t->fake, 0x340e, 180);
	apply(t);
	KUNIT_EXPECT_NULL(test, t->ev[1].event.next);
	del(t, 2);
	fake_read(&t->fake, 0x340e, 190);
	apply(t);
	del(t, 0);
	fake_read(&t->fake, 0x340e, 200);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 100ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 30ULL);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 20ULL);
	KUNIT_EXPECT_NULL(test, t->bank.free_running);
}

/* The tick reads it: what comes after has as little time as that. */
static void a_reading_of_the_tick_is_the_last(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);

	fake_time += 1000000000;
	start(test, t, 0, CLOCK, 0x340e, 100);
	fake_time += 1000000000;
	fake_read(&t->fake, 0x340e, 200);
	pmon_bank_sync(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 100ULL);

	/* What any counter may gain at once, without what would be too much. */
	fake_read(&t->fake, 0x340e, 200 + PMON_DELTA_SMALL - 1);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 99 + PMON_DELTA_SMALL);
	fake_read(&t->fake, 0x340e, 199 + 2 * PMON_DELTA_SMALL);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 99 + PMON_DELTA_SMALL);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);
}

/* perf takes everything off and puts it on again: nothing happens. */
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
	KUNIT_EXPECT_TRUE(test, t->bank.running);
}

static void a_stopped_event_is_not_read(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);

	start(test, t, 0, IN(0), 0x3800, 10);
	pmon_bank_set_stopped(&t->bank, &t->ev[0].event, true);
	fake_read(&t->fake, 0x3800, 30);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 20ULL);
	KUNIT_EXPECT_FALSE(test, t->bank.running);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	pmon_bank_sync(&t->bank);

	pmon_bank_set_stopped(&t->bank, &t->ev[0].event, false);
	fake_read(&t->fake, 0x3800, 100);
	apply(t);
	fake_read(&t->fake, 0x3800, 101);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 21ULL);
	pmon_bank_set_stopped(&t->bank, &t->ev[0].event, true);
	del(t, 0);
	fake_read(&t->fake, 0x3800, 102);
	apply(t);
	KUNIT_EXPECT_NULL(test, t->bank.free_running);
}

/* Whichever of two stops, the other one counts on. */
static void one_that_counts_is_enough(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);
	unsigned int i;

	for (i = 0; i < 2; i++)
		start(test, t, i, IN(i), 0x3800 + i, 0);
	for (i = 0; i < 2; i++) {
		pmon_bank_set_stopped(&t->bank, &t->ev[i].event, true);
		fake_read(&t->fake, 0x3800 + i, 0);
		apply(t);
		KUNIT_EXPECT_TRUE(test, t->bank.running);
		pmon_bank_set_stopped(&t->bank, &t->ev[i].event, false);
		fake_read(&t->fake, 0x3800 + i, 0);
		apply(t);
	}
}

/* Three all-ones in a row: the count is as if they had not been. */
static void all_ones_is_read_again(struct kunit *test)
{
	struct rig *t = rig_device(test, &ports);
	unsigned int i;

	config(t, 0, CLOCK, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	for (i = 0; i + 1 < READS; i++)
		fake_read(&t->fake, 0x340e, ~0ULL);
	fake_read(&t->fake, 0x340e, 50);
	apply(t);
	for (i = 0; i + 1 < READS; i++)
		fake_read(&t->fake, 0x340e, ~0ULL);
	fake_read(&t->fake, 0x340e, 60);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	del(t, 0);
	for (i = 0; i + 1 < READS; i++)
		fake_read(&t->fake, 0x340e, ~0ULL);
	fake_read(&t->fake, 0x340e, 75);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 25ULL);
	KUNIT_EXPECT_EQ(test, t->unresponsive, 0U);
	KUNIT_EXPECT_FALSE(test, t->ev[0].event.failed);
	KUNIT_EXPECT_EQ(test, t->bank.lost, 0U);
}

/* Events 0 and 1 have gained 10 each, and now nothing responds. */
static struct rig *unresponsive_ports(struct kunit *test)
{
	struct rig *t = rig_device(test, &ports);
	unsigned int i;

	for (i = 0; i < 2; i++)
		start(test, t, i, IN(i), 0x3800 + i, 50);
	for (i = 0; i < 2; i++)
		fake_read(&t->fake, 0x3801 - i, 60);
	pmon_bank_sync(&t->bank);
	expect_all_ones(t, 0x3800);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	fake_done(&t->fake);
	KUNIT_EXPECT_TRUE(test, t->bank.unresponsive);
	return t;
}

static void expect_ports(struct rig *t, u64 a, u64 b, bool failed)
{
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[0].count, a);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[1].count, b);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[0].event.failed, failed);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[1].event.failed, failed);
}

/* No access but the probe, of the first counter that there is: all fail. */
static void a_tick_probes(struct kunit *test)
{
	struct rig *t = unresponsive_ports(test);

	pmon_bank_read(&t->bank, &t->ev[1].event);
	pmon_bank_sync(&t->bank);
	fake_done(&t->fake);
	expect_ports(t, 10, 10, false);
	fake_read(&t->fake, 0x340e, ~0ULL);
	pmon_bank_tick(&t->bank);
	fake_done(&t->fake);
	expect_ports(t, 10, 10, true);
	KUNIT_EXPECT_EQ(test, t->unresponsive, 2U);
	KUNIT_EXPECT_EQ(test, t->bank.lost, 0U);
}

/* It responds before a tick has failed them: they have counted on. */
static void what_responds_again_counts_on(struct kunit *test)
{
	struct rig *t = unresponsive_ports(test);

	fake_read(&t->fake, 0x340e, 1);
	fake_read(&t->fake, 0x3801, 61);
	fake_read(&t->fake, 0x3800, 62);
	pmon_bank_tick(&t->bank);
	fake_done(&t->fake);
	expect_ports(t, 12, 11, false);
	KUNIT_EXPECT_FALSE(test, t->bank.unresponsive);
}

/* Events end without a last reading: one loss, reported for each of them. */
static void events_end_unread(struct kunit *test)
{
	struct rig *t = unresponsive_ports(test);

	del(t, 0);
	del(t, 1);
	apply(t);
	expect_ports(t, 10, 10, true);
	KUNIT_EXPECT_EQ(test, t->ev[0].lost, 1U);
	KUNIT_EXPECT_EQ(test, t->ev[1].lost, 1U);
	KUNIT_EXPECT_EQ(test, t->bank.lost, 1U);
	KUNIT_EXPECT_EQ(test, t->refusals, 1U);
	KUNIT_EXPECT_FALSE(test, t->bank.running);
	KUNIT_EXPECT_NULL(test, t->bank.free_running);

	/* The same as the last CPU goes; the probe is one access. */
	t = unresponsive_ports(test);
	fake_read(&t->fake, 0x340e, ~0ULL);
	pmon_bank_leave(&t->bank);
	fake_done(&t->fake);
	expect_ports(t, 10, 10, true);
	KUNIT_EXPECT_EQ(test, t->bank.lost, 1U);
	KUNIT_EXPECT_EQ(test, t->refusals, 1U);
}

/* The last reading is the first that fails. The other event is not read. */
static void the_last_reading_is_lost(struct kunit *test)
{
	struct rig *t = rig_device(test, &ports);

	start(test, t, 0, IN(0), 0x3800, 50);
	start(test, t, 1, IN(1), 0x3801, 50);
	del(t, 0);
	expect_all_ones(t, 0x3800);
	apply(t);
	KUNIT_EXPECT_TRUE(test, t->ev[0].event.failed);
	KUNIT_EXPECT_EQ(test, t->ev[0].lost, 1U);
	KUNIT_EXPECT_EQ(test, t->bank.lost, 1U);
	KUNIT_EXPECT_FALSE(test, t->ev[1].event.failed);
	KUNIT_EXPECT_TRUE(test, t->bank.running);
}

/*
 * An event begins while its counter does not respond, or while the box does not:
 * it gains what comes after its first reading.
 */
static void a_start_may_be_late(struct kunit *test)
{
	struct rig *t = rig_device(test, &ports);

	config(t, 0, CLOCK, 0);
	config(t, 1, IN(1), 0);
	KUNIT_ASSERT_TRUE(test, add(t, 1));
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	expect_all_ones(t, 0x340e);
	apply(t);
	KUNIT_EXPECT_TRUE(test, t->bank.unresponsive);
	KUNIT_EXPECT_TRUE(test, t->bank.running);

	fake_read(&t->fake, 0x340e, 1000);	/* the probe */
	fake_read(&t->fake, 0x340e, 1001);
	fake_read(&t->fake, 0x3801, 40);
	pmon_bank_tick(&t->bank);
	fake_read(&t->fake, 0x340e, 1004);
	fake_read(&t->fake, 0x3801, 41);
	pmon_bank_sync(&t->bank);
	fake_done(&t->fake);
	expect_ports(t, 3, 1, false);
}

/* An event that never was read ends as others do, and the next begins anew. */
static void a_late_event_may_end(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);

	start(test, t, 0, IN(0), 0x3800, ~0ULL);
	del(t, 0);
	fake_read(&t->fake, 0x3800, 7);
	apply(t);
	KUNIT_EXPECT_FALSE(test, t->bank.running);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 0ULL);
	start(test, t, 0, IN(0), 0x3800, 50);
	fake_read(&t->fake, 0x3800, 53);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 3ULL);
	fake_done(&t->fake);
}

/* A reading that is refused (hypercalls) is made up for by the next. */
static void a_refused_reading_is_no_count(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);

	start(test, t, 0, IN(0), 0x3800, 50);
	fake_read(&t->fake, 0x3800, ~0ULL);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 0ULL);
	fake_read(&t->fake, 0x3800, 60);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 10ULL);

	/* What comes next has the time since the last answer. */
	fake_time += 1000000000;
	fake_read(&t->fake, 0x3800, ~0ULL);
	pmon_bank_sync(&t->bank);
	fake_read(&t->fake, 0x3800, 60 + PMON_DELTA_SMALL);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 10 + PMON_DELTA_SMALL);
}

/*
 * It is not touched while away; when it returns, events count from there, also
 * the one of the first counter.
 */
static void hardware_goes_and_returns(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);

	start(test, t, 0, CLOCK, 0x340e, 50);
	start(test, t, 1, IN(1), 0x3801, 50);
	del(t, 1);
	pmon_bank_lose(&t->bank, PMON_BOX_REMOVED);
	KUNIT_EXPECT_EQ(test, t->ev[0].event.counted_on, -1);
	KUNIT_EXPECT_PTR_EQ(test, t->bank.free_running, &t->ev[0].event);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	pmon_bank_sync(&t->bank);
	apply(t);

	pmon_bank_find(&t->bank, &ports, &t->fake.regs);
	fake_read(&t->fake, 0x340e, 7000);
	apply(t);
	fake_read(&t->fake, 0x340e, 7001);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 1ULL);

	pmon_bank_lose(&t->bank, PMON_BOX_REMOVED);
	del(t, 0);
	apply(t);
	KUNIT_EXPECT_NULL(test, t->bank.free_running);
}

/* One that sleeps as it returns is not touched before it is awake. */
static void hardware_returns_asleep(struct kunit *test)
{
	struct rig *t = rig_device(test, &ports);

	start(test, t, 0, CLOCK, 0x340e, 50);
	pmon_bank_lose(&t->bank, PMON_BOX_REMOVED);
	pmon_bank_find(&t->bank, &ports, &t->fake.regs);
	t->in_d3 = true;
	apply(t);
	KUNIT_EXPECT_TRUE(test, t->bank.state != PMON_BOX_PRESENT);
	t->in_d3 = false;
	pmon_bank_find(&t->bank, &ports, &t->fake.regs);
	fake_read(&t->fake, 0x340e, 7000);
	apply(t);
	KUNIT_EXPECT_TRUE(test, t->bank.running);
}

/*
 * A device was reset: its counter begins again. What it counted since it was
 * last read for any event is lost for all, and nothing else.
 */
static void a_reset_is_no_count(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);

	fake_time += 1000000000;
	start(test, t, 0, IN(0), 0x3800, 5000);
	start(test, t, 1, IN(0), 0x3800, 5010);
	fake_time += 1000000000;
	fake_read(&t->fake, 0x3800, 5100);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	fake_time += 1000000000;
	fake_read(&t->fake, 0x3800, 7);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	fake_read(&t->fake, 0x3800, 9);
	pmon_bank_read(&t->bank, &t->ev[1].event);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 100ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 92ULL);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);

	fake_read(&t->fake, 0x3800, 11);
	fake_read(&t->fake, 0x3800, 11);
	pmon_bank_sync(&t->bank);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 104ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 94ULL);

	/* A reset between two events takes no count from either. */
	del(t, 0);
	del(t, 1);
	fake_read(&t->fake, 0x3800, 11);
	fake_read(&t->fake, 0x3800, 11);
	apply(t);
	start(test, t, 0, IN(0), 0x3800, 3);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);
	fake_read(&t->fake, 0x3800, 4);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 1ULL);
}

/*
 * The machine slept. A counter that holds less than before was reset: what it
 * seems to have gained is nothing, and nothing was disturbed. One that holds
 * more has counted on.
 */
static void sleep_may_reset(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);

	start(test, t, 0, IN(0), 0x3800, 0xc00000000000ULL);
	start(test, t, 1, IN(0), 0x3800, 0xc00000000000ULL);
	start(test, t, 2, IN(1), 0x3801, 100);
	fake_time += 60000000000ULL;
	fake_read(&t->fake, 0x3801, 150);
	fake_read(&t->fake, 0x3800, 7);
	fake_read(&t->fake, 0x3800, 8);
	pmon_bank_resume(&t->bank);
	fake_done(&t->fake);
	fake_read(&t->fake, 0x3801, 170);
	fake_read(&t->fake, 0x3800, 9);
	fake_read(&t->fake, 0x3800, 10);
	pmon_bank_sync(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 3ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 2ULL);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 70ULL);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);
}

/* Of one that does not answer nothing is known. */
static void sleep_may_go_on(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);

	start(test, t, 0, IN(0), 0x3800, 50);
	fake_read(&t->fake, 0x3800, ~0ULL);
	pmon_bank_resume(&t->bank);
	fake_read(&t->fake, 0x3800, 60);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 10ULL);

	/* Without events nothing is read. */
	pmon_bank_set_stopped(&t->bank, &t->ev[0].event, true);
	fake_read(&t->fake, 0x3800, 60);
	apply(t);
	pmon_bank_resume(&t->bank);
	pmon_bank_lose(&t->bank, PMON_BOX_REMOVED);
	pmon_bank_resume(&t->bank);
}

static const struct pmon_protocol resettable = {
	.may_reset = true, .rate_log2 = 35,
};

static const struct pmon_layout resettable_ports = {
	.protocol = &resettable,
	.counter = port_counters, .counters = ARRAY_SIZE(port_counters),
	.indexed = true,
};

/* A minute at the rate of the protocol is not a quarter of the range. */
static void it_gains_no_more_than_it_can(struct kunit *test)
{
	struct rig *t = rig_new(test, &resettable_ports, false);

	start(test, t, 0, IN(0), 0x3800, 0xc00000000000ULL);
	fake_time += 60000000000ULL;
	fake_read(&t->fake, 0x3800, 7);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 0ULL);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);
	fake_read(&t->fake, 0x3800, 9);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 2ULL);

	/* A wrap at that rate is one. */
	start(test, t, 1, IN(1), 0x3801, 0xffff00000000ULL);
	fake_time += 60000000000ULL;
	fake_read(&t->fake, 0x3801, 60ULL << 35);
	pmon_bank_read(&t->bank, &t->ev[1].event);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, (60ULL << 35) + (1ULL << 32));
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);
}

/* One that did not go back was not reset: it may have been faster. */
static void more_than_before_is_no_reset(struct kunit *test)
{
	struct rig *t = rig_new(test, &resettable_ports, false);

	start(test, t, 0, IN(0), 0x3800, 0x400000000000ULL);
	fake_time += 1000000000;
	fake_read(&t->fake, 0x3800, 0x410000000000ULL);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 0x10000000000ULL);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);
}

/* And at that of the counter itself, where that is faster. */
static void one_may_be_faster(struct kunit *test)
{
	struct pmon_counter counter[ARRAY_SIZE(port_counters)];
	struct pmon_layout layout = resettable_ports;
	struct rig *t;

	memcpy(counter, port_counters, sizeof(counter));
	counter[1].rate_log2 = 38;
	layout.counter = counter;
	t = rig_new(test, &layout, false);
	start(test, t, 0, IN(0), 0x3800, 0xc00000000000ULL);
	fake_time += 200000000000ULL;
	fake_read(&t->fake, 0x3800, 7);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 0x400000000007ULL);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);
}

/* Nothing was written, so nothing is handed back. */
static void nothing_is_handed_back(struct kunit *test)
{
	struct rig *t = rig_new(test, &ports, false);

	start(test, t, 0, IN(0), 0x3800, 50);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_FALSE(test, t->bank.used);
}

static struct kunit_case free_tests[] = {
	KUNIT_CASE(each_event_has_its_register),
	KUNIT_CASE(an_event_is_a_difference),
	KUNIT_CASE(it_wraps_at_its_own_width),
	KUNIT_CASE(several_share_a_counter),
	KUNIT_CASE(a_reading_of_the_tick_is_the_last),
	KUNIT_CASE(coming_back_costs_nothing),
	KUNIT_CASE(a_stopped_event_is_not_read),
	KUNIT_CASE(one_that_counts_is_enough),
	KUNIT_CASE(all_ones_is_read_again),
	KUNIT_CASE(a_tick_probes),
	KUNIT_CASE(what_responds_again_counts_on),
	KUNIT_CASE(events_end_unread),
	KUNIT_CASE(the_last_reading_is_lost),
	KUNIT_CASE(a_start_may_be_late),
	KUNIT_CASE(a_late_event_may_end),
	KUNIT_CASE(a_refused_reading_is_no_count),
	KUNIT_CASE(hardware_goes_and_returns),
	KUNIT_CASE(hardware_returns_asleep),
	KUNIT_CASE(a_reset_is_no_count),
	KUNIT_CASE(sleep_may_reset),
	KUNIT_CASE(sleep_may_go_on),
	KUNIT_CASE(it_gains_no_more_than_it_can),
	KUNIT_CASE(more_than_before_is_no_reset),
	KUNIT_CASE(one_may_be_faster),
	KUNIT_CASE(nothing_is_handed_back),
	{ }
};

struct kunit_suite pmon_free_running_suite = {
	.name = "pmon_free_running",
	.test_cases = free_tests,
};
