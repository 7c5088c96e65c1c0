// SPDX-License-Identifier: GPL-2.0-only
/* contract: time die */
/*
 * Account a limit of 50 ms on one module of a loaded host, for each kind of
 * hardware: times and counts of all modules and of the die.
 */
#include <linux/kernel.h>

#include "model.h"
#include "suites.h"

#define FREQUENCY	0x1ULL
#define THERMAL		0x8ULL
#define THERMAL_CORE	(THERMAL | 1ULL << 55)

struct hardware {
	enum model_die die;
	enum model_echo echo;
	u64 latency_ns;
	u64 jitter_ns;
	u64 lag_ns;
	u64 skew_ns;
};

/* All pairs of die level, echo and latency. */
static const struct hardware hardware[] = {
	{ MODEL_COLLECTS, MODEL_FULL, 0 },
	{ MODEL_COLLECTS, MODEL_NONE, MS / 10 },
	{ MODEL_COLLECTS, MODEL_ZEROED, MS / 2, 3 * MS / 4 },
	{ MODEL_COLLECTS, MODEL_STATUS, MS / 10, MS / 10 },
	{ MODEL_COMPUTED, MODEL_FULL, MS / 10 },
	{ MODEL_COMPUTED, MODEL_NONE, 0 },
	{ MODEL_COMPUTED, MODEL_ZEROED, MS / 10, MS / 10 },
	{ MODEL_COMPUTED, MODEL_STATUS, MS / 2, 3 * MS / 4 },
	{ MODEL_LATCHES, MODEL_FULL, MS / 2, 3 * MS / 4 },
	{ MODEL_LATCHES, MODEL_NONE, MS / 10, MS / 10 },
	{ MODEL_LATCHES, MODEL_ZEROED, 0 },
	{ MODEL_LATCHES, MODEL_STATUS, MS / 10 },
	/* The die level follows the modules each 10 ms; modules follow the die. */
	{ MODEL_COLLECTS, MODEL_FULL, MS / 10, 0, 10 * MS },
	{ MODEL_LATCHES, MODEL_FULL, MS / 10, 0, 10 * MS },
	{ MODEL_COLLECTS, MODEL_FULL, MS / 10, 0, 0, 10 * MS },
	{ MODEL_COMPUTED, MODEL_FULL, MS / 10, 0, 10 * MS },
};

static void describe(const struct hardware *h, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE,
		 "die %d, echo %d, %d us, lag %d us, skew %d us", h->die,
		 h->echo, (int)(h->latency_ns / 1000), (int)(h->lag_ns / 1000),
		 (int)(h->skew_ns / 1000));
}

KUNIT_ARRAY_PARAM(hardware, hardware, describe);

static struct model *model_of(struct kunit *test)
{
	const struct hardware *h = test->param_value;
	struct model *model = model_new(test);

	model->kind = h->die;
	model->echo = h->echo;
	model->latency_ns = h->latency_ns;
	model->jitter_ns = h->jitter_ns;
	model->lag_ns = h->lag_ns;
	model->skew_ns = h->skew_ns;

	return model;
}

/* Time of a reason on all modules but one. */
static u64 time_elsewhere(const struct model *model, unsigned int module,
			  unsigned int bit)
{
	unsigned int i;
	u64 ns = 0;

	for (i = 0; i < MODEL_MODULES; i++)
		if (i != module)
			ns += model->core[i].account.time_ns[bit];

	return ns;
}

static void poll_for(struct model *model, unsigned int polls)
{
	while (polls--)
		KUNIT_EXPECT_EQ(model->test, model_poll(model, 100 * MS), 0);
}

/* Run one pulse @phase_ns after a poll. Returns the time accounted. */
static u64 pulse(struct model *model, unsigned int module, u64 phase_ns)
{
	u64 before = model->core[module].account.time_ns[55];

	model_pass(model, phase_ns);
	model->force[module] |= THERMAL_CORE;
	model_pass(model, 50 * MS);
	model->force[module] &= ~THERMAL_CORE;
	poll_for(model, 25);

	return model->core[module].account.time_ns[55] - before;
}

