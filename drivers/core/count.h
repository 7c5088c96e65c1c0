/* SPDX-License-Identifier: GPL-2.0-only */
/* Arithmetic of counters that wrap. */
#ifndef PMON_COUNT_H
#define PMON_COUNT_H

#include <linux/bits.h>
#include <linux/types.h>

/*
 * What a counter with the bits @mask gained, at most one wrap included. Other
 * bits of both readings may have any value.
 */
static inline u64 pmon_delta(u64 before, u64 now, u64 mask)
{
	return (now - before) & mask;
}

/*
 * A device that does not answer reads as all-ones. No counter narrower than the
 * register can hold that, and one of 64 bits passes it for one increment in
 * 2^64.
 */
static inline bool pmon_reading_valid(u64 value)
{
	return value != ~0ULL;
}

/**
 * pmon_delta_possible() - can a counter have gained that much?
 * @delta: what it seems to have gained
 * @ns: nanoseconds that have passed, rounded down
 *
 * The bound is far above the rate that pmon_wrap_period_ns() assumes: a count
 * that is doubted is lost, so only what no counter can gain is.
 *
 * Return: false when not even the fastest counter could: then somebody has
 * set or reset it.
 */
bool pmon_delta_possible(u64 delta, u64 ns);

/**
 * pmon_wrap_possible() - can a counter that went back have wrapped?
 * @delta: what it has gained if it has
 * @ns: nanoseconds that have passed, rounded down
 * @rate_log2: the logarithm of what it gains in a second at most; 0: not known
 *
 * Return: false when it would have had to gain about twice as much as that.
 */
bool pmon_wrap_possible(u64 delta, u64 ns, u8 rate_log2);

/**
 * pmon_wrap_period_ns() - how often must a counter be read?
 * @width: of the counter, PMON_WIDTH_MIN to PMON_WIDTH_MAX
 * @rate_log2: the logarithm of what it gains in a second at most, up to
 *	PMON_RATE_LOG2
 *
 * Return: nanoseconds in which it gains half of its range, rounded down; at
 * most a minute.
 */
u64 pmon_wrap_period_ns(u8 width, u8 rate_log2);

/*
 * What a counter may gain without a check; the fastest takes a millisecond.
 */
#define PMON_DELTA_SMALL	BIT_ULL(28)

/* All counters are read this often at least. */
#define PMON_PERIOD_MAX_NS	60000000000ULL
/*
 * A counter that would have to be read more often cannot be driven: what the
 * readings cost, and what delays them, is too much.
 */
#define PMON_PERIOD_MIN_NS	5000000ULL

#endif /* PMON_COUNT_H */
