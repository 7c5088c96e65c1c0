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
#include <linux/workqueue.h>

#include <compat/module.h>

#include "plr.h"

#define PLR_AUX_NAME	"intel_vsec.tpmi-plr"

/*
 * The TPMI core hands out sizes and offsets as firmware gives them. They are
 * used where our own walk over the same tables, with its checks, comes to the
 * same.
 */
static bool plr_aux_agrees(struct auxiliary_device *auxdev,
			   const struct plr_source *source)
{
	struct resource *first = tpmi_get_resource_at_index(auxdev, 0);

	return first && first->start == source->start &&
	       resource_size(first) == source->stride &&
	       tpmi_get_resource_count(auxdev) == source->count;
}

/**
 * struct plr_aux - an auxiliary device that we drive
 * @auxdev: the device
 * @tpmi: what it gave; NULL while its function recovers from an error
 * @again: looks whether it has
 */
struct plr_aux {
	struct auxiliary_device *auxdev;
	struct plr_tpmi *tpmi;
	struct delayed_work again;
};

/*
 * The PCI function that the device is of; NULL on machines whose firmware
 * describes TPMI without one.
 */
static struct pci_dev *plr_aux_function(const struct plr_aux *aux)
{
	struct device *dev = &aux->auxdev->dev;

	while (dev && !dev_is_pci(dev))
		dev = dev->parent;

	return dev ? to_pci_dev(dev) : NULL;
}

static int plr_aux_blocked(const struct plr_feature *feature)
{
	bool read_blocked, write_blocked;
	int ret;

	ret = tpmi_get_feature_status(feature->auxdev, PFS_ID_PLR,
				      &read_blocked, &write_blocked);

	return ret ?: write_blocked;
}

static int plr_aux_attach(struct plr_aux *aux)
{
	struct plr_source source;
	struct plr_tpmi *tpmi;
	int ret;

	if (plr_pci_recovers(plr_aux_function(aux))) {
		schedule_delayed_work(&aux->again, PLR_RECOVERY_JIFFIES);
		return 0;
	}
	ret = plr_vsec_source(plr_aux_function(aux), &source);
	if (ret)
		return ret;

	source.parent = &aux->auxdev->dev;
	source.feature.blocked = plr_aux_blocked;
	source.feature.auxdev = aux->auxdev;
	tpmi = plr_aux_agrees(aux->auxdev, &source) ? plr_tpmi_attach(&source) :
						      ERR_PTR(-EINVAL);
	kfree(source.rows);
	if (IS_ERR(tpmi))
		return PTR_ERR(tpmi);
	aux->tpmi = tpmi;

	return 0;
}

static void plr_aux_again(struct work_struct *work)
{
	struct plr_aux *aux =
		container_of(to_delayed_work(work), struct plr_aux, again);
	int ret = plr_aux_attach(aux);

	/* The kernel logs the error of a probe, not that of this work. */
	if (ret)
		dev_warn(&aux->auxdev->dev, "not usable after an error: error %d\n", ret);
}

static int plr_aux_probe(struct auxiliary_device *auxdev,
			 const struct auxiliary_device_id *id)
{
	struct plr_aux *aux =
		devm_kzalloc(&auxdev->dev, sizeof(*aux), GFP_KERNEL);

	if (!aux)
		return -ENOMEM;
	aux->auxdev = auxdev;
	if (!plr_aux_function(aux))
		return -ENODEV;
	INIT_DELAYED_WORK(&aux->again, plr_aux_again);
	auxiliary_set_drvdata(auxdev, aux);

	return plr_aux_attach(aux);
}

static void plr_aux_remove(struct auxiliary_device *auxdev)
{
	struct plr_aux *aux = auxiliary_get_drvdata(auxdev);

	cancel_delayed_work_sync(&aux->again);
	if (aux->tpmi)
		plr_tpmi_detach(aux->tpmi);
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

/* Log once how many devices were left to which driver. */
static void plr_aux_report(void)
{
	struct device *dev;

	dev = bus_find_device(plr_aux_driver.driver.bus, NULL, NULL,
			      plr_aux_is_foreign);
	if (!dev)
		return;
	dev_info(dev, "PLR left to %s\n", dev->driver->name);
	put_device(dev);
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
