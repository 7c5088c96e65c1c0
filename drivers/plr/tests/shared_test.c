// SPDX-License-Identifier: GPL-2.0-only
/*
 * A mailbox that another agent uses between any two commands of ours, without
 * end: it is left to that agent after ten tries, and what was read before stays.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>

#include "../pass.h"
#include "fake.h"
#include "suites.h"

#define IF	PLR_MAILBOX_INTERFACE
#define DATA	PLR_MAILBOX_DATA
#define BUSY	PLR_MAILBOX_RUN_BUSY
#define CORE(_n)	((u64)(_n) << 12)
#define CLEAR(_n)	(CORE(_n) | PLR_COMMAND_WRITE)

#define TRIES	10

struct script {
	struct fake_access access[128];
	size_t length;
};

static void expect(struct script *script, struct fake_access access)
{
	script->access[script->length++] = access;
}

#define SEES(_reg, _value)	expect(script, (struct fake_access)FAKE_READ(_reg, _value))
#define GIVE(_before, _command) \
	expect(script, (struct fake_access)FAKE_GIVE(_before, _command))
#define GIVE_CLEAR(_before, _command) \
	expect(script, (struct fake_access)FAKE_CLEAR(_before, _command))

/*
 * What may be another agent's answer is left there for a moment; it was @seen so
 * often already.
 */
static void expect_grace(struct script *script, u64 there, unsigned int seen)
{
	expect(script, (struct fake_access)FAKE_READS(IF, there, PLR_GRACE_LOOKS - 1 - seen));
}

static struct script *script_new(struct kunit *test)
{
	struct script *script = kunit_kzalloc(test, sizeof(*script), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, script);
	return script;
}

static void play(struct kunit *test, struct script *script, struct plr_target *targets,
		 unsigned int count)
{
	struct fake_plr *fake = fake_plr_new(test);
	struct plr_pass pass;
	unsigned int n;

	fake_plr_script(fake, script->access, script->length);
	plr_pass_begin(&pass, &fake->mailbox, targets, count);
	for (n = 0; n < 100 && !plr_pass_step(&pass); n++) {
		/* It is called again for something that it has yet to do. */
		KUNIT_EXPECT_LT(test, fake->next, fake->length);
		fake_plr_pass_time(PLR_GRACE_NS);
	}
	fake_plr_done(fake);
	KUNIT_EXPECT_LT(test, n, 100U);
	KUNIT_EXPECT_FALSE(test, fake->mailbox.opaque);
}

/*
 * Each time the data may be those of the other agent's command: they are
 * dropped. Those that were believed before are not, and the tries for each
 * module are its own.
 */
static void data_that_are_never_ours(struct kunit *test)
{
	struct script *script = script_new(test);
	struct plr_target targets[2] = { { .id = 2 }, { .id = 1 } };
	unsigned int n;

	GIVE(0, CORE(2));
	SEES(IF, CORE(2));
	SEES(DATA, 8);
	SEES(IF, CORE(9));
	expect_grace(script, CORE(9), 1);
	GIVE(CORE(9), CORE(2));
	SEES(IF, CORE(2));
	SEES(DATA, 4);
	expect_grace(script, CORE(2), 0);
	GIVE(CORE(2), CORE(1));
	for (n = 0; n < TRIES; n++) {
		if (n)
			GIVE(CORE(9), CORE(1));
		SEES(IF, CORE(1));
		SEES(DATA, 8);
		SEES(IF, CORE(9));
		if (n + 1 < TRIES)
			expect_grace(script, CORE(9), 1);
	}
	play(test, script, targets, 2);
	KUNIT_EXPECT_EQ(test, targets[0].ret, 0);
	KUNIT_EXPECT_EQ(test, targets[0].value, 4ULL);
	KUNIT_EXPECT_EQ(test, targets[1].ret, -EBUSY);
	KUNIT_EXPECT_EQ(test, targets[1].value, 0ULL);
	KUNIT_EXPECT_FALSE(test, targets[1].read);
}

