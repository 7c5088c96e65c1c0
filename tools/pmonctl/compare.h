/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_COMPARE_H
#define PMONCTL_COMPARE_H

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

#endif
