// SPDX-License-Identifier: GPL-2.0-only
/*
 * The global control that a discovery table names. Its bit 0 freezes every box
 * of the table: the engine looks at it before the first of them is used, and a
 * person can at any time.
 */
#include <linux/bits.h>
#include <linux/io.h>
#include <linux/pci.h>
#include <linux/smp.h>

#include "uncore.h"

/*
 * As uncore_msr_global_init() and uncore_mmio_global_init() in
 * arch/x86/events/intel/uncore.c of Linux 7.2 take it for. Older parts have it
 * in bit 31: 329468, section 2.1.5.1 "Global PMON Global Control/Status
 * Registers".
 */
#define GLOBAL_FREEZE	BIT_ULL(0)

static bool uncore_is_global_msr(u64 address)
{
	const struct uncore_msr_range *range = &uncore.platform->global;

	return range->last && address >= range->first &&
	       address <= range->last;
}

static bool uncore_reach(struct uncore_table *table,
			 const struct uncore_global_record *head)
{
	struct pmon_global *global = &table->global;

	switch (table->domain->global_in_memory ? UNCORE_ACCESS_MMIO :
						  head->access) {
	case UNCORE_ACCESS_MSR:
		if (!uncore_is_global_msr(head->address))
			return false;
		pmon_regs_msr(&global->regs, head->address);
		global->bytes = sizeof(u64);
		return true;
	case UNCORE_ACCESS_MMIO:
		if (head->address % sizeof(u32) ||
		    uncore_check_mmio(table, head->address, sizeof(u32)))
			return false;
		table->global_mmio = ioremap(head->address, sizeof(u32));
		if (!table->global_mmio)
			return false;
		pmon_regs_mmio(&global->regs, table->global_mmio, sizeof(u32));
		global->bytes = sizeof(u32);
		return true;
	default:
		return false;
	}
}

/**
 * uncore_global_find() - find the global control that a table names
 * @table: was read, and its units were parsed
 *
 * Touches no register.
 */
void uncore_global_find(struct uncore_table *table)
{
	struct uncore_global_record head;
	struct uncore_fault fault;

	/*
	 * what was read of it has no gaps: how far it reached is not asked
	 * again
	 */
	if (!table->count ||
	    !uncore_global_record_check(table->raw, U64_MAX, &head, &fault))
		return;
	table->global.freeze = GLOBAL_FREEZE;
	table->global.keep = !uncore.unfreeze;
	pmon_global_init(&table->global);
	table->has_global = uncore_reach(table, &head);
}

/**
 * uncore_global_drop() - the counterpart of uncore_global_find()
 * @table: without boxes
 */
void uncore_global_drop(struct uncore_table *table)
{
	if (table->global_mmio)
		iounmap(table->global_mmio);
}

struct reading {
	const struct pmon_global *global;
	u64 value;
};

static void uncore_read_here(void *data)
{
	struct reading *reading = data;
	const struct pmon_global *global = reading->global;

	reading->value = pmon_read(&global->regs, 0, global->bytes);
}

/**
 * uncore_global_read() - read the global control that a table names
 * @table: the table
 * @value: gets what it holds
 *
 * Return: 0; -ENODATA if there is none that may be read, -ENODEV if it does
 * not answer, or another error.
 */
int uncore_global_read(const struct uncore_table *table, u64 *value)
{
	struct reading reading = { .global = &table->global };
	int cpu = pmon_place_cpu(pmon_in_package(table->package));
	int ret;

	lockdep_assert_held(&uncore.lock);
	if (!table->has_global)
		return -ENODATA;
	if (cpu < 0 || (table->pdev && (uncore_asleep(table->pdev) ||
					uncore_given_away(table->pdev))))
		return -ENODEV;
	ret = smp_call_function_single(cpu, uncore_read_here, &reading, true);
	*value = reading.value;
	if (*value == GENMASK_ULL(8 * table->global.bytes - 1, 0))
		return -ENODEV;
	return ret;
}
