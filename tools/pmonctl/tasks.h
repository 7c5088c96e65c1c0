/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_TASKS_H
#define PMONCTL_TASKS_H

#include <stdbool.h>
#include <stddef.h>

/* The threads of a process, of a control group, or of all our descendants. */
struct tasks {
	long pid;		/* the process; 0: see below */
	const char *cgroup;	/* a directory; NULL: descendants */
	struct thread *thread;	/* ascending */
	size_t count;
	long long taken_ms;	/* when they were looked at last; 0: never */
	bool too_many;		/* some are left out */
};

/*
 * Looks at all threads. For each that has run since the last time, and was not
 * there then, ran() gets the CPU that it was on last and the CPU time in
 * nanoseconds. False when there is no thread.
 */
bool tasks_take(struct tasks *t,
		void (*ran)(void *context, unsigned int cpu, long long ns),
		void *context);
void tasks_free(struct tasks *t);

/* False, with a message, when there is no such process or group. */
bool tasks_exist(const struct tasks *t);

#endif
