// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attach TPMI devices: claim their PLR registers and give each live instance to
 * its domain. Attaching reads tables and one header per instance, and writes
 * nothing.
 */
#include <linux/cpumask.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include <compat/cleanup.h>
#include <pmon/class.h>

#include "plr.h"

/* Devices that are attached; under plr_lock. */
static LIST_HEAD(plr_devices);

/* Give a live instance to its domain. Returns whether it is live. */
static bool plr_instance_attach(struct plr_device *device,
				const struct pmon_tpmi_region *region,
				unsigned int instance)
{
	int ret, domain = pmon_tpmi_domain(&device->tpmi, instance);
	struct pmon_regs regs;
	u64 header;

	pmon_regs_mmio(&regs, device->base + instance * region->stride,
		       PLR_INSTANCE_SIZE);
	header = pmon_read(&regs, PLR_HEADER, sizeof(u64));
	ret = plr_header_check(header);
	if (ret == -ENODEV)
		return false;
	if (ret)
		dev_warn(&device->dev, "PLR instance %u: version 0x%llx is not known, not used\n",
			 instance, header);
	else if (domain < 0)
		dev_info(&device->dev, "PLR instance %u: no compute die, not used\n", instance);
	else if (plr_mode != PMON_MODE_ON)
		dev_info(&device->dev, "PLR instance %u: not used: %s\n", instance,
			 pmon_mode_text(plr_mode));
	else
		ret = plr_domain_attach(device, instance, domain, &regs,
					header);
	if (ret == -EEXIST)
		dev_warn(&device->dev, "PLR instance %u: domain %d has registers of another device, not used\n",
			 instance, domain);
	else if (ret && ret != -EINVAL)
		dev_err(&device->dev, "PLR instance %u: not shown: error %d\n", instance, ret);

	return true;
}

/* The work item of plr_device_check_state(): it may take seconds. */
static void plr_device_state_work(struct work_struct *work)
{
	struct plr_device *device =
		container_of(work, struct plr_device, state_work);
	int blocked = device->front->blocked(device->auxdev);

	if (blocked > 0 && !device->blocked)
		dev_warn(&device->dev, "PLR: writes blocked by firmware, reasons of modules not known\n");
	if (blocked >= 0)
		WRITE_ONCE(device->blocked, blocked);
	complete_all(&device->state_done);
}

static void plr_device_release(struct device *dev)
{
	struct plr_device *device = container_of(dev, struct plr_device, dev);

	pci_dev_put(device->pdev);
	kfree(device);
}

static struct plr_device *plr_device_alloc(struct pci_dev *pdev,
					   struct auxiliary_device *auxdev,
					   const struct plr_front *front)
{
	struct plr_device *device = kzalloc(sizeof(*device), GFP_KERNEL);

	if (!device)
		return NULL;
	device_initialize(&device->dev);
	device->dev.release = plr_device_release;
	device->dev.groups = plr_device_groups;
	device->pdev = pci_dev_get(pdev);
	device->auxdev = auxdev;
	device->front = front;
	INIT_WORK(&device->state_work, plr_device_state_work);
	init_completion(&device->state_done);
	INIT_LIST_HEAD(&device->node);

	return device;
}

/* Read the tables, and find PLR in them. */
static int plr_device_find(struct plr_device *device,
			   struct pmon_tpmi_region *region)
{
	struct pci_dev *pdev = device->pdev;
	struct pmon_tpmi_fault fault = {};
	int ret;

	ret = pmon_tpmi_read(pdev, &device->tpmi, &fault) ?:
	      pmon_tpmi_find(&device->tpmi, PMON_TPMI_ID_PLR, PLR_INSTANCE_SIZE,
			     region, &fault);
	if (fault.field)
		dev_warn(&pdev->dev, "TPMI table refused: %s 0x%llx is out of range\n",
			 fault.field, fault.value);
	if (ret)
		return ret;
	device->start = pci_resource_start(pdev, device->tpmi.bir) +
			region->offset;
	device->size = (size_t)region->stride * region->count;

	return device->front->agrees(device->auxdev, device->start, region) ?
	       0 : -EINVAL;
}

