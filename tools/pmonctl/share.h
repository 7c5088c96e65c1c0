/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_SHARE_H
#define PMONCTL_SHARE_H

#include "cpus.h"
#include "parts.h"
#include "reasons.h"

/* CPU time in a module, in nanoseconds, by the reasons that it had then. */
struct share {
	struct part *part;
	struct cpus cpus;	/* on which of its CPUs */
	long long ran, observed;
	long long limited[REASON_BITS];
	long long step;		/* since the last look */
	int event;		/* that has the driver look at it, or -1 */
	unsigned int unknown;	/* looks in a row that told nothing */
};

struct shares {
	struct share *share;
	size_t count;
	unsigned short *of_cpu;	/* share of a CPU, or count */
	long long elsewhere;	/* on CPUs without a module */
	struct cpus cpus;	/* on which anything ran */
};

void shares_start(struct shares *s, struct parts *all);

/* A thread has run on this CPU; fits tasks_take(). */
void shares_ran(void *shares, unsigned int cpu, long long ns);

/* What has run since the last time had the reasons of the last interval. */
void shares_step(struct shares *s);
void shares_free(struct shares *s);

/* How the work ended, and how much of it there was. */
struct work {
	const char *what;	/* "./job", "process 12" */
	long long ms;
	long long cpu_ns;	/* what the kernel says; -1: not asked */
	bool too_many;
};

void shares_print(const struct shares *s, const struct work *w);
/* name: of the member that it is, or NULL. */
void shares_print_json(const struct shares *s, const struct work *w,
		       const char *name);

/* How often threads and reasons are looked at. */
#define SHARE_STEP_MS 100

#endif
