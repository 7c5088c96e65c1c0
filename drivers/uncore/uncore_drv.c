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
 * resets boxes before it looks who else uses them.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpuhotplug.h>
#include <linux/module.h>
#include <linux/kstrtox.h>
#include <linux/moduleparam.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include <asm/cpufeature.h>
#include <asm/processor.h>

#include <compat/cleanup.h>
#include <pmon/param.h>
#include <pmon/pmu.h>

#include "uncore.h"

/* So many rejected units get a line in the log; all are in sysfs. */
#define LOGGED_REJECTIONS	256

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

static uint max_units = 256;
module_param(max_units, uint, 0444);
MODULE_PARM_DESC(max_units, "units of one type that are served in a package");

/* A platform in which a person named types. */
#define NAMES_MAX	8
static struct pmon_platform named_platform;
static struct pmon_row named_rows[NAMES_MAX];

static void log_fault(const struct uncore_table *table)
{
	pr_warn("package %d: discovery table of %s is faulty: %s 0x%llx %s\n",
		table->package, table->origin, table->fault.field,
		table->fault.value, table->fault.reason);
}

static void log_rejection(const struct pmon_unit *unit)
{
	pr_warn("package %d: unit type %u id %u rejected: %s 0x%llx %s\n",
		unit->package, unit->type, unit->id, unit->fault.field,
		unit->fault.value, unit->fault.reason);
}

static void log_rejections(const struct uncore_table *table)
{
	unsigned int more = 0, logged = 0;
	size_t i;

	if (table->fault.field)
		log_fault(table);
	for (i = 0; i < table->count; i++) {
		if (!table->units[i].fault.field)
			continue;
		if (logged++ < LOGGED_REJECTIONS)
			log_rejection(&table->units[i]);
		else
			more++;
	}
	if (more)
		pr_warn("package %d: %u more units rejected, see /sys/class/pmon/%s/rejected\n",
			table->package, more, dev_name(&table->dev));
}

/* How many units of a type a package may have. */
static struct pmon_limit limit(const struct pmon_unit *unit)
{
	u32 chas = pmon_unit_kind(unit) == PMON_KIND_CHA ?
		uncore_cha_count(unit->package) : U32_MAX;

	if (chas < max_units)
		return (struct pmon_limit){ chas, "more CHAs than the package has" };
	return (struct pmon_limit){ max_units,
				    "more units of this type than max_units" };
}

/* Units of different tables must not contradict each other either. */
static int resolve(struct list_head *found)
{
	struct list_head * const lists[] = { &uncore.tables, found };
	struct uncore_table *table;
	struct pmon_unit **units;
	size_t i, j, count = 0;

	for (i = 0; i < ARRAY_SIZE(lists); i++)
		list_for_each_entry(table, lists[i], node)
			count += table->count;
	if (!count)
		return 0;
	units = kvcalloc(count, sizeof(*units), GFP_KERNEL);
	if (!units)
		return -ENOMEM;
	count = 0;
	for (i = 0; i < ARRAY_SIZE(lists); i++)
		list_for_each_entry(table, lists[i], node)
			for (j = 0; j < table->count; j++)
				units[count++] = &table->units[j];
	if (uncore.platform->repeats_ids)
		pmon_units_number(units, count);
	pmon_units_resolve(units, count, limit);
	kvfree(units);
	return 0;
}

static void drop_tables(struct list_head *tables)
{
	struct uncore_table *table, *next;

	list_for_each_entry_safe(table, next, tables, node) {
		list_del(&table->node);
		device_unregister(&table->dev);
	}
}

/* Publishes what was found; what cannot be shown in sysfs is not served. */
static void publish_tables(struct list_head *found)
{
	struct uncore_table *table, *next;

	list_for_each_entry_safe(table, next, found, node) {
		list_del(&table->node);
		if (uncore_table_publish(table)) {
			pr_warn("package %d: discovery table of %s cannot be shown in sysfs, it is not used\n",
				table->package, table->origin);
			put_device(&table->dev);
			continue;
		}
		log_rejections(table);
		list_add_tail(&table->node, &uncore.tables);
	}
}

