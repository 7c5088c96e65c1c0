// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is known of filters, in boxes that are frozen and never reset, while
 * another program may reset them.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "cpmu.h"
#include "suites.h"

#define CPMU_FILTER(n)	(0x400 + 0x20 * (n))

static const struct pmon_counter filtered_counters[] = {
	{ .width = 48, .ctl = CPMU_CFG(0), .ctr = CPMU_CTR(0),
	  .filter = CPMU_FILTER(0) },
	{ .width = 48, .ctl = CPMU_CFG(1), .ctr = CPMU_CTR(1),
	  .filter = CPMU_FILTER(1) },
};

static const struct pmon_layout filtered = {
	.protocol = &cpmu_protocol, .counter = filtered_counters, .counters = 2,
	.ctl_bytes = 8, .filter_bytes = 4, .box_ctl = CPMU_BOX,
};

static void want_filtered(struct rig *t, unsigned int i)
{
	want_on(t, i, 1 << 24, 0);
	t->ev[i].event.uses_filter = true;
	t->ev[i].event.filter = 3;
}

/* The first event with a filter has begun at 10 and ended at @end. */
static struct rig *filtered_from_10(struct kunit *test, u64 end)
{
	struct rig *t = box(test, &filtered);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	want_filtered(t, 0);
	fake_write(&t->fake, CPMU_FILTER(0), 3, 4);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 10);
	apply(t);
	end_one(t, 0, end);
	return t;
}

/*
 * A filter is written when it is used for the first time, and again when a
 * counter does not hold what it did as the last event ended: the device was
 * reset, and nothing is known of it.
 */
static void a_reset_while_idle_is_seen(struct kunit *test)
{
	struct rig *t = filtered_from_10(test, 13);

	want_filtered(t, 1);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 13);
	apply(t);
	end_one(t, 1, 15);

	want_filtered(t, 2);
	r(t, CPMU_CTR(0), 0);
	w(t, CPMU_CFG(0), 0);
	w(t, CPMU_CFG(1), 0);
	fake_write(&t->fake, CPMU_FILTER(0), 3, 4);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 0);
	apply(t);
	end_one(t, 2, 2);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 2ULL);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 2ULL);

	/* One that does not answer is asked once more. */
	want_filtered(t, 3);
	r(t, CPMU_CTR(0), ~0ULL);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 2);
	apply(t);
	fake_done(&t->fake);
}

/* It was reset, and the event could not begin: that is not seen once more. */
static void a_reset_is_seen_once(struct kunit *test)
{
	struct rig *t = filtered_from_10(test, 13);

	want_filtered(t, 1);
	r(t, CPMU_CTR(0), 7);
	w(t, CPMU_CFG(0), 0);
	w(t, CPMU_CFG(1), 0);
	fake_write(&t->fake, CPMU_FILTER(0), 3, 4);
	r(t, CPMU_CTR(0), ~0ULL);
	w(t, CPMU_BOX, 0);
	w(t, CPMU_BOX, CPMU_STOP);
	apply(t);
	KUNIT_EXPECT_TRUE(test, t->ev[1].event.failed);
	pmon_bank_set_stopped(&t->bank, &t->ev[1].event, false);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 7);
	apply(t);
}

/* A counter that held 0 holds 0 after a reset, too: that shows nothing. */
static void a_counter_at_0_shows_no_reset(struct kunit *test)
{
	struct rig *t = box(test, &filtered);
	unsigned int i;

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	for (i = 0; i < 3; i++) {
		want_filtered(t, i);
		if (i)
			r(t, CPMU_CTR(0), 0);
		fake_write(&t->fake, CPMU_FILTER(0), 3, 4);
		if (!i)
			r(t, CPMU_CTR(0), 0);
		w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
		w(t, CPMU_BOX, 0);
		apply(t);
		end_one(t, i, i == 2 ? 7 : 0);
	}
	want_filtered(t, 3);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 7);
	apply(t);
}

