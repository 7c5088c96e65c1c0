// SPDX-License-Identifier: GPL-2.0-only
/* Parts of registers, each as a register of its own. */
#include <linux/kernel.h>

#include <pmon/packed.h>

#include "rig.h"
#include "suites.h"

/* Two selects in register 2, two counters in register 3. */
static const struct pmon_part dram_parts[] = {
	{ 2, 4, 4 }, { 2, 0, 4 }, { 3, 32, 31 }, { 3, 0, 31 },
};

/* A write of one part leaves the others; what is refused changes nothing. */
static void parts_of_a_register(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	struct pmon_packed packed = {
		.regs = t->fake.regs, .part = dram_parts,
		.parts = ARRAY_SIZE(dram_parts),
	};
	struct pmon_regs regs;

	pmon_regs_packed(&regs, &packed);
	fake_read(&t->fake, 2, 0x31);
	fake_refused(&t->fake);
	KUNIT_EXPECT_NE(test, pmon_write(&regs, 0, 4, 8), 0);
	fake_read(&t->fake, 2, 0x31);
	fake_write(&t->fake, 2, 0x41, 8);
	fake_refused(&t->fake);
	KUNIT_EXPECT_NE(test, pmon_write(&regs, 0, 4, 8), 0);
	fake_read(&t->fake, 2, 0x31);
	fake_write(&t->fake, 2, 0x37, 8);
	KUNIT_EXPECT_EQ(test, pmon_write(&regs, 1, 7, 8), 0);
	fake_write(&t->fake, 2, 0x47, 8);
	KUNIT_EXPECT_EQ(test, pmon_write(&regs, 0, 4, 8), 0);
	/* more than the part has does not reach its neighbour */
	fake_write(&t->fake, 2, 0xf7, 8);
	KUNIT_EXPECT_EQ(test, pmon_write(&regs, 0, 0xff, 8), 0);

	fake_read(&t->fake, 3, 0x7fffffff80000000ULL | 5);
	KUNIT_EXPECT_EQ(test, pmon_read(&regs, 2, 8), 0x7fffffffULL);
	fake_read(&t->fake, 3, 0xffffffff80000000ULL | 5);
	KUNIT_EXPECT_EQ(test, pmon_read(&regs, 3, 8), 5ULL);
	fake_read(&t->fake, 3, ~0ULL);
	KUNIT_EXPECT_EQ(test, pmon_read(&regs, 3, 8), ~0ULL);

	/* The second register is written as the first one is. */
	fake_read(&t->fake, 3, 0x500000006ULL);
	fake_write(&t->fake, 3, 0x500000007ULL, 8);
	KUNIT_EXPECT_EQ(test, pmon_write(&regs, 3, 7, 8), 0);
	fake_write(&t->fake, 3, 0x900000007ULL, 8);
	KUNIT_EXPECT_EQ(test, pmon_write(&regs, 2, 9, 8), 0);
	fake_done(&t->fake);
}

/* What belongs together is written once and read once. */
static void parts_that_belong_together(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	struct pmon_packed packed = {
		.regs = t->fake.regs, .part = dram_parts,
		.parts = ARRAY_SIZE(dram_parts),
	};
	struct pmon_regs regs;

	pmon_regs_packed(&regs, &packed);
	pmon_regs_begin(&regs);
	fake_read(&t->fake, 2, 0x31);
	KUNIT_EXPECT_EQ(test, pmon_write(&regs, 0, 4, 8), 0);
	KUNIT_EXPECT_EQ(test, pmon_write(&regs, 1, 7, 8), 0);
	fake_done(&t->fake);
	fake_write(&t->fake, 2, 0x47, 8);
	KUNIT_EXPECT_EQ(test, pmon_regs_end(&regs), 0);
	fake_done(&t->fake);

	pmon_regs_begin(&regs);
	fake_read(&t->fake, 3, 0x500000006ULL);
	KUNIT_EXPECT_EQ(test, pmon_read(&regs, 2, 8), 5ULL);
	KUNIT_EXPECT_EQ(test, pmon_read(&regs, 3, 8), 6ULL);
	fake_done(&t->fake);
	/* A write before what is read next, and what was read is old. */
	KUNIT_EXPECT_EQ(test, pmon_write(&regs, 1, 8, 8), 0);
	fake_write(&t->fake, 2, 0x48, 8);
	fake_read(&t->fake, 3, 0x900000006ULL);
	KUNIT_EXPECT_EQ(test, pmon_read(&regs, 2, 8), 9ULL);
	KUNIT_EXPECT_EQ(test, pmon_regs_end(&regs), 0);
	fake_done(&t->fake);

	/* Apart from each other they are read each time. */
	fake_read(&t->fake, 3, 0x500000006ULL);
	KUNIT_EXPECT_EQ(test, pmon_read(&regs, 2, 8), 5ULL);
	fake_read(&t->fake, 3, 0x700000006ULL);
	KUNIT_EXPECT_EQ(test, pmon_read(&regs, 2, 8), 7ULL);
	fake_done(&t->fake);
}

/* A refusal is told at the end, and what was not written is not known. */
static void parts_that_are_refused_together(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	struct pmon_packed packed = {
		.regs = t->fake.regs, .part = dram_parts,
		.parts = ARRAY_SIZE(dram_parts),
	};
	struct pmon_regs regs;

	pmon_regs_packed(&regs, &packed);
	pmon_regs_begin(&regs);
	fake_read(&t->fake, 2, 0x31);
	KUNIT_EXPECT_EQ(test, pmon_write(&regs, 0, 4, 8), 0);
	fake_write(&t->fake, 2, 0x41, 8);
	fake_refused(&t->fake);
	/* All-ones is not kept: the next one is asked again. */
	fake_read(&t->fake, 3, 0);
	fake_refused(&t->fake);
	KUNIT_EXPECT_EQ(test, pmon_read(&regs, 2, 8), ~0ULL);
	fake_read(&t->fake, 3, 8);
	KUNIT_EXPECT_EQ(test, pmon_read(&regs, 3, 8), 8ULL);
	KUNIT_EXPECT_NE(test, pmon_regs_end(&regs), 0);
	fake_done(&t->fake);

	pmon_regs_begin(&regs);
	fake_read(&t->fake, 2, 0x31);
	KUNIT_EXPECT_EQ(test, pmon_write(&regs, 1, 7, 8), 0);
	fake_write(&t->fake, 2, 0x37, 8);
	KUNIT_EXPECT_EQ(test, pmon_regs_end(&regs), 0);
	fake_done(&t->fake);
}

static struct kunit_case packed_tests[] = {
	KUNIT_CASE(parts_of_a_register),
	KUNIT_CASE(parts_that_belong_together),
	KUNIT_CASE(parts_that_are_refused_together),
	{ }
};

struct kunit_suite pmon_packed_suite = {
	.name = "pmon_packed",
	.test_cases = packed_tests,
};
