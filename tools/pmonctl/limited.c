// SPDX-License-Identifier: GPL-2.0-only
/* Tells how long reasons have limited modules since a start. */
#include "limited.h"

#include <stdlib.h>

#include "history.h"
#include "output.h"

static void take(struct limited *l, size_t i, bool add)
{
	struct part *p = &l->all->part[i];
	const struct history *h;

	if (!part_is_core(p))
		return;
	l->watched[i] = part_read_active(p);
	history_read(p);
	h = p->history;
	for (unsigned int bit = 0; bit < REASON_BITS; bit++) {
		long long now = h->seen >> bit & 1 ? h->limited[bit] : 0;
		long long *last = &l->last[i][bit];

		/* Less than before: it was cleared, and began anew. */
		if (add)
			l->sum[i][bit] += now - (now >= *last ? *last : 0);
		*last = now;
	}
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
		take(l, i, false);
}

void limited_add(struct limited *l)
{
	for (size_t i = 0; i < l->all->count; i++)
		take(l, i, true);
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
