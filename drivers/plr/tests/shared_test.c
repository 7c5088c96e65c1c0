// SPDX-License-Identifier: GPL-2.0-only
/*
 * A mailbox that another agent uses all the time, or between any two commands of
 * ours, without end: it is left to that agent after its turn, or after ten tries,
 * and what was read before stays.
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
	struct plr_target targets[3] = { { .id = 2 }, { .id = 1 }, { .id = 3 } };
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
		expect_grace(script, CORE(9), 1);
	}
	GIVE(CORE(9), CORE(3));
	SEES(IF, CORE(3));
	SEES(DATA, 8);
	SEES(IF, CORE(9));
	expect_grace(script, CORE(9), 1);
	GIVE(CORE(9), CORE(3));
	SEES(IF, CORE(3));
	SEES(DATA, 2);
	SEES(IF, CORE(3));
	play(test, script, targets, 3);
	KUNIT_EXPECT_EQ(test, targets[0].ret, 0);
	KUNIT_EXPECT_EQ(test, targets[0].value, 4ULL);
	KUNIT_EXPECT_EQ(test, targets[1].ret, -EBUSY);
	KUNIT_EXPECT_EQ(test, targets[1].value, 0ULL);
	KUNIT_EXPECT_FALSE(test, targets[1].read);
	KUNIT_EXPECT_EQ(test, targets[2].ret, 0);
	KUNIT_EXPECT_EQ(test, targets[2].value, 2ULL);
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

/*
 * The data were another agent's, and it writes its command over each of ours
 * from then on: that is no mailbox whose commands have no effect.
 */
static void tries_after_a_doubt(struct kunit *test)
{
	struct script *script = script_new(test);
	struct plr_target target = { .id = 1 };
	unsigned int n;

	GIVE(0, CORE(1));
	SEES(IF, CORE(1));
	SEES(DATA, 4);
	SEES(IF, CORE(9));
	expect_grace(script, CORE(9), 1);
	for (n = 0; n < TRIES; n++) {
		GIVE(CORE(9), CORE(1));
		SEES(IF, CORE(9));
	}
	play(test, script, &target, 1);
	KUNIT_EXPECT_EQ(test, target.ret, -EBUSY);
	KUNIT_EXPECT_FALSE(test, target.read);
}

static void expect_step(struct kunit *test, struct fake_plr *fake, struct plr_pass *pass,
			u64 there)
{
	struct fake_access access = FAKE_READ(IF, there);

	fake_plr_script(fake, &access, 1);
	KUNIT_EXPECT_FALSE(test, plr_pass_step(pass));
	fake_plr_done(fake);
}

/* Its answer is looked at once in a step, from the first look at it. */
static void steps_are_for_looks(struct kunit *test)
{
	static const struct fake_access first[] = {
		FAKE_GIVE(0, CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 4),
		FAKE_READ(IF, CORE(9)),
	};
	static const struct fake_access again[] = {
		FAKE_GIVE(CORE(9), CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 8),
		FAKE_READ(IF, CORE(1)),
	};
	struct plr_target targets[2] = { { .id = 1 }, { .id = 2 } };
	struct fake_plr *fake = fake_plr_new(test);
	struct plr_pass pass;
	unsigned int n;

	fake_plr_pass_time(1);
	plr_pass_begin(&pass, &fake->mailbox, targets, 2);
	fake_plr_script(fake, first, ARRAY_SIZE(first));
	KUNIT_EXPECT_FALSE(test, plr_pass_step(&pass));
	fake_plr_done(fake);
	for (n = 2; n < PLR_GRACE_LOOKS; n++)
		expect_step(test, fake, &pass, CORE(9));
	fake_plr_pass_time(PLR_GRACE_NS);
	/* Now that it is known, ours may be its command, too: it is waited for. */
	fake->mailbox.foreign_ns = fake_plr_now();
	fake_plr_script(fake, again, ARRAY_SIZE(again));
	KUNIT_EXPECT_FALSE(test, plr_pass_step(&pass));
	fake_plr_done(fake);
	KUNIT_EXPECT_TRUE(test, pass.yields);
	fake_plr_expect(test, &targets[0], 0, 8);
}

/*
 * A command of ours that timed out has finished: another agent that was seen
 * lately may have asked for the same since.
 */
