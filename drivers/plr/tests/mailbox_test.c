// SPDX-License-Identifier: GPL-2.0-only
/* Test mailbox, header and MSR 0x54 against the PLR and TPMI specifications. */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "model.h"
#include "suites.h"

#define POWER_PL1	0x0000040000000004ULL

static void mailbox_reads_a_module(struct kunit *test)
{
	struct model *model;
	enum model_echo echo;
	u64 value;

	for (echo = MODEL_FULL; echo < MODEL_ECHOES; echo++) {
		model = model_new(test);
		model->echo = echo;
		model->log[7] = POWER_PL1;
		KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 0, 7, &value), 0);
		KUNIT_EXPECT_EQ(test, value, POWER_PL1);
		KUNIT_EXPECT_EQ(test, model->accesses, 5);
		KUNIT_EXPECT_EQ(test, plr_mailbox_clear(&model->mailbox, 0, 7), 0);
		KUNIT_EXPECT_EQ(test, model->log[7], 0);
	}
}

static void mailbox_clears_one_module_only(struct kunit *test)
{
	struct model *model = model_new(test);

	model->log[7] = POWER_PL1;
	model->log[8] = 8;
	model->mesh = 2;
	KUNIT_EXPECT_EQ(test, plr_mailbox_clear(&model->mailbox, 0, 7), 0);
	KUNIT_EXPECT_EQ(test, model->log[8], 8);
	KUNIT_EXPECT_EQ(test, model->mesh, 2);
	KUNIT_EXPECT_EQ(test, plr_mailbox_clear(&model->mailbox, 1, 0), 0);
	KUNIT_EXPECT_EQ(test, model->mesh, 0);
}

static void a_read_waits_for_a_slow_mailbox(struct kunit *test)
{
	struct model *model = model_new(test);
	u64 value, begin;

	model->log[42] = 8;
	for (model->latency_ns = 0; model->latency_ns <= 15 * MS;
	     model->latency_ns += MS / 3) {
		begin = model_now();
		KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 0, 42, &value), 0);
		KUNIT_EXPECT_EQ(test, value, 8);
		KUNIT_EXPECT_LE(test, model_now() - begin, 2 * model->latency_ns + MS);
	}
}

static void mailbox_is_late(struct kunit *test)
{
	struct model *model = model_new(test);
	u64 value = 1, begin = model_now();

	model->stuck = true;
	model->mailbox.is_reader = true;
	KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 0, 1, &value), -ETIMEDOUT);
	KUNIT_EXPECT_TRUE(test, model->mailbox.late);
	KUNIT_EXPECT_GE(test, model_now() - begin, 2 * MS);
	KUNIT_EXPECT_LE(test, model_now() - begin, 3 * MS);
	/* The model checks that no command starts while another runs. */
	KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 0, 2, &value), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, model->commands, 1);
	KUNIT_EXPECT_TRUE(test, plr_mailbox_is_busy(&model->mailbox));
	model->stuck = false;
	KUNIT_EXPECT_FALSE(test, plr_mailbox_is_busy(&model->mailbox));
	KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 0, 2, &value), 0);
	KUNIT_EXPECT_FALSE(test, model->mailbox.late);
}

/*
 * Preempt the driver after each read of INTERFACE, longer than a reader waits.
 * The mailbox is not late, because its command takes only 1 ms.
 */
static void mailbox_is_not_late(struct kunit *test)
{
	struct model *model = model_new(test);
	u64 value;

	model->mailbox.is_reader = true;
	model->log[7] = POWER_PL1;
	model->latency_ns = MS;
	model->preempted_ns = 3 * MS;
	KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 0, 7, &value), 0);
	KUNIT_EXPECT_EQ(test, value, POWER_PL1);
	KUNIT_EXPECT_FALSE(test, model->mailbox.late);
}

static void mailbox_is_used_by_another(struct kunit *test)
{
	static const struct {
		u64 interface;
		int ret;
		unsigned int commands;
	} cases[] = {
		{ 0x8000, -EBUSY, 3 },		/* module 8 */
		{ 0x8001, -EBUSY, 3 },		/* a clear of module 8 */
		{ 0x0100, -EBUSY, 3 },		/* the mesh */
		{ 0x80000, -EBUSY, 3 },		/* module 128 */
		{ 0x7001, 0, 1 },		/* a clear of module 7 */
		{ 0x0040, 0, 1 },		/* no command */
		{ 0x8040, 0, 1 },
		{ 0x8200, 0, 1 },		/* no domain */
		{ 0x108000, 0, 1 },		/* a reserved bit */
	};
	struct model *model = model_new(test);
	unsigned int i;
	u64 value;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		model->agent = cases[i].interface;
		model->commands = 0;
		KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 0, 7, &value),
				cases[i].ret);
		KUNIT_EXPECT_EQ(test, model->commands, cases[i].commands);
	}
}

/*
 * INTERFACE is 0 after another agent has read module 0, and on some hardware
 * after any command.
 */
