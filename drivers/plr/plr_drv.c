// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmon_plr: performance limit reasons of Intel servers (TPMI id 0xC) as files.
 *
 * Loading reads the PFS, TPMI_INFO, the headers of PLR instances and MSR 0x54,
 * and writes nothing.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>

#include "plr.h"

/*
 * Start what counts: the PMU, and CPU hotplug, which reads MSR 0x54. Only where
 * the mode is on, because on other models the MSR may be another.
 */
static int plr_counts_start(void)
{
	int ret;

	if (plr_mode() != PMON_MODE_ON)
		return 0;
	ret = plr_perf_init(plr_domains_any);
	if (ret)
		return ret;
	ret = plr_hotplug_start();
	if (ret)
		plr_perf_exit();

	return ret;
}

static void plr_counts_stop(void)
{
	if (plr_mode() == PMON_MODE_ON) {
		plr_hotplug_stop();
		/*
		 * Waits until the PMU has left perf, so no event is left after
		 * it.
		 */
		plr_perf_exit();
	}
	plr_watch_stop();
}

static int __init plr_start(void)
{
	int ret = plr_counts_start();

	if (ret)
		return ret;
	ret = plr_front_start();
	if (ret)
		plr_counts_stop();

	return ret;
}

/*
 * Must not fail: the tracepoint exists before it is called, and perf may have
 * opened it.
 */
static int __init plr_init(void)
{
	int ret;

	plr_watch_start();
	plr_mode_init();
	if (plr_mode() == PMON_MODE_OFF)
		return 0;

	ret = plr_start();
	if (ret) {
		pr_err("cannot start: error %d, doing nothing\n", ret);
		plr_mode_give_up();
	}

	return 0;
}
module_init(plr_init);

static void __exit plr_exit(void)
{
	if (plr_mode() == PMON_MODE_OFF) {
		/* The tracepoint could be used although the module was off. */
		plr_watch_stop();
		return;
	}

	plr_front_stop();
	plr_counts_stop();
}
module_exit(plr_exit);

/* The kernel's own PLR driver comes first: what it drives is its own. */
MODULE_SOFTDEP("pre: intel_vsec intel_plr_tpmi");
MODULE_DESCRIPTION("Performance limit reasons (Intel TPMI) in sysfs");
MODULE_LICENSE("GPL");
