// SPDX-License-Identifier: GPL-2.0-only
/* Test the account without a mailbox, and the sampler without an account. */
#include <linux/kernel.h>

#include "model.h"
#include "suites.h"

static struct plr_clock at(u64 ms)
{
	return (struct plr_clock){ ms * MS, (ms + 5000) * MS };
}

/* After each evidence, check the time, observed time and count of a reason. */
static void evidence_is_by_reason(struct kunit *test)
{
	static const struct {
		u64 ms, bits, mask, own, time, count;	/* of POWER */
	} steps[] = {
		{ 1000, POWER, ~0ULL, 0, 0, 0 },	/* of unknown age */
		{ 1100, POWER, POWER, 100, 100, 1 },
		{ 1200, 0, THERMAL, 100, 100, 1 },	/* not of POWER */
		{ 1900, POWER, ~0ULL, 900, 900, 1 },
		{ 2000, 0, POWER, 1000, 900, 1 },
		{ 2500, POWER, ~0ULL, 1500, 1400, 2 },
	};
	struct plr_account *account = &model_new(test)->core[0].account;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		struct plr_clock clock = at(steps[i].ms);

		plr_account_add(account, &clock, steps[i].bits, steps[i].mask);
		KUNIT_EXPECT_EQ(test, account->own_ns[2], steps[i].own * MS);
		KUNIT_EXPECT_EQ(test, account->time_ns[2], steps[i].time * MS);
		KUNIT_EXPECT_EQ(test, account->count[2], steps[i].count);
	}
	KUNIT_EXPECT_EQ(test, account->since_ns[2], (2000 + 5000) * MS);
}

/* No evidence: a bit that was not cleared, or that the die level showed. */
static void evidence_is_of_cleared_bits(struct kunit *test)
{
	struct plr_account *account = &model_new(test)->core[0].account;
	const u64 all = plr_gate_reasons(PLR_COARSE_MASK);
	struct plr_clock clock = at(1000);

	plr_account_read(account, &clock, 0, true);
	clock = at(1100);
	plr_account_read(account, &clock, POWER | FREQUENCY, false);
	clock = at(1150);
	plr_account_unread(account, &clock, all, 0);
	KUNIT_EXPECT_EQ(test, account->active, POWER | FREQUENCY);
	clock = at(1200);
	plr_account_read(account, &clock, POWER, true);
	KUNIT_EXPECT_EQ(test, account->own_ns[2], 100 * MS);
	KUNIT_EXPECT_EQ(test, account->own_ns[3], 200 * MS);
	clock = at(1300);
	plr_account_unread(account, &clock, all, THERMAL);
	KUNIT_EXPECT_EQ(test, account->own_ns[2], 200 * MS);
	KUNIT_EXPECT_EQ(test, account->own_ns[3], 200 * MS);
	KUNIT_EXPECT_EQ(test, account->own_ns[55], 200 * MS);
	KUNIT_EXPECT_EQ(test, account->active & POWER, 0);
	/* A fine reason that the die level cannot show waits for a read. */
	KUNIT_EXPECT_EQ(test, account->own_ns[model_unnamed_fine(test)], 200 * MS);
	/* After the limit THERMAL is unknown. POWER is known: the die lacked it. */
	plr_account_observe(account, &clock);
	clock = at(2300);
	plr_account_check(account, &clock, plr_gate_reasons(THERMAL), 1000 * MS);
	KUNIT_EXPECT_NE(test, account->from_ns[3], 0);
	clock = at(2301);
	plr_account_check(account, &clock, plr_gate_reasons(THERMAL), 1000 * MS);
	KUNIT_EXPECT_FALSE(test, account->active_valid);
	KUNIT_EXPECT_EQ(test, account->from_ns[3], 0);
	KUNIT_EXPECT_NE(test, account->from_ns[2], 0);
}

static void sample(struct model *model, u64 ms, u64 shown)
{
	struct plr_sampler *sampler = &model->monitor.sampler;

	plr_sampler_mark(sampler, ms * MS, shown, false);
	plr_sampler_read(sampler);
	plr_sampler_end(sampler, shown);
}

/* The module tried longest ago is next, even if that try failed. */
static void oldest_try_is_next(struct kunit *test)
{
	struct model *model = model_new_die(test, 4);
	struct plr_sampler *sampler = &model->monitor.sampler;
	unsigned int i;

	sampler->gate = POWER;
	sample(model, 1000, 0);
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_TRUE(test, model->core[i].is_read);
	/* One access is left in each poll; module 1 does not respond. */
	for (i = 0; i < 8; i++) {
		model->mailbox.due_ns = model_now() + (PLR_BURST - 12) * PLR_EACH_NS;
		model->stuck = i % 4 == 1;
		sample(model, 1100 + i, POWER);
		KUNIT_EXPECT_EQ(test, model->core[i % 4].tried_ns, (1100 + i) * MS);
		KUNIT_EXPECT_EQ(test, model->core[i % 4].is_read, i % 4 != 1);
		model->stuck = false;
		model->busy_until_ns = 0;
		model->interface = 0;
	}
	KUNIT_EXPECT_EQ(test, sampler->round_ns, 1104 * MS);
}

/* A module is due until read in a poll whose die has no reason of the gate. */
static void due_until_read_in_quiet(struct kunit *test)
{
	struct model *model = model_new_die(test, 4);
	struct plr_sampler *sampler = &model->monitor.sampler;

	sampler->gate = POWER;
	sample(model, 1000, 0);
	sample(model, 1100, POWER);
	KUNIT_EXPECT_TRUE(test, model->core[2].is_read);
	sample(model, 1200, 0);
	KUNIT_EXPECT_TRUE(test, model->core[2].is_read);
	sample(model, 1300, FREQUENCY);
	KUNIT_EXPECT_FALSE(test, model->core[2].is_read);
	sample(model, 1500, 0);
	KUNIT_EXPECT_TRUE(test, model->core[2].is_read);	/* a scan */
}

static struct kunit_case plr_rooms_cases[] = {
	/* contract: time */
	KUNIT_CASE(evidence_is_by_reason),
	KUNIT_CASE(evidence_is_of_cleared_bits),
	/* contract: gate */
	KUNIT_CASE(oldest_try_is_next),
	/* contract: gate-others */
	KUNIT_CASE(due_until_read_in_quiet),
	{}
};

struct kunit_suite plr_rooms_suite = {
	.name = "plr_rooms",
	.test_cases = plr_rooms_cases,
};
