// SPDX-License-Identifier: GPL-2.0-only
/*
 * Access to the registers of a domain: by its work item, which polls it while
 * it has a consumer (the file interval_ms, the tracepoint, events of perf), and
 * by readers of reasons and writers of clear.
 */
#include <linux/capability.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/sysfs.h>

#include <compat/cleanup.h>
#include <compat/workqueue.h>

#include "plr.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/* How often the state of the feature is read at most: others use it, too. */
#define PLR_STATE_NS	NSEC_PER_SEC
/* How old a reading is that is shown again, and how long one is waited for. */
#define PLR_ANSWER_NS	1000000000ULL
#define PLR_WAIT_MS	2000
/* How often a limit is logged at most. */
#define PLR_LOG_NS	(60ULL * NSEC_PER_SEC)
/* How long after that a reader or a clear waits for it. */
#define PLR_STATE_WAIT_NS	(NSEC_PER_SEC / 10)

static atomic_t plr_trace_users;

static void plr_sleep_us(unsigned int us)
{
	usleep_range(us, us * 2);
}

const struct plr_wait plr_wait = {
	.now_ns = ktime_get_ns,
	.boot_ns = ktime_get_boottime_ns,
	.sleep_us = plr_sleep_us,
};

/* A function that sleeps, is offline or decodes no BAR is not touched. */
static bool plr_domain_check_ready(struct plr_domain *domain)
{
	struct pci_dev *pdev;

	lockdep_assert_held(&domain->lock);
	if (!domain->device)
		return false;
	pdev = domain->device->pdev;
	if (pci_channel_offline(pdev)) {
		/* Called normal again before its driver has restored it. */
		domain->suspect = true;
		return false;
	}
	if (pdev->current_state == PCI_D3hot ||
	    pdev->current_state == PCI_D3cold)
		return false;
	if (domain->suspect)
		domain->suspect = !pmon_tpmi_is_ready(pdev);
	return !domain->suspect;
}

void plr_device_set_blocked(struct plr_device *device, bool blocked)
{
	if (blocked && !device->blocked)
		dev_warn(&device->dev, "PLR: writes blocked by firmware, reasons of modules not known\n");
	WRITE_ONCE(device->blocked, blocked);
}

/*
 * Find out whether firmware has blocked the feature. state_work asks TPMI's
 * control mailbox, which may take seconds: only a reader of a file waits.
 * Kernels without TPMI have to try a write.
 */
static void plr_domain_check_state(struct plr_domain *domain)
{
	struct plr_device *device = domain->device;
	u64 now_ns = ktime_get_ns();
	bool blocked;

	lockdep_assert_held(&domain->lock);
	if (device->state_ns && now_ns - device->state_ns < PLR_STATE_NS)
		return;
	device->state_ns = now_ns;
	if (!device->get_blocked) {
		blocked = !plr_mailbox_test_write(&domain->mailbox);
		plr_device_set_blocked(device, blocked);
		return;
	}
	reinit_completion(&device->state_done);
	queue_work(system_dfl_wq, &device->state_work);
}

/* Whether commands leave the mailbox as it would be if writes were blocked. */
static bool plr_domain_is_unmoved(const struct plr_domain *domain)
{
	return domain->device->get_blocked ? domain->mailbox.unmoved :
					    domain->mailbox.ignored;
}

/* The shortest interval of a domain's consumers in ms, 0 without any. */
unsigned int plr_domain_interval(const struct plr_domain *domain)
{
	unsigned int ms = READ_ONCE(domain->interval_ms);

	if (atomic_read(&domain->events) || atomic_read(&plr_trace_users))
		ms = ms ? min_t(unsigned int, ms, PLR_EVENT_MS) : PLR_EVENT_MS;
	return ms;
}

/*
 * The coarse reasons at which modules are read: those of the file gate, those
 * that events are open for, and those that have no name on this processor.
 */
static u64 plr_domain_gate(const struct plr_domain *domain)
{
	u64 gate = READ_ONCE(domain->gate) |
		   (PLR_COARSE_MASK & ~plr_reasons_coarse());
	unsigned int bit;

	for (bit = 0; bit < PLR_COARSE_BITS; bit++)
		if (atomic_read(&domain->reason_events[bit]))
			gate |= BIT_ULL(bit);
	return gate;
}