static void mailbox_reads_module_0_for_another(struct kunit *test)
{
	struct model *model = model_new(test);
	u64 value;

	model->log[0] = POWER_PL1;
	KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 0, 7, &value), 0);
	model->reads_first = true;
	KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 0, 7, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 0);
	KUNIT_EXPECT_EQ(test, model->commands, 3);
	model->reads_first = true;
	KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 0, 0, &value), 0);
	KUNIT_EXPECT_EQ(test, value, POWER_PL1);
	KUNIT_EXPECT_EQ(test, model->commands, 4);
	/* If hardware clears INTERFACE from now on, one command is repeated. */
	model->echo = MODEL_ZEROED;
	KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 0, 7, &value), 0);
	KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 0, 8, &value), 0);
	KUNIT_EXPECT_EQ(test, model->commands, 7);
}

/* Hardware may keep a command of one kind in INTERFACE, and none of another. */
static void mailbox_may_keep_some_commands(struct kunit *test)
{
	struct model *model = model_new(test);
	u64 value;

	KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 0, 7, &value), 0);
	model->echo = MODEL_ZEROED;
	KUNIT_EXPECT_EQ(test, plr_mailbox_clear(&model->mailbox, 0, 7), 0);
	KUNIT_EXPECT_EQ(test, model->commands, 2);
	model->echo = MODEL_FULL;
	KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 0, 7, &value), 0);
	KUNIT_EXPECT_EQ(test, plr_mailbox_clear(&model->mailbox, 0, 7), 0);
	model->echo = MODEL_ZEROED;
	KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 1, 0, &value), 0);
	KUNIT_EXPECT_EQ(test, model->commands, 5);
}

/* Another agent gives two commands after ours, the second for this module. */
static void mailbox_reads_the_module_for_another(struct kunit *test)
{
	struct model *model = model_new(test);
	u64 value;

	model->log[7] = POWER_PL1;
	model->result = 8;
	KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 0, 7, &value), 0);
	KUNIT_EXPECT_EQ(test, value, POWER_PL1);
	KUNIT_EXPECT_EQ(test, model->commands, 2);
}

/*
 * Only a test write shows that writes are blocked. It starts no command, leaves
 * INTERFACE as it was, and is not made while a command runs.
 */
static void mailbox_is_tested_by_a_write(struct kunit *test)
{
	struct model *model = model_new(test);
	u64 value, before;
	unsigned int i;

	for (i = 0; i < 2 * MODEL_ECHOES; i++) {
		model->echo = i / 2;
		KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 0, 3, &value), 0);
		before = model->interface;
		model->commands = 0;
		model->blocked = i % 2;
		KUNIT_EXPECT_EQ(test, plr_mailbox_test_write(&model->mailbox),
				!model->blocked);
		KUNIT_EXPECT_EQ(test, model->commands, 0);
		KUNIT_EXPECT_EQ(test, model->interface, before);
		model->blocked = false;
	}
	model->stuck = true;
	plr_mailbox_read(&model->mailbox, 0, 1, &value);
	before = model->interface;
	KUNIT_EXPECT_EQ(test, plr_mailbox_test_write(&model->mailbox), -EBUSY);
	KUNIT_EXPECT_EQ(test, model->interface, before);
}

/* A blocked write leaves the result of the previous command in DATA. */
static void mailbox_is_not_reached(struct kunit *test)
{
	struct model *model = model_new(test);
	u64 value;

	model->log[7] = 4;
	KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 0, 7, &value), 0);
	model->blocked = true;
	KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 0, 6, &value), -EBUSY);
	KUNIT_EXPECT_TRUE(test, model->mailbox.foreign);
	KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 0, 7, &value), -EBUSY);
	model->blocked = false;
	model->latency_ns = MS;
	KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 0, 7, &value), 0);
	KUNIT_EXPECT_FALSE(test, model->mailbox.foreign);
	KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 0, 6, &value), 0);
}

static void mailbox_reads_all_ones(struct kunit *test)
{
	struct model *model = model_new(test);
	u64 value = 5;

	model->log[7] = ~0ULL;
	KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 0, 7, &value), -EIO);
	model->interface = ~0ULL;
	KUNIT_EXPECT_EQ(test, plr_mailbox_read(&model->mailbox, 0, 8, &value), -EIO);
	KUNIT_EXPECT_EQ(test, model->commands, 1);
	KUNIT_EXPECT_FALSE(test, plr_mailbox_is_busy(&model->mailbox));
	model->die = POWER_PL1;
	KUNIT_EXPECT_EQ(test, plr_die_read(&model->mailbox, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 4);
	value = 5;
	model->ones = true;
	KUNIT_EXPECT_EQ(test, plr_die_read(&model->mailbox, &value), -EIO);
	KUNIT_EXPECT_EQ(test, value, 5);
}

/* Give commands in a row until the budget is used up; return their number. */
static unsigned int give_all(struct model *model, bool is_reader)
{
	unsigned int given = 0;
	u64 value;

	model->mailbox.is_reader = is_reader;
	while (plr_mailbox_has_budget(&model->mailbox) && given < 1000) {
		plr_mailbox_read(&model->mailbox, 0, 1, &value);
		given++;
	}

	return given;
}

