// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs come and go, and the machine sleeps. When the designated CPU of a place
 * goes offline another one takes over, with the events and the timer of its
 * boxes.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/notifier.h>
#include <linux/suspend.h>

#include <compat/cleanup.h>
#include <compat/workqueue.h>

#include "core.h"

/*
 * New events are opened on the new CPU at once, then the old ones are moved. If
 * no CPU of a package is left, perf ends the events after this callback, on the
 * CPU that goes; their counts stay.
 */
static void pmon_place_set_cpu(struct pmon_place *place, unsigned int index,
			       int to)
{
	int from = place->cpu;
	struct pmon_pmu *pmu;

	if (from == to)
		return;

	WRITE_ONCE(place->cpu, to);
	if (from >= 0 && to >= 0 && !pmon_cpu_has_events(from)) {
		pmon_timer_move(place);
		return;
	}
	scoped_guard(mutex, &pmon_mutex) {
		list_for_each_entry(pmu, &pmon_pmus, list) {
			if (!pmu->box[index])
				continue;
			if (to < 0)
				pmon_box_leave(pmu->box[index]);
			else if (from < 0)
				pmon_box_return(pmu->box[index]);
			else if (READ_ONCE(pmu->open))
				pmon_pmu_move_events(pmu, from, to);
		}
	}
	if (from >= 0 && to >= 0)
		pmon_timer_move(place);
}

static int pmon_cpu_online(unsigned int cpu)
{
	struct pmon_place *place;
	unsigned int i;

	if (!pmon_cpu_enter(cpu))
		pr_warn_once("more than %u packages and nodes with boxes: CPUs are left out\n",
			     PMON_PLACES_MAX);
	pmon_for_each_place(place, i)
		pmon_place_set_cpu(place, i, pmon_place_cpu_with(place, cpu));
	return 0;
}

/*
 * Events are on the designated CPU already but for those whose opening saw
 * another one.
 */
static void pmon_cpu_vacate(unsigned int cpu)
{
	struct pmon_pmu *pmu;

	guard(mutex)(&pmon_mutex);
	list_for_each_entry(pmu, &pmon_pmus, list) {
		int index = pmu->soft ? -1 : pmon_place_index(pmu->near, cpu);
		struct pmon_box *box = index < 0 ? NULL : pmu->box[index];

		if (box && box->place->cpu >= 0 && READ_ONCE(pmu->open))
			pmon_pmu_move_events(pmu, cpu, box->place->cpu);
	}
}

static int pmon_cpu_offline(unsigned int cpu)
{
	struct pmon_place *place;
	unsigned int i;

	pmon_for_each_place(place, i) {
		pmon_place_set_cpu(place, i,
				   pmon_place_cpu_without(place, cpu));
		if (pmon_timer_is_on(place, cpu))
			pmon_timer_move(place);
	}
	if (pmon_cpu_has_events(cpu))
		pmon_cpu_vacate(cpu);
	return 0;
}

/*
 * The kernel has no notifier for CPUs that a cpuset isolates: how often the
 * masks are read while events are open.
 */
#define PMON_ISOLATION_JIFFIES	round_jiffies_relative(30 * HZ)

static void pmon_isolation_check(struct work_struct *work)
{
	struct pmon_place *place;
	bool open = false;
	unsigned int i;

	cpus_read_lock();
	pmon_for_each_place(place, i) {
		pmon_place_set_cpu(place, i, pmon_place_cpu_spared(place));
		open |= place->cpu >= 0 && pmon_cpu_has_events(place->cpu);
	}
	cpus_read_unlock();
	if (open)
		queue_delayed_work(system_dfl_wq, to_delayed_work(work),
				   PMON_ISOLATION_JIFFIES);
}

static void pmon_resume(void)
{
	struct pmon_pmu *pmu;
	struct pmon_box *box;
	unsigned int i;

	cpus_read_lock();
	scoped_guard(mutex, &pmon_mutex) {
		list_for_each_entry(pmu, &pmon_pmus, list)
			pmon_for_each_box(box, pmu, i)
				pmon_box_resume(box);
	}
	cpus_read_unlock();
}

/*
 * After the machine slept (S3, S4, suspend to idle) firmware may have reset any
 * box: those in use are checked now and not at the next wrap tick.
 */
static int pmon_pm_event(struct notifier_block *nb, unsigned long action,
			 void *data)
{
	switch (action) {
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		pmon_resume();
		return NOTIFY_OK;
	default:
		return NOTIFY_DONE;
	}
}

static struct notifier_block pmon_pm_nb = { .notifier_call = pmon_pm_event };

static enum cpuhp_state pmon_cpuhp_state;

int pmon_hotplug_init(void)
{
	int ret;

	pmon_cpu_init();
	INIT_DELAYED_WORK(&pmon_isolation_work, pmon_isolation_check);
	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "perf/pmon:online",
				pmon_cpu_online, pmon_cpu_offline);
	if (ret < 0)
		return ret;

	pmon_cpuhp_state = ret;
	ret = register_pm_notifier(&pmon_pm_nb);
	if (ret)
		cpuhp_remove_state_nocalls(pmon_cpuhp_state);
	return ret;
}

void pmon_hotplug_exit(void)
{
	cancel_delayed_work_sync(&pmon_isolation_work);
	unregister_pm_notifier(&pmon_pm_nb);
	cpuhp_remove_state_nocalls(pmon_cpuhp_state);
	pmon_cpu_exit();
}
