// SPDX-License-Identifier: GPL-2.0-only
/* pmonctl metrics: bandwidth, limits and power in the text format of Prometheus. */
#include <fcntl.h>
#include <unistd.h>

#include "bandwidth.h"
#include "reasons.h"

/*
 * Sums data with one counter of each box at a time, so that three of four stay free. The events of
 * a box take turns, and each represents the time since its last turn. Latency takes three or four
 * counters at a time. Free-running counters always count.
 */

struct metrics {
	struct machine m;
	struct bandwidth b;
	long long begin, end;	/* of the totals, in ms */
	struct scopes scopes;
	struct powers powers;
	unsigned int turn;	/* how many are over */
	bool modules;		/* --modules: limits of each module */
};

/* Does an event count in this turn? Events that are alone, or need no counter, always do. */
static bool has_turn(const struct meter *m, unsigned int turn)
{
	return m->turn.alone || turn % m->turn.of == m->turn.at;
}

/* Starts turns of the events of boxes that were opened. */
static void turns_start(struct metrics *m)
{
	const struct bandwidth *b = &m->b;

	for_each_item(one, b->meter, b->meters) {
		struct turn turn = { .since = clock_ms() };

		if (one->turn.of)
			continue;
		/* A clock is an event of another box, a CHA. */
		for_each_item(other, b->meter, b->meters) {
			bool same = other->flow == one->flow && other->kind != METER_CLOCK;

			turn.of += same;
			turn.at += same && other < one;
		}
		turn.alone = turn.of == 1 || one->kind == METER_CLOCK ||
			     flow_is_free(&b->flow[one->flow]);
		one->turn = turn;
		if (!has_turn(one, m->turn))
			count_switch(one->counting.fd, false);
		count_read(one->counting.fd, &one->counting.begin);
	}
}

/* Adds to the totals the rates of the last turn, multiplied by @ms. */
static void turn_extend(struct metrics *m, struct meter *meter, double ms)
{
	struct total *total = &m->b.flow[meter->flow].sums.total[meter->kind][meter->way];

	meter->turn.since = m->end;
	total->amount += meter->turn.rate.amount * ms;
	total->requests += meter->turn.rate.requests * ms;
}

/* Adds an event's count, extrapolated to the time since its last turn. */
static void add_up(struct metrics *m, struct meter *meter)
{
	struct turn *turn = &meter->turn;
	double whole, waiting, requests;
	struct count count;

	if (!counting_take(&meter->counting, &count)) {
		if (turn->alone)
			counting_retry(meter->counting.fd, meter->counting.failures);
		if (meter->counting.unknown) {
			turn->rate = (struct total){ 0 };
			turn->since = m->end;
		}
		return;
	}
	meter->stopped = !count.value;
	whole = turn->alone ? (double)count.enabled_ns : (double)(m->end - turn->since) * 1e6;
	turn->rate = (struct total){ 0 };
	if (meter->kind == METER_DELAY)
		delay_prove(meter, &count);
	if (meter->kind != METER_DELAY) {
		turn->rate.amount = meter->scale * (double)count.value /
				    ((double)count.running_ns / 1e6);
	} else if (delay_is_known(meter, &count, &waiting, &requests)) {
		turn->rate.amount = waiting / 1000;
		turn->rate.requests = requests / ((double)count.running_ns / 1e6);
	}
	turn_extend(m, meter, whole / 1e6);
}

/* Enables the event whose turn begins. */
static void turn_begin(struct counting *c)
{
	if (c->failures)
		counting_retry(c->fd, c->failures);
	else
		count_switch(c->fd, true);
	count_read(c->fd, &c->begin);
}

/*
 * Adds up counts, and enables the next event of each box. A box is unknown while an event for its
 * data cannot be read, or had no counter for two turns; totals leave this time out.
 */
