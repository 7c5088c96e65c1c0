// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check the PCI functions and the memory that a table lists. Memory controllers
 * are outside of bridge windows and memory maps, so no check can prove an
 * address right. Reject addresses that are known to be something else. With
 * placement=kernel accept most of these addresses, as intel_uncore does.
 */
#include <linux/acpi.h>
#include <linux/bitfield.h>
#include <linux/cleanup.h>
#include <linux/ioport.h>
#include <linux/pci.h>

#include <asm/processor.h>

#include <compat/e820.h>

#include "uncore.h"

static const char no_function[] = "no such PCI function";
static const char in_vm[] = "belongs to a virtual machine";

/*
 * Types of ranges in the firmware's memory map (E820). If the kernel exports
 * the unmodified map, memory removed by mem= or memmap= remains memory.
 */
static const struct {
	enum e820_type type;
	const char *reason;
} mapped[] = {
	{ E820_TYPE_RAM, UNCORE_IS_MEMORY },
	{ E820_TYPE_PMEM, UNCORE_IS_MEMORY },
	{ E820_TYPE_PRAM, UNCORE_IS_MEMORY },
	{ E820_TYPE_SOFT_RESERVED, UNCORE_IS_MEMORY },
	{ E820_TYPE_UNUSABLE, UNCORE_IS_MEMORY },
	{ E820_TYPE_ACPI, UNCORE_IS_FIRMWARE },
	{ E820_TYPE_NVS, UNCORE_IS_FIRMWARE },
};

/*
 * Resources that E820 lacks, such as hot-plugged memory. Reserved ranges
 * without an owner are not listed, because they may be memory controllers.
 */
static const struct {
	unsigned long flags;
	unsigned long desc;
	const char *reason;
} known[] = {
	{ IORESOURCE_SYSTEM_RAM, IORES_DESC_NONE, UNCORE_IS_MEMORY },
	{ IORESOURCE_MEM, IORES_DESC_PERSISTENT_MEMORY, UNCORE_IS_MEMORY },
	{ IORESOURCE_MEM, IORES_DESC_PERSISTENT_MEMORY_LEGACY,
	  UNCORE_IS_MEMORY },
	{ IORESOURCE_MEM, IORES_DESC_SOFT_RESERVED, UNCORE_IS_MEMORY },
	{ IORESOURCE_MEM, IORES_DESC_CXL, UNCORE_IS_MEMORY },
	{ IORESOURCE_MEM, IORES_DESC_ACPI_TABLES, UNCORE_IS_FIRMWARE },
	{ IORESOURCE_MEM, IORES_DESC_ACPI_NV_STORAGE, UNCORE_IS_FIRMWARE },
	{ IORESOURCE_MEM | IORESOURCE_BUSY, IORES_DESC_NONE,
	  UNCORE_IS_CLAIMED },
};

static const char *uncore_in_map(const struct resource *range)
{
	enum e820_type type;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(mapped); i++) {
		type = mapped[i].type;
		if (compat_e820_mapped(range->start, range->end + 1, type))
			return mapped[i].reason;
	}
	return NULL;
}

static int uncore_resource_found(struct resource *res, void *arg)
{
	return 1;
}

/* Check each kind, because resources of different kinds may be nested. */
static const char *uncore_in_known(const struct resource *range)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		if (walk_iomem_res_desc(known[i].desc, known[i].flags,
					range->start, range->end, NULL,
					uncore_resource_found) == 1)
			return known[i].reason;
	return NULL;
}

/* Read MCFG, because with pci=nommconf the kernel does not claim ECAM space. */
static bool uncore_in_ecam(const struct resource *range)
{
	struct acpi_mcfg_allocation *entry, *end;
	struct acpi_table_header *table;
	bool inside = false;

	if (ACPI_FAILURE(acpi_get_table(ACPI_SIG_MCFG, 0, &table)))
		return false;
	entry = (void *)table + sizeof(struct acpi_table_mcfg);
	end = (void *)table + table->length;
	for (; entry + 1 <= end; entry++)
		inside |= uncore_ecam_overlaps(entry->address,
					       entry->start_bus_number,
					       entry->end_bus_number,
					       range->start, range->end);
	acpi_put_table(table);
	return inside;
}

