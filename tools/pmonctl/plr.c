// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>

#include "host.h"
#include "files.h"
#include "cpus.h"
#include "scopes.h"
#include "power.h"
#include "present.h"
#include "process.h"
#include "screen.h"

/* Equal scopes of a domain share a line, then equal domains and packages. */
enum place { NAMES, DOMAIN, PACKAGE, PLACES };

struct line {
	const struct scope **scope;
	size_t scopes;
	char *at[PLACES];	/* "die mesh0 core0-2,5", "0-1", "0" */
};

struct lines {
	struct line *line;
	size_t count;
};

/* Selects the scopes to print. */
enum choice { LIMITED_NOW, ON_RECORD, UNREADABLE, NOT_LIMITED, CHANGED };

static bool is_chosen(const struct scope *p, enum choice c)
{
	switch (c) {
	case LIMITED_NOW:
		return p->now;
	case ON_RECORD:
		return !p->now && p->reasons;
	case UNREADABLE:
		return p->error;
	case NOT_LIMITED:
		return !p->reasons && !p->error;
	default:
		return p->changed;
	}
}

/* May chosen scopes share a line? In changes only cores do. */
static bool are_alike(const struct scope *a, const struct scope *b, enum choice c)
{
	if (c == UNREADABLE || c == NOT_LIMITED)
		return a->error == b->error;
	return scope_is_core(a) == scope_is_core(b) && a->now == b->now && a->known == b->known &&
	       (c == CHANGED ? scope_is_core(a) : a->reasons == b->reasons);
}

static void line_free(struct line *l)
{
	for (int place = 0; place < PLACES; place++)
		free(l->at[place]);
	free(l->scope);
}

static void lines_free(struct lines *l)
{
	while (l->count)
		line_free(&l->line[--l->count]);
	free(l->line);
}

static char *place_text(const struct line *l, enum place place)
{
	unsigned int *id FREED = xcalloc(l->scopes, sizeof(*id));
	struct text t = { NULL, 0 };
	size_t n = 0;

	for (size_t i = 0; i < l->scopes; i++) {
		const struct scope *p = l->scope[i];

		if (place != NAMES)
			id[n++] = (unsigned int)(place == PACKAGE ? p->domain->package :
								    p->domain->id);
		else if (scope_is_core(p))
			id[n++] = (unsigned int)strtoul(p->name + strlen("core"), NULL, 10);
		else
			text_add(&t, "%s%s", t.len ? " " : "", p->name);
	}
	if (n && place == NAMES)
		text_add(&t, "%score", t.len ? " " : "");
	text_add_ranges(&t, id, n);
	return t.s;
}

/* Joins lines that are equal except for @by. */
static void join_alike(struct lines *l, enum place by, enum choice c)
{
	for (size_t i = 0; i < l->count; i++) {
		struct line *a = &l->line[i];

		for (size_t j = i + 1; j < l->count;) {
			struct line *b = &l->line[j];
			bool joins = are_alike(a->scope[0], b->scope[0], c);

			for (enum place place = 0; place < PLACES; place++)
				joins &= place == by || !strcmp(a->at[place], b->at[place]);
			if (!joins) {
				j++;
				continue;
			}
			for (size_t n = 0; n < b->scopes; n++)
				append(a->scope, a->scopes, b->scope[n]);
			line_free(b);
			l->count--;
			memmove(b, b + 1, (l->count - j) * sizeof(*b));
		}
		free(a->at[by]);
		a->at[by] = place_text(a, by);
	}
}

/* Lines over names of a domain, domains of a package, and packages, as far as @last. */
static struct lines lines_of(const struct scopes *all, enum choice c, enum place last)
{
	struct lines l = { NULL, 0 };

	for (const struct scope *p = all->scope; p < all->scope + all->count; p++) {
		struct line line = { .scopes = 0 };

		if (!is_chosen(p, c))
			continue;
		append(line.scope, line.scopes, p);
		for (int place = 0; place < PLACES; place++)
			line.at[place] = place_text(&line, place);
		append(l.line, l.count, line);
	}
	for (enum place by = NAMES; by <= last; by++)
		join_alike(&l, by, c);
	return l;
}