/* What could not be known as long as no CPU of a package was online. */
static void look_closer(void)
{
	bool again = uncore.absent;
	struct uncore_table *table;
	size_t i;

	lockdep_assert_held(&uncore.lock);
	uncore.absent = false;
	list_for_each_entry(table, &uncore.tables, node) {
		if (uncore_compare_chas(table))
			log_fault(table);
		for (i = 0; i < table->count; i++)
			if (uncore_box_withdraw(table, i))
				log_rejection(&table->units[i]);
		if (again)
			uncore_boxes_describe(table);
		uncore.absent |= pmon_place_cpu(pmon_in_package(table->package)) < 0;
	}
}

static void place(struct uncore_table *table)
{
	size_t listed = table->count;

	uncore_check_placement(table, 0);
	uncore_add_free_running(table);
	uncore_check_placement(table, listed);
}

/* Reads the tables that are not known yet. */
static int scan(void)
{
	struct uncore_table *table, *next;
	bool again = uncore.unplaced;
	LIST_HEAD(found);
	int ret;

	lockdep_assert_held(&uncore.lock);
	uncore.unplaced = false;
	ret = uncore_find_tables(&found, again);
	if (!ret) {
		uncore_add_links(&found);
		list_for_each_entry(table, &found, node)
			place(table);
		ret = resolve(&found);
	}
	if (!ret) {
		publish_tables(&found);
		look_closer();
		return 0;
	}
	list_for_each_entry_safe(table, next, &found, node)
		uncore_table_free(table);
	return ret;
}

/* Serves what can be served: new tables, and PCI functions that came back. */
static void serve(void)
{
	struct uncore_table *table;

	lockdep_assert_held(&uncore.lock);
	list_for_each_entry(table, &uncore.tables, node) {
		uncore_boxes_mark(table);
		if (uncore.state == UNCORE_ON)
			uncore_boxes_add(table);
	}
}

/* Reads tables that are new, and takes boxes for what can be served. */
static int take_boxes(void)
{
	int ret;

	guard(mutex)(&uncore.lock);
	uncore.again = false;
	ret = uncore.state == UNCORE_ON ? uncore_peer_refuse() : 0;
	if (!ret)
		ret = scan();
	if (!ret)
		ret = uncore_peer_find();
	if (!ret)
		serve();
	return ret;
}

/*
 * What perf does with PMUs is waited for without the lock: see the order of
 * locks in the engine's core.h.
 */
static int look_around(void)
{
	int ret = take_boxes();

	while (!ret && uncore.again) {
		pmon_pmu_flush();
		ret = take_boxes();
	}
	uncore_boxes_show();

	guard(mutex)(&uncore.lock);
	if (!uncore_boxes_any())
		uncore_peer_admit();
	return ret;
}

/* The driver goes; under pci_lock_rescan_remove(). */
static bool ending;

static void rescan(struct work_struct *work)
{
	int ret;

	/* A scan of the bus that is under way ends with all BARs assigned. */
	pci_lock_rescan_remove();
	ret = ending ? 0 : look_around();
	pci_unlock_rescan_remove();
	if (ret)
		pr_warn("a device that was added is not used: error %d\n", ret);
}

static DECLARE_WORK(rescan_work, rescan);

/* Look soon for what can be served now. */
static void rescan_soon(void)
{
	schedule_work(&rescan_work);
}

/* The device goes, or goes to a virtual machine: touch it no more. */
static void forget(struct pci_dev *pdev)
{
	struct uncore_table *table, *next;
	LIST_HEAD(gone);

	mutex_lock(&uncore.lock);
	list_for_each_entry_safe(table, next, &uncore.tables, node) {
		if (table->pdev != pdev) {
			uncore_boxes_remove(table, pdev);
			continue;
		}
		uncore_boxes_remove(table, NULL);
		list_move_tail(&table->node, &gone);
	}
	mutex_unlock(&uncore.lock);
	/* Readers of its files want the lock, and perf must not meet it. */
	drop_tables(&gone);
	pmon_pmu_flush();
}

