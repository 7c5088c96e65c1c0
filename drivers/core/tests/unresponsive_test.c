// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check boxes that do not respond. A counter that reads as all-ones is read
 * again. If it still does, nothing of the box is accessed but one register at
 * each tick. Once the box responds it may have been reset: no reading counts
 * before its control is verified. No count is lost without a report.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "cpmu.h"
#include "suites.h"

#define CTL(n)	(0x40 + 4 * (n))
#define CTR(n)	(8 + 8 * (n))
#define FIXED_CTL	0x54
#define FIXED_CTR	0x38

/* So often at most an event that is added has an idle box probed. */
#define PROBE_NS	250000000ULL

static void ctl_is(struct rig *t, unsigned int i, u32 val)
{
	fake_read_bytes(&t->fake, CTL(i), val, 4);
}

/* The event @i is read, its counter holds @val. */
static void reading(struct rig *t, unsigned int i, u64 val)
{
	fake_read(&t->fake, CTR(i), val);
	pmon_bank_read(&t->bank, &t->ev[i].event);
	fake_done(&t->fake);
}

static void tick(struct rig *t)
{
	pmon_bank_tick(&t->bank);
	fake_done(&t->fake);
}

/* Events up to number @last count on the counters of their numbers. */
static void expect_start(struct rig *t, unsigned int last)
{
	unsigned int i;

	fake_write(&t->fake, 0, RESET, 4);
	for (i = 0; i <= last; i++)
		fake_write(&t->fake, CTL(i), 1 + i, 4);
	fake_write(&t->fake, 0, RUN, 4);
}

static void add_up_to(struct rig *t, unsigned int last)
{
	unsigned int i;

	for (i = 0; i <= last; i++) {
		config(t, i, 1 + i, 0);
		KUNIT_ASSERT_TRUE(t->fake.test, add(t, i));
	}
}

static void start_up_to(struct rig *t, unsigned int last)
{
	add_up_to(t, last);
	expect_start(t, last);
	apply(t);
}

/* Event 0 is read, and its counter does not respond. */
static void read_all_ones(struct rig *t)
{
	expect_all_ones(t, CTR(0));
	pmon_bank_read(&t->bank, &t->ev[0].event);
	fake_done(&t->fake);
	KUNIT_EXPECT_TRUE(t->fake.test, t->bank.unresponsive);
}

/* Events 0 and 1 have counted 50 each, and now the box does not respond. */
static struct rig *unresponsive(struct kunit *test)
{
	struct rig *t = rig_device(test, &imc);

	start_up_to(t, 1);
	reading(t, 0, 50);
	reading(t, 1, 50);
	read_all_ones(t);
	KUNIT_EXPECT_EQ(test, t->unresponsive, 1U);
	return t;
}

/* Both events, and how often the box was set up again. */
static void expect_counts(struct rig *t, u64 a, u64 b, unsigned int restarts)
{
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[0].count, a);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[1].count, b);
	KUNIT_EXPECT_EQ(t->fake.test, t->bank.restarts, restarts);
	KUNIT_EXPECT_EQ(t->fake.test, t->bank.disturbed, restarts);
	KUNIT_EXPECT_EQ(t->fake.test, t->changes, restarts);
}

static void expect_failed(struct rig *t, bool a, bool b)
{
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[0].event.failed, a);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[1].event.failed, b);
}

/* Their last readings failed: each was reported, once for all in the box. */
static void expect_lost(struct rig *t, bool a, bool b)
{
	expect_failed(t, a, b);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[0].lost, (unsigned int)a);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[1].lost, (unsigned int)b);
	KUNIT_EXPECT_EQ(t->fake.test, t->bank.lost, (unsigned int)(a || b));
	KUNIT_EXPECT_EQ(t->fake.test, t->refusals, (unsigned int)(a || b));
	KUNIT_EXPECT_EQ(t->fake.test, t->bank.refused, 0U);
}

/* ---- reading again ------------------------------------------------------ */

