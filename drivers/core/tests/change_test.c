// SPDX-License-Identifier: GPL-2.0-only
/*
 * How events come and go, access by access. Each test says first which
 * accesses it expects, in order, then lets the bank act.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "rig.h"
#include "suites.h"

/* perf takes everything off and puts it on again: nothing happens. */
static void coming_back_costs_nothing(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	int i;

	start_four(test, t);
	for (i = 0; i < 4; i++)
		del(t, i);
	for (i = 3; i >= 0; i--)
		KUNIT_ASSERT_TRUE(test, add(t, i));
	apply(t);
	for (i = 0; i < 4; i++) {
		KUNIT_EXPECT_EQ(test, t->ev[i].event.counted_on, i);
		KUNIT_EXPECT_EQ(test, t->ev[i].event.assigned_to, i);
	}
	apply(t);
}

/* The order in which they come back does not matter while there is room. */
static void newcomers_leave_counters_to_their_owners(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	config(t, 0, 0x1, 0);
	config(t, 1, 0x2, 0);
	config(t, 2, 0x3, 0);
	add(t, 0);
	add(t, 1);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0x40, 0x1, 4);
	fake_write(&t->fake, 0x44, 0x2, 4);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);

	del(t, 0);
	del(t, 1);
	add(t, 2);
	add(t, 1);
	add(t, 0);
	fake_write(&t->fake, 0x48, 0x3, 4);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->bank.frozen_ns, 0ULL);
}

static void one_more_and_one_less(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	config(t, 0, 0xcf05, 0);
	config(t, 1, 0xf005, 0);
	add(t, 0);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0x40, 0xcf05, 4);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);

	add(t, 1);
	fake_write(&t->fake, 0x44, 0xf005, 4);
	apply(t);

	del(t, 1);
	fake_write(&t->fake, 0x44, 0, 4);
	fake_read(&t->fake, 0x10, 77);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 77ULL);

	/* The counter is known to stand at 77: no read, only the control. */
	add(t, 1);
	fake_write(&t->fake, 0x44, 0xf005, 4);
	apply(t);
	fake_read(&t->fake, 0x10, 80);
	pmon_bank_read(&t->bank, &t->ev[1].event);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 80ULL);
}

/* Up to two controls are exchanged while the others count on. */
static void exchange_of_two(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_four(test, t);
	config(t, 4, 0x21, 0);
	config(t, 5, 0x22, 0);
	del(t, 1);
	del(t, 3);
	KUNIT_ASSERT_TRUE(test, add(t, 4));
	KUNIT_ASSERT_TRUE(test, add(t, 5));
	/* The control of a third stays as it is. */
	config(t, 6, 0x1, 0);
	del(t, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 6));
	fake_write(&t->fake, 0x44, 0, 4);
	fake_write(&t->fake, 0x4c, 0, 4);
	fake_read(&t->fake, 0x8, 30);
	fake_read(&t->fake, 0x10, 1000);
	fake_read(&t->fake, 0x20, 2000);
	fake_write(&t->fake, 0x44, 0x21, 4);
	fake_write(&t->fake, 0x4c, 0x22, 4);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 30ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 1000ULL);
	KUNIT_EXPECT_EQ(test, t->ev[3].count, 2000ULL);

	fake_read(&t->fake, 0x10, 1007);
	pmon_bank_read(&t->bank, &t->ev[4].event);
	KUNIT_EXPECT_EQ(test, t->ev[4].count, 7ULL);
}

/* All four are deleted, and read under a freeze: @first, @first + @step, ... */
static void expect_four_leave(struct rig *t, u64 first, u64 step)
{
	unsigned int i;

	fake_write(&t->fake, 0, FREEZE, 4);
	for (i = 0; i < 4; i++) {
		del(t, i);
		fake_read(&t->fake, 8 + 8 * i, first + step * i);
	}
}

/* A rotation exchanges all: with more than two, freezing is cheaper. */
static void rotation_of_four(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	start_four(test, t);
	expect_four_leave(t, 0, 10);
	for (i = 0; i < 4; i++) {
		config(t, 4 + i, 0x31 + i, 0);
		KUNIT_ASSERT_TRUE(test, add(t, 4 + i));
		fake_write(&t->fake, 0x40 + 4 * i, 0x31 + i, 4);
	}
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);
	/* Two of the box, and two for each counter. */
	KUNIT_EXPECT_EQ(test, t->bank.frozen_ns, 10ULL * FAKE_ACCESS_NS);

	for (i = 0; i < 4; i++) {
		KUNIT_EXPECT_EQ(test, t->ev[i].count, 10ULL * i);
		fake_read(&t->fake, 8 + 8 * i, 10 * i + 3);
		pmon_bank_read(&t->bank, &t->ev[4 + i].event);
		KUNIT_EXPECT_EQ(test, t->ev[4 + i].count, 3ULL);
	}
}

