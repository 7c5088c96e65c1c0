/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_KEEPER_H
#define PMONCTL_KEEPER_H

#include "parts.h"

/*
 * What is watched because of us: an open event of the plr PMU has the driver
 * look ten times a second, for as long as this process lives. Each domain has
 * one, on the first of its modules; where single modules are asked for each of
 * them has.
 */
struct keeper {
	struct kept *kept;
	size_t count;
	int error;		/* why one of them could not be opened, or 0 */
};

/*
 * The domains in which there are parts. Others may watch already, so an error
 * is one only without that. As many files as may be can be opened afterwards.
 */
void keeper_open(struct keeper *k, struct parts *all);
/* Whether all that is to be watched was observed at this time or later. */
bool keeper_observed(const struct keeper *k, long long from);
/*
 * Opens events anew where nothing was observed since: an event ends when its
 * device goes, or the last CPU of its module, and does not come back with it.
 */
void keeper_renew(struct keeper *k, long long from);
void keeper_close(struct keeper *k);
/* Says why parts that no other program watches are not watched either. */
void keeper_complain(const struct keeper *k, struct parts *all);

#endif
