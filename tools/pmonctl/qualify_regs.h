/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_QUALIFY_REGS_H
#define PMONCTL_QUALIFY_REGS_H

#include "discovery.h"
#include "verdicts.h"

/*
 * What the registers of the boxes hold: their control, event controls and
 * counters, read by this process and not by a module of ours.
 */
struct registers {
	struct reg *reg;
	size_t count;
	size_t unread;		/* of the last reading */
	int error;		/* why the first of them */
};

/* The places, as the tables have them; the module that shows those is loaded. */
void registers_find(struct registers *r, const struct machine *m);

/* Reads them all into a column: 0 and 1 before what is tested, 2 after it. */
enum { BEFORE, BEFORE_TOO, AFTER, READINGS };
void registers_read(struct registers *r, unsigned int reading);

/* Those that moved by themselves before say nothing. */
void registers_judge(const struct registers *r, struct verdicts *v);
void registers_free(struct registers *r);

#endif
