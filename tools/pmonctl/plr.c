// SPDX-License-Identifier: GPL-2.0-only
#include "plr.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "discovery.h"
#include "output.h"
#include "parts.h"
#include "pmonctl.h"
#include "present.h"
#include "process.h"
#include "reasons.h"
#include "screen.h"

/*
 * Parts that share a line: groups of several domains that are alike and have
 * the same names are one, so that a host with many dies fits a screen.
 */
struct line {
	unsigned int *package, *domain;
	size_t packages, domains;
	char *names;
	struct group parts;
};

struct lines {
	struct line *line;
	size_t count;
};

/*
 * Joins directories with the same reasons into lines: what limits now beside
 * what did.
 */

static unsigned int *one_number(long value)
{
	unsigned int *v = xrealloc(NULL, sizeof(*v));

	*v = (unsigned int)value;
	return v;
}

static void add_line(struct lines *l, const struct group *g)
{
	const struct domain *d = g->part[0]->domain;
	struct text names = { NULL, 0 };

	group_add_names(&names, g);
	append(l->line, l->count, (struct line){
		.package = one_number(d->package),
		.domain = one_number(d->id),
		.packages = 1,
		.domains = 1,
		.names = names.s,
		.parts = *g,
	});
}

static void line_free(struct line *l)
{
	free(l->package);
	free(l->domain);
	free(l->names);
	free(l->parts.part);
}

static bool same_numbers(const unsigned int *a, size_t na,
			 const unsigned int *b, size_t nb)
{
	return na == nb && !memcmp(a, b, na * sizeof(*a));
}

static void join_numbers(unsigned int **v, size_t *n, const unsigned int *more,
			 size_t count)
{
	*v = xrealloc(*v, (*n + count) * sizeof(**v));
	memcpy(*v + *n, more, count * sizeof(**v));
	*n += count;
}

/* Takes line j into line i. */
static void join(struct lines *l, size_t i, size_t j, bool packages)
{
	struct line *a = &l->line[i], *b = &l->line[j];

	if (packages)
		join_numbers(&a->package, &a->packages, b->package,
			     b->packages);
	else
		join_numbers(&a->domain, &a->domains, b->domain, b->domains);
	a->parts.part = xrealloc(a->parts.part,
				 (a->parts.count + b->parts.count) *
				 sizeof(*a->parts.part));
	memcpy(a->parts.part + a->parts.count, b->parts.part,
	       b->parts.count * sizeof(*b->parts.part));
	a->parts.count += b->parts.count;
	line_free(b);
	l->count--;
	memmove(b, b + 1, (l->count - j) * sizeof(*b));
}

/* Domains of one package first, then packages with the same domains. */
static void join_alike(struct lines *l, bool packages,
		       bool (*like)(const struct part *a, const struct part *b))
{
	for (size_t i = 0; i < l->count; i++)
		for (size_t j = i + 1; j < l->count;) {
			const struct line *a = &l->line[i], *b = &l->line[j];
			bool one_place = packages ?
				same_numbers(a->domain, a->domains, b->domain,
					     b->domains) :
				same_numbers(a->package, a->packages,
					     b->package, b->packages);

			if (one_place && !strcmp(a->names, b->names) &&
			    like(a->parts.part[0], b->parts.part[0]))
				join(l, i, j, packages);
			else
				j++;
		}
}

/* As groups_of(), but over all domains. */
static struct lines lines_of(const struct parts *all,
			     bool (*wanted)(const struct part *p),
			     bool (*like)(const struct part *a, const struct part *b))
{
	struct groups groups = groups_of(all, wanted, like);
	struct lines l = { NULL, 0 };

	for (size_t i = 0; i < groups.count; i++)
		add_line(&l, &groups.group[i]);
	free(groups.group);
	join_alike(&l, false, like);
	join_alike(&l, true, like);
	return l;
}

