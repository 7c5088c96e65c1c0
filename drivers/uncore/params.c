// SPDX-License-Identifier: GPL-2.0-only
/* The parameters of the module, and what the driver does because of them. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kstrtox.h>
#include <linux/moduleparam.h>
#include <linux/string.h>

#include <asm/cpufeature.h>
#include <asm/processor.h>

#include <pmon/param.h>

#include "uncore.h"

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

/* A platform in which a person named types. */
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
		uncore.platform = uncore.platform->narrow ?: uncore.platform;
		return true;
	}
	if (!strcmp(controls, "8"))
		return true;
	pr_err("controls=%s is neither 8 nor 4: doing nothing\n", controls);
	return false;
}

static void uncore_choose_state(bool generic)
{
	uncore.platform = uncore_platform_find(boot_cpu_data.x86,
					       boot_cpu_data.x86_model);
	uncore.state = UNCORE_ON;
	if (!strcmp(mode, "observe"))
		uncore.state = UNCORE_OBSERVE;
	else if (!generic && boot_cpu_has(X86_FEATURE_HYPERVISOR))
		uncore.state = UNCORE_HYPERVISOR;
	else if (!generic && !uncore.platform)
		uncore.state = UNCORE_UNKNOWN_MODEL;
	if (!uncore.platform)
		uncore.platform = &uncore_platform_unknown;
}

static bool uncore_choose_flag(const char *name, const char *text, bool *flag)
{
	if (!kstrtobool(text, flag))
		return true;
	pr_err("%s=%s is neither Y nor N: doing nothing\n", name, text);
	return false;
}

/**
 * uncore_params_judge() - make of the parameters what the driver does
 *
 * Return: false if it is to do nothing. A parameter that makes no sense is
 * said.
 */
bool uncore_params_judge(void)
{
	bool anywhere;

	if (!strcmp(mode, "off"))
		return false;
	if (strcmp(mode, "on") && strcmp(mode, "observe")) {
		pr_err("mode=%s is none of on, observe, off: doing nothing\n",
		       mode);
		return false;
	}
	if (!uncore_choose_flag("generic", generic, &anywhere) ||
	    !uncore_choose_flag("unfreeze", unfreeze, &uncore.unfreeze))
		return false;
	uncore_choose_state(anywhere);
	return uncore_choose_controls() && uncore_choose_names();
}
