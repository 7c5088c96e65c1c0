// SPDX-License-Identifier: GPL-2.0-only
/*
 * One look at a watched domain: what has limited it since the look before?
 *
 * The die level says whether any module has a reason, so that nothing limited
 * costs one read. It is cleared before the modules are read: a reason that
 * comes afterwards sets it again and is found the next time.
 */
#include <linux/errno.h>
#include <linux/limits.h>

#include "tick.h"

static void plr_tick_aim(struct plr_tick *tick)
{
	unsigned int i;

	for (i = 0; i < tick->count; i++) {
		struct plr_target *target = &tick->targets[i];

		target->clear = U64_MAX;
		target->value = 0;
		target->read = false;
		target->ret = 0;
	}
}

static bool plr_tick_is_full(const struct plr_tick *tick, u64 now)
{
	return !tick->primed || tick->owed || tick->gate_off ||
	       now - tick->full_ns >= PLR_FULL_NS;
}

/**
 * plr_tick_begin() - look at the die
 * @tick: the domain
 *
 * Return: a pass over the modules, to be run before plr_tick_end(), or NULL
 * when there is no need for one.
 */
struct plr_pass *plr_tick_begin(struct plr_tick *tick)
{
	u64 now = tick->mailbox->wait->now_ns();

	tick->ran = false;
	tick->judges = tick->primed && !tick->owed && !tick->gate_off;
	tick->die = 0;
	plr_tick_aim(tick);
	tick->ret = plr_die_read(tick->mailbox, &tick->die);
	if (tick->ret)
		return NULL;
	if (tick->die)
		plr_die_clear(tick->mailbox);
	if (!tick->count || (!tick->die && !plr_tick_is_full(tick, now)))
		return NULL;

	tick->ran = true;
	tick->full_ns = now;
	plr_pass_begin(&tick->pass, tick->mailbox, tick->targets, tick->count);

	return &tick->pass;
}

static bool plr_tick_found(const struct plr_tick *tick)
{
	unsigned int i;

	for (i = 0; i < tick->count; i++)
		if (tick->targets[i].read && tick->targets[i].value)
			return true;

	return false;
}

/*
 * A module has a reason, and the die had none. If it has one by now, the
 * reason came between the two reads. Otherwise the die level cannot be relied
 * on. Before the first clear it proves nothing: somebody may have cleared the
 * die alone.
 */
static bool plr_tick_gate_fails(struct plr_tick *tick)
{
	u64 die;

	if (!tick->ran || tick->die || !tick->judges || !plr_tick_found(tick))
		return false;

	return !plr_die_read(tick->mailbox, &die) && !die;
}

/**
 * plr_tick_end() - the pass is over
 * @tick: the domain
 *
 * Return: true when the die level turned out not to follow the modules.
 */
bool plr_tick_end(struct plr_tick *tick)
{
	bool fails = plr_tick_gate_fails(tick);
	unsigned int i, failed = 0;

	if (fails)
		tick->gate_off = true;
	if (tick->ran) {
		for (i = 0; i < tick->count; i++)
			failed += !!tick->targets[i].ret;
		tick->owed = failed;
		tick->primed |= failed < tick->count;
	}

	return fails;
}

/**
 * plr_tick_owe() - the next look must not rely on the die level
 * @tick: the domain
 */
void plr_tick_owe(struct plr_tick *tick)
{
	tick->owed = true;
}

/**
 * plr_tick_rest() - the domain is not watched any more
 * @tick: the domain
 */
void plr_tick_rest(struct plr_tick *tick)
{
	tick->primed = false;
}
