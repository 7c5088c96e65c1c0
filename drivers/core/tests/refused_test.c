// SPDX-License-Identifier: GPL-2.0-only
/* Writes that are refused: what is not written counts for no event. */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "rig.h"
#include "suites.h"

#define CTL(n)	(0x40 + 4 * (n))
#define CTR(n)	(8 + 8 * (n))

static const struct pmon_protocol keeps = { .keeps = true, .rate_log2 = 34 };

static const struct pmon_counter selected_counters[] = {
	{ .width = 31, .ctl = 0x100, .ctr = 0x200 },
	{ .width = 31, .ctl = 0x101, .ctr = 0x201 },
};

static const struct pmon_layout off = {
	.protocol = &keeps, .counter = selected_counters, .counters = 2,
	.ctl_bytes = 8, .indexed = true,
};

static void box_write(struct rig *t, u64 val)
{
	fake_write(&t->fake, 0, val, 4);
}

static void box_refuses(struct rig *t, u64 val)
{
	box_write(t, val);
	fake_refused(&t->fake);
}

static void ctl_write(struct rig *t, unsigned int i, u64 val)
{
	fake_write(&t->fake, CTL(i), val, 4);
}

/* Two events run on counters 0 and 1, with controls 1 and 2. */
static void start_two(struct rig *t)
{
	config(t, 0, 1, 0);
	config(t, 1, 2, 0);
	add(t, 0);
	add(t, 1);
	box_write(t, RESET);
	ctl_write(t, 0, 1);
	ctl_write(t, 1, 2);
	box_write(t, RUN);
	apply(t);
}

static void starts_again(struct rig *t, unsigned int i)
{
	t->ev[i].event.failed = false;
	pmon_bank_set_stopped(&t->bank, &t->ev[i].event, false);
}

static void expect_failed(struct kunit *test, struct rig *t, unsigned int i,
			  bool failed)
{
	KUNIT_EXPECT_EQ_MSG(test, t->ev[i].event.failed, failed, "event %u", i);
	KUNIT_EXPECT_EQ_MSG(test, t->ev[i].event.counted_on < 0, failed, "event %u", i);
	KUNIT_EXPECT_GE_MSG(test, t->ev[i].event.assigned_to, 0, "event %u", i);
}

/* Full counters are values, whatever their width; a full register is none. */
static void all_ones_is_no_reading_at_any_width(struct kunit *test)
{
	struct pmon_protocol slow = keeps;
	struct pmon_counter counter = off.counter[0];
	struct pmon_layout layout = off;
	u8 width;

	layout.counter = &counter;
	layout.counters = 1;
	slow.rate_log2 = 1;
	layout.protocol = &slow;
	for (width = PMON_WIDTH_MIN; width < PMON_WIDTH_MAX; width++) {
		u64 max = GENMASK_ULL(width - 1, 0);
		struct rig *t;

		counter.width = width;
		KUNIT_ASSERT_NULL(test, pmon_layout_valid(&layout, 0));
		t = rig_new(test, &layout, false);
		config(t, 0, 7, 0);
		add(t, 0);
		fake_write(&t->fake, 0x100, 0, 8);
		fake_read(&t->fake, 0x200, max - 1);
		fake_write(&t->fake, 0x100, 7, 8);
		apply(t);
		fake_read(&t->fake, 0x200, max);
		fake_read(&t->fake, 0x200, ~0ULL);
		/* What is above the counter's bits means nothing. */
		fake_read(&t->fake, 0x200, ~max | 0);
		pmon_bank_read(&t->bank, &t->ev[0].event);
		KUNIT_EXPECT_EQ(test, t->ev[0].count, 1ULL);
		pmon_bank_read(&t->bank, &t->ev[0].event);
		KUNIT_EXPECT_EQ(test, t->ev[0].count, 1ULL);
		pmon_bank_read(&t->bank, &t->ev[0].event);
		KUNIT_EXPECT_EQ(test, t->ev[0].count, 2ULL);
		fake_done(&t->fake);
	}
}

