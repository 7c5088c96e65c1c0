// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPU hotplug: each CPU reads its own place in MSR 0x54 when it comes online.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpuhotplug.h>
#include <linux/topology.h>

#include <compat/msr.h>

#include "logical_id.h"
#include "plr.h"

static enum cpuhp_state plr_cpuhp;

static int plr_cpu_online(unsigned int cpu)
{
	struct plr_logical_id id;
	struct plr_place place;
	u64 msr;

	/* A CPU whose place is not known comes online all the same. */
	if (rdmsrq_safe(PLR_MSR_LOGICAL_ID, &msr))
		return 0;
	if (plr_logical_id_decode(msr, &id)) {
		pr_warn_once("MSR 0x54 of CPU %u has 0x%llx, which names no module: its limits are not shown\n",
			     cpu, msr);
		return 0;
	}

	place.package = topology_physical_package_id(cpu);
	place.domain = id.domain;
	place.module = id.module;
	plr_domains_cpu_online(cpu, &place);

	return 0;
}

static int plr_cpu_offline(unsigned int cpu)
{
	plr_domains_cpu_offline(cpu);

	return 0;
}

/**
 * plr_hotplug_start() - place all CPUs, now and as they come online
 *
 * Return: 0 or an error.
 */
int plr_hotplug_start(void)
{
	int ret = plr_cpus_init();

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

/**
 * plr_hotplug_stop() - undo plr_hotplug_start()
 */
void plr_hotplug_stop(void)
{
	cpuhp_remove_state(plr_cpuhp);
	plr_cpus_exit();
}
