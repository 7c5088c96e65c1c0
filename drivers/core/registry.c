// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keep the lists of PMUs: those in use, and those that wait to be used again.
 */
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include <compat/cleanup.h>

#include "core.h"

/* Protects both lists, and which boxes a PMU has. */
DEFINE_MUTEX(pmon_mutex);
LIST_HEAD(pmon_pmus);
LIST_HEAD(pmon_idle_pmus);

/* Where PMUs are unregistered and events fail. */
struct workqueue_struct *pmon_workqueue;

void pmon_registry_each(void (*fn)(struct pmon_pmu *pmu, void *data),
			void *data)
{
	struct pmon_pmu *pmu;

	guard(mutex)(&pmon_mutex);
	list_for_each_entry(pmu, &pmon_pmus, list)
		if (!pmu->leaving)
			fn(pmu, data);
}

/* The same for PMUs with open events: of hundreds few have any. */
void pmon_registry_each_open(void (*fn)(struct pmon_pmu *pmu, void *data),
			     void *data)
{
	struct pmon_pmu *pmu;

	guard(mutex)(&pmon_mutex);
	list_for_each_entry(pmu, &pmon_pmus, list)
		if (!pmu->leaving && READ_ONCE(pmu->open))
			fn(pmu, data);
}

/*
 * Is this one of ours? Nothing of @pmu is looked at. It may have left since its
 * device was found.
 */
bool pmon_registry_has(const struct pmu *pmu)
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

const char *pmon_pmu_name(const struct pmon_pmu *pmu)
{
	return pmu->name;
}
EXPORT_SYMBOL_GPL(pmon_pmu_name);

/* Of one that is on no list. */
void pmon_pmu_free(struct pmon_pmu *pmu)
{
	free_percpu(pmu->cpu_state);
	kfree(pmu);
}

int pmon_registry_init(void)
{
	pmon_workqueue = alloc_workqueue("pmon", WQ_UNBOUND, 0);
	return pmon_workqueue ? 0 : -ENOMEM;
}

/* All PMUs wait to be used again, and none will be. */
void pmon_registry_exit(void)
{
	struct pmon_pmu *pmu, *next;

	destroy_workqueue(pmon_workqueue);
	list_for_each_entry_safe(pmu, next, &pmon_idle_pmus, list)
		pmon_pmu_free(pmu);
}
