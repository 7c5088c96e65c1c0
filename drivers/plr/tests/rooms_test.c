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
	struct plr_clock clock = at(1000);

	plr_account_read(account, &clock, 0, true);
	clock = at(1100);
	plr_account_read(account, &clock, POWER | FREQUENCY, false);
	clock = at(1150);
	plr_account_unread(account, &clock, 0);
	KUNIT_EXPECT_EQ(test, account->active, POWER | FREQUENCY);
	clock = at(1200);
	plr_account_read(account, &clock, POWER, true);
	KUNIT_EXPECT_EQ(test, account->own_ns[2], 100 * MS);
	KUNIT_EXPECT_EQ(test, account->own_ns[3], 200 * MS);
	clock = at(1300);
	plr_account_unread(account, &clock, THERMAL);
	KUNIT_EXPECT_EQ(test, account->own_ns[2], 200 * MS);
	KUNIT_EXPECT_EQ(test, account->own_ns[3], 200 * MS);
	KUNIT_EXPECT_EQ(test, account->own_ns[55], 200 * MS);
	KUNIT_EXPECT_EQ(test, account->active & POWER, 0);
	/* A fine reason that the die level cannot show waits for a read. */
	KUNIT_EXPECT_EQ(test, account->own_ns[model_unnamed_fine(test)], 200 * MS);
	/* After the limit THERMAL is unknown. POWER is known: the die lacked it. */
	plr_account_check(account, &clock, 0, 0);
	clock = at(2300);
	plr_account_check(account, &clock, plr_gate_reasons(THERMAL), 1000 * MS);
	KUNIT_EXPECT_NE(test, account->from_ns[3], 0);
	clock = at(2301);
	plr_account_check(account, &clock, plr_gate_reasons(THERMAL), 1000 * MS);
	KUNIT_EXPECT_FALSE(test, account->active_valid);
	KUNIT_EXPECT_EQ(test, account->from_ns[3], 0);
	KUNIT_EXPECT_NE(test, account->from_ns[2], 0);
}

static void make_known(struct model *model)
{
	unsigned int i;

	for (i = 0; i < model->modules; i++)
		model->core[i].account.active_valid = true;
}

/* Poll at @ms, at intervals of 100 ms, while the die shows @shown. */
static void sample(struct model *model, u64 ms, u64 shown)
{
	struct plr_sampler *sampler = &model->monitor.sampler;

	sampler->clock = at(ms);
	plr_sampler_mark(sampler, shown, 100 * MS);
	plr_sampler_read(sampler);
}

static bool is_read(struct model *model, unsigned int module)
{
	return model->core[module].read_ns == model->monitor.sampler.clock.now_ns;
}

/* The module tried longest ago is next, even if that try failed. */
static void oldest_try_is_next(struct kunit *test)
{
	struct model *model = model_new_die(test, 4);
	struct plr_sampler *sampler = &model->monitor.sampler;
	unsigned int i;

	sampler->open = POWER;
	sample(model, 1000, 0);
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_TRUE(test, is_read(model, i));
	/* One access is left in each poll; module 1 does not respond. */
	for (i = 0; i < 8; i++) {
		model->mailbox.due_ns = model_now() + (PLR_BURST - 12) * PLR_EACH_NS;
		model->stuck = i % 4 == 1;
		sample(model, 1100 + i * 20, POWER);
		KUNIT_EXPECT_EQ(test, model->core[i % 4].tried_ns, (1100 + i * 20) * MS);
		KUNIT_EXPECT_EQ(test, is_read(model, i % 4), i % 4 != 1);
		model->stuck = false;
		model->busy_until_ns = 0;
		model->interface = 0;
	}
	KUNIT_EXPECT_EQ(test, plr_sampler_round(sampler), 1180 * MS);
}

/* A module is due for a reason of the die, of its last read, or of a scan. */
static void due_while_a_reason_may_last(struct kunit *test)
{
	struct model *model = model_new_die(test, 4);
	struct plr_sampler *sampler = &model->monitor.sampler;

	sampler->open = POWER;
	sample(model, 1000, 0);
	make_known(model);
	model->log[2] = POWER;
	sample(model, 1100, POWER);
	KUNIT_EXPECT_TRUE(test, is_read(model, 1));
	KUNIT_EXPECT_TRUE(test, is_read(model, 2));
	/* The die is quiet, but the end of the module's reason was not seen yet. */
	sample(model, 1200, 0);
	KUNIT_EXPECT_FALSE(test, is_read(model, 1));
	KUNIT_EXPECT_TRUE(test, is_read(model, 2));
	sample(model, 1300, FREQUENCY);
	KUNIT_EXPECT_FALSE(test, is_read(model, 2));
	sample(model, 1500, 0);
	KUNIT_EXPECT_TRUE(test, is_read(model, 2));	/* a scan */
}

/* Polls between two intervals, as while behind, read a module for a reason once. */
static void due_once_an_interval(struct kunit *test)
{
	static const struct {
		u64 period_ms, after_ms;
		bool is_due;
	} rows[] = {
		{ 100, 49, false }, { 100, 50, true }, { 10, 4, false }, { 10, 5, true },
		{ 10000, 9949, false }, { 10000, 9950, true },
	};
	struct plr_sampler *sampler;
	struct model *model;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		model = model_new_die(test, 4);
		make_known(model);
		sampler = &model->monitor.sampler;
		sampler->open = POWER;
		sampler->scan_ns = 1;
		sampler->clock = at(1000);
		plr_sampler_mark(sampler, POWER, rows[i].period_ms * MS);
		plr_sampler_read(sampler);
		sampler->clock = at(1000 + rows[i].after_ms);
		plr_sampler_mark(sampler, POWER, rows[i].period_ms * MS);
		KUNIT_EXPECT_EQ(test, model->core[1].due, rows[i].is_due);
	}
	/* A module of unknown state does not wait. */
	model->core[2].account.active_valid = false;
	sampler->clock = at(6000);
	plr_sampler_mark(sampler, POWER, 10000 * MS);
	KUNIT_EXPECT_FALSE(test, model->core[1].due);
	KUNIT_EXPECT_TRUE(test, model->core[2].due);
	/* A longer interval begins after a read, a shorter one at once. */
	model = model_new_die(test, 4);
	make_known(model);
	sampler = &model->monitor.sampler;
	sampler->open = POWER;
	sample(model, 1000, POWER);
	sampler->clock = at(1060);
	plr_sampler_mark(sampler, POWER, 10000 * MS);
	KUNIT_EXPECT_TRUE(test, model->core[1].due);
	plr_sampler_read(sampler);
	sampler->clock = at(1200);
	plr_sampler_mark(sampler, POWER, 10000 * MS);
	KUNIT_EXPECT_FALSE(test, model->core[1].due);
	sample(model, 1300, POWER);
	KUNIT_EXPECT_TRUE(test, is_read(model, 1));
}

static struct kunit_case plr_rooms_cases[] = {
	/* contract: time */
	KUNIT_CASE(evidence_is_by_reason),
	KUNIT_CASE(evidence_is_of_cleared_bits),
	/* contract: gate */
	KUNIT_CASE(oldest_try_is_next),
	/* contract: gate-others */
	KUNIT_CASE(due_while_a_reason_may_last),
	KUNIT_CASE(due_once_an_interval),
	{}
};

struct kunit_suite plr_rooms_suite = {
	.name = "plr_rooms",
	.test_cases = plr_rooms_cases,
};