/* A round of reads of a loaded die takes a second at most, at either end. */
static void pulse_is_counted_once(struct kunit *test)
{
	struct model *model = model_of(test);
	unsigned int i;
	u64 ns;

	for (i = 0; i < MODEL_MODULES; i++)
		model->force[i] = FREQUENCY;
	model_prime(model);
	for (i = 0; i < 20; i++) {
		ns = pulse(model, i * 2, i * 5 * MS);
		KUNIT_EXPECT_GE(test, ns, 90 * MS);
		KUNIT_EXPECT_LE(test, ns, 1000 * MS);
		KUNIT_EXPECT_EQ(test, model->core[i * 2].account.active & THERMAL, 0);
		KUNIT_EXPECT_EQ(test, model->record.account.active & THERMAL, 0);
		KUNIT_EXPECT_TRUE(test, model->core[i * 2].log & THERMAL);
		KUNIT_EXPECT_EQ(test, model->core[i * 2].account.count[55], 1);
		KUNIT_EXPECT_EQ(test, model->record.account.count[3], i + 1);
	}
	KUNIT_EXPECT_EQ(test, model->core[1].account.time_ns[3], 0);
	KUNIT_EXPECT_EQ(test, model->core[41].account.last_ns[55], 0);
	KUNIT_EXPECT_EQ(test, model->peak, 0);
}

/* Return the latest last_ns of POWER of all modules. */
static u64 last_power(const struct model *model)
{
	u64 last_ns = 0;
	unsigned int i;

	for (i = 0; i < MODEL_MODULES; i++)
		last_ns = max(last_ns, model->core[i].account.last_ns[2]);

	return last_ns;
}

/*
 * A limit of all modules ends at any moment of a poll: no module shows the limit
 * for longer than the wait for a read. A bit left in a module is found soon, not
 * by the next scan.
 */
static void limit_of_all_modules_ends(struct kunit *test)
{
	struct model *model = model_of(test);
	unsigned int i, episode;

	for (i = 0; i < MODEL_MODULES; i++)
		model->force[i] = FREQUENCY;
	model_prime(model);
	model->all = 4;
	for (episode = 0; episode < 40; episode++) {
		/* A poll of 43 modules takes from 9 to 90 ms. */
		model->from_ns = model_now();
		model->to_ns = model_now() + (episode % 4) * 100 * MS + 90 * MS +
			       episode * MS;
		poll_for(model, 150);
		/* CLOCK_BOOTTIME is 5 s ahead. */
		KUNIT_EXPECT_GE(test, last_power(model), model->from_ns + 5000 * MS);
		KUNIT_EXPECT_LE(test, last_power(model), model->to_ns + 6700 * MS);
		for (i = 0; i < MODEL_MODULES; i++)
			KUNIT_EXPECT_EQ(test, model->core[i].account.active, FREQUENCY);
	}
	KUNIT_EXPECT_EQ(test, model->peak, 0);
}

/* Likewise a limit that begins and ends during a scan. */
static void limit_within_a_scan(struct kunit *test)
{
	struct model *model = model_of(test);
	struct plr_monitor *monitor = &model->monitor;
	unsigned int i, ms;
	u64 scan_ns;

	for (i = 0; i < MODEL_MODULES; i++)
		model->force[i] = FREQUENCY;
	model_prime(model);
	model->all = 4;
	for (ms = 1; ms < 40; ms += 2) {
		scan_ns = monitor->sampler.scan_ns + monitor->sampler.until_scan_ns;
		while (monitor->poll_ns + 100 * MS < scan_ns)
			poll_for(model, 1);
		model->from_ns = monitor->poll_ns + 100 * MS + ms * MS;
		model->to_ns = model->from_ns + 2 * MODEL_LOOP_NS;
		poll_for(model, 150);
		KUNIT_EXPECT_LE(test, last_power(model), model->to_ns + 6700 * MS);
		for (i = 0; i < MODEL_MODULES; i++)
			KUNIT_EXPECT_EQ(test, model->core[i].account.active, FREQUENCY);
	}
}

static void latched_since_boot_counts_for_nothing(struct kunit *test)
{
	struct model *model = model_of(test);
	unsigned int i;

	for (i = 0; i < MODEL_MODULES; i++)
		model->log[i] = THERMAL_CORE;
	model->die = THERMAL;
	model_prime(model);
	poll_for(model, 10);
	for (i = 0; i < MODEL_MODULES; i++) {
		KUNIT_EXPECT_TRUE(test, model->core[i].account.active_valid);
		KUNIT_EXPECT_EQ(test, model->core[i].account.active, 0);
		KUNIT_EXPECT_EQ(test, model->core[i].account.time_ns[3], 0);
		KUNIT_EXPECT_EQ(test, model->core[i].log, THERMAL_CORE);
	}
	KUNIT_EXPECT_EQ(test, model->record.account.time_ns[3], 0);
	KUNIT_EXPECT_EQ(test, model->record.account.active, 0);
	KUNIT_EXPECT_EQ(test, model->record.log, THERMAL);
}

