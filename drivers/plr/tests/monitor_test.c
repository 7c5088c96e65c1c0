// SPDX-License-Identifier: GPL-2.0-only
/* Polls that fail, polls with nothing to do, and other agents meanwhile. */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "model.h"
#include "suites.h"

#define FREQUENCY	0x1ULL
#define POWER		0x4ULL
#define THERMAL		0x8ULL

static void poll_for(struct model *model, unsigned int polls)
{
	while (polls--)
		KUNIT_EXPECT_EQ(model->test, model_poll(model, 100 * MS), 0);
}

static void idle_poll_is_one_access(struct kunit *test)
{
	struct model *model = model_new(test);

	model_prime(model);
	model->accesses = 0;
	poll_for(model, 50);
	KUNIT_EXPECT_EQ(test, model->accesses, 50);
	KUNIT_EXPECT_EQ(test, model->record.observed_ns, 69 * 100 * MS);
	KUNIT_EXPECT_EQ(test, model->core[9].observed_ns, 69 * 100 * MS);
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
	KUNIT_EXPECT_EQ(test, model->record.active, FREQUENCY);
}

static void gate_decides(struct kunit *test)
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
	KUNIT_EXPECT_EQ(test, model->core[3].active & FREQUENCY, FREQUENCY);
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
	KUNIT_EXPECT_EQ(test, model->core[5].active, POWER | THERMAL);
	poll_for(model, 1);
	KUNIT_EXPECT_EQ(test, model->core[5].time_ns[2], 100 * MS);
	KUNIT_EXPECT_EQ(test, model->core[5].time_ns[3], 100 * MS);
	KUNIT_EXPECT_EQ(test, model->core[5].active, 0);
}

/* A reason outside the gate is read by a scan 10 s later; all its time is accounted. */
static void scan_counts_from_when_the_die_showed_it(struct kunit *test)
{
	struct model *model = model_new(test);

	model_prime(model);
	poll_for(model, 30);
	model->force[3] = FREQUENCY;
	poll_for(model, 60);
	KUNIT_EXPECT_EQ(test, model->core[3].active, FREQUENCY);
	KUNIT_EXPECT_GE(test, model->core[3].time_ns[0], 5000 * MS);
	KUNIT_EXPECT_LE(test, model->core[3].time_ns[0], 6000 * MS);
}

static void spell_has_begin_and_end(struct kunit *test)
{
	struct model *model = model_new(test);
	struct plr_record *core = &model->core[2];
	u64 begin, since;

	model_prime(model);
	begin = model_now() + 5000 * MS;
	since = core->observed_since_ns;
	KUNIT_EXPECT_GT(test, since, 0);
	KUNIT_EXPECT_LE(test, since, begin);
	model->force[2] = THERMAL;
	poll_for(model, 1);
	KUNIT_EXPECT_EQ(test, core->active, THERMAL);
	poll_for(model, 9);
	KUNIT_EXPECT_EQ(test, core->since_ns[3], begin);
	KUNIT_EXPECT_EQ(test, core->time_ns[3], 1000 * MS);
	KUNIT_EXPECT_EQ(test, model->record.time_ns[3], 1000 * MS);
	model->force[2] = 0;
	poll_for(model, 1);
	KUNIT_EXPECT_EQ(test, core->active, 0);
	KUNIT_EXPECT_EQ(test, core->since_ns[3], 0);
	KUNIT_EXPECT_EQ(test, core->last_ns[3], begin + 1000 * MS);
	KUNIT_EXPECT_EQ(test, core->log, THERMAL);
	KUNIT_EXPECT_EQ(test, core->observed_since_ns, since);
}

