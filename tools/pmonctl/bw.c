// SPDX-License-Identifier: GPL-2.0-only
/* pmonctl bw: bandwidth as a table, lines, CSV or JSON. */
#include "bandwidth.h"

/* Sums by package (no CXL ports); by package and node; of DIMMs by node; or no sums. */
enum split { PACKAGES, NODES, ALL_NODES, BOXES };

/* Are all nodes of this kind and package known, and several? For CXL one node is enough. */
static bool has_nodes(const struct bandwidth *b, const struct flow *of)
{
	bool several = of->kind == FLOW_CXL;

	for_each_item(f, b->flow, b->flows) {
		if (f->kind != of->kind || f->package != of->package)
			continue;
		if (f->node < 0)
			return false;
		several |= f->node != of->node;
	}
	return several;
}

#define MB 1e6
#define GB 1e9

/* The package of a sum of all sockets */
#define HOST (-2)

/* Adds a row with the memory of all sockets, if several. Flows are sorted by kind and package. */
static void add_host(struct bw_rows *r, const struct bandwidth *b)
{
	const struct flow *f = b->flow, *end = f;

	while (end < b->flow + b->flows && end->kind == FLOW_MEMORY)
		end++;
	for (; f < end && b->flow->package != end[-1].package; f++) {
		struct flow of_host = *f;

		of_host.package = HOST;
		bw_row_add(r, &of_host, -1, false);
	}
}

static struct bw_rows rows_of(const struct bandwidth *b, enum split by, bool host)
{
	struct bw_rows r = { NULL, 0 };

	if (host)
		add_host(&r, b);
	for_each_item(f, b->flow, b->flows) {
		bool has_node = by == NODES ? has_nodes(b, f) : by != PACKAGES;
		bool alone = by == BOXES || f->kind == FLOW_PORT;

		if ((by == PACKAGES && alone) ||
		    (by == ALL_NODES && (f->node < 0 || f->kind != FLOW_MEMORY)))
			continue;
		bw_row_add(&r, f, has_node ? f->node : -1, alone);
	}
	return r;
}

static struct bw_rows rows_for(const struct bandwidth *b, const struct options *opt)
{
	return rows_of(b, opt->boxes ? BOXES : NODES, !opt->boxes && !opt->csv);
}

/* The sum of both directions; below 0 if not known. */
static double moved(const struct bw_row *r)
{
	return r->unknown || !r->counted[FLOW_IN] || !r->counted[FLOW_OUT] ? -1 :
	       r->rate[FLOW_IN] + r->rate[FLOW_OUT];
}

/* The rate of a direction or of BOTH. "-": there is no event; "?": the rate is unknown. */
#define BOTH FLOW_WAYS

static const char *rate_text(const struct bw_row *r, enum flow_way way, double factor, int digits)
{
	if (way == BOTH ? !r->counted[FLOW_IN] || !r->counted[FLOW_OUT] : !r->counted[way])
		return "-";
	return r->unknown ? "?" :
	       xasprintf("%.*f", digits, (way == BOTH ? moved(r) : r->rate[way]) * factor);
}

#define mb_text(r, way) rate_text(r, way, 1 / MB, 0)
#define SOCKET(r) ((r)->package == HOST ? "all" : NUMBER((r)->package))

/* The average time of a request; -1: not known, or no requests. */
static long latency_ns(const struct flow *f, enum flow_way way)
{
	return f->delay_ns[way] > 0 ? (long)(f->delay_ns[way] + 0.5) : -1;
}

/* Lists devices with a latency, and below the table devices without a valid average. */
static void add_latency(struct text *text, const struct bandwidth *b)
{
	struct text none = { NULL, 0 };
	struct table t;

	table_start(&t, "AVERAGE ns, READ, WRITE");
	for_each_item(f, b->flow, b->flows) {
		bool in = f->delay_ns[FLOW_IN] < 0, out = f->delay_ns[FLOW_OUT] < 0;

		if (latency_ns(f, FLOW_IN) >= 0 || latency_ns(f, FLOW_OUT) >= 0)
			table_row(&t, f->pmu, NUMBER(latency_ns(f, FLOW_IN)),
				  NUMBER(latency_ns(f, FLOW_OUT)));
		if (in || out)
			text_add(&none, "%s%s %s", none.len ? ", " : "", f->pmu,
				 in && out ? "READ and WRITE" : in ? "READ" : "WRITE");
	}
	if (t.rows)
		text_add(text, "\n");
	if (none.len)
		text_add(&none, ": no average: no requests overlapped, or the device cannot "
			 "add them up\n");
	table_add(text, &t);
	if (none.len)
		text_add(text, "\n%s", none.s);
}

