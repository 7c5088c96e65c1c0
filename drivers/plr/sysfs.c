// SPDX-License-Identifier: GPL-2.0-only
/*
 * Show the files below pkg<P>-dom<D> and pkg<P>-tpmi<N>
 * (Documentation/ABI/testing/sysfs-class-pmon-plr). active, time_in_reason and
 * files of mode 0444 take no lock, so reading them delays no poll. When a core
 * is limited shows what a neighbour does: that is for root and the group only.
 */
#include <linux/capability.h>
#include <linux/cleanup.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include <compat/sysfs.h>
#include <pmon/class.h>

#include "plr.h"

#define PLR_ATTR(_name, _mode)						\
	static struct kobj_attribute attr_##_name =			\
		__ATTR(_name, _mode, _name##_show, NULL)

static struct plr_scope *to_scope(struct kobject *kobj)
{
	return container_of(kobj, struct plr_scope, kobj);
}

static ssize_t plr_emit_reasons(u64 value, char *buf)
{
	size_t len = plr_reasons_format(value, buf, PLR_REASONS_SIZE);

	return len + sysfs_emit_at(buf, len, "\n");
}

static ssize_t reasons_show(struct kobject *kobj, struct kobj_attribute *attr,
			    char *buf)
{
	u64 value;
	int ret = plr_scope_read(to_scope(kobj), &value);

	return ret ?: plr_emit_reasons(value, buf);
}
PLR_ATTR(reasons, 0440);

static ssize_t active_show(struct kobject *kobj, struct kobj_attribute *attr,
			   char *buf)
{
	const struct plr_account *account = &to_scope(kobj)->record.account;

	if (!READ_ONCE(account->active_valid))
		return -ENODATA;
	return plr_emit_reasons(READ_ONCE(account->active), buf);
}
PLR_ATTR(active, 0440);

static ssize_t time_in_reason_show(struct kobject *kobj,
				   struct kobj_attribute *attr, char *buf)
{
	const struct plr_scope *scope = to_scope(kobj);

	return plr_account_format(&scope->record.account,
				  scope->kind == PLR_DIE ? PLR_COARSE_BITS :
							   PLR_REASON_BITS,
				  buf, PAGE_SIZE);
}
PLR_ATTR(time_in_reason, 0440);

/* Writes to files need CAP_PERFMON, as perf events do. */
static int plr_check_right(void)
{
	return perfmon_capable() ? 0 : -EACCES;
}

static ssize_t clear_store(struct kobject *kobj, struct kobj_attribute *attr,
			   const char *buf, size_t len)
{
	u64 mask;
	int ret;

	ret = plr_check_right() ?: plr_reasons_parse(buf, len, &mask);
	if (!ret)
		ret = plr_scope_clear(to_scope(kobj), mask);
	return ret ?: len;
}

static struct kobj_attribute attr_clear =
	__ATTR(clear, 0200, NULL, clear_store);

#define PLR_NUMBER(_name, _format, _of)					\
	static ssize_t _name##_show(struct kobject *kobj,		\
				    struct kobj_attribute *attr,	\
				    char *buf)				\
	{								\
		u64 value;						\
		int ret = plr_scope_read(to_scope(kobj), &value);	\
									\
		return ret ?: sysfs_emit(buf, _format "\n", _of(value));	\
	}								\
	PLR_ATTR(_name, 0440)

PLR_NUMBER(coarse, "0x%08x", lower_32_bits);
PLR_NUMBER(fine, "0x%08x", upper_32_bits);
PLR_NUMBER(raw, "0x%016llx", (u64));

static ssize_t cpus_show(struct kobject *kobj, struct kobj_attribute *attr,
			 char *buf)
{
	return plr_cpus_print(buf, NULL, to_scope(kobj));
}
PLR_ATTR(cpus, 0444);

static struct attribute *plr_scope_attrs[] = {
	&attr_reasons.attr,
	&attr_active.attr,
	&attr_time_in_reason.attr,
	&attr_clear.attr,
	&attr_coarse.attr,
	&attr_fine.attr,
	&attr_raw.attr,
	&attr_cpus.attr,
	NULL
};

