// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl bw: the bandwidth of memory, links, PCIe stacks and CXL devices.
 */
#include "bw.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bw_print.h"
#include "clock.h"
#include "hardware.h"
#include "process.h"
#include "doctor.h"
#include "events.h"
#include "bandwidth.h"
#include "output.h"
#include "present.h"
#include "screen.h"
#include "sysfs.h"
#include "table.h"

/* Files of a process beside its events: its output, files of sysfs. */
#define OTHERS 16

/* Why an event could not be opened. The caller frees it. */
static char *why_refused(const struct bandwidth *b)
{
	struct text why = { NULL, 0 };
	char *names;

	text_add(&why, "%s: ", b->refused);
	if (b->error == EACCES || b->error == EPERM)
		text_add(&why, "counting takes %s (see rights.rst)", event_rights());
	else if (b->error == EMFILE)
		text_add(&why, "too many open files: ulimit -n is %ld, and %zu "
			 "are needed", descriptors_most(), b->wanted + OTHERS);
	else if (b->error != EBUSY)
		text_add(&why, "an event cannot be opened (%s); the kernel log "
			 "may say why", error_name(b->error));
	if (b->error != EBUSY)
		return why.s;
	names = holders_names();
	text_add(&why, "all counters are taken, or the box is frozen%s%s",
		 *names ? "; these have perf events open: " : "", names);
	free(names);
	return why.s;
}

enum status bw_complain(const struct bandwidth *b)
{
	char *why;

	if (b->frozen)
		complain("%s", b->frozen);
	if (!b->error)
		return b->frozen ? STATUS_DEGRADED : STATUS_FINE;
	why = why_refused(b);
	complain("%s", why);
	free(why);
	return STATUS_DEGRADED;
}

/* A host may have no discovery table, and CXL memory or an older Xeon's boxes. */
static enum status nothing_to_count(bool json)
{
	bool tables = hardware_present();

	if (tables ? !sysfs_exists(CLASS_DIR) :
		     !cxl_memory_present() && !doctor_has_ring())
		return nothing_found(json);
	if (!tables && cxl_memory_present() && !sysfs_exists("/sys/module/pmon_cxl"))
		return nothing_shown(json, STATUS_BROKEN, "no PMU has events "
				     "for bandwidth, and pmon_cxl, which has "
				     "those of CXL memory, is not loaded; try: "
				     "modprobe pmon_cxl");
	return nothing_shown(json, STATUS_BROKEN, "no PMU has events for "
			     "bandwidth; pmonctl list shows who drives the "
			     "boxes, and pmonctl adopt gives those of "
			     "intel_uncore names and events");
}

enum status bw_open(struct bandwidth *b, const struct options *opt, bool delays)
{
	enum status status;
	char *why;

	bandwidth_open(b, opt->package, opt->kinds, delays);
	if (hardware_present())
		lacking_find(b);
	if (b->meters)
		return STATUS_FINE;
	if (!b->error && (opt->package >= 0 || opt->kinds))
		return nothing_shown(opt->json, STATUS_USAGE, "nothing is counted of that "
				     "package and these kinds");
	if (!b->error)
		return nothing_to_count(opt->json);
	why = why_refused(b);
	status = nothing_shown(opt->json, STATUS_BROKEN, why);
	free(why);
	return status;
}

/* What --watch keeps of each row. */
struct past {
	struct ring *ring;
	double *peak;
	size_t rows;
};

static void past_free(struct past *p)
{
	free(p->ring);
	free(p->peak);
	*p = (struct past){ NULL, NULL, 0 };
}

static void past_add(struct past *p, const struct bw_rows *rows)
{
	if (p->rows != rows->count) {
		past_free(p);
		p->ring = calloc(rows->count + 1, sizeof(*p->ring));
		p->peak = calloc(rows->count + 1, sizeof(*p->peak));
		if (!p->ring || !p->peak)
			out_of_memory();
		p->rows = rows->count;
	}
	for (size_t i = 0; i < rows->count; i++) {
		double moved = bw_row_moved(&rows->row[i]);

		ring_add(&p->ring[i], moved);
		if (moved > p->peak[i])
			p->peak[i] = moved;
	}
}

static void watch_cells(struct table *t, const struct bw_row *r,
			const struct ring *ring, double peak)
{
	struct text strip = { NULL, 0 };

	ring_add_text(&strip, ring, peak);
	table_cell(t, "%s", r->box ? r->box->pmu : flow_kind_name(r->kind));
	if (r->package < 0)
		table_cell(t, "-");
	else
		table_cell(t, "%ld", r->package);
	for (int way = 0; way < FLOW_WAYS; way++)
		if (bw_row_is_known(r, way))
			table_cell(t, "%.0f", r->rate[way]);
		else
			table_cell(t, r->counted[way] ? "?" : "-");
	table_cell(t, "%.0f", peak);
	table_cell(t, "%s", strip.s);
	text_free(&strip);
}

/* Rows are in one order as long as they are kept, and are sorted as they are shown. */
static void add_watched(struct text *text, const struct bw_rows *rows,
			const struct past *past, bool sort)
{
	static const char *const head[] = {
		"MiB/s", "SOCKET", " READ", " WRITE", " PEAK", "HISTORY", NULL
	};
	bool *done = xrealloc(NULL, rows->count + 1);
	struct table t;

	table_start_headed(&t, head);
	for (size_t i = 0; i < rows->count; i++)
		done[i] = false;
	for (size_t n = 0; n < rows->count; n++) {
		size_t next = rows->count;

		for (size_t i = 0; i < rows->count; i++)
			if (!done[i] && (next == rows->count ||
					 (sort && bw_row_moved(&rows->row[i]) >
						  bw_row_moved(&rows->row[next]))))
				next = i;
		done[next] = true;
		watch_cells(&t, &rows->row[next], &past->ring[next], past->peak[next]);
	}
	table_add(text, &t);
	free(done);
}

