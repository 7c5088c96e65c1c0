// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs come and go. When the CPU that serves a place goes offline another one
 * takes over, with the events and the timer of its boxes.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/delay.h>
#include <linux/workqueue.h>

#include <compat/cleanup.h>

#include "core.h"

static enum cpuhp_state pmon_cpuhp_state;

struct pmon_migration {
	unsigned int index;
	int from;
	int to;
};

static void pmon_hotplug_migrate(struct pmon_pmu *pmu, void *data)
{
	const struct pmon_migration *m = data;

	if (pmu->box[m->index])
		pmon_pmu_move_events(pmu, m->from, m->to);
}

static void pmon_hotplug_leave(struct pmon_pmu *pmu, void *data)
{
	const struct pmon_migration *m = data;
	struct pmon_box *box = pmu->box[m->index];

	/* Of one without events it is not known whether it sleeps. */
	if (box)
		pmon_box_leave(box, pmon_power_asks_off(box));
}

static void pmon_hotplug_return(struct pmon_pmu *pmu, void *data)
{
	const struct pmon_migration *m = data;

	if (pmu->box[m->index])
		pmon_box_return(pmu->box[m->index]);
}

/* The CPU that serves the place where an event on @cpu counts, or -1. */
static int pmon_hotplug_server(const struct pmon_pmu *pmu, unsigned int cpu)
{
	int index = pmu->soft ? -1 : pmon_place_index(pmu->near, cpu);

	return index < 0 ? -1 : pmon_place_at(index)->cpu;
}

/*
 * perf_event_open() asks which CPU serves the place, and installs the event
 * later. If another CPU has come to serve it meanwhile, the event is on the
 * wrong CPU, and lost when that goes offline. Move such events from the CPUs in
 * @data to the one that serves.
 */
static void pmon_hotplug_gather_pmu(struct pmon_pmu *pmu, void *data)
{
	static struct cpumask cpus;	/* under pmon_mutex */
	unsigned int cpu;
	int to;

	if (pmu->soft)
		return;

	pmon_pmu_cpus(pmu, &cpus);
	for_each_cpu_and(cpu, &cpus, (const struct cpumask *)data) {
		to = pmon_hotplug_server(pmu, cpu);
		if (to >= 0 && to != cpu)
			pmon_pmu_move_events(pmu, cpu, to);
	}
}

/*
 * Move the events of all PMUs from the CPUs in @from. The CPU hotplug lock is
 * held.
 */
static void pmon_hotplug_gather(const struct cpumask *from)
{
	unsigned int i, n = pmon_place_count();

	pmon_registry_each(pmon_hotplug_gather_pmu, (void *)from);
	for (i = 0; i < n; i++) {
		struct pmon_place *place = pmon_place_at(i);

		if (place->cpu >= 0 && pmon_timer_is_astray(place))
			pmon_timer_move(place);
	}
}

/*
 * @cpu goes offline and serves no place any more, so no new event is opened for
 * it. perf may be about to install events that were opened before; those that
 * it installs after this callback would be lost. So wait for all that it is
 * about to install: it takes microseconds. If it takes longer than
 * PMON_AWAIT_MS, perf finds the CPU offline and perf_event_open() fails.
 */
static void pmon_hotplug_gather_last(unsigned int cpu)
{
	unsigned int tries = PMON_AWAIT_MS;
	bool settled;

	do {
		/*
		 * Wait before gathering: an event that is installed after the
		 * wait ended is found by the gathering that follows.
		 */
		settled = pmon_owners_settled();
		pmon_hotplug_gather(cpumask_of(cpu));
		if (settled)
			return;
		usleep_range(1000, 2000);
	} while (--tries);
}

static void pmon_hotplug_gather_all(struct work_struct *work)
{
	cpus_read_lock();
	pmon_hotplug_gather(cpu_online_mask);
	cpus_read_unlock();
}

static DECLARE_WORK(pmon_hotplug_work, pmon_hotplug_gather_all);

/* An event or a tick is on a CPU that does not serve its place. */
static void pmon_hotplug_gather_soon(void)
{
	schedule_work(&pmon_hotplug_work);
}

/*
 * New events are opened on the new CPU at once, then the old ones are moved. If
 * no CPU of a package is left, perf ends the events after this callback, on the
 * CPU that goes; their counts stay.
 */
static void pmon_hotplug_move(unsigned int index, int to)
{
	struct pmon_place *place = pmon_place_at(index);
	struct pmon_migration m = {
		.index = index, .from = place->cpu, .to = to,
	};

	if (m.from == to)
		return;

	WRITE_ONCE(place->cpu, to);
	if (to < 0) {
		pmon_registry_each(pmon_hotplug_leave, &m);
	} else if (m.from < 0) {
		pmon_registry_each(pmon_hotplug_return, &m);
	} else {
		pmon_registry_each(pmon_hotplug_migrate, &m);
		pmon_timer_move(place);
	}
}

static int pmon_hotplug_online(unsigned int cpu)
{
	unsigned int i;

	if (!pmon_place_enter(cpu))
		pr_warn_once("more than %u packages and nodes with boxes: CPUs are left out\n",
			     PMON_PLACES_MAX);

	pmon_registry_each(pmon_plain_enter_cpu, &cpu);
	for (i = 0; i < pmon_place_count(); i++)
		pmon_hotplug_move(i, pmon_place_after_online(pmon_place_at(i),
							     cpu));
	return 0;
}

static int pmon_hotplug_offline(unsigned int cpu)
{
	unsigned int i;

	for (i = 0; i < pmon_place_count(); i++)
		pmon_hotplug_move(i, pmon_place_after_offline(pmon_place_at(i),
							      cpu));
	pmon_hotplug_gather_last(cpu);
	return 0;
}

int pmon_hotplug_init(void)
{
	int ret;

	pmon_later_begin(PMON_LATER_GATHER, pmon_hotplug_gather_soon);
	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "perf/pmon:online",
				pmon_hotplug_online, pmon_hotplug_offline);
	if (ret < 0)
		return ret;

	pmon_cpuhp_state = ret;
	return 0;
}

void pmon_hotplug_exit(void)
{
	cpuhp_remove_state_nocalls(pmon_cpuhp_state);
	pmon_later_end(PMON_LATER_GATHER);
	cancel_work_sync(&pmon_hotplug_work);
}
