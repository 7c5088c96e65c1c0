// SPDX-License-Identifier: GPL-2.0-only
/*
 * PCI functions that carry discovery tables, and what their capabilities say
 * is behind their BARs: tables, and registers that others use.
 */
#include <linux/bitfield.h>
#include <linux/pci.h>

#include "uncore.h"

/*
 * PCI Express Base Specification, section "Designated Vendor-Specific Extended
 * Capability (DVSEC)". What Intel's have behind the two headers is in
 * include/linux/intel_vsec.h of Linux, struct intel_vsec_header.
 */
#define DVSEC_TABLE			0x0c
#define   DVSEC_TABLE_BIR		GENMASK(2, 0)
#define   DVSEC_TABLE_OFFSET		GENMASK(31, 3)
#define DVSEC_ID_PMON_DISCOVERY		1

/*
 * What else such functions have, described in the same way, also in a
 * capability of the section "Vendor-Specific Extended Capability (VSEC)"; the
 * numbers are those of enum intel_vsec_id in include/linux/intel_vsec.h.
 */
#define VSEC_ID				0x04
#define VSEC_ID_TELEMETRY		2
#define VSEC_ID_WATCHER			3
#define VSEC_ID_CRASHLOG		4
#define VSEC_ID_SDSI			65
#define VSEC_ID_TPMI			66

static const u16 discovery_ids[] = { 0x09a7, 0x09a1 };

/**
 * uncore_is_discovery() - can this PCI device have a server's discovery table?
 * @pdev: the device
 *
 * Those of the processors are on root buses. Graphics cards (Ponte Vecchio)
 * have the same device behind a port, with a table of their own.
 *
 * Return: whether it can.
 */
bool uncore_is_discovery(struct pci_dev *pdev)
{
	size_t i;

	if (pdev->vendor != PCI_VENDOR_ID_INTEL || !pci_is_root_bus(pdev->bus))
		return false;
	for (i = 0; i < ARRAY_SIZE(discovery_ids); i++)
		if (pdev->device == discovery_ids[i])
			return true;
	return false;
}

static bool uncore_is_pmon_discovery(struct pci_dev *pdev, int cap)
{
	u32 header;
	u16 id;

	if (pci_read_config_dword(pdev, cap + PCI_DVSEC_HEADER1, &header) ||
	    pci_read_config_word(pdev, cap + PCI_DVSEC_HEADER2, &id))
		return false;
	return PCI_DVSEC_HEADER1_VID(header) == PCI_VENDOR_ID_INTEL &&
	       id == DVSEC_ID_PMON_DISCOVERY;
}

/**
 * uncore_next_table() - the next capability that leads to a discovery table
 * @pdev: the device
 * @cap: the last one, 0 for the first
 *
 * Return: where it is, or 0.
 */
int uncore_next_table(struct pci_dev *pdev, int cap)
{
	do {
		cap = pci_find_next_ext_capability(pdev, cap,
						   PCI_EXT_CAP_ID_DVSEC);
	} while (cap && !uncore_is_pmon_discovery(pdev, cap));
	return cap;
}

/**
 * uncore_table_place() - where a capability says that its table is
 * @pdev: the device
 * @cap: the capability
 * @bar: gets the number of the BAR, which may be none that exists
 * @offset: gets the offset in it
 *
 * Return: whether the capability could be read.
 */
bool uncore_table_place(struct pci_dev *pdev, int cap, u8 *bar, u32 *offset)
{
	u32 table;

	if (pci_read_config_dword(pdev, cap + DVSEC_TABLE, &table))
		return false;
	*bar = FIELD_GET(DVSEC_TABLE_BIR, table);
	*offset = table & DVSEC_TABLE_OFFSET;
	return true;
}

/* Is this a capability with registers that another driver uses? */
static bool uncore_is_other(struct pci_dev *pdev, int cap, u16 kind)
{
	int reg = cap + (kind == PCI_EXT_CAP_ID_VNDR ? VSEC_ID :
						       PCI_DVSEC_HEADER2);
	u32 header;
	u16 id;

	if (pci_read_config_word(pdev, reg, &id))
		return true;
	if (kind == PCI_EXT_CAP_ID_DVSEC &&
	    (pci_read_config_dword(pdev, cap + PCI_DVSEC_HEADER1, &header) ||
	     PCI_DVSEC_HEADER1_VID(header) != PCI_VENDOR_ID_INTEL))
		return false;
	return (id >= VSEC_ID_TELEMETRY && id <= VSEC_ID_CRASHLOG) ||
	       id == VSEC_ID_SDSI || id == VSEC_ID_TPMI;
}

/*
 * Note that the BAR of such a capability is used by another driver, from the
 * capability's table to its end.
 */
static void uncore_take(struct uncore_table *table, int cap)
{
	struct pci_dev *pdev = table->pdev;
	struct resource *taken;
	u32 offset;
	u8 bar;

	if (!uncore_table_place(pdev, cap, &bar, &offset) ||
	    bar > PCI_STD_RESOURCE_END || !pci_resource_len(pdev, bar))
		return;
	taken = &table->taken[table->nr_taken++];
	taken->start = pci_resource_start(pdev, bar) + offset;
	taken->end = pci_resource_end(pdev, bar);
}

/**
 * uncore_note_others() - note which registers of its device are not counters'
 * @table: was just found
 */
void uncore_note_others(struct uncore_table *table)
{
	static const u16 kinds[] = {
		PCI_EXT_CAP_ID_VNDR, PCI_EXT_CAP_ID_DVSEC
	};
	size_t i;
	int cap;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		cap = 0;
		while (table->nr_taken < UNCORE_TAKEN &&
		       (cap = pci_find_next_ext_capability(table->pdev, cap,
							   kinds[i])))
			if (uncore_is_other(table->pdev, cap, kinds[i]))
				uncore_take(table, cap);
	}
}

static bool uncore_overlap(const struct resource *a, const struct resource *b)
{
	return a->start <= b->end && b->start <= a->end;
}

/**
 * uncore_other_registers() - does a place belong to something else of a device?
 * @table: a table of the device, which is one of these things
 * @where: the place
 *
 * Return: whether it does.
 */
bool uncore_other_registers(const struct uncore_table *table,
			    const struct resource *where)
{
	size_t i;

	for (i = 0; i < table->nr_taken; i++)
		if (uncore_overlap(&table->taken[i], where))
			return true;
	return uncore_overlap(&table->place, where);
}