/* Counters that no event takes over are stopped, one by one if that is less. */
static void exchange_of_three_of_four(struct kunit *test)
{
	struct rig *t = rig_new(test, &upi, true);

	start_four(test, t);
	del(t, 0);
	del(t, 1);
	del(t, 2);
	config(t, 4, 0x100000021, 0);
	add(t, 4);
	/* Halves: a counter costs two, so 3 * (1 + 2) + 2 without freezing. */
	fake_write(&t->fake, 0x38, 0, 4);
	fake_write(&t->fake, 0x40, 0, 4);
	fake_write(&t->fake, 0x48, 0, 4);
	fake_read(&t->fake, 0x8, 1);
	fake_read(&t->fake, 0x10, 2);
	fake_read(&t->fake, 0x18, 3);
	fake_write(&t->fake, 0x38, 0x100000021, 8);
	apply(t);

	/* Stopping leaves the high half, which is not written again. */
	del(t, 4);
	fake_write(&t->fake, 0x38, 0x100000000, 4);
	fake_read(&t->fake, 0x8, 1);
	apply(t);
	config(t, 5, 0x100000022, 0);
	add(t, 5);
	fake_write(&t->fake, 0x38, 0x100000022, 4);
	apply(t);
	/* With another high half all of it is. */
	del(t, 5);
	fake_write(&t->fake, 0x38, 0x100000000, 4);
	fake_read(&t->fake, 0x8, 1);
	apply(t);
	config(t, 6, 0x23, 0);
	add(t, 6);
	fake_write(&t->fake, 0x38, 0x23, 8);
	apply(t);
}

/* ... and under a freeze, if three others are exchanged. */
static void exchange_of_three_while_one_leaves(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	start_four(test, t);
	expect_four_leave(t, 20, 1);
	/* A fixed counter that comes starts at what it holds. */
	config(t, 8, 0xff, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 8));
	fake_read(&t->fake, 0x38, 500);
	for (i = 0; i < 3; i++) {
		config(t, 4 + i, 0x31 + i, 0);
		t->ev[4 + i].event.allowed = BIT_ULL(i);
		KUNIT_ASSERT_TRUE(test, add(t, 4 + i));
		fake_write(&t->fake, 0x40 + 4 * i, 0x31 + i, 4);
	}
	fake_write(&t->fake, 0x4c, 0, 4);
	fake_write(&t->fake, 0x54, 0x400000, 4);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[3].count, 23ULL);
	KUNIT_EXPECT_EQ(test, t->ev[3].event.counted_on, -1);
	fake_read(&t->fake, 0x38, 504);
	pmon_bank_read(&t->bank, &t->ev[8].event);
	KUNIT_EXPECT_EQ(test, t->ev[8].count, 4ULL);

	/* It stands where it was read. */
	config(t, 7, 0x41, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 7));
	fake_write(&t->fake, 0x4c, 0x41, 4);
	apply(t);
	fake_read(&t->fake, 0x20, 25);
	pmon_bank_read(&t->bank, &t->ev[7].event);
	KUNIT_EXPECT_EQ(test, t->ev[7].count, 2ULL);
}

/* A box control of 4 bytes is one access where one of 8 is two: they freeze. */
static void exchange_of_three_in_halves(struct kunit *test)
{
	struct rig *t = rig_new(test, &upi, true);
	unsigned int i;

	start_four(test, t);
	fake_write(&t->fake, 0, FREEZE, 4);
	for (i = 0; i < 3; i++) {
		del(t, i);
		fake_read(&t->fake, 8 + 8 * i, 20);
		config(t, 4 + i, 0x31 + i, 0);
		KUNIT_ASSERT_TRUE(test, add(t, 4 + i));
	}
	for (i = 0; i < 3; i++)
		fake_write(&t->fake, 0x38 + 8 * i, 0x31 + i, 4);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 20ULL);
}

/* Another event with the same control: one reading ends and begins. */
static void hand_over(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_four(test, t);
	config(t, 4, 0x3, 0);
	del(t, 2);
	KUNIT_ASSERT_TRUE(test, add(t, 4));
	fake_read(&t->fake, 0x18, 500);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 500ULL);
	KUNIT_EXPECT_EQ(test, t->ev[2].event.counted_on, -1);

	fake_read(&t->fake, 0x18, 501);
	pmon_bank_read(&t->bank, &t->ev[4].event);
	KUNIT_EXPECT_EQ(test, t->ev[4].count, 1ULL);
}

