/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_HISTORY_H
#define PMONCTL_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "output.h"
#include "parts.h"
#include "reasons.h"

/*
 * What the driver's watch has noted of a directory of reasons, by bit, in
 * nanoseconds. Times are of the clock that /proc/uptime shows.
 */
struct history {
	uint64_t seen;		/* bits that have a line */
	long long first[REASON_BITS], last[REASON_BITS];
	long long limited[REASON_BITS];
	/*
	 * Of what was found set later than in @last, at a time that nothing
	 * tells: it was not before this. 0: is there none, or, without @first,
	 * before the boot.
	 */
	long long after[REASON_BITS];
	long long unseen;	/* what has no line was not set before this */
	long long cleared;	/* when something was cleared last; 0: never */
};

/* Now; 0 where that cannot be known. */
long long history_now(void);

/*
 * No access of the hardware. False where the file cannot be read: nothing is
 * in it then, as with drivers that do not have it.
 */
bool history_read(struct part *p);

/* What was seen at this time or later. */
uint64_t history_since(const struct part *p, long long from);

/*
 * How long a reason has limited, in a few words: the longest of parts that
 * share a line, or nothing when it is not known or not worth a word.
 */
void history_add_time(struct text *t, const struct group *g, uint64_t mask);

/* Names with their ages: "POWER 2 h ago, THERMAL up to 12 d ago". */
void history_add_ages(struct text *t, const struct group *g, uint64_t mask,
		      long long now);

#endif
