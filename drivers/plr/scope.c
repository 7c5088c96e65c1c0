// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads and clears the reasons of one directory for its files: hardware's and
 * the log's. The watch, watch.c, does so by itself.
 */
#include <linux/ktime.h>
#include <linux/pci.h>
#include <linux/sysfs.h>
#include <linux/workqueue.h>

#include <pmon/plr_reasons.h>

#include "pass.h"
#include "plr.h"

/**
 * plr_domain_reachable() - may the registers be read?
 * @domain: the domain
 *
 * Return: false when the kernel knows the device to be asleep or lost, or the
 * device itself says so after it has answered all ones or was frozen: it is not
 * touched then, and not woken.
 */
bool plr_domain_reachable(struct plr_domain *domain)
{
	if (pci_channel_offline(domain->pdev)) {
		/*
		 * Since Linux 6.18 and 6.12.58 the kernel calls the function
		 * normal again before its driver has brought it back.
		 */
		WRITE_ONCE(domain->suspect, true);
		return false;
	}
	if (domain->pdev->current_state == PCI_D3hot ||
	    domain->pdev->current_state == PCI_D3cold)
		return false;

	return !READ_ONCE(domain->suspect) || plr_pci_ready(domain->pdev);
}

/**
 * plr_domain_error() - what a failed access means
 * @domain: the domain
 * @ret: its error, -EIO for all ones
 *
 * All ones mean a device that does not decode its BAR (gone, asleep): ENODEV.
 * From a device that is there they mean that firmware blocks reads: EIO.
 *
 * Return: the error for user space.
 */
int plr_domain_error(struct plr_domain *domain, int ret)
{
	/*
	 * Only after all ones: a read of configuration space at each access
	 * would cost more than the access.
	 */
	if (ret == -EIO || domain->suspect)
		WRITE_ONCE(domain->suspect, ret == -EIO);

	return ret == -EIO && !plr_pci_ready(domain->pdev) ? -ENODEV : ret;
}

/**
 * plr_domain_modules() - note what is to be read
 * @domain: the domain, locked; its modules are put into @watched
 *
 * Module 0 comes last: until another has answered, its echo proves nothing.
 *
 * Return: how many.
 */
unsigned int plr_domain_modules(struct plr_domain *domain)
{
	unsigned int module, count = 0;
	struct plr_scope *scope;

	for (module = plr_domain_bound(domain); module--; ) {
		scope = plr_core(domain, module);
		if (scope)
			domain->watched[count++] = scope;
	}

	return count;
}

/**
 * plr_domain_writes_blocked() - has firmware blocked writes?
 * @domain: the domain, locked
 * @age_ns: so old may the answer be, 0 for a user of a file
 *
 * The log says once that they are.
 *
 * Return: 1 or 0, or an error when firmware does not say.
 */
int plr_domain_writes_blocked(struct plr_domain *domain, u64 age_ns)
{
	if (!domain->asked_ns || ktime_get_ns() - domain->asked_ns >= age_ns) {
		domain->blocked = domain->feature->blocked(domain->feature);
		/* It may take longer than that. */
		domain->asked_ns = ktime_get_ns();
	}
	if (domain->blocked > 0 && !domain->told_blocked) {
		dev_warn(&domain->dev, "firmware has blocked writes, reasons of modules are not known\n");
		domain->told_blocked = true;
	}

	return domain->blocked;
}

/**
 * plr_domain_judge_writes() - has a command had no effect as it is blocked?
 * @domain: the domain, locked
 * @ret: -EOPNOTSUPP when a command seems to have had no effect, or another
 *	result
 * @watching: the watch asks, not a reader of a file
 *
 * Only firmware knows. Where it does not say, what is known is that the command
 * had no effect.
 *
 * Return: -EBUSY or -ETIMEDOUT for -EOPNOTSUPP when writes are not blocked,
 * otherwise @ret.
 */
int plr_domain_judge_writes(struct plr_domain *domain, int ret, bool watching)
{
	u64 age_ns = watching ? PLR_STATE_NS : 0;

	if (ret != -EOPNOTSUPP || plr_domain_writes_blocked(domain, age_ns))
		return ret;

	return plr_mailbox_is_shared(&domain->mailbox) ? -EBUSY : -ETIMEDOUT;
}

