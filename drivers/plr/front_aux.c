// SPDX-License-Identifier: GPL-2.0-only
/*
 * Front end on kernels whose TPMI core knows PLR: driver of the auxiliary
 * device that it makes. Where the kernel's own PLR driver has that device, it
 * keeps it.
 */
#include <linux/auxiliary_bus.h>
#include <linux/intel_tpmi.h>
#include <linux/intel_vsec.h>
#include <linux/ioport.h>

#include <compat/module.h>

#include "plr.h"

#define PLR_AUX_NAME	"intel_vsec.tpmi-plr"

/* The TPMI core takes sizes and offsets as they are: check them here. */
static bool plr_aux_in_bar(struct pci_dev *pdev, const struct plr_source *source)
{
	struct resource span = DEFINE_RES_MEM(source->start,
					      (resource_size_t)source->stride * source->count);
	int bar;

	for (bar = 0; bar < PCI_STD_NUM_BARS; bar++)
		if (resource_type(&pdev->resource[bar]) == IORESOURCE_MEM &&
		    resource_contains(&pdev->resource[bar], &span))
			return true;

	return false;
}

static int plr_aux_source(struct auxiliary_device *auxdev, struct plr_source *source)
{
	struct intel_tpmi_plat_info *info = tpmi_get_platform_data(auxdev);
	struct resource *first = tpmi_get_resource_at_index(auxdev, 0);
	struct pci_dev *pdev = auxdev_to_ivdev(auxdev)->pcidev;

	if (!info || !first || resource_size(first) < PLR_INSTANCE_SIZE ||
	    resource_size(first) % sizeof(u64))
		return -EINVAL;

	source->parent = &auxdev->dev;
	source->pdev = pdev;
	source->info = (struct pfs_info) {
		.package = info->package_id,
		.partition = info->partition,
		.compute_dies = info->cdie_mask,
	};
	source->start = first->start;
	source->stride = resource_size(first);
	source->count = tpmi_get_resource_count(auxdev);

	return plr_aux_in_bar(pdev, source) ? 0 : -EINVAL;
}

static int plr_aux_probe(struct auxiliary_device *auxdev, const struct auxiliary_device_id *id)
{
	struct plr_source source;
	struct plr_tpmi *tpmi;
	int ret;

	ret = plr_aux_source(auxdev, &source);
	if (ret)
		return dev_err_probe(&auxdev->dev, ret, "PLR registers are outside the BARs\n");
	if (!plr_pci_ready(source.pdev))
		return -ENODEV;

	tpmi = plr_tpmi_attach(&source);
	if (IS_ERR(tpmi))
		return PTR_ERR(tpmi);
	auxiliary_set_drvdata(auxdev, tpmi);

	return 0;
}

static void plr_aux_remove(struct auxiliary_device *auxdev)
{
	plr_tpmi_detach(auxiliary_get_drvdata(auxdev));
}

static const struct auxiliary_device_id plr_aux_ids[] = {
	{ .name = PLR_AUX_NAME },
	{}
};
MODULE_DEVICE_TABLE(auxiliary, plr_aux_ids);

static struct auxiliary_driver plr_aux_driver = {
	.name = "plr",
	.id_table = plr_aux_ids,
	.probe = plr_aux_probe,
	.remove = plr_aux_remove,
};

static int plr_aux_is_foreign(struct device *dev, const void *data)
{
	return strstarts(dev_name(dev), PLR_AUX_NAME ".") && dev->driver &&
	       dev->driver != &plr_aux_driver.driver;
}

/* Say once what was left to whom. */
static void plr_aux_report(void)
{
	struct auxiliary_device *auxdev;

	auxdev = auxiliary_find_device(NULL, NULL, plr_aux_is_foreign);
	if (!auxdev)
		return;
	dev_info(&auxdev->dev, "PLR left to %s\n", auxdev->dev.driver->name);
	put_device(&auxdev->dev);
}

/**
 * plr_front_start() - take up TPMI devices, now and as they come
 *
 * Return: 0 or an error.
 */
int plr_front_start(void)
{
	int ret = auxiliary_driver_register(&plr_aux_driver);

	if (!ret)
		plr_aux_report();

	return ret;
}

/**
 * plr_front_stop() - let go of all
 */
void plr_front_stop(void)
{
	auxiliary_driver_unregister(&plr_aux_driver);
}

COMPAT_IMPORT_NS(INTEL_TPMI);
