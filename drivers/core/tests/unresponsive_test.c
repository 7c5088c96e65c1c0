// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check unresponsive boxes. A counter that reads as all-ones is read again.
 * After READS all-ones the box is unresponsive, and only probes access the box,
 * each with one read. After PMON_RESPONSE_NS the box is dropped. A box that
 * responds again may have been reset, so no value counts before the box is set
 * up. No count is lost without a report.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "rig.h"
#include "suites.h"

#define CTL(n)	(0x40 + 4 * (n))
#define CTR(n)	(8 + 8 * (n))

/* Expect a probe: a read of @val from the register that did not respond. */
static void probe_finds(struct rig *t, u64 val)
{
	expect(t, R8(CTR(0), val));
}

/* Expect @ones reads of all-ones, then @val. */
static void expect_after_ones(struct rig *t, u32 ctr, unsigned int ones,
			      u64 val)
{
	while (ones--)
		fake_read(&t->fake, ctr, ~0ULL);
	fake_read(&t->fake, ctr, val);
}

/* Expect the start of events 0 to @last on counters of the same numbers. */
static void expect_start(struct rig *t, unsigned int last)
{
	unsigned int i;

	expect(t, W4(0, RESET));
	for (i = 0; i <= last; i++)
		fake_write(&t->fake, CTL(i), 1 + i, 4);
	expect(t, W4(0, RUN));
}

static struct rig *start_up_to(struct kunit *test, unsigned int last)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	for (i = 0; i <= last; i++)
		add_new(t, i, 1 + i, 0);
	expect_start(t, last);
	apply(t);
	return t;
}

/* Events 0 and 1 have counted 50 each; the box is unresponsive now. */
static struct rig *unresponsive(struct kunit *test)
{
	struct rig *t = start_up_to(test, 1);

	expect_count(t, 0, CTR(0), 50, 50);
	expect_count(t, 1, CTR(1), 50, 50);
	expect_all_ones(t, CTR(0));
	rig_read(t, 0);
	fake_done(&t->fake);
	expect_responds(t, false);
	KUNIT_EXPECT_EQ(test, t->reports, 1U);
	return t;
}

/* Check both counts. Each restart counts as a disturbance, too. */
static void expect_counts(struct rig *t, u64 a, u64 b, unsigned int restarts)
{
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[0].count, a);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[1].count, b);
	KUNIT_EXPECT_EQ(t->fake.test, t->hw.restarts, restarts);
	KUNIT_EXPECT_EQ(t->fake.test, t->hw.disturbed, restarts);
}

static void expect_failed(struct rig *t, bool a, bool b)
{
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[0].event.failed, a);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[1].event.failed, b);
}

/* Check that the last read of event 0 has failed if @a, of event 1 if @b. */
static void expect_lost(struct rig *t, bool a, bool b)
{
	unsigned int lost = a + b;

	expect_failed(t, a, b);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[0].lost, (unsigned int)a);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[1].lost, (unsigned int)b);
	KUNIT_EXPECT_EQ(t->fake.test, t->hw.lost, lost);
	KUNIT_EXPECT_EQ(t->fake.test, t->reports > 1, lost > 0);
	KUNIT_EXPECT_EQ(t->fake.test, t->hw.refused, 0U);
}

/* ---- reading again ------------------------------------------------------ */

/* Up to three all-ones in a row change no count, whatever the gain. */
static void all_ones_is_read_again(struct kunit *test)
{
	struct rig *t = start_up_to(test, 1);
	unsigned int ones;

	for (ones = 0; ones < READS; ones++) {
		expect_after_ones(t, CTR(0), ones, 100 * (ones + 1));
		rig_read(t, 0);
		fake_done(&t->fake);
		KUNIT_EXPECT_EQ(test, t->ev[0].count, 100ULL * (ones + 1));
	}
	/* last reads are repeated, too */
	del(t, 0);
	expect(t, W4(CTL(0), 0));
	expect_after_ones(t, CTR(0), READS - 1, 470);
	apply(t);
	del(t, 1);
	expect(t, W4(0, FREEZE));
	expect_after_ones(t, CTR(1), READS - 1, 80);
	apply(t);
	expect_counts(t, 470, 80, 0);
	expect_lost(t, false, false);
	expect_responds(t, true);
}

/* After the fourth all-ones no count changes, and no register is accessed. */
static void a_fourth_is_no_count(struct kunit *test)
{
	struct rig *t = unresponsive(test);

	rig_read(t, 0);
	rig_read(t, 1);
	pmon_hw_snapshot(&t->hw, 0x3);
	rig_sync(t);
	expect_counts(t, 50, 50, 0);
	expect_failed(t, false, false);
	KUNIT_EXPECT_EQ(test, t->reports, 1U);
	KUNIT_EXPECT_TRUE(test, t->hw.active);
}

/* ---- the probe ---------------------------------------------------------- */

/*
 * A probe makes a single access, to the counter that did not respond; a tick
 * makes none. The box is dropped 200 ms after the first all-ones. Then all
 * events fail, even events that were added or deleted since the last apply. A
 * dropped box may still respond.
 */
