/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_LIST_H
#define PMONCTL_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "discovery.h"

/*
 * Units that differ in their id alone share a row: a server has hundreds of
 * units and about twenty kinds.
 */
struct row {
	const struct unit *unit;	/* the first; all are alike */
	char *packages;			/* "0-1" */
	char *stem;			/* PMU name without its number */
	bool numbered;
	unsigned int *id, *number;	/* ids of them each, ascending */
	size_t ids;
};

struct rows {
	struct row *row;
	size_t count;
};

struct rows rows_of(const struct machine *m);
void rows_free(struct rows *r);

#endif
