// SPDX-License-Identifier: GPL-2.0-only
/*
 * UPI and M3UPI links of Sapphire and Emerald Rapids, taken from their PCI
 * functions, because discovery tables have several of them at one address.
 *
 * Kernel: arch/x86/events/intel/uncore_snbep.c, spr_update_device_location().
 */
#include <linux/pci.h>
#include <linux/string.h>

#include "uncore.h"

static bool uncore_is_link(struct pci_dev *pdev, const struct uncore_link *link,
			   int package)
{
	u8 slot = PCI_SLOT(pdev->devfn);

	return slot >= link->slot && slot < link->slot + link->count &&
	       PCI_FUNC(pdev->devfn) == link->function &&
	       pci_domain_nr(pdev->bus) <= UNCORE_PCI_SEGMENT_MAX &&
	       uncore_package(pdev) == package;
}

/* Addresses of the links that a package has, 0 for those it has not. */
static unsigned int uncore_find_links(const struct uncore_link *link,
				      int package, u64 *addresses)
{
	struct pci_dev *pdev = NULL;
	unsigned int found = 0;

	memset(addresses, 0, link->count * sizeof(*addresses));
	while ((pdev = pci_get_device(PCI_VENDOR_ID_INTEL, link->device,
				      pdev))) {
		if (!uncore_is_link(pdev, link, package))
			continue;
		addresses[PCI_SLOT(pdev->devfn) - link->slot] =
			uncore_pci_address(pci_domain_nr(pdev->bus),
					   pdev->bus->number, pdev->devfn,
					   link->offset);
		found++;
	}
	return found;
}

static void uncore_add_links_to(struct uncore_table *table,
				const struct uncore_link *link,
				const u64 *addresses)
{
	u64 record[UNCORE_RECORD_QWORDS];
	struct uncore_unit *unit;
	u16 id;

	for (id = 0; id < link->count; id++) {
		if (!addresses[id])
			continue;
		unit = uncore_table_add_unit(table);
		if (!unit)
			return;
		uncore_link_record(link, id, addresses[id], record);
		uncore_unit_parse(record, uncore.platform, unit);
	}
}

/**
 * uncore_add_links() - put links right that tables are known to have wrong
 * @found: tables that were read and parsed just now
 *
 * Without any of the functions that links have, the tables are believed.
 */
void uncore_add_links(struct list_head *found)
{
	const struct uncore_link *link = uncore.platform->links;
	struct uncore_table *table, *other;
	u64 addresses[UNCORE_LINKS_MAX];

	for (; link && link->count; link++) {
		list_for_each_entry(table, found, node) {
			if (!uncore_table_is_first(table, found) ||
			    !uncore_find_links(link, table->package, addresses))
				continue;
			list_for_each_entry(other, found, node)
				if (other->package == table->package)
					uncore_units_compare_links(other->units,
								   other->count,
								   link,
								   addresses);
			uncore_add_links_to(table, link, addresses);
		}
	}
}

static void uncore_add_late_links_to(struct uncore_table *table,
				     const struct uncore_link *link,
				     u64 *addresses)
{
	struct uncore_table *other;
	size_t listed = table->count;

	list_for_each_entry(other, &uncore.tables, node)
		if (other->package == table->package)
			uncore_units_take_links(other->units, other->count,
						link, addresses);
	uncore_add_links_to(table, link, addresses);
	uncore_check_placement(table, listed);
}

/**
 * uncore_add_late_links() - links whose functions came after their tables
 *
 * Where a table has the link itself, its unit may be misplaced after this and
 * not more: uncore_check_misplaced() is to follow.
 */
void uncore_add_late_links(void)
{
	const struct uncore_link *link = uncore.platform->links;
	u64 addresses[UNCORE_LINKS_MAX];
	struct uncore_table *table;
	LIST_HEAD(none);

	lockdep_assert_held(&uncore.lock);
	for (; link && link->count; link++)
		list_for_each_entry(table, &uncore.tables, node)
			if (uncore_table_is_first(table, &none) &&
			    uncore_find_links(link, table->package, addresses))
				uncore_add_late_links_to(table, link,
							 addresses);
}
