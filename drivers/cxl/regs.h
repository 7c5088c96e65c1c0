/* SPDX-License-Identifier: GPL-2.0-only */
/* Access the registers of a CPMU. */
#ifndef PMON_CXL_REGS_H
#define PMON_CXL_REGS_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "cpmu.h"

struct pmon_regs;

struct cxl_regs {
	void __iomem *mmio;		/* CPMU_BYTES */
	const struct cpmu_caps *caps;
	u64 used;			/* counters that this driver wrote */
};

void cxl_regs_init(struct pmon_regs *regs, struct cxl_regs *priv);

#endif
