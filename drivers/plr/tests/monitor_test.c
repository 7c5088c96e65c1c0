// SPDX-License-Identifier: GPL-2.0-only
/* Test polls that fail or have nothing to do, and polls beside other agents. */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "model.h"
#include "suites.h"

static void poll_for(struct model *model, unsigned int polls)
{
	while (polls--)
		KUNIT_EXPECT_EQ(model->test, model_poll(model, 100 * MS), 0);
}

static void idle_poll_is_one_access(struct kunit *test)
{
	struct model_limit limit = { 0, THERMAL };
	struct model *model = model_new(test);

	model_prime(model);
	model->accesses = 0;
	poll_for(model, 50);
	KUNIT_EXPECT_EQ(test, model->accesses, 50);
	KUNIT_EXPECT_EQ(test, model->record.account.time_ns[PLR_OBSERVED], 69 * 100 * MS);
	KUNIT_EXPECT_EQ(test, model->core[9].account.time_ns[PLR_OBSERVED], 69 * 100 * MS);
	KUNIT_EXPECT_EQ(test, model->core[9].account.count[PLR_OBSERVED], 69);
	/* A limit that comes and goes while a scan clears modules is of the next poll. */
	model->latency_ns = MS / 2;
	model_pass(model, 10000 * MS);
	model->log[1] = FREQUENCY;
	limit.from_ns = model_now() + 10 * MS;
	limit.to_ns = limit.from_ns + 2 * MS;
	model->limits = &limit;
	model->limit_count = 1;
	poll_for(model, 3);
	KUNIT_EXPECT_EQ(test, model->record.account.time_ns[3], 100 * MS);
}

/* FREQUENCY outside the gate costs no further access and no write. */
static void loaded_poll_is_one_access(struct kunit *test)
{
	struct model *model = model_new(test);

	model->force[3] = FREQUENCY;
	model_prime(model);
	model->accesses = 0;
	poll_for(model, 50);
	KUNIT_EXPECT_EQ(test, model->accesses, 50);
	KUNIT_EXPECT_EQ(test, model->record.account.active, FREQUENCY);
}

static void gated_reasons_alone_cause_commands(struct kunit *test)
{
	struct model *model = model_new(test);

	model->monitor.gate = FREQUENCY;
	model_prime(model);
	model->force[3] = THERMAL;
	model->commands = 0;
	poll_for(model, 5);
	KUNIT_EXPECT_EQ(test, model->commands, 0);
	model->force[3] = FREQUENCY;
	poll_for(model, 1);
	KUNIT_EXPECT_EQ(test, model->core[3].account.active & FREQUENCY, FREQUENCY);
}

/* A reason outside the gate is logged, but not cleared before the next scan. */
static void reason_outside_the_gate_is_left(struct kunit *test)
{
	struct model *model = model_new(test);

	model_prime(model);
	model->force[17] = POWER;
	poll_for(model, 1);
	model->log[9] = FREQUENCY;
	poll_for(model, 10);
	KUNIT_EXPECT_EQ(test, model->core[9].log, FREQUENCY);
	KUNIT_EXPECT_EQ(test, model->log[9], FREQUENCY);
	poll_for(model, 110);
	KUNIT_EXPECT_EQ(test, model->log[9], 0);
}

static void scan_finds_reasons_not_in_the_die(struct kunit *test)
{
	struct model *model = model_new(test);
	unsigned int polls;

	model_prime(model);
	model->log[5] = POWER | THERMAL;
	poll_for(model, 70);
	KUNIT_EXPECT_EQ(test, model->core[5].log, 0);
	for (polls = 0; polls < 35 && !model->core[5].log; polls++)
		poll_for(model, 1);
	KUNIT_EXPECT_EQ(test, model->core[5].log, POWER | THERMAL);
	KUNIT_EXPECT_EQ(test, model->core[5].account.active, POWER | THERMAL);
	poll_for(model, 1);
	KUNIT_EXPECT_EQ(test, model->core[5].account.time_ns[2], 100 * MS);
	KUNIT_EXPECT_EQ(test, model->core[5].account.time_ns[3], 100 * MS);
	KUNIT_EXPECT_EQ(test, model->core[5].account.active, 0);
	KUNIT_EXPECT_EQ(test, model->record.log, POWER | THERMAL);
	KUNIT_EXPECT_GE(test, model->record.account.time_ns[2], 100 * MS);
}

