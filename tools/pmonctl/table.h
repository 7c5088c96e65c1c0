/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_TABLE_H
#define PMONCTL_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "output.h"

/* A table of libsmartcols that is filled cell by cell, row by row. */
struct table {
	struct libscols_table *scols;
	size_t columns, rows, filled;	/* filled: cells of the row that is begun */
	char **cell;			/* of that row */
	size_t *order, shown;		/* which columns are printed, in this order */
	bool hidden;			/* it lacks one that was asked for */
};

/* From here on, tables have no heads. */
void tables_bare(void);
/*
 * From here on, only these columns of tables with heads, by name and in this
 * order: "PMU,UNIT". A table that lacks one is not printed.
 */
void tables_choose(const char *names);
/* False after a message where no table had all of them. */
bool tables_found(void);

/* Without heads. */
void table_start(struct table *t, size_t columns);
/*
 * NULL ends the heads; one that begins with a space is of numbers, one with ~ of
 * texts that may be wrapped.
 */
void table_start_headed(struct table *t, const char *const *head);
void table_cell(struct table *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Both end it. A table without rows is nothing. */
void table_print(struct table *t);
void table_add(struct text *text, struct table *t);

#endif
