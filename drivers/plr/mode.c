// SPDX-License-Identifier: GPL-2.0-only
/* What the module may do here: what was asked for, on a CPU that is known. */
#include <linux/module.h>

#include <asm/cpufeature.h>
#include <asm/processor.h>

#include <pmon/param.h>
#include <pmon/plr_reasons.h>

#include "plr.h"

PMON_PARAM(mode, 16, "on", "off, observe (show TPMI devices only) or on (default)");
PMON_PARAM(generic, 8, "N",
	   "Y: use PLR on CPU models not known to have it, and in virtual machines");

static enum pmon_mode plr_allowed;

/**
 * plr_mode() - what the module may do here
 *
 * Return: the mode asked for, or why not.
 */
enum pmon_mode plr_mode(void)
{
	return plr_allowed;
}

/**
 * plr_mode_init() - judge the parameters
 *
 * One that makes no sense is said, and the module is off then. A CPU model is
 * known where its MSR 0x54 numbers modules as the mailbox does.
 */
void __init plr_mode_init(void)
{
	bool known = plr_reasons_use_cpu(boot_cpu_data.x86,
					 boot_cpu_data.x86_model) &&
		     boot_cpu_data.x86_vendor == X86_VENDOR_INTEL;
	bool virtual = boot_cpu_has(X86_FEATURE_HYPERVISOR), anywhere;
	enum pmon_mode asked;

	if (pmon_judge_mode(KBUILD_MODNAME, mode, &asked) &&
	    pmon_judge_flag(KBUILD_MODNAME, "generic", generic, &anywhere))
		plr_allowed = pmon_mode_here(asked, !anywhere && virtual,
					     anywhere || known);
}

/**
 * plr_mode_give_up() - the module cannot do what was asked for
 */
void __init plr_mode_give_up(void)
{
	plr_allowed = PMON_MODE_OFF;
}
