// SPDX-License-Identifier: GPL-2.0-only
/*
 * Poll domains while they have a consumer: the file interval_ms, the
 * tracepoint, events of perf. Each domain has one work item, which runs beside
 * the others.
 */
#include <linux/capability.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/sysfs.h>

#include <compat/cleanup.h>
#include <compat/workqueue.h>

#include "plr.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/* How often the state of the feature is read at most: others use it, too. */
#define PLR_STATE_NS	(NSEC_PER_SEC / 2)

static struct workqueue_struct *plr_workqueue;
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

/*
 * Check whether the registers can be accessed. A function that sleeps, is
 * offline or does not decode its BARs is not touched, and not woken.
 */
bool plr_domain_is_ready(struct plr_domain *domain)
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

/*
 * Find out whether firmware has blocked the feature. A work item of its own
 * reads it: that may take seconds, and nothing waits for it but a clear, for a
 * moment. Does nothing within PLR_STATE_NS of the last reading, unless
 * monitoring @begins: no later poll would read it.
 */
void plr_device_check_state(struct plr_device *device, bool begins)
{
	u64 now_ns = ktime_get_ns();

	if (!begins && device->state_ns &&
	    now_ns - device->state_ns < PLR_STATE_NS)
		return;
	device->state_ns = now_ns;
	reinit_completion(&device->state_done);
	queue_work(system_dfl_wq, &device->state_work);
}

/* The shortest interval of a domain's consumers in ms, 0 without any. */
unsigned int plr_watch_interval(const struct plr_domain *domain)
{
	unsigned int ms = READ_ONCE(domain->interval_ms);

	if (atomic_read(&domain->events) || atomic_read(&plr_trace_users))
		ms = ms ? min_t(unsigned int, ms, PLR_EVENT_MS) : PLR_EVENT_MS;

	return ms;
}

/* Poll a domain now if it has a consumer. Any context with interrupts on. */
void plr_watch_kick(struct plr_domain *domain)
{
	if (plr_watch_interval(domain))
		mod_delayed_work(plr_workqueue, &domain->work, 0);
}

/* Poll now, and wait for it. A poll without a consumer ends monitoring. */
void plr_watch_update(struct plr_domain *domain)
{
	mod_delayed_work(plr_workqueue, &domain->work, 0);
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

/* Wake programs that poll files of the scope, and trace, once. */
static void plr_watch_report_scope(struct plr_scope *scope)
{
	static const char * const names[] = {
		[PLR_DIE] = "die", [PLR_MESH] = "mesh", [PLR_CORE] = "core",
	};
	struct plr_domain *domain = scope->domain;
	const struct plr_part *part = &scope->part;
	u64 fresh = part->active & ~scope->reported;
	u64 ended = scope->reported & ~part->active;

	if (!fresh && !ended && part->known == scope->reported_known)
		return;
	scope->reported = part->active;
	scope->reported_known = part->known;
	plr_scope_notify(scope);
	if (!(fresh | ended) || !trace_plr_reasons_enabled())
		return;
	plr_reasons_format(fresh, domain->fresh, sizeof(domain->fresh));
	plr_reasons_format(ended, domain->ended, sizeof(domain->ended));
	trace_plr_reasons(domain->package, domain->id, names[scope->kind],
			  part->id, part->active, fresh, ended, domain->fresh,
			  domain->ended);
}

void plr_watch_report(struct plr_domain *domain)
{
	struct plr_monitor *monitor = &domain->monitor;
	unsigned int i;

	lockdep_assert_held(&domain->lock);
	plr_watch_report_scope(domain->die);
	for (i = 0; i < monitor->count; i++)
		plr_watch_report_scope(container_of(monitor->part[i],
						    struct plr_scope, part));
}

static void plr_watch_poll(struct plr_domain *domain, unsigned int ms)
{
	struct plr_monitor *monitor = &domain->monitor;
	bool blocked, begins = !monitor->poll_ns;

	lockdep_assert_held(&domain->lock);
	if (!ms || !plr_domain_is_ready(domain)) {
		plr_monitor_stop(monitor);
		return;
	}
	blocked = READ_ONCE(domain->device->blocked);
	domain->mailbox.timeout_ns = PLR_MONITOR_NS;
	domain->mailbox.is_reader = false;
	if (plr_monitor_poll(monitor, ms * (u64)NSEC_PER_MSEC, blocked))
		domain->suspect = true;
	if (begins || blocked || monitor->late || !monitor->primed)
		plr_device_check_state(domain->device, begins);
}

/*
 * The time until the next poll, which is never early to make up for a late one.
 * A die level that was cleared at the end of a long poll needs time to show
 * what is in force.
 */
static unsigned long plr_watch_delay(u64 begin_ns, unsigned int ms)
{
	u64 period_ns = ms * (u64)NSEC_PER_MSEC;
	u64 took_ns = min(ktime_get_ns() - begin_ns, period_ns / 2);

	return usecs_to_jiffies((period_ns - took_ns) / NSEC_PER_USEC);
}

/* The work item of a domain. */
void plr_watch_work(struct work_struct *work)
{
	struct plr_domain *domain = container_of(to_delayed_work(work),
						 struct plr_domain, work);
	unsigned int ms = plr_watch_interval(domain);
	u64 begin_ns;

	guard(mutex)(&domain->lock);
	begin_ns = ktime_get_ns();
	plr_watch_poll(domain, ms);
	plr_watch_report(domain);
	if (ms)
		queue_delayed_work(plr_workqueue, &domain->work,
				   plr_watch_delay(begin_ns, ms));
}

/*
 * The tracepoint is enabled, which makes the driver work, so it needs the right
 * that an event of the PMU needs. A trigger does not keep the module by itself.
 * Domains are in the list until the module goes.
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
		plr_watch_kick(domain);

	return 0;
}

void plr_trace_unreg(void)
{
	atomic_dec(&plr_trace_users);
	/* The kernel holds event_mutex, which the freeing of a module takes. */
	module_put(THIS_MODULE);
}

int plr_watch_start(void)
{
	plr_workqueue = alloc_workqueue("pmon_plr", WQ_UNBOUND, 0);

	return plr_workqueue ? 0 : -ENOMEM;
}

void plr_watch_stop(void)
{
	destroy_workqueue(plr_workqueue);
}
