// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmon_uncore: register perf PMUs for counter boxes of Intel processors since
 * Sapphire Rapids, found through PMON discovery.
 *
 * There is no pci_driver, because intel_vsec usually drives the function with
 * the table. A notifier of the PCI bus reports added and removed functions; no
 * function is enabled, reset or resumed. Loading writes no register.
 *
 * Unit types that intel_uncore counts stay with intel_uncore. While this driver
 * has PMUs, loading intel_uncore is refused, because a load resets all boxes.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cleanup.h>
#include <linux/cpuhotplug.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include <compat/workqueue.h>

#include <asm/cpu_device_id.h>
#include <asm/cpufeature.h>
#include <asm/processor.h>

#include <pmon/param.h>
#include <pmon/pmu.h>

#include "uncore.h"

PMON_PARAM(mode, 16, "on",
	   "on: register PMUs; observe: read tables and report, register nothing; off: do nothing");
PMON_PARAM(generic, 8, "N",
	   "Y: serve CPU models that are not known, and under a hypervisor, too");
PMON_PARAM(names, 256, "",
	   "TYPE:NAME,...: unit types of the table that are boxes of these names");
PMON_PARAM(controls, 8, "8",
	   "bytes from one event control in memory to the next, where it is not certain that they have fields above bit 31: 8, or 4 and no such fields");
PMON_PARAM(placement, 16, "checked",
	   "checked: refuse units whose place is known to be something else; kernel: use them, as intel_uncore does");

module_param_named(max_units, uncore.max_units, uint, 0444);
MODULE_PARM_DESC(max_units, "units of one type that are served in a package");

/* Copy of the platform, changed by names= */
#define NAMES_MAX	8
static struct uncore_platform named_platform;
static struct uncore_row named_rows[NAMES_MAX];

static bool uncore_choose_names(void)
{
	if (!*names)
		return true;
	named_platform = *uncore.platform;
	if (!uncore_platform_names(&named_platform, names, named_rows,
				   NAMES_MAX)) {
		pr_err("names=%s is not a list of TYPE:NAME with names that %s has: doing nothing\n",
		       names, uncore.platform->name);
		return false;
	}
	uncore.platform = &named_platform;
	return true;
}

static bool uncore_choose_controls(void)
{
	if (strcmp(controls, "8") && strcmp(controls, "4")) {
		pr_err("controls=%s is neither 8 nor 4: doing nothing\n",
		       controls);
		return false;
	}
	if (*controls == '4')
		uncore.platform = uncore_platform_narrow(uncore.platform);
	return true;
}

static bool uncore_choose_placement(void)
{
	uncore.kernel_placement = !strcmp(placement, "kernel");
	if (uncore.kernel_placement || !strcmp(placement, "checked"))
		return true;
	pr_err("placement=%s is neither checked nor kernel: doing nothing\n",
	       placement);
	return false;
}

static void uncore_choose_mode(enum pmon_mode requested)
{
	bool anywhere = uncore.generic;
	u8 family = boot_cpu_data.x86, model = boot_cpu_data.x86_model;
	bool intel = boot_cpu_data.x86_vendor == X86_VENDOR_INTEL;

	uncore.platform = intel ? uncore_platform_find(family, model) : NULL;
	uncore.mode = pmon_mode_here(requested, !anywhere &&
				     boot_cpu_has(X86_FEATURE_HYPERVISOR),
				     anywhere || uncore.platform);
	if (!uncore.platform)
		uncore.platform = intel ?
			uncore_platform_fallback(family, model) :
			&uncore_platform_plain;
}

static bool uncore_parse_params(void)
{
	enum pmon_mode requested;

	if (!pmon_check_mode(KBUILD_MODNAME, mode, &requested) ||
	    requested == PMON_MODE_OFF)
		return false;
	if (!pmon_check_flag(KBUILD_MODNAME, "generic", generic,
			     &uncore.generic))
		return false;
	uncore_choose_mode(requested);
	return uncore_choose_placement() && uncore_choose_controls() &&
	       uncore_choose_names();
}

/*
 * Serialises scans, removal of tables and registration of PMUs. So the
 * directory of a table is removed before its PCI function gets a new table, and
 * no PMU is removed while being registered. Taken before uncore.lock. Readers
 * of sysfs files never take this lock.
 */
