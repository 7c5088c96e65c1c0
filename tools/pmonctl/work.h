/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_WORK_H
#define PMONCTL_WORK_H

#include "pmonctl.h"

/*
 * pmonctl plr --pid, --cgroup and -- JOB: what limits the modules that some
 * work runs on, for which share of its time.
 */
enum status work(const struct options *opt);

/*
 * What is reported of a job beside its limits: begin() is called right before it
 * is started, report() when it has ended, to print it, or with json the first
 * members of an object.
 */
struct work_more {
	void (*begin)(void *context);
	void (*report)(void *context, bool json, long long ms);
	void *context;
};

/*
 * The same for a job, with more. Signals must be caught already. Returns what to
 * exit with, or -1 where limits are not recorded, or cannot be watched, which is
 * said; then the job was not run.
 */
int work_with(const struct options *opt, const struct work_more *more);

#endif
