// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is found with interrupts off, with locks of the scheduler held or in an
 * NMI, and has to wait until something can be printed, moved or asked:
 * callbacks of perf and the wrap timer ask for it here, and parts of the engine
 * that lie above them do it.
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
	[PMON_LATER_GATHER] = { .irq = IRQ_WORK_INIT(pmon_later_run) },
};

/* Have it done soon. In any context. */
void pmon_later(enum pmon_later_kind kind)
{
	irq_work_queue(&pmon_laters[kind].irq);
}

/* @fn does it, with interrupts off. Before the first box. */
void pmon_later_begin(enum pmon_later_kind kind, void (*fn)(void))
{
	pmon_laters[kind].fn = fn;
}

/* None is asked for any more: wait for the last one. */
void pmon_later_end(enum pmon_later_kind kind)
{
	irq_work_sync(&pmon_laters[kind].irq);
}
