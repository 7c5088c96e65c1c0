// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmon_plr: report performance limit reasons of Intel servers (TPMI id 0xC).
 * Loading reads the PFS, TPMI_INFO, the headers of PLR instances and MSR 0x54,
 * and writes nothing.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>

#include <pmon/pmu.h>

#include "plr.h"

static bool plr_front_started;

/*
 * Return 0 even after an error, as perf may have opened the tracepoint. Watch
 * CPU hotplug only in mode "on", as MSR 0x54 of unknown CPU models may differ.
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
	plr_front_started = !ret;
	if (ret)
		pr_err("cannot start: error %d, doing nothing\n", ret);
	return 0;
}
module_init(plr_init);

static void __exit plr_exit(void)
{
	if (plr_mode == PMON_MODE_OFF)
		return;
	if (plr_front_started)
		plr_front_stop();
	if (plr_mode == PMON_MODE_ON)
		plr_cpus_stop();
	/* Each open event holds the module, so none is open. */
	pmon_pmu_destroy_all(THIS_MODULE);
	plr_domains_remove();
}
module_exit(plr_exit);

MODULE_DESCRIPTION("Performance limit reasons (Intel TPMI)");
MODULE_AUTHOR("The openpmon project");
MODULE_VERSION(PMON_VERSION);
MODULE_LICENSE("GPL");
