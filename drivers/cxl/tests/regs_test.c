// SPDX-License-Identifier: GPL-2.0-only
/* Check registers of a CPMU that another agent, or a removal, has changed. */
#include <kunit/test.h>
#include <linux/limits.h>
#include <linux/string.h>

#include <pmon/regs.h>

#include "../regs.h"
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

/* Events on counters 0 and 1. */
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
		pmon_write(&cpmu.regs, CPMU_CFG(i), ON, 8);
	pmon_write(&cpmu.regs, CPMU_FREEZE, 0, 8);
	return 0;
}

static u64 control(unsigned int i)
{
	return pmon_read(&cpmu.regs, CPMU_CFG(i), 8);
}

/* All-ones is no freeze by another agent: the core waits for the device. */
static void no_response_is_all_ones(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, control(0), ON | CONFIGURABLE);
	memset(cpmu.memory, 0xff, sizeof(cpmu.memory));
	KUNIT_EXPECT_EQ(test, control(0), U64_MAX);
	cpmu.caps.can_freeze = false;
	KUNIT_EXPECT_EQ(test, control(0), U64_MAX);
}

/* Another agent's freeze of one counter shows in each of the controls. */
static void any_frozen_counter_shows(struct kunit *test)
{
	*at(CPMU_FREEZE) = BIT(0);
	KUNIT_EXPECT_EQ(test, control(0), 0ULL);
	*at(CPMU_FREEZE) = BIT(1);
	KUNIT_EXPECT_EQ(test, control(0), 0ULL);
	/* not counted: does not matter */
	*at(CPMU_FREEZE) = BIT(2) | BIT(3);
	KUNIT_EXPECT_EQ(test, control(0), ON | CONFIGURABLE);
	pmon_write(&cpmu.regs, CPMU_CFG(1), 0, 8);
	*at(CPMU_FREEZE) = BIT(1);
	KUNIT_EXPECT_EQ(test, control(0), ON | CONFIGURABLE);
	/* frozen by this driver */
	pmon_write(&cpmu.regs, CPMU_FREEZE, U64_MAX, 8);
	KUNIT_EXPECT_EQ(test, *at(CPMU_FREEZE), 0xfULL);
	KUNIT_EXPECT_EQ(test, control(0), ON | CONFIGURABLE);
}

static struct kunit_case regs_tests[] = {
	/* contract: unresponsive */
	KUNIT_CASE(no_response_is_all_ones),
	/* contract: overwritten */
	KUNIT_CASE(any_frozen_counter_shows),
	{ }
};

struct kunit_suite cxl_regs_suite = {
	.name = "cxl_regs",
	.init = regs_init,
	.test_cases = regs_tests,
};
