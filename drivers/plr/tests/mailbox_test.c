// SPDX-License-Identifier: GPL-2.0-only
/*
 * The mailbox against a scripted instance: the exact accesses of each
 * operation, and every way in which hardware can fail to answer.
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
#define CORE1	0x1000ULL
#define CORE3	0x3000ULL
#define CORE4	0x4000ULL
#define MESH1	0x1100ULL

#define POWER	0x0000040000000004ULL

#define EXPECT_READ(_fake, _domain, _id, _ret, _value) do {			\
		u64 value_ = 0x5a5a;						\
		KUNIT_EXPECT_EQ(test, plr_mailbox_read(&(_fake)->mailbox, _domain, _id, \
						       &value_), _ret);		\
		KUNIT_EXPECT_EQ(test, value_, (u64)(_value));			\
	} while (0)

#define UNTOUCHED	0x5a5a

static void command_words(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, plr_mailbox_command(PLR_COMMAND_READ, PLR_DOMAIN_CORE, 0), BUSY);
	KUNIT_EXPECT_EQ(test, plr_mailbox_command(PLR_COMMAND_READ, PLR_DOMAIN_CORE, 3),
			BUSY | CORE3);
	KUNIT_EXPECT_EQ(test, plr_mailbox_command(PLR_COMMAND_READ, PLR_DOMAIN_MESH, 1),
			BUSY | MESH1);
	KUNIT_EXPECT_EQ(test, plr_mailbox_command(PLR_COMMAND_WRITE, PLR_DOMAIN_MESH, 255),
			0x80000000000ff101ULL);
}

static void expect_read(struct kunit *test, struct fake_plr *fake,
			const struct fake_access *script, size_t length, u8 id, int ret, u64 value)
{
	fake_plr_script(fake, script, length);
	EXPECT_READ(fake, PLR_DOMAIN_CORE, id, ret, value);
	fake_plr_done(fake);
}

/* The last five arguments: the script, and what a read of the core gives. */
#define RUN(_fake, _script, _id, _ret, _value)					\
	expect_read(test, _fake, _script, ARRAY_SIZE(_script), _id, _ret, _value)

static void read_core_is_five_accesses(struct kunit *test)
{
	static const struct fake_access first[] = {
		FAKE_GIVE(0, CORE3), FAKE_READ(IF, CORE3), FAKE_READ(DATA, POWER),
		FAKE_READ(IF, CORE3),
	};
	static const struct fake_access then[] = {
		FAKE_GIVE(CORE3, CORE4), FAKE_READ(IF, CORE4), FAKE_READ(DATA, 0),
		FAKE_READ(IF, CORE4),
	};
	struct fake_plr *fake = fake_plr_new(test);
	u64 start = fake_plr_now();

	RUN(fake, first, 3, 0, POWER);
	RUN(fake, then, 4, 0, 0);
	KUNIT_EXPECT_EQ(test, fake_plr_now(), start);
}

static void read_mesh(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(0, MESH1), FAKE_READ(IF, MESH1), FAKE_READ(DATA, 0),
		FAKE_READ(IF, MESH1),
	};
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	EXPECT_READ(fake, PLR_DOMAIN_MESH, 1, 0, 0);
	fake_plr_done(fake);
}

static void read_waits_while_busy(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(0, CORE3), FAKE_READ(IF, BUSY | CORE3), FAKE_READ(IF, BUSY | CORE3),
		FAKE_READ(IF, BUSY | CORE3), FAKE_READ(IF, CORE3), FAKE_READ(DATA, POWER),
		FAKE_READ(IF, CORE3),
	};
	struct fake_plr *fake = fake_plr_new(test);
	u64 start = fake_plr_now();

	RUN(fake, script, 3, 0, POWER);
	KUNIT_EXPECT_GT(test, fake_plr_now(), start);
	KUNIT_EXPECT_LT(test, fake_plr_now() - start, 100000);
}