static void lines_free(struct lines *l)
{
	for (size_t i = 0; i < l->count; i++)
		line_free(&l->line[i]);
	free(l->line);
}

/* "0-1/0-2/core0-6" */
static void line_add_place(struct text *t, const struct line *l)
{
	text_add_ranges(t, l->package, l->packages);
	text_add(t, "/");
	text_add_ranges(t, l->domain, l->domains);
	text_add(t, "/%s", l->names);
}

static bool only_turbo(const struct part *p)
{
	return !p->error && p->reasons && !(p->reasons & ~reasons_of_turbo());
}

static bool folds;

static bool is_limited_now(const struct part *p)
{
	return p->now && !(folds && only_turbo(p));
}

static bool is_on_record(const struct part *p)
{
	return !p->now && p->reasons && !(folds && only_turbo(p));
}

static bool same_limits(const struct part *a, const struct part *b)
{
	return part_is_core(a) == part_is_core(b) && a->now == b->now &&
	       a->reasons == b->reasons && a->known == b->known;
}

static void add_now(struct text *t, const struct line *l)
{
	const struct part *p = l->parts.part[0];
	char *names FREED = reasons_text(reasons_brief(p->now));

	if (p->now) {
		text_add(t, "%s", names);
		history_add_time(t, &l->parts, p->now);
	}
	if (!p->known && p->reasons & ~p->now)
		text_add(t, "%s?", p->now ? " " : "");
	if (!t->len)
		text_add(t, "-");
}

static void add_cells(struct table *table, const struct line *l, long long now)
{
	const struct part *p = l->parts.part[0];
	/* What NOW has implies its coarse reasons, on record as they may be. */
	uint64_t since = reasons_brief(p->reasons) & ~p->now;
	struct text t[4] = { { NULL, 0 } };

	line_add_place(&t[0], l);
	group_add_cpus(&t[1], &l->parts);
	add_now(&t[2], l);
	text_add(&t[3], "%s", since ? "" : "-");
	history_add_ages(&t[3], &l->parts, since, now);
	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		table_cell(table, "%s", t[i].s);
		text_free(&t[i]);
	}
}

static void add_rows(struct table *table, const struct parts *all,
		     bool (*wanted)(const struct part *p), long long now)
{
	struct lines l FREED_BY(lines_free) = lines_of(all, wanted, same_limits);

	for (size_t i = 0; i < l.count; i++)
		add_cells(table, &l.line[i], now);
}

size_t lines_add_table(struct text *t, const struct parts *all, long long now)
{
	static const char *const head[] = {
		"WHERE", "~CPUS", "~NOW", "~SINCE", NULL
	};
	struct table table;
	size_t left = 0;

	folds = !all->single;
	table_start_headed(&table, head);
	add_rows(&table, all, is_limited_now, now);
	add_rows(&table, all, is_on_record, now);
	table_add(t, &table);
	for (size_t i = 0; i < all->count && folds; i++)
		left += only_turbo(&all->part[i]);
	return left;
}

/* Prints what pmonctl plr has read, as a table or JSON. */

static bool is_not_limited(const struct part *p)
{
	return !p->reasons && !p->error;
}

static bool is_unreadable(const struct part *p)
{
	return p->error;
}

static bool same_error(const struct part *a, const struct part *b)
{
	return a->error == b->error;
}

static void add_rest(struct text *t, const struct parts *all,
		     bool (*wanted)(const struct part *p))
{
	struct lines l FREED_BY(lines_free) = lines_of(all, wanted, same_error);

	for (size_t i = 0; i < l.count; i++) {
		int error = l.line[i].parts.part[0]->error;
		struct text place FREED_BY(text_free) = { NULL, 0 };

		line_add_place(&place, &l.line[i]);
		text_add_shown(t, place.s);
		if (error)
			text_add(t, ": unreadable (%s)\n", error_name(error));
		else
			text_add(t, all->refused ? ": not seen\n" :
						   ": not limited\n");
	}
}

