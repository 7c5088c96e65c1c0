// SPDX-License-Identifier: GPL-2.0-only
/* Turns limits into lines: joins equal scopes, counts modules, puts the worst limit first. */
#include <limits.h>

#include "reasons.h"

static bool is_chosen(const struct scope *p, enum choice c)
{
	switch (c) {
	case IN_ROWS:
		return p->now || p->reasons;
	case UNREADABLE:
		return p->error;
	case NOT_LIMITED:
		return !p->reasons && !p->error;
	case DIE_ALONE:
		return p->now && scope_is(p, "die") && !p->unread;
	default:
		return p->changed;
	}
}

/* May chosen scopes share a line? */
static bool are_alike(const struct scope *a, const struct scope *b, enum choice c)
{
	if (c >= DIE_ALONE)
		return a->error == b->error;
	if (c == CHANGED)
		return a->shown == b->shown && a->known == b->known;
	return scope_is_core(a) == scope_is_core(b) && a->now == b->now && a->known == b->known &&
	       a->reasons == b->reasons;
}

void lines_free(struct lines *l)
{
	while (l->count)
		free(l->line[--l->count].scope);
	free(l->line);
}

static char *place_text(const struct line *l, enum place place)
{
	unsigned int *id = xcalloc(l->scopes, sizeof(*id));
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
			free(b->scope);
			l->count--;
			memmove(b, b + 1, (l->count - j) * sizeof(*b));
		}
		a->at[by] = place_text(a, by);
	}
}

struct lines lines_of(const struct scopes *all, enum choice c)
{
	struct lines l = { NULL, 0 };

	for_each_item(p, all->scope, all->count) {
		struct line line = { .scopes = 0 };

		if (!is_chosen(p, c))
			continue;
		append(line.scope, line.scopes, p);
		for (int place = 0; place < PLACES; place++)
			line.at[place] = place_text(&line, place);
		append(l.line, l.count, line);
	}
	for (enum place by = 0; by < PLACES; by++)
		join_alike(&l, by, c);
	return l;
}

char *line_where(const struct line *l)
{
	return xasprintf("%s/%s/%s", l->at[PACKAGE], l->at[DOMAIN], l->at[NAMES]);
}

/* Reasons that make a scope count as limited; turbo limits do so only with --cpu. */
static uint64_t counted(bool single)
{
	return single ? UINT64_MAX : ~reasons_of_turbo();
}

static enum group group_of(const struct scope *p, const struct scopes *all)
{
	uint64_t mask = counted(all->single);

	if (p->now & mask)
		return LIMITED;
	if (p->error)
		return UNREAD;
	if (p->reasons & mask)
		return p->known ? OLD : UNSURE;
	if (p->now || p->reasons)
		return p->now || !p->known ? TURBO : TURBO_OLD;
	return all->now_only && !p->known ? UNKNOWN : FREE;
}

static uint64_t in_force(const struct scopes *rows)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < rows->count; i++)
		mask |= reasons_brief(rows->scope[i].now);
	return mask & counted(rows->single);
}

struct tally tally(const struct scopes *all)
{
	struct scopes rows FREED = joined_scopes(all);
	struct tally n = { .modules = 0 };

	for_each_item(p, all->scope, all->count) {
		n.readable |= !p->error;
		n.recorded |= p->now || p->reasons;
		n.modules += scope_is_core(p);
		n.of[group_of(p, all)] += scope_is_core(p);
	}
	n.in_force = in_force(&rows);
	return n;
}

char *tally_text(const struct tally *n)
{
	static const char *const words[GROUPS] = {
		[TURBO] = "at a turbo limit (FREQUENCY alone)",
		[TURBO_OLD] = "at a turbo limit before",
		[OLD] = "more since the last clear",
		[UNSURE] = "now or before (?)",
		[UNKNOWN] = "not known",
	};
	struct text t = { NULL, 0 };

	if (n->modules && n->of[UNSURE] + n->of[UNREAD] + n->of[UNKNOWN] == n->modules)
		text_add(&t, "not known which of %zu modules are limited now", n->modules);
	else
		text_add(&t, "%zu of %zu modules limited now", n->of[LIMITED], n->modules);
	for (enum group group = 0; group < GROUPS; group++)
		if (words[group] && n->of[group] && (group != UNKNOWN || n->of[group] < n->modules))
			text_add(&t, ", %zu %s", n->of[group], words[group]);
	if (n->of[UNREAD])
		text_add(&t, "; %zu of %zu modules cannot be read", n->of[UNREAD], n->modules);
	return t.s;
}

