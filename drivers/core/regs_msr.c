// SPDX-License-Identifier: GPL-2.0-only
/*
 * Access MSRs of the calling CPU. Firmware tables give the addresses, so an MSR
 * may not exist; then a read faults, and returns all-ones. Use no rdmsr_safe()
 * or wrmsr_safe(), because their tracepoints run probes under a box's lock.
 */
#include <linux/errno.h>
#include <linux/export.h>

#include <asm/asm.h>
#include <asm/msr.h>

#include <pmon/regs.h>

/* After a fault, register 0 (rax) is @imm. */
#define PMON_MSR_FAULT(imm)	(EX_TYPE_IMM_REG | EX_DATA_IMM(imm))

static u64 pmon_msr_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	u64 val;

	asm volatile("1:	rdmsr\n"
		     "	shl $32, %%rdx\n"
		     "	or %%rdx, %0\n"
		     "2:\n"
		     _ASM_EXTABLE_TYPE(1b, 2b, PMON_MSR_FAULT(-1))
		     : "=a" (val)
		     : "c" (regs->base + reg)
		     : "rdx", "cc");
	return val;
}

/* Returns 0, or -EIO if the MSR does not exist or rejects the value. */
static int pmon_msr_write(const struct pmon_regs *regs, u32 reg, u64 val,
			  u8 bytes)
{
	int err;

	asm volatile("1:	wrmsr\n"
		     "	xorl %[err], %[err]\n"
		     "2:\n"
		     _ASM_EXTABLE_TYPE(1b, 2b, PMON_MSR_FAULT(-EIO))
		     : [err] "=a" (err)
		     : "c" (regs->base + reg), "0" ((u32)val),
		       "d" ((u32)(val >> 32))
		     : "memory", "cc");
	return err;
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
