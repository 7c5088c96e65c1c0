/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_CHILD_H
#define PMONCTL_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/* A job that is run, and all that descends from it, which stays below us. */
struct child {
	pid_t pid;		/* 0: none */
	bool ended;
	long long cpu_ns;	/* of it all, when it has ended */
};

/*
 * Starts it. 0, or what to exit with, as env(1) has it: 127 when there is no
 * such program, 126 when it cannot be run.
 */
int child_start(struct child *c, char **words);

/* For so long, or until it ends. Signals that we get are handed on. */
void child_wait(struct child *c, long long ms);

/* What to exit with: its status, or 128 and the signal that ended it. */
int child_end(struct child *c);

#endif
