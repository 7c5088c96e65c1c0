// SPDX-License-Identifier: GPL-2.0-only
/*
 * How long passes wait: a command has its time and its looks, and sleeps are not
 * longer while any of them gets on.
 */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "../pass.h"
#include "fake.h"
#include "suites.h"

#define IF	PLR_MAILBOX_INTERFACE
#define DATA	PLR_MAILBOX_DATA
#define BUSY	PLR_MAILBOX_RUN_BUSY
#define CORE(_n)	((u64)(_n) << 12)

static const struct fake_access quick[] = {
	FAKE_GIVE(0, CORE(0)), FAKE_READ(IF, BUSY | CORE(0)),
	FAKE_READ(IF, CORE(0)), FAKE_READ(DATA, 4),
	FAKE_GIVE(CORE(0), CORE(1)), FAKE_READ(IF, BUSY | CORE(1)),
	FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 8),
	FAKE_READ(IF, CORE(1)),
};

static const struct fake_access slow[] = {
	FAKE_GIVE(0, CORE(0)), FAKE_READ(IF, BUSY | CORE(0)),
	FAKE_READ(IF, BUSY | CORE(0)), FAKE_READ(IF, BUSY | CORE(0)),
	FAKE_READ(IF, BUSY | CORE(0)), FAKE_READ(IF, BUSY | CORE(0)),
	FAKE_READ(IF, CORE(0)), FAKE_READ(DATA, 1),
	FAKE_READ(IF, CORE(0)),
};

/*
 * The quick one ends in the third look, so the first three sleeps are 2 us. Then
 * nothing moves: 4, 8.
 */
static void sleeps_grow_when_nothing_moves(struct kunit *test)
{
	struct plr_target targets[2] = { { .id = 0 }, { .id = 1 } };
	struct plr_target target = { .id = 0 };
	struct fake_plr *a = fake_plr_new(test), *b = fake_plr_new(test);
	struct plr_pass passes[2];
	u64 before;

	a->mailbox.echoes = true;
	b->mailbox.echoes = true;
	fake_plr_script(a, quick, ARRAY_SIZE(quick));
	fake_plr_script(b, slow, ARRAY_SIZE(slow));
	plr_pass_begin(&passes[0], &a->mailbox, targets, 2);
	plr_pass_begin(&passes[1], &b->mailbox, &target, 1);
	passes[0].next = &passes[1];
	before = fake_plr_now();
	plr_pass_run(passes, fake_plr_wait());
	fake_plr_done(a);
	fake_plr_done(b);
	KUNIT_EXPECT_EQ(test, target.value, 1ULL);
	KUNIT_EXPECT_EQ(test, targets[1].value, 8ULL);
	KUNIT_EXPECT_EQ(test, fake_plr_now() - before, 18000ULL);
}

/*
 * All that are not over wait for another agent to take its answer, which is
 * looked at four times: three of the longest sleeps. Hardware is quicker: the
 * shortest.
 */
static void sleeps_are_long_for_another_agent(struct kunit *test)
{
	static const struct fake_access left[] = {
		FAKE_READS(IF, CORE(4), PLR_GRACE_LOOKS - 1), FAKE_GIVE(CORE(4), CORE(3)),
		FAKE_READ(IF, BUSY | CORE(3)), FAKE_READ(IF, CORE(3)), FAKE_READ(DATA, 2),
		FAKE_READ(IF, CORE(3)),
	};
	static const struct fake_access at_once[] = {
		FAKE_GIVE(0, CORE(3)), FAKE_READ(IF, CORE(3)), FAKE_READ(DATA, 8),
		FAKE_READ(IF, CORE(3)),
	};
	struct plr_target yields = { .id = 3 }, over = { .id = 3 };
	struct fake_plr *a = fake_plr_new(test), *b = fake_plr_new(test);
	struct plr_pass passes[2];
	u64 before = fake_plr_now();

	fake_plr_script(a, left, ARRAY_SIZE(left));
	fake_plr_script(b, at_once, ARRAY_SIZE(at_once));
	plr_pass_begin(&passes[0], &a->mailbox, &yields, 1);
	plr_pass_begin(&passes[1], &b->mailbox, &over, 1);
	passes[0].next = &passes[1];
	plr_pass_run(passes, fake_plr_wait());
	fake_plr_done(a);
	fake_plr_done(b);
	KUNIT_EXPECT_EQ(test, yields.value, 2ULL);
	KUNIT_EXPECT_EQ(test, over.value, 8ULL);
	KUNIT_EXPECT_EQ(test, fake_plr_now() - before, 3 * 64000 + 2000ULL);
}

