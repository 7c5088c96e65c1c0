// SPDX-License-Identifier: GPL-2.0-only
/*
 * A layout is a table of counters: kinds, widths and filters differ from one to
 * the next, and the box they are in is one.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "rig.h"
#include "suites.h"

/* A CPMU: a clock, two counters of two widths, and one that runs by itself. */
#define CLOCK	0x1
#define LINK	0x1000
#define BOX	0x18
#define CFG(n)	(0x200 + 8 * (n))
#define FLT(n)	(0x400 + 32 * (n))
#define CTR(n)	(0xc00 + 8 * (n))
#define HALT	(~0ULL)
#define ON	0x100ULL

static const struct pmon_protocol protocol = {
	.freeze = HALT, .reset = HALT, .bytes = 8, .keeps = true,
	.rate_log2 = 32,
};

static const struct pmon_counter counters[] = {
	{ .width = 64, .ctl = CFG(0), .ctr = CTR(0), .filter = FLT(0),
	  .kind = PMON_COUNTER_FIXED, .config = CLOCK, .enable = ON },
	{ .width = 48, .ctl = CFG(1), .ctr = CTR(1), .filter = FLT(1) },
	{ .width = 32, .ctl = CFG(2), .ctr = CTR(2), .filter = FLT(2) },
	{ .width = 40, .ctr = CTR(3), .kind = PMON_COUNTER_FREE_RUNNING,
	  .config = LINK },
};

static const struct pmon_layout cpmu = {
	.protocol = &protocol, .counter = counters, .counters = 4,
	.ctl_bytes = 8, .filter_bytes = 8, .box_ctl = BOX,
};

static const struct pmon_type type = {
	.ctl_mask = 0xff000000, .ctl_set = ON, .filter_enable = BIT_ULL(31),
	.filter_mask = ~0ULL,
};

#define EVENT(n)	((u64)(n) << 24)
#define FILTERED(n)	(EVENT(n) | BIT_ULL(31))

static struct rig *box(struct kunit *test)
{
	struct rig *t = rig_new(test, &cpmu, false);

	KUNIT_ASSERT_STREQ(test, pmon_layout_valid(&cpmu, 0) ?: "nothing",
			   "nothing");
	t->bank.ctl_event = type.ctl_mask | type.ctl_set;
	return t;
}

static void want(struct rig *t, unsigned int i, u64 config, u64 config1,
		 u64 allowed)
{
	struct pmon_event *event = &t->ev[i].event;

	pmon_event_init(event, &type, &t->bank.layout, config, config1);
	t->ev[i].count = 0;
	KUNIT_EXPECT_EQ(t->fake.test, event->allowed, allowed);
	KUNIT_ASSERT_TRUE(t->fake.test, add(t, i));
}

static void w(struct rig *t, u32 reg, u64 val)
{
	fake_write(&t->fake, reg, val, 8);
}

static void r(struct rig *t, u32 reg, u64 val)
{
	fake_read(&t->fake, reg, val);
}

/* The box begins with an event on its fixed counter, found at @value. */
static void expect_start(struct rig *t, u64 value)
{
	w(t, CFG(0), 0);
	w(t, CFG(1), 0);
	w(t, CFG(2), 0);
	r(t, CTR(0), value);
	w(t, CFG(0), ON);
	w(t, BOX, 0);
}

static void events_find_their_counters(struct kunit *test)
{
	struct rig *t = box(test);

	want(t, 0, CLOCK, 0, BIT_ULL(0));
	KUNIT_EXPECT_EQ(test, t->ev[0].event.ctl, ON);
	want(t, 1, EVENT(1), 0, BIT_ULL(1) | BIT_ULL(2));
	KUNIT_EXPECT_EQ(test, t->ev[1].event.ctl, EVENT(1) | ON);
	want(t, 2, LINK, 0, BIT_ULL(3));
	KUNIT_EXPECT_TRUE(test, t->ev[2].event.free_running);
	KUNIT_EXPECT_FALSE(test, t->ev[1].event.free_running);
	KUNIT_EXPECT_FALSE(test, pmon_layout_is_free_running(&cpmu));
}

