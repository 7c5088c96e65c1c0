// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl plr with --watch, --interval, --count, --for or --csv: look at limits again and again.
 *
 * An open perf event of the plr PMU makes the driver monitor a domain; the driver's record is then
 * read each interval, without a register access.
 */
#include "reasons.h"

/* Number of intervals after which modules are counted anew, and lost events opened again. */
#define RECOUNT 5

struct watcher {
	const struct options *opt;
	struct machine m;
	struct scopes all;
	struct powers powers;
	struct intervals intervals;
	long long begin;		/* of the current interval */
	bool blocked;			/* by firmware, so nothing will be known */
};

static enum status open_all(struct watcher *w)
{
	enum status status = limits_find(&w->all, &w->m, w->opt);
	bool good;

	if (status != STATUS_FINE)
		return status;
	w->all.now_only = true;
	w->begin = clock_boot_ns();
	good = poll_begin(&w->all);
	for (size_t i = 0; i < w->all.count; i++)
		good |= history_observed(&w->all.scope[i], w->begin);
	w->begin = clock_boot_ns();
	return good ? STATUS_FINE : monitor_complain(&w->all, w->opt->json);
}

/* Polls, and adds an interval to the past of each scope. */
static void take(struct watcher *w)
{
	size_t at = w->all.intervals++ % HISTORY;

	poll_again(&w->all);
	powers_restart(&w->powers);
	w->begin = clock_boot_ns();
	for_each_item(p, w->all.scope, w->all.count) {
		p->past[at].now = p->now;
		p->past[at].known = p->known;
		p->reasons = p->now;
		for (size_t i = 0; i < HISTORY && w->intervals.screen; i++)
			p->reasons |= p->past[i].now;
	}
}

static void print_changes(struct watcher *w)
{
	struct lines l FREED_BY(lines_free) = { NULL, 0 };

	scopes_mark_changed(&w->all);
	l = lines_of(&w->all, CHANGED);
	for (size_t i = 0; i < l.count; i++) {
		const struct scope *p = l.line[i].scope[0];

		print_record("%s %s: %s", timestamp(), line_where(&l.line[i]), p->known ?
			     reasons_text(reasons_brief(p->shown)) : "not known");
	}
}

/* A number of modules for each reason; empty while nothing is known. */
static void print_csv(const struct scopes *all, bool names)
{
	struct tally n = tally(all);
	struct text t = { NULL, 0 };

	text_add(&t, "%s", names ? "time,modules,limited,turbo,not_known" :
		 xasprintf("%s,%zu,%zu,%zu,%zu", timestamp(), n.modules, n.of[LIMITED],
			   n.of[TURBO], n.of[UNKNOWN]));
	for_each_reason(bit, UINT64_MAX) {
		size_t modules = 0;

		if (plr_reason_coarse(bit) < 0)
			continue;
		for (size_t i = 0; i < all->count; i++)
			modules += scope_is_core(&all->scope[i]) && all->scope[i].now >> bit & 1;
		text_add(&t, ",%s", names ? plr_reason_name(bit) : n.of[UNKNOWN] == n.modules ?
			 "" : xasprintf("%zu", modules));
	}
	print_record("%s", t.s);
}

/* A screen, or a table below others. */
static void print_table(struct watcher *w)
{
	bool screen = w->intervals.screen;
	struct tally n = tally(&w->all);
	struct text t = { NULL, 0 };

	if (w->all.intervals > 1 && !screen)
		text_add(&t, "\n");
	text_add_wrapped(&t, xasprintf("%.8s  %s", strchr(timestamp(), 'T') + 1, tally_text(&n)),
			 stdout);
	if (screen)
		text_add(&t, "every %g s; q quits\n", w->intervals.seconds);
	limits_add(&t, &w->all, screen || w->opt->all ? 0 : SCREEN_LINES, screen);
	power_add_lines(&t, &w->all, &w->powers, false);
	if (screen)
		screen_draw(t.s);
	else
		print_lines(t.s);
}

static void show(struct watcher *w)
{
	if (w->opt->json) {
		json_document();
		plr_json(&w->m, &w->all, &w->powers);
		json_close();
	} else if (w->opt->csv) {
		print_csv(&w->all, false);
	} else if (w->opt->watch && !w->intervals.screen) {
		print_changes(w);
	} else {
		print_table(w);
	}
}

/* Does firmware block clearing? The driver may detect that late. */
static bool is_blocked(struct watcher *w)
{
	size_t known = 0;

	while (known < w->all.count && !w->all.scope[known].known)
		known++;
	return known == w->all.count && monitor_error(&w->all) == EOPNOTSUPP;
}

/* Shows all intervals, or fewer after a signal or a key. */
static void repeat(struct watcher *w)
{
	const long long ms = MS_OF(w->intervals.seconds);
	const long count = w->intervals.count;
	long long end = clock_ms();

	for (long n = 1; !w->blocked && (!count || n <= count); n++) {
		size_t step = step_begin();
		int key;

		end += ms;
		while (key = intervals_wait(end), key && key != 'q')
			;
		if (key)
			break;
		end = clock_ms() > end + ms ? clock_ms() : end;
		take(w);
		show(w);
		if (!output_flush())
			break;
		step_end(step);
		if (n % RECOUNT)
			continue;
		scopes_renew(&w->all, &w->m, w->opt, w->begin - RECOUNT * ms * 1000000);
		w->blocked = is_blocked(w);
	}
}

enum status plr_repeat(const struct options *opt)
{
	static struct watcher w;
	enum status status;

	w.opt = opt;
	w.intervals = intervals_of(opt);
	if (opt->json)
		json_lines();
	status = open_all(&w);
	signals_catch(false);
	powers_read(&w.powers);
	if (w.intervals.screen)
		screen_begin();
	if (status == STATUS_FINE && opt->csv)
		print_csv(&w.all, true);
	else if (status == STATUS_FINE && opt->watch && !opt->json && !w.intervals.screen)
		print_record("%s watching %zu parts", timestamp(), w.all.count);
	if (status == STATUS_FINE && output_flush())
		repeat(&w);
	if (status == STATUS_FINE && w.all.incomplete)
		status = STATUS_DEGRADED;
	screen_end();
	if (w.blocked)
		status = monitor_complain(&w.all, opt->json);
	return status;
}
