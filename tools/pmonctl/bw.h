/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_BW_H
#define PMONCTL_BW_H

#include "bandwidth.h"
#include "pmonctl.h"

/*
 * What is shown as one: the boxes of a kind in a package, or in a node of it, or
 * one box. Ports on one way see the same accesses, so each is by itself.
 */
struct bw_row {
	enum flow_kind kind;
	long package, node;		/* -1: none, or not known */
	const struct flow *box;		/* NULL: a sum */
	size_t boxes, unknown;
	double rate[FLOW_WAYS];		/* MiB/s */
	bool counted[FLOW_WAYS];	/* by each of them */
};

struct bw_rows {
	struct bw_row *row;
	size_t count;
};

/* Sums, of nodes where a package has several, or all boxes. */
struct bw_rows bw_rows_of(const struct bandwidth *b, bool boxes);
/* Of packages whole, though they have nodes. */
struct bw_rows bw_packages_of(const struct bandwidth *b);
/* What moves most first. */
void bw_rows_sort(struct bw_rows *r);
void bw_rows_free(struct bw_rows *r);
/* Is it counted, and known? A sum of less than all would be a wrong one. */
bool bw_row_is_known(const struct bw_row *r, enum flow_way way);
/* What it moves both ways, below 0 where that is not known. */
double bw_row_moved(const struct bw_row *r);

/* A table of rates; "" for no table. */
char *bw_table(const struct bandwidth *b, const struct options *opt);
/* A line for each row, with the time. */
void bw_lines(const struct bandwidth *b, const struct options *opt);
/* A line of values, and one of their names. */
void bw_csv_head(const struct bandwidth *b, const struct options *opt);
void bw_csv(const struct bandwidth *b, const struct options *opt);
/* Members of an object that is open. */
void bw_json(const struct bandwidth *b, double seconds);
/* What was moved in so many seconds, and how fast. */
void bw_print_totals(const struct bandwidth *b, double seconds);

/*
 * Opens what there is to count, of these options. STATUS_FINE, or, with a message,
 * why there is nothing. Of delays, too, if wanted.
 */
enum status bw_open(struct bandwidth *b, const struct options *opt, bool delays);
/* Says what could not be counted, and why. STATUS_FINE: nothing. */
enum status bw_complain(const struct bandwidth *b);

#endif
