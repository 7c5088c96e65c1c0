// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmon_plr: performance limit reasons of Intel servers (TPMI id 0xC) as files.
 *
 * Loading reads the PFS, TPMI_INFO, the headers of PLR instances and MSR 0x54,
 * and writes nothing.
 */
#include <linux/module.h>

#include "plr.h"

/* What domains need; MSR 0x54 means something on known models only. */
static int plr_counts_start(void)
{
	int ret;

	if (plr_mode() != PLR_ON)
		return 0;
	ret = plr_perf_init();
	if (ret)
		return ret;
	ret = plr_hotplug_start();
	if (ret)
		plr_perf_exit();

	return ret;
}

static void plr_counts_stop(void)
{
	plr_domains_stop();
	plr_watch_stop();
	if (plr_mode() != PLR_ON)
		return;
	plr_hotplug_stop();
	plr_perf_exit();
}

static int __init plr_init(void)
{
	int ret = plr_mode_init();

	if (ret || plr_mode() == PLR_OFF)
		return ret;

	ret = plr_counts_start();
	if (ret)
		return ret;
	ret = plr_front_start();
	if (ret)
		plr_counts_stop();

	return ret;
}
module_init(plr_init);

static void __exit plr_exit(void)
{
	if (plr_mode() == PLR_OFF)
		return;

	plr_front_stop();
	plr_counts_stop();
}
module_exit(plr_exit);

/* The kernel's own PLR driver comes first: what it drives is its own. */
MODULE_SOFTDEP("pre: intel_vsec intel_plr_tpmi");
MODULE_DESCRIPTION("Performance limit reasons (Intel TPMI) in sysfs");
MODULE_LICENSE("GPL");
