/* SPDX-License-Identifier: GPL-2.0-only */
/* CPUs isolated from kernel housekeeping. */
#ifndef PMON_COMPAT_ISOLATION_H
#define PMON_COMPAT_ISOLATION_H

#include <linux/cpuset.h>
#include <linux/rcupdate.h>
#include <linux/sched/isolation.h>

/*
 * Check isolcpus=, nohz_full= and cpusets. From 6.7 on cpusets have a mask of
 * their isolated CPUs; later kernels have them in the mask of isolcpus=, and
 * free the old mask on changes.
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
