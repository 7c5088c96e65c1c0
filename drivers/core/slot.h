/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a bank is made of: events, as it sees them, counters, and what is known
 * of them; and how a counter is read.
 */
#ifndef PMON_SLOT_H
#define PMON_SLOT_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/types.h>

#include <pmon/box.h>
#include <pmon/regs.h>

#include "count.h"

/**
 * struct pmon_event - an event, as a bank sees it
 * @ctl: its control value
 * @filter: the filter register's value, when it @uses_filter
 * @next: of a @free_running event: the next one in the bank's list
 * @before: of a @free_running event: @pmon_slot.total of its counter, when that
 *	was last read for it
 * @allowed: counters that can count it
 * @assigned_to: the counter that it has, or -1
 * @counted_on: the counter that counts it in hardware, or -1
 * @rate_log2: as in &struct pmon_encoding
 * @stopped: keeps its counter but does not count
 * @uses_filter: counts only with @filter
 * @shares_filter: and so do all events in its box that use the filter
 * @free_running: its counter runs by itself, and others may read it too
 * @late: and has not answered since the event began
 * @snapshot: the leader of its group asks for one moment
 * @failed: it could not be started, or its last reading was refused, since
 *	@pmon_bank_ops.refused was told; its user takes that back
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
	s8 assigned_to;
	s8 counted_on;
	u8 rate_log2;
	bool stopped;		/* no bit: written at each start */
	u8 uses_filter : 1;	/* u8: to sparse a bit of bool is a byte */
	u8 shares_filter : 1;
	u8 free_running : 1;
	u8 late : 1;
	u8 snapshot : 1;
	bool failed;	/* of a byte of its own: changed without a lock */
};

/* Can these two be in one box at the same time? */
static inline bool pmon_events_agree(const struct pmon_event *a,
				     const struct pmon_event *b)
{
	return !a->shares_filter || !b->shares_filter || a->filter == b->filter;
}

/**
 * struct pmon_slot - one counter of a box
 * @counted: the event that the hardware counts there, or NULL
 * @assigned: the event that has it, or NULL
 * @ctl: what the control register holds
 * @total: of a free-running counter: what it has gained in all its readings
 * @value: the counter, as last read; more bits than it has mean nothing
 * @mask: bits of the counter
 * @since: not later than that reading, in nanoseconds; maybe much earlier
 * @began: when @counted was started, in nanoseconds
 * @filter: value of the counter's filter register: as last written, or, where
 *	@filters_known lacks the slot, as the next change writes it. Where all
 *	counters share one register, slot 0 has its value.
 * @ctr_reg: the counter
 * @ctl_reg: its control
 */
struct pmon_slot {
	struct pmon_event *counted;
	struct pmon_event *assigned;
	union {
		u64 ctl;
		u64 total;
	};
	u64 value;
	u64 mask;
	u64 since;
	u64 began;
	u64 filter;
	u32 ctr_reg;
	u32 ctl_reg;
} __aligned(64);

/* It holds less than before, in the bits that it has. */
static inline bool pmon_slot_went_back(const struct pmon_slot *slot, u64 before,
				       u64 value)
{
	return (value & slot->mask) < (before & slot->mask);
}

/*
 * A counter that is stopped, and held @before when that was last read, holds
 * @value: was it not reset meanwhile? 0 shows nothing, a reset leaves that.
 */
static inline bool pmon_slot_stands(const struct pmon_slot *slot, u64 before,
				    u64 value)
{
	return value & slot->mask && !((value ^ before) & slot->mask);
}

struct pmon_bank;

/**
 * struct pmon_bank_ops - what a bank needs of its surroundings
 * @gain: the event counted @delta more
 * @disturbed: somebody else has changed a counter or a control
 * @clock: nanoseconds that pass
 * @unresponsive: a register still reads as all-ones after some tries, or
 *	events of a bank that is @unresponsive are @failed now; or NULL, in
 *	tests, when such a reading is made up for by the next one
 * @refused: a register was not written, and events that are @failed now have
 *	not been started; or counters were not read a last time, and their
 *	events are @failed
 * @lost: the last reading of an event was refused, and it is @failed
 * @asleep: do the registers sleep, so that nothing must be accessed? Asked
 *	before the first access of a box that was idle, and at times while it
 *	counts; or NULL
 */
