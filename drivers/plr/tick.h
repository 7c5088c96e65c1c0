/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_PLR_TICK_H
#define PMON_PLR_TICK_H

#include "pass.h"

/* All modules are read this often although the die level shows nothing. */
#define PLR_FULL_NS	10000000000ULL

/* So often in a row a die without a reason of its modules is not relied on. */
#define PLR_GATE_MISSES	2

/*
 * Commands that watching may give a second in one domain, unless told
 * otherwise.
 */
#define PLR_MAX_COMMANDS	200

/**
 * struct plr_tick - one domain that is watched
 * @mailbox: its mailbox
 * @targets: its modules and mesh; domain, id, pending, must and likely are the
 *	caller's
 * @count: how many
 * @max_commands: commands a second for those that need not be looked at
 * @credit: nanoseconds of that rate that have not been used; less than 0: that
 *	were used too early
 * @credit_ns: when that was counted last
 * @turn: the target that comes first when not all can be asked
 * @primed: hardware has been cleared once, so that a tick sees one interval
 * @owed: a module may have reasons that the die level does not show: one that
 *	is new, or somebody has cleared the die
 * @gate_off: the die level does not follow the modules: read them always
 * @misses: how often in a row a module had a reason and the die did not
 * @full_ns: when all modules were read last
 * @ret: of this tick: the die level could be read
 * @die: of this tick: what the die level was
 * @asked: of this tick: targets that were asked
 * @answered: of this tick: targets that answered
 * @error: of this tick: why the first of those asked did not answer, or 0
 * @judges: of this tick: a reason of a module is one of the die
 * @pass: of this tick
 */
struct plr_tick {
	struct plr_mailbox *mailbox;
	struct plr_target *targets;
	unsigned int count;
	unsigned int max_commands;
	s64 credit;
	u64 credit_ns;
	unsigned int turn;
	bool primed;
	bool owed;
	bool gate_off;
	unsigned int misses;
	u64 full_ns;
	int ret;
	u64 die;
	unsigned int asked;
	unsigned int answered;
	int error;
	bool judges;
	struct plr_pass pass;
};

struct plr_pass *plr_tick_begin(struct plr_tick *tick);
bool plr_tick_end(struct plr_tick *tick);
void plr_tick_owe(struct plr_tick *tick);
void plr_tick_set_rate(struct plr_tick *tick, unsigned int commands);
void plr_tick_rest(struct plr_tick *tick);

#endif /* PMON_PLR_TICK_H */
