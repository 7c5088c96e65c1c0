// SPDX-License-Identifier: GPL-2.0-only
/* Lists of CPUs in the kernel's format. */
#include "cpus.h"

#include <ctype.h>

/* Longer than a list of all CPUs one by one. */
#define LIST_MAX (8 * CPUS_MAX)

/* CPUS_MAX stands for all larger numbers. */
static bool parse_number(const char **s, unsigned int *value)
{
	char *end;
	unsigned long number;

	if (!isdigit((unsigned char)**s))
		return false;
	number = strtoul(*s, &end, 10);
	*value = number < CPUS_MAX ? (unsigned int)number : CPUS_MAX;
	*s = end;
	return true;
}

bool cpus_parse(struct cpus *c, const char *list)
{
	struct cpus listed = { { 0 } };
	unsigned int first, last;

	*c = listed;
	if (strlen(list) > LIST_MAX)
		return false;
	for (;; list++) {
		if (!parse_number(&list, &first))
			return false;
		last = first;
		if (*list == '-' && (list++, !parse_number(&list, &last)))
			return false;
		if (first > last || last >= CPUS_MAX)
			return false;
		for (unsigned int cpu = first; cpu <= last; cpu++)
			cpus_add(&listed, cpu);
		if (*list != ',')
			break;
	}
	if (*list)
		return false;
	*c = listed;
	return true;
}

struct cpus cpus_read_path(char *path)
{
	char *list FREED = sysfs_read_path(path);
	struct cpus c = { { 0 } };

	if (list)
		cpus_parse(&c, list);
	return c;
}

unsigned int cpus_next(const struct cpus *c, unsigned int from)
{
	while (from < CPUS_MAX && !cpus_has(c, from))
		from++;
	return from;
}

void cpus_add_text(struct text *t, const struct cpus *c)
{
	unsigned int *cpu FREED = xcalloc(CPUS_MAX, sizeof(*cpu));
	size_t count = 0;

	for_each_cpu(i, c)
		cpu[count++] = i;
	text_add_ranges(t, cpu, count);
}
