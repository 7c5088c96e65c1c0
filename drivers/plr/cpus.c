// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keep which domains there are, and which CPUs belong to which module. A CPU
 * that is not online belongs nowhere, so that one that never came up is not
 * taken for one of module 0.
 */
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "plr.h"

/*
 * Protects the lists of devices and domains, modules, places of CPUs and links.
 */
DEFINE_MUTEX(plr_lock);

/*
 * Grows under plr_lock. What reads it without the lock relies on domains
 * staying until nothing of this module runs any more.
 */
LIST_HEAD(plr_domains);

/* Find a domain by its numbers. Any context. Returns the domain, or NULL. */
struct plr_domain *plr_domain_find(u16 package, u8 id)
{
	struct plr_domain *domain;

	list_for_each_entry_rcu(domain, &plr_domains, node, true)
		if (domain->package == package && domain->id == id)
			return domain;

	return NULL;
}

static DEFINE_PER_CPU(struct plr_place, plr_places);
/* CPUs whose place is known; changes under plr_lock. */
static cpumask_var_t plr_placed;

/*
 * The module of a CPU. Returns false for a CPU that is offline or whose MSR
 * named no module.
 */
bool plr_cpu_place(unsigned int cpu, struct plr_place *place)
{
	if (!cpumask_test_cpu(cpu, plr_placed))
		return false;
	*place = per_cpu(plr_places, cpu);

	return true;
}

/* Whether an online CPU belongs to a domain, or to a module of it. */
bool plr_cpu_is_in(unsigned int cpu, u16 package, u8 domain, int module)
{
	struct plr_place place;

	return plr_cpu_place(cpu, &place) && place.package == package &&
	       place.domain == domain &&
	       (module == PLR_ANY_MODULE || place.module == module);
}

/*
 * Write the list of CPUs of a domain or module. Returns bytes written, or
 * -ENOMEM.
 */
int plr_cpus_print(char *buf, u16 package, u8 domain, int module)
{
	cpumask_var_t mask;
	unsigned int cpu;
	int len;

	if (!zalloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;
	for_each_cpu(cpu, plr_placed)
		if (plr_cpu_is_in(cpu, package, domain, module))
			cpumask_set_cpu(cpu, mask);
	len = sysfs_emit(buf, "%*pbl\n", cpumask_pr_args(mask));
	free_cpumask_var(mask);

	return len;
}

/* A CPU has its place; with plr_lock held. */
void plr_cpu_set_place(unsigned int cpu, const struct plr_place *place)
{
	per_cpu(plr_places, cpu) = *place;
	cpumask_set_cpu(cpu, plr_placed);
}

/* A CPU goes offline; with plr_lock held. */
void plr_cpu_clear_place(unsigned int cpu)
{
	cpumask_clear_cpu(cpu, plr_placed);
}

int plr_cpus_init(void)
{
	return zalloc_cpumask_var(&plr_placed, GFP_KERNEL) ? 0 : -ENOMEM;
}

void plr_cpus_exit(void)
{
	free_cpumask_var(plr_placed);
}
