// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keep domains: made when their registers are found first, removed when the
 * module is unloaded. In between registers come and go.
 */
#include <linux/lockdep.h>
#include <linux/rculist.h>
#include <linux/slab.h>

#include <compat/cleanup.h>
#include <pmon/class.h>

#include "plr.h"

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
	domain->monitor.mailbox = &domain->mailbox;
	domain->monitor.gate = PLR_GATE_DEFAULT;
	mutex_init(&domain->lock);
	INIT_DELAYED_WORK(&domain->work, plr_watch_work);
	device_initialize(&domain->dev);
	domain->dev.release = plr_domain_release;
	domain->dev.groups = plr_domain_groups;
	/*
	 * Sent when the directories are complete, so that udev finds all files.
	 */
	dev_set_uevent_suppress(&domain->dev, true);

	return domain;
}

static int plr_domain_fill(struct plr_domain *domain)
{
	domain->dir = plr_dir_create(domain);
	if (!domain->dir)
		return -ENOMEM;
	domain->die = plr_scope_create(domain, PLR_DIE, 0);
	domain->mesh = plr_scope_create(domain, PLR_MESH, 0);
	if (!domain->die || !domain->mesh)
		return -ENOMEM;
	domain->monitor.die = &domain->die->part;
	if (plr_mesh)
		plr_monitor_add(&domain->monitor, &domain->mesh->part);

	return plr_dir_show(domain->dir);
}

/* Remove the directories, waiting for readers, and then what polls. */
static void plr_domain_remove(struct plr_domain *domain)
{
	unsigned int module;

	for (module = 0; module < PLR_MODULES; module++)
		plr_scope_remove(domain->core[module]);
	plr_scope_remove(domain->mesh);
	plr_scope_remove(domain->die);
	plr_dir_remove(domain->dir);
	device_del(&domain->dev);
	cancel_delayed_work_sync(&domain->work);
	for (module = 0; module < PLR_MODULES; module++)
		if (domain->core[module])
			kobject_put(&domain->core[module]->kobj);
	if (domain->mesh)
		kobject_put(&domain->mesh->kobj);
	if (domain->die)
		kobject_put(&domain->die->kobj);
	put_device(&domain->dev);
}

static struct plr_domain *plr_domain_create(struct plr_device *device, u8 id)
{
	struct plr_domain *domain = plr_domain_alloc(device->tpmi.package, id);
	int ret;

	if (!domain)
		return ERR_PTR(-ENOMEM);
	domain->numa_node = dev_to_node(&device->pdev->dev);
	/* Not below the device: that goes before the domain does. */
	ret = pmon_class_add(&domain->dev, NULL, "pkg%u-dom%u", domain->package,
			     domain->id);
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

/*
 * The directory of a module, made if there is none. With plr_lock held. It
 * stays until the module is unloaded. Returns the directory, or NULL without
 * memory.
 */
struct plr_scope *plr_core_get(struct plr_domain *domain, u8 module)
{
	struct plr_scope *core = domain->core[module];

	lockdep_assert_held(&plr_lock);
	if (core)
		return core;
	core = plr_scope_create(domain, PLR_CORE, module);
	if (!core)
		return NULL;
	scoped_guard(mutex, &domain->lock)
		plr_monitor_add(&domain->monitor, &core->part);
	/* Pairs with plr_core(). */
	smp_store_release(&domain->core[module], core);

	return core;
}

/*
 * Give an instance's registers to its domain. Returns 0, -EEXIST when the
 * domain has registers of another device, or an error.
 */
int plr_domain_attach(struct plr_device *device, unsigned int instance, u8 id,
		      const struct pmon_regs *regs, u64 header)
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
		domain->minor = plr_header_minor(header);
		domain->suspect = false;
	}
	device->domain[instance] = domain;
	plr_watch_kick(domain);

	return 0;
}

/*
 * The registers of a domain go. They are not accessed any more when this
 * returns. Files stay; those that need registers give -ENODEV.
 */
void plr_domain_detach(struct plr_domain *domain)
{
	guard(mutex)(&domain->lock);
	domain->device = NULL;
	plr_monitor_stop(&domain->monitor);
	WRITE_ONCE(domain->primed, false);
	plr_watch_report(domain);
	plr_scope_notify(domain->die);
}

/*
 * Remove all domains, as the module is unloaded. No device is attached, and no
 * callback of CPU hotplug or perf is left.
 */
void plr_domains_remove(void)
{
	struct plr_domain *domain, *next;

	list_for_each_entry_safe(domain, next, &plr_domains, node)
		plr_domain_remove(domain);
}
