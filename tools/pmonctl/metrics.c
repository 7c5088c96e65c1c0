// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bw.h"
#include "host.h"
#include "files.h"
#include "output.h"
#include "pmonctl.h"
#include "process.h"
#include "bandwidth.h"
#include "discovery.h"
#include "events.h"
#include "parts.h"

/*
 * What boxes have moved since the start, with one counter of each at a time:
 * the events of a box take turns, and each stands for the time since its last
 * turn ended. Counters that run by themselves have none to share and always
 * count.
 */
struct turn {
	bool alone;		/* the only event of its box, or it needs no counter */
	bool on;
	double total;		/* MiB */
	double rate;		/* MiB/ms, of the last turn */
	long long since;		/* for which it stands, in ms */
};

struct turns {
	struct bandwidth *b;
	struct turn *turn;	/* of each meter */
	long long begin, end;	/* in ms, what the totals are of */
};

/* Cycles of the uncore, which a CHA of each package counts. */
struct clocks {
	struct clock {
		long package;
		struct counting counting;
		double total;
		bool still;	/* no clock is: its box is frozen */
	} *clock;
	size_t count;
};

struct metrics {
	const struct machine *machine;
	struct turns turns;
	struct clocks clocks;
	struct limited limited;
};

/*
 * One counter of each box is borrowed, so that three of four are left for
 * other programs.
 */

/* More turns than that in a round, and a turn were too short. */
#define ROUND_MOST 64

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

static void turns_start(struct turns *t, struct bandwidth *b)
{
	long long now = clock_ms();

	*t = (struct turns){
		b, xrealloc(NULL, (b->meters + 1) * sizeof(*t->turn)), now, now,
	};
	for (size_t i = 0; i < b->meters; i++) {
		struct turn *turn = &t->turn[i];

		*turn = (struct turn){ .since = now };
		turn->alone = next_of(b, i) == i ||
			      flow_is_free(&b->flow[b->meter[i].flow]);
		turn->on = turn->alone || is_first(b, i);
		if (!turn->on)
			count_switch(b->meter[i].counting.fd, false);
	}
	for (size_t i = 0; i < b->meters; i++)
		count_read(b->meter[i].counting.fd, &b->meter[i].counting.begin);
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

	if (!counting_take(&m->counting, &count)) {
		if (turn->alone)
			counting_retry(m->counting.fd, m->counting.failures);
		if (m->counting.unknown)
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
	struct counting *c = &t->b->meter[next].counting;

	count_switch(t->b->meter[i].counting.fd, false);
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
		if (t->b->meter[i].counting.unknown && t->b->meter[i].kind == METER_MOVED)
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

/*
 * After so many turns each event of each box has had as many as the others of
 * its box. Between two such moments what is moved evenly adds up evenly.
 */
static size_t turns_in_round(const struct turns *t)
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

/*
 * Adds up, and has the next event of each box count. A box is unknown as long as
 * one of its events cannot be read, or has no counter in two turns; that time is
 * in no total.
 */
static void turns_next(struct turns *t)
{
	long long now = clock_ms();
	bool *had FREED = xrealloc(NULL, t->b->meters + 1);

	t->end = now;
	for (size_t i = 0; i < t->b->meters; i++) {
		had[i] = t->turn[i].on;
		if (had[i])
			add_up(t, i, now);
	}
	for (size_t i = 0; i < t->b->meters; i++)
		if (had[i] && !t->turn[i].alone)
			pass_on(t, i);
	find_unknown(t);
}

/*
 * At the end: the time since its last turn is taken to have been like that. Not
 * before, because totals would go back where it was not.
 */
static void turns_settle(struct turns *t)
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

/* What meters of a kind have added up for a flow since the start: MiB, or counts. */
static double turns_total(const struct turns *t, size_t flow, enum meter_kind kind,
			  enum flow_way way)
{
	double total = 0;

	for (size_t i = 0; i < t->b->meters; i++)
		if (t->b->meter[i].flow == flow && t->b->meter[i].way == way &&
		    t->b->meter[i].kind == kind)
			total += t->turn[i].total;
	return total;
}

/* Counts the clock cycles of the uncore, by one CHA of each package. */

#define EVENT "clockticks"

static bool is_cha(const char *pmu)
{
	return is_numbered(pmu, "uncore_cha");
}

static bool has_package(const struct clocks *c, long package)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->clock[i].package == package)
			return true;
	return false;
}