/* Check that at most 200 commands run in any second, and 100 on average. */
static void mailbox_has_a_budget(struct kunit *test)
{
	struct model *model = model_new(test);
	u64 end = model_now() + 10000 * MS;

	/* A clear and two more tries of both may follow the last read. */
	KUNIT_EXPECT_EQ(test, give_all(model, true), 98 - 5);
	while (model_now() < end) {
		model_pass(model, MS);
		give_all(model, true);
	}
	KUNIT_EXPECT_EQ(test, model->peak, 0);
	KUNIT_EXPECT_LE(test, model->commands, 1100);
	KUNIT_EXPECT_GE(test, model->commands, 1090);
	/* Unused commands do not add up. */
	model_pass(model, 100000 * MS);
	KUNIT_EXPECT_EQ(test, give_all(model, true), 98 - 5);
}

/* The monitor and readers leave each other a share of the commands. */
static void mailbox_has_a_share_for_readers(struct kunit *test)
{
	struct model *model = model_new(test);
	unsigned int given = 0, before, i;
	u64 value;

	model->mailbox.is_limited = true;
	KUNIT_EXPECT_EQ(test, give_all(model, false), 98 - 11);
	before = model->commands;
	for (i = 0; i < 1000; i++) {
		model_pass(model, MS);
		give_all(model, false);
		model->mailbox.is_reader = true;
		if (!plr_mailbox_has_budget(&model->mailbox))
			continue;
		plr_mailbox_read(&model->mailbox, 0, 1, &value);
		given++;
	}
	KUNIT_EXPECT_GE(test, given, 18);
	KUNIT_EXPECT_LE(test, given, 21);
	KUNIT_EXPECT_GE(test, model->commands - before - given, 75);
	KUNIT_EXPECT_EQ(test, model->peak, 0);
	/* With CAP_PERFMON a reader gets all, unless the monitor is behind. */
	model->mailbox.is_limited = false;
	model_pass(model, 1000 * MS);
	KUNIT_EXPECT_GE(test, give_all(model, true), 90);
}

static void header_is_of_major_version_0(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, plr_header_minor(1), 1);
	KUNIT_EXPECT_EQ(test, plr_header_minor(0x1f), 31);
	KUNIT_EXPECT_EQ(test, plr_header_minor(0x20), -EINVAL);
	KUNIT_EXPECT_EQ(test, plr_header_minor(~0ULL), -ENODEV);
}

/* Values of real machines, and edge cases; Linux ignores bits above 15. */
static void msr_names_a_module(struct kunit *test)
{
	static const struct {
		u64 msr;
		u8 domain, module;
	} cases[] = {
		{ 0x0, 0, 0 }, { 0x8, 0, 1 }, { 0x3, 0, 0 }, { 0x10, 0, 2 },
		{ 0x808, 1, 1 }, { 0xf800, 31, 0 }, { 0x07f8, 0, 255 },
		{ 0xffff0808, 1, 1 }, { ~0ULL << 16 | 0x1150, 2, 42 },
		/* Granite Rapids D: one domain, 43 modules of two CPUs */
		{ 0x148, 0, 41 }, { 0x150, 0, 42 }, { 0x151, 0, 42 },
	};
	struct plr_logical_id id;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		KUNIT_EXPECT_EQ(test, plr_logical_id_decode(cases[i].msr, &id), 0);
		KUNIT_EXPECT_EQ(test, id.domain, cases[i].domain);
		KUNIT_EXPECT_EQ(test, id.module, cases[i].module);
	}
	KUNIT_EXPECT_EQ(test, plr_logical_id_decode(~0ULL, &id), -EINVAL);
}

static struct kunit_case plr_mailbox_cases[] = {
	/* contract: busy */
	KUNIT_CASE(mailbox_reads_a_module),
	KUNIT_CASE(mailbox_clears_one_module_only),
	KUNIT_CASE(a_read_waits_for_a_slow_mailbox),
	KUNIT_CASE(mailbox_is_late),
	KUNIT_CASE(mailbox_is_not_late),
	/* contract: agent */
	KUNIT_CASE(mailbox_is_used_by_another),
	KUNIT_CASE(mailbox_reads_module_0_for_another),
	KUNIT_CASE(mailbox_may_keep_some_commands),
	KUNIT_CASE(mailbox_reads_the_module_for_another),
	KUNIT_CASE(mailbox_is_tested_by_a_write),
	/* contract: errors */
	KUNIT_CASE(mailbox_is_not_reached),
	KUNIT_CASE(mailbox_reads_all_ones),
	/* contract: commands */
	KUNIT_CASE(mailbox_has_a_budget),
	KUNIT_CASE(mailbox_has_a_share_for_readers),
	/* contract: load-reads */
	KUNIT_CASE(header_is_of_major_version_0),
	KUNIT_CASE(msr_names_a_module),
	{}
};

struct kunit_suite plr_mailbox_suite = {
	.name = "plr_mailbox",
	.test_cases = plr_mailbox_cases,
};
