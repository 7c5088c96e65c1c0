// SPDX-License-Identifier: GPL-2.0-only
/*
 * Access registers in PCI configuration space, 4 bytes at a time. It may take
 * locks of the PCI core, so an NMI must not use it.
 */
#include <linux/export.h>
#include <linux/pci.h>
#include <linux/timex.h>

#include <pmon/regs.h>

#include "wide.h"

/*
 * Most readings end here. The bus gives all-ones for what it cannot read, and
 * so does a function that was found disconnected: that is not asked before.
 * Nothing is written to @val for an offset that is no multiple of four.
 */
static __always_inline void pmon_pci_get(const struct pmon_regs *regs, u32 reg,
					 u32 *val)
{
	pci_bus_read_config_dword(regs->pci->bus, regs->pci->devfn,
				  regs->base + reg, val);
}

static __always_inline u32 pmon_pci_read32(const void *data, u32 reg)
{
	u32 val = ~0U;

	pmon_pci_get(data, reg, &val);
	return val;
}

/*
 * The time that pmon_wide_read() gives a reading, in cycles of the time stamp
 * counter. None is slower than 1 GHz, so this is 3 milliseconds at most.
 */
#define PMON_PCI_CYCLES_MAX	3000000

static u64 pmon_pci_cycles(void)
{
	return get_cycles();
}

static u64 pmon_pci_settled(const struct pmon_regs *regs, u32 reg)
{
	return pmon_wide_read(pmon_pci_read32, pmon_pci_cycles,
			      PMON_PCI_CYCLES_MAX, regs, reg);
}

static u64 pmon_pci_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	u32 half = ~0U, low;

	if (unlikely(bytes < 8))
		return pmon_pci_read32(regs, reg);

	pmon_pci_get(regs, reg, &half);
	low = half;
	pmon_pci_get(regs, reg + 4, &half);
	return (u64)half << 32 | low;
}

/* The high half first: the low one holds the select and starts to count. */
static noinline int pmon_pci_write_both(const struct pmon_regs *regs, u32 reg,
					u64 val)
{
	pci_write_config_dword(regs->pci, regs->base + reg + 4, val >> 32);
	return pci_write_config_dword(regs->pci, regs->base + reg, val);
}

/* Seldom both halves: the high one stays as it is. */
static int pmon_pci_write(const struct pmon_regs *regs, u32 reg, u64 val,
			  u8 bytes)
{
	if (unlikely(bytes == 8))
		return pmon_pci_write_both(regs, reg, val);
	return pci_write_config_dword(regs->pci, regs->base + reg, val);
}

static const struct pmon_regs_ops pmon_pci_ops = {
	.read = pmon_pci_read,
	.settled = pmon_pci_settled,
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