static void ours_may_be_its_as_well(struct kunit *test)
{
	struct script *script = script_new(test);
	struct plr_target target = { .id = 1 };
	struct fake_plr *fake = fake_plr_new(test);
	struct plr_pass pass;
	unsigned int n;

	fake_plr_pass_time(1);
	plr_pass_begin(&pass, &fake->mailbox, &target, 1);
	expect_step(test, fake, &pass, BUSY | CORE(9));
	for (n = 1; n < PLR_GRACE_LOOKS; n++)
		expect_step(test, fake, &pass, CORE(9));
	fake_plr_pass_time(PLR_GRACE_NS);
	GIVE(CORE(9), CORE(1));
	expect(script, (struct fake_access)FAKE_READ(IF, BUSY | CORE(1)));
	fake_plr_script(fake, script->access, script->length);
	fake->repeat = true;
	plr_pass_run(&pass, fake_plr_wait());
	KUNIT_EXPECT_EQ(test, target.ret, -ETIMEDOUT);
	plr_pass_begin(&pass, &fake->mailbox, &target, 1);
	for (n = 1; n < PLR_GRACE_LOOKS; n++)
		expect_step(test, fake, &pass, CORE(1));
}

/* What it has begun last has all of the time, however long others took. */
static void its_last_command_has_its_time(struct kunit *test)
{
	struct plr_target target = { .id = 1 };
	struct fake_plr *fake = fake_plr_new(test);
	struct plr_pass pass;
	unsigned int n;

	fake_plr_pass_time(1);
	plr_pass_begin(&pass, &fake->mailbox, &target, 1);
	for (n = 0; n < 6; n++) {
		expect_step(test, fake, &pass, BUSY | CORE(8 + n % 2));
		fake_plr_pass_time(PLR_TIMEOUT_NS - 1);
	}
	expect_step(test, fake, &pass, BUSY | CORE(9));
}

/* It asks for the same once more, so its answer is left there anew. */
static void each_answer_has_its_grace(struct kunit *test)
{
	struct plr_target target = { .id = 1 };
	struct fake_plr *fake = fake_plr_new(test);
	struct plr_pass pass;
	unsigned int n, times;

	fake_plr_pass_time(1);
	plr_pass_begin(&pass, &fake->mailbox, &target, 1);
	for (times = 0; times < 2; times++) {
		expect_step(test, fake, &pass, BUSY | CORE(9));
		for (n = 1; n < PLR_GRACE_LOOKS; n++) {
			expect_step(test, fake, &pass, CORE(9));
			fake_plr_pass_time(PLR_GRACE_NS);
		}
	}
}

/*
 * What the first look has found has had its grace, and no agent was seen: the
 * end of a command of ours that had timed out need not be waited for.
 */
static void ours_ends_late(struct kunit *test)
{
	static const struct fake_access slow[] = {
		FAKE_GIVE(CORE(9), CORE(1)), FAKE_READ(IF, BUSY | CORE(1)),
	};
	static const struct fake_access next[] = {
		FAKE_GIVE(CORE(1), CORE(2)), FAKE_READ(IF, CORE(2)), FAKE_READ(DATA, 4),
		FAKE_READ(IF, CORE(2)),
	};
	struct plr_target target = { .id = 1 };
	struct fake_plr *fake = fake_plr_new(test);
	struct plr_pass pass;
	unsigned int n;

	fake_plr_pass_time(1);
	plr_pass_begin(&pass, &fake->mailbox, &target, 1);
	for (n = 1; n < PLR_GRACE_LOOKS; n++)
		expect_step(test, fake, &pass, CORE(9));
	fake_plr_pass_time(PLR_GRACE_NS);
	fake_plr_script(fake, slow, ARRAY_SIZE(slow));
	fake->repeat = true;
	plr_pass_run(&pass, fake_plr_wait());
	KUNIT_EXPECT_EQ(test, target.ret, -ETIMEDOUT);
	target.id = 2;
	plr_pass_begin(&pass, &fake->mailbox, &target, 1);
	fake_plr_script(fake, next, ARRAY_SIZE(next));
	KUNIT_EXPECT_TRUE(test, plr_pass_step(&pass));
	fake_plr_done(fake);
	fake_plr_expect(test, &target, 0, 4);
}