static void open_on(struct clocks *c, const struct opening *o,
		    unsigned int cpu)
{
	struct clock clock = { .package = package_of(cpu) };

	if (clock.package < 0 || has_package(c, clock.package))
		return;
	clock.counting.fd = opening_on(o, cpu);
	if (clock.counting.fd < 0)
		return;
	count_read(clock.counting.fd, &clock.counting.begin);
	append(c->clock, c->count, clock);
}

/* A package may lack the first one: each that has none yet tries the next. */
static void open_pmu(struct clocks *c, const struct pmu *pmu)
{
	const char *event = entries_find(&pmu->events, EVENT);
	struct opening o;

	if (!event || !opening_find(&o, pmu) ||
	    !opening_encode(&o, pmu, event))
		return;
	for_each_cpu(cpu, &o.cpus)
		open_on(c, &o, cpu);
}

static void clocks_open(struct clocks *c)
{
	struct pmus all FREED_BY(pmus_free) = pmus_present(is_cha);

	*c = (struct clocks){ .clock = NULL };
	for (size_t i = 0; i < all.count; i++)
		open_pmu(c, &all.pmu[i]);
}

static void clocks_add(struct clocks *c)
{
	for (size_t i = 0; i < c->count; i++) {
		struct clock *clock = &c->clock[i];
		struct count since;

		if (!counting_take(&clock->counting, &since)) {
			counting_retry(clock->counting.fd,
				       clock->counting.failures);
			continue;
		}
		clock->still = !since.value;
		clock->total += (double)since.value *
				((double)since.enabled_ns /
				 (double)since.running_ns);
	}
}

static void clocks_close(struct clocks *c)
{
	for (size_t i = 0; i < c->count; i++)
		close(c->clock[i].counting.fd);
	free(c->clock);
	*c = (struct clocks){ .clock = NULL };
}

/* Energy and power limits of packages, as powercap has them: root may read energy. */

#define POWERCAP "/sys/class/powercap"

/* -1 where it is not known, or not to be read. */
static long long read_number(const char *zone, const char *file)
{
	char *text FREED = sysfs_read(POWERCAP "/%s/%s", zone, file), *end;
	long long v = text ? strtoll(text, &end, 10) : -1;

	return text && (end == text || *end || v > 1000000000000000000LL) ? -1 : v;
}

/* "package-0" in a zone such as intel-rapl:0; the MMIO zone is the same. */
static long package_of_zone(const char *zone)
{
	static const char stem[] = "package-";
	char *name FREED = strstr(zone, "mmio") ? NULL :
		sysfs_read(POWERCAP "/%s/name", zone);
	char *end = NULL;
	long package = -1;

	if (name && !strncmp(name, stem, strlen(stem)))
		package = strtol(name + strlen(stem), &end, 10);
	if (!end || *end || end == name + strlen(stem))
		package = -1;
	return package;
}

/* In microwatts, by what a constraint says its term is. */
static long long read_limit(const char *zone, const char *term)
{
	long long limit = -1;

	for (int i = 0; i < 3; i++) {
		char *file FREED = xasprintf("constraint_%d_power_limit_uw", i);

		if (sysfs_is(term, POWERCAP "/%s/constraint_%d_name", zone, i))
			limit = read_number(zone, file);
	}
	return limit;
}

/*
 * Metrics as Prometheus reads them: text format 0.0.4. Series are few, so that
 * they can be kept for each host of a fleet: sums of packages, not boxes.
 */

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

