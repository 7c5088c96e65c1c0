/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counters of one box: what the hardware counts, what it shall count, and
 * how it gets there. Knows events only as struct pmon_event and hardware only
 * as struct pmon_regs, so it runs the same in a test.
 *
 * Changes are collected (add, del, start, stop) and made at once by
 * pmon_bank_apply(). An event that leaves and comes back in between costs
 * nothing. The caller serialises all calls for one bank.
 */
#ifndef PMON_COUNTERS_H
#define PMON_COUNTERS_H

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
 * @in_d3: is the function of the registers in D3, so that nothing must be
 *	accessed? Called before the first access of a box that was idle, and at
 *	each tick; or NULL
 */
struct pmon_bank_ops {
	void (*gain)(struct pmon_event *event, u64 delta);
	void (*disturbed)(struct pmon_bank *bank);
	u64 (*clock)(void);
	void (*unresponsive)(struct pmon_bank *bank);
	void (*refused)(struct pmon_bank *bank);
	void (*lost)(struct pmon_event *event);
	bool (*in_d3)(struct pmon_bank *bank);
};

/**
 * enum pmon_box_state - can the registers of a box be accessed?
 * @PMON_BOX_PRESENT: yes
 * @PMON_BOX_NO_CPU: no CPU that reaches them is online
 * @PMON_BOX_D3: their PCI function was found in D3
 * @PMON_BOX_REMOVED: their device has gone, or has another driver
 *
 * In all states but the first nothing is accessed and nothing counts. A later
 * one replaces an earlier one; pmon_bank_find() ends each.
 */
enum pmon_box_state {
	PMON_BOX_PRESENT,
	PMON_BOX_NO_CPU,
	PMON_BOX_D3,
	PMON_BOX_REMOVED,
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
 * @state: enum pmon_box_state
 * @unresponsive: registers read as all-ones: nothing is accessed but one
 *	register at each tick, or before an event is added
 * @probed: when that was done last, in nanoseconds
 * @disturbed: how often another program or firmware was found to have changed
 *	something
 * @restarts: how often of these the box had been reset; set up again for the
 *	events that count
 * @refused: how often events could not be started
 * @lost: how often events could not be read a last time
 * @frozen_ns: time for which the box was frozen although it had events
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
	enum pmon_box_state state;
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
	bool unresponsive;
	u64 probed;
	unsigned int disturbed;
	unsigned int restarts;
	unsigned int refused;
	unsigned int lost;
	u64 frozen_ns;
	u64 ctl_event;
	struct pmon_event *free_running;
	struct pmon_slot *slot;
};

/* Instead of a gain: there was no answer. */
#define PMON_NO_READING		(~0ULL)

/*
 * Slow path: the gain is large or the device did not respond. Returns the gain.
 */
u64 pmon_bank_recheck(struct pmon_bank *bank, struct pmon_slot *slot,
		      u64 value);

/*
 * Read a counter. Returns what it has gained. All bits of the register are
 * compared, so a counter that has wrapped and all-ones take the slow path.
 */
