// SPDX-License-Identifier: GPL-2.0-only
/* splitmix64, by Sebastiano Vigna, who put it into the public domain. */
#include "rng.h"

#define GOLDEN	0x9e3779b97f4a7c15ull

uint64_t rng_next(struct rng *r)
{
	uint64_t z = r->state += GOLDEN;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

uint64_t rng_mix(uint64_t a, uint64_t b)
{
	struct rng r = { a ^ b * GOLDEN };

	return rng_next(&r);
}

uint64_t rng_of_text(const char *text)
{
	uint64_t hash = 0;

	while (*text)
		hash = rng_mix(hash, (unsigned char)*text++);
	return hash;
}

uint64_t rng_below(struct rng *r, uint64_t n)
{
	return n ? rng_next(r) % n : 0;
}

bool rng_odds(struct rng *r, unsigned int percent)
{
	return rng_below(r, 100) < percent;
}

/* Small, a power of two, next to one, or anything. */
uint64_t rng_odd_number(struct rng *r)
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
