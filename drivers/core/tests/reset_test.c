// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a reset is not trusted to clear: the fixed counter, and the high halves
 * of controls that are reached in halves.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "rig.h"
#include "suites.h"

#define FIXED_CTL	0x54
#define FIXED_CTR	0x38
#define FIXED_ON	0x400000
/* What another program left in a counter of 48 bits. */
#define LEFT		0x7654321fedcbULL

#define HIGH		BIT_ULL(40)

/* It is read once, armed and frozen, and counts from there. */
static void the_fixed_counter_starts_anywhere(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	config(t, 0, 0xff, 0);
	add(t, 0);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, FIXED_CTL, FIXED_ON, 4);
	fake_read(&t->fake, FIXED_CTR, LEFT);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);
	fake_read(&t->fake, FIXED_CTR, LEFT + 7);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 7ULL);

	del(t, 0);
	fake_write(&t->fake, 0, FREEZE, 4);
	fake_read(&t->fake, FIXED_CTR, LEFT + 10);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 10ULL);

	/* Another reset, and again nothing is known. */
	add(t, 0);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, FIXED_CTL, FIXED_ON, 4);
	fake_read(&t->fake, FIXED_CTR, 0);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);
	fake_read(&t->fake, FIXED_CTR, 5);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 15ULL);
}

/* Also in a box that others have set up; after that its value is known. */
static void the_fixed_counter_joins_others(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_four(test, t);
	config(t, 4, 0xff, 0);
	add(t, 4);
	fake_read(&t->fake, FIXED_CTR, LEFT);
	fake_write(&t->fake, FIXED_CTL, FIXED_ON, 4);
	apply(t);
	del(t, 4);
	fake_write(&t->fake, FIXED_CTL, 0, 4);
	fake_read(&t->fake, FIXED_CTR, LEFT + 3);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[4].count, 3ULL);

	add(t, 4);
	fake_write(&t->fake, FIXED_CTL, FIXED_ON, 4);
	apply(t);
	fake_read(&t->fake, FIXED_CTR, LEFT + 4);
	pmon_bank_read(&t->bank, &t->ev[4].event);
	KUNIT_EXPECT_EQ(test, t->ev[4].count, 4ULL);
}

static void no_answer_is_no_start(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	config(t, 0, 0xff, 0);
	add(t, 0);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, FIXED_CTL, FIXED_ON, 4);
	fake_read(&t->fake, FIXED_CTR, ~0ULL);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);
	fake_read(&t->fake, FIXED_CTR, 9);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 9ULL);
}

/* One event on counter 0, whose control is written with so many bytes. */
static void starts(struct rig *t, u64 ctl, u8 bytes)
{
	config(t, 0, ctl, 0);
	add(t, 0);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0x38, ctl, bytes);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);
}

static void stops(struct rig *t)
{
	del(t, 0);
	fake_write(&t->fake, 0, FREEZE, 4);
	fake_read(&t->fake, 8, 0);
	apply(t);
}

static void high_halves_are_written_once(struct kunit *test)
{
	struct rig *t = rig_new(test, &upi, true);

	starts(t, 0x1, 8);
	stops(t);
	starts(t, 0x2, 4);
	stops(t);
	/* a bit up there may survive the reset */
	starts(t, 0x1 | HIGH, 8);
	stops(t);
	starts(t, 0x1 | HIGH, 8);
	stops(t);
	starts(t, 0x2, 8);
	stops(t);
	starts(t, 0x2, 4);
	stops(t);
}

