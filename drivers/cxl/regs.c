// SPDX-License-Identifier: GPL-2.0-only
/*
 * Access the registers of a CPMU. While a counter is enabled, frozen or not,
 * only the Enable bit of its Counter Configuration register may be changed (CXL
 * 4.0, 8.2.7.2). drivers/core keeps a copy of the register.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/io.h>
#include <linux/io-64-nonatomic-lo-hi.h>

#include <pmon/regs.h>

#include "cpmu.h"

static u64 cxl_disable(struct cxl_regs *regs, u32 reg, u64 old)
{
	if (old & CPMU_CFG_ENABLE)
		writeq(old & ~CPMU_CFG_ENABLE, regs->mmio + reg);
	return old & ~CPMU_CFG_ENABLE;
}

/* Change a control that holds @old to @ctl; without Enable only disable it. */
static u64 cxl_write_ctl(const struct pmon_regs *pmon_regs, u32 reg, u64 old,
			 u64 ctl)
{
	struct cxl_regs *regs = pmon_regs->priv;

	regs->used |= BIT_ULL((reg - CPMU_CFG(0)) / 8);
	if (!(ctl & CPMU_CFG_ENABLE))
		return cxl_disable(regs, reg, old);
	ctl = cpmu_config(old, ctl);
	if (ctl != old)
		cxl_disable(regs, reg, old);
	writeq(ctl, regs->mmio + reg);
	return ctl;
}

static void cxl_reset_filters(struct cxl_regs *regs, unsigned int i)
{
	if (regs->caps->filters & CPMU_FILTER_HDM)
		writel(U32_MAX, regs->mmio + CPMU_FILTER(i, 0));
	if (regs->caps->filters & CPMU_FILTER_CRB)
		writel(U32_MAX, regs->mmio + CPMU_FILTER(i, 1));
}

/*
 * Set used counters to their state after a reset. Read each control before,
 * because the function may have been in D3; leave one that does not respond.
 * Clear the Overflow Status register, because the next owner would count a set
 * bit as a wrap.
 */
static void cxl_reset_used(const struct pmon_regs *pmon_regs)
{
	struct cxl_regs *regs = pmon_regs->priv;

	if (regs->caps->can_freeze)
		writeq(regs->caps->freezable, regs->mmio + CPMU_FREEZE);
	for (; regs->used; regs->used &= regs->used - 1) {
		unsigned int i = __ffs64(regs->used);
		u64 old = readq(regs->mmio + CPMU_CFG(i));

		if (old == ~0ULL)
			continue;
		old = cxl_disable(regs, CPMU_CFG(i), old);
		cxl_reset_filters(regs, i);
		writeq(cpmu_config(old, CPMU_CFG_RESET),
		       regs->mmio + CPMU_CFG(i));
	}
	writeq(regs->caps->freezable, regs->mmio + CPMU_OVERFLOW);
	if (regs->caps->can_freeze)
		writeq(0, regs->mmio + CPMU_FREEZE);
}

static u64 cxl_read(const struct pmon_regs *pmon_regs, u32 reg, u8 bytes)
{
	const struct cxl_regs *regs = pmon_regs->priv;

	return readq(regs->mmio + reg);
}

/* Write filters, or freeze counters that can be frozen. */
static int cxl_write(const struct pmon_regs *pmon_regs, u32 reg, u64 val,
		     u8 bytes)
{
	const struct cxl_regs *regs = pmon_regs->priv;

	if (reg == CPMU_FREEZE) {
		writeq(val & regs->caps->freezable, regs->mmio + reg);
		return 0;
	}
	writel(val, regs->mmio + reg);
	if (bytes == 8)
		writel(val >> 32, regs->mmio + reg + 4);
	return 0;
}

static const struct pmon_regs_ops cxl_regs_ops = {
	.read = cxl_read,
	.write = cxl_write,
	.write_ctl = cxl_write_ctl,
	.release = cxl_reset_used,
	.nmi_safe = true,
};

void cxl_regs_init(struct pmon_regs *regs, struct cxl_regs *priv)
{
	*regs = (struct pmon_regs) {
		.ops = &cxl_regs_ops, .priv = priv, .size = CPMU_BYTES,
	};
}