static void make_stuck(struct kunit *test, struct fake_plr *fake)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(0, CORE3), FAKE_READ(IF, BUSY | CORE3),
	};
	u64 start = fake_plr_now();

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	fake->repeat = true;
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 3, -ETIMEDOUT, UNTOUCHED);
	KUNIT_EXPECT_GE(test, fake_plr_now() - start, PLR_TIMEOUT_NS);
	KUNIT_EXPECT_LT(test, fake_plr_now() - start, 2000000);
}

static void stuck_times_out(struct kunit *test)
{
	make_stuck(test, fake_plr_new(test));
}

/* While it is stuck no further command is written over the one under way. */
static void stuck_is_not_written_again(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_READ(IF, BUSY | CORE3),
	};
	struct fake_plr *fake = fake_plr_new(test);
	u64 start;

	make_stuck(test, fake);
	start = fake_plr_now();
	fake_plr_script(fake, script, ARRAY_SIZE(script));
	fake->repeat = true;
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 4, -ETIMEDOUT, UNTOUCHED);
	KUNIT_EXPECT_LT(test, fake_plr_now() - start, 2000000);
}

static void stuck_heals(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(CORE3, CORE4), FAKE_READ(IF, CORE4), FAKE_READ(DATA, POWER),
		FAKE_READ(IF, CORE4),
	};
	struct fake_plr *fake = fake_plr_new(test);

	make_stuck(test, fake);
	RUN(fake, script, 4, 0, POWER);
}

/* The whole time in one sleep: hardware had it, so it is asked once more, or twice. */
static void lost_cpu_is_not_a_timeout(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(0, CORE3), FAKE_READS(IF, BUSY | CORE3, 3), FAKE_READ(IF, CORE3),
		FAKE_READ(DATA, POWER), FAKE_READ(IF, CORE3),
	};
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_lose_cpu(50 * PLR_TIMEOUT_NS);
	RUN(fake, script, 3, 0, POWER);
}

static void gone_at_the_interface(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(0, CORE3), FAKE_READ(IF, U64_MAX),
	};
	static const struct fake_access still[] = {
		FAKE_READ(IF, U64_MAX),
	};
	static const struct fake_access back[] = {
		FAKE_GIVE(0, CORE3), FAKE_READ(IF, CORE3), FAKE_READ(DATA, 0),
		FAKE_READ(IF, CORE3),
	};
	struct fake_plr *fake = fake_plr_new(test);
	u64 start = fake_plr_now();

	RUN(fake, script, 3, -EIO, UNTOUCHED);
	RUN(fake, still, 3, -EIO, UNTOUCHED);
	/* Known at once: all ones is not waited for. */
	KUNIT_EXPECT_EQ(test, fake_plr_now(), start);
	RUN(fake, back, 3, 0, 0);
}

static void gone_at_the_data(struct kunit *test)
{
	static const struct fake_access data[] = {
		FAKE_GIVE(0, CORE3), FAKE_READ(IF, CORE3), FAKE_READ(DATA, U64_MAX),
	};
	static const struct fake_access look[] = {
		FAKE_GIVE(0, CORE3), FAKE_READ(IF, CORE3), FAKE_READ(DATA, POWER),
		FAKE_READ(IF, U64_MAX),
	};

	RUN(fake_plr_new(test), data, 3, -EIO, UNTOUCHED);
	RUN(fake_plr_new(test), look, 3, -EIO, UNTOUCHED);
}

