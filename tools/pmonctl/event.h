/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_EVENT_H
#define PMONCTL_EVENT_H

/*
 * Opens an event of a PMU by its name in sysfs, on the first CPU of a list
 * that the PMU's cpumask has. Returns a file descriptor, or -1 and errno.
 */
int event_open_on(const char *pmu, const char *event, const char *cpus);

/* Who may open events on this host: "root, or CAP_PERFMON". */
const char *event_rights(void);

#endif