/**
 * plr_domain_judge_mesh() - hardware may have been asked for the mesh
 * @domain: the domain, locked
 *
 * The specification has the mesh; which parts have one is not documented. A
 * domain that has never answered for it, but does for its cores, is not asked
 * again.
 */
void plr_domain_judge_mesh(struct plr_domain *domain)
{
	if (!domain->mailbox.mesh_lost || domain->mesh_silent)
		return;
	dev_info(&domain->dev, "the mesh does not answer, not shown\n");
	/*
	 * By a work item: the caller may be reading a file of that directory.
	 */
	WRITE_ONCE(domain->mesh_silent, true);
	schedule_work(&domain->mesh_work);
}

/**
 * plr_scope_notify() - wake those who poll reasons or active
 * @scope: the directory
 */
void plr_scope_notify(struct plr_scope *scope)
{
	if (scope->reasons)
		sysfs_notify_dirent(scope->reasons);
	if (scope->active)
		sysfs_notify_dirent(scope->active);
}

/**
 * plr_scope_target() - how the mailbox knows a directory
 * @scope: a mesh or core
 *
 * Return: a target to be read.
 */
struct plr_target plr_scope_target(const struct plr_scope *scope)
{
	return (struct plr_target){
		.domain = scope->kind == PLR_SCOPE_MESH ? PLR_DOMAIN_MESH :
							  PLR_DOMAIN_CORE,
		.id = scope->id,
	};
}

/*
 * Read the hardware of @scope, and clear it if it has one of the reasons in
 * @clear.
 */
static int plr_scope_access(struct plr_scope *scope, u64 clear, u64 *value)
{
	struct plr_mailbox *mailbox = &scope->domain->mailbox;
	struct plr_target target;
	struct plr_pass pass;
	int ret;

	if (scope->kind == PLR_SCOPE_DIE) {
		ret = plr_die_read(mailbox, value);
		if (!ret && (*value & clear))
			plr_die_clear(mailbox);
		return ret;
	}

	target = plr_scope_target(scope);
	target.clear = clear;
	plr_pass_begin(&pass, mailbox, &target, 1);
	plr_pass_run(&pass, mailbox->wait);
	*value = target.value;

	return target.ret;
}

/**
 * plr_domain_check_mesh() - the mesh has answered all ones, or not at all
 * @domain: the domain, locked
 * @module: one of its modules
 * @ret: -EIO or -ETIMEDOUT
 *
 * Does that stand for all of the mailbox, or for a device that has just gone?
 * Not when a module that is asked after the mesh answers; nor is it asked when
 * the mesh has answered before, and is there. Whether a mesh that is slow will
 * ever answer is up to the mailbox.
 */
void plr_domain_check_mesh(struct plr_domain *domain, struct plr_scope *module,
			   int ret)
{
	u64 value;

	if (ret == -EIO && domain->mailbox.mesh_answered)
		return;
	if (!plr_scope_access(module, 0, &value) && ret == -EIO)
		domain->mailbox.mesh_lost = true;
}

/*
 * A file of the mesh has had it asked: if it did not answer, ask a module,
 * which also leaves the mailbox free. Else a command that never ends may stay
 * there.
 */
static void plr_scope_check_mesh(struct plr_scope *scope, int ret)
{
	struct plr_domain *domain = scope->domain;

	if (scope->kind == PLR_SCOPE_MESH && ret &&
	    (ret == -EIO || domain->mailbox.unsettled) &&
	    plr_domain_modules(domain))
		plr_domain_check_mesh(domain, domain->watched[0], ret);
	plr_domain_judge_mesh(domain);
}

/*
 * Read hardware for all readers that wait. @started tells a reader that comes
 * later that it needs another read.
 */
static int plr_scope_fetch(struct plr_scope *scope)
{
	struct plr_domain *domain = scope->domain;
	u64 value;

	plr_scope_begin(scope);
	scope->ret = plr_scope_access(scope, 0, &value);
	scope->ret = plr_domain_judge_writes(domain, scope->ret, false);
	if (!scope->ret)
		scope->shown = plr_log_shown(scope->log, value);
	plr_scope_check_mesh(scope, scope->ret);

	return scope->ret;
}

