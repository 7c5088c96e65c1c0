// SPDX-License-Identifier: GPL-2.0-only
/*
 * Show a discovery table and the PMUs of its units in
 * /sys/class/pmon/pkg<P>-uncore<N>. Documented in
 * Documentation/ABI/testing/sysfs-class-pmon-uncore.
 */
#include <linux/cleanup.h>
#include <linux/mm.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include <pmon/box.h>
#include <pmon/class.h>
#include <pmon/format.h>

#include <compat/sysfs.h>

#include "uncore.h"

static struct uncore_table *to_table(struct device *dev)
{
	return container_of(dev, struct uncore_table, dev);
}

/* Hash the records with FNV-1a. */
static u64 uncore_fingerprint(const struct uncore_table *table)
{
	const u8 *byte = (const u8 *)table->raw;
	u64 hash = 0xcbf29ce484222325ULL;
	size_t i;

	for (i = 0; i < table->raw_bytes; i++)
		hash = (hash ^ byte[i]) * 0x100000001b3ULL;
	return hash;
}

static const char * const owners[] = {
	[UNCORE_OWNER_NONE] = "-",
	[UNCORE_OWNER_OPENPMON] = "openpmon",
	[UNCORE_OWNER_INTEL] = UNCORE_INTEL_MODULE,
};

static const char *uncore_owner_text(const struct uncore_table *table)
{
	unsigned int seen = 0;
	size_t i;

	guard(mutex)(&uncore.lock);
	for (i = 0; i < table->count; i++)
		seen |= BIT(table->boxes[i].owner);
	seen &= ~BIT(UNCORE_OWNER_NONE);
	if (hweight32(seen) > 1)
		return "mixed";
	return seen ? owners[__ffs(seen)] : "none";
}

/* Define a file whose value needs no register access. */
#define TABLE_ATTR(_name, _format, _value) \
static ssize_t _name##_show(struct device *dev, \
			    struct device_attribute *attr, char *buf) \
{ \
	const struct uncore_table *table __maybe_unused = to_table(dev); \
\
	return sysfs_emit(buf, _format "\n", _value); \
} \
static PMON_DEVICE_ATTR_RO(_name)

TABLE_ATTR(package_id, "%d", table->package);
TABLE_ATTR(platform, "%s", uncore.platform->name);
TABLE_ATTR(mode, "%s", pmon_mode_text(uncore.mode));
TABLE_ATTR(fingerprint, "0x%016llx", uncore_fingerprint(table));
TABLE_ATTR(owner, "%s", uncore_owner_text(table));
TABLE_ATTR(global, "%s", table->has_global ?
	   pmon_global_state(&table->global) : "none");

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

/* Print "-" for an unknown node or stack. */
static void uncore_node_text(struct seq_buf *text,
			     const struct uncore_unit *unit)
{
	const struct uncore_root *stack = uncore_stack_root(unit);
	int node = uncore_unit_node(unit);

	if (node == NUMA_NO_NODE)
		seq_buf_printf(text, " -");
	else
		seq_buf_printf(text, " %d", node);
	if (stack)
		seq_buf_printf(text, " %04x:%02x\n", stack->segment,
			       stack->bus);
	else
		seq_buf_printf(text, " -\n");
}

static void uncore_units_text(struct seq_buf *text,
			      const struct uncore_table *table)
{
	static const char * const accesses[UNCORE_ACCESSES] = {
		[UNCORE_ACCESS_MSR] = "msr",
		[UNCORE_ACCESS_MMIO] = "mmio",
		[UNCORE_ACCESS_PCI] = "pci",
	};
	const struct uncore_unit *unit;
	const struct uncore_box *box;
	char alias[UNCORE_NAME_SIZE];
	size_t i;

	for (i = 0; i < table->count; i++) {
		unit = &table->units[i];
		box = &table->boxes[i];
		if (!uncore_unit_good(unit))
			continue;
		uncore_pmu_alias(unit, alias, sizeof(alias));
		seq_buf_printf(text, "%u %s %u %s 0x%llx %u%s %u %s %s %s",
			       unit->type, unit->row->pmu_type->name ?: "-",
			       unit->id, accesses[unit->access], unit->address,
			       unit->counters,
			       unit->row->fixed_ctl ? "+1" : "", unit->width,
			       uncore_box_pmu_name(box) ?: "-",
			       owners[box->owner],
			       uncore_unit_is_listed(unit) ? alias : "-");
		uncore_node_text(text, unit);
	}
}

static void uncore_fault_text(struct seq_buf *text, const char *id,
			      const struct uncore_fault *fault)
{
	if (fault->field)
		seq_buf_printf(text, "%s %s 0x%llx %s\n", id, fault->field,
			       fault->value, fault->reason);
}