static void turns_next(struct metrics *m)
{
	const unsigned int now = m->turn++;

	m->end = clock_ms();
	for_each_item(one, m->b.meter, m->b.meters) {
		if (!has_turn(one, now))
			continue;
		add_up(m, one);
		if (!one->turn.alone)
			count_switch(one->counting.fd, false);
	}
	for_each_item(one, m->b.meter, m->b.meters)
		if (!one->turn.alone && has_turn(one, m->turn))
			turn_begin(&one->counting);
	for_each_item(f, m->b.flow, m->b.flows)
		f->unknown = f->unopened || pmu_sum(f->pmu, f->package, "unresponsive");
	for_each_item(one, m->b.meter, m->b.meters)
		if (one->counting.unknown && one->kind == METER_MOVED)
			m->b.flow[one->flow].unknown = true;
	frozen_mark(&m->b);
}

/* Adds what moved in the interval. Of a device's CPMUs the one that counted most stands for all. */
static void add_moved(struct bandwidth *b)
{
	for_each_item(f, b->flow, b->flows)
		for (int way = 0; way < FLOW_WAYS; way++) {
			double total = f->sums.total[METER_MOVED][way].amount;

			f->rate[way] = total - f->sums.before[way];
			f->sums.before[way] = total;
		}
	doubled_mark(b);
	for_each_item(f, b->flow, b->flows)
		for (int way = 0; way < FLOW_WAYS && !f->doubled; way++)
			b->flow[f->first].sums.moved[way] += f->rate[way];
}

/* Prometheus' text format 0.0.4. Sums by package keep series few, for large fleets. */
struct page {
	struct text text;
	const char *family;	/* of the last series */
};

/* Adds a series: labels in braces, if any, a blank and the value. */
#define add(p, family, help, ...)	add_series(p, family, help, xasprintf(__VA_ARGS__))

/* Before the first series of a family is its head. */
static void add_series(struct page *p, const char *family, const char *help, const char *series)
{
	if (!p->family || strcmp(p->family, family))
		text_add(&p->text, "# HELP openpmon_%s %s\n# TYPE openpmon_%s %s\n", family, help,
			 family, strstr(family, "_total") ? "counter" : "gauge");
	p->family = family;
	text_add(&p->text, "openpmon_%s%s\n", family, series);
}

static const struct {
	const char *medium, *verb[FLOW_WAYS], *help;	/* help follows "read from" */
} moved[FLOW_KINDS] = {
	[FLOW_MEMORY] = { "memory", { "read", "written" }, "memory" },
	[FLOW_HBM] = { "hbm", { "read", "written" }, "HBM" },
	[FLOW_CXL] = { "cxl", { "read", "written" }, "a CXL device" },
	[FLOW_PORT] = { "cxl_port", { "read", "written" }, "a CXL port" },
	[FLOW_CXL_HOST] = { "cxl_host", { "read", "written" },
			    "CXL memory at a port of a package" },
	[FLOW_UPI] = { "upi", { "received", "sent" }, "other packages" },
	[FLOW_IIO] = { "iio", { "received", "sent" }, "PCIe devices" },
};

/* Quotes a label's value; escapes backslashes, quotes and line feeds. */
static char *quoted(const char *value)
{
	struct text t = { NULL, 0 };

	text_add(&t, "\"");
	for (; *value; value++)
		if (*value == '\n')
			text_add(&t, "\\n");
		else
			text_add(&t, "%s%c", strchr("\\\"", *value) ? "\\" : "", *value);
	text_add(&t, "\"");
	return t.s;
}

/* How boxes are summed: by package, node or stack; CXL by device. */
enum split { PACKAGES, NODES, STACKS };

static char *labels_of(const struct bw_row *r, enum split by)
{
	long node = r->box ? r->box->node : by == NODES ? r->node : -1;
	struct text t = { NULL, 0 };

	if (r->box)
		text_add(&t, "pmu=%s%s", quoted(r->box->pmu), r->package < 0 ? "" : ",");
	if (r->package >= 0)
		text_add(&t, "package=\"%ld\"", r->package);
	if (by == STACKS)
		text_add(&t, ",stack=\"%ld\"", r->node);
	if (node >= 0)
		text_add(&t, ",node=\"%ld\"", node);
	return t.s;
}

