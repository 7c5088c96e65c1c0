/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_HOST_H
#define PMONCTL_HOST_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The clock, the programs and the perf events of the running host. pmonctl-test has
 * another host.c, in which a tree of files has them.
 */

/* False for a tree of --sysroot, which is looked at once. */
bool clock_runs(void);

/* Milliseconds of a clock that is never set. */
long long clock_ms(void);

/* Lets time pass; ends early with a signal that is caught. */
void clock_pause_ms(long long ms);

/* Likewise, or until there is something to be read: true. */
bool clock_wait_ms(int fd, long long ms);

/* False while --sysroot names a tree: no program is run for one, or of one. */
bool programs_allowed(void);

/*
 * Runs a program of this host, such as rmmod, and waits for its end; NULL ends
 * the words. True when it worked.
 */
bool program_run(const char *const words[]);

/* The kernel's log as it is now, or NULL; the caller frees it. */
char *kernel_log(void);

#define GROUP_OTHERS 2

/*
 * What a perf event has counted, and for how long it was open and counted; of the leader
 * of a group also the counts of the others.
 */
struct count {
	uint64_t value, enabled_ns, running_ns, other[GROUP_OTHERS];
};

/*
 * Opens an event of a PMU, with three config words, on a CPU: by itself (-1), or in the
 * group of a leader, with which it is read and switched. A file descriptor, or -1 and
 * errno.
 */
int count_open(long type, const uint64_t config[3], unsigned int cpu, int leader);
bool count_read(int fd, struct count *c);

/*
 * An event that is off needs no counter. It is on when it is opened. Switched on,
 * one that cannot be read any more may count again.
 */
void count_switch(int fd, bool on);

#endif
