/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_PLR_TICK_H
#define PMON_PLR_TICK_H

#include "pass.h"

/* All modules are read this often although the die level shows nothing. */
#define PLR_FULL_NS	10000000000ULL

/**
 * struct plr_tick - one domain that is watched
 * @mailbox: its mailbox
 * @targets: its modules and mesh; domain and id are the caller's
 * @count: how many
 * @primed: hardware has been cleared once, so that a tick sees one interval
 * @owed: a module may have reasons that the die level does not show: one that
 *	could not be read, or is new, or somebody has cleared the die
 * @gate_off: the die level does not follow the modules: read them always
 * @full_ns: when all modules were read last
 * @ret: of this tick: the die level could be read
 * @die: of this tick: what the die level was
 * @ran: of this tick: the modules were read
 * @judges: of this tick: a reason of a module is one of the die
 * @pass: of this tick
 */
struct plr_tick {
	struct plr_mailbox *mailbox;
	struct plr_target *targets;
	unsigned int count;
	bool primed;
	bool owed;
	bool gate_off;
	u64 full_ns;
	int ret;
	u64 die;
	bool ran;
	bool judges;
	struct plr_pass pass;
};

struct plr_pass *plr_tick_begin(struct plr_tick *tick);
bool plr_tick_end(struct plr_tick *tick);
void plr_tick_owe(struct plr_tick *tick);
void plr_tick_rest(struct plr_tick *tick);

#endif /* PMON_PLR_TICK_H */
