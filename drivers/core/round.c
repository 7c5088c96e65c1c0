// SPDX-License-Identifier: GPL-2.0-only
/*
 * The order in which the wrap timer of a place reads its boxes, a portion at
 * each tick.
 */
#include <linux/list.h>
#include <linux/minmax.h>

#include "round.h"

void pmon_round_begin(struct pmon_round *round)
{
	if (hlist_empty(&round->unread))
		hlist_move_list(&round->read, &round->unread);
}

struct hlist_node *pmon_round_next(struct pmon_round *round)
{
	struct hlist_node *box = round->unread.first;

	if (!box)
		return NULL;

	hlist_del(box);
	hlist_add_head(box, &round->read);
	return box;
}

u64 pmon_round_wait_ns(const struct pmon_round *round)
{
	if (hlist_empty(&round->unread))
		return round->period_ns;
	return min_t(u64, round->period_ns / PMON_ROUND_PORTION,
		     PMON_ROUND_PAUSE_MAX_NS);
}
