/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_PLR_PLACE_H
#define PMON_PLR_PLACE_H

#include <linux/types.h>

#define PLR_MSR_LOGICAL_ID	0x54

/**
 * struct plr_place - which module a CPU belongs to
 * @package: package id
 * @domain: power domain in the package
 * @module: module in the domain, the ID of the mailbox
 */
struct plr_place {
	u16 package;
	u8 domain;
	u8 module;
};

int plr_place_decode(u64 msr, struct plr_place *place);

#endif /* PMON_PLR_PLACE_H */
