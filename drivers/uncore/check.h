/* SPDX-License-Identifier: GPL-2.0-only */
/* Can a unit be what its record says? Pure. */
#ifndef PMON_UNCORE_CHECK_H
#define PMON_UNCORE_CHECK_H

#include "unit.h"

struct uncore_platform;

void uncore_unit_check(struct uncore_unit *unit,
		       const struct uncore_platform *platform);

#endif
