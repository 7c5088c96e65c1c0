/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_HOLDERS_H
#define PMONCTL_HOLDERS_H

/*
 * The names and numbers of processes that have perf events open, for a message,
 * as far as /proc shows them; "" where none is known. The caller frees it.
 */
char *holders_names(void);

#endif
