// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check a box access by access: start, read and stop a group, ticks, and
 * removed devices. Each test lists the expected accesses before the call.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "rig.h"
#include "suites.h"

static const struct pmon_layout * const layouts[] = { &imc, &cha };

/* Long enough for the fastest counter to gain any value of 48 bits. */
#define LONG_NS		(1100ULL * 1000000000)
/* 2^41 a second is possible, 2^42 is not; see pmon_delta_possible(). */
#define POSSIBLE_NS	2199ULL
#define IMPOSSIBLE_NS	4399ULL

static void expect_four_counts(struct rig *t, u64 count)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ(t->fake.test, t->ev[i].count, count + i);
}

static void del_four(struct rig *t)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		del(t, i);
}

/* Four events: 6 accesses to start, 4 to read, 6 for a snapshot, 5 to stop. */
static void a_group_of_four(struct kunit *test)
{
	unsigned int k, i;

	for (k = 0; k < ARRAY_SIZE(layouts); k++) {
		struct rig *t = rig_new(test, layouts[k], false);
		u8 bytes = layouts[k]->protocol->bytes;

		start_four(test, t);
		for (i = 0; i < 4; i++)
			expect_count(t, i, layouts[k]->counter[i].ctr, 100 + i,
				     100 + i);

		fake_write(&t->fake, 0, FREEZE, bytes);
		expect_four_reads(t, 200);
		fake_write(&t->fake, 0, RUN, bytes);
		rig_snapshot(t, 0xf);
		expect_four_counts(t, 200);
		fake_write(&t->fake, 0, FREEZE, bytes);
		fake_read(&t->fake, layouts[k]->counter[0].ctr, 200);
		fake_read(&t->fake, layouts[k]->counter[1].ctr, 201);
		fake_write(&t->fake, 0, RUN, bytes);
		rig_snapshot(t, 0x3);

		fake_write(&t->fake, 0, FREEZE, bytes);
		expect_four_reads(t, 300);
		del_four(t);
		apply(t);
		expect_four_counts(t, 300);
		/* of snapshots: the freeze of an idle box does not count */
		KUNIT_EXPECT_EQ(test, t->hw.frozen_ns,
				10ULL * FAKE_ACCESS_NS);

		/* a new start begins at 0, whatever the counters hold */
		start_four(test, t);
		expect_count(t, 2, layouts[k]->counter[2].ctr, 5, 5);
	}
}

/* A snapshot of one counter needs no freeze, and reads no other counters. */
static void snapshot_of_one_does_not_freeze(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_four(test, t);
	fake_read(&t->fake, 0x10, 42);
	rig_snapshot(t, 0x12);
	KUNIT_EXPECT_EQ(test, t->hw.frozen_ns, 0ULL);
	expect(t, W4(0, FREEZE), R8(0x8, 1), R8(0x20, 4), W4(0, RUN));
	rig_snapshot(t, 0x19);
	rig_snapshot(t, 0x10);
}

static void sync_reads_active_counters(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	rig_sync(t);
	add_new(t, 0, 0x1, 0);
	add_new(t, 1, 0xff, 0);
	apply_as(t, W4(0, RESET), W4(0x40, 0x1), W4(0x54, 0x400000),
		 R8(0x38, 0), W4(0, RUN));
	fake_time += LONG_NS;
	expect(t, R8(0x8, 0xfffffffffffe), R8(0x38, 2));
	rig_sync(t);
	expect(t, R8(0x8, 3), R8(0x38, 4));
	rig_sync(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 0x1000000000003ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 4ULL);
}

static void release_of_used_boxes_only(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	rig_release(t);
	rig_ready(t);
	start_four(test, t);
	del_four(t);
	fake_write(&t->fake, 0, FREEZE, 4);
	expect_four_reads(t, 0);
	apply(t);
	expect(t, R4(0x40, 0), W4(0, RESET), W4(0, RUN));
	rig_release(t);
	rig_ready(t);
	rig_release(t);
}

/* Stop and read the counters, hand the box back, then access no register. */
static void the_last_cpu_releases_the_box(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_four(test, t);
	expect(t, R4(0x40, 1), W4(0, FREEZE));
	expect_four_reads(t, 100);
	expect(t, W4(0, RESET), W4(0, RUN));
	rig_release(t);
	expect_four_counts(t, 100);

	/* perf deletes the events afterwards */
	del_four(t);
	apply(t);
	rig_release(t);
	rig_ready(t);
	rig_release(t);
}

/* A tick reads one control, then the counters. */
static void a_tick_reads_active_counters(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	rig_tick(t);
	start_four(test, t);
	expect(t, R4(0x40, 1));
	expect_four_reads(t, 10);
	rig_tick(t);
	expect_four_counts(t, 10);
	KUNIT_EXPECT_EQ(test, t->hw.restarts, 0U);
}

/*
 * A tick takes an access for a control and for each active counter; twice as
 * many if split.
 */