static char *where_text(const struct line *l)
{
	return xasprintf("%s/%s/%s", l->at[PACKAGE], l->at[DOMAIN], l->at[NAMES]);
}

/* Adds the CPUs of all scopes. */
static void line_add_cpus(struct text *t, const struct line *l)
{
	struct cpus all = { { 0 } }, one;

	for (size_t i = 0; i < l->scopes; i++) {
		if (!l->scope[i]->cpus)
			continue;
		cpus_parse(&one, l->scope[i]->cpus);
		cpus_join(&all, &one);
	}
	cpus_add_text(t, &all);
}

#define SECOND 1000000000LL

/* Shorter times are of the last poll. */
#define WORTH_A_WORD (10 * SECOND)

/* @up: rounded up, as a bound is. */
static char *duration_text(long long ns, bool up)
{
	static const struct {
		long long seconds;
		const char *name;
	} units[] = { { 86400, "d" }, { 3600, "h" }, { 60, "min" }, { 1, "s" } };
	long long s = (ns + up * (SECOND - 1)) / SECOND;
	size_t i = 0;

	while (s < 2 * units[i].seconds && units[i].seconds > 1)
		i++;
	return xasprintf("%lld %s", (s + up * (units[i].seconds - 1)) / units[i].seconds,
			 units[i].name);
}

/* Adds the longest time of a reason among the scopes of a line, if long enough. */
static void add_time(struct text *t, const struct line *l, uint64_t mask)
{
	long long longest = 0;

	for (size_t i = 0; i < l->scopes; i++) {
		const struct history *h = &l->scope[i]->history;

		for_each_reason(bit, mask)
			if (h->since[bit] && h->last[bit] - h->since[bit] > longest)
				longest = h->last[bit] - h->since[bit];
	}
	if (longest >= WORTH_A_WORD) {
		char *duration FREED = duration_text(longest, false);

		text_add(t, " for %s", duration);
	}
}

/* The smallest age among the scopes of a line; a bit never seen set may be of the boot. */
static char *age_text(const struct line *l, unsigned int bit, long long now)
{
	char *duration FREED = NULL;
	long long last = 0;

	for (size_t i = 0; i < l->scopes; i++)
		if (l->scope[i]->history.last[bit] > last)
			last = l->scope[i]->history.last[bit];
	if (!now || last > now)
		return xstrdup("");
	duration = duration_text(now - last, !last);
	return xasprintf(" %s%s ago", last ? "" : "up to ", duration);
}

/* Adds "POWER 2 h ago, THERMAL up to 12 d ago". */
static void add_ages(struct text *t, const struct line *l, uint64_t mask, long long now)
{
	uint64_t done = 0;

	for_each_reason(first, mask & ~done) {
		char *age FREED = age_text(l, first, now), *names FREED = NULL;
		uint64_t alike = 0;

		for_each_reason(bit, mask) {
			char *other FREED = age_text(l, bit, now);

			if (!strcmp(age, other))
				alike |= 1ULL << bit;
		}
		names = reasons_text(reasons_brief(alike));
		text_add(t, "%s%s%s", done ? ", " : "", names, age);
		done |= alike;
	}
}

static void add_now(struct text *t, const struct line *l)
{
	const struct scope *p = l->scope[0];
	char *names FREED = reasons_text(reasons_brief(p->now));

	if (p->now) {
		text_add(t, "%s", names);
		add_time(t, l, p->now);
	}
	if (!p->known && p->reasons & ~p->now)
		text_add(t, "%s?", p->now ? " " : "");
}

static void add_cells(struct table *table, const struct line *l, long long now)
{
	const struct scope *p = l->scope[0];
	/* Coarse reasons of NOW are implied. */
	uint64_t since = reasons_brief(p->reasons) & ~p->now;
	char *where FREED = where_text(l);
	struct text t[3] = { { NULL, 0 } };

	line_add_cpus(&t[0], l);
	add_now(&t[1], l);
	add_ages(&t[2], l, since, now);
	table_row(table, where, t[0].s, t[1].s, t[2].s);
	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++)
		free(t[i].s);
}