static void spell_has_begin_and_end(struct kunit *test)
{
	struct model *model = model_new(test);
	struct plr_record *core = &model->core[2];
	u64 begin, since;

	model_prime(model);
	begin = model_now() + 5000 * MS;
	since = core->account.since_ns[PLR_OBSERVED];
	KUNIT_EXPECT_GT(test, since, begin - 2000 * MS);
	KUNIT_EXPECT_LE(test, since, begin);
	model->force[2] = THERMAL;
	poll_for(model, 1);
	KUNIT_EXPECT_EQ(test, core->account.active, THERMAL);
	poll_for(model, 9);
	KUNIT_EXPECT_EQ(test, core->account.since_ns[3], begin);
	KUNIT_EXPECT_EQ(test, core->account.time_ns[3], 1000 * MS);
	KUNIT_EXPECT_EQ(test, model->record.account.time_ns[3], 1000 * MS);
	model->force[2] = 0;
	poll_for(model, 1);
	KUNIT_EXPECT_EQ(test, core->account.active, 0);
	KUNIT_EXPECT_EQ(test, core->account.since_ns[3], 0);
	KUNIT_EXPECT_EQ(test, core->account.last_ns[3], begin + 1000 * MS);
	KUNIT_EXPECT_EQ(test, core->account.last_ns[PLR_OBSERVED], begin + 1100 * MS);
	KUNIT_EXPECT_EQ(test, core->log, THERMAL);
	KUNIT_EXPECT_EQ(test, core->account.since_ns[PLR_OBSERVED], since);
}

/*
 * Nothing clears the mesh, so its reason stays in a die level that is computed or
 * latches: its age is known where the die collects only. With a bit of the boot in
 * a module the first scan shows which it is.
 */
static void age_of_a_reason_of_the_die_alone(struct kunit *test)
{
	static const struct {
		enum model_die kind;
		bool is_booted, is_old;	/* bits of modules, of the mesh at the boot */
		u64 most, least;	/* ms of 20 s; the mesh has 5 s of them */
	} rows[] = {
		{ MODEL_COLLECTS, true, false, 5100, 5000 },
		{ MODEL_COLLECTS, false, false, 200, 100 },
		{ MODEL_COMPUTED, true, false, 200, 100 },
		{ MODEL_LATCHES, true, false, 200, 100 },
		{ MODEL_LATCHES, false, false, 200, 100 },
		{ MODEL_COMPUTED, true, true, 0, 0 },
		{ MODEL_LATCHES, false, true, 0, 0 },
	};
	struct model_limit limit = { MODEL_MOST + 1, POWER };
	struct plr_account *die;
	struct model *model;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		model = model_new(test);
		die = &model->record.account;
		model->kind = rows[i].kind;
		model->latency_ns = MS / 10;
		model->log[7] = rows[i].is_booted ? FREQUENCY : 0;
		model->mesh = rows[i].is_old ? POWER : 0;
		model_prime(model);
		KUNIT_EXPECT_EQ(test, model->monitor.sampler.collects,
				rows[i].kind == MODEL_COLLECTS && rows[i].is_booted);
		limit.from_ns = model_now() + MS;
		limit.to_ns = limit.from_ns + 5000 * MS;
		model->limits = &limit;
		model->limit_count = 1;
		poll_for(model, 30);
		/* Without such a die the mesh latches what it has had. */
		if (rows[i].kind != MODEL_COLLECTS)
			model->mesh = POWER;
		poll_for(model, 170);
		KUNIT_EXPECT_LE(test, die->time_ns[2], rows[i].most * MS);
		KUNIT_EXPECT_GE(test, die->time_ns[2], rows[i].least * MS);
		KUNIT_EXPECT_LE(test, die->own_ns[2], 22000 * MS);
		KUNIT_EXPECT_EQ(test, die->active, 0);
		KUNIT_EXPECT_EQ(test, die->count[2], !!rows[i].least);
		/* Once the die was seen without it, the reason counts again. */
		model->mesh = 0;
		model->die = 0;
		poll_for(model, 5);
		limit.from_ns = model_now() + MS;
		limit.to_ns = limit.from_ns + 150 * MS;
		poll_for(model, 3);
		KUNIT_EXPECT_EQ_MSG(test, die->count[2], !!rows[i].least + 1, "row %u", i);
	}
}

/* A reason of the die alone stays in the gate for three polls, even of 5 s each. */
static void reason_of_the_die_alone_takes_three_polls(struct kunit *test)
{
	struct model *model = model_new(test);
	struct plr_sampler *sampler = &model->monitor.sampler;
	unsigned int poll;

	model_prime(model);
	model->mesh = POWER;
	for (poll = 1; poll <= 3; poll++) {
		KUNIT_EXPECT_EQ(test, model_poll(model, 5000 * MS), 0);
		KUNIT_EXPECT_EQ(test, sampler->die_only & POWER, 0);
	}
	KUNIT_EXPECT_EQ(test, model_poll(model, 5000 * MS), 0);
	KUNIT_EXPECT_EQ(test, sampler->die_only & POWER, POWER);
	/* A new request for it waits until all modules are read. */
	model->monitor.requested = POWER;
	model->mailbox.due_ns = model_now() + PLR_BURST * PLR_EACH_NS;
	poll_for(model, 1);
	KUNIT_EXPECT_EQ(test, model->monitor.ready & POWER, 0);
}

