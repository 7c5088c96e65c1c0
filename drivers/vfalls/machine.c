// SPDX-License-Identifier: GPL-2.0-only
/*
 * The machine: how its hypervisor is called, and /sys/class/pmon/vfalls0, which
 * shows what that gives and what it has refused.
 */
#include <linux/slab.h>
#include <linux/sysfs.h>

#include <asm/processor.h>

#include <pmon/class.h>

#include "driver.h"

struct vfalls vfalls;

static unsigned long vfalls_hv_get(unsigned long reg, u64 *value)
{
	unsigned long got, status = vfalls_get_perfreg(reg, &got);

	if (status == VFALLS_EOK)
		*value = got;
	return status;
}

static unsigned long vfalls_hv_set(unsigned long reg, u64 value)
{
	return vfalls_set_perfreg(reg, value);
}

static void vfalls_hv_blocked(bool last)
{
	atomic_long_inc(&vfalls.blocked);
	if (last)
		atomic_long_inc(&vfalls.missed);
	else
		cpu_relax();
}

const struct vfalls_hv vfalls_hv = {
	.get = vfalls_hv_get, .set = vfalls_hv_set,
	.blocked = vfalls_hv_blocked,
};

static ssize_t version_show(struct device *dev, struct device_attribute *attr,
			    char *buf)
{
	return sysfs_emit(buf, "1.%u\n", vfalls.minor);
}
static PMON_DEVICE_ATTR_RO(version);

static ssize_t blocked_show(struct device *dev, struct device_attribute *attr,
			    char *buf)
{
	return sysfs_emit(buf, "%ld\n", atomic_long_read(&vfalls.blocked));
}
static PMON_DEVICE_ATTR_RO(blocked);

static ssize_t missed_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	return sysfs_emit(buf, "%ld\n", atomic_long_read(&vfalls.missed));
}
static PMON_DEVICE_ATTR_RO(missed);

static ssize_t overwritten_show(struct device *dev,
				struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%ld\n",
			  atomic_long_read(&vfalls.overwritten));
}
static PMON_DEVICE_ATTR_RO(overwritten);

/* A page holds all 90. */
static ssize_t registers_show(struct device *dev, struct device_attribute *attr,
			      char *buf)
{
	char line[64];
	unsigned int reg;
	int n = 0;

	for (reg = 0; reg < VFALLS_REGS; reg++) {
		if (!vfalls_has(&vfalls.found, reg))
			continue;
		vfalls_reg_format(reg, line, sizeof(line));
		n += sysfs_emit_at(buf, n, "%s\n", line);
	}
	return n;
}
static PMON_DEVICE_ATTR_RO(registers);

static struct attribute *vfalls_attrs[] = {
	&dev_attr_version.attr,
	&dev_attr_blocked.attr,
	&dev_attr_missed.attr,
	&dev_attr_overwritten.attr,
	&dev_attr_registers.attr,
	NULL
};
ATTRIBUTE_GROUPS(vfalls);

static struct device *vfalls_device;

static void vfalls_release(struct device *dev)
{
	kfree(dev);
}

int vfalls_sysfs_add(void)
{
	struct device *dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	int ret;

	if (!dev)
		return -ENOMEM;
	device_initialize(dev);
	dev->release = vfalls_release;
	dev->groups = vfalls_groups;
	ret = pmon_class_add(dev, NULL, "vfalls0");
	if (ret)
		put_device(dev);
	else
		vfalls_device = dev;
	return ret;
}

void vfalls_sysfs_remove(void)
{
	device_unregister(vfalls_device);
}