/* A mailbox that is at work is not written to, whichever agent's command it is. */
static void others_are_waited_for(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_READ(IF, BUSY | CORE4), FAKE_READ(IF, BUSY | CORE4), FAKE_READ(IF, BUSY),
		FAKE_READ(IF, BUSY | CORE4), FAKE_READ(IF, CORE4),
	};
	static const struct fake_access then[] = {
		FAKE_GIVE(CORE4, CORE3), FAKE_READ(IF, CORE3), FAKE_READ(DATA, POWER),
		FAKE_READ(IF, CORE3),
	};
	struct fake_plr *fake = fake_plr_new(test);
	struct plr_target target = { .id = 3 };
	struct plr_pass pass;
	unsigned int n;

	plr_pass_begin(&pass, &fake->mailbox, &target, 1);
	fake_plr_script(fake, script, ARRAY_SIZE(script));
	for (n = 0; n < ARRAY_SIZE(script); n++) {
		/* Busy with one thing after the other is not stuck. */
		fake_plr_pass_time(PLR_TIMEOUT_NS - 1);
		KUNIT_EXPECT_FALSE(test, plr_pass_step(&pass));
	}
	/* Its answer is there to be taken, for a while. */
	for (n = 1; n < PLR_GRACE_LOOKS; n++) {
		fake_plr_script(fake, &script[4], 1);
		KUNIT_EXPECT_FALSE(test, plr_pass_step(&pass));
	}
	fake_plr_script(fake, &script[4], 1);
	fake_plr_pass_time(PLR_GRACE_NS - 1);
	KUNIT_EXPECT_FALSE(test, plr_pass_step(&pass));
	fake_plr_pass_time(1);
	fake_plr_script(fake, then, ARRAY_SIZE(then));
	KUNIT_EXPECT_TRUE(test, plr_pass_step(&pass));
	fake_plr_done(fake);
	KUNIT_EXPECT_EQ(test, target.ret, 0);
	KUNIT_EXPECT_EQ(test, target.value, POWER);
}

/* Later passes look for its answer, also where the same was asked for. */
static void others_may_ask_for_the_same(struct kunit *test)
{
	static const struct fake_access foreign[] = {
		FAKE_READ(IF, BUSY | CORE4), FAKE_READS(IF, CORE4, 3),
	};
	static const struct fake_access ours[] = {
		FAKE_GIVE(CORE4, CORE3), FAKE_READ(IF, CORE3), FAKE_READ(DATA, POWER),
		FAKE_READ(IF, CORE3),
	};
	static const struct fake_access same[] = {
		FAKE_READ(IF, CORE3),
	};
	struct fake_plr *fake = fake_plr_new(test);
	struct plr_target target = { .id = 3 };
	struct plr_pass pass;
	unsigned int n;

	plr_pass_begin(&pass, &fake->mailbox, &target, 1);
	fake_plr_script(fake, foreign, ARRAY_SIZE(foreign));
	for (n = 0; n < PLR_GRACE_LOOKS; n++)
		KUNIT_EXPECT_FALSE(test, plr_pass_step(&pass));
	fake_plr_pass_time(PLR_GRACE_NS);
	fake_plr_script(fake, ours, ARRAY_SIZE(ours));
	KUNIT_EXPECT_TRUE(test, plr_pass_step(&pass));

	plr_pass_begin(&pass, &fake->mailbox, &target, 1);
	fake_plr_script(fake, same, ARRAY_SIZE(same));
	KUNIT_EXPECT_FALSE(test, plr_pass_step(&pass));
	fake_plr_done(fake);
	/* Not for ever. */
	fake_plr_pass_time(PLR_SHARED_NS);
	plr_pass_begin(&pass, &fake->mailbox, &target, 1);
	fake->mailbox.unknown = false;
	fake_plr_script(fake, ours, ARRAY_SIZE(ours));
	fake->mailbox.left = CORE4;
	KUNIT_EXPECT_TRUE(test, plr_pass_step(&pass));
}

/* What was there at the first look may be an answer as well. */
static void first_look_yields(struct kunit *test)
{
	static const struct fake_access look[] = {
		FAKE_READS(IF, CORE4, 3),
	};
	static const struct fake_access read[] = {
		FAKE_GIVE(CORE4, CORE3), FAKE_READ(IF, CORE3), FAKE_READ(DATA, POWER),
		FAKE_READ(IF, CORE3),
	};
	struct fake_plr *fake = fake_plr_new(test);
	struct plr_target target = { .id = 3 };
	struct plr_pass pass;
	unsigned int n;

	plr_pass_begin(&pass, &fake->mailbox, &target, 1);
	fake_plr_script(fake, look, ARRAY_SIZE(look));
	for (n = 0; n < PLR_GRACE_LOOKS - 1; n++)
		KUNIT_EXPECT_FALSE(test, plr_pass_step(&pass));
	fake_plr_pass_time(PLR_GRACE_NS);
	fake_plr_script(fake, read, ARRAY_SIZE(read));
	KUNIT_EXPECT_TRUE(test, plr_pass_step(&pass));
	KUNIT_EXPECT_FALSE(test, plr_mailbox_is_shared(&fake->mailbox));
}

