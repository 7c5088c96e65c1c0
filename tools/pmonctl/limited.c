// SPDX-License-Identifier: GPL-2.0-only
/* Tells how long reasons have limited modules since a start. */
#include "limited.h"

#include <stdlib.h>

#include "history.h"
#include "output.h"

/* What the lines of a part said when they were there last. */
struct record {
	bool read;
	long long limited[REASON_BITS];
};

/* The time only grows, until the driver is loaded again. */
static long long gain(const struct record *last, const struct history *h,
		      unsigned int bit)
{
	long long limited = h->limited[bit];

	return limited >= last->limited[bit] ? limited - last->limited[bit] :
					       limited;
}

/*
 * What was there before the first look is not summed up.
 */
static void take(struct limited *l, size_t i)
{
	struct part *p = &l->all->part[i];
	struct record *last = &l->last[i];
	const struct history *h;

	if (!part_is_core(p))
		return;
	l->watched[i] = part_read_active(p);
	if (!history_read(p))
		return;
	h = p->history;
	for (unsigned int bit = 0; bit < REASON_BITS; bit++) {
		if (!(h->seen >> bit & 1))
			continue;
		if (last->read)
			l->sum[i][bit] += gain(last, h, bit);
		last->limited[bit] = h->limited[bit];
	}
	last->read = true;
}

void limited_start(struct limited *l, const struct parts *all)
{
	*l = (struct limited){
		all, calloc(all->count + 1, sizeof(*l->last)),
		calloc(all->count + 1, sizeof(*l->sum)),
		calloc(all->count + 1, sizeof(*l->watched)),
	};
	if (!l->last || !l->sum || !l->watched)
		out_of_memory();
	for (size_t i = 0; i < all->count; i++)
		take(l, i);
}

void limited_add(struct limited *l)
{
	for (size_t i = 0; i < l->all->count; i++)
		take(l, i);
}

long long limited_of(const struct limited *l, long package, unsigned int bit)
{
	long long sum = 0;

	for (size_t i = 0; i < l->all->count; i++)
		if (l->all->part[i].domain->package == package)
			sum += l->sum[i][bit];
	return sum;
}

size_t limited_watched(const struct limited *l, long package)
{
	size_t n = 0;

	for (size_t i = 0; i < l->all->count; i++)
		n += l->all->part[i].domain->package == package &&
		     l->watched[i];
	return n;
}

void limited_free(struct limited *l)
{
	free(l->last);
	free(l->sum);
	free(l->watched);
	*l = (struct limited){ .all = NULL };
}
