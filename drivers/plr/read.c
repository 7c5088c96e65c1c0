// SPDX-License-Identifier: GPL-2.0-only
/*
 * Read and clear reasons for a person: the record of the driver and what
 * hardware has.
 */
#include <linux/capability.h>
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/sched/signal.h>

#include <compat/cleanup.h>

#include "plr.h"

/* A reader that finds no command left gets an answer of that age at most. */
#define PLR_ANSWER_NS	1000000000ULL
/* How long a reader waits for a command. */
#define PLR_PATIENCE_MS	2000
/* How long a clear without an effect waits for the state of the feature. */
#define PLR_STATE_JIFFIES	(HZ / 10)

/* The monitor has the greater part of the commands. */
static bool plr_has_command(struct plr_domain *domain)
{
	domain->mailbox.is_reader = true;

	return plr_mailbox_has_budget(&domain->mailbox) &&
	       (!domain->monitor.poll_ns ||
		plr_mailbox_has_reader_budget(&domain->mailbox));
}

/*
 * Lock the domain as soon as a command for a person may be given; the die needs
 * none. Returns 0 with the lock held, an error, or -EBUSY when time is over.
 */
static int plr_scope_lock(struct plr_scope *scope, unsigned int ms)
{
	struct plr_domain *domain = scope->domain;
	unsigned int waited;
	int ret;

	for (waited = 0;; waited += 10) {
		ret = mutex_lock_interruptible(&domain->lock);
		if (ret)
			return ret;
		if (scope->kind == PLR_DIE || plr_has_command(domain))
			return 0;
		mutex_unlock(&domain->lock);
		if (waited >= ms)
			return -EBUSY;
		if (msleep_interruptible(10))
			return -EINTR;
	}
}

/* What an error of the registers means for a person. */
static int plr_domain_error(struct plr_domain *domain, int ret)
{
	struct plr_device *device = domain->device;

	lockdep_assert_held(&domain->lock);
	if (!ret)
		return 0;
	/* A device that does not decode its BAR, or one that blocks reads. */
	if (ret == -EIO) {
		domain->suspect = !pmon_tpmi_is_ready(device->pdev);
		return domain->suspect ? -ENODEV : -EIO;
	}
	plr_device_check_state(device, false);

	return READ_ONCE(device->blocked) ? -EOPNOTSUPP : ret;
}

static bool plr_is_blocked(struct plr_domain *domain)
{
	struct plr_device *device = domain->device;

	if (!device || !READ_ONCE(device->blocked))
		return false;
	plr_device_check_state(device, false);

	return true;
}

/* Read the hardware of a scope. */
static int plr_hardware_read(struct plr_scope *scope, u64 *value)
{
	struct plr_domain *domain = scope->domain;
	int ret;

	if (!plr_domain_is_ready(domain))
		return -ENODEV;
	if (scope->kind == PLR_DIE)
		return plr_domain_error(domain,
					plr_die_read(&domain->mailbox, value));
	if (plr_is_blocked(domain))
		return -EOPNOTSUPP;
	domain->mailbox.timeout_ns = PLR_READER_NS;
	ret = plr_mailbox_read(&domain->mailbox, scope->part.domain,
			       scope->part.id, value);
	if (domain->mailbox.late)
		domain->monitor.late = true;

	return plr_domain_error(domain, ret);
}

static bool plr_record_is_fresh(const struct plr_scope *scope, u64 age_ns)
{
	u64 read_ns = READ_ONCE(scope->part.read_ns);

	return scope->kind != PLR_DIE && read_ns &&
	       ktime_get_ns() - read_ns <= age_ns;
}

/* Take what is known without a command, when none may be given. */
static bool plr_scope_last(struct plr_scope *scope, u64 *value)
{
	u64 answer_ns = READ_ONCE(scope->answer_ns);
	bool is_fresh = answer_ns &&
			ktime_get_ns() - answer_ns <= PLR_ANSWER_NS;

	*value = READ_ONCE(scope->part.log);
	if (is_fresh)
		*value |= READ_ONCE(scope->answer);

	return is_fresh || plr_record_is_fresh(scope, PLR_ANSWER_NS);
}

/*
 * The reasons that a person is shown, or an error of the ABI document. A module
 * that the monitor has read within its interval costs no access, and readers
 * that wait at the same time share one command. Without a command left the last
 * answer is given; a reader with CAP_PERFMON waits instead.
 */
