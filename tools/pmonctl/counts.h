/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_COUNTS_H
#define PMONCTL_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

/* What a perf event has counted, and for how long it was open and counted. */
struct count {
	uint64_t value, enabled_ns, running_ns;
};

/*
 * Opens an event of a PMU, with three config words, on a CPU. A file
 * descriptor, or -1 and errno. pmonctl-test has other events, of trees.
 */
int count_open(long type, const uint64_t config[3], unsigned int cpu);
bool count_read(int fd, struct count *c);

/*
 * An event that is off needs no counter. It is on when it is opened. Switched on,
 * one that cannot be read any more may count again.
 */
void count_switch(int fd, bool on);

#endif
