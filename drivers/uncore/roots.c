// SPDX-License-Identifier: GPL-2.0-only
/*
 * The package of a PCI root bus: from the TPMI_INFO register of a function on
 * it, or from the order of all root buses with a discovery table. Firmware
 * numbers the buses of package N below those of package N + 1, and its segments
 * in the same order.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "roots.h"

static int uncore_root_order(struct uncore_root a, struct uncore_root b)
{
	return a.segment != b.segment ? a.segment - b.segment : a.bus - b.bus;
}

/* How many of the buses are at or below @root. */
static unsigned int uncore_roots_below(const struct uncore_roots *roots,
				       struct uncore_root root)
{
	unsigned int n = 0;

	while (n < roots->count &&
	       uncore_root_order(roots->at[n].root, root) <= 0)
		n++;
	return n;
}

/**
 * uncore_roots_has() - does a root bus have a table?
 * @roots: the buses with one
 * @root: the bus
 *
 * Return: whether it does.
 */
bool uncore_roots_has(const struct uncore_roots *roots, struct uncore_root root)
{
	unsigned int below = uncore_roots_below(roots, root);

	return below && !uncore_root_order(roots->at[below - 1].root, root);
}

/**
 * uncore_roots_add() - note a root bus that has a table
 * @roots: the buses
 * @root: the bus; may be there already
 * @package: what TPMI_INFO says, or -1
 *
 * Return: false without room.
 */
bool uncore_roots_add(struct uncore_roots *roots, struct uncore_root root,
		      int package)
{
	unsigned int below = uncore_roots_below(roots, root);

	if (uncore_roots_has(roots, root)) {
		if (package >= 0)
			roots->at[below - 1].package = package;
		return true;
	}
	if (roots->count == UNCORE_ROOTS)
		return false;
	memmove(&roots->at[below + 1], &roots->at[below],
		(roots->count - below) * sizeof(roots->at[0]));
	roots->at[below].root = root;
	roots->at[below].package = package;
	roots->count++;
	return true;
}

/**
 * uncore_roots_told() - the package behind a root bus, as TPMI_INFO has it
 * @roots: the buses with a table
 * @root: any bus: that of the last one at or below it
 *
 * Return: the package, or -1.
 */
int uncore_roots_told(const struct uncore_roots *roots, struct uncore_root root)
{
	unsigned int below = uncore_roots_below(roots, root);

	return below ? roots->at[below - 1].package : -1;
}

/**
 * uncore_roots_guess() - the package behind a root bus, by its order
 * @roots: the buses with a table
 * @root: any bus: that of the last one at or below it
 * @each: how many of them a package has; 0: not known
 * @known: the packages of which a CPU was online, in order
 * @nr_known: how many, at least 1
 *
 * CPUs of some packages may have been left out (nr_cpus=, maxcpus=): packages
 * count from 0 then, which those that are known must not contradict.
 *
 * Return: the package, which may be none of @known, or -1.
 */
int uncore_roots_guess(const struct uncore_roots *roots,
		       struct uncore_root root, unsigned int each,
		       const int *known, unsigned int nr_known)
{
	unsigned int below = uncore_roots_below(roots, root), packages;

	if (roots->count == nr_known)
		each = 1;
	else if (!each)
		each = max(roots->count / nr_known, 1U);
	packages = roots->count / each;
	if (!below || roots->count % each || nr_known > packages)
		return -1;
	if (nr_known == packages)
		return known[(below - 1) / each];
	if (known[nr_known - 1] >= packages)
		return -1;
	return (below - 1) / each;
}
