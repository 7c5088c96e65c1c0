// SPDX-License-Identifier: GPL-2.0-only
/* Prints what pmonctl bw has measured, as a table, CSV or JSON. */
#include "bw_print.h"

#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "table.h"
#include "timestamp.h"

/* Less than this is shown as idle: clocks and firmware alone move some. */
#define IDLE 1.0

#define DEVICES_SHOWN 2

/* The boxes of one kind in one package. */
struct span {
	size_t first, count, idle, unknown;
	double sum[FLOW_WAYS];
	bool counted[FLOW_WAYS];	/* by each of them */
};

static bool is_idle(const struct flow *f)
{
	return f->rate[FLOW_IN] < IDLE && f->rate[FLOW_OUT] < IDLE;
}

/* Ports on one way see the same accesses: their sum would be none of anything. */
static bool has_sum(enum flow_kind kind)
{
	return kind != FLOW_PORT;
}

static struct span span_from(const struct bandwidth *b, size_t first)
{
	const struct flow *f = &b->flow[first];
	struct span s = { .first = first, .counted = { true, true } };

	for (size_t i = first; i < b->flows && b->flow[i].kind == f->kind &&
	     b->flow[i].package == f->package &&
	     (i == first || has_sum(f->kind)); i++) {
		const struct flow *one = &b->flow[i];

		s.count++;
		s.unknown += one->unknown;
		s.idle += !one->unknown && is_idle(one);
		for (int way = 0; way < FLOW_WAYS; way++) {
			s.sum[way] += one->rate[way];
			s.counted[way] &= one->counted[way];
		}
	}
	return s;
}

static void package_cell(struct table *t, long package)
{
	if (package < 0)
		table_cell(t, "-");
	else
		table_cell(t, "%ld", package);
}

/* "-": no event is there for it. "?": it could not be counted. */
static void rate_cells(struct table *t, const double rate[FLOW_WAYS],
		       const bool counted[FLOW_WAYS], bool unknown)
{
	for (int way = 0; way < FLOW_WAYS; way++)
		if (!counted[way])
			table_cell(t, "%s", "-");
		else if (unknown)
			table_cell(t, "%s", "?");
		else
			table_cell(t, "%.0f", rate[way]);
}

/* How many they are, or which one it is. */
static void boxes_text(struct text *t, const struct span *s,
		       const struct flow *f)
{
	if (!has_sum(f->kind)) {
		text_add(t, "%s", f->pmu);
		return;
	}
	text_add(t, "all %zu", s->count);
	if (s->idle)
		text_add(t, ", %zu idle", s->idle);
	if (s->unknown)
		text_add(t, ", %zu unknown", s->unknown);
}

static void add_sum(struct table *t, const struct bandwidth *b,
		    const struct span *s)
{
	const struct flow *f = &b->flow[s->first];
	struct text boxes = { NULL, 0 };

	boxes_text(&boxes, s, f);
	table_cell(t, "%s", flow_kind_name(f->kind));
	package_cell(t, f->package);
	/* A sum of less than all would be a wrong one. */
	rate_cells(t, s->sum, s->counted, s->unknown);
	table_cell(t, "%s", boxes.s);
	text_free(&boxes);
}

/* As many devices as a line has room for; JSON has them all. */
static void add_name(struct table *t, const struct flow *f)
{
	const char *end = f->devices;
	size_t left = 0;

	if (!end) {
		table_cell(t, "%s", f->pmu);
		return;
	}
	for (int i = 0; i < DEVICES_SHOWN && *end; i++)
		end += strcspn(end + (*end == ','), ",") + (*end == ',');
	for (const char *c = end; *c; c++)
		left += *c == ',';
	if (left)
		table_cell(t, "%s: %.*s, %zu more", f->pmu,
			   (int)(end - f->devices), f->devices, left);
	else
		table_cell(t, "%s: %s", f->pmu, f->devices);
}

static void add_boxes(struct table *t, const struct bandwidth *b,
		      const struct span *s)
{
	for (size_t i = s->first; i < s->first + s->count; i++) {
		const struct flow *f = &b->flow[i];

		if (!f->unknown && is_idle(f))
			continue;
		table_cell(t, "%s", "");
		package_cell(t, f->package);
		rate_cells(t, f->rate, f->counted, f->unknown);
		add_name(t, f);
	}
}

/* What the controllers of a node move. */
struct node {
	long node;
	size_t boxes;
	bool unknown;
	double sum[FLOW_WAYS];
	bool counted[FLOW_WAYS];
};

/* The next node after one, of these flows; false when there is none. */
static bool node_after(const struct bandwidth *b, size_t first, size_t count,
		       long after, struct node *n)
{
	*n = (struct node){ .node = -1, .counted = { true, true } };
	for (size_t i = first; i < first + count; i++)
		if (b->flow[i].node > after &&
		    (n->node < 0 || b->flow[i].node < n->node))
			n->node = b->flow[i].node;
	for (size_t i = first; i < first + count && n->node >= 0; i++) {
		const struct flow *f = &b->flow[i];

		if (f->node != n->node)
			continue;
		n->boxes++;
		n->unknown |= f->unknown;
		for (int way = 0; way < FLOW_WAYS; way++) {
			n->sum[way] += f->rate[way];
			n->counted[way] &= f->counted[way];
		}
	}
	return n->node >= 0;
}

