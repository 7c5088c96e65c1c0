// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers in PCI config space, 4 bytes at a time. Config accesses may take
 * locks of the PCI core, so an NMI must not make them.
 */
#include <linux/export.h>
#include <linux/pci.h>
#include <linux/timex.h>

#include <pmon/regs.h>

#include "wide.h"

static __always_inline u32 pmon_pci_read32(const void *data, u32 reg)
{
	const struct pmon_regs *regs = data;
	u32 val;

	if (pci_read_config_dword(regs->pci, regs->base + reg, &val))
		return ~0U;
	return val;
}

/* No time stamp counter is slower than 1 GHz: at most 3 milliseconds. */
#define PMON_PCI_CYCLES_MAX	3000000

static u64 pmon_pci_cycles(void)
{
	return get_cycles();
}

static u64 pmon_pci_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	if (bytes == 8)
		return pmon_wide_read(pmon_pci_read32, pmon_pci_cycles,
				      PMON_PCI_CYCLES_MAX, regs, reg);
	return pmon_pci_read32(regs, reg);
}

/* The high half first: the low one holds the select and starts to count. */
static int pmon_pci_write(const struct pmon_regs *regs, u32 reg, u64 val,
			  u8 bytes)
{
	if (bytes == 8)
		pci_write_config_dword(regs->pci, regs->base + reg + 4,
				       val >> 32);
	return pci_write_config_dword(regs->pci, regs->base + reg, val);
}

static const struct pmon_regs_ops pmon_pci_ops = {
	.read = pmon_pci_read,
	.write = pmon_pci_write,
	.split = true,
};

void pmon_regs_pci(struct pmon_regs *regs, struct pci_dev *pdev, u16 base)
{
	*regs = (struct pmon_regs) {
		.ops = &pmon_pci_ops, .pci = pdev, .base = base,
		.size = PCI_CFG_SPACE_EXP_SIZE - base,
	};
}
EXPORT_SYMBOL_GPL(pmon_regs_pci);
