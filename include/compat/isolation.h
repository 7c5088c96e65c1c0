/* SPDX-License-Identifier: GPL-2.0-only */
/* CPUs that are kept for other work. */
#ifndef PMON_COMPAT_ISOLATION_H
#define PMON_COMPAT_ISOLATION_H

#include <linux/cpuset.h>
#include <linux/rcupdate.h>
#include <linux/sched/isolation.h>

/*
 * By isolcpus= or nohz_full=, or by a cpuset while the machine runs: from 6.7 on
 * these are in a mask of their own, later in that of isolcpus=, which is freed
 * when it changes. Kernels before 6.7 do not tell.
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
