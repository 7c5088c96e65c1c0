/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_COMPARE_H
#define PMONCTL_COMPARE_H

/* Print the PMUs before and after; return the number of PMUs with losses, or -1. */
long adopt_compare_uncore(void);
long adopt_compare_plr(void);
/* The PMUs of pmon_cxl are known after the hand-over only. */
long adopt_compare_cxl(void);
long adopt_compare_again(void);

#endif
