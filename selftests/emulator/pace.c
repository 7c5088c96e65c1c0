// SPDX-License-Identifier: GPL-2.0-only
/* Count the commands of a mailbox; find the most in any second. */
#include "qemu/osdep.h"
#include "pmon.h"

#define SECOND	1000000000

/* Count a command; raise the peak to the number in the second up to @now. */
void pmon_pace_count(struct pmon_pace *c, int64_t now)
{
	uint64_t n = 0;

	c->when[c->all++ % PMON_PACE] = now;
	while (n < c->all && n < PMON_PACE &&
	       now - c->when[(c->all - 1 - n) % PMON_PACE] < SECOND)
		n++;
	c->peak = MAX(c->peak, n);
}
