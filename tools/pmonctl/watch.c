// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl plr --watch: what limits now.
 *
 * The driver looks, because an open perf event of the plr PMU has it watch each
 * domain; once an interval its record is read, which costs no register access. A
 * terminal has a screen with a strip for each part that was limited; a file or pipe
 * gets a line for each change, or with --json an object on a line.
 */
#include "watch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"
#include "present.h"
#include "reasons.h"
#include "screen.h"
#include "process.h"
#include "table.h"
#include "output.h"

/* Modules come and go with their CPUs and devices; events with their devices. */
#define RECOUNT 5

struct watcher {
	const struct options *opt;
	struct machine m;
	struct parts all;
	struct keeper keeper;
	struct ring *ring;		/* of each part: part of the interval limited */
	long long *limited;		/* and for how long that was, of the longest reason */
	long long begin;		/* of the interval */
	bool first;			/* nothing was shown yet */
	bool blocked;			/* by firmware: nothing will be known */
};

static void close_all(struct watcher *w)
{
	keeper_close(&w->keeper);
	parts_free(&w->all);
	machine_free(&w->m);
	free(w->ring);
	free(w->limited);
	*w = (struct watcher){ .opt = w->opt };
}

static enum status open_all(struct watcher *w)
{
	bool good;

	machine_read_limits(&w->m);
	if (!w->m.domains)
		return plr_absent(&w->m, w->opt->json);
	if (!parts_find(&w->all, &w->m, w->opt))
		return STATUS_USAGE;
	if (!w->all.count)
		return STATUS_BROKEN;
	w->ring = xrealloc(NULL, w->all.count * sizeof(*w->ring));
	memset(w->ring, 0, w->all.count * sizeof(*w->ring));
	w->limited = xrealloc(NULL, w->all.count * sizeof(*w->limited));
	memset(w->limited, 0, w->all.count * sizeof(*w->limited));
	w->begin = history_now();
	w->first = true;
	good = look_begin(&w->keeper, &w->all);
	for (size_t i = 0; i < w->all.count && !good; i++)
		good = history_observed(&w->all.part[i], w->begin);
	if (!good)
		keeper_complain(&w->keeper, &w->all);
	return good ? STATUS_FINE : STATUS_BROKEN;
}

/* How long the reason that has limited it longest has, ever. */
static long long longest(const struct part *p)
{
	long long ns = 0;

	for (unsigned int bit = 0; p->history && bit < REASON_BITS; bit++)
		if (p->history->limited[bit] > ns)
			ns = p->history->limited[bit];
	return ns;
}

static void take(struct watcher *w)
{
	long long now = history_now(), passed = now - w->begin;
	uint64_t *before = xrealloc(NULL, w->all.count * sizeof(*before));
	bool *known = xrealloc(NULL, w->all.count * sizeof(*known));

	for (size_t i = 0; i < w->all.count; i++) {
		before[i] = w->all.part[i].now;
		known[i] = w->all.part[i].known;
	}
	look_since(&w->all, w->begin);
	for (size_t i = 0; i < w->all.count; i++) {
		struct part *p = &w->all.part[i];
		long long ns = longest(p);
		double share = passed > 0 ? (double)(ns - w->limited[i]) / (double)passed : 0;

		p->changed = p->now != before[i] || p->known != known[i];
		/* Before the first interval a mesh that is not monitored is no news. */
		if (w->first)
			p->changed = p->now || (!p->known && !part_is_mesh(p));
		ring_add(&w->ring[i], !p->known ? -1 : !p->now ? 0 :
			 share > 0.1 ? share : 0.1);
		w->limited[i] = ns;
	}
	w->begin = now;
	w->first = false;
	free(before);
	free(known);
}

static bool is_changed(const struct part *p)
{
	return p->changed;
}

static bool same_now(const struct part *a, const struct part *b)
{
	return part_is_core(a) && part_is_core(b) && a->now == b->now &&
	       a->known == b->known;
}

static void show_lines(const struct watcher *w)
{
	struct groups groups = groups_of(&w->all, is_changed, same_now);

	for (size_t i = 0; i < groups.count; i++) {
		const struct part *p = groups.group[i].part[0];
		char *now = reasons_text(reasons_brief(p->now)), *when = timestamp();
		struct text names = { NULL, 0 };

		group_add_names(&names, &groups.group[i]);
		say("%s %ld/%ld/%s: %s", when, p->domain->package, p->domain->id,
		    names.s, p->known ? now : "not known");
		free(when);
		text_free(&names);
		free(now);
	}
	groups_free(&groups);
}

