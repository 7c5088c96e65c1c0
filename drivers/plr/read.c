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

/*
 * A reader that finds no command left gets an answer that is that old at most.
 */
#define PLR_ANSWER_NS	1000000000ULL
/* How long a reader waits for a command. */
#define PLR_PATIENCE_MS	2000
/* How long a clear without an effect waits for the state of the feature. */
#define PLR_STATE_JIFFIES	(HZ / 10)

static bool plr_is_monitored(const struct plr_domain *domain)
{
	return READ_ONCE(domain->monitor.poll_ns);
}

/*
 * Whether the monitor has read the part so recently that its record is enough.
 */
static bool plr_record_is_fresh(const struct plr_scope *scope, u64 now_ns,
				u64 age_ns)
{
	u64 read_ns = READ_ONCE(scope->part.read_ns);

	return read_ns && now_ns - read_ns <= age_ns;
}

/*
 * Lock the domain as soon as a command for a person may be given; the monitor
 * has the greater part of them. Returns 0 with the lock held, an error, or
 * -EAGAIN when time is over.
 */
static int plr_lock_for_command(struct plr_domain *domain, unsigned int ms)
{
	const struct plr_mailbox *mailbox = &domain->mailbox;
	unsigned int waited;
	int ret;

	for (waited = 0;; waited += 10) {
		ret = mutex_lock_interruptible(&domain->lock);
		if (ret)
			return ret;
		domain->mailbox.is_reader = true;
		if (plr_mailbox_has_budget(mailbox) &&
		    (!plr_is_monitored(domain) ||
		     plr_mailbox_has_reader_budget(mailbox)))
			return 0;
		mutex_unlock(&domain->lock);
		if (waited >= ms)
			return -EAGAIN;
		if (msleep_interruptible(10))
			return -EINTR;
	}
}

/* What an error of the mailbox means for a person. */
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

/* Returns 0, or why nothing can be read or cleared now. */
static int plr_domain_check(struct plr_domain *domain)
{
	lockdep_assert_held(&domain->lock);
	if (!plr_domain_is_ready(domain))
		return -ENODEV;
	if (!READ_ONCE(domain->device->blocked))
		return 0;
	plr_device_check_state(domain->device, false);

	return -EOPNOTSUPP;
}

/* Read the hardware of a module or of the mesh. */
static int plr_scope_command(struct plr_scope *scope, u64 *value)
{
	struct plr_domain *domain = scope->domain;
	int ret = plr_domain_check(domain);

	if (ret)
		return ret;
	domain->mailbox.timeout_ns = PLR_READER_NS;
	ret = plr_mailbox_read(&domain->mailbox, scope->part.domain,
			       scope->part.id, value);
	if (domain->mailbox.late)
		domain->monitor.late = true;

	return plr_domain_error(domain, ret);
}

static int plr_die_show(struct plr_scope *scope, u64 *value)
{
	struct plr_domain *domain = scope->domain;
	int ret;

	ret = mutex_lock_interruptible(&domain->lock);
	if (ret)
		return ret;
	ret = -ENODEV;
	if (plr_domain_is_ready(domain))
		ret = plr_domain_error(domain,
				       plr_die_read(&domain->mailbox, value));
	mutex_unlock(&domain->lock);
	if (!ret)
		*value |= READ_ONCE(scope->part.log);

	return ret;
}

/* What is known without a command, when none may be given. */
static int plr_scope_last(struct plr_scope *scope, u64 *value)
{
	u64 now_ns = ktime_get_ns(), log = READ_ONCE(scope->part.log);
	u64 answer_ns = READ_ONCE(scope->answer_ns);

	if (answer_ns && now_ns - answer_ns <= PLR_ANSWER_NS)
		*value = log | READ_ONCE(scope->answer);
	else if (plr_record_is_fresh(scope, now_ns, PLR_ANSWER_NS))
		*value = log;
	else
		return -EAGAIN;

	return 0;
}

/*
 * The reasons that a person is shown. A module that the monitor has read within
 * its interval costs no access, and readers that wait for the mailbox at the
 * same time share one command. Without a command left in this second the last
 * answer is given; a reader with CAP_PERFMON waits instead. Returns 0, or an
 * error as the ABI document lists them.
 */
