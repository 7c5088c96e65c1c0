// SPDX-License-Identifier: GPL-2.0-only
/* May a PCI function be touched, and may it have counters? */
#include <linux/pci.h>

#include "uncore.h"

/**
 * uncore_given_away() - is the device in the hands of a virtual machine?
 * @pdev: the device
 *
 * A driver that binds after this look is announced on the bus, see pci_event().
 *
 * Return: whether it is.
 */
bool uncore_given_away(struct pci_dev *pdev)
{
	const struct device_driver *driver = READ_ONCE(pdev->dev.driver);

	return driver && (!strcmp(driver->name, "vfio-pci") ||
			  !strcmp(driver->name, "pci-stub"));
}

/* Non-Essential Instrumentation: PCI Code and ID Assignment Specification. */
#define BASE_CLASS_INSTRUMENTATION	0x13

/**
 * uncore_has_counters() - may a PCI function have counters?
 * @pdev: the function
 *
 * Those of Sapphire Rapids are system peripherals and performance counters; no
 * public document says of which classes those of later processors are. So only
 * base classes are asked: storage, network, display, USB and others that have a
 * task of their own have no counters. Two classes that have one pass all the
 * same, by their base class: memory devices on CXL (0502) and co-processors
 * (0b40), such as those for QuickAssist.
 *
 * Return: whether it may.
 */
bool uncore_has_counters(struct pci_dev *pdev)
{
	switch (pdev->class >> 16) {
	case PCI_BASE_CLASS_MEMORY:
	case PCI_BASE_CLASS_BRIDGE:
	case PCI_BASE_CLASS_SYSTEM:
	case PCI_BASE_CLASS_PROCESSOR:
	case PCI_BASE_CLASS_SIGNAL_PROCESSING:
	case BASE_CLASS_INSTRUMENTATION:
	case PCI_CLASS_NOT_DEFINED >> 8:
	case PCI_CLASS_OTHERS:
		return true;
	default:
		return false;
	}
}
