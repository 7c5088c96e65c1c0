// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check counters whose value went back, in boxes without a reset. A counter has
 * wrapped if its control is as written, and if the documented rate permits a
 * wrap in the time since the last read. hw_test.c tests boxes with a reset;
 * selftests/kunit/proofs has proofs for all values.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "cpmu.h"
#include "suites.h"

/* Bits 0 and 1 of a control hold the type of the counter (CXL 3.1, 8.2.7). */
#define CTL_READ	(CPMU_ON(1) | 2)
#define CTL_RESET	2

#define SECOND		1000000000ULL
#define END(_width, _missing)	(BIT_ULL(_width) - (_missing))

/* Create a box with @events events on @width-bit counters that hold @from. */
static struct rig *counting(struct kunit *test, u8 width, unsigned int events,
			    u64 from)
{
	struct pmon_counter *counter =
		kunit_kzalloc(test, 3 * sizeof(*counter), GFP_KERNEL);
	struct pmon_layout layout = {
		.protocol = &cpmu_protocol, .counter = counter,
		.counters = events, .ctl_bytes = 8, .box_ctl = CPMU_BOX,
	};
	struct rig *t;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, counter);
	for (i = 0; i < events; i++)
		counter[i] = (struct pmon_counter) {
			.width = width, .ctl = CPMU_CFG(i), .ctr = CPMU_CTR(i),
		};
	t = rig_new(test, &layout, false);
	t->hw.ctl_event = cpmu_type.ctl_event | cpmu_type.ctl_set;
	set_off(&t->hw, GENMASK(events - 1, 0));
	for (i = 0; i < events; i++) {
		want_on(t, i, 1 << 24, i);
		w(t, CPMU_CFG(i), CPMU_ON(1));
	}
	if (events == 1) {
		t->fake.steps = 0;
		expect_one(t, CPMU_ON(1), from);
	} else {
		w(t, CPMU_BOX, CPMU_STOP);
		for (i = 0; i < events; i++)
			r(t, CPMU_CTR(i), from);
		w(t, CPMU_BOX, 0);
	}
	apply(t);
	return t;
}

static const struct {
	const char *what;
	u8 width, rate_log2;
	u64 before, ns, value;
	bool asks;
	u64 ctl, gain;
	unsigned int disturbed;
} rows[] = {
	{ "a wrap", 32, 0, END(32, 1ULL << 30), SECOND / 2, 9, true, CTL_READ,
	  (1ULL << 30) + 9, 0 },
	{ "a wrap of few bits", 26, 0, END(26, 1ULL << 20), SECOND / 1000, 9,
	  true, CTL_READ, (1ULL << 20) + 9, 0 },
	{ "a wrap at the documented rate", 48, 0, END(48, 1ULL << 32), SECOND,
	  9, true, CTL_READ, (1ULL << 32) + 9, 0 },
	{ "beyond that rate", 48, 0, END(48, 1ULL << 32) - 1, SECOND, 9,
	  false, 0, 0, 1 },
	{ "of a fast event", 40, 38, END(40, 1ULL << 38), SECOND, 9, true,
	  CTL_READ, (1ULL << 38) + 9, 0 },
	{ "a reset just before the end", 32, 0, END(32, 1000), SECOND / 2, 9,
	  true, CTL_RESET, 0, 1 },
	{ "by however little", 32, 0, 1000, 2 * SECOND, 999, true, CTL_RESET, 0,
	  1 },
	{ "a reset of a CPMU of 26 bits", 26, 0, 3000000, 20 * 1000000, 0, true,
	  CTL_RESET, 0, 1 },
	{ "a reset after a short time", 48, 0, 1ULL << 40, SECOND, 9, false, 0, 0,
	  1 },
	{ "no response", 32, 0, END(32, 1000), SECOND / 2, 9, true, ~0ULL, 0, 0 },
};

/* If a value went back and may have wrapped, a read() checks the control. */
static void a_value_that_went_back(struct kunit *test)
{
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct rig *t = counting(test, rows[i].width, 1, rows[i].before);

		t->ev[0].event.rate_log2 = rows[i].rate_log2;
		fake_time = t->counter[0].read_at + rows[i].ns - 1;
		r(t, CPMU_CTR(0), rows[i].value);
		for (n = 0; rows[i].asks && n < (rows[i].ctl + 1 ? 1 : READS); n++)
			r(t, CPMU_CFG(0), rows[i].ctl);
		rig_read(t, 0);
		fake_done(&t->fake);
		KUNIT_EXPECT_EQ_MSG(test, t->ev[0].count, rows[i].gain, "%s",
				    rows[i].what);
		KUNIT_EXPECT_EQ_MSG(test, t->hw.disturbed, rows[i].disturbed,
				    "%s", rows[i].what);
		expect_responds(t, rows[i].ctl != ~0ULL);
	}
}

