/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_UNCORE_ROOTS_H
#define PMON_UNCORE_ROOTS_H

#include <linux/types.h>

/* Eight packages with four root buses each that have tables. */
#define UNCORE_ROOTS	32

/**
 * struct uncore_root - a root bus
 * @segment: PCI segment
 * @bus: number in it
 */
struct uncore_root {
	int segment;
	u8 bus;
};

/**
 * struct uncore_roots - root buses with discovery tables, in order
 * @at: the buses
 * @at.root: which
 * @at.package: what TPMI_INFO of a function on it says, or -1
 * @count: how many
 */
struct uncore_roots {
	struct {
		struct uncore_root root;
		int package;
	} at[UNCORE_ROOTS];
	unsigned int count;
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
