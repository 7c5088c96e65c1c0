// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a bank must do again: what was known of the hardware is not, once it was
 * gone, reset or another program's. And events that move on to make room.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/limits.h>

#include "rig.h"
#include "suites.h"

/* The box is reset, and its filter written with the control. */
static void expect_filtered_start(struct rig *t)
{
	fake_write(&t->fake, 0, RESET, 8);
	fake_write(&t->fake, 14, 0x7, 8);
	fake_write(&t->fake, 2, 0x10001, 8);
	fake_write(&t->fake, 0, RUN, 8);
}

/* The only event leaves, after a gain of 100. */
static void goes_idle(struct rig *t)
{
	del(t, 0);
	fake_write(&t->fake, 0, FREEZE, 8);
	fake_read(&t->fake, 8, 100);
	apply(t);
}

/* An event of thread 7 counts in @t. */
static void start_filtered(struct kunit *test, struct rig *t)
{
	config(t, 0, 0x10001, 0x7);
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	expect_filtered_start(t);
	apply(t);
}

/* The device went and came back: the filter is written like the first time. */
static void a_filter_after_a_loss(struct kunit *test)
{
	struct rig *t = rig_new(test, &cha, false);

	start_filtered(test, t);
	pmon_bank_lose(&t->bank, PMON_BOX_REMOVED);
	fake_done(&t->fake);
	pmon_bank_find(&t->bank, &cha, &t->fake.regs);
	KUNIT_EXPECT_TRUE(test, t->bank.dirty);
	expect_filtered_start(t);
	apply(t);
}

/* Another program may write the filter of a box that is idle ... */
static void a_filter_after_a_pause(struct kunit *test)
{
	struct rig *t = rig_new(test, &cha, false);

	start_filtered(test, t);
	goes_idle(t);
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	expect_filtered_start(t);
	apply(t);

	/* While it counts the filter stays as it was written. */
	config(t, 1, 0x10002, 0x7);
	KUNIT_ASSERT_TRUE(test, add(t, 1));
	fake_write(&t->fake, 3, 0x10002, 8);
	apply(t);
}

/* ... and one that was handed back in between may have any. */
static void a_filter_after_handing_back(struct kunit *test)
{
	struct rig *t = rig_new(test, &cha, false);
	unsigned int i;

	start_filtered(test, t);
	goes_idle(t);
	for (i = 0; i < 4; i++)
		fake_read_bytes(&t->fake, 2 + i, i ? 0 : 0x10001, 8);
	fake_write(&t->fake, 0, RESET, 8);
	fake_write(&t->fake, 14, 0, 8);
	fake_write(&t->fake, 0, RUN, 8);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);

	KUNIT_ASSERT_TRUE(test, add(t, 0));
	expect_filtered_start(t);
	apply(t);
}

/* What was not written is not in the filter, and neither is what was before. */
static void a_filter_after_a_refusal(struct kunit *test)
{
	struct rig *t = rig_new(test, &cha, false);

	start_filtered(test, t);
	config(t, 1, 0x2, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 1));
	del(t, 0);
	fake_write(&t->fake, 2, 0, 8);
	fake_read(&t->fake, 8, 100);
	fake_write(&t->fake, 3, 0x2, 8);
	apply(t);

	config(t, 0, 0x10001, 0x9);
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	fake_write(&t->fake, 14, 0x9, 8);
	fake_refused(&t->fake);
	fake_write(&t->fake, 2, 0x10001, 8);
	apply(t);
	KUNIT_EXPECT_TRUE(test, t->ev[0].event.failed);
	pmon_bank_set_stopped(&t->bank, &t->ev[0].event, false);
	fake_write(&t->fake, 14, 0x9, 8);
	fake_write(&t->fake, 2, 0x10001, 8);
	apply(t);
}

/* A reset by another program clears the filter, too. */
static void a_filter_after_a_reset(struct kunit *test)
{
	struct rig *t = rig_new(test, &cha, false);

	start_filtered(test, t);
	fake_read_bytes(&t->fake, 2, 0, 8);
	expect_filtered_start(t);
	pmon_bank_tick(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.restarts, 1U);
}

/* The machine slept while the box was idle, and while it counted. */
static void a_filter_after_sleep(struct kunit *test)
{
	struct rig *t = rig_new(test, &cha, false);

	start_filtered(test, t);
	goes_idle(t);
	pmon_bank_resume(&t->bank);
	fake_done(&t->fake);
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	expect_filtered_start(t);
	apply(t);

	fake_read_bytes(&t->fake, 2, 0, 8);
	expect_filtered_start(t);
	pmon_bank_resume(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.restarts, 1U);
}

