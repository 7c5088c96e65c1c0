// SPDX-License-Identifier: GPL-2.0-only
/*
 * One look at a watched domain: what has limited it since the look before?
 *
 * The die level says whether any module has a reason, so that nothing limited
 * costs one read. It is cleared before the modules are read: a reason that
 * comes afterwards sets it again and is found the next time.
 *
 * Where something limits, a tick asks as many modules as the commands of its
 * time go round; those that have to wait stay pending, whatever the die level
 * is by then, and take their turns in the next ticks.
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/minmax.h>

#include "tick.h"

/*
 * The unit of a tick's credit is a command times a nanosecond: this is one
 * command.
 */
#define PLR_COMMAND_NS	1000000000LL

/* Time beyond this earns nothing: two of the longest intervals. */
#define PLR_CREDIT_NS	120000000000ULL

static bool plr_tick_is_full(const struct plr_tick *tick, u64 now)
{
	return !tick->primed || tick->owed || tick->gate_off ||
	       now - tick->full_ns >= PLR_FULL_NS;
}

/* Prepare all targets: none is asked yet. With @all each of them is pending. */
static void plr_tick_aim(struct plr_tick *tick, bool all)
{
	unsigned int i;

	for (i = 0; i < tick->count; i++) {
		struct plr_target *target = &tick->targets[i];

		/*
		 * A target that is pending from an earlier tick may have
		 * reasons that the die was cleared of, so the die level cannot
		 * be judged by it.
		 */
		tick->judges &= !target->pending;
		target->pending |= all;
		target->skip = true;
		target->clear = U64_MAX;
		target->value = 0;
		target->read = false;
		target->ret = 0;
	}
}

/*
 * Add the credit for the time since the last tick. A rate of 0 allows no
 * command: what an earlier rate left is void.
 */
static void plr_tick_earn(struct plr_tick *tick, u64 now)
{
	s64 earned = min(now - tick->credit_ns, PLR_CREDIT_NS) *
		     tick->max_commands;
	s64 most = 2 * PLR_COMMAND_NS * tick->count;

	tick->credit = tick->max_commands ?
		       min(tick->credit + earned, most) : 0;
	tick->credit_ns = now;
}

static void plr_tick_ask(struct plr_tick *tick, struct plr_target *target)
{
	target->skip = false;
	tick->asked++;
}

/* Ask the targets whose module an event counts on, whatever it costs. */
static void plr_tick_ask_some(struct plr_tick *tick)
{
	bool all = !tick->primed && tick->max_commands;
	unsigned int i;

	for (i = 0; i < tick->count; i++) {
		struct plr_target *target = &tick->targets[i];

		target->must |= all;
		if (target->pending && target->must)
			plr_tick_ask(tick, target);
	}
}

/*
 * Ask the other pending targets as far as the credit goes, beginning behind the
 * one that was asked last. One that has a reason since its last look takes a
 * command more than that: the next ticks have less then.
 */
static void plr_tick_ask_more(struct plr_tick *tick)
{
	unsigned int n, first = tick->turn;
	s64 credit = tick->credit;

	for (n = 0; n < tick->count; n++) {
		unsigned int i = (first + n) % tick->count;
		struct plr_target *target = &tick->targets[i];
		s64 price;

		price = (1 + target->likely) * PLR_COMMAND_NS;
		if (!target->pending || target->must)
			continue;
		if (price > credit)
			break;
		credit -= price;
		plr_tick_ask(tick, target);
		tick->turn = i + 1;
	}
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
	bool full = plr_tick_is_full(tick, now);

	tick->asked = 0;
	tick->judges = tick->primed && !tick->owed && !tick->gate_off;
	tick->die = 0;
	tick->ret = plr_die_read(tick->mailbox, &tick->die);
	plr_tick_aim(tick, !tick->ret && (tick->die || full));
	if (tick->ret)
		return NULL;
	if (tick->die)
		plr_die_clear(tick->mailbox);
	if (tick->die || full) {
		tick->full_ns = now;
		tick->owed = false;
	}
	plr_tick_earn(tick, now);
	plr_tick_ask_some(tick);
	plr_tick_ask_more(tick);
	if (!tick->asked)
		return NULL;
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
 * on, or the reason came in between and is over, and the die is computed from
 * the modules, which have been cleared. Once may be that: it fails if it has
 * not shown the reason of a module before it does so again. Before the first
 * clear it proves nothing: another program may have cleared the die alone.
 */
static bool plr_tick_gate_fails(struct plr_tick *tick)
{
	u64 die = tick->die;

	if (!tick->asked || !plr_tick_found(tick))
		return false;
	if (!die && (!tick->judges || plr_die_read(tick->mailbox, &die)))
		return false;
	tick->misses = die ? 0 : tick->misses + 1;

	return tick->misses == PLR_GATE_MISSES;
}

/* After the pass: targets that did not answer stay pending. */
static void plr_tick_settle(struct plr_tick *tick)
{
	unsigned int i, asked = 0;

	tick->answered = 0;
	tick->error = 0;
	for (i = 0; i < tick->count; i++) {
		struct plr_target *target = &tick->targets[i];

		if (target->skip)
			continue;
		if (!asked++)
			tick->error = target->ret;
		target->pending = target->ret;
		tick->answered += !target->ret;
		if (!target->must)
			tick->credit -= (1 + !!target->value) * PLR_COMMAND_NS;
	}
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

	tick->gate_off |= fails;
	plr_tick_settle(tick);
	if (!tick->ret)
		tick->primed |= !tick->asked || tick->answered;

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
 * plr_tick_set_rate() - from now on there may be another number of commands
 * @tick: the domain
 * @commands: a second, for targets that need not be looked at
 *
 * The time until now has earned what the rate before allows. What was taken
 * beyond that is forgiven: at a low rate it would last.
 */
void plr_tick_set_rate(struct plr_tick *tick, unsigned int commands)
{
	plr_tick_earn(tick, tick->mailbox->wait->now_ns());
	if (tick->credit < 0)
		tick->credit = 0;
	tick->max_commands = commands;
	/* Targets that had to wait for credit are asked at the next look. */
	plr_tick_owe(tick);
}

/**
 * plr_tick_rest() - the domain is not watched any more
 * @tick: the domain
 */
void plr_tick_rest(struct plr_tick *tick)
{
	tick->primed = false;
}
