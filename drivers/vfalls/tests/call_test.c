// SPDX-License-Identifier: GPL-2.0-only
/* Status, trying again, versions (vf_perf_api 1.11, section 3.2). */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "fake.h"
#include "suites.h"

struct status_case {
	unsigned long status;
	int error;
};

static const struct status_case status_cases[] = {
	{ 0, 0 }, { 6, -EINVAL }, { 7, -ENODEV }, { 9, -EAGAIN },
	{ 10, -EACCES }, { 13, -ENODEV }, { 1, -EIO }, { ~0UL, -EIO },
};

static void each_status_has_its_error(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(status_cases); i++)
		KUNIT_EXPECT_EQ(test, vfalls_error(status_cases[i].status),
				status_cases[i].error);
}

/* A value that was not read is not there. */
static void errors_leave_the_value(struct kunit *test)
{
	u64 value = 0x1234;

	fake_hv_reset();
	KUNIT_EXPECT_EQ(test, vfalls_get(&fake_calls, 90, &value), -EINVAL);
	fake_hv.get_status[20] = VFALLS_ENOACCESS;
	KUNIT_EXPECT_EQ(test, vfalls_get(&fake_calls, 20, &value), -EACCES);
	fake_hv.get_status[20] = VFALLS_ENOTSUPPORTED;
	KUNIT_EXPECT_EQ(test, vfalls_get(&fake_calls, 20, &value), -ENODEV);
	KUNIT_EXPECT_EQ(test, value, 0x1234ULL);
	KUNIT_EXPECT_EQ(test, fake_hv.gets, 3U);
	KUNIT_EXPECT_EQ(test, vfalls_set(&fake_calls, 90, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, vfalls_set(&fake_calls, 89, 1ULL << 63), 0);
	KUNIT_EXPECT_EQ(test, vfalls_get(&fake_calls, 89, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 1ULL << 63);
}

/* A burst is waited for, up to the last try that is allowed. */
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

/* One that does not end costs a bounded number of calls, and is counted. */
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

/**
 * struct api - what sun4v_hvapi_register() meets
 * @taken: another driver has the group
 * @minor: its minor version, or the highest that the hypervisor has
 * @strict: the hypervisor refuses a version above its own
 * @absent: there is no such group
 * @calls: how often it was asked
 */
struct api {
	bool taken;
	unsigned long minor;
	bool strict;
	bool absent;
	unsigned int calls;
};

static struct api api;

static int enlist(unsigned long group, unsigned long major,
		  unsigned long *minor)
{
	api.calls++;
	if (group != 0x205 || major != 1 || api.absent)
		return -EINVAL;
	if (api.taken) {
		*minor = api.minor;
		return 0;
	}
	if (api.strict && *minor > api.minor)
		return -EINVAL;
	*minor = min(*minor, api.minor);
	return 0;
}

struct api_case {
	struct api api;
	int error;
	unsigned int minor;
	unsigned int calls;
};

static const struct api_case api_cases[] = {
	{ { .minor = 1 }, 0, 1, 1 },
	{ { .minor = 2 }, 0, 1, 1 },
	{ { .minor = 0 }, 0, 0, 1 },
	{ { .minor = 0, .strict = true }, 0, 0, 2 },
	{ { .taken = true, .minor = 0 }, 0, 0, 1 },
	{ { .taken = true, .minor = 1 }, 0, 1, 1 },
	{ { .taken = true, .minor = 3 }, 0, 3, 1 },
	{ { .absent = true }, -ENODEV, 77, 2 },
};

static void versions(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(api_cases); i++) {
		const struct api_case *c = &api_cases[i];
		unsigned int minor = 77;

		api = c->api;
		KUNIT_EXPECT_EQ(test, vfalls_negotiate(enlist, &minor),
				c->error);
		KUNIT_EXPECT_EQ_MSG(test, minor, c->minor, "case %zu", i);
		KUNIT_EXPECT_EQ(test, api.calls, c->calls);
	}
}

static struct kunit_case call_tests[] = {
	KUNIT_CASE(each_status_has_its_error),
	KUNIT_CASE(errors_leave_the_value),
	KUNIT_CASE(a_burst_is_waited_for),
	KUNIT_CASE(a_block_for_ever_is_bounded),
	KUNIT_CASE(versions),
	{ }
};

struct kunit_suite vfalls_call_suite = {
	.name = "vfalls_call",
	.test_cases = call_tests,
};
