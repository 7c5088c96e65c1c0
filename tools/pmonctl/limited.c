// SPDX-License-Identifier: GPL-2.0-only
/* Sums up for how long reasons have limited modules since a start. */
#include "limited.h"

#include <stdlib.h>

#include "output.h"

/* What the lines of a part said when they were there last. */
struct record {
	bool read, watched;
	long long last[REASON_BITS + 1], sum[REASON_BITS + 1];
};

/*
 * The time only grows, until the driver is loaded again. What was there before the
 * first look is not summed up.
 */
static void take(struct record *r, struct part *p)
{
	r->watched = false;
	if (!part_is_core(p) || !history_read(p))
		return;
	for (unsigned int bit = 0; bit <= REASON_BITS; bit++) {
		long long now = p->history->limited[bit];
		long long gain = now >= r->last[bit] ? now - r->last[bit] : now;

		if (r->read)
			r->sum[bit] += gain;
		if (bit == OBSERVED)
			r->watched = gain;
		r->last[bit] = now;
	}
	r->read = true;
}

void limited_add(struct limited *l)
{
	for (size_t i = 0; i < l->all->count; i++)
		take(&l->record[i], &l->all->part[i]);
}

void limited_start(struct limited *l, struct parts *all)
{
	*l = (struct limited){ all, calloc(all->count + 1, sizeof(*l->record)) };
	if (!l->record)
		out_of_memory();
	limited_add(l);
}

static bool is_of(const struct limited *l, size_t i, long package)
{
	return package < 0 || l->all->part[i].domain->package == package;
}

long long limited_of(const struct limited *l, long package, unsigned int bit)
{
	long long sum = 0;

	for (size_t i = 0; l->all && i < l->all->count; i++)
		if (is_of(l, i, package))
			sum += l->record[i].sum[bit];
	return sum;
}

bool limited_known(const struct limited *l, long package)
{
	for (size_t i = 0; i < l->all->count; i++)
		if (is_of(l, i, package) && l->record[i].read)
			return true;
	return false;
}

size_t limited_watched(const struct limited *l, long package)
{
	size_t n = 0;

	for (size_t i = 0; i < l->all->count; i++)
		n += is_of(l, i, package) && l->record[i].watched;
	return n;
}

size_t limited_modules(const struct limited *l, unsigned int bit)
{
	size_t n = 0;

	for (size_t i = 0; i < l->all->count; i++)
		n += l->record[i].sum[bit] > 0;
	return n;
}

void limited_free(struct limited *l)
{
	free(l->record);
	*l = (struct limited){ .all = NULL };
}
