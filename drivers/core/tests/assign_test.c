// SPDX-License-Identifier: GPL-2.0-only
/* contract: groups */
/* Check the assignment of counters against a brute-force search. */
#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "../box_hw.h"
#include "shape.h"
#include "suites.h"

/* Return true if @n events with these masks can have different counters. */
static bool brute_force_fits(const u64 *masks, unsigned int n, u64 taken)
{
	u64 free;

	if (!n)
		return true;
	for (free = masks[0] & ~taken; free; free &= free - 1)
		if (brute_force_fits(masks + 1, n - 1,
				     taken | BIT_ULL(__ffs64(free))))
			return true;
	return false;
}

#define EVENTS_MAX	64

static struct pmon_event events[EVENTS_MAX];
static struct pmon_event *assigned[PMON_COUNTERS_MAX];

/*
 * Add an event with @mask. Returns 0 if the events cannot count together, else
 * 1 plus the number of events that moved.
 */
static unsigned int assign_one(struct kunit *test, unsigned int n, u64 mask,
			       u64 prefer, u64 avoid)
{
	u64 taken = 0, moved, has = 0;
	unsigned int i;

	for (i = 0; i < PMON_COUNTERS_MAX; i++)
		if (assigned[i])
			taken |= BIT_ULL(i);
	events[n] = (struct pmon_event) { .allowed = mask };
	moved = pmon_assign(assigned, taken, &events[n], prefer, avoid);
	for (i = 0; i < PMON_COUNTERS_MAX; i++) {
		struct pmon_event *event = assigned[i];

		KUNIT_EXPECT_EQ(test, !!event, !!((taken | moved) >> i & 1));
		if (!event)
			continue;
		KUNIT_EXPECT_TRUE(test, event->allowed & BIT_ULL(i));
		KUNIT_EXPECT_FALSE(test, has & BIT_ULL(event - events));
		has |= BIT_ULL(event - events);
	}
	return hweight64(moved);
}

static void assign_none(void)
{
	memset(assigned, 0, sizeof(assigned));
}

/* Add events. Each must fit if and only if brute_force_fits() returns true. */
static void check_sequence(struct kunit *test, const u64 *masks, unsigned int n)
{
	unsigned int i;

	assign_none();
	for (i = 0; i < n; i++) {
		bool fits = brute_force_fits(masks, i + 1, 0);

		KUNIT_ASSERT_EQ(test, !!assign_one(test, i, masks[i], 0, 0),
				fits);
		if (!fits)
			return;
	}
}

/* Check all sequences of up to four events with any masks of four counters. */
static void exhaustive_four_counters(struct kunit *test)
{
	unsigned int code, i;

	for (code = 0; code < 1 << 16; code++) {
		u64 masks[4];

		for (i = 0; i < 4; i++)
			masks[i] = code >> 4 * i & 0xf;
		check_sequence(test, masks, 4);
	}
}

/* The last of 64 events moves all others. */
static void the_last_of_64_events_moves_all_others(struct kunit *test)
{
	unsigned int i;

	assign_none();
	for (i = 0; i < 63; i++)
		KUNIT_EXPECT_EQ(test, assign_one(test, i, 3ULL << i, 0, 0), 1U);
	KUNIT_EXPECT_EQ(test, assign_one(test, 63, 1, 0, 0), 64U);
	for (i = 0; i < 64; i++)
		KUNIT_EXPECT_PTR_EQ(test, assigned[i],
				    &events[i ? i - 1 : 63]);
}

static void nothing_moves_without_need(struct kunit *test)
{
	unsigned int i;

	assign_none();
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, assign_one(test, i, 0xf, 0, 0), 1U);
	/* event 3 needs counter 0, so event 0 moves to the free counter */
	KUNIT_EXPECT_EQ(test, assign_one(test, 3, 0x1, 0, 0), 2U);
	KUNIT_EXPECT_PTR_EQ(test, assigned[0], &events[3]);
	KUNIT_EXPECT_PTR_EQ(test, assigned[3], &events[0]);
}

