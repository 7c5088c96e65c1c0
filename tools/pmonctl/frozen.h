/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_FROZEN_H
#define PMONCTL_FROZEN_H

#include "bandwidth.h"

/*
 * Marks the boxes of a package as unknown whose memory controllers have all run
 * and counted nothing, unless a clock there still ticks: they are frozen, by
 * firmware as a rule, and not idle. b->frozen says so in words, or is NULL.
 */
void frozen_mark(struct bandwidth *b);

#endif
