// SPDX-License-Identifier: GPL-2.0-only
/* Entries of register locators (CXL 3.1, 8.1.9), and what they say wrongly. */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "../caps.h"
#include "suites.h"

#define CPMU(bir, offset)	((bir) | 4 << 8 | (u64)(offset))
#define OTHER(bir, block, offset) ((bir) | (block) << 8 | (u64)(offset))

static const struct cxl_bar bars[CXL_BARS] = {
	[0] = { 0x10000, true }, [2] = { 0x20000, true }, [3] = { 0xdff, true },
	[4] = { 0x100, false }, [5] = { 0x10e00, true },
};

static void fields_of_an_entry(struct kunit *test)
{
	struct cxl_place place = cxl_place_of(0x123456789abc0405ULL);

	KUNIT_EXPECT_TRUE(test, cxl_is_cpmu(&place));
	KUNIT_EXPECT_EQ(test, place.bir, 5);
	KUNIT_EXPECT_EQ(test, place.block, 4);
	KUNIT_EXPECT_EQ(test, place.offset, 0x123456789abc0000ULL);
	place = cxl_place_of(OTHER(0, 1, 0));
	KUNIT_EXPECT_FALSE(test, cxl_is_cpmu(&place));
	place = cxl_place_of(OTHER(0, 0x44, 0));
	KUNIT_EXPECT_FALSE(test, cxl_is_cpmu(&place));
}

struct place_case {
	u64 entry;
	const char *field;
};

static const struct place_case place_cases[] = {
	{ CPMU(0, 0), NULL }, { CPMU(2, 0x10000), NULL },
	{ CPMU(2, 0x20000), "offset" }, { CPMU(2, 0x30000), "offset" },
	{ CPMU(5, 0x10000), NULL }, { CPMU(5, 0x20000), "offset" },
	{ CPMU(3, 0), "offset" }, { CPMU(0, 0x10000), "offset" },
	{ CPMU(2, 0xffffffffffff0000ULL), "offset" },
	{ CPMU(1, 0), "BIR" }, { CPMU(4, 0), "BIR" }, { CPMU(6, 0), "BIR" },
	{ CPMU(7, 0), "BIR" }, { ~0ULL, "BIR" },
};

static void places_that_cannot_be(struct kunit *test)
{
	struct cpmu_fault fault;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(place_cases); i++) {
		fault = (struct cpmu_fault){ };
		KUNIT_EXPECT_EQ_MSG(test, !place_cases[i].field,
				    cxl_check_place(&place_cases[i].entry, 1, 0,
						    bars, &fault), "0x%llx",
				    (unsigned long long)place_cases[i].entry);
		KUNIT_EXPECT_STREQ(test, fault.field ?: "-",
				   place_cases[i].field ?: "-");
	}
}

/* Of two in one place neither is believed; an empty entry is none. */
static void blocks_in_one_place(struct kunit *test)
{
	const u64 entries[] = {
		OTHER(0, 1, 0), OTHER(2, 3, 0), CPMU(2, 0x10000),
		CPMU(2, 0x10000), CPMU(0, 0), OTHER(5, 0, 0), CPMU(5, 0),
		CPMU(5, 0x10000), OTHER(2, 4, 0),
	};
	const bool good[] = { 0, 0, 0, 0, 0, 0, 1, 1, 0 };
	struct cpmu_fault fault;
	unsigned int i;

	for (i = 2; i < ARRAY_SIZE(entries); i++)
		if (i != 5)
			KUNIT_EXPECT_EQ_MSG(test, good[i],
					    cxl_check_place(entries,
							    ARRAY_SIZE(entries),
							    i, bars, &fault),
					    "entry %u", i);
}

static struct kunit_case locator_tests[] = {
	KUNIT_CASE(fields_of_an_entry),
	KUNIT_CASE(places_that_cannot_be),
	KUNIT_CASE(blocks_in_one_place),
	{ }
};

struct kunit_suite cxl_locator_suite = {
	.name = "pmon_cxl_locator",
	.test_cases = locator_tests,
};
