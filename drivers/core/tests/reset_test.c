// SPDX-License-Identifier: GPL-2.0-only
/* contract: setup */
/*
 * Check registers that may survive a reset: the fixed counter, and high
 * halves of split controls.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "rig.h"
#include "suites.h"

#define FIXED_CTL	0x54
#define FIXED_CTR	0x38
#define FIXED_ON	0x400000
/* Value left by another program, 48 bits. */
#define LEFT		0x7654321fedcbULL

#define HIGH		BIT_ULL(40)

/* The frozen fixed counter is enabled and read; gains count from that read. */
static void the_fixed_counter_starts_anywhere(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	add_new(t, 0, 0xff, 0);
	apply_as(t, W4(0, RESET), W4(FIXED_CTL, FIXED_ON), R8(FIXED_CTR, LEFT),
		 W4(0, RUN));
	expect_count(t, 0, FIXED_CTR, LEFT + 7, 7);

	del(t, 0);
	apply_as(t, W4(0, FREEZE), R8(FIXED_CTR, LEFT + 10));
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 10ULL);

	/* after another reset the value is unknown again */
	add(t, 0);
	apply_as(t, W4(0, RESET), W4(FIXED_CTL, FIXED_ON), R8(FIXED_CTR, 0),
		 W4(0, RUN));
	expect_count(t, 0, FIXED_CTR, 5, 15);
}

/* In an active box, too, the fixed counter is read before each start. */
static void the_fixed_counter_joins_others(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_four(test, t);
	add_new(t, 4, 0xff, 0);
	apply_as(t, R8(FIXED_CTR, LEFT), W4(FIXED_CTL, FIXED_ON));
	del(t, 4);
	apply_as(t, W4(FIXED_CTL, 0), R8(FIXED_CTR, LEFT + 3));
	KUNIT_EXPECT_EQ(test, t->ev[4].count, 3ULL);

	add(t, 4);
	apply_as(t, R8(FIXED_CTR, LEFT + 3), W4(FIXED_CTL, FIXED_ON));
	expect_count(t, 4, FIXED_CTR, LEFT + 4, 4);
}

/* Start event 0; expect a write of @ctl, @bytes wide, to the control. */
static void starts(struct rig *t, u64 ctl, u8 bytes)
{
	add_new(t, 0, ctl, 0);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0x38, ctl, bytes);
	apply_as(t, W4(0, RUN));
}

static void stops(struct rig *t)
{
	del(t, 0);
	apply_as(t, W4(0, FREEZE), R8(8, 0));
}

static void high_halves_are_written_once(struct kunit *test)
{
	static const struct {
		u64 ctl;
		u8 bytes;
	} rows[] = {
		{ 0x1, 8 }, { 0x2, 4 },
		/* a reset may leave the high bit set */
		{ 0x1 | HIGH, 8 }, { 0x1 | HIGH, 8 }, { 0x2, 8 }, { 0x2, 4 },
	};
	struct rig *t = rig_new(test, &upi, true);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		starts(t, rows[i].ctl, rows[i].bytes);
		stops(t);
	}
}

/* Each control's high half is tracked separately. */
static void high_halves_are_apart(struct kunit *test)
{
	struct rig *t = rig_new(test, &upi, true);
	unsigned int i;

	/* start events with high bits, then events without high bits */
	for (i = 0; i < 2; i++)
		add_new(t, i, (1 + i) | HIGH, 0);
	apply_as(t, W4(0, RESET), W8(0x38, 0x1 | HIGH), W8(0x40, 0x2 | HIGH),
		 W4(0, RUN));
	for (i = 0; i < 2; i++)
		del(t, i);
	apply_as(t, W4(0, FREEZE), R8(8, 0), R8(0x10, 0));
	for (i = 0; i < 2; i++)
		add_new(t, i, 1 + i, 0);
	apply_as(t, W4(0, RESET), W8(0x38, 0x1), W8(0x40, 0x2), W4(0, RUN));

	/* high halves are known now, so only low halves are written */
	for (i = 0; i < 2; i++) {
		del(t, i);
		add_on(t, 2 + i, 5 + i, i);
		apply_as(t, W4(0x38 + 8 * i, 0), R8(8 + 8 * i, 0),
			 W4(0x38 + 8 * i, 5 + i));
	}
}

/* After changes by another program, or a hand-back, high halves are unknown. */
static void high_halves_after_others(struct kunit *test)
{
	struct rig *t = rig_new(test, &upi, true);

	starts(t, 0x1, 8);
	/* the tick finds a reset */
	expect(t, R4(0, RUN), R8(0x38, 0), W4(0, FREEZE), R8(8, 0), W4(0, RESET),
	       W8(0x38, 0x1), W4(0, RUN));
	rig_tick(t);
	stops(t);

	/* the box is handed back and used again */
	expect(t, R8(0x38, 0), W4(0, RESET), W4(0, RUN));
	rig_release(t);
	rig_ready(t);
	starts(t, 0x1, 8);
}

/*
 * A tick compares only the event bits of a control. If all event bits are in
 * the low half, the tick reads only this half.
 */
static void the_half_of_the_event_is_compared(struct kunit *test)
{
	static const struct {
		u64 event_bits, ctl;
		u8 bytes;
		unsigned int restarts;
	} rows[] = {
		{ ~0ULL, 0x1, 8, 0 },
		{ ~0ULL, 0x1 | HIGH, 8, 1 },
		{ ~0ULL, 0x2, 8, 1 },
		{ 0xff, 0x101, 4, 0 },
		{ 0xff, 0x2, 4, 1 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct rig *t = rig_new(test, &upi, true);

		t->hw.ctl_event = rows[i].event_bits;
		starts(t, 0x1, 8);
		expect(t, R4(0, RUN));
		fake_read_bytes(&t->fake, 0x38, rows[i].ctl, rows[i].bytes);
		expect(t, W4(0, FREEZE), R8(8, 0), W4(0, RESET));
		if (rows[i].restarts)
			expect(t, W8(0x38, 0x1));
		else
			expect(t, W4(0x38, 0x1));
		expect(t, W4(0, RUN));
		rig_tick(t);
		KUNIT_EXPECT_EQ(test, t->hw.restarts, rows[i].restarts);
	}
}

static struct kunit_case reset_cases[] = {
	KUNIT_CASE(the_fixed_counter_starts_anywhere),
	KUNIT_CASE(the_fixed_counter_joins_others),
	KUNIT_CASE(high_halves_are_written_once),
	KUNIT_CASE(high_halves_are_apart),
	KUNIT_CASE(high_halves_after_others),
	KUNIT_CASE(the_half_of_the_event_is_compared),
	{ }
};

struct kunit_suite pmon_reset_suite = {
	.name = "pmon_reset",
	.test_cases = reset_cases,
};
