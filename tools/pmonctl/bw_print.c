// SPDX-License-Identifier: GPL-2.0-only
/* Prints what pmonctl bw has measured, as a table, lines, CSV or JSON. */
#include "bw_print.h"

#include <stdlib.h>

#include "output.h"
#include "table.h"

static struct bw_rows rows_for(const struct bandwidth *b, const struct options *opt)
{
	struct bw_rows r = bw_rows_of(b, opt->boxes);

	if (opt->sort)
		bw_rows_sort(&r);
	return r;
}

/* "-": no event is there for it. "?": it could not be counted. */
static void rate_cell(struct table *t, const struct bw_row *r, enum flow_way way,
		      double factor, int digits)
{
	struct text s = { NULL, 0 };

	if (!r->counted[way])
		text_add(&s, "-");
	else if (r->unknown)
		text_add(&s, "?");
	else
		text_add(&s, "%.*f", digits, r->rate[way] * factor);
	table_cell(t, "%s", s.s);
	text_free(&s);
}

static void number_cell(struct table *t, long number)
{
	if (number < 0)
		table_cell(t, "-");
	else
		table_cell(t, "%ld", number);
}

static void box_cell(struct table *t, const struct flow *f)
{
	table_cell(t, "%s%s%s", f->pmu, f->devices ? ": " : "",
		   f->devices ? f->devices : "");
}

