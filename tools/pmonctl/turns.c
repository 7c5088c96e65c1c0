// SPDX-License-Identifier: GPL-2.0-only
/*
 * One counter of each box is borrowed, so that three of four are left for
 * other programs.
 */
#include "turns.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "bandwidth.h"
#include "output.h"

/* More turns than that in a round, and a turn were too short. */
#define ROUND_MOST 64

static bool runs_by_itself(const struct flow *f)
{
	return strstr(f->pmu, "free_running");
}

/* The next event of the same box, itself if there is no other. */
static size_t next_of(const struct bandwidth *b, size_t meter)
{
	size_t next = meter;

	do
		next = (next + 1) % b->meters;
	while (b->meter[next].flow != b->meter[meter].flow);
	return next;
}

/* The first event of each box has the first turn. */
static bool is_first(const struct bandwidth *b, size_t meter)
{
	for (size_t i = 0; i < meter; i++)
		if (b->meter[i].flow == b->meter[meter].flow)
			return false;
	return true;
}

void turns_start(struct turns *t, struct bandwidth *b)
{
	long long now = clock_ms();

	*t = (struct turns){
		b, xrealloc(NULL, (b->meters + 1) * sizeof(*t->turn)), now, now,
	};
	for (size_t i = 0; i < b->meters; i++) {
		struct turn *turn = &t->turn[i];

		*turn = (struct turn){ .since = now };
		turn->counting.fd = b->meter[i].fd;
		turn->alone = next_of(b, i) == i ||
			      runs_by_itself(&b->flow[b->meter[i].flow]);
		turn->on = turn->alone || is_first(b, i);
		if (!turn->on)
			count_switch(b->meter[i].fd, false);
	}
	for (size_t i = 0; i < b->meters; i++)
		count_read(b->meter[i].fd, &t->turn[i].counting.begin);
}

/*
 * The counts, extrapolated to the time in which the counter counted something
 * else.
 */
static void add_up(struct turns *t, size_t i, long long now)
{
	struct meter *m = &t->b->meter[i];
	struct turn *turn = &t->turn[i];
	struct count count;
	double whole;

	if (!counting_take(&turn->counting, &count)) {
		if (turn->alone)
			counting_retry(m->fd, turn->counting.failures);
		if (turn->counting.unknown)
			turn->since = now;
		return;
	}
	m->still = !count.value;
	whole = turn->alone ? (double)count.enabled_ns :
			      (double)(now - turn->since) * 1e6;
	turn->rate = m->scale * (double)count.value /
		     ((double)count.running_ns / 1e6);
	turn->total += turn->rate * (whole / 1e6);
	turn->since = now;
}

static void pass_on(struct turns *t, size_t i)
{
	size_t next = next_of(t->b, i);
	struct counting *c = &t->turn[next].counting;

	count_switch(t->b->meter[i].fd, false);
	t->turn[i].on = false;
	if (c->failures)
		counting_retry(c->fd, c->failures);
	else
		count_switch(c->fd, true);
	t->turn[next].on = true;
	count_read(c->fd, &c->begin);
}

static void find_unknown(struct turns *t)
{
	for (size_t i = 0; i < t->b->flows; i++)
		t->b->flow[i].unknown = t->b->flow[i].unopened;
	for (size_t i = 0; i < t->b->meters; i++)
		if (t->turn[i].counting.unknown && t->b->meter[i].kind == METER_MOVED)
			t->b->flow[t->b->meter[i].flow].unknown = true;
	frozen_mark(t->b);
}

static size_t common_multiple(size_t a, size_t b)
{
	size_t m = a;

	while (m % b)
		m += a;
	return m;
}

size_t turns_in_round(const struct turns *t)
{
	size_t round = 1;

	for (size_t i = 0; i < t->b->meters; i++) {
		size_t events = 1, both;

		for (size_t j = next_of(t->b, i); j != i && !t->turn[i].alone;
		     j = next_of(t->b, j))
			events++;
		both = common_multiple(round, events);
		round = both <= ROUND_MOST ? both : round;
	}
	return round;
}

void turns_next(struct turns *t)
{
	long long now = clock_ms();
	bool *had = xrealloc(NULL, t->b->meters + 1);

	t->end = now;
	for (size_t i = 0; i < t->b->meters; i++) {
		had[i] = t->turn[i].on;
		if (had[i])
			add_up(t, i, now);
	}
	for (size_t i = 0; i < t->b->meters; i++)
		if (had[i] && !t->turn[i].alone)
			pass_on(t, i);
	free(had);
	find_unknown(t);
}

void turns_settle(struct turns *t)
{
	long long now = clock_ms();

	for (size_t i = 0; i < t->b->meters; i++) {
		struct turn *turn = &t->turn[i];

		if (turn->alone)
			continue;
		turn->total += turn->rate * (double)(now - turn->since);
		turn->since = now;
	}
}

double turns_total(const struct turns *t, size_t flow, enum meter_kind kind,
		   enum flow_way way)
{
	double total = 0;

	for (size_t i = 0; i < t->b->meters; i++)
		if (t->b->meter[i].flow == flow && t->b->meter[i].way == way &&
		    t->b->meter[i].kind == kind)
			total += t->turn[i].total;
	return total;
}

void turns_free(struct turns *t)
{
	free(t->turn);
	t->turn = NULL;
}
