// SPDX-License-Identifier: GPL-2.0-only
/* Check writes of a CPMU, and its hand-back. */
#include <kunit/test.h>
#include <linux/limits.h>
#include <linux/string.h>

#include <pmon/regs.h>

#include "../cpmu.h"
#include "suites.h"

#define COUNTERS	4
/* Control of a counted event; bits 1:0 hold the type of the counter. */
#define ON		(BIT_ULL(24) | CPMU_CFG_RESET | CPMU_CFG_ENABLE)
#define CONFIGURABLE	2

static struct {
	u64 memory[CPMU_BYTES / 8];
	struct cpmu_caps caps;
	struct cxl_regs priv;
	struct pmon_regs regs;
} cpmu;

static u64 *at(u32 reg)
{
	return &cpmu.memory[reg / 8];
}

static u64 set_control(unsigned int i, u64 old, u64 value)
{
	return cpmu.regs.ops->write_ctl(&cpmu.regs, CPMU_CFG(i), old, value);
}

/* Start events on counters 0 and 1. */
static int regs_init(struct kunit *test)
{
	unsigned int i;

	memset(&cpmu, 0, sizeof(cpmu));
	for (i = 0; i < COUNTERS; i++)
		*at(CPMU_CFG(i)) = CPMU_CFG_RESET | CONFIGURABLE;
	cpmu.caps.can_freeze = true;
	cpmu.caps.configurable = GENMASK_ULL(COUNTERS - 1, 0);
	cpmu.caps.freezable = cpmu.caps.configurable;
	cpmu.priv.mmio = (void __iomem *)cpmu.memory;
	cpmu.priv.caps = &cpmu.caps;
	cxl_regs_init(&cpmu.regs, &cpmu.priv);
	for (i = 0; i < 2; i++)
		set_control(i, CPMU_CFG_RESET | CONFIGURABLE, ON);
	return 0;
}

/*
 * Only Enable changes while a counter is enabled, so another event needs two
 * writes; type and reserved bits stay. Each write returns the contents.
 */
static void a_control_keeps_what_is_not_its_own(struct kunit *test)
{
	u64 kept = BIT_ULL(56) | CONFIGURABLE;
	u64 next = BIT_ULL(25) | CPMU_CFG_RESET | CPMU_CFG_ENABLE;

	*at(CPMU_CFG(1)) = ON | kept;
	KUNIT_EXPECT_EQ(test, set_control(1, ON | kept, next), next | kept);
	KUNIT_EXPECT_EQ(test, *at(CPMU_CFG(1)), next | kept);
	KUNIT_EXPECT_EQ(test, set_control(1, next | kept, 0),
			(next | kept) & ~CPMU_CFG_ENABLE);
	/* A control that is off is not written. */
	*at(CPMU_CFG(1)) = ON;
	set_control(1, kept, 0);
	KUNIT_EXPECT_EQ(test, *at(CPMU_CFG(1)), ON);
}

/* After D3, reserved bits (58:56) may differ from the copy. */
static void hand_back_reads_controls(struct kunit *test)
{
	*at(CPMU_CFG(1)) = BIT_ULL(56) | CPMU_CFG_ACTIONS | CPMU_CFG_RESET |
			   CONFIGURABLE;
	cpmu.regs.ops->release(&cpmu.regs);
	KUNIT_EXPECT_EQ(test, *at(CPMU_CFG(0)), CPMU_CFG_RESET | CONFIGURABLE);
	KUNIT_EXPECT_EQ(test, *at(CPMU_CFG(1)),
			BIT_ULL(56) | CPMU_CFG_RESET | CONFIGURABLE);
	KUNIT_EXPECT_EQ(test, *at(CPMU_OVERFLOW), 0xfULL);
	/* The next hand-back leaves counters that were not used since. */
	*at(CPMU_CFG(1)) = ON | CONFIGURABLE;
	cpmu.regs.ops->release(&cpmu.regs);
	KUNIT_EXPECT_EQ(test, *at(CPMU_CFG(1)), ON | CONFIGURABLE);
	/* A control that does not respond is not written. */
	set_control(0, 0, ON);
	*at(CPMU_CFG(0)) = U64_MAX;
	cpmu.regs.ops->release(&cpmu.regs);
	KUNIT_EXPECT_EQ(test, *at(CPMU_CFG(0)), U64_MAX);
}

/* Bits of counters that cannot be frozen, or that are missing, are reserved. */
static void only_what_can_freeze_is_frozen(struct kunit *test)
{
	pmon_write(&cpmu.regs, CPMU_FREEZE, U64_MAX, 8);
	KUNIT_EXPECT_EQ(test, *at(CPMU_FREEZE), 0xfULL);
	KUNIT_EXPECT_EQ(test, pmon_read(&cpmu.regs, CPMU_FREEZE, 8), 0xfULL);
}

/* Reads of a CPMU take no lock, so an NMI gets the current count. */
static void an_nmi_may_read(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, cpmu.regs.ops->nmi_safe);
}

static struct kunit_case regs_tests[] = {
	/* contract: control */
	KUNIT_CASE(a_control_keeps_what_is_not_its_own),
	KUNIT_CASE(only_what_can_freeze_is_frozen),
	/* contract: unresponsive */
	KUNIT_CASE(hand_back_reads_controls),
	/* contract: nmi */
	KUNIT_CASE(an_nmi_may_read),
	{ }
};

struct kunit_suite cxl_regs_suite = {
	.name = "cxl_regs",
	.init = regs_init,
	.test_cases = regs_tests,
};
