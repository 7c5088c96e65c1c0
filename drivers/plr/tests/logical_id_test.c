// SPDX-License-Identifier: GPL-2.0-only
/* MSR 0x54, with values as real machines show them. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>

#include "../logical_id.h"
#include "suites.h"

struct logical_id_case {
	const char *name;
	u64 msr;
	int ret;
	struct plr_logical_id id;
};

static const struct logical_id_case logical_id_cases[] = {
	{ "first CPU of all", 0x0, 0, { 0, 0, 0 } },
	{ "second core", 0x8, 0, { 0, 1, 0 } },
	{ "second thread of the third core", 0x11, 0, { 0, 2, 1 } },
	{ "efficient core in a cluster", 0xb, 0, { 0, 1, 3 } },
	{ "second domain", 0x800, 0, { 1, 0, 0 } },
	{ "last module", 0x7f8, 0, { 0, 255, 0 } },
	{ "last domain", 0xf800, 0, { 31, 0, 0 } },
	{ "every field full", 0xffff, 0, { 31, 255, 7 } },
	{ "every field another", 0x1643, 0, { 2, 200, 3 } },
	{ "and in another order", 0xc815, 0, { 25, 2, 5 } },
	{ "one bit above", 0x10000, -EINVAL, {} },
	{ "all ones", U64_MAX, -EINVAL, {} },
};

static void logical_id_case_desc(const struct logical_id_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(logical_id, logical_id_cases, logical_id_case_desc);

static void logical_id_decodes(struct kunit *test)
{
	const struct logical_id_case *c = test->param_value;
	struct plr_logical_id id = { 0xaa, 0xaa, 0xaa };

	KUNIT_ASSERT_EQ(test, plr_logical_id_decode(c->msr, &id), c->ret);
	if (c->ret) {
		/* A CPU that cannot be mapped stays as it was. */
		KUNIT_EXPECT_EQ(test, id.module, 0xaa);
		return;
	}
	KUNIT_EXPECT_EQ(test, id.domain, c->id.domain);
	KUNIT_EXPECT_EQ(test, id.module, c->id.module);
	KUNIT_EXPECT_EQ(test, id.lp, c->id.lp);
}

/* In the words of the specification: [15:11], [10:3] and [2:0]. */
static void each_bit_is_of_one_field(struct kunit *test)
{
	struct plr_logical_id id;
	unsigned int bit;

	for (bit = 0; bit < 16; bit++) {
		KUNIT_ASSERT_EQ(test, plr_logical_id_decode(1ULL << bit, &id), 0);
		KUNIT_EXPECT_EQ(test, id.lp, bit < 3 ? 1U << bit : 0);
		KUNIT_EXPECT_EQ(test, id.module,
				bit >= 3 && bit < 11 ? 1U << (bit - 3) : 0);
		KUNIT_EXPECT_EQ(test, id.domain, bit >= 11 ? 1U << (bit - 11) : 0);
	}
	for (; bit < 64; bit++)
		KUNIT_EXPECT_EQ(test, plr_logical_id_decode(1ULL << bit, &id), -EINVAL);
}

static struct kunit_case plr_logical_id_cases[] = {
	KUNIT_CASE_PARAM(logical_id_decodes, logical_id_gen_params),
	KUNIT_CASE(each_bit_is_of_one_field),
	{}
};

struct kunit_suite plr_logical_id_suite = {
	.name = "plr_logical_id",
	.test_cases = plr_logical_id_cases,
};
