// SPDX-License-Identifier: GPL-2.0-only
/* Access registers in mapped memory. */
#include <linux/export.h>
#include <linux/io.h>
#include <linux/io-64-nonatomic-lo-hi.h>

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
