// SPDX-License-Identifier: GPL-2.0-only
/*
 * Boxes that are frozen and never reset, access by access: CXL CPMUs (CXL 3.1,
 * 8.2.7). What was there stays there.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "rig.h"
#include "suites.h"

#define CPMU_CFG(n)	(0x200 + 8 * (n))
#define CPMU_CTR(n)	(0xc00 + 8 * (n))
#define CPMU_BOX	0x18
#define CPMU_STOP	(~0ULL)
#define CPMU_ENABLE	0x100

static const struct pmon_protocol cpmu_protocol = {
	.freeze = CPMU_STOP, .reset = CPMU_STOP, .run = 0, .bytes = 8,
	.keeps = true, .rate_log2 = 32,
};

static const struct pmon_counter cpmu_counters[] = {
	{ .width = 48, .ctl = CPMU_CFG(0), .ctr = CPMU_CTR(0) },
	{ .width = 48, .ctl = CPMU_CFG(1), .ctr = CPMU_CTR(1) },
	{ .width = 48, .ctl = CPMU_CFG(2), .ctr = CPMU_CTR(2) },
};

static const struct pmon_layout cpmu = {
	.protocol = &cpmu_protocol, .counter = cpmu_counters, .counters = 3,
	.ctl_bytes = 8, .box_ctl = CPMU_BOX,
};

static const struct pmon_type cpmu_type = {
	.ctl_mask = GENMASK_ULL(55, 24), .ctl_set = CPMU_ENABLE,
};

static const struct pmon_protocol sealed_protocol = {
	.freeze = CPMU_STOP, .reset = 0, .run = 0, .bytes = 8, .keeps = true,
	.sealed = true, .rate_log2 = 32,
};

/* A CPMU that cannot be written while it is frozen. */
static const struct pmon_layout sealed = {
	.protocol = &sealed_protocol, .counter = cpmu_counters, .counters = 3,
	.ctl_bytes = 8, .box_ctl = CPMU_BOX,
};

#define CPMU_OVERFLOW	0x10

static const struct pmon_counter telling_counters[] = {
	{ .width = 32, .ctl = CPMU_CFG(0), .ctr = CPMU_CTR(0), .bit = 0 },
	{ .width = 32, .ctl = CPMU_CFG(1), .ctr = CPMU_CTR(1), .bit = 1 },
	{ .width = 32, .ctl = CPMU_CFG(5), .ctr = CPMU_CTR(5), .bit = 5 },
};

/* One whose overflows are interrupts. */
static const struct pmon_layout telling = {
	.protocol = &cpmu_protocol, .counter = telling_counters, .counters = 3,
	.ctl_bytes = 8, .box_ctl = CPMU_BOX, .overflow = true,
	.overflow_reg = CPMU_OVERFLOW,
};

static struct rig *box(struct kunit *test, const struct pmon_layout *layout)
{
	struct rig *t = rig_new(test, layout, false);

	KUNIT_ASSERT_NULL(test, pmon_layout_valid(layout, 0));
	t->bank.ctl_mask = cpmu_type.ctl_mask | cpmu_type.ctl_set;
	return t;
}

static void want_among(struct rig *t, unsigned int i, u64 config, u64 slots)
{
	pmon_event_init(&t->ev[i].event, &cpmu_type, &t->bank.layout, config,
			0);
	t->ev[i].event.allowed &= slots;
	t->ev[i].count = 0;
	KUNIT_ASSERT_TRUE(t->fake.test, add(t, i));
}

static void want(struct rig *t, unsigned int i, u64 config)
{
	want_among(t, i, config, ~0ULL);
}

/* On this counter. */
static void want_on(struct rig *t, unsigned int i, u64 config,
		    unsigned int counter)
{
	want_among(t, i, config, BIT_ULL(counter));
}

static void w(struct rig *t, u32 reg, u64 val)
{
	fake_write(&t->fake, reg, val, 8);
}

static void r(struct rig *t, u32 reg, u64 val)
{
	fake_read(&t->fake, reg, val);
}

/*
 * One event begins alone: counter 0 is found at @value while it is off, and gets
 * control @ctl. The CPMU may be frozen, so it is run.
 */
