// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists of CPUs as the kernel writes them.
 */
#include "cpus.h"

#include <ctype.h>
#include <string.h>

#define WORDS (CPUS_MAX / 64)

/* A number of any length; CPUS_MAX stands for all that are too high. */
static bool parse_number(const char **s, unsigned int *value)
{
	const char *digits = *s;

	*value = 0;
	for (; isdigit((unsigned char)**s); (*s)++)
		if (*value < CPUS_MAX)
			*value = *value * 10 + (unsigned int)(**s - '0');
	return *s != digits;
}

/* Whole words at once, so that a long list of long ranges takes no time. */
static void add_range(struct cpus *c, unsigned int first, unsigned int last)
{
	unsigned int from = first / 64, to = last / 64;
	uint64_t low = UINT64_MAX << first % 64;
	uint64_t high = UINT64_MAX >> (63 - last % 64);

	if (from == to) {
		c->word[from] |= low & high;
		return;
	}
	c->word[from] |= low;
	c->word[to] |= high;
	memset(&c->word[from + 1], 0xff, (to - from - 1) * sizeof(*c->word));
}

static enum cpus_error parse(struct cpus *c, const char *list)
{
	enum cpus_error error = CPUS_FINE;
	unsigned int first, last;

	for (;; list++) {
		if (!parse_number(&list, &first))
			return CPUS_MALFORMED;
		last = first;
		if (*list == '-' && (list++, !parse_number(&list, &last)))
			return CPUS_MALFORMED;
		if (first >= CPUS_MAX || last >= CPUS_MAX)
			error = CPUS_TOO_HIGH;
		else if (first <= last)
			add_range(c, first, last);
		else
			return CPUS_MALFORMED;
		if (*list != ',')
			break;
	}
	return *list ? CPUS_MALFORMED : error;
}

enum cpus_error cpus_parse(struct cpus *c, const char *list)
{
	enum cpus_error error;

	*c = (struct cpus){ { 0 } };
	error = parse(c, list);
	if (error != CPUS_FINE)
		*c = (struct cpus){ { 0 } };
	return error;
}

struct cpus cpus_read_path(char *path)
{
	char *list FREED = sysfs_read_path(path);
	struct cpus c = { { 0 } };

	if (list)
		cpus_parse(&c, list);
	return c;
}

bool cpus_has(const struct cpus *c, unsigned int cpu)
{
	return cpu < CPUS_MAX && cpus_next(c, cpu) == cpu;
}

unsigned int cpus_count(const struct cpus *c)
{
	unsigned int n = 0;

	for (size_t i = 0; i < WORDS; i++)
		n += (unsigned int)__builtin_popcountll(c->word[i]);
	return n;
}

void cpus_add(struct cpus *c, unsigned int cpu)
{
	add_range(c, cpu, cpu);
}

void cpus_join(struct cpus *c, const struct cpus *other)
{
	for (unsigned int i = 0; i < WORDS; i++)
		c->word[i] |= other->word[i];
}

void cpus_intersect(struct cpus *c, const struct cpus *other)
{
	for (unsigned int i = 0; i < WORDS; i++)
		c->word[i] &= other->word[i];
}

unsigned int cpus_next(const struct cpus *c, unsigned int from)
{
	for (; from < CPUS_MAX; from++)
		if (c->word[from / 64] >> from % 64 & 1)
			break;
	return from;
}

void cpus_add_text(struct text *t, const struct cpus *c)
{
	unsigned int *cpu FREED = xrealloc(NULL, CPUS_MAX * sizeof(*cpu));
	size_t count = 0;

	for_each_cpu(i, c)
		cpu[count++] = i;
	text_add_ranges(t, cpu, count);
}