/* How many parts are limited now, and have been, and are not known. */
struct tally {
	size_t now, old, unknown, unread;
};

static struct tally count(const struct parts *all)
{
	struct tally n = { 0, 0, 0, 0 };

	for (size_t i = 0; i < all->count; i++) {
		const struct part *p = &all->part[i];

		n.unread += !!p->error;
		n.now += !!p->now;
		n.old += !p->now && p->reasons && p->known;
		n.unknown += !p->now && p->reasons && !p->known;
	}
	return n;
}

static void add_headline(struct text *t, const struct parts *all)
{
	struct tally n = count(all);

	if (n.unread == all->count) {
		text_add(t, "What limits cannot be read.\n");
	} else if (!n.now && !n.old && !n.unknown) {
		text_add(t, all->refused ?
			 "Nothing was seen while somebody watched" :
			 "No limit is recorded");
		if (n.unread)
			text_add(t, " in what can be read; %zu of %zu parts "
				 "cannot", n.unread, all->count);
		text_add(t, ".\n");
	} else {
		text_add(t, "%zu of %zu limited now", n.now, all->count);
		if (n.old)
			text_add(t, ", %zu more since the last clear", n.old);
		if (n.unknown)
			text_add(t, ", %zu now or before (?)", n.unknown);
		text_add(t, "\n\n");
	}
}

static uint64_t in_force(const struct parts *all)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < all->count; i++)
		mask |= all->part[i].now;
	if (!all->single)
		mask &= ~reasons_of_turbo();
	return reasons_brief(mask);
}

static void plr_print(const struct parts *all, bool moves)
{
	struct text t FREED_BY(text_free) = { NULL, 0 }, rest FREED_BY(text_free) = { NULL, 0 };
	size_t turbo;

	if (moves && !all->refused)
		text_add(&t, "Looking moves the hardware's record into openpmon's "
			 "log; --once does not.\n");
	add_headline(&t, all);
	turbo = lines_add_table(&t, all, history_now());
	if (turbo)
		text_add(&rest, "FREQUENCY alone in %zu of %zu: turbo limit of a busy "
			 "host\n", turbo, all->count);
	add_rest(&rest, all, is_unreadable);
	add_rest(&rest, all, is_not_limited);
	reasons_add_meanings(&rest, in_force(all));
	if (rest.len)
		text_add(&t, "\n%s", rest.s);
	print_text(stdout, t.s);
}

static void plr_print_cleared(const struct parts *all)
{
	size_t n = 0;

	for (size_t i = 0; i < all->count; i++)
		n += !!all->part[i].cleared;
	if (n) {
		say_nothing();
		say("Cleared in %zu %s.", n, n == 1 ? "part" : "parts");
	}
}

static void json_history(const struct part *p)
{
	const struct history *h = p->history;

	if (!h || !h->seen)
		return;
	json_open("history", '[');
	for (unsigned int bit = 0; bit < REASON_BITS; bit++) {
		if (!(h->seen >> bit & 1))
			continue;
		json_open(NULL, '{');
		json_text("reason", reason_name(bit));
		json_number("last_ns", (long)h->last[bit]);
		json_number("limited_ns", (long)h->limited[bit]);
		if (h->since[bit])
			json_number("since_ns", (long)h->since[bit]);
		json_close('}');
	}
	json_close(']');
}

static void json_part(const struct part *p)
{
	json_open(NULL, '{');
	json_text("name", p->name);
	if (p->cpus)
		json_text("cpus", p->cpus);
	if (p->error)
		json_text("error", error_name(p->error));
	else
		json_reasons("reasons", p->reasons);
	if (p->known)
		json_reasons("now", p->now);
	if (p->watched)
		json_reasons("active", p->active);
	if (p->cleared)
		json_reasons("cleared", p->cleared);
	json_history(p);
	json_close('}');
}