static bool uncore_in_bar(struct pci_dev *pdev, struct resource *range)
{
	struct resource *res;
	int bar;

	for (bar = 0; bar <= PCI_STD_RESOURCE_END; bar++) {
		res = &pdev->resource[bar];
		if (resource_type(res) == IORESOURCE_MEM && res->end &&
		    !(res->flags & (IORESOURCE_UNSET | IORESOURCE_DISABLED)) &&
		    resource_contains(res, range))
			return true;
	}
	return false;
}

/* Check BARs or bridge windows for overlaps; ignore windows without BARs. */
static bool uncore_overlaps(struct pci_dev *pdev, struct resource *range,
			    int first, int last)
{
	struct resource *res;
	int i;

	for (i = first; i <= last; i++) {
		res = &pdev->resource[i];
		if (resource_type(res) == IORESOURCE_MEM && res->start &&
		    resource_overlaps(res, range) &&
		    (i < PCI_BRIDGE_RESOURCES || READ_ONCE(res->child)))
			return true;
	}
	return false;
}

static bool uncore_overlaps_bar(struct pci_dev *pdev, struct resource *range)
{
	return uncore_overlaps(pdev, range, 0, PCI_BRIDGE_RESOURCES - 1);
}

/*
 * Return true for a processor function that decodes memory and has no driver
 * except pcieport, whose claimed ranges uncore_in_known() rejects. A function
 * in D3 passes, because drivers/core refuses events in D3.
 */
static bool uncore_is_unused(struct pci_dev *pdev)
{
	const struct device_driver *driver = READ_ONCE(pdev->dev.driver);
	u16 command;

	return pdev->vendor == PCI_VENDOR_ID_INTEL &&
	       uncore_may_have_counters(pdev) && !uncore_is_discovery(pdev) &&
	       (!driver || !strcmp(driver->name, "pcieport")) &&
	       !pci_read_config_word(pdev, PCI_COMMAND, &command) &&
	       command & PCI_COMMAND_MEMORY;
}

static const char *uncore_in_other_device(struct pci_dev *self,
					  struct resource *range)
{
	struct pci_dev *pdev = NULL;
	const char *reason = NULL;

	/* no counters are in the ROM or cross the end of a BAR */
	if (self && uncore_overlaps_bar(self, range))
		return UNCORE_IS_OUTSIDE;
	for_each_pci_dev(pdev) {
		if (pdev == self)
			continue;
		if (uncore_overlaps(pdev, range, PCI_BRIDGE_RESOURCES,
				    PCI_BRIDGE_RESOURCE_END))
			reason = UNCORE_IS_BRIDGED;
		if (!uncore_overlaps_bar(pdev, range) ||
		    (uncore_in_bar(pdev, range) && uncore_is_unused(pdev)))
			continue;
		pci_dev_put(pdev);
		return UNCORE_IS_DEVICE;
	}
	return reason;
}

/*
 * Check a range with placement=kernel: reject RAM, which intel_uncore cannot
 * map either, and devices of virtual machines.
 */
static const char *uncore_in_use(struct resource *range)
{
	struct pci_dev *pdev = NULL;

	if (walk_iomem_res_desc(IORES_DESC_NONE, IORESOURCE_SYSTEM_RAM,
				range->start, range->end, NULL,
				uncore_resource_found) == 1)
		return UNCORE_IS_MEMORY;
	for_each_pci_dev(pdev) {
		if (!uncore_is_in_vm(pdev) ||
		    !uncore_overlaps_bar(pdev, range))
			continue;
		pci_dev_put(pdev);
		return in_vm;
	}
	return NULL;
}

/* Check addresses of registers. Returns NULL, or the reason to reject them. */
const char *uncore_check_mmio(struct uncore_table *table, u64 address,
			      u32 span)
{
	struct resource range = {
		.start = address,
		.end = address + span - 1,
		.flags = IORESOURCE_MEM,
	};
	const char *reason;

	if (range.end >> boot_cpu_data.x86_phys_bits)
		return "beyond the physical address space";
	reason = uncore_range_fixed(range.start, range.end);
	if (!reason && !uncore.kernel_placement)
		reason = uncore_in_map(&range);
	if (reason)
		return reason;
	if (!uncore.kernel_placement && uncore_in_ecam(&range))
		return UNCORE_IS_ECAM;
	if (uncore_overlaps_others(table, &range))
		return "inside other registers of the same device";
	if (uncore.kernel_placement)
		return uncore_in_use(&range);
	if (table->pdev && uncore_in_bar(table->pdev, &range))
		return NULL;
	return uncore_in_other_device(table->pdev, &range) ?:
		       uncore_in_known(&range);
}

