// SPDX-License-Identifier: GPL-2.0-only
/* The software log: nothing is forgotten before it was cleared. */
#include <linux/kernel.h>

#include "../log.h"
#include "suites.h"

/* What several readers took out of hardware is all in the next interval. */
static void what_was_taken_is_active(struct kunit *test)
{
	struct plr_log log = { };

	plr_log_keep(&log, 0x5);
	plr_log_keep(&log, 0x10);
	KUNIT_EXPECT_EQ(test, log.active, 0ULL);
	KUNIT_EXPECT_EQ(test, plr_log_tick(&log, 0x20), 0x35ULL);
	KUNIT_EXPECT_EQ(test, log.active, 0x35ULL);
	/* The next interval has only its own; what goes on is not new. */
	KUNIT_EXPECT_EQ(test, plr_log_tick(&log, 0x60), 0x40ULL);
	KUNIT_EXPECT_EQ(test, log.active, 0x60ULL);
	KUNIT_EXPECT_EQ(test, plr_log_tick(&log, 0), 0ULL);
	KUNIT_EXPECT_EQ(test, log.active, 0ULL);
	KUNIT_EXPECT_EQ(test, plr_log_shown(&log, 0x100), 0x175ULL);
}

static void a_clear_is_for_what_it_names(struct kunit *test)
{
	struct plr_log log = { };

	plr_log_keep(&log, 0x3);
	plr_log_tick(&log, 0xc);
	plr_log_clear(&log, 0x5);
	KUNIT_EXPECT_EQ(test, plr_log_shown(&log, 0), 0xaULL);
	KUNIT_EXPECT_EQ(test, plr_log_shown(&log, 0x1), 0xbULL);
	/* It is no statement about the interval. */
	KUNIT_EXPECT_EQ(test, log.active, 0xfULL);
	plr_log_clear(&log, ~0ULL);
	KUNIT_EXPECT_EQ(test, plr_log_shown(&log, 0), 0ULL);
}

/* A watch that begins anew has no interval before. */
static void rest_forgets_intervals_only(struct kunit *test)
{
	struct plr_log log = { };

	plr_log_tick(&log, 0x1);
	plr_log_keep(&log, 0x2);
	plr_log_rest(&log);
	KUNIT_EXPECT_EQ(test, log.active, 0ULL);
	KUNIT_EXPECT_EQ(test, plr_log_shown(&log, 0), 0x3ULL);
	KUNIT_EXPECT_EQ(test, plr_log_tick(&log, 0x1), 0x1ULL);
	KUNIT_EXPECT_EQ(test, log.active, 0x1ULL);
}

/* What was cleared and is over has no line; what limits on gets a new one. */
static void a_clear_ends_the_history(struct kunit *test)
{
	struct plr_history *history = kunit_kzalloc(test, sizeof(*history), GFP_KERNEL);
	struct plr_log log = { .history = history };

	KUNIT_ASSERT_NOT_NULL(test, history);
	plr_log_keep(&log, 0xc);
	plr_log_clear(&log, 0xc);
	plr_log_tick(&log, 0x8);
	plr_log_note_interval(&log, 100, 10);
	KUNIT_EXPECT_EQ(test, log.active, 0xcULL);
	KUNIT_EXPECT_EQ(test, history->first[2], 0ULL);
	KUNIT_EXPECT_EQ(test, history->last[2], 0ULL);
	KUNIT_EXPECT_EQ(test, history->limited[2], 0ULL);
	KUNIT_EXPECT_EQ(test, history->first[3], 100ULL);
	KUNIT_EXPECT_EQ(test, history->last[3], 100ULL);
	KUNIT_EXPECT_EQ(test, history->limited[3], 10ULL);
	/* Without a clear it is the interval's, although it is taken by now. */
	plr_log_keep(&log, 0x10);
	plr_log_tick(&log, 0);
	plr_log_note_interval(&log, 110, 10);
	KUNIT_EXPECT_EQ(test, history->limited[4], 10ULL);
	KUNIT_EXPECT_EQ(test, history->limited[3], 10ULL);
}

static struct kunit_case log_tests[] = {
	KUNIT_CASE(what_was_taken_is_active),
	KUNIT_CASE(a_clear_is_for_what_it_names),
	KUNIT_CASE(rest_forgets_intervals_only),
	KUNIT_CASE(a_clear_ends_the_history),
	{ }
};

struct kunit_suite plr_log_suite = {
	.name = "plr_log",
	.test_cases = log_tests,
};
