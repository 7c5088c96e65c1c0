/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_CPUS_H
#define PMONCTL_CPUS_H

#include <stdbool.h>
#include <stddef.h>

/* A set of CPUs, ascending. */
struct cpus {
	unsigned int *cpu;
	size_t count;
};

/* "0-3,8", as in sysfs; false when it is not one or names none. */
bool cpus_parse(struct cpus *c, const char *list);

/* Adds those of a list; one that is not understood adds none. */
void cpus_join(struct cpus *c, const char *list);
void cpus_free(struct cpus *c);

#endif
