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
#ifndef PMON_BANK_H
#define PMON_BANK_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/types.h>

#include <pmon/box.h>
#include <pmon/regs.h>

#include "count.h"
#include "slot.h"

struct pmon_bank;

/**
 * struct pmon_bank_ops - what a bank needs of its surroundings
 * @gain: the event counted @delta more
 * @disturbed: somebody else has changed a counter or a control
 * @clock: nanoseconds that pass
 * @silent: a register was read as all-ones; or NULL when that has no
 *	other reason than that nothing answers
 * @refused: a register was not written, and events that are @failed now have
 *	not been started
 * @asleep: do the registers sleep, so that nothing must be accessed? Asked
 *	before the first access of a box that was idle, and at times while it
 *	counts; or NULL
 */
struct pmon_bank_ops {
	void (*gain)(struct pmon_event *event, u64 delta);
	void (*disturbed)(struct pmon_bank *bank);
	u64 (*clock)(void);
	void (*silent)(struct pmon_bank *bank);
	void (*refused)(struct pmon_bank *bank);
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
 * @own_filters: each slot has a filter register of its own
 * @dirty: something may have changed since the last pmon_bank_apply()
 * @running: the box is not frozen, it has events
 * @free_counting: some of the events that count are free-running
 * @used: it was written to since it was handed back
 * @gone: the hardware must not be touched any more
 * @silent: a register read as all-ones, and @ops are asking why; until they
 *	know, nothing is read that need not be
 * @disturbed: how often another program or firmware was found to have changed
 *	something
 * @restarts: how often of these the box had been reset, and was set up again
 * @refused: how often events could not be started
 * @frozen_ns: time for which the box was frozen although it had events
 * @ctl_mask: bits of a control that read as they were written
 * @free: free running events that have a counter, or did until the last apply
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
	bool own_filters;
	bool dirty;
	bool running;
	bool free_counting;
	bool used;
	bool gone;
	bool silent;
	unsigned int disturbed;
	unsigned int restarts;
	unsigned int refused;
	u64 frozen_ns;
	u64 ctl_mask;
	struct pmon_event *free;
	struct pmon_slot *slot;
};

/* The box is there, in an unknown state. Its table of counters is kept. */
void pmon_bank_find(struct pmon_bank *bank, const struct pmon_layout *layout,
		    const struct pmon_regs *regs);

/* Give an event a counter; false when there is none for it. */
bool pmon_bank_add(struct pmon_bank *bank, struct pmon_event *event);
/* Take its counter away. It may still be counted until apply. */
void pmon_bank_del(struct pmon_bank *bank, struct pmon_event *event);
/* Let an event that has a counter count or not. */
void pmon_bank_set_stopped(struct pmon_bank *bank, struct pmon_event *event,
			   bool stopped);
/* Make the hardware do what was asked for since the last time. */
void pmon_bank_apply(struct pmon_bank *bank);

/* What a counter may gain without questions; the fastest takes a millisecond. */
#define PMON_DELTA_SMALL	BIT_ULL(28)

/* Instead of a gain: there was no answer. */
#define PMON_NO_READING		(~0ULL)

/* The reading @value of a slot gives cause for questions. Returns the gain. */
u64 pmon_bank_doubt(struct pmon_bank *bank, struct pmon_slot *slot, u64 value);

/* Read a counter. Returns what it has gained. */
static inline u64 pmon_bank_poll(struct pmon_bank *bank, struct pmon_slot *slot)
{
	u64 value = pmon_read(&bank->regs, slot->ctr_reg, 8);
	u64 delta = pmon_delta(slot->value, value, slot->mask);

	if (unlikely(delta >= PMON_DELTA_SMALL || value == ~0ULL))
		return pmon_bank_doubt(bank, slot, value);

	slot->value = value;
	return delta;
}

/* Read a counter that may count an event; @when is not later than now. */
void pmon_bank_take(struct pmon_bank *bank, unsigned int slot, u64 when);
/* The same of several. */
void pmon_bank_take_all(struct pmon_bank *bank, u64 slots, u64 when);
/* Bring one event up to date. */
void pmon_bank_read(struct pmon_bank *bank, struct pmon_event *event);
/* Bring several up to date as of one moment; @slots are those of the events. */
void pmon_bank_snapshot(struct pmon_bank *bank, u64 slots);
/* Bring all up to date. */
void pmon_bank_sync(struct pmon_bank *bank);
/* The same, now and then, and make sure that the box still counts. */
void pmon_bank_tick(struct pmon_bank *bank);
void pmon_bank_resume(struct pmon_bank *bank);

/* Filters and controls may hold anything. */
void pmon_bank_forget(struct pmon_bank *bank);

/* The change that was just made could not start events, or all have stopped. */
void pmon_bank_give_up(struct pmon_bank *bank);

/* A register was read as all-ones. */
void pmon_bank_is_silent(struct pmon_bank *bank);

/* The registers sleep: as if the hardware were gone, until it is found again. */
bool pmon_bank_falls_asleep(struct pmon_bank *bank);

/* Clear the box and let it run, if it was ever used. */
void pmon_bank_release(struct pmon_bank *bank);
/* The last CPU that reaches the box goes: bring all up to date, hand it back. */
void pmon_bank_leave(struct pmon_bank *bank);
/* The hardware is gone: forget what it counted, keep what was asked for. */
void pmon_bank_lose(struct pmon_bank *bank);

#endif /* PMON_BANK_H */