/* Take the numbers of a device. */
static int plr_device_reserve(struct plr_device *device)
{
	const struct pmon_tpmi *tpmi = &device->tpmi;
	struct plr_device *other;

	guard(mutex)(&plr_lock);
	list_for_each_entry(other, &plr_devices, node)
		if (other->tpmi.package == tpmi->package &&
		    other->tpmi.partition == tpmi->partition)
			return -EEXIST;
	list_add_tail(&device->node, &plr_devices);

	return 0;
}

static void plr_device_cancel(struct plr_device *device)
{
	guard(mutex)(&plr_lock);
	list_del_init(&device->node);
}

static int plr_device_map(struct plr_device *device)
{
	if (!request_mem_region(device->start, device->size, KBUILD_MODNAME)) {
		dev_warn(&device->pdev->dev, "PLR registers are in use by another driver, not used\n");
		return -EBUSY;
	}
	device->base = ioremap(device->start, device->size);
	if (device->base)
		return 0;
	release_mem_region(device->start, device->size);

	return -ENOMEM;
}

static void plr_device_unmap(struct plr_device *device)
{
	iounmap(device->base);
	release_mem_region(device->start, device->size);
}

static bool plr_package_has_cpu(u8 package)
{
	unsigned int cpu;

	for_each_online_cpu(cpu)
		if (topology_physical_package_id(cpu) == package)
			return true;

	return false;
}

static int plr_device_show(struct plr_device *device)
{
	struct device *parent = device->auxdev ? &device->auxdev->dev :
						 &device->pdev->dev;
	const struct pmon_tpmi *tpmi = &device->tpmi;
	int ret = plr_device_reserve(device);

	if (ret) {
		dev_warn(parent, "TPMI_INFO: package %u partition %u belongs to another device, not used\n",
			 tpmi->package, tpmi->partition);
		return ret;
	}
	if (!plr_package_has_cpu(tpmi->package))
		dev_warn(parent, "TPMI_INFO: package %u has no CPU\n",
			 tpmi->package);
	ret = plr_device_map(device);
	if (!ret) {
		ret = pmon_class_add(&device->dev, parent, "pkg%u-tpmi%u",
				     tpmi->package, tpmi->partition);
		if (ret)
			plr_device_unmap(device);
	}
	if (ret)
		plr_device_cancel(device);

	return ret;
}

/*
 * Complete a new domain: its modules, events of perf, and then the uevent, so
 * that udev finds all files.
 */
static void plr_device_complete(struct plr_domain *domain)
{
	if (!dev_get_uevent_suppress(&domain->dev))
		return;
	plr_hotplug_add();
	plr_perf_register();
	dev_set_uevent_suppress(&domain->dev, false);
	kobject_uevent(&domain->dev.kobj, KOBJ_ADD);
}

/*
 * Attach a TPMI device. Called without a lock of this module; that of the
 * function may be held. Returns the device, or an error pointer: -ENODEV where
 * there is no TPMI or where the function is not ready.
 */
struct plr_device *plr_device_attach(struct pci_dev *pdev,
				     struct auxiliary_device *auxdev,
				     const struct plr_front *front)
{
	struct plr_device *device = plr_device_alloc(pdev, auxdev, front);
	struct pmon_tpmi_region region;
	unsigned int i, live = 0;
	int ret;

	if (!device)
		return ERR_PTR(-ENOMEM);
	ret = plr_device_find(device, &region);
	if (!ret)
		ret = plr_device_show(device);
	if (ret) {
		put_device(&device->dev);
		return ERR_PTR(ret);
	}
	for (i = 0; i < region.count; i++)
		live += plr_instance_attach(device, &region, i);
	if (!live)
		dev_info(&device->dev, "no PLR instance responds, firmware may have blocked reads\n");
	for (i = 0; i < region.count; i++)
		if (device->domain[i])
			plr_device_complete(device->domain[i]);

	return device;
}

/*
 * Detach a TPMI device. Its registers are not accessed any more when this
 * returns. Called without a lock of this module; that of the function may be
 * held.
 */
void plr_device_detach(struct plr_device *device)
{
	unsigned int i;

	for (i = 0; i < PMON_TPMI_DOMAINS; i++)
		if (device->domain[i])
			plr_domain_detach(device->domain[i]);
	cancel_work_sync(&device->state_work);
	plr_device_unmap(device);
	device_del(&device->dev);
	plr_device_cancel(device);
	put_device(&device->dev);
}
