// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmon_plr: performance limit reasons of Intel servers (TPMI id 0xC) as files,
 * a tracepoint and events of perf.
 *
 * Loading reads the PFS, TPMI_INFO, the headers of PLR instances and MSR 0x54,
 * and writes nothing. A parameter that makes no sense is one line in the log,
 * and the module does nothing.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kstrtox.h>
#include <linux/module.h>

#include <asm/cpufeature.h>
#include <asm/processor.h>

#include <pmon/param.h>

#include "plr.h"

PMON_PARAM(mode, 16, "on", "off, observe (show TPMI devices only) or on (default)");
PMON_PARAM(generic, 8, "N",
	   "Y: use PLR on CPU models not known to have it, and in virtual machines");
PMON_PARAM(interval_ms, 16, "0",
	   "monitor all domains at this interval, 10 to 60000 ms; 0: only for consumers (default)");
PMON_PARAM(mesh, 8, "N",
	   "Y: monitor the mesh, too; a part that does not respond for it loses the mailbox");

/* What the module does here; set before anything else runs. */
enum pmon_mode plr_mode = PMON_MODE_OFF;
/* The file interval_ms of a new domain. */
unsigned int plr_default_ms;
/* Whether the mesh is monitored, too. */
bool plr_mesh;

static bool __init plr_parse_interval(void)
{
	if (!kstrtouint(interval_ms, 0, &plr_default_ms) &&
	    (!plr_default_ms || (plr_default_ms >= PLR_MIN_MS &&
				 plr_default_ms <= PLR_MAX_MS)))
		return true;
	pr_err("interval_ms=%s is neither 0 nor 10 to 60000: doing nothing\n",
	       interval_ms);

	return false;
}

/* A CPU model is known where MSR 0x54 numbers modules as the mailbox does. */
static void __init plr_parse(void)
{
	bool is_known = plr_reasons_use_cpu(boot_cpu_data.x86,
					    boot_cpu_data.x86_model) &&
			boot_cpu_data.x86_vendor == X86_VENDOR_INTEL;
	bool is_virtual = boot_cpu_has(X86_FEATURE_HYPERVISOR), anywhere;
	enum pmon_mode asked;

	if (pmon_judge_mode(KBUILD_MODNAME, mode, &asked) &&
	    pmon_judge_flag(KBUILD_MODNAME, "generic", generic, &anywhere) &&
	    pmon_judge_flag(KBUILD_MODNAME, "mesh", mesh, &plr_mesh) &&
	    plr_parse_interval())
		plr_mode = pmon_mode_here(asked, !anywhere && is_virtual,
					  anywhere || is_known);
}

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
