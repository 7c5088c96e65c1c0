// SPDX-License-Identifier: GPL-2.0-only
/*
 * Controls that do not have all bits which their kind has elsewhere. Writing
 * one starts the event; reading it gives 0 for the bits that are not there, and
 * that is neither a reset nor another program.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "rig.h"
#include "suites.h"

/*
 * As cha_counters of rig.c: MSRs, a Ubox with thresholds of five bits. The
 * numbers are those of SNBEP_U_MSR_PMON_CTL_TRESH_MASK in uncore_snbep.h.
 */
#define EVENT		0xffffULL
#define HAS		0x1f84ffffULL
#define THRESH_32	0x20000000ULL
#define THRESH_1	0x01000000ULL
#define PLAIN		0x142ULL
#define CTL(i)		(2 + (i))
#define CTR(i)		(8 + (i))

static struct rig *ubox(struct kunit *test)
{
	struct rig *t = rig_new(test, &cha, false);

	t->bank.ctl_event = EVENT;
	return t;
}

/* Events with these controls run on counters 0 and 1. */
static void start_two(struct kunit *test, struct rig *t, u64 first, u64 second)
{
	config(t, 0, first, 0);
	config(t, 1, second, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	KUNIT_ASSERT_TRUE(test, add(t, 1));
	fake_write(&t->fake, 0, RESET, 8);
	fake_write(&t->fake, CTL(0), first, 8);
	fake_write(&t->fake, CTL(1), second, 8);
	fake_write(&t->fake, 0, RUN, 8);
	apply(t);
}

/* The lowest control that counts reads as @ctl, and the box counts on. */
static void tick_reads(struct rig *t, u64 ctl, u64 first, u64 second)
{
	fake_read(&t->fake, CTL(0), ctl);
	fake_read(&t->fake, CTR(0), first);
	fake_read(&t->fake, CTR(1), second);
	pmon_bank_tick(&t->bank);
	fake_done(&t->fake);
}

/* And so it was reset: it is set up again. */
static void tick_restarts(struct rig *t, u64 ctl, u64 first, u64 second)
{
	fake_read(&t->fake, CTL(0), ctl);
	fake_write(&t->fake, 0, RESET, 8);
	fake_write(&t->fake, CTL(0), first, 8);
	fake_write(&t->fake, CTL(1), second, 8);
	fake_write(&t->fake, 0, RUN, 8);
	pmon_bank_tick(&t->bank);
	fake_done(&t->fake);
}

/* The box is handed back, idle, and its controls read as these. */
static void hand_back(struct rig *t, u64 first, u64 second)
{
	fake_read(&t->fake, CTL(0), first);
	fake_read(&t->fake, CTL(1), second);
	fake_read(&t->fake, CTL(2), 0);
	fake_read(&t->fake, CTL(3), 0);
	fake_write(&t->fake, 0, RESET, 8);
	fake_write(&t->fake, 0, RUN, 8);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
}

static void stop_two(struct rig *t, u64 first, u64 second)
{
	del(t, 0);
	del(t, 1);
	fake_write(&t->fake, 0, FREEZE, 8);
	fake_read(&t->fake, CTR(0), first);
	fake_read(&t->fake, CTR(1), second);
	apply(t);
}

static void nothing_is_lost(struct kunit *test)
{
	u64 asked = PLAIN | THRESH_32;
	struct rig *t = ubox(test);
	unsigned int n;

	start_two(test, t, asked, 0x43);
	for (n = 1; n <= 3; n++)
		tick_reads(t, asked & HAS, 10 * n, 100 * n);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 30ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 300ULL);
	KUNIT_EXPECT_EQ(test, t->bank.lacks, THRESH_32);
	KUNIT_EXPECT_EQ(test, t->lacks, 1U);

	stop_two(t, 40, 400);
	hand_back(t, asked & HAS, 0x43);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 400ULL);
	KUNIT_EXPECT_EQ(test, t->lacks, 1U);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);
	KUNIT_EXPECT_EQ(test, t->changes, 0U);
}

