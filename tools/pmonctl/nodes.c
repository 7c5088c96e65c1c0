// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory controllers and NUMA nodes. A package that is one node has all of its
 * controllers there. Of Granite Rapids perf's sources tell which ones sub-NUMA
 * clusters have (tools/perf/arch/x86/util/pmu.c of Linux 6.16); of other
 * processors with such clusters nothing does.
 */
#include "nodes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpus.h"
#include "sysfs.h"

#define CPU_DIR "/sys/devices/system/cpu"
#define NODE_DIR "/sys/devices/system/node"

/* Of Granite Rapids. */
#define CONTROLLERS 12
#define CLUSTERS 3

static bool is_granite_rapids(void)
{
	char *text = sysfs_read("/proc/cpuinfo");
	const char *model = text ? strstr(text, "\nmodel\t") : NULL;
	unsigned int number = 0;

	if (model)
		sscanf(model, "\nmodel : %u", &number);
	free(text);
	return number == 0xad || number == 0xae;
}

static void read_list(struct cpus *c, char *list)
{
	memset(c, 0, sizeof(*c));
	if (list)
		cpus_parse(c, list);
	free(list);
}

/* A node that has a CPU of this package; one without CPUs is of none. */
static bool is_in(const char *node, long package)
{
	struct cpus c;
	unsigned int cpu;

	read_list(&c, sysfs_read(NODE_DIR "/%s/cpulist", node));
	cpu = cpus_next(&c, 0);
	return cpu < CPUS_MAX &&
	       sysfs_read_long(CPU_DIR "/cpu%u/topology/physical_package_id",
			       cpu) == package;
}

/* The nodes of a package, the first few of them; how many there are. */
static size_t nodes_of(long package, long node[CLUSTERS])
{
	struct names all = sysfs_children(NODE_DIR, "node");
	size_t count = 0;

	for (size_t i = 0; i < all.count; i++) {
		if (!is_in(all.name[i], package))
			continue;
		if (count < CLUSTERS)
			node[count] = strtol(all.name[i] + strlen("node"), NULL,
					     10);
		count++;
	}
	names_free(&all);
	return count;
}

long node_of_controller(unsigned int number, long package)
{
	static const unsigned char clusters[][CONTROLLERS] = {
		[2] = { 1, 1, 0, 0, 1, 1, 0, 0 },
		[3] = { 1, 1, 0, 0, 2, 2, 1, 1, 0, 0, 2, 2 },
	};
	static const unsigned char controllers[] = { [2] = 8, [3] = 12 };
	long node[CLUSTERS];
	size_t count = nodes_of(package, node);

	if (count == 1)
		return node[0];
	if (count < 2 || count > CLUSTERS || !is_granite_rapids() ||
	    number >= controllers[count])
		return -1;
	return node[clusters[count][number]];
}
