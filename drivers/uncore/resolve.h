/* SPDX-License-Identifier: GPL-2.0-only */
/* Units of several tables: which is which, and which of them are too many. */
#ifndef PMON_UNCORE_RESOLVE_H
#define PMON_UNCORE_RESOLVE_H

#include <linux/types.h>

#include "unit.h"

struct uncore_link;

/**
 * struct uncore_limit - how many units there may be
 * @most: so many
 * @reason: of those that are too many
 */
struct uncore_limit {
	u32 most;
	const char *reason;
};

typedef struct uncore_limit (*uncore_limit_t)(const struct uncore_unit *unit);

void uncore_units_compare_links(struct uncore_unit *units, size_t count,
				const struct uncore_link *link, u64 *addresses);
void uncore_units_take_links(struct uncore_unit *units, size_t count,
			     const struct uncore_link *link, u64 *addresses);
u32 uncore_units_listed(const struct uncore_unit *units, size_t count,
			u32 kind);
void uncore_units_number(struct uncore_unit **units, size_t count);
void uncore_units_resolve(struct uncore_unit **units, size_t count,
			  uncore_limit_t limit);

#endif