/* One of four: the others count. */
static void an_event_whose_control_is_refused(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	for (i = 0; i < 3; i++) {
		config(t, i, 1 + i, 0);
		add(t, i);
	}
	box_write(t, RESET);
	ctl_write(t, 0, 1);
	ctl_write(t, 1, 2);
	fake_refused(&t->fake);
	ctl_write(t, 2, 3);
	box_write(t, RUN);
	apply(t);
	expect_failed(test, t, 0, false);
	expect_failed(test, t, 1, true);
	expect_failed(test, t, 2, false);
	KUNIT_EXPECT_EQ(test, t->bank.refused, 1U);
	KUNIT_EXPECT_EQ(test, t->refusals, 1U);

	/* It is neither read nor tried again unasked. */
	pmon_bank_read(&t->bank, &t->ev[1].event);
	fake_read(&t->fake, CTR(0), 1);
	fake_read(&t->fake, CTR(2), 3);
	pmon_bank_sync(&t->bank);
	apply(t);
	fake_read_bytes(&t->fake, CTL(0), 1, 4);
	fake_read(&t->fake, CTR(0), 2);
	fake_read(&t->fake, CTR(2), 4);
	pmon_bank_tick(&t->bank);
	fake_done(&t->fake);

	starts_again(t, 1);
	ctl_write(t, 1, 2);
	apply(t);
	expect_failed(test, t, 1, false);
	fake_read(&t->fake, CTR(1), 9);
	pmon_bank_read(&t->bank, &t->ev[1].event);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 9ULL);
	KUNIT_EXPECT_EQ(test, t->bank.refused, 1U);
}

/* The same on a box that counts, alone and as the last event of the box. */
static void an_event_is_refused_while_others_count(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	config(t, 0, 1, 0);
	config(t, 1, 2, 0);
	add(t, 0);
	box_write(t, RESET);
	ctl_write(t, 0, 1);
	box_write(t, RUN);
	apply(t);

	add(t, 1);
	ctl_write(t, 1, 2);
	fake_refused(&t->fake);
	apply(t);
	expect_failed(test, t, 0, false);
	expect_failed(test, t, 1, true);
	KUNIT_EXPECT_TRUE(test, t->bank.running);

	starts_again(t, 1);
	del(t, 0);
	ctl_write(t, 0, 0);
	fake_read(&t->fake, CTR(0), 5);
	ctl_write(t, 1, 2);
	fake_refused(&t->fake);
	box_write(t, FREEZE);
	apply(t);
	expect_failed(test, t, 1, true);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 5ULL);
	KUNIT_EXPECT_FALSE(test, t->bank.running);
	KUNIT_EXPECT_EQ(test, t->bank.counting, 0ULL);

	del(t, 1);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->bank.refused, 2U);
}

/* Without a reset, or frozen for good, nothing can count. */
static void a_box_that_is_not_reset_or_run(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	config(t, 0, 1, 0);
	config(t, 1, 2, 0);
	add(t, 0);
	add(t, 1);
	box_refuses(t, RESET);
	box_refuses(t, FREEZE);
	apply(t);
	expect_failed(test, t, 0, true);
	expect_failed(test, t, 1, true);
	KUNIT_EXPECT_FALSE(test, t->bank.used);
	KUNIT_EXPECT_FALSE(test, t->bank.running);

	starts_again(t, 0);
	box_write(t, RESET);
	ctl_write(t, 0, 1);
	box_refuses(t, RUN);
	box_write(t, FREEZE);
	apply(t);
	expect_failed(test, t, 0, true);
	KUNIT_EXPECT_TRUE(test, t->bank.used);

	starts_again(t, 1);
	box_write(t, RESET);
	ctl_write(t, 1, 2);
	box_write(t, RUN);
	apply(t);
	expect_failed(test, t, 1, false);
	KUNIT_EXPECT_EQ(test, t->bank.refused, 2U);
}

