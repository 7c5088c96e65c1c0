// SPDX-License-Identifier: GPL-2.0-only
/* Module parameters: kept as text when given, judged when asked for. */
#include <linux/export.h>
#include <linux/kstrtox.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include <pmon/param.h>

static int pmon_param_set(const char *value, const struct kernel_param *kp)
{
	const struct pmon_param *param = kp->arg;

	/* What is cut off was too long to be right. */
	strscpy(param->text, value ?: "Y", param->size);
	return 0;
}

static int pmon_param_get(char *buf, const struct kernel_param *kp)
{
	const struct pmon_param *param = kp->arg;

	return sysfs_emit(buf, "%s\n", param->text);
}

const struct kernel_param_ops pmon_param_ops = {
	.flags = KERNEL_PARAM_OPS_FL_NOARG,
	.set = pmon_param_set,
	.get = pmon_param_get,
};
EXPORT_SYMBOL_GPL(pmon_param_ops);

/**
 * pmon_judge_mode() - what the parameter mode asks for
 * @module: whose, KBUILD_MODNAME
 * @text: the parameter
 * @mode: one of on, observe and off, written when the text is one
 *
 * Return: whether it is; if not, one line in the log says so, and the module
 * is to do nothing.
 */
bool pmon_judge_mode(const char *module, const char *text, enum pmon_mode *mode)
{
	if (pmon_mode_parse(text, mode))
		return true;
	pr_err("%s: mode=%s is none of on, observe, off: doing nothing\n",
	       module, text);
	return false;
}
EXPORT_SYMBOL_GPL(pmon_judge_mode);

/**
 * pmon_judge_flag() - does a parameter say yes or no?
 * @module: whose, KBUILD_MODNAME
 * @name: of the parameter
 * @text: the parameter
 * @flag: what it says, written when it says either
 *
 * Return: as pmon_judge_mode().
 */
bool pmon_judge_flag(const char *module, const char *name, const char *text,
		     bool *flag)
{
	if (!kstrtobool(text, flag))
		return true;
	pr_err("%s: %s=%s is neither Y nor N: doing nothing\n", module, name,
	       text);
	return false;
}
EXPORT_SYMBOL_GPL(pmon_judge_flag);
