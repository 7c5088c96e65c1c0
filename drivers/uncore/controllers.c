// SPDX-License-Identifier: GPL-2.0-only
/*
 * Units that no discovery table lists: free-running counters beside IIO units,
 * of memory controllers and at fixed places, and boxes in fixed MSRs.
 */
#include <linux/bitfield.h>
#include <linux/pci.h>

#include "uncore.h"

/*
 * The memory controllers of a package and where their spaces are: MMIO_BASE and
 * MEM0_BAR to MEM3_BAR, as SNR_IMC_MMIO_BASE_OFFSET and
 * SNR_IMC_MMIO_MEM0_OFFSET in arch/x86/events/intel/uncore_snbep.c of Linux.
 */
#define MC_DEVICE		0x3251
#define MC_BASE			0xd0
#define   MC_BASE_ADDRESS	GENMASK(28, 0)
#define   MC_BASE_SHIFT		23
#define MC_SPACE(n)		(0xd8 + 4 * (n))
#define   MC_SPACE_ADDRESS	GENMASK(10, 0)
#define   MC_SPACE_SHIFT	12
#define MC_MOST			4
#define MC_CHANNELS		2

/* In the host bridge's register of such an address. */
#define HOST_BAR_ENABLE		BIT(0)

/* How many memory controllers the good units of a table are channels of. */
static unsigned int uncore_count_controllers(const struct uncore_table *table)
{
	const struct uncore_row *row = uncore.platform->controllers;
	unsigned int channels = 0;
	size_t i;

	/* There is one host bridge at 00:00.0, which is the first package's. */
	if (uncore.platform->host)
		return table->package ? 0 : uncore.platform->host->count;
	for (i = 0; row && i < table->count; i++)
		if (uncore_unit_good(&table->units[i]) &&
		    table->units[i].type == row->type)
			channels = max(channels, table->units[i].id + 1u);
	return min(DIV_ROUND_UP(channels, MC_CHANNELS), MC_MOST);
}

/* Of client processors: one address for all, in the host bridge. */
static bool uncore_read_host_space(struct pci_dev *pdev, unsigned int n,
				   u64 *address)
{
	const struct uncore_host_spaces *host = uncore.platform->host;
	u32 low, high;

	if (pci_read_config_dword(pdev, host->bar, &low) ||
	    pci_read_config_dword(pdev, host->bar + 4, &high) ||
	    !(low & HOST_BAR_ENABLE) || low == U32_MAX)
		return false;
	*address = ((u64)high << 32 | (low & ~HOST_BAR_ENABLE)) + host->first +
		   n * host->step;
	return IS_ALIGNED(*address, sizeof(u64));
}

static bool uncore_read_space(struct pci_dev *pdev, unsigned int n,
			      u64 *address)
{
	u32 base, space;

	if (uncore.platform->host)
		return uncore_read_host_space(pdev, n, address);

	if (pci_read_config_dword(pdev, MC_BASE, &base) ||
	    pci_read_config_dword(pdev, MC_SPACE(n), &space) ||
	    base == U32_MAX || space == U32_MAX)
		return false;
	*address = (u64)FIELD_GET(MC_BASE_ADDRESS, base) << MC_BASE_SHIFT |
		   FIELD_GET(MC_SPACE_ADDRESS, space) << MC_SPACE_SHIFT;
	return *address;
}

static void uncore_add_controllers(struct uncore_table *table)
{
	unsigned int n, count = uncore_count_controllers(table);
	struct uncore_unit *unit;
	struct pci_dev *pdev;
	u64 address;

	if (!count)
		return;
	pdev = uncore.platform->host ?
		       pci_get_domain_bus_and_slot(0, 0, PCI_DEVFN(0, 0)) :
		       uncore_package_device(MC_DEVICE, UNCORE_ANY_DEVFN,
					     table->package);
	for (n = 0; pdev && n < count; n++) {
		if (!uncore_read_space(pdev, n, &address))
			continue;
		unit = uncore_table_add_unit(table);
		if (!unit)
			break;
		uncore_unit_unlisted(uncore.platform->controllers, n, address,
				     unit);
	}
	pci_dev_put(pdev);
}

static void uncore_add_companions(struct uncore_table *table)
{
	size_t i, listed = table->count;
	struct uncore_unit companion, *unit;

	for (i = 0; i < listed; i++) {
		if (!uncore_unit_good(&table->units[i]) ||
		    !uncore_unit_companion(&table->units[i], &companion))
			continue;
		unit = uncore_table_add_unit(table);
		if (!unit)
			return;
		companion.index = unit->index;
		*unit = companion;
	}
}

static void uncore_add_spaces(struct uncore_table *table)
{
	const struct uncore_spaces *spaces = uncore.platform->spaces;
	size_t i, listed = table->count;
	struct uncore_unit space, *unit;

	for (i = 0; spaces && i < listed; i++) {
		space = (struct uncore_unit){};
		if (!uncore_unit_space(spaces, table->units, listed, i, &space))
			continue;
		unit = uncore_table_add_unit(table);
		if (!unit)
			return;
		space.table = unit->table;
		space.package = unit->package;
		space.index = unit->index;
		*unit = space;
	}
}

static void uncore_add_fixed(struct uncore_table *table)
{
	const struct uncore_fixed *fixed = uncore.platform->fixed;
	struct uncore_unit *unit;
	u16 id;

	for (; fixed && fixed->count; fixed++) {
		for (id = 0; id < fixed->count; id++) {
			unit = uncore_table_add_unit(table);
			if (!unit)
				return;
			uncore_unit_unlisted(fixed->row, id, fixed->base +
					     (u64)fixed->step * id, unit);
		}
	}
}

/**
 * uncore_add_unlisted() - add what a platform has beside its tables
 * @table: a table whose units were parsed and placed
 */
void uncore_add_unlisted(struct uncore_table *table)
{
	if (!table->count)
		return;
	uncore_add_companions(table);
	uncore_add_controllers(table);
	uncore_add_spaces(table);
	uncore_add_fixed(table);
}
