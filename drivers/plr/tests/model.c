// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kernel.h>

#include "model.h"

/* Registers by the specification, independent of the driver's headers. */
#define HEADER		0x00
#define INTERFACE	0x08
#define DATA		0x10
#define DIE_LEVEL	0x18
#define BUSY		BIT_ULL(63)

/* Begin long after boot, because a time of 0 means none. */
static u64 model_clock_ns = 1000000 * MS;

/* Return a fine bit without a name on this part, which so has no coarse reason. */
unsigned int model_unnamed_fine(struct kunit *test)
{
	unsigned int bit = PLR_REASON_BITS - 1;

	while (bit > 32 && plr_reason_coarse(bit) >= 0)
		bit--;
	KUNIT_ASSERT_LT(test, plr_reason_coarse(bit), 0);
	return bit;
}

u64 model_now(void)
{
	return model_clock_ns;
}

/* CLOCK_BOOTTIME is 5 s ahead, as after a suspend. */
static u64 model_boot(void)
{
	return model_clock_ns + 5000 * MS;
}

static void model_sleep(unsigned int us)
{
	model_clock_ns += us * 1000ULL;
}

static const struct plr_wait model_wait = {
	.now_ns = model_now, .boot_ns = model_boot, .sleep_us = model_sleep,
};

u32 model_random(struct model *model, u32 below)
{
	model->seed = model->seed * 1664525 + 1013904223;
	return (u64)(model->seed >> 8) * below >> 24;
}

/* Set the bits of the limits that are in force; return their reasons. */
static u64 model_set_limits(struct model *model)
{
	const struct model_limit *limit;
	unsigned int i, module;
	u64 in_force = 0;

	model->mesh_limits = 0;
	for (i = 0; i < model->limit_count; i++) {
		limit = &model->limits[i];
		if (model->loop_ns < limit->from_ns ||
		    model->loop_ns >= limit->to_ns)
			continue;
		in_force |= limit->bits;
		if (limit->module > MODEL_MOST)
			model->mesh_limits |= limit->bits;
		if (limit->module < model->modules)
			model->log[limit->module] |= limit->bits;
		for (module = 0; limit->module == MODEL_MOST &&
		     module < model->modules; module++)
			model->log[module] |= limit->bits;
	}
	return in_force;
}

/* Update the die level; @in_force: reasons in force since the last update. */
static void model_update_die(struct model *model, u64 in_force)
{
	u64 on_record = model->mesh | model->mesh_limits;
	unsigned int i;

	for (i = 0; i < model->modules; i++)
		on_record |= model->log[i];
	if (model->kind == MODEL_COMPUTED)
		model->die = (u32)on_record;
	else
		model->die |= (u32)(model->kind == MODEL_LATCHES ?
				    on_record | in_force : in_force);
}

/* Run one loop of firmware: set bits of limits in force, then the die level. */
static void model_loop(struct model *model)
{
	u64 in_force = model->mesh | model_set_limits(model);
	unsigned int i;

	for (i = 0; i < model->modules; i++) {
		model->log[i] |= model->force[i];
		in_force |= model->force[i];
	}
	model->lagged |= in_force;
	if (model->loop_ns - model->lagged_ns < model->lag_ns)
		return;
	model_update_die(model, model->lagged);
	model->lagged = 0;
	model->lagged_ns = model->loop_ns;
}

static void model_end_command(struct model *model)
{
	unsigned int command = model->interface & 0xff;
	unsigned int mesh = model->interface >> 8 & 0xf;
	unsigned int id = model->interface >> 12 & 0xff;
	u64 *log = mesh ? &model->mesh :
		   id < model->modules ? &model->log[id] : NULL;

	model->busy_until_ns = 0;
	if (command && model->usurps) {
		model->interface = (id ^ 1) << 12;
		return;
	}
	if (!mesh && log && command)
		model->lost[id] |= *log & ~model->read[id];
	else if (!mesh && log)
		model->read[id] = *log;
	if (log && command)
		*log = model->data;
	else
		model->data = log ? *log : 0;
	model->interface &= ~BUSY;
	if (model->echo != MODEL_FULL)
		model->interface = model->echo == MODEL_STATUS ? 0x40 : 0;
	if (model->agent)
		model->interface = model->agent;
	if (model->reads_first) {
		model->reads_first = false;
		model->data = model->log[0];
		model->interface = 0;
	}
}

