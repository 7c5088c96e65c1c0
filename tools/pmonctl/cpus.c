// SPDX-License-Identifier: GPL-2.0-only
/* Lists of CPUs in the kernel's format. */
#include <ctype.h>

#include "host.h"

/* Longer than a list of all CPUs one by one. */
#define LIST_MAX (8 * CPUS_MAX)

bool cpus_parse(struct cpus *c, const char *list)
{
	struct cpus listed = { { 0 } };
	char *end;

	*c = listed;
	if (strlen(list) > LIST_MAX)
		return false;
	do {
		unsigned long first = strtoul(list, &end, 10), last = first;

		if (*end == '-' && isdigit((unsigned char)*list))
			last = strtoul(list = end + 1, &end, 10);
		if (!isdigit((unsigned char)*list) || first > last || last >= CPUS_MAX)
			return false;
		for (; first <= last; first++)
			cpus_add(&listed, first);
		list = end + 1;
	} while (*end == ',');
	if (*end)
		return false;
	*c = listed;
	return true;
}

struct cpus cpus_read_path(char *path)
{
	char *list = sysfs_read_path(path);
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
	unsigned int *cpu = xcalloc(CPUS_MAX, sizeof(*cpu));
	size_t count = 0;

	for_each_cpu(i, c)
		cpu[count++] = i;
	text_add_ranges(t, cpu, count);
}
