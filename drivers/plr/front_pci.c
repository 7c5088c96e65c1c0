// SPDX-License-Identifier: GPL-2.0-only
/*
 * Front end on kernels without TPMI: beside the driver of the PCI function,
 * intel_vsec, which stays its driver. The function is never bound, enabled,
 * reset or woken; what its driver does to it is seen on the PCI bus, and
 * registers are let go of before the driver lets go of the function.
 */
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include <compat/cleanup.h>

#include "plr.h"

#define PLR_PCI_DRIVER	"intel_vsec"

static const struct pci_device_id plr_pci_ids[] = {
	{ PCI_VDEVICE(INTEL, 0x09a7) },
	{ PCI_VDEVICE(INTEL, 0x09a1) },
	{}
};
MODULE_DEVICE_TABLE(pci, plr_pci_ids);

/**
 * struct plr_pci - a function that is attached
 * @node: in the list
 * @pdev: the function; the TPMI device has a reference
 * @tpmi: what it gave
 */
struct plr_pci {
	struct list_head node;
	struct pci_dev *pdev;
	struct plr_tpmi *tpmi;
};

static void plr_pci_again(struct work_struct *work);

static DEFINE_MUTEX(plr_pci_lock);
static LIST_HEAD(plr_pcis);
/* Some function recovers from an error, and is then to be attached. */
static DECLARE_DELAYED_WORK(plr_pci_dwork, plr_pci_again);

static struct plr_pci *plr_pci_find(struct pci_dev *pdev)
{
	struct plr_pci *pci;

	lockdep_assert_held(&plr_pci_lock);
	list_for_each_entry(pci, &plr_pcis, node)
		if (pci->pdev == pdev)
			return pci;

	return NULL;
}

/* Nobody has it, or the driver that leaves its registers to others. */
static bool plr_pci_may_share(struct pci_dev *pdev)
{
	struct device_driver *driver = READ_ONCE(pdev->dev.driver);

	return !driver || !strcmp(driver->name, PLR_PCI_DRIVER);
}

static void plr_pci_attach(struct pci_dev *pdev)
{
	struct plr_source source;
	struct plr_tpmi *tpmi;
	struct plr_pci *pci;

	guard(mutex)(&plr_pci_lock);
	if (plr_pci_find(pdev) || !plr_pci_may_share(pdev))
		return;
	if (plr_pci_recovers(pdev)) {
		schedule_delayed_work(&plr_pci_dwork, PLR_RECOVERY_JIFFIES);
		return;
	}
	pci = kzalloc(sizeof(*pci), GFP_KERNEL);
	if (!pci)
		return;
	if (plr_vsec_source(pdev, &source)) {
		kfree(pci);
		return;
	}
	tpmi = plr_tpmi_attach(&source);
	kfree(source.rows);
	if (IS_ERR(tpmi)) {
		kfree(pci);
		return;
	}
	pci->pdev = pdev;
	pci->tpmi = tpmi;
	list_add_tail(&pci->node, &plr_pcis);
}

static void plr_pci_forget(struct plr_pci *pci)
{
	lockdep_assert_held(&plr_pci_lock);
	list_del(&pci->node);
	plr_tpmi_detach(pci->tpmi);
	kfree(pci);
}

static void plr_pci_detach(struct pci_dev *pdev)
{
	struct plr_pci *pci;

	guard(mutex)(&plr_pci_lock);
	pci = plr_pci_find(pdev);
	if (pci)
		plr_pci_forget(pci);
}

static int plr_pci_event(struct notifier_block *nb, unsigned long action, void *data)
{
	struct pci_dev *pdev = to_pci_dev(data);

	if (!pci_match_id(plr_pci_ids, pdev))
		return NOTIFY_DONE;

	switch (action) {
	case BUS_NOTIFY_BOUND_DRIVER:
	case BUS_NOTIFY_DRIVER_NOT_BOUND:
		/* Nothing else on this function may be of use to its driver. */
		plr_pci_attach(pdev);
		break;
	case BUS_NOTIFY_BIND_DRIVER:
		if (!plr_pci_may_share(pdev))
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

static void plr_pci_attach_all(void)
{
	struct pci_dev *pdev = NULL;

	for_each_pci_dev(pdev) {
		if (!pci_match_id(plr_pci_ids, pdev))
			continue;
		/* Its driver neither comes nor goes meanwhile. */
		device_lock(&pdev->dev);
		if (device_is_registered(&pdev->dev))
			plr_pci_attach(pdev);
		device_unlock(&pdev->dev);
	}
}

static void plr_pci_again(struct work_struct *work)
{
	plr_pci_attach_all();
}

/**
 * plr_front_start() - take up TPMI devices, now and as they come
 *
 * Return: 0 or an error.
 */
int plr_front_start(void)
{
	int ret = bus_register_notifier(&pci_bus_type, &plr_pci_nb);

	if (!ret)
		plr_pci_attach_all();

	return ret;
}

/**
 * plr_front_stop() - let go of all
 */
void plr_front_stop(void)
{
	struct plr_pci *pci, *next;

	bus_unregister_notifier(&pci_bus_type, &plr_pci_nb);
	cancel_delayed_work_sync(&plr_pci_dwork);
	guard(mutex)(&plr_pci_lock);
	list_for_each_entry_safe(pci, next, &plr_pcis, node)
		plr_pci_forget(pci);
}
