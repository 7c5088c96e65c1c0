// SPDX-License-Identifier: GPL-2.0-only
/* Check a CPMU that another agent has changed or that does not respond. */
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
		pmon_write(&cpmu.regs, CPMU_CFG(i), ON, 8);
	pmon_write(&cpmu.regs, CPMU_FREEZE, 0, 8);
	return 0;
}

static u64 control(unsigned int i)
{
	return pmon_read(&cpmu.regs, CPMU_CFG(i), 8);
}

/* All-ones of a control reach drivers/core, which waits for a response. */
static void no_response_is_all_ones(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, control(0), ON | CONFIGURABLE);
	memset(cpmu.memory, 0xff, sizeof(cpmu.memory));
	KUNIT_EXPECT_EQ(test, control(0), U64_MAX);
	cpmu.caps.can_freeze = false;
	KUNIT_EXPECT_EQ(test, control(0), U64_MAX);
}

/*
 * Writes may be lost before or after a register reads as all-ones. So a counter
 * that still counts is disabled before other writes.
 */
static void lost_writes_are_repeated(struct kunit *test)
{
	static const u32 ones[] = { CPMU_CFG(0), CPMU_DATA(1), CPMU_FREEZE };
	const u64 next = BIT_ULL(25) | CPMU_CFG_RESET | CPMU_CFG_ENABLE;
	unsigned int i;

	for (i = 0; i < 2 * ARRAY_SIZE(ones); i++) {
		u64 counts;

		regs_init(test);
		counts = *at(CPMU_CFG(1));
		pmon_write(&cpmu.regs, CPMU_CFG(1), 0, 8);
		*at(ones[i / 2]) = ~0ULL;
		control(0);
		pmon_read(&cpmu.regs, CPMU_DATA(1), 8);
		pmon_read(&cpmu.regs, CPMU_FREEZE, 8);
		memset(cpmu.memory, 0xff, sizeof(cpmu.memory));
		if (i % 2)
			pmon_write(&cpmu.regs, CPMU_CFG(1), next, 8);
		*at(CPMU_FREEZE) = 0;
		*at(CPMU_CFG(0)) = ON | CONFIGURABLE;
		*at(CPMU_CFG(1)) = counts;
		control(0);
		pmon_write(&cpmu.regs, CPMU_FILTER(1, 0), 3, 4);
		KUNIT_EXPECT_EQ_MSG(test, *at(CPMU_CFG(1)),
				    counts & ~CPMU_CFG_ENABLE, "%u", i);
		pmon_write(&cpmu.regs, CPMU_CFG(1), next, 8);
		KUNIT_EXPECT_EQ(test, control(1), next | CONFIGURABLE);
	}
}

/* If another agent changes a control, the copies of all controls are void. */
static void a_change_voids_all_copies(struct kunit *test)
{
	pmon_write(&cpmu.regs, CPMU_CFG(1), 0, 8);
	*at(CPMU_CFG(0)) = BIT_ULL(26) | CONFIGURABLE;
	*at(CPMU_CFG(1)) = ON | BIT_ULL(26) | CONFIGURABLE;
	control(0);
	pmon_write(&cpmu.regs, CPMU_FILTER(1, 0), 3, 4);
	KUNIT_EXPECT_EQ(test, *at(CPMU_CFG(1)),
			(ON | BIT_ULL(26) | CONFIGURABLE) & ~CPMU_CFG_ENABLE);
	KUNIT_EXPECT_EQ(test, control(1), 0ULL);
	/* Another agent enables the counter again; the next stop disables it. */
	*at(CPMU_CFG(1)) |= CPMU_CFG_ENABLE;
	pmon_write(&cpmu.regs, CPMU_CFG(1), 0, 8);
	KUNIT_EXPECT_EQ(test, *at(CPMU_CFG(1)) & CPMU_CFG_ENABLE, 0ULL);
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
}