static void expect_one(struct rig *t, u64 ctl, u64 value)
{
	r(t, CPMU_CTR(0), value);
	w(t, CPMU_CFG(0), ctl);
	w(t, CPMU_BOX, 0);
}

/* The same, when nothing is known of the CPMU: all controls are cleared. */
static void expect_start(struct rig *t, u64 ctl, u64 value)
{
	w(t, CPMU_CFG(0), 0);
	w(t, CPMU_CFG(1), 0);
	w(t, CPMU_CFG(2), 0);
	expect_one(t, ctl, value);
}

/* The event @i, alone on counter 0, ends; the counter is found at @value. */
static void end_one(struct rig *t, unsigned int i, u64 value)
{
	del(t, i);
	w(t, CPMU_CFG(0), 0);
	r(t, CPMU_CTR(0), value);
	apply(t);
}

/* What others left in counters is no count, and their controls are stopped. */
static void kept_counters_are_read_when_they_start(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	want(t, 0, 1 << 24);
	expect_start(t, 1 << 24 | CPMU_ENABLE, 0x123456);
	apply(t);

	/* The others run on: it is read before its control lets it count. */
	want(t, 1, 2 << 24);
	r(t, CPMU_CTR(1), 0xabc);
	w(t, CPMU_CFG(1), 2 << 24 | CPMU_ENABLE);
	apply(t);

	r(t, CPMU_CTR(0), 0x123456 + 5);
	r(t, CPMU_CTR(1), 0xabc + 7);
	pmon_bank_sync(&t->bank);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 5ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 7ULL);
	fake_done(&t->fake);

	/* Where an event left a counter that is off the next one begins. */
	del(t, 1);
	want_on(t, 2, 3 << 24, 1);
	w(t, CPMU_CFG(1), 0);
	r(t, CPMU_CTR(1), 0xabc + 9);
	w(t, CPMU_CFG(1), 3 << 24 | CPMU_ENABLE);
	apply(t);
	r(t, CPMU_CTR(1), 0xabc + 10);
	pmon_bank_read(&t->bank, &t->ev[2].event);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 9ULL);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 1ULL);

	/* Unless it did not answer then: it is asked once more. */
	del(t, 2);
	want_on(t, 3, 4 << 24, 1);
	w(t, CPMU_CFG(1), 0);
	r(t, CPMU_CTR(1), ~0ULL);
	r(t, CPMU_CTR(1), 0xabc + 20);
	w(t, CPMU_CFG(1), 4 << 24 | CPMU_ENABLE);
	apply(t);
	r(t, CPMU_CTR(1), 0xabc + 21);
	pmon_bank_read(&t->bank, &t->ev[3].event);
	KUNIT_EXPECT_EQ(test, t->ev[3].count, 1ULL);
	fake_done(&t->fake);
}

/*
 * Of two a control was read that selects nothing: it need not be cleared, but
 * once the box was found changed nothing is known of any.
 */
static void what_is_off_is_not_written(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(2));
	want(t, 0, 1 << 24);
	w(t, CPMU_CFG(1), 0);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 7);
	apply(t);
	fake_done(&t->fake);

	r(t, CPMU_CFG(0), 0);
	expect_start(t, 1 << 24 | CPMU_ENABLE, 4);
	pmon_bank_tick(&t->bank);
	fake_done(&t->fake);
}

/* One event begins with two writes and a reading, and ends with one of each. */
static void a_kept_box_starts_again(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	want(t, 0, 1 << 24);
	expect_start(t, 1 << 24 | CPMU_ENABLE, 10);
	apply(t);
	end_one(t, 0, 13);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 3ULL);

	/* Meanwhile another program has set it. */
	want(t, 1, 1 << 24);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 0);
	apply(t);
	end_one(t, 1, 2);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 2ULL);

	want_on(t, 2, 4 << 24, 2);
	r(t, CPMU_CTR(2), 0);
	w(t, CPMU_CFG(2), 4 << 24 | CPMU_ENABLE);
	w(t, CPMU_BOX, 0);
	apply(t);
	fake_done(&t->fake);
}

