// SPDX-License-Identifier: GPL-2.0-only
/* Sums of bandwidth: of packages, of their nodes, or none of boxes. */
#include "bw_rows.h"

#include <stdlib.h>

#include "output.h"

static struct bw_row *find(struct bw_rows *r, const struct flow *f, long node)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->row[i].kind == f->kind && r->row[i].package == f->package &&
		    r->row[i].node == node && !r->row[i].box)
			return &r->row[i];
	return NULL;
}

static struct bw_row *add_row(struct bw_rows *r, const struct flow *f, long node)
{
	r->row = xrealloc(r->row, (r->count + 1) * sizeof(*r->row));
	r->row[r->count] = (struct bw_row){
		.kind = f->kind, .package = f->package, .node = node,
		.counted = { true, true },
	};
	return &r->row[r->count++];
}

static void add_flow(struct bw_rows *r, const struct flow *f, long node, bool alone)
{
	struct bw_row *row = alone ? NULL : find(r, f, node);

	if (!row)
		row = add_row(r, f, node);
	if (alone)
		row->box = f;
	row->boxes++;
	row->unknown += f->unknown;
	for (int way = 0; way < FLOW_WAYS; way++) {
		row->rate[way] += f->rate[way];
		row->counted[way] &= f->counted[way];
	}
}

/* Each controller of the package is in a node that is known, and they are several. */
static bool has_nodes(const struct bandwidth *b, const struct flow *of)
{
	bool several = false;

	for (size_t i = 0; i < b->flows; i++) {
		const struct flow *f = &b->flow[i];

		if (f->kind != of->kind || f->package != of->package)
			continue;
		if (f->node < 0)
			return false;
		several |= f->node != of->node;
	}
	return several;
}

struct bw_rows bw_rows_of(const struct bandwidth *b, bool boxes)
{
	struct bw_rows r = { NULL, 0 };

	for (size_t i = 0; i < b->flows; i++) {
		const struct flow *f = &b->flow[i];

		add_flow(&r, f, boxes || has_nodes(b, f) ? f->node : -1,
			 boxes || f->kind == FLOW_PORT);
	}
	return r;
}

struct bw_rows bw_packages_of(const struct bandwidth *b)
{
	struct bw_rows r = { NULL, 0 };

	for (size_t i = 0; i < b->flows; i++)
		if (b->flow[i].kind != FLOW_PORT)
			add_flow(&r, &b->flow[i], -1, false);
	return r;
}

bool bw_row_is_known(const struct bw_row *r, enum flow_way way)
{
	return r->counted[way] && !r->unknown;
}

double bw_row_moved(const struct bw_row *r)
{
	return r->unknown ? -1 : r->rate[FLOW_IN] + r->rate[FLOW_OUT];
}

static int compare(const void *a, const void *b)
{
	double x = bw_row_moved(a), y = bw_row_moved(b);

	return (x < y) - (x > y);
}

void bw_rows_sort(struct bw_rows *r)
{
	if (r->count)
		qsort(r->row, r->count, sizeof(*r->row), compare);
}

void bw_rows_free(struct bw_rows *r)
{
	free(r->row);
	*r = (struct bw_rows){ NULL, 0 };
}
