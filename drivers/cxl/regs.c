// SPDX-License-Identifier: GPL-2.0-only
/*
 * Access the registers of a CPMU. While a counter is enabled, frozen or not,
 * only the Enable bit may be changed (CXL 4.0, 8.2.7.2), so regs->config has a
 * copy of each Counter Configuration register. The register is read where
 * another agent may have changed the value.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/io.h>
#include <linux/io-64-nonatomic-lo-hi.h>

#include <pmon/regs.h>

#include "regs.h"

/*
 * If a register reads as all-ones, the device may lose writes. So invalidate
 * all copies, and keep no copy of a write until a control is read again.
 */
static u64 cxl_readq(struct cxl_regs *regs, u32 reg)
{
	u64 value = readq(regs->mmio + reg);

	if (value == ~0ULL) {
		regs->cached = 0;
		regs->no_response = true;
	}
	return value;
}

/* Read a control. If it differs from the copy, drop the other copies. */
u64 cxl_read_config(struct cxl_regs *regs, unsigned int i)
{
	u64 value = cxl_readq(regs, CPMU_CFG(i));

	if (value == ~0ULL)
		return value;
	if (regs->cached & BIT_ULL(i) && regs->config[i] != value)
		regs->cached = 0;
	regs->no_response = false;
	regs->config[i] = value;
	regs->cached |= BIT_ULL(i);
	return value;
}

/* If the read fails, return the copy with Enable set: callers clear Enable. */
static u64 cxl_get_config(struct cxl_regs *regs, unsigned int i)
{
	u64 value = regs->cached & BIT_ULL(i) ? regs->config[i] :
						cxl_read_config(regs, i);

	return value == ~0ULL ? regs->config[i] | CPMU_CFG_ENABLE : value;
}

static void cxl_set_config(struct cxl_regs *regs, unsigned int i, u64 value)
{
	writeq(value, regs->mmio + CPMU_CFG(i));
	regs->config[i] = value;
	if (!regs->no_response)
		regs->cached |= BIT_ULL(i);
	regs->used |= BIT_ULL(i);
}

static void cxl_disable(struct cxl_regs *regs, unsigned int i)
{
	u64 old = cxl_get_config(regs, i);

	if (old & CPMU_CFG_ENABLE)
		cxl_set_config(regs, i, old & ~CPMU_CFG_ENABLE);
}

/*
 * Write @ctl. If @ctl has no Enable bit, clear only Enable. Another agent may
 * have set Enable, so first update a copy that lacks the bit.
 */
static void cxl_write_config(struct cxl_regs *regs, unsigned int i, u64 ctl)
{
	u64 old = cxl_get_config(regs, i);

	if (ctl & CPMU_CFG_ENABLE) {
		ctl = cpmu_config(old, ctl);
		if (ctl != old)
			cxl_disable(regs, i);
		cxl_set_config(regs, i, ctl);
		return;
	}
	if (!(old & CPMU_CFG_ENABLE))
		cxl_read_config(regs, i);
	cxl_disable(regs, i);
}

static void cxl_write_filters(struct cxl_regs *regs, u32 reg, u64 val, u8 bytes)
{
	void __iomem *where = regs->mmio + reg;

	cxl_disable(regs, (reg - CPMU_FILTER(0, 0)) / CPMU_FILTER_BYTES);
	writel(val, where);
	if (bytes == 8)
		writel(val >> 32, where + 4);
}

static void cxl_freeze(struct cxl_regs *regs, u64 counters)
{
	writeq(counters, regs->mmio + CPMU_FREEZE);
	regs->frozen = counters;
}

/*
 * Return true if another agent has frozen a counter with an event. All-ones
 * mean no response, because bits of missing counters read as 0 (CXL 4.0, table
 * 8-183); if none is missing, the capability is all-ones, too. drivers/core
 * detects no response by the controls.
 */
static bool cxl_is_frozen(struct cxl_regs *regs)
{
	u64 frozen = cxl_readq(regs, CPMU_FREEZE);

	if (frozen == ~0ULL && (regs->caps->freezable != ~0ULL ||
				cxl_readq(regs, CPMU_CAP) == ~0ULL))
		return false;
	frozen &= ~regs->frozen & regs->used;
	for (; frozen; frozen &= frozen - 1)
		if (regs->config[__ffs64(frozen)] & CPMU_CFG_ENABLE)
			return true;
	return false;
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
 * because the function may have been in D3. Clear the Overflow Status register,
 * because the next owner would count a set bit as a wrap.
 */
static void cxl_reset_used(const struct pmon_regs *pmon_regs)
{
	struct cxl_regs *regs = pmon_regs->priv;
	u64 used;

	if (regs->caps->can_freeze)
		cxl_freeze(regs, regs->caps->freezable);
	for (used = regs->used; used; used &= used - 1) {
		unsigned int i = __ffs64(used);

		cxl_read_config(regs, i);
		cxl_disable(regs, i);
		cxl_reset_filters(regs, i);
		cxl_set_config(regs, i, cpmu_config(cxl_get_config(regs, i),
						    CPMU_CFG_RESET));
	}
	regs->used = 0;
	writeq(regs->caps->freezable, regs->mmio + CPMU_OVERFLOW);
	if (regs->caps->can_freeze)
		cxl_freeze(regs, 0);
}

static bool cxl_is_config(u32 reg)
{
	return reg >= CPMU_CFG(0) && reg < CPMU_CFG(CPMU_COUNTERS_MAX);
}

/*
 * Return 0 for a disabled control. For the Freeze register, return 1 if another
 * agent has frozen events, else 0.
 */
static u64 cxl_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	struct cxl_regs *priv = regs->priv;
	unsigned int i = (reg - CPMU_CFG(0)) / 8;
	u64 value;

	if (reg == CPMU_FREEZE)
		return cxl_is_frozen(priv);
	if (!cxl_is_config(reg))
		return cxl_readq(priv, reg);
	value = cxl_read_config(priv, i);
	if (value == ~0ULL)
		return value;
	return value & CPMU_CFG_ENABLE ? value : 0;
}

static int cxl_write(const struct pmon_regs *regs, u32 reg, u64 val, u8 bytes)
{
	struct cxl_regs *priv = regs->priv;

	if (cxl_is_config(reg))
		cxl_write_config(priv, (reg - CPMU_CFG(0)) / 8, val);
	else if (reg >= CPMU_FILTER(0, 0))
		cxl_write_filters(priv, reg, val, bytes);
	else
		cxl_freeze(priv, val & priv->caps->freezable);
	return 0;
}

static const struct pmon_regs_ops cxl_regs_ops = {
	.read = cxl_read,
	.write = cxl_write,
	.release = cxl_reset_used,
	.nmi_safe = true,
};

void cxl_regs_init(struct pmon_regs *regs, struct cxl_regs *priv)
{
	*regs = (struct pmon_regs) {
		.ops = &cxl_regs_ops, .priv = priv, .size = CPMU_BYTES,
	};
}
