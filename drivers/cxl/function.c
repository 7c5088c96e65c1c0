// SPDX-License-Identifier: GPL-2.0-only
/* Decides whether the registers of a PCI function may be read, and why. */
#include <linux/device.h>
#include <linux/kernel.h>
#include <linux/pci.h>
#include <linux/string.h>

#include <compat/override.h>

#include "cxl.h"

#define OWNER_OF_MEMORY		"cxl_pci"
#define OWNER_OF_PORTS		"pcieport"

static int cxl_match_memdev(struct device *dev, void *data)
{
	return sscanf(dev_name(dev), "mem%u", (unsigned int *)data) == 1;
}

/**
 * cxl_memdev() - is there a memory device of a function, which cxl_pci makes?
 * @pdev: the function, which need not be locked
 * @number: its number
 */
bool cxl_memdev(struct pci_dev *pdev, unsigned int *number)
{
	return device_for_each_child(&pdev->dev, number, cxl_match_memdev);
}

/**
 * cxl_is_memory() - is a function a CXL memory device?
 * @pdev: the function, which need not be locked
 *
 * Its class says so; or a memory device that was made of it, since cxl_pci can
 * be told to take one of another class.
 */
bool cxl_is_memory(struct pci_dev *pdev)
{
	unsigned int number;

	return pdev->class == CXL_CLASS_MEMORY || cxl_memdev(pdev, &number);
}

/**
 * cxl_may_have_cpmus() - is a function worth to be looked at?
 * @pdev: the function, which need not be locked
 */
bool cxl_may_have_cpmus(struct pci_dev *pdev)
{
	return cxl_is_memory(pdev) ||
	       (cxl.unbound && pci_is_pcie(pdev) &&
		(pci_is_bridge(pdev) || !READ_ONCE(pdev->dev.driver)));
}

/**
 * cxl_is_awake() - is a function in D0 and decoding memory?
 * @pdev: the function
 *
 * It is asked itself: without a driver the kernel may not know, and it may have
 * been pulled out. It is not woken.
 */
bool cxl_is_awake(struct pci_dev *pdev)
{
	u16 power = 0, command;

	if (pdev->current_state == PCI_D3cold)
		return false;
	if (pdev->pm_cap &&
	    pci_read_config_word(pdev, pdev->pm_cap + PCI_PM_CTRL, &power))
		return false;
	if (pci_read_config_word(pdev, PCI_COMMAND, &command))
		return false;
	return !(power & PCI_PM_CTRL_STATE_MASK) && command != (u16)~0 &&
	       (command & PCI_COMMAND_MEMORY);
}

/**
 * cxl_is_others() - has a function a driver with which it is not served?
 * @pdev: a function, not locked: so it says what is so at this moment
 *
 * Return: whether it has.
 */
bool cxl_is_others(struct pci_dev *pdev)
{
	const struct device_driver *driver = READ_ONCE(pdev->dev.driver);

	return driver && strcmp(driver->name, OWNER_OF_MEMORY) &&
	       strcmp(driver->name, OWNER_OF_PORTS);
}

static int cxl_is_that(struct device *dev, const void *data)
{
	return dev == data;
}

/*
 * Is the function still on its bus? Without a driver nothing keeps it from
 * being removed now; if it is still there BUS_NOTIFY_REMOVED_DEVICE will
 * announce its removal.
 */
static bool cxl_is_on_bus(struct pci_dev *pdev)
{
	struct device *dev = bus_find_device(&pci_bus_type, NULL, &pdev->dev,
					     cxl_is_that);

	put_device(dev);
	return dev;
}

/*
 * A function that is not bound to cxl_pci: one without a driver, or a port
 * whose driver has enabled it.
 */
static enum cxl_kind cxl_kind_of_other(struct pci_dev *pdev)
{
	if (cxl_is_others(pdev) || !cxl_is_on_bus(pdev) || !cxl_is_awake(pdev))
		return CXL_NONE;
	return pci_is_bridge(pdev) ? CXL_PORT : CXL_UNBOUND;
}

/**
 * cxl_kind_of() - may the registers of a function be read, and why?
 * @pdev: a function, locked; and cxl.lock is held until it is known
 *
 * cxl_pci has enabled it, and the bus tells when it gives it up. What is meant
 * for a virtual machine (vfio-pci, pci-stub, a driver_override that names
 * another driver) is left alone.
 */
enum cxl_kind cxl_kind_of(struct pci_dev *pdev)
{
	const struct device_driver *driver = pdev->dev.driver;

	if (compat_is_meant_for_other(pdev))
		return CXL_NONE;
	if (driver && !strcmp(driver->name, OWNER_OF_MEMORY))
		return pdev->current_state == PCI_D0 ? CXL_MEMORY : CXL_NONE;
	if (cxl.unbound && pci_is_pcie(pdev))
		return cxl_kind_of_other(pdev);
	return CXL_NONE;
}