static void frequency_alone_costs_little(struct kunit *test)
{
	struct model *model = model_of(test);
	unsigned int i, commands;

	for (i = 0; i < MODEL_MODULES; i++)
		model->force[i] = FREQUENCY | 1ULL << 34;
	model_prime(model);
	commands = model->commands;
	poll_for(model, 300);
	KUNIT_EXPECT_LE(test, model->commands - commands, 600);
	for (i = 0; i < MODEL_MODULES; i++) {
		KUNIT_EXPECT_TRUE(test, model->core[i].account.active_valid);
		KUNIT_EXPECT_EQ(test, model->core[i].account.active, model->force[i]);
		KUNIT_EXPECT_GE(test, model->core[i].account.time_ns[0], 20000 * MS);
		KUNIT_EXPECT_LE(test, model->core[i].account.time_ns[0],
				model->core[i].account.observed_ns);
		KUNIT_EXPECT_GE(test, model->core[i].account.observed_ns, 29000 * MS);
	}
}

/*
 * An event of FREQUENCY is exact like any other: once ready, time before the
 * event is not accounted, a second counts as a second, and the end is seen.
 */
static void frequency_counts_when_requested(struct kunit *test)
{
	struct model *model = model_of(test);
	struct plr_monitor *monitor = &model->monitor;
	u64 before[MODEL_MODULES], observed[MODEL_MODULES], ns, most;
	unsigned int i, polls, seconds;

	for (i = 0; i < MODEL_MODULES; i++)
		model->force[i] = FREQUENCY | 1ULL << 34;
	model_prime(model);
	poll_for(model, 70);
	KUNIT_EXPECT_FALSE(test, monitor->ready & FREQUENCY);
	monitor->gate |= FREQUENCY;
	/* The rate limit does not permit a read of all modules at once. */
	model->mailbox.due_ns = model_now() + PLR_BURST * PLR_EACH_NS;
	ns = model_now();
	for (polls = 0; !(monitor->ready & FREQUENCY) && polls < 20; polls++)
		poll_for(model, 1);
	KUNIT_EXPECT_LE(test, polls, 12);
	for (i = 0; i < MODEL_MODULES; i++)
		KUNIT_EXPECT_GE(test, model->core[i].read_ns, ns);
	for (seconds = 0; seconds < 5; seconds++) {
		for (i = 0; i < MODEL_MODULES; i++) {
			before[i] = model->core[i].account.time_ns[0];
			observed[i] = model->core[i].account.observed_ns;
		}
		poll_for(model, 10);
		for (i = 0; i < MODEL_MODULES; i++) {
			ns = model->core[i].account.time_ns[0] - before[i];
			most = model->core[i].account.observed_ns - observed[i];
			KUNIT_EXPECT_EQ(test, ns, most);
			KUNIT_EXPECT_LE(test, ns, 2000 * MS);
		}
	}
	for (i = 0; i < MODEL_MODULES; i++)
		model->force[i] = 0;
	poll_for(model, 15);
	for (i = 0; i < MODEL_MODULES; i++)
		KUNIT_EXPECT_EQ(test, model->core[i].account.active, 0);
	KUNIT_EXPECT_EQ(test, model->record.account.active, 0);
	KUNIT_EXPECT_EQ(test, model->peak, 0);
	/* The event is closed. */
	for (i = 0; i < MODEL_MODULES; i++)
		model->force[i] = FREQUENCY;
	monitor->gate = PLR_GATE_DEFAULT;
	poll_for(model, 1);
	model->commands = 0;
	poll_for(model, 300);
	KUNIT_EXPECT_LE(test, model->commands, 600);
}

/* A BMC has lowered the turbo limit: the gate opens after the next scan. */
static void pcs_trl_opens_the_gate(struct kunit *test)
{
	const u64 pcs_trl = FREQUENCY | 1ULL << 39;
	struct model *model = model_of(test);
	unsigned int i, commands;
	u64 ns;

	for (i = 0; i < MODEL_MODULES; i++)
		model->force[i] = FREQUENCY | 1ULL << 34;
	model_prime(model);
	model->force[3] = pcs_trl;
	poll_for(model, 110);
	KUNIT_EXPECT_EQ(test, model->core[3].account.active & pcs_trl, pcs_trl);
	ns = model->core[3].account.time_ns[39];
	poll_for(model, 30);
	KUNIT_EXPECT_GE(test, model->core[3].account.time_ns[39] - ns, 2000 * MS);
	KUNIT_EXPECT_LE(test, model->core[3].account.time_ns[39] - ns, 4000 * MS);
	model->force[3] = FREQUENCY;
	poll_for(model, 20);
	KUNIT_EXPECT_EQ(test, model->core[3].account.active & pcs_trl, FREQUENCY);
	KUNIT_EXPECT_EQ(test, model->core[3].account.since_ns[39], 0);
	/* The gate closes again. */
	poll_for(model, 30);
	commands = model->commands;
	poll_for(model, 300);
	KUNIT_EXPECT_LE(test, model->commands - commands, 600);
	KUNIT_EXPECT_EQ(test, model->peak, 0);
}

