// SPDX-License-Identifier: GPL-2.0-only
/*
 * TPMI devices and the live PLR instances behind them: coming and going.
 *
 * Attaching reads one header per instance and writes nothing. Detaching first
 * deletes every file, which waits for readers, and then the mapping. Both are
 * done without a lock; a device and a domain are in the list from before their
 * first file is made until after their last one is deleted, so that another
 * device with the same numbers finds them taken.
 */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/io.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/workqueue.h>

#include <pmon/class.h>

#include <compat/cleanup.h>

#include "plr.h"

/*
 * Protects the list, domain[], which domains are @placed, and of these core[];
 * the places of CPUs and their links. CPU hotplug callbacks take it.
 */
static DEFINE_MUTEX(plr_lock);
static LIST_HEAD(plr_tpmis);

static void plr_sleep_us(unsigned int us)
{
	usleep_range(us, us * 2);
}

static unsigned long plr_hold_cpu(void)
{
	unsigned long flags;

	local_irq_save(flags);

	return flags;
}

static void plr_let_go(unsigned long flags)
{
	local_irq_restore(flags);
}

static const struct plr_wait plr_wait = {
	.now_ns = ktime_get_ns,
	.sleep_us = plr_sleep_us,
	.hold_cpu = plr_hold_cpu,
	.let_go = plr_let_go,
};

static void plr_domain_release(struct device *dev)
{
	struct plr_domain *domain = container_of(dev, struct plr_domain, dev);

	mutex_destroy(&domain->lock);
	kfree(domain);
}

static void plr_tpmi_release(struct device *dev)
{
	struct plr_tpmi *tpmi = container_of(dev, struct plr_tpmi, dev);

	pci_dev_put(tpmi->pdev);
	kfree(tpmi->rows);
	kfree(tpmi);
}

static struct plr_domain *plr_domain_find(u8 package, u8 id)
{
	struct plr_tpmi *tpmi;
	unsigned int i;

	lockdep_assert_held(&plr_lock);
	list_for_each_entry(tpmi, &plr_tpmis, node) {
		if (tpmi->info.package != package)
			continue;
		for (i = 0; i < tpmi->count; i++)
			if (tpmi->domain[i] && tpmi->domain[i]->id == id)
				return tpmi->domain[i];
	}

	return NULL;
}

static struct plr_tpmi *plr_tpmi_find(u8 package, u8 partition)
{
	struct plr_tpmi *tpmi;

	lockdep_assert_held(&plr_lock);
	list_for_each_entry(tpmi, &plr_tpmis, node)
		if (tpmi->info.package == package && tpmi->info.partition == partition)
			return tpmi;

	return NULL;
}

/* The domain with these numbers, where CPUs have their directories. */
static struct plr_domain *plr_domain_of(const struct plr_place *place)
{
	struct plr_domain *domain = plr_domain_find(place->package, place->domain);

	return domain && domain->placed ? domain : NULL;
}

/*
 * A directory for the CPU's module, and the link from the CPU to it. Returns the
 * CPU whose events it takes over, or -1.
 */
static int plr_domain_add_cpu(struct plr_domain *domain, unsigned int cpu,
			      const struct plr_place *place)
{
	struct plr_scope **core = &domain->core[place->module];
	struct device *dev = get_cpu_device(cpu);

	lockdep_assert_held(&plr_lock);
	if (!*core)
		/* Pairs with plr_core(), whose callers do not have this lock. */
		smp_store_release(core, plr_scope_create(domain, PLR_SCOPE_CORE,
							 place->module));
	if (*core && dev && sysfs_create_link(&dev->kobj, &(*core)->kobj, "plr"))
		dev_warn(&domain->dev, "no link from cpu%u\n", cpu);

	return *core ? plr_perf_cpus_online(cpu, place) : -1;
}

static void plr_cpu_unlink(unsigned int cpu)
{
	struct device *dev = get_cpu_device(cpu);

	if (dev)
		sysfs_remove_link(&dev->kobj, "plr");
}

/**
 * plr_domains_cpu_online() - a CPU has a place now
 * @cpu: the CPU
 * @place: its place
 */
void plr_domains_cpu_online(unsigned int cpu, const struct plr_place *place)
{
	struct plr_domain *domain;
	int from = -1;

	scoped_guard(mutex, &plr_lock) {
		plr_cpu_set_place(cpu, place);
		domain = plr_domain_of(place);
		if (domain)
			from = plr_domain_add_cpu(domain, cpu, place);
	}
	plr_perf_migrate(from, cpu);
}

/**
 * plr_domains_cpu_offline() - a CPU is about to go
 * @cpu: the CPU
 *
 * The module keeps its directory: what limited it is still on record.
 */
void plr_domains_cpu_offline(unsigned int cpu)
{
	struct plr_place place;
	int to;

	scoped_guard(mutex, &plr_lock) {
		if (!plr_cpu_place(cpu, &place))
			return;
		if (plr_domain_of(&place))
			plr_cpu_unlink(cpu);
		to = plr_perf_cpus_offline(cpu, &place);
		plr_cpu_clear_place(cpu);
	}
	plr_perf_migrate(cpu, to);
}

