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

static bool uncore_may_be_global_msr(u64 address)
{
	const struct uncore_msr_range *range = &uncore.platform->global;

	return range->last && address >= range->first &&
	       address <= range->last;
}

static bool uncore_msr_is_of_unit(const struct uncore_table *table, u64 address)
{
	const struct uncore_unit *unit;
	size_t i;

	for (i = 0; i < table->count; i++) {
		unit = &table->units[i];
		if (uncore_unit_good(unit) &&
		    unit->access == UNCORE_ACCESS_MSR &&
		    address >= unit->address &&
		    address - unit->address < unit->span)
			return true;
	}
	return false;
}

static const char *uncore_reach_msr(struct uncore_table *table, u64 address)
{
	if (!uncore_may_be_global_msr(address))
		return "outside the counter MSRs of this platform";
	if (uncore_msr_is_of_unit(table, address))
		return "overlaps a unit";
	pmon_regs_msr(&table->global.regs, address);
	table->global.bytes = sizeof(u64);
	return NULL;
}

static const char *uncore_reach_mmio(struct uncore_table *table, u64 address)
{
	const char *reason = address % sizeof(u32) ?
				     "not aligned" :
				     uncore_check_mmio(table, address,
						       sizeof(u32));

	if (reason)
		return reason;
	table->global_mmio = ioremap(address, sizeof(u32));
	if (!table->global_mmio)
		return "cannot be mapped";
	pmon_regs_mmio(&table->global.regs, table->global_mmio, sizeof(u32));
	table->global.bytes = sizeof(u32);
	return NULL;
}

/* Is it known where the platform has it? */
static bool uncore_global_is_known(const struct uncore_table *table)
{
	return table->domain->global_in_memory || uncore.platform->global.last;
}

/*
 * Linux 7.2 takes the address for an MSR on every platform that has it there,
 * whatever the table says of its access (uncore_msr_global_init()).
 */
static const char *uncore_reach(struct uncore_table *table,
				const struct uncore_global_record *head)
{
	bool in_memory = table->domain->global_in_memory ||
			 (head->access == UNCORE_ACCESS_MMIO &&
			  !uncore_may_be_global_msr(head->address));

	return in_memory ? uncore_reach_mmio(table, head->address) :
			   uncore_reach_msr(table, head->address);
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
	const char *reason;

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
	reason = uncore_reach(table, &head);
	table->has_global = !reason;
	/* Without one all of it may be frozen, and no count would say so. */
	if (reason && head.address && uncore_global_is_known(table))
		uncore_fault_set(&table->global_fault, "global", head.address,
				 reason);
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
	if (cpu < 0 || (table->pdev && (pmon_pci_is_in_d3(table->pdev) ||
					uncore_given_away(table->pdev))))
		return -ENODEV;
	ret = smp_call_function_single(cpu, uncore_read_here, &reading, true);
	*value = reading.value;
	if (*value == GENMASK_ULL(8 * table->global.bytes - 1, 0))
		return -ENODEV;
	return ret;
}
