// SPDX-License-Identifier: GPL-2.0-only
/* Time limited: what an interval adds, and the names of the events. */
#include <linux/kernel.h>
#include <linux/string.h>

#include "../meter.h"
#include "suites.h"

#define POWER	2
#define PL1	(32 + 10)

static void nothing_at_first(struct kunit *test)
{
	struct plr_meter meter = {};
	unsigned int what;

	for (what = 0; what < PLR_METERS; what++)
		KUNIT_EXPECT_EQ(test, plr_meter_read(&meter, what), 0);
}

/* Each reason counts for the whole interval, the others not at all. */
static void reasons_of_an_interval(struct kunit *test)
{
	struct plr_meter meter = {};
	unsigned int what;

	plr_meter_add(&meter, 0, 1000);
	plr_meter_add(&meter, BIT_ULL(POWER) | BIT_ULL(PL1), 20);
	plr_meter_add(&meter, BIT_ULL(POWER), 3);
	for (what = 0; what < PLR_METERS; what++) {
		u64 want = what == POWER ? 23 : what == PL1 ? 20 : 0;

		if (what == PLR_METER_OBSERVED)
			want = 1023;
		KUNIT_EXPECT_EQ(test, plr_meter_read(&meter, what), want);
	}
}

static void all_reasons_at_once(struct kunit *test)
{
	struct plr_meter meter = {};
	unsigned int what;

	plr_meter_add(&meter, ~0ULL, 7);
	for (what = 0; what < PLR_METERS; what++)
		KUNIT_EXPECT_EQ(test, plr_meter_read(&meter, what), 7);
}

static void expect_name(struct kunit *test, unsigned int what, const char *want)
{
	char name[48];

	KUNIT_EXPECT_EQ(test, plr_meter_name(what, name, sizeof(name)), strlen(want));
	KUNIT_EXPECT_STREQ(test, name, want);
}

static void names_of_events(struct kunit *test)
{
	char name[8];

	expect_name(test, 0, "frequency");
	expect_name(test, POWER, "power");
	expect_name(test, 9, "dfc");
	expect_name(test, 3, "thermal");
	expect_name(test, 10, "");
	expect_name(test, 31, "");
	expect_name(test, PL1, "power_pkg_pl1_msr_tpmi");
	expect_name(test, 32 + 22, "");
	expect_name(test, 63, "");
	expect_name(test, PLR_METER_OBSERVED, "observed");
	KUNIT_EXPECT_EQ(test, plr_meter_name(PLR_METER_OBSERVED, name, sizeof(name)), 0);
}

/* 10 coarse and 27 fine reasons have a meaning. */
static void number_of_events(struct kunit *test)
{
	unsigned int what, named = 0;
	char name[48];

	for (what = 0; what < PLR_METERS; what++)
		named += !!plr_meter_name(what, name, sizeof(name));
	KUNIT_EXPECT_EQ(test, named, 10 + 27 + 1);
}

static struct kunit_case plr_meter_cases[] = {
	KUNIT_CASE(nothing_at_first),
	KUNIT_CASE(reasons_of_an_interval),
	KUNIT_CASE(all_reasons_at_once),
	KUNIT_CASE(names_of_events),
	KUNIT_CASE(number_of_events),
	{}
};

struct kunit_suite plr_meter_suite = {
	.name = "plr_meter",
	.test_cases = plr_meter_cases,
};
