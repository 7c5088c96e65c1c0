// SPDX-License-Identifier: GPL-2.0-only
/* contract: handback-others */
/* Test that events set register bits, and that the last event restores them. */
#include <linux/errno.h>
#include <linux/string.h>

#include "fake.h"
#include "suites.h"

static struct vfalls_hold hold;
static const u64 mask[] = { 8, 3 };	/* of registers 0 and 1 */

static int hold_init(struct kunit *test)
{
	fake_hv_reset();
	memset(&hold, 0, sizeof(hold));
	return 0;
}

static int begin(unsigned int reg, u64 value)
{
	return vfalls_hold_begin(&hold, &fake_calls, reg, mask[reg], value);
}

static int restore(unsigned int reg)
{
	return vfalls_hold_restore(&hold, &fake_calls, reg, mask[reg]);
}

static int end(unsigned int reg)
{
	return vfalls_hold_end(&hold, &fake_calls, reg, mask[reg]);
}

/* The bits are set and restored; other bits keep changes made meanwhile. */
static void the_last_one_restores(struct kunit *test)
{
	fake_hv.reg[0] = 0x71;
	KUNIT_EXPECT_EQ(test, begin(0, 8), 0);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[0], 0x79ULL);
	KUNIT_EXPECT_EQ(test, begin(0, 8), 0);
	KUNIT_EXPECT_EQ(test, fake_hv.sets, 1U);
	fake_hv.reg[0] = 0x2a;
	KUNIT_EXPECT_EQ(test, end(0), 0);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[0], 0x2aULL);
	KUNIT_EXPECT_EQ(test, end(0), 0);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[0], 0x22ULL);
	KUNIT_EXPECT_EQ(test, hold.users, 0U);
}

/* If the bits already have the value, nothing is written, even at the end. */
static void what_is_there_is_not_written(struct kunit *test)
{
	fake_hv.reg[1] = 2;
	KUNIT_EXPECT_EQ(test, begin(1, 2), 0);
	KUNIT_EXPECT_EQ(test, end(1), 0);
	KUNIT_EXPECT_EQ(test, fake_hv.sets, 0U);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[1], 2ULL);
}

static void two_values_do_not_go_together(struct kunit *test)
{
	fake_hv.reg[1] = 1;
	KUNIT_EXPECT_EQ(test, begin(1, 2), 0);
	KUNIT_EXPECT_EQ(test, begin(1, 3), -EBUSY);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[1], 2ULL);
	KUNIT_EXPECT_EQ(test, end(1), 0);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[1], 1ULL);
	KUNIT_EXPECT_EQ(test, begin(1, 3), 0);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[1], 3ULL);
}

/* A refused access changes nothing; the next event may succeed. */
static void a_refused_access_changes_nothing(struct kunit *test)
{
	fake_hv.get_status[0] = VFALLS_ENOACCESS;
	KUNIT_EXPECT_EQ(test, begin(0, 8), -EIO);
	fake_hv.get_status[0] = VFALLS_EOK;
	fake_hv.set_status[0] = VFALLS_ENOACCESS;
	KUNIT_EXPECT_EQ(test, begin(0, 8), -EIO);
	KUNIT_EXPECT_EQ(test, hold.users, 0U);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[0], 0ULL);
	fake_hv.set_status[0] = VFALLS_EOK;
	KUNIT_EXPECT_EQ(test, begin(0, 8), 0);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[0], 8ULL);
	fake_hv.block = ~0U;
	KUNIT_EXPECT_EQ(test, end(0), -EAGAIN);
	KUNIT_EXPECT_EQ(test, hold.users, 0U);
}

/*
 * After a failed restore the bits are restored once the register allows writes:
 * "the code using these interfaces must handle such a failure" (section 3.0).
 */
static void bits_are_restored_once_writes_are_allowed(struct kunit *test)
{
	fake_hv.reg[1] = 1;
	KUNIT_EXPECT_EQ(test, begin(1, 2), 0);
	fake_hv.set_status[1] = VFALLS_ENOACCESS;
	KUNIT_EXPECT_EQ(test, end(1), -EIO);
	KUNIT_EXPECT_TRUE(test, hold.unrestored);
	KUNIT_EXPECT_EQ(test, restore(1), -EIO);
	KUNIT_EXPECT_TRUE(test, hold.unrestored);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[1], 2ULL);
	/* Another value cannot be written either; @original is kept. */
	KUNIT_EXPECT_EQ(test, begin(1, 3), -EIO);
	fake_hv.set_status[1] = VFALLS_EOK;
	KUNIT_EXPECT_EQ(test, restore(1), 0);
	KUNIT_EXPECT_FALSE(test, hold.unrestored);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[1], 1ULL);
}

/* After a failed restore, the next event keeps @original. */
static void the_next_event_keeps_the_original(struct kunit *test)
{
	static const u64 values[] = { 2, 3, 1 };
	unsigned int i;

	for (i = 0; i < 3; i++) {
		hold_init(test);
		fake_hv.reg[1] = 1;
		KUNIT_EXPECT_EQ(test, begin(1, 2), 0);
		fake_hv.set_status[1] = VFALLS_ENOACCESS;
		KUNIT_EXPECT_EQ(test, end(1), -EIO);
		fake_hv.set_status[1] = VFALLS_EOK;
		KUNIT_EXPECT_EQ(test, begin(1, values[i]), 0);
		KUNIT_EXPECT_FALSE(test, hold.unrestored);
		KUNIT_EXPECT_EQ(test, fake_hv.reg[1], values[i]);
		KUNIT_EXPECT_EQ(test, end(1), 0);
		KUNIT_EXPECT_EQ(test, fake_hv.reg[1], 1ULL);
	}
}

/* If another guest wrote after a failed restore, @original is the new value. */
static void not_taken_over_from_others(struct kunit *test)
{
	fake_hv.reg[1] = 1;
	KUNIT_EXPECT_EQ(test, begin(1, 2), 0);
	fake_hv.get_status[1] = VFALLS_ENOACCESS;
	KUNIT_EXPECT_EQ(test, end(1), -EIO);
	fake_hv.get_status[1] = VFALLS_EOK;
	fake_hv.reg[1] = 0;
	KUNIT_EXPECT_EQ(test, begin(1, 2), 0);
	KUNIT_EXPECT_EQ(test, end(1), 0);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[1], 0ULL);
}

/* vfalls_hold_end() reports that the kernel cleared the bit in the PCR. */
static void overwritten_by_others(struct kunit *test)
{
	fake_hv.reg[0] = 0x71;
	KUNIT_EXPECT_EQ(test, begin(0, 8), 0);
	fake_hv.reg[0] = 0x70;
	KUNIT_EXPECT_EQ(test, end(0), 1);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[0], 0x70ULL);
}

static struct kunit_case hold_tests[] = {
	KUNIT_CASE(the_last_one_restores),
	KUNIT_CASE(what_is_there_is_not_written),
	KUNIT_CASE(two_values_do_not_go_together),
	KUNIT_CASE(a_refused_access_changes_nothing),
	KUNIT_CASE(bits_are_restored_once_writes_are_allowed),
	KUNIT_CASE(the_next_event_keeps_the_original),
	KUNIT_CASE(not_taken_over_from_others),
	KUNIT_CASE(overwritten_by_others),
	{ }
};

struct kunit_suite vfalls_hold_suite = {
	.name = "vfalls_hold",
	.init = hold_init,
	.test_cases = hold_tests,
};