static void add_flows(struct page *p, const struct bandwidth *b, enum flow_kind kind,
		      enum flow_way way, enum split by)
{
	static const char *const where[][2] = {
		[PACKAGES] = { "", "" }, [NODES] = { "node_", ", by node" },
		[STACKS] = { "stack_", ", by stack" },
	};
	char *name = xasprintf("%s_%s%s_bytes_total", moved[kind].medium, where[by][0],
			       moved[kind].verb[way]);
	char *help = xasprintf("Bytes %s %s %s%s.", moved[kind].verb[way],
			       kind == FLOW_PORT ? "through" : way == FLOW_IN ? "from" : "to",
			       moved[kind].help, where[by][1]);
	struct bw_rows rows FREED = { NULL, 0 };

	for_each_item(f, b->flow, b->flows)
		if (f->kind == kind && f == b->flow + f->first && (by != NODES || f->node >= 0))
			bw_row_add(&rows, f, by == NODES ? f->node :
				   by == STACKS ? (long)f->number : -1,
				   f->package < 0 || f->kind == FLOW_CXL_HOST);
	/* Leave out sums in which a box is unknown or has no event. */
	for_each_item(r, rows.row, rows.count)
		if (!r->unknown && r->counted[way])
			add(p, name, help, "{%s} %.0f", labels_of(r, by), r->moved[way]);
}

/* Adds time or number of CXL requests in turns with a valid latency; latency is the quotient. */
static void add_latency(struct page *p, const struct bandwidth *b, bool times)
{
	static const char *const ways[] = { "read", "write" };

	for_each_item(f, b->flow, b->flows)
		for (int way = 0; way < FLOW_WAYS; way++) {
			const struct total *all = &f->sums.total[METER_DELAY][way];

			if (f->unknown || !(all->requests > 0))
				continue;
			if (times)
				add(p, "cxl_request_seconds_total",
				    "Time that requests were in a CXL device, summed.",
				    "{pmu=%s,way=\"%s\"} %.12g", quoted(f->pmu), ways[way],
				    all->amount);
			else
				add(p, "cxl_requests_total",
				    "Requests to a CXL device, which took this time.",
				    "{pmu=%s,way=\"%s\"} %.0f", quoted(f->pmu), ways[way],
				    all->requests);
		}
}

/* Unreadable values have no series. */
static void add_power(struct page *p, const struct powers *all)
{
	static const char *const terms[] = { "long_term", "short_term" };

	for_each_item(one, all->power, all->count)
		if (one->package != PLATFORM && one->energy >= 0)
			add(p, "package_energy_joules_total",
			    "Energy that a package has drawn, by powercap.",
			    "{package=\"%ld\"} %.15g", one->package, (double)one->total / 1e6);
	for_each_item(one, all->power, all->count)
		for (int n = 0; n < 2; n++)
			if (one->package != PLATFORM && one->limit[n] >= 0)
				add(p, "package_power_limit_watts",
				    "Power limits of a package, by powercap.",
				    "{package=\"%ld\",limit=\"%s\"} %.9g", one->package,
				    terms[n], (double)one->limit[n] / 1e6);
}

static void add_unknown(struct page *p, const struct bandwidth *b)
{
	for (enum flow_kind kind = 0; kind < FLOW_KINDS; kind++) {
		size_t boxes = 0, unknown = 0;

		for_each_item(f, b->flow, b->flows) {
			boxes += f->kind == kind;
			unknown += f->kind == kind && f->unknown;
		}
		if (boxes)
			add(p, "unknown_boxes",
			    "Boxes that cannot be counted; sums with them are left out.",
			    "{kind=\"%s\"} %zu", flow_kind_name(kind), unknown);
	}
}