size_t lines_add_table(struct text *t, const struct scopes *all, long long now)
{
	struct scopes shown = { .scope = NULL };
	struct table table;

	for (const struct scope *p = all->scope; p < all->scope + all->count; p++)
		if (all->single || p->error || !p->reasons || p->reasons & ~reasons_of_turbo())
			append(shown.scope, shown.count, *p);
	table_start(&table, "~WHERE,~CPUS,~NOW,~SINCE");
	table.column[2].paint = screen_add_names;
	for (enum choice c = LIMITED_NOW; c <= ON_RECORD; c++) {
		struct lines l FREED_BY(lines_free) = lines_of(&shown, c, PACKAGE);

		for (size_t n = 0; n < l.count; n++)
			add_cells(&table, &l.line[n], now);
	}
	table_add(t, &table);
	free(shown.scope);
	return all->count - shown.count;
}

static void add_rest(struct text *t, const struct scopes *all, enum choice c)
{
	struct lines l FREED_BY(lines_free) = lines_of(all, c, PACKAGE);

	for (size_t i = 0; i < l.count; i++) {
		char *where FREED = where_text(&l.line[i]);
		int error = l.line[i].scope[0]->error;

		text_add_shown(t, where);
		if (error)
			text_add(t, ": unreadable (%s)\n", error_name(error));
		else
			text_add(t, all->refused ? ": not seen\n" : ": not limited\n");
	}
}

struct tally tally(const struct scopes *all)
{
	uint64_t mask = all->single ? UINT64_MAX : ~reasons_of_turbo();
	struct tally n = { .now = 0 };

	for (const struct scope *p = all->scope; p < all->scope + all->count; p++) {
		uint64_t now = p->now & mask, old = now ? 0 : p->reasons & mask;

		n.unread += !!p->error;
		n.now += !!now;
		n.turbo += p->now && !now;
		n.old += old && p->known;
		n.unknown += old && !p->known;
		n.in_force |= now;
	}
	return n;
}

void tally_add(struct text *t, const struct tally *n, const struct scopes *all)
{
	text_add(t, "%zu of %zu limited now", n->now, all->count);
	if (n->turbo)
		text_add(t, ", %zu at a turbo limit", n->turbo);
}

static void add_headline(struct text *t, const struct scopes *all, const struct tally *n,
			 size_t turbo)
{
	if (n->unread == all->count) {
		text_add(t, "The limits cannot be read.\n");
	} else if (!n->now && !turbo && !n->old && !n->unknown) {
		text_add(t, all->refused ? "The driver has recorded no limit" :
					   "No limit is recorded");
		if (n->unread)
			text_add(t, "; %zu of %zu parts cannot be read", n->unread, all->count);
		text_add(t, ".\n");
	} else {
		tally_add(t, n, all);
		if (n->old)
			text_add(t, ", %zu more since the last clear", n->old);
		if (n->unknown)
			text_add(t, ", %zu now or before (?)", n->unknown);
		text_add(t, "\n");
	}
}

/* Prints limits in force, earlier limits, meanings and the rest. */
static void plr_print(const struct scopes *all, bool moves, struct powers *powers)
{
	struct text t FREED = { NULL, 0 }, table FREED = { NULL, 0 }, rest FREED = { NULL, 0 };
	size_t turbo = lines_add_table(&table, all, history_now());
	struct tally n = tally(all);

	if (moves && !all->refused)
		text_add(&t, "Looking moves the hardware's record into openpmon's "
			 "log; --once does not.\n");
	add_headline(&t, all, &n, turbo);
	if (turbo)
		text_add(&rest, "FREQUENCY alone in %zu of %zu: turbo limit of a busy "
			 "host\n", turbo, all->count);
	add_rest(&rest, all, UNREADABLE);
	add_rest(&rest, all, NOT_LIMITED);
	reasons_add_meanings(&rest, reasons_brief(n.in_force));
	power_add_lines(&rest, all, powers);
	text_add(&t, "%s%s%s%s", table.s ? "\n" : "", table.s ? table.s : "", rest.s ? "\n" : "",
		 rest.s ? rest.s : "");
	print_lines(t.s);
}

