/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_WORK_H
#define PMONCTL_WORK_H

#include "pmonctl.h"

/*
 * pmonctl plr --pid, --cgroup and -- JOB: what limits the modules that some
 * work runs on, for which share of its time.
 */
enum status work(const struct options *opt);

#endif