/**
 * plr_domains_any() - is there a domain?
 *
 * Return: whether there is one that is complete.
 */
bool plr_domains_any(void)
{
	struct plr_tpmi *tpmi;
	unsigned int i;

	guard(mutex)(&plr_lock);
	list_for_each_entry(tpmi, &plr_tpmis, node)
		for (i = 0; i < tpmi->count; i++)
			if (tpmi->domain[i] && tpmi->domain[i]->placed)
				return true;

	return false;
}

/* Readers have ended when this returns; no look and no reader uses it any more. */
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
	plr_domain_remove_mesh(container_of(work, struct plr_domain, mesh_work));
}

/* CPUs that are online have their directories from now on; others as they come. */
static void plr_domain_place(struct plr_domain *domain)
{
	struct plr_place place;
	unsigned int cpu;
	int from;

	cpus_read_lock();
	scoped_guard(mutex, &plr_lock)
		domain->placed = true;
	for_each_online_cpu(cpu) {
		from = -1;
		scoped_guard(mutex, &plr_lock)
			if (plr_cpu_is_in(cpu, domain->package, domain->id, PLR_ANY_MODULE) &&
			    plr_cpu_place(cpu, &place))
				from = plr_domain_add_cpu(domain, cpu, &place);
		plr_perf_migrate(from, cpu);
	}
	cpus_read_unlock();
}

/* No CPU gets a directory or a link any more. */
static void plr_domain_displace(struct plr_domain *domain)
{
	unsigned int cpu;

	guard(mutex)(&plr_lock);
	domain->placed = false;
	plr_perf_cpus_remove(domain->package, domain->id);
	for_each_possible_cpu(cpu)
		if (plr_cpu_is_in(cpu, domain->package, domain->id, PLR_ANY_MODULE))
			plr_cpu_unlink(cpu);
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
 * What is about several directories goes before them: the watch, the snapshot,
 * the mesh, whose readers may ask a module.
 */
static void plr_domain_empty(struct plr_domain *domain)
{
	unsigned int module;

	if (domain->placed)
		plr_domain_displace(domain);
	plr_watch_del(domain);
	/* After an error it is back in seconds, and its events count on. */
	if (!plr_pci_recovers(domain->pdev))
		plr_perf_end(domain->saved);
	plr_dir_hide(domain->dir);
	plr_domain_remove_mesh(domain);
	for (module = 0; module < PLR_MODULES; module++)
		plr_scope_remove(domain->core[module]);
	plr_scope_remove(domain->die);
	cancel_work_sync(&domain->mesh_work);
	plr_kobject_remove(domain->dir);
}

static void plr_domain_remove(struct plr_tpmi *tpmi, unsigned int instance)
{
	struct plr_domain *domain = tpmi->domain[instance];

	plr_domain_empty(domain);
	device_del(&domain->dev);
	scoped_guard(mutex, &plr_lock)
		tpmi->domain[instance] = NULL;
	put_device(&domain->dev);
}

static struct plr_domain *plr_domain_alloc(struct plr_tpmi *tpmi, unsigned int instance,
					   const struct pmon_regs *regs, u64 header)
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
	/* Announced when complete, so that a rule finds all files. */
	dev_set_uevent_suppress(&domain->dev, true);

	return domain;
}

/* Its number is taken when it is in domain[]. */
static int plr_domain_reserve(struct plr_tpmi *tpmi, unsigned int instance,
			      struct plr_domain *domain)
{
	guard(mutex)(&plr_lock);
	if (plr_domain_find(domain->package, domain->id))
		return -EEXIST;
	tpmi->domain[instance] = domain;

	return 0;
}

static void plr_domain_cancel(struct plr_tpmi *tpmi, unsigned int instance)
{
	struct plr_domain *domain = tpmi->domain[instance];

	scoped_guard(mutex, &plr_lock)
		tpmi->domain[instance] = NULL;
	put_device(&domain->dev);
}

static int plr_domain_add(struct plr_tpmi *tpmi, unsigned int instance,
			  const struct pmon_regs *regs, u64 header, struct device *parent)
{
	struct plr_domain *domain = plr_domain_alloc(tpmi, instance, regs, header);
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
		plr_domain_remove(tpmi, instance);
		return ret;
	}
	plr_watch_add(domain);
	dev_set_uevent_suppress(&domain->dev, false);
	kobject_uevent(&domain->dev.kobj, KOBJ_ADD);

	return 0;
}

