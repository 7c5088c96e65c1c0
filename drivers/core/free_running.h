/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters that run by themselves: nothing controls them, so an event is the
 * difference of two readings, and any number of events can share a counter.
 * As with other counters, changes are collected until apply.
 */
#ifndef PMON_FREE_RUNNING_H
#define PMON_FREE_RUNNING_H

#include "slot.h"

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
/* The box does not respond: all events that count fail. */
void pmon_free_running_fail(struct pmon_bank *bank);
/* All of them; @when is not later than now. */
void pmon_free_running_sync(struct pmon_bank *bank, u64 when);
/* The machine slept: a counter that holds less than before was reset. */
void pmon_free_running_resume(struct pmon_bank *bank);
/* The hardware is gone. */
void pmon_free_running_lose(struct pmon_bank *bank);

#endif /* PMON_FREE_RUNNING_H */
