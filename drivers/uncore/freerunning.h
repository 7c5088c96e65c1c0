/* SPDX-License-Identifier: GPL-2.0-only */
/* Units that no table lists, free-running counters above all. */
#ifndef PMON_UNCORE_FREERUNNING_H
#define PMON_UNCORE_FREERUNNING_H

#include <linux/types.h>

#include "unit.h"

struct pmon_counter;
struct uncore_spaces;

bool uncore_unit_companion(const struct uncore_unit *unit,
			   struct uncore_unit *companion);
void uncore_unit_unlisted(const struct uncore_row *row, u16 id, u64 address,
			  struct uncore_unit *unit);
bool uncore_unit_space(const struct uncore_spaces *spaces,
		       const struct uncore_unit *units, size_t count,
		       size_t which, struct uncore_unit *unit);
bool uncore_unit_is_scattered(const struct uncore_unit *unit);
bool uncore_unit_registers(const struct uncore_unit *unit, unsigned int n,
			   u64 *address, u32 *span);
void uncore_free_running_counters(const struct uncore_unit *unit,
				  struct pmon_counter *counter);

#endif
