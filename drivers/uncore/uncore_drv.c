// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmon_uncore: perf PMUs for the counter boxes of Intel Xeons since Sapphire
 * Rapids, found through PMON discovery.
 *
 * The PCI function with the table belongs to intel_vsec on most machines. So
 * this is no PCI driver: it looks at the function, listens to the PCI bus for
 * its removal and return, and never enables, resets or powers anything.
 * Loading reads configuration space and the tables, and writes nothing.
 *
 * The kernel's own uncore driver comes first. Unit types that it counts stay
 * with it; while any unit is served here it is kept from loading, because it
 * resets boxes before it looks which are in use.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpuhotplug.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include <compat/cleanup.h>
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
	   "serve units on CPU models that are not known, and under a hypervisor");
PMON_PARAM(unfreeze, 8, "Y",
	   "let boxes run that were frozen together when the first event is opened");
PMON_PARAM(names, 256, "",
	   "TYPE:NAME,...: unit types of the table that are boxes of these names");
PMON_PARAM(controls, 8, "8",
	   "bytes from one event control in memory to the next, where it is not certain that they have fields above bit 31: 8, or 4 and no such fields");
PMON_PARAM(placement, 16, "checked",
	   "checked: refuse units whose place is known to be something else; kernel: use them, as intel_uncore does");

module_param_named(max_units, uncore.max_units, uint, 0444);
MODULE_PARM_DESC(max_units, "units of one type that are served in a package");

/* The platform with the types that the parameter names= names. */
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
	uncore.any_place = !strcmp(placement, "kernel");
	if (uncore.any_place || !strcmp(placement, "checked"))
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
		uncore.platform = intel ? uncore_platform_guess(family, model) :
					  &uncore_platform_plain;
}

/*
 * Make of the parameters what the driver does. Returns false if it is to do
 * nothing. A parameter that makes no sense is said.
 */
static bool uncore_params_judge(void)
{
	enum pmon_mode requested;

	if (!pmon_judge_mode(KBUILD_MODNAME, mode, &requested) ||
	    requested == PMON_MODE_OFF)
		return false;
	if (!pmon_judge_flag(KBUILD_MODNAME, "generic", generic,
			     &uncore.generic) ||
	    !pmon_judge_flag(KBUILD_MODNAME, "unfreeze", unfreeze,
			     &uncore.unfreeze))
		return false;
	uncore_choose_mode(requested);
	return uncore_choose_placement() && uncore_choose_controls() &&
	       uncore_choose_names();
}

/*
 * Over looking for tables, dropping some, and showing PMUs: the directory of a
 * table has gone before that of a later one of the same function is made, and
 * no PMU goes while it is shown. Taken before uncore.lock, and by no reader of
 * a file.
 */
static DEFINE_MUTEX(uncore_tables_lock);

/* Read tables that are new, and give their boxes to PMUs. */
static int uncore_take_boxes(void)
{
	struct uncore_table *table;
	int ret;

	guard(mutex)(&uncore.lock);
	uncore.retry = false;
	if (uncore.mode == PMON_MODE_ON)
		uncore_peer_refuse();
	ret = uncore_tables_scan() ?: uncore_peer_mark();
	if (ret || uncore.mode != PMON_MODE_ON)
		return ret;
	list_for_each_entry(table, &uncore.tables, node)
		uncore_boxes_add(table);
	return 0;
}

/*
 * Unregistering PMUs waits for perf, and so does registering, so both are done
 * without uncore.lock: the order of locks in core.h.
 */
static int uncore_take_all_boxes(void)
{
	int ret;

	guard(mutex)(&uncore_tables_lock);
	ret = uncore_take_boxes();
	while (!ret && uncore.retry) {
		pmon_pmu_flush();
		ret = uncore_take_boxes();
	}
	return ret;
}

static void uncore_show(void)
{
	guard(mutex)(&uncore_tables_lock);
	uncore_boxes_show();

	guard(mutex)(&uncore.lock);
	if (!uncore_boxes_any())
		uncore_peer_admit();
}

/*
 * This module is not loaded yet, or is being unloaded. Under
 * pci_lock_rescan_remove().
 */
static bool ending = true;

static void uncore_rescan(struct work_struct *work);
static DECLARE_DELAYED_WORK(rescan_work, uncore_rescan);

static void uncore_rescan(struct work_struct *work)
{
	int ret = 0;

	/* A scan of the bus that is under way ends with all BARs assigned. */
	pci_lock_rescan_remove();
	if (!ending) {
		ret = uncore_take_all_boxes();
		uncore_show();
	}
	pci_unlock_rescan_remove();
	if (ret)
		pr_warn("a device that was added is not used: error %d\n", ret);
}

/* Look soon for what can be served now. */
static void uncore_rescan_soon(void)
{
	schedule_delayed_work(&rescan_work, 0);
}

/*
 * Drop tables of a function: those that could not be read, so that they are
 * read again, or all, if the device is @gone. Then hand the boxes back that
 * use it, where they answer, and do not touch its registers after this.
 */
