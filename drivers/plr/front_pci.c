// SPDX-License-Identifier: GPL-2.0-only
/*
 * Front end on kernels without a TPMI core: attach PCI functions beside their
 * driver, intel_vsec. Functions are never bound, enabled, reset or woken.
 * Runtime PM does not suspend them: intel_vsec does not permit it on these
 * kernels, and a function without a driver stays in D0.
 */
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/pci.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include <compat/workqueue.h>
#include <pmon/regs.h>

#include "plr.h"

static const struct pci_device_id plr_pci_ids[] = {
	{ PCI_VDEVICE(INTEL, 0x09a7) },
	{ PCI_VDEVICE(INTEL, 0x09a1) },
	{}
};
MODULE_DEVICE_TABLE(pci, plr_pci_ids);

static void plr_pci_attach_all(struct work_struct *work);

/*
 * Functions that are tried again only after their next probe: rejected ones, so
 * that each is logged once, and those whose driver was unbound.
 */
static DEFINE_XARRAY(plr_pci_rejected);

/*
 * Attaches functions outside the notifier, because its chain is locked and
 * attaching waits for CPU hotplug and perf.
 */
static DECLARE_DELAYED_WORK(plr_pci_dwork, plr_pci_attach_all);

/* Return true if no driver but intel_vsec, which leaves PLR alone, is bound. */
static bool plr_pci_is_shared(struct pci_dev *pdev)
{
	struct device_driver *driver = READ_ONCE(pdev->dev.driver);

	return !driver || !strcmp(driver->name, "intel_vsec");
}

static void plr_pci_reject(struct pci_dev *pdev)
{
	xa_store(&plr_pci_rejected, (unsigned long)pdev, xa_mk_value(0),
		 GFP_KERNEL);
}

/*
 * Attach a function. The caller holds the device lock, so the driver does not
 * change. Return the delay before a retry in jiffies, or 0 for no retry.
 */
static unsigned long plr_pci_attach(struct pci_dev *pdev)
{
	int ret;

	if (!plr_pci_is_shared(pdev) || plr_device_find(pdev) ||
	    xa_load(&plr_pci_rejected, (unsigned long)pdev))
		return 0;
	if (READ_ONCE(pdev->error_state) == pci_channel_io_frozen)
		return PLR_RETRY_JIFFIES;
	if (!pmon_pci_is_accessible(pdev))
		return PLR_D3_JIFFIES;
	ret = PTR_ERR_OR_ZERO(plr_device_attach(pdev, NULL, NULL, NULL));
	if (ret == -EINVAL || ret == -EEXIST || ret == -EBUSY)
		plr_pci_reject(pdev);
	return 0;
}

static void plr_pci_detach(struct pci_dev *pdev)
{
	struct plr_device *device = plr_device_find(pdev);

	if (device)
		plr_device_detach(device);
	xa_erase(&plr_pci_rejected, (unsigned long)pdev);
}

static int plr_pci_event(struct notifier_block *nb, unsigned long action,
			 void *data)
{
	struct pci_dev *pdev = to_pci_dev(data);

	if (!pci_match_id(plr_pci_ids, pdev))
		return NOTIFY_DONE;

	switch (action) {
	case BUS_NOTIFY_ADD_DEVICE: /* perhaps no driver ever comes to it */
	case BUS_NOTIFY_DRIVER_NOT_BOUND:
	case BUS_NOTIFY_BOUND_DRIVER:
		/* Try again: the driver may have changed the TPMI tables. */
		xa_erase(&plr_pci_rejected, (unsigned long)pdev);
		mod_delayed_work(system_dfl_wq, &plr_pci_dwork, 1);
		break;
	case BUS_NOTIFY_BIND_DRIVER:
		if (!plr_pci_is_shared(pdev))
			plr_pci_detach(pdev);
		break;
	case BUS_NOTIFY_UNBIND_DRIVER:
		plr_pci_detach(pdev);
		if (plr_pci_is_shared(pdev))
			plr_pci_reject(pdev);
		break;
	case BUS_NOTIFY_DEL_DEVICE:
		plr_pci_detach(pdev);
		break;
	}
	return NOTIFY_OK;
}

static struct notifier_block plr_pci_nb = { .notifier_call = plr_pci_event };

/* Protected by pci_lock_rescan_remove(). */
static bool plr_pci_stopping;

/*
 * Attach all functions. pci_lock_rescan_remove() excludes removals meanwhile.
 * Only try the device lock, because an unbind of vfio-pci holds it until the
 * virtual machine releases the device.
 */
static void plr_pci_attach_all(struct work_struct *work)
{
	unsigned long in, first = 0;
	struct pci_dev *pdev = NULL;

	pci_lock_rescan_remove();
	for_each_pci_dev(pdev) {
		if (plr_pci_stopping || !pci_match_id(plr_pci_ids, pdev) ||
		    !plr_pci_is_shared(pdev))
			continue;
		in = PLR_RETRY_JIFFIES;
		if (device_trylock(&pdev->dev)) {
			in = device_is_registered(&pdev->dev) ?
				plr_pci_attach(pdev) : 0;
			device_unlock(&pdev->dev);
		}
		if (in && (!first || in < first))
			first = in;
	}
	/* mod_delayed_work() would delay a run that a notifier queued. */
	if (first)
		queue_delayed_work(system_dfl_wq, &plr_pci_dwork, first);
	pci_unlock_rescan_remove();
}

int plr_front_start(void)
{
	int ret = bus_register_notifier(&pci_bus_type, &plr_pci_nb);

	if (!ret)
		plr_pci_attach_all(NULL);
	return ret;
}

/* Block removals of functions until their directories are removed. */
void plr_front_stop(void)
{
	struct plr_device *device;

	pci_lock_rescan_remove();
	plr_pci_stopping = true;
	bus_unregister_notifier(&pci_bus_type, &plr_pci_nb);
	while ((device = plr_device_find(NULL)))
		plr_device_detach(device);
	pci_unlock_rescan_remove();
	cancel_delayed_work_sync(&plr_pci_dwork);
	xa_destroy(&plr_pci_rejected);
}
