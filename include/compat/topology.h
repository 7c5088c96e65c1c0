/* SPDX-License-Identifier: GPL-2.0-only */
/* Get die numbers, which only x86 has. */
#ifndef PMON_COMPAT_TOPOLOGY_H
#define PMON_COMPAT_TOPOLOGY_H

#include <linux/topology.h>

/* Get the number of a CPU's die, unique in the machine, or -1. */
static inline int compat_logical_die_id(unsigned int cpu)
{
#ifdef topology_logical_die_id
	return topology_logical_die_id(cpu);
#else
	return -1;
#endif
}

#endif /* PMON_COMPAT_TOPOLOGY_H */