/* The bytes of a list of devices, which virtual functions make long; JSON has all of them. */
#define DEVICES_MOST 1024

/* A box and the devices behind it. */
static char *box_text(const struct flow *f)
{
	int len = DEVICES_MOST;

	if (!f->devices)
		return xstrdup(f->pmu);
	if (strlen(f->devices) <= DEVICES_MOST)
		return xasprintf("%s: %s", f->pmu, f->devices);
	while (len && f->devices[len] != ',')
		len--;
	return xasprintf("%s: %.*s, ...", f->pmu, len, f->devices);
}

char *bw_table(const struct bandwidth *b, const struct options *opt)
{
	struct bw_rows rows FREED = rows_for(b, opt);
	struct text text = { NULL, 0 };
	struct table t;
	size_t more;

	text_add(&text, "%s", "");
	table_start(&t, opt->boxes ? "KIND,SOCKET,NODE, READ MB/s, WRITE MB/s, TOTAL MB/s,~BOX" :
				     "KIND,SOCKET,NODE, READ MB/s, WRITE MB/s, TOTAL MB/s");
	for_each_item(r, rows.row, rows.count)
		table_row(&t, r->box && !opt->boxes ? r->box->pmu : flow_kind_name(r->kind),
			  SOCKET(r), NUMBER(r->node), mb_text(r, FLOW_IN), mb_text(r, FLOW_OUT),
			  mb_text(r, BOTH), opt->boxes && r->box ? box_text(r->box) : NULL);
	/* Leave space for the other parts of the overview on a screen of 24 lines. */
	t.most = opt == &everything ? 9 : 0;
	more = table_add(&text, &t);
	if (more)
		text_add(&text, "(%zu more: pmonctl bw)\n", more);
	else
		add_latency(&text, b);
	return text.s;
}

/* "socket0.memory", "socket0.node1.memory", "cxl" or, for a box, "socket0.uncore_imc_1". */
static char *row_name(const struct bw_row *r)
{
	struct text t = { NULL, 0 };

	if (r->package >= 0)
		text_add(&t, "socket%ld.", r->package);
	if (r->node >= 0 && !r->box)
		text_add(&t, "node%ld.", r->node);
	text_add(&t, "%s", r->box ? r->box->pmu : flow_kind_name(r->kind));
	return t.s;
}

/* Prints values or, for @names, the head. An unknown value is an empty field. */
static void bw_csv(const struct bandwidth *b, const struct options *opt, bool names)
{
	struct bw_rows rows FREED = rows_for(b, opt);
	struct text t = { NULL, 0 };

	text_add(&t, "%s", names ? "time" : timestamp());
	for_each_item(r, rows.row, rows.count)
		for (int way = 0; way < FLOW_WAYS; way++) {
			text_add(&t, ",");
			if (names)
				text_add(&t, "%s.%s_MB_s", row_name(r),
					 way == FLOW_IN ? "read" : "write");
			else if (r->counted[way] && !r->unknown)
				text_add(&t, "%.1f", r->rate[way] / MB);
		}
	print_record("%s", t.s);
}

/* A rate is null if unknown or without an event. Bytes are rounded. */
static void json_row(const struct bw_row *r, enum split by, double seconds)
{
	const struct flow *box = by == BOXES ? r->box : NULL;

	json_open(NULL, '{');
	if (by != ALL_NODES)
		json_members("kind %s socket %ld", flow_kind_name(r->kind), r->package);
	json_members("node %ld ?pmu %s boxes %ld ?devices %s unknown %ld", r->node,
		     box ? box->pmu : NULL, box ? -1 : (long)r->boxes, box ? box->devices : NULL,
		     by == PACKAGES ? (long)r->unknown : -1);
	for (int way = 0; way < FLOW_WAYS; way++) {
		const char *name = way == FLOW_IN ? "read_bytes" : "write_bytes";
		bool known = !r->unknown && r->counted[way];

		if (known)
			json_number(xasprintf("%s_s", name), (long)(r->rate[way] + 0.5));
		else
			json_text(xasprintf("%s_s", name), NULL);
		if (by == PACKAGES && known)
			json_number(name, (long)(r->rate[way] * seconds + 0.5));
	}
	if (box)
		json_members("read_ns %ld write_ns %ld", latency_ns(box, FLOW_IN),
			     latency_ns(box, FLOW_OUT));
	json_close();
}

static void json_rows(const char *name, const struct bandwidth *b, enum split by, double seconds)
{
	struct bw_rows rows FREED = rows_of(b, by, false);

	json_list(name)
		for (size_t i = 0; i < rows.count; i++)
			json_row(&rows.row[i], by, seconds);
}

