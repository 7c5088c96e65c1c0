// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attach TPMI devices: claim the PLR registers and attach each responding
 * instance to a domain. Attaching reads tables and one header per instance, and
 * writes nothing.
 */
#include <linux/cleanup.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/slab.h>

#include <pmon/class.h>

#include "plr.h"

/* Period of scans while no instance responds. */
#define PLR_SCAN_JIFFIES	(60 * HZ)

/* Protected by plr_lock. */
static LIST_HEAD(plr_devices);

static void plr_domain_release(struct device *dev)
{
	struct plr_domain *domain = container_of(dev, struct plr_domain, dev);

	mutex_destroy(&domain->lock);
	kfree(domain);
}

static struct plr_domain *plr_domain_alloc(u16 package, u8 id)
{
	struct plr_domain *domain = kzalloc(sizeof(*domain), GFP_KERNEL);

	if (!domain)
		return NULL;
	domain->package = package;
	domain->id = id;
	domain->interval_ms = plr_default_ms;
	domain->mailbox.regs = &domain->regs;
	domain->mailbox.wait = &plr_wait;
	domain->monitor.sampler.mailbox = &domain->mailbox;
	domain->gate = PLR_GATE_DEFAULT;
	mutex_init(&domain->lock);
	INIT_DELAYED_WORK(&domain->work, plr_domain_work);
	device_initialize(&domain->dev);
	domain->dev.release = plr_domain_release;
	domain->dev.groups = plr_domain_groups;
	return domain;
}

static int plr_domain_fill(struct plr_domain *domain)
{
	domain->dir = kobject_create_and_add("plr", &domain->dev.kobj);
	if (!domain->dir)
		return -ENOMEM;
	domain->die = plr_scope_create(domain, PLR_DIE, 0);
	domain->mesh = plr_scope_create(domain, PLR_MESH, 0);
	if (!domain->die || !domain->mesh)
		return -ENOMEM;
	domain->monitor.die = &domain->die->record;
	if (plr_mesh)
		plr_sampler_add(&domain->monitor.sampler,
				&domain->mesh->record);
	return sysfs_create_group(domain->dir, &plr_dir_group);
}

static void plr_domain_remove(struct plr_domain *domain)
{
	unsigned int module;

	/* The files queue the work; the work uses the scopes. */
	if (domain->dir)
		sysfs_remove_group(domain->dir, &plr_dir_group);
	cancel_delayed_work_sync(&domain->work);
	for (module = 0; module < PLR_MODULES; module++)
		plr_scope_remove(domain->modules[module]);
	plr_scope_remove(domain->mesh);
	plr_scope_remove(domain->die);
	kobject_put(domain->dir);
	device_del(&domain->dev);
	put_device(&domain->dev);
}

static struct plr_domain *plr_domain_create(struct plr_device *device, u8 id)
{
	struct plr_domain *domain = plr_domain_alloc(device->tpmi.package, id);
	int ret;

	if (!domain)
		return ERR_PTR(-ENOMEM);
	/* No parent: the domain outlives @device. */
	ret = dev_set_name(&domain->dev, "pkg%u-dom%u", domain->package,
			   domain->id) ?: pmon_class_add(&domain->dev, NULL);
	if (ret) {
		put_device(&domain->dev);
		return ERR_PTR(ret);
	}
	ret = plr_domain_fill(domain);
	if (ret) {
		plr_domain_remove(domain);
		return ERR_PTR(ret);
	}
	scoped_guard(mutex, &plr_lock)
		list_add_tail_rcu(&domain->node, &plr_domains);
	return domain;
}

/* Return -EEXIST if the domain has registers of another device. */
static int plr_domain_attach(struct plr_device *device, u8 id,
			     const struct pmon_regs *regs, unsigned int minor)
{
	struct plr_domain *domain = plr_domain_find(device->tpmi.package, id);

	if (!domain)
		domain = plr_domain_create(device, id);
	if (IS_ERR(domain))
		return PTR_ERR(domain);
	scoped_guard(mutex, &domain->lock) {
		if (domain->device)
			return -EEXIST;
		domain->device = device;
		domain->regs = *regs;
		domain->minor = minor;
		domain->suspect = false;
	}
	return 0;
}

