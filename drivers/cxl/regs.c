// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registers of a CPMU. The two filters of a counter are registers of four
 * bytes side by side; what the engine takes for one of eight is written to
 * both.
 */
#include <linux/io.h>
#include <linux/io-64-nonatomic-lo-hi.h>

#include "cxl.h"

static u64 cxl_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	void __iomem *where = regs->mmio + reg;

	return bytes == 8 ? readq(where) : readl(where);
}

static int cxl_write(const struct pmon_regs *regs, u32 reg, u64 val, u8 bytes)
{
	void __iomem *where = regs->mmio + reg;
	bool filters = reg >= CPMU_FILTER(0, 0) && reg < CPMU_DATA(0);

	if (bytes == 8 && !filters) {
		writeq(val, where);
		return 0;
	}
	writel(val, where);
	if (bytes == 8)
		writel(val >> 32, where + 4);
	return 0;
}

static const struct pmon_regs_ops cxl_regs_ops = {
	.read = cxl_read,
	.write = cxl_write,
	.nmi_safe = true,
};

void cxl_regs(struct pmon_regs *regs, void __iomem *mmio)
{
	*regs = (struct pmon_regs) {
		.ops = &cxl_regs_ops, .mmio = mmio, .size = CPMU_BYTES,
	};
}