/* Why its table was not read may have gone with the driver: look again. */
static void reconsider(struct pci_dev *pdev)
{
	struct uncore_table *table, *next;
	LIST_HEAD(gone);

	mutex_lock(&uncore.lock);
	list_for_each_entry_safe(table, next, &uncore.tables, node)
		if (table->pdev == pdev && !table->count)
			list_move_tail(&table->node, &gone);
	mutex_unlock(&uncore.lock);
	drop_tables(&gone);
	rescan_soon();
}

static int pci_event(struct notifier_block *nb, unsigned long action,
		     void *data)
{
	struct pci_dev *pdev = to_pci_dev(data);

	if (pdev->vendor != PCI_VENDOR_ID_INTEL)
		return NOTIFY_DONE;
	switch (action) {
	case BUS_NOTIFY_DEL_DEVICE:
		forget(pdev);
		break;
	case BUS_NOTIFY_BIND_DRIVER:
		if (uncore_given_away(pdev))
			forget(pdev);
		break;
	case BUS_NOTIFY_ADD_DEVICE:
	case BUS_NOTIFY_UNBOUND_DRIVER:
		reconsider(pdev);
		break;
	}
	return NOTIFY_DONE;
}

/* It may be the first CPU of a package that something waits for. */
static int cpu_came(unsigned int cpu)
{
	if (READ_ONCE(uncore.unplaced) || READ_ONCE(uncore.absent) ||
	    uncore_cpu_may_know(cpu))
		rescan_soon();
	return 0;
}

static enum cpuhp_state cpu_state;

static struct notifier_block pci_notifier = { .notifier_call = pci_event };

static bool choose_names(void)
{
	if (!*names)
		return true;
	named_platform = *uncore.platform;
	if (!pmon_platform_names(&named_platform, names, named_rows,
				 NAMES_MAX)) {
		pr_err("names=%s is not a list of TYPE:NAME with names that %s has: doing nothing\n",
		       names, uncore.platform->name);
		return false;
	}
	uncore.platform = &named_platform;
	return true;
}

static bool choose_controls(void)
{
	if (!strcmp(controls, "4")) {
		uncore.platform = uncore.platform->narrow ?: uncore.platform;
		return true;
	}
	if (!strcmp(controls, "8"))
		return true;
	pr_err("controls=%s is neither 8 nor 4: doing nothing\n", controls);
	return false;
}

static void choose_state(bool generic)
{
	uncore.platform = pmon_platform_find(boot_cpu_data.x86,
					     boot_cpu_data.x86_model);
	uncore.state = UNCORE_ON;
	if (!strcmp(mode, "observe"))
		uncore.state = UNCORE_OBSERVE;
	else if (!generic && boot_cpu_has(X86_FEATURE_HYPERVISOR))
		uncore.state = UNCORE_HYPERVISOR;
	else if (!generic && !uncore.platform)
		uncore.state = UNCORE_UNKNOWN_MODEL;
	if (!uncore.platform)
		uncore.platform = &pmon_platform_unknown;
}

static unsigned int count_units(enum uncore_owner owner)
{
	const struct uncore_table *table;
	unsigned int units = 0;
	size_t i;

	list_for_each_entry(table, &uncore.tables, node)
		for (i = 0; i < table->count; i++)
			units += pmon_unit_good(&table->units[i]) &&
				 table->boxes[i].owner == owner;
	return units;
}

