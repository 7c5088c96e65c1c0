// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares the PMUs that two drivers have for the same boxes: which PMUs and
 * events are lost, or come to other bits.
 */
#include "compare.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "output.h"
#include "table.h"

/* A PMU before and after; what is lost, in words. */
struct change {
	const struct pmu *before, *after;
	bool renamed;		/* and perf does not take the old name */
	struct text losses;
	size_t kept;		/* events */
	char *verdict;
};

/* "uncore_pcu" and "uncore_pcu_0": perf takes the first for the second. */
static bool is_numbered(const char *name, const char *stem)
{
	size_t len = strlen(stem);

	if (strncmp(name, stem, len) || name[len] != '_' || !name[len + 1])
		return false;
	return strspn(name + len + 1, "0123456789") == strlen(name + len + 1);
}

/* By its name, by the alias that perf takes as well, or by its number. */
static const struct pmu *find_name(const struct pmus *ours, const char *name)
{
	const struct pmu *pmu = pmus_find(ours, name);

	for (size_t i = 0; !pmu && i < ours->count; i++)
		if (ours->pmu[i].alias && !strcmp(ours->pmu[i].alias, name))
			pmu = &ours->pmu[i];
	for (size_t i = 0; !pmu && i < ours->count; i++)
		if (is_numbered(ours->pmu[i].name, name) ||
		    (ours->pmu[i].alias &&
		     is_numbered(ours->pmu[i].alias, name)))
			pmu = &ours->pmu[i];
	return pmu;
}

/* Both drivers have the type and number of the box in the file alias. */
static const struct pmu *find_box(const struct pmus *ours, const char *alias)
{
	for (size_t i = 0; i < ours->count && alias; i++)
		if (ours->pmu[i].alias && !strcmp(ours->pmu[i].alias, alias))
			return &ours->pmu[i];
	return NULL;
}

const struct pmu *compare_find(const struct pmus *ours,
			       const struct pmu *theirs)
{
	const struct pmu *pmu = find_name(ours, theirs->name);

	return pmu ? pmu : find_box(ours, theirs->alias);
}

static void find_after(struct change *c, const struct pmus *ours)
{
	c->after = compare_find(ours, c->before);
	c->renamed = c->after && !find_name(ours, c->before->name);
}

static void lose(struct change *c, const char *what, const char *name,
		 const char *how)
{
	text_add(&c->losses, "%s%s %s%s", c->losses.len ? ", " : "", what,
		 name, how);
}

/* intel_uncore writes the low half of a control in memory only. */
static unsigned int control_bits(const struct change *c)
{
	return c->after->mmio ? 32 : 64;
}

static void compare_format(struct change *c)
{
	for (size_t i = 0; i < c->before->format.count; i++) {
		const struct entry *e = &c->before->format.entry[i];
		const char *after = entries_find(&c->after->format, e->name);
		struct term a, b;

		if (!after)
			lose(c, "term", e->name, " is lost");
		else if (!term_parse(&a, e->text) || !term_parse(&b, after) ||
			 !term_includes(&b, &a, control_bits(c)))
			lose(c, "term", e->name, " changes");
	}
}

/* .scale and .unit are of an event, and numbers may be written differently. */
static bool same_text(const char *a, const char *b)
{
	char *end;

	if (!strcmp(a, b))
		return true;
	return strtod(a, &end) == strtod(b, NULL) && end != a && !*end;
}

static bool same_event(const struct change *c, const struct entry *e,
		       const char *after)
{
	uint64_t x[CONFIG_WORDS], y[CONFIG_WORDS];

	if (strchr(e->name, '.'))
		return same_text(e->text, after);
	return event_encode(c->before, e->text, x) &&
	       event_encode(c->after, after, y) && !memcmp(x, y, sizeof(x));
}

static void compare_events(struct change *c)
{
	for (size_t i = 0; i < c->before->events.count; i++) {
		const struct entry *e = &c->before->events.entry[i];
		const char *after = entries_find(&c->after->events, e->name);

		if (!after)
			lose(c, "event", e->name, " is lost");
		else if (!same_event(c, e, after))
			lose(c, "event", e->name, " changes");
		else
			c->kept += !strchr(e->name, '.');
	}
}

static void add_events(struct text *t, const char *before, size_t n,
		       const char *kind)
{
	text_add(t, "%s%zu %s%s", before, n, kind, n == 1 ? "event" : "events");
}

static size_t count_events(const struct pmu *pmu)
{
	size_t n = 0;

	for (size_t i = 0; i < pmu->events.count; i++)
		n += !strchr(pmu->events.entry[i].name, '.');
	return n;
}

