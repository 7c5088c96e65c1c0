// SPDX-License-Identifier: GPL-2.0-only
/* Make a PMU's files: common files, files of the type, files of the driver. */
#include <linux/cpumask.h>
#include <linux/device.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "core.h"

/* ---- files of one line of text ------------------------------------------ */

/* Protects the texts of files: a driver may change a text during a read. */
static DEFINE_MUTEX(pmon_files_mutex);

struct pmon_file {
	struct list_head list;
	struct device_attribute attr;
	char *text;
};

static ssize_t pmon_file_show(struct device *dev,
			      struct device_attribute *attr, char *buf)
{
	struct pmon_file *file = container_of(attr, struct pmon_file, attr);

	guard(mutex)(&pmon_files_mutex);
	return sysfs_emit(buf, "%s\n", file->text);
}

static void pmon_file_free(struct pmon_file *file)
{
	kfree(file->attr.attr.name);
	kfree(file->text);
	kfree(file);
}

static struct pmon_file *pmon_file_create(const char *name, const char *suffix,
					  const char *text)
{
	struct pmon_file *file = kzalloc(sizeof(*file), GFP_KERNEL);

	if (!file)
		return NULL;

	sysfs_attr_init(&file->attr.attr);
	file->attr.attr.name = kasprintf(GFP_KERNEL, "%s%s", name, suffix);
	file->attr.attr.mode = 0444;
	file->attr.show = pmon_file_show;
	file->text = kstrdup(text, GFP_KERNEL);
	if (!file->attr.attr.name || !file->text) {
		pmon_file_free(file);
		return NULL;
	}
	return file;
}

/* ---- files of each PMU --------------------------------------------------- */

static struct pmon_pmu *pmon_pmu_of_device(struct device *dev)
{
	return to_pmon_pmu(dev_get_drvdata(dev));
}

static void pmon_pmu_shown_cpus(const struct pmon_pmu *pmu,
				struct cpumask *mask)
{
	struct pmon_box *box;
	unsigned int i;

	pmon_for_each_box(box, pmu, i) {
		int cpu = READ_ONCE(box->hw.state) == PMON_BOX_REMOVED ?
			  -1 : pmon_place_shown_cpu(box->place);

		if (cpu >= 0)
			cpumask_set_cpu(cpu, mask);
	}
}

static ssize_t cpumask_show(struct device *dev, struct device_attribute *attr,
			    char *buf)
{
	const struct pmon_pmu *pmu = pmon_pmu_of_device(dev);
	cpumask_var_t mask;
	ssize_t len;

	if (!zalloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;

	if (pmu->boxless)
		pmu->boxless->cpus(mask);
	else
		pmon_pmu_shown_cpus(pmu, mask);
	len = sysfs_emit(buf, "%*pbl\n", cpumask_pr_args(mask));
	free_cpumask_var(mask);
	return len;
}
static DEVICE_ATTR_RO(cpumask);

/* Define a file with a line for each box: id of the place, and @_number. */
#define PMON_BOX_ATTR_RO(_name, _number)				\
static ssize_t _name##_show(struct device *dev,				\
			    struct device_attribute *attr, char *buf)	\
{									\
	struct pmon_pmu *pmu = pmon_pmu_of_device(dev);			\
	struct pmon_box *box;						\
	unsigned int i;							\
	ssize_t len = 0;						\
									\
	pmon_for_each_box(box, pmu, i)					\
		if (READ_ONCE(box->hw.state) != PMON_BOX_REMOVED)	\
			len += sysfs_emit_at(buf, len, "%d %llu\n",	\
					     box->place->id.id,		\
					     (u64)(_number));		\
	return len;							\
}									\
static DEVICE_ATTR_RO(_name)

PMON_BOX_ATTR_RO(frozen_ns, READ_ONCE(box->hw.frozen_ns));
PMON_BOX_ATTR_RO(disturbed, READ_ONCE(box->hw.disturbed) +
			    READ_ONCE(box->freezes) + READ_ONCE(box->hw.lost));
PMON_BOX_ATTR_RO(unresponsive,
		 READ_ONCE(box->hw.state) == PMON_BOX_UNRESPONSIVE);

static struct attribute *pmon_plain_attrs[] = {
	&dev_attr_cpumask.attr,
	&dev_attr_frozen_ns.attr,
	&dev_attr_disturbed.attr,
	&dev_attr_unresponsive.attr,
	NULL
};

static umode_t pmon_plain_visible(struct kobject *kobj, struct attribute *attr,
				  int n)
{
	struct pmon_pmu *pmu = pmon_pmu_of_device(kobj_to_dev(kobj));

	/* A PMU without boxes may have a file "disturbed" of its driver. */
	if (pmu->boxless && (attr == &dev_attr_unresponsive.attr ||
			     attr == &dev_attr_disturbed.attr))
		return 0;
	if (pmon_pmu_is_of_tasks(pmu) && attr == &dev_attr_cpumask.attr)
		return 0;
	if (pmu->type->free_running && attr == &dev_attr_frozen_ns.attr)
		return 0;
	return attr->mode;
}

static const struct attribute_group pmon_plain_group = {
	.attrs = pmon_plain_attrs,
	.is_visible = pmon_plain_visible,
};

/* ---- files from the tables of a type ------------------------------------- */

static unsigned int pmon_attrs_count(const struct pmon_type *type)
{
	const struct pmon_field *field = type->fields;
	const struct pmon_alias *alias = type->aliases;
	unsigned int n = 3;

	for (; field && field->name; field++)
		n++;
	for (; alias && alias->name; alias++)
		n += 3;
	return n;
}

