// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/class/pmon/pkg<P>-uncore<N>: what a discovery table lists and what was
 * made of it. Documentation/ABI/testing/sysfs-class-pmon-uncore has the words.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include <pmon/box.h>
#include <pmon/class.h>

#include <compat/cleanup.h>
#include <compat/sysfs.h>

#include "uncore.h"

static struct uncore_table *to_table(struct device *dev)
{
	return container_of(dev, struct uncore_table, dev);
}

static ssize_t package_id_show(struct device *dev,
			       struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", to_table(dev)->package);
}
static PMON_DEVICE_ATTR_RO(package_id);

static ssize_t platform_show(struct device *dev, struct device_attribute *attr,
			     char *buf)
{
	return sysfs_emit(buf, "%s\n", uncore.platform->name);
}
static PMON_DEVICE_ATTR_RO(platform);

static ssize_t mode_show(struct device *dev, struct device_attribute *attr,
			 char *buf)
{
	return sysfs_emit(buf, "%s\n", pmon_mode_text(uncore.mode));
}
static PMON_DEVICE_ATTR_RO(mode);

static ssize_t fingerprint_show(struct device *dev,
				struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "0x%016llx\n", to_table(dev)->fingerprint);
}
static PMON_DEVICE_ATTR_RO(fingerprint);

static ssize_t global_control_show(struct device *dev,
				   struct device_attribute *attr, char *buf)
{
	u64 value;
	int ret;

	guard(mutex)(&uncore.lock);
	ret = uncore_global_read(to_table(dev), &value);
	return ret ?: sysfs_emit(buf, "0x%016llx\n", value);
}
static PMON_DEVICE_ATTR_RO(global_control);

/* What was found there; no register is read. */
static ssize_t global_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	const struct uncore_table *table = to_table(dev);

	return sysfs_emit(buf, "%s\n", table->has_global ?
			  pmon_global_state(&table->global) : "none");
}
static PMON_DEVICE_ATTR_RO(global);

static const char * const owners[] = {
	[UNCORE_NOBODY] = "-",
	[UNCORE_SELF] = "openpmon",
	[UNCORE_PEER] = UNCORE_PEER_MODULE,
};

static ssize_t owner_show(struct device *dev, struct device_attribute *attr,
			  char *buf)
{
	struct uncore_table *table = to_table(dev);
	unsigned int seen = 0;
	size_t i;

	guard(mutex)(&uncore.lock);
	for (i = 0; i < table->count; i++)
		seen |= BIT(table->boxes[i].owner);
	seen &= ~BIT(UNCORE_NOBODY);
	return sysfs_emit(buf, "%s\n",
			  !seen ? "none" :
			  hweight32(seen) > 1 ? "mixed" : owners[__ffs(seen)]);
}
static PMON_DEVICE_ATTR_RO(owner);

/* Room for a line of `units` or `rejected`, whatever is in it. */
#define LINE_SIZE	200

static int uncore_unit_line(char *line, size_t size,
			    const struct uncore_unit *unit,
			    const struct uncore_box *box)
{
	static const char * const accesses[UNCORE_ACCESSES] = {
		[UNCORE_ACCESS_MSR] = "msr",
		[UNCORE_ACCESS_MMIO] = "mmio",
		[UNCORE_ACCESS_PCI] = "pci",
	};

	char kernel[32];

	uncore_pmu_alias(unit, kernel, sizeof(kernel));
	return scnprintf(line, size,
			 "%u %s %u %s 0x%llx %u%s %u %s %s %s\n",
			 unit->type, unit->row->pmu_type->name ?: "-", unit->id,
			 accesses[unit->access], unit->address, unit->counters,
			 unit->row->fixed_ctl ? "+1" : "", unit->width,
			 uncore_box_pmu_name(box) ?: "-", owners[box->owner],
			 uncore_unit_is_listed(unit) ? kernel : "-");
}

static int uncore_fault_line(char *line, size_t size,
			     const struct uncore_fault *fault,
			     const struct uncore_unit *unit)
{
	int length;

	if (!fault->field)
		return 0;
	length = unit ? scnprintf(line, size, "%u %u", unit->type, unit->id) :
			scnprintf(line, size, "- -");
	return length + scnprintf(line + length, size - length,
				  " %s 0x%llx %s\n", fault->field, fault->value,
				  fault->reason);
}

static size_t uncore_units_text(const struct uncore_table *table, char *text,
				size_t size)
{
	size_t i, length = 0;

	for (i = 0; i < table->count; i++)
		if (uncore_unit_good(&table->units[i]))
			length += uncore_unit_line(text + length, size - length,
						   &table->units[i],
						   &table->boxes[i]);
	return length;
}

