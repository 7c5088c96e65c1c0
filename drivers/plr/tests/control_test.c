// SPDX-License-Identifier: GPL-2.0-only
/* The control interface against a script: the exact accesses of the question. */
#include <linux/errno.h>
#include <linux/limits.h>

#include "../control.h"
#include "fake.h"
#include "suites.h"

#define STATUS	0x00
#define COMMAND	0x08
#define DATA	0x0c

#define FREE	0ULL
#define OURS	0x10ULL
#define FOREIGN	0x20ULL
#define RUN	0x20001ULL
#define DONE	0x4010ULL
#define FAILED	0x9010ULL
#define GIVE	0x40ULL
#define ASK	0x00000c0000000010ULL

/* State: locked, enabled, feature 0x0c; and blocked for writes, for reads. */
#define STATE_OPEN	0x80000c01ULL
#define STATE_WRITE	0x80000c11ULL
#define STATE_READ	0x80000c21ULL

static int ask_owing(struct kunit *test, const struct fake_access *script, size_t length,
		     bool *owed)
{
	struct fake_plr *fake = fake_plr_new(test);
	int ret;

	fake->any_width = true;
	fake_plr_script(fake, script, length);
	ret = plr_control_is_blocked(&fake->regs, fake_plr_wait(), 0x0c, owed);
	fake_plr_done(fake);

	return ret;
}

/* Nothing was owed before, nor is after. */
static int ask(struct kunit *test, const struct fake_access *script, size_t length)
{
	bool owed = false;
	int ret = ask_owing(test, script, length, &owed);

	KUNIT_EXPECT_FALSE(test, owed);

	return ret;
}

static void writes_are_blocked(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_READ(STATUS, FREE), FAKE_WRITE(COMMAND, ASK), FAKE_READ(STATUS, OURS),
		FAKE_WRITE(STATUS, RUN), FAKE_READ(STATUS, OURS | 1), FAKE_READ(STATUS, DONE),
		FAKE_READ(DATA, STATE_WRITE), FAKE_WRITE(STATUS, GIVE),
	};

	KUNIT_EXPECT_EQ(test, ask(test, script, ARRAY_SIZE(script)), 1);
}

static void writes_are_not_blocked(struct kunit *test)
{
	static const struct fake_access open[] = {
		FAKE_READ(STATUS, FREE), FAKE_WRITE(COMMAND, ASK), FAKE_READ(STATUS, OURS),
		FAKE_WRITE(STATUS, RUN), FAKE_READ(STATUS, OURS | 1), FAKE_READ(STATUS, DONE),
		FAKE_READ(DATA, STATE_OPEN), FAKE_WRITE(STATUS, GIVE),
	};
	static const struct fake_access reads[] = {
		FAKE_READ(STATUS, FREE), FAKE_WRITE(COMMAND, ASK), FAKE_READ(STATUS, OURS),
		FAKE_WRITE(STATUS, RUN), FAKE_READ(STATUS, OURS | 1), FAKE_READ(STATUS, DONE),
		FAKE_READ(DATA, STATE_READ), FAKE_WRITE(STATUS, GIVE),
	};

	KUNIT_EXPECT_EQ(test, ask(test, open, ARRAY_SIZE(open)), 0);
	KUNIT_EXPECT_EQ(test, ask(test, reads, ARRAY_SIZE(reads)), 0);
}

/* The interface is given back whatever it says. */
static void no_answer_is_none(struct kunit *test)
{
	static const struct fake_access failed[] = {
		FAKE_READ(STATUS, FREE), FAKE_WRITE(COMMAND, ASK), FAKE_READ(STATUS, OURS),
		FAKE_WRITE(STATUS, RUN), FAKE_READ(STATUS, OURS | 1),
		FAKE_READ(STATUS, FAILED), FAKE_WRITE(STATUS, GIVE),
	};
	static const struct fake_access other[] = {
		FAKE_READ(STATUS, FREE), FAKE_WRITE(COMMAND, ASK), FAKE_READ(STATUS, OURS),
		FAKE_WRITE(STATUS, RUN), FAKE_READ(STATUS, OURS | 1), FAKE_READ(STATUS, DONE),
		FAKE_READ(DATA, 0x80000211), FAKE_WRITE(STATUS, GIVE),
	};

	KUNIT_EXPECT_EQ(test, ask(test, failed, ARRAY_SIZE(failed)), -EPROTO);
	KUNIT_EXPECT_EQ(test, ask(test, other, ARRAY_SIZE(other)), -EPROTO);
}