/* Each at its own width; the one that runs by itself is neither stopped. */
static void all_kinds_count_in_one_box(struct kunit *test)
{
	struct rig *t = box(test);

	want(t, 0, CLOCK, 0, BIT_ULL(0));
	want(t, 1, EVENT(1), 0, BIT_ULL(1) | BIT_ULL(2));
	want(t, 2, EVENT(2), 0, BIT_ULL(1) | BIT_ULL(2));
	want(t, 3, LINK, 0, BIT_ULL(3));
	w(t, CFG(0), ON);
	w(t, CFG(1), EVENT(1) | ON);
	w(t, CFG(2), EVENT(2) | ON);
	w(t, BOX, HALT);
	r(t, CTR(0), 0xfffffffffffffff0ULL);
	r(t, CTR(1), 0xffffffffffffULL);
	r(t, CTR(2), 0xffffffffULL);
	w(t, BOX, 0);
	r(t, CTR(3), 0xffffffffffULL);
	apply(t);

	r(t, CTR(0), 4);
	r(t, CTR(1), 2);
	r(t, CTR(2), 3);
	r(t, CTR(3), 4);
	pmon_bank_sync(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 20ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 3ULL);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 4ULL);
	KUNIT_EXPECT_EQ(test, t->ev[3].count, 5ULL);

	/* The others go: what runs by itself keeps the box among the read. */
	del(t, 0);
	del(t, 1);
	del(t, 2);
	w(t, BOX, HALT);
	r(t, CTR(0), 4);
	r(t, CTR(1), 2);
	r(t, CTR(2), 3);
	apply(t);
	KUNIT_EXPECT_TRUE(test, t->bank.running);
	r(t, CTR(3), 6);
	pmon_bank_tick(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[3].count, 7ULL);
	del(t, 3);
	r(t, CTR(3), 6);
	apply(t);
	KUNIT_EXPECT_FALSE(test, t->bank.running);

	/* It has no control to be looked at, or to be cleared. */
	r(t, CFG(0), ON);
	r(t, CFG(1), EVENT(1) | ON);
	r(t, CFG(2), EVENT(2) | ON);
	w(t, BOX, HALT);
	w(t, CFG(0), 0);
	w(t, CFG(1), 0);
	w(t, CFG(2), 0);
	w(t, BOX, 0);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);
}

/* A box that comes and goes takes all kinds with it. */
static void all_kinds_are_lost_together(struct kunit *test)
{
	struct rig *t = box(test);

	want(t, 0, CLOCK, 0, BIT_ULL(0));
	want(t, 1, LINK, 0, BIT_ULL(3));
	expect_start(t, 1);
	r(t, CTR(3), 1);
	apply(t);
	pmon_bank_lose(&t->bank, PMON_BOX_REMOVED);
	KUNIT_EXPECT_EQ(test, t->ev[0].event.counted_on, -1);
	KUNIT_EXPECT_EQ(test, t->ev[1].event.counted_on, -1);
	KUNIT_EXPECT_FALSE(test, t->bank.running);
	pmon_bank_find(&t->bank, &cpmu, &t->fake.regs);
	expect_start(t, 7);
	r(t, CTR(3), 9);
	apply(t);
	r(t, CTR(0), 8);
	r(t, CTR(3), 9);
	pmon_bank_sync(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 1ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 0ULL);
}

/* Two events with two filters agree when each counter has a register. */
static void each_counter_has_its_filter(struct kunit *test)
{
	struct rig *t = box(test);

	want(t, 0, FILTERED(1), 0x11, BIT_ULL(1) | BIT_ULL(2));
	want(t, 1, FILTERED(2), 0x22, BIT_ULL(1) | BIT_ULL(2));
	KUNIT_EXPECT_TRUE(test, pmon_events_agree(&t->ev[0].event,
						  &t->ev[1].event));
	w(t, CFG(0), 0);
	w(t, FLT(1), 0x11);
	w(t, FLT(2), 0x22);
	w(t, CFG(1), FILTERED(1) | ON);
	w(t, CFG(2), FILTERED(2) | ON);
	w(t, BOX, HALT);
	r(t, CTR(1), 0);
	r(t, CTR(2), 0);
	w(t, BOX, 0);
	apply(t);

	/* Only the one that changes is written. */
	del(t, 0);
	want(t, 2, FILTERED(1), 0x33, BIT_ULL(1) | BIT_ULL(2));
	w(t, CFG(1), 0);
	r(t, CTR(1), 5);
	w(t, FLT(1), 0x33);
	w(t, CFG(1), FILTERED(1) | ON);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 5ULL);

	/* One event follows itself while the other's filter changes. */
	del(t, 1);
	del(t, 2);
	want(t, 4, FILTERED(2), 0x44, BIT_ULL(1) | BIT_ULL(2));
	KUNIT_ASSERT_EQ(test, t->ev[4].event.assigned_to, 1);
	want(t, 5, FILTERED(2), 0x22, BIT_ULL(1) | BIT_ULL(2));
	KUNIT_ASSERT_EQ(test, t->ev[5].event.assigned_to, 2);
	w(t, CFG(1), 0);
	r(t, CTR(1), 6);
	r(t, CTR(2), 3);
	w(t, FLT(1), 0x44);
	w(t, CFG(1), FILTERED(2) | ON);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 3ULL);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 1ULL);
	del(t, 4);
	want(t, 2, FILTERED(1), 0x33, BIT_ULL(1) | BIT_ULL(2));
	w(t, CFG(1), 0);
	r(t, CTR(1), 6);
	w(t, FLT(1), 0x33);
	w(t, CFG(1), FILTERED(1) | ON);
	apply(t);

	/* The same control and the same filter: nothing is. */
	del(t, 2);
	want(t, 3, FILTERED(1), 0x33, BIT_ULL(1) | BIT_ULL(2));
	r(t, CTR(1), 7);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 1ULL);
}