/* A bit not cleared since is no onset: FREQUENCY between two scans. */
static void count_is_of_onsets(struct kunit *test)
{
	struct model *model = model_new(test);
	struct plr_record *core = &model->core[2];
	u64 intervals;

	model_prime(model);
	intervals = core->observed_count;
	model->force[2] = THERMAL;
	poll_for(model, 10);
	model->force[2] = 0;
	poll_for(model, 10);
	KUNIT_EXPECT_EQ(test, core->count[3], 10);
	KUNIT_EXPECT_EQ(test, model->record.count[3], 10);
	KUNIT_EXPECT_EQ(test, model->core[3].count[3], 0);
	KUNIT_EXPECT_EQ(test, core->observed_count, intervals + 20);
	model->force[2] = FREQUENCY;
	poll_for(model, 300);
	KUNIT_EXPECT_GE(test, core->count[0], 2);
	KUNIT_EXPECT_LE(test, core->count[0], 3);
	KUNIT_EXPECT_GE(test, model->record.count[0], 3);
	KUNIT_EXPECT_LE(test, model->record.count[0], 4);
	/* Read because another module is limited, and not cleared. */
	model->force[9] = THERMAL;
	poll_for(model, 10);
	KUNIT_EXPECT_LE(test, core->count[0], 4);
}

/* A domain without CPUs: die reasons stay until a user clears them. */
static void count_of_a_die_alone(struct kunit *test)
{
	struct model *model = model_new(test);

	model->kind = MODEL_LATCHES;
	model->monitor.count = 0;
	model->mesh = FREQUENCY;
	poll_for(model, 95);
	KUNIT_EXPECT_EQ(test, model->record.active, FREQUENCY);
	KUNIT_EXPECT_GE(test, model->record.time_ns[0], 9000 * MS);
	KUNIT_EXPECT_LE(test, model->record.count[0], 2);
}

/* Modules by turns: a die reason is no new onset until each module was cleared. */
static void count_is_a_lower_bound_in_turns(struct kunit *test)
{
	struct model *model = model_new(test);
	enum model_die kind;
	unsigned int i, pulses;

	for (kind = MODEL_COLLECTS; kind < MODEL_DIES; kind++) {
		model = model_new(test);
		model->kind = kind;
		model->latency_ns = MS / 10;
		model_prime(model);
		for (pulses = 0; pulses < 20; pulses++) {
			for (i = 0; i < MODEL_MODULES; i++)
				model->force[i] = POWER;
			model_pass(model, 2 * MODEL_LOOP_NS);
			for (i = 0; i < MODEL_MODULES; i++)
				model->force[i] = 0;
			poll_for(model, 6);
		}
		poll_for(model, 130);
		KUNIT_EXPECT_GE(test, model->record.count[2], 5);
		KUNIT_EXPECT_LE(test, model->record.count[2], 20);
		for (i = 0; i < MODEL_MODULES; i++) {
			KUNIT_EXPECT_GE(test, model->core[i].count[2], 5);
			KUNIT_EXPECT_LE(test, model->core[i].count[2], 20);
		}
	}
}

#define PAGE		4096

/* Count the lines of a file; each must be complete, with five words. */
static unsigned int lines_of(struct kunit *test, const char *text, size_t len)
{
	unsigned int lines = 0, words = 1;

	KUNIT_EXPECT_EQ(test, strlen(text), len);
	for (; *text; text++) {
		words += *text == ' ';
		if (*text != '\n')
			continue;
		KUNIT_EXPECT_EQ(test, words, 5);
		words = 1;
		lines++;
	}
	KUNIT_EXPECT_EQ(test, words, 1);

	return lines;
}

