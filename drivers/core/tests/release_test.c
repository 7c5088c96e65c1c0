// SPDX-License-Identifier: GPL-2.0-only
/* Check the hand-back of boxes, and changes of state. */
#include "rig.h"
#include "suites.h"

/* Create an idle box: event 0 has counted 70 and ended. */
static struct rig *idle(struct kunit *test)
{
	struct rig *t = rig_counting(test);

	del(t, 0);
	apply_as(t, W4(0, FREEZE), R8(0x8, 70));
	return t;
}

/* All counters are read before the reset, free-running counters too. */
static void a_free_running_box_is_released(struct kunit *test)
{
	struct rig *t = rig_new(test, &mixed, false);

	add_new(t, 0, 0x1, 0);
	add_new(t, 1, 0xff, 0);
	rig_expect_start(t);
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

/* A box is not handed back if unused or removed. */
static void an_unused_box_is_not_released(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	rig_release(t);
	KUNIT_EXPECT_FALSE(test, t->hw.used);

	t = rig_counting(test);
	pmon_hw_set_state(&t->hw, PMON_BOX_REMOVED);
	KUNIT_EXPECT_FALSE(test, t->hw.active);
	KUNIT_EXPECT_EQ(test, t->ev[0].event.counted_on, -1);
	rig_read(t, 0);
	rig_resume(t);
	apply(t);
	rig_release(t);
	pmon_hw_init(&t->hw, &imc, &t->fake.regs);
	rig_release(t);
}

/* A state replaces states of lower numbers; READY (0) replaces all states. */
static void states_replace_each_other(struct kunit *test)
{
	struct rig *t = rig_counting(test);
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

static struct kunit_case release_tests[] = {
	/* contract: unresponsive */
	KUNIT_CASE(states_replace_each_other),
	/* contract: handback */
	KUNIT_CASE(a_free_running_box_is_released),
	KUNIT_CASE(an_idle_box_is_released),
	/* contract: handback-others */
	KUNIT_CASE(an_unused_box_is_not_released),
	{ }
};

struct kunit_suite pmon_release_suite = {
	.name = "pmon_release",
	.test_cases = release_tests,
};
