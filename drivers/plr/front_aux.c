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
#include <linux/notifier.h>
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
 * @nb: sees devices go
 * @deleted: intel_vsec deletes the device, or the one that it is made from
 */
struct plr_aux {
	struct auxiliary_device *auxdev;
	struct plr_tpmi *tpmi;
	struct delayed_work again;
	struct notifier_block nb;
	bool deleted;
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

static int plr_aux_blocked(struct plr_feature *feature)
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
	struct device *function = &plr_aux_function(aux)->dev;
	int ret;

	/*
	 * Under this lock intel_vsec brings the function back, which takes
	 * seconds, and the kernel may not call it frozen any more. Nor may this
	 * wait for the lock: intel_vsec then deletes the device, whose removal
	 * waits for this work.
	 */
	if (!device_trylock(function)) {
		schedule_delayed_work(&aux->again, PLR_RECOVERY_JIFFIES);
		return;
	}
	ret = plr_aux_attach(aux);
	device_unlock(function);

	/* The kernel logs the error of a probe, not that of this work. */
	if (ret)
		dev_warn(&aux->auxdev->dev, "not usable after an error: error %d\n", ret);
}

/* The device that intel_vsec has made for the function, above this one. */
static const struct device *plr_aux_top(const struct plr_aux *aux)
{
	const struct device *dev = &aux->auxdev->dev;

	while (dev->parent && !dev_is_pci(dev->parent))
		dev = dev->parent;

	return dev;
}

static int plr_aux_event(struct notifier_block *nb, unsigned long action,
			 void *data)
{
	struct plr_aux *aux = container_of(nb, struct plr_aux, nb);

	/* The removal of the device follows in the same thread. */
	if (action == BUS_NOTIFY_DEL_DEVICE && data == plr_aux_top(aux))
		aux->deleted = true;

	return NOTIFY_OK;
}

/*
 * Does the device go because its function had a PCI error? intel_vsec deletes
 * its devices when it lets go of the function, and when it brings it back after
 * an error. By then the function is frozen or, since Linux 6.18 and 6.12.58,
 * called normal, as it is in an error that is not fatal. But it has a driver,
 * which one that is let go of has not.
 */
static bool plr_aux_returns(const struct plr_aux *aux)
{
	struct pci_dev *pdev = plr_aux_function(aux);

	return plr_pci_recovers(pdev) || (aux->deleted && pdev->driver);
}

static int plr_aux_probe(struct auxiliary_device *auxdev,
			 const struct auxiliary_device_id *id)
{
	struct plr_aux *aux =
		devm_kzalloc(&auxdev->dev, sizeof(*aux), GFP_KERNEL);
	int ret;

	if (!aux)
		return -ENOMEM;
	aux->auxdev = auxdev;
	if (!plr_aux_function(aux))
		return -ENODEV;
	INIT_DELAYED_WORK(&aux->again, plr_aux_again);
	auxiliary_set_drvdata(auxdev, aux);
	aux->nb.notifier_call = plr_aux_event;
	ret = bus_register_notifier(auxdev->dev.bus, &aux->nb);
	if (ret)
		return ret;
	ret = plr_aux_attach(aux);
	if (ret)
		bus_unregister_notifier(auxdev->dev.bus, &aux->nb);

	return ret;
}

static void plr_aux_remove(struct auxiliary_device *auxdev)
{
	struct plr_aux *aux = auxiliary_get_drvdata(auxdev);

	bus_unregister_notifier(auxdev->dev.bus, &aux->nb);
	cancel_delayed_work_sync(&aux->again);
	if (aux->tpmi)
		plr_tpmi_detach(aux->tpmi, plr_aux_returns(aux));
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
