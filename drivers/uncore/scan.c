// SPDX-License-Identifier: GPL-2.0-only
/*
 * Scan: read new tables, add links that tables do not list, compare tables, add
 * them to sysfs, and log rejected units.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitfield.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <asm/processor.h>

#include <compat/msr.h>

#include <pmon/pmu.h>

#include "uncore.h"

/* Limit of rejected units in the log; sysfs lists all. */
#define LOGGED_REJECTIONS	256

static void uncore_log_fault(const struct uncore_table *table,
			     const struct uncore_fault *fault)
{
	if (fault->field)
		pr_warn("package %d: discovery table of %s is faulty: %s 0x%llx %s\n",
			table->package, table->origin, fault->field,
			fault->value, fault->reason);
}

static void uncore_log_rejection(const struct uncore_unit *unit)
{
	pr_warn("package %d: unit type %u id %u rejected: %s 0x%llx %s\n",
		unit->package, unit->type, unit->id, unit->fault.field,
		unit->fault.value, unit->fault.reason);
}

static void uncore_log_rejections(const struct uncore_table *table)
{
	unsigned int more = 0, logged = 0;
	size_t i;

	uncore_log_fault(table, &table->fault);
	uncore_log_fault(table, &table->global_fault);
	for (i = 0; i < table->count; i++) {
		if (!table->units[i].fault.field)
			continue;
		if (logged++ < LOGGED_REJECTIONS)
			uncore_log_rejection(&table->units[i]);
		else
			more++;
	}
	if (more)
		pr_warn("package %d: %u more units rejected, see /sys/class/pmon/%s/rejected\n",
			table->package, more, dev_name(&table->dev));
}

/* SPR_MSR_UNC_CBO_CONFIG in arch/x86/events/intel/uncore_snbep.c of Linux */
#define MSR_CHA_COUNT		0x2ffe

/* Return U32_MAX if the number is unknown. */
static u32 uncore_cha_count(int package)
{
	int cpu = pmon_place_cpu(pmon_in_package(package));
	u64 count;

	if (!uncore.platform->counts_chas || cpu < 0 ||
	    rdmsrq_safe_on_cpu(cpu, MSR_CHA_COUNT, &count) || !count ||
	    count >= U32_MAX)
		return U32_MAX;
	return count;
}

/* Count faulty CHAs, too, but not CHAs listed twice. */
static u32 uncore_listed_chas(int package)
{
	const struct uncore_table *table;
	u32 listed = 0;

	list_for_each_entry(table, &uncore.tables, node)
		if (table->package == package)
			listed += uncore_units_count_listed(table->units,
							    table->count,
							    UNCORE_KIND_CHA);
	return listed;
}

/* Return true for a package's first table with units, which gets the links. */
static bool uncore_table_is_first(const struct uncore_table *table)
{
	const struct uncore_table *other;

	list_for_each_entry(other, &uncore.tables, node)
		if (other->package == table->package && other->count)
			return other == table;
	return false;
}

/*
 * Set a fault if tables list fewer CHAs than exist, because then sums of CHA
 * events are too small; a later table may clear the fault. Return true if new.
 */
static bool uncore_compare_chas(struct uncore_table *table)
{
	static const char field[] = "chas";
	bool had = table->fault.field;
	u32 chas;

	if (had && table->fault.field != field)
		return false;
	table->fault.field = NULL;
	if (!uncore_table_is_first(table))
		return false;
	chas = uncore_cha_count(table->package);
	if (chas != U32_MAX && chas > uncore_listed_chas(table->package))
		uncore_fault_set(&table->fault, field, chas,
				 "more than the tables list");
	return table->fault.field && !had;
}

/*
 * Tables of Sapphire and Emerald Rapids list several UPI and M3UPI links at one
 * address. Find links by their functions, like spr_update_device_location() in
 * arch/x86/events/intel/uncore_snbep.c of Linux.
 */
