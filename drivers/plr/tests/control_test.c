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

static int ask(struct kunit *test, const struct fake_access *script, size_t length, bool repeat)
{
	struct fake_plr *fake = fake_plr_new(test);
	int ret;

	fake->any_width = true;
	fake_plr_script(fake, script, length);
	fake->repeat = repeat;
	ret = plr_control_is_blocked(&fake->regs, fake_plr_wait(), 0x0c);
	if (!repeat)
		fake_plr_done(fake);

	return ret;
}

static void writes_are_blocked(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_READ(STATUS, FREE), FAKE_WRITE(COMMAND, ASK), FAKE_READ(STATUS, OURS),
		FAKE_WRITE(STATUS, RUN), FAKE_READ(STATUS, OURS | 1), FAKE_READ(STATUS, DONE),
		FAKE_READ(DATA, STATE_WRITE), FAKE_WRITE(STATUS, GIVE),
	};

	KUNIT_EXPECT_EQ(test, ask(test, script, ARRAY_SIZE(script), false), 1);
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

	KUNIT_EXPECT_EQ(test, ask(test, open, ARRAY_SIZE(open), false), 0);
	KUNIT_EXPECT_EQ(test, ask(test, reads, ARRAY_SIZE(reads), false), 0);
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

	KUNIT_EXPECT_EQ(test, ask(test, failed, ARRAY_SIZE(failed), false), -EPROTO);
	KUNIT_EXPECT_EQ(test, ask(test, other, ARRAY_SIZE(other), false), -EPROTO);
}

/* Another owner's mailbox is not touched, and not waited for without an end. */
static void another_owner(struct kunit *test)
{
	/* Looked at every millisecond, twenty times. */
	static const struct fake_access always[] = {
		FAKE_READS(STATUS, FOREIGN, 20),
	};
	static const struct fake_access before_us[] = {
		FAKE_READ(STATUS, FREE), FAKE_WRITE(COMMAND, ASK), FAKE_READ(STATUS, FOREIGN),
	};

	u64 start = fake_plr_now();

	KUNIT_EXPECT_EQ(test, ask(test, always, ARRAY_SIZE(always), false), -EBUSY);
	KUNIT_EXPECT_EQ(test, fake_plr_now() - start, 20 * 1000000ULL);
	KUNIT_EXPECT_EQ(test, ask(test, before_us, ARRAY_SIZE(before_us), true), -EBUSY);
}

static void device_is_gone(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_READ(STATUS, U64_MAX),
	};

	KUNIT_EXPECT_EQ(test, ask(test, script, ARRAY_SIZE(script), false), -EIO);
}

static struct kunit_case plr_control_cases[] = {
	KUNIT_CASE(writes_are_blocked),
	KUNIT_CASE(writes_are_not_blocked),
	KUNIT_CASE(no_answer_is_none),
	KUNIT_CASE(another_owner),
	KUNIT_CASE(device_is_gone),
	{}
};

struct kunit_suite plr_control_suite = {
	.name = "plr_control",
	.test_cases = plr_control_cases,
};