/*
 * Several begin and end at one moment, with a freeze; what they have left in
 * controls is stopped when one of them begins alone.
 */
static void a_kept_group_is_frozen(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1) | BIT(2));
	want_on(t, 0, 1 << 24, 0);
	want_on(t, 1, 2 << 24, 1);
	w(t, CPMU_BOX, CPMU_STOP);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	w(t, CPMU_CFG(1), 2 << 24 | CPMU_ENABLE);
	r(t, CPMU_CTR(0), 5);
	r(t, CPMU_CTR(1), 6);
	w(t, CPMU_BOX, 0);
	apply(t);
	del(t, 0);
	del(t, 1);
	w(t, CPMU_BOX, CPMU_STOP);
	r(t, CPMU_CTR(0), 7);
	r(t, CPMU_CTR(1), 9);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 2ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 3ULL);
	fake_done(&t->fake);

	want_on(t, 2, 3 << 24, 0);
	w(t, CPMU_CFG(1), 0);
	expect_one(t, 3 << 24 | CPMU_ENABLE, 8);
	apply(t);
	r(t, CPMU_CTR(0), 10);
	pmon_bank_read(&t->bank, &t->ev[2].event);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 2ULL);
	fake_done(&t->fake);
}

/* A counter that does not answer: its event fails, and nothing is left on. */
static void one_that_does_not_answer_ends_frozen(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1) | BIT(2));
	want(t, 0, 1 << 24);
	r(t, CPMU_CTR(0), ~0ULL);
	w(t, CPMU_BOX, 0);
	w(t, CPMU_BOX, CPMU_STOP);
	apply(t);
	fake_done(&t->fake);
	KUNIT_EXPECT_TRUE(test, t->ev[0].event.failed);
	KUNIT_EXPECT_EQ(test, t->bank.counting, 0ULL);
}

/* Handed back, the controls that were written are cleared one by one. */
static void a_kept_box_is_handed_back(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	want(t, 0, 1 << 24);
	expect_start(t, 1 << 24 | CPMU_ENABLE, 10);
	apply(t);
	want(t, 1, 2 << 24);
	r(t, CPMU_CTR(1), 20);
	w(t, CPMU_CFG(1), 2 << 24 | CPMU_ENABLE);
	apply(t);
	del(t, 0);
	del(t, 1);
	w(t, CPMU_BOX, CPMU_STOP);
	r(t, CPMU_CTR(0), 13);
	r(t, CPMU_CTR(1), 20);
	apply(t);

	/* The type of a counter, in bits 0 and 1, is not ours. */
	r(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE | 2);
	r(t, CPMU_CFG(1), 2 << 24 | CPMU_ENABLE | 2);
	r(t, CPMU_CFG(2), 2);
	w(t, CPMU_BOX, CPMU_STOP);
	w(t, CPMU_CFG(0), 0);
	w(t, CPMU_CFG(1), 0);
	w(t, CPMU_BOX, 0);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
}

/* A cleared enable bit is seen, and all is set up again. */
static void a_kept_box_is_disturbed(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	want(t, 0, 0);
	expect_start(t, CPMU_ENABLE, 10);
	apply(t);

	r(t, CPMU_CFG(0), 0);
	expect_start(t, CPMU_ENABLE, 4);
	pmon_bank_tick(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.restarts, 1U);

	r(t, CPMU_CTR(0), 6);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 2ULL);
}

/* The same control again: one reading is the end of one event, and a start. */
static void an_event_takes_over_a_kept_counter(struct kunit *test)
{
	struct rig *t = box(test, &cpmu);

	want(t, 0, 1 << 24);
	expect_start(t, 1 << 24 | CPMU_ENABLE, 10);
	apply(t);

	del(t, 0);
	want_on(t, 1, 1 << 24, 0);
	r(t, CPMU_CTR(0), 14);
	apply(t);
	r(t, CPMU_CTR(0), 15);
	pmon_bank_read(&t->bank, &t->ev[1].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 4ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 1ULL);
}

