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

/* ---- the report, now and every 30 s while events are open ---------------- */

struct delayed_work pmon_report_work;

/* Places with open events. */
atomic_t pmon_open_places;

static void pmon_report_irq(struct irq_work *irq)
{
	mod_delayed_work(system_dfl_wq, &pmon_report_work, 0);
}

struct irq_work pmon_report_irq_work = IRQ_WORK_INIT(pmon_report_irq);

/*
 * Have the report run in any context with interrupts off, also under a box's
 * lock. Uses an irq_work, because perf's callbacks must not wake a task.
 */
void pmon_report_soon(void)
{
	lockdep_assert_irqs_disabled();
	irq_work_queue(&pmon_report_irq_work);
}

/*
 * Call at the end of the report, on a CPU for housekeeping: its timer stays
 * there, before 6.9, too.
 */
void pmon_report_again(void)
{
	if (!atomic_read(&pmon_open_places))
		return;
	queue_delayed_work(system_dfl_wq, &pmon_report_work, 30 * HZ);
	/* The last close finds the work, or this finds the close. */
	smp_mb();
	if (!atomic_read(&pmon_open_places))
		mod_delayed_work(system_dfl_wq, &pmon_report_work, 0);
}

/*
 * Call in each tick of a place. The first has the report run, and so every
 * 30 s: a timer of its own would cost each start a tenth.
 */
void pmon_report_tick(void)
{
	if (!delayed_work_pending(&pmon_report_work))
		pmon_report_soon();
}