/* Three all-ones in a row cost nothing but time, whatever the counter gained. */
static void all_ones_is_read_again(struct kunit *test)
{
	struct rig *t = rig_device(test, &imc);
	unsigned int ones, i;

	start_up_to(t, 0);
	for (ones = 0; ones < READS; ones++) {
		for (i = 0; i < ones; i++)
			fake_read(&t->fake, CTR(0), ~0ULL);
		reading(t, 0, 100 * (ones + 1));
		KUNIT_EXPECT_EQ(test, t->ev[0].count, 100ULL * (ones + 1));
	}
	KUNIT_EXPECT_FALSE(test, t->bank.unresponsive);
	KUNIT_EXPECT_EQ(test, t->unresponsive, 0U);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);
}

/* A fourth makes the box unresponsive: no count, and no access after that. */
static void a_fourth_is_no_count(struct kunit *test)
{
	struct rig *t = unresponsive(test);

	pmon_bank_read(&t->bank, &t->ev[0].event);
	pmon_bank_read(&t->bank, &t->ev[1].event);
	pmon_bank_snapshot(&t->bank, 0x3);
	pmon_bank_sync(&t->bank);
	fake_done(&t->fake);
	expect_counts(t, 50, 50, 0);
	expect_failed(t, false, false);
	KUNIT_EXPECT_EQ(test, t->unresponsive, 1U);
	KUNIT_EXPECT_TRUE(test, t->bank.running);
}

/* The tick reads a control and the first counter, and no other counter. */
static void no_other_counter_is_read(struct kunit *test)
{
	struct rig *t = rig_device(test, &imc);

	start_up_to(t, 1);
	ctl_is(t, 0, 1);
	expect_all_ones(t, CTR(0));
	tick(t);
	KUNIT_EXPECT_TRUE(test, t->bank.unresponsive);
	expect_failed(t, false, false);
}

/* The control of the tick shows it, too. It is none of a reset. */
static void a_control_reads_as_all_ones(struct kunit *test)
{
	struct rig *t = rig_device(test, &imc);

	start_up_to(t, 1);
	ctl_is(t, 0, U32_MAX);
	tick(t);
	KUNIT_EXPECT_TRUE(test, t->bank.unresponsive);
	KUNIT_EXPECT_EQ(test, t->unresponsive, 1U);
	expect_counts(t, 0, 0, 0);
}

/* A fixed counter may hold anything when its event starts. */
static void the_first_reading_is_read_again(struct kunit *test)
{
	unsigned int ones, i;

	for (ones = 0; ones <= READS; ones++) {
		struct rig *t = rig_device(test, &imc);

		config(t, 0, 0xff, 0);
		KUNIT_ASSERT_TRUE(test, add(t, 0));
		fake_write(&t->fake, 0, RESET, 4);
		fake_write(&t->fake, FIXED_CTL, 0x400000, 4);
		for (i = 0; i < ones; i++)
			fake_read(&t->fake, FIXED_CTR, ~0ULL);
		if (ones < READS)
			fake_read(&t->fake, FIXED_CTR, 1000);
		fake_write(&t->fake, 0, RUN, 4);
		apply(t);
		KUNIT_EXPECT_EQ(test, t->bank.unresponsive, ones == READS);
		KUNIT_EXPECT_FALSE(test, t->ev[0].event.failed);
		if (ones == READS)
			continue;
		fake_read(&t->fake, FIXED_CTR, 1007);
		pmon_bank_read(&t->bank, &t->ev[0].event);
		fake_done(&t->fake);
		KUNIT_EXPECT_EQ(test, t->ev[0].count, 7ULL);
	}
}

/* ---- the probe ---------------------------------------------------------- */

/* One access at each tick, and the events that look as if they counted fail. */
static void a_tick_probes(struct kunit *test)
{
	struct rig *t = unresponsive(test);
	unsigned int i;

	for (i = 1; i <= 3; i++) {
		ctl_is(t, 0, U32_MAX);
		tick(t);
		KUNIT_EXPECT_TRUE(test, t->bank.unresponsive);
		KUNIT_EXPECT_EQ(test, t->unresponsive, 1U + i);
		expect_failed(t, true, true);
	}
	expect_counts(t, 50, 50, 0);

	/* An event that has failed has no reading to lose. */
	del(t, 0);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].lost, 0U);
	KUNIT_EXPECT_EQ(test, t->bank.lost, 0U);
	KUNIT_EXPECT_EQ(test, t->refusals, 0U);
}