/* A scope as its row has it: a die without the reasons of its readable mesh and modules. */
static struct scope own_of(const struct scope *scope, const struct scopes *all)
{
	uint64_t now = reasons_of_turbo(), record = now;
	bool is_die = scope_is(scope, "die");
	struct scope own = *scope;

	for (const struct scope *p = all->scope; is_die && p < all->scope + all->count; p++) {
		if (p->domain != own.domain || scope_is(p, "die"))
			continue;
		now |= p->now;
		record |= p->now | p->reasons;
		own.unread |= !!p->error;
	}
	if (is_die) {
		own.now &= ~now;
		own.reasons = (own.reasons & ~record) | own.now;
	}
	own.now &= counted(all->single);
	own.reasons &= counted(all->single);
	return own;
}

/* Dies have no line of their own where their modules are not known. */
void scopes_mark_changed(struct scopes *all)
{
	for_each_item(p, all->scope, all->count) {
		struct scope own = own_of(p, all);

		p->known |= scope_is(p, "die") && p->shown_known;
		p->changed = p->known != p->shown_known || (p->known && own.now != p->shown);
		p->shown = p->known ? own.now : 0;
		p->shown_known = p->known;
	}
}

struct scopes joined_scopes(const struct scopes *all)
{
	struct scopes rows = {
		.intervals = all->intervals, .single = all->single, .refused = all->refused,
	};

	for (size_t i = 0; i < all->count; i++) {
		struct scope p = own_of(&all->scope[i], all);
		bool is_die = scope_is(&p, "die");
		enum group group = group_of(is_die ? &p : &all->scope[i], all);

		if (group != TURBO && group != TURBO_OLD && (group < UNKNOWN || !is_die))
			append(rows.scope, rows.count, p);
	}
	return rows;
}

static void add_cpus(struct cpus *all, const struct scope *p)
{
	struct cpus one;

	if (p->cpus && cpus_parse(&one, p->cpus))
		cpus_join(all, &one);
}

static struct cpus line_cpus(const struct line *l)
{
	struct cpus all = { { 0 } };

	for (size_t i = 0; i < l->scopes; i++)
		add_cpus(&all, l->scope[i]);
	return all;
}

#define SECOND 1000000000LL

/* Shorter times are not printed, as they may just be the time since the last poll. */
#define WORTH_A_WORD (10 * SECOND)

/* @up rounds up, for an upper bound. */
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

/* For how long a reason of a line has been in force, and when it was seen last, in ns. */
struct age {
	long long least, most;	/* most: -1: not known */
	long long last;		/* 0: not since the driver was loaded */
};

static struct age line_age(const struct line *l, unsigned int bit)
{
	struct age age = { -1, -1, 0 };

	for (size_t i = 0; i < l->scopes; i++) {
		const struct history *h = &l->scope[i]->history;
		long long ns = h->since[bit] ? h->last[bit] - h->since[bit] : 0;

		age.least = !i || ns < age.least ? ns : age.least;
		age.most = h->since[bit] && ns > age.most ? ns : age.most;
		age.last = h->last[bit] > age.last ? h->last[bit] : age.last;
	}
	return age;
}

/* " for 2 h", or " for 12 s to 2 h" where modules differ; of a reason on record " 3 h ago". */
static char *age_text(const struct line *l, unsigned int bit, long long now)
{
	struct age age = line_age(l, bit);
	char *least, *most;

	if (l->scope[0]->now >> bit & 1) {
		least = duration_text(age.least, false);
		most = duration_text(age.most, false);
		return age.most < WORTH_A_WORD ? xstrdup("") : !strcmp(least, most) ?
		       xasprintf(" for %s", most) : xasprintf(" for %s to %s", least, most);
	}
	if (!now || age.last > now)
		return xstrdup("");
	return xasprintf(" %s%s ago", age.last ? "" : "up to ",
			 duration_text(now - age.last, !age.last));
}

