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
	uint64_t seen;		/* bits that limited while they were watched */
	long long last[REASON_BITS];
	long long since[REASON_BITS];	/* 0: not in force */
	long long limited[REASON_BITS];
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
