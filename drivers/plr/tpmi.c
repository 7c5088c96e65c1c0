// SPDX-License-Identifier: GPL-2.0-only
/*
 * The files below pkg<P>-tpmi<N>: what the device said of itself, and the
 * limits of power and of frequency that it has.
 */
#include <linux/io.h>
#include <linux/kernel.h>
#include <linux/sysfs.h>

#include <compat/sysfs.h>

#include <pmon/class.h>

#include "plr.h"
#include "rapl.h"
#include "sst.h"

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

static ssize_t features_show(struct device *dev, struct device_attribute *attr,
			     char *buf)
{
	struct plr_tpmi *tpmi = to_tpmi(dev);
	struct pfs_entry entry;
	unsigned int i;
	int len = 0;

	for (i = 0; i < tpmi->row_count; i++) {
		if (pfs_entry_decode(tpmi->rows[i], &entry))
			continue;
		len += sysfs_emit_at(buf, len, "0x%02x %s %u %zu 0x%x %u\n",
				     entry.id, plr_feature_name(entry.id),
				     entry.entries,
				     entry.entry_dwords * sizeof(u32),
				     entry.cap_offset * 1024, entry.attribute);
	}

	return len;
}
static PMON_DEVICE_ATTR_RO(features);

static ssize_t package_id_show(struct device *dev,
			       struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", to_tpmi(dev)->info.package);
}
static PMON_DEVICE_ATTR_RO(package_id);

static ssize_t partition_show(struct device *dev, struct device_attribute *attr,
			      char *buf)
{
	return sysfs_emit(buf, "%u\n", to_tpmi(dev)->info.partition);
}
static PMON_DEVICE_ATTR_RO(partition);

static ssize_t mode_show(struct device *dev, struct device_attribute *attr,
			 char *buf)
{
	return sysfs_emit(buf, "%s\n", pmon_mode_text(plr_mode()));
}
static PMON_DEVICE_ATTR_RO(mode);

static ssize_t table_read(struct file *file, struct kobject *kobj,
			  COMPAT_BIN_CONST struct bin_attribute *attr,
			  char *buf, loff_t offset, size_t count)
{
	struct plr_tpmi *tpmi = to_tpmi(kobj_to_dev(kobj));

	return memory_read_from_buffer(buf, count, &offset, tpmi->rows,
				       tpmi->row_count * sizeof(u64));
}

static COMPAT_BIN_CONST struct bin_attribute bin_attr_table =
	__BIN_ATTR(table, 0400, table_read, NULL, 0);

/*
 * Write the text of an instance to @buf from @len on: how long it is, or an
 * error.
 */
typedef int (*plr_emit_t)(const struct plr_tpmi *tpmi,
			  const struct pmon_regs *regs, unsigned int index,
			  char *buf, int len);

static int plr_rapl_emit_limits(const struct plr_tpmi *tpmi,
				const struct pmon_regs *regs,
				unsigned int index, char *buf, int len)
{
	struct rapl_domain domain;
	int ret = rapl_read_domain(regs, index, &domain), begin = len;
	unsigned int kind;

	if (ret)
		return ret;
	for (kind = 0; kind < RAPL_LIMITS; kind++) {
		const char *name = rapl_limit_name(kind);

		if (!domain.limit[kind].present)
			continue;
		len += sysfs_emit_at(buf, len,
				     "%s %s_uw %llu\n%s %s_enabled %d\n%s %s_locked %d\n",
				     domain.name, name, domain.limit[kind].uw,
				     domain.name, name,
				     domain.limit[kind].enabled,
				     domain.name, name,
				     domain.limit[kind].locked);
	}
	if (domain.has_info)
		len += sysfs_emit_at(buf, len,
				     "%s tdp_uw %llu\n%s min_uw %llu\n%s max_uw %llu\n",
				     domain.name, domain.tdp_uw,
				     domain.name, domain.min_uw,
				     domain.name, domain.max_uw);

	return len - begin;
}

static int plr_rapl_emit_energy(const struct plr_tpmi *tpmi,
				const struct pmon_regs *regs,
				unsigned int index, char *buf, int len)
{
	struct rapl_energy energy;
	int ret = rapl_read_energy(regs, index, &energy);

	if (ret)
		return ret;

	return sysfs_emit_at(buf, len,
			     "%s energy_uj %llu\n%s energy_range_uj %llu\n",
			     energy.name, energy.uj, energy.name,
			     energy.range_uj);
}

static int plr_sst_emit_list(char *buf, int len, const char *name,
			     const u16 *value, unsigned int count)
{
	int begin = len;
	unsigned int i;

	len += sysfs_emit_at(buf, len, " %s", name);
	for (i = 0; i < count; i++)
		len += sysfs_emit_at(buf, len, "%c%u", i ? ',' : '=', value[i]);

	return len - begin;
}

static int plr_sst_emit_turbo(const struct sst_domain *domain, char *buf,
			      int len)
{
	static const char * const name[SST_ROWS] = {
		"cdyn0_mhz", "cdyn1_mhz", "cdyn2_mhz", "cdyn3_mhz", "cdyn4_mhz", "cdyn5_mhz",
	};
	unsigned int row, i;
	int begin = len;
	u16 modules[SST_BUCKETS];

	for (i = 0; i < domain->buckets; i++)
		modules[i] = domain->modules[i];
	len += plr_sst_emit_list(buf, len, "modules", modules, domain->buckets);
	for (row = 0; row < SST_ROWS; row++)
		if (domain->mhz[row][0])
			len += plr_sst_emit_list(buf, len, name[row],
						 domain->mhz[row],
						 domain->buckets);

	return len - begin;
}

