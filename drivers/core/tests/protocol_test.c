// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check boxes unlike the boxes of a discovery table, access by access: Zambezi
 * counters of Victoria Falls (no box control, select 0 is off) and R2PCIe
 * (Intel 329468-002, 2.9: an enable bit in each control).
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "rig.h"
#include "suites.h"

#define SELECT(n)	(0x100 + (n))
#define PIC(n)		(0x200 + (n))

static const struct pmon_protocol no_box_control = {
	.no_reset = true, .rate_log2 = 32,
};

static const struct pmon_protocol frozen_no_reset = {
	.freeze = 1, .reset = 1, .bytes = 4, .no_reset = true, .rate_log2 = 32,
};

static const struct pmon_counter zam_counters[] = {
	{ .width = 48, .ctl = SELECT(0), .ctr = PIC(0) },
	{ .width = 48, .ctl = SELECT(1), .ctr = PIC(1) },
	{ .width = 48, .ctl = SELECT(2), .ctr = PIC(2) },
	{ .width = 48, .ctl = SELECT(3), .ctr = PIC(3) },
};

/* Counters that can be stopped and keep the values. */
static struct rig *zam(struct kunit *test, const struct pmon_protocol *protocol,
		       u8 counters)
{
	const struct pmon_layout layout = {
		.protocol = protocol, .counter = zam_counters,
		.counters = counters, .ctl_bytes = 8, .indexed = true,
	};
	struct rig *t = rig_new(test, &layout, false);

	KUNIT_ASSERT_NULL(test, pmon_layout_valid(&layout, 0));
	t->hw.ctl_event = 0xff;
	return t;
}

/* Replace up to four events by others, on the same counters. */
static void replace(struct rig *t, unsigned int counters)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		del(t, i);
	for (i = 0; i < counters; i++)
		add_on(t, 4 + i, 0x10 + i, i);
}

/*
 * Three counters are stopped and read for the old events; the free fourth
 * counter is read for the new event. A freeze would save no write.
 */
static void no_reset_counters_are_stopped_first(struct kunit *test)
{
	struct rig *t = zam(test, &frozen_no_reset, 4);
	unsigned int i;

	for (i = 0; i < 4; i++)
		add_new(t, i, 1 + i, 0);
	apply_as(t, W8(SELECT(0), 1), W8(SELECT(1), 2), W8(SELECT(2), 3),
		 W8(SELECT(3), 4), W4(0, 1), R8(PIC(0), 0), R8(PIC(1), 0),
		 R8(PIC(2), 0), R8(PIC(3), 0), W4(0, 0));
	del(t, 3);
	apply_as(t, W8(SELECT(3), 0), R8(PIC(3), 7));
	KUNIT_EXPECT_EQ(test, t->ev[3].count, 7ULL);
	replace(t, 4);
	apply_as(t, W8(SELECT(0), 0), W8(SELECT(1), 0), W8(SELECT(2), 0),
		 R8(PIC(0), 10), R8(PIC(1), 11), R8(PIC(2), 12), R8(PIC(3), 9),
		 W8(SELECT(0), 0x10), W8(SELECT(1), 0x11), W8(SELECT(2), 0x12),
		 W8(SELECT(3), 0x13));
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, t->ev[i].count, 10ULL + i);
		expect_count(t, 4 + i, PIC(i), 20, 10 - i);
	}
	expect_count(t, 7, PIC(3), 20, 11);
}

/*
 * Without a box control there is no freeze: events of a group start, stop and
 * are read one after the other.
 */
static void nothing_freezes_a_box_without_control(struct kunit *test)
{
	struct rig *t = zam(test, &no_box_control, 4);
	unsigned int i;

	for (i = 0; i < 4; i++)
		add_new(t, i, 1 + i, 0);
	apply_as(t, W8(SELECT(0), 0), W8(SELECT(1), 0), W8(SELECT(2), 0),
		 W8(SELECT(3), 0), R8(PIC(0), 0), R8(PIC(1), 0), R8(PIC(2), 0),
		 R8(PIC(3), 0), W8(SELECT(0), 1), W8(SELECT(1), 2),
		 W8(SELECT(2), 3), W8(SELECT(3), 4));
	expect(t, R8(PIC(0), 1), R8(PIC(1), 2));
	rig_snapshot(t, 0x3);
	KUNIT_EXPECT_EQ(test, t->hw.frozen_ns, 0ULL);

	/* replace three events, and delete the last */
	replace(t, 3);
	apply_as(t, W8(SELECT(0), 0), W8(SELECT(1), 0), W8(SELECT(2), 0),
		 W8(SELECT(3), 0), R8(PIC(0), 7), R8(PIC(1), 8), R8(PIC(2), 9),
		 R8(PIC(3), 10), W8(SELECT(0), 0x10), W8(SELECT(1), 0x11),
		 W8(SELECT(2), 0x12));
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ(test, t->ev[i].count, 7ULL + i);
}

