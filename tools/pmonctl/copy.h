/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_COPY_H
#define PMONCTL_COPY_H

#include <stdbool.h>
#include <stddef.h>

#include "verdicts.h"

/* Two areas that no cache holds, and how much was copied from one to the other. */
struct copy {
	long mib_s;		/* at most; 0: as much as one CPU can */
	char *from, *to;
	size_t size;
	double mib, seconds;
};

/* False where there is not enough memory. */
bool copy_begin(struct copy *c);

/* Past the caches: what is copied is read once and written once in memory. */
void copy_run(struct copy *c, const struct verdicts *v, long long ms);
void copy_end(struct copy *c);

#endif
