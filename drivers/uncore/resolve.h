/* SPDX-License-Identifier: GPL-2.0-only */
/* Units of several tables, and the packages that these belong to. Pure. */
#ifndef PMON_UNCORE_RESOLVE_H
#define PMON_UNCORE_RESOLVE_H

#include <linux/types.h>

#include "unit.h"

struct uncore_link;

/* How many units there may be. */
struct uncore_limit {
	u32 most;	/* so many */
	const char *reason;	/* of those that are too many */
};

typedef struct uncore_limit (*uncore_limit_t)(const struct uncore_unit *unit);

void uncore_units_compare_links(struct uncore_unit *units, size_t count,
				const struct uncore_link *link, u64 *addresses);
u32 uncore_units_listed(const struct uncore_unit *units, size_t count,
			u32 kind);
void uncore_units_number(struct uncore_unit **units, size_t count);
void uncore_units_resolve(struct uncore_unit **units, size_t count,
			  uncore_limit_t limit);

/* Eight packages with four root buses each that have tables. */
#define UNCORE_ROOTS	32

/* A root bus. */
struct uncore_root {
	int segment;	/* PCI segment */
	u8 bus;	/* number in it */
};

/* Root buses with discovery tables, in order. */
struct uncore_roots {
	struct {
		struct uncore_root root;	/* which */
		/* what TPMI_INFO of a function on it says, or -1 */
		int package;
	} at[UNCORE_ROOTS];
	unsigned int count;	/* how many */
};

bool uncore_roots_add(struct uncore_roots *roots, struct uncore_root root,
		      int package);
bool uncore_roots_has(const struct uncore_roots *roots,
		      struct uncore_root root);
int uncore_roots_told(const struct uncore_roots *roots,
		      struct uncore_root root);
int uncore_roots_guess(const struct uncore_roots *roots,
		       struct uncore_root root, unsigned int each,
		       const int *known, unsigned int nr_known);

#endif
