// SPDX-License-Identifier: GPL-2.0-only
/* Arithmetic of counters that wrap. */
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "count.h"

#define PMON_SECOND_NS		1000000000ULL
#define PMON_PERIOD_MAX_NS	(60 * PMON_SECOND_NS)

/*
 * No counter gains more than 2^38 a second: 64 increments in each cycle of a
 * 4 GHz clock are the most that a PMON box can add.
 */
#define PMON_RATE_LOG2		38

/* That rate in a nanosecond, rounded up; and no time of interest is longer. */
#define PMON_RATE_NS		275ULL
#define PMON_NS_MAX		(~0ULL / PMON_RATE_NS - 1)

bool pmon_delta_possible(u64 delta, u64 ns)
{
	return ns > PMON_NS_MAX || delta <= (ns + 1) * PMON_RATE_NS;
}

u64 pmon_wrap_period_ns(u8 width)
{
	unsigned int half_log2 = width - 1;

	if (half_log2 < PMON_RATE_LOG2)
		return PMON_SECOND_NS >> (PMON_RATE_LOG2 - half_log2);

	/* Beyond 2^6 seconds the maximum holds, and nothing may overflow. */
	return min(PMON_SECOND_NS << min(half_log2 - PMON_RATE_LOG2, 6U),
		   PMON_PERIOD_MAX_NS);
}