#define PAGE		4096

/* Count the lines of a file; each must be complete, with six words. */
static unsigned int lines_of(struct kunit *test, const char *text, size_t len)
{
	unsigned int lines = 0, words = 1;

	KUNIT_EXPECT_EQ(test, strlen(text), len);
	for (; *text; text++) {
		words += *text == ' ';
		if (*text != '\n')
			continue;
		KUNIT_EXPECT_EQ(test, words, 6);
		words = 1;
		lines++;
	}
	KUNIT_EXPECT_EQ(test, words, 1);

	return lines;
}

static unsigned int named_reasons(void)
{
	unsigned int bit, named = 0;

	for (bit = 0; bit < PLR_REASON_BITS; bit++)
		named += plr_reason_coarse(bit) >= 0;
	return named;
}

static void file_has_six_columns(struct kunit *test)
{
	struct plr_account *account = &model_new(test)->core[0].account;
	char *text = kunit_kzalloc(test, PAGE, GFP_KERNEL);
	size_t len;

	KUNIT_ASSERT_NOT_NULL(test, text);
	len = plr_account_format(account, PLR_REASON_BITS, text, PAGE);
	KUNIT_EXPECT_EQ(test, lines_of(test, text, len), 1 + named_reasons());
	KUNIT_EXPECT_NOT_NULL(test, strstr(text, "\nFREQUENCY 0 - - 0 0\n"));
	account->time_ns[PLR_OBSERVED] = 20000 * MS;
	account->own_ns[PLR_OBSERVED] = 20000 * MS;
	account->last_ns[PLR_OBSERVED] = 96400 * MS;
	account->since_ns[PLR_OBSERVED] = 76000 * MS;
	account->count[PLR_OBSERVED] = 190;
	account->time_ns[2] = 15300 * MS + 999999;
	account->last_ns[2] = 96300 * MS;
	account->since_ns[2] = 81000 * MS;
	account->count[2] = 2;
	account->own_ns[2] = 15400 * MS;
	len = plr_account_format(account, PLR_COARSE_BITS, text, PAGE);
	KUNIT_EXPECT_EQ(test, lines_of(test, text, len), 11);
	KUNIT_EXPECT_EQ(test, strncmp(text, "observed 20000 96400 76000 190 20000\n", 37), 0);
	KUNIT_EXPECT_NOT_NULL(test, strstr(text, "\nPOWER 15300 96300 81000 2 15400\n"));
}

/* Lines of all named reasons fit if numbers have 12 digits; no line is cut. */
static void file_fits_a_page(struct kunit *test)
{
	static const struct {
		unsigned int family, model;
	} cpus[] = { { 6, 0xad }, { 19, 1 }, { 6, 0xcc } };
	const u64 most = 999999999999ULL;	/* milliseconds, 31 years */
	struct plr_account *account = &model_new(test)->core[0].account;
	char *text = kunit_kzalloc(test, PAGE, GFP_KERNEL);
	unsigned int bit, i, lines;
	size_t len;

	KUNIT_ASSERT_NOT_NULL(test, text);
	for (bit = 0; bit <= PLR_OBSERVED; bit++) {
		account->time_ns[bit] = most * MS;
		account->own_ns[bit] = most * MS;
		account->last_ns[bit] = most * MS;
		account->since_ns[bit] = most * MS;
		account->count[bit] = most;
	}
	for (i = 0; i < ARRAY_SIZE(cpus); i++) {
		plr_reasons_use_cpu(cpus[i].family, cpus[i].model);
		len = plr_account_format(account, PLR_REASON_BITS, text, PAGE);
		KUNIT_EXPECT_LT(test, len, PAGE - 1);
		lines = lines_of(test, text, len);
		for (bit = 0; bit < PLR_REASON_BITS; bit++)
			if (plr_reason_coarse(bit) >= 0)
				KUNIT_EXPECT_NOT_NULL(test, strstr(text, plr_reason_name(bit)));
		/* A line has at most 96 bytes. */
		KUNIT_EXPECT_GE(test, lines, 1 + (PAGE - 1 - len > 96 ? 64 : named_reasons()));
		KUNIT_EXPECT_GE(test, lines, 45);
	}
	plr_reasons_use_cpu(6, 0xad);
}

