/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_QUALIFY_COUNT_H
#define PMONCTL_QUALIFY_COUNT_H

#include "pmus.h"
#include "verdicts.h"

/* How fast the clock of each box counts, by whichever driver has it now. */
struct ticks {
	struct tick {
		size_t pmu;		/* of those that are offered */
		long package;
		int fd;
		double rate;		/* per second; 0: not known */
	} *tick;
	size_t count;
};

/* Counts for so long. */
void ticks_take(struct ticks *t, const struct pmus *offered,
		const struct verdicts *v, long long ms);
void ticks_free(struct ticks *t);

/* Two drivers at the same boxes. */
void ticks_compare(const struct ticks *ours, const struct ticks *theirs,
		   const struct pmus *offered, struct verdicts *v);

/* Two intervals of one driver, and the boxes of a package among each other. */
void ticks_judge(const struct ticks *a, const struct ticks *b,
		 const struct pmus *offered, struct verdicts *v);

/* Memory that is copied is counted; at most so many MiB a second if not 0. */
void copy_judge(struct verdicts *v, long mib_s);

#endif