/* Poll a domain now if it has a consumer. Any context with interrupts on. */
void plr_domain_kick(struct plr_domain *domain)
{
	if (plr_domain_interval(domain))
		mod_delayed_work(system_dfl_wq, &domain->work, 0);
}

/* Poll now, and wait for it. A poll without a consumer ends monitoring. */
void plr_domain_update(struct plr_domain *domain)
{
	mod_delayed_work(system_dfl_wq, &domain->work, 0);
	/* Not flush_delayed_work(), which has the next poll run as well. */
	flush_work(&domain->work.work);
}

void plr_scope_notify(struct plr_scope *scope)
{
	if (scope->reasons)
		sysfs_notify_dirent(scope->reasons);
	if (scope->active)
		sysfs_notify_dirent(scope->active);
}

static const char * const plr_kind_names[] = {
	[PLR_DIE] = "die", [PLR_MESH] = "mesh", [PLR_MODULE] = "core",
};

/* One line a minute, of what is not normal on a loaded host. */
static void plr_scope_log(struct plr_scope *scope, u64 fresh)
{
	struct plr_domain *domain = scope->domain;
	u64 now_ns = ktime_get_ns();

	fresh &= plr_reasons_unusual();
	if (!fresh || (domain->logged_ns &&
		       now_ns - domain->logged_ns < PLR_LOG_NS))
		return;
	domain->logged_ns = now_ns;
	plr_reasons_format(fresh, domain->fresh, sizeof(domain->fresh));
	dev_warn(&domain->dev, "PLR: %s limited by %s\n",
		 kobject_name(&scope->kobj), domain->fresh);
}

static void plr_scope_report(struct plr_scope *scope)
{
	struct plr_domain *domain = scope->domain;
	const struct plr_record *record = &scope->record;
	u64 fresh = record->active & ~scope->reported;
	u64 ended = scope->reported & ~record->active;

	if (!fresh && !ended && record->known == scope->reported_known)
		return;
	scope->reported = record->active;
	scope->reported_known = record->known;
	plr_scope_notify(scope);
	plr_scope_log(scope, fresh);
	if (!(fresh | ended) || !trace_plr_reasons_enabled())
		return;
	plr_reasons_format(fresh, domain->fresh, sizeof(domain->fresh));
	plr_reasons_format(ended, domain->ended, sizeof(domain->ended));
	trace_plr_reasons(domain->package, domain->id,
			  plr_kind_names[scope->kind], record->id,
			  record->active, fresh, ended, domain->fresh,
			  domain->ended);
}

void plr_domain_report(struct plr_domain *domain)
{
	struct plr_monitor *monitor = &domain->monitor;
	unsigned int i;

	lockdep_assert_held(&domain->lock);
	for (i = 0; i < monitor->count; i++)
		plr_scope_report(container_of(monitor->records[i],
					      struct plr_scope, record));
	plr_scope_report(domain->die);
}

static void plr_domain_poll(struct plr_domain *domain, unsigned int ms)
{
	struct plr_monitor *monitor = &domain->monitor;
	struct plr_device *device = domain->device;
	bool blocked;

	lockdep_assert_held(&domain->lock);
	if (!ms || !plr_domain_check_ready(domain)) {
		plr_monitor_stop(monitor);
		return;
	}
	blocked = READ_ONCE(device->blocked);
	if (blocked ||
	    (device->get_blocked && (!monitor->primed || monitor->late)))
		plr_domain_check_state(domain);
	if (blocked) {
		plr_monitor_stop(monitor);
		return;
	}
	domain->mailbox.is_reader = false;
	domain->mailbox.unmoved = false;
	monitor->gate = plr_domain_gate(domain);
	monitor->ids = monitor->alone ? plr_domain_modules(domain) : 0;
	if (plr_monitor_poll(monitor, ms * (u64)NSEC_PER_MSEC))
		domain->suspect = true;
	if (plr_domain_is_unmoved(domain))
		plr_domain_check_state(domain);
}

/*
 * The time until the next poll, which is never early to make up for a late one.
 * A die level that was cleared at the end of a long poll needs time to show
 * what is in force.
 */