/* One with a filter begins on counter 1: no other counter is read. */
static void only_its_own_counter_is_read(struct kunit *test)
{
	struct rig *t = box(test, &filtered);
	const u64 ctl = 1 << 24 | CPMU_ENABLE;
	unsigned int i;

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	for (i = 0; i < 2; i++) {
		want_on(t, i, 1 << 24, 1);
		t->ev[i].event.uses_filter = true;
		t->ev[i].event.filter = 3;
		if (!i)
			fake_write(&t->fake, CPMU_FILTER(1), 3, 4);
		expect_one_on(t, 1, ctl, 10);
		apply(t);
		del(t, i);
		w(t, CPMU_CFG(1), 0);
		r(t, CPMU_CTR(1), 10);
		apply(t);
	}
}

/* Two with filters begin on counters 0 and 1, and end at 12 and 22. */
static struct rig *both_filtered(struct kunit *test)
{
	struct rig *t = box(test, &filtered);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	want_filtered(t, 0);
	want_on(t, 1, 2 << 24, 1);
	t->ev[1].event.uses_filter = true;
	fake_write(&t->fake, CPMU_FILTER(0), 3, 4);
	fake_write(&t->fake, CPMU_FILTER(1), 0, 4);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	w(t, CPMU_CFG(1), 2 << 24 | CPMU_ENABLE);
	w(t, CPMU_BOX, CPMU_STOP);
	r(t, CPMU_CTR(0), 10);
	r(t, CPMU_CTR(1), 20);
	w(t, CPMU_BOX, 0);
	apply(t);
	del(t, 0);
	del(t, 1);
	w(t, CPMU_BOX, CPMU_STOP);
	r(t, CPMU_CTR(0), 12);
	r(t, CPMU_CTR(1), 22);
	apply(t);
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	KUNIT_ASSERT_TRUE(test, add(t, 1));
	return t;
}

/* Each is read once more; if one was reset, what is known of both is gone. */
static void two_are_read_as_they_begin(struct kunit *test)
{
	struct rig *t = both_filtered(test);

	r(t, CPMU_CTR(0), 12);
	r(t, CPMU_CTR(1), 22);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	w(t, CPMU_CFG(1), 2 << 24 | CPMU_ENABLE);
	w(t, CPMU_BOX, CPMU_STOP);
	w(t, CPMU_BOX, 0);
	apply(t);

	t = both_filtered(test);
	r(t, CPMU_CTR(0), 0);
	r(t, CPMU_CTR(1), 22);
	fake_write(&t->fake, CPMU_FILTER(0), 3, 4);
	fake_write(&t->fake, CPMU_FILTER(1), 0, 4);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	w(t, CPMU_CFG(1), 2 << 24 | CPMU_ENABLE);
	w(t, CPMU_BOX, CPMU_STOP);
	r(t, CPMU_CTR(0), 0);
	r(t, CPMU_CTR(1), 22);
	w(t, CPMU_BOX, 0);
	apply(t);
}

/* Event @i is to be on counter @i % 2, with filter 3, and select @i + 1. */
/* What counter 0 does not show makes no other filter known. */
static void each_filter_is_known_by_itself(struct kunit *test)
{
	struct rig *t = box(test, &filtered);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	want_filtered(t, 0);
	fake_write(&t->fake, CPMU_FILTER(0), 3, 4);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 0);
	apply(t);
	end_one(t, 0, 0);

	want_filtered(t, 1);
	want_on(t, 2, 2 << 24, 1);
	t->ev[2].event.uses_filter = true;
	r(t, CPMU_CTR(0), 0);
	fake_write(&t->fake, CPMU_FILTER(0), 3, 4);
	fake_write(&t->fake, CPMU_FILTER(1), 0, 4);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	w(t, CPMU_CFG(1), 2 << 24 | CPMU_ENABLE);
	w(t, CPMU_BOX, CPMU_STOP);
	r(t, CPMU_CTR(0), 0);
	r(t, CPMU_CTR(1), 5);
	w(t, CPMU_BOX, 0);
	apply(t);
}