/* If commands never end, states stay valid for two intervals and two rounds of reads. */
static void stuck_mailbox_is_not_observed(struct kunit *test)
{
	struct model *model = model_new(test);
	struct plr_account *core = &model->core[0].account;
	u64 observed;

	model_prime(model);
	model->force[0] = THERMAL;
	poll_for(model, 3);
	model->stuck = true;
	poll_for(model, 18);
	KUNIT_EXPECT_TRUE(test, core->active_valid);
	KUNIT_EXPECT_EQ(test, core->active, THERMAL);
	observed = core->time_ns[PLR_OBSERVED];
	model->commands = 0;
	poll_for(model, 10);
	KUNIT_EXPECT_FALSE(test, core->active_valid);
	KUNIT_EXPECT_EQ(test, core->since_ns[PLR_OBSERVED], 0);
	KUNIT_EXPECT_EQ(test, core->time_ns[PLR_OBSERVED], observed);
	KUNIT_EXPECT_EQ(test, model->commands, 0);
	KUNIT_EXPECT_TRUE(test, model->record.account.active_valid);
	model->stuck = false;
	observed = core->own_ns[3];
	poll_for(model, 3);
	KUNIT_EXPECT_TRUE(test, core->active_valid);
	KUNIT_EXPECT_EQ(test, core->active, THERMAL);
	KUNIT_EXPECT_GT(test, core->own_ns[3], observed);
	KUNIT_EXPECT_LE(test, core->own_ns[3], observed + 200 * MS);
	model->stuck = true;
	poll_for(model, 60);
	KUNIT_EXPECT_FALSE(test, core->active_valid);
	KUNIT_EXPECT_FALSE(test, model->core[9].account.active_valid);
	model->stuck = false;
	poll_for(model, 3);
	KUNIT_EXPECT_TRUE(test, core->active_valid);
	KUNIT_EXPECT_EQ(test, core->active, THERMAL);
}

/*
 * A module that misses a scan is unknown two intervals and two rounds later, even if
 * the die keeps POWER by itself, or a reason outside the gate was in force.
 */
static void missed_scan_is_not_known(struct kunit *test)
{
	struct plr_account *core;
	struct model *model;
	unsigned int bit;
	u64 observed;

	for (bit = 0; bit <= 2; bit += 2) {
		model = model_new(test);
		core = &model->core[3].account;
		model->mesh = bit ? POWER : 0;
		model->force[3] = bit ? 0 : FREQUENCY;
		model_prime(model);
		poll_for(model, 80);
		model->stuck = true;
		poll_for(model, 10);
		model->force[3] = bit ? POWER : 0;
		/* The next scan begins within 10 s. */
		poll_for(model, 120);
		KUNIT_EXPECT_FALSE(test, core->active_valid);
		observed = core->time_ns[PLR_OBSERVED];
		poll_for(model, 300);
		KUNIT_EXPECT_FALSE(test, core->active_valid);
		KUNIT_EXPECT_EQ(test, core->time_ns[PLR_OBSERVED], observed);
		model->stuck = false;
		poll_for(model, 130);
		KUNIT_EXPECT_TRUE(test, core->active_valid);
		KUNIT_EXPECT_EQ(test, core->active, model->force[3]);
		/* Only readings within 10 s before and after the gap count. */
		KUNIT_EXPECT_LE(test, core->time_ns[bit], 20000 * MS);
	}
}

/* While another agent keeps a module from being read, its state is unknown. */
static void module_without_answer_is_not_known(struct kunit *test)
{
	struct model *model = model_new_die(test, 4);
	struct plr_account *core = &model->core[0].account;
	u64 observed;

	model->latency_ns = MS / 2;
	model_prime(model);
	model->force[0] = POWER;
	model->agent = 1 << 12;
	poll_for(model, 10);
	KUNIT_EXPECT_FALSE(test, core->active_valid);
	observed = core->time_ns[PLR_OBSERVED];
	poll_for(model, 30);
	KUNIT_EXPECT_FALSE(test, core->active_valid);
	KUNIT_EXPECT_EQ(test, core->time_ns[PLR_OBSERVED], observed);
	KUNIT_EXPECT_TRUE(test, model->core[1].account.active_valid);
	model->agent = 0;
	poll_for(model, 14);
	KUNIT_EXPECT_TRUE(test, core->active_valid);
	KUNIT_EXPECT_EQ(test, core->active, POWER);
}

/* Bits are sticky, so the next read covers the time of late commands, too. */
static void late_poll_is_no_hole(struct kunit *test)
{
	struct model *model = model_new(test);
	struct plr_account *core = &model->core[0].account;
	u64 own;

	model_prime(model);
	own = core->own_ns[3];
	model->force[0] = THERMAL;
	model->stuck = true;
	poll_for(model, 5);
	model->stuck = false;
	poll_for(model, 1);
	KUNIT_EXPECT_EQ(test, core->own_ns[3], own + 600 * MS);
	KUNIT_EXPECT_EQ(test, core->time_ns[3], 600 * MS);
	/* The die has a reason once, even if its module is read one poll later. */
	model->force[0] = 0;
	model->log[0] = POWER;
	model->die = POWER;
	model->stuck = true;
	poll_for(model, 1);
	model->stuck = false;
	poll_for(model, 3);
	KUNIT_EXPECT_EQ(test, core->time_ns[2], 200 * MS);
	KUNIT_EXPECT_EQ(test, model->record.account.time_ns[2], 100 * MS);
}

