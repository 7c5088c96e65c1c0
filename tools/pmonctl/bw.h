/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_BW_H
#define PMONCTL_BW_H

#include "bandwidth.h"
#include "pmonctl.h"

/* A table of rates; "" for no table. */
char *bw_table(const struct bandwidth *b, const struct options *opt);
/* Opens an object that has it. */
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
