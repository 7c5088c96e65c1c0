// SPDX-License-Identifier: GPL-2.0-only
/* What an event has counted since it was last read, through its failures. */
#include "counting.h"

#define PATIENCE 2	/* readings without a counter */

#define AT_LEAST 64

void counting_retry(int fd, unsigned int failures)
{
	if (failures && (!(failures & (failures - 1)) ||
			 !(failures % AT_LEAST)))
		count_switch(fd, true);
}

bool counting_take(struct counting *c, struct count *since)
{
	struct count now;

	if (!count_read(c->fd, &now)) {
		c->failures++;
		c->unknown = true;
		return false;
	}
	c->failures = 0;
	if (now.running_ns <= c->begin.running_ns) {
		if (++c->idle < PATIENCE)
			return false;
		c->unknown = true;
		c->begin = now;
		return false;
	}
	c->idle = 0;
	c->unknown = false;
	since->value = now.value - c->begin.value;
	since->enabled_ns = now.enabled_ns - c->begin.enabled_ns;
	since->running_ns = now.running_ns - c->begin.running_ns;
	c->begin = now;
	return true;
}