static DEFINE_MUTEX(uncore_tables_lock);

static int uncore_scan_once(void)
{
	struct uncore_table *table;
	int ret;

	guard(mutex)(&uncore.lock);
	uncore.retry = false;
	uncore.waits = false;
	WRITE_ONCE(uncore.waiting, true);
	if (uncore.mode == PMON_MODE_ON)
		uncore_intel_block();
	ret = uncore_tables_scan() ?: uncore_intel_mark_units();
	if (ret || uncore.mode != PMON_MODE_ON)
		return ret;
	list_for_each_entry(table, &uncore.tables, node)
		uncore_boxes_add(table);
	WRITE_ONCE(uncore.waiting, uncore.waits);
	return 0;
}

/*
 * Scan; repeat this while perf still has an old PMU of a needed name. Flush
 * PMUs without uncore.lock: see the order of locks in drivers/core/core.h.
 */
static int uncore_scan(void)
{
	int ret;

	guard(mutex)(&uncore_tables_lock);
	ret = uncore_scan_once();
	while (!ret && uncore.retry) {
		pmon_pmu_flush();
		ret = uncore_scan_once();
	}
	return ret;
}

static void uncore_finish_scan(void)
{
	guard(mutex)(&uncore_tables_lock);
	uncore_pmus_register();
	uncore_intel_unblock();
}

/* True during load and unload; protected by pci_lock_rescan_remove(). */
static bool inactive = true;

static void uncore_rescan(struct work_struct *work);
static DECLARE_DELAYED_WORK(rescan_work, uncore_rescan);

static void uncore_rescan(struct work_struct *work)
{
	int ret = 0;

	/* Wait until a scan of the bus has assigned all BARs. */
	pci_lock_rescan_remove();
	if (!inactive) {
		ret = uncore_scan();
		uncore_finish_scan();
	}
	pci_unlock_rescan_remove();
	if (ret)
		pr_warn("a device that was added is not used: error %d\n", ret);
}

static void uncore_rescan_soon(void)
{
	schedule_delayed_work(&rescan_work, 0);
}

static void uncore_pmu_unregistered(void)
{
	if (READ_ONCE(uncore.waiting))
		uncore_rescan_soon();
}

/*
 * If the function is @removed, remove all its tables and boxes; boxes that
 * respond are reset, and no register is accessed after the return. Otherwise
 * remove only tables without units, so that a scan reads them again.
 */
static void uncore_remove_tables(struct pci_dev *pdev, bool removed)
{
	struct uncore_table *table, *next;
	LIST_HEAD(dropped);

	mutex_lock(&uncore_tables_lock);
	mutex_lock(&uncore.lock);
	list_for_each_entry_safe(table, next, &uncore.tables, node) {
		if (removed)
			uncore_boxes_remove(table,
					    table->pdev == pdev ? NULL : pdev);
		if (table->pdev == pdev && (removed || !table->count))
			list_move_tail(&table->node, &dropped);
	}
	mutex_unlock(&uncore.lock);
	/* waits for readers of sysfs files, which take uncore.lock */
	uncore_tables_remove(&dropped);
	mutex_unlock(&uncore_tables_lock);
}

static void uncore_remove_device(struct pci_dev *pdev)
{
	uncore_remove_tables(pdev, true);
	pmon_pmu_flush();
}

static void uncore_reread_table(struct pci_dev *pdev)
{
	uncore_remove_tables(pdev, false);
	uncore_rescan_soon();
}

static int uncore_pci_event(struct notifier_block *nb, unsigned long action,
			    void *data)
{
	struct pci_dev *pdev = to_pci_dev(data);

	if (pdev->vendor != PCI_VENDOR_ID_INTEL)
		return NOTIFY_DONE;
	switch (action) {
	case BUS_NOTIFY_DEL_DEVICE:
		uncore_remove_device(pdev);
		break;
	case BUS_NOTIFY_BIND_DRIVER:
		if (uncore_is_in_vm(pdev))
			uncore_remove_device(pdev);
		break;
	case BUS_NOTIFY_BOUND_DRIVER:
		/* the driver may have set D0 or enabled memory decoding */
		if (uncore_is_in_vm(pdev))
			break;
		if (uncore_is_discovery(pdev))
			uncore_reread_table(pdev);
		else if (READ_ONCE(uncore.temporary_faults))
			uncore_rescan_soon();
		break;
	case BUS_NOTIFY_DRIVER_NOT_BOUND:
		uncore_remove_tables(pdev, false);
		/* dev->driver is cleared only later, so scan in a second */
		mod_delayed_work(system_percpu_wq, &rescan_work, HZ);
		break;
	case BUS_NOTIFY_ADD_DEVICE:
	case BUS_NOTIFY_UNBOUND_DRIVER:
		uncore_reread_table(pdev);
		break;
	}
	return NOTIFY_DONE;
}

