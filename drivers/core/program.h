/* SPDX-License-Identifier: GPL-2.0-only */
/* Start and stop events. */
#ifndef PMON_PROGRAM_H
#define PMON_PROGRAM_H

#include "verdict.h"

int pmon_write_box(struct pmon_box_hw *hw, u64 val);
void pmon_clear_ctls(struct pmon_box_hw *hw, u64 counters);
void pmon_hw_stop(struct pmon_box_hw *hw, const struct pmon_change *change,
		  struct pmon_pass *pass);
void pmon_hw_restart(struct pmon_box_hw *hw, struct pmon_pass *pass);

#endif /* PMON_PROGRAM_H */
