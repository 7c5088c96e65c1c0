// SPDX-License-Identifier: GPL-2.0-only
/* Where a PMU counts, and its events there. */
#include "opening.h"

#include <stdlib.h>

#include "counts.h"
#include "sysfs.h"

#define PMUS "/sys/bus/event_source/devices"

bool opening_find(struct opening *o, const struct pmu *pmu)
{
	char *mask = sysfs_read(PMUS "/%s/cpumask", pmu->name);
	bool good = mask && cpus_parse(&o->cpus, mask) == CPUS_FINE;

	free(mask);
	o->type = sysfs_read_long(PMUS "/%s/type", pmu->name);
	return good;
}

bool opening_encode(struct opening *o, const struct pmu *pmu, const char *event)
{
	return o->type >= 0 && event_encode(pmu, event, o->config);
}

int opening_on(const struct opening *o, unsigned int cpu)
{
	return count_open(o->type, o->config, cpu);
}

long package_of(unsigned int cpu)
{
	return sysfs_read_long("/sys/devices/system/cpu/cpu%u/topology/"
			       "physical_package_id", cpu);
}
