// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is saved of a domain while its device is gone (the driver was unbound,
 * or an error makes it start anew): the logs, because what the hardware was
 * cleared of is on record until a person clears it; the interval; and the time
 * that reasons have limited its modules, because events that have ended stay
 * open and may be enabled again when the device is back. It is freed with this
 * module.
 */
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include <compat/cleanup.h>

#include "plr.h"

/*
 * Protects the list, the allocation of its entries and their meters, and which
 * of them are awaited.
 */
static DEFINE_MUTEX(plr_saved_lock);
static LIST_HEAD(plr_all_saved);

static struct plr_saved *plr_saved_look_up(u8 package, u8 id)
{
	struct plr_saved *saved;

	lockdep_assert_held(&plr_saved_lock);
	list_for_each_entry(saved, &plr_all_saved, node)
		if (saved->package == package && saved->id == id)
			return saved;

	return NULL;
}

/**
 * plr_saved_find() - what is saved of a domain that is there, or has been
 * @package: package id
 * @id: power domain
 *
 * Return: it, or NULL.
 */
struct plr_saved *plr_saved_find(u8 package, u8 id)
{
	guard(mutex)(&plr_saved_lock);
	return plr_saved_look_up(package, id);
}

/**
 * plr_saved_get() - what is saved of a domain that comes
 * @package: package id
 * @id: power domain
 *
 * Return: the saved, a new one if need be, or NULL without memory.
 */
struct plr_saved *plr_saved_get(u8 package, u8 id)
{
	struct plr_saved *saved;

	guard(mutex)(&plr_saved_lock);
	saved = plr_saved_look_up(package, id);
	if (saved)
		return saved;
	saved = kzalloc(sizeof(*saved), GFP_KERNEL);
	if (!saved)
		return NULL;
	saved->package = package;
	saved->id = id;
	saved->max_commands = PLR_MAX_COMMANDS;
	list_add_tail(&saved->node, &plr_all_saved);

	return saved;
}

/**
 * plr_saved_meter() - the meter of a module
 * @saved: of its domain
 * @module: the module
 *
 * Return: the meter, made for the first event of the module, or NULL without
 * memory.
 */
struct plr_meter *plr_saved_meter(struct plr_saved *saved, u8 module)
{
	struct plr_meter *meter;

	guard(mutex)(&plr_saved_lock);
	meter = saved->meter[module];
	if (meter)
		return meter;
	meter = kzalloc(sizeof(*meter), GFP_KERNEL);
	if (!meter)
		return NULL;
	meter->saved = saved;
	/* Pairs with plr_watch_meter(), whose callers do not have this lock. */
	smp_store_release(&saved->meter[module], meter);

	return meter;
}

/**
 * plr_saved_log() - the log of a directory of reasons
 * @saved: of its domain
 * @kind: die, mesh or core
 * @id: module
 *
 * Return: the log, with a history if there is memory for one.
 */
struct plr_log *plr_saved_log(struct plr_saved *saved, enum plr_scope_kind kind,
			      u8 id)
{
	struct plr_log *log = &saved->core[id];

	if (kind == PLR_SCOPE_DIE)
		log = &saved->die;
	else if (kind == PLR_SCOPE_MESH)
		log = &saved->mesh;
	/*
	 * Freed with @saved. No lock is needed, because only one directory at a
	 * time has the log.
	 */
	if (!log->history)
		log->history = kzalloc(sizeof(*log->history), GFP_KERNEL);

	return log;
}

/* Called when a domain may be late. NULL where nothing is counted. */
static void (*plr_saved_late_fn)(void);

static void plr_saved_look(struct work_struct *work);
static DECLARE_DELAYED_WORK(plr_saved_work, plr_saved_look);

static void plr_saved_look(struct work_struct *work)
{
	plr_saved_late_fn();
	if (plr_saved_awaits())
		schedule_delayed_work(&plr_saved_work, HZ);
}

/**
 * plr_saved_await_begin() - before the first domain
 * @late: called without locks while a domain is awaited, once a second; for
 *	plr_saved_late()
 */
void plr_saved_await_begin(void (*late)(void))
{
	plr_saved_late_fn = late;
}

/**
 * plr_saved_await_end() - no domain is left
 */
void plr_saved_await_end(void)
{
	cancel_delayed_work_sync(&plr_saved_work);
}

/**
 * plr_saved_await() - a domain has gone or has an error: its events wait
 * @saved: of the domain
 * @patience: for so long, in jiffies
 */
void plr_saved_await(struct plr_saved *saved, unsigned long patience)
{
	if (!plr_saved_late_fn)
		return;
	scoped_guard(mutex, &plr_saved_lock) {
		WRITE_ONCE(saved->awaited, true);
		saved->back_by = jiffies + patience;
	}
	schedule_delayed_work(&plr_saved_work, HZ);
}

/**
 * plr_saved_await_cancel() - a domain is there, has gone for good, or has no
 *	event that counts: it is not awaited any more
 * @saved: of the domain
 */
void plr_saved_await_cancel(struct plr_saved *saved)
{
	if (!READ_ONCE(saved->awaited))
		return;
	guard(mutex)(&plr_saved_lock);
	WRITE_ONCE(saved->awaited, false);
}

/**
 * plr_saved_awaits() - is a domain awaited?
 *
 * Return: whether one is.
 */
bool plr_saved_awaits(void)
{
	struct plr_saved *saved;

	guard(mutex)(&plr_saved_lock);
	list_for_each_entry(saved, &plr_all_saved, node)
		if (saved->awaited)
			return true;

	return false;
}

/**
 * plr_saved_late() - a domain that has not come back in time
 *
 * Return: what is saved of one, which is not awaited any more, or NULL.
 */
struct plr_saved *plr_saved_late(void)
{
	struct plr_saved *saved;

	guard(mutex)(&plr_saved_lock);
	list_for_each_entry(saved, &plr_all_saved, node) {
		if (!saved->awaited || time_before(jiffies, saved->back_by))
			continue;
		WRITE_ONCE(saved->awaited, false);
		return saved;
	}

	return NULL;
}

/**
 * plr_saved_free() - no domain and no event is left, and none will come
 */
void plr_saved_free(void)
{
	struct plr_saved *saved, *next;
	unsigned int module;

	list_for_each_entry_safe(saved, next, &plr_all_saved, node) {
		for (module = 0; module < PLR_MODULES; module++) {
			kfree(saved->meter[module]);
			kfree(saved->core[module].history);
		}
		kfree(saved->die.history);
		kfree(saved->mesh.history);
		list_del(&saved->node);
		kfree(saved);
	}
}
