// SPDX-License-Identifier: GPL-2.0-only
/* contract: setup-cxl groups */
/* Check counters that each have a filter register. */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "cpmu.h"
#include "suites.h"

/* Registers of a CPMU with a clock and counters of two widths. */
#define CLOCK	0x1
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
};

static const struct pmon_layout cpmu = {
	.protocol = &cpmu_protocol, .counter = counters, .counters = 3,
	.ctl_bytes = 8, .filter_bytes = 8, .box_ctl = BOX,
};

static const struct pmon_type type = {
	.ctl_event = 0xff000000, .ctl_set = CPMU_ENABLE,
	.filter_enable = BIT_ULL(31), .filter_mask = ~0ULL,
};

#define EVENT(n)	((u64)(n) << 24)
#define FILTERED(n)	(EVENT(n) | BIT_ULL(31))
#define FILTERED_ON(n)	(FILTERED(n) | CPMU_ENABLE)

static void want_any(struct rig *t, unsigned int i, u64 config, u64 filter)
{
	struct pmon_event *event = &t->ev[i].event;

	pmon_event_init(event, &type, &t->hw.layout, config, filter);
	t->ev[i].count = 0;
	KUNIT_EXPECT_EQ(t->fake.test, event->allowed, BIT_ULL(1) | BIT_ULL(2));
	KUNIT_EXPECT_EQ(t->fake.test, event->ctl, config | CPMU_ENABLE);
	KUNIT_ASSERT_TRUE(t->fake.test, add(t, i));
}

/* Events with different filters fit if each counter has a filter register. */
static void each_counter_has_its_filter(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	want_any(t, 0, FILTERED(1), 0x11);
	want_any(t, 1, FILTERED(2), 0x22);
	apply_as(t, W8(CFG(0), 0), W8(FLT(1), 0x11), W8(FLT(2), 0x22),
		 W8(CFG(1), FILTERED_ON(1)), W8(CFG(2), FILTERED_ON(2)),
		 W8(BOX, HALT), R8(CTR(1), 0), R8(CTR(2), 0), W8(BOX, 0));

	/* of the filters, write only the changed one */
	del(t, 0);
	want_any(t, 2, FILTERED(1), 0x33);
	apply_as(t, W8(CFG(1), 0), R8(CTR(1), 5), W8(FLT(1), 0x33),
		 W8(CFG(1), FILTERED_ON(1)));
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 5ULL);

	/* two events make room for others */
	del(t, 1);
	del(t, 2);
	want_any(t, 4, FILTERED(2), 0x44);
	KUNIT_ASSERT_EQ(test, t->ev[4].event.assigned_to, 1);
	want_any(t, 5, FILTERED(2), 0x22);
	KUNIT_ASSERT_EQ(test, t->ev[5].event.assigned_to, 2);
	apply_as(t, W8(CFG(1), 0), W8(CFG(2), 0), R8(CTR(1), 6), R8(CTR(2), 3),
		 W8(FLT(1), 0x44), W8(FLT(2), 0x22), W8(CFG(1), FILTERED_ON(2)),
		 W8(CFG(2), FILTERED_ON(2)));
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 3ULL);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 1ULL);

	/* the filter of an event that joins is written, even if it was there */
	del(t, 4);
	want_any(t, 6, FILTERED(2), 0x44);
	apply_as(t, W8(CFG(1), 0), R8(CTR(1), 7), W8(FLT(1), 0x44),
		 W8(CFG(1), FILTERED_ON(2)));
	KUNIT_EXPECT_EQ(test, t->ev[4].count, 1ULL);
}

/* If the write of a filter is refused, only the event of its counter fails. */
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

static int encode(const struct pmon_layout *layout, const u64 *config,
		  struct pmon_encoding *encoding)
{
	encoding->allowed = ~0ULL;
	encoding->rate_log2 = 38;
	return 0;
}

/* The function of a type sets control and rate, of a fixed counter, too. */
static void a_function_encodes(struct kunit *test)
{
	const struct pmon_type own = { .encode = encode };
	struct rig *t = box(test, &cpmu);
	struct pmon_event *event = &t->ev[0].event;

	pmon_event_init(event, &own, &t->hw.layout, 0, 0);
	KUNIT_EXPECT_EQ(test, event->ctl, 0ULL);
	KUNIT_EXPECT_EQ(test, event->allowed, 7ULL);
	KUNIT_EXPECT_EQ(test, event->rate_log2, 38);
}

static struct kunit_case table_tests[] = {
	KUNIT_CASE(a_function_encodes),
	KUNIT_CASE(each_counter_has_its_filter),
	KUNIT_CASE(one_filter_is_refused),
	{ }
};

struct kunit_suite pmon_table_suite = {
	.name = "pmon_table",
	.test_cases = table_tests,
};
