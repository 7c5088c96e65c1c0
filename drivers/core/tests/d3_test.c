// SPDX-License-Identifier: GPL-2.0-only
/* Check boxes of a PCI function in D3, the hand-back, and changes of state. */
#include "rig.h"
#include "suites.h"

/* Expect the start of event 0 on counter 0. */
static void expect_start(struct rig *t)
{
	expect(t, W4(0, RESET), W4(0x40, 0x1), W4(0, RUN));
}

static struct rig *counting(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	add_new(t, 0, 0x1, 0);
	expect_start(t);
	apply(t);
	expect_count(t, 0, 0x8, 50, 50);
	return t;
}

/* Create an idle box: event 0 has counted 70 and ended. */
static struct rig *idle(struct kunit *test)
{
	struct rig *t = counting(test);

	del(t, 0);
	apply_as(t, W4(0, FREEZE), R8(0x8, 70));
	return t;
}

static void expect_lost(struct rig *t)
{
	KUNIT_EXPECT_TRUE(t->fake.test, t->hw.state > PMON_BOX_UNRESPONSIVE);
	KUNIT_EXPECT_FALSE(t->fake.test, t->hw.active);
	rig_read(t, 0);
	rig_resume(t);
	rig_release(t);
	apply(t);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[0].event.counted_on, -1);
}

/*
 * Event 0 has failed. Once perf has disabled the event and the device is back
 * in D0, the box is set up again, and the event counts on.
 */
static void expect_again(struct rig *t, u64 count)
{
	KUNIT_EXPECT_TRUE(t->fake.test, t->ev[0].event.failed);
	t->ev[0].event.failed = false;
	pmon_hw_init(&t->hw, &imc, &t->fake.regs);
	expect_start(t);
	apply(t);
	expect_count(t, 0, 0x8, 7, count);
}

/* In state D3 no register is accessed. */
static void a_box_in_d3_is_not_accessed(struct kunit *test)
{
	struct rig *t = counting(test);

	pmon_hw_set_state(&t->hw, PMON_BOX_D3);
	expect_lost(t);
	expect_again(t, 57);
}

/* An event that was added, but not started, fails, too. */
static void an_added_event_fails(struct kunit *test)
{
	struct rig *t = counting(test);

	add_new(t, 1, 0x2, 0);
	pmon_hw_set_state(&t->hw, PMON_BOX_D3);
	KUNIT_EXPECT_TRUE(test, t->ev[0].event.failed);
	KUNIT_EXPECT_TRUE(test, t->ev[1].event.failed);
	KUNIT_EXPECT_FALSE(test, t->hw.active);
}

/*
 * The last event ends in D3. The registers may have kept their contents, so the
 * box is handed back when the device is in D0 again.
 */
static void a_box_is_released_after_d3(struct kunit *test)
{
	struct rig *t = counting(test);

	pmon_hw_set_state(&t->hw, PMON_BOX_D3);
	del(t, 0);
	rig_release(t);
	pmon_hw_init(&t->hw, &imc, &t->fake.regs);
	apply(t);
	expect(t, R4(0x40, 0), W4(0, RESET), W4(0, RUN));
	rig_release(t);

	/* unused since the hand-back, so not handed back again */
	rig_ready(t);
	pmon_hw_set_state(&t->hw, PMON_BOX_D3);
	pmon_hw_init(&t->hw, &imc, &t->fake.regs);
	rig_release(t);
}

/* All counters are read before the reset, free-running counters too. */
static void a_free_running_box_is_released(struct kunit *test)
{
	struct rig *t = rig_new(test, &mixed, false);

	add_new(t, 0, 0x1, 0);
	add_new(t, 1, 0xff, 0);
	expect_start(t);
	apply_as(t, R8(0x100, 1000));

	expect(t, R4(0x40, 0x1), W4(0, FREEZE), R8(0x100, 1030), R8(0x8, 70),
	       W4(0, RESET), W4(0, RUN));
	rig_release(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 70ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 30ULL);
}

/*
 * Hand-back reads a control to check for a response, and repeats the read after
 * all-ones. An unresponsive box is not handed back, but stays marked as used.
 */
static void an_idle_box_is_released(struct kunit *test)
{
	struct rig *t = idle(test);

	expect(t, R4(0x40, ~0U), R4(0x40, ~0U), R4(0x40, ~0U), R4(0x40, ~0U),
	       R4(0x40, ~0U));
	rig_release(t);
	rig_ready(t);
	expect(t, R4(0x40, 0), W4(0, RESET), W4(0, RUN));
	rig_release(t);
}

/* A box is not handed back if unused, in D3 or removed. */
static void an_unused_box_is_not_released(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	rig_release(t);
	KUNIT_EXPECT_FALSE(test, t->hw.used);

	t = counting(test);
	pmon_hw_set_state(&t->hw, PMON_BOX_D3);
	rig_release(t);
	pmon_hw_set_state(&t->hw, PMON_BOX_REMOVED);
	rig_release(t);
	expect_lost(t);
	pmon_hw_init(&t->hw, &imc, &t->fake.regs);
	rig_release(t);
}

/* A state replaces states of lower numbers; READY (0) replaces all states. */
static void states_replace_each_other(struct kunit *test)
{
	struct rig *t = counting(test);
	unsigned int from, to;

	for (from = PMON_BOX_READY; from <= PMON_BOX_REMOVED; from++)
		for (to = PMON_BOX_READY; to <= PMON_BOX_REMOVED; to++) {
			bool changes = to > from || (!to && from);

			pmon_hw_init(&t->hw, &imc, &t->fake.regs);
			pmon_hw_set_state(&t->hw, from);
			t->reports = 0;
			pmon_hw_set_state(&t->hw, to);
			KUNIT_EXPECT_EQ_MSG(test, t->hw.state,
					    changes ? to : from, "%u to %u",
					    from, to);
			KUNIT_EXPECT_EQ_MSG(test, t->reports > 0, changes,
					    "%u to %u", from, to);
		}
}

static struct kunit_case d3_tests[] = {
	/* contract: asleep */
	KUNIT_CASE(a_box_in_d3_is_not_accessed),
	KUNIT_CASE(an_added_event_fails),
	KUNIT_CASE(states_replace_each_other),
	/* contract: handback */
	KUNIT_CASE(a_box_is_released_after_d3),
	KUNIT_CASE(a_free_running_box_is_released),
	KUNIT_CASE(an_idle_box_is_released),
	/* contract: handback-others */
	KUNIT_CASE(an_unused_box_is_not_released),
	{ }
};

struct kunit_suite pmon_d3_suite = {
	.name = "pmon_d3",
	.test_cases = d3_tests,
};