static void file_fits_a_page(struct kunit *test)
{
	const u64 most = 999999999999ULL;	/* milliseconds, 31 years */
	struct plr_record *record = &model_new(test)->core[0];
	char *text = kunit_kzalloc(test, PAGE, GFP_KERNEL);
	unsigned int bit, i;
	size_t len;

	KUNIT_ASSERT_NOT_NULL(test, text);
	len = plr_record_format(record, PLR_REASON_BITS, text, PAGE);
	KUNIT_EXPECT_EQ(test, lines_of(test, text, len), 38);
	KUNIT_EXPECT_NOT_NULL(test, strstr(text, "\nFREQUENCY 0 - - 0\n"));
	record->observed_ns = 20000 * MS;
	record->time_ns[2] = 15300 * MS + 999999;
	record->last_ns[2] = 96300 * MS;
	record->since_ns[2] = 81000 * MS;
	record->count[2] = 153;
	len = plr_record_format(record, PLR_COARSE_BITS, text, PAGE);
	KUNIT_EXPECT_EQ(test, lines_of(test, text, len), 11);
	KUNIT_EXPECT_NOT_NULL(test, strstr(text, "\nPOWER 15300 96300 81000 153\n"));

	/* A poll has added to the time, but after the read of the observed time. */
	record->observed_ns = 15200 * MS;
	plr_record_format(record, PLR_COARSE_BITS, text, PAGE);
	KUNIT_EXPECT_NOT_NULL(test, strstr(text, "\nPOWER 15200 96300 81000 153\n"));

	record->observed_ns = most * MS;
	record->observed_last_ns = most * MS;
	record->observed_since_ns = most * MS;
	record->observed_count = 99999999;
	for (bit = 0; bit < PLR_REASON_BITS; bit++) {
		record->time_ns[bit] = most * MS;
		record->last_ns[bit] = most * MS;
		record->since_ns[bit] = most * MS;
		record->count[bit] = 99999999;
	}
	len = plr_record_format(record, PLR_REASON_BITS, text, PAGE);
	KUNIT_EXPECT_EQ(test, lines_of(test, text, len), 65);
	KUNIT_EXPECT_LT(test, len, PAGE - 1);

	/* Longer numbers: lines of some reserved bits are dropped, no line is cut. */
	for (bit = 0; bit < PLR_REASON_BITS; bit++)
		record->count[bit] = most;
	len = plr_record_format(record, PLR_REASON_BITS, text, PAGE);
	KUNIT_EXPECT_GE(test, lines_of(test, text, len), 55);
	KUNIT_EXPECT_LT(test, len, PAGE - 1);
	for (i = 0; i < PLR_REASON_BITS; i++)
		if (plr_reason_coarse(i) >= 0)
			KUNIT_EXPECT_NOT_NULL(test, strstr(text, plr_reason_name(i)));
}

static void stuck_mailbox_is_not_observed(struct kunit *test)
{
	struct model *model = model_new(test);
	struct plr_record *core = &model->core[0];
	u64 observed;

	model_prime(model);
	model->stuck = true;
	model->force[0] = THERMAL;
	poll_for(model, 1);
	/* The mailbox has answered within two intervals. */
	KUNIT_EXPECT_TRUE(test, core->active_valid);
	observed = core->observed_ns;
	model->commands = 0;
	poll_for(model, 30);
	KUNIT_EXPECT_FALSE(test, core->active_valid);
	KUNIT_EXPECT_EQ(test, core->observed_since_ns, 0);
	KUNIT_EXPECT_EQ(test, core->observed_ns, observed);
	KUNIT_EXPECT_EQ(test, model->commands, 0);
	KUNIT_EXPECT_TRUE(test, model->record.active_valid);
	model->stuck = false;
	poll_for(model, 2);
	KUNIT_EXPECT_TRUE(test, core->active_valid);
	KUNIT_EXPECT_EQ(test, core->active, THERMAL);
	KUNIT_EXPECT_LE(test, core->observed_ns, observed + 100 * MS);
	KUNIT_EXPECT_GT(test, core->time_ns[3], 0);
	KUNIT_EXPECT_LE(test, core->time_ns[3], 100 * MS);
}

/* Two unobserved intervals in a row are both left out. */
static void two_late_polls_are_left_out(struct kunit *test)
{
	struct model *model = model_new(test);
	struct plr_record *core = &model->core[0];
	u64 observed;

	model_prime(model);
	observed = core->observed_ns;
	model->force[0] = THERMAL;
	model->stuck = true;
	poll_for(model, 2);
	KUNIT_EXPECT_TRUE(test, core->active_valid);
	model->stuck = false;
	poll_for(model, 1);
	KUNIT_EXPECT_TRUE(test, core->active_valid);
	KUNIT_EXPECT_EQ(test, core->observed_ns, observed + 100 * MS);
}