static int uncore_cpu_online(unsigned int cpu)
{
	if (READ_ONCE(uncore.package_unknown) ||
	    READ_ONCE(uncore.package_offline) || uncore_cpu_may_have_table(cpu))
		uncore_rescan_soon();
	return 0;
}

/* State of the CPU hotplug callback; 0 if the module does nothing */
static enum cpuhp_state cpu_state;

static struct notifier_block pci_notifier = { .notifier_call =
						      uncore_pci_event };

static bool uncore_has_tables(void)
{
	guard(mutex)(&uncore.lock);
	return !list_empty(&uncore.tables) || uncore.package_unknown;
}

/*
 * Scan, then register PMUs. Never fail after that, because events may be open
 * and perf before 6.16 cannot close events of a module whose init fails.
 */
static int uncore_start(void)
{
	int ret = uncore_scan();

	if (ret)
		return ret;
	if (!uncore_has_tables()) {
		uncore_log_no_table();
		return -ENODEV;
	}

	uncore_finish_scan();
	guard(mutex)(&uncore.lock);
	uncore_log_summary();
	return 0;
}

/*
 * Hold pci_lock_rescan_remove(), so that no device is removed without the
 * notifier. A table's directory must be removed before its device's directory.
 */
static void uncore_stop(void)
{
	LIST_HEAD(removed);

	cpuhp_remove_state_nocalls(cpu_state);
	pci_lock_rescan_remove();
	inactive = true;
	bus_unregister_notifier(&pci_bus_type, &pci_notifier);
	/* also waits for the end of PMUs that have neither boxes nor events */
	pmon_pmu_destroy_all(THIS_MODULE);
	mutex_lock(&uncore.lock);
	uncore_boxes_destroy();
	list_splice_init(&uncore.tables, &removed);
	mutex_unlock(&uncore.lock);
	uncore_tables_remove(&removed);
	pci_unlock_rescan_remove();
	uncore_intel_unregister_notifier();
	cancel_delayed_work_sync(&rescan_work);
}

static int __init uncore_init(void)
{
	int ret;

	if (!uncore_parse_params())
		return 0;
	ret = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN,
					"perf/pmon_uncore:online",
					uncore_cpu_online, NULL);
	if (ret < 0)
		return ret;
	cpu_state = ret;
	uncore.pmu_unregistered = uncore_pmu_unregistered;
	uncore_intel_register_notifier(uncore_rescan_soon);
	pci_lock_rescan_remove();
	bus_register_notifier(&pci_bus_type, &pci_notifier);
	ret = uncore_start();
	/* uncore_rescan() reads @inactive after this unlock */
	inactive = ret;
	pci_unlock_rescan_remove();
	if (ret)
		uncore_stop();
	return ret;
}
module_init(uncore_init);

static void __exit uncore_exit(void)
{
	if (cpu_state)
		uncore_stop();
}
module_exit(uncore_exit);

/* Match client processors by CPU, because no PCI function has their table. */
#define CLIENT(_family, _model) \
	{ .vendor = X86_VENDOR_INTEL, .family = _family, .model = _model }

static const struct x86_cpu_id client_ids[] = {
	CLIENT(6, 0xcc), CLIENT(6, 0xe5), CLIENT(6, 0xd5),
	CLIENT(18, 0x01), CLIENT(18, 0x03),
	{}
};
MODULE_DEVICE_TABLE(x86cpu, client_ids);

MODULE_DESCRIPTION("Counters of Intel uncore boxes (PMON discovery)");
MODULE_AUTHOR("The openpmon project");
MODULE_VERSION(PMON_VERSION);
MODULE_LICENSE("GPL");
