/* SPDX-License-Identifier: GPL-2.0-only */
/* Random numbers and random operations, for programs in guests. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define PICK(array)	((array)[below(ARRAY_SIZE(array))])

/* One kind of operation. @run returns -1 if it had no effect; some need not say it. */
struct op {
	const char *name;
	unsigned int weight;
	union {
		long (*run)(void);
		void (*act)(void);
	};
};

/* The program defines both; @without: names of operations, separated by commas. */
extern __thread uint64_t random_state;
extern const char *without;

/* splitmix64, by Sebastiano Vigna, in the public domain */
static inline uint64_t any_number(void)
{
	uint64_t z = random_state += 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static inline unsigned int below(uint64_t n)
{
	return n ? any_number() % n : 0;
}

static inline bool odds(unsigned int percent)
{
	return below(100) < percent;
}

/* Return true if @without lists @name, or the part of @name before a dash. */
static inline bool switched_off(const char *name)
{
	const char *list = without;
	size_t n;

	for (; list && *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		if (n && !strncmp(list, name, n) && (!name[n] || name[n] == '-'))
			return true;
	}
	return false;
}

static inline unsigned int op_weight(const struct op *op)
{
	return switched_off(op->name) ? 0 : op->weight;
}

/* Choose one of the operations up to the one without a name; NULL if all are off. */
static inline const struct op *any_op(const struct op *ops)
{
	unsigned int sum = 0, i, n;

	for (i = 0; ops[i].name; i++)
		sum += op_weight(&ops[i]);
	if (!sum)
		return NULL;
	for (n = below(sum); n >= op_weight(ops); ops++)
		n -= op_weight(ops);
	return ops;
}

#endif /* RANDOM_H */