static void a_tick_is_weighed(struct kunit *test)
{
	static const struct pmon_counter counters[] = {
		{ .width = 48, .ctr = 0x8, .config = 0x10ff,
		  .kind = PMON_COUNTER_FREE_RUNNING },
	};
	static const struct pmon_layout free_running = {
		.counter = counters, .counters = 1,
	};
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	start_four(test, t);
	KUNIT_EXPECT_EQ(test, pmon_hw_tick_accesses(&t->hw), 5U);
	del(t, 3);
	apply_as(t, W4(0x4c, 0), R8(0x20, 0));
	KUNIT_EXPECT_EQ(test, pmon_hw_tick_accesses(&t->hw), 4U);

	t = rig_new(test, &upi, true);
	start_four(test, t);
	KUNIT_EXPECT_EQ(test, pmon_hw_tick_accesses(&t->hw), 10U);

	t = rig_new(test, &free_running, false);
	for (i = 0; i < 3; i++) {
		add_new(t, i, 0x10ff, 0);
		apply_as(t, R8(0x8, 0));
	}
	KUNIT_EXPECT_GE(test, pmon_hw_tick_accesses(&t->hw), 1U);
	KUNIT_EXPECT_LE(test, pmon_hw_tick_accesses(&t->hw), 2U);
}

/* Set up everything again; values left in the counters do not count. */
static void a_box_that_was_reset_counts_again(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_four(test, t);
	expect_count(t, 0, 0x8, 5000, 5000);
	expect(t, R4(0x40, 0), W4(0, RESET), W4(0x40, 1), W4(0x44, 2),
	       W4(0x48, 3), W4(0x4c, 4), W4(0, RUN));
	rig_tick(t);
	KUNIT_EXPECT_EQ(test, t->hw.restarts, 1U);
	expect_count(t, 0, 0x8, 7, 5007);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
}

/* Count on from the lower value. Gains below 2^28 are not checked. */
static void a_counter_that_goes_back_is_not_counted(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_four(test, t);
	expect_count(t, 0, 0x8, BIT_ULL(28) - 1, BIT_ULL(28) - 1);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 0U);
	fake_time += 1000000000;
	expect_count(t, 0, 0x8, 999, BIT_ULL(28) - 1);
	expect_count(t, 0, 0x8, 1003, BIT_ULL(28) + 3);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
}

/*
 * The possible gain depends on the time from before the last read of all
 * counters, or the start of the event, until after this read.
 */
static void a_counter_that_jumps_is_not_counted(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	u64 most, before;

	start_four(test, t);
	expect_four_reads(t, 0);
	before = fake_time;
	rig_sync(t);
	fake_time += 10000000;
	most = (fake_time + FAKE_ACCESS_NS - before) * POSSIBLE_NS;
	expect_count(t, 0, 0x8, most, most);
	/* measured from the same time */
	expect_count(t, 0, 0x8, 2 * most, 2 * most);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 0U);
	before = (fake_time + FAKE_ACCESS_NS - before) * IMPOSSIBLE_NS;
	expect_count(t, 0, 0x8, 2 * most + before, 2 * most);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);

	/* the counter read 5000 long ago; later gains do not count */
	del(t, 3);
	apply_as(t, W4(0x4c, 0), R8(0x20, 5000));
	fake_time += LONG_NS;
	KUNIT_ASSERT_TRUE(test, add(t, 3));
	apply_as(t, W4(0x4c, 4));
	expect_count(t, 3, 0x20, 10, 5000);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 2U);
}

/*
 * After removal no register is accessed. If the device returns, counts go on
 * from 0, whatever the counters hold.
 */
static void gone_and_back(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	start_four(test, t);
	expect_four_reads(t, 500);
	rig_sync(t);
	pmon_hw_set_state(&t->hw, PMON_BOX_REMOVED);
	for (i = 0; i < 4; i++)
		rig_read(t, i);
	rig_snapshot(t, 0xf);
	rig_sync(t);
	rig_release(t);
	del(t, 3);
	apply(t);

	pmon_hw_init(&t->hw, &imc, &t->fake.regs);
	apply_as(t, W4(0, RESET), W4(0x40, 1), W4(0x44, 2), W4(0x48, 3),
		 W4(0, RUN));
	expect_count(t, 0, 0x8, 5, 505);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 0U);
}

static struct kunit_case hw_tests[] = {
	/* contract: setup */
	KUNIT_CASE(a_group_of_four),
	KUNIT_CASE(snapshot_of_one_does_not_freeze),
	KUNIT_CASE(sync_reads_active_counters),
	/* contract: handback-others */
	KUNIT_CASE(release_of_used_boxes_only),
	/* contract: handback */
	KUNIT_CASE(the_last_cpu_releases_the_box),
	/* contract: control */
	KUNIT_CASE(a_tick_reads_active_counters),
	/* contract: tick */
	KUNIT_CASE(a_tick_is_weighed),
	/* contract: reset */
	KUNIT_CASE(a_box_that_was_reset_counts_again),
	KUNIT_CASE(a_counter_that_goes_back_is_not_counted),
	KUNIT_CASE(a_counter_that_jumps_is_not_counted),
	/* contract: pulled */
	KUNIT_CASE(gone_and_back),
	{ }
};

struct kunit_suite pmon_hw_suite = {
	.name = "pmon_hw",
	.test_cases = hw_tests,
};