static void draw(const struct bandwidth *b, const struct options *opt,
		 struct past *past, double seconds)
{
	struct bw_rows rows = bw_rows_of(b, opt->boxes);
	char *time = timestamp_as("%T");
	struct text text = { NULL, 0 };

	past_add(past, &rows);
	text_add(&text, "%s  every %.1f s; keys: q quits, b boxes, s sorts, + - "
		 "interval\n\n", time, seconds);
	add_watched(&text, &rows, past, opt->sort);
	if (b->frozen)
		text_add(&text, "\n%s\n", b->frozen);
	if (b->lacking)
		text_add(&text, "\n%s\n", b->lacking);
	screen_draw(text.s);
	text_free(&text);
	free(time);
	bw_rows_free(&rows);
}

static void print_once(const struct bandwidth *b, const struct options *opt,
		       double seconds)
{
	char *table = bw_table(b, opt);

	if (!opt->output) {
		say("Over %.1f s", seconds);
		say_nothing();
	}
	print_text(stdout, table);
	if (!opt->output && b->lacking) {
		say_nothing();
		say("%s", b->lacking);
	}
	free(table);
}

enum form { ONCE, LINES, SCREEN };

/* False when it could not be written. */
static bool print(const struct bandwidth *b, const struct options *opt,
		  enum form form, struct past *past, double seconds)
{
	if (opt->csv) {
		bw_csv(b, opt);
	} else if (opt->json) {
		json_open(NULL, '{');
		bw_json(b, seconds);
		json_close('}');
	} else if (form == SCREEN) {
		draw(b, opt, past, seconds);
	} else if (form == LINES) {
		bw_lines(b, opt);
	} else {
		print_once(b, opt, seconds);
	}
	return output_flush();
}

static int wait_for(double seconds)
{
	long long now = clock_ms(), end = now + (long long)(seconds * 1000 + 0.5);
	int key = 0;

	while (now < end && !signals_stopped() && !key) {
		key = screen_wait(end - now);
		now = clock_ms();
	}
	return key;
}

/* What a key changes; false: it ends. */
static bool take_key(int key, struct options *opt)
{
	opt->boxes ^= key == 'b';
	opt->sort ^= key == 's';
	opt->interval = interval_after(opt->interval, key);
	return key != 'q';
}

static void measure(struct bandwidth *b, struct options *opt, enum form form,
		    long count)
{
	struct past past = { NULL, NULL, 0 };
	bool more = true;

	while (more && count) {
		long long begin = clock_ms(), now;

		more = take_key(wait_for(opt->interval), opt) && !signals_stopped();
		now = clock_ms();
		if (now == begin)
			continue;
		bandwidth_read(b);
		frozen_mark(b);
		more = print(b, opt, form, &past, (double)(now - begin) / 1000) && more;
		count -= count > 0;
	}
	past_free(&past);
}

/* How often, and how long each time: below 0 until it is ended. */
static long plan(struct options *opt)
{
	double whole = opt->duration;

	if (!(opt->interval > 0))
		opt->interval = opt->count && whole > 0 ? whole / (double)opt->count :
				whole > 0 && !opt->watch ? whole : 1;
	if (opt->count)
		return opt->count;
	if (whole > 0)
		return whole > opt->interval ? (long)(whole / opt->interval + 0.5) : 1;
	return opt->watch ? -1 : 1;
}

static bool options_agree(const struct options *opt)
{
	const char *kinds = opt->kinds;
	bool all = true;

	for (const char *k = kinds; k && *k && all;
	     k += strcspn(k, ",") + !!strchr(k, ',')) {
		char *one = xstrndup(k, strcspn(k, ","));
		bool any = false;

		for (int kind = 0; kind < FLOW_KINDS; kind++)
			any |= flow_is_in(one, kind);
		if (!any)
			complain("--kind %s: no such kind; memory, cxl, cxlport, upi and "
				 "iio are", one);
		all = any;
		free(one);
	}
	if (opt->csv && opt->json)
		complain("--csv and --json do not go together");
	return all && !(opt->csv && opt->json);
}

enum status cmd_bw(const struct options *given)
{
	struct options opt = *given;
	struct bandwidth b;
	enum status status;
	enum form form;
	long count;

	if (!options_agree(&opt))
		return STATUS_USAGE;
	form = opt.watch && screen_is() && !opt.csv && !opt.json ? SCREEN :
	       opt.watch || opt.interval > 0 || opt.count ? LINES : ONCE;
	count = plan(&opt);
	status = bw_open(&b, &opt, true);
	if (status == STATUS_FINE) {
		signals_catch(false);
		if (opt.json && form != ONCE)
			json_lines();
		if (b.lacking && (opt.csv || opt.json || form == LINES))
			complain("%s", b.lacking);
		if (opt.csv && !opt.bare)
			bw_csv_head(&b, &opt);
		if (form == SCREEN)
			screen_begin();
		measure(&b, &opt, form, count);
		screen_end();
		status = bw_complain(&b);
	}
	bandwidth_close(&b);
	return status;
}
