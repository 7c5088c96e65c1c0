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

/*
 * "event=0x05,umask=0xcf" of a PMU that perf has; false when that has no such
 * event or says no CPU. Without an event: where, alone.
 */
bool opening_find(struct opening *o, const struct pmu *pmu, const char *event);

/* A file descriptor, or -1 and errno. */
int opening_on(const struct opening *o, unsigned int cpu);

/* The package of a CPU, or -1. */
long package_of(unsigned int cpu);

#endif
