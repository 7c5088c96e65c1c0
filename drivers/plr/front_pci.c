// SPDX-License-Identifier: GPL-2.0-only
/*
 * Front end on kernels without TPMI: beside intel_vsec, which stays the driver
 * of the PCI function. It is never bound, enabled, reset or woken here.
 */
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/pci.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include <compat/workqueue.h>
#include <pmon/regs.h>

#include "plr.h"

/* How often to look whether a function has recovered from a PCI error. */
#define PLR_RETRY_JIFFIES	(HZ / 10)
/* And whether one in D3 has woken. */
#define PLR_D3_JIFFIES		HZ

static const struct pci_device_id plr_pci_ids[] = {
	{ PCI_VDEVICE(INTEL, 0x09a7) },
	{ PCI_VDEVICE(INTEL, 0x09a1) },
	{}
};
MODULE_DEVICE_TABLE(pci, plr_pci_ids);

static void plr_pci_attach_all(struct work_struct *work);

/* Functions that were refused, which is logged once, until a driver comes. */
static DEFINE_XARRAY(plr_pci_refused);

/*
 * Attaches functions that have a driver now, and later those that recover from
 * a PCI error, are in D3 or were locked. Not in the notifier, whose chain is
 * locked meanwhile: attaching waits for CPU hotplug and perf.
 */
static DECLARE_DELAYED_WORK(plr_pci_dwork, plr_pci_attach_all);

/* Without a driver, or with intel_vsec, which leaves features to others. */
static bool plr_pci_is_shared(struct pci_dev *pdev)
{
	struct device_driver *driver = READ_ONCE(pdev->dev.driver);

	return !driver || !strcmp(driver->name, "intel_vsec");
}

/*
 * With the lock of the device, so that its driver stays what it is. Returns in
 * how many jiffies to try again, 0 for never.
 */
static unsigned long plr_pci_attach(struct pci_dev *pdev)
{
	struct plr_device *device;

	if (!plr_pci_is_shared(pdev) || plr_device_find(pdev) ||
	    xa_load(&plr_pci_refused, (unsigned long)pdev))
		return 0;
	if (READ_ONCE(pdev->error_state) == pci_channel_io_frozen)
		return PLR_RETRY_JIFFIES;
	if (pmon_pci_is_in_d3(pdev))
		return PLR_D3_JIFFIES;
	device = plr_device_attach(pdev, NULL, NULL, NULL);
	if (device == ERR_PTR(-EINVAL) || device == ERR_PTR(-EEXIST))
		xa_store(&plr_pci_refused, (unsigned long)pdev,
			 xa_mk_value(0), GFP_KERNEL);
	return 0;
}

static void plr_pci_detach(struct pci_dev *pdev)
{
	struct plr_device *device = plr_device_find(pdev);

	if (device)
		plr_device_detach(device);
	xa_erase(&plr_pci_refused, (unsigned long)pdev);
}

static int plr_pci_event(struct notifier_block *nb, unsigned long action,
			 void *data)
{
	struct pci_dev *pdev = to_pci_dev(data);

	if (!pci_match_id(plr_pci_ids, pdev))
		return NOTIFY_DONE;

	switch (action) {
	case BUS_NOTIFY_DRIVER_NOT_BOUND:
	case BUS_NOTIFY_BOUND_DRIVER:
		/* With another driver its tables may be others. */
		xa_erase(&plr_pci_refused, (unsigned long)pdev);
		mod_delayed_work(system_dfl_wq, &plr_pci_dwork, 1);
		break;
	case BUS_NOTIFY_BIND_DRIVER:
		if (!plr_pci_is_shared(pdev))
			plr_pci_detach(pdev);
		break;
	case BUS_NOTIFY_UNBIND_DRIVER:
	case BUS_NOTIFY_DEL_DEVICE:
		plr_pci_detach(pdev);
		break;
	}
	return NOTIFY_OK;
}

static struct notifier_block plr_pci_nb = { .notifier_call = plr_pci_event };

/* This module is being unloaded. Under pci_lock_rescan_remove(). */
static bool plr_pci_ending;

/*
 * Under pci_lock_rescan_remove() no function is removed, so that none is
 * attached after its removal. Waiting for the lock of a function may take for
 * ever: vfio-pci is unbound with it as soon as the virtual machine lets go.
 */
static void plr_pci_attach_all(struct work_struct *work)
{
	unsigned long in, first = 0;
	struct pci_dev *pdev = NULL;

	pci_lock_rescan_remove();
	for_each_pci_dev(pdev) {
		if (plr_pci_ending || !pci_match_id(plr_pci_ids, pdev) ||
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
	/* A notifier may have asked for it sooner. */
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

/* Meanwhile no function is removed: directories below it have to go first. */
void plr_front_stop(void)
{
	struct plr_device *device;

	pci_lock_rescan_remove();
	plr_pci_ending = true;
	bus_unregister_notifier(&pci_bus_type, &plr_pci_nb);
	while ((device = plr_device_find(NULL)))
		plr_device_detach(device);
	pci_unlock_rescan_remove();
	cancel_delayed_work_sync(&plr_pci_dwork);
	xa_destroy(&plr_pci_refused);
}