static void add_clocks(struct page *p, const struct bandwidth *b)
{
	for_each_item(m, b->meter, b->meters) {
		const struct flow *f = &b->flow[m->flow];

		if (m->kind == METER_CLOCK && m->named && clock_ticking(m) == TICKS)
			add(p, "uncore_cycles_total", "Cycles of the uncore's clock.",
			    "{package=\"%ld\"} %.0f", f->package,
			    f->sums.total[METER_CLOCK][FLOW_IN].amount);
	}
}

/* Sums over scopes of a domain, for each reason's bit and for OBSERVED. */
struct sum {
	const struct domain *domain;
	const char *part;	/* the die, "modules", or a module */
	long long ns[REASON_BITS + 1], count[REASON_BITS + 1], observed[REASON_BITS + 1];
	uint64_t seen;
	size_t read, monitored;	/* numbers of scopes; monitored: since the last poll */
	bool counted;		/* all scopes have counts */
	bool observed_once;	/* any scope was, since the driver was loaded */
};

static void sum_add(struct sum *s, const struct scope *p)
{
	const struct history *h = &p->history;

	s->counted = (!s->read || s->counted) && h->counted;
	s->read += h->read;
	s->monitored += h->limited[OBSERVED] != p->before.limited[OBSERVED];
	s->seen |= h->seen;
	s->observed_once |= !!h->last[OBSERVED];
	for (unsigned int bit = 0; bit <= REASON_BITS; bit++) {
		s->ns[bit] += p->gained.ns[bit];
		s->count[bit] += p->gained.count[bit];
		s->observed[bit] += p->gained.observed[bit];
	}
}

/* scopes_find() puts the die before the modules. */
static struct sum *sums_of(const struct metrics *m, size_t *count)
{
	struct sum *all = NULL;
	size_t modules = 0;

	for_each_item(p, m->scopes.scope, m->scopes.count) {
		struct sum sum = { .domain = p->domain, .part = p->name };

		if (scope_is(p, "mesh"))
			continue;
		sum_add(&sum, p);
		if (!scope_is_core(p) || m->modules)
			append(all, *count, sum);
		if (scope_is_core(p)) {
			sum_add(&all[modules], p);
			continue;
		}
		modules = *count;
		append(all, *count, (struct sum){ .domain = p->domain, .part = "modules" });
	}
	return all;
}

static void add_sum(struct page *p, const char *family, const char *help, const struct sum *sum,
		    const char *reason, double value)
{
	add(p, family, help, "{package=\"%ld\",domain=\"%ld\",part=\"%s\"%s} %.15g",
	    sum->domain->package, sum->domain->id, sum->part,
	    reason ? xasprintf(",reason=\"%s\"", reason) : "", value);
}

/*
 * The reasons of a sum with series. Prometheus misses the first onset of a counter that begins with
 * it, so coarse reasons of modules, and the fine ones of alerts, have series before they limit.
 */
static uint64_t reasons_with_series(const struct sum *sum)
{
	uint64_t mask = sum->seen;

	if (!sum->observed_once || strcmp(sum->part, "modules"))
		return mask;
	for_each_reason(bit, UINT64_MAX)
		if (plr_reason_coarse(bit) == (int)bit || strstr(plr_reason_name(bit), "_PCS"))
			mask |= 1ULL << bit;
	return mask;
}

/* Adds coarse or fine reasons, as a sum of both would count limits twice. */
static void add_reasons(struct page *p, const struct sum *all, size_t count, bool coarse,
			bool times)
{
	char *name = xasprintf("limited_%s%s_total", coarse ? "" : "fine_",
			       times ? "times" : "seconds");
	char *help = xasprintf(times ? "Onsets of %s reasons, summed over modules." :
			       "Time limited by %s reasons, at most, summed over modules.",
			       coarse ? "coarse" : "fine");

	for_each_item(sum, all, count)
		for_each_reason(bit, !times || sum->counted ? reasons_with_series(sum) : 0)
			/* The low half of a register has the coarse reasons. */
			if (coarse ? bit < 32 : bit >= 32)
				add_sum(p, name, help, sum, plr_reason_name(bit), times ?
					(double)sum->count[bit] :
					(double)sum->ns[bit] / 1e9);
}