/* Adds "POWER for 2 h, THERMAL for 12 s", the worst first; reasons of one age have it once. */
static void add_ages(struct text *t, const struct line *l, uint64_t mask, long long now)
{
	uint64_t done = 0;

	for_each_worst(first, mask) {
		char *age = age_text(l, first, now);

		if (done >> first & 1)
			continue;
		text_add(t, "%s", done ? ", " : "");
		for_each_worst(bit, mask) {
			if (strcmp(age, age_text(l, bit, now)))
				continue;
			text_add(t, "%s%s", bit == first ? "" : " ", plr_reason_name(bit));
			done |= 1ULL << bit;
		}
		text_add(t, "%s", age);
	}
}

/* A strip with, for each interval, the share of modules that had one of the row's reasons. */
static char *line_history(const struct line *l, size_t intervals)
{
	uint64_t mask = l->scope[0]->now | l->scope[0]->reasons;
	struct ring r = { .count = 0 };

	for (size_t i = intervals < HISTORY ? 0 : intervals - HISTORY; i < intervals; i++) {
		double known = 0, had = 0;

		for (size_t n = 0; n < l->scopes; n++) {
			const struct scope *p = l->scope[n];

			known += p->past[i % HISTORY].known;
			had += !!(p->past[i % HISTORY].now & mask);
		}
		had = known > had ? had / known : !!had;
		ring_add(&r, !known && !had ? -1 : had && had < 0.1 ? 0.1 : had);
	}
	return ring_text(&r, 1);
}

/* Adds cells of the columns that add_rows() has; @intervals is 0 without a history. */
static void add_cells(struct table *table, const struct line *l, size_t intervals)
{
	const struct scope *p = l->scope[0];
	const struct cpus cpus = line_cpus(l);
	/* Remove coarse reasons first, as fine reasons in force imply them, too. */
	uint64_t since = reasons_brief(p->reasons) & ~p->now;
	struct text list = { NULL, 0 }, now = list, past = list;

	cpus_add_text(&list, &cpus);
	add_ages(&now, l, reasons_brief(p->now), 0);
	if (!p->known && p->reasons & ~p->now)
		text_add(&now, "%s?", p->now ? " " : "");
	add_ages(&past, l, since, clock_boot_ns());
	table_row(table, line_where(l), list.s, p->now ? ghz_text(&cpus) : NULL,
		  intervals ? line_history(l, intervals) : NULL,
		  now.s || !intervals ? now.s : past.s, past.s);
}

/* The rank of the worst reason in force; lines without one are the last. */
static unsigned int line_rank(const struct line *l)
{
	uint64_t now = reasons_brief(l->scope[0]->now);

	return now ? reason_rank(reason_take_worst(&now)) : UINT_MAX;
}

static struct lines rows_lines(const struct scopes *rows)
{
	struct lines l = lines_of(rows, IN_ROWS);

	for (size_t i = 1; i < l.count; i++)
		for (size_t j = i; j && line_rank(&l.line[j]) < line_rank(&l.line[j - 1]); j--) {
			struct line line = l.line[j];

			l.line[j] = l.line[j - 1];
			l.line[j - 1] = line;
		}
	return l;
}

/* @intervals: of a history, or NULL */
static void add_rows(struct text *t, const struct lines *l, size_t most, const size_t *intervals)
{
	struct table table;
	size_t more;

	table_start(&table, intervals ? "~WHERE,?CPUS,!GHZ,!HISTORY,~NOW" :
					"~WHERE,~CPUS,!GHZ,!HISTORY,~NOW,~SINCE");
	table.column[4].paint = screen_add_names;
	for (size_t i = 0; i < l->count; i++)
		add_cells(&table, &l->line[i], intervals ? *intervals : 0);
	table.most = most;
	more = table_add(t, &table);
	if (more)
		text_add(t, "(%zu more rows: pmonctl plr --all)\n", more);
}

size_t rows_modules(const struct scopes *rows, uint64_t bit, bool now, struct text *sockets)
{
	struct cpus packages = { { 0 } };
	size_t modules = 0;

	for_each_item(p, rows->scope, rows->count) {
		uint64_t mask = now ? reasons_brief(p->now) : reasons_brief(p->reasons) & ~p->now;

		if (!(mask >> bit & 1))
			continue;
		modules += scope_is_core(p);
		cpus_add(&packages, p->domain->package);
	}
	cpus_add_text(sockets, &packages);
	return modules;
}

