/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /sys/class/pmon. The files below it belong to root and to the group that
 * pmon.ko's parameter gid= names, and are 0440 (0220 when write-only).
 */
#ifndef PMON_CLASS_H
#define PMON_CLASS_H

#include <linux/device.h>
#include <linux/sysfs.h>

#include <compat/ownership.h>

/**
 * pmon_class_add() - show a device below /sys/class/pmon
 * @dev: after device_initialize(), with name, release and groups
 * @parent: the device that it was found on, or NULL
 *
 * Return: 0 or what device_add() says; in any case put_device() is the
 * caller's to do.
 */
int pmon_class_add(struct device *dev, struct device *parent);

/**
 * pmon_kobj_get_ownership() - &kobj_type.get_ownership below a pmon device
 * @kobj: a directory there
 * @uid: gets root
 * @gid: gets the group of the parameter gid
 */
void pmon_kobj_get_ownership(COMPAT_KOBJ_CONST struct kobject *kobj,
			     kuid_t *uid, kgid_t *gid);

/* struct device_attribute dev_attr_<name>, readable by root and the group */
#define PMON_DEVICE_ATTR_RO(_name) \
	struct device_attribute dev_attr_##_name = \
		__ATTR(_name, 0440, _name##_show, NULL)

#endif /* PMON_CLASS_H */
