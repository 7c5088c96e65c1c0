// SPDX-License-Identifier: GPL-2.0-only
/* A watched domain: the exact accesses of a tick in each situation. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>

#include "../tick.h"
#include "fake.h"
#include "suites.h"

#define IF	PLR_MAILBOX_INTERFACE
#define DATA	PLR_MAILBOX_DATA
#define DIE	PLR_DIE_LEVEL
#define BUSY	PLR_MAILBOX_RUN_BUSY
#define CORE(_n)	((u64)(_n) << 12)
#define CLEAR(_n)	(CORE(_n) | PLR_COMMAND_WRITE)

/* A domain with two cores that is watched, and what its next tick is to do. */
struct watched {
	struct fake_plr *fake;
	struct plr_target targets[2];
	struct plr_tick tick;
	struct fake_access script[32];
	size_t length;
	u64 left;
	bool doubtful;
	bool gate_failed;
};

static void expect(struct watched *watched, bool write, u32 reg, u64 value)
{
	struct fake_access access = { .write = write, .reg = reg, .value = value };

	KUNIT_ASSERT_LT(watched->fake->test, watched->length, ARRAY_SIZE(watched->script));
	watched->script[watched->length++] = access;
}

static void expect_die(struct watched *watched, u64 value)
{
	expect(watched, false, DIE, value);
	if (value && value != U64_MAX)
		expect(watched, true, DIE, 0);
}

static void expect_command(struct watched *watched, u64 command)
{
	expect(watched, false, IF, watched->left);
	if (command & PLR_MAILBOX_COMMAND)
		expect(watched, true, DATA, 0);
	expect(watched, true, IF, BUSY | command);
	watched->left = command;
}

/* A core is read, and cleared when it has something. */
static void expect_core(struct watched *watched, u8 core, u64 value)
{
	expect_command(watched, CORE(core));
	expect(watched, false, IF, CORE(core));
	expect(watched, false, DATA, value);
	watched->doubtful = !value;
	if (!value)
		return;
	expect_command(watched, CLEAR(core));
	expect(watched, false, IF, CLEAR(core));
	expect(watched, false, DATA, 0);
}

static void expect_cores(struct watched *watched, u64 core1, u64 core2)
{
	expect_core(watched, 1, core1);
	expect_core(watched, 2, core2);
	if (watched->doubtful)
		expect(watched, false, IF, watched->left);
}

static size_t tick_once(struct watched *watched)
{
	size_t accesses = watched->length;
	struct plr_pass *pass;

	fake_plr_script(watched->fake, watched->script, watched->length);
	pass = plr_tick_begin(&watched->tick);
	if (pass)
		plr_pass_run(pass, fake_plr_wait());
	watched->gate_failed = plr_tick_end(&watched->tick);
	fake_plr_done(watched->fake);
	watched->length = 0;

	return accesses;
}

static struct watched *watch(struct kunit *test)
{
	struct watched *watched = kunit_kzalloc(test, sizeof(*watched), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, watched);
	watched->fake = fake_plr_new(test);
	watched->targets[0].id = 1;
	watched->targets[1].id = 2;
	watched->tick.mailbox = &watched->fake->mailbox;
	watched->tick.targets = watched->targets;
	watched->tick.count = 2;
	watched->tick.max_commands = PLR_MAX_COMMANDS;
	fake_plr_pass_time(1000000000);
	expect_die(watched, 0);
	expect_cores(watched, 0, 0);
	tick_once(watched);

	return watched;
}

static void nothing_limited_is_one_read(struct kunit *test)
{
	struct watched *watched = watch(test);

	expect_die(watched, 0);
	KUNIT_EXPECT_EQ(test, tick_once(watched), 1);
	KUNIT_EXPECT_EQ(test, watched->tick.ret, 0);
	KUNIT_EXPECT_EQ(test, watched->tick.asked, 0);
	expect_die(watched, 0);
	tick_once(watched);
}

/* 2 plus 4 per module plus 5 per limited module, the die first. */
static void limits_are_read_and_cleared(struct kunit *test)
{
	struct watched *watched = watch(test);

	expect_die(watched, 4);
	expect_cores(watched, 0, 4);
	KUNIT_EXPECT_EQ(test, tick_once(watched), 2 + 4 * 2 + 5);
	KUNIT_EXPECT_EQ(test, watched->tick.die, 4);
	KUNIT_EXPECT_EQ(test, watched->targets[0].value, 0);
	KUNIT_EXPECT_EQ(test, watched->targets[1].value, 4);
	KUNIT_EXPECT_FALSE(test, watched->gate_failed);
}

