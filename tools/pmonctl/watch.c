// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl plr --watch: show limits as they come and go.
 *
 * An open perf event of the plr PMU makes the driver monitor a domain; the driver's record is then
 * read each interval, without a register access. A terminal shows a screen with a strip per limited
 * part; a file or pipe gets a line per change, or with --json an object.
 */
#include "reasons.h"

/* Number of intervals after which modules are counted anew, and lost events opened again. */
#define RECOUNT 5

struct watcher {
	const struct options *opt;
	struct machine m;
	struct scopes all;
	struct monitor monitor;
	long long begin;		/* of the current interval */
	bool blocked;			/* by firmware, so nothing will be known */
};

static void close_all(struct watcher *w)
{
	monitor_close(&w->monitor);
	free(w->all.scope);
	machine_free(&w->m);
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
	w->begin = clock_boot_ns();
	good = poll_begin(&w->monitor, &w->all);
	for (size_t i = 0; i < w->all.count; i++) {
		good |= history_observed(&w->all.scope[i], w->begin);
		/* The first poll reports only scopes that are limited or not known. */
		w->all.scope[i].shown_known = true;
	}
	w->begin = clock_boot_ns();
	if (!good)
		monitor_complain(&w->monitor, &w->all);
	return good ? STATUS_FINE : STATUS_BROKEN;
}

/* The longest time for which a reason limited since the previous poll. */
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
	long long now = clock_boot_ns(), passed = now - w->begin;

	poll_again(&w->all);
	for (struct scope *p = w->all.scope; p < w->all.scope + w->all.count; p++) {
		double share = passed > 0 ? (double)longest(p) / (double)passed : 0;

		p->changed = p->known != p->shown_known || (p->known && p->now != p->shown);
		ring_add(&p->ring, !p->known ? -1 : !p->now ? 0 : share > 0.1 ? share : 0.1);
		p->shown = p->now;
		p->shown_known = p->known;
	}
	w->begin = now;
}

static void show_lines(const struct watcher *w)
{
	struct lines l FREED_BY(lines_free) = lines_of(&w->all, CHANGED, NAMES);

	for (size_t i = 0; i < l.count; i++) {
		const struct scope *p = l.line[i].scope[0];

		print_line("%s %s: %s", timestamp(), line_where(&l.line[i]), p->known ?
			   reasons_text(reasons_brief(p->now)) : "not known");
	}
}

static void show_json(const struct watcher *w)
{
	json_lines();
	for (const struct scope *p = w->all.scope; p < w->all.scope + w->all.count; p++) {
		if (!p->changed)
			continue;
		json_document();
		json_members("time %s socket %ld domain %ld name %s ?cpus %s ?error %s",
			     timestamp(), p->domain->package, p->domain->id, p->name, p->cpus,
			     p->known ? NULL : "ENODATA");
		json_reasons("active", p->now);
		json_reasons("reasons", p->history.seen);
		json_close();
	}
}

static void add_row(struct table *t, const struct scope *p)
{
	table_row(t, xasprintf("%ld/%ld/%s", p->domain->package, p->domain->id, p->name), p->cpus,
		  ring_text(&p->ring, 1), !p->known ? "?" : !p->now ? NULL :
		  reasons_text(reasons_brief(p->now)));
}

static void show_screen(const struct watcher *w, double seconds)
{
	struct text t = { NULL, 0 };
	struct table table;
	struct tally n = tally(&w->all);

	text_add(&t, "%.8s  ", strchr(timestamp(), 'T') + 1);
	tally_add(&t, &n);
	text_add(&t, ", every %g s; q quits\n\n", seconds);
	table_start(&table, "~WHERE,~CPUS,HISTORY,~NOW");
	table.column[3].paint = screen_add_names;
	for (const struct scope *p = w->all.scope; p < w->all.scope + w->all.count; p++) {
		size_t at = 0;

		/* Was the scope limited in a visible interval? */
		while (at < HISTORY && !(p->ring.value[at] > 0))
			at++;
		if (at < HISTORY)
			add_row(&table, p);
	}
	table_add(&t, &table);
	screen_draw(t.s);
}

/* Has the number of scopes changed? */
static bool has_changed(const struct watcher *w)
{
	struct machine m FREED_BY(machine_free) = { 0 };
	struct scopes now FREED = { .quiet = true };

	machine_read_limits(&m);
	scopes_find(&now, &m, w->opt);
	return now.count && now.count != w->all.count;
}

/* Later lines are changes of what was shown before the scopes were found anew. */
static void keep_shown(struct scopes *all, const struct scopes *old)
{
	for (struct scope *p = all->scope; p < all->scope + all->count; p++)
		for (const struct scope *o = old->scope; o < old->scope + old->count; o++)
			if (!strcmp(p->domain->name, o->domain->name) &&
			    !strcmp(p->name, o->name)) {
				p->shown = o->shown;
				p->shown_known = o->shown_known;
			}
}

/* Shows changes until the number of scopes changes (true) or the command ends (false). */
static bool watch_scopes(struct watcher *w, double seconds)
{
	size_t known;

	for (unsigned int n = 1;; n++) {
		int key = screen_wait(MS_OF(seconds));
		size_t step = step_begin();

		if (key == 'q' || signals_stopped())
			return false;
		if (!key)
			take(w);
		if (w->opt->json)
			show_json(w);
		else if (screen_is())
			show_screen(w, seconds);
		else
			show_lines(w);
		if (!output_flush())
			return false;
		if (n % RECOUNT) {
			step_end(step);
			continue;
		}
		monitor_renew(&w->monitor, w->begin - RECOUNT * (long long)(seconds * 1e9));
		if (has_changed(w))
			return true;
		/* End if firmware blocks clearing. The driver may detect that late. */
		for (known = 0; known < w->all.count && !w->all.scope[known].known;)
			known++;
		w->blocked = known == w->all.count &&
			     monitor_error(&w->monitor, &w->all) == EOPNOTSUPP;
		if (w->blocked)
			return false;
		step_end(step);
	}
}

enum status plr_watch(const struct options *opt)
{
	struct watcher w = { .opt = opt };
	double seconds = opt->interval > 0 ? opt->interval : 1;
	enum status status = open_all(&w);
	bool screen = screen_is() && !opt->json;

	signals_catch(false);
	if (screen)
		screen_begin();
	if (status == STATUS_FINE && !opt->json && !screen) {
		print_line("%s watching %zu parts", timestamp(), w.all.count);
		output_flush();
	}
	while (status == STATUS_FINE && watch_scopes(&w, seconds)) {
		struct watcher old = w;

		w = (struct watcher){ .opt = opt };
		status = open_all(&w);
		keep_shown(&w.all, &old.all);
		close_all(&old);
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

