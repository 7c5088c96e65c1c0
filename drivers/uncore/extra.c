// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a package has and its tables do not say, or say wrong: the links of
 * Sapphire Rapids, counters that run by themselves, the number of CHAs. Found
 * by reading configuration space and one MSR.
 */
#include <linux/bitfield.h>
#include <linux/pci.h>

#include <asm/msr.h>

#include <pmon/pmu.h>

#include "uncore.h"

/* The memory controllers of a package and where their spaces are. */
#define MC_DEVICE		0x3251
#define MC_BASE			0xd0
#define   MC_BASE_ADDRESS	GENMASK(28, 0)
#define   MC_BASE_SHIFT		23
#define MC_SPACE(n)		(0xd8 + 4 * (n))
#define   MC_SPACE_ADDRESS	GENMASK(10, 0)
#define   MC_SPACE_SHIFT	12
#define MC_MOST			4
#define MC_CHANNELS		2

#define MSR_CHA_COUNT		0x2ffe

/* Room for these is made when the table is read. */
static struct pmon_unit *add_unit(struct uncore_table *table)
{
	struct pmon_unit *unit = &table->units[table->count];

	if (table->count == table->room)
		return NULL;
	*unit = (struct pmon_unit){
		.table = table->units[0].table, .package = table->package,
		.index = table->count,
	};
	table->count++;
	return unit;
}

static bool is_link(struct pci_dev *pdev, const struct pmon_link *link,
		    int package)
{
	u8 slot = PCI_SLOT(pdev->devfn);

	return slot >= link->slot && slot < link->slot + link->count &&
	       PCI_FUNC(pdev->devfn) == link->function &&
	       pci_domain_nr(pdev->bus) <= PMON_PCI_DOMAIN_MAX &&
	       uncore_package(pdev) == package;
}

/* Addresses of the links that a package has, 0 for those it has not. */
static unsigned int find_links(const struct pmon_link *link, int package,
			       u64 *addresses)
{
	struct pci_dev *pdev = NULL;
	unsigned int found = 0;

	memset(addresses, 0, link->count * sizeof(*addresses));
	while ((pdev = pci_get_device(PCI_VENDOR_ID_INTEL, link->device,
				      pdev))) {
		if (!is_link(pdev, link, package))
			continue;
		addresses[PCI_SLOT(pdev->devfn) - link->slot] =
			pmon_pci_address(pci_domain_nr(pdev->bus),
					 pdev->bus->number, pdev->devfn,
					 link->offset);
		found++;
	}
	return found;
}

static void add_links(struct uncore_table *table, const struct pmon_link *link,
		      const u64 *addresses)
{
	u64 record[PMON_RECORD_QWORDS];
	struct pmon_unit *unit;
	u16 id;

	for (id = 0; id < link->count; id++) {
		if (!addresses[id])
			continue;
		unit = add_unit(table);
		if (!unit)
			return;
		pmon_link_record(link, id, addresses[id], record);
		pmon_unit_parse(record, uncore.platform, unit);
	}
}

/* The table of its package that units are added to. */
static bool is_first(const struct uncore_table *table,
		     const struct list_head *found)
{
	const struct uncore_table *other;

	list_for_each_entry(other, &uncore.tables, node)
		if (other->package == table->package && other->count)
			return other == table;
	list_for_each_entry(other, found, node)
		if (other->package == table->package && other->count)
			return other == table;
	return false;
}

/**
 * uncore_add_links - put links right that tables are known to have wrong
 * @found: tables that were read and parsed just now
 *
 * Without any of the functions that links have, the tables are believed.
 */
void uncore_add_links(struct list_head *found)
{
	const struct pmon_link *link = uncore.platform->links;
	struct uncore_table *table, *other;
	u64 addresses[PMON_LINKS_MAX];

	for (; link && link->count; link++) {
		list_for_each_entry(table, found, node) {
			if (!is_first(table, found) ||
			    !find_links(link, table->package, addresses))
				continue;
			list_for_each_entry(other, found, node)
				if (other->package == table->package)
					pmon_units_compare_links(other->units,
								 other->count,
								 link, addresses);
			add_links(table, link, addresses);
		}
	}
}