static void constrained_event_moves_another(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	config(t, 0, 0x1, 0);
	config(t, 1, 0x11, 0);
	add(t, 0);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0x40, 0x1, 4);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);

	KUNIT_ASSERT_TRUE(test, add(t, 1));
	fake_write(&t->fake, 0x40, 0, 4);
	fake_read(&t->fake, 0x8, 9);
	fake_write(&t->fake, 0x40, 0x11, 4);
	fake_write(&t->fake, 0x44, 0x1, 4);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 9ULL);

	/* It goes on where it is now, from 0. */
	fake_read(&t->fake, 0x10, 4);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 13ULL);

	/* Two that want the same one cannot both have it. */
	config(t, 2, 0x11, 0);
	KUNIT_EXPECT_FALSE(test, add(t, 2));
	apply(t);
}

static void filter_is_written_when_needed(struct kunit *test)
{
	struct rig *t = rig_new(test, &cha, false);

	config(t, 0, 0x10001, 0x7);
	config(t, 1, 0x10002, 0x7);
	config(t, 2, 0x10003, 0x8);
	config(t, 3, 0x00004, 0x8);
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	fake_write(&t->fake, 0, RESET, 8);
	fake_write(&t->fake, 14, 0x7, 8);
	fake_write(&t->fake, 2, 0x10001, 8);
	fake_write(&t->fake, 0, RUN, 8);
	apply(t);

	/* The same filter is there already, another cannot be, or is unused. */
	KUNIT_EXPECT_TRUE(test, add(t, 1));
	KUNIT_EXPECT_FALSE(test, add(t, 2));
	KUNIT_EXPECT_TRUE(test, add(t, 3));
	fake_write(&t->fake, 3, 0x10002, 8);
	fake_write(&t->fake, 4, 0x4, 8);
	apply(t);

	/* The users of one filter go, a user of another comes. */
	del(t, 0);
	del(t, 1);
	KUNIT_EXPECT_TRUE(test, add(t, 2));
	fake_write(&t->fake, 2, 0, 8);
	fake_write(&t->fake, 3, 0, 8);
	fake_read(&t->fake, 8, 1);
	fake_read(&t->fake, 9, 1);
	fake_write(&t->fake, 14, 0x8, 8);
	fake_write(&t->fake, 5, 0x10003, 8);
	apply(t);
}

/* Equal controls do not hand over when the filter changes under them. */
static void filter_change_is_no_hand_over(struct kunit *test)
{
	struct rig *t = rig_new(test, &cha, false);

	config(t, 0, 0x10011, 0x7);
	config(t, 1, 0x10011, 0x9);
	add(t, 0);
	fake_write(&t->fake, 0, RESET, 8);
	fake_write(&t->fake, 14, 0x7, 8);
	fake_write(&t->fake, 2, 0x10011, 8);
	fake_write(&t->fake, 0, RUN, 8);
	apply(t);

	del(t, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 1));
	fake_write(&t->fake, 2, 0, 8);
	fake_read(&t->fake, 8, 1);
	fake_write(&t->fake, 14, 0x9, 8);
	fake_write(&t->fake, 2, 0x10011, 8);
	apply(t);
}

/* While the box is frozen no event counts under the filter of another one. */
static void filter_changes_while_frozen(struct kunit *test)
{
	struct rig *t = rig_new(test, &cha, false);
	unsigned int i;

	for (i = 0; i < 4; i++) {
		config(t, i, 0x10001 + i, 0x7);
		KUNIT_ASSERT_TRUE(test, add(t, i));
	}
	fake_write(&t->fake, 0, RESET, 8);
	fake_write(&t->fake, 14, 0x7, 8);
	for (i = 0; i < 4; i++)
		fake_write(&t->fake, 2 + i, 0x10001 + i, 8);
	fake_write(&t->fake, 0, RUN, 8);
	apply(t);

	fake_write(&t->fake, 0, FREEZE, 8);
	for (i = 0; i < 4; i++) {
		del(t, i);
		fake_read(&t->fake, 8 + i, 5);
	}
	fake_write(&t->fake, 14, 0x9, 8);
	for (i = 0; i < 4; i++) {
		config(t, 4 + i, 0x10021 + i, 0x9);
		KUNIT_ASSERT_TRUE(test, add(t, 4 + i));
		fake_write(&t->fake, 2 + i, 0x10021 + i, 8);
	}
	fake_write(&t->fake, 0, RUN, 8);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[3].count, 5ULL);
}