/* Nothing but its control is written while it is frozen. */
static void what_is_sealed_is_written_while_it_runs(struct kunit *test)
{
	struct rig *t = box(test, &sealed);
	unsigned int i;

	want_on(t, 0, 1 << 24, 0);
	w(t, CPMU_BOX, 0);
	for (i = 0; i < 3; i++)
		w(t, CPMU_CFG(i), 0);
	r(t, CPMU_CTR(0), 50);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	apply(t);
	want_on(t, 1, 2 << 24, 1);
	want_on(t, 2, 2 << 24, 2);
	r(t, CPMU_CTR(1), 60);
	r(t, CPMU_CTR(2), 70);
	w(t, CPMU_CFG(1), 2 << 24 | CPMU_ENABLE);
	w(t, CPMU_CFG(2), 2 << 24 | CPMU_ENABLE);
	apply(t);

	/* Reading is no writing. */
	w(t, CPMU_BOX, CPMU_STOP);
	for (i = 0; i < 3; i++)
		r(t, CPMU_CTR(i), 51 + 10 * i);
	w(t, CPMU_BOX, 0);
	pmon_bank_snapshot(&t->bank, 7);

	/* A freeze would save writes if they were allowed. */
	for (i = 0; i < 3; i++)
		del(t, i);
	for (i = 0; i < 3; i++)
		want_on(t, 4 + i, 8 << 24, i);
	for (i = 0; i < 3; i++) {
		w(t, CPMU_CFG(i), 0);
		r(t, CPMU_CTR(i), 52 + 10 * i);
	}
	for (i = 0; i < 3; i++)
		w(t, CPMU_CFG(i), 8 << 24 | CPMU_ENABLE);
	apply(t);
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, t->ev[i].count, 2ULL);

	for (i = 0; i < 3; i++)
		del(t, 4 + i);
	w(t, CPMU_BOX, CPMU_STOP);
	for (i = 0; i < 3; i++)
		r(t, CPMU_CTR(i), 52 + 10 * i);
	apply(t);
	for (i = 0; i < 3; i++)
		r(t, CPMU_CFG(i), 8 << 24 | CPMU_ENABLE);
	w(t, CPMU_BOX, 0);
	for (i = 0; i < 3; i++)
		w(t, CPMU_CFG(i), 0);
	w(t, CPMU_BOX, 0);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
}

/*
 * Of an overflow: one reading of which, one of each that has wrapped and counts,
 * one writing. Of another device's interrupt: one reading.
 */
static void overflows_are_read_and_cleared(struct kunit *test)
{
	struct rig *t = box(test, &telling);

	KUNIT_EXPECT_FALSE(test, pmon_bank_overflow(&t->bank));
	want_on(t, 0, 1 << 24, 0);
	want_on(t, 2, 2 << 24, 2);
	w(t, CPMU_BOX, CPMU_STOP);
	w(t, CPMU_CFG(1), 0);
	/* What was there before would hide the next. */
	w(t, CPMU_OVERFLOW, 0x23);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	w(t, CPMU_CFG(5), 2 << 24 | CPMU_ENABLE);
	r(t, CPMU_CTR(0), 0xfffffff0);
	r(t, CPMU_CTR(5), 1000);
	w(t, CPMU_BOX, 0);
	apply(t);

	r(t, CPMU_OVERFLOW, 0);
	KUNIT_EXPECT_FALSE(test, pmon_bank_overflow(&t->bank));
	r(t, CPMU_OVERFLOW, 3);
	r(t, CPMU_CTR(0), 0x10);
	w(t, CPMU_OVERFLOW, 3);
	KUNIT_EXPECT_TRUE(test, pmon_bank_overflow(&t->bank));
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 0x20ULL);
	KUNIT_EXPECT_EQ(test, pmon_layout_period_ns(&telling), 60000000000ULL);

	/* Nothing answers: that is no overflow of all. */
	r(t, CPMU_OVERFLOW, ~0ULL);
	KUNIT_EXPECT_FALSE(test, pmon_bank_overflow(&t->bank));
	pmon_bank_lose(&t->bank);
	KUNIT_EXPECT_FALSE(test, pmon_bank_overflow(&t->bank));
	fake_done(&t->fake);
}

#define RANGE	BIT_ULL(32)

static void expect_gain(struct rig *t, u64 gain)
{
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[0].count, gain);
	t->ev[0].count = 0;
	fake_time += 2000000000;
}

