/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_PLR_LOGICAL_ID_H
#define PMON_PLR_LOGICAL_ID_H

#include <linux/types.h>

#define PLR_MSR_LOGICAL_ID	0x54

/**
 * struct plr_logical_id - where a CPU is, in the terms of the power unit
 * @domain: power domain, unique in the package
 * @module: core, or cluster of efficient cores, within the domain
 * @lp: logical processor within the module
 */
struct plr_logical_id {
	u8 domain;
	u8 module;
	u8 lp;
};

int plr_logical_id_decode(u64 msr, struct plr_logical_id *id);

#endif /* PMON_PLR_LOGICAL_ID_H */