static void plr_domain_detach(struct plr_domain *domain)
{
	guard(mutex)(&domain->lock);
	domain->device = NULL;
	plr_monitor_stop(&domain->monitor);
	plr_domain_report(domain);
	plr_scope_notify(domain->die);
}

/* Remove all domains, after the devices, CPU hotplug callbacks and the PMU. */
void plr_domains_remove(void)
{
	struct plr_domain *domain, *next;

	list_for_each_entry_safe(domain, next, &plr_domains, node)
		plr_domain_remove(domain);
}

/* Return true if the instance responds, even if it is not used. */
static bool plr_instance_attach(struct plr_device *device,
				unsigned int instance)
{
	int ret = 0, domain = pmon_tpmi_domain(&device->tpmi, instance), minor;
	struct plr_domain *known;
	struct pmon_regs regs;
	u64 header;

	pmon_regs_mmio(&regs, device->base + instance * device->region.stride,
		       PLR_INSTANCE_SIZE);
	header = pmon_read(&regs, PLR_HEADER, sizeof(u64));
	minor = plr_header_minor(header);
	known = domain < 0 ? NULL :
			     plr_domain_find(device->tpmi.package, domain);
	/* Blocked reads of a known domain: attach, so that files return EIO. */
	if (minor == -ENODEV && known)
		minor = known->minor;
	if (minor == -ENODEV)
		return false;
	if (minor < 0)
		dev_warn(&device->dev, "PLR instance %u: version 0x%llx is not known, not used\n",
			 instance, header);
	else if (domain < 0)
		dev_info(&device->dev, "PLR instance %u: no compute die, not used\n", instance);
	else if (plr_mode != PMON_MODE_ON)
		dev_info(&device->dev, "PLR instance %u: not used: %s\n", instance,
			 pmon_mode_text(plr_mode));
	else
		ret = plr_domain_attach(device, domain, &regs, minor);
	if (ret == -EEXIST)
		dev_warn(&device->dev, "PLR instance %u: domain %d has registers of another device, not used\n",
			 instance, domain);
	else if (ret)
		dev_err(&device->dev, "PLR instance %u: not shown: error %d\n", instance, ret);
	return true;
}

/*
 * Attach the instances that respond. If none does, because firmware blocks
 * reads or the function is in D3, scan again after PLR_SCAN_JIFFIES.
 */
static void plr_device_scan(struct work_struct *work)
{
	struct plr_device *device = container_of(to_delayed_work(work),
						 struct plr_device, scan_work);
	unsigned int i, live = 0;

	if (pmon_tpmi_is_ready(device->pdev))
		for (i = 0; i < device->region.count; i++)
			live += plr_instance_attach(device, i);
	if (!live) {
		if (!device->logged_unresponsive)
			dev_info(&device->dev, "no PLR instance responds, firmware may have blocked reads\n");
		device->logged_unresponsive = true;
		schedule_delayed_work(&device->scan_work, PLR_SCAN_JIFFIES);
	} else if (plr_mode == PMON_MODE_ON) {
		plr_cpus_add();
		/* The die begins when all modules that are known were read. */
		WRITE_ONCE(device->scanned, true);
		plr_domains_kick();
		plr_perf_register();
	}
}

static void plr_device_state_work(struct work_struct *work)
{
	struct plr_device *device =
		container_of(work, struct plr_device, state_work);
	int blocked = -ENODEV;

	/* The kernel would poll the mailbox of a function in D3 for 1 s. */
	if (pmon_tpmi_is_ready(device->pdev))
		blocked = device->get_blocked(device->auxdev);
	if (blocked >= 0)
		plr_device_set_blocked(device, blocked);
}

static void plr_device_release(struct device *dev)
{
	struct plr_device *device = container_of(dev, struct plr_device, dev);

	pci_dev_put(device->pdev);
	kfree(device);
}