/* Each control has a high half of its own. */
static void high_halves_are_apart(struct kunit *test)
{
	struct rig *t = rig_new(test, &upi, true);
	unsigned int i;

	/* Two that a reset may leave, and what takes their place */
	for (i = 0; i < 2; i++) {
		config(t, i, (1 + i) | HIGH, 0);
		KUNIT_ASSERT_TRUE(test, add(t, i));
	}
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0x38, 0x1 | HIGH, 8);
	fake_write(&t->fake, 0x40, 0x2 | HIGH, 8);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);
	for (i = 0; i < 2; i++)
		del(t, i);
	fake_write(&t->fake, 0, FREEZE, 4);
	fake_read(&t->fake, 8, 0);
	fake_read(&t->fake, 0x10, 0);
	apply(t);
	for (i = 0; i < 2; i++) {
		config(t, i, 1 + i, 0);
		KUNIT_ASSERT_TRUE(test, add(t, i));
	}
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0x38, 0x1, 8);
	fake_write(&t->fake, 0x40, 0x2, 8);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);

	/* One is written alone: the other one's is known as it was. */
	for (i = 0; i < 2; i++) {
		del(t, i);
		config(t, 2 + i, 5 + i, 0);
		t->ev[2 + i].event.allowed = BIT_ULL(i);
		KUNIT_ASSERT_TRUE(test, add(t, 2 + i));
		fake_write(&t->fake, 0x38 + 8 * i, 0, 4);
		fake_read(&t->fake, 8 + 8 * i, 0);
		fake_write(&t->fake, 0x38 + 8 * i, 5 + i, 4);
		apply(t);
	}
}

/* What others do with the box is not known. */
static void high_halves_after_others(struct kunit *test)
{
	struct rig *t = rig_new(test, &upi, true);

	starts(t, 0x1, 8);
	/* a reset, found by the tick */
	fake_read_bytes(&t->fake, 0x38, 0, 8);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0x38, 0x1, 8);
	fake_write(&t->fake, 0, RUN, 4);
	pmon_bank_tick(&t->bank);
	fake_done(&t->fake);
	stops(t);

	/* handed back, and used again */
	fake_read_bytes(&t->fake, 0x38, 0x1, 8);
	fake_read_bytes(&t->fake, 0x40, 0, 8);
	fake_read_bytes(&t->fake, 0x48, 0, 8);
	fake_read_bytes(&t->fake, 0x50, 0, 8);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0, RUN, 4);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
	starts(t, 0x1, 8);
}

/*
 * How often such a box, whose controls have these bits, was found disturbed, as
 * it is handed back.
 */
static unsigned int found_in(struct kunit *test, u64 bits, u64 used,
			     u64 unused)
{
	struct rig *t = rig_new(test, &upi, true);
	/* Of a control without an event in its high half the low one is read. */
	unsigned int bytes = bits >> 32 ? 8 : 4;
	u64 half = bits >> 32 ? ~0ULL : U32_MAX;

	t->bank.ctl_event = bits;
	starts(t, 0x1, 8);
	stops(t);
	fake_read_bytes(&t->fake, 0x38, used & half, bytes);
	fake_read_bytes(&t->fake, 0x40, unused & half, bytes);
	fake_read_bytes(&t->fake, 0x48, 0, bytes);
	fake_read_bytes(&t->fake, 0x50, 0, bytes);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0, RUN, 4);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
	return t->bank.disturbed;
}

/* What was there before us in a high half, and is there still, is no change. */
static void high_halves_may_be_left(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, found_in(test, ~0ULL, 0x1, 0), 0U);
	KUNIT_EXPECT_EQ(test, found_in(test, ~0ULL, 0x1, HIGH), 0U);
	KUNIT_EXPECT_EQ(test, found_in(test, ~0ULL, 0x1, HIGH | 0x2), 1U);
	KUNIT_EXPECT_EQ(test, found_in(test, ~0ULL, 0x1 | HIGH, 0), 1U);
	/* nor are bits that controls do not have */
	KUNIT_EXPECT_EQ(test, found_in(test, 0xff, 0x1, HIGH | 0x100), 0U);
	KUNIT_EXPECT_EQ(test, found_in(test, 0xff, 0x1, HIGH | 0x2), 1U);
}

static struct kunit_case reset_cases[] = {
	KUNIT_CASE(the_fixed_counter_starts_anywhere),
	KUNIT_CASE(the_fixed_counter_joins_others),
	KUNIT_CASE(no_answer_is_no_start),
	KUNIT_CASE(high_halves_are_written_once),
	KUNIT_CASE(high_halves_are_apart),
	KUNIT_CASE(high_halves_after_others),
	KUNIT_CASE(high_halves_may_be_left),
	{ }
};

struct kunit_suite pmon_reset_suite = {
	.name = "pmon_reset",
	.test_cases = reset_cases,
};