/* What a control held before that is not what it shall hold at the end. */
static void a_control_after_sleep(struct kunit *test)
{
	struct rig *t = rig_new(test, &cha, false);
	unsigned int i;

	start_filtered(test, t);
	goes_idle(t);
	pmon_bank_resume(&t->bank);
	config(t, 1, 0x2, 0);
	t->ev[1].event.allowed = BIT_ULL(1);
	KUNIT_ASSERT_TRUE(test, add(t, 1));
	fake_write(&t->fake, 0, RESET, 8);
	fake_write(&t->fake, 3, 0x2, 8);
	fake_write(&t->fake, 0, RUN, 8);
	apply(t);
	for (i = 0; i < 4; i++)
		fake_read_bytes(&t->fake, 2 + i, i == 1 ? 0x2 : 0, 8);
	fake_write(&t->fake, 0, RESET, 8);
	/* The filter of before may be there still. */
	fake_write(&t->fake, 14, 0, 8);
	fake_write(&t->fake, 0, RUN, 8);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);
}

static void allow(struct kunit *test, struct rig *t, unsigned int i,
		  u64 allowed)
{
	config(t, i, i + 1, 0);
	t->ev[i].event.allowed = allowed;
	KUNIT_ASSERT_TRUE(test, add(t, i));
}

static void expect_seat(struct kunit *test, struct rig *t, unsigned int i,
			int slot)
{
	KUNIT_EXPECT_EQ(test, t->ev[i].event.assigned_to, slot);
	KUNIT_EXPECT_PTR_EQ(test, t->bank.slot[slot].assigned, &t->ev[i].event);
}

/* Each of three moves on by one to make room for the fourth. */
static void a_row_of_events_moves_on(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	allow(test, t, 0, BIT(0) | BIT(1));
	allow(test, t, 1, BIT(1) | BIT(2));
	allow(test, t, 2, BIT(2) | BIT(3));
	expect_seat(test, t, 0, 0);
	expect_seat(test, t, 1, 1);
	expect_seat(test, t, 2, 2);
	allow(test, t, 3, BIT(0));
	expect_seat(test, t, 3, 0);
	expect_seat(test, t, 0, 1);
	expect_seat(test, t, 1, 2);
	expect_seat(test, t, 2, 3);
	KUNIT_EXPECT_EQ(test, t->bank.taken, 0xfULL);
	KUNIT_EXPECT_EQ(test, t->bank.target, 0xfULL);
	KUNIT_EXPECT_PTR_EQ(test, t->bank.slot[4].assigned, NULL);
}

/* One that is stopped moves, too, and stays stopped. */
static void a_stopped_event_moves_on(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	allow(test, t, 0, BIT(0) | BIT(1));
	pmon_bank_set_stopped(&t->bank, &t->ev[0].event, true);
	allow(test, t, 1, BIT(0));
	expect_seat(test, t, 1, 0);
	expect_seat(test, t, 0, 1);
	KUNIT_EXPECT_EQ(test, t->bank.taken, 0x3ULL);
	KUNIT_EXPECT_EQ(test, t->bank.target, 0x1ULL);
}

/* Two events follow two of the same controls: the counters count on. */
static void two_take_over(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	start_four(test, t);
	for (i = 0; i < 2; i++) {
		del(t, i);
		config(t, 4 + i, 1 + i, 0);
		t->ev[4 + i].event.allowed = BIT_ULL(i);
		KUNIT_ASSERT_TRUE(test, add(t, 4 + i));
		fake_read(&t->fake, imc.counter[i].ctr, 10);
	}
	apply(t);
	for (i = 0; i < 2; i++) {
		KUNIT_EXPECT_EQ(test, t->ev[i].count, 10ULL);
		fake_read(&t->fake, imc.counter[i].ctr, 12);
		pmon_bank_read(&t->bank, &t->ev[4 + i].event);
		KUNIT_EXPECT_EQ(test, t->ev[4 + i].count, 2ULL);
	}
	fake_done(&t->fake);
}