/* Counters that cannot be stopped in time are read one after the other. */
static void a_snapshot_without_freeze(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	start_four(test, t);
	box_refuses(t, FREEZE);
	for (i = 0; i < 4; i++)
		fake_read(&t->fake, CTR(i), 10 + i);
	pmon_bank_snapshot(&t->bank, 0xf);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.frozen_ns, 0ULL);
	KUNIT_EXPECT_EQ(test, t->ev[3].count, 13ULL);

	/* And of a box that then stays frozen all events end. */
	box_write(t, FREEZE);
	for (i = 0; i < 4; i++)
		fake_read(&t->fake, CTR(i), 20 + i);
	box_refuses(t, RUN);
	box_write(t, FREEZE);
	pmon_bank_snapshot(&t->bank, 0xf);
	fake_done(&t->fake);
	for (i = 0; i < 4; i++) {
		expect_failed(test, t, i, true);
		KUNIT_EXPECT_EQ(test, t->ev[i].count, 20ULL + i);
	}
	KUNIT_EXPECT_EQ(test, t->bank.refused, 1U);
}

/* What was asked for and not made yet is not forgotten with it. */
static void a_box_that_stays_frozen_has_news(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_two(t);
	config(t, 2, 3, 0);

	del(t, 0);
	t->ev[2].event.allowed = BIT_ULL(0);
	add(t, 2);
	box_write(t, FREEZE);
	fake_read(&t->fake, CTR(0), 1);
	fake_read(&t->fake, CTR(1), 1);
	box_refuses(t, RUN);
	pmon_bank_snapshot(&t->bank, 0x3);
	fake_done(&t->fake);
	expect_failed(test, t, 1, true);
	KUNIT_EXPECT_FALSE(test, t->ev[2].event.failed);

	/* The control of counter 0, for the event that has it by now. */
	box_write(t, RESET);
	ctl_write(t, 0, 3);
	box_write(t, RUN);
	apply(t);
	expect_failed(test, t, 2, false);
}

static void change_four(struct kunit *test, struct rig *t)
{
	unsigned int i;

	start_four(test, t);
	for (i = 0; i < 4; i++)
		del(t, i);
	for (i = 4; i < 8; i++) {
		config(t, i, 0x10 + i, 0);
		add(t, i);
	}
}

/* A change that is cheaper with the box frozen is made without, too. */
static void a_change_without_freeze(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	change_four(test, t);
	box_refuses(t, FREEZE);
	for (i = 0; i < 4; i++)
		ctl_write(t, i, 0);
	for (i = 0; i < 4; i++)
		fake_read(&t->fake, CTR(i), 5);
	for (i = 0; i < 4; i++)
		ctl_write(t, i, 0x14 + i);
	apply(t);
	for (i = 0; i < 4; i++) {
		KUNIT_EXPECT_EQ(test, t->ev[i].count, 5ULL);
		expect_failed(test, t, 4 + i, false);
	}
	KUNIT_EXPECT_EQ(test, t->bank.refused, 0U);
}

/* Those that were there and stay have counted until then. */
static void a_change_that_leaves_the_box_frozen(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	config(t, 8, 0xff, 0);
	add(t, 8);
	box_write(t, RESET);
	fake_write(&t->fake, 0x54, 0x400000, 4);
	fake_read(&t->fake, 0x38, 0);
	box_write(t, RUN);
	apply(t);
	for (i = 0; i < 4; i++) {
		config(t, i, 1 + i, 0);
		add(t, i);
		ctl_write(t, i, 1 + i);
	}
	apply(t);
	for (i = 0; i < 4; i++)
		del(t, i);
	for (i = 4; i < 8; i++) {
		config(t, i, 0x10 + i, 0);
		add(t, i);
	}
	box_write(t, FREEZE);
	for (i = 0; i < 4; i++)
		fake_read(&t->fake, CTR(i), 5);
	for (i = 0; i < 4; i++)
		ctl_write(t, i, 0x14 + i);
	box_refuses(t, RUN);
	fake_read(&t->fake, 0x38, 77);
	box_write(t, FREEZE);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[3].count, 5ULL);
	KUNIT_EXPECT_EQ(test, t->ev[8].count, 77ULL);
	for (i = 4; i < 9; i++)
		expect_failed(test, t, i, true);
}

