// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU "plr": for how long each reason has limited a module. It counts what
 * the watch of watch.c has noted, so its callbacks never touch hardware; the
 * first event of a domain starts the watch, and the last one ends it.
 *
 * perf cannot take events away from a PMU (before 6.16), so the PMU stays while
 * one is open, even when all devices have gone. The events then keep their
 * counts, and go on when the devices return.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitfield.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/workqueue.h>

#include <pmon/owner.h>

#include <compat/cleanup.h>

#include "plr.h"

#define PLR_PMU_NAME	"plr"

/* How long perf goes on using an event after it has told us of its end. */
#define PLR_SETTLE	(HZ / 20)

static void plr_perf_bury(struct work_struct *work);

static struct pmu plr_pmu;
/* Guards whether perf knows the PMU; no callback of perf takes it. */
static DEFINE_MUTEX(plr_perf_lock);
static bool plr_perf_registered;
/* Events may be opened. */
static bool plr_perf_live;
static atomic_t plr_perf_open = ATOMIC_INIT(0);
static DECLARE_DELAYED_WORK(plr_perf_dwork, plr_perf_bury);

static struct plr_meter *plr_event_meter(const struct perf_event *event)
{
	return event->pmu_private;
}

static u64 plr_event_now(const struct perf_event *event)
{
	return plr_meter_read(plr_event_meter(event),
			      FIELD_GET(PLR_PERF_EVENT, event->attr.config));
}

/* Also in an NMI, and on several CPUs at once: what is added up is the same. */
static void plr_perf_update(struct perf_event *event)
{
	u64 now = plr_event_now(event);

	local64_add(now - local64_xchg(&event->hw.prev_count, now), &event->count);
}

static void plr_perf_read(struct perf_event *event)
{
	if (!(event->hw.state & PERF_HES_STOPPED))
		plr_perf_update(event);
}

static void plr_perf_start(struct perf_event *event, int flags)
{
	local64_set(&event->hw.prev_count, plr_event_now(event));
	event->hw.state = 0;
}