/* A tick between add and apply: the control of what comes is not there yet. */
static void a_tick_before_a_change(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	start_four(test, t);
	KUNIT_EXPECT_FALSE(test, t->bank.dirty);
	pmon_bank_set_stopped(&t->bank, &t->ev[0].event, true);
	KUNIT_EXPECT_TRUE(test, t->bank.dirty);
	for (i = 0; i < 4; i++)
		fake_read(&t->fake, 8 + 8 * i, 10 + i);
	pmon_bank_tick(&t->bank);
	fake_done(&t->fake);
	fake_write(&t->fake, 0x40, 0, 4);
	fake_read(&t->fake, 8, 20);
	apply(t);
	KUNIT_EXPECT_FALSE(test, t->bank.dirty);
	KUNIT_EXPECT_EQ(test, t->bank.touched, 0ULL);

	/* Nothing but its arrival makes an event's box one to be changed. */
	config(t, 4, 0xff, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 4));
	KUNIT_EXPECT_TRUE(test, t->bank.dirty);
	fake_read(&t->fake, 0x38, 0);
	fake_write(&t->fake, 0x54, 0x400000, 4);
	apply(t);
	KUNIT_EXPECT_FALSE(test, t->bank.dirty);
	del(t, 4);
	KUNIT_EXPECT_TRUE(test, t->bank.dirty);
	KUNIT_EXPECT_PTR_EQ(test, t->bank.slot[4].assigned, NULL);
	KUNIT_EXPECT_EQ(test, t->ev[4].event.assigned_to, -1);
}

/* Counters up to number @last are read at one moment; the box stays frozen. */
static void stays_frozen(struct rig *t, unsigned int last)
{
	unsigned int i;

	fake_write(&t->fake, 0, FREEZE, 4);
	for (i = 0; i <= last; i++)
		fake_read(&t->fake, imc.counter[i].ctr, 10);
	fake_write(&t->fake, 0, RUN, 4);
	fake_refused(&t->fake);
}

/* All that counted have failed; they begin again beside one that came later. */
static void what_has_failed_begins_again(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_four(test, t);
	del(t, 0);
	allow(test, t, 4, BIT(0));
	stays_frozen(t, 3);
	pmon_bank_snapshot(&t->bank, 0xf);
	fake_done(&t->fake);
	KUNIT_EXPECT_TRUE(test, t->ev[1].event.failed);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0x40, 0x5, 4);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);
	pmon_bank_set_stopped(&t->bank, &t->ev[1].event, false);
	fake_write(&t->fake, 0x44, 0x2, 4);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[1].event.counted_on, 1);
	KUNIT_EXPECT_TRUE(test, t->bank.running);

	/* If none came it does not run any more. */
	stays_frozen(t, 1);
	fake_write(&t->fake, 0, FREEZE, 4);
	pmon_bank_snapshot(&t->bank, 0x3);
	fake_done(&t->fake);
	KUNIT_EXPECT_FALSE(test, t->bank.running);
}

/* What becomes of an event whose counter runs by itself is a change, too. */
static void a_free_event_changes(struct kunit *test)
{
	static const struct pmon_counter counter = {
		.config = 0x10ff, .ctr = 0x10, .width = 48,
		.kind = PMON_COUNTER_FREE_RUNNING,
	};
	static const struct pmon_layout layout = {
		.counter = &counter, .counters = 1,
	};
	struct rig *t = rig_new(test, &layout, false);

	config(t, 0, 0x10ff, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	fake_read(&t->fake, 0x10, 1000);
	apply(t);
	KUNIT_EXPECT_FALSE(test, t->bank.dirty);
	pmon_bank_set_stopped(&t->bank, &t->ev[0].event, true);
	KUNIT_EXPECT_TRUE(test, t->bank.dirty);
}

/* What is found has the counters that its layout says, whatever it had. */
static void a_box_returns_with_fewer_counters(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	pmon_bank_lose(&t->bank, PMON_BOX_REMOVED);
	pmon_bank_find(&t->bank, &upi, &t->fake.regs);
	start_four(test, t);
	for (i = 0; i < 4; i++)
		fake_read_bytes(&t->fake, upi.counter[i].ctl, 1 + i, 8);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0, RUN, 4);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
}

static struct kunit_case again_tests[] = {
	KUNIT_CASE(a_filter_after_a_loss),
	KUNIT_CASE(a_filter_after_a_pause),
	KUNIT_CASE(a_filter_after_handing_back),
	KUNIT_CASE(a_filter_after_a_refusal),
	KUNIT_CASE(a_filter_after_a_reset),
	KUNIT_CASE(a_filter_after_sleep),
	KUNIT_CASE(a_control_after_sleep),
	KUNIT_CASE(a_row_of_events_moves_on),
	KUNIT_CASE(a_stopped_event_moves_on),
	KUNIT_CASE(two_take_over),
	KUNIT_CASE(a_tick_before_a_change),
	KUNIT_CASE(what_has_failed_begins_again),
	KUNIT_CASE(a_free_event_changes),
	KUNIT_CASE(a_box_returns_with_fewer_counters),
	{ }
};

struct kunit_suite pmon_again_suite = {
	.name = "pmon_again",
	.test_cases = again_tests,
};
