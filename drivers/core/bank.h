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

#include <linux/types.h>

#include <pmon/box.h>
#include <pmon/regs.h>

#include "change.h"
#include "slot.h"

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
static inline void pmon_bank_snapshot(struct pmon_bank *bank, u64 slots)
{
	slots &= bank->counting;
	if (slots && !bank->unresponsive)
		pmon_change_snapshot(bank, slots);
	if (unlikely(bank->failed))
		pmon_bank_give_up(bank);
}

/* Bring all up to date. */
void pmon_bank_sync(struct pmon_bank *bank);
/* The same, now and then, and make sure that the box still counts. */
void pmon_bank_tick(struct pmon_bank *bank);
void pmon_bank_resume(struct pmon_bank *bank);
/* How many accesses of hardware a tick takes, of a box that answers. */
unsigned int pmon_bank_tick_accesses(const struct pmon_bank *bank);

/*
 * The registers sleep: as if the hardware were gone, until it is found again.
 * If it is gone already its function is not asked.
 */
bool pmon_bank_may_fall_asleep(struct pmon_bank *bank);

static inline bool pmon_bank_falls_asleep(struct pmon_bank *bank)
{
	return unlikely(bank->ops->asleep) && pmon_bank_may_fall_asleep(bank);
}

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
 * to date, hand it back.
 */
void pmon_bank_leave(struct pmon_bank *bank);
/*
 * The device gets another owner or goes, and pmon_bank_lose() is to follow: the
 * same, if the box was used and one of its controls answers.
 */
void pmon_bank_give_over(struct pmon_bank *bank);
/* The hardware is gone: forget what it counted, keep what was asked for. */
void pmon_bank_lose(struct pmon_bank *bank);
/* It sleeps: the same, until it is found again. */
void pmon_bank_sleep(struct pmon_bank *bank);

#endif /* PMON_BANK_H */