struct pmon_bank_ops {
	void (*gain)(struct pmon_event *event, u64 delta);
	void (*disturbed)(struct pmon_bank *bank);
	u64 (*clock)(void);
	void (*unresponsive)(struct pmon_bank *bank);
	void (*refused)(struct pmon_bank *bank);
	void (*lost)(struct pmon_event *event);
	bool (*asleep)(struct pmon_bank *bank);
};

/**
 * struct pmon_bank - the counters of one box
 * @layout: where the registers are
 * @regs: how to reach them
 * @ops: surroundings
 * @taken: slots that an event has
 * @target: of these, those whose event shall count: it is not stopped
 * @counting: slots on which the hardware counts an event
 * @touched: slots that something was asked for since the last apply
 * @controlled: slots that have a control
 * @written: slots whose control was written since the last reset; if that keeps
 *	controls, since nothing was known of them
 * @cleared: slots whose counter is 0 after a reset: all but the fixed one, of
 *	which no public document says so
 * @known: slots whose @slot.value is what the counter holds when it starts
 * @halves: slots whose control, of 8 bytes and reached in halves, may hold
 *	anything in its high half
 * @failed: slots whose event could not be started by the change that is made
 * @filters_known: slots whose filter register holds @slot.filter
 * @filters_on: slots whose filter register we have written, and with anything
 *	but off. Not forgotten when nothing is known of the box any more: it is
 *	to be handed back with all of them off
 * @own_filters: each slot has a filter register of its own
 * @dirty: something may have changed since the last pmon_bank_apply()
 * @running: the box is not frozen, it has events
 * @free_running_counts: some of the events that count are free-running
 * @used: it was written to since it was handed back
 * @gone: the hardware must not be touched any more
 * @unresponsive: registers read as all-ones: nothing is accessed but one
 *	register at each tick, or before an event is added
 * @probed: when that was done last, in nanoseconds
 * @doubted: since then its controls were not seen to stand: they may have been
 *	reset. Of a reading the control of its counter is asked first
 * @disturbed: how often another program or firmware was found to have changed
 *	something
 * @restarts: how often of these the box had been reset; set up again for the
 *	events that count
 * @refused: how often events could not be started
 * @lost: how often events could not be read a last time
 * @frozen_ns: time for which the box was frozen although it had events
 * @sure: a gain below this one is taken without questions; 0 where a counter has
 *	an @odd_width, and while the box is @doubted
 * @ctl_event: bits of a control that say which event it counts, and that read
 *	as they were written
 * @free_running: free-running events that have a counter, or did until the last
 *	apply
 * @slot: the counters, as many as @layout has
 */
struct pmon_bank {
	struct pmon_layout layout;
	struct pmon_regs regs;
	const struct pmon_bank_ops *ops;
	u64 taken;
	u64 target;
	u64 counting;
	u64 touched;
	u64 controlled;
	u64 written;
	u64 cleared;
	u64 known;
	u64 halves;
	u64 failed;
	u64 filters_known;
	u64 filters_on;
	bool own_filters;
	bool dirty;
	bool running;
	bool free_running_counts;
	bool used;
	bool gone;
	bool unresponsive;
	bool doubted;
	u64 probed;
	unsigned int disturbed;
	unsigned int restarts;
	unsigned int refused;
	unsigned int lost;
	u64 frozen_ns;
	u64 sure;
	u64 ctl_event;
	struct pmon_event *free_running;
	struct pmon_slot *slot;
};

/*
 * What a counter may gain without questions; the fastest takes a millisecond.
 */
#define PMON_DELTA_SMALL	BIT_ULL(28)

/* Instead of a gain: there was no answer. */
#define PMON_NO_READING		(~0ULL)

/* The reading @value of a slot gives cause for questions. Returns the gain. */
u64 pmon_bank_doubt(struct pmon_bank *bank, struct pmon_slot *slot, u64 value);

/*
 * The reading @value of a slot gives none: note it, and the gain. All bits of
 * the register are compared, so that a counter that has wrapped and all-ones do
 * give cause, too.
 */
static __always_inline bool pmon_bank_believes(const struct pmon_bank *bank,
					       struct pmon_slot *slot,
					       u64 value, u64 *gain)
{
	*gain = value - slot->value;
	if (unlikely(*gain >= bank->sure))
		return false;

	slot->value = value;
	return true;
}

