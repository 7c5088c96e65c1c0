// SPDX-License-Identifier: GPL-2.0-only
/* Module parameters as text that is judged later. */
#include <linux/export.h>
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