/* What runs by itself counts on in a box that stays frozen. */
static void what_runs_by_itself_survives(struct kunit *test)
{
	struct rig *t = box(test);

	want(t, 0, CLOCK, 0, BIT_ULL(0));
	want(t, 1, EVENT(1), 0, BIT_ULL(1) | BIT_ULL(2));
	want(t, 2, LINK, 0, BIT_ULL(3));
	w(t, CFG(2), 0);
	w(t, CFG(0), ON);
	w(t, CFG(1), EVENT(1) | ON);
	w(t, BOX, HALT);
	r(t, CTR(0), 1);
	r(t, CTR(1), 1);
	w(t, BOX, 0);
	r(t, CTR(3), 1);
	apply(t);
	w(t, BOX, HALT);
	r(t, CTR(0), 2);
	r(t, CTR(1), 2);
	w(t, BOX, 0);
	fake_refused(&t->fake);
	w(t, BOX, HALT);
	pmon_bank_snapshot(&t->bank, 0x3);
	fake_done(&t->fake);
	KUNIT_EXPECT_TRUE(test, t->bank.running);
	r(t, CTR(3), 4);
	pmon_bank_tick(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 3ULL);
}

/* A filter that is refused stops one event, not those of other counters. */
static void one_filter_is_refused(struct kunit *test)
{
	struct rig *t = box(test);

	want(t, 0, FILTERED(1), 0x11, BIT_ULL(1) | BIT_ULL(2));
	want(t, 1, FILTERED(2), 0x22, BIT_ULL(1) | BIT_ULL(2));
	w(t, CFG(0), 0);
	w(t, FLT(1), 0x11);
	fake_refused(&t->fake);
	w(t, FLT(2), 0x22);
	w(t, CFG(2), FILTERED(2) | ON);
	w(t, BOX, HALT);
	r(t, CTR(1), 0);
	r(t, CTR(2), 0);
	w(t, BOX, 0);
	apply(t);
	KUNIT_EXPECT_TRUE(test, t->ev[0].event.failed);
	KUNIT_EXPECT_EQ(test, t->ev[0].event.counted_on, -1);
	KUNIT_EXPECT_FALSE(test, t->ev[1].event.failed);
	KUNIT_EXPECT_EQ(test, t->ev[1].event.counted_on, 2);
}

/* A group that cannot be stopped by a freeze is stopped by its controls. */
static void what_cannot_be_frozen_is_stopped(struct kunit *test)
{
	struct rig *t = box(test);

	want(t, 0, EVENT(1), 0, BIT_ULL(1) | BIT_ULL(2));
	want(t, 1, EVENT(2), 0, BIT_ULL(1) | BIT_ULL(2));
	w(t, CFG(0), 0);
	w(t, CFG(1), EVENT(1) | ON);
	w(t, CFG(2), EVENT(2) | ON);
	w(t, BOX, HALT);
	r(t, CTR(1), 0);
	r(t, CTR(2), 0);
	w(t, BOX, 0);
	apply(t);
	del(t, 0);
	del(t, 1);
	w(t, BOX, HALT);
	fake_refused(&t->fake);
	w(t, CFG(1), 0);
	w(t, CFG(2), 0);
	r(t, CTR(1), 3);
	r(t, CTR(2), 4);
	apply(t);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 3ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 4ULL);
}

static struct kunit_case table_tests[] = {
	KUNIT_CASE(events_find_their_counters),
	KUNIT_CASE(all_kinds_count_in_one_box),
	KUNIT_CASE(all_kinds_are_lost_together),
	KUNIT_CASE(each_counter_has_its_filter),
	KUNIT_CASE(one_filter_is_refused),
	KUNIT_CASE(what_cannot_be_frozen_is_stopped),
	KUNIT_CASE(what_runs_by_itself_survives),
	{ }
};

struct kunit_suite pmon_table_suite = {
	.name = "pmon_table",
	.test_cases = table_tests,
};
