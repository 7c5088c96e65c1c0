// SPDX-License-Identifier: GPL-2.0-only
/* Load and unload pmon.ko. Handle drivers' parameters and /sys/class/pmon. */
#include <linux/cred.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/reboot.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

#include <pmon/class.h>
#include <pmon/param.h>

#include "core.h"

static int pmon_param_set(const char *value, const struct kernel_param *kp)
{
	const struct pmon_param *param = kp->arg;

	/* A text that was cut must not be valid. */
	if (strscpy(param->text, value ?: "Y", param->size) < 0)
		param->text[param->size - 2] = '?';
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
 * pmon_check_mode() - check the parameter mode
 * @module: name of the module, KBUILD_MODNAME
 * @text: the parameter
 * @mode: set to on, observe or off if @text is valid
 *
 * Logs an invalid parameter.
 *
 * Return: true if @text is valid; otherwise the module must do nothing.
 */
bool pmon_check_mode(const char *module, const char *text, enum pmon_mode *mode)
{
	if (pmon_mode_parse(text, mode))
		return true;
	pr_err("%s: mode=%s is none of on, observe, off: doing nothing\n",
	       module, text);
	return false;
}
EXPORT_SYMBOL_GPL(pmon_check_mode);

/**
 * pmon_check_flag() - check a yes or no parameter
 * @module: name of the module, KBUILD_MODNAME
 * @name: name of the parameter
 * @text: the parameter
 * @flag: set if @text is valid
 *
 * Return: as pmon_check_mode().
 */
bool pmon_check_flag(const char *module, const char *name, const char *text,
		     bool *flag)
{
	if (!kstrtobool(text, flag))
		return true;
	pr_err("%s: %s=%s is neither Y nor N: doing nothing\n", module, name,
	       text);
	return false;
}
EXPORT_SYMBOL_GPL(pmon_check_flag);

static unsigned int pmon_gid;
module_param_named(gid, pmon_gid, uint, 0444);
MODULE_PARM_DESC(gid, "group that may read the files below /sys/class/pmon");

bool pmon_caller_in_group(void)
{
	kgid_t group = make_kgid(&init_user_ns, pmon_gid);

	return pmon_gid && gid_valid(group) && in_group_p(group);
}
EXPORT_SYMBOL_GPL(pmon_caller_in_group);

void pmon_kobj_get_ownership(COMPAT_KOBJ_CONST struct kobject *kobj,
			     kuid_t *uid, kgid_t *gid)
{
	kgid_t group = make_kgid(&init_user_ns, pmon_gid);

	*uid = GLOBAL_ROOT_UID;
	*gid = gid_valid(group) ? group : GLOBAL_ROOT_GID;
}
EXPORT_SYMBOL_GPL(pmon_kobj_get_ownership);

static void pmon_class_get_ownership(COMPAT_CLASS_DEV_CONST struct device *dev,
				     kuid_t *uid, kgid_t *gid)
{
	pmon_kobj_get_ownership(NULL, uid, gid);
}

static struct class pmon_class = {
	.name = "pmon",
	.get_ownership = pmon_class_get_ownership,
};

int pmon_class_add(struct device *dev, struct device *parent)
{
	dev->class = &pmon_class;
	dev->parent = parent;
	return device_add(dev);
}
EXPORT_SYMBOL_GPL(pmon_class_add);

/* At reboot, shutdown and kexec, leave boxes running for the next kernel. */
static int pmon_reboot(struct notifier_block *nb, unsigned long action,
		       void *data)
{
	pmon_pmu_quiesce();
	return NOTIFY_DONE;
}

static struct notifier_block pmon_reboot_nb = {
	.notifier_call = pmon_reboot,
};

static int __init pmon_init(void)
{
	int ret;

	ret = pmon_owner_init();
	if (ret)
		return ret;
	ret = class_register(&pmon_class);
	if (ret)
		return ret;
	ret = pmon_pmu_init();
	if (ret)
		goto no_pmus;
	ret = pmon_hotplug_init();
	if (ret)
		goto no_cpus;
	/* register_reboot_notifier() and register_pm_notifier() cannot fail. */
	register_reboot_notifier(&pmon_reboot_nb);
	return 0;

no_cpus:
	pmon_pmu_exit();
no_pmus:
	class_unregister(&pmon_class);
	return ret;
}
module_init(pmon_init);

static void __exit pmon_exit(void)
{
	unregister_reboot_notifier(&pmon_reboot_nb);
	pmon_hotplug_exit();
	pmon_pmu_exit();
	class_unregister(&pmon_class);
}
module_exit(pmon_exit);

MODULE_DESCRIPTION("Core of the counter and limit drivers");
MODULE_AUTHOR("The openpmon project");
MODULE_VERSION(PMON_VERSION);
MODULE_LICENSE("GPL");
