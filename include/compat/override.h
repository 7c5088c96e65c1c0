/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a PCI function is meant for a driver by its name. The kernel keeps
 * that for every device, or for PCI functions alone.
 */
#ifndef COMPAT_OVERRIDE_H
#define COMPAT_OVERRIDE_H

#include <linux/device.h>
#include <linux/pci.h>
#include <linux/string.h>

/*
 * Is the function meant for another driver than it has? With its lock.
 */
static inline bool compat_is_meant_for_other(struct pci_dev *pdev)
{
	const struct device_driver *driver = pdev->dev.driver;

#if COMPAT_HAS_DEVICE_OVERRIDE
	if (!driver)
		return device_has_driver_override(&pdev->dev);
	return !device_match_driver_override(&pdev->dev, driver);
#else
	return pdev->driver_override &&
	       (!driver || strcmp(pdev->driver_override, driver->name));
#endif
}

#endif /* COMPAT_OVERRIDE_H */
