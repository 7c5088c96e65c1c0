// SPDX-License-Identifier: GPL-2.0-only
/*
 * Access the registers of a domain. A work item polls while there is a
 * consumer: interval_ms is not 0, the tracepoint is enabled or a perf event is
 * open. The files `reasons` and `clear` use the mailbox without a poll.
 */
#include <linux/capability.h>
#include <linux/cleanup.h>
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/sysfs.h>

#include <compat/workqueue.h>

#include "plr.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/* Period of tests for blocked writes while something may be wrong. */
#define PLR_STATE_NS	NSEC_PER_SEC
/* Greatest age of a cached read; timeout of a reader that waits. */
#define PLR_CACHED_NS	1000000000ULL
#define PLR_WAIT_MS	2000
/* Least time from a poll to the next. */
#define PLR_SETTLE_NS	(10ULL * NSEC_PER_MSEC)
/* Period of tests for blocked writes while nothing is wrong. */
#define PLR_TEST_NS	(60ULL * NSEC_PER_SEC)

static atomic_t plr_trace_users;

/* Open events of tasks that request polls: of all, and by gate bit. */
static atomic_t plr_task_events;
static atomic_t plr_task_reasons[PLR_REASON_BITS];

static void plr_sleep_us(unsigned int us)
{
	usleep_range(us, us * 2);
}

const struct plr_wait plr_wait = {
	.now_ns = ktime_get_ns,
	.boot_ns = ktime_get_boottime_ns,
	.sleep_us = plr_sleep_us,
};

