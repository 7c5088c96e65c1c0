// SPDX-License-Identifier: GPL-2.0-only
/* The life of a domain: its device, its directories, its watch. */
#include <linux/slab.h>
#include <linux/workqueue.h>

#include <pmon/class.h>

#include <compat/cleanup.h>

#include "plr.h"

static void plr_domain_release(struct device *dev)
{
	struct plr_domain *domain = container_of(dev, struct plr_domain, dev);

	mutex_destroy(&domain->lock);
	kfree(domain);
}

/*
 * Delete the directory of the mesh. When this returns its readers have ended,
 * and neither the watch nor any reader uses it.
 */
static void plr_domain_remove_mesh(struct plr_domain *domain)
{
	struct plr_scope *mesh;

	scoped_guard(mutex, &domain->lock) {
		mesh = domain->mesh;
		domain->mesh = NULL;
	}
	plr_scope_remove(mesh);
}

static void plr_mesh_work_fn(struct work_struct *work)
{
	plr_domain_remove_mesh(container_of(work, struct plr_domain,
					    mesh_work));
}

static int plr_domain_fill(struct plr_domain *domain)
{
	domain->dir = plr_dir_create(domain);
	if (!domain->dir)
		return -ENOMEM;
	domain->die = plr_scope_create(domain, PLR_SCOPE_DIE, 0);
	domain->mesh = plr_scope_create(domain, PLR_SCOPE_MESH, 0);
	if (!domain->die || !domain->mesh)
		return -ENOMEM;
	plr_domain_place(domain);

	return plr_dir_show(domain->dir);
}

/*
 * Delete what refers to other directories first: the watch, the file snapshot,
 * and the mesh, whose readers may ask a module.
 */
static void plr_domain_empty(struct plr_domain *domain, bool comes_back)
{
	unsigned int module;

	if (domain->placed)
		plr_domain_displace(domain);
	plr_watch_del(domain);
	if (comes_back) {
		plr_saved_await(domain->saved, PLR_RETURN_JIFFIES);
	} else {
		/* A look may have met an error that has no end. */
		plr_saved_await_cancel(domain->saved);
		plr_perf_end(domain->saved);
	}
	plr_dir_hide(domain->dir);
	plr_domain_remove_mesh(domain);
	/*
	 * The work may have taken the mesh before, and wait for its readers
	 * now.
	 */
	flush_work(&domain->mesh_work);
	for (module = 0; module < PLR_MODULES; module++)
		plr_scope_remove(domain->core[module]);
	plr_scope_remove(domain->die);
	cancel_work_sync(&domain->mesh_work);
	plr_kobject_remove(domain->dir);
}

/**
 * plr_domain_remove() - undo plr_domain_add()
 * @tpmi: its device
 * @instance: which of the device's
 * @comes_back: its events wait for it to be back, and count on then
 */
void plr_domain_remove(struct plr_tpmi *tpmi, unsigned int instance,
		       bool comes_back)
{
	struct plr_domain *domain = tpmi->domain[instance];

	plr_domain_empty(domain, comes_back);
	device_del(&domain->dev);
	plr_domain_cancel(tpmi, instance);
}

static struct plr_domain *plr_domain_alloc(struct plr_tpmi *tpmi,
					   unsigned int instance,
					   const struct pmon_regs *regs,
					   u64 header)
{
	struct plr_domain *domain = kzalloc(sizeof(*domain), GFP_KERNEL);

	if (!domain)
		return NULL;
	domain->pdev = tpmi->pdev;
	domain->feature = &tpmi->feature;
	domain->package = tpmi->info.package;
	domain->id = pfs_info_domain(&tpmi->info, instance);
	domain->saved = plr_saved_get(domain->package, domain->id);
	if (!domain->saved) {
		kfree(domain);
		return NULL;
	}
	domain->minor = plr_header_minor(header);
	domain->regs = *regs;
	domain->mailbox.regs = &domain->regs;
	domain->mailbox.wait = &plr_wait;
	INIT_WORK(&domain->mesh_work, plr_mesh_work_fn);
	domain->tick.mailbox = &domain->mailbox;
	domain->tick.targets = domain->targets;
	mutex_init(&domain->lock);
	INIT_LIST_HEAD(&domain->watch);
	device_initialize(&domain->dev);
	domain->dev.release = plr_domain_release;
	domain->dev.groups = plr_domain_groups;
	/*
	 * Send the uevent when the directories are complete, so that a udev
	 * rule finds all files.
	 */
	dev_set_uevent_suppress(&domain->dev, true);

	return domain;
}

/**
 * plr_domain_add() - a live instance becomes a domain with files
 * @tpmi: its device
 * @instance: which of the device's
 * @regs: its registers; copied
 * @header: the first of them
 * @parent: of its device
 *
 * Return: 0, -EEXIST when another has its numbers, or an error.
 */
int plr_domain_add(struct plr_tpmi *tpmi, unsigned int instance,
		   const struct pmon_regs *regs, u64 header,
		   struct device *parent)
{
	struct plr_domain *domain =
		plr_domain_alloc(tpmi, instance, regs, header);
	int ret;

	if (!domain)
		return -ENOMEM;
	ret = plr_domain_reserve(tpmi, instance, domain);
	if (ret) {
		put_device(&domain->dev);
		return ret;
	}
	ret = pmon_class_add(&domain->dev, parent, "pkg%u-dom%u", domain->package, domain->id);
	if (ret) {
		plr_domain_cancel(tpmi, instance);
		return ret;
	}
	ret = plr_domain_fill(domain);
	if (ret) {
		plr_domain_remove(tpmi, instance, false);
		return ret;
	}
	plr_watch_add(domain);
	plr_saved_await_cancel(domain->saved);
	dev_set_uevent_suppress(&domain->dev, false);
	kobject_uevent(&domain->dev.kobj, KOBJ_ADD);

	return 0;
}
