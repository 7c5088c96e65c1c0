// SPDX-License-Identifier: GPL-2.0-only
/*
 * Grouping units into rows, in two steps: the same unit of several packages
 * becomes one row with a set of packages, then rows with consecutive units
 * are joined.
 */
#include "rows.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

static int compare_words(const char *a, const char *b)
{
	return strverscmp(a, b);
}

/* Everything but the PMU's number, the id and the package. */
static int compare_kind(const struct unit *a, const struct unit *b)
{
	int c = (a->type > b->type) - (a->type < b->type);

	if (!c)
		c = (a->width > b->width) - (a->width < b->width);
	if (!c)
		c = compare_words(a->name, b->name);
	if (!c)
		c = compare_words(a->access, b->access);
	if (!c)
		c = compare_words(a->counters, b->counters);
	if (!c)
		c = compare_words(a->owner, b->owner);
	return c;
}

static const struct device *devices;	/* qsort() has no context argument */

static int compare_units(const void *va, const void *vb)
{
	const struct unit *a = *(const struct unit *const *)va;
	const struct unit *b = *(const struct unit *const *)vb;
	int c = compare_kind(a, b);

	if (!c)
		c = compare_words(a->pmu, b->pmu);
	if (!c)
		c = (a->id > b->id) - (a->id < b->id);
	if (!c)
		c = (devices[a->device].package > devices[b->device].package) -
		    (devices[a->device].package < devices[b->device].package);
	return c;
}

static bool same_unit(const struct unit *a, const struct unit *b)
{
	return !compare_kind(a, b) && !compare_words(a->pmu, b->pmu) &&
	       a->id == b->id;
}

/* uncore_imc_11 is number 11 of uncore_imc; "-" and uncore_pcu have none. */
static void split_pmu(struct row *r, const char *pmu)
{
	const char *end = pmu + strlen(pmu), *p = end;

	while (p > pmu && isdigit((unsigned char)p[-1]))
		p--;
	r->numbered = p < end && p > pmu && p[-1] == '_';
	r->stem = xstrdup(pmu);
	if (r->numbered) {
		r->stem[p - pmu - 1] = '\0';
		*r->number = (unsigned int)strtoul(p, NULL, 10);
	}
}

static struct row one_unit(const struct machine *m, struct unit **unit,
			   size_t n)
{
	unsigned int *package = xrealloc(NULL, n * sizeof(*package));
	struct text packages = { NULL, 0 };
	struct row r = { .unit = unit[0], .ids = 1 };

	for (size_t i = 0; i < n; i++)
		package[i] = (unsigned int)m->device[unit[i]->device].package;
	if (m->device[unit[0]->device].package < 0)
		text_add(&packages, "?");
	else
		text_add_ranges(&packages, package, n);
	free(package);
	r.packages = packages.s;
	r.id = xrealloc(NULL, sizeof(*r.id));
	r.number = xrealloc(NULL, sizeof(*r.number));
	*r.id = unit[0]->id;
	*r.number = 0;
	split_pmu(&r, unit[0]->pmu);
	return r;
}

static void row_free(struct row *r)
{
	free(r->packages);
	free(r->stem);
	free(r->id);
	free(r->number);
}

static bool joins(const struct row *a, const struct row *b)
{
	return !compare_kind(a->unit, b->unit) &&
	       !strcmp(a->packages, b->packages) &&
	       !strcmp(a->stem, b->stem) && a->numbered == b->numbered;
}

static void join(struct row *a, const struct row *b)
{
	a->id = xrealloc(a->id, (a->ids + 1) * sizeof(*a->id));
	a->number = xrealloc(a->number, (a->ids + 1) * sizeof(*a->number));
	a->id[a->ids] = b->id[0];
	a->number[a->ids] = b->number[0];
	a->ids++;
}

static void add_row(struct rows *rows, struct row *r)
{
	/* Units of unequal packages alternate, so look further than one back. */
	for (size_t i = rows->count; i--;) {
		if (compare_kind(rows->row[i].unit, r->unit))
			break;
		if (joins(&rows->row[i], r)) {
			join(&rows->row[i], r);
			row_free(r);
			return;
		}
	}
	rows->row = xrealloc(rows->row, (rows->count + 1) * sizeof(*r));
	rows->row[rows->count++] = *r;
}

struct rows rows_of(const struct machine *m)
{
	struct unit **unit = xrealloc(NULL, (m->units + 1) * sizeof(*unit));
	struct rows rows = { NULL, 0 };

	for (size_t i = 0; i < m->units; i++)
		unit[i] = &m->unit[i];
	devices = m->device;
	qsort(unit, m->units, sizeof(*unit), compare_units);
	for (size_t i = 0, j; i < m->units; i = j) {
		struct row r;

		for (j = i + 1; j < m->units && same_unit(unit[i], unit[j]);)
			j++;
		r = one_unit(m, unit + i, j - i);
		add_row(&rows, &r);
	}
	free(unit);
	return rows;
}

void rows_free(struct rows *r)
{
	for (size_t i = 0; i < r->count; i++)
		row_free(&r->row[i]);
	free(r->row);
}