/* The tick reads the lowest control only: this one was never looked at. */
static void found_at_hand_back(struct kunit *test)
{
	u64 asked = PLAIN | THRESH_32;
	struct rig *t = ubox(test);

	start_two(test, t, 0x43, asked);
	tick_reads(t, 0x43, 1, 1);
	stop_two(t, 2, 2);
	hand_back(t, 0x43, asked & HAS);
	KUNIT_EXPECT_EQ(test, t->lacks, 1U);
	KUNIT_EXPECT_EQ(test, t->bank.lacks, THRESH_32);
	KUNIT_EXPECT_EQ(test, t->changes, 0U);
}

/* Other bits that lack are another thing to say. */
static void found_one_by_one(struct kunit *test)
{
	u64 first = PLAIN | THRESH_32, second = 0x43 | BIT_ULL(40);
	struct rig *t = ubox(test);

	start_two(test, t, first, second);
	tick_reads(t, first & HAS, 1, 1);
	stop_two(t, 2, 2);
	hand_back(t, first & HAS, second & HAS);
	KUNIT_EXPECT_EQ(test, t->lacks, 2U);
	KUNIT_EXPECT_EQ(test, t->bank.lacks, THRESH_32 | BIT_ULL(40));
	KUNIT_EXPECT_EQ(test, t->changes, 0U);
}

/* Whether its bits were found to lack before or not. */
static void a_reset_is_seen(struct kunit *test)
{
	u64 asked = PLAIN | THRESH_32 | THRESH_1;
	struct rig *t = ubox(test);

	start_two(test, t, asked, 0x43);
	tick_restarts(t, 0, asked, 0x43);
	KUNIT_EXPECT_EQ(test, t->bank.restarts, 1U);
	tick_reads(t, asked & HAS, 5, 6);
	tick_restarts(t, 0, asked, 0x43);
	KUNIT_EXPECT_EQ(test, t->bank.restarts, 2U);
	KUNIT_EXPECT_EQ(test, t->changes, 2U);
	KUNIT_EXPECT_EQ(test, t->lacks, 1U);
}

/* The control of counter 0, with this in it, is found to hold that. */
static unsigned int restarts(struct kunit *test, u64 asked, u64 found)
{
	struct rig *t = ubox(test);

	start_two(test, t, asked, 0x43);
	tick_restarts(t, found, asked, 0x43);
	KUNIT_EXPECT_EQ(test, t->lacks, 0U);
	KUNIT_EXPECT_EQ(test, t->bank.lacks, 0ULL);
	return t->bank.restarts;
}

static void what_others_write_is_seen(struct kunit *test)
{
	/* another event, also one whose bits are a part of ours */
	KUNIT_EXPECT_EQ(test, restarts(test, 0xcf05, 0xcf04), 1U);
	KUNIT_EXPECT_EQ(test, restarts(test, 0xcf05, 0x0305), 1U);
	KUNIT_EXPECT_EQ(test, restarts(test, PLAIN | THRESH_32, 0x141), 1U);
	/* more than was asked for, beside less */
	KUNIT_EXPECT_EQ(test, restarts(test, PLAIN, PLAIN | THRESH_1), 1U);
	KUNIT_EXPECT_EQ(test, restarts(test, PLAIN | THRESH_32,
				       PLAIN | THRESH_1), 1U);
	/* an event of which nothing is left to go by */
	KUNIT_EXPECT_EQ(test, restarts(test, THRESH_32 | THRESH_1, THRESH_1),
			1U);
}

