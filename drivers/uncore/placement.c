// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decides whether the MSRs and PCI functions that a table names may be accessed
 * on this machine; mmio.c does it for memory.
 */
#include <linux/pci.h>

#include <compat/cleanup.h>

#include "uncore.h"

/**
 * uncore_unit_function() - the PCI function that a PCI unit's address names
 * @unit: the unit
 *
 * Return: the function with a reference, or NULL.
 */
struct pci_dev *uncore_unit_function(const struct uncore_unit *unit)
{
	return pci_get_domain_bus_and_slot(uncore_pci_segment(unit->address),
					   uncore_pci_bus(unit->address),
					   uncore_pci_devfn(unit->address));
}

/*
 * ECAM reaches 4096 bytes of every function. For one without a PCI Express
 * capability the kernel's file of it ends at 256, which is no reason not to
 * read on: its own uncore driver and Intel PCM do. Without ECAM the read fails;
 * all ones are what Linux, too, takes for the end of a function.
 */
static bool uncore_config_reaches(struct pci_dev *pdev, u32 end)
{
	u32 value;

	if (end <= PCI_CFG_SPACE_SIZE)
		return true;
	return end <= PCI_CFG_SPACE_EXP_SIZE &&
	       !pci_read_config_dword(pdev, PCI_CFG_SPACE_SIZE, &value) &&
	       value != U32_MAX;
}

/**
 * uncore_check_function() - may a PCI unit's function be used?
 * @unit: the unit
 *
 * It may be asleep: a port that nothing behind it needs is. The engine refuses
 * events as long as it is.
 *
 * Return: NULL, or why not.
 */
const char *uncore_check_function(const struct uncore_unit *unit)
{
	struct pci_dev *pdev __free(pci_dev_put) = uncore_unit_function(unit);

	if (!pdev)
		return "no such PCI function";
	if (pdev->vendor != PCI_VENDOR_ID_INTEL)
		return "not an Intel function";
	if (!uncore_has_counters(pdev))
		return "not a function with counters";
	if (!uncore_config_reaches(pdev, uncore_pci_offset(unit->address) +
						 unit->span))
		return "runs past the configuration space";
	if (uncore_given_away(pdev))
		return "belongs to a virtual machine";
	return NULL;
}

static const char *uncore_check_memory(const struct uncore_table *table,
				       struct uncore_unit *unit)
{
	struct pci_dev *pdev __free(pci_dev_put) =
		uncore_memory_function(table, unit);

	unit->in_function = pdev;
	return uncore_check_mmio(table, unit->address, unit->span);
}

static void uncore_place_unit(struct uncore_table *table,
			      struct uncore_unit *unit)
{
	const char *reason = NULL;

	if (unit->access == UNCORE_ACCESS_MMIO)
		reason = uncore_check_memory(table, unit);
	else if (unit->access == UNCORE_ACCESS_PCI)
		reason = uncore_check_function(unit);
	unit->misplaced = reason;
	if (reason)
		uncore_unit_reject(unit, "address", unit->address, reason);
}

/**
 * uncore_check_placement() - reject units whose addresses lead astray
 * @table: table whose units were parsed
 * @first: the first unit to look at
 */
void uncore_check_placement(struct uncore_table *table, size_t first)
{
	size_t i;

	for (i = first; i < table->count; i++)
		if (uncore_unit_good(&table->units[i]))
			uncore_place_unit(table, &table->units[i]);
}

/**
 * uncore_check_misplaced() - look again where addresses have led astray
 * @table: a table that was read before
 *
 * A function may have come since, or been taken back from a virtual machine,
 * and a port may decode memory now. Units that are good stay so: of these it is
 * known when their function goes.
 */
void uncore_check_misplaced(struct uncore_table *table)
{
	struct uncore_unit *unit;
	size_t i;

	for (i = 0; i < table->count; i++) {
		unit = &table->units[i];
		if (!unit->misplaced)
			continue;
		unit->fault = (struct uncore_fault){};
		uncore_place_unit(table, unit);
	}
}
