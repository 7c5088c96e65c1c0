/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_COUNTING_H
#define PMONCTL_COUNTING_H

#include "counts.h"

/* An event that is read again and again, for weeks. */
struct counting {
	int fd;
	struct count begin;	/* of what is taken next */
	unsigned int failures;	/* readings in a row that gave nothing */
	unsigned int idle;	/* that found it without a counter */
	bool unknown;		/* what it has counted */
};

/*
 * What it has counted since the last time. False where that is not known, or
 * not yet: once without a counter, the next time stands for both; after that
 * the time without one is left out.
 */
bool counting_take(struct counting *c, struct count *since);

/*
 * Switch one that cannot be read, in perf's error state, on again, which starts
 * it anew: after 1, 2, 4 failures and so on, at least each 64th, as each may be
 * a line in the kernel log. Without failures it does nothing.
 */
void counting_retry(int fd, unsigned int failures);

#endif
