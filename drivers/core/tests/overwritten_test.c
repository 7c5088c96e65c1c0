// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check what is done about another program that writes the control of a box that
 * counts: an event that ran for a second or longer has one control read when it
 * stops, and each tick reads one.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "rig.h"
#include "suites.h"

#define CTL(n)	(0x40 + 4 * (n))
#define CTR(n)	(8 + 8 * (n))
#define SECOND_NS	1000000000ULL

static void ctl_is(struct rig *t, unsigned int i, u32 val)
{
	fake_read_bytes(&t->fake, CTL(i), val, 4);
}

static void expect_found(struct rig *t, unsigned int disturbed)
{
	KUNIT_EXPECT_EQ(t->fake.test, t->bank.disturbed, disturbed);
	KUNIT_EXPECT_EQ(t->fake.test, t->changes, disturbed);
	KUNIT_EXPECT_EQ(t->fake.test, t->bank.restarts, 0U);
	KUNIT_EXPECT_EQ(t->fake.test, t->bank.lost, 0U);
}

/* Event 0 ends, and others count on; it has 7. */
static void end_one(struct rig *t)
{
	del(t, 0);
	fake_write(&t->fake, CTL(0), 0, 4);
	fake_read(&t->fake, CTR(0), 7);
	apply(t);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[0].count, 7ULL);
}

/* Those from number @first on end, and nothing counts any more. */
static void end_all(struct rig *t, unsigned int first)
{
	unsigned int i;

	fake_write(&t->fake, 0, FREEZE, 4);
	for (i = first; i < 4; i++) {
		del(t, i);
		fake_read(&t->fake, CTR(i), 7);
	}
	apply(t);
	for (i = first; i < 4; i++)
		KUNIT_EXPECT_EQ(t->fake.test, t->ev[i].count, 7ULL);
}

/* Below a second no access more, whatever the control holds. */
static void a_short_event_costs_nothing(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_four(test, t);
	fake_time += SECOND_NS * 9 / 10;
	end_one(t);
	end_all(t, 1);
	expect_found(t, 0);
}

/* From a second on one access, whatever the number of events. */
static void a_long_event_is_verified(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_four(test, t);
	fake_time += SECOND_NS;
	ctl_is(t, 0, 1);
	end_one(t);
	ctl_is(t, 1, 2);
	end_all(t, 1);
	expect_found(t, 0);
}

/* The second is counted from the start on, whatever was read meanwhile. */
static void readings_do_not_matter(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	start_four(test, t);
	for (i = 0; i < 2; i++) {
		fake_time += SECOND_NS / 2;
		fake_read(&t->fake, CTR(0), 5);
		pmon_bank_read(&t->bank, &t->ev[0].event);
	}
	fake_done(&t->fake);
	ctl_is(t, 0, 1);
	end_one(t);
	expect_found(t, 0);
}

/* Of one that has just begun and one that is older the older one is read. */
static void the_older_event_is_verified(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_four(test, t);
	end_one(t);
	fake_time += SECOND_NS;
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	t->ev[0].count = 0;
	fake_write(&t->fake, CTL(0), 1, 4);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].event.counted_on, 0);

	ctl_is(t, 1, 2);
	fake_write(&t->fake, 0, FREEZE, 4);
	fake_read(&t->fake, CTR(0), 9);
	fake_read(&t->fake, CTR(1), 7);
	fake_read(&t->fake, CTR(2), 7);
	fake_read(&t->fake, CTR(3), 7);
	del(t, 0);
	del(t, 1);
	del(t, 2);
	del(t, 3);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 2ULL);
	expect_found(t, 0);
}

static const struct {
	const char *what;
	u32 ctl;
	unsigned int found;
} controls[] = {
	{ "as it was written", 1, 0 },
	{ "another event", 2, 1 },
	{ "cleared", 0, 1 },
	{ "one more bit", 0x80000001, 1 },
	{ "no response", U32_MAX, 0 },
};

/* The count is kept, and disturbed once: all in it may not be the event's. */
static void what_the_control_holds(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(controls); i++) {
		struct rig *t = rig_new(test, &imc, false);

		start_four(test, t);
		fake_time += SECOND_NS;
		ctl_is(t, 0, controls[i].ctl);
		end_one(t);
		expect_found(t, controls[i].found);

		t = rig_new(test, &imc, false);
		start_four(test, t);
		fake_time += SECOND_NS;
		ctl_is(t, 0, controls[i].ctl);
		end_all(t, 0);
		expect_found(t, controls[i].found);
	}
}

/* One event makes room for another: that is an end, too. */
static void an_event_is_replaced(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_four(test, t);
	fake_time += SECOND_NS;
	del(t, 0);
	config(t, 4, 0x5, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 4));
	ctl_is(t, 0, 0x99);
	fake_write(&t->fake, CTL(0), 0, 4);
	fake_read(&t->fake, CTR(0), 7);
	fake_write(&t->fake, CTL(0), 0x5, 4);
	apply(t);
	expect_found(t, 1);
}

/* An event takes over the counter of one with the same control: no end. */
static void a_control_is_taken_over(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_four(test, t);
	fake_time += SECOND_NS;
	del(t, 0);
	config(t, 4, 0x1, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 4));
	fake_read(&t->fake, CTR(0), 7);
	apply(t);
	expect_found(t, 0);
}

/* perf takes events off and puts them on again: no end, and no access. */
static void an_event_that_comes_back(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	start_four(test, t);
	fake_time += SECOND_NS;
	for (i = 0; i < 4; i++)
		del(t, i);
	for (i = 0; i < 4; i++)
		KUNIT_ASSERT_TRUE(test, add(t, i));
	apply(t);
	expect_found(t, 0);
}

static struct kunit_case overwritten_tests[] = {
	KUNIT_CASE(a_short_event_costs_nothing),
	KUNIT_CASE(a_long_event_is_verified),
	KUNIT_CASE(readings_do_not_matter),
	KUNIT_CASE(the_older_event_is_verified),
	KUNIT_CASE(what_the_control_holds),
	KUNIT_CASE(an_event_is_replaced),
	KUNIT_CASE(a_control_is_taken_over),
	KUNIT_CASE(an_event_that_comes_back),
	{ }
};

struct kunit_suite pmon_overwritten_suite = {
	.name = "pmon_overwritten",
	.test_cases = overwritten_tests,
};