/*
 * The die gets a new reason while the driver clears the die and modules.
 * model_poll() checks that the log has this reason.
 */
static void new_reason_during_clear_is_logged(struct kunit *test)
{
	struct model_limit limit = { MODEL_MOST, FREQUENCY };
	unsigned int phase, i;
	struct model *model;

	for (phase = 0; phase < MODEL_DIES * 32; phase++) {
		model = model_new(test);
		model->kind = phase % MODEL_DIES;
		model->latency_ns = MS / 2;
		model->force[41] = POWER;
		model->limits = &limit;
		model->limit_count = 1;
		for (i = 0; i < 80; i++) {
			if (i == 60)
				model->force[4] = THERMAL;
			limit.from_ns = model->monitor.poll_ns + 100 * MS +
					phase / MODEL_DIES * MS / 2;
			limit.to_ns = limit.from_ns + 2 * MS;
			poll_for(model, 1);
			/* A user clears the log and all registers. */
			model->record.log = 0;
			model->die = 0;
			memset(model->log, 0, sizeof(model->log));
		}
	}
}

/* States stay valid for two intervals, nominal or measured ones. */
static void states_are_valid_for_two_intervals(struct kunit *test)
{
	static const u64 periods[][2] = { { 1000, 100 }, { 100, 1000 } };
	struct model *model;
	unsigned int i;
	u64 end_ns;

	for (i = 0; i < ARRAY_SIZE(periods); i++) {
		model = model_new(test);
		model_prime(model);
		model->force[0] = THERMAL;
		poll_for(model, 3);
		model->stuck = true;
		end_ns = model_now() + 3000 * MS;
		while (model_now() < end_ns) {
			model_pass(model, periods[i][1] * MS);
			plr_monitor_poll(&model->monitor, periods[i][0] * MS);
		}
		KUNIT_EXPECT_TRUE(test, model->core[0].account.active_valid);
	}
}

/* After a late command the next poll begins with the next module. */
static void one_late_command_skips_the_rest(struct kunit *test)
{
	struct model *model = model_new(test);

	model_prime(model);
	model->force[7] = THERMAL;
	model->latency_ns = 30 * MS;
	poll_for(model, 1);
	KUNIT_EXPECT_EQ(test, model->core[7].account.time_ns[3], 0);
	model->latency_ns = 0;
	poll_for(model, 1);
	KUNIT_EXPECT_EQ(test, model->core[7].account.active, THERMAL);
	KUNIT_EXPECT_TRUE(test, model->core[6].account.active_valid);
}

static void all_ones_are_not_known(struct kunit *test)
{
	struct model *model = model_new(test);
	u64 observed;

	model->force[1] = POWER;
	model_prime(model);
	observed = model->core[1].account.time_ns[PLR_OBSERVED];
	model->ones = true;
	KUNIT_EXPECT_EQ(test, model_poll(model, 100 * MS), -EIO);
	KUNIT_EXPECT_FALSE(test, model->core[1].account.active_valid);
	KUNIT_EXPECT_FALSE(test, model->record.account.active_valid);
	KUNIT_EXPECT_EQ(test, model->core[1].account.active, 0);
	KUNIT_EXPECT_FALSE(test, model->monitor.primed);
	KUNIT_EXPECT_EQ(test, model->core[1].log, POWER);
	KUNIT_EXPECT_EQ(test, model->core[1].read_ns, 0);
	model->ones = false;
	model_prime(model);
	KUNIT_EXPECT_TRUE(test, model->core[1].account.active_valid);
	KUNIT_EXPECT_EQ(test, model->core[1].account.active, POWER);
	KUNIT_EXPECT_LE(test, model->core[1].account.time_ns[PLR_OBSERVED], observed + 1910 * MS);
}

/* A reason of the die alone ends, because the driver clears the die level. */
static void reason_of_no_module_ends(struct kunit *test)
{
	struct model *model = model_new(test);

	model->log[7] = FREQUENCY;	/* shows that the die collects */
	model_prime(model);
	model->mesh = 1 << 9;
	poll_for(model, 3);
	KUNIT_EXPECT_EQ(test, model->record.account.active, 1 << 9);
	KUNIT_EXPECT_EQ(test, model->record.account.time_ns[9], 300 * MS);
	model->mesh = 0;
	poll_for(model, 2);
	KUNIT_EXPECT_EQ(test, model->record.account.active, 0);
	KUNIT_EXPECT_EQ(test, model->record.account.time_ns[9], 300 * MS);
}

