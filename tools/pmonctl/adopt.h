/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_ADOPT_H
#define PMONCTL_ADOPT_H

#include <stdbool.h>

#include "pmus.h"

/*
 * Prints what becomes of the PMUs of another driver when openpmon has their
 * boxes instead. Returns how many of them lose something: the PMU, a term of
 * its format or an event, or one of these comes to mean something else.
 */
size_t compare_pmus(const struct pmus *theirs, const struct pmus *ours);

/* The one of ours that has the box of a PMU of another driver, or NULL. */
const struct pmu *compare_find(const struct pmus *ours,
			       const struct pmu *theirs);

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
