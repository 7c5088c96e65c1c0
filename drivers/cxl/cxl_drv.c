// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmon_cxl: register perf PMUs of CXL memory devices.
 *
 * cxl_pci owns the PCI function. A notifier of the PCI bus adds PMUs after
 * cxl_pci is bound and removes them before cxl_pci is unbound. Functions are
 * never enabled, reset or powered, and no interrupt is used. Loading reads
 * configuration space and capabilities, and writes nothing.
 *
 * A CPMU whose device on the CXL bus is bound to cxl_pmu is left to cxl_pmu: a
 * notifier of the CXL bus removes the PMU before a bind and adds the PMU after
 * an unbind. While this driver has a PMU, loading cxl_pmu is refused.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include <compat/workqueue.h>

#include <pmon/param.h>
#include <pmon/pmu.h>

#include "cxl.h"

#define IN_TREE_MODULE		"cxl_pmu"
/* PCI class: memory controller, CXL, programming interface of CXL */
#define CLASS_MEMORY		0x050210

PMON_PARAM(mode, 16, "on",
	   "on: register PMUs; observe: read capabilities and report, register nothing; off: do nothing");
PMON_PARAM(unbound, 4, "0",
	   "1: also CPMUs of root ports, of switches' ports and of functions that no driver has");

/*
 * Create the PMUs of a function; the device lock prevents an unbind meanwhile.
 * Return true if the caller has to repeat the call after pmon_pmu_flush().
 */
static bool cxl_scan_function(struct pci_dev *pdev)
{
	struct cxl_cpmu *cpmu;
	bool again = false;
	int ret = 0;

	device_lock(&pdev->dev);
	mutex_lock(&cxl.lock);
	if (cxl_may_read(pdev))
		ret = cxl_discover(pdev);
	if (ret)
		pci_warn(pdev, "pmon_cxl: not all of its CPMUs are served: error %d\n",
			 ret);
	list_for_each_entry(cpmu, &cxl.cpmus, node)
		if (cpmu->pdev == pdev &&
		    cxl_pmu_add(cpmu))
			again = true;
	mutex_unlock(&cxl.lock);
	device_unlock(&pdev->dev);
	return again;
}

/* Check @pdev without its device lock, which a driver may hold for long. */
static bool cxl_may_have_cpmus(struct pci_dev *pdev)
{
	unsigned int number;

	return cxl_find_memdev(pdev, &number) ||
	       (cxl.unbound && pci_is_pcie(pdev) &&
		!cxl_has_other_driver(pdev));
}

static bool cxl_scan_all(void)
{
	struct pci_dev *pdev = NULL;
	bool again = false;

	for_each_pci_dev(pdev)
		if (cxl_may_have_cpmus(pdev) && cxl_scan_function(pdev))
			again = true;
	return again;
}

/* Find a PMU to register after the unlock; @registering keeps its CPMU. */
static struct pmon_pmu *cxl_begin_register(struct cxl_cpmu **found)
{
	struct cxl_cpmu *cpmu;

	guard(mutex)(&cxl.lock);
	list_for_each_entry(cpmu, &cxl.cpmus, node) {
		if (!cpmu->pmu || cpmu->registered)
			continue;
		cpmu->registering = true;
		*found = cpmu;
		return cpmu->pmu;
	}
	return NULL;
}

static void cxl_end_register(struct cxl_cpmu *cpmu, int ret)
{
	guard(mutex)(&cxl.lock);
	cpmu->registering = false;
	cpmu->registered = true;
	if (ret && ret != -ENODEV) {
		pr_warn("%s cannot be registered: error %d\n", cpmu->name, ret);
		cpmu->error = ret;
		cxl_pmu_destroy(cpmu);
	}
	/* cxl_remove_function() ran meanwhile, and did not free the CPMU. */
	if (list_empty(&cpmu->node))
		cxl_cpmu_free(cpmu);
}