static umode_t plr_scope_visible(struct kobject *kobj, struct attribute *attr,
				 int n)
{
	if (attr == &attr_cpus.attr && to_scope(kobj)->kind != PLR_MODULE)
		return 0;
	return attr->mode;
}

static const struct attribute_group plr_scope_group = {
	.attrs = plr_scope_attrs,
	.is_visible = plr_scope_visible,
};
__ATTRIBUTE_GROUPS(plr_scope);

static void plr_scope_release(struct kobject *kobj)
{
	struct plr_scope *scope = to_scope(kobj);

	sysfs_put(scope->reasons);
	sysfs_put(scope->active);
	kfree(scope);
}

static const struct kobj_type plr_scope_type = {
	.sysfs_ops = &kobj_sysfs_ops,
	.default_groups = plr_scope_groups,
	.get_ownership = pmon_kobj_get_ownership,
	.release = plr_scope_release,
};

struct plr_scope *plr_scope_create(struct plr_domain *domain,
				   enum plr_kind kind, u8 id)
{
	static const char * const format[] = {
		[PLR_DIE] = "die", [PLR_MESH] = "mesh%u", [PLR_MODULE] = "core%u",
	};
	struct plr_scope *scope = kzalloc(sizeof(*scope), GFP_KERNEL);

	if (!scope)
		return NULL;
	scope->domain = domain;
	scope->kind = kind;
	seqcount_init(&scope->residency_seq);
	scope->record.id = id;
	scope->record.domain = kind == PLR_MESH ? PLR_DOMAIN_MESH :
						PLR_DOMAIN_CORE;
	if (kobject_init_and_add(&scope->kobj, &plr_scope_type, domain->dir,
				 format[kind], id)) {
		kobject_put(&scope->kobj);
		return NULL;
	}
	scope->reasons = sysfs_get_dirent(scope->kobj.sd, "reasons");
	scope->active = sysfs_get_dirent(scope->kobj.sd, "active");
	return scope;
}

/* Wake poll(2) only after the removal, so that no program can wait again. */
void plr_scope_remove(struct plr_scope *scope)
{
	if (!scope)
		return;
	kobject_del(&scope->kobj);
	plr_scope_notify(scope);
	kobject_put(&scope->kobj);
}

static struct plr_domain *to_domain(struct device *dev)
{
	return container_of(dev, struct plr_domain, dev);
}

/* Return the domain of @dir, "plr", a kobject because it has subdirectories. */
static struct plr_domain *plr_dir_domain(struct kobject *dir)
{
	return to_domain(kobj_to_dev(dir->parent));
}

static ssize_t version_show(struct kobject *kobj, struct kobj_attribute *attr,
			    char *buf)
{
	/* Instances with another major version are not attached. */
	return sysfs_emit(buf, "0.%u\n", plr_dir_domain(kobj)->minor);
}
PLR_ATTR(version, 0444);

static ssize_t interval_ms_show(struct kobject *kobj,
				struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n",
			  READ_ONCE(plr_dir_domain(kobj)->interval_ms));
}

static ssize_t interval_ms_store(struct kobject *kobj,
				 struct kobj_attribute *attr, const char *buf,
				 size_t len)
{
	struct plr_domain *domain = plr_dir_domain(kobj);
	unsigned int ms;
	int ret = plr_check_right() ?: kstrtouint(buf, 0, &ms);

	if (ret)
		return ret;
	if (ms && (ms < PLR_MIN_MS || ms > PLR_MAX_MS))
		return -ERANGE;
	WRITE_ONCE(domain->interval_ms, ms);
	plr_domain_update(domain);
	return len;
}

static struct kobj_attribute attr_interval_ms = __ATTR_RW(interval_ms);

static ssize_t gate_show(struct kobject *kobj, struct kobj_attribute *attr,
			 char *buf)
{
	return plr_emit_reasons(READ_ONCE(plr_dir_domain(kobj)->gate) &
				plr_reasons_coarse(), buf);
}

