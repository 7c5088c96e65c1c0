// SPDX-License-Identifier: GPL-2.0-only
/* Access registers in mapped memory and in PCI configuration space. */
#include <linux/export.h>
#include <linux/io.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/pci.h>

#include <pmon/regs.h>

static u64 pmon_mmio_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	void __iomem *where = regs->mmio + reg;

	return bytes == 8 ? readq(where) : readl(where);
}

static int pmon_mmio_write(const struct pmon_regs *regs, u32 reg, u64 val,
			   u8 bytes)
{
	void __iomem *where = regs->mmio + reg;

	if (bytes == 8)
		writeq(val, where);
	else
		writel(val, where);
	return 0;
}

static const struct pmon_regs_ops pmon_mmio_ops = {
	.read = pmon_mmio_read,
	.write = pmon_mmio_write,
	.nmi_safe = true,
};

void pmon_regs_mmio(struct pmon_regs *regs, void __iomem *base, u32 size)
{
	*regs = (struct pmon_regs) {
		.ops = &pmon_mmio_ops, .mmio = base, .size = size,
	};
}
EXPORT_SYMBOL_GPL(pmon_regs_mmio);

/* Preset all-ones, because a read of a misaligned offset stores nothing. */
static u64 pmon_pci_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	const struct pci_dev *pdev = regs->pci;
	u32 low = ~0U, high = ~0U;

	pci_bus_read_config_dword(pdev->bus, pdev->devfn, regs->base + reg,
				  &low);
	if (bytes < 8)
		return low;
	pci_bus_read_config_dword(pdev->bus, pdev->devfn, regs->base + reg + 4,
				  &high);
	return (u64)high << 32 | low;
}

/* Write the high half first, because the low half starts the counter. */
static int pmon_pci_write(const struct pmon_regs *regs, u32 reg, u64 val,
			  u8 bytes)
{
	if (unlikely(bytes == 8))
		pci_write_config_dword(regs->pci, regs->base + reg + 4,
				       val >> 32);
	return pci_write_config_dword(regs->pci, regs->base + reg, val);
}

/* Not NMI-safe: the PCI core takes locks. */
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

/**
 * pmon_pci_access() - check whether a function may be accessed
 * @pdev: the function
 * @in_bar: memory in a BAR is about to be accessed
 *
 * pci_dev.current_state shows only changes by the kernel. Changes by setpci and
 * firmware are in the Power Management Control/Status Register (PCI Bus Power
 * Management Interface Specification), which is readable except in D3cold.
 * While the kernel resets a function, configuration access is blocked; memory
 * decoding is off until the kernel has restored the configuration.
 *
 * Context: any, if config space may be read.
 * Return: see &enum pmon_pci_access.
 */
enum pmon_pci_access pmon_pci_access(struct pci_dev *pdev, bool in_bar)
{
	u16 command, control;
	u32 id;

	if (READ_ONCE(pdev->current_state) == PCI_D3cold)
		return PMON_PCI_D3;
	if (pdev->block_cfg_access ||
	    pci_read_config_dword(pdev, PCI_VENDOR_ID, &id) ||
	    PCI_POSSIBLE_ERROR(id) ||
	    pci_read_config_word(pdev, PCI_COMMAND, &command) ||
	    PCI_POSSIBLE_ERROR(command))
		return PMON_PCI_NO_RESPONSE;
	if (pdev->pm_cap) {
		if (pci_read_config_word(pdev, pdev->pm_cap + PCI_PM_CTRL,
					 &control) ||
		    PCI_POSSIBLE_ERROR(control))
			return PMON_PCI_NO_RESPONSE;
		if ((control & PCI_PM_CTRL_STATE_MASK) ==
		    (__force u16)PCI_D3hot)
			return PMON_PCI_D3;
	}
	return in_bar && !(command & PCI_COMMAND_MEMORY) ?
	       PMON_PCI_NO_RESPONSE : PMON_PCI_ACCESSIBLE;
}
EXPORT_SYMBOL_GPL(pmon_pci_access);
