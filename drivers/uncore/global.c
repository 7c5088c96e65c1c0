// SPDX-License-Identifier: GPL-2.0-only
/*
 * The global control of a package's boxes. Its bit 0 freezes all of them: if
 * firmware left it set, every count is 0. Nothing needs this register to
 * count, so that it is read only for a person who asks, and never written.
 */
#include <linux/bitfield.h>
#include <linux/io.h>
#include <linux/pci.h>

#include <asm/msr.h>

#include <pmon/pmu.h>

#include "uncore.h"

static int read_msr(const struct uncore_table *table, u64 address, u64 *value)
{
	const struct pmon_msr_range *range = &uncore.platform->global;
	int cpu = pmon_package_cpu(table->package);

	if (address < range->first || address > range->last)
		return -ENODATA;
	if (cpu < 0)
		return -ENODEV;
	return rdmsrl_safe_on_cpu(cpu, address, value);
}

static int read_mmio(const struct uncore_table *table, u64 address, u64 *value)
{
	void __iomem *control;

	if (address % sizeof(u32) ||
	    uncore_check_mmio(table, address, sizeof(u32)))
		return -ENODATA;
	control = ioremap(address, sizeof(u32));
	if (!control)
		return -ENOMEM;
	*value = readl(control);
	iounmap(control);
	return *value == U32_MAX ? -ENODEV : 0;
}

/**
 * uncore_global_read - read the global control that a table names
 * @table: the table
 * @value: gets what it holds
 *
 * Return: 0; -ENODATA if there is none that may be read, -ENODEV if it does
 * not answer, or another error.
 */
int uncore_global_read(const struct uncore_table *table, u64 *value)
{
	struct pmon_table head;
	struct pmon_fault fault;

	lockdep_assert_held(&uncore.lock);
	if (!table->count ||
	    !pmon_table_parse(table->raw, table->raw_bytes, &head, &fault))
		return -ENODATA;
	if (uncore_asleep(table->pdev) || uncore_given_away(table->pdev))
		return -ENODEV;
	switch (head.access) {
	case PMON_ACCESS_MSR:
		return read_msr(table, head.address, value);
	case PMON_ACCESS_MMIO:
		return read_mmio(table, head.address, value);
	default:
		return -ENODATA;
	}
}