static bool uncore_is_link(struct pci_dev *pdev, const struct uncore_link *link,
			   int package)
{
	return uncore_link_has(link, PCI_SLOT(pdev->devfn),
			       PCI_FUNC(pdev->devfn)) &&
	       FIELD_FIT(UNCORE_PCI_SEGMENT, pci_domain_nr(pdev->bus)) &&
	       uncore_package(pdev) == package;
}

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
			UNCORE_PCI_ENABLE | link->offset |
			FIELD_PREP(UNCORE_PCI_DEVFN, pdev->devfn) |
			FIELD_PREP(UNCORE_PCI_BUS, pdev->bus->number) |
			FIELD_PREP(UNCORE_PCI_SEGMENT,
				   pci_domain_nr(pdev->bus));
		found++;
	}
	return found;
}

static void uncore_add_links_to(struct uncore_table *table,
				const struct uncore_link *link)
{
	u64 addresses[UNCORE_LINKS_MAX];
	const struct uncore_row *row;
	struct uncore_table *other;
	u16 id;

	/* if no link has a function, keep the units that tables list */
	if (!uncore_find_links(link, table->package, addresses))
		return;
	list_for_each_entry(other, &uncore.tables, node)
		if (other->package == table->package)
			uncore_units_compare_links(other->units, other->count,
						   link, addresses);
	for (id = 0; id < link->count; id++) {
		struct uncore_unit unit;

		if (!addresses[id])
			continue;
		row = uncore_platform_row(uncore.platform, link->type,
					  UNCORE_ACCESS_PCI, addresses[id]);
		uncore_unit_init_unlisted(row, id, addresses[id], &unit);
		uncore_table_add(table, &unit);
	}
}

static void uncore_add_links(void)
{
	const struct uncore_link *link = uncore.platform->links;
	struct uncore_table *table;

	for (; link && link->count; link++)
		list_for_each_entry(table, &uncore.tables, node)
			if (uncore_table_is_first(table))
				uncore_add_links_to(table, link);
}

static struct uncore_limit uncore_units_limit(const struct uncore_unit *unit)
{
	u32 chas = uncore_unit_kind(unit) == UNCORE_KIND_CHA ?
		uncore_cha_count(unit->package) : U32_MAX;

	if (chas < uncore.max_units)
		return (struct uncore_limit){
			chas, "more CHAs than the package has"
		};
	return (struct uncore_limit){ uncore.max_units,
				    "more units of this type than max_units" };
}

static int uncore_resolve(void)
{
	struct uncore_table *table;
	struct uncore_unit **units;
	size_t i, count = 0;
	u32 n = 0;

	list_for_each_entry(table, &uncore.tables, node)
		count += table->count;
	if (!count)
		return 0;
	units = kvcalloc(count, sizeof(*units), GFP_KERNEL);
	if (!units)
		return -ENOMEM;
	count = 0;
	list_for_each_entry(table, &uncore.tables, node) {
		for (i = 0; i < table->count; i++) {
			table->units[i].table = n;
			units[count++] = &table->units[i];
		}
		n++;
	}
	if (uncore.platform->repeats_ids)
		uncore_units_assign_numbers(units, count);
	uncore_units_resolve(units, count, uncore_units_limit);
	kvfree(units);
	return 0;
}

static unsigned int uncore_count_units(enum uncore_owner owner)
{
	const struct uncore_table *table;
	unsigned int units = 0;
	size_t i;

	list_for_each_entry(table, &uncore.tables, node)
		for (i = 0; i < table->count; i++)
			units += uncore_unit_good(&table->units[i]) &&
				 table->boxes[i].owner == owner;
	return units;
}

