// SPDX-License-Identifier: GPL-2.0-only
/* What the module may do here: what was asked for, on a CPU that is known. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/string.h>

#include <asm/cpufeature.h>
#include <asm/processor.h>

#include <pmon/param.h>
#include <pmon/plr_reasons.h>

#include "plr.h"

PMON_PARAM(mode, 16, "on", "off, observe (show TPMI devices only) or on (default)");
PMON_PARAM(generic, 8, "N",
	   "Y: use PLR on CPU models not known to have it, and in virtual machines");

static enum plr_mode plr_asked;
static bool plr_anywhere;
/* A model whose MSR 0x54 is known to number modules as the mailbox does. */
static bool plr_is_known;

static bool plr_is_virtual(void)
{
	return boot_cpu_has(X86_FEATURE_HYPERVISOR);
}

/**
 * plr_mode_text() - what the module does here, and why it does not do more
 *
 * Return: a word, as the file mode shows it.
 */
const char *plr_mode_text(void)
{
	if (plr_asked == PLR_OBSERVE)
		return "observe";
	if (!plr_anywhere && plr_is_virtual())
		return "hypervisor";
	if (!plr_anywhere && !plr_is_known)
		return "unknown-model";

	return "on";
}

/**
 * plr_mode() - what the module may do here
 *
 * Return: the mode asked for, or less.
 */
enum plr_mode plr_mode(void)
{
	if (plr_asked == PLR_ON && strcmp(plr_mode_text(), "on"))
		return PLR_OBSERVE;

	return plr_asked;
}

/**
 * plr_mode_init() - judge the parameters
 *
 * One that makes no sense is said, and the module is off then.
 */
void __init plr_mode_init(void)
{
	static const char * const names[] = {
		[PLR_OFF] = "off", [PLR_OBSERVE] = "observe", [PLR_ON] = "on",
	};
	int asked = match_string(names, ARRAY_SIZE(names), mode);

	plr_is_known = plr_reasons_use_cpu(boot_cpu_data.x86,
					   boot_cpu_data.x86_model) &&
		       boot_cpu_data.x86_vendor == X86_VENDOR_INTEL;
	if (asked < 0)
		pr_err("mode=%s is none of off, observe, on: doing nothing\n", mode);
	else if (kstrtobool(generic, &plr_anywhere))
		pr_err("generic=%s is neither Y nor N: doing nothing\n", generic);
	else
		plr_asked = asked;
}

/**
 * plr_mode_give_up() - the module cannot do what was asked for
 */
void __init plr_mode_give_up(void)
{
	plr_asked = PLR_OFF;
}
