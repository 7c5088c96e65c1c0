/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_PARTS_H
#define PMONCTL_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "discovery.h"
#include "output.h"
#include "pmonctl.h"

struct history;

/* A directory of reasons: the die, its mesh, or one module. */
struct part {
	const struct domain *domain;
	char *name, *cpus;	/* cpus of modules only */
	uint64_t reasons;	/* since the last clear */
	uint64_t now;		/* in force, as far as that is known */
	uint64_t active;	/* of the last interval, if watched */
	uint64_t cleared;	/* by this command */
	struct history *history;	/* NULL: not read */
	int error;		/* why reasons could not be read */
	bool watched;		/* active could be read */
	bool known;		/* what is in force: all of it is in now */
	bool changed;		/* now is not what was shown */
};

struct parts {
	struct part *part;
	size_t count;
	bool incomplete;	/* a CPU that was asked for has none */
	bool single;		/* CPUs were asked for */
	bool refused;		/* the hardware's record; the driver's was read */
};

/*
 * Finds what the options ask for and reads no register. Complains and returns
 * false when the options make no sense on this machine.
 */
bool parts_find(struct parts *all, const struct machine *m,
		const struct options *opt);
void parts_free(struct parts *all);

/* How many of these there are now, without a complaint. */
size_t parts_present(const struct machine *m, const struct options *opt);

/* One read of the hardware. */
void part_read(struct part *p);

/* No access of the hardware; false and errno when no program watches. */
bool part_read_active(struct part *p);

/*
 * An open event that has the driver look at this module ten times a second, and
 * at its domain; of a die at its domain, and the first of its modules. -1 and
 * errno when there is none.
 */
int part_event(const struct part *p);

/* How many are of a domain. */
size_t parts_of(const struct parts *all, const struct domain *d);

/* Clears bits; 0 or an errno value. */
int part_clear(struct part *p, uint64_t mask);

/* One of its files as sysfs_read() has it. */
char *part_file(const struct part *p, const char *file);

/* Its path, for messages. */
char *part_path(const struct part *p, const char *file);
bool part_is_core(const struct part *p);
bool part_is_mesh(const struct part *p);

/* Parts of one domain that share a line. */
struct group {
	const struct part **part;
	size_t count;
};

struct groups {
	struct group *group;
	size_t count;
};

/*
 * Groups the parts for which wanted() holds; like() says which of one domain
 * go together. In the order of the first of each group.
 */
struct groups groups_of(const struct parts *all,
			bool (*wanted)(const struct part *p),
			bool (*like)(const struct part *a,
				     const struct part *b));
void groups_free(struct groups *g);

/* "die mesh0 core0-2,5", and the CPUs of them all or "-" */
void group_add_names(struct text *t, const struct group *g);
void group_add_cpus(struct text *t, const struct group *g);

#endif