/* Steps of a pass, with time for another agent's answer to be taken. */
static void run_patiently(struct kunit *test, struct fake_plr *fake,
			  const struct fake_access *script, size_t length, int ret, u64 value)
{
	struct plr_target target = { .id = 3 };
	struct plr_pass pass;
	unsigned int n;

	fake_plr_script(fake, script, length);
	plr_pass_begin(&pass, &fake->mailbox, &target, 1);
	for (n = 0; n < 100 && !plr_pass_step(&pass); n++)
		fake_plr_pass_time(PLR_GRACE_NS);
	fake_plr_done(fake);
	KUNIT_EXPECT_EQ(test, target.ret, ret);
	KUNIT_EXPECT_EQ(test, target.value, value);
}

#define PATIENTLY(_script, _ret, _value)					\
	run_patiently(test, fake_plr_new(test), _script, ARRAY_SIZE(_script), _ret, _value)

/* What has finished is not what was asked for: ask again, not at once. */
static void other_agent_once(struct kunit *test)
{
	static const struct fake_access finished[] = {
		FAKE_GIVE(0, CORE3), FAKE_READ(IF, CORE4), FAKE_READS(IF, CORE4, 3),
		FAKE_GIVE(CORE4, CORE3), FAKE_READ(IF, CORE3), FAKE_READ(DATA, POWER),
		FAKE_READ(IF, CORE3),
	};
	static const struct fake_access busy[] = {
		FAKE_GIVE(0, CORE3), FAKE_READ(IF, BUSY | CORE4), FAKE_READS(IF, CORE4, 3),
		FAKE_GIVE(CORE4, CORE3), FAKE_READ(IF, CORE3), FAKE_READ(DATA, POWER),
		FAKE_READ(IF, CORE3),
	};
	/* A clear of the same core by another agent is not our read either. */
	static const struct fake_access clear[] = {
		FAKE_GIVE(0, CORE3), FAKE_READ(IF, CORE3 | PLR_COMMAND_WRITE),
		FAKE_READS(IF, CORE3 | PLR_COMMAND_WRITE, 3),
		FAKE_GIVE(CORE3 | PLR_COMMAND_WRITE, CORE3), FAKE_READ(IF, CORE3),
		FAKE_READ(DATA, POWER), FAKE_READ(IF, CORE3),
	};
	/* Its command may be the one that was ours before. */
	static const struct fake_access first[] = {
		FAKE_GIVE(0, CORE4), FAKE_READ(IF, CORE4), FAKE_READ(DATA, 0),
		FAKE_READ(IF, CORE4),
	};
	static const struct fake_access as_before[] = {
		FAKE_GIVE(CORE4, CORE3), FAKE_READ(IF, BUSY | CORE4), FAKE_READS(IF, CORE4, 3),
		FAKE_GIVE(CORE4, CORE3), FAKE_READ(IF, CORE3), FAKE_READ(DATA, POWER),
		FAKE_READ(IF, CORE3),
	};
	struct fake_plr *fake = fake_plr_new(test);

	PATIENTLY(finished, 0, POWER);
	PATIENTLY(busy, 0, POWER);
	PATIENTLY(clear, 0, POWER);
	RUN(fake, first, 4, 0, 0);
	run_patiently(test, fake, as_before, ARRAY_SIZE(as_before), 0, POWER);
}

