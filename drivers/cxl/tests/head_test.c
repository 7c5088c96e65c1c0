// SPDX-License-Identifier: GPL-2.0-only
/* contract: owner-cxl */
/* Detect layouts of drivers of the CXL bus: 6.1 and 6.12, 7.2, unknown ones. */
#include <kunit/test.h>

#include "../head.h"
#include "suites.h"

#define NAME		0x1000ul
#define PROBE		0x2000ul

struct head_case {
	unsigned long word[CXL_HEAD_MAX + 1];	/* the last is behind */
	unsigned int head;
};

static const struct head_case head_cases[] = {
	/* name, probe, remove */
	{ { 7, NAME, PROBE, 0, NAME }, 3 },
	{ { 0, NAME, PROBE, 1, 0 }, 3 },
	/* name, probe, remove, add_dport */
	{ { NAME, PROBE, 0, 0, NAME }, 4 },
	{ { NAME, PROBE, 1, 2, 0 }, 4 },
	/* No name, or a name at an unknown position. */
	{ { 0, 0, 0, 0, NAME }, 0 },
	{ { 1, PROBE, NAME, 0, NAME }, 0 },
	{ { 1, 2, PROBE, NAME, NAME }, 0 },
};

static void words_before_the_driver(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(head_cases); i++) {
		const unsigned long *drv = head_cases[i].word + CXL_HEAD_MAX;
		unsigned int head = cxl_driver_head(drv, NAME);

		KUNIT_EXPECT_EQ_MSG(test, head, head_cases[i].head, "case %zu",
				    i);
		if (head)
			KUNIT_EXPECT_EQ(test, cxl_driver_probe(drv, head),
					PROBE);
	}
}

static void names_of_probe_functions(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, cxl_is_probe("cxl_mem_probe [cxl_mem]"));
	KUNIT_EXPECT_TRUE(test, cxl_is_probe("cxl_region_probe"));
	KUNIT_EXPECT_FALSE(test, cxl_is_probe("cxl_mem_remove [cxl_probe]"));
	KUNIT_EXPECT_FALSE(test, cxl_is_probe("cxl_port_add_dport"));
	KUNIT_EXPECT_FALSE(test, cxl_is_probe("cxl_probe_types"));
	KUNIT_EXPECT_FALSE(test, cxl_is_probe("0xffffffffc0a01000"));
	KUNIT_EXPECT_FALSE(test, cxl_is_probe("_probe"));
	KUNIT_EXPECT_FALSE(test, cxl_is_probe(" _probe"));
	KUNIT_EXPECT_FALSE(test, cxl_is_probe("probe"));
	KUNIT_EXPECT_FALSE(test, cxl_is_probe(""));
}

static struct kunit_case head_tests[] = {
	KUNIT_CASE(words_before_the_driver),
	KUNIT_CASE(names_of_probe_functions),
	{ }
};

struct kunit_suite cxl_head_suite = {
	.name = "pmon_cxl_head",
	.test_cases = head_tests,
};
