/* SPDX-License-Identifier: GPL-2.0-only */
/* Read driver_override of PCI functions, in struct device or struct pci_dev. */
#ifndef COMPAT_OVERRIDE_H
#define COMPAT_OVERRIDE_H

#include <linux/device.h>
#include <linux/pci.h>
#include <linux/string.h>

/*
 * Return true if driver_override names a driver other than the bound driver. If
 * none is bound, any name counts. Called with the device lock held.
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
