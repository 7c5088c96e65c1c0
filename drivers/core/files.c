// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a leaf adds to the directory of a PMU: files of one line of text each,
 * and a link to the device that the PMU is of.
 */
#include <linux/device.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include <compat/cleanup.h>

#include "core.h"

/* Protects the texts: a leaf may change one while it is read. */
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

static struct pmon_file *pmon_file_create(const char *name, const char *text)
{
	struct pmon_file *file = kzalloc(sizeof(*file), GFP_KERNEL);

	if (!file)
		return NULL;

	sysfs_attr_init(&file->attr.attr);
	file->attr.attr.name = kstrdup(name, GFP_KERNEL);
	file->attr.attr.mode = 0444;
	file->attr.show = pmon_file_show;
	file->text = kstrdup(text, GFP_KERNEL);
	if (!file->attr.attr.name || !file->text) {
		pmon_file_free(file);
		return NULL;
	}
	return file;
}

static struct pmon_file *pmon_file_find(struct pmon_pmu *pmu, const char *name)
{
	struct pmon_file *file;

	list_for_each_entry(file, &pmu->files, list)
		if (!strcmp(file->attr.attr.name, name))
			return file;
	return NULL;
}

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
	struct pmon_file *file = pmon_file_find(pmu, name);
	int ret = 0;

	if (file)
		return pmon_file_change(file, text);

	file = pmon_file_create(name, text);
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

/*
 * The device goes. Removing a link waits for no reader. Of a PMU that is
 * leaving it goes with the directory.
 */
void pmon_files_unlink(struct pmon_pmu *pmu)
{
	lockdep_assert_held(&pmon_mutex);
	if (pmu->linked && !pmu->leaving)
		sysfs_remove_link(&pmu->pmu.dev->kobj, "device");
	pmu->linked = false;
	pmu->device = NULL;
}

/* Create the files of a PMU whose device perf has just added. */
int pmon_files_show(struct pmon_pmu *pmu)
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

/* Free the texts. The files have gone with the PMU's device. */
void pmon_files_free(struct pmon_pmu *pmu)
{
	struct pmon_file *file, *next;

	list_for_each_entry_safe(file, next, &pmu->files, list)
		pmon_file_free(file);
	INIT_LIST_HEAD(&pmu->files);
	pmu->device = NULL;
	pmu->linked = false;
}
