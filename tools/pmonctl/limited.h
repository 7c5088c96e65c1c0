/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_LIMITED_H
#define PMONCTL_LIMITED_H

#include "parts.h"
#include "reasons.h"

/*
 * For how long reasons have limited modules since the start, from the driver's
 * own record, which costs no register access. When another program clears that
 * record, what was summed up here stays; when a device goes and returns with
 * its record, it goes on from there.
 */
struct limited {
	const struct parts *all;
	struct record *last;			/* of each part */
	long long (*sum)[REASON_BITS];		/* in ns */
	bool *watched;
};

void limited_start(struct limited *l, const struct parts *all);
void limited_add(struct limited *l);

/* Nanoseconds, over all modules of a package. */
long long limited_of(const struct limited *l, long package, unsigned int bit);

/* How many modules are looked at now. */
size_t limited_watched(const struct limited *l, long package);
void limited_free(struct limited *l);

#endif
