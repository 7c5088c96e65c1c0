// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mark the units that intel_uncore counts. While this driver has PMUs, refuse
 * to load intel_uncore, because it resets all boxes and registers equal names.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/notifier.h>

#include <pmon/owner.h>
#include <pmon/pmu.h>

#include "uncore.h"

/* A scan may create PMUs. Scans are serialised by uncore_tables_lock. */
static bool block_load;

static void (*unload_callback)(void);

/* Refuse to load intel_uncore from now on. Called before units are marked. */
void uncore_intel_block(void)
{
	WRITE_ONCE(block_load, true);
}

/* From now on refuse to load intel_uncore only while this driver has PMUs. */
void uncore_intel_unblock(void)
{
	WRITE_ONCE(block_load, false);
}

static int uncore_intel_mark_kind(const char *name, void *data)
{
	int kind = uncore_platform_kind(uncore.platform, name);
	struct uncore_table *table;
	struct uncore_unit *unit;
	size_t i;

	list_for_each_entry(table, &uncore.tables, node) {
		for (i = 0; kind >= 0 && i < table->count; i++) {
			unit = &table->units[i];
			/* a box that this driver counts with stays its own */
			if (uncore_unit_good(unit) && !table->boxes[i].pmu &&
			    (kind == UNCORE_KIND_UNKNOWN ||
			     uncore_unit_kind(unit) == kind))
				table->boxes[i].owner = UNCORE_OWNER_INTEL;
		}
	}
	return 0;
}

/*
 * Mark the units of each kind for which perf has another driver's PMU, and
 * unmark all others. Called with uncore.lock.
 */
int uncore_intel_mark_units(void)
{
	struct uncore_table *table;
	size_t i;

	list_for_each_entry(table, &uncore.tables, node)
		for (i = 0; i < table->count; i++)
			if (table->boxes[i].owner == UNCORE_OWNER_INTEL)
				table->boxes[i].owner = UNCORE_OWNER_NONE;
	return pmon_owner_each(uncore_intel_mark_kind, NULL);
}

/*
 * At MODULE_STATE_GOING perf has no PMU of intel_uncore any more. Log a refusal
 * once, because udev requests the module for each device and CPU that matches.
 */
static int uncore_module_event(struct notifier_block *nb, unsigned long state,
			       void *data)
{
	const struct module *module = data;

	if (strcmp(module->name, UNCORE_INTEL_MODULE))
		return NOTIFY_DONE;
	if (state == MODULE_STATE_GOING)
		unload_callback();
	if (state != MODULE_STATE_COMING ||
	    !(READ_ONCE(block_load) || pmon_pmu_exists(THIS_MODULE)))
		return NOTIFY_DONE;

	pr_info_once("intel_uncore refused: pmon_uncore drives the uncore boxes\n");
	return notifier_from_errno(-EBUSY);
}

static struct notifier_block module_notifier = {
	.notifier_call = uncore_module_event,
};

/* Call @on_unload when intel_uncore is unloaded. */
void uncore_intel_register_notifier(void (*on_unload)(void))
{
	unload_callback = on_unload;
	register_module_notifier(&module_notifier);
}

void uncore_intel_unregister_notifier(void)
{
	unregister_module_notifier(&module_notifier);
}