/* Another owner's mailbox is not touched, and not waited for without an end. */
static void another_owner(struct kunit *test)
{
	/* Looked at every millisecond, twenty times. */
	static const struct fake_access always[] = {
		FAKE_READS(STATUS, FOREIGN, 20),
	};
	/* For a second, which firmware has: from its beginning to its end. */
	static const struct fake_access before_us[] = {
		FAKE_READ(STATUS, FREE), FAKE_WRITE(COMMAND, ASK),
		FAKE_READS(STATUS, FOREIGN, 1001),
	};

	u64 start = fake_plr_now();

	KUNIT_EXPECT_EQ(test, ask(test, always, ARRAY_SIZE(always)), -EBUSY);
	KUNIT_EXPECT_EQ(test, fake_plr_now() - start, 20 * 1000000ULL);
	KUNIT_EXPECT_EQ(test, ask(test, before_us, ARRAY_SIZE(before_us)), -EBUSY);
}

/* Firmware may take a second to grant the mailbox, and another to run it. */
static void firmware_takes_its_time(struct kunit *test)
{
	static const struct fake_access grant[] = {
		FAKE_READ(STATUS, FREE), FAKE_WRITE(COMMAND, ASK), FAKE_READS(STATUS, FREE, 25),
		FAKE_READ(STATUS, OURS), FAKE_WRITE(STATUS, RUN), FAKE_READ(STATUS, DONE),
		FAKE_READ(DATA, STATE_WRITE), FAKE_WRITE(STATUS, GIVE),
	};
	static const struct fake_access both[] = {
		FAKE_READ(STATUS, FREE), FAKE_WRITE(COMMAND, ASK), FAKE_READS(STATUS, FREE, 1000),
		FAKE_READ(STATUS, OURS), FAKE_WRITE(STATUS, RUN),
		FAKE_READS(STATUS, OURS | 1, 1000), FAKE_READ(STATUS, DONE),
		FAKE_READ(DATA, STATE_OPEN), FAKE_WRITE(STATUS, GIVE),
	};

	KUNIT_EXPECT_EQ(test, ask(test, grant, ARRAY_SIZE(grant)), 1);
	KUNIT_EXPECT_EQ(test, ask(test, both, ARRAY_SIZE(both)), 0);
}

/*
 * A request that is not granted in time may be granted later: whoever comes
 * next gives the mailbox back, and asks anew. Until then nobody waits for a
 * second again.
 */
static void granted_too_late(struct kunit *test)
{
	static const struct fake_access never[] = {
		FAKE_READ(STATUS, FREE), FAKE_WRITE(COMMAND, ASK),
		FAKE_READS(STATUS, FREE, 1001),
	};
	static const struct fake_access still_not[] = {
		FAKE_READ(STATUS, FREE), FAKE_READ(STATUS, FREE), FAKE_WRITE(COMMAND, ASK),
		FAKE_READS(STATUS, FREE, 20),
	};
	static const struct fake_access others[] = {
		FAKE_READ(STATUS, FOREIGN), FAKE_READS(STATUS, FOREIGN, 20),
	};
	static const struct fake_access late[] = {
		FAKE_READ(STATUS, OURS), FAKE_WRITE(STATUS, GIVE),
		FAKE_READ(STATUS, FREE), FAKE_WRITE(COMMAND, ASK), FAKE_READS(STATUS, FREE, 25),
		FAKE_READ(STATUS, OURS), FAKE_WRITE(STATUS, RUN), FAKE_READ(STATUS, DONE),
		FAKE_READ(DATA, STATE_WRITE), FAKE_WRITE(STATUS, GIVE),
	};
	bool owed = false;

	KUNIT_EXPECT_EQ(test, ask_owing(test, never, ARRAY_SIZE(never), &owed), -EBUSY);
	KUNIT_EXPECT_TRUE(test, owed);
	KUNIT_EXPECT_EQ(test, ask_owing(test, still_not, ARRAY_SIZE(still_not), &owed), -EBUSY);
	KUNIT_EXPECT_EQ(test, ask_owing(test, others, ARRAY_SIZE(others), &owed), -EBUSY);
	KUNIT_EXPECT_TRUE(test, owed);
	KUNIT_EXPECT_EQ(test, ask_owing(test, late, ARRAY_SIZE(late), &owed), 1);
	KUNIT_EXPECT_FALSE(test, owed);
}

/* One that comes while it is waited for is run like any other. */
static void granted_while_owed(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_READ(STATUS, FREE), FAKE_READ(STATUS, FREE), FAKE_WRITE(COMMAND, ASK),
		FAKE_READS(STATUS, FREE, 19), FAKE_READ(STATUS, OURS), FAKE_WRITE(STATUS, RUN),
		FAKE_READ(STATUS, DONE), FAKE_READ(DATA, STATE_OPEN), FAKE_WRITE(STATUS, GIVE),
	};
	bool owed = true;

	KUNIT_EXPECT_EQ(test, ask_owing(test, script, ARRAY_SIZE(script), &owed), 0);
	KUNIT_EXPECT_FALSE(test, owed);
}

