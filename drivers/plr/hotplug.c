// SPDX-License-Identifier: GPL-2.0-only
/* CPU hotplug: link each CPU to the directory of its module (MSR 0x54). */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/topology.h>

#include <compat/msr.h>

#include "plr.h"

static int plr_cpuhp;

static struct plr_scope *plr_module_get(struct plr_domain *domain, u8 id)
{
	struct plr_scope *module = domain->modules[id];

	lockdep_assert_held(&plr_lock);
	if (module)
		return module;
	module = plr_scope_create(domain, PLR_MODULE, id);
	if (!module)
		return NULL;
	scoped_guard(mutex, &domain->lock)
		plr_sampler_add(&domain->monitor.sampler, &module->record);
	WRITE_ONCE(domain->modules[id], module);
	return module;
}

static void plr_cpu_attach(unsigned int cpu, const struct plr_logical_id *id)
{
	struct device *dev = get_cpu_device(cpu);
	struct plr_domain *domain;
	struct plr_scope *module;
	int ret;

	scoped_guard(mutex, &plr_lock) {
		domain = plr_domain_find(topology_physical_package_id(cpu),
					 id->domain);
		module = domain ? plr_module_get(domain, id->module) : NULL;
		if (!module || plr_cpu_module(cpu) || !dev)
			return;
		plr_cpu_set_module(cpu, module);
		ret = sysfs_create_link_nowarn(&dev->kobj, &module->kobj, "plr");
		if (ret)
			dev_warn(&domain->dev, "no link from cpu%u: error %d\n",
				 cpu, ret);
	}
	plr_perf_cpu_online(module, cpu);
}

/* Return 0 always, so that a CPU with an unknown module comes online, too. */
static int plr_cpu_online(unsigned int cpu)
{
	struct plr_logical_id id;
	u64 msr;

	if (rdmsrq_safe_on_cpu(cpu, PLR_MSR_LOGICAL_ID, &msr))
		pr_warn_once("CPU %u: MSR 0x54 cannot be read, no module, limits not shown\n",
			     cpu);
	else if (plr_logical_id_decode(msr, &id))
		pr_warn_once("CPU %u: MSR 0x54 reads 0x%llx, no module, limits not shown\n",
			     cpu, msr);
	else
		plr_cpu_attach(cpu, &id);
	return 0;
}

/* Remove the link of a CPU; the directory and record of its module stay. */
static int plr_cpu_offline(unsigned int cpu)
{
	struct plr_scope *module = plr_cpu_module(cpu);

	if (!module)
		return 0;
	scoped_guard(mutex, &plr_lock) {
		sysfs_remove_link(&get_cpu_device(cpu)->kobj, "plr");
		plr_cpu_set_module(cpu, NULL);
	}
	plr_perf_cpu_offline(module, cpu);
	return 0;
}

void plr_cpus_add(void)
{
	unsigned int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu)
		plr_cpu_online(cpu);
	cpus_read_unlock();
}

int plr_cpus_start(void)
{
	plr_cpuhp = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN,
				      "platform/x86/pmon_plr:online",
				      plr_cpu_online, plr_cpu_offline);
	return min(plr_cpuhp, 0);
}

void plr_cpus_stop(void)
{
	cpuhp_remove_state(plr_cpuhp);
}
