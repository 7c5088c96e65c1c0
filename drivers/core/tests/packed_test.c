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
	/* and what the first one holds is still known */
	fake_write(&t->fake, 2, 0x57, 8);
	KUNIT_EXPECT_EQ(test, pmon_write(&regs, 0, 5, 8), 0);
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

	/* Two registers are written, each of them once. */
	pmon_regs_begin(&regs);
	fake_write(&t->fake, 2, 0x38, 8);
	fake_read(&t->fake, 3, 0x500000006ULL);
	KUNIT_EXPECT_EQ(test, pmon_write(&regs, 0, 3, 8), 0);
	KUNIT_EXPECT_EQ(test, pmon_write(&regs, 3, 7, 8), 0);
	KUNIT_EXPECT_EQ(test, pmon_write(&regs, 2, 8, 8), 0);
	fake_done(&t->fake);
	fake_write(&t->fake, 3, 0x800000007ULL, 8);
	KUNIT_EXPECT_EQ(test, pmon_regs_end(&regs), 0);
	fake_done(&t->fake);

	/* Apart from each other they are read each time. */
	fake_read(&t->fake, 3, 0x500000006ULL);
	KUNIT_EXPECT_EQ(test, pmon_read(&regs, 2, 8), 5ULL);
	fake_read(&t->fake, 3, 0x700000006ULL);
	KUNIT_EXPECT_EQ(test, pmon_read(&regs, 2, 8), 7ULL);
	fake_done(&t->fake);
}

/* Nothing is known at first, whatever was in its place. */
static void parts_that_begin(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	struct pmon_packed packed = {
		.regs = t->fake.regs, .part = dram_parts,
		.parts = ARRAY_SIZE(dram_parts), .known = ~0ULL,
		.together = true, .holds = true, .held = 3,
	};
	struct pmon_regs regs;

	pmon_regs_packed(&regs, &packed);
	fake_read(&t->fake, 3, 0x500000006ULL);
	KUNIT_EXPECT_EQ(test, pmon_read(&regs, 3, 8), 6ULL);
	fake_read(&t->fake, 2, 0x31);
	fake_write(&t->fake, 2, 0x41, 8);
	KUNIT_EXPECT_EQ(test, pmon_write(&regs, 0, 4, 8), 0);
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

static const struct pmon_protocol dram_protocol = {
	.keeps = true, .no_off = true, .rate_log2 = 34,
};

static const struct pmon_counter dram_counters[] = {
	{ .width = 31, .ctl = 0, .ctr = 2 },
	{ .width = 31, .ctl = 1, .ctr = 3 },
};

/* A box of these parts, whose counters are never off. */
static const struct pmon_layout dram = {
	.protocol = &dram_protocol, .counter = dram_counters, .counters = 2,
	.ctl_bytes = 8, .indexed = true,
};

static const struct pmon_part zam_parts[] = {
	{ 2, 4, 4 }, { 2, 0, 4 }, { 3, 0, 48 }, { 4, 0, 48 },
};

static const struct pmon_protocol zam_protocol = {
	.keeps = true, .rate_log2 = 34,
};

static const struct pmon_counter zam_counters[] = {
	{ .width = 48, .ctl = 0, .ctr = 2 },
	{ .width = 48, .ctl = 1, .ctr = 3 },
};

/* Two selects in register 2 that can be 0, each counter in a register. */
static const struct pmon_layout zam = {
	.protocol = &zam_protocol, .counter = zam_counters, .counters = 2,
	.ctl_bytes = 8, .indexed = true,
};

static struct rig *shared(struct kunit *test, const struct pmon_layout *layout,
			  const struct pmon_part *part)
{
	struct pmon_packed *packed =
		kunit_kzalloc(test, sizeof(*packed), GFP_KERNEL);
	struct rig *t = rig_new(test, layout, false);
	struct pmon_regs regs;

	KUNIT_ASSERT_NOT_NULL(test, packed);
	packed->regs = t->fake.regs;
	packed->part = part;
	packed->parts = 4;
	pmon_regs_packed(&regs, packed);
	t->bank.ctl_event = 0xf;
	pmon_bank_find(&t->bank, layout, &regs);
	return t;
}

/* On the counter @i % 2. */
static void want(struct rig *t, unsigned int i, u64 select)
{
	config(t, i, select, 0);
	t->ev[i].event.allowed = BIT_ULL(i % 2);
	KUNIT_ASSERT_TRUE(t->fake.test, add(t, i));
}

/* Two events begin, change and end: a register they share is one access. */
static void events_share_registers(struct kunit *test)
{
	struct rig *t = shared(test, &dram, dram_parts);

	want(t, 0, 1);
	want(t, 1, 2);
	fake_read(&t->fake, 2, 0);
	fake_write(&t->fake, 2, 0x12, 8);
	fake_read(&t->fake, 3, 0x500000006ULL);
	apply(t);
	del(t, 0);
	del(t, 1);
	want(t, 2, 3);
	want(t, 3, 4);
	fake_read(&t->fake, 3, 0x700000009ULL);
	fake_write(&t->fake, 2, 0x34, 8);
	fake_read(&t->fake, 3, 0x80000000aULL);
	apply(t);
	del(t, 2);
	del(t, 3);
	fake_read(&t->fake, 3, 0xc0000000fULL);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 2ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 3ULL);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 4ULL);
	KUNIT_EXPECT_EQ(test, t->ev[3].count, 5ULL);
}