static void plr_perf_stop(struct perf_event *event, int flags)
{
	plr_perf_read(event);
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

static int plr_perf_add(struct perf_event *event, int flags)
{
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		plr_perf_start(event, flags);

	return 0;
}

static void plr_perf_del(struct perf_event *event, int flags)
{
	plr_perf_stop(event, flags);
}

static void plr_perf_destroy(struct perf_event *event)
{
	plr_watch_close(plr_event_meter(event));
	if (atomic_dec_and_test(&plr_perf_open))
		schedule_delayed_work(&plr_perf_dwork, PLR_SETTLE);
}

static int plr_perf_check(const struct perf_event *event)
{
	const struct perf_event_attr *attr = &event->attr;

	if (attr->type != plr_pmu.type)
		return -ENOENT;
	/* Nothing to sample with, and time of a module is no task's own. */
	if (attr->sample_period || event->attach_state & PERF_ATTACH_TASK || event->cpu < 0)
		return -EINVAL;
	if (attr->config & ~PLR_PERF_EVENT || attr->config1 || attr->config2)
		return -EINVAL;

	return FIELD_GET(PLR_PERF_EVENT, attr->config) < PLR_METERS ? 0 : -EINVAL;
}

static int plr_perf_event_init(struct perf_event *event)
{
	struct plr_meter *meter;
	struct plr_place place;
	int cpu, ret;

	ret = plr_perf_check(event);
	if (ret)
		return ret;
	/* perf has a reference to this module, and took it before: see below. */
	if (!READ_ONCE(plr_perf_live))
		return -ENODEV;
	if (!plr_cpu_place(event->cpu, &place))
		return -EINVAL;
	meter = plr_watch_open(&place);
	if (IS_ERR(meter))
		return PTR_ERR(meter);
	cpu = plr_perf_cpu_of(&place);
	if (cpu < 0) {
		plr_watch_close(meter);
		return -ENODEV;
	}
	atomic_inc(&plr_perf_open);
	event->cpu = cpu;
	event->event_caps |= PERF_EV_CAP_READ_ACTIVE_PKG;
	event->pmu_private = meter;
	event->destroy = plr_perf_destroy;

	return 0;
}

static const struct pmu plr_pmu_callbacks = {
	.module = THIS_MODULE,
	.attr_groups = plr_perf_groups,
	.task_ctx_nr = perf_invalid_context,
	.capabilities = PERF_PMU_CAP_NO_INTERRUPT | PERF_PMU_CAP_NO_EXCLUDE,
	.event_init = plr_perf_event_init,
	.add = plr_perf_add,
	.del = plr_perf_del,
	.start = plr_perf_start,
	.stop = plr_perf_stop,
	.read = plr_perf_read,
};

static int plr_perf_register(void)
{
	/* perf would say no as well, but with a stack dump. */
	if (pmon_owner_has(PLR_PMU_NAME))
		return -EEXIST;
	/* perf fills in what is not set, so nothing may be left from before. */
	memcpy(&plr_pmu, &plr_pmu_callbacks, sizeof(plr_pmu));

	return perf_pmu_register(&plr_pmu, PLR_PMU_NAME, -1);
}

/**
 * plr_perf_show() - a domain has come
 */
void plr_perf_show(void)
{
	int ret;

	guard(mutex)(&plr_perf_lock);
	if (plr_perf_registered)
		return;
	ret = plr_perf_register();
	if (ret)
		pr_warn("perf cannot be given the events: error %d\n", ret);
	plr_perf_registered = !ret;
	WRITE_ONCE(plr_perf_live, !ret);
}

/**
 * plr_perf_hide() - a domain has gone
 */
void plr_perf_hide(void)
{
	mod_delayed_work(system_wq, &plr_perf_dwork, 0);
}

/*
 * No domain and no event is left. perf's reference to this module is the first
 * thing that it takes for an event, and the last that it drops; who else has
 * one is waited for, too.
 */
static void plr_perf_bury(struct work_struct *work)
{
	guard(mutex)(&plr_perf_lock);
	if (!plr_perf_registered || !plr_watch_is_idle())
		return;
	/* Who opens an event now has a reference, or sees this. */
	smp_store_mb(plr_perf_live, false);
	if (module_refcount(THIS_MODULE) > 0) {
		WRITE_ONCE(plr_perf_live, true);
		schedule_delayed_work(&plr_perf_dwork, PLR_SETTLE);
		return;
	}
	perf_pmu_unregister(&plr_pmu);
	plr_perf_registered = false;
}

/* New events go to the new CPU already, now the old ones follow. */
static void plr_perf_migrate(unsigned int from, unsigned int to)
{
	/* It waits for a grace period; mostly there is nothing to be moved. */
	if (atomic_read(&plr_perf_open))
		perf_pmu_migrate_context(&plr_pmu, from, to);
}

/**
 * plr_perf_cpu_online() - a CPU of a domain that is there is online
 * @cpu: the CPU
 * @place: its place
 */
void plr_perf_cpu_online(unsigned int cpu, const struct plr_place *place)
{
	int from = plr_perf_cpus_online(cpu, place);

	if (from >= 0)
		plr_perf_migrate(from, cpu);
}

/**
 * plr_perf_cpu_offline() - a CPU is about to go
 * @cpu: the CPU
 * @place: its place
 *
 * When it is the last of its module, perf ends the events; their counts stay.
 */
void plr_perf_cpu_offline(unsigned int cpu, const struct plr_place *place)
{
	int to = plr_perf_cpus_offline(cpu, place);

	if (to >= 0)
		plr_perf_migrate(cpu, to);
}

/**
 * plr_perf_init() - get ready for the first domain
 *
 * Return: 0 or -ENOMEM.
 */
int plr_perf_init(void)
{
	int ret = plr_perf_cpus_init();

	if (ret)
		return ret;
	ret = plr_perf_sysfs_init();
	if (ret)
		plr_perf_cpus_exit();

	return ret;
}

/**
 * plr_perf_exit() - no domain is left, and no event can be open
 */
void plr_perf_exit(void)
{
	cancel_delayed_work_sync(&plr_perf_dwork);
	if (plr_perf_registered)
		perf_pmu_unregister(&plr_pmu);
	plr_perf_sysfs_exit();
	plr_perf_cpus_exit();
}