/* Never write all-ones: bits 9 and 10 enable an interrupt and a freeze. */
static void all_ones_are_not_written(struct kunit *test)
{
	control(0);
	cpmu.priv.cached = 0;
	*at(CPMU_CFG(1)) = U64_MAX;
	pmon_write(&cpmu.regs, CPMU_CFG(1), 0, 8);
	KUNIT_EXPECT_EQ(test, *at(CPMU_CFG(1)),
			(ON | CONFIGURABLE) & ~CPMU_CFG_ENABLE);
	cpmu.priv.cached = 0;
	*at(CPMU_CFG(1)) = U64_MAX;
	pmon_write(&cpmu.regs, CPMU_CFG(1), ON, 8);
	KUNIT_EXPECT_EQ(test, *at(CPMU_CFG(1)), ON | CONFIGURABLE);
}

static u64 frozen(void)
{
	return pmon_read(&cpmu.regs, CPMU_FREEZE, 8);
}

/* Another agent's freeze shows if the frozen counter has an event. */
static void any_frozen_counter_shows(struct kunit *test)
{
	*at(CPMU_FREEZE) = BIT(0);
	KUNIT_EXPECT_EQ(test, frozen(), 1ULL);
	*at(CPMU_FREEZE) = BIT(1);
	KUNIT_EXPECT_EQ(test, frozen(), 1ULL);
	KUNIT_EXPECT_EQ(test, control(0), ON | CONFIGURABLE);
	/* all-ones mean no response: bits of missing counters read as 0 */
	*at(CPMU_FREEZE) = U64_MAX;
	KUNIT_EXPECT_EQ(test, frozen(), 0ULL);
	/* With 64 counters, no counter is missing: read the capability. */
	cpmu.caps.freezable = U64_MAX;
	KUNIT_EXPECT_EQ(test, frozen(), 1ULL);
	*at(CPMU_CAP) = U64_MAX;
	KUNIT_EXPECT_EQ(test, frozen(), 0ULL);
	cpmu.caps.freezable = cpmu.caps.configurable;
	/* counters without an event do not matter */
	*at(CPMU_FREEZE) = BIT(2) | BIT(3);
	KUNIT_EXPECT_EQ(test, frozen(), 0ULL);
	/* Bits of free-running counters, always enabled, are reserved. */
	*at(CPMU_CFG(3)) = BIT_ULL(24) | CPMU_CFG_ENABLE;
	control(3);
	KUNIT_EXPECT_EQ(test, frozen(), 0ULL);
	pmon_write(&cpmu.regs, CPMU_CFG(1), 0, 8);
	*at(CPMU_FREEZE) = BIT(1);
	KUNIT_EXPECT_EQ(test, frozen(), 0ULL);
	/* a freeze by this driver does not show */
	pmon_write(&cpmu.regs, CPMU_FREEZE, U64_MAX, 8);
	KUNIT_EXPECT_EQ(test, *at(CPMU_FREEZE), 0xfULL);
	KUNIT_EXPECT_EQ(test, frozen(), 0ULL);
}

/* Reads of a CPMU take no lock, so an NMI gets the current count. */
static void an_nmi_may_read(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, cpmu.regs.ops->nmi_safe);
}

static struct kunit_case regs_tests[] = {
	/* contract: unresponsive */
	KUNIT_CASE(no_response_is_all_ones),
	KUNIT_CASE(lost_writes_are_repeated),
	KUNIT_CASE(a_change_voids_all_copies),
	KUNIT_CASE(hand_back_reads_controls),
	KUNIT_CASE(all_ones_are_not_written),
	/* contract: control */
	KUNIT_CASE(any_frozen_counter_shows),
	/* contract: nmi */
	KUNIT_CASE(an_nmi_may_read),
	{ }
};

struct kunit_suite cxl_regs_suite = {
	.name = "cxl_regs",
	.init = regs_init,
	.test_cases = regs_tests,
};
