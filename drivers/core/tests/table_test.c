// SPDX-License-Identifier: GPL-2.0-only
/* contract: setup-cxl groups */
/*
 * Check a layout with counters of different kinds, widths and filters in one
 * box.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "cpmu.h"
#include "suites.h"

/* A CPMU: a clock, counters of two widths, and a free-running counter. */
#define CLOCK	0x1
#define LINK	0x1000
#define CFG(n)	CPMU_CFG(n)
#define FLT(n)	(0x400 + 32 * (n))
#define CTR(n)	CPMU_CTR(n)
#define BOX	CPMU_BOX
#define HALT	CPMU_STOP

static const struct pmon_counter counters[] = {
	{ .width = 64, .ctl = CFG(0), .ctr = CTR(0), .filter = FLT(0),
	  .kind = PMON_COUNTER_FIXED, .config = CLOCK, .enable = CPMU_ENABLE },
	{ .width = 48, .ctl = CFG(1), .ctr = CTR(1), .filter = FLT(1) },
	{ .width = 32, .ctl = CFG(2), .ctr = CTR(2), .filter = FLT(2) },
	{ .width = 40, .ctr = CTR(3), .kind = PMON_COUNTER_FREE_RUNNING,
	  .config = LINK },
};

static const struct pmon_layout cpmu = {
	.protocol = &cpmu_protocol, .counter = counters, .counters = 4,
	.ctl_bytes = 8, .filter_bytes = 8, .box_ctl = BOX,
};

static const struct pmon_type type = {
	.ctl_event = 0xff000000, .ctl_set = CPMU_ENABLE,
	.filter_enable = BIT_ULL(31), .filter_mask = ~0ULL,
};

#define EVENT(n)	((u64)(n) << 24)
#define FILTERED(n)	(EVENT(n) | BIT_ULL(31))
#define ON(n)		CPMU_ON(n)
#define FILTERED_ON(n)	(FILTERED(n) | CPMU_ENABLE)

static void want_in(struct rig *t, unsigned int i, u64 config, u64 config1,
		    u64 allowed)
{
	struct pmon_event *event = &t->ev[i].event;

	pmon_event_init(event, &type, &t->hw.layout, config, config1);
	t->ev[i].count = 0;
	KUNIT_EXPECT_EQ(t->fake.test, event->allowed, allowed);
	KUNIT_ASSERT_TRUE(t->fake.test, add(t, i));
}

static void want_clock(struct rig *t, unsigned int i)
{
	want_in(t, i, CLOCK, 0, BIT_ULL(0));
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[i].event.ctl, CPMU_ENABLE);
}

static void want_link(struct rig *t, unsigned int i)
{
	want_in(t, i, LINK, 0, BIT_ULL(3));
	KUNIT_EXPECT_TRUE(t->fake.test, t->ev[i].event.free_running);
}

static void want_any(struct rig *t, unsigned int i, u64 config, u64 filter)
{
	want_in(t, i, config, filter, BIT_ULL(1) | BIT_ULL(2));
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[i].event.ctl, config | CPMU_ENABLE);
	KUNIT_EXPECT_FALSE(t->fake.test, t->ev[i].event.free_running);
}

/* Each counter wraps at its width; free-running counters are never stopped. */
static void all_kinds_count_in_one_box(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	want_clock(t, 0);
	want_any(t, 1, EVENT(1), 0);
	want_any(t, 2, EVENT(2), 0);
	want_link(t, 3);
	apply_as(t, W8(CFG(0), ON(0)), W8(CFG(1), ON(1)), W8(CFG(2), ON(2)),
		 W8(BOX, HALT), R8(CTR(0), 0xfffffffffffffff0),
		 R8(CTR(1), 0xffffffffffff), R8(CTR(2), 0xffffffff),
		 W8(BOX, 0), R8(CTR(3), 0xffffffffff));
	expect(t, R8(CTR(0), 4), R8(CTR(1), 2), R8(CFG(1), ON(1)),
	       R8(CTR(2), 3), R8(CFG(2), ON(2)), R8(CTR(3), 4));
	rig_sync(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 20ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 3ULL);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 4ULL);
	KUNIT_EXPECT_EQ(test, t->ev[3].count, 5ULL);

	/* the free-running counter alone keeps the box active */
	del(t, 0);
	del(t, 1);
	del(t, 2);
	apply_as(t, W8(BOX, HALT), R8(CTR(0), 4), R8(CTR(1), 2), R8(CTR(2), 3));
	KUNIT_EXPECT_TRUE(test, t->hw.active);
	expect(t, R8(CTR(3), 6));
	rig_tick(t);
	KUNIT_EXPECT_EQ(test, t->ev[3].count, 7ULL);
	del(t, 3);
	apply_as(t, R8(CTR(3), 6));
	KUNIT_EXPECT_FALSE(test, t->hw.active);

	expect(t, R8(CFG(0), 0));
	rig_release(t);
	KUNIT_EXPECT_EQ(test, t->released, 1U);
}

