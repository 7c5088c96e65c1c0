// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists of CPUs as the kernel writes them.
 */
#include "cpus.h"

#include <ctype.h>
#include <stdlib.h>

#include "output.h"

/* The kernel's own limit is 8192; a slip of the finger must not fill memory. */
#define CPUS_MAX 65536

static bool parse_number(const char **s, unsigned int *value)
{
	char *end;
	unsigned long v;

	if (!isdigit((unsigned char)**s))
		return false;
	v = strtoul(*s, &end, 10);
	*s = end;
	*value = (unsigned int)v;
	return v < CPUS_MAX;
}

static int compare(const void *a, const void *b)
{
	unsigned int x = *(const unsigned int *)a;
	unsigned int y = *(const unsigned int *)b;

	return (x > y) - (x < y);
}

static void sort(struct cpus *c)
{
	size_t n = 0;

	if (c->count)
		qsort(c->cpu, c->count, sizeof(*c->cpu), compare);
	for (size_t i = 0; i < c->count; i++)
		if (!i || c->cpu[i] != c->cpu[i - 1])
			c->cpu[n++] = c->cpu[i];
	c->count = n;
}

static bool parse(struct cpus *c, const char *list)
{
	unsigned int first, last;

	for (;; list++) {
		if (!parse_number(&list, &first))
			return false;
		last = first;
		if (*list == '-' && (list++, !parse_number(&list, &last)))
			return false;
		if (last < first)
			return false;
		c->cpu = xrealloc(c->cpu, (c->count + last - first + 1) *
					  sizeof(*c->cpu));
		for (unsigned int cpu = first; cpu <= last; cpu++)
			c->cpu[c->count++] = cpu;
		if (*list != ',')
			break;
	}
	return !*list;
}

bool cpus_parse(struct cpus *c, const char *list)
{
	*c = (struct cpus){ NULL, 0 };
	if (!parse(c, list)) {
		cpus_free(c);
		return false;
	}
	sort(c);
	return true;
}

void cpus_join(struct cpus *c, const char *list)
{
	size_t before = c->count;

	if (!parse(c, list))
		c->count = before;
	sort(c);
}

void cpus_free(struct cpus *c)
{
	free(c->cpu);
	*c = (struct cpus){ NULL, 0 };
}