static void judge(struct change *c)
{
	struct text verdict = { NULL, 0 };
	size_t extra;

	if (!c->after) {
		add_events(&verdict, "LOST, with ", count_events(c->before), "");
	} else if (!c->before) {
		text_add(&verdict, "new");
	} else {
		if (c->renamed)
			lose(c, "the", "name", " is lost");
		compare_format(c);
		compare_events(c);
		extra = count_events(c->after) - c->kept;
		text_add(&verdict, "%s", c->losses.len ? c->losses.s : "kept");
		if (!c->losses.len && extra)
			add_events(&verdict, ", ", extra, "more ");
	}
	c->verdict = verdict.s;
}

/* Where the number of a PMU begins, or the end of a name without one. */
static size_t stem_of(const char *name)
{
	size_t len = strlen(name), digits = len;

	while (digits && isdigit((unsigned char)name[digits - 1]))
		digits--;
	return digits < len && digits && name[digits - 1] == '_' ? digits : len;
}

static bool same_stem(const struct pmu *a, const struct pmu *b)
{
	size_t len;

	if (!a || !b)
		return a == b;
	len = stem_of(a->name);
	return a->name[len] && len == stem_of(b->name) && b->name[len] &&
	       !strncmp(a->name, b->name, len);
}

static bool share_line(const struct change *a, const struct change *b)
{
	return same_stem(a->before, b->before) &&
	       same_stem(a->after, b->after) && !strcmp(a->verdict, b->verdict);
}

/* "uncore_imc_{0..7}", as pmonctl list names them. */
static void add_names(struct table *t, const struct change *c, size_t count,
		      bool after)
{
	const struct pmu *pmu = after ? c->after : c->before;
	struct text s = { NULL, 0 };
	unsigned int *number;
	size_t len;

	if (!pmu) {
		table_cell(t, "-");
		return;
	}
	len = stem_of(pmu->name);
	if (count == 1) {
		table_cell(t, "%s", pmu->name);
		return;
	}
	number = xrealloc(NULL, count * sizeof(*number));
	for (size_t i = 0; i < count; i++) {
		pmu = after ? c[i].after : c[i].before;
		number[i] = (unsigned int)strtoul(pmu->name + len, NULL, 10);
	}
	text_add_ranges(&s, number, count);
	table_cell(t, "%.*s%s", (int)len, pmu->name, s.s);
	text_free(&s);
	free(number);
}

static void print_changes(const struct change *change, size_t count)
{
	static const char *const head[] = {
		"NOW", "AFTERWARDS", "CHANGE", NULL
	};
	struct table t;

	table_start_headed(&t, head);
	for (size_t i = 0, j; i < count; i = j) {
		for (j = i + 1; j < count && share_line(&change[i], &change[j]);)
			j++;
		add_names(&t, &change[i], j - i, false);
		add_names(&t, &change[i], j - i, true);
		table_cell(&t, "%s", change[i].verdict);
	}
	table_print(&t);
}

/*
 * perf takes a PMU by its alias; likwid (perfmon_graniterapids_counters.h and its
 * like) looks for the path with the kernel's name, in its mode perf_event.
 */
static void print_likwid(const struct change *change, size_t count)
{
	static const struct {
		const char *name, *counters;
	} looked_for[] = { { "uncore_mdf_sbo", "MDF" }, { "uncore_hbm", "HBM" } };

	for (size_t n = 0; n < sizeof(looked_for) / sizeof(*looked_for); n++)
		for (size_t i = 0; i < count; i++) {
			const struct pmu *now = change[i].before;

			if (!now || !change[i].after ||
			    !strcmp(now->name, change[i].after->name) ||
			    !is_numbered(now->name, looked_for[n].name))
				continue;
			say("likwid looks for %s_<n> by path: it has no %s "
			    "counters then, perf has", looked_for[n].name,
			    looked_for[n].counters);
			break;
		}
}

static bool is_taken(const struct change *change, size_t count,
		     const struct pmu *after)
{
	for (size_t i = 0; i < count; i++)
		if (change[i].after == after)
			return true;
	return false;
}

size_t compare_pmus(const struct pmus *theirs, const struct pmus *ours)
{
	size_t count = 0, losers = 0;
	struct change *change = xrealloc(NULL, (theirs->count + ours->count +
						1) * sizeof(*change));

	for (size_t i = 0; i < theirs->count; i++) {
		struct change c = { .before = &theirs->pmu[i] };

		find_after(&c, ours);
		change[count++] = c;
	}
	for (size_t i = 0; i < ours->count; i++)
		if (!is_taken(change, count, &ours->pmu[i]))
			change[count++] = (struct change){
				.after = &ours->pmu[i],
			};
	for (size_t i = 0; i < count; i++) {
		judge(&change[i]);
		losers += !change[i].after || change[i].losses.len;
	}
	if (count)
		print_changes(change, count);
	print_likwid(change, count);
	for (size_t i = 0; i < count; i++) {
		text_free(&change[i].losses);
		free(change[i].verdict);
	}
	free(change);
	return losers;
}