static void add_limits(struct page *p, const struct metrics *m)
{
	size_t count = 0;
	struct sum *all FREED = sums_of(m, &count);

	for_each_item(sum, all, count)
		if (!strcmp(sum->part, "modules"))
			add(p, "watched_modules", "Core modules whose limits are known.",
			    "{package=\"%ld\",domain=\"%ld\"} %zu", sum->domain->package,
			    sum->domain->id, sum->monitored);
	for_each_item(sum, all, count)
		if (sum->observed_once)
			add_sum(p, "observed_seconds_total",
				"Time in which limits are known, summed over modules.", sum, NULL,
				(double)sum->ns[OBSERVED] / 1e9);
	for_each_item(sum, all, count)
		for_each_reason(bit, reasons_with_series(sum))
			add_sum(p, "reason_observed_seconds_total", "Time in which it is known "
				"whether a reason limited, summed over modules; divide by this.",
				sum, plr_reason_name(bit), (double)sum->observed[bit] / 1e9);
	for (int coarse = 1; coarse >= 0; coarse--)
		for (int times = 0; times < 2; times++)
			add_reasons(p, all, count, coarse, times);
}

static char *metrics_text(const struct metrics *m)
{
	char *platform = quoted(m->m.devices ? m->m.device[0].platform : "unknown");
	char *kernel = module_kernel(), *on = quoted(kernel ? kernel : "unknown");
	char *out = version_out(), *of = quoted(out ? out : PMONCTL_VERSION);
	struct page p = { .family = NULL };

	add(&p, "info", "Version of pmonctl, and platform.",
	    "{version=\"" PMONCTL_VERSION "\",platform=%s} 1", platform);
	add(&p, "out", "1 while openpmon.service keeps the modules out after strikes.",
	    "{kernel=%s,version=%s} %d", on, of, !!out);
	for_each_in(module, own_modules)
		if (module_state(*module) != MODULE_ABSENT)
			add(&p, "module_info", "Versions of the loaded modules.",
			    "{module=\"%s\",version=%s} 1", *module,
			    quoted(module_version(*module)));
	add(&p, "measured_seconds_total", "Time since counting began.", " %.3f",
	    (double)(m->end - m->begin) / 1000);
	for (int kind = 0; kind < FLOW_KINDS; kind++)
		for (int way = 0; way < FLOW_WAYS; way++)
			add_flows(&p, &m->b, kind, way, PACKAGES);
	for (int way = 0; way < FLOW_WAYS; way++) {
		add_flows(&p, &m->b, FLOW_MEMORY, way, NODES);
		add_flows(&p, &m->b, FLOW_IIO, way, STACKS);
	}
	add_latency(&p, &m->b, true);
	add_latency(&p, &m->b, false);
	add_power(&p, &m->powers);
	add_unknown(&p, &m->b);
	add_clocks(&p, &m->b);
	add_limits(&p, m);
	return p.text.s;
}

/* pmonctl metrics: Prometheus' text format, once or as a file for the node exporter. */

/* With --file a turn takes a second, or less if the interval is below TURNS_LEAST seconds. */
#define TURN_MS 1000
#define TURNS_LEAST 8	/* one for each event of a CXL device with latencies */
#define TURNS_OF_ONCE 16	/* without --file */

/* Default interval between files; Prometheus reads them every 15 s to every minute. */
#define FILE_SECONDS 15

static enum status open_all(struct metrics *m)
{
	enum status status;

