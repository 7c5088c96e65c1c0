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

#include <compat/sysfs.h>

#include <pmon/class.h>
#include <pmon/plr_reasons.h>

#include "plr.h"

/* Bounds of interval_ms: about a tick of the kernel, and a minute. */
#define PLR_MIN_MS	10
#define PLR_MAX_MS	60000

/* The bound of max_commands: a mailbox cannot run as many. */
#define PLR_MOST_COMMANDS	100000

struct plr_scope_attr {
	struct attribute attr;
	ssize_t (*show)(struct plr_scope *scope, char *buf);
	ssize_t (*store)(struct plr_scope *scope, const char *buf, size_t len);
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

static ssize_t plr_emit_reasons(u64 value, char *buf)
{
	size_t len = plr_reasons_format(value, buf, PAGE_SIZE - 1);

	buf[len++] = '\n';
	buf[len] = '\0';

	return len;
}

static ssize_t reasons_show(struct plr_scope *scope, char *buf)
{
	u64 value;
	int ret = plr_scope_read(scope, &value);

	return ret ?: plr_emit_reasons(value, buf);
}
PLR_SCOPE_ATTR(reasons);

static ssize_t active_show(struct plr_scope *scope, char *buf)
{
	struct plr_domain *domain = scope->domain;
	u64 value;
	int ret;

	ret = mutex_lock_interruptible(&domain->lock);
	if (ret)
		return ret;
	value = scope->log->active;
	if (!scope->since_ns)
		ret = -ENODATA;
	mutex_unlock(&domain->lock);

	return ret ?: plr_emit_reasons(value, buf);
}
PLR_SCOPE_ATTR(active);

/* Reserved reasons are shown last, because a page may not hold all. */
static bool plr_reason_is_reserved(unsigned int bit)
{
	return plr_reason_coarse(bit) < 0;
}

static int plr_emit_history(const struct plr_log *log, unsigned int bit,
			    char *buf, int at)
{
	const struct plr_history *history = log->history;
	char line[128];
	int len;

	if (!history->last[bit])
		return at;
	len = scnprintf(line, sizeof(line), "%s %llu %llu %llu %d",
			plr_reason_name(bit), history->first[bit],
			history->last[bit], history->limited[bit],
			!!(log->active & BIT_ULL(bit)));
	if (history->after[bit])
		len += scnprintf(line + len, sizeof(line) - len, " %llu",
				 history->after[bit]);
	len += scnprintf(line + len, sizeof(line) - len, "\n");
	if (at + len >= PAGE_SIZE)
		return at;
	memcpy(buf + at, line, len + 1);

	return at + len;
}

static ssize_t history_show(struct plr_scope *scope, char *buf)
{
	struct plr_log *log = scope->log;
	int ret, at = 0, reserved;
	unsigned int bit;

	if (!log->history)
		return -ENOMEM;
	ret = mutex_lock_interruptible(&scope->domain->lock);
	if (ret)
		return ret;
	for (reserved = 0; reserved < 2; reserved++)
		for (bit = 0; bit < PLR_REASON_BITS; bit++)
			if (plr_reason_is_reserved(bit) == reserved)
				at = plr_emit_history(log, bit, buf, at);
	mutex_unlock(&scope->domain->lock);

	return at;
}
PLR_SCOPE_ATTR(history);

static ssize_t clear_store(struct plr_scope *scope, const char *buf, size_t len)
{
	u64 mask;
	int ret;

	ret = plr_reasons_parse(buf, len, &mask);
	if (!ret)
		ret = plr_scope_clear(scope, mask);

	return ret ?: len;
}

static struct plr_scope_attr plr_scope_attr_clear = {
	.attr = { .name = "clear", .mode = 0200 },
	.store = clear_store,
};

static ssize_t cleared_ns_show(struct plr_scope *scope, char *buf)
{
	return sysfs_emit(buf, "%llu\n", READ_ONCE(scope->log->cleared_ns));
}
PLR_SCOPE_ATTR(cleared_ns);

static ssize_t unseen_ns_show(struct plr_scope *scope, char *buf)
{
	return sysfs_emit(buf, "%llu\n", READ_ONCE(scope->log->looked_ns));
}
PLR_SCOPE_ATTR(unseen_ns);

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
	return plr_cpus_print(buf, scope->domain->package, scope->domain->id,
			      scope->id);
}
PLR_SCOPE_ATTR(cpus);