/* What is there when a pass begins may be new: it is left there anew. */
static void each_pass_leaves_answers(struct kunit *test)
{
	struct plr_target target = { .id = 1 };
	struct fake_plr *fake = fake_plr_new(test);
	struct fake_access there = FAKE_READ(IF, 0);
	struct plr_pass pass;
	unsigned int n;

	fake_plr_pass_time(1);
	plr_pass_begin(&pass, &fake->mailbox, &target, 1);
	for (n = 0; n < 100; n++) {
		there.value = CORE(8 + n % 2);
		fake_plr_script(fake, &there, 1);
		if (plr_pass_step(&pass))
			break;
		fake_plr_pass_time(PLR_TURN_NS / 4);
	}
	KUNIT_EXPECT_EQ(test, target.ret, -EBUSY);
	fake_plr_pass_time(PLR_GRACE_NS);
	plr_pass_begin(&pass, &fake->mailbox, &target, 1);
	for (n = 1; n < PLR_GRACE_LOOKS; n++) {
		expect_step(test, fake, &pass, there.value);
		fake_plr_pass_time(PLR_GRACE_NS);
	}
}

/* Its time and its looks are those of one module, the next ones are others. */
static void each_module_has_its_turn(struct kunit *test)
{
	static const struct fake_access first[] = {
		FAKE_GIVE(CORE(9), CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 4),
		FAKE_READ(IF, CORE(1)),
	};
	static const struct fake_access last[] = { FAKE_READ(IF, BUSY | CORE(7)) };
	struct plr_target targets[2] = { { .id = 1 }, { .id = 2 } };
	struct fake_plr *fake = fake_plr_new(test);
	struct plr_pass pass;
	unsigned int n;

	fake_plr_pass_time(1);
	plr_pass_begin(&pass, &fake->mailbox, targets, 2);
	expect_step(test, fake, &pass, BUSY | CORE(9));
	for (n = 1; n < PLR_GRACE_LOOKS; n++)
		expect_step(test, fake, &pass, CORE(9));
	fake_plr_pass_time(PLR_GRACE_NS);
	fake_plr_script(fake, first, ARRAY_SIZE(first));
	KUNIT_EXPECT_FALSE(test, plr_pass_step(&pass));
	fake_plr_done(fake);
	fake_plr_pass_time(PLR_TURN_NS);
	for (n = 1; n < PLR_TURN_LOOKS; n++)
		expect_step(test, fake, &pass, BUSY | CORE(8 + n % 2));
	fake_plr_script(fake, last, ARRAY_SIZE(last));
	KUNIT_EXPECT_TRUE(test, plr_pass_step(&pass));
	fake_plr_done(fake);
	fake_plr_expect(test, &targets[0], 0, 4);
	fake_plr_expect(test, &targets[1], -EBUSY, 0);
}

/* One that was seen may be there for PLR_SHARED_NS, and not after it. */
static void an_agent_is_remembered(struct kunit *test)
{
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_pass_time(1);
	KUNIT_EXPECT_FALSE(test, plr_mailbox_is_shared(&fake->mailbox));
	fake->mailbox.foreign_ns = fake_plr_now();
	KUNIT_EXPECT_TRUE(test, plr_mailbox_is_shared(&fake->mailbox));
	fake_plr_pass_time(PLR_SHARED_NS - 1);
	KUNIT_EXPECT_TRUE(test, plr_mailbox_is_shared(&fake->mailbox));
	fake_plr_pass_time(1);
	KUNIT_EXPECT_FALSE(test, plr_mailbox_is_shared(&fake->mailbox));
}

/*
 * A clear that is given again, and not seen under way: another command tells
 * whether it arrives, and then it is given once more.
 */
static void a_clear_is_proven(struct kunit *test)
{
	struct script *script = script_new(test);
	struct plr_target target = { .id = 1, .clear = U64_MAX };

	GIVE(0, CORE(1));
	SEES(IF, CORE(1));
	SEES(DATA, 4);
	GIVE_CLEAR(CORE(1), CLEAR(1));
	SEES(IF, CLEAR(1));
	SEES(DATA, 8);
	GIVE_CLEAR(CLEAR(1), CLEAR(1));
	SEES(IF, CLEAR(1));
	GIVE(CLEAR(1), CORE(0));
	SEES(IF, CORE(0));
	GIVE_CLEAR(CORE(0), CLEAR(1));
	SEES(IF, CLEAR(1));
	SEES(DATA, 0);
	play(test, script, &target, 1);
	fake_plr_expect(test, &target, 0, 4);
}

/*
 * It asks for what ours would be proven with, at the one moment. The command that
 * was to be proven is not forgotten, although what proves it has to be given twice.
 */