static bool plr_domain_check_ready(struct plr_domain *domain)
{
	struct pci_dev *pdev;

	lockdep_assert_held(&domain->lock);
	if (!domain->device)
		return false;
	pdev = domain->device->pdev;
	if (pci_channel_offline(pdev)) {
		/* error_state turns normal before the BARs are restored. */
		domain->suspect = true;
		return false;
	}
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

/* Request the feature state, less and less often while no test succeeds. */
static void plr_device_request_state(struct plr_device *device, u64 now_ns,
				     u64 age_ns)
{
	if (age_ns && now_ns - device->requested_ns < device->request_ns)
		return;
	device->request_ns = clamp(2 * device->request_ns, PLR_STATE_NS,
				   PLR_TEST_NS);
	device->requested_ns = now_ns;
	queue_work(system_dfl_wq, &device->state_work);
}

/*
 * Return true if firmware blocks writes. A clear would then seem to succeed,
 * and a read would return stale DATA. Test by a write, unless the last test is
 * younger than @age_ns. If a command runs, or a ready function reads as all
 * ones, queue state_work instead, which reads the feature state by TPMI's
 * control mailbox and may take seconds: only a clear (@age_ns 0) waits for it.
 */
static bool plr_domain_is_blocked(struct plr_domain *domain, u64 age_ns)
{
	struct plr_device *device = domain->device;
	u64 now_ns = ktime_get_ns();
	int ret;

	lockdep_assert_held(&domain->lock);
	if (READ_ONCE(device->blocked))
		age_ns = min(age_ns, PLR_STATE_NS);
	if (!device->state_ns || now_ns - device->state_ns >= age_ns) {
		ret = plr_mailbox_test_write(&domain->mailbox);
		/* Without a result the next call tests, of any domain. */
		if (ret >= 0 || device->get_blocked)
			device->state_ns = now_ns;
		if (ret >= 0) {
			plr_device_set_blocked(device, !ret);
			device->request_ns = 0;
		} else if (ret == -EIO && !pmon_tpmi_is_ready(device->pdev)) {
			domain->suspect = true;
		} else if (device->get_blocked) {
			plr_device_request_state(device, now_ns, age_ns);
		}
		if (ret < 0 && !age_ns)
			flush_work(&device->state_work);
	}
	return READ_ONCE(device->blocked);
}

/* Return the shortest interval of all consumers in ms; 0: there is none. */
static unsigned int plr_domain_interval(const struct plr_domain *domain)
{
	unsigned int ms = READ_ONCE(domain->interval_ms);

	if (atomic_read(&domain->events) || atomic_read(&plr_task_events) ||
	    atomic_read(&plr_trace_users))
		ms = ms ? min_t(unsigned int, ms, PLR_EVENT_MS) : PLR_EVENT_MS;
	return ms;
}

/*
 * Set the reasons of the gate: those in the file `gate`, those of open events
 * and coarse reasons without a name on this CPU. An open event requests its own
 * reason and those in the file.
 */
static void plr_domain_set_gate(struct plr_domain *domain)
{
	struct plr_monitor *monitor = &domain->monitor;
	u64 gate = READ_ONCE(domain->gate);
	unsigned int bit;

	lockdep_assert_held(&domain->lock);
	monitor->requested = atomic_read(&domain->events) ||
			     atomic_read(&plr_task_events) ? gate : 0;
	for (bit = 0; bit < PLR_REASON_BITS; bit++)
		if (atomic_read(&domain->reason_events[bit]) ||
		    atomic_read(&plr_task_reasons[bit]))
			monitor->requested |= BIT_ULL(bit);
	monitor->gate = gate | monitor->requested |
			(PLR_COARSE_MASK & ~plr_reasons_coarse());
}

/* Poll now if there is a consumer. */
void plr_domain_kick(struct plr_domain *domain)
{
	if (plr_domain_interval(domain))
		mod_delayed_work(system_dfl_wq, &domain->work, 0);
}

void plr_domains_kick(void)
{
	struct plr_domain *domain;

	list_for_each_entry_rcu(domain, &plr_domains, node, true)
		plr_domain_kick(domain);
}

/*
 * Have all domains polled with the reason @code in the gate, also domains that
 * are found later. Poll now only if none has requested this before.
 */
void plr_domains_request(unsigned int code)
{
	bool first = atomic_inc_return(&plr_task_events) == 1;
	atomic_t *events;

	if (code != PLR_OBSERVED) {
		events = &plr_task_reasons[plr_gate_bit(code)];
		first |= atomic_inc_return(events) == 1;
	}
	if (first)
		plr_domains_kick();
}

/* Undo plr_domains_request(). */
void plr_domains_release(unsigned int code)
{
	if (code != PLR_OBSERVED)
		atomic_dec(&plr_task_reasons[plr_gate_bit(code)]);
	atomic_dec(&plr_task_events);
}

/* Return true if root has all domains polled with @code in the gate. */
bool plr_domains_are_polled(unsigned int code)
{
	u64 gate = code == PLR_OBSERVED ? 0 : BIT_ULL(plr_gate_bit(code));
	struct plr_domain *domain;
	bool any = false;

	list_for_each_entry_rcu(domain, &plr_domains, node, true) {
		if (!READ_ONCE(domain->interval_ms) ||
		    gate & ~(u64)READ_ONCE(domain->gate))
			return false;
		any = true;
	}
	return any;
}

/* Poll now and wait for the end. Without a consumer this stops monitoring. */
void plr_domain_update(struct plr_domain *domain)
{
	mod_delayed_work(system_dfl_wq, &domain->work, 0);
	/* flush_delayed_work() would run the next poll at once, too. */
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

/* Pass the state of a module to callbacks of events of tasks (task.c). */
static void plr_scope_update_residency(struct plr_scope *scope)
{
	const struct plr_account *account = &scope->record.account;
	struct plr_residency *residency = &scope->residency;
	u64 reasons = account->active_valid ? account->lasting : 0;
	unsigned long flags;

	lockdep_assert_held(&scope->domain->lock);
	if (residency->reasons == reasons &&
	    residency->valid == account->active_valid)
		return;
	/* Callbacks, also on other CPUs, wait for the end of the change. */
	local_irq_save(flags);
	raw_write_seqcount_begin(&scope->residency_seq);
	/*
	 * Read the clock only once later readers wait, so that no reader has
	 * added time beyond this one: a sum would go back.
	 */
	smp_mb();
	plr_residency_change(residency, reasons, account->active_valid,
			     ktime_get_mono_fast_ns());
	raw_write_seqcount_end(&scope->residency_seq);
	local_irq_restore(flags);
}

static void plr_scope_report(struct plr_scope *scope)
{
	struct plr_domain *domain = scope->domain;
	const struct plr_account *account = &scope->record.account;
	u64 onset = account->active & ~scope->reported;
	u64 ended = scope->reported & ~account->active;

	if (scope->kind == PLR_MODULE)
		plr_scope_update_residency(scope);
	if (!onset && !ended && account->active_valid == scope->reported_valid)
		return;
	scope->reported = account->active;
	scope->reported_valid = account->active_valid;
	plr_scope_notify(scope);
	if (!(onset | ended) || !trace_plr_reasons_enabled())
		return;
	plr_reasons_format(onset, domain->onset, sizeof(domain->onset));
	plr_reasons_format(ended, domain->ended, sizeof(domain->ended));
	trace_plr_reasons(domain->package, domain->id,
			  plr_kind_names[scope->kind], scope->record.id,
			  account->active, onset, ended, domain->onset,
			  domain->ended);
}

void plr_domain_report(struct plr_domain *domain)
{
	struct plr_sampler *sampler = &domain->monitor.sampler;
	unsigned int i;

	lockdep_assert_held(&domain->lock);
	for (i = 0; i < sampler->count; i++)
		plr_scope_report(container_of(sampler->records[i],
					      struct plr_scope, record));
	plr_scope_report(domain->die);
	if (plr_log_line(&domain->log, &domain->monitor, domain->onset,
			 sizeof(domain->onset)))
		dev_warn(&domain->dev, "PLR: %s\n", domain->onset);
}

static void plr_domain_poll(struct plr_domain *domain, unsigned int ms)
{
	struct plr_monitor *monitor = &domain->monitor;
	u64 age_ns;

	lockdep_assert_held(&domain->lock);
	if (!ms || !plr_domain_check_ready(domain) ||
	    !READ_ONCE(domain->device->scanned)) {
		plr_monitor_stop(monitor);
		return;
	}
	age_ns = monitor->primed && !domain->mailbox.late &&
		 !domain->mailbox.foreign ? PLR_TEST_NS : PLR_STATE_NS;
	if (plr_domain_is_blocked(domain, age_ns) || domain->suspect) {
		plr_monitor_stop(monitor);
		return;
	}
	domain->mailbox.is_reader = false;
	plr_domain_set_gate(domain);
	if (plr_monitor_poll(monitor, ms * (u64)NSEC_PER_MSEC))
		domain->suspect = true;
}

/* Wait until firmware has updated the die level after the last poll. */
static void plr_domain_settle(const struct plr_domain *domain)
{
	u64 since_ns = ktime_get_ns() - domain->polled_ns;

	if (since_ns < PLR_SETTLE_NS)
		fsleep((PLR_SETTLE_NS - since_ns) / NSEC_PER_USEC);
}

void plr_domain_work(struct work_struct *work)
{
	struct plr_domain *domain = container_of(to_delayed_work(work),
						 struct plr_domain, work);
	unsigned int ms = plr_domain_interval(domain), took_ms;
	u64 begin_ns;

	if (ms)
		plr_domain_settle(domain);
	guard(mutex)(&domain->lock);
	begin_ns = ktime_get_ns();
	plr_domain_poll(domain, ms);
	domain->polled_ns = ktime_get_ns();
	plr_domain_report(domain);
	ms = plr_next_ms(&domain->log, &domain->monitor, ms);
	took_ms = (domain->polled_ns - begin_ns) / NSEC_PER_MSEC;
	if (ms)
		queue_delayed_work(system_dfl_wq, &domain->work,
				   msecs_to_jiffies(ms - min(took_ms, ms)));
}

/*
 * Require CAP_PERFMON, as for an event, because polls use mailbox commands.
 * Hold a reference to pmon_plr, because a trigger of the tracepoint takes none.
 */
int plr_trace_reg(void)
{
	if (!perfmon_capable())
		return -EACCES;
	if (!try_module_get(THIS_MODULE))
		return -ENODEV;
	atomic_inc(&plr_trace_users);
	plr_domains_kick();
	return 0;
}

void plr_trace_unreg(void)
{
	atomic_dec(&plr_trace_users);
	/* Safe, because an unload needs event_mutex, which the caller holds. */
	module_put(THIS_MODULE);
}

/*
 * Take domain->lock once the rate limit permits a command; the die needs no
 * command. Return -EBUSY if none is permitted within @ms.
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
			(domain->monitor.sampler.behind || !perfmon_capable());
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
	/* All ones: the BAR is not decoded, or firmware blocks reads. */
	if (ret == -EIO) {
		domain->suspect = !pmon_tpmi_is_ready(device->pdev);
		return domain->suspect ? -ENODEV : -EIO;
	}
	return plr_domain_is_blocked(domain, PLR_STATE_NS) ? -EOPNOTSUPP : ret;
}

/* @clears: a clear follows, so test for blocked writes even for the die. */
static int plr_hardware_read(struct plr_scope *scope, u64 *value, bool clears)
{
	struct plr_domain *domain = scope->domain;
	int ret;

	if (!plr_domain_check_ready(domain))
		return -ENODEV;
	if ((clears || scope->kind != PLR_DIE) &&
	    plr_domain_is_blocked(domain, clears ? 0 : PLR_TEST_NS))
		return -EOPNOTSUPP;
	if (domain->suspect)
		return -ENODEV;
	if (scope->kind == PLR_DIE)
		return plr_domain_error(domain,
					plr_die_read(&domain->mailbox, value));
	ret = plr_mailbox_read(&domain->mailbox, scope->record.domain,
			       scope->record.id, value);
	return plr_domain_error(domain, ret);
}

static bool plr_scope_is_used(const struct plr_scope *scope)
{
	return scope->kind != PLR_MESH || plr_mesh;
}

/* Return true if a read at @ns is after the last clear and within @age_ns. */
static bool plr_scope_is_fresh(const struct plr_scope *scope, u64 ns,
			       u64 age_ns)
{
	return ns > READ_ONCE(scope->cleared_ns) &&
	       ktime_get_ns() - ns <= min(age_ns, PLR_CACHED_NS);
}

static bool plr_record_is_fresh(const struct plr_scope *scope, u64 age_ns)
{
	return scope->kind != PLR_DIE &&
	       plr_scope_is_fresh(scope, READ_ONCE(scope->record.read_ns),
				  age_ns);
}

static bool plr_scope_get_cached(struct plr_scope *scope, u64 *value)
{
	bool is_fresh = plr_scope_is_fresh(scope, READ_ONCE(scope->cached_ns),
					   PLR_CACHED_NS);

	*value = is_fresh ? READ_ONCE(scope->cached) : 0;
	/* Read the log last: a poll logs reasons before it clears hardware. */
	smp_rmb();
	*value |= READ_ONCE(scope->record.log);
	return is_fresh || plr_record_is_fresh(scope, PLR_CACHED_NS);
}

/*
 * Get the reasons for a file; errors are those of the ABI document. A record
 * younger than PLR_CACHED_NS and than one interval needs no access. While the
 * monitor is behind, the interval does not matter. Readers that wait at the
 * same time share one command. If the rate limit permits no command, use a
 * cached read; readers with CAP_PERFMON or without a cached read wait first.
 */
int plr_scope_read(struct plr_scope *scope, u64 *value)
{
	struct plr_domain *domain = scope->domain;
	u64 begin_ns = ktime_get_ns(), age_ns;
	bool may_wait;
	int ret;

	if (!plr_scope_is_used(scope))
		return -ENODATA;
	age_ns = READ_ONCE(domain->monitor.sampler.behind) ?
		 PLR_CACHED_NS : plr_domain_interval(domain) * NSEC_PER_MSEC;
	if (plr_record_is_fresh(scope, age_ns)) {
		/* A reader may have seen more since the record was read. */
		plr_scope_get_cached(scope, value);
		return 0;
	}
	may_wait = perfmon_capable() || !plr_scope_get_cached(scope, value);
	ret = plr_scope_lock(scope, may_wait ? PLR_WAIT_MS : 0);
	if (ret == -EBUSY && plr_scope_get_cached(scope, value))
		return 0;
	if (ret)
		return ret;
	if (scope->cached_ns <= max(begin_ns, scope->cleared_ns)) {
		ret = plr_hardware_read(scope, value, false);
		if (!ret) {
			WRITE_ONCE(scope->cached, *value);
			WRITE_ONCE(scope->cached_ns, ktime_get_ns());
		}
	}
	*value = scope->cached | scope->record.log;
	mutex_unlock(&domain->lock);
	return ret;
}

static int plr_hardware_clear(struct plr_scope *scope, u64 mask)
{
	struct plr_domain *domain = scope->domain;
	struct plr_mailbox *mailbox = &domain->mailbox;
	u64 value, die;
	int ret;

	ret = plr_hardware_read(scope, &value, true);
	if (ret || !(value & mask))
		return ret;
	plr_monitor_account_clear(&domain->monitor, &scope->record, value);
	if (scope->kind == PLR_DIE) {
		plr_die_clear(mailbox);
		return 0;
	}
	/* Log the die level, which may lose reasons by this clear. */
	if (!plr_die_read(mailbox, &die))
		plr_record_log(&domain->die->record, die);
	return plr_domain_error(domain,
				plr_mailbox_clear(mailbox, scope->record.domain,
						  scope->record.id));
}

/*
 * Clear the reasons of @mask, and the fine ones of its coarse ones. Hardware
 * clears all reasons; record.log keeps the others, and all after an error.
 */
int plr_scope_clear(struct plr_scope *scope, u64 mask)
{
	struct plr_domain *domain = scope->domain;
	int ret;

	if (!plr_scope_is_used(scope))
		return -ENODATA;
	mask |= plr_gate_reasons(mask);
	ret = plr_scope_lock(scope, PLR_WAIT_MS);
	if (ret)
		return ret;
	plr_domain_settle(domain);
	ret = plr_hardware_clear(scope, mask);
	WRITE_ONCE(scope->cleared_ns, ktime_get_ns());
	if (!ret)
		WRITE_ONCE(scope->record.log, scope->record.log & ~mask);
	mutex_unlock(&domain->lock);
	return ret;
}
