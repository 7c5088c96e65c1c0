// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where things are: which package a table belongs to, and whether what it
 * names may be touched on this machine; addresses in memory are mmio.c's.
 */
#include <linux/cpu.h>
#include <linux/pci.h>
#include <linux/topology.h>

#include <asm/processor.h>

#include <compat/cleanup.h>

#include "uncore.h"

/**
 * uncore_asleep - may a device's registers be touched?
 * @pdev: the device
 *
 * Only configuration space is read, which answers in every power state.
 *
 * Return: NULL, or why not.
 */
const char *uncore_asleep(struct pci_dev *pdev)
{
	u16 control;

	if (pdev->current_state == PCI_D3cold)
		return "is in D3cold";
	if (!pdev->pm_cap)
		return NULL;
	if (pci_read_config_word(pdev, pdev->pm_cap + PCI_PM_CTRL, &control))
		return "cannot be read";
	if ((control & PCI_PM_CTRL_STATE_MASK) == (__force u16)PCI_D3hot)
		return "is in D3";
	return NULL;
}

/**
 * uncore_given_away - is the device in the hands of a virtual machine?
 * @pdev: the device
 *
 * A driver that binds after this look is announced on the bus, see pci_event().
 */
bool uncore_given_away(struct pci_dev *pdev)
{
	const struct device_driver *driver = READ_ONCE(pdev->dev.driver);

	return driver && (!strcmp(driver->name, "vfio-pci") ||
			  !strcmp(driver->name, "pci-stub"));
}

/*
 * The package of a CPU, or -1 if the CPU was never online: what is known of it
 * was found out by itself, and stays when it goes offline.
 */
static int package_of_cpu(int cpu)
{
	return cpu_data(cpu).x86_model ? topology_physical_package_id(cpu) : -1;
}

/* The n-th smallest package number that is known, or -1. */
static int nth_package(unsigned int n)
{
	int cpu, package, next, last = -1;

	do {
		next = INT_MAX;
		for_each_possible_cpu(cpu) {
			package = package_of_cpu(cpu);
			if (package > last && package < next)
				next = package;
		}
		last = next;
	} while (n-- && next != INT_MAX);
	return next == INT_MAX ? -1 : next;
}

static unsigned int root_bus(struct pci_dev *pdev)
{
	struct pci_bus *bus = pdev->bus;

	while (!pci_is_root_bus(bus))
		bus = bus->parent;
	return bus->number;
}

/*
 * Root buses with a table, in the order of their numbers: how many there are
 * and how many of them are not behind the device's own. Firmware numbers the buses of a
 * package below those of the next.
 */
static unsigned int rank_of_bus(struct pci_dev *pdev, unsigned int *buses)
{
	unsigned int root, rank = 0, here = root_bus(pdev);
	DECLARE_BITMAP(seen, 256) = {};
	struct pci_dev *other = NULL;

	for_each_pci_dev(other) {
		if (!uncore_is_discovery(other) ||
		    pci_domain_nr(other->bus) != pci_domain_nr(pdev->bus))
			continue;
		root = root_bus(other);
		if (!test_and_set_bit(root, seen) && root <= here)
			rank++;
	}
	*buses = bitmap_weight(seen, 256);
	return rank;
}

static int package_of_node(int node)
{
	int cpu, package;

	/* With one node for all, a node says nothing. */
	if (node == NUMA_NO_NODE || nr_online_nodes < 2)
		return -1;
	for_each_possible_cpu(cpu) {
		package = cpu_to_node(cpu) == node ? package_of_cpu(cpu) : -1;
		if (package >= 0)
			return package;
	}
	return -1;
}

/* Only if as many packages are known as there are buses with a table. */
static int package_of_bus(struct pci_dev *pdev)
{
	unsigned int buses, rank = rank_of_bus(pdev, &buses);

	if (topology_max_packages() == 1)
		return nth_package(0);
	if (!rank || nth_package(buses - 1) < 0 || nth_package(buses) >= 0)
		return -1;
	return nth_package(rank - 1);
}

