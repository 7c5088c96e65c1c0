/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_PMUS_H
#define PMONCTL_PMUS_H

#include <stdbool.h>
#include <stddef.h>

#include "discovery.h"

/* A file of a PMU's format or events directory: its name and what it says. */
struct entry {
	char *name, *text;
};

struct entries {
	struct entry *entry;
	size_t count;
};

struct pmu {
	char *name, *alias;		/* alias may be NULL */
	bool mmio;			/* of openpmon's: how it is reached */
	struct entries format, events;
};

struct pmus {
	struct pmu *pmu;
	size_t count;
};

/*
 * The uncore PMUs that perf has and that are not openpmon's, as the machine's
 * units tell.
 */
struct pmus pmus_of_others(const struct machine *m);

/* PMUs that perf has, of any driver, of which wanted() likes the name. */
struct pmus pmus_present(bool (*wanted)(const char *name));

/*
 * What openpmon gives for the units of all tables, whichever driver has them.
 * False, with a message, when a file `pmus` cannot be read.
 */
bool pmus_offered(struct pmus *all, const struct machine *m);
void pmus_free(struct pmus *all);

const struct pmu *pmus_find(const struct pmus *all, const char *name);
const char *entries_find(const struct entries *e, const char *name);

#endif