/* Start a command of another agent, unless the mailbox is busy. */
static void model_run_other(struct model *model)
{
	unsigned int step = model->other_clears ? 2 : 1;
	unsigned int id = model->other_at / step % model->modules;

	if (!model->other_ns || model_clock_ns < model->other_ns ||
	    model->interface & BUSY)
		return;
	model->interface = BUSY | id << 12;
	if (model->other_at % step) {
		model->interface |= 1;
		model->data = 0;
	}
	model->busy_until_ns = model_clock_ns + (model->latency_ns ?: 1);
	model->other_at++;
	model->other_ns = model->busy_until_ns +
			  (id == model->modules - 1 ? 1000 * MS : MS / 20);
}

static void model_catch_up(struct model *model)
{
	while (model_clock_ns - model->loop_ns >= MODEL_LOOP_NS) {
		model->loop_ns += MODEL_LOOP_NS;
		model_loop(model);
	}
	if (model->interface & BUSY && !model->stuck && model->busy_until_ns &&
	    model_clock_ns >= model->busy_until_ns)
		model_end_command(model);
	model_run_other(model);
	/* A computed die level follows each write at once, unless it lags. */
	if (model->kind == MODEL_COMPUTED && !model->lag_ns)
		model_update_die(model, 0);
}

/* Begin an access. With @preempted_ppm it takes 1 us, and may begin late. */
static void model_begin_access(struct model *model, u8 bytes)
{
	KUNIT_EXPECT_EQ(model->test, bytes, 8);
	model->accesses++;
	if (model->preempted_ppm)
		model_clock_ns += MS / 1000;
	if (model_random(model, 1000000) < model->preempted_ppm)
		model_clock_ns += model_random(model, 5 * MS);
	model_catch_up(model);
}

/* Return a result of another agent, which then starts a read of module 7. */
static u64 model_read_result(struct model *model)
{
	u64 result = model->result;

	model->result = 0;
	model->interface = BUSY | 7 << 12;
	model->busy_until_ns = model_clock_ns + MODEL_LOOP_NS;
	return result;
}

static u64 model_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	struct model *model = regs->priv;

	model_begin_access(model, bytes);
	switch (reg) {
	case INTERFACE:
		model_clock_ns += model->preempted_ns;
		if (model->echo == MODEL_NONE && model->interface & BUSY)
			return BUSY;
		return model->interface;
	case DATA:
		return model->result ? model_read_result(model) : model->data;
	case DIE_LEVEL:
		return model->ones ? ~0ULL : model->die;
	default:
		KUNIT_FAIL(model->test, "read of 0x%x", reg);
		return 0;
	}
}

static void model_give(struct model *model, u64 command)
{
	u64 *oldest = &model->given_ns[model->commands % MODEL_COMMANDS];
	u64 ns = model->latency_ns;

	/* A command to an ID that the die does not have may never end. */
	KUNIT_EXPECT_LT(model->test, command >> 12 & 0xff, model->modules);
	if (!model->other_ns)
		KUNIT_EXPECT_FALSE(model->test, model->interface & BUSY);
	if (model->jitter_ns)
		ns += model_random(model, model->jitter_ns);
	if (*oldest && model_clock_ns - *oldest < 1000 * MS)
		model->peak = MODEL_COMMANDS + 1;
	*oldest = model_clock_ns;
	model->commands++;
	model->interface = command;
	model->busy_until_ns = model_clock_ns + (ns ?: 1);
	if (!ns && !model->stuck)
		model_end_command(model);
}

