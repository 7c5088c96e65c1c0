/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_PROCESS_H
#define PMONCTL_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/* A server has more modules and boxes than a shell allows files. */
void descriptors_allow(void);

/* Records signals that would end the process; ignored ones, and the keyboard's of a job, stay. */
void signals_catch(bool for_job);
bool signals_stopped(void);

/* Blocks these signals here and in programs, so no step ends half-way. */
void signals_hold(void);

/* A job and all descendants, which become our children. */
struct child {
	pid_t pid;		/* 0: none */
	bool ended;
	long long cpu_ns;	/* in total, after the end */
};

/* Starts a job. 0, or the exit status of env(1): 127 not found, 126 cannot run. */
int child_start(struct child *c, char **words);

/* Waits for @ms or the end of the job; passes signals on. */
void child_wait(struct child *c, long long ms);

/* The exit status: of the job, or 128 and the signal. */
int child_end(struct child *c);

/* Processes with open perf events by name and number, as far as /proc shows. */
char *holders_names(void);

#endif
