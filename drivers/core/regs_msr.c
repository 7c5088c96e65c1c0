// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model-specific registers of the calling CPU. Unit addresses come from tables
 * that firmware wrote: an MSR that does not exist must not become a stack
 * dump, so faults are caught and read as all-ones.
 */
#include <linux/export.h>

#include <asm/msr.h>

#include <pmon/regs.h>

static u64 pmon_msr_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	u64 val;

	return rdmsrl_safe(regs->base + reg, &val) ? ~0ULL : val;
}

static void pmon_msr_write(const struct pmon_regs *regs, u32 reg, u64 val,
			   u8 bytes)
{
	wrmsrl_safe(regs->base + reg, val);
}

static const struct pmon_regs_ops pmon_msr_ops = {
	.read = pmon_msr_read,
	.write = pmon_msr_write,
	.nmi_safe = true,
};

void pmon_regs_msr(struct pmon_regs *regs, u32 base)
{
	*regs = (struct pmon_regs) { .ops = &pmon_msr_ops, .base = base };
}
EXPORT_SYMBOL_GPL(pmon_regs_msr);
