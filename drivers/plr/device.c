// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attaches TPMI devices: finds their live PLR instances and makes a domain of
 * each. Attaching reads one header per instance and writes nothing. Detaching
 * deletes every file, which waits for readers, and then the mapping. Both are
 * done without a lock of ours.
 */
#include <linux/cpumask.h>
#include <linux/io.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include <pmon/class.h>

#include "plr.h"

/*
 * Make a domain of an instance if it is live. Returns whether it is; instances
 * that the part does not have are normal, and not logged.
 */
static bool plr_instance_add(struct plr_tpmi *tpmi,
			     const struct plr_source *source,
			     unsigned int instance)
{
	unsigned int id = pfs_info_domain(&tpmi->info, instance);
	struct pmon_regs regs;
	u64 header;
	int ret;

	pmon_regs_mmio(&regs, tpmi->base + instance * source->stride,
		       PLR_INSTANCE_SIZE);
	header = pmon_read(&regs, PLR_HEADER, sizeof(u64));
	ret = plr_header_check(header);
	if (ret == -ENODEV)
		return false;
	if (ret) {
		dev_warn(&tpmi->dev, "PLR instance %u has unknown version 0x%llx, not used\n",
			 instance, header);
		return true;
	}
	if (!pfs_info_is_compute(&tpmi->info, instance)) {
		dev_info(&tpmi->dev, "PLR instance %u is of no compute die, not used\n", instance);
		return true;
	}
	if (plr_mode() != PMON_MODE_ON) {
		dev_info(&tpmi->dev, "PLR instance %u found, not used: %s\n", instance,
			 pmon_mode_text(plr_mode()));
		return true;
	}
	ret = plr_domain_add(tpmi, instance, &regs, header, source->parent);
	if (ret == -EEXIST)
		dev_warn(&tpmi->dev, "PLR instance %u claims domain %u of another device, not used\n",
			 instance, id);
	else if (ret)
		dev_err(&tpmi->dev, "PLR instance %u cannot be shown: error %d\n", instance, ret);

	return true;
}

static void plr_tpmi_release(struct device *dev)
{
	struct plr_tpmi *tpmi = container_of(dev, struct plr_tpmi, dev);

	mutex_destroy(&tpmi->feature.lock);
	pci_dev_put(tpmi->pdev);
	kfree(tpmi->rows);
	kfree(tpmi);
}

static struct plr_tpmi *plr_tpmi_alloc(struct plr_source *source)
{
	struct plr_tpmi *tpmi;

	tpmi = kzalloc(struct_size(tpmi, domain, source->count), GFP_KERNEL);
	if (!tpmi)
		return NULL;
	device_initialize(&tpmi->dev);
	tpmi->dev.release = plr_tpmi_release;
	tpmi->dev.groups = plr_tpmi_groups;
	tpmi->pdev = pci_dev_get(source->pdev);
	tpmi->info = source->info;
	tpmi->feature = source->feature;
	mutex_init(&tpmi->feature.lock);
	tpmi->count = source->count;
	tpmi->rapl = source->rapl;
	tpmi->sst = source->sst;
	tpmi->rows = source->rows;
	tpmi->row_count = source->row_count;
	source->rows = NULL;

	return tpmi;
}

static bool plr_package_is_known(u8 package)
{
	unsigned int cpu;

	for_each_online_cpu(cpu)
		if (topology_physical_package_id(cpu) == package)
			return true;

	return false;
}

static int plr_tpmi_show(struct plr_tpmi *tpmi, const struct plr_source *source)
{
	int ret;

	tpmi->base =
		ioremap(source->start, (size_t)source->stride * source->count);
	if (!tpmi->base)
		return -ENOMEM;
	ret = pmon_class_add(&tpmi->dev, source->parent, "pkg%u-tpmi%u", tpmi->info.package,
			     tpmi->info.partition);
	if (ret)
		iounmap(tpmi->base);

	return ret;
}

static int plr_tpmi_add(struct plr_tpmi *tpmi, const struct plr_source *source)
{
	unsigned int i, live = 0;
	int ret = plr_tpmi_reserve(tpmi);

	if (ret) {
		dev_warn(source->parent, "TPMI_INFO names package %u partition %u, which another device has, not used\n",
			 tpmi->info.package, tpmi->info.partition);
		return ret;
	}
	if (!plr_package_is_known(tpmi->info.package))
		dev_warn(source->parent, "TPMI_INFO names package %u, to which no CPU belongs\n",
			 tpmi->info.package);
	ret = plr_tpmi_show(tpmi, source);
	if (ret) {
		plr_tpmi_cancel(tpmi);
		return ret;
	}

	for (i = 0; i < tpmi->count; i++)
		live += plr_instance_add(tpmi, source, i);
	if (!live)
		dev_info(&tpmi->dev, "no PLR instance answers, firmware may have blocked reads\n");
	plr_perf_update();

	return 0;
}

/**
 * plr_tpmi_attach() - take up a TPMI device
 * @source: what the front end found; its rows are taken over if all is well
 *
 * Called without a lock of ours; that of the function may be held.
 *
 * Return: the device or an error pointer.
 */
struct plr_tpmi *plr_tpmi_attach(struct plr_source *source)
{
	struct plr_tpmi *tpmi;
	int ret;

	tpmi = plr_tpmi_alloc(source);
	if (!tpmi)
		return ERR_PTR(-ENOMEM);

	ret = plr_tpmi_add(tpmi, source);
	if (ret) {
		put_device(&tpmi->dev);
		return ERR_PTR(ret);
	}

	return tpmi;
}

/**
 * plr_tpmi_detach() - let go of a TPMI device
 * @tpmi: from plr_tpmi_attach()
 * @comes_back: its function recovers from a PCI error, so that it is back in
 *	seconds: its events wait for that, and count on
 *
 * Files that are still open give ENODEV from here on. Called without a lock of
 * ours; that of the function may be held.
 */
void plr_tpmi_detach(struct plr_tpmi *tpmi, bool comes_back)
{
	unsigned int i;

	for (i = 0; i < tpmi->count; i++)
		if (tpmi->domain[i])
			plr_domain_remove(tpmi, i, comes_back);
	plr_perf_update();
	if (tpmi->feature.end && plr_pci_ready(tpmi->pdev))
		tpmi->feature.end(&tpmi->feature);
	iounmap(tpmi->base);
	device_del(&tpmi->dev);
	plr_tpmi_cancel(tpmi);
	put_device(&tpmi->dev);
}
