/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From what a box does now and what it shall do, to the register accesses
 * that lead there.
 */
#ifndef PMON_PLAN_H
#define PMON_PLAN_H

#include <linux/types.h>

#include <pmon/box.h>

struct pmon_event;

/* What happens to a counter. */
#define PMON_LEAVE	1	/* its event ends: it is read a last time */
#define PMON_ARRIVE	2	/* an event begins: its control is written */

/**
 * struct pmon_slot - one counter of a box
 * @hw: the event that the hardware counts there
 * @want: the event that it shall count
 * @ctl: what the control register holds
 * @next: what it shall hold, when @change says that it changes
 * @value: the counter, as last read
 * @since: not later than that reading, in nanoseconds; maybe much earlier
 * @change: %PMON_LEAVE, %PMON_ARRIVE, both or none
 */
struct pmon_slot {
	struct pmon_event *hw;
	struct pmon_event *want;
	u64 ctl;
	u64 next;
	u64 value;
	u64 since;
	u8 change;
};

/**
 * struct pmon_op - one register access
 * @reg: which register
 * @val: what to write
 * @bytes: how wide
 * @read: read slot @slot's counter instead
 * @slot: for reads
 */
struct pmon_op {
	u32 reg;
	u64 val;
	u8 bytes;
	bool read;
	u8 slot;
};

/* Longest plan: every counter gets another event without a freeze. */
#define PMON_OPS_MAX(slots)	(3 * (slots) + 3)

/**
 * struct pmon_plan - register accesses in order
 * @n: how many ops
 * @cost: how many accesses the hardware sees
 * @freezes: counters that go on counting are stopped from the first op to
 *	the last
 * @op: room for PMON_OPS_MAX(), or NULL to count only
 */
struct pmon_plan {
	unsigned int n;
	unsigned int cost;
	bool freezes;
	struct pmon_op *op;
};

/**
 * struct pmon_situation - what a plan starts from
 * @layout: where the registers are
 * @slot: pmon_layout_slots() of them, with @ctl, @next and @change set
 * @split: accesses of 8 bytes cost two
 * @running: the box is not frozen
 * @keeps: it has events that stay or arrive
 * @filter_write: the filter register must be written
 * @filter: with this
 */
struct pmon_situation {
	const struct pmon_layout *layout;
	const struct pmon_slot *slot;
	bool split;
	bool running;
	bool keeps;
	bool filter_write;
	u64 filter;
};

/* What a control that held @ctl holds once its counter is stopped. */
u64 pmon_ctl_stopped(bool split, u64 ctl);

/* Make the changes that the slots ask for. */
void pmon_plan_changes(const struct pmon_situation *now,
		       struct pmon_plan *plan);

/* Read all @slots at one moment. */
void pmon_plan_snapshot(const struct pmon_situation *now, u64 slots,
			struct pmon_plan *plan);

/* Clear the box and let it run, as a driver finds it after reset. */
void pmon_plan_release(const struct pmon_situation *now,
		       struct pmon_plan *plan);

#endif /* PMON_PLAN_H */
