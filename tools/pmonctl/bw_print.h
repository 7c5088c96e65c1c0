/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_BW_PRINT_H
#define PMONCTL_BW_PRINT_H

#include "bandwidth.h"

/* Sums of each package, and the boxes that move anything; "" for no table. */
char *bw_table(const struct bandwidth *b);
void bw_csv_head(void);
void bw_csv(const struct bandwidth *b);

/* Members of an object that is open. */
void bw_json(const struct bandwidth *b, double seconds);

#endif