int plr_scope_read(struct plr_scope *scope, u64 *value)
{
	unsigned int wait_ms = perfmon_capable() ? PLR_PATIENCE_MS : 0;
	struct plr_domain *domain = scope->domain;
	u64 begin_ns = ktime_get_ns();
	int ret;

	if (plr_record_is_fresh(scope, plr_watch_interval(domain) *
				       (u64)NSEC_PER_MSEC)) {
		*value = READ_ONCE(scope->part.log);
		return 0;
	}
	ret = plr_scope_lock(scope, wait_ms);
	if (ret == -EBUSY && plr_scope_last(scope, value))
		return 0;
	if (ret == -EBUSY && !wait_ms)
		ret = plr_scope_lock(scope, PLR_PATIENCE_MS);
	if (ret)
		return ret;
	if (scope->answer_ns <= begin_ns) {
		ret = plr_hardware_read(scope, value);
		if (!ret) {
			WRITE_ONCE(scope->answer, *value);
			WRITE_ONCE(scope->answer_ns, ktime_get_ns());
		}
	}
	*value = scope->answer | scope->part.log;
	mutex_unlock(&domain->lock);

	return ret;
}

/* What was read is on record before it is cleared. */
static void plr_scope_keep(struct plr_scope *scope, u64 value)
{
	struct plr_domain *domain = scope->domain;

	scope->part.log |= value;
	if (!domain->monitor.poll_ns)
		return;
	if (scope->kind == PLR_DIE)
		domain->monitor.carry |= value;
	else
		plr_monitor_note(&domain->monitor, &scope->part, value);
	plr_watch_report(domain);
}

/*
 * Clear the hardware of a scope. Returns 1 when a module has the same reasons
 * again: a limit in force, or firmware that has blocked writes.
 */
static int plr_hardware_clear(struct plr_scope *scope, u64 mask)
{
	struct plr_domain *domain = scope->domain;
	struct plr_mailbox *mailbox = &domain->mailbox;
	u64 value, again;
	int ret;

	if (plr_is_blocked(domain))
		return -EOPNOTSUPP;
	ret = plr_hardware_read(scope, &value);
	if (ret || !(value & mask))
		return ret;
	plr_scope_keep(scope, value);
	WRITE_ONCE(scope->answer_ns, 0);
	if (scope->kind == PLR_DIE) {
		plr_die_clear(mailbox);
		return 0;
	}
	/* A part may compute its die level from the modules. */
	if (!plr_die_read(mailbox, &again))
		domain->die->part.log |= again;
	ret = plr_mailbox_clear(mailbox, scope->part.domain, scope->part.id);
	if (ret)
		return plr_domain_error(domain, ret);
	ret = plr_hardware_read(scope, &again);

	return !ret && (again & mask) == (value & mask);
}

/*
 * Wait a moment for the state of the feature, without a lock. Drops the
 * reference to the device.
 */
static bool plr_device_is_blocked(struct plr_device *device)
{
	bool blocked;

	wait_for_completion_timeout(&device->state_done, PLR_STATE_JIFFIES);
	blocked = READ_ONCE(device->blocked);
	put_device(&device->dev);

	return blocked;
}

/*
 * Clear reasons by name. Hardware clears all or nothing: reasons that were not
 * named stay in the record, and after an error all of them do.
 */
int plr_scope_clear(struct plr_scope *scope, u64 mask)
{
	struct plr_domain *domain = scope->domain;
	struct plr_device *device;
	u64 before;
	int ret;

	ret = plr_scope_lock(scope, PLR_PATIENCE_MS);
	if (ret)
		return ret;
	before = scope->part.log;
	device = domain->device;
	ret = plr_hardware_clear(scope, mask);
	if (ret >= 0)
		WRITE_ONCE(scope->part.log, scope->part.log & ~mask);
	if (ret == 1) {
		plr_device_check_state(device, false);
		get_device(&device->dev);
	}
	mutex_unlock(&domain->lock);
	if (ret != 1)
		return ret;
	if (!plr_device_is_blocked(device))
		return 0;
	guard(mutex)(&domain->lock);
	WRITE_ONCE(scope->part.log, scope->part.log | before);

	return -EOPNOTSUPP;
}