/* The data were ours only if the interface still is. */
static void other_agent_at_the_data(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(0, CORE3), FAKE_READ(IF, CORE3), FAKE_READ(DATA, 0xbad),
		FAKE_READ(IF, BUSY | CORE4), FAKE_READS(IF, CORE4, 3), FAKE_GIVE(CORE4, CORE3),
		FAKE_READ(IF, CORE3), FAKE_READ(DATA, POWER), FAKE_READ(IF, CORE3),
	};

	PATIENTLY(script, 0, POWER);
}

static void other_agent_for_ever(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(0, CORE3), FAKE_READ(IF, CORE4), FAKE_READS(IF, CORE4, 3),
		FAKE_GIVE(CORE4, CORE3), FAKE_READ(IF, CORE1), FAKE_READS(IF, CORE1, 3),
		FAKE_GIVE(CORE1, CORE3), FAKE_READ(IF, CORE4), FAKE_READS(IF, CORE4, 3),
		FAKE_GIVE(CORE4, CORE3), FAKE_READ(IF, CORE1), FAKE_READS(IF, CORE1, 3),
		FAKE_GIVE(CORE1, CORE3), FAKE_READ(IF, CORE4), FAKE_READS(IF, CORE4, 3),
		FAKE_GIVE(CORE4, CORE3), FAKE_READ(IF, CORE1), FAKE_READS(IF, CORE1, 3),
		FAKE_GIVE(CORE1, CORE3), FAKE_READ(IF, CORE4), FAKE_READS(IF, CORE4, 3),
		FAKE_GIVE(CORE4, CORE3), FAKE_READ(IF, CORE1), FAKE_READS(IF, CORE1, 3),
		FAKE_GIVE(CORE1, CORE3), FAKE_READ(IF, CORE4), FAKE_READS(IF, CORE4, 3),
		FAKE_GIVE(CORE4, CORE3), FAKE_READ(IF, CORE1),
	};

	PATIENTLY(script, -EBUSY, 0);
}

/* A part that clears the register when it is done is as good. */
static void no_echo_is_accepted(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(0, CORE3), FAKE_READ(IF, BUSY | CORE3), FAKE_READ(IF, 0),
		FAKE_READ(DATA, POWER), FAKE_READ(IF, 0),
	};
	static const struct fake_access zero[] = {
		FAKE_GIVE(0, 0), FAKE_READ(IF, BUSY), FAKE_READ(IF, 0), FAKE_READ(DATA, 0),
		FAKE_READ(IF, 0),
	};
	struct fake_plr *fake = fake_plr_new(test);

	RUN(fake, script, 3, 0, POWER);
	RUN(fake, zero, 0, 0, 0);
	RUN(fake, script, 3, 0, POWER);
}

/* Writes have no effect: whatever the data register holds is not an answer. */
static void ignored_commands(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(0, CORE3), FAKE_READ(IF, 0), FAKE_GIVE(0, CORE3), FAKE_READ(IF, 0),
		FAKE_GIVE(0, CORE3), FAKE_READ(IF, 0),
	};

	RUN(fake_plr_new(test), script, 3, -EOPNOTSUPP, UNTOUCHED);
}

/* Blocked after they had an effect: the register stays as it was. */
static void commands_ignored_later(struct kunit *test)
{
	static const struct fake_access first[] = {
		FAKE_GIVE(0, CORE4), FAKE_READ(IF, CORE4), FAKE_READ(DATA, POWER),
		FAKE_READ(IF, CORE4),
	};
	static const struct fake_access script[] = {
		FAKE_GIVE(CORE4, CORE3), FAKE_READ(IF, CORE4), FAKE_GIVE(CORE4, CORE3),
		FAKE_READ(IF, CORE4), FAKE_GIVE(CORE4, CORE3), FAKE_READ(IF, CORE4),
	};
	/* And the same command again: it proves nothing, so another one is given. */
	static const struct fake_access same[] = {
		FAKE_GIVE(CORE4, CORE4), FAKE_READ(IF, CORE4), FAKE_GIVE(CORE4, 0),
		FAKE_READ(IF, CORE4), FAKE_GIVE(CORE4, 0), FAKE_READ(IF, CORE4),
	};
	struct fake_plr *fake = fake_plr_new(test);

	RUN(fake, first, 4, 0, POWER);
	RUN(fake, script, 3, -EOPNOTSUPP, UNTOUCHED);
	RUN(fake, same, 4, -EOPNOTSUPP, UNTOUCHED);
}

