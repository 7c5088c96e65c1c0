// SPDX-License-Identifier: GPL-2.0-only
/* What machines have, and what guests may use. */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/string.h>

#include "fake.h"
#include "suites.h"

#define DRAMS		0xffU

static void absent(unsigned int from, unsigned int to)
{
	for (; from < to; from++)
		fake_hv.get_status[from] = VFALLS_ENOTSUPPORTED;
}

static void four_nodes(struct kunit *test)
{
	struct vfalls_found found;
	unsigned int reg;

	/* What was there before says nothing. */
	memset(&found, 0xa5, sizeof(found));
	fake_hv_reset();
	vfalls_probe(&fake_calls, 1, &found);
	KUNIT_EXPECT_EQ(test, found.units, ~0U);
	KUNIT_EXPECT_EQ(test, found.denied, 0U);
	KUNIT_EXPECT_EQ(test, found.l2, 0);
	KUNIT_EXPECT_EQ(test, found.strand, 0);
	KUNIT_EXPECT_EQ(test, fake_hv.gets, 90U);
	KUNIT_EXPECT_EQ(test, fake_hv.sets, 0U);
	for (reg = 0; reg < VFALLS_REGS; reg++)
		KUNIT_EXPECT_TRUE(test, vfalls_has(&found, reg));
	KUNIT_EXPECT_FALSE(test, vfalls_has(&found, VFALLS_REGS));
}

/* Without Zambezis; of nodes that are not there nothing is. */
static void two_nodes(struct kunit *test)
{
	struct vfalls_found found;

	memset(&found, 0xa5, sizeof(found));
	fake_hv_reset();
	absent(18, 90);
	absent(10, 18);
	vfalls_probe(&fake_calls, 1, &found);
	KUNIT_EXPECT_EQ(test, found.units, 0xfU);
	KUNIT_EXPECT_EQ(test, found.denied, 0U);
	KUNIT_EXPECT_TRUE(test, vfalls_has(&found, 9));
	KUNIT_EXPECT_FALSE(test, vfalls_has(&found, 10));
}

/* Registers that the version does not have are not asked for. */
static void version_1_0_has_no_zambezi(struct kunit *test)
{
	struct vfalls_found found;

	fake_hv_reset();
	vfalls_probe(&fake_calls, 0, &found);
	KUNIT_EXPECT_EQ(test, found.units, DRAMS);
	KUNIT_EXPECT_EQ(test, fake_hv.gets, 18U);
	KUNIT_EXPECT_FALSE(test, vfalls_has(&found, 18));
}

/* A unit is there when all of its registers are. */
static void what_is_not_permitted(struct kunit *test)
{
	struct vfalls_found found;

	fake_hv_reset();
	fake_hv.get_status[0] = VFALLS_ENOACCESS;
	fake_hv.get_status[1] = VFALLS_ENOACCESS;
	fake_hv.get_status[2] = VFALLS_ENOACCESS;
	fake_hv.get_status[5] = VFALLS_ENOACCESS;
	fake_hv.get_status[18 + 18 + 2] = VFALLS_ENOACCESS;
	vfalls_probe(&fake_calls, 1, &found);
	KUNIT_EXPECT_EQ(test, found.denied, BIT(0) | BIT(1) | BIT(14));
	KUNIT_EXPECT_EQ(test, found.units, ~found.denied);
	KUNIT_EXPECT_EQ(test, found.l2, -EACCES);
	KUNIT_EXPECT_EQ(test, found.strand, -EACCES);
	KUNIT_EXPECT_FALSE(test, vfalls_has(&found, 0));
	KUNIT_EXPECT_FALSE(test, vfalls_has(&found, 1));
	KUNIT_EXPECT_FALSE(test, vfalls_has(&found, 37));
}

/* A Zambezi that is busy at that moment is no missing one. */
static void what_would_block_is_there(struct kunit *test)
{
	struct vfalls_found found;

	fake_hv_reset();
	fake_hv.block = ~0U;
	vfalls_probe(&fake_calls, 1, &found);
	KUNIT_EXPECT_EQ(test, found.units, ~0U);
	KUNIT_EXPECT_EQ(test, fake_hv.missed, 90U);
	KUNIT_EXPECT_EQ(test, fake_hv.gets, 90U * VFALLS_TRIES);
}

/* A hypervisor without the numbers of these calls. */
static void unknown_calls(struct kunit *test)
{
	struct vfalls_found found;
	unsigned int reg;

	fake_hv_reset();
	for (reg = 0; reg < VFALLS_REGS; reg++)
		fake_hv.get_status[reg] = VFALLS_EBADTRAP;
	vfalls_probe(&fake_calls, 1, &found);
	KUNIT_EXPECT_EQ(test, found.units | found.denied, 0U);
	KUNIT_EXPECT_EQ(test, found.l2, -ENODEV);
	KUNIT_EXPECT_EQ(test, found.strand, -ENODEV);
}

static struct kunit_case probe_tests[] = {
	KUNIT_CASE(four_nodes),
	KUNIT_CASE(two_nodes),
	KUNIT_CASE(version_1_0_has_no_zambezi),
	KUNIT_CASE(what_is_not_permitted),
	KUNIT_CASE(what_would_block_is_there),
	KUNIT_CASE(unknown_calls),
	{ }
};

struct kunit_suite vfalls_probe_suite = {
	.name = "vfalls_probe",
	.test_cases = probe_tests,
};
