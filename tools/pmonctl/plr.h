/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_PLR_H
#define PMONCTL_PLR_H

#include "output.h"
#include "parts.h"

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

/* As groups_of(), but over all domains. */
struct lines lines_of(const struct parts *all,
		      bool (*wanted)(const struct part *p),
		      bool (*like)(const struct part *a, const struct part *b));
void lines_free(struct lines *l);

/* "0-1/0-2/core0-6" */
void line_add_place(struct text *t, const struct line *l);

/*
 * WHERE CPUS NOW SINCE, of the parts that something limits or has limited, those
 * that are limited now first. Where whole packages are shown, those that have
 * nothing but a turbo limit are left out; how many those are.
 */
size_t lines_add_table(struct text *t, const struct parts *all, long long now);

/*
 * What limits now, what has limited, what the reasons in force mean, and the rest
 * in a few words. moves: the look has moved the hardware's record.
 */
void plr_print(const struct parts *all, bool moves);
void plr_print_cleared(const struct parts *all);
void plr_print_json(const struct machine *m, struct parts *all);

#endif
