/* SPDX-License-Identifier: GPL-2.0-only */
/* Which counter an event gets. */
#ifndef PMON_ASSIGN_H
#define PMON_ASSIGN_H

#include <linux/bitops.h>
#include <linux/types.h>

#include <pmon/box.h>

/**
 * struct pmon_assignment - the counters of one box that events have
 * @taken: counters that an event has
 * @allowed: for each of those, the counters that its event could have
 */
struct pmon_assignment {
	u64 taken;
	u64 allowed[PMON_SLOTS_MAX];
};

/**
 * struct pmon_assign_path - the moves that give a new event its counter
 * @length: number of counters in @slot, at least 1
 * @slot: the event on slot[i + 1] moves to slot[i]; the first has none, and the
 *	new event gets the last one
 */
struct pmon_assign_path {
	unsigned int length;
	u8 slot[PMON_SLOTS_MAX];
};

/*
 * One of @unused, which are some: of @prefer if possible, else not of @avoid.
 */
static inline u8 pmon_choose(u64 unused, u64 prefer, u64 avoid)
{
	if (unused & prefer)
		unused &= prefer;
	else if (unused & ~avoid)
		unused &= ~avoid;
	return __ffs64(unused);
}

/**
 * pmon_assign() - find a counter for one more event
 * @a: the counters
 * @allowed: those that the new event can have
 * @prefer: of these, take first
 * @avoid: and these last
 * @path: gets the moves
 *
 * Events that have a counter keep it if at all possible, and as few as
 * possible move otherwise: each move of a running event costs accesses.
 *
 * Return: true, or false when no arrangement holds all events.
 */
bool pmon_assign(const struct pmon_assignment *a, u64 allowed, u64 prefer,
		 u64 avoid, struct pmon_assign_path *path);

/* Make @a what @path says, for an event with @allowed. */
void pmon_assignment_apply(struct pmon_assignment *a, u64 allowed,
			   const struct pmon_assign_path *path);

#endif /* PMON_ASSIGN_H */