static size_t uncore_rejected_text(const struct uncore_table *table, char *text,
				   size_t size)
{
	const struct uncore_unit *unit;
	size_t i, length;

	length = uncore_fault_line(text, size, &table->fault, NULL);
	length += uncore_fault_line(text + length, size - length,
				    &table->global_fault, NULL);
	for (i = 0; i < table->count; i++) {
		unit = &table->units[i];
		length += uncore_fault_line(text + length, size - length,
					    &unit->fault, unit);
	}
	return length;
}

/* More than one page is possible, so that these are binary attributes. */
static ssize_t
uncore_text_read(struct kobject *kobj, char *buf, loff_t off, size_t count,
		 size_t (*print)(const struct uncore_table *, char *, size_t))
{
	struct uncore_table *table = to_table(kobj_to_dev(kobj));
	/* Two faults may be the table's. */
	size_t size = (table->count + 2) * LINE_SIZE;
	char *text = kvmalloc(size, GFP_KERNEL);
	ssize_t ret;

	if (!text)
		return -ENOMEM;
	mutex_lock(&uncore.lock);
	size = print(table, text, size);
	mutex_unlock(&uncore.lock);
	ret = memory_read_from_buffer(buf, count, &off, text, size);
	kvfree(text);
	return ret;
}

static ssize_t units_read(struct file *file, struct kobject *kobj,
			  COMPAT_BIN_CONST struct bin_attribute *attr,
			  char *buf, loff_t off, size_t count)
{
	return uncore_text_read(kobj, buf, off, count, uncore_units_text);
}

static ssize_t rejected_read(struct file *file, struct kobject *kobj,
			     COMPAT_BIN_CONST struct bin_attribute *attr,
			     char *buf, loff_t off, size_t count)
{
	return uncore_text_read(kobj, buf, off, count, uncore_rejected_text);
}

static ssize_t pmus_read(struct file *file, struct kobject *kobj,
			 COMPAT_BIN_CONST struct bin_attribute *attr, char *buf,
			 loff_t off, size_t count)
{
	return uncore_pmus_read(to_table(kobj_to_dev(kobj)), buf, off, count);
}

static ssize_t table_read(struct file *file, struct kobject *kobj,
			  COMPAT_BIN_CONST struct bin_attribute *attr,
			  char *buf, loff_t off, size_t count)
{
	struct uncore_table *table = to_table(kobj_to_dev(kobj));

	return memory_read_from_buffer(buf, count, &off, table->raw,
				       table->raw_bytes);
}

static COMPAT_BIN_CONST struct bin_attribute bin_attr_units =
	__BIN_ATTR(units, 0440, units_read, NULL, 0);
static COMPAT_BIN_CONST struct bin_attribute bin_attr_rejected =
	__BIN_ATTR(rejected, 0440, rejected_read, NULL, 0);
static COMPAT_BIN_CONST struct bin_attribute bin_attr_pmus =
	__BIN_ATTR(pmus, 0440, pmus_read, NULL, 0);
static COMPAT_BIN_CONST struct bin_attribute bin_attr_table =
	__BIN_ATTR(table, 0400, table_read, NULL, 0);

static struct attribute *table_attrs[] = {
	&dev_attr_package_id.attr,
	&dev_attr_platform.attr,
	&dev_attr_mode.attr,
	&dev_attr_fingerprint.attr,
	&dev_attr_owner.attr,
	&dev_attr_global_control.attr,
	&dev_attr_global.attr,
	NULL
};

static COMPAT_BIN_CONST struct bin_attribute *COMPAT_BIN_CONST
table_bin_attrs[] = {
	&bin_attr_units,
	&bin_attr_rejected,
	&bin_attr_pmus,
	&bin_attr_table,
	NULL
};

static const struct attribute_group table_group = {
	.attrs = table_attrs,
	.bin_attrs = table_bin_attrs,
};

static const struct attribute_group *table_groups[] = { &table_group, NULL };

static void uncore_table_release(struct device *dev)
{
	uncore_table_free(to_table(dev));
}

/**
 * uncore_table_publish() - show a table below /sys/class/pmon
 * @table: the table; from here on put_device() frees it
 *
 * Return: 0 or an error, after which put_device() is still due.
 */
int uncore_table_publish(struct uncore_table *table)
{
	device_initialize(&table->dev);
	table->dev.release = uncore_table_release;
	table->dev.groups = table_groups;
	return pmon_class_add(&table->dev,
			      table->pdev ? &table->pdev->dev : NULL,
			      "pkg%d-uncore%u",
			      table->package, table->number);
}
