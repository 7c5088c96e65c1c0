/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random numbers that can be had again. Each operation starts with a state of
 * its own, made from the worker's seed and the operation's number: what one of
 * them drew does not change what the next one does.
 */
#ifndef FUZZ_RNG_H
#define FUZZ_RNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rng {
	uint64_t state;
};

#define GOLDEN	0x9e3779b97f4a7c15ull

/* splitmix64, by Sebastiano Vigna, who put it into the public domain. */
static inline uint64_t rng_next(struct rng *r)
{
	uint64_t z = r->state += GOLDEN;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static inline uint64_t rng_mix(uint64_t a, uint64_t b)
{
	struct rng r = { a ^ b * GOLDEN };

	return rng_next(&r);
}

static inline uint64_t rng_below(struct rng *r, uint64_t n)
{
	return n ? rng_next(r) % n : 0;
}

static inline bool rng_odds(struct rng *r, unsigned int percent)
{
	return rng_below(r, 100) < percent;
}

/* Small, a power of two, next to one, or anything. */
static inline uint64_t rng_odd_number(struct rng *r)
{
	switch (rng_below(r, 5)) {
	case 0:
		return rng_below(r, 8);
	case 1:
		return 1ull << rng_below(r, 64);
	case 2:
		return (1ull << rng_below(r, 64)) - 1;
	case 3:
		return ~rng_below(r, 4);
	default:
		return rng_next(r) >> rng_below(r, 64);
	}
}

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define PICK(r, array)	((array)[rng_below(r, ARRAY_SIZE(array))])

#endif /* FUZZ_RNG_H */