/* The event needs a filter: without it, it would count all. */
static void an_event_whose_filter_is_refused(struct kunit *test)
{
	struct rig *t = rig_new(test, &cha, false);

	config(t, 0, 1, 0);
	config(t, 1, BIT_ULL(16) | 2, 0x155);
	add(t, 0);
	add(t, 1);
	fake_write(&t->fake, 0, RESET, 8);
	fake_write(&t->fake, 14, 0x155, 8);
	fake_refused(&t->fake);
	fake_write(&t->fake, 2, 1, 8);
	fake_write(&t->fake, 3, BIT_ULL(16) | 2, 8);
	fake_write(&t->fake, 0, RUN, 8);
	apply(t);
	expect_failed(test, t, 0, false);
	expect_failed(test, t, 1, true);

	starts_again(t, 1);
	fake_write(&t->fake, 14, 0x155, 8);
	fake_write(&t->fake, 3, BIT_ULL(16) | 2, 8);
	apply(t);
	expect_failed(test, t, 1, false);
}

/* The counter goes on. What it gains from then on is added to no event. */
static void a_control_that_is_not_cleared(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_two(t);
	config(t, 2, 1, 0);

	del(t, 0);
	ctl_write(t, 0, 0);
	fake_refused(&t->fake);
	fake_read(&t->fake, CTR(0), 10);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 10ULL);

	t->ev[2].event.allowed = BIT_ULL(0);
	add(t, 2);
	fake_read(&t->fake, CTR(0), 25);
	ctl_write(t, 0, 1);
	apply(t);
	fake_read(&t->fake, CTR(0), 27);
	pmon_bank_read(&t->bank, &t->ev[2].event);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 2ULL);
	KUNIT_EXPECT_EQ(test, t->bank.refused, 0U);
}

/* Of a control in halves a refused write says nothing of either. */
static void both_halves_are_written_again(struct kunit *test)
{
	struct rig *t = rig_new(test, &upi, true);
	unsigned int i;

	for (i = 0; i < 2; i++) {
		config(t, i, 1 + i, 0);
		add(t, i);
	}
	box_write(t, RESET);
	fake_write(&t->fake, 0x38, 1, 8);
	fake_write(&t->fake, 0x40, 2, 8);
	fake_refused(&t->fake);
	box_write(t, RUN);
	apply(t);
	expect_failed(test, t, 1, true);
	starts_again(t, 1);
	fake_write(&t->fake, 0x40, 2, 8);
	apply(t);
	expect_failed(test, t, 1, false);
}

/* What is handed back is tried to be cleared once more. */
static void what_was_not_cleared_is_when_handed_back(struct kunit *test)
{
	struct rig *t = rig_new(test, &off, false);

	config(t, 0, 7, 0);
	add(t, 0);
	fake_write(&t->fake, 0x100, 0, 8);
	fake_write(&t->fake, 0x101, 0, 8);
	fake_read(&t->fake, 0x200, 50);
	fake_write(&t->fake, 0x100, 7, 8);
	apply(t);
	del(t, 0);
	fake_write(&t->fake, 0x100, 0, 8);
	fake_refused(&t->fake);
	fake_read(&t->fake, 0x200, 51);
	apply(t);
	fake_read(&t->fake, 0x100, 7);
	fake_read(&t->fake, 0x101, 0);
	fake_write(&t->fake, 0x100, 0, 8);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);
}

static struct kunit_case refused_tests[] = {
	KUNIT_CASE(all_ones_is_no_reading_at_any_width),
	KUNIT_CASE(an_event_whose_control_is_refused),
	KUNIT_CASE(an_event_is_refused_while_others_count),
	KUNIT_CASE(a_box_that_is_not_reset_or_run),
	KUNIT_CASE(a_snapshot_without_freeze),
	KUNIT_CASE(a_box_that_stays_frozen_has_news),
	KUNIT_CASE(a_change_without_freeze),
	KUNIT_CASE(a_change_that_leaves_the_box_frozen),
	KUNIT_CASE(an_event_whose_filter_is_refused),
	KUNIT_CASE(a_control_that_is_not_cleared),
	KUNIT_CASE(both_halves_are_written_again),
	KUNIT_CASE(what_was_not_cleared_is_when_handed_back),
	{ }
};

struct kunit_suite pmon_refused_suite = {
	.name = "pmon_refused",
	.test_cases = refused_tests,
};