/* A reason cleared by a user before monitoring stops gets no time after a restart. */
static void cleared_reason_ends_with_monitoring(struct kunit *test)
{
	struct model *model = model_new(test);

	model_prime(model);
	/* Between two polls it gets the time of one interval. */
	plr_monitor_account_clear(&model->monitor, &model->core[4], THERMAL);
	poll_for(model, 3);
	KUNIT_EXPECT_EQ(test, model->core[4].account.time_ns[3], 100 * MS);
	KUNIT_EXPECT_EQ(test, model->record.account.time_ns[3], 100 * MS);
	/* Here the die has had it already, in a poll that did not read the module. */
	model->core[4].account.unread = THERMAL;
	plr_monitor_account_clear(&model->monitor, &model->core[4], THERMAL);
	poll_for(model, 3);
	KUNIT_EXPECT_EQ(test, model->record.account.time_ns[3], 100 * MS);
	KUNIT_EXPECT_EQ(test, model->record.account.count[3], 1);
	plr_monitor_account_clear(&model->monitor, &model->core[4], FREQUENCY);
	plr_monitor_stop(&model->monitor);
	poll_for(model, 5);
	model->force[4] = FREQUENCY;
	poll_for(model, 3);
	KUNIT_EXPECT_EQ(test, model->core[4].account.active, FREQUENCY);
	KUNIT_EXPECT_EQ(test, model->core[4].account.time_ns[0], 100 * MS);
}

/*
 * A user clears FREQUENCY, which the driver has left in a module, 5 s after its end.
 * Only a die computed from its modules showed it until then.
 */
static void cleared_reason_that_ended_is_not_the_dies(struct kunit *test)
{
	static const enum model_die kinds[] = { MODEL_COLLECTS, MODEL_COMPUTED };
	struct model *model;
	unsigned int i;
	u64 time_ns;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		model = model_new(test);
		model->kind = kinds[i];
		model_prime(model);
		model->force[17] = POWER;
		model->force[9] = FREQUENCY;
		poll_for(model, 10);
		model->force[17] = 0;
		model->force[9] = 0;
		poll_for(model, 50);
		KUNIT_EXPECT_EQ(test, model->log[9], FREQUENCY);
		time_ns = model->record.account.time_ns[0];
		plr_monitor_account_clear(&model->monitor, &model->core[9], FREQUENCY);
		model->log[9] = 0;
		poll_for(model, 3);
		KUNIT_EXPECT_EQ(test, model->record.account.time_ns[0] - time_ns, i * 100 * MS);
	}
}

/* An old reason that could not be cleared at first gets no time of the die. */
static void die_begins_when_modules_are_clear(struct kunit *test)
{
	struct model *model = model_new(test);

	model->kind = MODEL_COMPUTED;
	model->usurps = true;
	model->log[3] = THERMAL;
	poll_for(model, 5);
	KUNIT_EXPECT_FALSE(test, model->monitor.primed);
	model->usurps = false;
	poll_for(model, 10);
	KUNIT_EXPECT_TRUE(test, model->monitor.primed);
	KUNIT_EXPECT_EQ(test, model->record.account.time_ns[3], 0);
}

/* A reason that a failed clear has left in the module is not a new one. */
static void failed_clear_is_no_onset(struct kunit *test)
{
	struct model *model = model_new(test);

	model_prime(model);
	model->usurps = true;
	model->force[4] = THERMAL;
	model_pass(model, MODEL_LOOP_NS);
	model->force[4] = 0;
	poll_for(model, 2);
	KUNIT_EXPECT_EQ(test, model->core[4].account.active, THERMAL);
	KUNIT_EXPECT_EQ(test, model->core[4].account.count[3], 1);
}

/* After a failed read a module is read again 1 s later, even on an idle die. */
static void failed_read_is_repeated(struct kunit *test)
{
	struct model *model = model_new(test);
	u64 since_ns;

	model_prime(model);
	/* The next scan runs while another agent uses the mailbox. */
	model->agent = 7 << 12;
	model->log[4] = FREQUENCY;
	model_pass(model, 10000 * MS);
	since_ns = model_now();
	poll_for(model, 2);
	KUNIT_EXPECT_LT(test, model->core[4].read_ns, since_ns);
	model->agent = 0;
	poll_for(model, 5);
	KUNIT_EXPECT_LT(test, model->core[4].read_ns, since_ns);
	poll_for(model, 6);
	KUNIT_EXPECT_GT(test, model->core[4].read_ns, since_ns);
	/* As in the scan, reasons outside the gate are cleared, too. */
	KUNIT_EXPECT_EQ(test, model->log[4], 0);
}