static struct plr_device *plr_device_alloc(struct pci_dev *pdev,
					   struct auxiliary_device *auxdev)
{
	struct plr_device *device = kzalloc(sizeof(*device), GFP_KERNEL);

	if (!device)
		return NULL;
	device_initialize(&device->dev);
	device->dev.release = plr_device_release;
	device->dev.groups = plr_device_groups;
	device->pdev = pci_dev_get(pdev);
	device->auxdev = auxdev;
	INIT_WORK(&device->state_work, plr_device_state_work);
	INIT_DELAYED_WORK(&device->scan_work, plr_device_scan);
	return device;
}

/* Read the tables. @first: instance 0 as found by Linux's TPMI core, or NULL */
static int plr_device_read(struct plr_device *device,
			   const struct resource *first)
{
	struct pmon_tpmi_region *region = &device->region;
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
	return first && (first->start != device->start ||
			 resource_size(first) != region->stride) ? -EINVAL : 0;
}

/* Return the device of @pdev, or any device if @pdev is NULL; or NULL. */
struct plr_device *plr_device_find(const struct pci_dev *pdev)
{
	struct plr_device *device;

	guard(mutex)(&plr_lock);
	list_for_each_entry(device, &plr_devices, node)
		if (!pdev || device->pdev == pdev)
			return device;
	return NULL;
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

/* Add the device; first refuse a duplicate, as device_add() dumps the stack. */
static int plr_device_show(struct plr_device *device)
{
	struct device *parent = device->auxdev ? &device->auxdev->dev :
						 &device->pdev->dev;
	const struct pmon_tpmi *tpmi = &device->tpmi;
	struct plr_device *other;
	int ret;

	guard(mutex)(&plr_lock);
	list_for_each_entry(other, &plr_devices, node) {
		if (other->tpmi.package != tpmi->package ||
		    other->tpmi.partition != tpmi->partition)
			continue;
		dev_warn(parent, "TPMI_INFO: package %u partition %u belongs to another device, not used\n",
			 tpmi->package, tpmi->partition);
		return -EEXIST;
	}
	ret = plr_device_map(device);
	if (ret)
		return ret;
	ret = dev_set_name(&device->dev, "pkg%u-tpmi%u", tpmi->package,
			   tpmi->partition) ?:
	      pmon_class_add(&device->dev, parent);
	if (ret)
		plr_device_unmap(device);
	else
		list_add_tail(&device->node, &plr_devices);
	return ret;
}

/*
 * Attach a TPMI device. Called without plr_lock. Error pointers: -ENODEV
 * without TPMI or while the function is not ready, -EINVAL for a rejected
 * table, -EEXIST for a duplicate package and partition, -EBUSY if another
 * driver has the registers.
 */
struct plr_device *plr_device_attach(struct pci_dev *pdev,
				     struct auxiliary_device *auxdev,
				     const struct resource *first,
				     plr_blocked_t *get_blocked)
{
	struct plr_device *device = plr_device_alloc(pdev, auxdev);
	int ret;

	if (!device)
		return ERR_PTR(-ENOMEM);
	device->get_blocked = get_blocked;
	ret = plr_device_read(device, first) ?: plr_device_show(device);
	if (ret) {
		put_device(&device->dev);
		return ERR_PTR(ret);
	}
	plr_device_scan(&device->scan_work.work);
	return device;
}

/* Detach a device; no register is accessed after the return. */
void plr_device_detach(struct plr_device *device)
{
	struct plr_domain *domain;

	cancel_delayed_work_sync(&device->scan_work);
	list_for_each_entry_rcu(domain, &plr_domains, node, true)
		if (READ_ONCE(domain->device) == device)
			plr_domain_detach(domain);
	cancel_work_sync(&device->state_work);
	plr_device_unmap(device);
	device_del(&device->dev);
	scoped_guard(mutex, &plr_lock)
		list_del(&device->node);
	put_device(&device->dev);
}
