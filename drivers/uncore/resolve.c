// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compare tables: reject units that overlap or have the same identity, and find
 * the package of each root bus.
 */
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "platform.h"

/* Faulty field of a unit that is listed twice or beyond a limit. */
static const char number_field[] = "id";

static const char listed_before[] = "listed before";

static int uncore_order_key(u64 a, u64 b)
{
	return (a > b) - (a < b);
}

/* Order by time of reading, so the earlier of two units in conflict stays. */
static int uncore_by_record(const struct uncore_unit *a,
			    const struct uncore_unit *b)
{
	return uncore_order_key(((u64)a->table << 16) | a->index,
				((u64)b->table << 16) | b->index);
}

static u64 uncore_package_kind(const struct uncore_unit *unit)
{
	return ((u64)unit->package << 17) | uncore_unit_kind(unit);
}

static int uncore_compare_identity(const struct uncore_unit *a,
				   const struct uncore_unit *b)
{
	return uncore_order_key(uncore_package_kind(a),
				uncore_package_kind(b)) ?:
	       uncore_order_key(a->number, b->number) ?:
	       uncore_order_key(a->die, b->die);
}

static const struct uncore_unit *uncore_unit_at(const void *element)
{
	return *(const struct uncore_unit * const *)element;
}

static int uncore_by_identity(const void *left, const void *right)
{
	const struct uncore_unit *a = uncore_unit_at(left);
	const struct uncore_unit *b = uncore_unit_at(right);

	return uncore_compare_identity(a, b) ?: uncore_by_record(a, b);
}

/* MSRs are per package; all packages share memory and PCI functions. */
static u32 uncore_address_space(const struct uncore_unit *unit)
{
	return unit->access == UNCORE_ACCESS_MSR ?
		UNCORE_ACCESSES + unit->package : unit->access;
}

static int uncore_by_order(const void *left, const void *right)
{
	return uncore_by_record(uncore_unit_at(left), uncore_unit_at(right));
}

static bool uncore_share_registers(const struct uncore_unit *a,
				   const struct uncore_unit *b)
{
	unsigned int n, m;
	u64 a_start, b_start;
	u32 a_span, b_span;

	if (uncore_address_space(a) != uncore_address_space(b) ||
	    a->address >= b->address + b->span ||
	    b->address >= a->address + a->span)
		return false;
	for (n = 0; uncore_unit_extent(a, n, &a_start, &a_span); n++)
		for (m = 0; uncore_unit_extent(b, m, &b_start, &b_span); m++)
			if (b_start < a_start + a_span &&
			    a_start < b_start + b_span)
				return true;
	return false;
}

/* @units is in the order of reading. Comparing a few thousand takes 0.1 s. */
static void uncore_reject_overlaps(struct uncore_unit **units, size_t count)
{
	struct uncore_unit *unit;
	size_t i, j;

	for (i = 0; i < count; i++) {
		unit = units[i];
		for (j = 0; j < i && uncore_unit_good(unit); j++)
			if (uncore_unit_good(units[j]) &&
			    uncore_share_registers(units[j], unit))
				uncore_unit_reject(unit, "address",
						   unit->address,
						   "overlaps another unit");
	}
}

static void uncore_reject_duplicates(struct uncore_unit **units, size_t count)
{
	struct uncore_unit *last = NULL;
	size_t i;

	for (i = 0; i < count; i++) {
		if (!uncore_unit_good(units[i]))
			continue;
		if (last && !uncore_compare_identity(last, units[i]))
			uncore_unit_reject(units[i], number_field, units[i]->id,
					   listed_before);
		else
			last = units[i];
	}
}

/* @units is sorted by identity, so the lowest numbers stay. */
static void uncore_reject_excess(struct uncore_unit **units, size_t count,
				 uncore_limit_t limit)
{
	struct uncore_limit now = {};
	u64 type, last = U64_MAX;
	size_t i, seen = 0;

	for (i = 0; i < count; i++) {
		if (!uncore_unit_good(units[i]))
			continue;
		type = uncore_package_kind(units[i]);
		if (type != last) {
			now = limit(units[i]);
			last = type;
			seen = 0;
		}
		if (++seen > now.max)
			uncore_unit_reject(units[i], number_field, units[i]->id,
					   now.reason);
	}
}

