/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_SIGNALS_H
#define PMONCTL_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/*
 * Signals that ask this process to end do so at once no more: they are noted,
 * but for those that were ignored before, which stay so. Those of the keyboard
 * go to a job, too, and are its own affair.
 */
void signals_catch(bool for_job);
bool signals_stopped(void);

/* Which one came, once; 0: none. */
int signals_take(void);

/* Those that were ignored when this process began to catch them. */
const sigset_t *signals_ignored(void);

/* nohup, and a shell for what runs in the background, have some ignored. */
bool signal_is_ignored(int number);

/*
 * From here on such signals wait, also in programs that are run, which are not
 * to end half-way; whether one does; and it ends this process after all.
 */
void signals_hold(void);
bool signals_waiting(void);
void signals_release(void);

#endif
