// SPDX-License-Identifier: GPL-2.0-only
/*
 * The order in which the wrap timer of a place reads its boxes, a batch at
 * each tick.
 */
#include <linux/list.h>
#include <linux/minmax.h>

#include "round.h"

void pmon_round_init(struct pmon_round *round)
{
	*round = (struct pmon_round) { .end = &round->read.first };
}

void pmon_round_begin(struct pmon_round *round)
{
	if (!hlist_empty(&round->unread))
		return;
	round->number++;
	hlist_move_list(&round->read, &round->unread);
	round->end = &round->read.first;
}

struct hlist_node *pmon_round_next(struct pmon_round *round)
{
	struct hlist_node *box = round->unread.first;

	if (!box)
		return NULL;

	/* At the end: in each round boxes are read in the same order. */
	__hlist_del(box);
	box->next = NULL;
	box->pprev = round->end;
	*round->end = box;
	round->end = &box->next;
	return box;
}

u64 pmon_round_wait_ns(const struct pmon_round *round)
{
	if (hlist_empty(&round->unread))
		return round->period_ns;
	return min_t(u64, round->period_ns / PMON_ROUND_BATCHES,
		     PMON_ROUND_PAUSE_MAX_NS);
}
