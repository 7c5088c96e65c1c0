// SPDX-License-Identifier: GPL-2.0-only
/*
 * Front end on kernels without TPMI: beside the driver of the PCI function,
 * intel_vsec, which stays its driver. The function is never bound, enabled,
 * reset or woken, and notifiers of the PCI bus say when its driver goes.
 */
#include <linux/io.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include <compat/cleanup.h>

#include "plr.h"

#define PLR_PCI_DRIVER	"intel_vsec"

/* How often to look whether a function has recovered from a PCI error. */
#define PLR_RETRY_JIFFIES	(HZ / 10)

static const struct pci_device_id plr_pci_ids[] = {
	{ PCI_VDEVICE(INTEL, 0x09a7) },
	{ PCI_VDEVICE(INTEL, 0x09a1) },
	{}
};
MODULE_DEVICE_TABLE(pci, plr_pci_ids);

/* A function that is attached, or whose tables cannot be used. */
struct plr_pci {
	struct list_head node;
	struct pci_dev *pdev;		/* compared only */
	struct plr_device *device;	/* NULL: refused until a driver binds */
};

static void plr_pci_attach_all(struct work_struct *work);

/*
 * Protects the list of functions. What is done to one function is done under
 * the lock of its device, in notifiers as well.
 */
static DEFINE_MUTEX(plr_pci_lock);
static LIST_HEAD(plr_pcis);
/* Retries functions that were recovering from a PCI error, or locked. */
static DECLARE_DELAYED_WORK(plr_pci_dwork, plr_pci_attach_all);

static void plr_pci_retry(void)
{
	schedule_delayed_work(&plr_pci_dwork, PLR_RETRY_JIFFIES);
}

static struct plr_pci *plr_pci_find(struct pci_dev *pdev)
{
	struct plr_pci *pci;

	guard(mutex)(&plr_pci_lock);
	list_for_each_entry(pci, &plr_pcis, node)
		if (pci->pdev == pdev)
			return pci;

	return NULL;
}

/* Without a driver, or with intel_vsec, which leaves features to others. */
static bool plr_pci_is_shared(struct pci_dev *pdev)
{
	struct device_driver *driver = READ_ONCE(pdev->dev.driver);

	return !driver || !strcmp(driver->name, PLR_PCI_DRIVER);
}

/* The kernel has no tables of its own. */
static bool plr_front_agrees(struct auxiliary_device *auxdev, phys_addr_t start,
			     const struct pmon_tpmi_region *region)
{
	return true;
}

/* Nothing in the kernel reads the state of features. */
static int plr_front_blocked(struct auxiliary_device *auxdev)
{
	return -EOPNOTSUPP;
}

static const struct plr_front plr_front = {
	.agrees = plr_front_agrees,
	.blocked = plr_front_blocked,
};

/* With the lock of the device, so that its driver stays what it is. */
static void plr_pci_attach(struct pci_dev *pdev)
{
	struct plr_device *device;
	struct plr_pci *pci;

	if (!plr_pci_is_shared(pdev) || plr_pci_find(pdev))
		return;
	/* Between a PCI error and its end. */
	if (READ_ONCE(pdev->error_state) == pci_channel_io_frozen) {
		plr_pci_retry();
		return;
	}
	pci = kzalloc(sizeof(*pci), GFP_KERNEL);
	if (!pci)
		return;
	device = plr_device_attach(pdev, NULL, &plr_front);
	if (IS_ERR(device) && PTR_ERR(device) != -EINVAL &&
	    PTR_ERR(device) != -EEXIST) {
		kfree(pci);
		return;
	}
	pci->pdev = pdev;
	pci->device = IS_ERR(device) ? NULL : device;
	guard(mutex)(&plr_pci_lock);
	list_add_tail(&pci->node, &plr_pcis);
}

static void plr_pci_drop(struct plr_pci *pci)
{
	if (pci->device)
		plr_device_detach(pci->device);
	scoped_guard(mutex, &plr_pci_lock)
		list_del(&pci->node);
	kfree(pci);
}

static void plr_pci_detach(struct pci_dev *pdev)
{
	struct plr_pci *pci = plr_pci_find(pdev);

	if (pci)
		plr_pci_drop(pci);
}

/* With another driver its tables may be others. */
static void plr_pci_attach_anew(struct pci_dev *pdev)
{
	struct plr_pci *pci = plr_pci_find(pdev);

	if (pci && !pci->device)
		plr_pci_drop(pci);
	plr_pci_attach(pdev);
}

static int plr_pci_event(struct notifier_block *nb, unsigned long action,
			 void *data)
{
	struct pci_dev *pdev = to_pci_dev(data);

	if (!pci_match_id(plr_pci_ids, pdev))
		return NOTIFY_DONE;

	switch (action) {
	case BUS_NOTIFY_DRIVER_NOT_BOUND:
		/* It is the function's driver for a moment longer. */
		if (!plr_pci_is_shared(pdev))
			plr_pci_retry();
		fallthrough;
	case BUS_NOTIFY_BOUND_DRIVER:
		/*
		 * Without an error: no other capability of the function may
		 * keep its driver from using it.
		 */
		plr_pci_attach_anew(pdev);
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
	struct pci_dev *pdev = NULL;

	pci_lock_rescan_remove();
	for_each_pci_dev(pdev) {
		if (plr_pci_ending || !pci_match_id(plr_pci_ids, pdev) ||
		    !plr_pci_is_shared(pdev))
			continue;
		/* Its driver stays what it is. */
		if (!device_trylock(&pdev->dev)) {
			plr_pci_retry();
			continue;
		}
		if (device_is_registered(&pdev->dev))
			plr_pci_attach(pdev);
		device_unlock(&pdev->dev);
	}
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
	struct plr_pci *pci, *next;

	pci_lock_rescan_remove();
	plr_pci_ending = true;
	bus_unregister_notifier(&pci_bus_type, &plr_pci_nb);
	list_for_each_entry_safe(pci, next, &plr_pcis, node)
		plr_pci_drop(pci);
	pci_unlock_rescan_remove();
	cancel_delayed_work_sync(&plr_pci_dwork);
}