static struct cxl_cpmu *cxl_find_cpmu(const struct device *dev)
{
	struct cxl_cpmu *cpmu;

	list_for_each_entry(cpmu, &cxl.cpmus, node)
		if (dev->parent == &cpmu->pdev->dev &&
		    !strcmp(dev_name(dev), cxl_device_name(cpmu)))
			return cpmu;
	return NULL;
}

static int cxl_bus_event(struct notifier_block *nb, unsigned long action,
			 void *data)
{
	bool bind = action == BUS_NOTIFY_BIND_DRIVER;

	scoped_guard(mutex, &cxl.lock) {
		struct cxl_cpmu *cpmu = cxl_find_cpmu(data);

		if (!cpmu)
			return NOTIFY_DONE;
		if (bind)
			cxl_pmu_yield(cpmu);
	}
	if (bind)
		pmon_pmu_flush();
	else if (action == BUS_NOTIFY_UNBOUND_DRIVER)
		schedule_delayed_work(&cxl.rescan, 0);
	else if (action == BUS_NOTIFY_DRIVER_NOT_BOUND)
		/* dev->driver is cleared only later, so scan in a second. */
		mod_delayed_work(system_percpu_wq, &cxl.rescan, HZ);
	return NOTIFY_DONE;
}

static struct notifier_block bus_notifier = { .notifier_call = cxl_bus_event };

static void cxl_watch_bus(void)
{
	if (cxl.bus || cxl.observe)
		return;
	cxl.bus = symbol_get(cxl_bus_type);
	if (cxl.bus)
		bus_register_notifier(cxl.bus, &bus_notifier);
}

static void cxl_unwatch_bus(void)
{
	if (!cxl.bus)
		return;
	bus_unregister_notifier(cxl.bus, &bus_notifier);
	symbol_put(cxl_bus_type);
}

/* A CPMU may wait for the PMU's name. Called by drivers/core without a lock. */
static void cxl_pmu_unregistered(void)
{
	schedule_delayed_work(&cxl.rescan, 0);
}

static void cxl_rescan(struct work_struct *work)
{
	struct cxl_cpmu *cpmu;
	struct pmon_pmu *pmu;

	cxl_watch_bus();
	while (cxl_scan_all())
		pmon_pmu_flush();
	while ((pmu = cxl_begin_register(&cpmu)))
		cxl_end_register(cpmu, pmon_pmu_register(pmu));
}

/*
 * Destroy the PMUs of a function; used counters are reset if the device
 * responds. No register is accessed after the return.
 */
static void cxl_remove_function(struct pci_dev *pdev)
{
	struct cxl_cpmu *cpmu, *next;
	bool any = false;

	mutex_lock(&cxl.lock);
	list_for_each_entry_safe(cpmu, next, &cxl.cpmus, node) {
		if (cpmu->pdev != pdev)
			continue;
		any = true;
		list_del_init(&cpmu->node);
		cxl_pmu_destroy(cpmu);
		if (!cpmu->registering)
			cxl_cpmu_free(cpmu);
	}
	mutex_unlock(&cxl.lock);
	if (any)
		pmon_pmu_flush();
}

static int cxl_pci_event(struct notifier_block *nb, unsigned long action,
			 void *data)
{
	struct pci_dev *pdev = to_pci_dev(data);
	unsigned int number;

	switch (action) {
	case BUS_NOTIFY_BIND_DRIVER:
	case BUS_NOTIFY_UNBIND_DRIVER:
	case BUS_NOTIFY_DEL_DEVICE:
	case BUS_NOTIFY_REMOVED_DEVICE:
		cxl_remove_function(pdev);
		break;
	case BUS_NOTIFY_BOUND_DRIVER:
		if (cxl.unbound || cxl_find_memdev(pdev, &number))
			schedule_delayed_work(&cxl.rescan, 0);
		break;
	case BUS_NOTIFY_DRIVER_NOT_BOUND:
		/* dev->driver is cleared only later, so scan in a second. */
		if (cxl.unbound)
			mod_delayed_work(system_percpu_wq, &cxl.rescan, HZ);
		break;
	case BUS_NOTIFY_ADD_DEVICE:
	case BUS_NOTIFY_UNBOUND_DRIVER:
		if (cxl.unbound)
			schedule_delayed_work(&cxl.rescan, 0);
		break;
	}
	return NOTIFY_DONE;
}