/* A refused control is not known, and not looked at; the other one stays so. */
static void a_shared_control_is_refused(struct kunit *test)
{
	struct rig *t = shared(test, &dram, dram_parts);

	want(t, 0, 1);
	fake_read(&t->fake, 2, 0);
	fake_write(&t->fake, 2, 0x10, 8);
	fake_refused(&t->fake);
	fake_read(&t->fake, 3, 6);
	apply(t);
	KUNIT_EXPECT_TRUE(test, t->ev[0].event.failed);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);

	want(t, 1, 2);
	fake_read(&t->fake, 2, 0);
	fake_write(&t->fake, 2, 2, 8);
	fake_read(&t->fake, 3, 6);
	apply(t);
	del(t, 0);
	want(t, 2, 3);
	fake_write(&t->fake, 2, 0x32, 8);
	fake_refused(&t->fake);
	fake_read(&t->fake, 3, 7);
	apply(t);
	KUNIT_EXPECT_TRUE(test, t->ev[2].event.failed);
	KUNIT_EXPECT_FALSE(test, t->ev[1].event.failed);
	KUNIT_EXPECT_EQ(test, t->bank.counting, 0x2ULL);
	KUNIT_EXPECT_EQ(test, t->bank.written, 0x2ULL);
}

/* One does not answer, and the control of the other is refused: both fail. */
static void one_is_not_read_and_one_not_written(struct kunit *test)
{
	struct rig *t = shared(test, &zam, zam_parts);

	want(t, 0, 1);
	want(t, 1, 2);
	fake_read(&t->fake, 2, 0x31);
	fake_write(&t->fake, 2, 0, 8);
	fake_read(&t->fake, 3, ~0ULL);
	fake_read(&t->fake, 4, 7);
	fake_write(&t->fake, 2, 2, 8);
	fake_refused(&t->fake);
	apply(t);
	KUNIT_EXPECT_TRUE(test, t->ev[0].event.failed);
	KUNIT_EXPECT_TRUE(test, t->ev[1].event.failed);
	KUNIT_EXPECT_EQ(test, t->bank.counting, 0ULL);
}

static struct kunit_case packed_tests[] = {
	KUNIT_CASE(parts_of_a_register),
	KUNIT_CASE(parts_that_belong_together),
	KUNIT_CASE(parts_that_begin),
	KUNIT_CASE(parts_that_are_refused_together),
	KUNIT_CASE(events_share_registers),
	KUNIT_CASE(a_shared_control_is_refused),
	KUNIT_CASE(one_is_not_read_and_one_not_written),
	{ }
};

struct kunit_suite pmon_packed_suite = {
	.name = "pmon_packed",
	.test_cases = packed_tests,
};