/*
 * The box may have missed any write: set up again, whatever its control holds,
 * and what counters hold then is no count.
 */
static void a_box_that_responds_is_set_up(struct kunit *test)
{
	struct rig *t = unresponsive(test);

	ctl_is(t, 0, 1);	/* the probe */
	expect_start(t, 1);
	fake_read(&t->fake, CTR(0), 3);
	fake_read(&t->fake, CTR(1), 4);
	tick(t);
	KUNIT_EXPECT_FALSE(test, t->bank.unresponsive);
	expect_counts(t, 53, 54, 1);
	reading(t, 0, 7);
	reading(t, 1, 8);
	expect_counts(t, 57, 58, 1);
}

/* Also long after its events have failed. */
static void a_box_responds_after_some_ticks(struct kunit *test)
{
	struct rig *t = unresponsive(test);
	unsigned int i;

	for (i = 0; i < 5; i++) {
		ctl_is(t, 0, U32_MAX);
		tick(t);
	}
	ctl_is(t, 0, 0);
	expect_start(t, 1);
	fake_read(&t->fake, CTR(0), 0);
	fake_read(&t->fake, CTR(1), 0);
	tick(t);
	KUNIT_EXPECT_FALSE(test, t->bank.unresponsive);
	expect_counts(t, 50, 50, 1);
}

/* An idle box has no tick: an event that is added probes it, once a period. */
static void an_added_event_probes(struct kunit *test)
{
	struct rig *t = rig_device(test, &imc);

	KUNIT_EXPECT_TRUE(test, pmon_bank_responds(&t->bank, false));
	start_up_to(t, 0);
	del(t, 0);
	fake_write(&t->fake, 0, FREEZE, 4);
	expect_all_ones(t, CTR(0));
	apply(t);
	KUNIT_EXPECT_FALSE(test, t->bank.running);
	expect_lost(t, true, false);

	KUNIT_EXPECT_FALSE(test, pmon_bank_responds(&t->bank, false));
	fake_time += PROBE_NS / 2;
	KUNIT_EXPECT_FALSE(test, pmon_bank_responds(&t->bank, false));
	fake_done(&t->fake);
	fake_time += PROBE_NS / 2;
	ctl_is(t, 0, U32_MAX);
	KUNIT_EXPECT_FALSE(test, pmon_bank_responds(&t->bank, false));
	KUNIT_EXPECT_FALSE(test, pmon_bank_responds(&t->bank, false));
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->unresponsive, 1U);

	fake_time += PROBE_NS;
	ctl_is(t, 0, 0);
	KUNIT_EXPECT_TRUE(test, pmon_bank_responds(&t->bank, false));
	KUNIT_EXPECT_TRUE(test, pmon_bank_responds(&t->bank, false));
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->unresponsive, 2U);

	add_up_to(t, 0);
	expect_start(t, 0);
	apply(t);
	reading(t, 0, 100);
	expect_counts(t, 100, 0, 0);
}

/* Removed, the box is not probed; found again it is a new one. */
static void a_box_that_is_removed(struct kunit *test)
{
	struct rig *t = unresponsive(test);

	pmon_bank_lose(&t->bank, PMON_BOX_REMOVED);
	tick(t);
	pmon_bank_resume(&t->bank);
	fake_done(&t->fake);
	pmon_bank_find(&t->bank, &imc, &t->fake.regs);
	KUNIT_EXPECT_TRUE(test, pmon_bank_responds(&t->bank, false));
	expect_start(t, 1);
	apply(t);
	reading(t, 0, 60);
	expect_counts(t, 110, 50, 0);
}

