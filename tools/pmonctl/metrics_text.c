// SPDX-License-Identifier: GPL-2.0-only
/*
 * Metrics as Prometheus reads them: text format 0.0.4. Series are few, so that
 * they can be kept for each host of a fleet: sums of packages, not boxes.
 */
#include "metrics_text.h"

#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "powercap.h"

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

/* Which boxes have one sum: of a package, a node of it, or a stack; or each device. */
enum split { PACKAGES, NODES, STACKS };

static bool are_one(const struct flow *a, const struct flow *b, enum split part)
{
	return a->kind == b->kind && a->package == b->package && a->package >= 0 &&
	       (part != NODES || a->node == b->node) &&
	       (part != STACKS || a->number == b->number);
}

static bool is_first(const struct bandwidth *b, size_t i, enum split part)
{
	for (size_t j = 0; j < i; j++)
		if (are_one(&b->flow[j], &b->flow[i], part))
			return false;
	return true;
}

static void add_labels(struct text *t, const struct flow *f, enum split part)
{
	if (f->package < 0) {
		text_add(t, "{pmu=");
		add_quoted(t, f->pmu);
	} else {
		text_add(t, "{package=\"%ld\"", f->package);
	}
	if (part == NODES)
		text_add(t, ",node=\"%ld\"", f->node);
	else if (part == STACKS)
		text_add(t, ",stack=\"%u\"", f->number);
	text_add(t, "}");
}

/* A sum of less than all would be a wrong one: there is none then. */
static void add_sum(struct text *t, const struct turns *turns, const char *name,
		    size_t first, enum flow_way way, enum split part)
{
	const struct bandwidth *b = turns->b;
	double sum = 0;

	for (size_t i = first; i < b->flows; i++) {
		if (i != first && !are_one(&b->flow[first], &b->flow[i], part))
			continue;
		if (b->flow[i].unknown || !b->flow[i].counted[way])
			return;
		sum += turns_total(turns, i, METER_MOVED, way) * MIB;
	}
	text_add(t, "openpmon_%s", name);
	add_labels(t, &b->flow[first], part);
	text_add(t, " %.17g\n", sum);
}

static void add_flows(struct text *t, const struct turns *turns,
		      enum flow_kind kind, enum flow_way way, enum split part)
{
	static const char *const where[][2] = {
		[PACKAGES] = { "", "" }, [NODES] = { "node_", ", by node" },
		[STACKS] = { "stack_", ", by stack" },
	};
	const struct bandwidth *b = turns->b;
	const char *names = moved[kind][way].name, *verb = strrchr(names, '_') + 1;
	struct text name = { NULL, 0 }, help = { NULL, 0 };
	bool any = false;

	text_add(&name, "%.*s%s%s_bytes_total", (int)(verb - names), names,
		 where[part][0], verb);
	text_add(&help, "Bytes %s%s.", moved[kind][way].help, where[part][1]);
	for (size_t i = 0; i < b->flows; i++) {
		if (b->flow[i].kind != kind || !is_first(b, i, part) ||
		    (part == NODES && b->flow[i].node < 0))
			continue;
		if (!any)
			add_head(t, name.s, help.s, "counter");
		any = true;
		add_sum(t, turns, name.s, i, way, part);
	}
	text_free(&help);
	text_free(&name);
}

/*
 * Seconds that requests were in a CXL device, and requests: the one over the other
 * is how long they took. Only of devices that add up.
 */