/* What a control has held once, in whichever event, it has. */
static void what_was_held_does_not_lack(struct kunit *test)
{
	u64 asked = PLAIN | THRESH_1, half = 0x143 | THRESH_1;
	struct rig *t = ubox(test);

	start_two(test, t, asked, half);
	tick_reads(t, asked, 1, 1);
	tick_restarts(t, PLAIN, asked, half);
	KUNIT_EXPECT_EQ(test, t->bank.restarts, 1U);
	stop_two(t, 5, 5);
	hand_back(t, asked, 0x143);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 2U);
	KUNIT_EXPECT_EQ(test, t->lacks, 0U);
}

/* Another program may have cleared them just then: they are checked again. */
static void what_is_held_later_did_not_lack(struct kunit *test)
{
	u64 asked = PLAIN | THRESH_1;
	struct rig *t = ubox(test);

	start_two(test, t, asked, 0x43);
	tick_reads(t, PLAIN, 1, 1);
	KUNIT_EXPECT_EQ(test, t->bank.lacks, THRESH_1);
	tick_reads(t, asked, 2, 2);
	KUNIT_EXPECT_EQ(test, t->bank.lacks, 0ULL);
	tick_restarts(t, PLAIN, asked, 0x43);
	KUNIT_EXPECT_EQ(test, t->bank.restarts, 1U);
	KUNIT_EXPECT_EQ(test, t->lacks, 1U);
}

/* A control that did not answer may have missed what was written to it. */
static void silence_shows_nothing(struct kunit *test)
{
	u64 asked = PLAIN | THRESH_32;
	struct rig *t = ubox(test);

	start_two(test, t, asked, 0x43);
	t->bank.doubted = true;
	tick_restarts(t, asked & HAS, asked, 0x43);
	KUNIT_EXPECT_EQ(test, t->lacks, 0U);
	tick_reads(t, asked & HAS, 1, 1);
	KUNIT_EXPECT_EQ(test, t->lacks, 1U);
	/* All-ones is no answer: no bit was held. */
	t->bank.held = 0;
	fake_read(&t->fake, CTL(0), ~0ULL);
	fake_read(&t->fake, CTR(0), 2);
	fake_read(&t->fake, CTR(1), 2);
	pmon_bank_tick(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.held, 0ULL);
	KUNIT_EXPECT_EQ(test, t->bank.lacks, THRESH_32);
}

/* Another device in its place may have them; without events none may lack. */
static void each_box_for_itself(struct kunit *test)
{
	u64 asked = PLAIN | THRESH_32;
	struct rig *t = ubox(test);

	start_two(test, t, asked, 0x43);
	tick_reads(t, asked & HAS, 1, 1);
	pmon_bank_lose(&t->bank);
	pmon_bank_find(&t->bank, &cha, &t->fake.regs);
	KUNIT_EXPECT_EQ(test, t->bank.lacks, 0ULL);
	KUNIT_EXPECT_EQ(test, t->bank.held, 0ULL);

	t->bank.ctl_event = 0;
	fake_write(&t->fake, 0, RESET, 8);
	fake_write(&t->fake, CTL(0), asked, 8);
	fake_write(&t->fake, CTL(1), 0x43, 8);
	fake_write(&t->fake, 0, RUN, 8);
	apply(t);
	tick_restarts(t, asked & HAS, asked, 0x43);
	KUNIT_EXPECT_EQ(test, t->lacks, 1U);
}

static struct kunit_case lacks_cases[] = {
	KUNIT_CASE(nothing_is_lost),
	KUNIT_CASE(found_at_hand_back),
	KUNIT_CASE(found_one_by_one),
	KUNIT_CASE(a_reset_is_seen),
	KUNIT_CASE(what_others_write_is_seen),
	KUNIT_CASE(what_was_held_does_not_lack),
	KUNIT_CASE(what_is_held_later_did_not_lack),
	KUNIT_CASE(silence_shows_nothing),
	KUNIT_CASE(each_box_for_itself),
	{ }
};

struct kunit_suite pmon_lacks_suite = {
	.name = "pmon_lacks",
	.test_cases = lacks_cases,
};