static int pmon_attrs_add(struct pmon_attrs *attrs, const char *name,
			  const char *suffix, const char *text)
{
	struct pmon_file *file;

	if (!text)
		return 0;
	file = pmon_file_create(name, suffix, text);
	if (!file)
		return -ENOMEM;
	attrs->list[attrs->used++] = &file->attr.attr;
	return 0;
}

static int pmon_attrs_add_field(struct pmon_attrs *attrs,
				const struct pmon_field *field)
{
	char text[64];

	pmon_field_format(field, text, sizeof(text));
	return pmon_attrs_add(attrs, field->name, "", text);
}

static int pmon_attrs_fill(struct pmon_attrs *attrs,
			   const struct pmon_type *type)
{
	const struct pmon_field snapshot = {
		"snapshot", type->snapshot_word ?: 2, PMON_SNAPSHOT_MASK,
	};
	const struct pmon_alias *alias = type->aliases;
	const struct pmon_field *field = type->fields;
	int ret = 0;

	attrs->format.attrs = attrs->list;
	if (pmon_type_has_snapshot(type))
		ret = pmon_attrs_add_field(attrs, &snapshot);
	for (; !ret && field && field->name; field++)
		ret = pmon_attrs_add_field(attrs, field);

	attrs->events.attrs = &attrs->list[++attrs->used];
	for (; !ret && alias && alias->name; alias++)
		ret = pmon_attrs_add(attrs, alias->name, "", alias->event) ?:
		      pmon_attrs_add(attrs, alias->name, ".scale",
				     alias->scale) ?:
		      pmon_attrs_add(attrs, alias->name, ".unit", alias->unit);
	return ret;
}

void pmon_attrs_free(struct pmon_attrs *attrs)
{
	unsigned int i;

	for (i = 0; attrs && i < attrs->used; i++)
		if (attrs->list[i])
			pmon_file_free(container_of(attrs->list[i],
						    struct pmon_file,
						    attr.attr));
	kfree(attrs);
}

struct pmon_attrs *pmon_attrs_create(const struct pmon_type *type)
{
	struct pmon_attrs *attrs;

	attrs = kzalloc(struct_size(attrs, list, pmon_attrs_count(type)),
			GFP_KERNEL);
	if (!attrs || pmon_attrs_fill(attrs, type)) {
		pmon_attrs_free(attrs);
		return NULL;
	}

	attrs->format.name = "format";
	attrs->events.name = "events";
	attrs->groups[0] = &pmon_plain_group;
	attrs->groups[1] = &attrs->format;
	if (type->aliases)
		attrs->groups[2] = &attrs->events;
	return attrs;
}

/* ---- files added by a driver --------------------------------------------- */

static int pmon_file_change(struct pmon_file *file, const char *text)
{
	char *copy = kstrdup(text, GFP_KERNEL);

	if (!copy)
		return -ENOMEM;

	guard(mutex)(&pmon_files_mutex);
	swap(file->text, copy);
	kfree(copy);
	return 0;
}

int pmon_pmu_add_file(struct pmon_pmu *pmu, const char *name, const char *text)
{
	struct pmon_file *file;
	int ret = 0;

	list_for_each_entry(file, &pmu->files, list)
		if (!strcmp(file->attr.attr.name, name))
			return pmon_file_change(file, text);

	file = pmon_file_create(name, "", text);
	if (!file)
		return -ENOMEM;

	if (pmu->registered)
		ret = device_create_file(pmu->pmu.dev, &file->attr);
	if (ret) {
		pmon_file_free(file);
		return ret;
	}
	list_add_tail(&file->list, &pmu->files);
	return 0;
}
EXPORT_SYMBOL_GPL(pmon_pmu_add_file);

static int pmon_files_link(struct pmon_pmu *pmu)
{
	int ret;

	lockdep_assert_held(&pmon_mutex);
	if (!pmu->device || pmu->linked)
		return 0;

	ret = sysfs_create_link(&pmu->pmu.dev->kobj, &pmu->device->kobj,
				"device");
	pmu->linked = !ret;
	return ret;
}

int pmon_pmu_link(struct pmon_pmu *pmu, struct device *device)
{
	guard(mutex)(&pmon_mutex);
	pmon_files_unlink(pmu);
	pmu->device = device;
	return pmu->registered ? pmon_files_link(pmu) : 0;
}
EXPORT_SYMBOL_GPL(pmon_pmu_link);

/* Remove the link "device" unless the PMU unregisters. Waits for no readers. */
void pmon_files_unlink(struct pmon_pmu *pmu)
{
	lockdep_assert_held(&pmon_mutex);
	if (pmu->linked && !pmu->unregistering)
		sysfs_remove_link(&pmu->pmu.dev->kobj, "device");
	pmu->linked = false;
	pmu->device = NULL;
}

int pmon_files_publish(struct pmon_pmu *pmu)
{
	struct pmon_file *file;
	int ret;

	list_for_each_entry(file, &pmu->files, list) {
		ret = device_create_file(pmu->pmu.dev, &file->attr);
		if (ret)
			return ret;
	}
	guard(mutex)(&pmon_mutex);
	return pmon_files_link(pmu);
}

/* sysfs has removed the files with the PMU's device. */
void pmon_files_free(struct pmon_pmu *pmu)
{
	struct pmon_file *file, *next;

	list_for_each_entry_safe(file, next, &pmu->files, list)
		pmon_file_free(file);
	INIT_LIST_HEAD(&pmu->files);
	pmon_files_unlink(pmu);
}