/* The time between two reads counts if both have the reason. */
static void power_on_all_modules_counts_whole(struct kunit *test)
{
	struct model *model = model_of(test);
	unsigned int i, polls;

	model_prime(model);
	for (i = 0; i < MODEL_MODULES; i++)
		model->force[i] = 4;
	for (polls = 0; polls < 100; polls++) {
		poll_for(model, 1);
		for (i = 0; i < MODEL_MODULES; i++)
			KUNIT_EXPECT_TRUE(test, model->core[i].account.active_valid);
	}
	KUNIT_EXPECT_EQ(test, model->peak, 0);
	for (i = 0; i < MODEL_MODULES; i++) {
		KUNIT_EXPECT_GE(test, model->core[i].account.time_ns[2], 8800 * MS);
		KUNIT_EXPECT_LE(test, model->core[i].account.time_ns[2], 10200 * MS);
	}
	for (i = 0; i < MODEL_MODULES; i++)
		model->force[i] = 0;
	poll_for(model, 30);
	for (i = 0; i < MODEL_MODULES; i++)
		KUNIT_EXPECT_EQ(test, model->core[i].account.active, 0);
	KUNIT_EXPECT_EQ(test, model->record.account.active, 0);
	KUNIT_EXPECT_EQ(test, time_elsewhere(model, MODEL_MODULES, 3), 0);
}

/*
 * One command per 10 ms and two per module: most polls read no module, so the
 * die waits for the next poll with a read, and each module for a turn.
 */
static void power_counts_whole_in_short_intervals(struct kunit *test)
{
	struct model *model = model_of(test);
	const u64 turn = 2 * MODEL_MODULES * 10 * MS;
	/* A die level that follows at an equal period is empty at some polls. */
	const u64 least = model->lag_ns ? 2800 * MS : 2900 * MS;
	unsigned int i;

	model_prime(model);
	for (i = 0; i < MODEL_MODULES; i++)
		model->force[i] = 4;
	for (i = 0; i < 300; i++)
		KUNIT_EXPECT_EQ(test, model_poll(model, 10 * MS), 0);
	KUNIT_EXPECT_GE(test, model->record.account.time_ns[2], least);
	KUNIT_EXPECT_LE(test, model->record.account.time_ns[2], 3100 * MS);
	KUNIT_EXPECT_TRUE(test, model->lag_ns || model->record.account.active == 4);
	for (i = 0; i < MODEL_MODULES; i++) {
		KUNIT_EXPECT_TRUE(test, model->core[i].account.active_valid);
		KUNIT_EXPECT_GE(test, model->core[i].account.time_ns[2] + turn, 2900 * MS);
		KUNIT_EXPECT_LE(test, model->core[i].account.time_ns[2], 3100 * MS);
	}
	KUNIT_EXPECT_EQ(test, model->peak, 0);
}

static struct kunit_case plr_pulse_cases[] = {
	KUNIT_CASE_PARAM(pulse_is_counted_once, hardware_gen_params),
	KUNIT_CASE_PARAM(limit_of_all_modules_ends, hardware_gen_params),
	KUNIT_CASE_PARAM(limit_within_a_scan, hardware_gen_params),
	KUNIT_CASE_PARAM(latched_since_boot_counts_for_nothing, hardware_gen_params),
	KUNIT_CASE_PARAM(frequency_alone_costs_little, hardware_gen_params),
	KUNIT_CASE_PARAM(frequency_counts_when_requested, hardware_gen_params),
	KUNIT_CASE_PARAM(pcs_trl_opens_the_gate, hardware_gen_params),
	KUNIT_CASE_PARAM(power_on_all_modules_counts_whole, hardware_gen_params),
	KUNIT_CASE_PARAM(power_counts_whole_in_short_intervals, hardware_gen_params),
	{}
};

struct kunit_suite plr_pulse_suite = {
	.name = "plr_pulse",
	.test_cases = plr_pulse_cases,
};
