/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_ADOPT_COMPARE_H
#define PMONCTL_ADOPT_COMPARE_H

/*
 * Print the PMUs before and after a hand-over, and what events lose by it. Return
 * how many PMUs lose something, -1 on error.
 */
long adopt_compare_uncore(void);
long adopt_compare_plr(void);
long adopt_compare_r2pcie(void);
long adopt_compare_qpi(void);

/*
 * Nothing tells what pmon_cxl would give for a CPMU that cxl_pmu has. So the PMUs
 * of before are noted, and compared with those of after when there are some.
 */
long adopt_compare_cxl(void);
long adopt_compare_again(void);

#endif
