/* SPDX-License-Identifier: GPL-2.0-only */
/* CPUs isolated from kernel housekeeping. */
#ifndef PMON_COMPAT_ISOLATION_H
#define PMON_COMPAT_ISOLATION_H

#include <linux/cpuset.h>
#include <linux/rcupdate.h>
#include <linux/sched/isolation.h>

/*
 * Check isolcpus=, nohz_full= and cpusets. The kernel has the CPUs of isolated
 * cpusets in a mask of cpusets from 6.7 on, and later in the mask of isolcpus=,
 * which the kernel frees on changes. Before 6.7 modules cannot read the CPUs of
 * cpusets.
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