static void uncore_rejected_text(struct seq_buf *text,
				 const struct uncore_table *table)
{
	const struct uncore_unit *unit;

	uncore_fault_text(text, "- -", &table->fault);
	uncore_fault_text(text, "- -", &table->global_fault);
	for (unit = table->units; unit < table->units + table->count; unit++) {
		char id[16];

		snprintf(id, sizeof(id), "%u %u", unit->type, unit->id);
		uncore_fault_text(text, id, &unit->fault);
	}
}

static void uncore_type_text(struct seq_buf *text, const struct pmon_type *type)
{
	const struct pmon_alias *alias = type->aliases;
	const struct pmon_field *field;
	char format[64];

	for (field = type->fields; field && field->name; field++) {
		pmon_field_format(field, format, sizeof(format));
		seq_buf_printf(text, "format %s %s\n", field->name, format);
	}
	for (; alias && alias->name; alias++) {
		seq_buf_printf(text, "event %s %s\n", alias->name,
			       alias->event);
		if (alias->scale)
			seq_buf_printf(text, "event %s.scale %s\n",
				       alias->name, alias->scale);
		if (alias->unit)
			seq_buf_printf(text, "event %s.unit %s\n", alias->name,
				       alias->unit);
	}
}

static const struct pmon_type *uncore_type_of(const struct uncore_unit *unit)
{
	return uncore_unit_good(unit) ? unit->row->pmu_type : NULL;
}

/* Print all PMUs of a type, then formats and events of the type. */
static void uncore_pmus_of_type(struct seq_buf *text,
				const struct uncore_table *table, size_t first)
{
	const struct pmon_type *type = uncore_type_of(&table->units[first]);
	char name[UNCORE_NAME_SIZE], alias[UNCORE_NAME_SIZE];
	bool has_alias;
	size_t i;

	for (i = first; i < table->count; i++) {
		if (uncore_type_of(&table->units[i]) != type)
			continue;
		has_alias = uncore_pmu_alias(&table->units[i], alias,
					     sizeof(alias));
		uncore_pmu_name(&table->units[i], name, sizeof(name));
		seq_buf_printf(text, "pmu %s %s\n", name,
			       has_alias ? alias : "-");
	}
	uncore_type_text(text, type);
}

/* Include units that intel_uncore counts; after its unload they get PMUs. */
static void uncore_pmus_text(struct seq_buf *text,
			     const struct uncore_table *table)
{
	const struct pmon_type *type;
	size_t i, j;

	for (i = 0; i < table->count; i++) {
		type = uncore_type_of(&table->units[i]);
		j = 0;
		while (uncore_type_of(&table->units[j]) != type)
			j++;
		if (type && j == i)
			uncore_pmus_of_type(text, table, i);
	}
}

/* The text may be longer than a page, so grow the buffer if necessary. */
static ssize_t text_read(struct file *file, struct kobject *kobj,
			 COMPAT_BIN_CONST struct bin_attribute *attr,
			 char *buf, loff_t off, size_t count)
{
	void (*print)(struct seq_buf *text, const struct uncore_table *table) =
		attr->private;
	struct uncore_table *table = to_table(kobj_to_dev(kobj));
	size_t size = PAGE_SIZE;
	struct seq_buf text;
	ssize_t ret;
	char *room;

	for (;; size *= 2) {
		room = kvmalloc(size, GFP_KERNEL);
		if (!room)
			return -ENOMEM;
		seq_buf_init(&text, room, size);
		mutex_lock(&uncore.lock);
		print(&text, table);
		mutex_unlock(&uncore.lock);
		if (!seq_buf_has_overflowed(&text))
			break;
		kvfree(room);
	}
	ret = memory_read_from_buffer(buf, count, &off, room,
				      seq_buf_used(&text));
	kvfree(room);
	return ret;
}

static ssize_t table_read(struct file *file, struct kobject *kobj,
			  COMPAT_BIN_CONST struct bin_attribute *attr,
			  char *buf, loff_t off, size_t count)
{
	struct uncore_table *table = to_table(kobj_to_dev(kobj));

	return memory_read_from_buffer(buf, count, &off, table->raw,
				       table->raw_bytes);
}

#define TEXT_ATTR(_name) \
	static COMPAT_BIN_CONST struct bin_attribute bin_attr_##_name = { \
		.attr = { .name = #_name, .mode = 0440 }, \
		.read = text_read, .private = uncore_##_name##_text, \
	}

TEXT_ATTR(units);
TEXT_ATTR(rejected);
TEXT_ATTR(pmus);

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

int uncore_table_publish(struct uncore_table *table)
{
	device_initialize(&table->dev);
	table->dev.release = uncore_table_release;
	table->dev.groups = table_groups;
	return dev_set_name(&table->dev, "pkg%d-uncore%u", table->package,
			    table->number) ?:
	       pmon_class_add(&table->dev,
			      table->pdev ? &table->pdev->dev : NULL);
}
