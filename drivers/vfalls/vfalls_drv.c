// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmon_vfalls: perf PMUs for the memory controllers, the L2 cache and the
 * Zambezi chips of sun4v machines with UltraSPARC T2 Plus processors (Victoria
 * Falls). Their registers belong to the hypervisor, which is asked by API group
 * 0x205. Loading reads registers and writes none.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitops.h>
#include <linux/cpuhotplug.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include <asm/hypervisor.h>
#include <asm/processor.h>
#include <asm/spitfire.h>

#include <pmon/class.h>
#include <pmon/param.h>

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

/* A file with a number of struct vfalls. */
#define VFALLS_NUMBER_ATTR(_name)					\
static ssize_t _name##_show(struct device *dev,				\
			    struct device_attribute *attr, char *buf)	\
{									\
	return sysfs_emit(buf, "%ld\n",					\
			  atomic_long_read(&vfalls._name));		\
}									\
static PMON_DEVICE_ATTR_RO(_name)

VFALLS_NUMBER_ATTR(blocked);
VFALLS_NUMBER_ATTR(missed);
VFALLS_NUMBER_ATTR(overwritten);

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

static int vfalls_sysfs_add(void)
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

PMON_PARAM(mode, 16, "on",
	   "on: register PMUs; observe: read registers and report, register nothing; off: do nothing");

static bool serves;

static void vfalls_report_found(void)
{
	const struct vfalls_found *found = &vfalls.found;
	unsigned int denied = hweight32(found->denied);

	pr_info("performance API 1.%u: %u pairs of counters\n", vfalls.minor,
		hweight32(found->units));
	denied += (found->l2 == -EACCES) + (found->strand == -EACCES);
	if (denied)
		pr_info("the hypervisor does not permit this guest %u units\n",
			denied);
}

static int vfalls_cpuhp;

static int vfalls_offline(unsigned int cpu)
{
	vfalls_pmus_offline(cpu);
	vfalls_settings_offline(cpu);
	return 0;
}

static void vfalls_serve(void)
{
	vfalls_pmus_add();
	vfalls_settings_add();
	vfalls_cpuhp = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN,
						 "perf/pmon_vfalls:online",
						 NULL, vfalls_offline);
	if (vfalls_cpuhp < 0)
		pr_warn("events end with their CPU: error %d\n", vfalls_cpuhp);
}

static int vfalls_begin(bool serve)
{
	int ret = vfalls_negotiate(sun4v_hvapi_register, &vfalls.minor);

	if (ret)
		return ret;
	vfalls_probe(&vfalls_hv, vfalls.minor, &vfalls.found);
	ret = vfalls_sysfs_add();
	if (ret) {
		sun4v_hvapi_unregister(VFALLS_GROUP);
		return ret;
	}
	vfalls_report_found();
	serves = serve;
	if (serve)
		vfalls_serve();
	return 0;
}

static int __init vfalls_init(void)
{
	enum pmon_mode asked;

	/* Elsewhere the trap of a call is an illegal instruction. */
	if (tlb_type != hypervisor)
		return -ENODEV;
	if (!pmon_judge_mode(KBUILD_MODNAME, mode, &asked) ||
	    asked == PMON_MODE_OFF)
		return 0;
	return vfalls_begin(asked == PMON_MODE_ON);
}
module_init(vfalls_init);

static void vfalls_stop_serving(void)
{
	if (vfalls_cpuhp > 0)
		cpuhp_remove_state_nocalls(vfalls_cpuhp);
	/* No event is open. */
	vfalls_report_stop();
	pmon_pmu_destroy_all(THIS_MODULE);
	vfalls_pmus_remove();
}

static void __exit vfalls_exit(void)
{
	if (!vfalls_device)
		return;
	if (serves)
		vfalls_stop_serving();
	device_unregister(vfalls_device);
	sun4v_hvapi_unregister(VFALLS_GROUP);
}
module_exit(vfalls_exit);

MODULE_DESCRIPTION("PMUs of UltraSPARC T2 Plus machines");
MODULE_LICENSE("GPL");