static void json_plr_scope(const struct scope *p)
{
	const struct history *h = &p->history;

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
	if (p->monitored)
		json_reasons("active", p->active);
	if (p->cleared)
		json_reasons("cleared", p->cleared);
	if (h->seen)
		json_open("history", '[');
	for_each_reason(bit, h->seen) {
		json_open(NULL, '{');
		json_members("reason %s last_ns %ld limited_ns %ld", plr_reason_name(bit),
			     (long)h->last[bit], (long)h->limited[bit]);
		if (h->counted)
			json_number("count", (long)h->count[bit]);
		if (h->since[bit])
			json_number("since_ns", (long)h->since[bit]);
		json_close();
	}
	if (h->seen)
		json_close();
	json_close();
}

/* The scopes of a domain, if there are any. */
static void json_domain(const struct domain *d, const struct scopes *all)
{
	size_t i = 0;

	while (i < all->count && all->scope[i].domain != d)
		i++;
	if (i == all->count)
		return;
	json_open(NULL, '{');
	json_domain_members(d);
	json_open("parts", '[');
	for (; i < all->count; i++)
		if (all->scope[i].domain == d)
			json_plr_scope(&all->scope[i]);
	json_close();
	json_close();
}

void plr_json(const struct machine *m, const struct scopes *all)
{
	long long now = history_now();

	if (now)
		json_number("uptime_ns", (long)now);
	json_open("domains", '[');
	for (size_t i = 0; i < m->domains; i++)
		json_domain(&m->domain[i], all);
	json_close();
}

/*
 * pmonctl plr --watch.
 *
 * An open perf event of the plr PMU makes the driver monitor a domain; each interval the driver's
 * record is read without a register access. A terminal shows a screen with a strip per limited
 * part; a file or pipe gets a line per change, or with --json an object.
 */

/* Modules change with CPUs and devices; events end with devices. */
#define RECOUNT 5

struct watcher {
	const struct options *opt;
	struct machine m;
	struct scopes all;
	struct monitor monitor;
	struct shown {			/* last shown state of a scope */
		struct ring ring;	/* limited share of the interval */
		uint64_t now;
		bool known;
	} *shown;
	long long begin;		/* of the interval */
	bool blocked;			/* by firmware: nothing will be known */
};

static void close_all(struct watcher *w)
{
	monitor_close(&w->monitor);
	scopes_free(&w->all);
	machine_free(&w->m);
	free(w->shown);
	*w = (struct watcher){ .opt = w->opt };
}

static enum status open_all(struct watcher *w)
{
	bool good;

	machine_read_limits(&w->m);
	if (!w->m.domains)
		return plr_absent(&w->m, w->opt->json);
	if (!scopes_find(&w->all, &w->m, w->opt))
		return STATUS_USAGE;
	if (!w->all.count)
		return STATUS_BROKEN;
	w->shown = xcalloc(w->all.count, sizeof(*w->shown));
	w->begin = history_now();
	good = poll_begin(&w->monitor, &w->all);
	for (size_t i = 0; i < w->all.count; i++) {
		good |= history_observed(&w->all.scope[i], w->begin);
		/* A known and unlimited scope is no change. */
		w->shown[i].known = true;
	}
	w->begin = history_now();
	if (!good)
		monitor_complain(&w->monitor, &w->all);
	return good ? STATUS_FINE : STATUS_BROKEN;
}

/* The longest time of a reason since the previous poll. */
static long long longest(const struct scope *p)
{
	long long ns = 0;

	for_each_reason(bit, p->now)
		if (p->history.limited[bit] - p->before.limited[bit] > ns)
			ns = p->history.limited[bit] - p->before.limited[bit];
	return ns;
}

static void take(struct watcher *w)
{
	long long now = history_now(), passed = now - w->begin;

	poll_again(&w->all);
	for (size_t i = 0; i < w->all.count; i++) {
		struct scope *p = &w->all.scope[i];
		struct shown *s = &w->shown[i];
		double share = passed > 0 ? (double)longest(p) / (double)passed : 0;

		p->changed = p->now != s->now || p->known != s->known;
		ring_add(&s->ring, !p->known ? -1 : !p->now ? 0 : share > 0.1 ? share : 0.1);
		s->now = p->now;
		s->known = p->known;
	}
	w->begin = now;
}

