/* SPDX-License-Identifier: GPL-2.0-only */
/* What PCI functions say of themselves in configuration space. */
#ifndef PMON_PCI_H
#define PMON_PCI_H

#include <linux/pci.h>

bool pmon_pci_is_in_d3(struct pci_dev *pdev);

#endif
