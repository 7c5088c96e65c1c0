// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds out which units the kernel's own driver counts, and refuses to let it
 * load while units are served here, because it resets boxes when it loads.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitmap.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/notifier.h>

#include <pmon/owner.h>

#include "uncore.h"

static struct pmon_refusal refusal = {
	.module = UNCORE_PEER_MODULE,
	.reason = "pmon_uncore drives the uncore boxes",
};

static bool refusing;

/* Called when it goes. */
static void (*peer_gone)(void);

/* The kinds of units that the kernel's driver has PMUs for. */
static DECLARE_BITMAP(peer_kinds, UNCORE_KINDS);

/*
 * Keep it from loading. That comes before the look at what it has, so that it
 * cannot come in between.
 */
int uncore_peer_refuse(void)
{
	int ret;

	lockdep_assert_held(&uncore.lock);
	if (refusing)
		return 0;
	ret = pmon_refuse(&refusal);
	refusing = !ret;
	return ret;
}

/* Let it load again, because nothing is served. */
void uncore_peer_admit(void)
{
	if (refusing)
		pmon_unrefuse(&refusal);
	refusing = false;
}

static int uncore_note_kind(const char *name, void *data)
{
	int kind = uncore_platform_kind(uncore.platform, name);

	if (kind >= 0)
		__set_bit(kind, peer_kinds);
	return 0;
}

/* Look which kinds of units have PMUs of another driver. */
int uncore_peer_find(void)
{
	bitmap_zero(peer_kinds, UNCORE_KINDS);
	return pmon_owner_each(uncore_note_kind, NULL);
}

bool uncore_peer_counts(const struct uncore_unit *unit)
{
	return test_bit(uncore_unit_kind(unit), peer_kinds);
}

/*
 * The kernel's driver is being unloaded and its PMUs have left perf: serve its
 * boxes.
 */
static int uncore_module_event(struct notifier_block *nb, unsigned long state,
			       void *data)
{
	const struct module *module = data;

	if (state == MODULE_STATE_GOING &&
	    !strcmp(module->name, UNCORE_PEER_MODULE))
		peer_gone();
	return NOTIFY_DONE;
}

static struct notifier_block module_notifier = {
	.notifier_call = uncore_module_event,
};

/* Begin to look whether it goes. */
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
