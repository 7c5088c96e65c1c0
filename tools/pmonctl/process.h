/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_PROCESS_H
#define PMONCTL_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/* A server has more modules and boxes than a shell allows files. */
void descriptors_allow(void);

/* How many it may have open; -1: not known. */
long descriptors_most(void);

/*
 * Signals that ask this process to end do so at once no more: they are noted,
 * but for those that were ignored before, which stay so. Those of the keyboard
 * go to a job, too, and are its own affair.
 */
void signals_catch(bool for_job);
bool signals_stopped(void);

/*
 * From here on such signals wait, also in programs that are run, which are not
 * to end half-way.
 */
void signals_hold(void);

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

/*
 * The names and numbers of processes that have perf events open, for a message,
 * as far as /proc shows them; "" where none is known. The caller frees it.
 */
char *holders_names(void);

#endif