/* Refuse cxl_pmu, which would bind to all CPMUs and register the same names. */
static int cxl_module_event(struct notifier_block *nb, unsigned long state,
			    void *data)
{
	const struct module *module = data;

	if (state != MODULE_STATE_COMING ||
	    strcmp(module->name, IN_TREE_MODULE) ||
	    !pmon_pmu_exists(THIS_MODULE))
		return NOTIFY_DONE;
	pr_info_once("cxl_pmu refused: pmon_cxl drives the CPMUs\n");
	return notifier_from_errno(-EBUSY);
}

static struct notifier_block pci_notifier = { .notifier_call = cxl_pci_event };

static struct notifier_block module_notifier = {
	.notifier_call = cxl_module_event,
};

/* Return false for mode=off, and for an invalid value, which is logged. */
static bool cxl_parse_params(void)
{
	enum pmon_mode requested;

	if (!pmon_check_mode(KBUILD_MODNAME, mode, &requested) ||
	    requested == PMON_MODE_OFF)
		return false;
	cxl.observe = requested == PMON_MODE_OBSERVE;
	return pmon_check_flag(KBUILD_MODNAME, "unbound", unbound,
			       &cxl.unbound);
}

static bool started;

static int __init cxl_init(void)
{
	int ret;

	started = cxl_parse_params();
	if (!started)
		return 0;
	INIT_DELAYED_WORK(&cxl.rescan, cxl_rescan);
	cxl.pmu_unregistered = cxl_pmu_unregistered;
	ret = cxl_device_add();
	if (ret)
		return ret;
	register_module_notifier(&module_notifier);
	bus_register_notifier(&pci_bus_type, &pci_notifier);
	schedule_delayed_work(&cxl.rescan, 0);
	flush_delayed_work(&cxl.rescan);
	return 0;
}
module_init(cxl_init);

static void __exit cxl_exit(void)
{
	struct cxl_cpmu *cpmu, *next;

	if (!started)
		return;
	scoped_guard(mutex, &cxl.lock)
		cxl.observe = true;
	unregister_module_notifier(&module_notifier);
	cancel_delayed_work_sync(&cxl.rescan);
	/* Watch the PCI and CXL buses until the last counter is reset. */
	scoped_guard(mutex, &cxl.lock)
		list_for_each_entry(cpmu, &cxl.cpmus, node)
			cxl_pmu_destroy(cpmu);
	bus_unregister_notifier(&pci_bus_type, &pci_notifier);
	cxl_unwatch_bus();
	pmon_pmu_destroy_all(THIS_MODULE);
	/* The end of a PMU may have queued the work. */
	cancel_delayed_work_sync(&cxl.rescan);
	cxl_device_remove();
	list_for_each_entry_safe(cpmu, next, &cxl.cpmus, node)
		cxl_cpmu_free(cpmu);
	cxl_types_free();
}
module_exit(cxl_exit);

/* Alias for udev and modprobe; there is no pci_driver. */
static const struct pci_device_id memory_devices[] = {
	{ PCI_DEVICE_CLASS(CLASS_MEMORY, ~0) },
	{}
};
MODULE_DEVICE_TABLE(pci, memory_devices);

MODULE_DESCRIPTION("Counters of CXL memory devices");
MODULE_AUTHOR("The openpmon project");
MODULE_VERSION(PMON_VERSION);
MODULE_LICENSE("GPL");