/* Return a key of type and id, without the package. */
static u64 uncore_listed_key(const struct uncore_unit *unit)
{
	return ((u64)uncore_unit_kind(unit) << 16) | unit->id;
}

static int uncore_by_listed_key(const void *left, const void *right)
{
	const struct uncore_unit *a = uncore_unit_at(left);
	const struct uncore_unit *b = uncore_unit_at(right);

	return uncore_order_key(uncore_listed_key(a), uncore_listed_key(b)) ?:
		       uncore_by_record(a, b);
}

/* A PMU has one box per package, or one per die, not both. */
static bool uncore_can_share_pmu(const struct uncore_unit *a,
				 const struct uncore_unit *b)
{
	if (!a->die != !b->die)
		return false;
	return a->die ? a->die != b->die : a->package != b->package;
}

static bool uncore_number_is_free(struct uncore_unit **units, size_t count,
				  const struct uncore_unit *unit)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (units[i]->numbered && units[i]->number == unit->number &&
		    uncore_listed_key(units[i]) == uncore_listed_key(unit) &&
		    !uncore_can_share_pmu(units[i], unit))
			return false;
	return true;
}

/* Ids in tables have 16 bits. */
#define NUMBER_STEP	BIT(16)

/*
 * Number units in the order of reading, because tables use equal ids. Units of
 * equal type and id get different numbers, unless they may share a PMU. Keep
 * numbers assigned before. Reject a unit that one table lists twice.
 */
void uncore_units_assign_numbers(struct uncore_unit **units, size_t count)
{
	struct uncore_unit *unit, *last = NULL;
	size_t i;

	sort(units, count, sizeof(*units), uncore_by_listed_key, NULL);
	for (i = 0; i < count; i++) {
		unit = units[i];
		if (!uncore_unit_good(unit))
			continue;
		if (last && last->table == unit->table &&
		    uncore_listed_key(last) == uncore_listed_key(unit)) {
			uncore_unit_reject(unit, number_field, unit->id,
					   listed_before);
			continue;
		}
		last = unit;
		while (!unit->numbered &&
		       !uncore_number_is_free(units, count, unit))
			unit->number += NUMBER_STEP;
		unit->numbered = true;
	}
}

/*
 * Reject units beyond the limit, and the later of two units that have equal
 * type and number, or share registers.
 */
void uncore_units_resolve(struct uncore_unit **units, size_t count,
			  uncore_limit_t limit)
{
	sort(units, count, sizeof(*units), uncore_by_identity, NULL);
	uncore_reject_duplicates(units, count);
	uncore_reject_excess(units, count, limit);
	sort(units, count, sizeof(*units), uncore_by_order, NULL);
	uncore_reject_overlaps(units, count);
}

/* Count faulty units, too, but not units listed twice. */
u32 uncore_units_count_listed(const struct uncore_unit *units, size_t count,
			      u32 kind)
{
	u32 listed = 0;
	size_t i;

	for (i = 0; i < count; i++)
		listed += !units[i].empty &&
			  uncore_unit_kind(&units[i]) == kind &&
			  units[i].fault.reason != listed_before;
	return listed;
}

static const char not_this_link[] = "is not where this link is";

/*
 * Reject units that are not at their link's address in @addresses (0: no link).
 * Set the addresses of correctly listed links to 0. If a rejected unit's link
 * is now at the unit's address, set @temporary_fault, to check the unit again.
 */
void uncore_units_compare_links(struct uncore_unit *units, size_t count,
				const struct uncore_link *link, u64 *addresses)
{
	struct uncore_unit *unit;

	for (unit = units; unit < units + count; unit++) {
		if (unit->empty || unit->type != link->type)
			continue;
		if (unit->id >= link->count ||
		    addresses[unit->id] != unit->address) {
			/* the next check would clear a temporary fault */
			if (unit->temporary_fault)
				unit->fault = (struct uncore_fault){};
			unit->temporary_fault = false;
			uncore_unit_reject(unit, "address", unit->address,
					   not_this_link);
			continue;
		}
		addresses[unit->id] = 0;
		if (unit->fault.reason == not_this_link)
			unit->temporary_fault = true;
	}
}

