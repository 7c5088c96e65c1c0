// SPDX-License-Identifier: GPL-2.0-only
/*
 * Assign counters. Events and counters are the two sides of a bipartite graph;
 * a new event gets its counter along a shortest augmenting path, found by a
 * breadth-first search. So an arrangement is found whenever there is one, and
 * the fewest events move.
 */
#include <linux/bits.h>
#include <linux/bitops.h>

#include "assign.h"

/* Ends the path back from a free counter: the new event takes this one. */
#define PMON_FROM_NEW	0xff

static void pmon_walk_back(struct pmon_assign_path *path, u8 slot,
			   const u8 *from)
{
	path->length = 0;
	while (slot != PMON_FROM_NEW) {
		path->slot[path->length++] = slot;
		slot = from[slot];
	}
}

bool pmon_assign(const struct pmon_assignment *a, u64 allowed, u64 prefer,
		 u64 avoid, struct pmon_assign_path *path)
{
	u8 from[PMON_SLOTS_MAX], queue[PMON_SLOTS_MAX];
	unsigned int head = 0, tail = 0;
	u64 seen = 0, next = allowed;
	u8 by = PMON_FROM_NEW;

	for (;;) {
		u64 unused = next & ~a->taken;

		if (unused) {
			u8 slot = pmon_choose(unused, prefer, avoid);

			from[slot] = by;
			pmon_walk_back(path, slot, from);
			return true;
		}
		for (seen |= next; next; next &= next - 1) {
			queue[tail] = __ffs64(next);
			from[queue[tail++]] = by;
		}
		if (head == tail)
			return false;
		by = queue[head++];
		next = a->allowed[by] & ~seen;
	}
}

void pmon_assignment_apply(struct pmon_assignment *a, u64 allowed,
			   const struct pmon_assign_path *path)
{
	unsigned int i;

	a->taken |= BIT_ULL(path->slot[0]);
	for (i = 0; i + 1 < path->length; i++)
		a->allowed[path->slot[i]] = a->allowed[path->slot[i + 1]];
	a->allowed[path->slot[i]] = allowed;
}
