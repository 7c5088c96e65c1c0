/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_NUMBER_H
#define PMONCTL_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

struct parts;
struct text;

/* What is not known is negative. */
struct limit {
	long long uw, max_uw;
};

#define NUMBERS_PLATFORM -1L

/* A package, as powercap and cpufreq have it; or the platform. */
struct number {
	long package;
	struct limit pl1, pl2;
	long long energy_uj, range_uj;	/* of the first look */
	long long energy_ms;		/* and when that was */
	long long drawn_mw;
	long long now_khz, base_khz, max_khz;
};

struct numbers {
	struct number *number;
	size_t count;
	long long read_ms;	/* when the file was read that is looked at */
};

/* The number of a package, made if needed. */
struct number *numbers_of(struct numbers *n, long package);
/* The middle of the time since then is when a file was read. */
void numbers_read_since(struct numbers *n, long long ms);
/* The first look at its energy, and the second. */
void numbers_energy(const struct numbers *n, struct number *number,
		    long long now);
void numbers_drawn(const struct numbers *n, struct number *number,
		   long long now);

#endif
