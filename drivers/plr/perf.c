// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU "plr": for how long each reason has limited a module. It counts what
 * the watch of watch.c has noted; an event that counts is a consumer of the
 * watch. The PMU is there while a domain is, and while one of its events is
 * open. An event ends when its domain goes.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitfield.h>
#include <linux/err.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/workqueue.h>

#include <compat/perf.h>
#include <pmon/pmu.h>

#include "plr.h"

static struct plr_meter *plr_event_meter(const struct perf_event *event)
{
	return event->pmu_private;
}

static u64 plr_event_now(const struct perf_event *event)
{
	return plr_meter_read(plr_event_meter(event),
			      FIELD_GET(PLR_PERF_EVENT, event->attr.config));
}

static int plr_event_begin(struct perf_event *event)
{
	ktime_t interval = compat_pmu_interval(event->pmu);

	return plr_wish_begin(plr_event_meter(event), ktime_to_ms(interval));
}

static void plr_event_end(struct perf_event *event)
{
	plr_wish_end(plr_event_meter(event));
}

static void plr_event_close(struct perf_event *event)
{
	plr_wish_close(plr_event_meter(event));
}

/* Choose the CPU: one that goes offline since has to see the event. */
static int plr_event_place(struct perf_event *event,
			   const struct plr_place *place)
{
	int cpu;

	do {
		cpu = plr_perf_cpu_of(place);
		if (cpu < 0)
			return -ENODEV;
		WRITE_ONCE(event->cpu, cpu);
		/* Pairs with pmon_soft_vacate(). */
		smp_mb();
	} while (plr_perf_cpu_of(place) != cpu);

	return 0;
}

static int plr_event_open(struct perf_event *event)
{
	struct plr_saved *saved;
	struct plr_meter *meter;
	struct plr_place place;

	if (FIELD_GET(PLR_PERF_EVENT, event->attr.config) >= PLR_METERS)
		return -EINVAL;
	/*
	 * perf asks for what is pinned once, and gives it up for good when that
	 * is before its module was looked at.
	 */
	if (event->group_leader->attr.pinned)
		return -EINVAL;
	if (!plr_cpu_place(event->cpu, &place))
		return -EINVAL;
	saved = plr_saved_find(place.package, place.domain);
	if (!saved)
		return -EINVAL;
	if (!READ_ONCE(saved->domain) || plr_perf_cpu_of(&place) < 0)
		return -ENODEV;
	meter = plr_saved_meter(saved, place.module);
	if (!meter)
		return -ENOMEM;
	WRITE_ONCE(event->pmu_private, meter);

	return plr_event_place(event, &place);
}

static const struct pmon_soft_ops plr_soft_ops = {
	.cpus = plr_perf_cpus,
	.open = plr_event_open,
	.close = plr_event_close,
	.begin = plr_event_begin,
	.end = plr_event_end,
	.now = plr_event_now,
};

/* Used by the work item alone. NULL while there is no domain. */
static struct pmon_pmu *plr_pmu;

static struct pmon_pmu *plr_pmu_create(void)
{
	const struct pmon_pmu_info info = {
		.name = "plr",
		.type = &plr_perf_type,
		.soft = &plr_soft_ops,
		.owner = THIS_MODULE,
		.pins = plr_wish_pins(),
	};
	struct pmon_pmu *pmu = pmon_pmu_create(&info);

	while (PTR_ERR_OR_ZERO(pmu) == -EAGAIN) {
		pmon_pmu_flush();
		pmu = pmon_pmu_create(&info);
	}

	return pmu;
}

static void plr_pmu_show(void)
{
	struct pmon_pmu *pmu = plr_pmu_create();
	int ret = PTR_ERR_OR_ZERO(pmu) ?: pmon_pmu_register(pmu);

	if (!ret) {
		plr_pmu = pmu;
		return;
	}
	pr_warn("perf cannot be given the events: error %d\n", ret);
	if (!IS_ERR(pmu))
		pmon_pmu_destroy(pmu);
}

/* Is there a domain? Not set where nothing is counted (observe). */
static bool (*plr_perf_wanted)(void);

/*
 * Registers or destroys the PMU. Both wait for perf, so no lock of this module
 * is held.
 */
static void plr_perf_work_fn(struct work_struct *work)
{
	bool wanted = plr_perf_wanted && plr_perf_wanted();

	if (wanted && !plr_pmu)
		plr_pmu_show();
	if (!wanted && plr_pmu && !plr_saved_awaits()) {
		pmon_pmu_destroy(plr_pmu);
		plr_pmu = NULL;
	}
	pmon_pmu_flush();
}

static DECLARE_WORK(plr_perf_work, plr_perf_work_fn);

/**
 * plr_perf_update() - domains have come or gone
 *
 * The PMU is there, or gone, when this returns, and events of domains that have
 * gone have ended. Called without a lock of ours.
 */
void plr_perf_update(void)
{
	schedule_work(&plr_perf_work);
	flush_work(&plr_perf_work);
}

/*
 * Does the event count on the domain of @saved? One without a meter has not
 * counted yet, and need not end.
 */
static bool plr_event_is_of(const struct perf_event *event, const void *saved)
{
	const struct plr_meter *meter = READ_ONCE(event->pmu_private);

	return meter && meter->saved == saved;
}

/**
 * plr_perf_end() - a domain has gone, and so end its events
 * @saved: of the domain
 *
 * plr_perf_update() waits for it.
 */
void plr_perf_end(const struct plr_saved *saved)
{
	pmon_soft_end(&plr_soft_ops, plr_event_is_of, saved);
}

/* End the events of domains that have not come back in time. */
static void plr_perf_late(void)
{
	struct plr_saved *saved;

	while ((saved = plr_saved_late()))
		plr_perf_end(saved);
	plr_perf_update();
}

/**
 * plr_perf_migrate() - events follow to the CPU that stands for their module
 * @from: CPU that they are on, or -1 for none
 * @to: CPU that they go to, or -1: perf ends them then; their counts stay
 *
 * With the CPU hotplug lock held.
 */
void plr_perf_migrate(int from, int to)
{
	if (from >= 0 && to >= 0)
		pmon_soft_migrate(&plr_soft_ops, from, to);
}

/**
 * plr_perf_vacate() - the same, as a CPU goes offline
 * @from: that CPU, which stands for no module any more
 * @to: CPU that they go to, or -1
 *
 * In its callback of CPU hotplug.
 */
void plr_perf_vacate(int from, int to)
{
	if (to >= 0)
		pmon_soft_vacate(&plr_soft_ops, from, to);
}

/**
 * plr_perf_init() - get ready for the first domain
 * @wanted: is there one? Called without locks
 *
 * Return: 0 or -ENOMEM.
 */
int plr_perf_init(bool (*wanted)(void))
{
	int ret = plr_perf_cpus_init();

	if (ret)
		return ret;
	plr_perf_wanted = wanted;
	ret = plr_perf_events_init();
	if (ret) {
		plr_perf_cpus_exit();
		return ret;
	}
	plr_saved_await_begin(plr_perf_late);

	return 0;
}

/**
 * plr_perf_exit() - no domain is left, and no event can be open
 */
void plr_perf_exit(void)
{
	plr_saved_await_end();
	pmon_pmu_destroy_all(THIS_MODULE);
	plr_perf_events_exit();
	plr_perf_cpus_exit();
}