/* How many memory controllers the good units of a table are channels of. */
static unsigned int count_controllers(const struct uncore_table *table)
{
	const struct pmon_row *row = uncore.platform->controllers;
	unsigned int channels = 0;
	size_t i;

	for (i = 0; row && i < table->count; i++)
		if (pmon_unit_good(&table->units[i]) &&
		    table->units[i].type == row->type)
			channels = max(channels, table->units[i].id + 1u);
	return min(DIV_ROUND_UP(channels, MC_CHANNELS), MC_MOST);
}

static bool read_space(struct pci_dev *pdev, unsigned int n, u64 *address)
{
	u32 base, space;

	if (pci_read_config_dword(pdev, MC_BASE, &base) ||
	    pci_read_config_dword(pdev, MC_SPACE(n), &space) ||
	    base == U32_MAX || space == U32_MAX)
		return false;
	*address = (u64)FIELD_GET(MC_BASE_ADDRESS, base) << MC_BASE_SHIFT |
		   FIELD_GET(MC_SPACE_ADDRESS, space) << MC_SPACE_SHIFT;
	return *address;
}

static void add_controllers(struct uncore_table *table)
{
	unsigned int n, count = count_controllers(table);
	struct pmon_unit *unit;
	struct pci_dev *pdev;
	u64 address;

	if (!count)
		return;
	pdev = uncore_package_device(MC_DEVICE, UNCORE_ANY_DEVFN,
				     table->package);
	for (n = 0; pdev && n < count; n++) {
		if (!read_space(pdev, n, &address))
			continue;
		unit = add_unit(table);
		if (!unit)
			break;
		pmon_unit_controller(uncore.platform, n, address, unit);
	}
	pci_dev_put(pdev);
}

static void add_companions(struct uncore_table *table)
{
	size_t i, listed = table->count;
	struct pmon_unit companion, *unit;

	for (i = 0; i < listed; i++) {
		if (!pmon_unit_good(&table->units[i]) ||
		    !pmon_unit_companion(&table->units[i], &companion))
			continue;
		unit = add_unit(table);
		if (!unit)
			return;
		companion.index = unit->index;
		*unit = companion;
	}
}

/**
 * uncore_add_free_running - add the counters that run by themselves
 * @table: a table whose units were parsed and placed
 */
void uncore_add_free_running(struct uncore_table *table)
{
	if (!table->count)
		return;
	add_companions(table);
	add_controllers(table);
}

/* Those that its tables list, also where a record is wrong. */
static u32 listed_chas(int package)
{
	const struct uncore_table *table;
	u32 listed = 0;

	list_for_each_entry(table, &uncore.tables, node)
		if (table->package == package)
			listed += pmon_units_listed(table->units, table->count,
						    PMON_KIND_CHA);
	return listed;
}

/**
 * uncore_compare_chas - does a package have CHAs that no table lists?
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
	if (!is_first(table, &none))
		return false;
	chas = uncore_cha_count(table->package);
	if (chas != U32_MAX && chas > listed_chas(table->package))
		table->fault = (struct pmon_fault){
			field, "more than the tables list", chas
		};
	return table->fault.field && !had;
}

/**
 * uncore_cha_count - how many CHAs a package has
 * @package: the package
 *
 * Return: their number as the hardware says, U32_MAX if it does not.
 */
u32 uncore_cha_count(int package)
{
	int cpu = pmon_place_cpu(pmon_in_package(package));
	u64 count;

	if (!uncore.platform->counts_chas || cpu < 0 ||
	    rdmsrl_safe_on_cpu(cpu, MSR_CHA_COUNT, &count) || !count ||
	    count >= U32_MAX)
		return U32_MAX;
	return count;
}