static void expect_interrupt(struct rig *t, u64 value, u64 gain)
{
	r(t, CPMU_OVERFLOW, 1);
	r(t, CPMU_CTR(0), value);
	w(t, CPMU_OVERFLOW, 1);
	KUNIT_EXPECT_TRUE(t->fake.test, pmon_bank_overflow(&t->bank));
	expect_gain(t, gain);
}

/*
 * From one interrupt to the next a counter gains its whole range, or a bit more,
 * as the second one is served later. No wrap is lost and none is added twice.
 */
static void wraps_are_added_once(struct kunit *test)
{
	struct rig *t = box(test, &telling);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1) | BIT(2));
	want_on(t, 0, 1 << 24, 0);
	w(t, CPMU_OVERFLOW, 0x23);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 1000);
	apply(t);
	fake_time += 2000000000;

	expect_interrupt(t, 5, RANGE - 995);
	expect_interrupt(t, 5, RANGE);
	expect_interrupt(t, 9, RANGE + 4);
	expect_interrupt(t, 3, RANGE - 6);

	/* perf reads it before the interrupt is served. */
	r(t, CPMU_CTR(0), 1);
	r(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	expect_gain(t, RANGE - 2);
	expect_interrupt(t, 4, 3);

	/* And when it was not read for so long that it may have wrapped. */
	r(t, CPMU_CTR(0), 5);
	r(t, CPMU_OVERFLOW, 1);
	r(t, CPMU_CTR(0), 6);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	expect_gain(t, RANGE + 2);
	r(t, CPMU_CTR(0), 7);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	expect_gain(t, 1);
	expect_interrupt(t, 8, 1);
	r(t, CPMU_CTR(0), 18);
	r(t, CPMU_OVERFLOW, 0);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	fake_time -= 2000000000;
	expect_gain(t, 10);
	r(t, CPMU_CTR(0), 20);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	expect_gain(t, 2);

	/* It wraps after it was read and before the bit is. */
	r(t, CPMU_CTR(0), RANGE - 1);
	r(t, CPMU_OVERFLOW, 1);
	r(t, CPMU_CTR(0), 3);
	r(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	expect_gain(t, RANGE - 17);
	expect_interrupt(t, 4, 1);
	fake_done(&t->fake);
}

/*
 * The register of overflows is cleared before the first event, and again only
 * where the last reading of an event showed a wrap that no interrupt was served
 * for.
 */
static void overflows_are_cleared_once(struct kunit *test)
{
	struct rig *t = box(test, &telling);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1) | BIT(2));
	want_on(t, 0, 1 << 24, 0);
	w(t, CPMU_OVERFLOW, 0x23);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 1000);
	apply(t);
	end_one(t, 0, 1003);

	want_on(t, 1, 1 << 24, 0);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 1003);
	apply(t);
	fake_time += 2000000000;
	end_one(t, 1, 3);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, RANGE - 1000);

	want_on(t, 2, 1 << 24, 0);
	w(t, CPMU_OVERFLOW, 0x23);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 3);
	apply(t);

	/* A reset may have set it to anything. */
	end_one(t, 2, 3);
	pmon_bank_resume(&t->bank);
	want_on(t, 3, 1 << 24, 0);
	w(t, CPMU_CFG(0), 0);
	w(t, CPMU_CFG(1), 0);
	w(t, CPMU_CFG(5), 0);
	w(t, CPMU_OVERFLOW, 0x23);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 0);
	apply(t);
	fake_done(&t->fake);
}

static const struct pmon_counter narrow_counters[] = {
	{ .width = 40, .ctl = CPMU_CFG(0), .ctr = CPMU_CTR(0) },
	{ .width = 32, .ctl = CPMU_CFG(1), .ctr = CPMU_CTR(1) },
};

static const struct pmon_layout narrow = {
	.protocol = &cpmu_protocol, .counter = narrow_counters, .counters = 2,
	.ctl_bytes = 8, .box_ctl = CPMU_BOX,
};