static void show_json(const struct watcher *w)
{
	json_lines();
	for (size_t i = 0; i < w->all.count; i++) {
		const struct part *p = &w->all.part[i];
		char *when;

		if (!p->changed)
			continue;
		when = timestamp();
		json_open(NULL, '{');
		json_number("format", 1);
		json_text("time", when);
		json_number("package", p->domain->package);
		json_number("domain", p->domain->id);
		json_text("name", p->name);
		if (p->cpus)
			json_text("cpus", p->cpus);
		if (!p->known)
			json_text("error", "ENODATA");
		json_reasons("active", p->now);
		json_reasons("reasons", p->history ? p->history->seen : 0);
		json_close('}');
		free(when);
	}
}

static void add_row(struct table *t, const struct part *p, const struct ring *ring)
{
	char *now = reasons_text(reasons_brief(p->now));
	struct text strip = { NULL, 0 };

	ring_add_text(&strip, ring, 1);
	table_cell(t, "%ld/%ld/%s", p->domain->package, p->domain->id, p->name);
	table_cell(t, "%s", p->cpus ? p->cpus : "-");
	table_cell(t, "%s", strip.s);
	table_cell(t, "%s", !p->known ? "?" : p->now ? now : "-");
	text_free(&strip);
	free(now);
}

/* Was it limited in an interval that is shown? */
static bool was_limited(const struct ring *r)
{
	for (size_t i = 0; i < r->count && i < HISTORY; i++)
		if (r->value[i] > 0)
			return true;
	return false;
}

static void show_screen(const struct watcher *w, double seconds)
{
	static const char *const head[] = { "WHERE", "CPUS", "HISTORY", "NOW", NULL };
	char *time = timestamp_as("%T");
	struct text t = { NULL, 0 };
	struct table table;
	size_t now = 0;

	for (size_t i = 0; i < w->all.count; i++)
		now += !!w->all.part[i].now;
	text_add(&t, "%s  %zu of %zu limited now, every %.1f s; keys: q quits, + - "
		 "interval\n\n", time, now, w->all.count, seconds);
	table_start_headed(&table, head);
	for (size_t i = 0; i < w->all.count; i++)
		if (was_limited(&w->ring[i]))
			add_row(&table, &w->all.part[i], &w->ring[i]);
	table_add(&t, &table);
	screen_draw(t.s);
	text_free(&t);
	free(time);
}

/* False when the output is lost. */
static bool show(const struct watcher *w, double seconds)
{
	if (w->opt->json)
		show_json(w);
	else if (screen_is())
		show_screen(w, seconds);
	else
		show_lines(w);
	return output_flush();
}

/* Whether there are other parts than there were. */
static bool has_changed(const struct watcher *w)
{
	struct machine m = { 0 };
	size_t n;

	machine_read_limits(&m);
	n = parts_present(&m, w->opt);
	machine_free(&m);
	return n && n != w->all.count;
}

/*
 * Firmware blocks what a watch needs. The driver finds that out by itself, which
 * may take longer than a watch takes to begin.
 */
static bool is_blocked(struct watcher *w)
{
	for (size_t i = 0; i < w->all.count; i++)
		if (w->all.part[i].known)
			return false;
	return keeper_error(&w->keeper, &w->all) == EOPNOTSUPP;
}

/* Until there are other parts; false at the end. */
static bool watch_these(struct watcher *w, double *seconds)
{
	for (unsigned int n = 1;; n++) {
		int key = screen_wait((long long)(*seconds * 1000));

		if (key == 'q' || signals_stopped())
			return false;
		*seconds = interval_after(*seconds, key);
		take(w);
		if (!show(w, *seconds))
			return false;
		if (n % RECOUNT)
			continue;
		keeper_renew(&w->keeper, w->begin - RECOUNT * (long long)(*seconds * 1e9));
		if (has_changed(w))
			return true;
		w->blocked = is_blocked(w);
		if (w->blocked)
			return false;
	}
}

enum status watch(const struct options *opt)
{
	struct watcher w = { .opt = opt };
	double seconds = opt->interval > 0 ? opt->interval : 1;
	enum status status = open_all(&w);
	bool screen = screen_is() && !opt->json;

	signals_catch(false);
	if (screen)
		screen_begin();
	if (status == STATUS_FINE && !opt->json && !screen) {
		char *when = timestamp();

		say("%s watching %zu parts", when, w.all.count);
		output_flush();
		free(when);
	}
	while (status == STATUS_FINE && watch_these(&w, &seconds)) {
		close_all(&w);
		status = open_all(&w);
	}
	if (status == STATUS_FINE && w.all.incomplete)
		status = STATUS_DEGRADED;
	screen_end();
	if (w.blocked) {
		keeper_complain(&w.keeper, &w.all);
		status = STATUS_BROKEN;
	}
	close_all(&w);
	return status;
}
