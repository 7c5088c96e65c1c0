/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_CPUS_H
#define PMONCTL_CPUS_H

#include <stdint.h>

#include "files.h"
#include "output.h"

/* The most that a kernel of this architecture can be built for. */
#define CPUS_MAX 8192u

/* A set of CPUs, as large as any, however long the list that it is from. */
struct cpus {
	uint64_t word[CPUS_MAX / 64];
};

enum cpus_error {
	CPUS_FINE,
	CPUS_MALFORMED,		/* not a list, or one that names no CPU */
	CPUS_TOO_HIGH,		/* a number that no CPU can have */
};

/* "0-3,8", as in sysfs. A list with an error names none. */
enum cpus_error cpus_parse(struct cpus *c, const char *list);

/* Those that a file lists; none where it cannot be read. */
#define cpus_read(...)	cpus_read_path(xasprintf(__VA_ARGS__))
struct cpus cpus_read_path(char *path);

bool cpus_has(const struct cpus *c, unsigned int cpu);
unsigned int cpus_count(const struct cpus *c);

/* Adds one, or those of another set. */
void cpus_add(struct cpus *c, unsigned int cpu);
void cpus_join(struct cpus *c, const struct cpus *other);

/* Leaves those that both have. */
void cpus_intersect(struct cpus *c, const struct cpus *other);

/* The first from this one on, or CPUS_MAX. */
unsigned int cpus_next(const struct cpus *c, unsigned int from);

#define for_each_cpu(cpu, set) \
	for (unsigned int cpu = cpus_next(set, 0); cpu < CPUS_MAX; \
	     cpu = cpus_next(set, cpu + 1))

/* "0-3,8", or nothing. */
void cpus_add_text(struct text *t, const struct cpus *c);

#endif
