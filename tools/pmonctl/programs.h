/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_PROGRAMS_H
#define PMONCTL_PROGRAMS_H

#include <stdbool.h>

/* False while --sysroot names a tree: no program is run for one, or of one. */
bool programs_allowed(void);

/*
 * Runs a program of this host, such as rmmod, and waits for its end; NULL ends
 * the words. True when it worked.
 */
bool program_run(const char *const words[]);

#endif