void bw_json(const struct bandwidth *b, double seconds)
{
	json_number("ms", (long)MS_OF(seconds));
	json_rows("flows", b, BOXES, seconds);
	json_rows("nodes", b, ALL_NODES, seconds);
	json_rows("sockets", b, PACKAGES, seconds);
}

static void print_lacking(const struct bandwidth *b)
{
	if (b->lacking) {
		print_empty_line();
		print_line("%s", b->lacking);
	}
}

void bw_print_totals(const struct bandwidth *b, double seconds)
{
	struct bw_rows rows FREED = rows_of(b, PACKAGES, true);
	struct text text = { NULL, 0 };
	struct table t;

	table_start(&t, "KIND,SOCKET, READ GB, WRITE GB, READ MB/s, WRITE MB/s");
	for_each_item(r, rows.row, rows.count)
		table_row(&t, flow_kind_name(r->kind), SOCKET(r),
			  rate_text(r, FLOW_IN, seconds / GB, 2),
			  rate_text(r, FLOW_OUT, seconds / GB, 2),
			  mb_text(r, FLOW_IN), mb_text(r, FLOW_OUT));
	if (t.rows)
		text_add(&text, "\n");
	table_add(&text, &t);
	add_latency(&text, b);
	if (text.s)
		print_lines(text.s);
	print_lacking(b);
}

enum status bw_complain(struct bandwidth *b)
{
	struct trouble why = bandwidth_trouble(b);

	if (why.text && why.text == b->off)
		bandwidth_report_off(b);
	else if (why.text)
		complain("%s%s%s", why.text, why.command ? "; " : "",
			 why.command ? why.command : "");
	return why.text ? STATUS_DEGRADED : STATUS_FINE;
}

/* Prints why no box is counted. Hosts without a table may have CXL memory, or be older Xeons. */
static enum status nothing_to_count(bool json)
{
	const struct remedy adopts = OURS("pmonctl adopt", "adds events to boxes of intel_uncore");
	struct machine m FREED_BY(machine_free) = { 0 };

	if (hardware_present() ? !sysfs_exists(CLASS_DIR) : !ring_is_present() &&
	    !(cxl_memory_present() && module_state("pmon_cxl") != MODULE_ABSENT))
		return nothing_found(json);
	machine_read(&m);
	if (m.devices && mode_find(m.device[0].mode)->parameter)
		return mode_shown(json, "no box is driven", m.device[0].mode, "pmon_uncore");
	if (ring_is_present() && module_state("intel_uncore") == MODULE_ABSENT)
		return broken(json, "intel_uncore, which has the boxes of this processor, is not "
			      "loaded; %s", remedy_try(RUN("modprobe intel_uncore", NULL)));
	return broken(json, "no PMU has events for bandwidth; pmonctl doctor shows why%s%s",
		      hardware_has_tables() ? "; " : "", hardware_has_tables() ?
		      remedy_text(remedy_now(adopts)) : "");
}

/* Parses a list such as "memory,upi"; NULL means all kinds. False after a message. */
static bool parse_kinds(const char *list, unsigned int *kinds)
{
	*kinds = list ? 0 : ALL_KINDS;
	for_each_token(name, list ? xstrdup(list) : NULL, ",") {
		int kind = 0;

		while (kind < FLOW_KINDS && strcmp(name, flow_kind_name(kind)))
			kind++;
		if (kind == FLOW_KINDS)
			return complain("--kind %s: no such kind; the kinds are memory, hbm, "
					"cxl, cxlport, cxlhost, upi and iio", name);
		*kinds |= 1U << kind;
	}
	return true;
}

enum status bw_open(struct bandwidth *b, const struct options *opt)
{
	unsigned int kinds;

	if (!parse_kinds(opt->kinds, &kinds))
		return STATUS_USAGE;
	bandwidth_open(b, opt->package, kinds, true);
	if (b->meters || b->off)
		return STATUS_FINE;
	if (b->error)
		return broken(opt->json, "%s", bandwidth_trouble(b).text);
	if (opt->package >= 0 || opt->kinds)
		return nothing_shown(opt->json, STATUS_USAGE, "no box of %s%s%s is counted",
				     opt->package >= 0 ? "that socket" : "",
				     opt->package >= 0 && opt->kinds ? " and " : "",
				     opt->kinds ? "these kinds" : "");
	return nothing_to_count(opt->json);
}

/* Each row has a ring in @past; @again redraws without adding the values. */
static void draw(const struct bandwidth *b, const struct options *opt,
		 struct ring *past, bool again)
{
	struct bw_rows rows FREED = rows_for(b, opt);
	struct text text = { NULL, 0 };
	char *why = bandwidth_trouble(b).text;
	struct table t;

