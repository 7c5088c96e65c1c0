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
 * The same for a job, for which report() prints more, or with json the first
 * members of an object, before. Returns what to exit with, or -1 where nothing
 * records limits; then the job was not run.
 */
int work_with(const struct options *opt,
	      void (*report)(void *context, bool json, long long ms),
	      void *context);

#endif
