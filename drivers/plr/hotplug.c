// SPDX-License-Identifier: GPL-2.0-only
/*
 * Follow CPUs: each reads its own place in MSR 0x54 when it comes online, and
 * is linked to the directory of its module.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/topology.h>

#include <compat/cleanup.h>
#include <compat/msr.h>

#include "plr.h"

static enum cpuhp_state plr_cpuhp;

static void plr_cpu_link(struct plr_domain *domain, unsigned int cpu, u8 module)
{
	struct plr_scope *scope = plr_core_get(domain, module);
	struct device *dev = get_cpu_device(cpu);
	int ret;

	lockdep_assert_held(&plr_lock);
	if (!scope || !dev)
		return;
	/* A CPU that comes online while the domain is made has it already. */
	ret = sysfs_create_link_nowarn(&dev->kobj, &scope->kobj, "plr");
	if (ret && ret != -EEXIST)
		dev_warn(&domain->dev, "no link from cpu%u: error %d\n", cpu, ret);
}

/*
 * The module of a CPU that has its place, or NULL. Without plr_lock: events of
 * perf are moved with it released, in callbacks of CPU hotplug.
 */
static struct plr_scope *plr_cpu_scope(const struct plr_place *place)
{
	struct plr_domain *domain = plr_domain_find(place->package,
						    place->domain);

	return domain ? plr_core(domain, place->module) : NULL;
}

static int plr_cpu_online(unsigned int cpu)
{
	struct plr_domain *domain;
	struct plr_place place;
	struct plr_scope *scope;
	u64 msr;

	/* A CPU whose place is not known comes online all the same. */
	if (rdmsrq_safe(PLR_MSR_LOGICAL_ID, &msr))
		return 0;
	if (plr_place_decode(msr, &place)) {
		pr_warn_once("CPU %u: MSR 0x54 reads 0x%llx, no module, limits not shown\n",
			     cpu, msr);
		return 0;
	}
	place.package = topology_physical_package_id(cpu);
	scoped_guard(mutex, &plr_lock) {
		plr_cpu_set_place(cpu, &place);
		domain = plr_domain_find(place.package, place.domain);
		if (domain)
			plr_cpu_link(domain, cpu, place.module);
	}
	scope = plr_cpu_scope(&place);
	if (scope)
		plr_perf_cpu_online(scope, cpu);

	return 0;
}

/* The module keeps its directory: what limited it is still on record. */
static int plr_cpu_offline(unsigned int cpu)
{
	struct device *dev = get_cpu_device(cpu);
	struct plr_place place;
	struct plr_scope *core;

	if (!plr_cpu_place(cpu, &place))
		return 0;
	core = plr_cpu_scope(&place);
	scoped_guard(mutex, &plr_lock) {
		if (core && dev)
			sysfs_remove_link(&dev->kobj, "plr");
		plr_cpu_clear_place(cpu);
	}
	if (core)
		plr_perf_cpu_offline(core, cpu);

	return 0;
}

/* Give the CPUs of a new domain their directories. */
void plr_hotplug_add(struct plr_domain *domain)
{
	struct plr_place place;
	unsigned int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu) {
		if (!plr_cpu_is_in(cpu, domain->package, domain->id,
				   PLR_ANY_MODULE) ||
		    !plr_cpu_place(cpu, &place))
			continue;
		scoped_guard(mutex, &plr_lock)
			plr_cpu_link(domain, cpu, place.module);
		if (plr_core(domain, place.module))
			plr_perf_cpu_online(plr_core(domain, place.module),
					    cpu);
	}
	cpus_read_unlock();
}

/*
 * Find the place of each CPU, now and as it comes online. Returns 0 or an
 * error.
 */
int plr_hotplug_start(void)
{
	int ret;

	ret = plr_cpus_init();
	if (ret)
		return ret;
	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "platform/x86/pmon_plr:online",
				plr_cpu_online, plr_cpu_offline);
	if (ret < 0) {
		plr_cpus_exit();
		return ret;
	}
	plr_cpuhp = ret;

	return 0;
}

/* Remove all links; no CPU has a place any more. */
void plr_hotplug_stop(void)
{
	cpuhp_remove_state(plr_cpuhp);
	plr_cpus_exit();
}
