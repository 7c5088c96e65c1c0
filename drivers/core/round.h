/* SPDX-License-Identifier: GPL-2.0-only */
/* Which boxes are to be read next, and when. */
#ifndef PMON_ROUND_H
#define PMON_ROUND_H

#include <linux/list.h>
#include <linux/types.h>

/*
 * An access takes about a microsecond with interrupts off, and a place may have
 * hundreds of boxes: a round is made in batches with pauses between. A batch
 * ends with the box that reaches this many accesses, so a tick takes at most 64
 * where no box takes more than 16. The period leaves room for the pauses, it is
 * half of what a counter needs to wrap.
 */
#define PMON_ROUND_ACCESSES	48U
/* The shortest pause is the period divided by this. */
#define PMON_ROUND_BATCHES	64U
#define PMON_ROUND_PAUSE_MAX_NS	1000000ULL

/**
 * struct pmon_round - boxes that have events, to be read before counters wrap
 * @unread: those that this round has yet to read
 * @read: the others: those that are new, then in the order of their readings
 * @end: the end of @read
 * @boxes: how many there are in both
 * @number: of the round, so that what belongs to several boxes is done once
 * @period_ns: how often they are read, 0 when there are none
 */
struct pmon_round {
	struct hlist_head unread;
	struct hlist_head read;
	struct hlist_node **end;
	unsigned int boxes;
	unsigned int number;
	u64 period_ns;
};

void pmon_round_init(struct pmon_round *round);

/**
 * pmon_round_add() - a box begins to run
 * @round: the boxes of its place
 * @box: its place in the list
 * @period_ns: how often it must be read
 *
 * The current round does not read it. This and pmon_round_del() are part of
 * each start and stop, so they are inline.
 *
 * Return: the timer must be started anew, with the round's period, which is the
 * shortest of the boxes that run, or have since any did.
 */
static inline bool pmon_round_add(struct pmon_round *round,
				  struct hlist_node *box, u64 period_ns)
{
	hlist_add_head(box, &round->read);
	if (!box->next)
		round->end = &box->next;
	round->boxes++;
	if (round->period_ns && round->period_ns <= period_ns)
		return false;

	round->period_ns = period_ns;
	return true;
}

/**
 * pmon_round_del() - a box ends to run
 * @round: the boxes of its place
 * @box: its place in the list
 *
 * Return: none is left, and the timer can stop.
 */
static inline bool pmon_round_del(struct pmon_round *round,
				  struct hlist_node *box)
{
	if (round->end == &box->next)
		round->end = box->pprev;
	__hlist_del(box);
	round->boxes--;
	if (round->boxes)
		return false;

	round->period_ns = 0;
	return true;
}

/**
 * pmon_round_begin() - the timer ticks
 * @round: the boxes of its place
 *
 * Begins a round if the last one has ended. pmon_round_next() is to follow.
 */
void pmon_round_begin(struct pmon_round *round);

/* The next box to be read; NULL when the round has ended. */
struct hlist_node *pmon_round_next(struct pmon_round *round);

/* After a batch: nanoseconds to the next tick. */
u64 pmon_round_wait_ns(const struct pmon_round *round);

#endif /* PMON_ROUND_H */
