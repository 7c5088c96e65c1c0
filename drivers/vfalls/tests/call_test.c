// SPDX-License-Identifier: GPL-2.0-only
/* contract: errors */
/* Check status values and retries (vf_perf_api 1.11, section 3.2). */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "fake.h"
#include "suites.h"

struct status_case {
	unsigned long status;
	int error;
};

static const struct status_case status_cases[] = {
	{ 0, 0 }, { 6, -EIO }, { 7, -EIO }, { 9, -EAGAIN }, { 10, -EIO },
	{ 13, -EIO }, { 1, -EIO }, { ~0UL, -EIO },
};

/* Only a register without permission is recorded in denied. */
static void each_status_has_its_error(struct kunit *test)
{
	u64 value;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(status_cases); i++) {
		const struct status_case *c = &status_cases[i];

		fake_hv_reset();
		fake_hv.get_status[64] = c->status;
		fake_hv.set_status[65] = c->status;
		KUNIT_EXPECT_EQ(test, vfalls_get(&fake_calls, 64, &value),
				c->error);
		KUNIT_EXPECT_EQ(test, vfalls_set(&fake_calls, 65, 0), c->error);
		KUNIT_EXPECT_EQ(test, test_bit(64, fake_hv.denied),
				c->status == 10);
		KUNIT_EXPECT_EQ(test, test_bit(65, fake_hv.denied),
				c->status == 10);
		KUNIT_EXPECT_FALSE(test, test_bit(0, fake_hv.denied));
	}
}

/* A successful write clears the record. */
static void no_longer_denied(struct kunit *test)
{
	u64 value;

	fake_hv_reset();
	fake_hv.set_status[65] = VFALLS_ENOACCESS;
	KUNIT_EXPECT_EQ(test, vfalls_set(&fake_calls, 65, 0), -EIO);
	KUNIT_EXPECT_EQ(test, vfalls_get(&fake_calls, 65, &value), 0);
	KUNIT_EXPECT_TRUE(test, test_bit(65, fake_hv.denied));
	fake_hv.set_status[65] = VFALLS_EOK;
	KUNIT_EXPECT_EQ(test, vfalls_set(&fake_calls, 65, 0), 0);
	KUNIT_EXPECT_FALSE(test, test_bit(65, fake_hv.denied));
}

/* A failed read does not change the value. */
static void errors_leave_the_value(struct kunit *test)
{
	u64 value = 0x1234;

	fake_hv_reset();
	KUNIT_EXPECT_EQ(test, vfalls_get(&fake_calls, 90, &value), -EIO);
	fake_hv.get_status[20] = VFALLS_ENOACCESS;
	KUNIT_EXPECT_EQ(test, vfalls_get(&fake_calls, 20, &value), -EIO);
	fake_hv.get_status[20] = FAKE_ENOTSUPPORTED;
	KUNIT_EXPECT_EQ(test, vfalls_get(&fake_calls, 20, &value), -EIO);
	KUNIT_EXPECT_EQ(test, value, 0x1234ULL);
	KUNIT_EXPECT_EQ(test, fake_hv.gets, 3U);
	KUNIT_EXPECT_EQ(test, vfalls_set(&fake_calls, 90, 1), -EIO);
	KUNIT_EXPECT_EQ(test, vfalls_set(&fake_calls, 89, 1ULL << 63), 0);
	KUNIT_EXPECT_EQ(test, vfalls_get(&fake_calls, 89, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 1ULL << 63);
}

/* Calls that would block are repeated, up to the last permitted try. */
static void a_burst_is_waited_for(struct kunit *test)
{
	u64 value = 0;

	fake_hv_reset();
	fake_hv.reg[18] = 7;
	fake_hv.block = VFALLS_TRIES - 1;
	KUNIT_EXPECT_EQ(test, vfalls_get(&fake_calls, 18, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 7ULL);
	KUNIT_EXPECT_EQ(test, fake_hv.gets, (unsigned int)VFALLS_TRIES);
	KUNIT_EXPECT_EQ(test, fake_hv.blocked, VFALLS_TRIES - 1U);
	fake_hv.block = VFALLS_TRIES - 1;
	KUNIT_EXPECT_EQ(test, vfalls_set(&fake_calls, 18, 8), 0);
	KUNIT_EXPECT_EQ(test, fake_hv.sets, (unsigned int)VFALLS_TRIES);
	KUNIT_EXPECT_EQ(test, fake_hv.missed, 0U);
}

/* A call that blocks forever costs VFALLS_TRIES calls, and is counted. */
static void a_block_for_ever_is_bounded(struct kunit *test)
{
	u64 value = 5;

	fake_hv_reset();
	fake_hv.block = 1000;
	KUNIT_EXPECT_EQ(test, vfalls_get(&fake_calls, 18, &value), -EAGAIN);
	KUNIT_EXPECT_EQ(test, value, 5ULL);
	KUNIT_EXPECT_EQ(test, fake_hv.gets, (unsigned int)VFALLS_TRIES);
	KUNIT_EXPECT_EQ(test, vfalls_set(&fake_calls, 18, 8), -EAGAIN);
	KUNIT_EXPECT_EQ(test, fake_hv.sets, (unsigned int)VFALLS_TRIES);
	KUNIT_EXPECT_EQ(test, fake_hv.blocked, 2U * VFALLS_TRIES);
	KUNIT_EXPECT_EQ(test, fake_hv.missed, 2U);
	KUNIT_EXPECT_EQ(test, VFALLS_TRIES, 16);
}

static struct kunit_case call_tests[] = {
	KUNIT_CASE(each_status_has_its_error),
	KUNIT_CASE(no_longer_denied),
	KUNIT_CASE(errors_leave_the_value),
	KUNIT_CASE(a_burst_is_waited_for),
	KUNIT_CASE(a_block_for_ever_is_bounded),
	{ }
};

struct kunit_suite vfalls_call_suite = {
	.name = "vfalls_call",
	.test_cases = call_tests,
};