static void preferences_are_followed(struct kunit *test)
{
	static const struct {
		u64 mask, prefer, avoid;
		unsigned int counter;
	} rows[] = {
		{ 0xf, 0x4, 0xf, 2 }, { 0xc, 0x6, 0, 2 }, { 0xf, 0x10, 0x3, 2 },
		{ 0x3, 0, 0x3, 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		assign_none();
		assign_one(test, 0, rows[i].mask, rows[i].prefer,
			   rows[i].avoid);
		KUNIT_EXPECT_PTR_EQ(test, assigned[rows[i].counter],
				    &events[0]);
	}
}

/* Events with different values for a shared filter never fit together. */
static void different_shared_filters_never_fit(struct kunit *test)
{
	unsigned int i;

	assign_none();
	assign_one(test, 0, 0xf, 0, 0);
	events[0].shares_filter = true;
	events[0].filter = 3;
	for (i = 0; i < 4; i++) {
		struct pmon_event event = {
			.allowed = 0xf, .shares_filter = i & 1,
			.filter = i & 2 ? 3 : 4,
		};

		KUNIT_EXPECT_EQ(test, pmon_assign(assigned, 1, &event, 0, 0),
				i == 1 ? 0ULL : 2ULL);
	}
}

static const struct pmon_constraint constraints[] = {
	PMON_UMASK_ON_COUNTERS(0x11, 0x02, 0x3),
	PMON_ON_COUNTERS(0x11, 0x1),
	PMON_ON_COUNTERS(0x36, 0xf0f),
	{ }
};

struct allowed_case {
	const char *what;
	u64 config;
	u8 fixed_width;
	u64 allowed;
};

static const struct allowed_case allowed_cases[] = {
	{ "free", 0x1234, 48, 0xf },
	{ "first row wins", 0x0211, 48, 0x3 },
	{ "next row", 0x0311, 48, 0x1 },
	{ "only counters that exist", 0xff36, 48, 0xf },
	{ "other bits do not matter", 0x123456789aff0036, 48, 0xf },
	{ "fixed", 0xff, 48, 0x10 },
	{ "fixed where there is none", 0xff, 0, 0 },
	{ "not exactly fixed", 0x1ff, 48, 0xf },
};

KUNIT_ARRAY_PARAM_DESC(allowed, allowed_cases, what);

static struct shaped shaped;

static void constraints_are_looked_up(struct kunit *test)
{
	const struct allowed_case *c = test->param_value;
	const struct shape shape = {
		.counters = 4, .fixed.width = c->fixed_width,
	};
	const struct pmon_type type = {
		.constraints = constraints, .fixed_config = 0xff,
	};

	KUNIT_EXPECT_EQ(test,
			pmon_allowed(&type, shape_layout(&shape, &shaped),
				     c->config),
			c->allowed);
}

/* A counter for a single event restricts no other event, not even event 0. */
static void events_of_no_counter_go_anywhere(struct kunit *test)
{
	const struct shape shape = {
		.counters = 4, .free = { { .config = 0x88, .count = 1 } },
	};
	const struct pmon_type type = {}, fixed = { .fixed_config = 0xff };
	const struct pmon_layout *layout = shape_layout(&shape, &shaped);

	KUNIT_EXPECT_EQ(test, pmon_allowed(&type, layout, 0), 0xfULL);
	KUNIT_EXPECT_EQ(test, pmon_allowed(&type, layout, 0x88), 0x10ULL);
	/* With @fixed_config, 0x88 is an event like any other. */
	KUNIT_EXPECT_EQ(test, pmon_allowed(&fixed, layout, 0x88), 0xfULL);
}

/*
 * Without other bits, event 0xff needs the fixed counter; with bit 12 or 13 it
 * needs a free-running counter. General-purpose counters count neither.
 */
static const struct pmon_constraint reserved[] = {
	{ .config = 0xff, .mask = ~0ULL },
	{ .config = 0x10ff, .mask = 0x10ff },
	{ .config = 0x20ff, .mask = 0x20ff },
	{}
};

static const struct reserved_case {
	u64 config;
	u64 allowed;		/* of four general-purpose, two free-running */
	u64 allowed_fixed;	/* of four general-purpose, one fixed */
} reserved_cases[] = {
	{ 0xff, 0, 0x10 },
	{ 0x10ff, 0x10, 0 }, { 0x11ff, 0x20, 0 }, { 0x12ff, 0, 0 },
	{ 0x20ff, 0, 0 }, { 0x30ff, 0, 0 }, { 0x10000020ff, 0, 0 },
	/* not reserved: other bits, another event, or event 0 */
	{ 0x40ff, 0xf, 0xf }, { 0x4000ff, 0xf, 0xf },
	{ 0x10fe, 0xf, 0xf }, { 0xfe, 0xf, 0xf }, { 0x1000, 0xf, 0xf },
	{ 0, 0xf, 0xf },
};

static void reserved_events_have_counters_of_their_own(struct kunit *test)
{
	static const struct shape shapes[] = {
		{ .counters = 4,
		  .free = { { .config = 0x10ff, .count = 2, .width = 48 } } },
		{ .counters = 4, .fixed.width = 48 },
	};
	const struct pmon_type type = { .reserved = reserved };
	unsigned int i;
	u64 allowed;

	for (i = 0; i < ARRAY_SIZE(reserved_cases); i++) {
		const struct reserved_case *c = &reserved_cases[i];

		allowed = pmon_allowed(&type, shape_layout(&shapes[0], &shaped),
				       c->config);
		KUNIT_EXPECT_EQ_MSG(test, allowed, c->allowed, "%llx",
				    (unsigned long long)c->config);
		allowed = pmon_allowed(&type, shape_layout(&shapes[1], &shaped),
				       c->config);
		KUNIT_EXPECT_EQ_MSG(test, allowed, c->allowed_fixed, "%llx",
				    (unsigned long long)c->config);
	}
}

static struct kunit_case assign_tests[] = {
	KUNIT_CASE(exhaustive_four_counters),
	KUNIT_CASE(the_last_of_64_events_moves_all_others),
	KUNIT_CASE(nothing_moves_without_need),
	KUNIT_CASE(preferences_are_followed),
	KUNIT_CASE(different_shared_filters_never_fit),
	KUNIT_CASE_PARAM(constraints_are_looked_up, allowed_gen_params),
	KUNIT_CASE(events_of_no_counter_go_anywhere),
	KUNIT_CASE(reserved_events_have_counters_of_their_own),
	{ }
};

struct kunit_suite pmon_assign_suite = {
	.name = "pmon_assign",
	.test_cases = assign_tests,
};