size_t rows_add_reasons(struct text *t, const struct scopes *rows, bool meanings, size_t most)
{
	struct table table;
	size_t more = 0;

	table_start(&table, meanings ? "REASON, MODULES,SOCKETS,~MEANING,!GHZ" :
				       "REASON, MODULES,SOCKETS");
	table.column[0].paint = screen_add_names;
	for_each_worst(bit, in_force(rows)) {
		struct text sockets = { NULL, 0 };
		size_t modules = rows_modules(rows, bit, true, &sockets);
		struct cpus cpus = { { 0 } };

		for (size_t i = 0; meanings && i < rows->count; i++)
			if (rows->scope[i].now >> bit & 1)
				add_cpus(&cpus, &rows->scope[i]);
		if (most && table.rows == most)
			more++;
		else
			table_row(&table, plr_reason_name(bit),
				  modules ? NUMBER((long)modules) : "die", sockets.s,
				  reason_meaning(bit), ghz_text(&cpus));
	}
	table_add(t, &table);
	return more;
}

void limits_add(struct text *t, const struct scopes *all, size_t most, bool history)
{
	struct scopes rows FREED = joined_scopes(all);
	struct lines l FREED_BY(lines_free) = rows_lines(&rows);
	struct text reasons = { NULL, 0 }, table = { NULL, 0 };

	/* Lines with reasons in force are the first. */
	if (l.count > 1 && l.line[1].scope[0]->now)
		rows_add_reasons(&reasons, &rows, false, 0);
	add_rows(&table, &l, most, history ? &rows.intervals : NULL);
	if (reasons.s)
		text_add(t, "\n%s", reasons.s);
	if (table.s)
		text_add(t, "\n%s", table.s);
}

static void json_row(const struct line *l, long long now)
{
	const struct scope *p = l->scope[0];
	const struct cpus set = line_cpus(l);
	const struct ghz ghz = ghz_of(&set);
	struct text cpus = { NULL, 0 };

	cpus_add_text(&cpus, &set);
	json_open(NULL, '{');
	json_members("where %s cpus %s parts %ld known %d khz_least %ld khz_most %ld "
		     "khz_highest %ld", line_where(l), cpus.s, (long)l->scopes, p->known,
		     ghz.least, ghz.most, ghz.highest);
	json_list("now")
		for_each_worst(bit, reasons_brief(p->now)) {
			struct age age = line_age(l, bit);

			json_element("reason %s least_s %ld most_s %ld", plr_reason_name(bit),
				     age.most < 0 ? -1 : (long)(age.least / SECOND),
				     age.most < 0 ? -1 : (long)(age.most / SECOND));
		}
	json_open("record", '[');
	for_each_reason(bit, reasons_brief(p->reasons) & ~p->now) {
		long long last = line_age(l, bit).last;

		json_element("reason %s age_s %ld at_most %d", plr_reason_name(bit), now < last ?
			     -1 : (long)((now - last) / SECOND), !last);
	}
	json_close();
	json_close();
}

static void json_reason(const struct scopes *rows, unsigned int bit)
{
	struct text now = { NULL, 0 }, record = { NULL, 0 };
	size_t modules = rows_modules(rows, bit, true, &now);

	json_element("reason %s modules %ld sockets %s record_modules %ld meaning %s remedy %s",
		     plr_reason_name(bit), (long)modules, now.s,
		     (long)rows_modules(rows, bit, false, &record), reason_meaning(bit),
		     reason_remedy(bit));
}

void rows_json(const struct scopes *all)
{
	struct scopes rows FREED = joined_scopes(all);
	struct lines l FREED_BY(lines_free) = rows_lines(&rows);
	struct tally n = tally(all);
	uint64_t mask = 0;

	json_map("modules")
		json_members("all %ld limited %ld turbo %ld turbo_before %ld before %ld unsure %ld "
			     "unreadable %ld", (long)n.modules, (long)n.of[LIMITED],
			     (long)n.of[TURBO], (long)n.of[TURBO_OLD], (long)n.of[OLD],
			     (long)n.of[UNSURE], (long)n.of[UNREAD]);
	for (size_t i = 0; i < rows.count; i++)
		mask |= reasons_brief(rows.scope[i].reasons | rows.scope[i].now);
	json_list("reasons")
		for_each_worst(bit, mask & counted(all->single))
			json_reason(&rows, bit);
	json_list("rows")
		for (size_t i = 0; i < l.count; i++)
			json_row(&l.line[i], clock_boot_ns());
}
