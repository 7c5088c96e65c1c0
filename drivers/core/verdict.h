/* SPDX-License-Identifier: GPL-2.0-only */
/* React to the findings of reads. */
#ifndef PMON_VERDICT_H
#define PMON_VERDICT_H

#include "read.h"

u64 pmon_hw_react(struct pmon_box_hw *hw, u64 odd, struct pmon_pass *pass);
void pmon_hw_count_disturbance(struct pmon_box_hw *hw);
void pmon_hw_check_clock(struct pmon_box_hw *hw, u64 counters, u64 now);

/* Read the active @counters; returns the counters that gave no value. */
static __always_inline u64 pmon_hw_read_pass(struct pmon_box_hw *hw,
					     u64 counters,
					     struct pmon_pass *pass)
{
	u64 odd;

	if (unlikely(hw->state != PMON_BOX_READY))
		return counters;
	odd = pmon_read_pass(hw, counters, pass);
	return unlikely(odd) ? pmon_hw_react(hw, odd, pass) : 0;
}

/* Check controls; returns false if the box does not respond. */
static inline bool pmon_hw_check(struct pmon_box_hw *hw, u64 counters,
				 bool box_ctl, struct pmon_pass *pass)
{
	pmon_check(hw, counters, box_ctl, pass);
	if (unlikely(pass->ctl != PMON_CTL_UNCHANGED))
		pmon_hw_react(hw, 0, pass);
	return !pass->silent_bytes;
}

#endif /* PMON_VERDICT_H */