static unsigned long plr_domain_delay(u64 begin_ns, unsigned int ms)
{
	u64 period_ns = ms * (u64)NSEC_PER_MSEC;
	u64 took_ns = min(ktime_get_ns() - begin_ns, period_ns / 2);

	return usecs_to_jiffies((period_ns - took_ns) / NSEC_PER_USEC);
}

void plr_domain_work(struct work_struct *work)
{
	struct plr_domain *domain = container_of(to_delayed_work(work),
						 struct plr_domain, work);
	unsigned int ms = plr_domain_interval(domain);
	u64 begin_ns;

	guard(mutex)(&domain->lock);
	begin_ns = ktime_get_ns();
	plr_domain_poll(domain, ms);
	plr_domain_report(domain);
	if (ms)
		queue_delayed_work(system_dfl_wq, &domain->work,
				   plr_domain_delay(begin_ns, ms));
}

/*
 * The tracepoint makes the driver work, so it needs the right that an event
 * needs. A trigger does not keep the module by itself.
 */
int plr_trace_reg(void)
{
	struct plr_domain *domain;

	if (!perfmon_capable())
		return -EACCES;
	if (!try_module_get(THIS_MODULE))
		return -ENODEV;
	atomic_inc(&plr_trace_users);
	list_for_each_entry_rcu(domain, &plr_domains, node, true)
		plr_domain_kick(domain);
	return 0;
}

void plr_trace_unreg(void)
{
	atomic_dec(&plr_trace_users);
	/* The kernel holds event_mutex, which the freeing of a module takes. */
	module_put(THIS_MODULE);
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
		domain->mailbox.is_reader = true;
		domain->mailbox.is_limited = domain->monitor.poll_ns &&
			(domain->monitor.behind || !perfmon_capable());
		if (scope->kind == PLR_DIE ||
		    plr_mailbox_has_budget(&domain->mailbox))
			return 0;
		mutex_unlock(&domain->lock);
		if (waited >= ms)
			return -EBUSY;
		if (msleep_interruptible(10))
			return -EINTR;
	}
}

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
	plr_domain_check_state(domain);
	return READ_ONCE(device->blocked) ? -EOPNOTSUPP : ret;
}

static int plr_hardware_read(struct plr_scope *scope, u64 *value)
{
	struct plr_domain *domain = scope->domain;
	int ret;

	if (!plr_domain_check_ready(domain))
		return -ENODEV;
	domain->mailbox.unmoved = false;
	if (scope->kind == PLR_DIE)
		return plr_domain_error(domain,
					plr_die_read(&domain->mailbox, value));
	if (READ_ONCE(domain->device->blocked)) {
		plr_domain_check_state(domain);
		return -EOPNOTSUPP;
	}
	ret = plr_mailbox_read(&domain->mailbox, scope->record.domain,
			       scope->record.id, value);
	domain->monitor.late |= domain->mailbox.late;
	return plr_domain_error(domain, ret);
}

/*
 * Whether writes are blocked: a command that clears would be taken for done,
 * and what another has left for the answer. Waits a moment, without a lock.
 */
static bool plr_domain_check_blocked(struct plr_domain *domain)
{
	struct plr_device *device;
	bool blocked;
	s64 left_ns;

	scoped_guard(mutex, &domain->lock) {
		device = domain->device;
		if (!plr_domain_check_ready(domain))
			return false;
		plr_domain_check_state(domain);
		left_ns = device->state_ns + PLR_STATE_WAIT_NS - ktime_get_ns();
		get_device(&device->dev);
	}
	if (left_ns > 0)
		wait_for_completion_timeout(&device->state_done,
					    nsecs_to_jiffies(left_ns));
	blocked = READ_ONCE(device->blocked);
	put_device(&device->dev);
	return blocked;
}

/* Whether a command may be given: not one for the mesh without mesh=1. */
static bool plr_scope_is_used(const struct plr_scope *scope)
{
	return scope->kind != PLR_MESH || plr_mesh;
}

/* Whether what was read at @ns may be shown: not cleared since, nor older. */
static bool plr_scope_is_fresh(const struct plr_scope *scope, u64 ns,
			       u64 age_ns)
{
	return ns > READ_ONCE(scope->cleared_ns) &&
	       ktime_get_ns() - ns <= min(age_ns, PLR_ANSWER_NS);
}

