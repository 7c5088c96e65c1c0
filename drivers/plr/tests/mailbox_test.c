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

static void read_core_is_three_accesses(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, CORE3), FAKE_READ(DATA, POWER),
	};
	struct fake_plr *fake = fake_plr_new(test);
	u64 start = fake_plr_now();

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 3, 0, POWER);
	fake_plr_done(fake);
	KUNIT_EXPECT_EQ(test, fake_plr_now(), start);

	/* And the next one, too: nothing is remembered that costs. */
	fake_plr_script(fake, script, ARRAY_SIZE(script));
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 3, 0, POWER);
	fake_plr_done(fake);
}

static void read_mesh(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_WRITE(IF, BUSY | MESH1), FAKE_READ(IF, MESH1), FAKE_READ(DATA, 0),
	};
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	EXPECT_READ(fake, PLR_DOMAIN_MESH, 1, 0, 0);
	fake_plr_done(fake);
}

static void read_waits_while_busy(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, BUSY | CORE3),
		FAKE_READ(IF, BUSY | CORE3), FAKE_READ(IF, BUSY | CORE3),
		FAKE_READ(IF, CORE3), FAKE_READ(DATA, POWER),
	};
	struct fake_plr *fake = fake_plr_new(test);
	u64 start = fake_plr_now();

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 3, 0, POWER);
	fake_plr_done(fake);
	KUNIT_EXPECT_GT(test, fake_plr_now(), start);
	KUNIT_EXPECT_LT(test, fake_plr_now() - start, 100000);
}

static void make_stuck(struct kunit *test, struct fake_plr *fake)
{
	static const struct fake_access script[] = {
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, BUSY | CORE3),
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
	static const struct fake_access script[] = { FAKE_READ(IF, BUSY | CORE3) };
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
		FAKE_READ(IF, CORE3), FAKE_WRITE(IF, BUSY | CORE4),
		FAKE_READ(IF, CORE4), FAKE_READ(DATA, POWER),
	};
	static const struct fake_access again[] = {
		FAKE_WRITE(IF, BUSY | CORE4), FAKE_READ(IF, CORE4), FAKE_READ(DATA, POWER),
	};
	struct fake_plr *fake = fake_plr_new(test);

	make_stuck(test, fake);
	fake_plr_script(fake, script, ARRAY_SIZE(script));
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 4, 0, POWER);
	fake_plr_done(fake);
	fake_plr_script(fake, again, ARRAY_SIZE(again));
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 4, 0, POWER);
	fake_plr_done(fake);
}

/* The whole time in one sleep: hardware had it, so it is asked once more. */
static void lost_cpu_is_not_a_timeout(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, BUSY | CORE3),
		FAKE_READ(IF, CORE3), FAKE_READ(DATA, POWER),
	};
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_lose_cpu(50 * PLR_TIMEOUT_NS);
	fake_plr_script(fake, script, ARRAY_SIZE(script));
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 3, 0, POWER);
	fake_plr_done(fake);
}

static void gone_at_the_interface(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, U64_MAX),
	};
	static const struct fake_access still[] = { FAKE_READ(IF, U64_MAX) };
	static const struct fake_access back[] = {
		FAKE_READ(IF, 0), FAKE_WRITE(IF, BUSY | CORE3),
		FAKE_READ(IF, CORE3), FAKE_READ(DATA, 0),
	};
	struct fake_plr *fake = fake_plr_new(test);
	u64 start = fake_plr_now();

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 3, -EIO, UNTOUCHED);
	fake_plr_done(fake);
	/* Known at once: all ones is not waited for. */
	KUNIT_EXPECT_EQ(test, fake_plr_now(), start);
	fake_plr_script(fake, still, ARRAY_SIZE(still));
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 3, -EIO, UNTOUCHED);
	fake_plr_done(fake);
	fake_plr_script(fake, back, ARRAY_SIZE(back));
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 3, 0, 0);
	fake_plr_done(fake);
}

static void gone_at_the_data(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, CORE3), FAKE_READ(DATA, U64_MAX),
	};
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 3, -EIO, UNTOUCHED);
	fake_plr_done(fake);
}

/* What has finished is not what was asked for: ask again. */
static void other_agent_once(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, CORE4),
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, CORE3), FAKE_READ(DATA, POWER),
	};
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 3, 0, POWER);
	fake_plr_done(fake);
}

static void other_agent_for_ever(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, CORE4),
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, CORE4),
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, CORE4),
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, CORE3), FAKE_READ(DATA, POWER),
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, CORE4),
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, CORE4),
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, CORE4),
	};
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 3, -EBUSY, UNTOUCHED);
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 3, 0, POWER);
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 3, -EBUSY, UNTOUCHED);
	fake_plr_done(fake);
}

