/* SPDX-License-Identifier: GPL-2.0-only */
/* What a thread knows of the PMUs, from sysfs. It may be out of date. */
#ifndef FUZZ_PMUS_H
#define FUZZ_PMUS_H

#include <stdbool.h>
#include <stdint.h>

#include "rng.h"

#define MAX_PMUS	96
#define MAX_FIELDS	16
#define MAX_EVENTS	12
#define MAX_CPUMASK	16
#define WORDS		3	/* config, config1, config2 */

struct field {
	char name[16];
	unsigned int word;
	uint64_t mask;
};

struct pmu {
	char name[40];
	bool ours;
	uint32_t type;
	unsigned int nr_fields, nr_events, nr_cpus;
	struct field field[MAX_FIELDS];
	uint64_t event[MAX_EVENTS][WORDS];
	int cpu[MAX_CPUMASK];
};

struct pmus {
	unsigned int nr;
	struct pmu pmu[MAX_PMUS];
};

bool pmu_is_ours(const char *name);
bool pmu_learn(struct pmu *pmu, const char *name);
void pmus_learn(struct pmus *pmus);
/* One of the names in a directory, of those that fit each as likely. */
bool random_name(struct rng *r, const char *path, bool (*fits)(const char *name),
		 char *name, size_t size);
bool pmus_any_name(struct rng *r, char *name, size_t size);
const struct pmu *pmus_pick(const struct pmus *pmus, struct rng *r, bool ours);
void pmu_random_config(const struct pmu *pmu, struct rng *r, uint64_t *config);

#endif /* FUZZ_PMUS_H */
