/* SPDX-License-Identifier: GPL-2.0-only */
/* CPUs that are kept for other work. */
#ifndef PMON_COMPAT_ISOLATION_H
#define PMON_COMPAT_ISOLATION_H

#include <linux/cpuset.h>
#include <linux/rcupdate.h>
#include <linux/sched/isolation.h>

/*
 * By isolcpus= or nohz_full=, or by a cpuset while the machine runs. From 6.7 on
 * the kernel has those of cpusets in a mask of its own, later in that of
 * isolcpus=, which it frees when it changes. Before 6.7 modules cannot read
 * them.
 */
static inline bool compat_cpu_is_isolated(unsigned int cpu)
{
	bool isolated;

#if COMPAT_HAS_CPUSET_ISOLATED
	if (cpuset_cpu_is_isolated(cpu))
		return true;
#endif
	rcu_read_lock();
	isolated = !housekeeping_cpu(cpu, HK_TYPE_DOMAIN) ||
		   !housekeeping_cpu(cpu, HK_TYPE_TIMER);
	rcu_read_unlock();
	return isolated;
}

#endif /* PMON_COMPAT_ISOLATION_H */
