// SPDX-License-Identifier: GPL-2.0-only
/*
 * The files below pkg<P>-dom<D> and pkg<P>-tpmi<N>, as
 * Documentation/ABI/testing/sysfs-class-pmon-plr describes them.
 *
 * A file that is being read keeps its directory from being deleted, and the
 * registers are unmapped after all directories are gone. So a show function
 * may use the domain without a reference of its own, and must not take a lock
 * that is held while directories are deleted.
 */
#include <linux/slab.h>
#include <linux/sysfs.h>

#include <pmon/class.h>
#include <pmon/plr_reasons.h>

#include "pass.h"
#include "plr.h"

struct plr_scope_attr {
	struct attribute attr;
	ssize_t (*show)(struct plr_scope *scope, char *buf);
};

#define PLR_SCOPE_ATTR(_name)						\
	static struct plr_scope_attr plr_scope_attr_##_name = {		\
		.attr = { .name = #_name, .mode = 0440 },		\
		.show = _name##_show,					\
	}

static struct plr_scope *to_scope(struct kobject *kobj)
{
	return container_of(kobj, struct plr_scope, kobj);
}

/* Asleep or lost by the kernel's own account: no access, no waking. */
static bool plr_domain_reachable(struct plr_domain *domain)
{
	return !pci_channel_offline(domain->pdev) && domain->pdev->current_state != PCI_D3hot &&
	       domain->pdev->current_state != PCI_D3cold;
}

static int plr_scope_read_locked(struct plr_scope *scope, u64 *value)
{
	struct plr_mailbox *mailbox = &scope->domain->mailbox;

	switch (scope->kind) {
	case PLR_SCOPE_DIE:
		return plr_die_read(mailbox, value);
	case PLR_SCOPE_MESH:
		return plr_mailbox_read(mailbox, PLR_DOMAIN_MESH, scope->id, value);
	default:
		return plr_mailbox_read(mailbox, PLR_DOMAIN_CORE, scope->id, value);
	}
}

/*
 * All ones mean a device that does not decode its BAR (gone, asleep): ENODEV.
 * From a device that is there they mean that firmware blocks reads: EIO.
 */
static int plr_scope_read(struct plr_scope *scope, u64 *value)
{
	struct plr_domain *domain = scope->domain;
	int ret;

	if (!plr_domain_reachable(domain))
		return -ENODEV;

	ret = mutex_lock_interruptible(&domain->lock);
	if (ret)
		return ret;
	ret = plr_scope_read_locked(scope, value);
	mutex_unlock(&domain->lock);

	if (ret == -EIO && !plr_pci_ready(domain->pdev))
		return -ENODEV;

	return ret;
}

static ssize_t reasons_show(struct plr_scope *scope, char *buf)
{
	size_t len;
	u64 value;
	int ret;

	ret = plr_scope_read(scope, &value);
	if (ret)
		return ret;
	/* The die has coarse reasons only, its high half means nothing. */
	if (scope->kind == PLR_SCOPE_DIE)
		value &= PLR_COARSE_MASK;

	len = plr_reasons_format(value, buf, PAGE_SIZE - 1);
	buf[len++] = '\n';
	buf[len] = '\0';

	return len;
}
PLR_SCOPE_ATTR(reasons);

static ssize_t coarse_show(struct plr_scope *scope, char *buf)
{
	u64 value;
	int ret = plr_scope_read(scope, &value);

	return ret ?: sysfs_emit(buf, "0x%08x\n", lower_32_bits(value));
}
PLR_SCOPE_ATTR(coarse);

static ssize_t fine_show(struct plr_scope *scope, char *buf)
{
	u64 value;
	int ret = plr_scope_read(scope, &value);

	return ret ?: sysfs_emit(buf, "0x%08x\n", upper_32_bits(value));
}
PLR_SCOPE_ATTR(fine);

static ssize_t raw_show(struct plr_scope *scope, char *buf)
{
	u64 value;
	int ret = plr_scope_read(scope, &value);

	return ret ?: sysfs_emit(buf, "0x%016llx\n", value);
}
PLR_SCOPE_ATTR(raw);

static ssize_t cpus_show(struct plr_scope *scope, char *buf)
{
	return plr_cpus_print(buf, scope->domain->package, scope->domain->id, scope->id);
}
PLR_SCOPE_ATTR(cpus);

static struct attribute *plr_scope_attrs[] = {
	&plr_scope_attr_reasons.attr,
	&plr_scope_attr_coarse.attr,
	&plr_scope_attr_fine.attr,
	&plr_scope_attr_raw.attr,
	&plr_scope_attr_cpus.attr,
	NULL
};

static umode_t plr_scope_visible(struct kobject *kobj, struct attribute *attr, int n)
{
	if (attr == &plr_scope_attr_cpus.attr && to_scope(kobj)->kind != PLR_SCOPE_CORE)
		return 0;

	return attr->mode;
}