int plr_scope_read(struct plr_scope *scope, u64 *value)
{
	u64 begin_ns = ktime_get_ns(), interval_ns;
	struct plr_domain *domain = scope->domain;
	int ret;

	if (scope->kind == PLR_DIE)
		return plr_die_show(scope, value);
	interval_ns = plr_watch_interval(domain) * (u64)NSEC_PER_MSEC;
	if (plr_record_is_fresh(scope, begin_ns, interval_ns)) {
		*value = READ_ONCE(scope->part.log);
		return 0;
	}
	ret = plr_lock_for_command(domain,
				   perfmon_capable() ? PLR_PATIENCE_MS : 0);
	if (ret == -EAGAIN && !plr_scope_last(scope, value))
		return 0;
	if (ret == -EAGAIN)
		ret = plr_lock_for_command(domain, PLR_PATIENCE_MS);
	if (ret)
		return ret == -EAGAIN ? -EBUSY : ret;
	if (scope->answer_ns <= begin_ns) {
		ret = plr_scope_command(scope, value);
		if (!ret) {
			WRITE_ONCE(scope->answer, *value);
			WRITE_ONCE(scope->answer_ns, ktime_get_ns());
		}
	}
	*value = scope->answer | scope->part.log;
	mutex_unlock(&domain->lock);

	return ret;
}

/* Clear the die; what it had is not lost to the monitor. */
static int plr_die_clear_locked(struct plr_scope *scope, u64 mask)
{
	struct plr_domain *domain = scope->domain;
	u64 value;
	int ret;

	ret = plr_die_read(&domain->mailbox, &value);
	if (ret)
		return ret;
	if (value & mask) {
		scope->part.log |= value;
		if (plr_is_monitored(domain))
			domain->monitor.carry |= value;
		plr_die_clear(&domain->mailbox);
	}

	return 0;
}

/*
 * Clear a module or the mesh. Returns 1 when the same reasons are there again:
 * a limit in force, or firmware that has blocked writes.
 */
static int plr_part_clear_locked(struct plr_scope *scope, u64 mask)
{
	struct plr_domain *domain = scope->domain;
	struct plr_part *part = &scope->part;
	u64 value, again;
	int ret;

	/* A part may compute its die level from the modules. */
	if (!plr_die_read(&domain->mailbox, &value))
		domain->die->part.log |= value;
	ret = plr_scope_command(scope, &value);
	if (ret || !(value & mask))
		return ret;
	part->log |= value;
	if (plr_is_monitored(domain))
		plr_monitor_note(&domain->monitor, part, value);
	plr_watch_report(domain);
	ret = plr_mailbox_clear(&domain->mailbox, part->domain, part->id);
	if (ret)
		return plr_domain_error(domain, ret);
	WRITE_ONCE(scope->answer_ns, 0);
	ret = plr_scope_command(scope, &again);

	return !ret && (again & mask) == (value & mask);
}

static int plr_scope_clear_locked(struct plr_scope *scope, u64 mask)
{
	struct plr_domain *domain = scope->domain;
	int ret = plr_domain_check(domain);

	if (ret)
		return ret;
	if (scope->kind == PLR_DIE)
		ret = plr_domain_error(domain,
				       plr_die_clear_locked(scope, mask));
	else
		ret = plr_part_clear_locked(scope, mask);
	if (ret == 1)
		plr_device_check_state(domain->device, false);
	if (ret >= 0)
		WRITE_ONCE(scope->part.log, scope->part.log & ~mask);

	return ret;
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
 * named stay in the record. After an error all of them do. Returns 0,
 * -EOPNOTSUPP when firmware has blocked writes, or an error as for reading.
 */
int plr_scope_clear(struct plr_scope *scope, u64 mask)
{
	struct plr_domain *domain = scope->domain;
	struct plr_device *device;
	u64 before;
	int ret;

	if (scope->kind == PLR_DIE)
		ret = mutex_lock_interruptible(&domain->lock);
	else
		ret = plr_lock_for_command(domain, PLR_PATIENCE_MS);
	if (ret)
		return ret == -EAGAIN ? -EBUSY : ret;
	before = scope->part.log;
	device = domain->device;
	ret = plr_scope_clear_locked(scope, mask);
	if (ret == 1)
		get_device(&device->dev);
	mutex_unlock(&domain->lock);
	if (ret != 1)
		return ret;
	if (!plr_device_is_blocked(device))
		return 0;
	guard(mutex)(&domain->lock);
	WRITE_ONCE(scope->part.log, scope->part.log | before);

	return -EOPNOTSUPP;
}
