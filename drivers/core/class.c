// SPDX-License-Identifier: GPL-2.0-only
/* /sys/class/pmon, and to whom its files belong. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

#include <pmon/class.h>

#include "core.h"

static unsigned int pmon_gid;
module_param_named(gid, pmon_gid, uint, 0444);
MODULE_PARM_DESC(gid, "group that may read the files below /sys/class/pmon");

static void pmon_ownership(kuid_t *uid, kgid_t *gid)
{
	kgid_t group = make_kgid(&init_user_ns, pmon_gid);

	*uid = GLOBAL_ROOT_UID;
	*gid = gid_valid(group) ? group : GLOBAL_ROOT_GID;
}

static void pmon_class_get_ownership(COMPAT_CLASS_DEV_CONST struct device *dev,
				     kuid_t *uid, kgid_t *gid)
{
	pmon_ownership(uid, gid);
}

void pmon_kobj_get_ownership(COMPAT_KOBJ_CONST struct kobject *kobj,
			     kuid_t *uid, kgid_t *gid)
{
	pmon_ownership(uid, gid);
}
EXPORT_SYMBOL_GPL(pmon_kobj_get_ownership);

static struct class pmon_class = {
	.name = "pmon",
	.get_ownership = pmon_class_get_ownership,
};

int pmon_class_add(struct device *dev, struct device *parent,
		   const char *fmt, ...)
{
	va_list args;
	char *name;
	int ret;

	va_start(args, fmt);
	name = kvasprintf(GFP_KERNEL, fmt, args);
	va_end(args);
	if (!name)
		return -ENOMEM;

	ret = dev_set_name(dev, "%s", name);
	kfree(name);
	if (ret)
		return ret;

	dev->class = &pmon_class;
	dev->parent = parent;
	return device_add(dev);
}
EXPORT_SYMBOL_GPL(pmon_class_add);

int pmon_class_init(void)
{
	return class_register(&pmon_class);
}

void pmon_class_exit(void)
{
	class_unregister(&pmon_class);
}
