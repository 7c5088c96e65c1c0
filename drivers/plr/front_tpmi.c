// SPDX-License-Identifier: GPL-2.0-only
/*
 * Front end on kernels whose TPMI core supports PLR: drive auxiliary devices
 * intel_vsec.tpmi-plr that intel_plr_tpmi does not drive.
 */
#include <linux/auxiliary_bus.h>
#include <linux/intel_tpmi.h>
#include <linux/intel_vsec.h>
#include <linux/ioport.h>
#include <linux/module.h>
#include <linux/pm_runtime.h>

#include <pmon/regs.h>

#include "plr.h"

#define PLR_AUX_NAME	"intel_vsec.tpmi-plr"

/* Number of retries after a PCI error, for 120 s in all. */
#define PLR_RETRIES	1200

/*
 * Functions of intel_vsec_tpmi are looked up by name and held while a device is
 * attached. A link to them would make modprobe -r of this module unload
 * intel_vsec_tpmi and intel_vsec.
 */
struct plr_aux {
	struct auxiliary_device *auxdev;
	typeof(tpmi_get_feature_status) *get_status;	/* NULL: not held */
	typeof(tpmi_get_resource_at_index) *get_resource;
	struct plr_device *device;	/* NULL until the function is ready */
	struct delayed_work retry;	/* attaches the device later */
	unsigned int left;		/* retries left */
};

static void plr_aux_put_symbols(struct plr_aux *aux)
{
	if (aux->get_status)
		symbol_put(tpmi_get_feature_status);
	if (aux->get_resource)
		symbol_put(tpmi_get_resource_at_index);
	aux->get_status = NULL;
	aux->get_resource = NULL;
}

/* Fail while intel_vsec_tpmi is still loading. */
static bool plr_aux_get_symbols(struct plr_aux *aux)
{
	if (aux->get_status)
		return true;
	aux->get_status = symbol_get(tpmi_get_feature_status);
	aux->get_resource = symbol_get(tpmi_get_resource_at_index);
	if (aux->get_status && aux->get_resource)
		return true;
	plr_aux_put_symbols(aux);
	return false;
}

static int plr_aux_get_blocked(struct auxiliary_device *auxdev)
{
	struct plr_aux *aux = auxiliary_get_drvdata(auxdev);
	bool read_blocked, write_blocked;
	int ret;

	ret = aux->get_status(auxdev, PMON_TPMI_ID_PLR, &read_blocked,
			      &write_blocked);
	return ret ?: write_blocked;
}

/* Return the PCI function; NULL if firmware describes TPMI without one. */
static struct pci_dev *plr_aux_function(const struct plr_aux *aux)
{
	struct device *dev = &aux->auxdev->dev;

	while (dev && !dev_is_pci(dev))
		dev = dev->parent;
	return dev ? to_pci_dev(dev) : NULL;
}

/*
 * Attach the device now, or later by @retry if the function is in D3 or still
 * recovers from a PCI error, or intel_vsec_tpmi is loading. intel_vsec creates
 * auxiliary devices before a recovery has ended.
 */
static int plr_aux_attach(struct plr_aux *aux)
{
	struct pci_dev *pdev = plr_aux_function(aux);
	struct plr_device *device;

	if (!pci_channel_offline(pdev) && !pmon_pci_is_accessible(pdev)) {
		schedule_delayed_work(&aux->retry, PLR_D3_JIFFIES);
		return 0;
	}
	if ((!pmon_tpmi_is_ready(pdev) || !plr_aux_get_symbols(aux)) &&
	    aux->left--) {
		schedule_delayed_work(&aux->retry, PLR_RETRY_JIFFIES);
		return 0;
	}
	if (!aux->get_status)
		return -ENXIO;
	device = plr_device_attach(pdev, aux->auxdev,
				   aux->get_resource(aux->auxdev, 0),
				   plr_aux_get_blocked);
	if (IS_ERR(device)) {
		plr_aux_put_symbols(aux);
		return PTR_ERR(device);
	}
	aux->device = device;
	return 0;
}

static void plr_aux_retry(struct work_struct *work)
{
	struct plr_aux *aux = container_of(to_delayed_work(work),
					   struct plr_aux, retry);
	struct device *function = &plr_aux_function(aux)->dev;
	int ret;

	/*
	 * Only try the lock: intel_vsec holds it to restore the function and to
	 * delete @auxdev, and the deletion waits for this work.
	 */
	if (!device_trylock(function)) {
		schedule_delayed_work(&aux->retry, PLR_RETRY_JIFFIES);
		return;
	}
	ret = plr_aux_attach(aux);
	device_unlock(function);
	/* Log the error, because the driver core logs only errors of probes. */
	if (ret)
		dev_warn(&aux->auxdev->dev, "not usable after an error: error %d\n", ret);
}

static void plr_aux_put(void *function)
{
	pm_runtime_put(function);
}

/*
 * Keep runtime PM from suspending the function until @auxdev is unbound, so
 * that accesses need no check for D3. A function in D3 is not woken.
 */
static int plr_aux_hold(struct auxiliary_device *auxdev,
			struct device *function)
{
	pm_runtime_get_noresume(function);
	/* Wait for a suspend that has already begun. */
	pm_runtime_barrier(function);
	return devm_add_action_or_reset(&auxdev->dev, plr_aux_put, function);
}

static int plr_aux_probe(struct auxiliary_device *auxdev,
			 const struct auxiliary_device_id *id)
{
	struct plr_aux *aux = devm_kzalloc(&auxdev->dev, sizeof(*aux),
					   GFP_KERNEL);
	struct pci_dev *pdev;
	int ret;

	if (!aux)
		return -ENOMEM;
	aux->auxdev = auxdev;
	aux->left = PLR_RETRIES;
	pdev = plr_aux_function(aux);
	if (!pdev)
		return -ENODEV;
	ret = plr_aux_hold(auxdev, &pdev->dev);
	if (ret)
		return ret;
	INIT_DELAYED_WORK(&aux->retry, plr_aux_retry);
	auxiliary_set_drvdata(auxdev, aux);
	return plr_aux_attach(aux);
}

static void plr_aux_remove(struct auxiliary_device *auxdev)
{
	struct plr_aux *aux = auxiliary_get_drvdata(auxdev);

	cancel_delayed_work_sync(&aux->retry);
	if (aux->device)
		plr_device_detach(aux->device);
	plr_aux_put_symbols(aux);
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

static int plr_aux_match_foreign(struct device *dev, const void *data)
{
	return strstarts(dev_name(dev), PLR_AUX_NAME ".") && dev->driver &&
	       dev->driver != &plr_aux_driver.driver;
}

int plr_front_start(void)
{
	int ret = auxiliary_driver_register(&plr_aux_driver);
	struct device *dev;

	if (ret)
		return ret;
	dev = bus_find_device(plr_aux_driver.driver.bus, NULL, NULL,
			      plr_aux_match_foreign);
	if (dev) {
		dev_info(dev, "PLR left to %s\n", dev->driver->name);
		put_device(dev);
	}
	return 0;
}

void plr_front_stop(void)
{
	auxiliary_driver_unregister(&plr_aux_driver);
}
