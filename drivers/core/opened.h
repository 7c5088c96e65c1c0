/* SPDX-License-Identifier: GPL-2.0-only */
/* What is done each time that an event is opened. */
#ifndef PMON_OPENED_H
#define PMON_OPENED_H

#include <linux/atomic.h>

/* How often that was so far. */
extern atomic_t pmon_events_opened;

/*
 * An event is being opened, and perf has not listed it yet. What was seen
 * before says that its PMU is not dead. Pairs with pmon_owner_settled().
 */
static inline void pmon_event_opens(void)
{
	smp_mb__before_atomic();	/* after that was seen */
	atomic_inc(&pmon_events_opened);
	smp_mb__after_atomic();		/* before perf lists it */
}

#endif /* PMON_OPENED_H */