/*
 * A reason is in force all the time: its time equals the observed time after any
 * number of late polls. model_poll() checks that it is never more.
 */
static void time_is_observed_time(struct kunit *test)
{
	const struct plr_record *core;
	enum model_die kind;
	struct model *model;
	unsigned int late;

	for (kind = MODEL_COLLECTS; kind < MODEL_DIES; kind++) {
		model = model_new(test);
		core = &model->core[0];
		model->kind = kind;
		model->force[0] = THERMAL;
		model_prime(model);
		for (late = 0; late < 5; late++) {
			model->stuck = true;
			poll_for(model, late);
			model->stuck = false;
			poll_for(model, 3);
			KUNIT_EXPECT_EQ(test, core->time_ns[3],
					core->observed_ns);
		}
	}
}

/*
 * The die gets a new reason while the driver clears the die, modules, and
 * modules without a record. model_poll() checks that the log has it.
 */
static void new_reason_during_clear_is_logged(struct kunit *test)
{
	unsigned int phase, i;
	struct model *model;

	for (phase = 0; phase < MODEL_DIES * 32; phase++) {
		model = model_new(test);
		model->kind = phase % MODEL_DIES;
		model->latency_ns = MS / 2;
		model->monitor.count -= 3;
		model->monitor.ids = MODEL_MODULES;
		model->force[41] = POWER;
		model->all = FREQUENCY;
		for (i = 0; i < 80; i++) {
			if (i == 60)
				model->force[4] = THERMAL;
			model->from_ns = model->monitor.poll_ns + 100 * MS +
					 phase / MODEL_DIES * MS / 2;
			model->to_ns = model->from_ns + 2 * MS;
			poll_for(model, 1);
			/* A person clears all of it. */
			model->record.log = 0;
			model->die = 0;
			memset(model->log, 0, sizeof(model->log));
		}
	}
}

/* The state of before a late poll stays valid until the poll after it. */
static void late_poll_keeps_what_is_known(struct kunit *test)
{
	struct model *model = model_new(test);
	struct plr_record *core = &model->core[2];

	model_prime(model);
	model->force[2] = THERMAL;
	poll_for(model, 1);
	model->stuck = true;
	model_pass(model, 1000 * MS);
	poll_for(model, 1);
	KUNIT_EXPECT_TRUE(test, core->active_valid);
	KUNIT_EXPECT_EQ(test, core->active, THERMAL);
	poll_for(model, 1);
	KUNIT_EXPECT_FALSE(test, core->active_valid);
}

/* The next poll begins with the module after the late command. */
static void one_late_command_skips_the_rest(struct kunit *test)
{
	struct model *model = model_new(test);
	u64 observed;

	model_prime(model);
	model->force[7] = THERMAL;
	observed = model->core[6].observed_ns;
	model->latency_ns = 30 * MS;
	poll_for(model, 1);
	KUNIT_EXPECT_EQ(test, model->core[7].time_ns[3], 0);
	model->latency_ns = 0;
	poll_for(model, 1);
	KUNIT_EXPECT_EQ(test, model->core[7].active, THERMAL);
	KUNIT_EXPECT_TRUE(test, model->core[6].active_valid);
	KUNIT_EXPECT_LE(test, model->core[6].observed_ns, observed + 110 * MS);
}

