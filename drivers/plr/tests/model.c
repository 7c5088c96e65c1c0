// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kernel.h>

#include "model.h"

/* Registers by the specification, independent of the driver's headers. */
#define HEADER		0x00
#define INTERFACE	0x08
#define DATA		0x10
#define DIE_LEVEL	0x18
#define BUSY		BIT_ULL(63)

/* Begin long after boot: a time of 0 has a meaning. */
static u64 model_clock_ns = 1000000 * MS;

u64 model_now(void)
{
	return model_clock_ns;
}

/* CLOCK_BOOTTIME is ahead by the time of a suspend. */
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

/*
 * Set the bits of limits in force on a module, at once or after @skew_ns.
 * Returns the reasons in force.
 */
static u64 model_set(struct model *model, unsigned int i)
{
	u64 force = model->force[i];

	if (model_clock_ns >= model->from_ns && model_clock_ns < model->to_ns)
		force |= model->all;
	if (!model->late[i] && force) {
		model->late[i] = force;
		model->late_ns[i] = model_clock_ns + model->skew_ns;
	}
	if (model->late[i] && model_clock_ns >= model->late_ns[i]) {
		model->log[i] |= model->late[i];
		model->late[i] = 0;
	}
	return force;
}

/* Run one loop of firmware: set bits of limits in force, then the die level. */
static void model_loop(struct model *model)
{
	u64 in_force = model->mesh, on_record = model->mesh;
	unsigned int i;

	for (i = 0; i < MODEL_MODULES; i++) {
		in_force |= model_set(model, i);
		on_record |= model->log[i];
	}
	model->loop_ns = model_clock_ns;
	model->lagged |= in_force;
	if (model_clock_ns - model->lagged_ns < model->lag_ns)
		return;
	in_force = model->lagged;
	model->lagged = 0;
	model->lagged_ns = model_clock_ns;
	switch (model->kind) {
	case MODEL_COLLECTS:
		model->die |= (u32)in_force;
		break;
	case MODEL_LATCHES:
		model->die |= (u32)on_record;
		break;
	default:
		model->die = (u32)on_record;
	}
}

static void model_end_command(struct model *model)
{
	unsigned int command = model->interface & 0xff;
	unsigned int mesh = model->interface >> 8 & 0xf;
	unsigned int id = model->interface >> 12 & 0xff;
	u64 *log = mesh ? &model->mesh :
		   id < MODEL_MODULES ? &model->log[id] : NULL;

	model->busy_until_ns = 0;
	if (command && model->usurps) {
		model->interface = (id ^ 1) << 12;
		return;
	}
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

static void model_catch_up(struct model *model)
{
	if (model_clock_ns - model->loop_ns >= MODEL_LOOP_NS)
		model_loop(model);
	if (model->interface & BUSY && !model->stuck && model->busy_until_ns &&
	    model_clock_ns >= model->busy_until_ns)
		model_end_command(model);
	/* A computed die level is right after any write. */
	if (model->kind == MODEL_COMPUTED)
		model_loop(model);
}

/* Another agent starts a read of module 7. */
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

	KUNIT_EXPECT_EQ(model->test, bytes, 8);
	model->accesses++;
	model_catch_up(model);
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

	KUNIT_EXPECT_FALSE(model->test, model->interface & BUSY);
	if (model->jitter_ns) {
		model->seed = model->seed * 1664525 + 1013904223;
		ns += (model->seed >> 8) * model->jitter_ns >> 24;
	}
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

	KUNIT_EXPECT_EQ(model->test, bytes, 8);
	model->accesses++;
	model_catch_up(model);
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

struct model *model_new(struct kunit *test)
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
	for (i = 0; i < MODEL_MODULES; i++) {
		model->core[i].id = i;
		plr_sampler_add(&model->monitor.sampler, &model->core[i]);
	}

	return model;
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

/* After each poll: no reason has more time than was observed. */
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
 * Poll at the end of the period, after a long poll as well. The bits that the
 * poll cleared in the die level are in the log of the die.
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
