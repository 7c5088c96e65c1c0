// SPDX-License-Identifier: GPL-2.0-only
/* The files below pkg<P>-tpmi<N>: what the device said of itself. */
#include <linux/kernel.h>
#include <linux/sysfs.h>

#include <pmon/class.h>

#include "plr.h"

static const struct {
	u8 id;
	const char *name;
} plr_feature_names[] = {
	{ 0x00, "rapl" }, { 0x01, "pem" }, { 0x02, "uncore" }, { 0x03, "pmax" },
	{ 0x05, "sst" }, { 0x06, "misc" }, { 0x07, "rplm" }, { 0x0a, "fhm" },
	{ PFS_ID_PLR, "plr" }, { 0x0d, "bmc" }, { PFS_ID_CONTROL, "control" },
	{ PFS_ID_INFO, "info" }, { 0xfd, "csr-all" }, { 0xfe, "csr-compute" },
	{ 0xff, "csr-root" },
};

static const char *plr_feature_name(u8 id)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(plr_feature_names); i++)
		if (plr_feature_names[i].id == id)
			return plr_feature_names[i].name;

	return "-";
}

static struct plr_tpmi *to_tpmi(struct device *dev)
{
	return container_of(dev, struct plr_tpmi, dev);
}

static ssize_t features_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct plr_tpmi *tpmi = to_tpmi(dev);
	struct pfs_entry entry;
	unsigned int i;
	int len = 0;

	for (i = 0; i < tpmi->row_count; i++) {
		if (pfs_entry_decode(tpmi->rows[i], &entry))
			continue;
		len += sysfs_emit_at(buf, len, "0x%02x %s %u %zu 0x%x %u\n", entry.id,
				     plr_feature_name(entry.id), entry.entries,
				     entry.entry_dwords * sizeof(u32), entry.cap_offset * 1024,
				     entry.attribute);
	}

	return len;
}
static PMON_DEVICE_ATTR_RO(features);

static ssize_t package_id_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", to_tpmi(dev)->info.package);
}
static PMON_DEVICE_ATTR_RO(package_id);

static ssize_t partition_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", to_tpmi(dev)->info.partition);
}
static PMON_DEVICE_ATTR_RO(partition);

static ssize_t mode_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", plr_mode_text());
}
static PMON_DEVICE_ATTR_RO(mode);

static ssize_t table_read(struct file *file, struct kobject *kobj, struct bin_attribute *attr,
			  char *buf, loff_t offset, size_t count)
{
	struct plr_tpmi *tpmi = to_tpmi(kobj_to_dev(kobj));

	return memory_read_from_buffer(buf, count, &offset, tpmi->rows,
				       tpmi->row_count * sizeof(u64));
}

static struct bin_attribute bin_attr_table = __BIN_ATTR(table, 0400, table_read, NULL, 0);

static struct attribute *plr_tpmi_attrs[] = {
	&dev_attr_features.attr,
	&dev_attr_package_id.attr,
	&dev_attr_partition.attr,
	&dev_attr_mode.attr,
	NULL
};

static struct bin_attribute *plr_tpmi_bin_attrs[] = {
	&bin_attr_table,
	NULL
};

static const struct attribute_group plr_tpmi_group = {
	.attrs = plr_tpmi_attrs,
	.bin_attrs = plr_tpmi_bin_attrs,
};

const struct attribute_group *plr_tpmi_groups[] = { &plr_tpmi_group, NULL };