/* The same command again, and it arrives: seen under way, or proven. */
static void same_command_again(struct kunit *test)
{
	static const struct fake_access slow[] = {
		FAKE_GIVE(CORE4, CORE4), FAKE_READ(IF, BUSY | CORE4), FAKE_READ(IF, CORE4),
		FAKE_READ(DATA, POWER), FAKE_READ(IF, CORE4),
	};
	static const struct fake_access quick[] = {
		FAKE_GIVE(CORE4, CORE4), FAKE_READ(IF, CORE4), FAKE_GIVE(CORE4, 0),
		FAKE_READ(IF, 0), FAKE_GIVE(0, CORE4), FAKE_READ(IF, CORE4),
		FAKE_READ(DATA, POWER), FAKE_READ(IF, CORE4),
	};
	static const struct fake_access first[] = {
		FAKE_GIVE(0, CORE4), FAKE_READ(IF, CORE4), FAKE_READ(DATA, 0),
		FAKE_READ(IF, CORE4),
	};
	struct fake_plr *fake = fake_plr_new(test);

	RUN(fake, first, 4, 0, 0);
	RUN(fake, slow, 4, 0, POWER);
	RUN(fake, quick, 4, 0, POWER);
}

/* A read of core 0 is all zero, as the register may be that ignores it. */
static void core_0_of_an_idle_register(struct kunit *test)
{
	static const struct fake_access ignored[] = {
		FAKE_GIVE(0, 0), FAKE_READ(IF, 0), FAKE_GIVE(0, CORE1), FAKE_READ(IF, 0),
		FAKE_GIVE(0, CORE1), FAKE_READ(IF, 0),
	};
	static const struct fake_access proven[] = {
		FAKE_GIVE(0, 0), FAKE_READ(IF, 0), FAKE_GIVE(0, CORE1), FAKE_READ(IF, CORE1),
		FAKE_GIVE(CORE1, 0), FAKE_READ(IF, 0), FAKE_READ(DATA, POWER),
		FAKE_READ(IF, 0),
	};

	RUN(fake_plr_new(test), ignored, 0, -EOPNOTSUPP, UNTOUCHED);
	RUN(fake_plr_new(test), proven, 0, 0, POWER);
}

/* On a part that echoes, zero is another agent's read of core 0. */
static void zero_after_an_echo_is_foreign(struct kunit *test)
{
	static const struct fake_access first[] = {
		FAKE_GIVE(0, CORE4), FAKE_READ(IF, CORE4), FAKE_READ(DATA, 0),
		FAKE_READ(IF, CORE4),
	};
	static const struct fake_access script[] = {
		FAKE_GIVE(CORE4, CORE3), FAKE_READ(IF, BUSY | CORE3), FAKE_READ(IF, 0),
		FAKE_READS(IF, 0, 3), FAKE_GIVE(0, CORE3), FAKE_READ(IF, CORE3),
		FAKE_READ(DATA, POWER), FAKE_READ(IF, CORE3),
	};
	/* That of core 0 is nothing else, and not the end of echoes. */
	static const struct fake_access zero[] = {
		FAKE_GIVE(CORE4, 0), FAKE_READ(IF, 0), FAKE_READ(DATA, 0),
		FAKE_READ(IF, 0),
	};
	static const struct fake_access again[] = {
		FAKE_GIVE(0, CORE3), FAKE_READ(IF, BUSY | CORE3), FAKE_READ(IF, 0),
		FAKE_READS(IF, 0, 3), FAKE_GIVE(0, CORE3), FAKE_READ(IF, CORE3),
		FAKE_READ(DATA, POWER), FAKE_READ(IF, CORE3),
	};
	struct fake_plr *fake = fake_plr_new(test);

	RUN(fake, first, 4, 0, 0);
	run_patiently(test, fake, script, ARRAY_SIZE(script), 0, POWER);
	fake = fake_plr_new(test);
	RUN(fake, first, 4, 0, 0);
	RUN(fake, zero, 0, 0, 0);
	run_patiently(test, fake, again, ARRAY_SIZE(again), 0, POWER);
}

