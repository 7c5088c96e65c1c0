/* SPDX-License-Identifier: GPL-2.0-only */
/* Which boxes are to be read next, and when. */
#ifndef PMON_ROUND_H
#define PMON_ROUND_H

#include <linux/list.h>
#include <linux/types.h>

/*
 * A box is up to five reads of about a microsecond with interrupts off, and a
 * place may have hundreds: a round is made in portions with pauses between.
 * The period leaves room for them, it is half of what a counter needs to wrap.
 */
#define PMON_ROUND_PORTION	32U
#define PMON_ROUND_PAUSE_MAX_NS	1000000ULL

/**
 * struct pmon_round - boxes that have events, to be read before counters wrap
 * @running: the boxes, those that this round has yet to read first
 * @boxes: how many
 * @unread: how many of them, from the first on, this round has yet to read
 * @period_ns: how often, 0 when there are none
 */
struct pmon_round {
	struct list_head running;
	unsigned int boxes;
	unsigned int unread;
	u64 period_ns;
};

void pmon_round_init(struct pmon_round *round);

/**
 * pmon_round_add() - a box begins to run
 * @round: the boxes of its place
 * @box: its place in the list
 * @period_ns: how often it must be read
 *
 * Return: the timer must be started anew, with the round's period, which is the
 * shortest of the boxes that run, or have since any did.
 */
bool pmon_round_add(struct pmon_round *round, struct list_head *box,
		    u64 period_ns);

/**
 * pmon_round_del() - a box ends to run
 * @round: the boxes of its place
 * @box: its place in the list
 *
 * Return: none is left, and the timer can stop.
 */
bool pmon_round_del(struct pmon_round *round, struct list_head *box);

/**
 * pmon_round_portion() - the timer ticks
 * @round: the boxes of its place
 *
 * Return: how many boxes it is to read, one pmon_round_next() each.
 */
unsigned int pmon_round_portion(struct pmon_round *round);

/* The box at the head of the list, which goes to the end. */
struct list_head *pmon_round_next(struct pmon_round *round);

/* After a portion: nanoseconds to the next tick. */
u64 pmon_round_wait_ns(const struct pmon_round *round);

#endif /* PMON_ROUND_H */