/* The machine slept: one access, as at a tick. */
static void resume_probes(struct kunit *test)
{
	struct rig *t = unresponsive(test);

	ctl_is(t, 0, U32_MAX);
	pmon_bank_resume(&t->bank);
	fake_done(&t->fake);
	expect_failed(t, true, true);

	t = unresponsive(test);
	ctl_is(t, 0, 0);
	expect_start(t, 1);
	ctl_is(t, 0, 1);
	fake_read(&t->fake, CTR(0), 5);
	fake_read(&t->fake, CTR(1), 6);
	pmon_bank_resume(&t->bank);
	fake_done(&t->fake);
	expect_counts(t, 55, 56, 1);
}

/* ---- changes ------------------------------------------------------------ */

/*
 * An event ends, its last reading fails, and so does it. The next event of its
 * counter begins after the box was set up again.
 */
static void an_event_ends_unread(struct kunit *test)
{
	struct rig *t = unresponsive(test);

	del(t, 0);
	apply(t);
	expect_lost(t, true, false);
	KUNIT_EXPECT_LT(test, t->ev[0].event.counted_on, 0);
	KUNIT_EXPECT_TRUE(test, t->bank.running);
	apply(t);
	expect_lost(t, true, false);

	ctl_is(t, 1, 2);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, CTL(1), 2, 4);
	fake_write(&t->fake, 0, RUN, 4);
	fake_read(&t->fake, CTR(1), 10);
	tick(t);
	expect_counts(t, 50, 60, 1);

	config(t, 2, 3, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 2));
	fake_write(&t->fake, CTL(0), 3, 4);
	apply(t);
	fake_read(&t->fake, CTR(0), 1);
	pmon_bank_read(&t->bank, &t->ev[2].event);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 1ULL);
}

/* Both end at once: the box is idle, and has one loss, of two events. */
static void all_events_end_unread(struct kunit *test)
{
	struct rig *t = unresponsive(test);

	del(t, 0);
	del(t, 1);
	apply(t);
	expect_lost(t, true, true);
	KUNIT_EXPECT_FALSE(test, t->bank.running);
	KUNIT_EXPECT_EQ(test, t->bank.counting, 0ULL);

	/* It responds as it is handed back: nothing is known of its controls. */
	fake_time += PROBE_NS;
	ctl_is(t, 0, 0);
	KUNIT_EXPECT_TRUE(test, pmon_bank_responds(&t->bank, false));
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0, RUN, 4);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
	expect_counts(t, 50, 50, 0);
}

/*
 * An event was added while the box responded, and cannot be started now: it
 * fails like any that cannot be. The event that it replaces is not read.
 */
static void an_event_begins_unresponsive(struct kunit *test)
{
	struct rig *t = unresponsive(test);

	del(t, 0);
	config(t, 2, 3, 0);
	t->ev[2].event.allowed = BIT_ULL(0);
	KUNIT_ASSERT_TRUE(test, add(t, 2));
	apply(t);
	expect_failed(t, true, false);
	KUNIT_EXPECT_EQ(test, t->bank.lost, 1U);
	KUNIT_EXPECT_TRUE(test, t->ev[2].event.failed);
	KUNIT_EXPECT_LT(test, t->ev[2].event.counted_on, 0);
	KUNIT_EXPECT_EQ(test, t->bank.refused, 1U);
	KUNIT_EXPECT_EQ(test, t->refusals, 2U);

	/* Of two with a control that is the same, none is taken for the other. */
	t = unresponsive(test);
	del(t, 0);
	del(t, 1);
	config(t, 2, 1, 0);
	t->ev[2].event.allowed = BIT_ULL(0);
	KUNIT_ASSERT_TRUE(test, add(t, 2));
	apply(t);
	expect_failed(t, true, true);
	KUNIT_EXPECT_TRUE(test, t->ev[2].event.failed);
	KUNIT_EXPECT_FALSE(test, t->bank.running);
}

/* ---- the last reading --------------------------------------------------- */

