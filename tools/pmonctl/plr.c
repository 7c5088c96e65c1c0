// SPDX-License-Identifier: GPL-2.0-only
/* pmonctl plr: limits of each module, mesh and die. */
#include "reasons.h"

/* Parts that cannot be read come first. */
static void add_rest(struct text *t, const struct scopes *rows)
{
	struct lines l FREED_BY(lines_free) = lines_of(rows, REST, PACKAGE);

	for (size_t i = 0; i < 2 * l.count; i++) {
		const struct line *line = &l.line[i % l.count];
		const struct scope *p = line->scope[0];
		bool readable = i >= l.count;

		if (readable != !p->error)
			continue;
		text_add_shown(t, line_where(line));
		text_add(t, p->error ? ": unreadable (%s)\n" : p->now ?
			 " alone: its mesh, or a module without a CPU\n" : rows->refused ?
			 ": not seen\n" : ": not limited\n", error_name(p->error));
	}
}

static void add_headline(struct text *t, const struct scopes *all, const struct tally *n)
{
	text_add_wrapped(t, n->readable && n->recorded ? tally_text(n) :
			 !n->readable ? "The limits cannot be read." : all->refused ?
			 "The driver has recorded no limit." : n->unread ?
			 xasprintf("No limit is recorded; %zu of %zu modules cannot be read.",
				   n->unread, n->modules) : "No limit is recorded.", stdout);
}

/* Adds a block after an empty line, unless the block is empty. */
static void add_block(struct text *t, const char *block)
{
	if (block)
		text_add(t, "\n%s", block);
}

/* Prints reasons, rows, dies limited alone, unreadable and unlimited scopes, and meanings. */
static void plr_print(const struct scopes *all, bool moves, const struct options *opt,
		      struct powers *powers)
{
	struct text t = { NULL, 0 }, rest = { NULL, 0 }, meanings = { NULL, 0 };
	struct scopes rows FREED = joined_scopes(all);
	struct tally n = tally(all);

	if (moves && !all->refused)
		text_add(&t, "Looking moves the hardware's record into openpmon's "
			 "log; --once does not.\n");
	add_headline(&t, all, &n);
	limits_add(&t, all, opt->all ? 0 : SCREEN_LINES, false);
	add_rest(&rest, &rows);
	reasons_add_meanings(&meanings, n.in_force);
	power_add_lines(&meanings, all, powers, moves);
	add_block(&t, rest.s);
	add_block(&t, meanings.s);
	print_lines(t.s);
}

/* Prints an error, unless the last failed scope had the same one. */
static void complain_scope(const struct scope *p, const char *file, int error, int *last)
{
	if (error && error != *last)
		complain_file(xasprintf(CLASS_DIR "/%s/plr/%s/%s", p->domain->name, p->name, file),
			      error);
	*last = error ? error : *last;
}

/*
 * Clears only bits that were read, so new reasons stay. Clears dies last for two reasons: a die may
 * show bits of its modules until the modules are cleared, and each clear of a module first records
 * the bits of its die.
 */
static bool clear(struct scopes *all, uint64_t mask, bool json)
{
	size_t cleared = 0;
	int last = 0;

	for (size_t i = all->count; i--;) {
		struct scope *p = &all->scope[i];
		int error = !(p->reasons & mask) ? 0 :
			sysfs_write(reasons_text(p->reasons & mask), CLASS_DIR "/%s/plr/%s/clear",
				    p->domain->name, p->name);

		complain_scope(p, "clear", error, &last);
		if (!error)
			p->cleared = p->reasons & mask;
		cleared += !!p->cleared;
	}
	if (cleared && !json) {
		print_empty_line();
		print_line("Cleared in %s.", number_of(cleared, "part"));
	}
	return !last;
}

/* Parses the reason names after --clear; no name means all reasons. */
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
		poll_for_a_second(all);
	if (!opt->json)
		plr_print(all, !quick, opt, &powers);
	if (opt->clear)
		fine = clear(all, mask, opt->json);
	if (opt->json) {
		json_document();
		plr_json(m, all, &powers);
		json_close();
	}
	if (all->refused)
		return fail(STATUS_BROKEN, "the hardware's record since boot needs root, or the "
			    "group given to pmon.ko with gid= (see rights.rst); this is the "
			    "driver's record");
	/* The output names the failed scopes; print a remedy, too. */
	for (size_t i = 0; i < all->count; i++)
		complain_scope(&all->scope[i], "reasons", all->scope[i].error, &last);
	return last || m->degraded || all->incomplete || !fine ? STATUS_DEGRADED : STATUS_FINE;
}

/* Finds the scopes of @opt. A status other than STATUS_FINE comes with a message. */
static enum status find(struct machine *m, struct scopes *all, const struct options *opt)
{
	bool found;