static bool plr_record_is_fresh(const struct plr_scope *scope, u64 age_ns)
{
	return scope->kind != PLR_DIE &&
	       plr_scope_is_fresh(scope, READ_ONCE(scope->record.read_ns),
				  age_ns);
}

/* Take what is known without a command, when none may be given. */
static bool plr_scope_last(struct plr_scope *scope, u64 *value)
{
	bool is_fresh = plr_scope_is_fresh(scope, READ_ONCE(scope->answer_ns),
					   PLR_ANSWER_NS);

	*value = READ_ONCE(scope->record.log);
	if (is_fresh)
		*value |= READ_ONCE(scope->answer);
	return is_fresh || plr_record_is_fresh(scope, PLR_ANSWER_NS);
}

/*
 * The reasons that a person is shown, or an error of the ABI document. A module
 * that the monitor has read within its interval, and a second, costs no access,
 * and readers that wait at the same time share one command. Without a command
 * left the last answer is given; a reader with CAP_PERFMON waits first.
 */
int plr_scope_read(struct plr_scope *scope, u64 *value)
{
	struct plr_domain *domain = scope->domain;
	u64 begin_ns = ktime_get_ns();
	bool waits, unmoved;
	int ret;

	if (!plr_scope_is_used(scope))
		return -ENODATA;
	if (plr_record_is_fresh(scope, plr_domain_interval(domain) *
				       (u64)NSEC_PER_MSEC)) {
		*value = READ_ONCE(scope->record.log);
		return 0;
	}
	waits = perfmon_capable() || !plr_scope_last(scope, value);
	ret = plr_scope_lock(scope, waits ? PLR_WAIT_MS : 0);
	if (ret == -EBUSY && plr_scope_last(scope, value))
		return 0;
	if (ret)
		return ret;
	if (scope->answer_ns <= max(begin_ns, scope->cleared_ns)) {
		ret = plr_hardware_read(scope, value);
		if (!ret) {
			WRITE_ONCE(scope->answer, *value);
			WRITE_ONCE(scope->answer_ns, ktime_get_ns());
		}
	}
	*value = scope->answer | scope->record.log;
	unmoved = domain->device && plr_domain_is_unmoved(domain);
	mutex_unlock(&domain->lock);
	if (ret || !unmoved || !plr_domain_check_blocked(domain))
		return ret;
	WRITE_ONCE(scope->cleared_ns, ktime_get_ns());
	return -EOPNOTSUPP;
}

static int plr_hardware_clear(struct plr_scope *scope, u64 mask)
{
	struct plr_domain *domain = scope->domain;
	struct plr_mailbox *mailbox = &domain->mailbox;
	u64 value, die;
	int ret;

	ret = plr_hardware_read(scope, &value);
	if (ret || !(value & mask))
		return ret;
	plr_monitor_note_clear(&domain->monitor, &scope->record, value);
	if (scope->kind == PLR_DIE) {
		plr_die_clear(mailbox);
		return 0;
	}
	/* A part may compute its die level from the modules. */
	if (!plr_die_read(mailbox, &die))
		domain->die->record.log |= die;
	return plr_domain_error(domain,
				plr_mailbox_clear(mailbox, scope->record.domain,
						  scope->record.id));
}

/*
 * Clear reasons by name. Hardware clears all or nothing: reasons that were not
 * named stay in the record, and after an error all of them do.
 */
int plr_scope_clear(struct plr_scope *scope, u64 mask)
{
	struct plr_domain *domain = scope->domain;
	int ret;

	if (!plr_scope_is_used(scope))
		return -ENODATA;
	if (plr_domain_check_blocked(domain))
		return -EOPNOTSUPP;
	ret = plr_scope_lock(scope, PLR_WAIT_MS);
	if (ret)
		return ret;
	ret = plr_hardware_clear(scope, mask);
	WRITE_ONCE(scope->cleared_ns, ktime_get_ns());
	if (!ret)
		WRITE_ONCE(scope->record.log, scope->record.log & ~mask);
	mutex_unlock(&domain->lock);
	return ret;
}
