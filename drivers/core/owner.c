// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find PMUs of other drivers by name. The event_source bus is not exported, so
 * take the bus from the PMU of an event that this file creates.
 */
#include <linux/err.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/sched.h>
#include <linux/string.h>

#include <pmon/owner.h>

#include "core.h"

/* Device of perf's own software PMU; never removed. */
struct device *pmon_software_pmu;

int __init pmon_owner_init(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.size = sizeof(attr),
		.disabled = 1,
	};
	struct perf_event *event;

	/* An event of a CPU would require CAP_PERFMON to load the module. */
	event = perf_event_create_kernel_counter(&attr, -1, current, NULL,
						 NULL);
	if (IS_ERR(event))
		return PTR_ERR(event);

	pmon_software_pmu = event->pmu->dev;
	perf_event_release_kernel(event);
	return pmon_software_pmu ? 0 : -ENODEV;
}

/* Compare only the address, because @pmu may be freed already. */
static bool pmon_pmu_is_ours(const struct pmu *pmu)
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

struct pmon_owner_visit {
	int (*fn)(const char *name, void *data);
	void *data;
};

static int pmon_owner_visit(struct device *dev, void *data)
{
	const struct pmon_owner_visit *visit = data;

	if (pmon_pmu_is_ours(dev_get_drvdata(dev)))
		return 0;
	return visit->fn(dev_name(dev), visit->data);
}

int pmon_owner_each(int (*fn)(const char *name, void *data), void *data)
{
	struct pmon_owner_visit visit = { .fn = fn, .data = data };

	return bus_for_each_dev(pmon_software_pmu->bus, NULL, &visit,
				pmon_owner_visit);
}
EXPORT_SYMBOL_GPL(pmon_owner_each);

static int pmon_owner_find(struct device *dev, void *data)
{
	return !strcmp(dev_name(dev), data) &&
	       !pmon_pmu_is_ours(dev_get_drvdata(dev));
}

bool pmon_owner_has(const char *name)
{
	return bus_for_each_dev(pmon_software_pmu->bus, NULL, (void *)name,
				pmon_owner_find);
}
EXPORT_SYMBOL_GPL(pmon_owner_has);
