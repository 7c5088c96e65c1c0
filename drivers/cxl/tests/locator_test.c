// SPDX-License-Identifier: GPL-2.0-only
/* contract: addresses */
/* Check entries of register locators, valid and invalid (CXL 3.1, 8.1.9). */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "../cpmu.h"
#include "suites.h"

#define CPMU(bir, offset)	((bir) | 4 << 8 | (u64)(offset))
#define OTHER(bir, block, offset) ((bir) | (block) << 8 | (u64)(offset))

/* Sizes of the BARs; 0: not in memory. */
static const u64 bars[8] = { 0x10000, 0, 0x20000, 0xdff, 0, 0x10e00 };

struct place_case {
	u64 entry;
	const char *fault;
};

#define NO_BAR	"names no BAR in memory"
#define BEHIND	"leads behind the end of its BAR"

static const struct place_case place_cases[] = {
	{ CPMU(0, 0), NULL }, { CPMU(2, 0x10000), NULL },
	{ CPMU(2, 0x20000), BEHIND }, { CPMU(2, 0x30000), BEHIND },
	{ CPMU(5, 0x10000), NULL }, { CPMU(5, 0x20000), BEHIND },
	{ CPMU(3, 0), BEHIND }, { CPMU(0, 0x10000), BEHIND },
	{ CPMU(2, 0xffffffffffff0000ULL), BEHIND },
	{ CPMU(1, 0), NO_BAR }, { CPMU(4, 0), NO_BAR }, { ~0ULL, NO_BAR },
};

static void places_that_cannot_be(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(place_cases); i++) {
		u64 entry = place_cases[i].entry;

		KUNIT_EXPECT_STREQ(test, cxl_check_entry(&entry, 1, 0,
							 bars[entry & 7]) ?: "-",
				   place_cases[i].fault ?: "-");
	}
}

/* Two entries of one address are rejected; an empty entry does not count. */
static void blocks_in_one_place(struct kunit *test)
{
	const u64 entries[] = {
		OTHER(0, 1, 0), OTHER(2, 3, 0), CPMU(2, 0x10000),
		CPMU(2, 0x10000), CPMU(0, 0), OTHER(5, 0, 0), CPMU(5, 0),
		CPMU(5, 0x10000), OTHER(2, 4, 0),
	};
	const bool good[] = { 0, 0, 0, 0, 0, 0, 1, 1, 0 };
	unsigned int i;

	for (i = 2; i < ARRAY_SIZE(entries); i++) {
		const char *fault = cxl_check_entry(entries,
						    ARRAY_SIZE(entries), i,
						    bars[entries[i] & 7]);

		if (i != 5)
			KUNIT_EXPECT_STREQ(test, fault ?: "-", good[i] ? "-" :
					   "leads to another block");
	}
}

/* The header has 12 bytes, an entry 8, so up to 19 bytes have no entry. */
static void entries_are_within_the_length(struct kunit *test)
{
	static const struct {
		unsigned int length, count;
	} rows[] = {
		{ 0, 0 }, { 4, 0 }, { 8, 0 }, { 11, 0 }, { 12, 0 }, { 13, 0 },
		{ 19, 0 }, { 20, 1 }, { 27, 1 }, { 28, 2 }, { 516, 63 },
		{ 524, 64 }, { 532, 64 }, { 0xfff, 64 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		KUNIT_EXPECT_EQ(test, cxl_count_entries(rows[i].length), rows[i].count);
}

static struct kunit_case locator_tests[] = {
	KUNIT_CASE(places_that_cannot_be),
	KUNIT_CASE(blocks_in_one_place),
	KUNIT_CASE(entries_are_within_the_length),
	{ }
};

struct kunit_suite cxl_locator_suite = {
	.name = "pmon_cxl_locator",
	.test_cases = locator_tests,
};
