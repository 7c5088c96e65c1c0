// SPDX-License-Identifier: GPL-2.0-only
/* Format terms: strings as perf wants them, values as the hardware does. */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include <pmon/format.h>

#include "suites.h"

struct format_case {
	const char *string;
	struct pmon_field field;
	u64 word;
	u64 value;
};

/* The strings are those of the kernel's own driver for the same terms. */
static const struct format_case format_cases[] = {
	{ "config:0-7", { "event", 0, GENMASK_ULL(7, 0) }, 0x12345, 0x45 },
	{ "config:8-15", { "umask", 0, GENMASK_ULL(15, 8) }, 0xcf05, 0xcf },
	{ "config:8-15,32-55",
	  { "umask", 0, GENMASK_ULL(15, 8) | GENMASK_ULL(55, 32) },
	  0x00123456ff00cf05, 0x123456cf },
	{ "config:8-15,32-63",
	  { "umask", 0, GENMASK_ULL(15, 8) | GENMASK_ULL(63, 32) },
	  0xdeadbeef00004500, 0xdeadbeef45 },
	{ "config:16", { "tid_en", 0, BIT_ULL(16) }, 0x10000, 1 },
	{ "config:18", { "edge", 0, BIT_ULL(18) }, ~BIT_ULL(18), 0 },
	{ "config:23", { "inv", 0, BIT_ULL(23) }, BIT_ULL(23), 1 },
	{ "config:24-31", { "thresh", 0, GENMASK_ULL(31, 24) }, 0x7f000000,
	  0x7f },
	{ "config:24-35", { "thresh", 0, GENMASK_ULL(35, 24) }, 0xfab000000,
	  0xfab },
	{ "config:36-47", { "ch_mask", 0, GENMASK_ULL(47, 36) },
	  0x0000fff000000000, 0xfff },
	{ "config:48-50", { "fc_mask", 0, GENMASK_ULL(50, 48) },
	  0x0007000000000000, 7 },
	{ "config1:0-9", { "filter_tid", 1, GENMASK_ULL(9, 0) }, 0x3ff, 0x3ff },
	{ "config2:63", { "snapshot", 2, BIT_ULL(63) }, BIT_ULL(63), 1 },
	{ "config1:0-63", { "all", 1, ~0ULL }, 0x123456789abcdef0,
	  0x123456789abcdef0 },
	{ "config2:0,2,4,6", { "holes", 2, 0x55 }, 0x51, 0xd },
	{ "config:63", { "top", 0, BIT_ULL(63) }, BIT_ULL(63), 1 },
};

static void format_desc(const struct format_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s %s", c->field.name,
		 c->string);
}

KUNIT_ARRAY_PARAM(format, format_cases, format_desc);

static void field_string(struct kunit *test)
{
	const struct format_case *c = test->param_value;
	char buf[64];

	KUNIT_EXPECT_EQ(test, pmon_field_format(&c->field, buf, sizeof(buf)),
			(int)strlen(c->string));
	KUNIT_EXPECT_STREQ(test, buf, c->string);
}

static void field_value(struct kunit *test)
{
	const struct format_case *c = test->param_value;
	u64 config[PMON_CONFIG_WORDS] = {};

	config[c->field.word] = c->word;
	KUNIT_EXPECT_EQ(test, pmon_field_get(&c->field, config), c->value);
	KUNIT_EXPECT_EQ(test, pmon_field_put(&c->field, c->value),
			c->word & c->field.mask);
}

/* Values that are too large lose their high bits, and touch no other term. */
static void field_put_stays_inside(struct kunit *test)
{
	const struct format_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, pmon_field_put(&c->field, ~0ULL), c->field.mask);
}

/* A buffer of any size is never overrun. */
static void field_string_is_cut(struct kunit *test)
{
	const struct format_case *c = test->param_value;
	size_t size, i;
	char buf[64];

	for (size = 1; size <= strlen(c->string) + 1; size++) {
		memset(buf, '#', sizeof(buf));
		pmon_field_format(&c->field, buf, size);
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

static void what_terms_stand_for(struct kunit *test)
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
	KUNIT_CASE_PARAM(field_string, format_gen_params),
	KUNIT_CASE_PARAM(field_value, format_gen_params),
	KUNIT_CASE_PARAM(field_put_stays_inside, format_gen_params),
	KUNIT_CASE_PARAM(field_string_is_cut, format_gen_params),
	KUNIT_CASE(what_terms_stand_for),
	KUNIT_CASE(nothing_is_covered_by_no_fields),
	{ }
};

struct kunit_suite pmon_format_suite = {
	.name = "pmon_format",
	.test_cases = format_tests,
};
