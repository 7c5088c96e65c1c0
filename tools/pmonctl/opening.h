/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_OPENING_H
#define PMONCTL_OPENING_H

#include "cpus.h"
#include "encoding.h"

/* An event of a PMU, and where it is opened: on one CPU of each place. */
struct opening {
	struct cpus cpus;
	long type;
	uint64_t config[CONFIG_WORDS];
};

/* Where a PMU that perf has counts; false when it says no CPU. */
bool opening_find(struct opening *o, const struct pmu *pmu);

/* "event=0x05,umask=0xcf" of it; false when it has no such event or no type. */
bool opening_encode(struct opening *o, const struct pmu *pmu,
		    const char *event);

/* A file descriptor, or -1 and errno. */
int opening_on(const struct opening *o, unsigned int cpu);

/* The package of a CPU, or -1. */
long package_of(unsigned int cpu);

#endif