	machine_read(&m->m);
	/* Anybody may read limits, even where nothing can be counted. */
	status = bw_open(&m->b, &everything);
	if (status != STATUS_FINE && !m->m.domains && !version_out())
		return status;
	scopes_renew(&m->scopes, &m->m, &everything, 0);
	m->begin = clock_ms();
	m->end = m->begin;
	turns_start(m);
	poll_again(&m->scopes);
	if (m->b.lacking)
		complain("%s", m->b.lacking);
	return status == STATUS_FINE ? bw_complain(&m->b) : STATUS_DEGRADED;
}

/* Counts for @seconds in @count turns; false after a signal. */
static bool count_for(struct metrics *m, double seconds, long long count)
{
	long long begin = clock_ms();

	for (long long turn = 1; turn <= count && !signals_stopped(); turn++) {
		size_t step;

		bandwidth_renew(&m->b, false);
		step = step_begin();
		turns_start(m);
		bandwidth_report_off(&m->b);
		clock_pause_ms(begin + MS_OF(seconds) * turn / count - clock_ms());
		turns_next(m);
		/* Energy may wrap several times in an interval, so it is read each turn. */
		if (m->powers.count)
			powers_read(&m->powers);
		step_end(step);
	}
	/* Apply the last rates until now. An event's next turn adds only the time from now on. */
	for_each_item(one, m->b.meter, m->b.meters)
		if (!one->turn.alone)
			turn_extend(m, one, (double)(m->end - one->turn.since));
	add_moved(&m->b);
	powers_read(&m->powers);
	poll_again(&m->scopes);
	return !signals_stopped();
}

/* Counts for @most seconds, but not beyond @end (0: none); false after a signal. */
static bool count_until(struct metrics *m, double most, long long end)
{
	double left = end ? (double)(end - clock_ms()) / 1000 : most;
	double seconds = left < most ? left : most;
	long long turns = MS_OF(seconds) / TURN_MS;

	return count_for(m, seconds, turns > TURNS_LEAST ? turns : TURNS_LEAST);
}

/* Writes the file repeatedly. Removes it at a signal, or without --for, as its values get old. */
static enum status run_file(struct metrics *m, const struct options *opt)
{
	const char *slash = strrchr(opt->file, '/'), *name = slash ? slash + 1 : opt->file;
	char *path = slash ? xstrndup(opt->file, (size_t)(name - opt->file)) : xstrdup(".");
	/* Opened once, so later changes of the path have no effect. */
	int dir CLOSED = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool good = dir >= 0 || complain("--file %s: %s", opt->file, strerror(errno));
	double most = opt->interval > 0 ? opt->interval : FILE_SECONDS;
	long long end = opt->duration > 0 ? clock_ms() + MS_OF(opt->duration) : 0;

	while (good && (!end || clock_ms() < end) && count_until(m, most, end)) {
		size_t step = step_begin();
		int error = file_write_at(dir, name, metrics_text(m));

		good = !error || complain("--file %s: %s", opt->file, strerror(error));
		step_end(step);
		scopes_renew(&m->scopes, &m->m, &everything,
			     clock_boot_ns() - (long long)(most * 1e9));
	}
	if (dir >= 0 && (!end || signals_stopped()))
		file_remove_at(dir, name);
	if (dir < 0)
		return STATUS_USAGE;	/* the service does not try again */
	return good ? STATUS_FINE : STATUS_BROKEN;
}

enum status cmd_metrics(const struct options *opt)
{
	static struct metrics m = { .scopes.event = OBSERVED };
	enum status status;

	m.modules = opt->modules;
	status = open_all(&m);
	if (status > STATUS_DEGRADED)
		return status;
	signals_catch(false);
	if (opt->file)
		return run_file(&m, opt);
	count_for(&m, opt->duration > 0 ? opt->duration : 1, TURNS_OF_ONCE);
	print_text(stdout, metrics_text(&m));
	return status;
}
