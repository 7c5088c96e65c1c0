/* SPDX-License-Identifier: GPL-2.0-only */
/* Find CPUs that are isolated from kernel housekeeping. */
#ifndef PMON_COMPAT_ISOLATION_H
#define PMON_COMPAT_ISOLATION_H

#include <linux/cpuset.h>
#include <linux/rcupdate.h>
#include <linux/sched/isolation.h>

/*
 * Check isolcpus=, nohz_full= and cpusets. From 6.7 on cpusets keep a mask of
 * the CPUs that they isolate. Later kernels add these CPUs to the mask of
 * isolcpus=, and replace that mask under RCU.
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
