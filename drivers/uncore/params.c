// SPDX-License-Identifier: GPL-2.0-only
/* The state of the driver, and what the module's parameters make of it. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/moduleparam.h>
#include <linux/string.h>

#include <asm/cpufeature.h>
#include <asm/processor.h>

#include <pmon/param.h>

#include "uncore.h"

struct uncore uncore = {
	.lock = __MUTEX_INITIALIZER(uncore.lock),
	.tables = LIST_HEAD_INIT(uncore.tables),
	.max_units = 256,
};

PMON_PARAM(mode, 16, "on",
	   "on: register PMUs; observe: read tables and report, register nothing; off: do nothing");
PMON_PARAM(generic, 8, "N",
	   "serve units on CPU models that are not known, and under a hypervisor");
PMON_PARAM(unfreeze, 8, "Y",
	   "let boxes run that were frozen together when the first event is opened");
PMON_PARAM(names, 256, "",
	   "TYPE:NAME,...: unit types of the table that are boxes of these names");
PMON_PARAM(controls, 8, "8",
	   "bytes from one event control in memory to the next, where it is not certain that they have fields above bit 31: 8, or 4 and no such fields");

module_param_named(max_units, uncore.max_units, uint, 0444);
MODULE_PARM_DESC(max_units, "units of one type that are served in a package");

/* The platform with the types that the parameter names= names. */
#define NAMES_MAX	8
static struct uncore_platform named_platform;
static struct uncore_row named_rows[NAMES_MAX];

static bool uncore_choose_names(void)
{
	if (!*names)
		return true;
	named_platform = *uncore.platform;
	if (!uncore_platform_names(&named_platform, names, named_rows,
				   NAMES_MAX)) {
		pr_err("names=%s is not a list of TYPE:NAME with names that %s has: doing nothing\n",
		       names, uncore.platform->name);
		return false;
	}
	uncore.platform = &named_platform;
	return true;
}

static bool uncore_choose_controls(void)
{
	if (!strcmp(controls, "4")) {
		uncore.platform = uncore_platform_narrow(uncore.platform);
		return true;
	}
	if (!strcmp(controls, "8"))
		return true;
	pr_err("controls=%s is neither 8 nor 4: doing nothing\n", controls);
	return false;
}

static void uncore_choose_mode(enum pmon_mode asked, bool anywhere)
{
	u8 family = boot_cpu_data.x86, model = boot_cpu_data.x86_model;
	bool intel = boot_cpu_data.x86_vendor == X86_VENDOR_INTEL;

	uncore.platform = intel ? uncore_platform_find(family, model) : NULL;
	uncore.mode = pmon_mode_here(asked, !anywhere &&
				     boot_cpu_has(X86_FEATURE_HYPERVISOR),
				     anywhere || uncore.platform);
	if (!uncore.platform)
		uncore.platform = intel ? uncore_platform_guess(family, model) :
					  &uncore_platform_plain;
}

/*
 * Make of the parameters what the driver does. Returns false if it is to do
 * nothing. A parameter that makes no sense is said.
 */
bool uncore_params_judge(void)
{
	enum pmon_mode asked;
	bool anywhere;

	if (!pmon_judge_mode(KBUILD_MODNAME, mode, &asked) ||
	    asked == PMON_MODE_OFF)
		return false;
	if (!pmon_judge_flag(KBUILD_MODNAME, "generic", generic, &anywhere) ||
	    !pmon_judge_flag(KBUILD_MODNAME, "unfreeze", unfreeze,
			     &uncore.unfreeze))
		return false;
	uncore_choose_mode(asked, anywhere);
	return uncore_choose_controls() && uncore_choose_names();
}
