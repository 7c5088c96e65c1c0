/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_CPUS_H
#define PMONCTL_CPUS_H

#include <sched.h>

#include "files.h"

/* The largest NR_CPUS of this architecture. */
#define CPUS_MAX 8192u

/* A set of CPUs, as large as any: words for CPU_SET_S(3) and the like. */
struct cpus {
	unsigned long word[CPUS_MAX / 8 / sizeof(long)];
};

#define CPUS_SET(c)		((cpu_set_t *)(c)->word)

/* Parses "0-3,8". False and an empty set for anything else, or a number above CPUS_MAX. */
bool cpus_parse(struct cpus *c, const char *list);

/* The set in a file; empty where the file cannot be read. */
#define cpus_read(...)	cpus_read_path(xasprintf(__VA_ARGS__))
struct cpus cpus_read_path(char *path);

#define cpus_has(c, cpu)	CPU_ISSET_S(cpu, sizeof(*(c)), CPUS_SET(c))
#define cpus_count(c)		((unsigned int)CPU_COUNT_S(sizeof(*(c)), CPUS_SET(c)))

#define cpus_add(c, cpu)	CPU_SET_S(cpu, sizeof(*(c)), CPUS_SET(c))
#define cpus_join(c, other) \
	CPU_OR_S(sizeof(*(c)), CPUS_SET(c), CPUS_SET(c), CPUS_SET(other))

#define cpus_intersect(c, other) \
	CPU_AND_S(sizeof(*(c)), CPUS_SET(c), CPUS_SET(c), CPUS_SET(other))

/* The first CPU from @from on, or CPUS_MAX. */
unsigned int cpus_next(const struct cpus *c, unsigned int from);

#define for_each_cpu(cpu, set) \
	for (unsigned int cpu = cpus_next(set, 0); cpu < CPUS_MAX; \
	     cpu = cpus_next(set, cpu + 1))

/* "0-3,8", or nothing. */
void cpus_add_text(struct text *t, const struct cpus *c);

#endif
