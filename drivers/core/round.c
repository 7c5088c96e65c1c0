// SPDX-License-Identifier: GPL-2.0-only
/*
 * The order in which the wrap timer of a place reads its boxes, a portion at
 * each tick.
 */
#include <linux/list.h>
#include <linux/minmax.h>

#include "round.h"

void pmon_round_init(struct pmon_round *round)
{
	*round = (struct pmon_round) { };
	INIT_LIST_HEAD(&round->running);
}

bool pmon_round_add(struct pmon_round *round, struct list_head *box,
		    u64 period_ns)
{
	/* At the end: the current round does not read it. */
	list_add_tail(box, &round->running);
	round->boxes++;
	if (round->period_ns && round->period_ns <= period_ns)
		return false;

	round->period_ns = period_ns;
	return true;
}

bool pmon_round_del(struct pmon_round *round, struct list_head *box)
{
	list_del_init(box);
	round->boxes--;
	if (round->boxes)
		return false;

	round->period_ns = 0;
	round->unread = 0;
	return true;
}

unsigned int pmon_round_portion(struct pmon_round *round)
{
	unsigned int n;

	/* Boxes may have left since the last portion. */
	round->unread = min(round->unread, round->boxes);
	if (!round->unread)
		round->unread = round->boxes;
	n = min(round->unread, PMON_ROUND_PORTION);
	round->unread -= n;
	return n;
}

struct list_head *pmon_round_next(struct pmon_round *round)
{
	struct list_head *box = round->running.next;

	list_move_tail(box, &round->running);
	return box;
}

u64 pmon_round_wait_ns(const struct pmon_round *round)
{
	if (!round->unread)
		return round->period_ns;
	return min_t(u64, round->period_ns / PMON_ROUND_PORTION,
		     PMON_ROUND_PAUSE_MAX_NS);
}
