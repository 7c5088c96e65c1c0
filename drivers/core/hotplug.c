// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs come and go. When the CPU that serves a place goes offline another one
 * takes over, with the events and the timer of its boxes.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>

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

/*
 * Move the events of a PMU off a CPU that goes offline, to the designated CPU
 * of its box. They are on that one already but for those whose opening saw
 * another designated CPU.
 */
static void pmon_hotplug_vacate(struct pmon_pmu *pmu, void *data)
{
	unsigned int cpu = *(unsigned int *)data;
	int index = pmu->soft ? -1 : pmon_place_index(pmu->near, cpu);
	int to = index < 0 ? -1 : pmon_place_at(index)->cpu;

	if (to >= 0)
		pmon_pmu_move_events(pmu, cpu, to);
}

/*
 * New events are opened on the new CPU at once, then the old ones are moved. If
 * no CPU of a package is left, perf ends the events after this callback, on the
 * CPU that goes; their counts stay.
 */
static void pmon_hotplug_move(struct pmon_place *place, unsigned int index,
			      int to)
{
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
		if (pmon_cpu_has_events(m.from))
			pmon_registry_each_open(pmon_hotplug_migrate, &m);
		pmon_timer_move(place);
	}
}

static int pmon_hotplug_online(unsigned int cpu)
{
	unsigned int i, n;

	if (!pmon_place_enter(cpu))
		pr_warn_once("more than %u packages and nodes with boxes: CPUs are left out\n",
			     PMON_PLACES_MAX);

	n = pmon_place_count();
	for (i = 0; i < n; i++) {
		struct pmon_place *place = pmon_place_at(i);

		pmon_hotplug_move(place, i,
				  pmon_place_after_online(place, cpu));
	}
	return 0;
}

static int pmon_hotplug_offline(unsigned int cpu)
{
	unsigned int i, n = pmon_place_count();

	for (i = 0; i < n; i++) {
		struct pmon_place *place = pmon_place_at(i);

		pmon_hotplug_move(place, i,
				  pmon_place_after_offline(place, cpu));
		if (pmon_timer_is_on(place, cpu))
			pmon_timer_move(place);
	}
	if (pmon_cpu_has_events(cpu))
		pmon_registry_each_open(pmon_hotplug_vacate, &cpu);
	return 0;
}

int pmon_hotplug_init(void)
{
	int ret;

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
}