static void add_latency(struct text *t, const struct turns *turns)
{
	static const char *const ways[] = { "read", "write" };
	double elapsed = (double)(turns->end - turns->begin) / 1000;
	struct text seconds = { NULL, 0 }, requests = { NULL, 0 };

	for (size_t i = 0; i < turns->b->flows; i++) {
		const struct flow *f = &turns->b->flow[i];
		double clock = turns_total(turns, i, METER_CLOCK, FLOW_IN);

		for (int way = 0; way < FLOW_WAYS; way++) {
			double stayed = turns_total(turns, i, METER_STAYED, way);

			if (f->unknown || !flow_adds_up(stayed, clock))
				continue;
			text_add(&seconds, "openpmon_cxl_request_seconds_total{pmu=");
			add_quoted(&seconds, f->pmu);
			text_add(&seconds, ",way=\"%s\"} %.9g\n", ways[way],
				 stayed * elapsed / clock);
			text_add(&requests, "openpmon_cxl_requests_total{pmu=");
			add_quoted(&requests, f->pmu);
			text_add(&requests, ",way=\"%s\"} %.17g\n", ways[way],
				 turns_total(turns, i, METER_ASKED, way));
		}
	}
	if (seconds.s) {
		add_head(t, "cxl_request_seconds_total",
			 "Time that requests were in a CXL device, summed.", "counter");
		text_add(t, "%s", seconds.s);
		add_head(t, "cxl_requests_total", "Requests to a CXL device.", "counter");
		text_add(t, "%s", requests.s);
	}
	text_free(&seconds);
	text_free(&requests);
}

/* What cannot be read has no series. */
static void add_power(struct text *t)
{
	static const char *const terms[] = { "long_term", "short_term" };
	struct text energy = { NULL, 0 }, limits = { NULL, 0 };
	struct power *all;
	size_t count = powercap_read(&all);

	for (size_t i = 0; i < count; i++) {
		if (all[i].energy_uj >= 0)
			add_package(&energy, "package_energy_joules_total",
				    all[i].package, (double)all[i].energy_uj / 1e6);
		for (int term = 0; term < 2; term++)
			if (all[i].limit_uw[term] >= 0)
				text_add(&limits, "openpmon_package_power_limit_watts{"
					 "package=\"%ld\",limit=\"%s\"} %.9g\n",
					 all[i].package, terms[term],
					 (double)all[i].limit_uw[term] / 1e6);
	}
	if (energy.s)
		add_head(t, "package_energy_joules_total",
			 "Energy that a package has drawn, by powercap.", "counter");
	text_add(t, "%s", energy.s ? energy.s : "");
	if (limits.s)
		add_head(t, "package_power_limit_watts",
			 "Power limits of a package, by powercap.", "gauge");
	text_add(t, "%s", limits.s ? limits.s : "");
	text_free(&energy);
	text_free(&limits);
	free(all);
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

/* Coarse reasons and fine ones: a sum over both would count time twice. */
static void add_reasons(struct text *t, const struct metrics *m, const char *name,
			const char *which, bool coarse)
{
	const struct machine *machine = m->machine;
	struct text help = { NULL, 0 };

	text_add(&help, "Time that core modules were limited, summed over modules, by "
		 "%s reasons.", which);
	add_head(t, name, help.s, "counter");
	text_free(&help);
	for (size_t i = 0; i < machine->domains; i++)
		for (unsigned int bit = 0; bit < REASON_BITS; bit++) {
			long package = machine->domain[i].package;
			long long ns = limited_of(&m->limited, package, bit);
			int of = reason_coarse(bit);

			if (!begins_package(machine, i) || of < 0 ||
			    coarse != ((unsigned int)of == bit) ||
			    !limited_known(&m->limited, package))
				continue;
			text_add(t, "openpmon_%s{package=\"%ld\",reason=\"%s\"} "
				 "%.9g\n", name, package, reason_name(bit),
				 (double)ns / 1e9);
		}
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
	add_reasons(t, m, "limited_seconds_total", "coarse", true);
	add_reasons(t, m, "limited_fine_seconds_total", "fine", false);
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
			add_flows(&t, &m->turns, kind, way, PACKAGES);
	for (int way = 0; way < FLOW_WAYS; way++) {
		add_flows(&t, &m->turns, FLOW_MEMORY, way, NODES);
		add_flows(&t, &m->turns, FLOW_IIO, way, STACKS);
	}
	add_latency(&t, &m->turns);
	add_power(&t);
	add_unknown(&t, m->turns.b);
	add_clocks(&t, &m->clocks);
	add_limits(&t, m);
	return t.s;
}
