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

/* At 2^38 a second, a counter can gain any value of 48 bits in this time. */
#define LONG_NS		(1100ULL * 1000000000)
/* The most that a counter may gain in a ns: eight times 2^38 a second. */
#define POSSIBLE_NS	2199ULL

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
		/* the time of two snapshots, but not of the last freeze */
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
	expect(t, R8(0x8, 0xffffffffffff), R8(0x38, 4));
	rig_sync(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 0xffffffffffffULL);
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

/* A tick stops and starts all events: 16 accesses, eleven while frozen. */
static void a_tick_is_a_stop_and_a_start(struct kunit *test)
{
	static const u64 values[] = { 10, 11, 12, 13, 400 };
	struct rig *t = rig_new(test, &imc, false);
	unsigned int round;
	u64 before;

	rig_tick(t);
	start_four(test, t);
	for (round = 1; round <= 3; round++) {
		expect_period(t, values);
		KUNIT_EXPECT_EQ(test, t->fake.steps, 16U);
		before = t->hw.frozen_ns;
		rig_tick(t);
		KUNIT_EXPECT_EQ(test, t->ev[0].count, 10ULL * round);
		KUNIT_EXPECT_EQ(test, t->ev[3].count, 13ULL * round);
		KUNIT_EXPECT_EQ(test, t->hw.frozen_ns - before,
				11ULL * FAKE_ACCESS_NS);
	}
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 0U);

	/* the fixed counter goes on from its value */
	add_new(t, 4, 0xff, 0);
	apply_as(t, R8(0x38, 100), W4(0x54, 0x400000));
	expect_period(t, values);
	rig_tick(t);
	expect_count(t, 4, 0x38, 405, 305);
}

/*
 * A tick undoes each change by another program, and counts the change once. The
 * controls are restored, the box runs, and values that went back add nothing.
 */
static void nothing_outlives_a_tick(struct kunit *test)
{
	static const struct {
		const char *what;
		unsigned int reads;	/* accesses before the restart */
		u32 val;		/* of the last access */
		u64 value[4];
		u64 gain;		/* of event 0 */
	} rows[] = {
		{ "frozen", 1, FREEZE, { 15, 11, 12, 13 }, 5 },
		{ "the first control", 2, 0, { 15, 11, 12, 13 }, 5 },
		{ "the last control", 5, 0x77, { 15, 11, 12, 13 }, 5 },
		{ "reset", 2, 0, { }, 0 },
		{ "the same events again", 0, 0, { 3, 4, 5, 6 }, 0 },
		{ "one counter", 0, 0, { 9, 11, 12, 13 }, 0 },
	};
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct rig *t = rig_new(test, &imc, false);

		start_four(test, t);
		expect_four_reads(t, 10);
		rig_sync(t);
		if (!rows[i].reads) {
			expect_period(t, rows[i].value);
		} else {
			for (k = 0; k < rows[i].reads; k++)
				fake_read_bytes(&t->fake, k ? 0x3c + 4 * k : 0,
						k == rows[i].reads - 1 ?
						rows[i].val : k, 4);
			expect_restart(t, rows[i].value);
		}
		rig_tick(t);
		KUNIT_EXPECT_EQ_MSG(test, t->ev[0].count, 10 + rows[i].gain,
				    "%s", rows[i].what);
		KUNIT_EXPECT_EQ_MSG(test, t->hw.disturbed, 1U, "%s",
				    rows[i].what);
		KUNIT_EXPECT_EQ(test, t->hw.restarts, 1U);
		KUNIT_EXPECT_EQ(test, t->reports, 1U);

		/* the next tick finds another change */
		fake_read_bytes(&t->fake, 0, FREEZE, 4);
		expect_restart(t, rows[i].value);
		rig_tick(t);
		KUNIT_EXPECT_EQ(test, t->hw.restarts, 2U);
	}
}

/* If a write of a tick is refused, events fail as if their start had failed. */
static void a_refused_write_in_a_tick(struct kunit *test)
{
	static const struct fake_step check[] = {
		R4(0, RUN), R4(0x40, 1), { },
	};
	unsigned int at;

	for (at = 0; at < 4; at++) {
		struct rig *t = rig_new(test, &imc, false);

		add_new(t, 0, 1, 0);
		apply_as(t, W4(0, RESET), W4(0x40, 1), W4(0, RUN));
		fake_script(&t->fake, check);
		fake_write(&t->fake, 0, FREEZE, 4);
		if (at > 0)
			expect(t, R8(0x8, 7), W4(0, RESET));
		if (at > 1)
			expect(t, W4(0x40, 1));
		if (at > 2)
			expect(t, W4(0, RUN));
		fake_refused(&t->fake);
		if (at == 2)
			expect(t, W4(0, RUN));
		rig_tick(t);
		KUNIT_EXPECT_TRUE(test, t->ev[0].event.failed);
		KUNIT_EXPECT_EQ(test, t->hw.refused, 1U);
		KUNIT_EXPECT_EQ(test, t->hw.needs_setup, at != 2);
	}
}