/* Each time it writes the data register before our clear runs. */
static void clears_that_never_hold(struct kunit *test)
{
	struct script *script = script_new(test);
	struct plr_target target = { .id = 1, .clear = U64_MAX };
	unsigned int n;

	GIVE(0, CORE(1));
	SEES(IF, CORE(1));
	SEES(DATA, 4);
	/* It was there while our clear was. */
	GIVE_CLEAR(CORE(1), CLEAR(1));
	SEES(IF, CORE(9));
	expect_grace(script, CORE(9), 0);
	for (n = 1; n < TRIES; n++) {
		GIVE_CLEAR(n == 1 ? CORE(9) : CLEAR(1), CLEAR(1));
		SEES(IF, BUSY | CLEAR(1));
		SEES(IF, CLEAR(1));
		SEES(DATA, 8);
		if (n + 1 < TRIES)
			expect_grace(script, CLEAR(1), 0);
	}
	play(test, script, &target, 1);
	KUNIT_EXPECT_EQ(test, target.ret, -EBUSY);
	KUNIT_EXPECT_EQ(test, target.value, 4ULL);
	KUNIT_EXPECT_TRUE(test, target.read);
}

/*
 * Each time it has just asked for the same, so that it cannot be seen whether
 * our command has arrived. The one that is given to find out counts as a try.
 */
static void commands_that_are_never_seen(struct kunit *test)
{
	struct script *script = script_new(test);
	struct plr_target target = { .id = 1 };
	unsigned int n;

	SEES(IF, BUSY | CORE(1));
	expect_grace(script, CORE(1), 0);
	for (n = 0; n < TRIES; n += 2) {
		GIVE(CORE(1), CORE(1));
		SEES(IF, CORE(1));
		GIVE(CORE(1), CORE(0));
		SEES(IF, CORE(0));
		expect_grace(script, CORE(1), 0);
	}
	GIVE(CORE(1), CORE(1));
	SEES(IF, CORE(1));
	play(test, script, &target, 1);
	KUNIT_EXPECT_EQ(test, target.ret, -EBUSY);
	KUNIT_EXPECT_FALSE(test, target.read);
}

/* The same after a try that was written over: ten of both kinds. */
static void tries_of_two_kinds(struct kunit *test)
{
	struct script *script = script_new(test);
	struct plr_target target = { .id = 1 };
	unsigned int n;

	GIVE(0, CORE(1));
	SEES(IF, CORE(9));
	SEES(IF, BUSY | CORE(1));
	expect_grace(script, CORE(1), 0);
	for (n = 1; n < TRIES - 1; n += 2) {
		GIVE(CORE(1), CORE(1));
		SEES(IF, CORE(1));
		GIVE(CORE(1), CORE(0));
		SEES(IF, CORE(0));
		expect_grace(script, CORE(1), 0);
	}
	GIVE(CORE(1), CORE(1));
	SEES(IF, CORE(1));
	play(test, script, &target, 1);
	KUNIT_EXPECT_EQ(test, target.ret, -EBUSY);
	KUNIT_EXPECT_FALSE(test, target.read);
}

/* The device goes when its data are looked at after a clear. */
static void gone_after_a_clear(struct kunit *test)
{
	struct script *script = script_new(test);
	struct plr_target target = { .id = 1, .clear = U64_MAX };

	GIVE(0, CORE(1));
	SEES(IF, CORE(1));
	SEES(DATA, 4);
	GIVE_CLEAR(CORE(1), CLEAR(1));
	SEES(IF, CLEAR(1));
	SEES(DATA, U64_MAX);
	play(test, script, &target, 1);
	KUNIT_EXPECT_EQ(test, target.ret, -EIO);
	KUNIT_EXPECT_EQ(test, target.value, 4ULL);
	KUNIT_EXPECT_TRUE(test, target.read);
}

static struct kunit_case plr_shared_cases[] = {
	KUNIT_CASE(data_that_are_never_ours),
	KUNIT_CASE(clears_that_never_hold),
	KUNIT_CASE(commands_that_are_never_seen),
	KUNIT_CASE(tries_of_two_kinds),
	KUNIT_CASE(gone_after_a_clear),
	{}
};

struct kunit_suite plr_shared_suite = {
	.name = "plr_shared",
	.test_cases = plr_shared_cases,
};