/*
 * Of one that waits for hardware the sleeps are short, 2 and 4 us, then long for
 * the other one, which has its four looks and 100 us.
 */
static void sleeps_are_short_for_hardware(struct kunit *test)
{
	static const struct fake_access busy[] = {
		FAKE_GIVE(0, CORE(3)), FAKE_READS(IF, BUSY | CORE(3), 2),
		FAKE_READ(IF, CORE(3)), FAKE_READ(DATA, 8), FAKE_READ(IF, CORE(3)),
	};
	static const struct fake_access left[] = {
		FAKE_READS(IF, CORE(4), PLR_GRACE_LOOKS), FAKE_GIVE(CORE(4), CORE(3)),
		FAKE_READ(IF, CORE(3)), FAKE_READ(DATA, 2), FAKE_READ(IF, CORE(3)),
	};
	struct plr_target waits = { .id = 3 }, yields = { .id = 3 };
	struct fake_plr *a = fake_plr_new(test), *b = fake_plr_new(test);
	struct plr_pass passes[2];
	u64 before = fake_plr_now();

	fake_plr_script(a, busy, ARRAY_SIZE(busy));
	fake_plr_script(b, left, ARRAY_SIZE(left));
	plr_pass_begin(&passes[0], &a->mailbox, &waits, 1);
	plr_pass_begin(&passes[1], &b->mailbox, &yields, 1);
	passes[0].next = &passes[1];
	plr_pass_run(passes, fake_plr_wait());
	fake_plr_done(a);
	fake_plr_done(b);
	KUNIT_EXPECT_EQ(test, waits.value, 8ULL);
	KUNIT_EXPECT_EQ(test, yields.value, 2ULL);
	KUNIT_EXPECT_EQ(test, fake_plr_now() - before, 2000 + 4000 + 2 * 64000ULL);
}

/* It has all of its time, to the nanosecond, and no more. */
static void a_command_has_its_time(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(0, CORE(1)), FAKE_READS(IF, BUSY | CORE(1), 5),
	};
	struct plr_target target = { .id = 1 };
	struct fake_plr *fake = fake_plr_new(test);
	struct plr_pass pass;
	unsigned int n;

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	plr_pass_begin(&pass, &fake->mailbox, &target, 1);
	for (n = 0; n < 3; n++)
		KUNIT_EXPECT_FALSE(test, plr_pass_step(&pass));
	fake_plr_pass_time(PLR_TIMEOUT_NS - 1);
	KUNIT_EXPECT_FALSE(test, plr_pass_step(&pass));
	fake_plr_pass_time(1);
	KUNIT_EXPECT_TRUE(test, plr_pass_step(&pass));
	fake_plr_done(fake);
	fake_plr_expect(test, &target, -ETIMEDOUT, 0);
}

/* The second is looked at as often as the first before it is given up. */
static void each_command_has_its_looks(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(0, CORE(1)), FAKE_READS(IF, BUSY | CORE(1), 2),
		FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 4),
		FAKE_GIVE(CORE(1), CORE(2)), FAKE_READS(IF, BUSY | CORE(2), 3),
		FAKE_READ(IF, CORE(2)), FAKE_READ(DATA, 8), FAKE_READ(IF, CORE(2)),
	};
	struct plr_target targets[2] = { { .id = 1 }, { .id = 2 } };
	struct fake_plr *fake = fake_plr_new(test);
	struct plr_pass pass;
	unsigned int n;

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	plr_pass_begin(&pass, &fake->mailbox, targets, 2);
	for (n = 0; n < 3; n++)
		KUNIT_EXPECT_FALSE(test, plr_pass_step(&pass));
	fake_plr_pass_time(50 * PLR_TIMEOUT_NS);
	while (!plr_pass_step(&pass))
		;
	fake_plr_done(fake);
	fake_plr_expect(test, &targets[0], 0, 4);
	fake_plr_expect(test, &targets[1], 0, 8);
}

static struct kunit_case sleep_tests[] = {
	KUNIT_CASE(a_command_has_its_time),
	KUNIT_CASE(each_command_has_its_looks),
	KUNIT_CASE(sleeps_are_short_for_hardware),
	KUNIT_CASE(sleeps_are_long_for_another_agent),
	KUNIT_CASE(sleeps_grow_when_nothing_moves),
	{ }
};

struct kunit_suite plr_sleep_suite = {
	.name = "plr_sleep",
	.test_cases = sleep_tests,
};