/* Log why no table was found. A function in discovery_ids may lack one. */
void uncore_log_no_table(void)
{
	const struct uncore_memory_tables *memory = &uncore.platform->memory;
	struct pci_dev *pdev = NULL;
	u32 value;

	if (memory->msr && !memory->unknown_model) {
		pr_info("no discovery table: MSR 0x%x of no CPU has an address of one, because firmware hides it\n",
			memory->msr);
		return;
	}
	for_each_pci_dev(pdev) {
		if (!uncore_is_discovery(pdev))
			continue;
		if (pci_read_config_dword(pdev, PCI_CFG_SPACE_SIZE, &value))
			pr_info("no discovery table can be found: the kernel reaches 256 bytes of configuration space only (pci=nommconf, or firmware without MCFG)\n");
		else
			pr_info("no discovery table: %s has none, because this processor has no PMON discovery or firmware hides it\n",
				pci_name(pdev));
		pci_dev_put(pdev);
		return;
	}
	if (memory->unknown_model && !uncore.generic)
		pr_info("no discovery table in a PCI function, CPU model 0x%x is not known: load with generic=1 to look for one in memory\n",
			boot_cpu_data.x86_model);
}

/* Log the units that are not counted, and why. */
void uncore_log_summary(void)
{
	unsigned int counted = uncore_count_units(UNCORE_OWNER_OPENPMON);
	unsigned int intel = uncore_count_units(UNCORE_OWNER_INTEL);
	unsigned int unused = uncore_count_units(UNCORE_OWNER_NONE);

	pr_debug("%s: %u units served\n", uncore.platform->name, counted);
	if (intel)
		pr_info("%u units left to %s, which has PMUs for them\n", intel,
			UNCORE_INTEL_MODULE);
	if (uncore.mode == PMON_MODE_UNKNOWN_MODEL && unused)
		pr_info("CPU model 0x%x is not known: %u units are listed and not served, load with generic=1 to serve them\n",
			boot_cpu_data.x86_model, unused);
	if (uncore.mode == PMON_MODE_HYPERVISOR && unused)
		pr_info("running under a hypervisor: %u units are listed and not served, load with generic=1 to serve them\n",
			unused);
}

/*
 * Remove tables from sysfs and free them. Called without uncore.lock, which
 * readers of the files take.
 */
void uncore_tables_remove(struct list_head *tables)
{
	struct uncore_table *table, *next;

	list_for_each_entry_safe(table, next, tables, node) {
		list_del(&table->node);
		if (table->published)
			device_unregister(&table->dev);
		else
			uncore_table_free(table);
	}
}

static void uncore_publish_tables(void)
{
	struct uncore_table *table, *next;

	list_for_each_entry_safe(table, next, &uncore.tables, node) {
		if (table->published)
			continue;
		table->published = true;
		if (uncore_table_publish(table)) {
			pr_warn("package %d: discovery table of %s cannot be shown in sysfs, it is not used\n",
				table->package, table->origin);
			list_del(&table->node);
			put_device(&table->dev);
			continue;
		}
		uncore_log_rejections(table);
	}
}

/* Check CHAs and boxes again; add root buses of packages that were offline. */
static void uncore_recheck_tables(void)
{
	bool was_offline = uncore.package_offline, temporary = false;
	struct uncore_table *table;
	size_t i;

	lockdep_assert_held(&uncore.lock);
	uncore.package_offline = false;
	list_for_each_entry(table, &uncore.tables, node) {
		if (uncore_compare_chas(table))
			uncore_log_fault(table, &table->fault);
		for (i = 0; i < table->count; i++) {
			temporary |= table->units[i].temporary_fault;
			if (uncore_box_remove_rejected(table, i))
				uncore_log_rejection(&table->units[i]);
			if (was_offline)
				uncore_box_update_topology(table, i);
		}
		uncore.package_offline |=
			pmon_place_cpu(pmon_in_package(table->package)) < 0;
	}
	WRITE_ONCE(uncore.temporary_faults, temporary);
}

/*
 * Read new tables, and check rejected addresses again. After an error the next
 * scan adds the new tables. Called with uncore.lock.
 */
int uncore_tables_scan(void)
{
	struct uncore_table *table;
	int ret;

	lockdep_assert_held(&uncore.lock);
	ret = uncore_find_tables();
	if (!ret) {
		uncore_add_links();
		list_for_each_entry(table, &uncore.tables, node)
			uncore_check_placement(table);
		ret = uncore_resolve();
	}
	if (ret)
		return ret;
	uncore_publish_tables();
	uncore_recheck_tables();
	return 0;
}