static void show_lines(const struct watcher *w)
{
	struct lines l FREED_BY(lines_free) = lines_of(&w->all, CHANGED, NAMES);

	for (size_t i = 0; i < l.count; i++) {
		const struct scope *p = l.line[i].scope[0];
		char *now FREED = reasons_text(reasons_brief(p->now)), *when FREED = timestamp();
		char *where FREED = where_text(&l.line[i]);

		print_line("%s %s: %s", when, where, p->known ? now : "not known");
	}
}

static void show_json(const struct watcher *w)
{
	json_lines();
	for (const struct scope *p = w->all.scope; p < w->all.scope + w->all.count; p++) {
		char *when FREED = timestamp();

		if (!p->changed)
			continue;
		json_document();
		json_members("time %s socket %ld domain %ld name %s", when, p->domain->package,
			     p->domain->id, p->name);
		if (p->cpus)
			json_text("cpus", p->cpus);
		if (!p->known)
			json_text("error", "ENODATA");
		json_reasons("active", p->now);
		json_reasons("reasons", p->history.seen);
		json_close();
	}
}

static void add_row(struct table *t, const struct scope *p, const struct ring *ring)
{
	char *where FREED = xasprintf("%ld/%ld/%s", p->domain->package, p->domain->id, p->name);
	char *now FREED = reasons_text(reasons_brief(p->now));
	struct text strip FREED = { NULL, 0 };

	ring_add_text(&strip, ring, 1);
	table_row(t, where, p->cpus, strip.s, !p->known ? "?" : p->now ? now : NULL);
}

static void show_screen(const struct watcher *w, double seconds)
{
	char *now FREED = timestamp();
	struct text t FREED = { NULL, 0 };
	struct table table;
	struct tally n = tally(&w->all);

	text_add(&t, "%.8s  ", strchr(now, 'T') + 1);
	tally_add(&t, &n, &w->all);
	text_add(&t, ", every %g s; keys: q quits, + - interval\n\n", seconds);
	table_start(&table, "~WHERE,~CPUS,HISTORY,~NOW");
	table.column[3].paint = screen_add_names;
	for (size_t i = 0; i < w->all.count; i++) {
		const struct ring *ring = &w->shown[i].ring;
		size_t at = 0;

		/* Limited in a visible interval */
		while (at < HISTORY && !(ring->value[at] > 0))
			at++;
		if (at < HISTORY)
			add_row(&table, &w->all.scope[i], ring);
	}
	table_add(&t, &table);
	screen_draw(t.s);
}

/* Has the number of scopes changed? */
static bool has_changed(const struct watcher *w)
{
	struct machine m FREED_BY(machine_free) = { 0 };
	struct scopes now FREED_BY(scopes_free) = { .quiet = true };

	machine_read_limits(&m);
	scopes_find(&now, &m, w->opt);
	return now.count && now.count != w->all.count;
}

/* Until there are other scopes; false at the end. */
static bool watch_scopes(struct watcher *w, double *seconds)
{
	size_t known;

	for (unsigned int n = 1;; n++) {
		int key = screen_wait(MS_OF(*seconds));

		if (key == 'q' || signals_stopped())
			return false;
		*seconds = interval_after(*seconds, key);
		if (!key)
			take(w);
		if (w->opt->json)
			show_json(w);
		else if (screen_is())
			show_screen(w, *seconds);
		else
			show_lines(w);
		if (!output_flush())
			return false;
		if (n % RECOUNT)
			continue;
		monitor_renew(&w->monitor, w->begin - RECOUNT * (long long)(*seconds * 1e9));
		if (has_changed(w))
			return true;
		/* Firmware that blocks clearing; the driver may find that only later. */
		for (known = 0; known < w->all.count && !w->all.scope[known].known;)
			known++;
		w->blocked = known == w->all.count &&
			     monitor_error(&w->monitor, &w->all) == EOPNOTSUPP;
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

		print_line("%s watching %zu parts", when, w.all.count);
		output_flush();
	}
	while (status == STATUS_FINE && watch_scopes(&w, &seconds)) {
		close_all(&w);
		status = open_all(&w);
	}
	if (status == STATUS_FINE && w.all.incomplete)
		status = STATUS_DEGRADED;
	screen_end();
	if (w.blocked) {
		monitor_complain(&w.monitor, &w.all);
		status = STATUS_BROKEN;
	}
	close_all(&w);
	return status;
}

