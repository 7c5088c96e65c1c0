/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a box is: which CPUs can reach it, and so which one reads it, starts
 * its events and has its timer.
 */
#ifndef PMON_PLACE_H
#define PMON_PLACE_H

/**
 * enum pmon_place_kind - what a place is
 * @PMON_PLACE_PACKAGE: the CPUs of a processor package, which are the only ones
 *	that reach its boxes
 * @PMON_PLACE_DIE: likewise the CPUs of a die of a package
 * @PMON_PLACE_NODE: near a NUMA node, which may have no CPU itself. Every CPU
 *	reaches such a box, and those of the nearest node have the shortest way.
 */
enum pmon_place_kind {
	PMON_PLACE_PACKAGE,
	PMON_PLACE_DIE,
	PMON_PLACE_NODE,
};

/**
 * struct pmon_place_id - a place
 * @kind: what it is
 * @id: topology_physical_package_id(), topology_logical_die_id(), or the number
 *	of the node; NUMA_NO_NODE when all CPUs are as near as each other
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
 * pmon_place_cpu() - the CPU that serves a place
 * @id: the place
 *
 * A package, or a die, is served by one of its CPUs. A node is served by the
 * nearest CPU, one of its own if it has any. A CPU that isolcpus= or nohz_full=
 * keep for other work serves only where no other one can.
 *
 * Return: an online CPU, which may go offline at once, or -1: no CPU of the
 * package is online, or no box has ever been on the die or near the node.
 */
int pmon_place_cpu(struct pmon_place_id id);

#endif /* PMON_PLACE_H */
