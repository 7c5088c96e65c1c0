// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keep the list of domains, and which module each online CPU belongs to: its
 * place is in MSR 0x54, and it is linked to the directory of its module.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/sysfs.h>
#include <linux/topology.h>

#include <compat/cleanup.h>
#include <compat/msr.h>

#include "plr.h"

/* Protects the lists of devices and domains, modules, CPUs and links. */
DEFINE_MUTEX(plr_lock);

/* Grows under plr_lock until the module goes, so others read it without. */
LIST_HEAD(plr_domains);

/* NULL for a CPU that is offline, or whose module has no directory. */
static DEFINE_PER_CPU(struct plr_scope *, plr_cpu_cores);
static enum cpuhp_state plr_cpuhp;

struct plr_domain *plr_domain_find(u16 package, u8 id)
{
	struct plr_domain *domain;

	list_for_each_entry_rcu(domain, &plr_domains, node, true)
		if (domain->package == package && domain->id == id)
			return domain;

	return NULL;
}

struct plr_scope *plr_cpu_core(unsigned int cpu)
{
	return READ_ONCE(per_cpu(plr_cpu_cores, cpu));
}

/* The directory of a module, made if there is none, or NULL. */
static struct plr_scope *plr_core_get(struct plr_domain *domain, u8 module)
{
	struct plr_scope *core = domain->core[module];

	lockdep_assert_held(&plr_lock);
	if (core)
		return core;
	core = plr_scope_create(domain, PLR_CORE, module);
	if (!core)
		return NULL;
	scoped_guard(mutex, &domain->lock)
		plr_monitor_add(&domain->monitor, &core->part);
	domain->core[module] = core;

	return core;
}

/* Give a CPU its module, where that has a domain, and the module its events. */
static void plr_cpu_attach(unsigned int cpu, const struct plr_place *place)
{
	struct device *dev = get_cpu_device(cpu);
	struct plr_domain *domain;
	struct plr_scope *core;
	int ret;

	scoped_guard(mutex, &plr_lock) {
		domain = plr_domain_find(topology_physical_package_id(cpu),
					 place->domain);
		core = domain ? plr_core_get(domain, place->module) : NULL;
		if (!core || plr_cpu_core(cpu) || !dev)
			return;
		WRITE_ONCE(per_cpu(plr_cpu_cores, cpu), core);
		ret = sysfs_create_link_nowarn(&dev->kobj, &core->kobj, "plr");
		if (ret)
			dev_warn(&domain->dev, "no link from cpu%u: error %d\n",
				 cpu, ret);
	}
	plr_perf_cpu_online(core, cpu);
}

/* A CPU whose place is not known comes online all the same. */
static int plr_cpu_online(unsigned int cpu)
{
	struct plr_place place;
	u64 msr;

	if (rdmsrq_safe_on_cpu(cpu, PLR_MSR_LOGICAL_ID, &msr))
		return 0;
	if (plr_place_decode(msr, &place))
		pr_warn_once("CPU %u: MSR 0x54 reads 0x%llx, no module, limits not shown\n",
			     cpu, msr);
	else
		plr_cpu_attach(cpu, &place);

	return 0;
}

/* The module keeps its directory: what limited it is still on record. */
static int plr_cpu_offline(unsigned int cpu)
{
	struct plr_scope *core = plr_cpu_core(cpu);

	if (!core)
		return 0;
	scoped_guard(mutex, &plr_lock) {
		sysfs_remove_link(&get_cpu_device(cpu)->kobj, "plr");
		WRITE_ONCE(per_cpu(plr_cpu_cores, cpu), NULL);
	}
	plr_perf_cpu_offline(core, cpu);

	return 0;
}

/* A domain is new: give its CPUs their modules. */
void plr_cpus_add(void)
{
	unsigned int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu)
		plr_cpu_online(cpu);
	cpus_read_unlock();
}

/* Find the place of each CPU, now and as it comes online. 0 or an error. */
int plr_cpus_start(void)
{
	int ret;

	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "platform/x86/pmon_plr:online",
				plr_cpu_online, plr_cpu_offline);
	if (ret < 0)
		return ret;
	plr_cpuhp = ret;

	return 0;
}

/* Remove all links; no CPU has a module any more. */
void plr_cpus_stop(void)
{
	cpuhp_remove_state(plr_cpuhp);
}

/* Write the CPUs of a module, or without one of all modules of a domain. */
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
