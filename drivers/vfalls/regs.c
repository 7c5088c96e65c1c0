// SPDX-License-Identifier: GPL-2.0-only
/*
 * Register access by calls of the hypervisor. Any CPU reaches the registers of
 * a unit, and a call neither sleeps nor takes a lock.
 */
#include <linux/errno.h>

#include <asm/processor.h>

#include "hcall.h"
#include "units.h"
#include "vfalls.h"

/* Calls that would have blocked, and accesses that were given up for it. */
atomic_long_t vfalls_blocked;
atomic_long_t vfalls_missed;
/* Settings that were not in force any more when their event ended: holds.c. */
atomic_long_t vfalls_overwritten;

static unsigned long vfalls_hv_get(unsigned long reg, u64 *value)
{
	unsigned long got, status = vfalls_get_perfreg(reg, &got);

	if (status == VFALLS_EOK)
		*value = got;
	return status;
}

static unsigned long vfalls_hv_set(unsigned long reg, u64 value)
{
	return vfalls_set_perfreg(reg, value);
}

static void vfalls_hv_blocked(bool last)
{
	atomic_long_inc(&vfalls_blocked);
	if (last)
		atomic_long_inc(&vfalls_missed);
	else
		cpu_relax();
}

const struct vfalls_hv vfalls_hv = {
	.get = vfalls_hv_get, .set = vfalls_hv_set,
	.blocked = vfalls_hv_blocked,
};

/*
 * A register that the hypervisor does not permit is noted, so that later events
 * are refused when they are opened.
 */
static int vfalls_judge(const struct pmon_regs *regs, int ret)
{
	struct vfalls_box *box = regs->priv;

	if (ret == -EACCES)
		WRITE_ONCE(box->denied, true);
	return ret;
}

static u64 vfalls_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	u64 value;
	int ret = vfalls_get(&vfalls_hv, regs->base + reg, &value);

	return vfalls_judge(regs, ret) ? ~0ULL : value;
}

static int vfalls_write(const struct pmon_regs *regs, u32 reg, u64 val,
			u8 bytes)
{
	return vfalls_judge(regs,
			    vfalls_set(&vfalls_hv, regs->base + reg, val));
}

static const struct pmon_regs_ops vfalls_ops = {
	.read = vfalls_read, .write = vfalls_write,
};

/**
 * vfalls_regs() - the registers of a unit, part by part
 * @regs: gets them
 * @box: of the unit
 * @unit: the unit
 */
void vfalls_regs(struct pmon_regs *regs, struct vfalls_box *box,
		 const struct vfalls_unit *unit)
{
	box->packed.regs = (struct pmon_regs) {
		.ops = &vfalls_ops, .base = vfalls_unit_reg(unit), .priv = box,
	};
	box->packed.part = vfalls_parts(unit);
	box->packed.parts = VFALLS_PARTS;
	pmon_regs_packed(regs, &box->packed);
}