static void the_proof_is_its_as_well(struct kunit *test)
{
	struct script *script = script_new(test);
	struct plr_target target = { .id = 1 };

	expect_grace(script, CORE(1), 0);
	GIVE(CORE(1), CORE(1));
	SEES(IF, CORE(1));
	expect_grace(script, CORE(0), 0);
	GIVE(CORE(0), CORE(0));
	SEES(IF, CORE(0));
	GIVE(CORE(0), CORE(0));
	SEES(IF, BUSY | CORE(0));
	SEES(IF, CORE(0));
	GIVE(CORE(0), CORE(1));
	SEES(IF, CORE(1));
	SEES(DATA, 4);
	SEES(IF, CORE(1));
	play(test, script, &target, 1);
	fake_plr_expect(test, &target, 0, 4);
}

/* An agent wrote over a command for one module; those for the next do nothing. */
static void ignored_after_a_module(struct kunit *test)
{
	struct script *script = script_new(test);
	struct plr_target targets[2] = { { .id = 1 }, { .id = 2 } };
	unsigned int n;

	GIVE(0, CORE(1));
	SEES(IF, CORE(9));
	expect_grace(script, CORE(9), 0);
	GIVE(CORE(9), CORE(1));
	SEES(IF, CORE(1));
	SEES(DATA, 4);
	expect_grace(script, CORE(1), 0);
	for (n = 0; n < 3; n++) {
		GIVE(CORE(1), CORE(2));
		SEES(IF, CORE(1));
	}
	play(test, script, targets, 2);
	fake_plr_expect(test, &targets[0], 0, 4);
	fake_plr_expect(test, &targets[1], -EOPNOTSUPP, 0);
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

/* An agent that never ends is not waited for without an end. */
static void others_for_ever(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_READ(IF, BUSY | CORE(4)),
	};
	static const struct fake_access other[] = {
		FAKE_READ(IF, BUSY | CORE(3)),
	};
	struct fake_plr *fake = fake_plr_new(test);
	struct plr_target target = { .id = 3 };
	struct plr_pass pass;
	unsigned int n;

	plr_pass_begin(&pass, &fake->mailbox, &target, 1);
	for (n = 0; n < 100; n++) {
		fake_plr_script(fake, n % 2 ? script : other, 1);
		if (plr_pass_step(&pass))
			break;
		fake_plr_pass_time(PLR_TIMEOUT_NS / 2);
	}
	KUNIT_EXPECT_EQ(test, target.ret, -EBUSY);
	KUNIT_EXPECT_EQ(test, n, PLR_TURN_NS / (PLR_TIMEOUT_NS / 2));
	/* One command that does not end is given up earlier, in that step. */
	plr_pass_begin(&pass, &fake->mailbox, &target, 1);
	for (n = 0; pass.state != PLR_PASS_DONE && n < 100; n++) {
		fake_plr_script(fake, script, 1);
		KUNIT_EXPECT_EQ(test, plr_pass_step(&pass), pass.state == PLR_PASS_DONE);
		fake_plr_pass_time(PLR_TIMEOUT_NS / 2);
	}
	KUNIT_EXPECT_EQ(test, target.ret, -ETIMEDOUT);
}

static struct kunit_case plr_shared_cases[] = {
	KUNIT_CASE(others_for_ever),
	KUNIT_CASE(data_that_are_never_ours),
	KUNIT_CASE(clears_that_never_hold),
	KUNIT_CASE(commands_that_are_never_seen),
	KUNIT_CASE(tries_of_two_kinds),
	KUNIT_CASE(tries_after_a_doubt),
	KUNIT_CASE(steps_are_for_looks),
	KUNIT_CASE(ours_may_be_its_as_well),
	KUNIT_CASE(its_last_command_has_its_time),
	KUNIT_CASE(each_answer_has_its_grace),
	KUNIT_CASE(ours_ends_late),
	KUNIT_CASE(each_pass_leaves_answers),
	KUNIT_CASE(each_module_has_its_turn),
	KUNIT_CASE(an_agent_is_remembered),
	KUNIT_CASE(a_clear_is_proven),
	KUNIT_CASE(the_proof_is_its_as_well),
	KUNIT_CASE(ignored_after_a_module),
	KUNIT_CASE(gone_after_a_clear),
	{}
};

struct kunit_suite plr_shared_suite = {
	.name = "plr_shared",
	.test_cases = plr_shared_cases,
};