/* Event 0 counts 2^31 on counter 1, from 0 on. */
static struct rig *half_way(struct kunit *test)
{
	struct rig *t = box(test, &narrow);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	want_on(t, 0, 1 << 24, 1);
	r(t, CPMU_CTR(1), 0);
	w(t, CPMU_CFG(1), 1 << 24 | CPMU_ENABLE);
	w(t, CPMU_BOX, 0);
	apply(t);
	fake_time += 1000000000;
	r(t, CPMU_CTR(1), RANGE / 2);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, RANGE / 2);
	t->ev[0].count = 0;
	return t;
}

/*
 * What went back has wrapped if its control is as it was written, and else was
 * reset: nothing is gained then, and at the next tick it is set up again.
 */
static void what_was_reset_has_not_wrapped(struct kunit *test)
{
	struct rig *t = half_way(test);

	r(t, CPMU_CTR(1), 7);
	r(t, CPMU_CFG(1), 1 << 24 | CPMU_ENABLE | 2);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	expect_gain(t, RANGE / 2 + 7);

	fake_time += 1000000000;
	r(t, CPMU_CTR(1), 3);
	r(t, CPMU_CFG(1), 2);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	r(t, CPMU_CTR(1), 3);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	expect_gain(t, 0);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.restarts, 0U);

	r(t, CPMU_CFG(1), 2);
	w(t, CPMU_CFG(0), 0);
	w(t, CPMU_CFG(1), 0);
	r(t, CPMU_CTR(1), 4);
	w(t, CPMU_CFG(1), 1 << 24 | CPMU_ENABLE);
	w(t, CPMU_BOX, 0);
	pmon_bank_tick(&t->bank);
	r(t, CPMU_CTR(1), 6);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	expect_gain(t, 2);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.restarts, 1U);
}

/*
 * A control that was stopped does not say whether there was a reset. But of
 * 2^40, of which 2^32 at most are gained in a second, none wraps in ten.
 */
static void what_was_reset_ends(struct kunit *test)
{
	struct rig *t = box(test, &narrow);
	unsigned int i;

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	for (i = 0; i < 2; i++) {
		want_on(t, i, 1 << 24, 0);
		expect_one(t, 1 << 24 | CPMU_ENABLE, 1000);
		apply(t);
		fake_time += i ? 137500000000ULL : 10000000000ULL;
		end_one(t, i, 5);
	}
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 0ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, BIT_ULL(40) - 995);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);
}

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

/*
 * A filter is written when it is used for the first time, and again when a
 * counter does not hold what it did as the last event ended: the device was
 * reset, and nothing is known of it.
 */
static void a_reset_while_idle_is_seen(struct kunit *test)
{
	struct rig *t = box(test, &filtered);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	want_filtered(t, 0);
	fake_write(&t->fake, CPMU_FILTER(0), 3, 4);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 10);
	apply(t);
	end_one(t, 0, 13);

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

static void period_of_a_cpmu(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, pmon_layout_period_ns(&cpmu), 60000000000ULL);
}

static struct kunit_case kept_tests[] = {
	KUNIT_CASE(kept_counters_are_read_when_they_start),
	KUNIT_CASE(what_is_off_is_not_written),
	KUNIT_CASE(a_kept_box_starts_again),
	KUNIT_CASE(a_kept_group_is_frozen),
	KUNIT_CASE(one_that_does_not_answer_ends_frozen),
	KUNIT_CASE(a_kept_box_is_handed_back),
	KUNIT_CASE(a_kept_box_is_disturbed),
	KUNIT_CASE(an_event_takes_over_a_kept_counter),
	KUNIT_CASE(what_is_sealed_is_written_while_it_runs),
	KUNIT_CASE(overflows_are_read_and_cleared),
	KUNIT_CASE(wraps_are_added_once),
	KUNIT_CASE(overflows_are_cleared_once),
	KUNIT_CASE(what_was_reset_has_not_wrapped),
	KUNIT_CASE(what_was_reset_ends),
	KUNIT_CASE(a_reset_while_idle_is_seen),
	KUNIT_CASE(period_of_a_cpmu),
	{ }
};

struct kunit_suite pmon_kept_suite = {
	.name = "pmon_kept",
	.test_cases = kept_tests,
};
