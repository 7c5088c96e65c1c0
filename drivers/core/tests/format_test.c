// SPDX-License-Identifier: GPL-2.0-only
/* contract: names */
/* Check that format terms have the strings that perf expects. */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include <pmon/format.h>

#include "suites.h"

struct format_case {
	const char *string;
	struct pmon_field field;
};

/* The strings up to filter_tid are from the kernel's own uncore driver. */
static const struct format_case format_cases[] = {
	{ "config:0-7", { "event", 0, GENMASK_ULL(7, 0) } },
	{ "config:8-15", { "umask", 0, GENMASK_ULL(15, 8) } },
	{ "config:8-15,32-55",
	  { "umask", 0, GENMASK_ULL(15, 8) | GENMASK_ULL(55, 32) } },
	{ "config:8-15,32-63",
	  { "umask", 0, GENMASK_ULL(15, 8) | GENMASK_ULL(63, 32) } },
	{ "config:16", { "tid_en", 0, BIT_ULL(16) } },
	{ "config:24-35", { "thresh", 0, GENMASK_ULL(35, 24) } },
	{ "config:36-47", { "ch_mask", 0, GENMASK_ULL(47, 36) } },
	{ "config:48-50", { "fc_mask", 0, GENMASK_ULL(50, 48) } },
	{ "config1:0-9", { "filter_tid", 1, GENMASK_ULL(9, 0) } },
	{ "config2:63", { "snapshot", 2, BIT_ULL(63) } },
	{ "config1:0-63", { "all", 1, ~0ULL } },
	{ "config2:0,2,4,6", { "holes", 2, 0x55 } },
};

static void format_desc(const struct format_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s %s", c->field.name,
		 c->string);
}

KUNIT_ARRAY_PARAM(format, format_cases, format_desc);

/* The string is cut to the size of the buffer; nothing is written beyond. */
static void a_field_is_cut_to_the_buffer(struct kunit *test)
{
	const struct format_case *c = test->param_value;
	size_t size, i;
	char buf[64];

	for (size = 1; size <= strlen(c->string) + 1; size++) {
		memset(buf, '#', sizeof(buf));
		KUNIT_EXPECT_EQ(test, pmon_field_format(&c->field, buf, size),
				(int)size - 1);
		KUNIT_EXPECT_EQ(test, strlen(buf), size - 1);
		KUNIT_EXPECT_EQ(test, memcmp(buf, c->string, size - 1), 0);
		for (i = size; i < sizeof(buf); i++)
			KUNIT_EXPECT_EQ(test, buf[i], '#');
	}
}

static const struct pmon_field generic_fields[] = {
	{ "event", 0, GENMASK_ULL(7, 0) },
	{ "umask", 0, GENMASK_ULL(15, 8) },
	{ "edge", 0, BIT_ULL(18) },
	{ "inv", 0, BIT_ULL(23) },
	{ "thresh", 0, GENMASK_ULL(31, 24) },
	{ "filter_tid", 1, GENMASK_ULL(9, 0) },
	{ }
};

static void bits_of_terms(struct kunit *test)
{
	u64 covered[PMON_CONFIG_WORDS] = { ~0ULL, ~0ULL, ~0ULL };

	pmon_fields_cover(generic_fields, covered);
	KUNIT_EXPECT_EQ(test, covered[0], 0xff84ffffULL);
	KUNIT_EXPECT_EQ(test, covered[1], 0x3ffULL);
	KUNIT_EXPECT_EQ(test, covered[2], 0ULL);
}

static void nothing_is_covered_by_no_fields(struct kunit *test)
{
	u64 covered[PMON_CONFIG_WORDS] = { ~0ULL, ~0ULL, ~0ULL };
	unsigned int i;

	pmon_fields_cover(NULL, covered);
	for (i = 0; i < PMON_CONFIG_WORDS; i++)
		KUNIT_EXPECT_EQ(test, covered[i], 0ULL);
}

static struct kunit_case format_tests[] = {
	KUNIT_CASE_PARAM(a_field_is_cut_to_the_buffer, format_gen_params),
	KUNIT_CASE(bits_of_terms),
	KUNIT_CASE(nothing_is_covered_by_no_fields),
	{ }
};

struct kunit_suite pmon_format_suite = {
	.name = "pmon_format",
	.test_cases = format_tests,
};