static void json_domain(const struct domain *d, const struct parts *all)
{
	json_domain_head(d);
	json_open("parts", '[');
	for (size_t i = 0; i < all->count; i++)
		if (all->part[i].domain == d)
			json_part(&all->part[i]);
	json_close(']');
	json_close('}');
}

/*
 * What limits now, what has limited, what the reasons in force mean, and the rest
 * in a few words. moves: the look has moved the hardware's record.
 */
static void plr_print_json(const struct machine *m, struct parts *all)
{
	long long now = history_now();

	json_document();
	if (now)
		json_number("uptime_ns", (long)now);
	json_open("domains", '[');
	for (size_t i = 0; i < m->domains; i++)
		if (parts_of(all, &m->domain[i]))
			json_domain(&m->domain[i], all);
	json_close(']');
	json_close('}');
}

/*
 * pmonctl plr --watch: what limits now.
 *
 * The driver looks, because an open perf event of the plr PMU has it watch each
 * domain; once an interval its record is read, which costs no register access. A
 * terminal has a screen with a strip for each part that was limited; a file or pipe
 * gets a line for each change, or with --json an object on a line.
 */

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
	w->ring = xcalloc(w->all.count, sizeof(*w->ring));
	w->limited = xcalloc(w->all.count, sizeof(*w->limited));
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
	uint64_t *before FREED = xrealloc(NULL, w->all.count * sizeof(*before));
	bool *known FREED = xrealloc(NULL, w->all.count * sizeof(*known));

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
	struct groups groups FREED_BY(groups_free) = groups_of(&w->all, is_changed, same_now);

	for (size_t i = 0; i < groups.count; i++) {
		const struct part *p = groups.group[i].part[0];
		char *now FREED = reasons_text(reasons_brief(p->now)), *when FREED = timestamp();
		struct text names FREED_BY(text_free) = { NULL, 0 };

		group_add_names(&names, &groups.group[i]);
		say("%s %ld/%ld/%s: %s", when, p->domain->package, p->domain->id,
		    names.s, p->known ? now : "not known");
	}
}

static void show_json(const struct watcher *w)
{
	json_lines();
	for (size_t i = 0; i < w->all.count; i++) {
		const struct part *p = &w->all.part[i];
		char *when FREED = timestamp();

		if (!p->changed)
			continue;
		json_document();
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
	}
}

static void add_row(struct table *t, const struct part *p, const struct ring *ring)
{
	char *now FREED = reasons_text(reasons_brief(p->now));
	struct text strip FREED_BY(text_free) = { NULL, 0 };

	ring_add_text(&strip, ring, 1);
	table_cell(t, "%ld/%ld/%s", p->domain->package, p->domain->id, p->name);
	table_cell(t, "%s", p->cpus ? p->cpus : "-");
	table_cell(t, "%s", strip.s);
	table_cell(t, "%s", !p->known ? "?" : p->now ? now : "-");
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
	char *time FREED = timestamp_as("%T");
	struct text t FREED_BY(text_free) = { NULL, 0 };
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
}

/* False when the output is lost. */
static bool show_changes(const struct watcher *w, double seconds)
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
	struct machine m FREED_BY(machine_free) = { 0 };
	size_t n;

	machine_read_limits(&m);
	n = parts_present(&m, w->opt);
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
		if (!show_changes(w, *seconds))
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

static enum status watch(const struct options *opt)
{
	struct watcher w = { .opt = opt };
	double seconds = opt->interval > 0 ? opt->interval : 1;
	enum status status = open_all(&w);
	bool screen = screen_is() && !opt->json;

