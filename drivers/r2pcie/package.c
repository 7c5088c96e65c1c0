// SPDX-License-Identifier: GPL-2.0-only
/* Find the processor package of a PCI function. */
#include <linux/cpu.h>
#include <linux/nodemask.h>
#include <linux/numa.h>
#include <linux/pci.h>
#include <linux/topology.h>

#include <asm/processor.h>

#include "r2pcie.h"

/* Return -1 for a CPU that was never online, because it has no cpu_data. */
static int r2_package_of_cpu(int cpu)
{
	return cpu_data(cpu).x86_model ? topology_physical_package_id(cpu) : -1;
}

static bool r2_package_exists(int package)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (r2_package_of_cpu(cpu) == package)
			return true;
	return false;
}

static int r2_package_of_node(int node)
{
	int cpu, package;

	for_each_possible_cpu(cpu) {
		package = cpu_to_node(cpu) == node ? r2_package_of_cpu(cpu) :
						     -1;
		if (package >= 0)
			return package;
	}
	return -1;
}

/* Return the package by Ubox, or -1 and @reason. A failed read is all ones. */
static int r2_package_by_ubox(struct pci_dev *pdev, u16 device,
			      const char **reason)
{
	struct r2_ubox ubox[R2_UBOXES_MAX];
	struct pci_dev *other = NULL;
	unsigned int count = 0;

	while ((other = pci_get_device(PCI_VENDOR_ID_INTEL, device, other))) {
		if (count == R2_UBOXES_MAX)
			continue;
		ubox[count].segment = pci_domain_nr(other->bus);
		ubox[count].bus = other->bus->number;
		pci_read_config_dword(other, R2_UBOX_NODE, &ubox[count].node);
		pci_read_config_dword(other, R2_UBOX_MAP, &ubox[count].map);
		count++;
	}
	return r2_socket(ubox, count, pci_domain_nr(pdev->bus),
			 pdev->bus->number, reason);
}

/*
 * Return the package of a function, or -1 and @reason. Uboxes map eight nodes,
 * so with more nodes use the NUMA node, as intel_uncore does. Takes the CPU
 * hotplug lock.
 */
int r2_package(struct pci_dev *pdev, const struct r2_function *function,
	       const char **reason)
{
	int package;

	cpus_read_lock();
	*reason = NULL;
	if (nr_node_ids > R2_GROUPS)
		package = r2_package_of_node(dev_to_node(&pdev->dev));
	else
		package = r2_package_by_ubox(pdev, function->generation->ubox,
					     reason);
	if (!*reason && (package < 0 || !r2_package_exists(package))) {
		*reason = "no CPU of its package was ever online";
		package = -1;
	}
	cpus_read_unlock();
	return package;
}
