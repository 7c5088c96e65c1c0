// SPDX-License-Identifier: GPL-2.0-only
/* What the module may do here: what was asked for, on a CPU that is known. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>

#include <asm/cpu_device_id.h>
#include <asm/cpufeature.h>

#include "plr.h"

static char *mode = "on";
module_param(mode, charp, 0444);
MODULE_PARM_DESC(mode, "off, observe (show TPMI devices only) or on (default)");

static bool generic;
module_param(generic, bool, 0444);
MODULE_PARM_DESC(generic, "Y: use PLR on CPU models not known to have it, and in virtual machines");

/* Models whose MSR 0x54 is known to number modules as the mailbox does. */
static const struct x86_cpu_id plr_cpu_models[] = {
	X86_MATCH_VENDOR_FAM_MODEL(INTEL, 6, 0xad, NULL),	/* Granite Rapids-SP */
	X86_MATCH_VENDOR_FAM_MODEL(INTEL, 6, 0xae, NULL),	/* Granite Rapids-D */
	X86_MATCH_VENDOR_FAM_MODEL(INTEL, 6, 0xaf, NULL),	/* Sierra Forest */
	X86_MATCH_VENDOR_FAM_MODEL(INTEL, 6, 0xb6, NULL),	/* Grand Ridge */
	X86_MATCH_VENDOR_FAM_MODEL(INTEL, 6, 0xdd, NULL),	/* Clearwater Forest */
	X86_MATCH_VENDOR_FAM_MODEL(INTEL, 19, 0x01, NULL),	/* Diamond Rapids */
	{}
};

static enum plr_mode plr_asked;

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
	if (!generic && plr_is_virtual())
		return "hypervisor";
	if (!generic && !x86_match_cpu(plr_cpu_models))
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
 * plr_mode_init() - read the parameter
 *
 * Return: 0 or -EINVAL.
 */
int __init plr_mode_init(void)
{
	static const char * const names[] = {
		[PLR_OFF] = "off", [PLR_OBSERVE] = "observe", [PLR_ON] = "on",
	};
	int ret = match_string(names, ARRAY_SIZE(names), mode);

	if (ret < 0) {
		pr_err("mode=%s is none of off, observe, on\n", mode);
		return ret;
	}
	plr_asked = ret;

	return 0;
}