	signals_catch(false);
	if (screen)
		screen_begin();
	if (status == STATUS_FINE && !opt->json && !screen) {
		char *when FREED = timestamp();

		say("%s watching %zu parts", when, w.all.count);
		output_flush();
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

/*
 * pmonctl plr: what limits the performance of each module, mesh and die.
 */

static void complain_part(const struct part *p, const char *file, int error)
{
	char *path FREED = part_path(p, file);

	complain_file(path, error);
}

/* The table shows which part failed; stderr says what to do about it, once. */
static bool report_errors(const struct parts *all)
{
	int last = 0;
	bool any = false;

	for (size_t i = 0; i < all->count; i++) {
		const struct part *p = &all->part[i];

		if (!p->error)
			continue;
		any = true;
		if (p->error != last)
			complain_part(p, "reasons", p->error);
		last = p->error;
	}
	return any;
}

/*
 * What was read is what is cleared, no more: a reason that came since was not
 * shown to anybody yet. Dies come last: one that is computed from its modules
 * has what they have until they are cleared, and the driver then keeps it on
 * the die's record.
 */
static bool clear(struct parts *all, uint64_t mask)
{
	int last = 0;

	for (size_t i = all->count; i--;) {
		struct part *p = &all->part[i];
		int error = 0;

		if (p->reasons & mask)
			error = part_clear(p, p->reasons & mask);
		if (error && error != last)
			complain_part(p, "clear", error);
		last = error ? error : last;
	}
	return !last;
}

/* Reason names as arguments of --clear; none means all. */
static bool parse_names(const struct options *opt, uint64_t *mask)
{
	uint64_t one;

	*mask = opt->words ? 0 : UINT64_MAX;
	for (size_t i = 0; i < opt->words; i++) {
		char *name FREED = xstrdup(opt->word[i]);

		for (char *c = name; *c && strcmp(opt->word[i], "all"); c++)
			*c = (char)toupper((unsigned char)*c);
		if (!reasons_parse(name, &one)) {
			complain("--clear %s: no such reason; pmonctl(8) says "
				 "where they are listed", opt->word[i]);
			return false;
		}
		*mask |= one;
	}
	return true;
}

static enum status show(const struct machine *m, struct parts *all,
			const struct options *opt, uint64_t mask)
{
	bool quick = opt->once || opt->clear || opt->dies || !clock_runs();
	bool fine = true;

	if (quick)
		look_once(all);
	else
		look_for_a_second(all);
	if (!opt->json)
		plr_print(all, !quick);
	if (opt->clear) {
		fine = clear(all, mask);
		if (!opt->json)
			plr_print_cleared(all);
	}
	if (opt->json)
		plr_print_json(m, all);
	if (all->refused) {
		complain("what hardware has on record since boot takes root, or the "
			 "group given to pmon.ko with gid= (see rights.rst); shown is "
			 "what was seen while somebody watched");
		return STATUS_BROKEN;
	}
	if (report_errors(all) || m->degraded || all->incomplete || !fine)
		return STATUS_DEGRADED;
	return STATUS_FINE;
}

static bool options_agree(const struct options *opt)
{
	if (opt->clear && opt->watch)
		complain("--watch and --clear do not go together");
	else if (opt->cpus && opt->package >= 0)
		complain("--cpu and --package do not go together");
	else if (opt->dies && opt->cpus)
		complain("--cpu and --dies do not go together");
	else if (opt->once && opt->watch)
		complain("--once and --watch do not go together");
	else if (opt->interval > 0 && !opt->watch)
		complain("--interval goes with --watch");
	else
		return true;
	return false;
}

enum status cmd_plr(const struct options *opt)
{
	struct machine m FREED_BY(machine_free) = { 0 };
	struct parts all FREED_BY(parts_free) = { .part = NULL };
	uint64_t mask;

	if (!options_agree(opt) || !parse_names(opt, &mask))
		return STATUS_USAGE;
	if (opt->watch)
		return watch(opt);
	machine_read_limits(&m);
	if (!m.domains)
		return plr_absent(&m, opt->json);
	if (!parts_find(&all, &m, opt))
		return STATUS_USAGE;
	return all.count ? show(&m, &all, opt, mask) : STATUS_BROKEN;
}