/* Firmware numbers segments and buses in the order of packages. */
static int uncore_root_order(struct uncore_root a, struct uncore_root b)
{
	return a.segment != b.segment ? a.segment - b.segment : a.bus - b.bus;
}

/* Count the buses that are @root or come before it. */
static unsigned int uncore_roots_below(const struct uncore_roots *roots,
				       struct uncore_root root)
{
	unsigned int n = 0;

	while (n < roots->count &&
	       uncore_root_order(roots->at[n].root, root) <= 0)
		n++;
	return n;
}

bool uncore_roots_has(const struct uncore_roots *roots, struct uncore_root root)
{
	unsigned int below = uncore_roots_below(roots, root);

	return below && !uncore_root_order(roots->at[below - 1].root, root);
}

/*
 * Return the root bus with the table of @root's package: the last such bus at
 * or before @root in the segment, else the first in the segment, else NULL.
 * Functions with units are on one of the last buses of a package. If there are
 * more packages (@nr_known) than buses with a table, such a bus may be another
 * package's, so return @root if it has a table, else NULL.
 */
const struct uncore_root *uncore_roots_home(const struct uncore_roots *roots,
					    struct uncore_root root,
					    unsigned int nr_known)
{
	unsigned int below = uncore_roots_below(roots, root);

	if (roots->count < nr_known && !uncore_roots_has(roots, root))
		return NULL;
	if (below && roots->at[below - 1].root.segment == root.segment)
		return &roots->at[below - 1].root;
	if (below < roots->count &&
	    roots->at[below].root.segment == root.segment)
		return &roots->at[below].root;
	return NULL;
}

/*
 * Add a root bus with a table. @package is from TPMI_INFO of a function on the
 * bus, or -1. Returns false if there is no room.
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

/* Return the TPMI_INFO package of the last bus at or before @root, or -1. */
int uncore_roots_tpmi_package(const struct uncore_roots *roots,
			      struct uncore_root root)
{
	unsigned int below = uncore_roots_below(roots, root);

	return below ? roots->at[below - 1].package : -1;
}

static unsigned int uncore_roots_per_package(const struct uncore_roots *roots,
					     unsigned int per_package,
					     unsigned int nr_known)
{
	if (roots->count == nr_known)
		return 1;
	if (per_package)
		return per_package;
	return nr_known <= 1 ? 1 : max(roots->count / nr_known, 1U);
}

/*
 * Return true if each package of @known occurs in @packages once per root bus
 * of a package. @packages has the package of each root bus' NUMA node, or -1.
 * Fake nodes do not fit, nor does one node for the buses of several packages.
 * For the other arguments see uncore_roots_package_by_order().
 */
bool uncore_roots_nodes_fit(const struct uncore_roots *roots,
			    const int *packages, unsigned int per_package,
			    const int *known, unsigned int nr_known)
{
	unsigned int i, k, n;

	per_package = uncore_roots_per_package(roots, per_package, nr_known);
	for (k = 0; k < nr_known; k++) {
		for (i = 0, n = 0; i < roots->count; i++)
			n += packages[i] == known[k];
		if (n != per_package)
			return false;
	}
	return nr_known;
}

/*
 * Return the package of a root bus by the order of buses, or -1. @per_package:
 * a package's buses with a table, 0 if unknown. @known: packages that had a CPU
 * online, sorted, not empty. Other packages may be disabled (nr_cpus=,
 * maxcpus=); then assume package numbers from 0 on, unless @known contradicts.
 */
int uncore_roots_package_by_order(const struct uncore_roots *roots,
				  struct uncore_root root,
				  unsigned int per_package, const int *known,
				  unsigned int nr_known)
{
	unsigned int below = uncore_roots_below(roots, root), packages;

	per_package = uncore_roots_per_package(roots, per_package, nr_known);
	packages = roots->count / per_package;
	if (!below || roots->count % per_package || nr_known > packages)
		return -1;
	if (nr_known == packages)
		return known[(below - 1) / per_package];
	if (known[nr_known - 1] >= packages)
		return -1;
	return (below - 1) / per_package;
}
