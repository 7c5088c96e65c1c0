// SPDX-License-Identifier: GPL-2.0-only
/* The software log: nothing is forgotten before it was cleared. */
#include <linux/kernel.h>

#include "../log.h"
#include "suites.h"

/* What several readers took out of hardware is all in the next interval. */
static void what_was_taken_is_active(struct kunit *test)
{
	struct plr_log log = { };

	plr_log_keep(&log, 0x5, 1000);
	plr_log_keep(&log, 0x10, 1000);
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

	plr_log_keep(&log, 0x3, 1000);
	plr_log_tick(&log, 0xc);
	plr_log_clear(&log, 0x5, 1500);
	KUNIT_EXPECT_EQ(test, plr_log_shown(&log, 0), 0xaULL);
	KUNIT_EXPECT_EQ(test, plr_log_shown(&log, 0x1), 0xbULL);
	/* It is no statement about the interval. */
	KUNIT_EXPECT_EQ(test, log.active, 0xfULL);
	plr_log_clear(&log, ~0ULL, 1500);
	KUNIT_EXPECT_EQ(test, plr_log_shown(&log, 0), 0ULL);
}

/* A watch that begins anew has no interval before. */
static void rest_forgets_intervals_only(struct kunit *test)
{
	struct plr_log log = { };

	plr_log_tick(&log, 0x1);
	plr_log_keep(&log, 0x2, 1000);
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
	plr_log_keep(&log, 0xc, 50);
	plr_log_clear(&log, 0xc, 60);
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
	plr_log_keep(&log, 0x10, 105);
	plr_log_tick(&log, 0);
	plr_log_note_interval(&log, 110, 10);
	KUNIT_EXPECT_EQ(test, history->limited[4], 10ULL);
	KUNIT_EXPECT_EQ(test, history->limited[3], 10ULL);
}

static void log_keeps_what_is_cleared(struct kunit *test)
{
	struct plr_log log = {};

	KUNIT_EXPECT_EQ(test, plr_log_shown(&log, 4), 4);
	KUNIT_EXPECT_EQ(test, plr_log_shown(&log, 0), 0);
	plr_log_keep(&log, 4, 1000);
	KUNIT_EXPECT_EQ(test, plr_log_shown(&log, 8), 12);
	plr_log_clear(&log, 8, 1500);
	KUNIT_EXPECT_EQ(test, plr_log_shown(&log, 0), 4);
	plr_log_clear(&log, 4, 1500);
	KUNIT_EXPECT_EQ(test, plr_log_shown(&log, 0), 0);
}

/*
 * A reason that a reader cleared, or another program, in the middle of an interval
 * belongs to that interval all the same.
 */
static void log_counts_what_others_cleared(struct kunit *test)
{
	struct plr_log log = {};

	plr_log_keep(&log, 12, 1000);
	plr_log_clear(&log, 4, 1500);
	KUNIT_EXPECT_EQ(test, plr_log_tick(&log, 1), 13);
	KUNIT_EXPECT_EQ(test, log.active, 13);
	/* But not on record again. */
	KUNIT_EXPECT_EQ(test, plr_log_shown(&log, 0), 9);
	KUNIT_EXPECT_EQ(test, plr_log_tick(&log, 0), 0);
	KUNIT_EXPECT_EQ(test, log.active, 0);
	plr_log_keep(&log, 4, 1000);
	plr_log_rest(&log);
	KUNIT_EXPECT_EQ(test, plr_log_tick(&log, 0), 0);
}

/* New is what the interval before did not have, however often it comes. */
static void log_ticks(struct kunit *test)
{
	struct plr_log log = {};

	KUNIT_EXPECT_EQ(test, plr_log_tick(&log, 4), 4);
	KUNIT_EXPECT_EQ(test, log.active, 4);
	KUNIT_EXPECT_EQ(test, plr_log_tick(&log, 4), 0);
	KUNIT_EXPECT_EQ(test, plr_log_tick(&log, 12), 8);
	KUNIT_EXPECT_EQ(test, plr_log_tick(&log, 0), 0);
	KUNIT_EXPECT_EQ(test, log.active, 0);
	KUNIT_EXPECT_EQ(test, plr_log_tick(&log, 4), 4);
	KUNIT_EXPECT_EQ(test, plr_log_shown(&log, 0), 12);
	plr_log_rest(&log);
	KUNIT_EXPECT_EQ(test, log.active, 0);
	KUNIT_EXPECT_EQ(test, log.kept, 12);
}