/* Three all-ones lose nothing. */
static void the_last_reading_is_read_again(struct kunit *test)
{
	struct rig *t = rig_device(test, &imc);
	unsigned int i;

	start_up_to(t, 1);
	del(t, 0);
	fake_write(&t->fake, CTL(0), 0, 4);
	for (i = 0; i + 1 < READS; i++)
		fake_read(&t->fake, CTR(0), ~0ULL);
	fake_read(&t->fake, CTR(0), 70);
	apply(t);
	del(t, 1);
	fake_write(&t->fake, 0, FREEZE, 4);
	for (i = 0; i + 1 < READS; i++)
		fake_read(&t->fake, CTR(1), ~0ULL);
	fake_read(&t->fake, CTR(1), 80);
	apply(t);
	expect_counts(t, 70, 80, 0);
	expect_lost(t, false, false);
	KUNIT_EXPECT_FALSE(test, t->bank.unresponsive);
}

/* One of several ends. */
static void the_last_reading_of_one_is_lost(struct kunit *test)
{
	struct rig *t = rig_device(test, &imc);

	start_up_to(t, 1);
	del(t, 0);
	fake_write(&t->fake, CTL(0), 0, 4);
	expect_all_ones(t, CTR(0));
	apply(t);
	expect_lost(t, true, false);
	KUNIT_EXPECT_TRUE(test, t->bank.unresponsive);
	KUNIT_EXPECT_EQ(test, t->ev[1].event.counted_on, 1);
}

/* Two of three end: after the first nothing is accessed. */
static void the_last_readings_of_two_are_lost(struct kunit *test)
{
	struct rig *t = rig_device(test, &imc);

	start_up_to(t, 2);
	del(t, 0);
	del(t, 1);
	fake_write(&t->fake, CTL(0), 0, 4);
	fake_write(&t->fake, CTL(1), 0, 4);
	expect_all_ones(t, CTR(0));
	apply(t);
	expect_lost(t, true, true);
	KUNIT_EXPECT_EQ(test, t->ev[2].event.counted_on, 2);
	KUNIT_EXPECT_FALSE(test, t->ev[2].event.failed);
}

/* All end: what was read before the box did not respond is counted. */
static void the_last_readings_of_all(struct kunit *test)
{
	struct rig *t = rig_device(test, &imc);

	start_up_to(t, 2);
	del(t, 0);
	del(t, 1);
	del(t, 2);
	fake_write(&t->fake, 0, FREEZE, 4);
	fake_read(&t->fake, CTR(0), 70);
	expect_all_ones(t, CTR(1));
	apply(t);
	expect_counts(t, 70, 0, 0);
	expect_lost(t, false, true);
	KUNIT_EXPECT_TRUE(test, t->ev[2].event.failed);
	KUNIT_EXPECT_EQ(test, t->ev[2].lost, 1U);
	KUNIT_EXPECT_FALSE(test, t->bank.running);
}

/* A reading may be refused (hypercalls): it is not read again, and lost, too. */
static void a_last_reading_that_is_refused_is_lost(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_up_to(t, 1);
	del(t, 0);
	del(t, 1);
	fake_write(&t->fake, 0, FREEZE, 4);
	fake_read(&t->fake, CTR(0), ~0ULL);
	fake_read(&t->fake, CTR(1), 80);
	apply(t);
	expect_counts(t, 0, 80, 0);
	expect_lost(t, true, false);
	KUNIT_EXPECT_FALSE(test, t->bank.unresponsive);
}

/* ---- the end ------------------------------------------------------------ */

/* The last CPU of a box that does not respond goes: nothing is handed back. */
static void no_box_is_handed_back_unresponsive(struct kunit *test)
{
	struct rig *t = unresponsive(test);

	ctl_is(t, 0, U32_MAX);
	pmon_bank_leave(&t->bank);
	fake_done(&t->fake);
	expect_lost(t, true, true);
	KUNIT_EXPECT_TRUE(test, t->bank.state != PMON_BOX_PRESENT);
}

/* It responds in time; what its events counted was not read. */
static void a_box_that_responds_is_handed_back(struct kunit *test)
{
	struct rig *t = unresponsive(test);

	ctl_is(t, 0, 1);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0, RUN, 4);
	pmon_bank_leave(&t->bank);
	fake_done(&t->fake);
	expect_counts(t, 50, 50, 0);
	expect_lost(t, true, true);
}

