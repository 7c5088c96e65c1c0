/* SPDX-License-Identifier: GPL-2.0-only */
/* Can a unit be what its record says? Pure. */
#ifndef PMON_UNCORE_CHECK_H
#define PMON_UNCORE_CHECK_H

#include "unit.h"

struct pmon_platform;

void pmon_unit_check(struct pmon_unit *unit,
		     const struct pmon_platform *platform);

#endif