static bool begins_sum(const struct bandwidth *b, size_t i, enum split part)
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
	char *name FREED = xasprintf("%.*s%s%s_bytes_total", (int)(verb - names), names,
				     where[part][0], verb);
	char *help FREED = xasprintf("Bytes %s%s.", moved[kind][way].help, where[part][1]);
	bool any = false;

	for (size_t i = 0; i < b->flows; i++) {
		if (b->flow[i].kind != kind || !begins_sum(b, i, part) ||
		    (part == NODES && b->flow[i].node < 0))
			continue;
		if (!any)
			add_head(t, name, help, "counter");
		any = true;
		add_sum(t, turns, name, i, way, part);
	}
}

/*
 * Seconds that requests were in a CXL device, and requests: the one over the other
 * is how long they took. Only of devices that add up.
 */
static void add_latency(struct text *t, const struct turns *turns)
{
	static const char *const ways[] = { "read", "write" };
	double elapsed = (double)(turns->end - turns->begin) / 1000;
	struct text seconds FREED_BY(text_free) = { NULL, 0 };
	struct text requests FREED_BY(text_free) = { NULL, 0 };

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
}

/* What cannot be read has no series. */
static void add_power(struct text *t)
{
	static const char *const terms[] = { "long_term", "short_term" };
	struct text energy FREED_BY(text_free) = { NULL, 0 };
	struct text limits FREED_BY(text_free) = { NULL, 0 };
	struct names zones FREED_BY(names_free) = sysfs_entries(POWERCAP);

	for (size_t i = 0; i < zones.count; i++) {
		long package = package_of_zone(zones.name[i]);
		long long energy_uj = package < 0 ? -1 : read_number(zones.name[i], "energy_uj");

		if (energy_uj >= 0)
			add_package(&energy, "package_energy_joules_total", package,
				    (double)energy_uj / 1e6);
		for (int term = 0; term < 2 && package >= 0; term++) {
			long long limit_uw = read_limit(zones.name[i], terms[term]);

			if (limit_uw >= 0)
				text_add(&limits, "openpmon_package_power_limit_watts{"
					 "package=\"%ld\",limit=\"%s\"} %.9g\n",
					 package, terms[term], (double)limit_uw / 1e6);
		}
	}
	if (energy.s)
		add_head(t, "package_energy_joules_total",
			 "Energy that a package has drawn, by powercap.", "counter");
	text_add(t, "%s", energy.s ? energy.s : "");
	if (limits.s)
		add_head(t, "package_power_limit_watts",
			 "Power limits of a package, by powercap.", "gauge");
	text_add(t, "%s", limits.s ? limits.s : "");
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
	char *help FREED = xasprintf("Time that core modules were limited, summed over modules, "
				     "by %s reasons.", which);

	add_head(t, name, help, "counter");
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

/* In the text format of Prometheus. The caller frees it. */
static char *metrics_text(const struct metrics *m)
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

/*
 * pmonctl metrics: bandwidth, the clock of the uncore, and limits, in the text
 * format of Prometheus: once, or again and again as a file that its node
 * exporter reads.
 */

/*
 * How long an event of a box has its counter; all of them have had it several
 * times where one look is all.
 */
#define TURN_MS 1000
#define TURNS_OF_ONCE 16

/* How old the file gets; Prometheus looks every 15 s to every minute. */
#define FILE_SECONDS 15

struct meters {
	struct machine m;
	struct bandwidth b;
	struct parts all;
	struct keeper keeper;
	struct metrics metrics;
};

static enum status open_all(struct meters *all)
{
	static const struct options everything = { .package = -1 };
	enum status status;

	*all = (struct meters){ .m = { 0 } };
	machine_read(&all->m);
	/* Limits are for everybody to read, also where nothing can be counted. */
	status = bw_open(&all->b, &everything, true);
	if (status != STATUS_FINE && !all->m.domains)
		return status;
	if (all->m.domains)
		parts_find(&all->all, &all->m, &everything);
	keeper_open(&all->keeper, &all->all);
	clocks_open(&all->metrics.clocks);
	turns_start(&all->metrics.turns, &all->b);
	limited_start(&all->metrics.limited, &all->all);
	all->metrics.machine = &all->m;
	if (all->b.lacking)
		complain("%s", all->b.lacking);
	return status == STATUS_FINE ? bw_complain(&all->b) : STATUS_DEGRADED;
}

static void close_all(struct meters *all)
{
	limited_free(&all->metrics.limited);
	free(all->metrics.turns.turn);
	clocks_close(&all->metrics.clocks);
	keeper_close(&all->keeper);
	parts_free(&all->all);
	bandwidth_close(&all->b);
	machine_free(&all->m);
}

/* So many turns in this time, which a signal may end: false then. */
static bool count_for(struct meters *all, double seconds, long long count)
{
	long long begin = clock_ms();

	for (long long turn = 1; turn <= count && !signals_stopped(); turn++) {
		clock_pause_ms(begin + (long long)(seconds * 1000) * turn / count -
			       clock_ms());
		turns_next(&all->metrics.turns);
		clocks_add(&all->metrics.clocks);
	}
	limited_add(&all->metrics.limited);
	return !signals_stopped();
}

/* The directory of the file, which stays open: it may not be another later. */
static int open_directory(const char *path, const char **name)
{
	const char *slash = strrchr(path, '/');
	char *dir FREED = slash ? xstrndup(path, (size_t)(slash - path + 1)) : xstrdup(".");
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	*name = slash ? slash + 1 : path;
	if (fd < 0)
		complain_file(dir, errno);
	return fd;
}

static bool write_file(const struct meters *all, int dir, const char *name)
{
	char *text FREED = metrics_text(&all->metrics);
	int error = file_write_at(dir, name, text);

	if (error)
		complain_file(name, error);
	return !error;
}

/*
 * Whole rounds, of turns of about a second: a file that is written within one
 * has of some events a turn more than the last file had, of others a turn less.
 */
static long long turns_of_file(const struct meters *all, double seconds)
{
	long long round = (long long)turns_in_round(&all->metrics.turns);
	long long rounds = (long long)(seconds * 1000) / TURN_MS / round;

	return round * (rounds ? rounds : 1);
}

/* The file goes at the end: a scrape must not take old values for new ones. */
static enum status run_file(struct meters *all, const struct options *opt)
{
	const char *name;
	int dir CLOSED = open_directory(opt->file, &name);
	bool good = dir >= 0;
	double seconds = opt->interval > 0 ? opt->interval : FILE_SECONDS;
	long long turns = turns_of_file(all, seconds);
	long long end = opt->duration > 0 ?
		clock_ms() + (long long)(opt->duration * 1000) : 0;

	while (good && (!end || clock_ms() < end) && count_for(all, seconds, turns)) {
		good = write_file(all, dir, name);
		keeper_renew(&all->keeper,
			     history_now() - (long long)(seconds * 1e9));
	}
	if (dir >= 0)
		file_remove_at(dir, name);
	return good ? STATUS_FINE : STATUS_BROKEN;
}

static void run_once(struct meters *all, double seconds)
{
	char *text FREED = NULL;

	count_for(all, seconds, TURNS_OF_ONCE);
	turns_settle(&all->metrics.turns);
	text = metrics_text(&all->metrics);
	print_text(stdout, text);
}

/* What the directory of Debian's prometheus-node-exporter has of us. */
#define COLLECTED "/var/lib/prometheus/node-exporter/openpmon.prom"

enum status cmd_metrics(const struct options *given)
{
	struct options with_file = *given;
	const struct options *opt = &with_file;
	struct meters all;
	enum status status;

	if (given->collector && !given->file)
		with_file.file = COLLECTED;
	if (opt->file && !clock_runs()) {
		complain("with --sysroot no file is written");
		return STATUS_USAGE;
	}
	status = open_all(&all);
	if (status <= STATUS_DEGRADED) {
		signals_catch(false);
		if (opt->file)
			status = run_file(&all, opt);
		else
			run_once(&all, opt->duration > 0 ? opt->duration : 1);
	}
	close_all(&all);
	return status;
}