/* Get a reference to the function with a unit's registers, or NULL. */
struct pci_dev *uncore_unit_function(const struct uncore_unit *unit)
{
	struct resource range = DEFINE_RES_MEM(unit->address, unit->span);
	struct pci_dev *pdev = NULL;
	u8 segment = FIELD_GET(UNCORE_PCI_SEGMENT, unit->address);
	u8 devfn = FIELD_GET(UNCORE_PCI_DEVFN, unit->address);
	u8 bus = FIELD_GET(UNCORE_PCI_BUS, unit->address);

	if (unit->access == UNCORE_ACCESS_PCI)
		return pci_get_domain_bus_and_slot(segment, bus, devfn);
	if (unit->access == UNCORE_ACCESS_MMIO)
		for_each_pci_dev(pdev)
			if (uncore_in_bar(pdev, &range))
				break;
	return pdev;
}

/*
 * ECAM has 4096 bytes for every function, even one without a PCI Express
 * capability, as intel_uncore and Intel PCM assume. Without ECAM a read at
 * offset 256 fails. All ones there mean a function of 256 bytes, as in Linux.
 */
static bool uncore_config_is_readable(struct pci_dev *pdev, u32 end)
{
	u32 value;

	if (end <= PCI_CFG_SPACE_SIZE)
		return true;
	return end <= PCI_CFG_SPACE_EXP_SIZE &&
	       !pci_read_config_dword(pdev, PCI_CFG_SPACE_SIZE, &value) &&
	       value != U32_MAX;
}

/* Accept functions in D3, because drivers/core refuses events in D3. */
static const char *uncore_check_function(const struct uncore_unit *unit)
{
	struct pci_dev *pdev __free(pci_dev_put) = uncore_unit_function(unit);

	if (!pdev)
		return no_function;
	if (pdev->vendor != PCI_VENDOR_ID_INTEL)
		return "not an Intel function";
	if (!uncore_may_have_counters(pdev) && !uncore.kernel_placement)
		return UNCORE_IS_COUNTERLESS;
	if (!uncore_config_is_readable(pdev, unit->span +
				       FIELD_GET(UNCORE_PCI_OFFSET,
						 unit->address)))
		return "runs past the configuration space";
	if (uncore_is_in_vm(pdev))
		return in_vm;
	return NULL;
}

static const char *uncore_check_memory(struct uncore_table *table,
				       struct uncore_unit *unit)
{
	struct pci_dev *pdev __free(pci_dev_put) = uncore_unit_function(unit);

	if (unit->in_function && !pdev)
		return no_function;
	unit->in_function = pdev;
	return uncore_check_mmio(table, unit->address, unit->span);
}

static void uncore_check_unit(struct uncore_table *table,
			      struct uncore_unit *unit)
{
	const char *reason = NULL;

	if (unit->temporary_fault)
		unit->fault = (struct uncore_fault){};
	if (unit->access == UNCORE_ACCESS_MMIO)
		reason = uncore_check_memory(table, unit);
	else if (unit->access == UNCORE_ACCESS_PCI)
		reason = uncore_check_function(unit);
	unit->temporary_fault = reason;
	if (reason)
		uncore_unit_reject(unit, "address", unit->address, reason);
}

/*
 * Check the units without a box; uncore_pci_event() handles functions with
 * boxes. A fault is temporary, because a function may appear, return from a
 * virtual machine or enable memory decoding.
 */
void uncore_check_placement(struct uncore_table *table)
{
	struct uncore_unit *unit;
	size_t i;

	for (i = 0; i < table->count; i++) {
		unit = &table->units[i];
		if ((uncore_unit_good(unit) || unit->temporary_fault) &&
		    !table->boxes[i].pmu)
			uncore_check_unit(table, unit);
	}
}