/* Reserved bits of the interface may become anything. */
static void reserved_bits_are_ignored(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(0x7ffffffffff00000ULL, CORE3),
		FAKE_READ(IF, CORE3 | 0x7ffffffffff00000ULL), FAKE_READ(DATA, POWER),
		FAKE_READ(IF, CORE3),
	};

	RUN(fake_plr_new(test), script, 3, 0, POWER);
}

static void die_level(struct kunit *test)
{
	/* The second has a high half, which the specification says is 0. */
	static const struct fake_access script[] = {
		FAKE_READ(PLR_DIE_LEVEL, 8), FAKE_READ(PLR_DIE_LEVEL, 0x8000000100000004),
		FAKE_READ(PLR_DIE_LEVEL, U64_MAX),
	};
	struct fake_plr *fake = fake_plr_new(test);
	u64 value = UNTOUCHED;

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	KUNIT_EXPECT_EQ(test, plr_die_read(&fake->mailbox, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 8);
	KUNIT_EXPECT_EQ(test, plr_die_read(&fake->mailbox, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 4);
	KUNIT_EXPECT_EQ(test, plr_die_read(&fake->mailbox, &value), -EIO);
	KUNIT_EXPECT_EQ(test, value, 4);
	fake_plr_done(fake);
}

static void headers(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, plr_header_check(0x01), 0);
	KUNIT_EXPECT_EQ(test, plr_header_major(0x01), 0);
	KUNIT_EXPECT_EQ(test, plr_header_minor(0x01), 1);
	KUNIT_EXPECT_EQ(test, plr_header_check(0x1f), 0);
	KUNIT_EXPECT_EQ(test, plr_header_minor(0x1f), 31);
	KUNIT_EXPECT_EQ(test, plr_header_check(0x20), -EPROTONOSUPPORT);
	KUNIT_EXPECT_EQ(test, plr_header_major(0xe3), 7);
	KUNIT_EXPECT_EQ(test, plr_header_check(U64_MAX), -ENODEV);
}

static struct kunit_case plr_mailbox_cases[] = {
	KUNIT_CASE(command_words),
	KUNIT_CASE(read_core_is_five_accesses),
	KUNIT_CASE(read_mesh),
	KUNIT_CASE(read_waits_while_busy),
	KUNIT_CASE(stuck_times_out),
	KUNIT_CASE(stuck_is_not_written_again),
	KUNIT_CASE(stuck_heals),
	KUNIT_CASE(lost_cpu_is_not_a_timeout),
	KUNIT_CASE(gone_at_the_interface),
	KUNIT_CASE(gone_at_the_data),
	KUNIT_CASE(others_are_waited_for),
	KUNIT_CASE(others_may_ask_for_the_same),
	KUNIT_CASE(first_look_yields),
	KUNIT_CASE(other_agent_once),
	KUNIT_CASE(other_agent_at_the_data),
	KUNIT_CASE(other_agent_for_ever),
	KUNIT_CASE(no_echo_is_accepted),
	KUNIT_CASE(ignored_commands),
	KUNIT_CASE(commands_ignored_later),
	KUNIT_CASE(same_command_again),
	KUNIT_CASE(core_0_of_an_idle_register),
	KUNIT_CASE(zero_after_an_echo_is_foreign),
	KUNIT_CASE(reserved_bits_are_ignored),
	KUNIT_CASE(die_level),
	KUNIT_CASE(headers),
	{}
};

struct kunit_suite plr_mailbox_suite = {
	.name = "plr_mailbox",
	.test_cases = plr_mailbox_cases,
};
