// SPDX-License-Identifier: GPL-2.0-only
/*
 * Move events and poll timers to the best CPU of each place when CPUs come
 * online or go offline. After sleep check all boxes.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/hrtimer.h>
#include <linux/notifier.h>
#include <linux/suspend.h>

#include "core.h"

/*
 * Update the CPU of a place. New events open on the new CPU at once; old events
 * move afterwards. When the last CPU of a package goes offline, perf ends the
 * events after this callback; the counts stay.
 */
static void pmon_place_update(struct pmon_place *place, unsigned int index,
			      int but)
{
	int from = place->cpu, to = pmon_cpu_choose(place->id, from, but);
	struct pmon_pmu *pmu;

	if (from == to)
		return;

	WRITE_ONCE(place->cpu, to);
	if (from >= 0 && to >= 0 && !pmon_cpu_has_events(from))
		return;
	guard(mutex)(&pmon_mutex);
	list_for_each_entry(pmu, &pmon_pmus, list) {
		if (!pmu->box[index])
			continue;
		if (to < 0)
			pmon_box_cpu_offline(pmu->box[index]);
		else if (from >= 0 && !hlist_empty(&pmu->events))
			pmon_pmu_move_events(pmu, from, to);
	}
}

static void pmon_update(void)
{
	struct pmon_place *place;
	unsigned int i;

	pmon_for_each_place(place, i)
		pmon_place_update(place, i, -1);
	pmon_reconcile();
}

static int pmon_cpu_online(unsigned int cpu)
{
	pmon_place_add_cpu(cpu);
	pmon_update();
	return 0;
}

/* Move events that were opened during the change of the designated CPU. */
static void pmon_cpu_move_events(unsigned int cpu)
{
	struct pmon_pmu *pmu;

	guard(mutex)(&pmon_mutex);
	list_for_each_entry(pmu, &pmon_pmus, list) {
		struct pmon_box *box = pmon_box_of_cpu(pmu, cpu);

		if (box && box->place->cpu >= 0 && !hlist_empty(&pmu->events))
			pmon_pmu_move_events(pmu, cpu, box->place->cpu);
	}
}

static int pmon_cpu_offline(unsigned int cpu)
{
	struct pmon_place *place;
	unsigned int i;

	pmon_for_each_place(place, i) {
		pmon_place_update(place, i, cpu);
		pmon_timer_reconcile(place);
	}
	if (pmon_cpu_has_events(cpu))
		pmon_cpu_move_events(cpu);
	return 0;
}

static void pmon_resume(void)
{
	struct pmon_pmu *pmu;
	struct pmon_box *box;
	unsigned int i;

	WRITE_ONCE(pmon_suspended, false);
	guard(pmon_cpus_and)(&pmon_mutex);
	list_for_each_entry(pmu, &pmon_pmus, list)
		pmon_for_each_box(box, pmu, i)
			pmon_box_resume(box);
	pmon_sleep_clear();
	pmon_probe_soon();
}

/* Check boxes right after sleep, not at the next tick. */
static int pmon_pm_event(struct notifier_block *nb, unsigned long action,
			 void *data)
{
	switch (action) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
	case PM_RESTORE_PREPARE:
		WRITE_ONCE(pmon_suspended, true);
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		pmon_resume();
	}
	return NOTIFY_DONE;
}

static struct notifier_block pmon_pm_nb = { .notifier_call = pmon_pm_event };

static enum cpuhp_state pmon_cpuhp_state;

/* Update places, too: no notifier reports CPUs that a cpuset isolates. */
static void pmon_report_run(struct work_struct *work)
{
	cpus_read_lock();
	pmon_update();
	cpus_read_unlock();
	pmon_report_again();
}

int pmon_hotplug_init(void)
{
	unsigned int i;
	int ret;

	INIT_DELAYED_WORK(&pmon_report_work, pmon_report_run);
	for (i = 0; i < PMON_PLACES_MAX; i++)
		pmon_poll_init(&pmon_places[i]);
	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "perf/pmon:online",
				pmon_cpu_online, pmon_cpu_offline);
	if (ret < 0)
		return ret;

	pmon_cpuhp_state = ret;
	pmon_sleep_clear();
	register_pm_notifier(&pmon_pm_nb);
	return 0;
}

/* No box is active, but a tick may still run. */
void pmon_hotplug_exit(void)
{
	struct pmon_place *place;
	unsigned int i;

	unregister_pm_notifier(&pmon_pm_nb);
	pmon_probe_exit();
	cpuhp_remove_state_nocalls(pmon_cpuhp_state);
	pmon_for_each_place(place, i)
		hrtimer_cancel(&place->timer);
}
