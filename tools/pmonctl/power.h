/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_POWER_H
#define PMONCTL_POWER_H

#include "scopes.h"

/*
 * Energy, power limits and temperature of a package, in microjoules, microwatts and thousandths of
 * a degree Celsius; -1: not known. Lives as long as the process, also while powercap has no zone.
 */
struct power {
	long package;
	bool present;			/* powercap has a zone */
	long long energy;		/* as powercap counts it */
	long long limit[2];		/* long term, short term */
	long long first, total;		/* the count at the first read, and that without wraps */
	long long begin, ms;		/* time of the first and of the last count */
	long long last;			/* count */
	long long temperature;		/* by coretemp */
};

struct powers {
	struct power *power;
	size_t count;
};

/* Reads powercap and hwmon, perhaps again; energy is for root. */
void powers_read(struct powers *all);

/*
 * A line for each package of these scopes: average power since the first read, limits, temperature,
 * as far as known; without @always only packages with a power limit in force.
 */
void power_add_lines(struct text *t, const struct scopes *all, struct powers *powers, bool always);
/* A member with the same of all packages. */
void powers_json(struct powers *powers);

#endif
