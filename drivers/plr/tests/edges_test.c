// SPDX-License-Identifier: GPL-2.0-only
/* Texts and regions that end where something else begins. */
#include <linux/kernel.h>
#include <linux/string.h>

#include <pmon/plr_reasons.h>

#include "../pfs.h"
#include "suites.h"

/* The text is as long as its memory: what is behind it must not be read. */
static void texts_need_no_end(struct kunit *test)
{
	static const char * const texts[] = {
		"POWER", "POWER ", "POWER\n", " POWER \t", "FREQUENCY POWER  ",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		size_t len = strlen(texts[i]);
		char *text = kunit_kzalloc(test, len, GFP_KERNEL);
		u64 mask = 0;

		KUNIT_ASSERT_NOT_NULL(test, text);
		memcpy(text, texts[i], len);
		KUNIT_EXPECT_EQ(test, plr_reasons_parse(text, len, &mask), 0);
		KUNIT_EXPECT_EQ(test, mask, i == 4 ? 0x5ULL : 0x4ULL);
	}
}

struct touch_case {
	s64 offset;	/* from the end of the PFS */
	int ret;
};

static const struct touch_case touch_cases[] = {
	{ 0, 0 }, { 8, 0 }, { -8, -EINVAL }, { -16, -EINVAL },
	{ -24, -EINVAL }, { -32, 0 }, { -40, 0 },
};

/* Two rows of PFS at 0x100, a region of two instances of 8 bytes. */
static void regions_may_touch(struct kunit *test)
{
	const struct pfs_vsec vsec = { .offset = 0x100, .entries = 2 };
	const u64 rows[2] = { };
	struct pfs_fault fault;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(touch_cases); i++) {
		const struct pfs_region region = {
			.offset = 0x110 + touch_cases[i].offset,
			.stride = 8, .count = 2,
		};

		KUNIT_EXPECT_EQ_MSG(test, touch_cases[i].ret,
				    pfs_region_check(&region, PFS_ID_PLR, &vsec,
						     rows, &fault),
				    "%d", (int)touch_cases[i].offset);
	}
}

static struct kunit_case edges_tests[] = {
	KUNIT_CASE(texts_need_no_end),
	KUNIT_CASE(regions_may_touch),
	{ }
};

struct kunit_suite plr_edges_suite = {
	.name = "plr_edges",
	.test_cases = edges_tests,
};