/* Where a package has several; of one, the sum is the package's. */
static void add_nodes(struct table *t, const struct bandwidth *b,
		      const struct span *s)
{
	struct node n = { .node = -1 };

	if (!node_after(b, s->first, s->count, -1, &n) || n.boxes == s->count)
		return;
	do {
		table_cell(t, "%s", flow_kind_name(b->flow[s->first].kind));
		package_cell(t, b->flow[s->first].package);
		rate_cells(t, n.sum, n.counted, n.unknown);
		table_cell(t, "node %ld: %zu", n.node, n.boxes);
	} while (node_after(b, s->first, s->count, n.node, &n));
}

/* Does it count what an average is made of, and were there requests? */
static bool has_requests(const struct flow *f)
{
	return f->clock > 0 && f->stayed[FLOW_IN] + f->stayed[FLOW_OUT] > 0 &&
	       f->asked[FLOW_IN] + f->asked[FLOW_OUT] > 0;
}

static void latency_cells(struct table *t, const struct flow *f)
{
	table_cell(t, "%s", f->pmu);
	for (int way = 0; way < FLOW_WAYS; way++) {
		double ns = flow_latency_ns(f, way);

		if (ns < 0)
			table_cell(t, "%s", "-");
		else
			table_cell(t, "%.0f", ns);
	}
}

/* Of devices that had requests, "-" where it is not known; nothing without. */
static void add_latency(struct text *text, const struct bandwidth *b)
{
	static const char *const head[] = {
		"AVERAGE ns", " READ", " WRITE", NULL
	};
	struct table t;

	table_start_headed(&t, head);
	for (size_t i = 0; i < b->flows; i++)
		if (has_requests(&b->flow[i]))
			latency_cells(&t, &b->flow[i]);
	if (t.rows && !t.hidden)
		text_add(text, "\n");
	table_add(text, &t);
}

char *bw_table(const struct bandwidth *b)
{
	static const char *const head[] = {
		"MiB/s", "PACKAGE", " READ/IN", " WRITE/OUT", "BOXES", NULL
	};
	struct text text = { NULL, 0 };
	struct table t;

	text_add(&text, "%s", "");
	table_start_headed(&t, head);
	for (size_t i = 0; i < b->flows;) {
		struct span s = span_from(b, i);

		add_sum(&t, b, &s);
		add_nodes(&t, b, &s);
		/* Rows that say "?" each say no more than their sum. */
		if ((s.count > 1 && s.unknown < s.count) || b->flow[i].devices)
			add_boxes(&t, b, &s);
		i += s.count;
	}
	table_add(&text, &t);
	add_latency(&text, b);
	return text.s;
}

void bw_csv_head(void)
{
	say("time,kind,package,pmu,in_mib_s,out_mib_s,node");
}

static void add_rate(struct text *t, const struct flow *f, enum flow_way way)
{
	text_add(t, ",");
	if (f->counted[way] && !f->unknown)
		text_add(t, "%.1f", f->rate[way]);
}

/* An empty field is a value that is not known. */
void bw_csv(const struct bandwidth *b)
{
	char *now = timestamp();

	for (size_t i = 0; i < b->flows; i++) {
		const struct flow *f = &b->flow[i];
		struct text package = { NULL, 0 }, rates = { NULL, 0 };

		text_add(&package, "%s", "");
		if (f->package >= 0)
			text_add(&package, "%ld", f->package);
		text_add(&rates, "%s", "");
		add_rate(&rates, f, FLOW_IN);
		add_rate(&rates, f, FLOW_OUT);
		text_add(&rates, ",");
		if (f->node >= 0)
			text_add(&rates, "%ld", f->node);
		say("%s,%s,%s,%s%s", now, flow_kind_name(f->kind), package.s,
		    f->pmu, rates.s);
		text_free(&package);
		text_free(&rates);
	}
	free(now);
}

static void json_latency(const char *name, double ns)
{
	if (ns >= 0)
		json_number(name, (long)(ns + 0.5));
}

/* null: not known, or no event is there for it. */
static void json_rates(const double rate[FLOW_WAYS],
		       const bool counted[FLOW_WAYS], bool unknown)
{
	static const char *const names[FLOW_WAYS] = {
		"in_bytes_s", "out_bytes_s",
	};

	for (int way = 0; way < FLOW_WAYS; way++)
		if (unknown || !counted[way])
			json_text(names[way], NULL);
		else
			json_number(names[way], (long)(rate[way] * (1 << 20)));
}

static void json_nodes(const struct bandwidth *b)
{
	struct node n = { .node = -1 };

	json_open("nodes", '[');
	while (node_after(b, 0, b->flows, n.node, &n)) {
		json_open(NULL, '{');
		json_number("node", n.node);
		json_number("boxes", (long)n.boxes);
		json_rates(n.sum, n.counted, n.unknown);
		json_close('}');
	}
	json_close(']');
}

void bw_json(const struct bandwidth *b, double seconds)
{
	char *now = timestamp();

	json_number("format", 1);
	json_text("time", now);
	json_number("ms", (long)(seconds * 1000));
	json_open("flows", '[');
	for (size_t i = 0; i < b->flows; i++) {
		const struct flow *f = &b->flow[i];

		json_open(NULL, '{');
		json_text("kind", flow_kind_name(f->kind));
		json_known("package", f->package);
		json_known("node", f->node);
		json_text("pmu", f->pmu);
		if (f->devices)
			json_text("devices", f->devices);
		json_rates(f->rate, f->counted, f->unknown);
		json_latency("in_ns", flow_latency_ns(f, FLOW_IN));
		json_latency("out_ns", flow_latency_ns(f, FLOW_OUT));
		json_close('}');
	}
	json_close(']');
	json_nodes(b);
	free(now);
}