/*
 * A counter that counts on because its control was refused says nothing of
 * others: one that comes is read.
 */
static void a_refused_stop_is_of_one_counter(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	config(t, 0, 0x1, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0x40, 0x1, 4);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);
	del(t, 0);
	config(t, 1, 0xff, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 1));
	fake_write(&t->fake, 0x40, 0, 4);
	fake_refused(&t->fake);
	fake_read(&t->fake, 0x8, 9);
	fake_read(&t->fake, 0x38, 77);
	fake_write(&t->fake, 0x54, 0x400000, 4);
	apply(t);
	fake_read(&t->fake, 0x38, 78);
	pmon_bank_read(&t->bank, &t->ev[1].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 9ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 1ULL);
}

/* Without their filter events fail, also where other counters have none. */
static void a_filter_is_refused_beside_free_counters(struct kunit *test)
{
	struct rig *t = rig_new(test, &cha, false);
	unsigned int i;

	for (i = 0; i < 2; i++) {
		config(t, i, 0x10001, 0x7);
		t->ev[i].event.allowed = BIT_ULL(1 + i);
		KUNIT_ASSERT_TRUE(test, add(t, i));
	}
	fake_write(&t->fake, 0, RESET, 8);
	fake_write(&t->fake, 14, 0x7, 8);
	fake_refused(&t->fake);
	fake_write(&t->fake, 3, 0x10001, 8);
	fake_write(&t->fake, 4, 0x10001, 8);
	fake_write(&t->fake, 0, RUN, 8);
	fake_write(&t->fake, 0, FREEZE, 8);
	apply(t);
	KUNIT_EXPECT_TRUE(test, t->ev[0].event.failed);
	KUNIT_EXPECT_TRUE(test, t->ev[1].event.failed);
	KUNIT_EXPECT_EQ(test, t->bank.counting, 0ULL);
}

/*
 * A box may have 64 counters, so slots are looked for by their bits: counting
 * down to the last one would take years.
 */
static void the_last_of_64_counters(struct kunit *test)
{
	struct pmon_counter *counter =
		kunit_kzalloc(test, SLOTS * sizeof(*counter), GFP_KERNEL);
	struct pmon_layout many = imc;
	struct rig *t;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, counter);
	for (i = 0; i < SLOTS; i++)
		counter[i] = (struct pmon_counter) {
			.width = 48, .ctl = 0x400 + 4 * i, .ctr = 0x800 + 8 * i,
		};
	many.counter = counter;
	many.counters = SLOTS;
	t = rig_new(test, &many, false);

	config(t, 0, 0x1, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0x400, 0x1, 4);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);

	config(t, 1, 0x2, 0);
	t->ev[1].event.allowed = BIT_ULL(63);
	KUNIT_ASSERT_TRUE(test, add(t, 1));
	fake_write(&t->fake, 0x4fc, 0x2, 4);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[1].event.counted_on, 63);

	del(t, 1);
	fake_write(&t->fake, 0x4fc, 0, 4);
	fake_read(&t->fake, 0x9f8, 77);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 77ULL);
	KUNIT_EXPECT_EQ(test, t->bank.counting, 0x1ULL);

	/* The next ones begin with a reset of all that was written. */
	del(t, 0);
	fake_write(&t->fake, 0, FREEZE, 4);
	fake_read(&t->fake, 0x800, 5);
	apply(t);
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0x400, 0x1, 4);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);
}

static struct kunit_case change_tests[] = {
	KUNIT_CASE(coming_back_costs_nothing),
	KUNIT_CASE(newcomers_leave_counters_to_their_owners),
	KUNIT_CASE(one_more_and_one_less),
	KUNIT_CASE(exchange_of_two),
	KUNIT_CASE(rotation_of_four),
	KUNIT_CASE(exchange_of_three_of_four),
	KUNIT_CASE(exchange_of_three_while_one_leaves),
	KUNIT_CASE(exchange_of_three_in_halves),
	KUNIT_CASE(hand_over),
	KUNIT_CASE(constrained_event_moves_another),
	KUNIT_CASE(filter_is_written_when_needed),
	KUNIT_CASE(filter_change_is_no_hand_over),
	KUNIT_CASE(filter_changes_while_frozen),
	KUNIT_CASE(a_refused_stop_is_of_one_counter),
	KUNIT_CASE(a_filter_is_refused_beside_free_counters),
	KUNIT_CASE(the_last_of_64_counters),
	{ }
};

struct kunit_suite pmon_change_suite = {
	.name = "pmon_change",
	.test_cases = change_tests,
};
