/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_LINES_H
#define PMONCTL_LINES_H

#include "scopes.h"

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

/* Selects scopes. */
enum choice { LIMITED_NOW, ON_RECORD, UNREADABLE, NOT_LIMITED, DIE_ALONE, CHANGED };

/* Lines over names of a domain, domains of a package, and packages, as far as @last. */
struct lines lines_of(const struct scopes *all, enum choice c, enum place last);
void lines_free(struct lines *l);
/* "0-1/0-2/core0-42" */
char *line_where(const struct line *l);

/* Each module is in one group. */
struct tally {
	size_t modules, limited;
	size_t turbo;		/* no other limit, now or on record; none with --cpu */
	size_t old, unsure;	/* on record: not in force, not known */
	size_t unread;
	bool readable;		/* any scope */
	uint64_t in_force;	/* of all rows, without turbo limits, except with --cpu */
};

struct tally tally(const struct scopes *all);
/* "1 of 43 modules limited now, 42 at a turbo limit (FREQUENCY alone)" */
void tally_add(struct text *t, const struct tally *n);

/*
 * Scopes as rows, a shallow copy: without modules that have only turbo limits, and of a die what no
 * other part of its domain has. FREED frees it.
 */
struct scopes joined_scopes(const struct scopes *all);

/* Reasons in force of these rows, the worst first; returns the number beyond @most, 0: all. */
size_t rows_add_reasons(struct text *t, const struct scopes *rows, bool meanings, size_t most);
/* Rows in @most lines, 0: all, and below them how many there are more. */
void rows_add_table(struct text *t, const struct scopes *rows, size_t most);
/* Members with the tally, reasons with their meanings, and rows. */
void rows_json(const struct scopes *all);

#endif