static inline u64 pmon_bank_poll(struct pmon_bank *bank, struct pmon_slot *slot)
{
	u64 value = pmon_read(&bank->regs, slot->ctr_reg, 8);
	u64 gain = value - slot->value;

	if (unlikely(gain >= bank->layout.max_delta))
		return pmon_bank_recheck(bank, slot, value);
	slot->value = value;
	return gain;
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
/* Read a counter, in one piece, and a few times if it reads as all-ones. */
u64 pmon_bank_read_slot(const struct pmon_bank *bank,
			const struct pmon_slot *slot);
/* A register still reads as all-ones. */
void pmon_bank_set_unresponsive(struct pmon_bank *bank);
/* Clear the bits of @slots in the overflow register. */
void pmon_bank_clear_wraps(struct pmon_bank *bank, u64 slots);

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
/* Does it hold the event that was written to it? All-ones is no answer. */
bool pmon_bank_ctl_holds(const struct pmon_bank *bank, unsigned int slot,
			 u64 ctl);

/* All bits of what is read of a control. */
static inline u64 pmon_bank_ctl_bits(const struct pmon_bank *bank)
{
	return GENMASK_ULL(8 * pmon_bank_ctl_bytes(bank) - 1, 0);
}

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

/* ---- bank.c: what is to be counted --------------------------------------- */

/* The box is there, in an unknown state. Its table of counters is kept. */
void pmon_bank_find(struct pmon_bank *bank, const struct pmon_layout *layout,
		    const struct pmon_regs *regs);

/* Just found, and the controls of these select nothing. */
void pmon_bank_is_off(struct pmon_bank *bank, u64 slots);

/* Give an event a counter; false when there is none for it. */
bool pmon_bank_add(struct pmon_bank *bank, struct pmon_event *event);
/* Take its counter away. It may still be counted until apply. */
void pmon_bank_del(struct pmon_bank *bank, struct pmon_event *event);
/* Let an event that has a counter count or not. */
void pmon_bank_set_stopped(struct pmon_bank *bank, struct pmon_event *event,
			   bool stopped);
/* Make the hardware do what was asked for since the last time. */
void pmon_bank_apply(struct pmon_bank *bank);

/* Bring one event up to date. */
void pmon_bank_read(struct pmon_bank *bank, struct pmon_event *event);
/* The change that was just made could not start events, or all have stopped. */
void pmon_bank_give_up(struct pmon_bank *bank);

/* Bring several up to date as of one moment; @slots are those of the events. */
void pmon_bank_snapshot(struct pmon_bank *bank, u64 slots);

/* Bring all up to date. */
void pmon_bank_sync(struct pmon_bank *bank);
/* The same, now and then, and make sure that the box still counts. */
void pmon_bank_tick(struct pmon_bank *bank);
void pmon_bank_resume(struct pmon_bank *bank);
/* How many accesses of hardware a tick takes, of a box that answers. */
unsigned int pmon_bank_tick_accesses(const struct pmon_bank *bank);

/* Does a box whose function is in D3 count nothing now? */
bool pmon_bank_enters_d3(struct pmon_bank *bank);

/*
 * May an event be added? Not while the box is unresponsive; one register is
 * read to see whether it still is, at an event's @first add and else now and
 * then.
 */
bool pmon_bank_responds(struct pmon_bank *bank, bool first);

/* Clear the box and let it run, if it was ever used. */
void pmon_bank_release(struct pmon_bank *bank);
/*
 * The last CPU that reaches the box goes, or the box is given up: bring all up
 * to date, hand it back. It enters PMON_BOX_NO_CPU.
 */
void pmon_bank_leave(struct pmon_bank *bank);
/*
 * The device gets another owner or goes, and pmon_bank_lose() is to follow: the
 * same, if the box was used and one of its controls answers.
 */
void pmon_bank_give_over(struct pmon_bank *bank);
/*
 * Access the registers no more, and count nothing: the box enters @state, never
 * PMON_BOX_PRESENT. What was asked for is kept, but events fail in D3; and if
 * the box was used, unless it is removed, that it is still to be handed back.
 */
void pmon_bank_lose(struct pmon_bank *bank, enum pmon_box_state state);

/* ---- change.c: which register accesses, and in which order -------------- */

/**
 * struct pmon_change - what happens to the counters of an active box
 * @leave: slots whose event ends: they are read a last time
 * @arrive: slots on which an event begins: their control is written
 * @over: slots of both on which an event of the same control follows. The
 *	counter counts on, and one reading is the end of the one and the start
 *	of the other.
 * @filters: slots whose filter register must be written; slot 0 when there is
 *	one for all
 * @when: a moment before the first access
 */
struct pmon_change {
	u64 leave;
	u64 arrive;
	u64 over;
	u64 filters;
	u64 when;
};

/*
 * Controls and the filter are noted in the bank, what was read in the events.
 * A filter's value is @slot.filter.
 */

/* The box becomes active: @slots shall count. */
void pmon_change_begin(struct pmon_bank *bank, u64 slots, u64 filters);

/* It becomes idle. */
void pmon_change_end(struct pmon_bank *bank);

/* It stays active, and events stop or start. */
void pmon_change_active(struct pmon_bank *bank, struct pmon_change *change);

/*
 * Read all @slots at one moment. If the box does not run again all have failed.
 */
void pmon_change_snapshot(struct pmon_bank *bank, u64 slots);

/* Clear the box and let it run, as a driver finds it after reset. */
void pmon_change_release(struct pmon_bank *bank);

/*
 * The filter register, named by its slot, that an event arriving on slot @i
 * needs and that does not hold its filter; or none.
 */
u64 pmon_needs_filter(struct pmon_bank *bank, unsigned int i,
		      const struct pmon_event *event);

/*
 * ---- free_running.c: counters that run by themselves -----------------------
 *
 * Nothing controls them, so an event is the difference of two readings, and any
 * number of events can share a counter. As with other counters, changes are
 * collected until apply.
 */

void pmon_free_running_add(struct pmon_bank *bank, struct pmon_event *event);
void pmon_free_running_del(struct pmon_bank *bank, struct pmon_event *event);
/* After the other counters, of a bank that has such events. */
void pmon_free_running_apply(struct pmon_bank *bank);
/*
 * Bring an event that counts up to date. Returns false when the hardware did
 * not answer.
 */
bool pmon_free_running_read(struct pmon_bank *bank, struct pmon_event *event);
/* Read all that count a last time; they count no more. */
void pmon_free_running_end_all(struct pmon_bank *bank);
/* All events that count, or are about to, fail. */
void pmon_free_running_fail(struct pmon_bank *bank);
/* All of them; @when is not later than now. */
void pmon_free_running_sync(struct pmon_bank *bank, u64 when);
/* The machine slept: a counter that holds less than before was reset. */
void pmon_free_running_resume(struct pmon_bank *bank);
/* The hardware is gone. */
void pmon_free_running_lose(struct pmon_bank *bank);

#endif /* PMON_COUNTERS_H */