static ssize_t gate_store(struct kobject *kobj, struct kobj_attribute *attr,
			  const char *buf, size_t len)
{
	struct plr_domain *domain = plr_dir_domain(kobj);
	u64 gate = 0;
	int ret = plr_check_right();

	if (ret)
		return ret;
	if (!sysfs_streq(buf, "none")) {
		ret = plr_reasons_parse(buf, len, &gate);
		if (ret)
			return ret;
	}
	if (sysfs_streq(buf, "all"))
		gate = PLR_COARSE_MASK;
	if (gate & ~PLR_COARSE_MASK)
		return -EINVAL;
	WRITE_ONCE(domain->gate, gate);
	return len;
}

static struct kobj_attribute attr_gate = __ATTR_RW(gate);

static struct attribute *plr_dir_attrs[] = {
	&attr_version.attr,
	&attr_interval_ms.attr,
	&attr_gate.attr,
	NULL
};

const struct attribute_group plr_dir_group = { .attrs = plr_dir_attrs };

#define PLR_DEVICE_FILE(_object, _file, _name, _format, _value)		\
	static ssize_t							\
	_object##_##_name##_show(struct device *dev,			\
				 struct device_attribute *attr,		\
				 char *buf)				\
	{								\
		const struct plr_##_object *object __maybe_unused =	\
			container_of(dev, struct plr_##_object, dev);	\
									\
		return sysfs_emit(buf, _format "\n", _value);		\
	}								\
	static struct device_attribute dev_attr_##_object##_##_name =	\
		__ATTR(_file, 0444, _object##_##_name##_show, NULL)

PLR_DEVICE_FILE(domain, package_id, package, "%u", object->package);
PLR_DEVICE_FILE(domain, domain_id, id, "%u", object->id);
PLR_DEVICE_FILE(device, package_id, package, "%u", object->tpmi.package);
PLR_DEVICE_FILE(device, partition, partition, "%u", object->tpmi.partition);
PLR_DEVICE_FILE(device, mode, mode, "%s", pmon_mode_text(plr_mode));

static ssize_t domain_cpus_show(struct device *dev,
				struct device_attribute *attr, char *buf)
{
	return plr_cpus_print(buf, to_domain(dev), NULL);
}

static struct device_attribute dev_attr_domain_cpus =
	__ATTR(cpus, 0444, domain_cpus_show, NULL);

static struct attribute *plr_domain_attrs[] = {
	&dev_attr_domain_package.attr,
	&dev_attr_domain_id.attr,
	&dev_attr_domain_cpus.attr,
	NULL
};

static const struct attribute_group plr_domain_group = {
	.attrs = plr_domain_attrs,
};

const struct attribute_group *plr_domain_groups[] = { &plr_domain_group, NULL };

static ssize_t table_read(struct file *file, struct kobject *kobj,
			  COMPAT_BIN_CONST struct bin_attribute *attr,
			  char *buf, loff_t offset, size_t count)
{
	const struct plr_device *device =
		container_of(kobj_to_dev(kobj), struct plr_device, dev);

	return memory_read_from_buffer(buf, count, &offset, device->tpmi.row,
				       device->tpmi.count * sizeof(u64));
}

static COMPAT_BIN_CONST struct bin_attribute bin_attr_table =
	__BIN_ATTR(table, 0400, table_read, NULL, 0);

static struct attribute *plr_device_attrs[] = {
	&dev_attr_device_package.attr,
	&dev_attr_device_partition.attr,
	&dev_attr_device_mode.attr,
	NULL
};

static COMPAT_BIN_CONST struct bin_attribute *COMPAT_BIN_CONST
plr_device_bin_attrs[] = { &bin_attr_table, NULL };

static const struct attribute_group plr_device_group = {
	.attrs = plr_device_attrs,
	.bin_attrs = plr_device_bin_attrs,
};

const struct attribute_group *plr_device_groups[] = { &plr_device_group, NULL };
