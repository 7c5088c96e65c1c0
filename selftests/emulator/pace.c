// SPDX-License-Identifier: GPL-2.0-only
/* How often a mailbox is given a command. */
#include "qemu/osdep.h"
#include "pmon.h"

#define SECOND	1000000000

/* One more, now: the most that any second had, this one included. */
void pmon_pace_count(struct pmon_pace *c, int64_t now)
{
	uint64_t n = 0;

	c->when[c->all++ % PMON_PACE] = now;
	while (n < c->all && n < PMON_PACE &&
	       now - c->when[(c->all - 1 - n) % PMON_PACE] < SECOND)
		n++;
	c->peak = MAX(c->peak, n);
}
