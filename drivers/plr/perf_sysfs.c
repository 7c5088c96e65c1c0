// SPDX-License-Identifier: GPL-2.0-only
/*
 * The files of the PMU: an event for each reason that has a meaning, made from
 * the one table of reasons, with the unit that perf is to print.
 */
#include <linux/cpumask.h>
#include <linux/device.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "plr.h"

#define PLR_PERF_NAME_SIZE	48

/* Each event has a file with its code, and one each for scale and unit. */
#define PLR_PERF_FILES	3

/**
 * struct plr_perf_file - a file in events/
 * @attr: the file
 * @name: its name
 * @what: the event
 */
struct plr_perf_file {
	struct device_attribute attr;
	char name[PLR_PERF_NAME_SIZE];
	unsigned int what;
};

static struct plr_perf_file *plr_perf_files;
static struct attribute *plr_perf_events[PLR_METERS * PLR_PERF_FILES + 1];

static ssize_t plr_code_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct plr_perf_file *file = container_of(attr, struct plr_perf_file, attr);

	return sysfs_emit(buf, "event=0x%02x\n", file->what);
}

/* Events count nanoseconds. */
static ssize_t plr_scale_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "1e-6\n");
}

static ssize_t plr_unit_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "ms\n");
}

static const struct {
	const char *suffix;
	ssize_t (*show)(struct device *dev, struct device_attribute *attr, char *buf);
} plr_perf_kinds[PLR_PERF_FILES] = {
	{ "", plr_code_show },
	{ ".scale", plr_scale_show },
	{ ".unit", plr_unit_show },
};

static ssize_t cpumask_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%*pbl\n", cpumask_pr_args(plr_perf_cpus()));
}
static DEVICE_ATTR_RO(cpumask);

static struct attribute *plr_perf_plain_attrs[] = {
	&dev_attr_cpumask.attr,
	NULL
};

static ssize_t event_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	unsigned int low = __ffs64(PLR_PERF_EVENT), high = fls64(PLR_PERF_EVENT) - 1;

	return sysfs_emit(buf, "config:%u-%u\n", low, high);
}
static DEVICE_ATTR_RO(event);

static struct attribute *plr_perf_format_attrs[] = {
	&dev_attr_event.attr,
	NULL
};

static const struct attribute_group plr_perf_plain = { .attrs = plr_perf_plain_attrs };

static const struct attribute_group plr_perf_format = {
	.name = "format",
	.attrs = plr_perf_format_attrs,
};

static const struct attribute_group plr_perf_event_group = {
	.name = "events",
	.attrs = plr_perf_events,
};

const struct attribute_group *plr_perf_groups[] = {
	&plr_perf_plain,
	&plr_perf_format,
	&plr_perf_event_group,
	NULL
};

static void plr_perf_file_init(struct plr_perf_file *file, unsigned int what, unsigned int kind)
{
	size_t len = plr_meter_name(what, file->name, sizeof(file->name));

	strscpy(file->name + len, plr_perf_kinds[kind].suffix, sizeof(file->name) - len);
	file->what = what;
	sysfs_attr_init(&file->attr.attr);
	file->attr.attr.name = file->name;
	file->attr.attr.mode = 0444;
	file->attr.show = plr_perf_kinds[kind].show;
}

/**
 * plr_perf_sysfs_init() - make the files
 *
 * Return: 0 or -ENOMEM.
 */
int plr_perf_sysfs_init(void)
{
	unsigned int what, kind, n = 0;
	char name[PLR_PERF_NAME_SIZE];

	plr_perf_files = kcalloc(PLR_METERS * PLR_PERF_FILES, sizeof(*plr_perf_files),
				 GFP_KERNEL);
	if (!plr_perf_files)
		return -ENOMEM;
	for (what = 0; what < PLR_METERS; what++) {
		if (!plr_meter_name(what, name, sizeof(name)))
			continue;
		for (kind = 0; kind < PLR_PERF_FILES; kind++) {
			plr_perf_file_init(&plr_perf_files[n], what, kind);
			plr_perf_events[n] = &plr_perf_files[n].attr.attr;
			n++;
		}
	}

	return 0;
}

/**
 * plr_perf_sysfs_exit() - undo plr_perf_sysfs_init()
 */
void plr_perf_sysfs_exit(void)
{
	kfree(plr_perf_files);
}