static void row_cells(struct table *t, const struct bw_row *r, bool boxes)
{
	if (r->box && !boxes)
		table_cell(t, "%s", r->box->pmu);
	else
		table_cell(t, "%s", flow_kind_name(r->kind));
	number_cell(t, r->package);
	number_cell(t, r->node);
	rate_cell(t, r, FLOW_IN, 1, 0);
	rate_cell(t, r, FLOW_OUT, 1, 0);
	if (boxes)
		box_cell(t, r->box);
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
			table_cell(t, "-");
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

char *bw_table(const struct bandwidth *b, const struct options *opt)
{
	static const char *const sums[] = {
		"KIND", "SOCKET", "NODE", " READ MiB/s", " WRITE MiB/s", NULL
	};
	static const char *const boxes[] = {
		"KIND", "SOCKET", "NODE", " READ MiB/s", " WRITE MiB/s", "BOX", NULL
	};
	struct bw_rows rows = rows_for(b, opt);
	struct text text = { NULL, 0 };
	struct table t;

	text_add(&text, "%s", "");
	table_start_headed(&t, opt->boxes ? boxes : sums);
	for (size_t i = 0; i < rows.count; i++)
		row_cells(&t, &rows.row[i], opt->boxes);
	table_add(&text, &t);
	add_latency(&text, b);
	bw_rows_free(&rows);
	return text.s;
}

/* "s0.mem", "s0.n1.mem", "cxl", or the name of a box. */
static void add_name(struct text *t, const struct bw_row *r)
{
	if (r->package >= 0)
		text_add(t, "s%ld.", r->package);
	if (r->node >= 0 && !r->box)
		text_add(t, "n%ld.", r->node);
	if (r->box)
		text_add(t, "%s", r->box->pmu);
	else
		text_add(t, "%s", r->kind == FLOW_MEMORY ? "mem" :
			 flow_kind_name(r->kind));
}

static const char *const ways[FLOW_WAYS] = { "read", "write" };

static void add_rate(struct text *t, const struct bw_row *r, enum flow_way way)
{
	if (bw_row_is_known(r, way))
		text_add(t, "%.1f", r->rate[way]);
}

void bw_lines(const struct bandwidth *b, const struct options *opt)
{
	struct bw_rows rows = rows_for(b, opt);
	char *now = timestamp();

	for (size_t i = 0; i < rows.count; i++) {
		struct text t = { NULL, 0 };

		add_name(&t, &rows.row[i]);
		for (int way = 0; way < FLOW_WAYS; way++) {
			text_add(&t, " %s ", ways[way]);
			if (!rows.row[i].counted[way])
				text_add(&t, "-");
			else if (rows.row[i].unknown)
				text_add(&t, "?");
			add_rate(&t, &rows.row[i], way);
		}
		say("%s %s MiB/s", now, t.s);
		text_free(&t);
	}
	free(now);
	bw_rows_free(&rows);
}

void bw_csv_head(const struct bandwidth *b, const struct options *opt)
{
	struct bw_rows rows = bw_rows_of(b, opt->boxes);
	struct text t = { NULL, 0 };

	text_add(&t, "time");
	for (size_t i = 0; i < rows.count; i++)
		for (int way = 0; way < FLOW_WAYS; way++) {
			text_add(&t, ",");
			add_name(&t, &rows.row[i]);
			text_add(&t, ".%s", ways[way]);
		}
	say("%s", t.s);
	text_free(&t);
	bw_rows_free(&rows);
}

/* An empty field is a value that is not known. */
void bw_csv(const struct bandwidth *b, const struct options *opt)
{
	struct bw_rows rows = bw_rows_of(b, opt->boxes);
	char *now = timestamp();
	struct text t = { NULL, 0 };

	text_add(&t, "%s", now);
	for (size_t i = 0; i < rows.count; i++)
		for (int way = 0; way < FLOW_WAYS; way++) {
			text_add(&t, ",");
			add_rate(&t, &rows.row[i], way);
		}
	say("%s", t.s);
	text_free(&t);
	free(now);
	bw_rows_free(&rows);
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

static void json_flows(const struct bandwidth *b)
{
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
}

/* The next node after one that has memory controllers; -1: none. */
static long node_after(const struct bandwidth *b, long after)
{
	long node = -1;

	for (size_t i = 0; i < b->flows; i++)
		if (b->flow[i].node > after && (node < 0 || b->flow[i].node < node))
			node = b->flow[i].node;
	return node;
}

static void json_nodes(const struct bandwidth *b)
{
	json_open("nodes", '[');
	for (long node = node_after(b, -1); node >= 0; node = node_after(b, node)) {
		struct bw_row sum = { .counted = { true, true } };

		for (size_t i = 0; i < b->flows; i++) {
			if (b->flow[i].node != node)
				continue;
			sum.boxes++;
			sum.unknown += b->flow[i].unknown;
			for (int way = 0; way < FLOW_WAYS; way++) {
				sum.rate[way] += b->flow[i].rate[way];
				sum.counted[way] &= b->flow[i].counted[way];
			}
		}
		json_open(NULL, '{');
		json_number("node", node);
		json_number("boxes", (long)sum.boxes);
		json_rates(sum.rate, sum.counted, sum.unknown);
		json_close('}');
	}
	json_close(']');
}

static void json_sockets(const struct bandwidth *b)
{
	struct bw_rows rows = bw_packages_of(b);

	json_open("sockets", '[');
	for (size_t i = 0; i < rows.count; i++) {
		const struct bw_row *r = &rows.row[i];

		json_open(NULL, '{');
		json_text("kind", flow_kind_name(r->kind));
		json_known("package", r->package);
		json_number("boxes", (long)r->boxes);
		json_number("unknown", (long)r->unknown);
		json_rates(r->rate, r->counted, r->unknown);
		json_close('}');
	}
	json_close(']');
	bw_rows_free(&rows);
}

void bw_json(const struct bandwidth *b, double seconds)
{
	char *now = timestamp();

	json_number("format", 1);
	json_text("time", now);
	json_number("ms", (long)(seconds * 1000));
	json_flows(b);
	json_nodes(b);
	json_sockets(b);
	free(now);
}

void bw_print_totals(const struct bandwidth *b, double seconds)
{
	static const char *const head[] = {
		"KIND", "SOCKET", " READ GiB", " WRITE GiB", " READ MiB/s",
		" WRITE MiB/s", NULL
	};
	struct bw_rows rows = bw_packages_of(b);
	struct table t;

	table_start_headed(&t, head);
	for (size_t i = 0; i < rows.count; i++) {
		const struct bw_row *r = &rows.row[i];

		table_cell(&t, "%s", flow_kind_name(r->kind));
		number_cell(&t, r->package);
		rate_cell(&t, r, FLOW_IN, seconds / 1024, 2);
		rate_cell(&t, r, FLOW_OUT, seconds / 1024, 2);
		rate_cell(&t, r, FLOW_IN, 1, 0);
		rate_cell(&t, r, FLOW_OUT, 1, 0);
	}
	table_print(&t);
	if (b->lacking) {
		say_nothing();
		say("%s", b->lacking);
	}
	bw_rows_free(&rows);
}
