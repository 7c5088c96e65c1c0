// SPDX-License-Identifier: GPL-2.0-only
/* Which package does a PCI function belong to? */
#include <linux/cpu.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include <asm/processor.h>

#include <compat/cleanup.h>
#include <pmon/tpmi.h>

#include "roots.h"
#include "uncore.h"

/*
 * The package of a CPU, or -1 if the CPU was never online: what is known of it
 * was found out by itself, and stays when it goes offline.
 */
static int uncore_package_of_cpu(int cpu)
{
	return cpu_data(cpu).x86_model ? topology_physical_package_id(cpu) : -1;
}

/* Packages of which a CPU was online, in order. Returns how many. */
static unsigned int uncore_known_packages(int *known)
{
	int cpu, package, next, last = -1;
	unsigned int n = 0;

	for (; n < UNCORE_ROOTS; n++) {
		next = INT_MAX;
		for_each_possible_cpu(cpu) {
			package = uncore_package_of_cpu(cpu);
			if (package > last && package < next)
				next = package;
		}
		if (next == INT_MAX)
			break;
		last = next;
		known[n] = next;
	}
	return n;
}

static struct uncore_root uncore_root_of(struct pci_dev *pdev)
{
	struct pci_bus *bus = pdev->bus;

	while (!pci_is_root_bus(bus))
		bus = bus->parent;
	return (struct uncore_root){ pci_domain_nr(bus), bus->number };
}

/* Root buses with a table; under uncore.lock. */
static struct uncore_roots roots;

/* What TPMI_INFO of a function says, or -1. */
static int uncore_tpmi_package(struct pci_dev *pdev)
{
	struct pmon_tpmi *tpmi __free(kfree) = kmalloc(sizeof(*tpmi),
						       GFP_KERNEL);
	struct pmon_tpmi_fault fault;

	if (!tpmi || uncore_given_away(pdev) ||
	    pmon_tpmi_read(pdev, tpmi, &fault))
		return -1;
	return tpmi->package;
}

/**
 * uncore_packages_find() - list root buses with discovery tables
 *
 * With the package that TPMI_INFO of a function on each bus has, for
 * uncore_package(). Reads config space, and the TPMI tables of functions that
 * pmon_tpmi_is_ready() lets be read. Under @uncore.lock.
 */
void uncore_packages_find(void)
{
	struct pci_dev *pdev = NULL;

	lockdep_assert_held(&uncore.lock);
	roots.count = 0;
	for_each_pci_dev(pdev)
		if (uncore_is_discovery(pdev) && uncore_next_table(pdev, 0))
			uncore_roots_add(&roots, uncore_root_of(pdev), -1);
	for_each_pci_dev(pdev)
		if (uncore_is_discovery(pdev) &&
		    uncore_roots_has(&roots, uncore_root_of(pdev)))
			uncore_roots_add(&roots, uncore_root_of(pdev),
					 uncore_tpmi_package(pdev));
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
	int known[UNCORE_ROOTS];

	return uncore_node_is_common() && uncore_known_packages(known) == 1 &&
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

static int uncore_package_of_bus(struct uncore_root root)
{
	int known[UNCORE_ROOTS];
	unsigned int n = uncore_known_packages(known);

	return n ? uncore_roots_guess(&roots, root, uncore.platform->roots,
				      known, n) :
		   -1;
}

/* As nodes and the order of buses have it. */
static int uncore_package_untold(struct pci_dev *pdev)
{
	int package, node = pcibus_to_node(pdev->bus);

	if (node != NUMA_NO_NODE && uncore_package_is_alone())
		return uncore_package_in_node(node);
	package = uncore_package_of_node(node);
	return package < 0 ? uncore_package_of_bus(uncore_root_of(pdev)) :
			     package;
}

static bool uncore_package_is_known(int package)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (package >= 0 && uncore_package_of_cpu(cpu) == package)
			return true;
	return false;
}

/**
 * uncore_package() - the processor package that a device is part of
 * @pdev: the device
 *
 * It is the one that TPMI_INFO of a function on the same root bus names, else
 * that of the CPUs of the device's NUMA node. Without nodes (numa=off, firmware
 * that does not say, or that has one for all CPUs), packages are matched with
 * root buses, both in order. Where nr_cpus= has left out all packages but one,
 * and the NUMA node of a device's root bus is another than that package's, the
 * device has no package.
 *
 * Return: the package, or -1 if it cannot be told, as long as none of its CPUs
 * was online.
 */
int uncore_package(struct pci_dev *pdev)
{
	int package;

	lockdep_assert_held(&uncore.lock);
	cpus_read_lock();
	package = uncore_roots_told(&roots, uncore_root_of(pdev));
	if (package < 0)
		package = uncore_package_untold(pdev);
	if (!uncore_package_is_known(package))
		package = -1;
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
		    !pmon_pci_is_in_d3(pdev) && !uncore_given_away(pdev))
			return pdev;
	return NULL;
}