static void all_ones_are_not_known(struct kunit *test)
{
	struct model *model = model_new(test);
	u64 observed;

	model->force[1] = POWER;
	model_prime(model);
	observed = model->core[1].observed_ns;
	model->ones = true;
	KUNIT_EXPECT_EQ(test, model_poll(model, 100 * MS), -EIO);
	KUNIT_EXPECT_FALSE(test, model->core[1].active_valid);
	KUNIT_EXPECT_FALSE(test, model->record.active_valid);
	KUNIT_EXPECT_EQ(test, model->core[1].active, 0);
	KUNIT_EXPECT_FALSE(test, model->monitor.primed);
	KUNIT_EXPECT_EQ(test, model->core[1].log, POWER);
	model->ones = false;
	model_prime(model);
	KUNIT_EXPECT_TRUE(test, model->core[1].active_valid);
	KUNIT_EXPECT_EQ(test, model->core[1].active, POWER);
	KUNIT_EXPECT_LE(test, model->core[1].observed_ns, observed + 1910 * MS);
}

static void two_reasons_end_together(struct kunit *test)
{
	struct model *model = model_new(test);

	model_prime(model);
	model->force[2] = POWER | THERMAL;
	poll_for(model, 2);
	KUNIT_EXPECT_EQ(test, model->core[2].active, POWER | THERMAL);
	model->force[2] = 0;
	poll_for(model, 1);
	KUNIT_EXPECT_EQ(test, model->core[2].active, 0);
}

/* Firmware's loop runs within a poll: reasons of modules then are no onsets. */
static void die_is_read_again_for_new_reasons(struct kunit *test)
{
	struct model *model = model_new(test);
	unsigned int i;

	model->kind = MODEL_LATCHES;
	model->latency_ns = 30000;
	model_prime(model);
	model->force[1] = THERMAL;
	model->force[9] = POWER;
	for (i = 0; i < 5; i++) {
		poll_for(model, 1);
		KUNIT_EXPECT_EQ(test, model->record.active, POWER | THERMAL);
		KUNIT_EXPECT_EQ(test, model->monitor.carry, 0);
	}
}

/* A die reason that no module has ends: the die level is cleared. */
static void reason_of_no_module_ends(struct kunit *test)
{
	struct model *model = model_new(test);

	model_prime(model);
	model->mesh = 1 << 9;
	poll_for(model, 3);
	KUNIT_EXPECT_EQ(test, model->record.active, 1 << 9);
	KUNIT_EXPECT_EQ(test, model->record.time_ns[9], 300 * MS);
	model->mesh = 0;
	poll_for(model, 2);
	KUNIT_EXPECT_EQ(test, model->record.active, 0);
	KUNIT_EXPECT_EQ(test, model->record.time_ns[9], 300 * MS);
}

/* No time is lost in polls that read at most one module. */
static void module_is_found_in_its_turn(struct kunit *test)
{
	struct model *model = model_new(test);
	unsigned int i;

	model_prime(model);
	model->mailbox.due_ns = model_now() + PLR_BURST * PLR_EACH_NS;
	model->force[40] = THERMAL;
	for (i = 0; i < 300; i++)
		KUNIT_EXPECT_EQ(test, model_poll(model, 10 * MS), 0);
	KUNIT_EXPECT_EQ(test, model->core[40].active, THERMAL);
	KUNIT_EXPECT_GE(test, model->core[40].time_ns[3], 2900 * MS);
}

/* A user clears the die between two polls. */
static void cleared_die_is_carried(struct kunit *test)
{
	struct model *model = model_new(test);

	model_prime(model);
	model->force[4] = THERMAL;
	model_pass(model, 20 * MS);
	model->force[4] = 0;
	plr_monitor_account_clear(&model->monitor, &model->record, model->die);
	model->record.log = 0;
	model->die = 0;
	poll_for(model, 1);
	KUNIT_EXPECT_EQ(test, model->record.log, 0);
	KUNIT_EXPECT_EQ(test, model->core[4].time_ns[3], 100 * MS);
	KUNIT_EXPECT_EQ(test, model->record.time_ns[3], 100 * MS);
}

