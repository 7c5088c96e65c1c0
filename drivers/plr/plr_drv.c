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

#include "plr.h"

/*
 * Follow CPUs only where the mode is on: on other models MSR 0x54 may be
 * another register.
 */
static int __init plr_start(void)
{
	int ret = plr_watch_start();

	if (ret)
		return ret;
	if (plr_mode == PMON_MODE_ON)
		ret = plr_cpus_start();
	if (!ret) {
		ret = plr_front_start();
		if (ret && plr_mode == PMON_MODE_ON)
			plr_cpus_stop();
	}
	if (ret)
		plr_watch_stop();

	return ret;
}

/*
 * Must not fail: the tracepoint exists before it is called, and perf may have
 * opened it.
 */
static int __init plr_init(void)
{
	int ret;

	plr_parse();
	if (plr_mode == PMON_MODE_OFF)
		return 0;
	ret = plr_start();
	if (ret) {
		pr_err("cannot start: error %d, doing nothing\n", ret);
		plr_mode = PMON_MODE_OFF;
	}

	return 0;
}
module_init(plr_init);

static void __exit plr_exit(void)
{
	if (plr_mode == PMON_MODE_OFF)
		return;
	plr_front_stop();
	if (plr_mode == PMON_MODE_ON)
		plr_cpus_stop();
	plr_perf_exit();
	plr_domains_remove();
	plr_watch_stop();
}
module_exit(plr_exit);

/* The kernel's own PLR driver comes first: what it drives is its own. */
MODULE_SOFTDEP("pre: intel_vsec intel_plr_tpmi");
MODULE_DESCRIPTION("Performance limit reasons (Intel TPMI) in sysfs");
MODULE_LICENSE("GPL");
