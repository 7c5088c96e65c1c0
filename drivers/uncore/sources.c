// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where discovery tables are: for each kind of source a function that looks for
 * tables that are not known yet. Which sources there are is the platform's.
 */
#include <linux/cpumask.h>
#include <linux/pci.h>

#include <asm/cpufeature.h>

#include <compat/msr.h>

#include "uncore.h"

static bool uncore_is_known(struct pci_dev *pdev)
{
	const struct uncore_table *table;

	list_for_each_entry(table, &uncore.tables, node)
		if (table->pdev == pdev)
			return true;
	return false;
}

static int uncore_find_in_pci(const struct uncore_discovery_domain *domain,
			      struct list_head *found, bool again)
{
	struct pci_dev *pdev = NULL;
	int ret = 0;

	for_each_pci_dev(pdev) {
		if (!uncore_is_discovery(pdev) || uncore_is_known(pdev))
			continue;
		ret = uncore_discover(domain, pdev, found, again);
		if (ret)
			break;
	}
	pci_dev_put(pdev);
	return ret;
}

/* CPUs whose MSR was read. */
static struct cpumask asked;

static bool uncore_is_at(const struct list_head *tables, u64 address)
{
	const struct uncore_table *table;

	list_for_each_entry(table, tables, node)
		if (!table->pdev && table->place.start == address)
			return true;
	return false;
}

/* What a hypervisor has in an MSR that it does not know may be anything. */
static bool uncore_may_ask(const struct uncore_discovery_domain *domain)
{
	return domain->source == UNCORE_SOURCE_MSR &&
	       !(domain->guess && boot_cpu_has(X86_FEATURE_HYPERVISOR));
}

static bool uncore_has_function(const struct list_head *tables)
{
	const struct uncore_table *table;

	list_for_each_entry(table, tables, node)
		if (table->pdev)
			return true;
	return false;
}

/*
 * Every CPU is asked, because dies with a table each need not be what the CPUs
 * themselves call dies. On a processor that is not known, with a table in a PCI
 * function, the MSR may as well be a register of a box.
 */
static int uncore_find_by_msr(const struct uncore_discovery_domain *domain,
			      struct list_head *found, bool again)
{
	unsigned int cpu;
	u64 address;
	int ret;

	if (!uncore_may_ask(domain) ||
	    (domain->guess && (uncore_has_function(&uncore.tables) ||
			       uncore_has_function(found))))
		return 0;
	for_each_online_cpu(cpu) {
		if (cpumask_test_cpu(cpu, &asked))
			continue;
		ret = rdmsrq_safe_on_cpu(cpu, domain->msr, &address);
		/* it may have gone offline just now */
		if (ret == -ENXIO)
			continue;
		cpumask_set_cpu(cpu, &asked);
		if (ret || !address || uncore_is_at(&uncore.tables, address) ||
		    uncore_is_at(found, address))
			continue;
		ret = uncore_discover_memory(domain, address, cpu, found);
		if (ret)
			return ret;
	}
	return 0;
}

typedef int (*uncore_find_t)(const struct uncore_discovery_domain *domain,
			     struct list_head *found, bool again);

static const uncore_find_t find[UNCORE_SOURCES] = {
	[UNCORE_SOURCE_PCI] = uncore_find_in_pci,
	[UNCORE_SOURCE_MSR] = uncore_find_by_msr,
};

/**
 * uncore_find_tables() - read all tables that are not known yet
 * @found: gets them
 * @again: they may have been looked for before
 *
 * Return: 0, also without any table, or -ENOMEM.
 */
int uncore_find_tables(struct list_head *found, bool again)
{
	const struct uncore_discovery_domain *domain = uncore.platform->domains;
	int ret = 0;

	lockdep_assert_held(&uncore.lock);
	for (; domain->source && !ret; domain++)
		ret = find[domain->source](domain, found, again);
	return ret;
}

/**
 * uncore_forget_sources() - what was found is not used: look for it again
 */
void uncore_forget_sources(void)
{
	lockdep_assert_held(&uncore.lock);
	cpumask_clear(&asked);
}

/**
 * uncore_cpu_may_know() - may a CPU know of a table that is not known yet?
 * @cpu: has come online
 *
 * Return: whether it may.
 */
bool uncore_cpu_may_know(unsigned int cpu)
{
	const struct uncore_discovery_domain *domain = uncore.platform->domains;

	for (; domain->source; domain++)
		if (uncore_may_ask(domain))
			return !cpumask_test_cpu(cpu, &asked);
	return false;
}
