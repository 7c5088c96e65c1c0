// SPDX-License-Identifier: GPL-2.0-only
/* What a look at a watched domain leaves behind, whatever its pass has brought. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>

#include "../tick.h"
#include "fake.h"
#include "suites.h"

#define TARGETS		3

struct settled {
	struct plr_target targets[TARGETS];
	struct plr_tick tick;
};

/* A domain that has been looked at; nothing of it has been asked. */
static struct settled *settled_new(struct kunit *test)
{
	struct settled *settled = kunit_kzalloc(test, sizeof(*settled), GFP_KERNEL);
	unsigned int n;

	KUNIT_ASSERT_NOT_NULL(test, settled);
	for (n = 0; n < TARGETS; n++) {
		settled->targets[n].pending = true;
		settled->targets[n].skip = true;
	}
	settled->tick.mailbox = &fake_plr_new(test)->mailbox;
	settled->tick.targets = settled->targets;
	settled->tick.count = TARGETS;
	settled->tick.primed = true;

	return settled;
}

/* One was asked, and this came of it. */
static void answer(struct settled *settled, unsigned int target, int ret)
{
	settled->targets[target].skip = false;
	settled->targets[target].ret = ret;
	settled->tick.asked++;
}

/* It is that of the first that was asked, and no other. */
static void the_error_is_the_firsts(struct kunit *test)
{
	static const struct {
		int ret[TARGETS];	/* 1: not asked */
		int error;
	} rows[] = {
		{ { -ETIMEDOUT, -EIO, -EIO }, -ETIMEDOUT },
		{ { 0, -EIO, -EIO }, 0 },
		{ { -EBUSY, 0, 0 }, -EBUSY },
		{ { 1, -EBUSY, -EIO }, -EBUSY },
		{ { 1, 0, -EIO }, 0 },
		{ { 1, 1, -EIO }, -EIO },
		{ { 1, 1, 1 }, 0 },
	};
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct settled *settled = settled_new(test);
		unsigned int answered = 0;

		/* What the look before has left does not count. */
		settled->tick.error = -ENODEV;
		settled->tick.answered = TARGETS + 1;
		for (n = 0; n < TARGETS; n++) {
			answered += !rows[i].ret[n];
			if (rows[i].ret[n] <= 0)
				answer(settled, n, rows[i].ret[n]);
		}
		KUNIT_EXPECT_FALSE(test, plr_tick_end(&settled->tick));
		KUNIT_EXPECT_EQ_MSG(test, settled->tick.error, rows[i].error, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, settled->tick.answered, answered, "row %u", i);
		/* Who has not answered has what it had. */
		for (n = 0; n < TARGETS; n++)
			KUNIT_EXPECT_EQ_MSG(test, settled->targets[n].pending,
					    rows[i].ret[n] != 0, "row %u", i);
	}
}

/* Of the look before nothing is left, whatever the die is. */
static void a_look_begins_with_nothing(struct kunit *test)
{
	static const struct fake_access die[] = { FAKE_READ(PLR_DIE_LEVEL, U64_MAX) };
	struct settled *settled = settled_new(test);
	struct fake_plr *fake = container_of(settled->tick.mailbox, struct fake_plr, mailbox);
	unsigned int n;

	for (n = 0; n < TARGETS; n++) {
		settled->targets[n].skip = false;
		settled->targets[n].value = 4;
		settled->targets[n].read = true;
		settled->targets[n].ret = -EBUSY;
	}
	settled->tick.asked = TARGETS;
	settled->tick.die = 4;
	fake_plr_script(fake, die, ARRAY_SIZE(die));
	KUNIT_EXPECT_NULL(test, plr_tick_begin(&settled->tick));
	fake_plr_done(fake);
	KUNIT_EXPECT_EQ(test, settled->tick.ret, -EIO);
	KUNIT_EXPECT_EQ(test, settled->tick.die, 0ULL);
	KUNIT_EXPECT_EQ(test, settled->tick.asked, 0U);
	for (n = 0; n < TARGETS; n++) {
		KUNIT_EXPECT_TRUE(test, settled->targets[n].skip);
		KUNIT_EXPECT_FALSE(test, settled->targets[n].read);
		KUNIT_EXPECT_EQ(test, settled->targets[n].value, 0ULL);
		KUNIT_EXPECT_EQ(test, settled->targets[n].ret, 0);
	}
}

/* Whoever may have waited for commands is asked when there are more. */
static void a_new_rate_is_for_all(struct kunit *test)
{
	static const struct fake_access die[] = { FAKE_READ(PLR_DIE_LEVEL, 0) };
	struct settled *settled = settled_new(test);
	struct fake_plr *fake = container_of(settled->tick.mailbox, struct fake_plr, mailbox);
	unsigned int n;

	for (n = 0; n < TARGETS; n++)
		settled->targets[n].pending = false;
	settled->tick.full_ns = fake_plr_now();
	settled->tick.credit_ns = fake_plr_now();
	fake_plr_script(fake, die, ARRAY_SIZE(die));
	KUNIT_EXPECT_NULL(test, plr_tick_begin(&settled->tick));
	plr_tick_set_rate(&settled->tick, 100);
	fake_plr_pass_time(1000000000);
	fake_plr_script(fake, die, ARRAY_SIZE(die));
	KUNIT_EXPECT_PTR_EQ(test, plr_tick_begin(&settled->tick), &settled->tick.pass);
	KUNIT_EXPECT_EQ(test, settled->tick.asked, (unsigned int)TARGETS);
	fake_plr_done(fake);
}

static struct kunit_case plr_settle_cases[] = {
	KUNIT_CASE(the_error_is_the_firsts),
	KUNIT_CASE(a_look_begins_with_nothing),
	KUNIT_CASE(a_new_rate_is_for_all),
	{}
};

struct kunit_suite plr_settle_suite = {
	.name = "plr_settle",
	.test_cases = plr_settle_cases,
};
