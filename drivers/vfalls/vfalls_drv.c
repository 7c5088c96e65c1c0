// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmon_vfalls: perf PMUs for the memory controllers, the L2 cache and the
 * Zambezi chips of sun4v machines with UltraSPARC T2 Plus processors (Victoria
 * Falls). Their registers belong to the hypervisor, which is asked by API group
 * 0x205. Loading reads registers and writes none.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitops.h>
#include <linux/cpuhotplug.h>
#include <linux/module.h>

#include <asm/hypervisor.h>
#include <asm/spitfire.h>

#include <pmon/param.h>

#include "driver.h"

PMON_PARAM(mode, 16, "on",
	   "on: register PMUs; observe: read registers and report, register nothing; off: do nothing");

/* There is the device in sysfs; and there are PMUs. */
static bool started;
static bool serves;

static void vfalls_tell(void)
{
	const struct vfalls_found *found = &vfalls.found;
	unsigned int denied = hweight32(found->denied);

	pr_info("performance API 1.%u: %u pairs of counters\n", vfalls.minor,
		hweight32(found->units));
	denied += (found->l2 == -EACCES) + (found->strand == -EACCES);
	if (denied)
		pr_info("the hypervisor does not permit this guest %u units\n",
			denied);
}

static int vfalls_cpuhp;

static int vfalls_offline(unsigned int cpu)
{
	vfalls_pmus_offline(cpu);
	vfalls_settings_offline(cpu);
	return 0;
}

static void vfalls_serve(void)
{
	vfalls_pmus_add();
	vfalls_settings_add();
	vfalls_cpuhp = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN,
						 "perf/pmon_vfalls:online",
						 NULL, vfalls_offline);
	if (vfalls_cpuhp < 0)
		pr_warn("events end with their CPU: error %d\n", vfalls_cpuhp);
}

static int vfalls_begin(bool serve)
{
	int ret = vfalls_negotiate(sun4v_hvapi_register, &vfalls.minor);

	if (ret)
		return ret;
	vfalls_probe(&vfalls_hv, vfalls.minor, &vfalls.found);
	ret = vfalls_sysfs_add();
	if (ret) {
		sun4v_hvapi_unregister(VFALLS_GROUP);
		return ret;
	}
	started = true;
	vfalls_tell();
	serves = serve;
	if (serve)
		vfalls_serve();
	return 0;
}

static int __init vfalls_init(void)
{
	enum pmon_mode asked;

	/* Elsewhere the trap of a call is an illegal instruction. */
	if (tlb_type != hypervisor)
		return -ENODEV;
	if (!pmon_judge_mode(KBUILD_MODNAME, mode, &asked) ||
	    asked == PMON_MODE_OFF)
		return 0;
	return vfalls_begin(asked == PMON_MODE_ON);
}
module_init(vfalls_init);

static void vfalls_stop_serving(void)
{
	if (vfalls_cpuhp > 0)
		cpuhp_remove_state_nocalls(vfalls_cpuhp);
	/* No event is open. */
	vfalls_report_stop();
	pmon_pmu_destroy_all(THIS_MODULE);
	vfalls_pmus_remove();
}

static void __exit vfalls_exit(void)
{
	if (!started)
		return;
	if (serves)
		vfalls_stop_serving();
	vfalls_sysfs_remove();
	sun4v_hvapi_unregister(VFALLS_GROUP);
}
module_exit(vfalls_exit);

MODULE_DESCRIPTION("PMUs of UltraSPARC T2 Plus machines");
MODULE_LICENSE("GPL");
