/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_LIMITED_H
#define PMONCTL_LIMITED_H

#include "history.h"
#include "parts.h"
#include "reasons.h"

/*
 * For how long reasons have limited modules since the start, from the driver's own
 * record, which anybody may read and which costs no register access.
 */
struct limited {
	struct parts *all;
	struct record *record;			/* of each part */
};

void limited_start(struct limited *l, struct parts *all);
void limited_add(struct limited *l);
/*
 * Nanoseconds, over all modules of a package, or of all packages for -1: of a
 * reason, or OBSERVED.
 */
long long limited_of(const struct limited *l, long package, unsigned int bit);
/* Whether the record of any of its modules could be read. */
bool limited_known(const struct limited *l, long package);
/* How many modules were observed since the last look. */
size_t limited_watched(const struct limited *l, long package);
/* How many modules had it. */
size_t limited_modules(const struct limited *l, unsigned int bit);
void limited_free(struct limited *l);

#endif
