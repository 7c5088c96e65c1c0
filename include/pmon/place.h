/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Define the place of a box: the CPUs that reach the box. The designated CPU of
 * a place starts and reads the events, and runs the poll timer.
 */
#ifndef PMON_PLACE_H
#define PMON_PLACE_H

/**
 * enum pmon_place_kind - kind of a place
 * @PMON_PLACE_PACKAGE: only the CPUs of a package
 * @PMON_PLACE_DIE: only the CPUs of a die
 * @PMON_PLACE_NODE: all CPUs; accesses from CPUs near a NUMA node are fastest
 */
enum pmon_place_kind {
	PMON_PLACE_PACKAGE,
	PMON_PLACE_DIE,
	PMON_PLACE_NODE,
};

/**
 * struct pmon_place_id - a place
 * @kind: kind of the place
 * @id: topology_physical_package_id(), topology_logical_die_id(), or NUMA node;
 *	NUMA_NO_NODE: all CPUs are equally near
 */
struct pmon_place_id {
	enum pmon_place_kind kind;
	int id;
};

static inline struct pmon_place_id pmon_in_package(int package)
{
	return (struct pmon_place_id) { PMON_PLACE_PACKAGE, package };
}

static inline struct pmon_place_id pmon_in_die(int die)
{
	return (struct pmon_place_id) { PMON_PLACE_DIE, die };
}

static inline struct pmon_place_id pmon_near_node(int node)
{
	return (struct pmon_place_id) { PMON_PLACE_NODE, node };
}

/**
 * pmon_place_cpu() - get the designated CPU of a place
 * @id: the place
 *
 * Return: an online CPU; an isolated one (isolcpus=, nohz_full=, cpusets) only
 * if all are isolated. -1 if no CPU of the package or die is online, or if no
 * box was ever added on the die or near the node.
 */
int pmon_place_cpu(struct pmon_place_id id);

#endif /* PMON_PLACE_H */