/* An event with a filter begins, and another one without. */
static void one_of_two_has_a_filter(struct kunit *test)
{
	struct rig *t = box(test, &filtered);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	want_on(t, 0, 1 << 24, 0);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 10);
	apply(t);

	del(t, 0);
	want_filtered(t, 1);
	want_on(t, 2, 2 << 24, 1);
	w(t, CPMU_CFG(0), 0);
	r(t, CPMU_CTR(0), 12);
	r(t, CPMU_CTR(1), 20);
	fake_write(&t->fake, CPMU_FILTER(0), 3, 4);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	w(t, CPMU_CFG(1), 2 << 24 | CPMU_ENABLE);
	apply(t);
}

/*
 * Event 0 counts on counter 1, beside it event 1, of which counter 0 is at
 * @value, ends and event 2 begins; @again: its filter is written.
 */
static void beside_another(struct kunit *test, u64 value, u64 later, bool again)
{
	struct rig *t = box(test, &filtered);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	want_on(t, 0, 1 << 24, 1);
	expect_one_on(t, 1, 1 << 24 | CPMU_ENABLE, 100);
	apply(t);
	want_filtered(t, 1);
	r(t, CPMU_CTR(0), 5);
	fake_write(&t->fake, CPMU_FILTER(0), 3, 4);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	apply(t);
	del(t, 1);
	w(t, CPMU_CFG(0), 0);
	r(t, CPMU_CTR(0), value);
	apply(t);

	want_filtered(t, 2);
	r(t, CPMU_CTR(0), later);
	if (again)
		fake_write(&t->fake, CPMU_FILTER(0), 3, 4);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	apply(t);
}

/* What a counter holds as its next event begins shows a reset, too. */
static void a_reset_beside_another_is_seen(struct kunit *test)
{
	beside_another(test, 8, 8, false);
	beside_another(test, 8, 0, true);
	beside_another(test, 8, 9, true);
	beside_another(test, 0, 0, true);
}

/* So does an event that ends with less than it can have counted. */
static void a_reset_that_ends_an_event_is_seen(struct kunit *test)
{
	struct rig *t = filtered_from_10(test, 4);

	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);

	want_filtered(t, 1);
	fake_write(&t->fake, CPMU_FILTER(0), 3, 4);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 4);
	apply(t);
}

static const struct pmon_protocol running = {
	.keeps = true, .may_reset = true, .rate_log2 = 32,
};

/* Of boxes that cannot be frozen, likewise. */
static void such_a_reset_is_seen_one_by_one(struct kunit *test)
{
	struct pmon_layout layout = filtered;
	struct rig *t;

	layout.protocol = &running;
	t = box(test, &layout);
	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	want_on(t, 0, 1 << 24, 1);
	r(t, CPMU_CTR(1), 100);
	w(t, CPMU_CFG(1), 1 << 24 | CPMU_ENABLE);
	apply(t);
	want_filtered(t, 1);
	r(t, CPMU_CTR(0), 5);
	fake_write(&t->fake, CPMU_FILTER(0), 3, 4);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	apply(t);
	del(t, 1);
	w(t, CPMU_CFG(0), 0);
	r(t, CPMU_CTR(0), 8);
	apply(t);
	want_filtered(t, 2);
	r(t, CPMU_CTR(0), 0);
	fake_write(&t->fake, CPMU_FILTER(0), 3, 4);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	apply(t);
}

static struct kunit_case recall_tests[] = {
	KUNIT_CASE(a_reset_while_idle_is_seen),
	KUNIT_CASE(a_reset_is_seen_once),
	KUNIT_CASE(a_counter_at_0_shows_no_reset),
	KUNIT_CASE(only_its_own_counter_is_read),
	KUNIT_CASE(two_are_read_as_they_begin),
	KUNIT_CASE(each_filter_is_known_by_itself),
	KUNIT_CASE(one_of_two_has_a_filter),
	KUNIT_CASE(a_reset_beside_another_is_seen),
	KUNIT_CASE(a_reset_that_ends_an_event_is_seen),
	KUNIT_CASE(such_a_reset_is_seen_one_by_one),
	{ }
};

struct kunit_suite pmon_recall_suite = {
	.name = "pmon_recall",
	.test_cases = recall_tests,
};
