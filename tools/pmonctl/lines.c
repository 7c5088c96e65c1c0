// SPDX-License-Identifier: GPL-2.0-only
/*
 * Joins directories with the same reasons into lines: what limits now beside
 * what did.
 */
#include "lines.h"

#include <stdlib.h>
#include <string.h>

#include "parts.h"
#include "reasons.h"
#include "table.h"

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
	struct line *line;

	l->line = xrealloc(l->line, (l->count + 1) * sizeof(*l->line));
	line = &l->line[l->count++];
	group_add_names(&names, g);
	*line = (struct line){
		.package = one_number(d->package),
		.domain = one_number(d->id),
		.packages = 1,
		.domains = 1,
		.names = names.s,
		.parts = *g,
	};
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

struct lines lines_of(const struct parts *all,
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

void lines_free(struct lines *l)
{
	for (size_t i = 0; i < l->count; i++)
		line_free(&l->line[i]);
	free(l->line);
}

void line_add_place(struct text *t, const struct line *l)
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
	char *names = reasons_text(reasons_brief(p->now));

	if (p->now) {
		text_add(t, "%s", names);
		history_add_time(t, &l->parts, p->now);
	}
	if (!p->known && p->reasons & ~p->now)
		text_add(t, "%s?", p->now ? " " : "");
	if (!t->len)
		text_add(t, "-");
	free(names);
}

/* What NOW has implies its coarse reasons, on record as they may be. */
static uint64_t since_of(const struct part *p)
{
	return reasons_brief(p->reasons) & ~p->now;
}

static void add_cells(struct table *table, const struct line *l, long long now)
{
	uint64_t since = since_of(l->parts.part[0]);
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
	struct lines l = lines_of(all, wanted, same_limits);

	for (size_t i = 0; i < l.count; i++)
		add_cells(table, &l.line[i], now);
	lines_free(&l);
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