/* A user clears a module just before a poll; the poll reads no reason. */
static void cleared_module_was_limited(struct kunit *test)
{
	struct model *model = model_new(test);

	model_prime(model);
	model->force[4] = THERMAL;
	poll_for(model, 2);
	model_pass(model, 99 * MS);
	plr_monitor_account_clear(&model->monitor, &model->core[4], THERMAL);
	model->core[4].log = 0;
	model->log[4] = 0;
	model->force[4] = 0;
	poll_for(model, 1);
	KUNIT_EXPECT_EQ(test, model->core[4].active, THERMAL);
	KUNIT_EXPECT_EQ(test, model->core[4].time_ns[3], 300 * MS);
	KUNIT_EXPECT_EQ(test, model->core[4].log, 0);
	poll_for(model, 1);
	KUNIT_EXPECT_EQ(test, model->core[4].active, 0);
}

/* A clear by a user before monitoring stops does not count when it starts again. */
static void cleared_reason_ends_with_monitoring(struct kunit *test)
{
	struct model *model = model_new(test);

	model_prime(model);
	plr_monitor_account_clear(&model->monitor, &model->core[4], FREQUENCY);
	plr_monitor_stop(&model->monitor);
	poll_for(model, 5);
	model->force[4] = FREQUENCY;
	poll_for(model, 3);
	KUNIT_EXPECT_EQ(test, model->core[4].active, FREQUENCY);
	KUNIT_EXPECT_EQ(test, model->core[4].time_ns[0], 100 * MS);
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
	KUNIT_EXPECT_EQ(test, model->core[4].active, THERMAL);
	KUNIT_EXPECT_EQ(test, model->core[4].count[3], 1);
}

