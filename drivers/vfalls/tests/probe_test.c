// SPDX-License-Identifier: GPL-2.0-only
/* contract: load-reads */
/* Test the probe of registers that are missing, not permitted or busy. */
#include <linux/bitmap.h>
#include <linux/string.h>

#include "fake.h"
#include "suites.h"

static DECLARE_BITMAP(readable, VFALLS_REGS);

static int probe_init(struct kunit *test)
{
	fake_hv_reset();
	bitmap_zero(readable, VFALLS_REGS);
	return 0;
}

static void probe(unsigned int minor)
{
	vfalls_probe(&fake_calls, minor, readable);
}

static void fail(unsigned int from, unsigned int to, unsigned long status)
{
	for (; from < to; from++)
		fake_hv.get_status[from] = status;
}

/* Expect that the registers below @from are readable, and no others. */
static void expect_end(struct kunit *test, unsigned int from)
{
	KUNIT_EXPECT_EQ(test, find_first_zero_bit(readable, VFALLS_REGS), from);
	KUNIT_EXPECT_EQ(test, bitmap_weight(readable, VFALLS_REGS), from);
}

static void four_nodes_have_90_registers(struct kunit *test)
{
	probe(1);
	expect_end(test, 90);
	KUNIT_EXPECT_TRUE(test, bitmap_empty(fake_hv.denied, VFALLS_REGS));
	KUNIT_EXPECT_EQ(test, fake_hv.gets, 90U);
	KUNIT_EXPECT_EQ(test, fake_hv.sets, 0U);
}

/* A machine with two nodes has the first ten registers only. */
static void two_nodes_have_ten_registers(struct kunit *test)
{
	fail(10, 90, FAKE_ENOTSUPPORTED);
	probe(1);
	expect_end(test, 10);
	KUNIT_EXPECT_TRUE(test, bitmap_empty(fake_hv.denied, VFALLS_REGS));
}

/* Registers of a later API version are not read. */
static void version_1_0_has_no_zambezi(struct kunit *test)
{
	probe(0);
	expect_end(test, 18);
	KUNIT_EXPECT_EQ(test, fake_hv.gets, 18U);
}

/* Another driver may have registered a later API version. */
static void later_versions_have_the_same(struct kunit *test)
{
	probe(3);
	expect_end(test, 90);
	KUNIT_EXPECT_EQ(test, fake_hv.gets, 90U);
}

static void what_is_not_permitted(struct kunit *test)
{
	static const unsigned int regs[] = { 0, 1, 5, 38, 89 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(regs); i++)
		fake_hv.get_status[regs[i]] = VFALLS_ENOACCESS;
	probe(1);
	for (i = 0; i < ARRAY_SIZE(regs); i++) {
		KUNIT_EXPECT_FALSE(test, test_bit(regs[i], readable));
		KUNIT_EXPECT_TRUE(test, test_bit(regs[i], fake_hv.denied));
	}
	KUNIT_EXPECT_EQ(test, bitmap_weight(readable, VFALLS_REGS), 90U - i);
	KUNIT_EXPECT_EQ(test, bitmap_weight(fake_hv.denied, VFALLS_REGS), i);
}

/* A busy register is not missing. */
static void what_would_block_is_there(struct kunit *test)
{
	fake_hv.block = ~0U;
	probe(1);
	expect_end(test, 90);
	KUNIT_EXPECT_EQ(test, fake_hv.missed, 90U);
	KUNIT_EXPECT_EQ(test, fake_hv.gets, 90U * VFALLS_TRIES);
}

/* A hypervisor without these calls has no registers. */
static void unknown_calls_mean_no_registers(struct kunit *test)
{
	fail(0, 90, FAKE_EBADTRAP);
	probe(1);
	expect_end(test, 0);
	KUNIT_EXPECT_TRUE(test, bitmap_empty(fake_hv.denied, VFALLS_REGS));
}

static struct kunit_case probe_tests[] = {
	KUNIT_CASE(four_nodes_have_90_registers),
	KUNIT_CASE(two_nodes_have_ten_registers),
	KUNIT_CASE(version_1_0_has_no_zambezi),
	KUNIT_CASE(later_versions_have_the_same),
	KUNIT_CASE(what_is_not_permitted),
	KUNIT_CASE(what_would_block_is_there),
	KUNIT_CASE(unknown_calls_mean_no_registers),
	{ }
};

struct kunit_suite vfalls_probe_suite = {
	.name = "vfalls_probe",
	.init = probe_init,
	.test_cases = probe_tests,
};
