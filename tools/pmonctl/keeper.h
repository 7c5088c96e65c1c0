/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_KEEPER_H
#define PMONCTL_KEEPER_H

#include "parts.h"

/*
 * Domains that are watched because of us: an open event of the plr PMU in each
 * has the driver look ten times a second, for as long as this process lives.
 */
struct keeper {
	int *event;		/* of each domain of the machine, or -1 */
	size_t count;
	int error;		/* why one of them could not be opened, or 0 */
};

/*
 * The domains in which there are parts. Others may watch already, so an error
 * is one only without that. As many files as may be can be opened afterwards.
 */
void keeper_open(struct keeper *k, const struct machine *m,
		 const struct parts *all);
void keeper_close(struct keeper *k);

/* Says why a part that no other program watches is not watched either. */
void keeper_complain(const struct keeper *k, const struct part *p);

#endif