/* Monitoring is primed once all modules have been read. */
static void primed_is_all_modules(struct kunit *test)
{
	unsigned int count, i, polls;
	struct model *model;
	bool all;

	for (count = MODEL_MODULES; count > MODEL_MODULES - 10; count--) {
		model = model_new(test);
		model->monitor.count = count;
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
}

/*
 * Modules without a CPU have no record: reasons since boot are cleared once, and
 * a limit of such a module does not cause reads of all others.
 */
static void module_has_no_cpu(struct kunit *test)
{
	enum model_die kind;
	struct model *model;

	for (kind = MODEL_COLLECTS; kind < MODEL_DIES; kind++) {
		model = model_new(test);
		model->kind = kind;
		model->latency_ns = MS / 10;
		model->monitor.count -= 3;
		model->monitor.ids = MODEL_MODULES;
		model->log[40] = THERMAL;
		model->log[42] = THERMAL;
		model->die = THERMAL;
		poll_for(model, 80);
		KUNIT_EXPECT_EQ(test, model->record.active, 0);
		KUNIT_EXPECT_EQ(test, model->record.log, THERMAL);
		model->commands = 0;
		poll_for(model, 20);
		KUNIT_EXPECT_EQ(test, model->commands, 0);
		/* In force on such a module. */
		model->force[41] = THERMAL;
		poll_for(model, 50);
		KUNIT_EXPECT_EQ(test, model->record.active, THERMAL);
		model->commands = 0;
		poll_for(model, 300);
		KUNIT_EXPECT_LE(test, model->commands, 600);
		KUNIT_EXPECT_EQ(test, model->record.active, THERMAL);
		/* Another reason is found at once, an equal one by a scan. */
		model->force[3] = POWER;
		poll_for(model, 2);
		KUNIT_EXPECT_EQ(test, model->core[3].active, POWER);
		model->force[3] = THERMAL;
		poll_for(model, 110);
		KUNIT_EXPECT_EQ(test, model->core[3].active, THERMAL);
		model->force[3] = 0;
		model->force[41] = 0;
		poll_for(model, 130);
		KUNIT_EXPECT_EQ(test, model->core[3].active, 0);
		KUNIT_EXPECT_EQ(test, model->record.active, 0);
		model->force[5] = THERMAL;
		poll_for(model, 2);
		KUNIT_EXPECT_EQ(test, model->core[5].active, THERMAL);
		KUNIT_EXPECT_EQ(test, model->peak, 0);
		/* Once more, on the last one: unless the die collects. */
		model->force[5] = 0;
		poll_for(model, 2);
		model->log[42] = THERMAL;
		poll_for(model, 250);
		KUNIT_EXPECT_EQ(test, model->log[42],
				kind == MODEL_COLLECTS ? THERMAL : 0);
	}
}

/* While another agent has the mailbox, such a module waits for its turn. */
static void module_without_cpu_is_tried_again(struct kunit *test)
{
	struct model *model = model_new(test);

	model->monitor.count = 2;
	model_prime(model);
	model->monitor.ids = 5;
	model->kind = MODEL_LATCHES;
	model->log[3] = THERMAL;
	model->agent = 0x9000;
	poll_for(model, 80);
	KUNIT_EXPECT_EQ(test, model->log[3], THERMAL);
	KUNIT_EXPECT_EQ(test, model->record.active, THERMAL);
	model->agent = 0;
	poll_for(model, 40);
	KUNIT_EXPECT_EQ(test, model->log[3], 0);
	KUNIT_EXPECT_EQ(test, model->record.active, 0);
	KUNIT_EXPECT_EQ(test, model->record.log, THERMAL);
}

static void module_may_come_later(struct kunit *test)
{
	struct model *model = model_new(test);

	model->monitor.count--;
	model_prime(model);
	plr_monitor_add(&model->monitor, &model->core[MODEL_MODULES - 1]);
	poll_for(model, 2);
	KUNIT_EXPECT_TRUE(test, model->core[MODEL_MODULES - 1].active_valid);
	plr_monitor_stop(&model->monitor);
	KUNIT_EXPECT_FALSE(test, model->core[MODEL_MODULES - 1].active_valid);
	KUNIT_EXPECT_FALSE(test, model->record.active_valid);
}

static struct kunit_case plr_monitor_cases[] = {
	/* contract: gate-others */
	KUNIT_CASE(idle_poll_is_one_access),
	KUNIT_CASE(loaded_poll_is_one_access),
	/* contract: gate */
	KUNIT_CASE(gate_decides),
	KUNIT_CASE(scan_finds_reasons_not_in_the_die),
	/* contract: reasons */
	KUNIT_CASE(new_reason_during_clear_is_logged),
	KUNIT_CASE(die_is_read_again_for_new_reasons),
	KUNIT_CASE(cleared_die_is_carried),
	KUNIT_CASE(module_has_no_cpu),
	KUNIT_CASE(module_without_cpu_is_tried_again),
	KUNIT_CASE(module_may_come_later),
	/* contract: errors */
	KUNIT_CASE(stuck_mailbox_is_not_observed),
	KUNIT_CASE(late_poll_keeps_what_is_known),
	KUNIT_CASE(one_late_command_skips_the_rest),
	KUNIT_CASE(all_ones_are_not_known),
	/* contract: time */
	KUNIT_CASE(scan_counts_from_when_the_die_showed_it),
	KUNIT_CASE(spell_has_begin_and_end),
	KUNIT_CASE(count_is_of_onsets),
	KUNIT_CASE(count_of_a_die_alone),
	KUNIT_CASE(count_is_a_lower_bound_in_turns),
	KUNIT_CASE(file_fits_a_page),
	KUNIT_CASE(two_late_polls_are_left_out),
	KUNIT_CASE(time_is_observed_time),
	KUNIT_CASE(two_reasons_end_together),
	KUNIT_CASE(reason_of_no_module_ends),
	KUNIT_CASE(module_is_found_in_its_turn),
	KUNIT_CASE(cleared_module_was_limited),
	KUNIT_CASE(cleared_reason_ends_with_monitoring),
	KUNIT_CASE(failed_clear_is_no_onset),
	KUNIT_CASE(primed_is_all_modules),
	{}
};

struct kunit_suite plr_monitor_suite = {
	.name = "plr_monitor",
	.test_cases = plr_monitor_cases,
};
