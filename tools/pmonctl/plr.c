// SPDX-License-Identifier: GPL-2.0-only
#include "plr.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "cpus.h"
#include "discovery.h"
#include "files.h"
#include "output.h"
#include "parts.h"
#include "pmonctl.h"
#include "present.h"
#include "process.h"
#include "reasons.h"
#include "screen.h"

struct numbers {
	unsigned int *v;
	size_t count;
};

/*
 * Parts that share a line: those of one domain that are alike, and of other domains
 * and packages where these have the same names, so that a host with many dies fits a
 * screen.
 */
struct line {
	struct numbers package, domain;
	const struct part **part;
	size_t parts;
	char *names;		/* "die mesh0 core0-2,5" */
};

struct lines {
	struct line *line;
	size_t count;
};

static void line_free(struct line *l)
{
	free(l->package.v);
	free(l->domain.v);
	free(l->part);
	free(l->names);
}

static void lines_free(struct lines *l)
{
	for (size_t i = 0; i < l->count; i++)
		line_free(&l->line[i]);
	free(l->line);
}

static char *names_of(const struct line *l)
{
	unsigned int *id FREED = xcalloc(l->parts, sizeof(*id));
	struct text t = { NULL, 0 };
	size_t n = 0;

	for (size_t i = 0; i < l->parts; i++) {
		const char *name = l->part[i]->name;

		if (part_is_core(l->part[i]))
			id[n++] = (unsigned int)strtoul(name + strlen("core"), NULL, 10);
		else
			text_add(&t, "%s%s", t.len ? " " : "", name);
	}
	if (n)
		text_add(&t, "%score", t.len ? " " : "");
	text_add_ranges(&t, id, n);
	return t.s;
}

/*
 * A line of each domain for the parts for which wanted() holds and that like() says
 * go together, in the order of the first of each.
 */
static struct lines lines_of_domains(const struct parts *all,
				     bool (*wanted)(const struct part *p),
				     bool (*like)(const struct part *a, const struct part *b))
{
	struct lines l = { NULL, 0 };

	for (size_t i = 0; i < all->count; i++) {
		const struct part *p = &all->part[i];
		size_t n = 0;

		if (!wanted(p))
			continue;
		while (n < l.count && (l.line[n].part[0]->domain != p->domain ||
				       !like(l.line[n].part[0], p)))
			n++;
		if (n == l.count)
			append(l.line, l.count, (struct line){ .parts = 0 });
		append(l.line[n].part, l.line[n].parts, p);
	}
	for (size_t i = 0; i < l.count; i++) {
		struct line *one = &l.line[i];
		const struct domain *d = one->part[0]->domain;

		append(one->package.v, one->package.count, (unsigned int)d->package);
		append(one->domain.v, one->domain.count, (unsigned int)d->id);
		one->names = names_of(one);
	}
	return l;
}

static bool same_numbers(const struct numbers *a, const struct numbers *b)
{
	return a->count == b->count && !memcmp(a->v, b->v, a->count * sizeof(*a->v));
}

/* Takes line j into line i. */
static void join(struct lines *l, size_t i, size_t j, bool packages)
{
	struct line *a = &l->line[i], *b = &l->line[j];
	struct numbers *to = packages ? &a->package : &a->domain;
	const struct numbers *from = packages ? &b->package : &b->domain;

	for (size_t n = 0; n < from->count; n++)
		append(to->v, to->count, from->v[n]);
	for (size_t n = 0; n < b->parts; n++)
		append(a->part, a->parts, b->part[n]);
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

			if ((packages ? same_numbers(&a->domain, &b->domain) :
					same_numbers(&a->package, &b->package)) &&
			    !strcmp(a->names, b->names) && like(a->part[0], b->part[0]))
				join(l, i, j, packages);
			else
				j++;
		}
}

/* As lines_of_domains(), but over all domains. */
static struct lines lines_of(const struct parts *all,
			     bool (*wanted)(const struct part *p),
			     bool (*like)(const struct part *a, const struct part *b))
{
	struct lines l = lines_of_domains(all, wanted, like);

	join_alike(&l, false, like);
	join_alike(&l, true, like);
	return l;
}

/* The CPUs of them all, or "-" */
static void line_add_cpus(struct text *t, const struct line *l)
{
	struct cpus all = { { 0 } }, one;

	for (size_t i = 0; i < l->parts; i++) {
		if (!l->part[i]->cpus)
			continue;
		cpus_parse(&one, l->part[i]->cpus);
		cpus_join(&all, &one);
	}
	if (cpus_count(&all))
		cpus_add_text(t, &all);
	else
		text_add(t, "-");
}

/* How old a reason is, and for how long it has limited. */

#define SECOND 1000000000LL

/* What has limited for less than this is a matter of the last look. */
#define WORTH_A_WORD (10 * SECOND)

