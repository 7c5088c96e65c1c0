// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds out which units the kernel's own driver counts, and refuses to let it
 * load while units are served here, because it resets boxes when it loads.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/notifier.h>

#include <pmon/owner.h>

#include "uncore.h"

/* It is kept from loading. Changed under uncore.lock. */
static bool refusing;

/* Called when it goes. */
static void (*peer_gone)(void);

/*
 * Keep it from loading. That comes before the look at what it has, so that it
 * cannot come in between.
 */
void uncore_peer_refuse(void)
{
	lockdep_assert_held(&uncore.lock);
	WRITE_ONCE(refusing, true);
}

/* Let it load again, because nothing is served. */
void uncore_peer_admit(void)
{
	WRITE_ONCE(refusing, false);
}

static int uncore_mark_kind(const char *name, void *data)
{
	int kind = uncore_platform_kind(uncore.platform, name);
	struct uncore_table *table;
	struct uncore_unit *unit;
	size_t i;

	list_for_each_entry(table, &uncore.tables, node) {
		for (i = 0; kind >= 0 && i < table->count; i++) {
			unit = &table->units[i];
			if (uncore_unit_good(unit) &&
			    uncore_unit_kind(unit) == kind)
				table->boxes[i].owner = UNCORE_PEER;
		}
	}
	return 0;
}

/*
 * Note which units another driver counts: kinds of which it has PMUs. What it
 * counted can be served once it has no PMU for it.
 */
int uncore_peer_mark(void)
{
	struct uncore_table *table;
	size_t i;

	list_for_each_entry(table, &uncore.tables, node)
		for (i = 0; i < table->count; i++)
			if (table->boxes[i].owner == UNCORE_PEER)
				table->boxes[i].owner = UNCORE_NOBODY;
	return pmon_owner_each(uncore_mark_kind, NULL);
}

/*
 * The kernel's driver is being unloaded and its PMUs have left perf: serve its
 * boxes. Or it is being loaded: udev asks once for each device and CPU that it
 * fits.
 */
static int uncore_module_event(struct notifier_block *nb, unsigned long state,
			       void *data)
{
	const struct module *module = data;

	if (strcmp(module->name, UNCORE_PEER_MODULE))
		return NOTIFY_DONE;
	if (state == MODULE_STATE_GOING)
		peer_gone();
	if (state != MODULE_STATE_COMING || !READ_ONCE(refusing))
		return NOTIFY_DONE;

	pr_info_once("intel_uncore refused: pmon_uncore drives the uncore boxes\n");
	return notifier_from_errno(-EBUSY);
}

static struct notifier_block module_notifier = {
	.notifier_call = uncore_module_event,
};

/* Begin to look whether it comes or goes. */
void uncore_peer_watch(void (*gone)(void))
{
	peer_gone = gone;
	register_module_notifier(&module_notifier);
}

/* Undo uncore_peer_watch(). */
void uncore_peer_unwatch(void)
{
	unregister_module_notifier(&module_notifier);
}