static struct attribute *plr_scope_attrs[] = {
	&plr_scope_attr_reasons.attr,
	&plr_scope_attr_active.attr,
	&plr_scope_attr_history.attr,
	&plr_scope_attr_clear.attr,
	&plr_scope_attr_cleared_ns.attr,
	&plr_scope_attr_unseen_ns.attr,
	&plr_scope_attr_coarse.attr,
	&plr_scope_attr_fine.attr,
	&plr_scope_attr_raw.attr,
	&plr_scope_attr_cpus.attr,
	NULL
};

static umode_t plr_scope_visible(struct kobject *kobj, struct attribute *attr,
				 int n)
{
	if (attr == &plr_scope_attr_cpus.attr &&
	    to_scope(kobj)->kind != PLR_SCOPE_CORE)
		return 0;

	return attr->mode;
}

static const struct attribute_group plr_scope_group = {
	.attrs = plr_scope_attrs,
	.is_visible = plr_scope_visible,
};
__ATTRIBUTE_GROUPS(plr_scope);

static ssize_t plr_scope_show(struct kobject *kobj, struct attribute *attr,
			      char *buf)
{
	struct plr_scope_attr *scope_attr =
		container_of(attr, struct plr_scope_attr, attr);

	return scope_attr->show ? scope_attr->show(to_scope(kobj), buf) : -EIO;
}

static ssize_t plr_scope_store(struct kobject *kobj, struct attribute *attr,
			       const char *buf, size_t len)
{
	struct plr_scope_attr *scope_attr =
		container_of(attr, struct plr_scope_attr, attr);

	return scope_attr->store ? scope_attr->store(to_scope(kobj), buf, len) :
				   -EIO;
}

static const struct sysfs_ops plr_scope_sysfs_ops = {
	.show = plr_scope_show,
	.store = plr_scope_store,
};

static void plr_scope_release(struct kobject *kobj)
{
	struct plr_scope *scope = to_scope(kobj);

	sysfs_put(scope->reasons);
	sysfs_put(scope->active);
	kfree(scope);
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
struct plr_scope *plr_scope_create(struct plr_domain *domain,
				   enum plr_scope_kind kind, u8 id)
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
	scope->log = plr_saved_log(domain->saved, kind, id);
	scope->ret = -ENODATA;
	if (kobject_init_and_add(&scope->kobj, &plr_scope_type, domain->dir,
				 format[kind], id)) {
		kobject_put(&scope->kobj);
		return NULL;
	}
	scope->reasons = sysfs_get_dirent(scope->kobj.sd, "reasons");
	scope->active = sysfs_get_dirent(scope->kobj.sd, "active");

	return scope;
}

/**
 * plr_scope_remove() - delete a directory of reasons, waiting for its readers
 * @scope: the directory, or NULL
 *
 * A program that polls a file of it is woken, and finds that it is gone.
 */
void plr_scope_remove(struct plr_scope *scope)
{
	if (!scope)
		return;
	kobject_del(&scope->kobj);
	/*
	 * After kobject_del(): a poll() that is woken before it could still
	 * read the file, wait again, and never be woken.
	 */
	plr_scope_notify(scope);
	kobject_put(&scope->kobj);
}

static struct plr_domain *plr_dir_domain(struct kobject *dir)
{
	return container_of(kobj_to_dev(dir->parent), struct plr_domain, dev);
}

/* The directory plr itself: a kobject, because it has children. */
static ssize_t version_show(struct kobject *kobj, struct kobj_attribute *attr,
			    char *buf)
{
	/* Instances with another major version are not attached. */
	return sysfs_emit(buf, "0.%u\n", plr_dir_domain(kobj)->minor);
}

static struct kobj_attribute plr_dir_version =
	__ATTR(version, 0440, version_show, NULL);

static ssize_t interval_ms_show(struct kobject *kobj,
				struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", plr_watch_get_interval(plr_dir_domain(kobj)));
}