/* Monitoring is primed once all modules have been read. */
static void primed_is_all_modules(struct kunit *test)
{
	unsigned int count, i, polls;
	struct model *model;
	bool all;

	for (count = MODEL_MODULES; count > MODEL_MODULES - 10; count--) {
		model = model_new(test);
		model->monitor.sampler.count = count;
		/* No command is left at first; each module needs two. */
		model->mailbox.due_ns = model_now() + PLR_BURST * PLR_EACH_NS;
		for (i = 0; i < count; i++)
			model->log[i] = THERMAL;
		for (polls = 0; polls < 12; polls++) {
			poll_for(model, 1);
			all = true;
			for (i = 0; i < count; i++)
				all &= !!model->core[i].read_ns;
			KUNIT_EXPECT_EQ(test, model->monitor.primed, all);
		}
		KUNIT_EXPECT_TRUE(test, all);
	}
	/* Reasons are ready once all modules were read with them in the gate. */
	model->monitor.gate = PLR_COARSE_MASK;
	model->mailbox.due_ns = model_now() + PLR_BURST * PLR_EACH_NS;
	poll_for(model, 1);
	KUNIT_EXPECT_EQ(test, model->monitor.ready, PLR_GATE_DEFAULT);
	poll_for(model, 10);
	KUNIT_EXPECT_EQ(test, model->monitor.ready, PLR_COARSE_MASK);
	/* If no module responds, the die begins after 1 s and two rounds. */
	model = model_new(test);
	model->stuck = true;
	poll_for(model, 28);
	KUNIT_EXPECT_FALSE(test, model->monitor.primed);
	poll_for(model, 1);
	KUNIT_EXPECT_TRUE(test, model->monitor.primed);
}

/* Poll as poll_for() does, while readers of files take all commands they get. */
static void poll_beside_readers(struct model *model, unsigned int polls)
{
	struct plr_mailbox *mailbox = &model->mailbox;
	u64 value;

	while (polls--) {
		poll_for(model, 1);
		mailbox->is_reader = true;
		mailbox->is_limited = model->monitor.sampler.behind;
		while (plr_mailbox_has_budget(mailbox))
			plr_mailbox_read(mailbox, 0, polls % MODEL_MODULES, &value);
		mailbox->is_reader = false;
	}
}

/* Check the number of commands in 30 s, and the observed time of POWER. */
static void commands_by_limits(struct kunit *test)
{
	static const struct {
		u64 all, one, mesh, requested;
		void (*poll)(struct model *model, unsigned int polls);
		unsigned int most, share;
	} rows[] = {
		{ 0, 0, 0, 0, poll_for, 129, 99 },
		{ FREQUENCY, 0, 0, 0, poll_for, 600, 99 },
		{ 0, 0, POWER, 0, poll_for, 129, 0 },
		{ 0, 0, POWER, POWER, poll_for, 600 + 129, 90 },
		{ 0, POWER, 0, 0, poll_for, 3003, 95 },
		{ POWER | FREQUENCY, 0, 0, 0, poll_for, 3003, 95 },
		{ POWER | FREQUENCY, 0, POWER, POWER, poll_beside_readers,
		  3098, 95 },
	};
	unsigned int row, i, m, commands;
	struct model *model;
	u64 own;

	for (row = 0; row < ARRAY_SIZE(rows) * MODEL_DIES; row++) {
		i = row / MODEL_DIES;
		model = model_new(test);
		model->kind = row % MODEL_DIES;
		model->latency_ns = MS / 10;
		model->mesh = rows[i].mesh;
		model->monitor.requested = rows[i].requested;
		for (m = 0; m < MODEL_MODULES; m++)
			model->force[m] = rows[i].all;
		model->force[17] |= rows[i].one;
		model_prime(model);
		rows[i].poll(model, 60);
		commands = model->commands;
		own = model->core[9].account.own_ns[2];
		rows[i].poll(model, 300);
		KUNIT_EXPECT_LE(test, model->commands - commands, rows[i].most);
		own = model->core[9].account.own_ns[2] - own;
		KUNIT_EXPECT_GE(test, own, rows[i].share * 300 * MS);
		KUNIT_EXPECT_EQ(test, model->peak, 0);
		KUNIT_EXPECT_EQ(test, model->core[9].account.time_ns[3], 0);
	}
}

/* A fine reason without a coarse one gets the whole time between reads. */
static void fine_reason_alone_keeps_its_state(struct kunit *test)
{
	const unsigned int bit = model_unnamed_fine(test);
	const u64 alone = FREQUENCY | 1ULL << bit;
	struct model *model = model_new(test);
	struct plr_account *core = &model->core[5].account;
	unsigned int i;

	for (i = 0; i < MODEL_MODULES; i++)
		model->force[i] = alone;
	model_prime(model);
	poll_for(model, 10);
	for (i = 0; i < 30; i++) {
		poll_for(model, 10);
		KUNIT_EXPECT_EQ(test, core->active, alone);
	}
	KUNIT_EXPECT_EQ(test, core->time_ns[bit], core->time_ns[0]);
	KUNIT_EXPECT_GE(test, core->time_ns[bit], 20000 * MS);
	/* If an event requests the reason, 20 modules a second are read. */
	model->monitor.requested = 1ULL << bit;
	model->monitor.gate |= 1ULL << bit;
	for (i = 0; i < MODEL_MODULES; i++)
		model->force[i] = 0;
	poll_for(model, 60);
	KUNIT_EXPECT_EQ(test, core->active, 0);
	KUNIT_EXPECT_TRUE(test, core->active_valid);
	model->commands = 0;
	poll_for(model, 100);
	KUNIT_EXPECT_LE(test, model->commands, 250);
	KUNIT_EXPECT_GE(test, model->commands, 180);
}