/* ---- boxes that no reset clears ----------------------------------------- */

static const struct pmon_counter kept_counters[] = {
	{ .width = 48, .ctl = CPMU_CFG(0), .ctr = CPMU_CTR(0) },
	{ .width = 48, .ctl = CPMU_CFG(1), .ctr = CPMU_CTR(1) },
};

static const struct pmon_layout kept = {
	.protocol = &cpmu_protocol, .counter = kept_counters, .counters = 2,
	.ctl_bytes = 8, .box_ctl = CPMU_BOX,
};

static struct rig *kept_box(struct kunit *test)
{
	struct rig *t = rig_device(test, &kept);

	t->bank.ctl_event = cpmu_type.ctl_mask | cpmu_type.ctl_set;
	return t;
}

/* A counter is read as its event starts: without that the event fails. */
static void a_kept_event_does_not_start(struct kunit *test)
{
	struct rig *t = kept_box(test);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	want_on(t, 0, 1 << 24, 0);
	want_on(t, 1, 2 << 24, 1);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	w(t, CPMU_CFG(1), 2 << 24 | CPMU_ENABLE);
	w(t, CPMU_BOX, CPMU_STOP);
	expect_all_ones(t, CPMU_CTR(0));
	w(t, CPMU_BOX, 0);
	w(t, CPMU_BOX, CPMU_STOP);
	apply(t);
	expect_failed(t, true, true);
	KUNIT_EXPECT_EQ(test, t->bank.counting, 0ULL);
	KUNIT_EXPECT_EQ(test, t->unresponsive, 1U);
}

/* The last reading failed: all controls are written again. */
static void all_controls_of_a_kept_box_are_written(struct kunit *test)
{
	struct rig *t = kept_box(test);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	want_on(t, 0, 1 << 24, 0);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 10);
	apply(t);
	del(t, 0);
	w(t, CPMU_CFG(0), 0);
	expect_all_ones(t, CPMU_CTR(0));
	apply(t);
	fake_time += PROBE_NS;
	r(t, CPMU_CFG(0), 0);
	KUNIT_EXPECT_TRUE(test, pmon_bank_responds(&t->bank, false));
	want_on(t, 0, 1 << 24, 0);
	w(t, CPMU_CFG(0), 0);
	w(t, CPMU_CFG(1), 0);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 20);
	apply(t);
}

static struct kunit_case unresponsive_tests[] = {
	KUNIT_CASE(all_ones_is_read_again),
	KUNIT_CASE(a_fourth_is_no_count),
	KUNIT_CASE(no_other_counter_is_read),
	KUNIT_CASE(a_control_reads_as_all_ones),
	KUNIT_CASE(the_first_reading_is_read_again),
	KUNIT_CASE(a_tick_probes),
	KUNIT_CASE(a_box_that_responds_is_set_up),
	KUNIT_CASE(a_box_responds_after_some_ticks),
	KUNIT_CASE(an_added_event_probes),
	KUNIT_CASE(a_box_that_is_removed),
	KUNIT_CASE(resume_probes),
	KUNIT_CASE(an_event_ends_unread),
	KUNIT_CASE(all_events_end_unread),
	KUNIT_CASE(an_event_begins_unresponsive),
	KUNIT_CASE(the_last_reading_is_read_again),
	KUNIT_CASE(the_last_reading_of_one_is_lost),
	KUNIT_CASE(the_last_readings_of_two_are_lost),
	KUNIT_CASE(the_last_readings_of_all),
	KUNIT_CASE(a_last_reading_that_is_refused_is_lost),
	KUNIT_CASE(no_box_is_handed_back_unresponsive),
	KUNIT_CASE(a_box_that_responds_is_handed_back),
	KUNIT_CASE(a_kept_event_does_not_start),
	KUNIT_CASE(all_controls_of_a_kept_box_are_written),
	{ }
};

struct kunit_suite pmon_unresponsive_suite = {
	.name = "pmon_unresponsive",
	.test_cases = unresponsive_tests,
};
