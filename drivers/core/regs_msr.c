// SPDX-License-Identifier: GPL-2.0-only
/*
 * Register access through MSRs of the calling CPU. Addresses come from tables
 * that firmware wrote: an MSR that does not exist must not become a stack dump,
 * so faults are caught and read as all-ones.
 */
#include <linux/export.h>

#include <asm/asm.h>
#include <compat/msr.h>

#include <pmon/regs.h>

#include "traced.h"

/* An MSR that cannot be read: register 0, which is rax, becomes -1. */
#define PMON_MSR_FAULT	(EX_TYPE_IMM_REG | EX_DATA_IMM(-1))

static noinline u64 pmon_msr_read_traced(u32 msr)
{
	bool outer = pmon_traced_begin();
	u64 val;
	int ret;

	ret = rdmsrq_safe(msr, &val);
	pmon_traced_end(outer);
	return ret ? ~0ULL : val;
}

static noinline int pmon_msr_write_traced(u32 msr, u64 val)
{
	bool outer = pmon_traced_begin();
	int ret;

	ret = wrmsrq_safe(msr, val);
	pmon_traced_end(outer);
	return ret;
}

/*
 * Most reads of perf end here, so it takes as few instructions as it can: a
 * fault makes the value all-ones, without a test.
 */
static u64 pmon_msr_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	u32 msr = regs->base + reg;
	u64 val;

	if (tracepoint_enabled(read_msr))
		return pmon_msr_read_traced(msr);

	asm volatile("1:	rdmsr\n"
		     "	shl $32, %%rdx\n"
		     "	or %%rdx, %0\n"
		     "2:\n"
		     _ASM_EXTABLE_TYPE(1b, 2b, PMON_MSR_FAULT)
		     : "=a" (val)
		     : "c" (msr)
		     : "rdx", "cc");
	return val;
}

static int pmon_msr_write(const struct pmon_regs *regs, u32 reg, u64 val,
			  u8 bytes)
{
	if (tracepoint_enabled(write_msr))
		return pmon_msr_write_traced(regs->base + reg, val);
	return wrmsrq_safe(regs->base + reg, val);
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
