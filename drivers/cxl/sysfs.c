// SPDX-License-Identifier: GPL-2.0-only
/*
 * Show CPMUs that nobody serves, with the reason, in /sys/class/pmon/cxl.
 * Documented in Documentation/ABI/testing/sysfs-class-pmon-cxl.
 */
#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/list.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include <pmon/class.h>
#include <pmon/pmu.h>

#include "cxl.h"

static struct device *cxl_device;

static int cxl_unserved_emit(char *buf, int at, const struct cxl_cpmu *cpmu)
{
	if (!cpmu->fault.reason && !cpmu->error)
		return 0;
	at += sysfs_emit_at(buf, at, "%s %s ", cpmu->name,
			    pci_name(cpmu->pdev));
	if (cpmu->fault.reason)
		at += sysfs_emit_at(buf, at, "rejected %s 0x%llx %s\n",
				    cpmu->fault.name, cpmu->fault.value,
				    cpmu->fault.reason);
	else if (cpmu->waits)
		at += sysfs_emit_at(buf, at, "waits %u\n",
				    pmon_pmu_count_events(cpmu->name));
	else
		at += sysfs_emit_at(buf, at, "error %d\n", cpmu->error);
	return at;
}

static ssize_t unserved_show(struct device *dev, struct device_attribute *attr,
			     char *buf)
{
	struct cxl_cpmu *cpmu;
	int at = 0;

	guard(mutex)(&cxl.lock);
	list_for_each_entry(cpmu, &cxl.cpmus, node)
		at = cxl_unserved_emit(buf, at, cpmu) ?: at;
	return at;
}
static PMON_DEVICE_ATTR_RO(unserved);

static struct attribute *cxl_attrs[] = { &dev_attr_unserved.attr, NULL };
ATTRIBUTE_GROUPS(cxl);

static void cxl_device_release(struct device *dev)
{
	kfree(dev);
}

int cxl_device_add(void)
{
	struct device *dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	int ret;

	if (!dev)
		return -ENOMEM;
	device_initialize(dev);
	dev->release = cxl_device_release;
	dev->groups = cxl_groups;
	ret = dev_set_name(dev, "cxl") ?: pmon_class_add(dev, NULL);
	if (ret)
		put_device(dev);
	else
		cxl_device = dev;
	return ret;
}

/* Waits for readers, which take cxl.lock. */
void cxl_device_remove(void)
{
	if (!cxl_device)
		return;
	device_del(cxl_device);
	put_device(cxl_device);
}
