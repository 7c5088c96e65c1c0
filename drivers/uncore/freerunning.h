/* SPDX-License-Identifier: GPL-2.0-only */
/* Free-running counters, which no table lists. */
#ifndef PMON_UNCORE_FREERUNNING_H
#define PMON_UNCORE_FREERUNNING_H

#include <linux/types.h>

#include "unit.h"

struct pmon_counter;
struct pmon_platform;
struct pmon_spaces;

bool pmon_unit_companion(const struct pmon_unit *unit,
			 struct pmon_unit *companion);
void pmon_unit_controller(const struct pmon_platform *platform, u16 id,
			  u64 address, struct pmon_unit *unit);
bool pmon_unit_space(const struct pmon_spaces *spaces,
		     const struct pmon_unit *units, size_t count, size_t which,
		     struct pmon_unit *unit);
void pmon_free_counters(const struct pmon_unit *unit,
			struct pmon_counter *counter);

#endif
