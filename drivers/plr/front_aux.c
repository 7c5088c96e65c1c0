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
#include <linux/slab.h>

#include <compat/module.h>

#include "plr.h"

#define PLR_AUX_NAME	"intel_vsec.tpmi-plr"

/*
 * The TPMI core hands out sizes and offsets as firmware gives them. They are
 * used where our own walk over the same tables, with its checks, comes to the
 * same.
 */
static bool plr_aux_agrees(struct auxiliary_device *auxdev, const struct plr_source *source)
{
	struct resource *first = tpmi_get_resource_at_index(auxdev, 0);

	return first && first->start == source->start &&
	       resource_size(first) == source->stride &&
	       tpmi_get_resource_count(auxdev) == source->count;
}

static int plr_aux_probe(struct auxiliary_device *auxdev, const struct auxiliary_device_id *id)
{
	struct plr_source source;
	struct plr_tpmi *tpmi;
	int ret;

	ret = plr_vsec_source(auxdev_to_ivdev(auxdev)->pcidev, &source);
	if (ret)
		return ret;

	source.parent = &auxdev->dev;
	tpmi = plr_aux_agrees(auxdev, &source) ? plr_tpmi_attach(&source) : ERR_PTR(-EINVAL);
	kfree(source.rows);
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