/* pmonctl plr: limits of each module, mesh and die. */

/* Prints a remedy once for a row of scopes with the same error. */
static void complain_scope(const struct scope *p, const char *file, int error, int *last)
{
	char *path FREED = root_path(CLASS_DIR "/%s/plr/%s/%s", p->domain->name, p->name, file);

	if (error && error != *last)
		complain_file(path, error);
	*last = error ? error : *last;
}

/*
 * Clears only bits that were read, so new reasons stay. Dies last: a die computed from its modules
 * keeps their bits until the modules are cleared, and the driver then keeps them in the die's
 * record.
 */
static bool clear(struct scopes *all, uint64_t mask, bool json)
{
	size_t cleared = 0;
	int last = 0;

	for (size_t i = all->count; i--;) {
		struct scope *p = &all->scope[i];
		char *names FREED = reasons_text(p->reasons & mask);
		int error = !(p->reasons & mask) ? 0 :
			sysfs_write(names, CLASS_DIR "/%s/plr/%s/clear", p->domain->name, p->name);

		complain_scope(p, "clear", error, &last);
		if (!error)
			p->cleared = p->reasons & mask;
		cleared += !!p->cleared;
	}
	if (cleared && !json) {
		print_empty_line();
		print_line("Cleared in %zu %s.", cleared, cleared == 1 ? "part" : "parts");
	}
	return !last;
}

/* Reason names as arguments of --clear; none means all. */
static bool parse_names(const struct options *opt, uint64_t *mask)
{
	*mask = opt->words ? 0 : UINT64_MAX;
	for (size_t i = 0; i < opt->words; i++) {
		int bit = reason_bit(opt->word[i]);

		if (bit < 0 && strcmp(opt->word[i], "all"))
			return complain("--clear %s: no such reason; pmonctl explain lists "
					"them", opt->word[i]);
		*mask |= bit < 0 ? UINT64_MAX : 1ULL << bit;
	}
	return true;
}

static enum status show(const struct machine *m, struct scopes *all,
			const struct options *opt, uint64_t mask)
{
	bool quick = opt->once || opt->clear || !clock_runs();
	struct powers powers FREED = { NULL, 0 };
	bool fine = true;
	int last = 0;

	powers_read(&powers);
	if (quick)
		poll_once(all);
	else
		poll_for_a_second(all, true);
	if (!opt->json)
		plr_print(all, !quick, &powers);
	if (opt->clear)
		fine = clear(all, mask, opt->json);
	if (opt->json) {
		json_document();
		plr_json(m, all);
		json_close();
	}
	if (all->refused)
		return fail(STATUS_BROKEN, "the hardware's record since boot needs root, or the "
			    "group given to pmon.ko with gid= (see rights.rst); this is the "
			    "driver's record");
	/* Names the failed scopes in the table. */
	for (size_t i = 0; i < all->count; i++)
		complain_scope(&all->scope[i], "reasons", all->scope[i].error, &last);
	return last || m->degraded || all->incomplete || !fine ? STATUS_DEGRADED : STATUS_FINE;
}

enum status cmd_plr(const struct options *opt)
{
	struct machine m FREED_BY(machine_free) = { 0 };
	struct scopes all FREED_BY(scopes_free) = { .scope = NULL };
	uint64_t mask;

	if (opt->interval > 0 && !opt->watch)
		return fail(STATUS_USAGE, "--interval goes with --watch");
	if (!parse_names(opt, &mask))
		return STATUS_USAGE;
	if (opt->watch)
		return watch(opt);
	machine_read_limits(&m);
	if (!m.domains)
		return plr_absent(&m, opt->json);
	if (!scopes_find(&all, &m, opt))
		return STATUS_USAGE;
	return all.count ? show(&m, &all, opt, mask) : STATUS_BROKEN;
}
