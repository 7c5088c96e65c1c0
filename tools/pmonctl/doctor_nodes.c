// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl doctor: sub-NUMA clusters. Of Granite Rapids perf 6.16 and later knows
 * by its number in which node of its package a CHA or a memory controller is, and
 * opens its events on the first CPU of that node. That CPU is the one that cpumask
 * has for the package plus the first one of node 1, 2, ... of the whole machine,
 * which is true only if all are online and numbered as firmware likes to.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cpus.h"
#include "doctor_nodes.h"
#include "sysfs.h"

#define CPU_DIR "/sys/devices/system/cpu"
#define NODE_DIR "/sys/devices/system/node"
#define PMU_DIR "/sys/bus/event_source/devices"

/* More nodes than that, and perf has no table of memory controllers. */
#define NODES_KNOWN 3

static struct cpus taken(char *list)
{
	struct cpus c = { { 0 } };

	if (list)
		cpus_parse(&c, list);
	free(list);
	return c;
}

static bool has(const struct cpus *c, unsigned int cpu)
{
	return cpu < CPUS_MAX && cpus_next(c, cpu) == cpu;
}

static unsigned int count(const struct cpus *c)
{
	unsigned int n = 0;

	for (unsigned int i = cpus_next(c, 0); i < CPUS_MAX;
	     i = cpus_next(c, i + 1))
		n++;
	return n;
}

/* The CPUs of node @k of a CPU's package; none where it has fewer nodes. */
static struct cpus package_node(const struct names *nodes, unsigned int cpu,
				unsigned int k)
{
	struct cpus package = taken(sysfs_read(CPU_DIR
		"/cpu%u/topology/package_cpus_list", cpu));
	struct cpus node = { { 0 } };

	for (size_t i = 0; i < nodes->count; i++) {
		node = taken(sysfs_read(NODE_DIR "/%s/cpulist",
					nodes->name[i]));
		cpus_intersect(&node, &package);
		if (cpus_next(&node, 0) < CPUS_MAX && !k--)
			return node;
	}
	return (struct cpus){ { 0 } };
}

/* So many nodes perf sees in a package. */
static unsigned int nodes_for_perf(void)
{
	struct cpus cache = taken(sysfs_read(CPU_DIR
		"/cpu0/cache/index3/shared_cpu_list"));
	struct cpus node = taken(sysfs_read(NODE_DIR "/node0/cpulist"));

	return count(&node) ? count(&cache) / count(&node) : 0;
}

/* The mask that all PMUs with this prefix have; false if they differ. */
static bool common_mask(char **mask, const char *prefix, size_t *pmus)
{
	struct names n = sysfs_children(PMU_DIR, prefix);
	bool common = true;

	for (size_t i = 0; i < n.count && common; i++) {
		char *own = sysfs_read(PMU_DIR "/%s/cpumask", n.name[i]);

		if (own && !*mask) {
			*mask = own;
			continue;
		}
		common = own && !strcmp(own, *mask);
		free(own);
	}
	*pmus = n.count;
	names_free(&n);
	return common;
}

/* Does perf find a CPU of each node of each package? */
static bool finds_nodes(const struct names *nodes, unsigned int per_package,
			const struct cpus *mask)
{
	for (unsigned int k = 1; k < per_package; k++) {
		struct cpus first = taken(sysfs_read(NODE_DIR
			"/node%u/cpulist", k));
		unsigned int step = cpus_next(&first, 0);

		for (unsigned int c = cpus_next(mask, 0); c < CPUS_MAX;
		     c = cpus_next(mask, c + 1)) {
			struct cpus node = package_node(nodes, c, k);

			if (!has(&node, c + step))
				return false;
		}
	}
	return true;
}

/* Why perf gives boxes to nodes that they are not in, or NULL. */
static const char *mistaken(const struct names *nodes, unsigned int per_package)
{
	const char *why = NULL;
	char *list = NULL;
	size_t chas, imcs;
	bool common = common_mask(&list, "uncore_cha_", &chas) &&
		      common_mask(&list, "uncore_imc_", &imcs);
	struct cpus mask = taken(list);

	if (!common)
		why = "not every package has each of the boxes";
	else if (per_package > NODES_KNOWN)
		why = "it knows up to three";
	else if (nodes_for_perf() != per_package)
		why = "it takes them for more or fewer, as CPUs are offline";
	else if (!has(&mask, 0))
		why = "CPU 0 is not in the PMUs' cpumask";
	else if (chas % per_package)
		why = "their number does not divide that of the CHAs";
	else if (!finds_nodes(nodes, per_package, &mask))
		why = "the CPUs it looks for are offline, or in other nodes";
	return why;
}

static void check_nodes(struct findings *f)
{
	struct names nodes = sysfs_children(NODE_DIR, "node");
	unsigned int per_package = 0;
	struct cpus node;
	const char *why;

	while (node = package_node(&nodes, 0, per_package),
	       cpus_next(&node, 0) < CPUS_MAX)
		per_package++;
	why = per_package > 1 ? mistaken(&nodes, per_package) : NULL;
	if (why)
		found(f, NOTE, "nodes", "count with --per-socket of an older "
		      "perf, or as the uncore guide says", "%u NUMA nodes in "
		      "each package, and perf 6.16 and later takes CHAs and "
		      "memory controllers for those of other nodes, or leaves "
		      "them out: %s", per_package, why);
	else if (per_package > 1)
		found(f, FINE, "nodes", NULL, "%u NUMA nodes in each package: "
		      "perf 6.16 and later knows which CHAs and memory "
		      "controllers each has", per_package);
	names_free(&nodes);
}

void doctor_nodes(struct findings *f, const struct machine *m)
{
	for (size_t i = 0; i < m->devices; i++) {
		const char *platform = m->device[i].platform;

		if (platform && !strncmp(platform, "gnr", 3)) {
			check_nodes(f);
			return;
		}
	}
}