static ssize_t interval_ms_store(struct kobject *kobj,
				 struct kobj_attribute *attr, const char *buf,
				 size_t len)
{
	unsigned int ms;
	int ret = kstrtouint(buf, 0, &ms);

	if (ret)
		return ret;
	if (ms && (ms < PLR_MIN_MS || ms > PLR_MAX_MS))
		return -ERANGE;
	plr_watch_set_interval(plr_dir_domain(kobj), ms);

	return len;
}

static struct kobj_attribute plr_dir_interval_ms =
	__ATTR(interval_ms, 0640, interval_ms_show, interval_ms_store);

static ssize_t max_commands_show(struct kobject *kobj,
				 struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", plr_watch_get_max_commands(plr_dir_domain(kobj)));
}

static ssize_t max_commands_store(struct kobject *kobj,
				  struct kobj_attribute *attr, const char *buf,
				  size_t len)
{
	unsigned int commands;
	int ret = kstrtouint(buf, 0, &commands);

	if (ret)
		return ret;
	if (commands > PLR_MOST_COMMANDS)
		return -ERANGE;
	plr_watch_set_max_commands(plr_dir_domain(kobj), commands);

	return len;
}

static struct kobj_attribute plr_dir_max_commands =
	__ATTR(max_commands, 0640, max_commands_show, max_commands_store);

/*
 * One read gives all of it. A second one would give values of another time, so
 * an offset gives the end of the file.
 */
static ssize_t snapshot_read(struct file *file, struct kobject *kobj,
			     COMPAT_BIN_CONST struct bin_attribute *attr,
			     char *buf, loff_t offset, size_t count)
{
	if (offset)
		return 0;
	if (count < PLR_SNAPSHOT_SIZE)
		return -EINVAL;

	return plr_snapshot_read(plr_dir_domain(kobj), buf);
}

static COMPAT_BIN_CONST struct bin_attribute plr_dir_snapshot =
	__BIN_ATTR(snapshot, 0440, snapshot_read, NULL, 0);

static COMPAT_BIN_CONST struct bin_attribute *COMPAT_BIN_CONST
plr_dir_bin_attrs[] = {
	&plr_dir_snapshot,
	NULL
};

static struct attribute *plr_dir_attrs[] = {
	&plr_dir_version.attr,
	&plr_dir_interval_ms.attr,
	&plr_dir_max_commands.attr,
	NULL
};

static const struct attribute_group plr_dir_group = {
	.attrs = plr_dir_attrs,
	.bin_attrs = plr_dir_bin_attrs,
};

static void plr_dir_release(struct kobject *kobj)
{
	kfree(kobj);
}

static const struct kobj_type plr_dir_type = {
	.sysfs_ops = &kobj_sysfs_ops,
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
 * plr_dir_show() - make the files of the directory plr itself
 * @dir: the directory; the domain is complete
 *
 * They are about what is below: they come when all of that is there, and go
 * before any of it.
 *
 * Return: 0 or an error.
 */
int plr_dir_show(struct kobject *dir)
{
	return sysfs_create_group(dir, &plr_dir_group);
}

/**
 * plr_dir_hide() - undo plr_dir_show(), waiting for readers
 * @dir: the directory, or NULL; it need not have been shown
 */
void plr_dir_hide(struct kobject *dir)
{
	if (dir)
		sysfs_remove_group(dir, &plr_dir_group);
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

static ssize_t package_id_show(struct device *dev,
			       struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", to_domain(dev)->package);
}
static PMON_DEVICE_ATTR_RO(package_id);

static ssize_t domain_id_show(struct device *dev, struct device_attribute *attr,
			      char *buf)
{
	return sysfs_emit(buf, "%u\n", to_domain(dev)->id);
}
static PMON_DEVICE_ATTR_RO(domain_id);

static ssize_t domain_cpus_show(struct device *dev,
				struct device_attribute *attr, char *buf)
{
	struct plr_domain *domain = to_domain(dev);

	return plr_cpus_print(buf, domain->package, domain->id, PLR_ANY_MODULE);
}

static struct device_attribute dev_attr_cpus =
	__ATTR(cpus, 0440, domain_cpus_show, NULL);

static ssize_t numa_node_show(struct device *dev, struct device_attribute *attr,
			      char *buf)
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

static const struct attribute_group plr_domain_group = {
	.attrs = plr_domain_attrs};
const struct attribute_group *plr_domain_groups[] = { &plr_domain_group, NULL };
