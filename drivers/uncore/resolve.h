/* SPDX-License-Identifier: GPL-2.0-only */
/* Units of several tables: which is which, and which of them are too many. */
#ifndef PMON_UNCORE_RESOLVE_H
#define PMON_UNCORE_RESOLVE_H

#include <linux/types.h>

#include "unit.h"

struct pmon_link;

/**
 * struct pmon_limit - how many units there may be
 * @most: so many
 * @reason: of those that are too many
 */
struct pmon_limit {
	u32 most;
	const char *reason;
};

void pmon_units_compare_links(struct pmon_unit *units, size_t count,
			      const struct pmon_link *link, u64 *addresses);
u32 pmon_units_listed(const struct pmon_unit *units, size_t count, u32 kind);
void pmon_units_number(struct pmon_unit **units, size_t count);
void pmon_units_resolve(struct pmon_unit **units, size_t count,
			struct pmon_limit (*limit)(const struct pmon_unit *unit));

#endif