static void a_box_is_dropped(struct kunit *test)
{
	struct rig *t = unresponsive(test);

	add_new(t, 2, 3, 0);
	del(t, 1);
	fake_time += PMON_RESPONSE_NS / 2;
	probe_finds(t, ~0ULL);
	KUNIT_EXPECT_FALSE(test, rig_probe(t));
	rig_tick(t);
	KUNIT_EXPECT_TRUE(test, pmon_hw_is_probed(&t->hw));
	expect_failed(t, false, false);
	KUNIT_EXPECT_EQ(test, t->reports, 1U);

	fake_time += PMON_RESPONSE_NS / 2;
	probe_finds(t, ~0ULL);
	KUNIT_EXPECT_FALSE(test, rig_probe(t));
	KUNIT_EXPECT_FALSE(test, pmon_hw_is_probed(&t->hw));
	expect_responds(t, false);
	expect_failed(t, true, true);
	KUNIT_EXPECT_TRUE(test, t->ev[2].event.failed);
	KUNIT_EXPECT_EQ(test, t->reports, 2U);
	/* apply() reports the deleted event, which perf is about to read */
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[1].lost, 1U);

	del(t, 2);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[2].lost, 1U);
	probe_finds(t, 0);
	expect_start(t, 0);
	KUNIT_EXPECT_TRUE(test, rig_probe(t));
	expect_responds(t, true);
	expect_counts(t, 50, 50, 1);
}

/* Time without response excludes blocked accesses and time before a resume. */
static void a_box_has_its_time(struct kunit *test)
{
	struct rig *t = unresponsive(test);

	fake_time += PMON_RESPONSE_NS - 1000000;
	pmon_hw_no_response(&t->hw, false);
	fake_time += 10 * PMON_RESPONSE_NS;
	pmon_hw_no_response(&t->hw, true);
	KUNIT_EXPECT_TRUE(test, pmon_hw_is_probed(&t->hw));
	expect_failed(t, false, false);

	pmon_hw_restart_probes(&t->hw);
	fake_time += PMON_RESPONSE_NS - 1000000;
	pmon_hw_no_response(&t->hw, false);
	expect_failed(t, false, false);
	fake_time += 1000000;
	pmon_hw_no_response(&t->hw, false);
	KUNIT_EXPECT_FALSE(test, pmon_hw_is_probed(&t->hw));
	expect_failed(t, true, true);

	/* a dropped box stays dropped, even after a resume */
	pmon_hw_restart_probes(&t->hw);
	rig_resume(t);
	KUNIT_EXPECT_FALSE(test, pmon_hw_is_probed(&t->hw));
	/* once the box has responded, time without response begins at 0 */
	rig_ready(t);
	pmon_hw_set_state(&t->hw, PMON_BOX_UNRESPONSIVE);
	KUNIT_EXPECT_TRUE(test, pmon_hw_is_probed(&t->hw));
	KUNIT_EXPECT_EQ(test, PMON_RESPONSE_NS, 200000000ULL);
	/* before a register failed to respond, the first counter is probed */
	t = rig_new(test, &imc, false);
	pmon_hw_set_state(&t->hw, PMON_BOX_UNRESPONSIVE);
	probe_finds(t, 0);
	KUNIT_EXPECT_TRUE(test, rig_probe(t));
}

/*
 * Writes may have been lost, so the box is set up without a check of controls.
 * Old values of counters do not count.
 */
static void a_box_that_responds_is_set_up(struct kunit *test)
{
	struct rig *t = unresponsive(test);

	probe_finds(t, 1000);
	expect_start(t, 1);
	KUNIT_EXPECT_TRUE(test, rig_probe(t));
	expect_responds(t, true);
	expect_counts(t, 50, 50, 1);
	expect_failed(t, false, false);
	expect_count(t, 0, CTR(0), 10, 60);
	expect_count(t, 1, CTR(1), 12, 62);
}

/*
 * perf rotates events while the box does not respond. The event that cannot
 * start is refused; the event whose last read failed may start again later.
 */
static void a_rotated_event_is_not_refused(struct kunit *test)
{
	struct rig *t = start_up_to(test, 0);

	del(t, 0);
	add_on(t, 1, 2, 0);
	expect(t, W4(CTL(0), 0));
	expect_all_ones(t, CTR(0));
	apply(t);
	expect_responds(t, false);
	expect_failed(t, true, true);
	KUNIT_EXPECT_EQ(test, t->hw.lost, 1U);
	KUNIT_EXPECT_EQ(test, t->hw.refused, 1U);
	KUNIT_EXPECT_LT(test, t->ev[0].event.assigned_to, 0);
	KUNIT_EXPECT_GE(test, t->ev[1].event.assigned_to, 0);
}

/*
 * When the last CPU of an unresponsive box goes offline, the last reads fail.
 * If the box then responds to a probe, the box is handed back.
 */
static void a_box_is_released_unread(struct kunit *test)
{
	unsigned int responds;

	for (responds = 0; responds < 2; responds++) {
		struct rig *t = unresponsive(test);

		probe_finds(t, responds ? 1 : ~0ULL);
		if (responds)
			expect(t, W4(0, RESET), W4(0, RUN));
		rig_release(t);
		expect_counts(t, 50, 50, 0);
		expect_lost(t, true, true);
		KUNIT_EXPECT_EQ(test, t->hw.state, PMON_BOX_NO_CPU);
	}
}

static struct kunit_case unresponsive_tests[] = {
	/* contract: ones */
	KUNIT_CASE(all_ones_is_read_again),
	KUNIT_CASE(a_fourth_is_no_count),
	/* contract: unresponsive */
	KUNIT_CASE(a_box_is_dropped),
	KUNIT_CASE(a_box_has_its_time),
	KUNIT_CASE(a_box_that_responds_is_set_up),
	KUNIT_CASE(a_rotated_event_is_not_refused),
	/* contract: handback */
	KUNIT_CASE(a_box_is_released_unread),
	{ }
};

struct kunit_suite pmon_unresponsive_suite = {
	.name = "pmon_unresponsive",
	.test_cases = unresponsive_tests,
};
