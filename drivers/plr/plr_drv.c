// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmon_plr: performance limit reasons of Intel servers (TPMI id 0xC) as files,
 * a tracepoint and events of perf.
 *
 * Loading reads the PFS, TPMI_INFO, the headers of PLR instances and MSR 0x54,
 * and writes nothing.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>

#include <pmon/pmu.h>

#include "plr.h"

/* Devices are found. If not, all that were are detached again. */
static bool plr_attaches;

/*
 * Must not fail: the tracepoint exists before it is called, and perf may have
 * opened it, or an event of a device whose driver was refused after all. CPUs
 * are followed only where the mode is on: on other models MSR 0x54 may be
 * another register.
 */
static int __init plr_init(void)
{
	int ret = 0;

	plr_parse();
	if (plr_mode == PMON_MODE_OFF)
		return 0;
	if (plr_mode == PMON_MODE_ON)
		ret = plr_cpus_start();
	if (ret)
		plr_mode = PMON_MODE_OFF;
	else
		ret = plr_front_start();
	plr_attaches = !ret;
	if (ret)
		pr_err("cannot start: error %d, doing nothing\n", ret);
	return 0;
}
module_init(plr_init);

static void __exit plr_exit(void)
{
	if (plr_mode == PMON_MODE_OFF)
		return;
	if (plr_attaches)
		plr_front_stop();
	if (plr_mode == PMON_MODE_ON)
		plr_cpus_stop();
	/* No event is open: each holds the module. */
	pmon_pmu_destroy_all(THIS_MODULE);
	plr_domains_remove();
}
module_exit(plr_exit);

/* The kernel's own PLR driver comes first: what it drives is its own. */
MODULE_SOFTDEP("pre: intel_vsec intel_plr_tpmi");
MODULE_DESCRIPTION("Performance limit reasons (Intel TPMI) in sysfs");
MODULE_LICENSE("GPL");