/* A clear of the same core by somebody else is not our read either. */
static void other_agent_clears(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, CORE3 | PLR_COMMAND_WRITE),
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, CORE3), FAKE_READ(DATA, 0),
	};
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 3, 0, 0);
	fake_plr_done(fake);
}

/* A part that clears the register when it is done is as good. */
static void no_echo_is_accepted(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, BUSY | CORE3), FAKE_READ(IF, 0),
		FAKE_READ(DATA, POWER),
		FAKE_WRITE(IF, BUSY), FAKE_READ(IF, 0), FAKE_READ(DATA, POWER),
		FAKE_WRITE(IF, BUSY | CORE4), FAKE_READ(IF, 0), FAKE_READ(DATA, 0),
	};
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 3, 0, POWER);
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 0, 0, POWER);
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 4, 0, 0);
	fake_plr_done(fake);
}

/* Writes have no effect: whatever the data register holds is not an answer. */
static void ignored_commands(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, 0),
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, 0),
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, 0),
	};
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 3, -EOPNOTSUPP, UNTOUCHED);
	fake_plr_done(fake);
}

/* Blocked after they had an effect: the register stays as it was. */
static void commands_ignored_later(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_WRITE(IF, BUSY | CORE4), FAKE_READ(IF, BUSY | CORE4), FAKE_READ(IF, CORE4),
		FAKE_READ(DATA, POWER),
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, CORE4),
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, CORE4),
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, CORE4),
	};
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 4, 0, POWER);
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 3, -EOPNOTSUPP, UNTOUCHED);
	fake_plr_done(fake);
}

/* A read of core 0 is all zero, as the register may be that ignores it. */
static void core_0_is_not_believed_unproven(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_WRITE(IF, BUSY | CORE1), FAKE_READ(IF, 0),
		FAKE_WRITE(IF, BUSY | CORE1), FAKE_READ(IF, 0),
		FAKE_WRITE(IF, BUSY | CORE1), FAKE_READ(IF, 0),
	};
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 0, -EOPNOTSUPP, UNTOUCHED);
	fake_plr_done(fake);
}

/* Another command shows that they arrive, once for ever. */
static void core_0_is_proven_once(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_WRITE(IF, BUSY | CORE1), FAKE_READ(IF, CORE1),
		FAKE_WRITE(IF, BUSY), FAKE_READ(IF, 0), FAKE_READ(DATA, POWER),
		FAKE_WRITE(IF, BUSY), FAKE_READ(IF, 0), FAKE_READ(DATA, 0),
	};
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 0, 0, POWER);
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 0, 0, 0);
	fake_plr_done(fake);
}

/* On a part that echoes, zero is somebody's read of core 0. */
static void zero_after_an_echo_is_foreign(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, CORE3), FAKE_READ(DATA, POWER),
		FAKE_WRITE(IF, BUSY | CORE4), FAKE_READ(IF, 0),
		FAKE_WRITE(IF, BUSY | CORE4), FAKE_READ(IF, CORE4), FAKE_READ(DATA, 0),
	};
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 3, 0, POWER);
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 4, 0, 0);
	fake_plr_done(fake);
}

/* Reserved bits of the interface may become anything. */
static void reserved_bits_are_ignored(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_WRITE(IF, BUSY | CORE3), FAKE_READ(IF, CORE3 | 0x7ffffffffff00000ULL),
		FAKE_READ(DATA, POWER),
	};
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	EXPECT_READ(fake, PLR_DOMAIN_CORE, 3, 0, POWER);
	fake_plr_done(fake);
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
	KUNIT_CASE(read_core_is_three_accesses),
	KUNIT_CASE(read_mesh),
	KUNIT_CASE(read_waits_while_busy),
	KUNIT_CASE(stuck_times_out),
	KUNIT_CASE(stuck_is_not_written_again),
	KUNIT_CASE(stuck_heals),
	KUNIT_CASE(lost_cpu_is_not_a_timeout),
	KUNIT_CASE(gone_at_the_interface),
	KUNIT_CASE(gone_at_the_data),
	KUNIT_CASE(other_agent_once),
	KUNIT_CASE(other_agent_for_ever),
	KUNIT_CASE(other_agent_clears),
	KUNIT_CASE(no_echo_is_accepted),
	KUNIT_CASE(ignored_commands),
	KUNIT_CASE(commands_ignored_later),
	KUNIT_CASE(core_0_is_not_believed_unproven),
	KUNIT_CASE(core_0_is_proven_once),
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
