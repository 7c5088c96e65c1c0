/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_CLOCK_H
#define PMONCTL_CLOCK_H

#include <stdbool.h>

/* False for a tree of --sysroot, which is looked at once. */
bool clock_runs(void);

/* Milliseconds of a clock that is never set. */
long long clock_ms(void);

/* Lets time pass; ends early with a signal that is caught. */
void clock_pause_ms(long long ms);

#endif
