// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counting events without perf.
 */
#include "event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "cpus.h"
#include "sysfs.h"

#define PMUS "/sys/bus/event_source/devices"

/* Debian's levels above 2 ask for more, before any driver is asked. */
const char *event_rights(void)
{
	if (sysfs_read_long("/proc/sys/kernel/perf_event_paranoid") > 2)
		return "root, or CAP_SYS_ADMIN while "
		       "kernel.perf_event_paranoid is above 2";
	return "root, or CAP_PERFMON";
}

/* The PMU takes the events of several CPUs, of which each list names some. */
static int common_cpu(const char *a, const char *b)
{
	struct cpus x, y;
	unsigned int cpu;

	cpus_parse(&x, a);
	cpus_parse(&y, b);
	cpus_intersect(&x, &y);
	cpu = cpus_next(&x, 0);
	return cpu < CPUS_MAX ? (int)cpu : -1;
}

static int choose_cpu(const char *pmu, const char *cpus)
{
	char *mask = sysfs_read(PMUS "/%s/cpumask", pmu);
	int cpu = mask ? common_cpu(mask, cpus) : -1;

	free(mask);
	return cpu;
}

/* "event=0x40"; what plr counts needs no other term. */
static bool read_config(const char *pmu, const char *event, uint64_t *config)
{
	static const char term[] = "event=";
	char *text = sysfs_read(PMUS "/%s/events/%s", pmu, event);
	bool good = text && !strncmp(text, term, strlen(term));

	if (good)
		*config = strtoull(text + strlen(term), NULL, 0);
	free(text);
	return good;
}

int event_open_on(const char *pmu, const char *event, const char *cpus)
{
	long type = sysfs_read_long(PMUS "/%s/type", pmu);
	int cpu = choose_cpu(pmu, cpus);
	uint64_t config[3] = { 0 };

	if (type < 0 || cpu < 0 || !read_config(pmu, event, config)) {
		errno = ENODEV;
		return -1;
	}
	return count_open(type, config, (unsigned int)cpu);
}
