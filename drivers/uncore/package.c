// SPDX-License-Identifier: GPL-2.0-only
/* Which package does a PCI function belong to? */
#include <linux/cpu.h>
#include <linux/pci.h>
#include <linux/topology.h>

#include <asm/processor.h>

#include "uncore.h"

/*
 * The package of a CPU, or -1 if the CPU was never online: what is known of it
 * was found out by itself, and stays when it goes offline.
 */
static int uncore_package_of_cpu(int cpu)
{
	return cpu_data(cpu).x86_model ? topology_physical_package_id(cpu) : -1;
}

/* The n-th smallest package number that is known, or -1. */
static int uncore_nth_package(unsigned int n)
{
	int cpu, package, next, last = -1;

	do {
		next = INT_MAX;
		for_each_possible_cpu(cpu) {
			package = uncore_package_of_cpu(cpu);
			if (package > last && package < next)
				next = package;
		}
		last = next;
	} while (n-- && next != INT_MAX);
	return next == INT_MAX ? -1 : next;
}

static unsigned int uncore_root_bus(struct pci_dev *pdev)
{
	struct pci_bus *bus = pdev->bus;

	while (!pci_is_root_bus(bus))
		bus = bus->parent;
	return bus->number;
}

/*
 * Root buses with a table, in the order of their numbers: how many there are
 * and how many of them are not behind the device's own. Firmware numbers the
 * buses of a package below those of the next.
 */
static unsigned int uncore_rank_of_bus(struct pci_dev *pdev,
				       unsigned int *buses)
{
	unsigned int root, rank = 0, here = uncore_root_bus(pdev);
	DECLARE_BITMAP(seen, 256) = {};
	struct pci_dev *other = NULL;

	for_each_pci_dev(other) {
		if (!uncore_is_discovery(other) ||
		    pci_domain_nr(other->bus) != pci_domain_nr(pdev->bus))
			continue;
		root = uncore_root_bus(other);
		if (!test_and_set_bit(root, seen) && root <= here)
			rank++;
	}
	*buses = bitmap_weight(seen, 256);
	return rank;
}

static int uncore_first_node(void)
{
	return cpu_to_node(cpumask_first(cpu_present_mask));
}

/*
 * Are all CPUs in one node? There may be others, which have memory only. CPUs
 * that are possible, but not present, are in any node.
 */
static bool uncore_node_is_common(void)
{
	int cpu, node = uncore_first_node();

	for_each_present_cpu(cpu)
		if (cpu_to_node(cpu) != node)
			return false;
	return true;
}

/* Are there tables behind buses of this node, and of another one? */
static bool uncore_nodes_differ(int node)
{
	bool here = false, elsewhere = false;
	struct pci_dev *pdev = NULL;
	int other;

	for_each_pci_dev(pdev) {
		if (!uncore_is_discovery(pdev))
			continue;
		other = pcibus_to_node(pdev->bus);
		here |= other == node;
		elsewhere |= other != node && other != NUMA_NO_NODE;
	}
	return here && elsewhere;
}

/*
 * Were the CPUs of all packages but one left out (nr_cpus=)? Then a bus is that
 * package's if it is in its node, and not if it is in another.
 */
static bool uncore_package_is_alone(void)
{
	return uncore_node_is_common() && uncore_nth_package(1) < 0 &&
	       uncore_nodes_differ(uncore_first_node());
}

static int uncore_package_in_node(int node)
{
	int cpu, package;

	for_each_possible_cpu(cpu) {
		package = cpu_to_node(cpu) == node ?
				  uncore_package_of_cpu(cpu) :
				  -1;
		if (package >= 0)
			return package;
	}
	return -1;
}

static int uncore_package_of_node(int node)
{
	/* With one node for all, a node says nothing. */
	if (node == NUMA_NO_NODE || uncore_node_is_common())
		return -1;
	return uncore_package_in_node(node);
}

/* Only if as many packages are known as there are buses with a table. */
static int uncore_package_of_bus(struct pci_dev *pdev)
{
	unsigned int buses, rank = uncore_rank_of_bus(pdev, &buses);

	if (topology_max_packages() == 1)
		return uncore_nth_package(0);
	if (!rank || uncore_nth_package(buses - 1) < 0 ||
	    uncore_nth_package(buses) >= 0)
		return -1;
	return uncore_nth_package(rank - 1);
}

/**
 * uncore_package() - the processor package that a device is part of
 * @pdev: the device
 *
 * It is that of the CPUs of the device's NUMA node. Without nodes (numa=off,
 * firmware that does not say, or that has one for all CPUs), packages are
 * matched with buses, both in the order of their numbers, if there are as many
 * of one as of the other. Where only one package's CPUs are left and nodes tell
 * its bus from others', the others' devices have no package.
 *
 * Return: the package, or -1 if it cannot be told, as long as none of its CPUs
 * was online.
 */
int uncore_package(struct pci_dev *pdev)
{
	int package, node = pcibus_to_node(pdev->bus);

	cpus_read_lock();
	if (node != NUMA_NO_NODE && uncore_package_is_alone()) {
		package = uncore_package_in_node(node);
	} else {
		package = uncore_package_of_node(node);
		if (package < 0)
			package = uncore_package_of_bus(pdev);
	}
	cpus_read_unlock();
	return package;
}

/**
 * uncore_package_device() - the Intel PCI function of a kind in a package
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
