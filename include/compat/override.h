/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a PCI function is meant for a driver by its name. The kernel keeps
 * that for every device since 7.1, and stable kernels since they were mended
 * so: Kbuild looks which one it is, see drivers/cxl/Kbuild.
 */
#ifndef COMPAT_OVERRIDE_H
#define COMPAT_OVERRIDE_H

#include <linux/device.h>
#include <linux/pci.h>

#ifdef COMPAT_DEVICE_OVERRIDE
static inline bool compat_has_override(struct pci_dev *pdev)
{
	return device_has_driver_override(&pdev->dev);
}
#else
/* With the lock of the function. */
static inline bool compat_has_override(struct pci_dev *pdev)
{
	return pdev->driver_override;
}
#endif

#endif /* COMPAT_OVERRIDE_H */
