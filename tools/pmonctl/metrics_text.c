// SPDX-License-Identifier: GPL-2.0-only
/*
 * Metrics as Prometheus reads them: text format 0.0.4. Series are few, so that
 * they can be kept for each host of a fleet: sums of packages, not boxes.
 */
#include "metrics_text.h"

#include <stdlib.h>
#include <string.h>

#include "output.h"

#define MIB (1 << 20)

static const struct {
	const char *name, *help;
} moved[FLOW_KINDS][FLOW_WAYS] = {
	[FLOW_MEMORY] = {
		{ "memory_read", "read from memory" },
		{ "memory_written", "written to memory" } },
	[FLOW_CXL] = {
		{ "cxl_read", "read from a CXL device" },
		{ "cxl_written", "written to a CXL device" } },
	[FLOW_PORT] = {
		{ "cxl_port_read", "read through a CXL port" },
		{ "cxl_port_written", "written through a CXL port" } },
	[FLOW_UPI] = {
		{ "upi_received", "received from other packages" },
		{ "upi_sent", "sent to other packages" } },
	[FLOW_IIO] = {
		{ "iio_received", "received from PCIe devices" },
		{ "iio_sent", "sent to PCIe devices" } },
};

static void add_head(struct text *t, const char *name, const char *help,
		     const char *type)
{
	text_add(t, "# HELP openpmon_%s %s\n# TYPE openpmon_%s %s\n", name,
		 help, name, type);
}

/* A label's value: a backslash, a quote and a line feed are escaped. */
static void add_quoted(struct text *t, const char *value)
{
	text_add(t, "\"");
	for (; *value; value++)
		if (*value == '\n')
			text_add(t, "\\n");
		else
			text_add(t, "%s%c", strchr("\\\"", *value) ? "\\" : "",
				 *value);
	text_add(t, "\"");
}

static void add_package(struct text *t, const char *name, long package,
			double value)
{
	text_add(t, "openpmon_%s{package=\"%ld\"} %.17g\n", name, package,
		 value);
}

/* Behind the last box of the same kind in the same package. */
static size_t end_of(const struct bandwidth *b, size_t first)
{
	size_t i = first + 1;

	while (i < b->flows && b->flow[i].kind == b->flow[first].kind &&
	       b->flow[i].package == b->flow[first].package &&
	       b->flow[i].package >= 0)
		i++;
	return i;
}

/* A sum of less than all would be a wrong one: there is none then. */
static void add_sum(struct text *t, const struct turns *turns, const char *name,
		    size_t first, enum flow_way way)
{
	const struct flow *f = &turns->b->flow[first];
	double sum = 0;

	for (size_t i = first; i < end_of(turns->b, first); i++) {
		if (turns->b->flow[i].unknown ||
		    !turns->b->flow[i].counted[way])
			return;
		sum += turns_total(turns, i, way) * MIB;
	}
	if (f->package >= 0) {
		add_package(t, name, f->package, sum);
		return;
	}
	text_add(t, "openpmon_%s{pmu=", name);
	add_quoted(t, f->pmu);
	text_add(t, "} %.17g\n", sum);
}

static void add_flows(struct text *t, const struct turns *turns,
		      enum flow_kind kind, enum flow_way way)
{
	const struct bandwidth *b = turns->b;
	struct text name = { NULL, 0 }, help = { NULL, 0 };
	bool any = false;

	text_add(&name, "%s_bytes_total", moved[kind][way].name);
	text_add(&help, "Bytes %s.", moved[kind][way].help);
	for (size_t i = 0; i < b->flows; i = end_of(b, i)) {
		if (b->flow[i].kind != kind)
			continue;
		if (!any)
			add_head(t, name.s, help.s, "counter");
		any = true;
		add_sum(t, turns, name.s, i, way);
	}
	text_free(&help);
	text_free(&name);
}

static void add_unknown(struct text *t, const struct bandwidth *b)
{
	add_head(t, "unknown_boxes",
		 "Boxes that cannot be counted; sums with them are left out.",
		 "gauge");
	for (int kind = 0; kind < FLOW_KINDS; kind++) {
		size_t boxes = 0, unknown = 0;

		for (size_t i = 0; i < b->flows; i++) {
			boxes += (int)b->flow[i].kind == kind;
			unknown += (int)b->flow[i].kind == kind &&
				   b->flow[i].unknown;
		}
		if (boxes)
			text_add(t, "openpmon_unknown_boxes{kind=\"%s\"} %zu\n",
				 flow_kind_name(kind), unknown);
	}
}

static void add_clocks(struct text *t, const struct clocks *c)
{
	if (c->count)
		add_head(t, "uncore_cycles_total",
			 "Cycles of the uncore's clock.", "counter");
	for (size_t i = 0; i < c->count; i++)
		if (!c->clock[i].counting.unknown && !c->clock[i].still)
			add_package(t, "uncore_cycles_total",
				    c->clock[i].package, c->clock[i].total);
}

/* Domains of one package stand together. */
static bool begins_package(const struct machine *m, size_t i)
{
	return !i || m->domain[i].package != m->domain[i - 1].package;
}

static void add_limits(struct text *t, const struct metrics *m)
{
	const struct machine *machine = m->machine;

	if (!machine->domains)
		return;
	add_head(t, "watched_modules",
		 "Core modules whose limits are known.", "gauge");
	for (size_t i = 0; i < machine->domains; i++)
		if (begins_package(machine, i))
			add_package(t, "watched_modules",
				    machine->domain[i].package,
				    (double)limited_watched(&m->limited,
						machine->domain[i].package));
	add_head(t, "limited_seconds_total",
		 "Time that core modules were limited, summed over modules.",
		 "counter");
	for (size_t i = 0; i < machine->domains; i++)
		for (unsigned int bit = 0; bit < REASON_BITS; bit++) {
			long package = machine->domain[i].package;
			long long ns = limited_of(&m->limited, package, bit);

			if (!begins_package(machine, i) ||
			    reason_coarse(bit) < 0)
				continue;
			text_add(t, "openpmon_limited_seconds_total{"
				 "package=\"%ld\",reason=\"%s\"} %.9g\n",
				 package, reason_name(bit), (double)ns / 1e9);
		}
}

static void add_info(struct text *t, const struct machine *m)
{
	add_head(t, "info", "What counts, and where.", "gauge");
	text_add(t, "openpmon_info{version=\"" PMONCTL_VERSION "\",platform=");
	add_quoted(t, m->devices ? m->device[0].platform : "unknown");
	text_add(t, "} 1\n");
}

static void add_time(struct text *t, const struct turns *turns)
{
	add_head(t, "measured_seconds_total", "For how long this has counted.",
		 "counter");
	text_add(t, "openpmon_measured_seconds_total %.3f\n",
		 (double)(turns->end - turns->begin) / 1000);
}

char *metrics_text(const struct metrics *m)
{
	struct text t = { NULL, 0 };

	add_info(&t, m->machine);
	add_time(&t, &m->turns);
	for (int kind = 0; kind < FLOW_KINDS; kind++)
		for (int way = 0; way < FLOW_WAYS; way++)
			add_flows(&t, &m->turns, kind, way);
	add_unknown(&t, m->turns.b);
	add_clocks(&t, &m->clocks);
	add_limits(&t, m);
	return t.s;
}
