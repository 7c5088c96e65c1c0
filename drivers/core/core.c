// SPDX-License-Identifier: GPL-2.0-only
/* Define objects that all files of drivers/core share. */
#include <linux/irq_work.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "core.h"

/* Protects the lists of PMUs, and the boxes of each PMU. */
DEFINE_MUTEX(pmon_mutex);
LIST_HEAD(pmon_pmus);
LIST_HEAD(pmon_idle_pmus);
/* Runs unregister_work and events_work of PMUs. */
struct workqueue_struct *pmon_workqueue;

DEFINE_PER_CPU(unsigned int, pmon_box_locks);

struct work_struct pmon_report_work;
struct work_struct pmon_isolation_work;

static void pmon_report_irq(struct irq_work *irq)
{
	schedule_work(&pmon_report_work);
}

static struct irq_work pmon_report_irq_work = IRQ_WORK_INIT(pmon_report_irq);

/*
 * Queue the report in any context with interrupts off, also under a box's lock.
 * Uses an irq_work, because perf's callbacks must not wake a task.
 */
void pmon_report_soon(void)
{
	lockdep_assert_irqs_disabled();
	irq_work_queue(&pmon_report_irq_work);
}

/* Wait until pmon_report_soon() has queued the work. */
void pmon_report_sync(void)
{
	irq_work_sync(&pmon_report_irq_work);
}
