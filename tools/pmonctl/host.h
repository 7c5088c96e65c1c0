/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_HOST_H
#define PMONCTL_HOST_H

#include <stdbool.h>
#include <stdint.h>

/* Clock, programs and perf events of the running host; pmonctl-test has a fake host.c. */

/* open(2) of an absolute path, close-on-exec; never creates a file. */
int host_open(const char *path, int flags);

/* May this process load modules? */
bool host_may_change(void);

/* False in a tree of the tests where nothing changes between two reads. */
bool clock_runs(void);

/* Nanoseconds of CLOCK_MONOTONIC. */
long long clock_ns(void);
#define clock_ms()	(clock_ns() / 1000000)
/* Of the driver's records, CLOCK_BOOTTIME; 0: not known. */
long long clock_boot_ns(void);

/* Sleeps; a caught signal ends the sleep. */
void clock_pause_ms(long long ms);

/* Likewise, or until there is something to be read: true. */
bool clock_wait_ms(int fd, long long ms);

/* Runs a program and waits; NULL ends @words. True for status 0. */
bool program_run(const char *const words[]);

/* The kernel's log, or NULL */
char *kernel_log(void);

#define GROUP_OTHERS 3

/* A count with enabled and running time; of a group the leader's, with the others' counts. */
struct count {
	uint64_t value, enabled_ns, running_ns, other[GROUP_OTHERS];
};

/* Opens an event, alone (-1) or in a leader's group. A descriptor, or -1 and errno. */
int count_open(long type, const uint64_t config[3], unsigned int cpu, int leader);
bool count_read(int fd, struct count *c);

/* Enables or disables an event. A disabled one needs no counter; enabling clears errors. */
void count_switch(int fd, bool on);

#endif
