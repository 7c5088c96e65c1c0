// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs work that perf's callbacks, the wrap timer and NMIs ask for but cannot
 * do themselves, because it prints, takes a mutex or moves events: an irq_work
 * starts it. The parts of the engine that do the work register a function for
 * it.
 */
#include <linux/irq_work.h>

#include "core.h"

struct pmon_later {
	struct irq_work irq;
	void (*fn)(void);
};

static void pmon_later_run(struct irq_work *irq)
{
	container_of(irq, struct pmon_later, irq)->fn();
}

static struct pmon_later pmon_laters[] = {
	[PMON_LATER_TELL] = { .irq = IRQ_WORK_INIT(pmon_later_run) },
	[PMON_LATER_POWER] = { .irq = IRQ_WORK_INIT(pmon_later_run) },
};

/*
 * Ask for work of this kind. Called with interrupts off, also in NMIs, and
 * often with the lock of a box held.
 */
void pmon_later(enum pmon_later_kind kind)
{
	lockdep_assert_irqs_disabled();
	irq_work_queue(&pmon_laters[kind].irq);
}

/*
 * @fn is called, with interrupts off, after work of this kind was asked for;
 * once if it was asked for several times. Call this before the first box is
 * created.
 */
void pmon_later_begin(enum pmon_later_kind kind, void (*fn)(void))
{
	pmon_laters[kind].fn = fn;
}

/*
 * No more work of this kind will be asked for: wait until the last one is done.
 */
void pmon_later_end(enum pmon_later_kind kind)
{
	irq_work_sync(&pmon_laters[kind].irq);
}
