// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares the number of CHAs that an MSR of the package counts with what its
 * discovery tables list, and rejects those that are too many.
 */
#include <compat/msr.h>

#include <pmon/pmu.h>

#include "uncore.h"

/*
 * As SPR_MSR_UNC_CBO_CONFIG in arch/x86/events/intel/uncore_snbep.c of Linux.
 */
#define MSR_CHA_COUNT		0x2ffe

/* The number of CHAs in the package's tables, rejected ones included. */
static u32 uncore_listed_chas(int package)
{
	const struct uncore_table *table;
	u32 listed = 0;

	list_for_each_entry(table, &uncore.tables, node)
		if (table->package == package)
			listed += uncore_units_listed(table->units,
						      table->count,
						      UNCORE_KIND_CHA);
	return listed;
}

/**
 * uncore_compare_chas() - does a package have CHAs that no table lists?
 * @table: one of its tables
 *
 * A sum over all CHAs lacks what they count. It is said of the package's first
 * table, and taken back when another table with the rest has come.
 *
 * Return: whether that table has the fault now and had none before.
 */
bool uncore_compare_chas(struct uncore_table *table)
{
	static const char field[] = "chas";
	bool had = table->fault.field;
	LIST_HEAD(none);
	u32 chas;

	if (had && table->fault.field != field)
		return false;
	table->fault.field = NULL;
	if (!uncore_table_is_first(table, &none))
		return false;
	chas = uncore_cha_count(table->package);
	if (chas != U32_MAX && chas > uncore_listed_chas(table->package))
		table->fault = (struct uncore_fault){
			field, "more than the tables list", chas
		};
	return table->fault.field && !had;
}

/**
 * uncore_cha_count() - how many CHAs a package has
 * @package: the package
 *
 * Return: their number as the hardware says, U32_MAX if it does not.
 */
u32 uncore_cha_count(int package)
{
	int cpu = pmon_place_cpu(pmon_in_package(package));
	u64 count;

	if (!uncore.platform->counts_chas || cpu < 0 ||
	    rdmsrq_safe_on_cpu(cpu, MSR_CHA_COUNT, &count) || !count ||
	    count >= U32_MAX)
		return U32_MAX;
	return count;
}
