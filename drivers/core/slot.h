/* SPDX-License-Identifier: GPL-2.0-only */
/* An event, as a bank sees it, and the counter that it has. */
#ifndef PMON_SLOT_H
#define PMON_SLOT_H

#include <linux/compiler.h>
#include <linux/types.h>

/**
 * struct pmon_event - an event, as a bank sees it
 * @ctl: its control value
 * @filter: the filter register's value, when it @uses_filter
 * @next: of a @free_running event: the next one in the bank's list
 * @before: of a @free_running event: its counter, as last read
 * @allowed: counters that can count it
 * @want: the counter that it has, or -1
 * @hw: the counter that counts it in hardware, or -1
 * @stopped: keeps its counter but does not count
 * @uses_filter: counts only with @filter
 * @shares_filter: and so do all events in its box that use the filter
 * @free_running: its counter runs by itself, and others may read it too
 * @special: reading it takes more than reading its counter
 * @failed: it could not be started, since @pmon_bank_ops.refused was told; its
 *	user takes that back
 */
struct pmon_event {
	union {
		u64 ctl;
		struct pmon_event *next;
	};
	union {
		u64 filter;
		u64 before;
	};
	u64 allowed;
	s8 want;
	s8 hw;
	bool stopped : 1;
	bool uses_filter : 1;
	bool shares_filter : 1;
	bool free_running : 1;
	bool special : 1;
	bool failed;	/* of a byte of its own: changed without a lock */
};

/**
 * struct pmon_slot - one counter of a box
 * @hw: the event that the hardware counts there
 * @want: the event that has it
 * @ctl: what the control register holds
 * @value: the counter, as last read; more bits than it has mean nothing
 * @mask: bits of the counter
 * @since: not later than that reading, in nanoseconds; maybe much earlier
 * @filter: value of the counter's filter register: as last written, or, where
 *	@filters_known lacks the slot, as the next change writes it. Where all
 *	counters share one register, slot 0 has its value.
 * @ctr_reg: the counter
 * @ctl_reg: its control
 */
struct pmon_slot {
	struct pmon_event *hw;
	struct pmon_event *want;
	u64 ctl;
	u64 value;
	u64 mask;
	u64 since;
	u64 filter;
	u32 ctr_reg;
	u32 ctl_reg;
} __aligned(64);

#endif /* PMON_SLOT_H */