/* The gate opens for FREQUENCY when a BMC has lowered the turbo limit. */
static void pcs_trl_opens_the_gate(struct kunit *test)
{
	const u64 pcs_trl = FREQUENCY | 1ULL << 39;
	struct model *model = model_new(test);
	struct plr_account *core = &model->core[3].account;
	unsigned int i;
	u64 ns;

	for (i = 0; i < MODEL_MODULES; i++)
		model->force[i] = FREQUENCY | 1ULL << 34;
	model->force[3] = pcs_trl;
	model_prime(model);
	poll_for(model, 110);
	KUNIT_EXPECT_EQ(test, core->active, pcs_trl);
	ns = core->time_ns[39];
	poll_for(model, 30);
	KUNIT_EXPECT_GE(test, core->time_ns[39] - ns, 2000 * MS);
	model->force[3] = FREQUENCY;
	poll_for(model, 20);
	KUNIT_EXPECT_EQ(test, core->active, FREQUENCY);
	poll_for(model, 30);
	model->commands = 0;
	poll_for(model, 300);
	KUNIT_EXPECT_LE(test, model->commands, 600);
}

static void module_may_come_later(struct kunit *test)
{
	struct model *model = model_new(test);

	model->monitor.sampler.count--;
	model_prime(model);
	plr_sampler_add(&model->monitor.sampler, &model->core[MODEL_MODULES - 1]);
	poll_for(model, 1);
	KUNIT_EXPECT_FALSE(test, model->core[MODEL_MODULES - 1].account.active_valid);
	poll_for(model, 1);
	KUNIT_EXPECT_TRUE(test, model->core[MODEL_MODULES - 1].account.active_valid);
	plr_monitor_stop(&model->monitor);
	KUNIT_EXPECT_FALSE(test, model->core[MODEL_MODULES - 1].account.active_valid);
	KUNIT_EXPECT_FALSE(test, model->record.account.active_valid);
}

static struct kunit_case plr_monitor_cases[] = {
	/* contract: gate-others */
	KUNIT_CASE(idle_poll_is_one_access),
	KUNIT_CASE(loaded_poll_is_one_access),
	/* contract: gate */
	KUNIT_CASE(gated_reasons_alone_cause_commands),
	KUNIT_CASE(reason_outside_the_gate_is_left),
	KUNIT_CASE(scan_finds_reasons_not_in_the_die),
	KUNIT_CASE(pcs_trl_opens_the_gate),
	/* contract: commands */
	KUNIT_CASE(commands_by_limits),
	/* contract: reasons */
	KUNIT_CASE(new_reason_during_clear_is_logged),
	KUNIT_CASE(module_may_come_later),
	/* contract: errors */
	KUNIT_CASE(stuck_mailbox_is_not_observed),
	KUNIT_CASE(missed_scan_is_not_known),
	KUNIT_CASE(module_without_answer_is_not_known),
	KUNIT_CASE(late_poll_is_no_hole),
	KUNIT_CASE(one_late_command_skips_the_rest),
	KUNIT_CASE(all_ones_are_not_known),
	KUNIT_CASE(states_are_valid_for_two_intervals),
	/* contract: time */
	KUNIT_CASE(spell_has_begin_and_end),
	KUNIT_CASE(age_of_a_reason_of_the_die_alone),
	KUNIT_CASE(reason_of_the_die_alone_takes_three_polls),
	/* contract: time die */
	KUNIT_CASE(fine_reason_alone_keeps_its_state),
	/* contract: time */
	KUNIT_CASE(file_has_six_columns),
	KUNIT_CASE(file_fits_a_page),
	KUNIT_CASE(reason_of_no_module_ends),
	KUNIT_CASE(cleared_reason_ends_with_monitoring),
	KUNIT_CASE(cleared_reason_that_ended_is_not_the_dies),
	KUNIT_CASE(die_begins_when_modules_are_clear),
	KUNIT_CASE(failed_clear_is_no_onset),
	KUNIT_CASE(failed_read_is_repeated),
	KUNIT_CASE(primed_is_all_modules),
	{}
};

struct kunit_suite plr_monitor_suite = {
	.name = "plr_monitor",
	.test_cases = plr_monitor_cases,
};