/**
 * uncore_package - the processor package that a device is part of
 * @pdev: the device
 *
 * It is that of the CPUs of the device's NUMA node. Without nodes (numa=off,
 * or firmware that does not say), packages are matched with buses, both in
 * the order of their numbers, if there are as many of one as of the other.
 *
 * Return: the package, or -1 if it cannot be told, as long as none of its CPUs
 * was online.
 */
int uncore_package(struct pci_dev *pdev)
{
	int package;

	cpus_read_lock();
	package = package_of_node(pcibus_to_node(pdev->bus));
	if (package < 0)
		package = package_of_bus(pdev);
	cpus_read_unlock();
	return package;
}

/**
 * uncore_package_device - the Intel PCI function of a kind in a package
 * @device: PCI device id
 * @devfn: slot and function, or UNCORE_ANY_DEVFN
 * @package: the package
 *
 * Return: the first such function with a reference, or NULL.
 */
struct pci_dev *uncore_package_device(u16 device, int devfn, int package)
{
	struct pci_dev *pdev = NULL;

	while ((pdev = pci_get_device(PCI_VENDOR_ID_INTEL, device, pdev)))
		if ((devfn == UNCORE_ANY_DEVFN || pdev->devfn == devfn) &&
		    uncore_package(pdev) == package &&
		    !uncore_asleep(pdev) && !uncore_given_away(pdev))
			return pdev;
	return NULL;
}

/**
 * uncore_has_counters - may a PCI function have counters?
 * @pdev: the function
 *
 * Storage, network and display have none.
 */
bool uncore_has_counters(struct pci_dev *pdev)
{
	switch (pdev->class >> 16) {
	case PCI_BASE_CLASS_BRIDGE:
	case PCI_BASE_CLASS_SYSTEM:
	case PCI_BASE_CLASS_SIGNAL_PROCESSING:
	case PCI_CLASS_NOT_DEFINED >> 8:
	case PCI_CLASS_OTHERS:
		return true;
	default:
		return false;
	}
}

/**
 * uncore_unit_function - the PCI function that a PCI unit's address names
 * @unit: the unit
 *
 * Return: the function with a reference, or NULL.
 */
struct pci_dev *uncore_unit_function(const struct pmon_unit *unit)
{
	return pci_get_domain_bus_and_slot(pmon_pci_segment(unit->address),
					   pmon_pci_bus(unit->address),
					   pmon_pci_devfn(unit->address));
}

/**
 * uncore_check_function - may a PCI unit's function be used?
 * @unit: the unit
 *
 * Return: NULL, or why not.
 */
const char *uncore_check_function(const struct pmon_unit *unit)
{
	struct pci_dev *pdev __free(pci_dev_put) = uncore_unit_function(unit);

	if (!pdev)
		return "no such PCI function";
	if (pdev->vendor != PCI_VENDOR_ID_INTEL)
		return "not an Intel function";
	if (!uncore_has_counters(pdev))
		return "not a function with counters";
	if (pmon_pci_offset(unit->address) + unit->span > pdev->cfg_size)
		return "runs past the configuration space";
	if (uncore_given_away(pdev))
		return "belongs to a virtual machine";
	return uncore_asleep(pdev);
}

/**
 * uncore_check_placement - reject units whose addresses lead astray
 * @table: table whose units were parsed
 * @first: the first unit to look at
 */
void uncore_check_placement(struct uncore_table *table, size_t first)
{
	struct pmon_unit *unit;
	const char *reason;
	size_t i;

	for (i = first; i < table->count; i++) {
		unit = &table->units[i];
		if (!pmon_unit_good(unit))
			continue;
		reason = NULL;
		if (unit->access == PMON_ACCESS_MMIO)
			reason = uncore_check_mmio(table, unit->address,
						   unit->span);
		else if (unit->access == PMON_ACCESS_PCI)
			reason = uncore_check_function(unit);
		if (reason)
			pmon_unit_reject(unit, "address", unit->address, reason);
	}
}