/* Removal of the box detaches events of all kinds. */
static void all_kinds_are_lost_together(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);
	unsigned int i;

	want_clock(t, 0);
	want_link(t, 1);
	for (i = 0; i < 2; i++) {
		apply_as(t, W8(CFG(0), 0), W8(CFG(1), 0), W8(CFG(2), 0),
			 R8(CTR(0), 1 + 6 * i), W8(CFG(0), ON(0)), W8(BOX, 0),
			 R8(CTR(3), 1 + 8 * i));
		if (i)
			break;
		pmon_hw_set_state(&t->hw, PMON_BOX_REMOVED);
		KUNIT_EXPECT_EQ(test, t->ev[0].event.counted_on, -1);
		KUNIT_EXPECT_EQ(test, t->ev[1].event.counted_on, -1);
		KUNIT_EXPECT_FALSE(test, t->hw.active);
		pmon_hw_init(&t->hw, &cpmu, &t->fake.regs);
	}
	expect(t, R8(CTR(0), 8), R8(CTR(3), 9));
	rig_sync(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 1ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 0ULL);
}

/* Free-running counters count on while the box is frozen. */
static void free_running_counters_survive(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	want_clock(t, 0);
	want_any(t, 1, EVENT(1), 0);
	want_link(t, 2);
	apply_as(t, W8(CFG(2), 0), W8(CFG(0), ON(0)), W8(CFG(1), ON(1)),
		 W8(BOX, HALT), R8(CTR(0), 1), R8(CTR(1), 1), W8(BOX, 0),
		 R8(CTR(3), 1));
	want_link(t, 3);
	expect(t, W8(BOX, HALT), R8(CTR(0), 2), R8(CTR(1), 2), X8(BOX, 0));
	rig_snapshot(t, 0x3);
	KUNIT_EXPECT_TRUE(test, t->ev[0].event.failed);
	KUNIT_EXPECT_FALSE(test, t->ev[2].event.failed);
	KUNIT_EXPECT_FALSE(test, t->ev[3].event.failed);
	expect_count(t, 2, CTR(3), 4, 3);
}

/* Different filters fit if each counter has a filter register. */
static void each_counter_has_its_filter(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	want_any(t, 0, FILTERED(1), 0x11);
	want_any(t, 1, FILTERED(2), 0x22);
	apply_as(t, W8(CFG(0), 0), W8(FLT(1), 0x11), W8(FLT(2), 0x22),
		 W8(CFG(1), FILTERED_ON(1)), W8(CFG(2), FILTERED_ON(2)),
		 W8(BOX, HALT), R8(CTR(1), 0), R8(CTR(2), 0), W8(BOX, 0));

	/* write the changed filter only */
	del(t, 0);
	want_any(t, 2, FILTERED(1), 0x33);
	apply_as(t, W8(CFG(1), 0), R8(CTR(1), 5), W8(FLT(1), 0x33),
		 W8(CFG(1), FILTERED_ON(1)));
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 5ULL);

	/* equal control and filter on counter 2, another filter on counter 1 */
	del(t, 1);
	del(t, 2);
	want_any(t, 4, FILTERED(2), 0x44);
	KUNIT_ASSERT_EQ(test, t->ev[4].event.assigned_to, 1);
	want_any(t, 5, FILTERED(2), 0x22);
	KUNIT_ASSERT_EQ(test, t->ev[5].event.assigned_to, 2);
	apply_as(t, W8(CFG(1), 0), R8(CTR(1), 6), R8(CTR(2), 3),
		 W8(FLT(1), 0x44), W8(CFG(1), FILTERED_ON(2)));
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 3ULL);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 1ULL);

	/* an equal control and filter: no write */
	del(t, 4);
	want_any(t, 6, FILTERED(2), 0x44);
	apply_as(t, R8(CTR(1), 7));
	KUNIT_EXPECT_EQ(test, t->ev[4].count, 1ULL);
}

/* A refused filter fails one event, not the events of other counters. */
static void one_filter_is_refused(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	want_any(t, 0, FILTERED(1), 0x11);
	want_any(t, 1, FILTERED(2), 0);
	apply_as(t, W8(CFG(0), 0), X8(FLT(1), 0x11), W8(FLT(2), 0),
		 W8(CFG(1), FILTERED_ON(1)), W8(CFG(2), FILTERED_ON(2)),
		 W8(BOX, HALT), R8(CTR(1), 0), R8(CTR(2), 0), W8(BOX, 0));
	KUNIT_EXPECT_TRUE(test, t->ev[0].event.failed);
	KUNIT_EXPECT_FALSE(test, t->ev[1].event.failed);
}

static struct kunit_case table_tests[] = {
	KUNIT_CASE(all_kinds_count_in_one_box),
	KUNIT_CASE(all_kinds_are_lost_together),
	KUNIT_CASE(free_running_counters_survive),
	KUNIT_CASE(each_counter_has_its_filter),
	KUNIT_CASE(one_filter_is_refused),
	{ }
};

struct kunit_suite pmon_table_suite = {
	.name = "pmon_table",
	.test_cases = table_tests,
};
