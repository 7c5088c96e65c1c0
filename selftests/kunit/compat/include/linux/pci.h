/* SPDX-License-Identifier: GPL-2.0-only */
/* User-space stand-in: a function that counts what it is given back. */
#ifndef HOST_LINUX_PCI_H
#define HOST_LINUX_PCI_H

#include <linux/device.h>

struct pci_dev {
	unsigned long number;
	struct device dev;
};

static inline void pci_dev_put(struct pci_dev *pdev)
{
	put_device(&pdev->dev);
}

#endif