/* A tick writes nothing once a register reads as all-ones. */
static void a_tick_without_an_answer(struct kunit *test)
{
	unsigned int at, i;

	for (at = 0; at < 3; at++) {
		struct rig *t = rig_new(test, &imc, false);

		add_new(t, 0, 1, 0);
		apply_as(t, W4(0, RESET), W4(0x40, 1), W4(0, RUN));
		if (at)
			expect(t, R4(0, RUN));
		for (i = 0; i < READS && at < 2; i++)
			expect(t, R4(at ? 0x40 : 0, U32_MAX));
		if (at == 2) {
			expect(t, R4(0x40, 1), W4(0, FREEZE));
			expect_all_ones(t, 0x8);
		}
		rig_tick(t);
		expect_responds(t, false);
		KUNIT_EXPECT_EQ(test, t->hw.disturbed, 0U);
	}
}

/* pmon_hw_tick_accesses() counts each access of a tick, twice if split. */
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
	KUNIT_EXPECT_EQ(test, pmon_hw_tick_accesses(&t->hw), 16U);
	del(t, 3);
	apply_as(t, W4(0x4c, 0), R8(0x20, 0));
	KUNIT_EXPECT_EQ(test, pmon_hw_tick_accesses(&t->hw), 13U);

	t = rig_new(test, &upi, true);
	start_four(test, t);
	KUNIT_EXPECT_EQ(test, pmon_hw_tick_accesses(&t->hw), 32U);

	t = rig_new(test, &free_running, false);
	for (i = 0; i < 3; i++) {
		add_new(t, i, 0x10ff, 0);
		apply_as(t, R8(0x8, 0));
	}
	KUNIT_EXPECT_GE(test, pmon_hw_tick_accesses(&t->hw), 1U);
	KUNIT_EXPECT_LE(test, pmon_hw_tick_accesses(&t->hw), 2U);
}

/* Events count on from a value that went back. Gains below 2^28 are valid. */
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
 * The largest valid gain depends on the time from the beginning of the last
 * read (or from the start of the event) to the end of this read.
 */
static void a_counter_that_jumps_is_not_counted(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	u64 most, before;

	start_four(test, t);
	before = fake_time;
	fake_read(&t->fake, 0x8, 0);
	rig_read(t, 0);
	fake_time += 1000000;
	most = (fake_time + FAKE_ACCESS_NS - before) * POSSIBLE_NS;
	expect_count(t, 0, 0x8, most, most);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 0U);
	expect_count(t, 0, 0x8, 2 * most, most);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
	expect_count(t, 0, 0x8, 2 * most + 1, most + 1);
}

/*
 * Another program may use an idle counter of an active box. So the next start
 * reads the counter, unless the last read is less than a second old.
 */
static void an_idle_counter_is_read_after_a_second(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	start_four(test, t);
	for (i = 0; i < 2; i++) {
		del(t, 3);
		apply_as(t, W4(0x4c, 0), R8(0x20, 5000));
		fake_time += i ? 1000000000 : 900000000;
		KUNIT_ASSERT_TRUE(test, add(t, 3));
		if (i)
			expect(t, R8(0x20, 7000));
		apply_as(t, W4(0x4c, 4));
	}
	expect_count(t, 3, 0x20, 7001, 5001);

	/* an event that replaces another starts from the other's last read */
	fake_time += 1000000000;
	del(t, 3);
	add_on(t, 4, 9, 3);
	apply_as(t, R4(0, RUN), R4(0x4c, 4), W4(0x4c, 0), R8(0x20, 7010),
		 W4(0x4c, 9));
}

/*
 * After removal no register is accessed. If the device returns, the box is
 * reset, and counts go on, whatever the counters held.
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
	KUNIT_CASE(a_tick_is_a_stop_and_a_start),
	/* contract: tick */
	KUNIT_CASE(a_tick_is_weighed),
	/* contract: reset */
	KUNIT_CASE(nothing_outlives_a_tick),
	KUNIT_CASE(a_refused_write_in_a_tick),
	KUNIT_CASE(a_counter_that_goes_back_is_not_counted),
	KUNIT_CASE(a_counter_that_jumps_is_not_counted),
	/* contract: setup */
	KUNIT_CASE(an_idle_counter_is_read_after_a_second),
	/* contract: unresponsive */
	KUNIT_CASE(a_tick_without_an_answer),
	/* contract: pulled */
	KUNIT_CASE(gone_and_back),
	{ }
};

struct kunit_suite pmon_hw_suite = {
	.name = "pmon_hw",
	.test_cases = hw_tests,
};
