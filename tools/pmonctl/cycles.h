/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_CYCLES_H
#define PMONCTL_CYCLES_H

#include <stddef.h>

#include "events.h"

/* Cycles of the uncore, which a CHA of each package counts. */
struct clocks {
	struct clock {
		long package;
		struct counting counting;
		double total;
		bool still;	/* no clock is: its box is frozen */
	} *clock;
	size_t count;
};

void clocks_open(struct clocks *c);
void clocks_add(struct clocks *c);
void clocks_close(struct clocks *c);

#endif