static int plr_sst_emit(const struct plr_tpmi *tpmi,
			const struct pmon_regs *regs, unsigned int index,
			char *buf, int len)
{
	struct sst_domain domain;
	int begin = len;
	int ret = sst_read_domain(regs, index * tpmi->sst.stride,
				  tpmi->sst.stride, &domain);

	if (ret)
		return ret;
	len += sysfs_emit_at(buf, len,
			     "%u level=%u locked=%d bf=%d tf=%d base_mhz=%u",
			     pfs_info_domain(&tpmi->info, index), domain.level,
			     domain.locked, domain.bf, domain.tf,
			     domain.base_mhz);
	len += plr_sst_emit_turbo(&domain, buf, len);
	len += sysfs_emit_at(buf, len, "\n");
	/*
	 * Leave out a line that does not fit: a part of it would say something
	 * else.
	 */
	if (buf[len - 1] != '\n')
		return -ENOSPC;

	return len - begin;
}

static ssize_t plr_emit_all(const struct plr_tpmi *tpmi,
			    const struct pmon_regs *regs, unsigned int count,
			    char *buf, plr_emit_t emit)
{
	unsigned int index;
	int ret, len = 0;

	for (index = 0; index < count; index++) {
		ret = emit(tpmi, regs, index, buf, len);
		/*
		 * A domain that is not there, or not known, is no error of the
		 * others.
		 */
		if (ret > 0)
			len += ret;
		else if (ret && ret != -ENODEV)
			break;
	}

	return len;
}

/*
 * Show all domains. The registers are mapped for this read only: the kernel's
 * own driver may map them, too, and is not in the way.
 */
static ssize_t plr_beside_show(const struct plr_tpmi *tpmi,
			       const struct plr_beside *beside, size_t size,
			       unsigned int count, char *buf, plr_emit_t emit)
{
	struct pmon_regs regs;
	void __iomem *base;
	ssize_t len;

	if (!plr_pci_ready(tpmi->pdev))
		return -ENODEV;
	base = ioremap(beside->start, size);
	if (!base)
		return -ENOMEM;
	pmon_regs_mmio(&regs, base, size);
	len = plr_emit_all(tpmi, &regs, count, buf, emit);
	iounmap(base);
	if (len)
		return len;

	return plr_pci_ready(tpmi->pdev) ? -EIO : -ENODEV;
}

/* A device has one instance of power limits, and domains in it. */
static ssize_t plr_rapl_show(const struct plr_tpmi *tpmi, char *buf,
			     plr_emit_t emit)
{
	u32 domains = min_t(u32, tpmi->rapl.stride / RAPL_DOMAIN_SIZE,
			    RAPL_MAX_DOMAINS);

	return plr_beside_show(tpmi, &tpmi->rapl, tpmi->rapl.stride, domains,
			       buf, emit);
}

static ssize_t rapl_show(struct device *dev, struct device_attribute *attr,
			 char *buf)
{
	return plr_rapl_show(to_tpmi(dev), buf, plr_rapl_emit_limits);
}
static PMON_DEVICE_ATTR_RO(rapl);

/*
 * For root only, as powercap has it: how much is drawn tells what is computed.
 */
static ssize_t rapl_energy_show(struct device *dev,
				struct device_attribute *attr, char *buf)
{
	return plr_rapl_show(to_tpmi(dev), buf, plr_rapl_emit_energy);
}

static struct device_attribute dev_attr_rapl_energy =
	__ATTR(rapl_energy, 0400, rapl_energy_show, NULL);

static ssize_t sst_show(struct device *dev, struct device_attribute *attr,
			char *buf)
{
	const struct plr_tpmi *tpmi = to_tpmi(dev);
	const struct plr_beside *sst = &tpmi->sst;

	return plr_beside_show(tpmi, sst, sst->count * sst->stride, sst->count,
			       buf, plr_sst_emit);
}
static PMON_DEVICE_ATTR_RO(sst);

static struct attribute *plr_tpmi_attrs[] = {
	&dev_attr_features.attr,
	&dev_attr_package_id.attr,
	&dev_attr_partition.attr,
	&dev_attr_mode.attr,
	&dev_attr_rapl.attr,
	&dev_attr_rapl_energy.attr,
	&dev_attr_sst.attr,
	NULL
};

static umode_t plr_tpmi_is_visible(struct kobject *kobj, struct attribute *attr,
				   int n)
{
	const struct plr_tpmi *tpmi = to_tpmi(kobj_to_dev(kobj));

	if (attr == &dev_attr_rapl.attr || attr == &dev_attr_rapl_energy.attr)
		return tpmi->rapl.start && tpmi->rapl.count == 1 ? attr->mode :
								   0;
	if (attr == &dev_attr_sst.attr)
		return tpmi->sst.start ? attr->mode : 0;

	return attr->mode;
}

static COMPAT_BIN_CONST struct bin_attribute *COMPAT_BIN_CONST
	plr_tpmi_bin_attrs[] = { &bin_attr_table, NULL };

static const struct attribute_group plr_tpmi_group = {
	.is_visible = plr_tpmi_is_visible,
	.attrs = plr_tpmi_attrs,
	.bin_attrs = plr_tpmi_bin_attrs,
};

const struct attribute_group *plr_tpmi_groups[] = { &plr_tpmi_group, NULL };
