/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_POWER_H
#define PMONCTL_POWER_H

#include "scopes.h"

/* Energy and power limits of a package, in microjoules and microwatts; -1: not known. */
struct power {
	long package;
	long long energy, range;	/* the energy where the count begins anew */
	long long wraps;		/* how often it did since the first read */
	long long limit[2];		/* long term, short term */
};

struct powers {
	struct power *power;
	size_t count;
	long long ms;			/* time of the read */
};

/* Reads powercap, perhaps again; energy is for root. */
struct powers powers_read(const struct powers *before);

/* A line for each package with a power limit in force: average power since @begin, and limits. */
void power_add_lines(struct text *t, const struct scopes *all, const struct powers *begin);

#endif