/* Where the die shows nothing, a look at it is all there is. */
static void expect_gate_holds(struct kunit *test, struct watched *watched)
{
	KUNIT_EXPECT_FALSE(test, watched->gate_failed);
	expect_die(watched, 0);
	tick_once(watched);
}

/* What was there before anybody watched is cleared, and proves nothing. */
static void first_tick_takes_what_is_there(struct kunit *test)
{
	struct watched *watched = watch(test);

	watched->targets[0].must = false;
	plr_tick_rest(&watched->tick);
	expect_die(watched, 0);
	expect_cores(watched, 0, 4);
	tick_once(watched);
	KUNIT_EXPECT_EQ(test, watched->tick.asked, 2);
	KUNIT_EXPECT_EQ(test, watched->targets[1].value, 4);
	expect_gate_holds(test, watched);
}

static void full_read_every_ten_seconds(struct kunit *test)
{
	struct watched *watched = watch(test);

	fake_plr_pass_time(PLR_FULL_NS - 1);
	expect_die(watched, 0);
	tick_once(watched);
	fake_plr_pass_time(1);
	expect_die(watched, 0);
	expect_cores(watched, 0, 0);
	tick_once(watched);
	expect_gate_holds(test, watched);
}

/* A full look that finds a core with a reason, and the die with none after it. */
static void full_look_without_die(struct watched *watched)
{
	fake_plr_pass_time(PLR_FULL_NS);
	expect_die(watched, 0);
	expect_cores(watched, 0, 4);
	expect_die(watched, 0);
	tick_once(watched);
}

/* The die stays zero while a module is limited: the gate is switched off. */
static void die_that_does_not_follow(struct kunit *test)
{
	struct watched *watched = watch(test);

	full_look_without_die(watched);
	KUNIT_EXPECT_FALSE(test, watched->gate_failed);
	/* Nothing that is found is no sign that it follows. */
	expect_die(watched, 0);
	tick_once(watched);
	fake_plr_pass_time(PLR_FULL_NS);
	expect_die(watched, 0);
	expect_cores(watched, 0, 0);
	tick_once(watched);
	/* Nor is the watch that ends and begins. */
	plr_tick_rest(&watched->tick);
	expect_die(watched, 0);
	expect_cores(watched, 0, 4);
	tick_once(watched);
	full_look_without_die(watched);
	KUNIT_EXPECT_TRUE(test, watched->gate_failed);
	/* Told once, and all modules read from then on. */
	expect_die(watched, 0);
	expect_cores(watched, 0, 4);
	tick_once(watched);
	KUNIT_EXPECT_FALSE(test, watched->gate_failed);
	/* Also when somebody begins to watch anew. */
	plr_tick_rest(&watched->tick);
	expect_die(watched, 0);
	expect_cores(watched, 4, 0);
	tick_once(watched);
	expect_die(watched, 0);
	expect_cores(watched, 0, 0);
	tick_once(watched);
}

/*
 * A die that is computed from its cores has no reason any more when that of a
 * core has been cleared: once is no failure of the gate, when it has shown one
 * since.
 */
static void short_limits_of_a_computed_die(struct kunit *test)
{
	struct watched *watched = watch(test);
	unsigned int n;

	for (n = 0; n < 3; n++) {
		full_look_without_die(watched);
		KUNIT_EXPECT_FALSE(test, watched->gate_failed);
		expect_die(watched, 4);
		expect_cores(watched, 0, 4);
		tick_once(watched);
		expect_gate_holds(test, watched);
	}
	full_look_without_die(watched);
	KUNIT_EXPECT_FALSE(test, watched->gate_failed);
	/* One that is there after the modules were read shows as well as one before. */
	fake_plr_pass_time(PLR_FULL_NS);
	expect_die(watched, 0);
	expect_cores(watched, 0, 4);
	expect(watched, false, DIE, 4);
	tick_once(watched);
	full_look_without_die(watched);
	KUNIT_EXPECT_FALSE(test, watched->gate_failed);
	/* A die that shows what no core has proves nothing. */
	expect_die(watched, 4);
	expect_cores(watched, 0, 0);
	tick_once(watched);
	full_look_without_die(watched);
	KUNIT_EXPECT_TRUE(test, watched->gate_failed);
}