#define BIT_POWER	2
#define POWER		BIT_ULL(BIT_POWER)
#define BIT_PL1		42
#define PL1		BIT_ULL(BIT_PL1)

static void history_of_intervals(struct kunit *test)
{
	struct plr_history *history = kunit_kzalloc(test, sizeof(*history), GFP_KERNEL);
	struct plr_log log = { .history = history };

	KUNIT_ASSERT_NOT_NULL(test, history);
	plr_log_tick(&log, POWER);
	plr_log_note_interval(&log, 1000, 100);
	plr_log_tick(&log, POWER | PL1);
	plr_log_note_interval(&log, 1100, 100);
	plr_log_tick(&log, PL1);
	plr_log_note_interval(&log, 1250, 150);
	KUNIT_EXPECT_EQ(test, history->first[BIT_POWER], 1000);
	KUNIT_EXPECT_EQ(test, history->last[BIT_POWER], 1100);
	KUNIT_EXPECT_EQ(test, history->limited[BIT_POWER], 200);
	KUNIT_EXPECT_EQ(test, history->first[BIT_PL1], 1100);
	KUNIT_EXPECT_EQ(test, history->last[BIT_PL1], 1250);
	KUNIT_EXPECT_EQ(test, history->limited[BIT_PL1], 250);
	KUNIT_EXPECT_EQ(test, history->last[0], 0);
	/* A clear takes what it names, and no more. */
	plr_log_clear(&log, PL1, 1500);
	KUNIT_EXPECT_EQ(test, history->first[BIT_PL1], 0);
	KUNIT_EXPECT_EQ(test, history->last[BIT_PL1], 0);
	KUNIT_EXPECT_EQ(test, history->limited[BIT_PL1], 0);
	KUNIT_EXPECT_EQ(test, history->limited[BIT_POWER], 200);
}

/* Nothing tells when it came, until it comes again. */
static void history_of_what_was_there(struct kunit *test)
{
	struct plr_history *history = kunit_kzalloc(test, sizeof(*history), GFP_KERNEL);
	struct plr_log log = { .history = history };

	KUNIT_ASSERT_NOT_NULL(test, history);
	plr_log_keep(&log, POWER, 1000);
	KUNIT_EXPECT_EQ(test, history->first[BIT_POWER], 0);
	KUNIT_EXPECT_EQ(test, history->last[BIT_POWER], 1000);
	KUNIT_EXPECT_EQ(test, history->limited[BIT_POWER], 0);
	plr_log_tick(&log, POWER);
	plr_log_note_interval(&log, 2000, 100);
	KUNIT_EXPECT_EQ(test, history->first[BIT_POWER], 2000);
	KUNIT_EXPECT_EQ(test, history->last[BIT_POWER], 2000);
	KUNIT_EXPECT_EQ(test, history->limited[BIT_POWER], 100);
}

/*
 * Watched, then not for a long time, and then found latched: it was set since
 * the last look, and when a watch has seen it last stays what it is.
 */
static void history_between_watches(struct kunit *test)
{
	struct plr_history *history = kunit_kzalloc(test, sizeof(*history), GFP_KERNEL);
	struct plr_log log = { .history = history };

	KUNIT_ASSERT_NOT_NULL(test, history);
	plr_log_tick(&log, POWER);
	plr_log_note_interval(&log, 1000, 100);
	plr_log_tick(&log, 0);
	plr_log_note_interval(&log, 1100, 100);
	plr_log_rest(&log);
	KUNIT_EXPECT_EQ(test, log.looked_ns, 1100);
	KUNIT_EXPECT_EQ(test, history->after[BIT_POWER], 0);

	plr_log_keep(&log, POWER | PL1, 9000);
	plr_log_note_look(&log, 9000);
	plr_log_rest(&log);
	KUNIT_EXPECT_EQ(test, history->first[BIT_POWER], 1000);
	KUNIT_EXPECT_EQ(test, history->last[BIT_POWER], 1000);
	KUNIT_EXPECT_EQ(test, history->after[BIT_POWER], 1100);
	KUNIT_EXPECT_EQ(test, history->first[BIT_PL1], 0);
	KUNIT_EXPECT_EQ(test, history->last[BIT_PL1], 9000);
	KUNIT_EXPECT_EQ(test, history->after[BIT_PL1], 1100);
	KUNIT_EXPECT_EQ(test, log.looked_ns, 9000);

	/* An interval has it: now it is known. */
	plr_log_tick(&log, POWER);
	plr_log_note_interval(&log, 9100, 100);
	KUNIT_EXPECT_EQ(test, history->last[BIT_POWER], 9100);
	KUNIT_EXPECT_EQ(test, history->after[BIT_POWER], 0);
}