/* Returns whether the instance is live; absent ones are no event. */
static bool plr_instance_add(struct plr_tpmi *tpmi, const struct plr_source *source,
			     unsigned int instance)
{
	unsigned int id = pfs_info_domain(&tpmi->info, instance);
	struct pmon_regs regs;
	u64 header;
	int ret;

	pmon_regs_mmio(&regs, tpmi->base + instance * source->stride, PLR_INSTANCE_SIZE);
	header = pmon_read(&regs, PLR_HEADER, sizeof(u64));
	ret = plr_header_check(header);
	if (ret == -ENODEV)
		return false;
	if (ret) {
		dev_warn(&tpmi->dev, "PLR instance %u has unknown version 0x%llx, not used\n",
			 instance, header);
		return true;
	}
	if (plr_mode() != PLR_ON) {
		dev_info(&tpmi->dev, "PLR instance %u found, not used: %s\n", instance,
			 plr_mode_text());
		return true;
	}
	ret = plr_domain_add(tpmi, instance, &regs, header, source->parent);
	if (ret == -EEXIST)
		dev_warn(&tpmi->dev, "PLR instance %u claims domain %u of another device, not used\n",
			 instance, id);
	else if (ret)
		dev_err(&tpmi->dev, "PLR instance %u cannot be shown: error %d\n", instance, ret);

	return true;
}

static struct plr_tpmi *plr_tpmi_alloc(struct plr_source *source)
{
	struct plr_tpmi *tpmi;

	tpmi = kzalloc(struct_size(tpmi, domain, source->count), GFP_KERNEL);
	if (!tpmi)
		return NULL;
	device_initialize(&tpmi->dev);
	tpmi->dev.release = plr_tpmi_release;
	tpmi->dev.groups = plr_tpmi_groups;
	tpmi->pdev = pci_dev_get(source->pdev);
	tpmi->info = source->info;
	tpmi->feature = source->feature;
	tpmi->count = source->count;
	tpmi->rapl = source->rapl;
	tpmi->sst = source->sst;
	tpmi->rows = source->rows;
	tpmi->row_count = source->row_count;
	source->rows = NULL;

	return tpmi;
}

static bool plr_package_is_known(u8 package)
{
	unsigned int cpu;

	for_each_online_cpu(cpu)
		if (topology_physical_package_id(cpu) == package)
			return true;

	return false;
}

/* Its number is taken when it is in the list. */
static int plr_tpmi_reserve(struct plr_tpmi *tpmi)
{
	guard(mutex)(&plr_lock);
	if (plr_tpmi_find(tpmi->info.package, tpmi->info.partition))
		return -EEXIST;
	list_add_tail(&tpmi->node, &plr_tpmis);

	return 0;
}

static void plr_tpmi_cancel(struct plr_tpmi *tpmi)
{
	guard(mutex)(&plr_lock);
	list_del(&tpmi->node);
}

static int plr_tpmi_show(struct plr_tpmi *tpmi, const struct plr_source *source)
{
	int ret;

	tpmi->base = ioremap(source->start, (size_t)source->stride * source->count);
	if (!tpmi->base)
		return -ENOMEM;
	ret = pmon_class_add(&tpmi->dev, source->parent, "pkg%u-tpmi%u", tpmi->info.package,
			     tpmi->info.partition);
	if (ret)
		iounmap(tpmi->base);

	return ret;
}

static int plr_tpmi_add(struct plr_tpmi *tpmi, const struct plr_source *source)
{
	unsigned int i, live = 0;
	int ret = plr_tpmi_reserve(tpmi);

	if (ret) {
		dev_warn(source->parent, "TPMI_INFO names package %u partition %u, which another device has, not used\n",
			 tpmi->info.package, tpmi->info.partition);
		return ret;
	}
	if (!plr_package_is_known(tpmi->info.package))
		dev_warn(source->parent, "TPMI_INFO names package %u, to which no CPU belongs\n",
			 tpmi->info.package);
	ret = plr_tpmi_show(tpmi, source);
	if (ret) {
		plr_tpmi_cancel(tpmi);
		return ret;
	}

	for (i = 0; i < tpmi->count; i++)
		live += plr_instance_add(tpmi, source, i);
	if (!live)
		dev_info(&tpmi->dev, "no PLR instance answers, firmware may have blocked reads\n");
	plr_perf_update();

	return 0;
}

/**
 * plr_tpmi_attach() - take up a TPMI device
 * @source: what the front end found; its rows are taken over if all is well
 *
 * Called without locks.
 *
 * Return: the device or an error pointer.
 */
struct plr_tpmi *plr_tpmi_attach(struct plr_source *source)
{
	struct plr_tpmi *tpmi;
	int ret;

	tpmi = plr_tpmi_alloc(source);
	if (!tpmi)
		return ERR_PTR(-ENOMEM);

	ret = plr_tpmi_add(tpmi, source);
	if (ret) {
		put_device(&tpmi->dev);
		return ERR_PTR(ret);
	}

	return tpmi;
}

/**
 * plr_tpmi_detach() - let go of a TPMI device
 * @tpmi: from plr_tpmi_attach()
 *
 * Files that are still open give ENODEV from here on. Called without locks.
 */
void plr_tpmi_detach(struct plr_tpmi *tpmi)
{
	unsigned int i;

	for (i = 0; i < tpmi->count; i++)
		if (tpmi->domain[i])
			plr_domain_remove(tpmi, i);
	plr_perf_update();
	iounmap(tpmi->base);
	device_del(&tpmi->dev);
	plr_tpmi_cancel(tpmi);
	put_device(&tpmi->dev);
}