/* A tick reads all controls and the box control, once a second at most. */
static void a_tick_checks_once_a_second(struct kunit *test)
{
	struct rig *t = counting(test, 32, 2, 100);
	unsigned int i;

	for (i = 0; i < 3; i++) {
		if (i != 1)
			expect(t, R8(CPMU_BOX, 0), R8(CPMU_CFG(0), CTL_READ),
			       R8(CPMU_CFG(1), CTL_READ));
		r(t, CPMU_CTR(0), 1000 * (i + 1));
		r(t, CPMU_CTR(1), 1000 * (i + 1));
		rig_tick(t);
		fake_time += SECOND / 2;
	}
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 2900ULL);
	/* a resume is a tick that always checks */
	expect(t, R8(CPMU_BOX, 0), R8(CPMU_CFG(0), CTL_READ),
	       R8(CPMU_CFG(1), CTL_READ), R8(CPMU_CTR(0), 5000),
	       R8(CPMU_CTR(1), 5000));
	rig_resume(t);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 0U);
}

/*
 * If a tick finds a changed control, each counter that went back was reset
 * and adds nothing. Other gains count. Events go on from the values read.
 */
static void a_tick_after_a_change(struct kunit *test)
{
	struct rig *t = counting(test, 32, 2, END(32, 1000));

	fake_time += 2 * SECOND;
	expect(t, R8(CPMU_BOX, 0), R8(CPMU_CFG(0), CTL_READ),
	       R8(CPMU_CFG(1), CTL_RESET), W8(CPMU_BOX, CPMU_STOP),
	       R8(CPMU_CTR(0), END(32, 900)), R8(CPMU_CTR(1), 5),
	       W8(CPMU_CFG(0), CPMU_ON(1)), W8(CPMU_CFG(1), CPMU_ON(1)),
	       W8(CPMU_BOX, CPMU_STOP), R8(CPMU_CTR(0), END(32, 900)),
	       R8(CPMU_CTR(1), 5), W8(CPMU_BOX, 0));
	rig_tick(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 100ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 0ULL);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
	KUNIT_EXPECT_EQ(test, t->hw.restarts, 1U);
	expect_count(t, 1, CPMU_CTR(1), 7, 2);
}

/*
 * Before a stop clears a control, the control is read if the counter may have
 * wrapped. After a change found there the other events start anew. If the
 * control of one is as written when it wraps later, its gain counts.
 */
static void a_stop_reads_the_control_first(struct kunit *test)
{
	const u64 near_end = END(32, 1ULL << 24);
	struct rig *t = counting(test, 32, 2, near_end);

	fake_time += SECOND / 10;
	del(t, 0);
	apply_as(t, R8(CPMU_CFG(0), CTL_RESET), W8(CPMU_CFG(0), 0),
		 R8(CPMU_CTR(0), 7), W8(CPMU_CFG(1), 0),
		 R8(CPMU_CTR(1), near_end + 3), R8(CPMU_CTR(1), near_end + 3),
		 W8(CPMU_CFG(1), CPMU_ON(1)), W8(CPMU_BOX, 0));
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 0ULL);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);
	fake_time += SECOND / 10;
	expect(t, R8(CPMU_CTR(1), 5), R8(CPMU_CFG(1), CTL_READ));
	rig_read(t, 1);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, (1ULL << 24) + 5);
	KUNIT_EXPECT_EQ(test, t->hw.disturbed, 1U);

	/* the time is too short for a wrap, so the control is not read */
	fake_time += SECOND / 10;
	del(t, 1);
	apply_as(t, W8(CPMU_CFG(1), 0), R8(CPMU_CTR(1), 9));
	KUNIT_EXPECT_EQ(test, t->ev[1].count, (1ULL << 24) + 9);
}

/* All-ones are valid in the bits of a counter, but not in a whole register. */
static void all_ones_is_no_reading_at_any_width(struct kunit *test)
{
	u8 width;

	for (width = 26; width < PMON_WIDTH_MAX; width++) {
		u64 max = GENMASK_ULL(width - 1, 0);
		struct rig *t = counting(test, width, 1, max - 1);

		expect_count(t, 0, CPMU_CTR(0), max, 1);
		/* bits above the counter are ignored */
		expect(t, R8(CPMU_CTR(0), ~0ULL), R8(CPMU_CTR(0), ~max),
		       R8(CPMU_CFG(0), CTL_READ));
		rig_read(t, 0);
		fake_done(&t->fake);
		KUNIT_EXPECT_EQ(test, t->ev[0].count, 2ULL);
	}
}

static struct kunit_case wrap_tests[] = {
	/* contract: wrap */
	KUNIT_CASE(a_value_that_went_back),
	KUNIT_CASE(a_stop_reads_the_control_first),
	/* contract: reset */
	KUNIT_CASE(a_tick_checks_once_a_second),
	KUNIT_CASE(a_tick_after_a_change),
	/* contract: ones */
	KUNIT_CASE(all_ones_is_no_reading_at_any_width),
	{ }
};

struct kunit_suite pmon_wrap_suite = {
	.name = "pmon_wrap",
	.test_cases = wrap_tests,
};
