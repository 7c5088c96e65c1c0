// SPDX-License-Identifier: GPL-2.0-only
/* How long passes sleep: not longer while any of them gets on. */
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

static struct kunit_case sleep_tests[] = {
	KUNIT_CASE(sleeps_grow_when_nothing_moves),
	{ }
};

struct kunit_suite plr_sleep_suite = {
	.name = "plr_sleep",
	.test_cases = sleep_tests,
};
