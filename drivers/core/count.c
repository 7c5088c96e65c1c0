// SPDX-License-Identifier: GPL-2.0-only
/* Arithmetic of counters that wrap. */
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "count.h"

#define PMON_SECOND_NS		1000000000ULL

/*
 * How often counters are read: as if none gained more than 2^PMON_RATE_LOG2 a
 * second, 64 increments in each cycle of a 4 GHz clock, unless its protocol
 * says less. One that is twice as fast is still read before it has gained its
 * whole range.
 *
 * What is believed: 2^41 a second, and more is certainly not a count. The
 * fastest known event, the occupancy of IRP, adds 128 in a cycle (Intel Xeon
 * Processor E5-2600 v2 Uncore Performance Monitoring Reference Manual, IRP Box
 * Events), which is 2^39.2 a second at 5 GHz.
 */
#define PMON_BELIEVED_NS	2200ULL

/* No time of interest is longer. */
#define PMON_NS_MAX		(~0ULL / PMON_BELIEVED_NS - 1)

bool pmon_delta_possible(u64 delta, u64 ns)
{
	return ns > PMON_NS_MAX || delta <= (ns + 1) * PMON_BELIEVED_NS;
}

/* There are 2^29.9 nanoseconds in a second. */
#define PMON_SECOND_LOG2	29

bool pmon_wrap_possible(u64 delta, u64 ns, u8 rate_log2)
{
	return rate_log2 < PMON_SECOND_LOG2 ||
	       delta >> (rate_log2 - PMON_SECOND_LOG2) <= ns;
}

u64 pmon_wrap_period_ns(u8 width, u8 rate_log2)
{
	unsigned int half_log2 = width - 1;

	if (half_log2 < rate_log2)
		return PMON_SECOND_NS >> (rate_log2 - half_log2);

	/* Beyond 2^6 seconds the maximum holds, and nothing may overflow. */
	return min(PMON_SECOND_NS << min(half_log2 - rate_log2, 6U),
		   PMON_PERIOD_MAX_NS);
}
