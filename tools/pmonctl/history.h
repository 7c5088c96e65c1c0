/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_HISTORY_H
#define PMONCTL_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "output.h"
#include "parts.h"
#include "reasons.h"

/* The line "observed" of time_in_reason, beside those of reasons. */
#define OBSERVED REASON_BITS

/*
 * What the driver has noted of a directory of reasons, by bit, in nanoseconds.
 * Times are of the clock that /proc/uptime shows.
 */
struct history {
	uint64_t seen;		/* bits that limited while they were watched */
	long long last[REASON_BITS + 1];
	long long since[REASON_BITS + 1];	/* 0: not in force */
	long long limited[REASON_BITS + 1];
};

/* Now; 0 where that cannot be known. */
long long history_now(void);
/*
 * No access of the hardware. False where the file cannot be read: nothing is
 * in it then.
 */
bool history_read(struct part *p);
/* What was seen at this time or later; whether the part was observed then. */
uint64_t history_since(const struct part *p, long long from);
bool history_observed(const struct part *p, long long from);
/*
 * How long a reason has limited, in a few words: the longest of parts that
 * share a line, or nothing when it is not known or not worth a word.
 */
void history_add_time(struct text *t, const struct group *g, uint64_t mask);
/* Names with their ages: "POWER 2 h ago, THERMAL up to 12 d ago". */
void history_add_ages(struct text *t, const struct group *g, uint64_t mask,
		      long long now);

#endif