static int model_write(const struct pmon_regs *regs, u32 reg, u64 value,
		       u8 bytes)
{
	struct model *model = regs->priv;

	model_begin_access(model, bytes);
	if (model->blocked)
		return 0;
	switch (reg) {
	case INTERFACE:
		if (value & BUSY)
			model_give(model, value);
		else
			model->interface = value;
		break;
	case DATA:
		KUNIT_EXPECT_EQ(model->test, value, 0);
		model->data = value;
		break;
	case DIE_LEVEL:
		KUNIT_EXPECT_EQ(model->test, value, 0);
		model->dropped |= model->die;
		if (model->kind != MODEL_COMPUTED)
			model->die = value;
		break;
	default:
		KUNIT_FAIL(model->test, "write of 0x%x", reg);
	}

	return 0;
}

static const struct pmon_regs_ops model_ops = {
	.read = model_read, .write = model_write,
};

struct model *model_new_die(struct kunit *test, unsigned int modules)
{
	struct model *model = kunit_kzalloc(test, sizeof(*model), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, model);
	model->test = test;
	model->regs.ops = &model_ops;
	model->regs.priv = model;
	model->mailbox.regs = &model->regs;
	model->mailbox.wait = &model_wait;
	model->monitor.sampler.mailbox = &model->mailbox;
	model->monitor.gate = PLR_GATE_DEFAULT;
	model->monitor.die = &model->record;
	model->loop_ns = model_clock_ns;
	model->seed = 1;
	model->modules = modules;
	for (i = 0; i < modules; i++) {
		model->core[i].id = i;
		plr_sampler_add(&model->monitor.sampler, &model->core[i]);
	}

	return model;
}

struct model *model_new(struct kunit *test)
{
	return model_new_die(test, MODEL_MODULES);
}

/* Advance the time; run the loops of firmware in between. */
void model_pass(struct model *model, u64 ns)
{
	u64 end_ns = model_clock_ns + ns;

	while (end_ns - model_clock_ns >= MODEL_LOOP_NS) {
		model_clock_ns += MODEL_LOOP_NS;
		model_catch_up(model);
	}
	model_clock_ns = end_ns;
}

/* Check that no reason has more time than was observed of it. */
static void model_check_times(struct model *model,
			      const struct plr_record *record)
{
	unsigned int bit;

	for (bit = 0; bit < 64; bit++)
		if (record->account.time_ns[bit] > record->account.own_ns[bit])
			KUNIT_FAIL(model->test,
				   "module %u: bit %u for %llu of %llu ns",
				   record->id, bit,
				   (unsigned long long)record->account.time_ns[bit],
				   (unsigned long long)record->account.own_ns[bit]);
}

/*
 * Poll at the end of the period, or at once if it is over. Check that the log
 * of the die has the bits that the poll cleared in the die level.
 */
int model_poll(struct model *model, u64 period_ns)
{
	u64 last_ns = model->monitor.poll_ns ?: model_clock_ns;
	unsigned int i;
	int ret;

	if (last_ns + period_ns > model_clock_ns)
		model_pass(model, last_ns + period_ns - model_clock_ns);

	model->dropped = 0;
	ret = plr_monitor_poll(&model->monitor, period_ns);
	KUNIT_EXPECT_EQ(model->test, model->dropped & ~model->record.log, 0);
	model_check_times(model, &model->record);
	for (i = 0; i < model->monitor.sampler.count; i++)
		model_check_times(model, model->monitor.sampler.records[i]);
	return ret;
}

/* Begin monitoring; poll until all modules have been read twice. */
void model_prime(struct model *model)
{
	unsigned int i;

	for (i = 0; i < 20; i++)
		KUNIT_EXPECT_EQ(model->test, model_poll(model, 100 * MS), 0);
	KUNIT_EXPECT_TRUE(model->test, model->monitor.primed);
}