static void log_summary(void)
{
	unsigned int own = count_units(UNCORE_SELF);
	unsigned int left = count_units(UNCORE_PEER);
	unsigned int idle = count_units(UNCORE_NOBODY);

	pr_debug("%s: %u units served\n", uncore.platform->name, own);
	if (left)
		pr_info("%u units left to %s, which has PMUs for them\n", left,
			UNCORE_PEER_MODULE);
	if (uncore.state == UNCORE_UNKNOWN_MODEL && idle)
		pr_info("CPU model 0x%x is not known: %u units are listed and not served, load with generic=1 to serve them\n",
			boot_cpu_data.x86_model, idle);
	if (uncore.state == UNCORE_HYPERVISOR && idle)
		pr_info("running under a hypervisor: %u units are listed and not served, load with generic=1 to serve them\n",
			idle);
}

static int start(void)
{
	int ret = look_around();

	guard(mutex)(&uncore.lock);
	if (!ret && list_empty(&uncore.tables) && !uncore.unplaced)
		ret = -ENODEV;
	if (!ret)
		log_summary();
	return ret;
}

/*
 * No device is removed meanwhile: what is below it in sysfs has to go first, and
 * there is no notification any more.
 */
static void stop(void)
{
	LIST_HEAD(gone);

	uncore_peer_unwatch();
	cpuhp_remove_state_nocalls(cpu_state);
	pci_lock_rescan_remove();
	ending = true;
	bus_unregister_notifier(&pci_bus_type, &pci_notifier);
	/* Also PMUs without boxes, whose last event was closed just now. */
	pmon_pmu_destroy_all(THIS_MODULE);
	mutex_lock(&uncore.lock);
	uncore_boxes_destroy();
	list_splice_init(&uncore.tables, &gone);
	uncore_peer_admit();
	mutex_unlock(&uncore.lock);
	drop_tables(&gone);
	pci_unlock_rescan_remove();
	cancel_work_sync(&rescan_work);
}

static bool choose_flag(const char *name, const char *text, bool *flag)
{
	if (!kstrtobool(text, flag))
		return true;
	pr_err("%s=%s is neither Y nor N: doing nothing\n", name, text);
	return false;
}

/* A parameter that makes no sense is said, and then nothing is done. */
static bool choose(void)
{
	bool anywhere;

	if (!strcmp(mode, "off"))
		return false;
	if (strcmp(mode, "on") && strcmp(mode, "observe")) {
		pr_err("mode=%s is none of on, observe, off: doing nothing\n",
		       mode);
		return false;
	}
	if (!choose_flag("generic", generic, &anywhere) ||
	    !choose_flag("unfreeze", unfreeze, &uncore.unfreeze))
		return false;
	choose_state(anywhere);
	return choose_controls() && choose_names();
}

static int watch_and_start(void)
{
	int ret = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN,
					    "perf/pmon_uncore:online",
					    cpu_came, NULL);

	if (ret < 0)
		return ret;
	cpu_state = ret;
	uncore_peer_watch(rescan_soon);
	pci_lock_rescan_remove();
	bus_register_notifier(&pci_bus_type, &pci_notifier);
	ret = start();
	pci_unlock_rescan_remove();
	if (ret)
		stop();
	return ret;
}

static bool started;

static int __init uncore_init(void)
{
	int ret;

	if (!choose())
		return 0;
	ret = watch_and_start();
	started = !ret;
	return ret;
}
module_init(uncore_init);

static void __exit uncore_exit(void)
{
	if (started)
		stop();
}
module_exit(uncore_exit);

/*
 * For udev and modprobe only. There is no pci_driver, so that nothing is
 * bound and whoever needs the function can have it.
 */
static const struct pci_device_id discovery_ids[] = {
	{ PCI_VDEVICE(INTEL, 0x09a7) },
	{ PCI_VDEVICE(INTEL, 0x09a1) },
	{}
};
MODULE_DEVICE_TABLE(pci, discovery_ids);

MODULE_SOFTDEP("pre: intel_uncore");
MODULE_DESCRIPTION("Uncore PMUs found through Intel PMON discovery");
MODULE_LICENSE("GPL");