	text_add(&text, "%.8s  every %g s, in MB/s; PEAK: of TOTAL\nkeys: q quits, b boxes\n\n",
		 strchr(timestamp(), 'T') + 1, opt->interval);
	table_start(&t, "KIND,SOCKET,?NODE, READ, WRITE, TOTAL, PEAK,HISTORY");
	for_each_item(r, rows.row, rows.count) {
		struct ring *of = &past[r - rows.row];

		if (!again)
			ring_add(of, moved(r));
		table_row(&t, r->box ? r->box->pmu : flow_kind_name(r->kind), SOCKET(r),
			  NUMBER(r->node), mb_text(r, FLOW_IN), mb_text(r, FLOW_OUT),
			  mb_text(r, BOTH), of->most > 0 ? xasprintf("%.0f", of->most / MB) :
			  mb_text(r, BOTH), ring_text(of, of->most));
	}
	table_add(&text, &t);
	text_add(&text, "\n");
	if (why)
		text_add_wrapped(&text, why, stdout);
	if (b->lacking)
		text_add_wrapped(&text, b->lacking, stdout);
	screen_draw(text.s);
}

/* False if the output is lost. */
static bool print(const struct bandwidth *b, const struct options *opt,
		  bool screen, struct ring *past, double seconds)
{
	static size_t printed;

	if (opt->csv) {
		bw_csv(b, opt, false);
	} else if (opt->json) {
		json_document();
		bw_json(b, seconds);
		json_close();
	} else if (screen) {
		draw(b, opt, past, false);
	} else {
		if (printed++)
			print_empty_line();
		if (opt->repeats)
			print_line("%.8s  over %.1f s", strchr(timestamp(), 'T') + 1, seconds);
		else
			print_line("Over %.1f s", seconds);
		print_empty_line();
		print_lines(bw_table(b, opt));
		print_lacking(b);
	}
	return output_flush();
}

/* Waits until @end; a key redraws. False: the command ends. */
static bool wait_until(const struct bandwidth *b, struct options *opt, struct ring *past,
		       long long end, bool drawn)
{
	int key;

	while (key = intervals_wait(end), key && key != 'q') {
		opt->boxes ^= key == 'b';
		if (key == 'b')
			memset(past, 0, (b->flows + 1) * sizeof(*past));
		if (drawn)
			draw(b, opt, past, key != 'b');
		output_flush();
	}
	return !key;
}

static void measure(struct bandwidth *b, struct options *opt, const struct intervals *of)
{
	struct ring *past FREED = checked(calloc(b->flows + 1, sizeof(*past)));
	long long begin = clock_ms(), end, ms = MS_OF(of->seconds);
	bool more = true;

	for (long n = 0; more && (!of->count || n < of->count); n++) {
		size_t step = step_begin();

		more = wait_until(b, opt, past, begin + ms / 2, of->screen && n);
		bandwidth_prove(b);
		more = more && wait_until(b, opt, past, begin + ms, of->screen && n);
		end = clock_ms();
		if (end == begin)
			continue;
		bandwidth_read(b);
		step_end(step);
		/* The columns of CSV stay. */
		if (bandwidth_renew(b, opt->csv)) {
			past = xrealloc(past, (b->flows + 1) * sizeof(*past));
			memset(past, 0, (b->flows + 1) * sizeof(*past));
		}
		step = step_begin();
		if (!of->screen)
			bandwidth_report_off(b);
		more = print(b, opt, of->screen, past, (double)(end - begin) / 1000) && more;
		begin = end;
		step_end(step);
	}
}

enum status cmd_bw(const struct options *given)
{
	static struct bandwidth b;
	struct options opt = *given;
	struct intervals intervals;
	enum status status;

	opt.repeats = opt.watch || opt.interval > 0 || opt.count;
	/* --for alone is one long interval. */
	if (!opt.repeats)
		opt.interval = opt.duration;
	intervals = intervals_of(&opt);
	opt.interval = intervals.seconds;
	if (opt.json && opt.repeats)
		json_lines();
	status = bw_open(&b, &opt);
	if (status != STATUS_FINE)
		return status;
	signals_catch(false);
	if (b.lacking && (opt.csv || opt.json))
		complain("%s", b.lacking);
	if (opt.csv)
		bw_csv(&b, &opt, true);
	if (intervals.screen)
		screen_begin();
	measure(&b, &opt, &intervals);
	screen_end();
	status = bw_complain(&b);
	if (status != STATUS_FINE && opt.json && opt.repeats) {
		json_document();
		json_text("error", bandwidth_trouble(&b).text);
		json_close();
	}
	return status;
}
