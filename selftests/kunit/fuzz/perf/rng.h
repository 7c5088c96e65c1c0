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

uint64_t rng_mix(uint64_t a, uint64_t b);
uint64_t rng_of_text(const char *text);
uint64_t rng_next(struct rng *r);
uint64_t rng_below(struct rng *r, uint64_t n);
bool rng_odds(struct rng *r, unsigned int percent);
uint64_t rng_odd_number(struct rng *r);

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define PICK(r, array)	((array)[rng_below(r, ARRAY_SIZE(array))])

#endif /* FUZZ_RNG_H */