/* A reason that comes between the two reads is no failure of the gate. */
static void reason_between_the_reads(struct kunit *test)
{
	struct watched *watched = watch(test);

	fake_plr_pass_time(PLR_FULL_NS);
	expect_die(watched, 0);
	expect_cores(watched, 0, 4);
	expect(watched, false, DIE, 4);
	tick_once(watched);
	KUNIT_EXPECT_FALSE(test, watched->gate_failed);
	expect_die(watched, 4);
	expect_cores(watched, 0, 0);
	tick_once(watched);
}

/* A module that could not be read has what it had: the die shows no more. */
static void what_failed_is_read_again(struct kunit *test)
{
	struct watched *watched = watch(test);

	expect_die(watched, 4);
	expect_command(watched, CORE(1));
	expect(watched, false, IF, U64_MAX);
	tick_once(watched);
	KUNIT_EXPECT_EQ(test, watched->targets[0].ret, -EIO);
	KUNIT_EXPECT_TRUE(test, watched->tick.primed);
	/* The command never arrived. */
	watched->left = CORE(2);
	expect_die(watched, 0);
	expect_cores(watched, 0, 4);
	tick_once(watched);
	KUNIT_EXPECT_EQ(test, watched->targets[1].value, 4);
	expect_gate_holds(test, watched);
}

/* Somebody has cleared the die alone: no proof against it. */
static void die_cleared_by_hand(struct kunit *test)
{
	struct watched *watched = watch(test);

	plr_tick_owe(&watched->tick);
	expect_die(watched, 0);
	expect_cores(watched, 4, 0);
	tick_once(watched);
	expect_gate_holds(test, watched);
}

/* A look in which no module answered has not begun an interval. */
static void nothing_answers_at_first(struct kunit *test)
{
	struct watched *watched = watch(test);

	plr_tick_rest(&watched->tick);
	expect_die(watched, 0);
	expect_command(watched, CORE(1));
	expect(watched, false, IF, U64_MAX);
	tick_once(watched);
	KUNIT_EXPECT_FALSE(test, watched->tick.primed);
}

static void device_gone(struct kunit *test)
{
	struct watched *watched = watch(test);

	expect_die(watched, U64_MAX);
	tick_once(watched);
	KUNIT_EXPECT_EQ(test, watched->tick.ret, -EIO);
	KUNIT_EXPECT_EQ(test, watched->tick.asked, 0);
}

/* From here on both cores wait for their turns; @max commands a second. */
static struct watched *watch_on_budget(struct kunit *test, unsigned int max)
{
	struct watched *watched = watch(test);

	watched->targets[0].must = false;
	watched->targets[1].must = false;
	watched->tick.max_commands = max;
	watched->tick.credit = 0;
	watched->tick.credit_ns = fake_plr_now();

	return watched;
}

/* Ten commands a second: a limited core takes its two every 200 ms. */
static void modules_take_their_turns(struct kunit *test)
{
	struct watched *watched = watch_on_budget(test, 10);
	unsigned int n;

	watched->targets[0].likely = true;
	watched->targets[1].likely = true;
	/* Not enough for one of them; the die is cleared all the same. */
	fake_plr_pass_time(100000000);
	expect_die(watched, 4);
	tick_once(watched);
	KUNIT_EXPECT_EQ(test, watched->tick.asked, 0);
	for (n = 0; n < 4; n++) {
		fake_plr_pass_time(n ? 200000000 : 100000000);
		/* What the die has shown is not forgotten while a core waits. */
		expect_die(watched, n == 2 ? 4 : 0);
		expect_core(watched, 1 + n % 2, 4);
		tick_once(watched);
		KUNIT_EXPECT_EQ(test, watched->tick.asked, 1);
		KUNIT_EXPECT_EQ(test, watched->targets[!(n % 2)].pending, n % 2 == 0);
		KUNIT_EXPECT_FALSE(test, watched->gate_failed);
	}
	/* None waits: the die is all that is looked at. */
	fake_plr_pass_time(200000000);
	expect_die(watched, 0);
	KUNIT_EXPECT_EQ(test, tick_once(watched), 1);
}

