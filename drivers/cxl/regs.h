/* SPDX-License-Identifier: GPL-2.0-only */
/* Access the registers of a CPMU. */
#ifndef PMON_CXL_REGS_H
#define PMON_CXL_REGS_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "cpmu.h"

struct pmon_regs;

/* The box lock, or cxl.lock without a box, protects @cached and below. */
struct cxl_regs {
	void __iomem *mmio;		/* CPMU_BYTES */
	const struct cpmu_caps *caps;
	u64 cached;			/* counters with a valid @config */
	u64 used;			/* counters that this driver wrote */
	u64 frozen;			/* counters that this driver froze */
	bool no_response;		/* cleared when a control is read */
	u64 config[CPMU_COUNTERS_MAX];	/* Counter Configuration registers */
};

void cxl_regs_init(struct pmon_regs *regs, struct cxl_regs *priv);
u64 cxl_read_config(struct cxl_regs *regs, unsigned int i);

#endif
