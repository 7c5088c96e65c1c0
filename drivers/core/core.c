// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hold what all files of the core share: which PMUs there are, where their work
 * is done, and how a callback of perf, which wakes nobody, has it done.
 */
#include <linux/irq_work.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "core.h"

/* Protects the lists of PMUs, and which boxes a PMU has. */
DEFINE_MUTEX(pmon_mutex);
LIST_HEAD(pmon_pmus);
/* PMUs that wait to be used again. */
LIST_HEAD(pmon_idle_pmus);
/* Where PMUs are unregistered and events fail. */
struct workqueue_struct *pmon_workqueue;

DEFINE_PER_CPU(unsigned int, pmon_box_locks);

struct work_struct pmon_report_work;
struct work_struct pmon_isolation_work;

static void pmon_report_irq(struct irq_work *irq)
{
	schedule_work(&pmon_report_work);
}

static struct irq_work pmon_report_irq_work = IRQ_WORK_INIT(pmon_report_irq);

/* Report soon. Any context with interrupts off, also with a box's lock held. */
void pmon_report_soon(void)
{
	lockdep_assert_irqs_disabled();
	irq_work_queue(&pmon_report_irq_work);
}

/* Wait until pmon_report_soon() has queued its work. */
void pmon_report_sync(void)
{
	irq_work_sync(&pmon_report_irq_work);
}