/* Start the first event of two counters, at 9. */
static struct rig *from_9(struct kunit *test)
{
	struct rig *t = zam(test, &no_box_control, 2);

	add_new(t, 0, 3, 0);
	apply_as(t, W8(SELECT(0), 0), W8(SELECT(1), 0), R8(PIC(0), 9),
		 W8(SELECT(0), 3));
	return t;
}

/*
 * Counters are stopped one by one and then read, also when the box becomes idle
 * and at a hand-back. A stopped counter is not stopped again.
 */
static void counters_are_stopped_one_by_one(struct kunit *test)
{
	struct rig *t = from_9(test);

	del(t, 0);
	apply_as(t, W8(SELECT(0), 0), R8(PIC(0), 12));
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 3ULL);
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	apply_as(t, R8(PIC(0), 12), W8(SELECT(0), 3));
	del(t, 0);
	apply_as(t, W8(SELECT(0), 0), R8(PIC(0), 12));
	expect(t, R8(SELECT(0), 0));
	rig_release(t);
}

/*
 * The counter does not respond at the last read. The next event of the counter
 * would start from this value, so the event fails, and nothing else is read.
 */
static void an_end_that_is_not_read_is_no_start(struct kunit *test)
{
	struct rig *t = from_9(test);

	del(t, 0);
	add_on(t, 1, 4, 0);
	expect(t, W8(SELECT(0), 0));
	expect_all_ones(t, PIC(0));
	apply(t);
	KUNIT_EXPECT_EQ(test, t->hw.lost, 1U);
	KUNIT_EXPECT_EQ(test, t->hw.refused, 1U);
	KUNIT_EXPECT_TRUE(test, t->ev[0].event.failed);
	KUNIT_EXPECT_TRUE(test, t->ev[1].event.failed);
}

/* Bits 16 and 17 of the box control and bit 22 of each control are always 1. */
static void bits_that_are_always_set(struct kunit *test)
{
	static const struct pmon_protocol protocol = {
		.freeze = 0x30100, .reset = 0x30103, .run = 0x30000, .bytes = 4,
	};
	static const struct pmon_counter counter = {
		.width = 44, .ctl = 0xd8, .ctr = 0xa0,
	};
	static const struct pmon_layout r2pcie = {
		.protocol = &protocol, .counter = &counter, .counters = 1,
		.ctl_bytes = 4, .box_ctl = 0xf4,
	};
	static const struct pmon_type type = {
		.ctl_event = 0xff04ffff, .ctl_set = BIT(22),
	};
	struct rig *t = rig_new(test, &r2pcie, true);

	KUNIT_ASSERT_NULL(test, pmon_layout_valid(&r2pcie, 0));
	t->hw.ctl_event = type.ctl_event | type.ctl_set;
	pmon_event_init(&t->ev[0].event, &type, &t->hw.layout, 0x110, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	apply_as(t, W4(0xf4, 0x30103), W4(0xd8, 0x400110), W4(0xf4, 0x30000));
	expect_count(t, 0, 0xa0, 5, 5);

	/* bit 22 is compared, too */
	expect(t, R4(0xf4, 0x30000), R4(0xd8, 0x110), W4(0xf4, 0x30100),
	       R8(0xa0, 5), W4(0xf4, 0x30103), W4(0xd8, 0x400110),
	       W4(0xf4, 0x30000));
	rig_tick(t);
	KUNIT_EXPECT_EQ(test, t->hw.restarts, 1U);
}

/* The fastest or narrowest counter determines the period. */
static void period_of_a_box(struct kunit *test)
{
	struct pmon_layout layout = imc;
	struct pmon_counter counter[5];

	memcpy(counter, imc.counter, sizeof(counter));
	layout.counter = counter;
	counter[4].width = 36;
	KUNIT_EXPECT_EQ(test, pmon_layout_period_ns(&layout), 125000000ULL);
}

static struct kunit_case protocol_tests[] = {
	/* contract: setup */
	KUNIT_CASE(no_reset_counters_are_stopped_first),
	KUNIT_CASE(nothing_freezes_a_box_without_control),
	KUNIT_CASE(counters_are_stopped_one_by_one),
	KUNIT_CASE(an_end_that_is_not_read_is_no_start),
	KUNIT_CASE(bits_that_are_always_set),
	/* contract: wrap */
	KUNIT_CASE(period_of_a_box),
	{ }
};

struct kunit_suite pmon_protocol_suite = {
	.name = "pmon_protocol",
	.test_cases = protocol_tests,
};