/**
 * plr_scope_read() - what a reader is shown
 * @scope: the directory
 * @value: all reasons since they were last cleared
 *
 * Readers that wait for the mailbox at the same time share one access: what
 * was asked of hardware after a reader came is an answer to it.
 *
 * Return: 0, or an error as the ABI document lists them.
 */
int plr_scope_read(struct plr_scope *scope, u64 *value)
{
	struct plr_domain *domain = scope->domain;
	u64 ticket = READ_ONCE(scope->started);
	int ret;

	if (!plr_domain_reachable(domain))
		return -ENODEV;

	ret = mutex_lock_interruptible(&domain->lock);
	if (ret)
		return ret;
	if (scope->started == ticket)
		plr_scope_fetch(scope);
	ret = scope->ret;
	*value = scope->shown;
	mutex_unlock(&domain->lock);

	return plr_domain_error(domain, ret);
}

/*
 * A clear that has changed nothing fails only if firmware says why. Else this
 * returns 1: the reasons are in force, or those of the die's modules.
 */
static int plr_die_judge_clear(struct plr_domain *domain, u64 before)
{
	int ret = plr_die_keeps(&domain->mailbox, before);

	if (ret <= 0)
		return ret;

	return plr_domain_writes_blocked(domain, 0) > 0 ? -EOPNOTSUPP : 1;
}

/* Keep on record what hardware has now, and may not have after this. */
static void plr_scope_keep(struct plr_scope *scope, u64 value)
{
	plr_log_keep(scope->log, value, ktime_get_boottime_ns());
}

/*
 * Before a module or the mesh is cleared: keep the die level in the die's log,
 * because a part may compute it from the modules.
 */
static void plr_die_keep(struct plr_domain *domain)
{
	u64 value;

	if (!plr_die_read(&domain->mailbox, &value))
		plr_scope_keep(domain->die, value);
}

static int plr_scope_clear_locked(struct plr_scope *scope, u64 mask)
{
	struct plr_domain *domain = scope->domain;
	u64 value = 0, now = ktime_get_boottime_ns();
	int ret;

	if (scope->kind != PLR_SCOPE_DIE)
		plr_die_keep(domain);
	ret = plr_scope_access(scope, mask, &value);
	/* Also if the clear has failed: it may take effect later. */
	if (value & mask)
		plr_scope_keep(scope, value);
	/*
	 * The die level that was cleared no longer shows that a module has
	 * reasons, so the next tick reads the modules for their watchers.
	 */
	if (value & mask && scope->kind == PLR_SCOPE_DIE)
		plr_tick_owe(&domain->tick);
	if (scope->kind != PLR_SCOPE_DIE)
		ret = plr_domain_judge_writes(domain, ret, false);
	else if (!ret && value & mask)
		ret = plr_die_judge_clear(domain, value);
	plr_scope_check_mesh(scope, ret);
	if (ret < 0)
		return ret;
	/*
	 * What hardware has from here on may have come at any time since @now;
	 * what the die still has, since hardware was last without it.
	 */
	plr_log_clear(scope->log, mask, ret ? scope->log->looked_ns : now);
	if (!ret && (value & mask || !value))
		plr_log_note_look(scope->log, now);
	WRITE_ONCE(scope->log->cleared_ns, now);

	return 0;
}

/**
 * plr_scope_clear() - clear reasons by name
 * @scope: the directory
 * @mask: which
 *
 * Hardware clears all or nothing: what was not asked for stays in the software
 * log. After an error nothing is forgotten.
 *
 * Return: 0, -EOPNOTSUPP when firmware has blocked writes, or an error as for
 * reading.
 */
int plr_scope_clear(struct plr_scope *scope, u64 mask)
{
	struct plr_domain *domain = scope->domain;
	int ret;

	if (!plr_domain_reachable(domain))
		return -ENODEV;

	ret = mutex_lock_interruptible(&domain->lock);
	if (ret)
		return ret;
	ret = plr_scope_clear_locked(scope, mask);
	mutex_unlock(&domain->lock);

	return plr_domain_error(domain, ret);
}
