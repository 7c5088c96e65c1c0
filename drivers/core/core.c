// SPDX-License-Identifier: GPL-2.0-only
/* Define objects that all files of drivers/core share. */
#include <linux/atomic.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include <compat/workqueue.h>

#include "core.h"

/* Protects the lists of PMUs, and the boxes of each PMU. */
DEFINE_MUTEX(pmon_mutex);
LIST_HEAD(pmon_pmus);
LIST_HEAD(pmon_idle_pmus);
/* Runs unregister_work and events_work of PMUs. */
struct workqueue_struct *pmon_workqueue;

DEFINE_PER_CPU(unsigned int, pmon_box_locks);

/* hotplug.c initialises both: the report, now and every 30 s. */
struct work_struct pmon_report_work;
struct delayed_work pmon_look_work;

static void pmon_report_irq(struct irq_work *irq)
{
	queue_work(system_dfl_wq, &pmon_report_work);
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

/* ---- while events that were added are open ------------------------------- */

#define PMON_LOOK_JIFFIES	(30 * HZ)

static atomic_t pmon_added_events;

/* Look again in 30 s, unless the last event was closed meanwhile. */
void pmon_look_again(void)
{
	queue_delayed_work(system_dfl_wq, &pmon_look_work, PMON_LOOK_JIFFIES);
	/* Pairs with atomic_dec_and_test() in pmon_look_end(). */
	smp_mb();
	if (!atomic_read(&pmon_added_events))
		cancel_delayed_work(&pmon_look_work);
}

/*
 * The first look is at once: its work is bound to no CPU, and starts the timer
 * on a CPU for housekeeping, before 6.9, too.
 */
static void pmon_look_irq(struct irq_work *irq)
{
	queue_delayed_work(system_dfl_wq, &pmon_look_work, 0);
}

static struct irq_work pmon_look_irq_work = IRQ_WORK_INIT(pmon_look_irq);

/*
 * Call when an event of a box is added for the first time, not when it is
 * opened: perf may refuse the open. Uses an irq_work, as the report does.
 */
void pmon_look_begin(void)
{
	lockdep_assert_irqs_disabled();
	if (atomic_inc_return(&pmon_added_events) == 1)
		irq_work_queue(&pmon_look_irq_work);
}

/* Wait until pmon_look_begin() has queued the work. */
void pmon_look_sync(void)
{
	irq_work_sync(&pmon_look_irq_work);
}

/* Call when an event that was added is closed. Does not wait. */
void pmon_look_end(void)
{
	if (atomic_dec_and_test(&pmon_added_events))
		cancel_delayed_work(&pmon_look_work);
}
