// SPDX-License-Identifier: GPL-2.0-only
/* What the log says of tables and of their units. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <asm/processor.h>

#include "uncore.h"

/* Up to so many rejected units get a line in the log. All are in sysfs. */
#define LOGGED_REJECTIONS	256

/**
 * uncore_log_fault() - say what is wrong with a table
 * @table: the table
 * @fault: one of its faults; if its field is NULL there is none
 */
void uncore_log_fault(const struct uncore_table *table,
		      const struct uncore_fault *fault)
{
	if (fault->field)
		pr_warn("package %d: discovery table of %s is faulty: %s 0x%llx %s\n",
			table->package, table->origin, fault->field,
			fault->value, fault->reason);
}

/**
 * uncore_log_rejection() - say why a unit is not used
 * @unit: the unit
 */
void uncore_log_rejection(const struct uncore_unit *unit)
{
	pr_warn("package %d: unit type %u id %u rejected: %s 0x%llx %s\n",
		unit->package, unit->type, unit->id, unit->fault.field,
		unit->fault.value, unit->fault.reason);
}

/**
 * uncore_log_rejections() - say what of a table is not used
 * @table: the table, new
 */
void uncore_log_rejections(const struct uncore_table *table)
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

/**
 * uncore_log_disputed() - say that two IIO units have one root bus
 * @unit: one of them
 * @rival: number of the other
 * @segment: of the bus
 * @bus: its number
 */
void uncore_log_disputed(const struct uncore_unit *unit, u8 rival, int segment,
			 u8 bus)
{
	pr_info("package %d: IIO boxes %u and %u would both be at root bus %04x:%02x: neither has a die file\n",
		unit->package, unit->id, rival, segment, bus);
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

/* Was there an MSR to ask, where only a table has units? */
static bool uncore_log_no_address(void)
{
	const struct uncore_discovery_domain *domain = uncore.platform->domains;

	for (; domain->source; domain++) {
		if (domain->source != UNCORE_SOURCE_MSR || domain->guess)
			continue;
		pr_info("no discovery table: MSR 0x%x of no CPU has an address of one, because firmware hides it\n",
			domain->msr);
		return true;
	}
	return false;
}

/**
 * uncore_log_no_table() - say why there is nothing to do for this module
 *
 * Functions of the kind that has tables exist on processors without any, too.
 */
void uncore_log_no_table(void)
{
	struct pci_dev *pdev = NULL;
	u32 value;

	if (uncore_log_no_address())
		return;
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
}

/**
 * uncore_log_summary() - say which units are served, and why others are not
 */
void uncore_log_summary(void)
{
	unsigned int own = uncore_count_units(UNCORE_SELF);
	unsigned int left = uncore_count_units(UNCORE_PEER);
	unsigned int idle = uncore_count_units(UNCORE_NOBODY);

	pr_debug("%s: %u units served\n", uncore.platform->name, own);
	if (left)
		pr_info("%u units left to %s, which has PMUs for them\n", left,
			UNCORE_PEER_MODULE);
	if (uncore.mode == PMON_MODE_UNKNOWN_MODEL && idle)
		pr_info("CPU model 0x%x is not known: %u units are listed and not served, load with generic=1 to serve them\n",
			boot_cpu_data.x86_model, idle);
	if (uncore.mode == PMON_MODE_HYPERVISOR && idle)
		pr_info("running under a hypervisor: %u units are listed and not served, load with generic=1 to serve them\n",
			idle);
}