	machine_read_limits(m);
	if (!m->domains)
		return plr_absent(m, opt->json);
	found = scopes_find(all, m, opt);
	if (!found && opt->cpus)
		return STATUS_USAGE;
	return all->count ? STATUS_FINE :
	       nothing_shown(opt->json, found ? STATUS_BROKEN : STATUS_USAGE,
			     "no limits of %s are shown", found ? "these CPUs" : "this socket");
}

/*
 * With --watch, --interval, --count, --for or --csv, looks at limits again and again. An open perf
 * event of the plr PMU makes the driver monitor a domain; the driver's record is then read each
 * interval, without a register access.
 */

/* Number of intervals after which modules are counted anew, and lost events opened again. */
#define RECOUNT 5

struct watcher {
	const struct options *opt;
	struct machine m;
	struct scopes all;
	struct monitor monitor;
	struct powers powers;
	struct intervals intervals;
	long long begin;		/* of the current interval */
	bool blocked;			/* by firmware, so nothing will be known */
};

static enum status open_all(struct watcher *w)
{
	enum status status = find(&w->m, &w->all, w->opt);
	bool good;

	if (status != STATUS_FINE)
		return status;
	w->all.now_only = true;
	w->begin = clock_boot_ns();
	good = poll_begin(&w->monitor, &w->all);
	for (size_t i = 0; i < w->all.count; i++)
		good |= history_observed(&w->all.scope[i], w->begin);
	w->begin = clock_boot_ns();
	return good ? STATUS_FINE : monitor_complain(&w->monitor, &w->all, w->opt->json);
}

/* Polls, and adds an interval to the past of each scope. */
static void take(struct watcher *w)
{
	size_t at = w->all.intervals++ % HISTORY;

	poll_again(&w->all);
	powers_restart(&w->powers);
	w->begin = clock_boot_ns();
	for (struct scope *p = w->all.scope; p < w->all.scope + w->all.count; p++) {
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
	l = lines_of(&w->all, CHANGED, PACKAGE);
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
		 xasprintf("%s,%zu,%zu,%zu,%zu", timestamp(), n.modules, n.limited, n.turbo,
			   n.unknown));
	for_each_reason(bit, UINT64_MAX) {
		size_t modules = 0;

		if (plr_reason_coarse(bit) < 0)
			continue;
		for (size_t i = 0; i < all->count; i++)
			modules += scope_is_core(&all->scope[i]) && all->scope[i].now >> bit & 1;
		text_add(&t, ",%s", names ? plr_reason_name(bit) : n.unknown == n.modules ? "" :
			 xasprintf("%zu", modules));
	}
	print_record("%s", t.s);
}

/* Draws a screen, or prints the table of an interval. */
static void show_table(struct watcher *w)
{
	const bool screen = w->intervals.screen;
	struct tally n = tally(&w->all);
	struct text t = { NULL, 0 };

	if (!screen && w->all.intervals > 1)
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

static void show_interval(struct watcher *w)
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
		show_table(w);
	}
}

/* Does firmware block clearing? The driver may detect that late. */
static bool is_blocked(struct watcher *w)
{
	size_t known = 0;

	while (known < w->all.count && !w->all.scope[known].known)
		known++;
	return known == w->all.count && monitor_error(&w->monitor, &w->all) == EOPNOTSUPP;
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
		show_interval(w);
		if (!output_flush())
			break;
		step_end(step);
		if (n % RECOUNT)
			continue;
		monitor_renew(&w->monitor, w->begin - RECOUNT * ms * 1000000);
		w->blocked = is_blocked(w);
	}
}

static enum status plr_repeat(const struct options *opt)
{
	struct watcher w = { .opt = opt, .intervals = intervals_of(opt) };
	enum status status;

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
		status = monitor_complain(&w.monitor, &w.all, opt->json);
	monitor_close(&w.monitor);
	free(w.all.scope);
	machine_free(&w.m);
	return status;
}

enum status cmd_plr(const struct options *opt)
{
	struct machine m FREED_BY(machine_free) = { 0 };
	struct scopes all FREED = { .scope = NULL };
	enum status status;
	uint64_t mask;
	bool repeats = opt->watch || opt->csv || opt->interval > 0 || opt->count ||
		       opt->duration > 0;

	if (repeats && (opt->once || opt->clear))
		return fail(STATUS_USAGE, "--%s looks once: without --interval, --count, --for, "
			    "--watch and --csv", opt->once ? "once" : "clear");
	if (!parse_names(opt, &mask))
		return STATUS_USAGE;
	if (repeats)
		return plr_repeat(opt);
	status = find(&m, &all, opt);
	return status == STATUS_FINE ? show(&m, &all, opt, mask) : status;
}
