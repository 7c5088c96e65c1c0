// SPDX-License-Identifier: GPL-2.0-only
/*
 * What outlives a domain. Its logs and its interval: what hardware was cleared
 * of is on record until a person clears it, also when the device goes (its
 * driver is unbound, an error makes it start anew) and returns. And the time
 * that reasons have limited its modules: events that have ended stay open, and
 * may be enabled again when the device is back. So ledgers stay until this
 * module goes.
 */
#include <linux/mutex.h>
#include <linux/slab.h>

#include <compat/cleanup.h>

#include "plr.h"

/* Protects the list, and the making of ledgers and meters. */
static DEFINE_MUTEX(plr_ledger_lock);
static LIST_HEAD(plr_ledgers);

static struct plr_ledger *plr_ledger_look_up(u8 package, u8 id)
{
	struct plr_ledger *ledger;

	lockdep_assert_held(&plr_ledger_lock);
	list_for_each_entry(ledger, &plr_ledgers, node)
		if (ledger->package == package && ledger->id == id)
			return ledger;

	return NULL;
}

/**
 * plr_ledger_find() - the ledger of a domain that is there, or has been
 * @package: package id
 * @id: power domain
 *
 * Return: the ledger or NULL.
 */
struct plr_ledger *plr_ledger_find(u8 package, u8 id)
{
	guard(mutex)(&plr_ledger_lock);
	return plr_ledger_look_up(package, id);
}

/**
 * plr_ledger_get() - the ledger of a domain that comes
 * @package: package id
 * @id: power domain
 *
 * Return: the ledger, a new one if need be, or NULL without memory.
 */
struct plr_ledger *plr_ledger_get(u8 package, u8 id)
{
	struct plr_ledger *ledger;

	guard(mutex)(&plr_ledger_lock);
	ledger = plr_ledger_look_up(package, id);
	if (ledger)
		return ledger;
	ledger = kzalloc(sizeof(*ledger), GFP_KERNEL);
	if (!ledger)
		return NULL;
	ledger->package = package;
	ledger->id = id;
	ledger->max_commands = PLR_MAX_COMMANDS;
	list_add_tail(&ledger->node, &plr_ledgers);

	return ledger;
}

/**
 * plr_ledger_meter() - the meter of a module
 * @ledger: of its domain
 * @module: the module
 *
 * Return: the meter, made for the first event of the module, or NULL without
 * memory.
 */
struct plr_meter *plr_ledger_meter(struct plr_ledger *ledger, u8 module)
{
	struct plr_meter *meter;

	guard(mutex)(&plr_ledger_lock);
	meter = ledger->meter[module];
	if (meter)
		return meter;
	meter = kzalloc(sizeof(*meter), GFP_KERNEL);
	if (!meter)
		return NULL;
	meter->ledger = ledger;
	/* Pairs with plr_watch_count(), which adds to it without the lock. */
	smp_store_release(&ledger->meter[module], meter);

	return meter;
}

/**
 * plr_ledger_log() - the log of a directory of reasons
 * @ledger: of its domain
 * @kind: die, mesh or core
 * @id: module
 *
 * Return: the log, with a history if there is memory for one.
 */
struct plr_log *plr_ledger_log(struct plr_ledger *ledger, enum plr_scope_kind kind, u8 id)
{
	struct plr_log *log = &ledger->core[id];

	if (kind == PLR_SCOPE_DIE)
		log = &ledger->die;
	else if (kind == PLR_SCOPE_MESH)
		log = &ledger->mesh;
	/* It stays as long as the ledger; one directory at a time has the log. */
	if (!log->history)
		log->history = kzalloc(sizeof(*log->history), GFP_KERNEL);

	return log;
}

/**
 * plr_ledgers_free() - no domain and no event is left, and none will come
 */
void plr_ledgers_free(void)
{
	struct plr_ledger *ledger, *next;
	unsigned int module;

	list_for_each_entry_safe(ledger, next, &plr_ledgers, node) {
		for (module = 0; module < PLR_MODULES; module++) {
			kfree(ledger->meter[module]);
			kfree(ledger->core[module].history);
		}
		kfree(ledger->die.history);
		kfree(ledger->mesh.history);
		list_del(&ledger->node);
		kfree(ledger);
	}
}
