/* SPDX-License-Identifier: GPL-2.0-only */
/* What PCI functions say of themselves in configuration space. */
#ifndef PMON_PCI_H
#define PMON_PCI_H

#include <linux/pci.h>

/**
 * pmon_pci_is_in_d3() - is the memory of a function off?
 * @pdev: the function
 *
 * What the kernel does shows in pci_dev.current_state, what others do (setpci,
 * firmware) only in the Power Management Control/Status Register (PCI Bus Power
 * Management Interface Specification). It is readable in every state but
 * D3cold; all ones, of a function that is gone, count as D3, too.
 *
 * Context: any, in which config space may be read.
 * Return: whether it is in D3, or its config space cannot be read.
 */
static inline bool pmon_pci_is_in_d3(struct pci_dev *pdev)
{
	u16 control;

	if (READ_ONCE(pdev->current_state) == PCI_D3cold)
		return true;
	if (!pdev->pm_cap)
		return false;
	if (pci_read_config_word(pdev, pdev->pm_cap + PCI_PM_CTRL, &control))
		return true;

	return (control & PCI_PM_CTRL_STATE_MASK) == (__force u16)PCI_D3hot;
}

#endif