static const struct attribute_group plr_scope_group = {
	.attrs = plr_scope_attrs,
	.is_visible = plr_scope_visible,
};
__ATTRIBUTE_GROUPS(plr_scope);

static ssize_t plr_scope_show(struct kobject *kobj, struct attribute *attr, char *buf)
{
	return container_of(attr, struct plr_scope_attr, attr)->show(to_scope(kobj), buf);
}

static const struct sysfs_ops plr_scope_sysfs_ops = { .show = plr_scope_show };

static void plr_scope_release(struct kobject *kobj)
{
	kfree(to_scope(kobj));
}

static const struct kobj_type plr_scope_type = {
	.sysfs_ops = &plr_scope_sysfs_ops,
	.default_groups = plr_scope_groups,
	.get_ownership = pmon_kobj_get_ownership,
	.release = plr_scope_release,
};

/**
 * plr_scope_create() - make a directory of reasons
 * @domain: a domain with its directory plr
 * @kind: die, mesh or core
 * @id: number in the name, none for the die
 *
 * Return: the scope, or NULL.
 */
struct plr_scope *plr_scope_create(struct plr_domain *domain, enum plr_scope_kind kind, u8 id)
{
	static const char * const format[] = {
		[PLR_SCOPE_DIE] = "die",
		[PLR_SCOPE_MESH] = "mesh%u",
		[PLR_SCOPE_CORE] = "core%u",
	};
	struct plr_scope *scope = kzalloc(sizeof(*scope), GFP_KERNEL);

	if (!scope)
		return NULL;
	scope->domain = domain;
	scope->kind = kind;
	scope->id = id;
	if (kobject_init_and_add(&scope->kobj, &plr_scope_type, domain->dir, format[kind], id)) {
		kobject_put(&scope->kobj);
		return NULL;
	}

	return scope;
}

/* The directory plr itself: a kobject, because it has children. */
static ssize_t version_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct device *dev = kobj_to_dev(kobj->parent);
	struct plr_domain *domain = container_of(dev, struct plr_domain, dev);

	/* Instances with another major version are not attached. */
	return sysfs_emit(buf, "0.%u\n", domain->minor);
}

static struct kobj_attribute plr_dir_version = __ATTR(version, 0440, version_show, NULL);

static struct attribute *plr_dir_attrs[] = {
	&plr_dir_version.attr,
	NULL
};
ATTRIBUTE_GROUPS(plr_dir);

static void plr_dir_release(struct kobject *kobj)
{
	kfree(kobj);
}

static const struct kobj_type plr_dir_type = {
	.sysfs_ops = &kobj_sysfs_ops,
	.default_groups = plr_dir_groups,
	.get_ownership = pmon_kobj_get_ownership,
	.release = plr_dir_release,
};

/**
 * plr_dir_create() - make the directory plr of a domain
 * @domain: its device has been added
 *
 * Return: the directory, or NULL.
 */
struct kobject *plr_dir_create(struct plr_domain *domain)
{
	struct kobject *dir = kzalloc(sizeof(*dir), GFP_KERNEL);

	if (!dir)
		return NULL;
	if (kobject_init_and_add(dir, &plr_dir_type, &domain->dev.kobj, "plr")) {
		kobject_put(dir);
		return NULL;
	}

	return dir;
}

/**
 * plr_kobject_remove() - delete a directory, waiting for its readers
 * @kobj: the directory, or NULL
 */
void plr_kobject_remove(struct kobject *kobj)
{
	if (!kobj)
		return;
	kobject_del(kobj);
	kobject_put(kobj);
}

static struct plr_domain *to_domain(struct device *dev)
{
	return container_of(dev, struct plr_domain, dev);
}

static ssize_t package_id_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", to_domain(dev)->package);
}
static PMON_DEVICE_ATTR_RO(package_id);

static ssize_t domain_id_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", to_domain(dev)->id);
}
static PMON_DEVICE_ATTR_RO(domain_id);

static ssize_t domain_cpus_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct plr_domain *domain = to_domain(dev);

	return plr_cpus_print(buf, domain->package, domain->id, PLR_ANY_MODULE);
}

static struct device_attribute dev_attr_cpus = __ATTR(cpus, 0440, domain_cpus_show, NULL);

static ssize_t numa_node_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", dev_to_node(&to_domain(dev)->pdev->dev));
}
static PMON_DEVICE_ATTR_RO(numa_node);

static struct attribute *plr_domain_attrs[] = {
	&dev_attr_package_id.attr,
	&dev_attr_domain_id.attr,
	&dev_attr_cpus.attr,
	&dev_attr_numa_node.attr,
	NULL
};

static const struct attribute_group plr_domain_group = { .attrs = plr_domain_attrs };
const struct attribute_group *plr_domain_groups[] = { &plr_domain_group, NULL };
