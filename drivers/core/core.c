// SPDX-License-Identifier: GPL-2.0-only
/* What all parts of the core share. */
#include <linux/irq_work.h>

#include <compat/cleanup.h>

#include "core.h"

/* Protects the lists of PMUs, and which boxes a PMU has. */
DEFINE_MUTEX(pmon_mutex);
/* PMUs in use, and those that wait to be used again. */
LIST_HEAD(pmon_pmus);
LIST_HEAD(pmon_idle_pmus);
/* Where PMUs are unregistered and events fail. */
struct workqueue_struct *pmon_workqueue;

/* How many locks of boxes each CPU holds or waits for. */
DEFINE_PER_CPU(unsigned int, pmon_box_locks);

/* Reports for all boxes, because that is rare; box.c sets its function. */
struct work_struct pmon_report_work;
/* Checks whether designated CPUs are isolated; hotplug.c sets its function. */
struct delayed_work pmon_isolation_work;

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

/* No box is left. */
void pmon_report_exit(void)
{
	irq_work_sync(&pmon_report_irq_work);
	cancel_work_sync(&pmon_report_work);
}

/*
 * Is this one of ours? Nothing of @pmu is looked at. It may have left since its
 * device was found.
 */
bool pmon_pmu_is_ours(const struct pmu *pmu)
{
	struct pmon_pmu *p;

	guard(mutex)(&pmon_mutex);
	list_for_each_entry(p, &pmon_pmus, list)
		if (&p->pmu == pmu)
			return true;
	list_for_each_entry(p, &pmon_idle_pmus, list)
		if (&p->pmu == pmu)
			return true;
	return false;
}
