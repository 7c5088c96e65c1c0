/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_PLR_CONTROL_H
#define PMON_PLR_CONTROL_H

#include <linux/types.h>

#include "mailbox.h"

#define PLR_CONTROL_SIZE	0x10

int plr_control_is_blocked(const struct pmon_regs *regs,
			   const struct plr_wait *wait, u8 id, bool *owed);
void plr_control_settle(const struct pmon_regs *regs, bool *owed);

#endif /* PMON_PLR_CONTROL_H */