static void uncore_drop(struct pci_dev *pdev, bool gone)
{
	struct uncore_table *table, *next;
	LIST_HEAD(dropped);

	mutex_lock(&uncore_tables_lock);
	mutex_lock(&uncore.lock);
	list_for_each_entry_safe(table, next, &uncore.tables, node) {
		if (gone)
			uncore_boxes_remove(table,
					    table->pdev == pdev ? NULL : pdev);
		if (table->pdev == pdev && (gone || !table->count))
			list_move_tail(&table->node, &dropped);
	}
	mutex_unlock(&uncore.lock);
	/*
	 * Without uncore.lock: readers of the table's files take it, and this
	 * waits for them and for perf.
	 */
	uncore_tables_drop(&dropped);
	mutex_unlock(&uncore_tables_lock);
}

/* The device is removed, or given to a virtual machine. */
static void uncore_remove_device(struct pci_dev *pdev)
{
	uncore_drop(pdev, true);
	pmon_pmu_flush();
}

/*
 * A driver was bound to the function, or unbound from it. If the table could
 * not be read before, try again.
 */
static void uncore_reconsider(struct pci_dev *pdev)
{
	uncore_drop(pdev, false);
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
		if (uncore_given_away(pdev))
			uncore_remove_device(pdev);
		break;
	case BUS_NOTIFY_BOUND_DRIVER:
		/* It may be awake now, or decode memory. */
		if (uncore_given_away(pdev))
			break;
		if (uncore_is_discovery(pdev))
			uncore_reconsider(pdev);
		else if (READ_ONCE(uncore.misplaced))
			uncore_rescan_soon();
		break;
	case BUS_NOTIFY_DRIVER_NOT_BOUND:
		uncore_reconsider(pdev);
		/* Its driver has the function for a moment longer. */
		mod_delayed_work(system_percpu_wq, &rescan_work, HZ);
		break;
	case BUS_NOTIFY_ADD_DEVICE:
	case BUS_NOTIFY_UNBOUND_DRIVER:
		uncore_reconsider(pdev);
		break;
	}
	return NOTIFY_DONE;
}

/*
 * A CPU is online: it may be the first of a package whose table or boxes wait
 * for one.
 */
static int uncore_cpu_online(unsigned int cpu)
{
	if (READ_ONCE(uncore.unplaced) || READ_ONCE(uncore.absent) ||
	    uncore_cpu_may_have_table(cpu))
		uncore_rescan_soon();
	return 0;
}

/* Of the callback; 0 if the parameters say that there is nothing to do. */
static enum cpuhp_state cpu_state;

static struct notifier_block pci_notifier = { .notifier_call =
						      uncore_pci_event };

static bool uncore_has_tables(void)
{
	guard(mutex)(&uncore.lock);
	return !list_empty(&uncore.tables) || uncore.unplaced;
}

/*
 * Does not fail once a PMU is shown: events may be open then, also when all
 * tables have gone meanwhile, and perf before 6.16 cannot take them away from
 * a module whose init fails.
 */
static int uncore_start(void)
{
	int ret = uncore_take_all_boxes();

	if (ret)
		return ret;
	if (!uncore_has_tables()) {
		uncore_log_no_table();
		return -ENODEV;
	}

	uncore_show();
	guard(mutex)(&uncore.lock);
	uncore_log_summary();
	return 0;
}

/*
 * Under pci_lock_rescan_remove(), so that no device is removed: the table's
 * directory has to go before its device's, and the notifier is off.
 */
static void uncore_stop(void)
{
	LIST_HEAD(gone);

	cpuhp_remove_state_nocalls(cpu_state);
	pci_lock_rescan_remove();
	ending = true;
	bus_unregister_notifier(&pci_bus_type, &pci_notifier);
	/*
	 * Waits for PMUs without boxes as well, whose last event was just
	 * closed.
	 */
	pmon_pmu_destroy_all(THIS_MODULE);
	mutex_lock(&uncore.lock);
	uncore_boxes_destroy();
	list_splice_init(&uncore.tables, &gone);
	uncore_peer_admit();
	mutex_unlock(&uncore.lock);
	uncore_tables_drop(&gone);
	pci_unlock_rescan_remove();
	uncore_peer_unwatch();
	cancel_delayed_work_sync(&rescan_work);
}

static int __init uncore_init(void)
{
	int ret;

	if (!uncore_params_judge())
		return 0;
	ret = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN,
					"perf/pmon_uncore:online",
					uncore_cpu_online, NULL);
	if (ret < 0)
		return ret;
	cpu_state = ret;
	uncore_peer_watch(uncore_rescan_soon);
	pci_lock_rescan_remove();
	bus_register_notifier(&pci_bus_type, &pci_notifier);
	ret = uncore_start();
	/* What wants a rescan meanwhile waits for the lock, as this does. */
	ending = ret;
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

/* Client processors, whose tables no PCI function has. */
#define CLIENT(_family, _model) \
	{ .vendor = X86_VENDOR_INTEL, .family = _family, .model = _model }

static const struct x86_cpu_id client_ids[] = {
	CLIENT(6, 0xcc), CLIENT(6, 0xe5), CLIENT(6, 0xd5),
	CLIENT(18, 0x01), CLIENT(18, 0x03),
	{}
};
MODULE_DEVICE_TABLE(x86cpu, client_ids);

MODULE_SOFTDEP("pre: intel_uncore");
MODULE_DESCRIPTION("Uncore PMUs found through Intel PMON discovery");
MODULE_LICENSE("GPL");