/* A look without hardware: returns how many commands its cores have taken. */
static unsigned int look(struct watched *watched, unsigned int looks[2])
{
	unsigned int n, commands = 0;

	expect_die(watched, 4);
	fake_plr_script(watched->fake, watched->script, watched->length);
	plr_tick_begin(&watched->tick);
	fake_plr_done(watched->fake);
	watched->length = 0;
	for (n = 0; n < 2; n++) {
		struct plr_target *target = &watched->targets[n];

		if (target->skip)
			continue;
		/* Every other time it has a reason. */
		target->value = looks[n]++ % 2 ? 0 : 4;
		target->likely = target->value;
		commands += target->value ? 2 : 1;
	}
	plr_tick_end(&watched->tick);

	return commands;
}

/*
 * As many commands a second as there may be, over 100 seconds, also where cores
 * have a reason every other time and so take a command more than last time: more
 * by one for each core of the last look, less by one round, and where all cores
 * have been asked.
 */
static void the_rate_holds(struct kunit *test)
{
	static const struct {
		u64 interval_ns;
		unsigned int max, least, most;
	} rows[] = {
		{ 10000000, 10, 996, 1002 },
		{ 100000000, 10, 996, 1002 },
		{ 100000000, 1, 96, 102 },
		{ 250000000, 3, 296, 302 },
		/* Four and two in turns, and no more is there to be asked. */
		{ 2000000000, 10, 150, 150 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct watched *watched = watch_on_budget(test, rows[i].max);
		unsigned int commands = 0, looks[2] = { 0, 0 };
		u64 ns;

		for (ns = 0; ns < 100000000000; ns += rows[i].interval_ns) {
			fake_plr_pass_time(rows[i].interval_ns);
			commands += look(watched, looks);
		}
		KUNIT_EXPECT_GE_MSG(test, commands, rows[i].least, "row %u", i);
		KUNIT_EXPECT_LE_MSG(test, commands, rows[i].most, "row %u", i);
	}
}

/* A core with an event that counts does not wait, nor do others for it. */
static void events_do_not_wait(struct kunit *test)
{
	struct watched *watched = watch_on_budget(test, 10);

	watched->targets[1].must = true;
	fake_plr_pass_time(100000000);
	expect_die(watched, 4);
	expect_cores(watched, 4, 4);
	tick_once(watched);
	KUNIT_EXPECT_EQ(test, watched->tick.asked, 2);
	fake_plr_pass_time(1000000);
	expect_die(watched, 4);
	expect_core(watched, 2, 4);
	tick_once(watched);
	KUNIT_EXPECT_EQ(test, watched->tick.asked, 1);
}

/* No command at all: the die, which costs a read, and a write when it has one. */
static void dies_only(struct kunit *test)
{
	struct watched *watched = watch_on_budget(test, 0);

	/* What was not used of the rate before is void. */
	watched->tick.credit = 10 * 1000000000ULL;
	fake_plr_pass_time(PLR_FULL_NS);
	expect_die(watched, 4);
	KUNIT_EXPECT_EQ(test, tick_once(watched), 2);
	expect_die(watched, 0);
	KUNIT_EXPECT_EQ(test, tick_once(watched), 1);
	KUNIT_EXPECT_TRUE(test, watched->tick.primed);
	/* Also when watching begins. */
	plr_tick_rest(&watched->tick);
	expect_die(watched, 4);
	KUNIT_EXPECT_EQ(test, tick_once(watched), 2);
	KUNIT_EXPECT_TRUE(test, watched->tick.primed);
}

/* Without a command only the die can tell that writes may be blocked. */
static void die_keeps_its_reasons(struct kunit *test)
{
	static const struct {
		u64 before, after;
		int ret;
	} looks[] = {
		{ 4, 4, 1 }, { 4, 0, 0 }, { 12, 8, 0 }, { 4, 12, 1 }, { 4, 8, 0 },
		{ 4, U64_MAX, -EIO },
	};
	struct watched *watched = watch_on_budget(test, 0);
	unsigned int n;

	for (n = 0; n < ARRAY_SIZE(looks); n++) {
		expect(watched, false, DIE, looks[n].after);
		fake_plr_script(watched->fake, watched->script, watched->length);
		KUNIT_EXPECT_EQ_MSG(test, plr_die_keeps(watched->tick.mailbox, looks[n].before),
				    looks[n].ret, "look %u", n);
		fake_plr_done(watched->fake);
		watched->length = 0;
	}
}

/* Commands that were not used are there for one round, not for many. */
static void credit_is_bounded(struct kunit *test)
{
	struct watched *watched = watch_on_budget(test, 100000);
	unsigned int n;

	fake_plr_pass_time(5000000000);
	watched->tick.gate_off = true;
	expect_die(watched, 0);
	expect_cores(watched, 0, 0);
	tick_once(watched);
	KUNIT_EXPECT_EQ(test, watched->tick.asked, 2);
	watched->tick.max_commands = 1;
	for (n = 0; n < 2; n++) {
		expect_die(watched, 0);
		if (!n)
			expect_cores(watched, 0, 0);
		tick_once(watched);
	}
}

/* Time earns what is allowed in it, also where no look is made before a change. */
static void each_rate_has_its_time(struct kunit *test)
{
	struct watched *watched = watch_on_budget(test, 0);

	/* A minute without a command, then half a second and another. */
	fake_plr_pass_time(60000000000);
	plr_tick_set_rate(&watched->tick, 1);
	fake_plr_pass_time(500000000);
	expect_die(watched, 4);
	tick_once(watched);
	KUNIT_EXPECT_EQ(test, watched->tick.asked, 0);
	fake_plr_pass_time(500000000);
	expect_die(watched, 0);
	expect_core(watched, 1, 4);
	tick_once(watched);
	KUNIT_EXPECT_EQ(test, watched->tick.asked, 1);
	/* What that took too much is no matter of the next rate. */
	plr_tick_set_rate(&watched->tick, 10);
	fake_plr_pass_time(100000000);
	plr_tick_set_rate(&watched->tick, 1);
	expect_die(watched, 0);
	expect_core(watched, 2, 0);
	expect(watched, false, IF, watched->left);
	tick_once(watched);
	KUNIT_EXPECT_EQ(test, watched->tick.asked, 1);
	/* Four are there, and a minute at none takes them. */
	fake_plr_pass_time(4000000000);
	plr_tick_set_rate(&watched->tick, 0);
	fake_plr_pass_time(60000000000);
	plr_tick_set_rate(&watched->tick, 1);
	expect_die(watched, 4);
	tick_once(watched);
	KUNIT_EXPECT_EQ(test, watched->tick.asked, 0);
}

/* In the longest interval a rate of one a second is sixty commands, in turns. */
static void long_intervals_count_whole(struct kunit *test)
{
	struct watched *watched = watch_on_budget(test, 1);
	unsigned int count = 64, n, i;

	watched->tick.targets = kunit_kcalloc(test, count, sizeof(*watched->targets), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, watched->tick.targets);
	watched->tick.count = count;
	for (n = 0; n < 2; n++) {
		fake_plr_pass_time(60000000000);
		expect_die(watched, 4);
		fake_plr_script(watched->fake, watched->script, watched->length);
		KUNIT_EXPECT_NOT_NULL(test, plr_tick_begin(&watched->tick));
		fake_plr_done(watched->fake);
		watched->length = 0;
		KUNIT_EXPECT_EQ(test, watched->tick.asked, 60);
		for (i = 0; i < 4; i++)
			KUNIT_EXPECT_TRUE(test,
					  watched->tick.targets[(60 * (n + 1) + i) % count].skip);
		plr_tick_end(&watched->tick);
	}
}

static struct kunit_case plr_tick_cases[] = {
	KUNIT_CASE(nothing_limited_is_one_read),
	KUNIT_CASE(limits_are_read_and_cleared),
	KUNIT_CASE(first_tick_takes_what_is_there),
	KUNIT_CASE(full_read_every_ten_seconds),
	KUNIT_CASE(die_that_does_not_follow),
	KUNIT_CASE(short_limits_of_a_computed_die),
	KUNIT_CASE(reason_between_the_reads),
	KUNIT_CASE(what_failed_is_read_again),
	KUNIT_CASE(die_cleared_by_hand),
	KUNIT_CASE(nothing_answers_at_first),
	KUNIT_CASE(device_gone),
	KUNIT_CASE(modules_take_their_turns),
	KUNIT_CASE(the_rate_holds),
	KUNIT_CASE(events_do_not_wait),
	KUNIT_CASE(dies_only),
	KUNIT_CASE(die_keeps_its_reasons),
	KUNIT_CASE(credit_is_bounded),
	KUNIT_CASE(each_rate_has_its_time),
	KUNIT_CASE(long_intervals_count_whole),
	{}
};

struct kunit_suite plr_tick_suite = {
	.name = "plr_tick",
	.test_cases = plr_tick_cases,
};
