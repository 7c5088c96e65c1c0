// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which registers there are: a machine with two nodes has no Zambezis, and a
 * guest may not be permitted to use all (vf_perf_api 1.11, section 3.2).
 */
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/errno.h>

#include "probe.h"

/* Read a register to see whether it is there. One whose call would block is. */
static int vfalls_probe_reg(const struct vfalls_hv *hv, unsigned int reg)
{
	u64 value;
	int ret = vfalls_get(hv, reg, &value);

	return ret == -EAGAIN ? 0 : ret;
}

static int vfalls_probe_unit(const struct vfalls_hv *hv,
			     const struct vfalls_unit *unit)
{
	unsigned int i, reg = vfalls_unit_reg(unit);
	int ret = 0;

	for (i = 0; !ret && i < vfalls_unit_regs(unit); i++)
		ret = vfalls_probe_reg(hv, reg + i);
	return ret;
}

void vfalls_probe(const struct vfalls_hv *hv, unsigned int minor,
		  struct vfalls_found *found)
{
	unsigned int n;

	static_assert(VFALLS_UNITS <= 32);
	*found = (struct vfalls_found) {
		.strand = vfalls_probe_reg(hv, VFALLS_REG_STRAND),
		.l2 = vfalls_probe_reg(hv, VFALLS_REG_L2),
	};
	for (n = 0; n < VFALLS_UNITS; n++) {
		struct vfalls_unit unit = vfalls_unit(n);
		int ret;

		if (minor < 1 && vfalls_unit_is_zambezi(&unit))
			continue;
		ret = vfalls_probe_unit(hv, &unit);
		if (!ret)
			found->units |= BIT(n);
		else if (ret == -EACCES)
			found->denied |= BIT(n);
	}
}

bool vfalls_has(const struct vfalls_found *found, unsigned int reg)
{
	unsigned int n;

	if (reg == VFALLS_REG_STRAND)
		return !found->strand;
	if (reg == VFALLS_REG_L2)
		return !found->l2;
	for (n = 0; n < VFALLS_UNITS; n++) {
		struct vfalls_unit unit = vfalls_unit(n);
		unsigned int first = vfalls_unit_reg(&unit);

		if (reg >= first && reg < first + vfalls_unit_regs(&unit))
			return found->units & BIT(n);
	}
	return false;
}