/* What a clear names was not there before it, what it leaves was. */
static void history_after_a_clear(struct kunit *test)
{
	struct plr_history *history = kunit_kzalloc(test, sizeof(*history), GFP_KERNEL);
	struct plr_log log = { .history = history };

	KUNIT_ASSERT_NOT_NULL(test, history);
	plr_log_keep(&log, POWER | PL1, 1000);
	plr_log_clear(&log, PL1, 1500);
	plr_log_note_look(&log, 1500);
	KUNIT_EXPECT_EQ(test, history->after[BIT_POWER], 0);
	KUNIT_EXPECT_EQ(test, history->last[BIT_POWER], 1000);
	KUNIT_EXPECT_EQ(test, history->last[BIT_PL1], 0);

	plr_log_keep(&log, PL1, 4000);
	KUNIT_EXPECT_EQ(test, history->last[BIT_PL1], 4000);
	KUNIT_EXPECT_EQ(test, history->after[BIT_PL1], 1500);
	KUNIT_EXPECT_EQ(test, history->after[BIT_POWER], 0);
	/* The clear itself tells that, also if no look has come after it. */
	plr_log_clear(&log, PL1, 5000);
	plr_log_keep(&log, PL1, 6000);
	KUNIT_EXPECT_EQ(test, history->last[BIT_PL1], 6000);
	KUNIT_EXPECT_EQ(test, history->after[BIT_PL1], 5000);
}

/*
 * A look reads a reason and cannot clear it, and the next one finds that it is
 * gone after all: the first has noted it.
 */
static void history_of_what_was_kept(struct kunit *test)
{
	struct plr_history *history = kunit_kzalloc(test, sizeof(*history), GFP_KERNEL);
	struct plr_log log = { .history = history };

	KUNIT_ASSERT_NOT_NULL(test, history);
	plr_log_note_look(&log, 1000);
	plr_log_keep(&log, POWER, 2000);
	plr_log_rest(&log);
	plr_log_keep(&log, 0, 3000);
	plr_log_note_look(&log, 3000);
	KUNIT_EXPECT_EQ(test, plr_log_shown(&log, 0), POWER);
	KUNIT_EXPECT_EQ(test, log.looked_ns, 3000);
	KUNIT_EXPECT_EQ(test, history->first[BIT_POWER], 0);
	KUNIT_EXPECT_EQ(test, history->last[BIT_POWER], 2000);
	KUNIT_EXPECT_EQ(test, history->after[BIT_POWER], 1000);
	KUNIT_EXPECT_EQ(test, history->limited[BIT_POWER], 0);
}

/* Without memory there is none, and all else goes on. */
static void no_history(struct kunit *test)
{
	struct plr_log log = {};

	plr_log_keep(&log, POWER, 1000);
	KUNIT_EXPECT_EQ(test, plr_log_tick(&log, POWER), POWER);
	plr_log_note_interval(&log, 2000, 100);
	plr_log_clear(&log, POWER, 1500);
	KUNIT_EXPECT_EQ(test, plr_log_shown(&log, 0), 0);
}

static struct kunit_case log_tests[] = {
	KUNIT_CASE(what_was_taken_is_active),
	KUNIT_CASE(a_clear_is_for_what_it_names),
	KUNIT_CASE(rest_forgets_intervals_only),
	KUNIT_CASE(a_clear_ends_the_history),
	KUNIT_CASE(log_keeps_what_is_cleared),
	KUNIT_CASE(log_counts_what_others_cleared),
	KUNIT_CASE(log_ticks),
	KUNIT_CASE(history_of_intervals),
	KUNIT_CASE(history_of_what_was_there),
	KUNIT_CASE(history_between_watches),
	KUNIT_CASE(history_after_a_clear),
	KUNIT_CASE(history_of_what_was_kept),
	KUNIT_CASE(no_history),
	{ }
};

struct kunit_suite plr_log_suite = {
	.name = "plr_log",
	.test_cases = log_tests,
};
