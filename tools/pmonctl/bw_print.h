/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_BW_PRINT_H
#define PMONCTL_BW_PRINT_H

#include "bw_rows.h"
#include "pmonctl.h"

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

#endif
