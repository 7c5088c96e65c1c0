// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmon_r2pcie: register perf PMUs for R2PCIe and the link layer of QPI of Xeon
 * E5 v1 to v4 and E7 v2 to v4.
 *
 * intel_uncore usually has these functions. pmon_r2pcie binds to functions that
 * a user assigns: one by one (driver_override) or all of a kind (parameters
 * r2pcie, qpi). Loading writes no register and enables no function.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cleanup.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <pmon/param.h>
#include <pmon/pmu.h>

#include "r2pcie.h"

PMON_PARAM(mode, 16, "on",
	   "on: bind functions and register PMUs; observe: log the functions, bind nothing; off: do nothing");
PMON_PARAM(r2pcie, 4, "N",
	   "Y: bind all R2PCIe functions that no driver has; pmonctl adopt r2pcie sets it");
PMON_PARAM(qpi, 4, "N",
	   "Y: bind all QPI functions that no driver has; pmonctl adopt qpi sets it");

#define R2_ID(_device) { PCI_VDEVICE(INTEL, _device) }

/* For udev and modprobe; r2_driver matches enabled_ids instead. */
static const struct pci_device_id all_ids[] = {
	R2_ID(0x3c43), R2_ID(0x0e34), R2_ID(0x2f34), R2_ID(0x6f34),
	R2_ID(0x3c41), R2_ID(0x3c42),
	R2_ID(0x0e32), R2_ID(0x0e33), R2_ID(0x0e3a),
	R2_ID(0x2f32), R2_ID(0x2f33), R2_ID(0x2f3a),
	R2_ID(0x6f32), R2_ID(0x6f33), R2_ID(0x6f3a),
	{}
};
MODULE_DEVICE_TABLE(pci, all_ids);

/* IDs that the parameters enable; if empty, only driver_override binds */
static struct pci_device_id enabled_ids[ARRAY_SIZE(all_ids)];

/* Fill enabled_ids. If a parameter is invalid, log it and return false. */
static bool r2_choose_ids(void)
{
	const struct r2_function *function;
	bool bind_r2pcie, bind_qpi;
	unsigned int i, n = 0;

	if (!pmon_check_flag(KBUILD_MODNAME, "r2pcie", r2pcie, &bind_r2pcie) ||
	    !pmon_check_flag(KBUILD_MODNAME, "qpi", qpi, &bind_qpi))
		return false;
	for (i = 0; all_ids[i].vendor; i++) {
		function = r2_function_find(all_ids[i].device);
		if (function && (function->kind == R2_KIND_QPI ? bind_qpi :
								 bind_r2pcie))
			enabled_ids[n++] = all_ids[i];
	}
	return true;
}

/* The box control has reserved bits, so all ones mean no response. */
static int r2_find_package(struct pci_dev *pdev,
			   const struct r2_function *function)
{
	const char *reason = "it does not answer";
	int package = -1;
	u32 value;

	if (!pci_read_config_dword(pdev, R2_BOX_CTL, &value) &&
	    !PCI_POSSIBLE_ERROR(value))
		package = r2_package(pdev, function, &reason);
	if (package < 0)
		pci_warn(pdev, "pmon_r2pcie: not served: %s\n", reason);
	return package;
}

/* Bind even unusable functions, else intel_uncore would register the PMU. */
static int r2_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	const struct r2_function *function = r2_function_find(pdev->device);
	struct r2_box *box;

	if (!function || pdev->vendor != PCI_VENDOR_ID_INTEL)
		return -ENODEV;
	box = kzalloc(sizeof(*box), GFP_KERNEL);
	if (!box)
		return -ENOMEM;
	box->pdev = pdev;
	box->function = function;
	box->package = r2_find_package(pdev, function);
	pci_set_drvdata(pdev, box);
	guard(mutex)(&r2.lock);
	list_add_tail(&box->node, &r2.boxes);
	r2_pmus_update();
	return 0;
}

static void r2_remove(struct pci_dev *pdev)
{
	struct r2_box *box = pci_get_drvdata(pdev);

	guard(mutex)(&r2.lock);
	r2_pmus_remove(box);
	list_del(&box->node);
	kfree(box);
}

static struct pci_driver r2_driver = {
	.name = R2_DRIVER,
	.id_table = enabled_ids,
	.probe = r2_probe,
	.remove = r2_remove,
	.driver.probe_type = PROBE_FORCE_SYNCHRONOUS,
};

static void r2_log_unbound(bool observe)
{
	unsigned int boxes = 0, bound = 0;
	struct pci_dev *pdev = NULL;

	for_each_pci_dev(pdev) {
		if (pdev->vendor != PCI_VENDOR_ID_INTEL ||
		    !r2_function_find(pdev->device))
			continue;
		boxes++;
		if (READ_ONCE(pdev->dev.driver) == &r2_driver.driver)
			bound++;
	}
	if (observe)
		pr_info("observing %u functions of R2PCIe and QPI\n", boxes);
	else if (boxes > bound)
		pr_info("%u of %u functions of R2PCIe and QPI are left to others; pmonctl adopt hands them over\n",
			boxes - bound, boxes);
}

static bool registered;

static int r2_register_driver(void)
{
	int ret;

	if (!r2_choose_ids())
		return 0;
	ret = pci_register_driver(&r2_driver);
	if (ret) {
		/* functions may have been bound before the failure */
		pmon_pmu_destroy_all(THIS_MODULE);
		return ret;
	}
	registered = true;
	scoped_guard(mutex, &r2.lock) {
		r2.probed = true;
		r2_pmus_update();
	}
	r2_log_unbound(false);
	return 0;
}

static int __init r2_init(void)
{
	enum pmon_mode requested;

	if (!pmon_check_mode(KBUILD_MODNAME, mode, &requested))
		return 0;
	if (requested == PMON_MODE_ON)
		return r2_register_driver();
	if (requested == PMON_MODE_OBSERVE)
		r2_log_unbound(true);
	return 0;
}
module_init(r2_init);

static void __exit r2_exit(void)
{
	if (!registered)
		return;
	/* r2_remove() resets used boxes */
	pci_unregister_driver(&r2_driver);
	pmon_pmu_destroy_all(THIS_MODULE);
}
module_exit(r2_exit);

MODULE_DESCRIPTION("Counters of R2PCIe and QPI (Xeon E5 v1 to v4, E7 v2 to v4)");
MODULE_AUTHOR("The openpmon project");
MODULE_VERSION(PMON_VERSION);
MODULE_LICENSE("GPL");