static void add_duration(struct text *t, long long ns)
{
	long long s = ns / SECOND;

	if (s < 120)
		text_add(t, "%lld s", s);
	else if (s < 2 * 3600)
		text_add(t, "%lld min", s / 60);
	else if (s < 48 * 3600)
		text_add(t, "%lld h", s / 3600);
	else
		text_add(t, "%lld d", s / 86400);
}

/*
 * How long a reason has limited: the longest of parts that share a line, or nothing
 * when it is not known or not worth a word.
 */
static void history_add_time(struct text *t, const struct line *l, uint64_t mask)
{
	long long longest = 0;

	for (size_t i = 0; i < l->parts; i++) {
		const struct history *h = l->part[i]->history;

		for (unsigned int bit = 0; h && bit < REASON_BITS; bit++)
			if (mask >> bit & 1 && h->since[bit] &&
			    h->last[bit] - h->since[bit] > longest)
				longest = h->last[bit] - h->since[bit];
	}
	if (longest >= WORTH_A_WORD) {
		text_add(t, " for ");
		add_duration(t, longest);
	}
}

/*
 * The age of one reason. Of parts that share a line it is the youngest that is
 * known. Hardware does not say when it has set a bit that no watch has seen:
 * where none is known, since the last boot is all there is to say.
 */
static void add_age(struct text *t, const struct line *l, unsigned int bit,
		    long long now)
{
	long long last = 0;

	for (size_t i = 0; i < l->parts; i++) {
		const struct history *h = l->part[i]->history;

		if (h && h->seen >> bit & 1 && h->last[bit] > last)
			last = h->last[bit];
	}
	if (!now || last > now)
		return;
	text_add(t, last ? " " : " up to ");
	add_duration(t, now - last);
	text_add(t, " ago");
}

/* Names with their ages: "POWER 2 h ago, THERMAL up to 12 d ago". */
static void history_add_ages(struct text *t, const struct line *l, uint64_t mask,
			     long long now)
{
	size_t before = t->len;

	while (mask) {
		struct text age FREED_BY(text_free) = { NULL, 0 };
		char *names FREED = NULL;
		uint64_t alike = 0;

		for (unsigned int bit = 0; bit < REASON_BITS; bit++) {
			struct text one FREED_BY(text_free) = { NULL, 0 };

			if (!(mask >> bit & 1))
				continue;
			text_add(&one, "%s", "");
			add_age(&one, l, bit, now);
			if (!alike)
				text_add(&age, "%s", one.s);
			if (!strcmp(age.s, one.s))
				alike |= 1ULL << bit;
		}
		names = reasons_text(reasons_brief(alike));
		text_add(t, "%s%s%s", t->len > before ? ", " : "", names,
			 age.s);
		mask &= ~alike;
	}
}

/* "0-1/0-2/core0-6" */
static void line_add_place(struct text *t, const struct line *l)
{
	text_add_ranges(t, l->package.v, l->package.count);
	text_add(t, "/");
	text_add_ranges(t, l->domain.v, l->domain.count);
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
	const struct part *p = l->part[0];
	char *names FREED = reasons_text(reasons_brief(p->now));

	if (p->now) {
		text_add(t, "%s", names);
		history_add_time(t, l, p->now);
	}
	if (!p->known && p->reasons & ~p->now)
		text_add(t, "%s?", p->now ? " " : "");
	if (!t->len)
		text_add(t, "-");
}

static void add_cells(struct table *table, const struct line *l, long long now)
{
	const struct part *p = l->part[0];
	/* What NOW has implies its coarse reasons, on record as they may be. */
	uint64_t since = reasons_brief(p->reasons) & ~p->now;
	struct text t[4] = { { NULL, 0 } };

	line_add_place(&t[0], l);
	line_add_cpus(&t[1], l);
	add_now(&t[2], l);
	text_add(&t[3], "%s", since ? "" : "-");
	history_add_ages(&t[3], l, since, now);
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
		int error = l.line[i].part[0]->error;
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

static size_t parts_of(const struct parts *all, const struct domain *d)
{
	size_t n = 0;

	for (size_t i = 0; i < all->count; i++)
		n += all->part[i].domain == d;
	return n;
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
	struct lines l FREED_BY(lines_free) = lines_of_domains(&w->all, is_changed, same_now);

	for (size_t i = 0; i < l.count; i++) {
		const struct part *p = l.line[i].part[0];
		char *now FREED = reasons_text(reasons_brief(p->now)), *when FREED = timestamp();

		say("%s %ld/%ld/%s: %s", when, p->domain->package, p->domain->id,
		    l.line[i].names, p->known ? now : "not known");
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
	struct parts now FREED_BY(parts_free) = { .quiet = true };

	machine_read_limits(&m);
	parts_find(&now, &m, w->opt);
	return now.count && now.count != w->all.count;
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
	char *path FREED = root_path(CLASS_DIR "/%s/plr/%s/%s", p->domain->name, p->name, file);

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