/* Read a counter. Returns what it has gained. */
static inline u64 pmon_bank_poll(struct pmon_bank *bank, struct pmon_slot *slot)
{
	u64 value = pmon_read(&bank->regs, slot->ctr_reg, 8);
	u64 gain;

	return pmon_bank_believes(bank, slot, value, &gain) ? gain :
		pmon_bank_doubt(bank, slot, value);
}

/*
 * Read a counter that may count an event; @when is not later than now. Returns
 * false when there was no answer.
 */
static __always_inline bool pmon_bank_take(struct pmon_bank *bank,
					   struct pmon_slot *slot, u64 when)
{
	u64 gain = pmon_bank_poll(bank, slot);

	if (unlikely(gain == PMON_NO_READING))
		return false;
	slot->since = when;
	if (slot->counted && gain)
		bank->ops->gain(slot->counted, gain);
	return true;
}

/*
 * Read several. Returns the slots that were not read: after one that makes the
 * box unresponsive no other is accessed.
 */
u64 pmon_bank_take_all(struct pmon_bank *bank, u64 slots, u64 when);
/* The last reading of these events failed: so do they. */
void pmon_bank_lost(struct pmon_bank *bank, u64 slots);
void pmon_bank_lost_event(struct pmon_bank *bank, struct pmon_event *event);
/* @lost was @before: count all events that were lost since as one change. */
void pmon_bank_count_lost(struct pmon_bank *bank, unsigned int before);
/* Read a counter again that read as all-ones, a few times. */
u64 pmon_bank_read_again(const struct pmon_bank *bank, u32 reg);
/* A register still reads as all-ones. */
void pmon_bank_set_unresponsive(struct pmon_bank *bank);
/* Clear the bits of @slots in the overflow register. */
void pmon_bank_clear_wraps(struct pmon_bank *bank, u64 slots);
/* It is not doubted any more. */
void pmon_bank_trust(struct pmon_bank *bank);

/*
 * What a control that held @ctl holds once its counter is stopped. The select
 * is in the low half, and select 0 counts nothing. So where an access of 8
 * bytes takes two, stopping takes one and leaves the high half.
 */
static inline u64 pmon_ctl_stopped(const struct pmon_bank *bank, u64 ctl)
{
	return bank->regs.ops->split ? ctl & GENMASK_ULL(63, 32) : 0;
}

/*
 * How much of a control is read: where that takes two accesses, only the low
 * half if the event is there.
 */
static inline u8 pmon_bank_ctl_bytes(const struct pmon_bank *bank)
{
	return bank->regs.ops->split && !(bank->ctl_event >> 32) ?
	       4 : bank->layout.ctl_bytes;
}

/* The control of a slot, or its low half, as it is now. */
u64 pmon_bank_read_ctl(const struct pmon_bank *bank, unsigned int slot);
/* Does it read as anything but all-ones? */
bool pmon_bank_ctl_answers(const struct pmon_bank *bank, unsigned int slot);
/* The same of any control or counter of these. */
bool pmon_bank_slots_answer(const struct pmon_bank *bank, u64 slots);
/* Does it hold the event that was written to it? All-ones is no answer. */
bool pmon_bank_ctl_holds(const struct pmon_bank *bank, unsigned int slot,
			 u64 ctl);

/* All bits of what is read of a control. */
static inline u64 pmon_bank_ctl_bits(const struct pmon_bank *bank)
{
	return GENMASK_ULL(8 * pmon_bank_ctl_bytes(bank) - 1, 0);
}

/* What the controls of a box that counts say. */
enum pmon_look {
	PMON_LOOK_SILENT,	/* nothing: one does not answer */
	PMON_LOOK_STANDS,	/* the box is as it was set up */
	PMON_LOOK_RESET,	/* it was reset, and counts nothing */
};

/*
 * Look at one control, or at all when the box is doubted. If it was reset, that
 * is counted, and the box is to be set up again by the caller.
 */
enum pmon_look pmon_bank_look(struct pmon_bank *bank);

/* Somebody else has changed something. */
void pmon_bank_disturbed(struct pmon_bank *bank);

/*
 * Where a reset keeps counters, before the first events: read the counters of
 * @slots, whose filters are known and whose controls we have stopped.
 */
void pmon_bank_recall(struct pmon_bank *bank, u64 slots);

/* Filters and controls may hold anything. */
void pmon_bank_forget(struct pmon_bank *bank);
/* So may all registers of a box in which nothing counts. */
void pmon_bank_knows_nothing(struct pmon_bank *bank);

#endif /* PMON_SLOT_H */
