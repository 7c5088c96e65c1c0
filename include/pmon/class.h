/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Add devices to /sys/class/pmon. Their files belong to root and to the group
 * in parameter gid= of pmon.ko. The mode is 0440, or 0220 if write-only.
 */
#ifndef PMON_CLASS_H
#define PMON_CLASS_H

#include <linux/device.h>
#include <linux/sysfs.h>

#include <compat/ownership.h>

/**
 * pmon_class_add() - add a device to /sys/class/pmon
 * @dev: initialised by device_initialize(), with name, release and groups set
 * @parent: device in which @dev was found, or NULL
 *
 * Return: 0 or an error of device_add(). The caller calls put_device() after an
 * error, or after device_del().
 */
int pmon_class_add(struct device *dev, struct device *parent);

/**
 * pmon_kobj_get_ownership() - &kobj_type.get_ownership below a pmon device
 * @kobj: directory
 * @uid: set to root
 * @gid: set to the group of the parameter gid
 */
void pmon_kobj_get_ownership(COMPAT_KOBJ_CONST struct kobject *kobj,
			     kuid_t *uid, kgid_t *gid);

/**
 * pmon_caller_in_group() - check whether the caller is in the group of gid=
 *
 * Context: process context.
 *
 * Return: true if gid= is not 0, and the caller is in that group.
 */
bool pmon_caller_in_group(void);

/* Define dev_attr_<name>, a file that only root and the group gid= can read. */
#define PMON_DEVICE_ATTR_RO(_name) \
	struct device_attribute dev_attr_##_name = \
		__ATTR(_name, 0440, _name##_show, NULL)

#endif /* PMON_CLASS_H */