/* Firmware need not take the mailbox back while it runs. */
static void runs_too_long(struct kunit *test)
{
	static const struct fake_access busy[] = {
		FAKE_READ(STATUS, FREE), FAKE_WRITE(COMMAND, ASK), FAKE_READ(STATUS, OURS),
		FAKE_WRITE(STATUS, RUN), FAKE_READS(STATUS, OURS | 1, 1001),
		FAKE_WRITE(STATUS, GIVE),
	};
	static const struct fake_access still_busy[] = {
		FAKE_READ(STATUS, OURS | 1), FAKE_READS(STATUS, OURS | 1, 20),
	};
	static const struct fake_access late[] = {
		FAKE_READ(STATUS, DONE), FAKE_WRITE(STATUS, GIVE),
		FAKE_READ(STATUS, FREE), FAKE_WRITE(COMMAND, ASK), FAKE_READ(STATUS, OURS),
		FAKE_WRITE(STATUS, RUN), FAKE_READ(STATUS, DONE),
		FAKE_READ(DATA, STATE_OPEN), FAKE_WRITE(STATUS, GIVE),
	};
	bool owed = false;

	KUNIT_EXPECT_EQ(test, ask_owing(test, busy, ARRAY_SIZE(busy), &owed), -EBUSY);
	KUNIT_EXPECT_TRUE(test, owed);
	KUNIT_EXPECT_EQ(test, ask_owing(test, still_busy, ARRAY_SIZE(still_busy), &owed), -EBUSY);
	KUNIT_EXPECT_TRUE(test, owed);
	KUNIT_EXPECT_EQ(test, ask_owing(test, late, ARRAY_SIZE(late), &owed), 0);
	KUNIT_EXPECT_FALSE(test, owed);
}

/* The device is let go of: what is owed is given back, and nothing waited for. */
static void settled_in_the_end(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_READ(STATUS, FREE), FAKE_READ(STATUS, FOREIGN), FAKE_READ(STATUS, OURS | 1),
		FAKE_READ(STATUS, U64_MAX), FAKE_READ(STATUS, OURS), FAKE_WRITE(STATUS, GIVE),
	};
	struct fake_plr *fake = fake_plr_new(test);
	unsigned int look;
	bool owed = true;

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	for (look = 0; look < 4; look++) {
		plr_control_settle(&fake->regs, &owed);
		KUNIT_EXPECT_TRUE(test, owed);
	}
	plr_control_settle(&fake->regs, &owed);
	KUNIT_EXPECT_FALSE(test, owed);
	plr_control_settle(&fake->regs, &owed);
	fake_plr_done(fake);
}

static void device_is_gone(struct kunit *test)
{
	static const struct fake_access before[] = {
		FAKE_READ(STATUS, U64_MAX),
	};
	static const struct fake_access asked[] = {
		FAKE_READ(STATUS, FREE), FAKE_WRITE(COMMAND, ASK), FAKE_READ(STATUS, U64_MAX),
	};
	static const struct fake_access running[] = {
		FAKE_READ(STATUS, FREE), FAKE_WRITE(COMMAND, ASK), FAKE_READ(STATUS, OURS),
		FAKE_WRITE(STATUS, RUN), FAKE_READ(STATUS, U64_MAX), FAKE_WRITE(STATUS, GIVE),
	};
	bool owed = false;

	KUNIT_EXPECT_EQ(test, ask(test, before, ARRAY_SIZE(before)), -EIO);
	/* Reads may be blocked for a while only. */
	KUNIT_EXPECT_EQ(test, ask_owing(test, asked, ARRAY_SIZE(asked), &owed), -EIO);
	KUNIT_EXPECT_TRUE(test, owed);
	owed = false;
	KUNIT_EXPECT_EQ(test, ask_owing(test, running, ARRAY_SIZE(running), &owed), -EIO);
	KUNIT_EXPECT_TRUE(test, owed);
}

static struct kunit_case plr_control_cases[] = {
	KUNIT_CASE(writes_are_blocked),
	KUNIT_CASE(writes_are_not_blocked),
	KUNIT_CASE(no_answer_is_none),
	KUNIT_CASE(another_owner),
	KUNIT_CASE(firmware_takes_its_time),
	KUNIT_CASE(granted_too_late),
	KUNIT_CASE(granted_while_owed),
	KUNIT_CASE(runs_too_long),
	KUNIT_CASE(settled_in_the_end),
	KUNIT_CASE(device_is_gone),
	{}
};

struct kunit_suite plr_control_suite = {
	.name = "plr_control",
	.test_cases = plr_control_cases,
};
