// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keep the list of domains, and which module each online CPU belongs to.
 */
#include <linux/cpumask.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/sysfs.h>

#include "plr.h"

/* Protects the lists of devices and domains, modules, CPUs and links. */
DEFINE_MUTEX(plr_lock);

/*
 * Grows under plr_lock. Readers without the lock rely on domains staying until
 * nothing of this module runs any more.
 */
LIST_HEAD(plr_domains);

/* NULL for a CPU that is offline, or whose module has no directory. */
static DEFINE_PER_CPU(struct plr_scope *, plr_cpu_cores);

/* Find a domain by its numbers. Any context. Returns the domain, or NULL. */
struct plr_domain *plr_domain_find(u16 package, u8 id)
{
	struct plr_domain *domain;

	list_for_each_entry_rcu(domain, &plr_domains, node, true)
		if (domain->package == package && domain->id == id)
			return domain;

	return NULL;
}

/* The module of an online CPU, or NULL. Any context. */
struct plr_scope *plr_cpu_core(unsigned int cpu)
{
	return READ_ONCE(per_cpu(plr_cpu_cores, cpu));
}

/* A CPU belongs to a module now, or to none; with plr_lock held. */
void plr_cpu_set_core(unsigned int cpu, struct plr_scope *core)
{
	lockdep_assert_held(&plr_lock);
	WRITE_ONCE(per_cpu(plr_cpu_cores, cpu), core);
}

/*
 * Write the list of CPUs of a module, or of all modules of a domain without
 * one. Returns bytes written, or -ENOMEM.
 */
int plr_cpus_print(char *buf, const struct plr_domain *domain,
		   const struct plr_scope *core)
{
	const struct plr_scope *of;
	cpumask_var_t mask;
	unsigned int cpu;
	int len;

	if (!zalloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;
	for_each_online_cpu(cpu) {
		of = plr_cpu_core(cpu);
		if (of && (core ? of == core : of->domain == domain))
			cpumask_set_cpu(cpu, mask);
	}
	len = sysfs_emit(buf, "%*pbl\n", cpumask_pr_args(mask));
	free_cpumask_var(mask);

	return len;
}
