// SPDX-License-Identifier: GPL-2.0-only
/* Test which reasons last, and for how long (S(t) of residency.c). */
#include <linux/kernel.h>

#include "../residency.h"
#include "model.h"
#include "suites.h"

static struct plr_clock at(u64 ms)
{
	return (struct plr_clock){ ms * MS, (ms + 5000) * MS };
}

/* A reason lasts from its second evidence in a row, until one lacks it. */
static void a_reason_lasts_from_its_second_evidence_on(struct kunit *test)
{
	static const struct {
		u64 bits, mask, active, lasting;
	} steps[] = {
		{ POWER, ~0ULL, 0, 0 },		/* of unknown age */
		{ POWER, ~0ULL, POWER, 0 },
		{ POWER, POWER, POWER, POWER },
		{ THERMAL, THERMAL, POWER | THERMAL, POWER }, /* none of POWER */
		{ POWER, ~0ULL, POWER, POWER },
		{ 0, POWER, 0, 0 },
		{ POWER | THERMAL, ~0ULL, POWER | THERMAL, 0 },
		{ POWER | THERMAL, ~0ULL, POWER | THERMAL, POWER | THERMAL },
	};
	struct plr_account *account = &model_new(test)->core[0].account;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		struct plr_clock clock = at(1000 + 100 * i);

		plr_account_add(account, &clock, steps[i].bits, steps[i].mask);
		KUNIT_EXPECT_EQ(test, account->active, steps[i].active);
		KUNIT_EXPECT_EQ_MSG(test, account->lasting, steps[i].lasting,
				    "step %u", i);
	}
	plr_account_stop(account, THERMAL);
	KUNIT_EXPECT_EQ(test, account->lasting, POWER);
	plr_account_stop(account, ~0ULL);
	KUNIT_EXPECT_EQ(test, account->lasting, 0);
}

/* A read that leaves a bit set is no evidence of the next. */
static void a_bit_left_set_does_not_last(struct kunit *test)
{
	struct plr_account *account = &model_new(test)->core[0].account;
	struct plr_clock clock = at(1000);

	plr_account_read(account, &clock, 0, true);
	clock = at(1100);
	plr_account_read(account, &clock, POWER, false);
	clock = at(1200);
	plr_account_read(account, &clock, POWER, true);
	KUNIT_EXPECT_EQ(test, account->lasting, 0);
	clock = at(1300);
	plr_account_read(account, &clock, POWER, true);
	KUNIT_EXPECT_EQ(test, account->lasting, POWER);
}

/* POWER is bit 2, THERMAL bit 3; at 1,500 ms evidence ends, at 1,700 it is back. */
static void a_sum_grows_while_its_reason_lasts(struct kunit *test)
{
	static const struct {
		u64 ms, reasons;
		bool valid;
	} changes[] = {
		{ 1000, 0, true },
		{ 1100, POWER, true },
		{ 1300, POWER | THERMAL, true },
		{ 1400, THERMAL, true },
		{ 1500, 0, false },
		{ 1700, POWER, true },
	};
	static const struct {
		u64 ms, power, thermal, observed;
	} sums[] = {
		{ 1000, 0, 0, 0 }, { 1100, 0, 0, 100 }, { 1299, 199, 0, 299 },
		{ 1350, 250, 50, 350 }, { 1450, 300, 150, 450 },
		{ 1600, 300, 200, 500 }, { 1700, 300, 200, 500 },
		{ 2000, 600, 200, 800 },
	};
	struct plr_residency *residency =
		kunit_kzalloc(test, sizeof(*residency), GFP_KERNEL);
	unsigned int i, change = 0;

	for (i = 0; i < ARRAY_SIZE(sums); i++) {
		u64 now_ns = sums[i].ms * MS;

		for (; change < ARRAY_SIZE(changes) &&
		     changes[change].ms <= sums[i].ms; change++)
			plr_residency_change(residency,
					     changes[change].reasons,
					     changes[change].valid,
					     changes[change].ms * MS);
		KUNIT_EXPECT_EQ(test, plr_residency_at(residency, 2, now_ns),
				sums[i].power * MS);
		KUNIT_EXPECT_EQ(test, plr_residency_at(residency, 3, now_ns),
				sums[i].thermal * MS);
		KUNIT_EXPECT_EQ(test, plr_residency_at(residency, PLR_OBSERVED,
						       now_ns),
				sums[i].observed * MS);
	}
}

static struct kunit_case plr_residency_cases[] = {
	/* contract: task */
	KUNIT_CASE(a_reason_lasts_from_its_second_evidence_on),
	KUNIT_CASE(a_bit_left_set_does_not_last),
	KUNIT_CASE(a_sum_grows_while_its_reason_lasts),
	{}
};

struct kunit_suite plr_residency_suite = {
	.name = "plr_residency",
	.test_cases = plr_residency_cases,
};
