// SPDX-License-Identifier: GPL-2.0-only
/*
 * Follow CPUs: each reads its own place in MSR 0x54 when it comes online, and
 * is linked to the directory of its module.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/percpu.h>
#include <linux/topology.h>

#include <compat/cleanup.h>
#include <compat/msr.h>

#include "plr.h"

/*
 * Where MSR 0x54 says that a CPU is; it may come online before its domain is
 * found. Changes in callbacks of CPU hotplug.
 */
static DEFINE_PER_CPU(struct plr_place, plr_places);
static DEFINE_PER_CPU(bool, plr_is_placed);
static enum cpuhp_state plr_cpuhp;

/* Give a CPU its module, where that has a domain, and the module its events. */
static void plr_cpu_attach(unsigned int cpu)
{
	const struct plr_place *place = per_cpu_ptr(&plr_places, cpu);
	struct device *dev = get_cpu_device(cpu);
	struct plr_domain *domain;
	struct plr_scope *core;
	int ret;

	scoped_guard(mutex, &plr_lock) {
		domain = plr_domain_find(place->package, place->domain);
		core = domain ? plr_core_get(domain, place->module) : NULL;
		if (!core || plr_cpu_core(cpu) || !dev)
			return;
		plr_cpu_set_core(cpu, core);
		ret = sysfs_create_link_nowarn(&dev->kobj, &core->kobj, "plr");
		if (ret)
			dev_warn(&domain->dev, "no link from cpu%u: error %d\n",
				 cpu, ret);
	}
	plr_perf_cpu_online(core, cpu);
}

static int plr_cpu_online(unsigned int cpu)
{
	struct plr_place *place = per_cpu_ptr(&plr_places, cpu);
	u64 msr;

	/* A CPU whose place is not known comes online all the same. */
	per_cpu(plr_is_placed, cpu) = false;
	if (rdmsrq_safe(PLR_MSR_LOGICAL_ID, &msr))
		return 0;
	if (plr_place_decode(msr, place)) {
		pr_warn_once("CPU %u: MSR 0x54 reads 0x%llx, no module, limits not shown\n",
			     cpu, msr);
		return 0;
	}
	place->package = topology_physical_package_id(cpu);
	per_cpu(plr_is_placed, cpu) = true;
	plr_cpu_attach(cpu);

	return 0;
}

/* The module keeps its directory: what limited it is still on record. */
static int plr_cpu_offline(unsigned int cpu)
{
	struct plr_scope *core = plr_cpu_core(cpu);

	per_cpu(plr_is_placed, cpu) = false;
	if (!core)
		return 0;
	scoped_guard(mutex, &plr_lock) {
		sysfs_remove_link(&get_cpu_device(cpu)->kobj, "plr");
		plr_cpu_set_core(cpu, NULL);
	}
	plr_perf_cpu_offline(core, cpu);

	return 0;
}

/* A domain is new: give its CPUs their modules. */
void plr_hotplug_add(void)
{
	unsigned int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu)
		if (per_cpu(plr_is_placed, cpu))
			plr_cpu_attach(cpu);
	cpus_read_unlock();
}

/* Find the place of each CPU, now and as it comes online. 0 or an error. */
int plr_hotplug_start(void)
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
void plr_hotplug_stop(void)
{
	cpuhp_remove_state(plr_cpuhp);
}
