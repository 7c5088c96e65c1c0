// SPDX-License-Identifier: GPL-2.0-only
/*
 * Give each place (a package, a die, the surroundings of a NUMA node) its
 * designated CPU, as CPUs come and go and the machine sleeps. The events of its
 * boxes live there, and so does the timer that polls their counters before they
 * wrap. When that CPU goes offline another one takes over, with both.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/export.h>
#include <linux/notifier.h>
#include <linux/numa.h>
#include <linux/suspend.h>
#include <linux/topology.h>

#include <compat/hrtimer.h>
#include <compat/isolation.h>
#include <compat/topology.h>
#include <compat/workqueue.h>

#include "core.h"

static struct pmon_place pmon_places[PMON_PLACES_MAX];
static unsigned int pmon_places_known;
static DEFINE_RAW_SPINLOCK(pmon_places_lock);

/* Number of a CPU's package, and of its die, plus one; 0: never yet online. */
static DEFINE_PER_CPU(int, pmon_cpu_package);
static DEFINE_PER_CPU(int, pmon_cpu_die);

/* ---- places ------------------------------------------------------------- */

/* The place with index @i; NULL when there is none. */
static struct pmon_place *pmon_place_at(unsigned int i)
{
	/* Pairs with the release in pmon_place_add(). */
	unsigned int known = smp_load_acquire(&pmon_places_known);

	return i < known ? &pmon_places[i] : NULL;
}

#define pmon_for_each_place(place, i) \
	for ((i) = 0; ((place) = pmon_place_at(i)); (i)++)

static int pmon_place_find(struct pmon_place_id id)
{
	const struct pmon_place *place;
	unsigned int i;

	pmon_for_each_place(place, i)
		if (place->id.kind == id.kind && place->id.id == id.id)
			return i;
	return -1;
}

/* The distance of a CPU from a place; negative when it does not reach it. */
static int pmon_cpu_distance(unsigned int cpu, struct pmon_place_id id)
{
	if (id.kind == PMON_PLACE_PACKAGE)
		return per_cpu(pmon_cpu_package, cpu) - 1 == id.id ? 0 : -1;
	if (id.kind == PMON_PLACE_DIE)
		return per_cpu(pmon_cpu_die, cpu) - 1 == id.id ? 0 : -1;
	return id.id == NUMA_NO_NODE ? 0 :
	       node_distance(id.id, cpu_to_node(cpu));
}

/* The box of a PMU that an event on @cpu counts on, or NULL. */
struct pmon_box *pmon_box_of_cpu(struct pmon_pmu *pmu, unsigned int cpu)
{
	unsigned int i;

	for (i = 0; i < PMON_PLACES_MAX; i++) {
		struct pmon_box *box = READ_ONCE(pmu->box[i]);

		if (box && pmon_cpu_distance(cpu, box->place->id) >= 0)
			return box;
	}
	return NULL;
}

/* CPUs that are not isolated come first, and of these the nearest ones. */
static int pmon_cpu_cost(unsigned int cpu, struct pmon_place_id id)
{
	int distance = pmon_cpu_distance(cpu, id);

	if (distance < 0)
		return INT_MAX;
	return distance + (compat_cpu_is_isolated(cpu) ? 1000000 : 0);
}

/* The best online CPU for a place but for @but; @now if none is better. */
static int pmon_cpu_choose(struct pmon_place_id id, int now, int but)
{
	int found = now == but ? -1 : now, cpu;
	int least = found < 0 ? INT_MAX : pmon_cpu_cost(found, id);

	for_each_online_cpu(cpu) {
		int cost = cpu == but ? INT_MAX : pmon_cpu_cost(cpu, id);

		if (!least)
			break;
		if (cost < least) {
			least = cost;
			found = cpu;
		}
	}
	return found;
}

static void pmon_place_set_name(struct pmon_place *place)
{
	static const char * const kinds[] = {
		[PMON_PLACE_PACKAGE] = "package",
		[PMON_PLACE_DIE] = "die",
		[PMON_PLACE_NODE] = "node",
	};

	if (place->id.kind == PMON_PLACE_NODE && place->id.id == NUMA_NO_NODE)
		snprintf(place->name, sizeof(place->name), "the machine");
	else
		snprintf(place->name, sizeof(place->name), "%s %d",
			 kinds[place->id.kind], place->id.id);
}

/* The index of this place, which is added if it is new; -1: too many. */
static int pmon_place_add(struct pmon_place_id id)
{
	struct pmon_place *place;
	int i;

	guard(raw_spinlock_irqsave)(&pmon_places_lock);
	i = pmon_place_find(id);
	if (i >= 0)
		return i;
	if (pmon_places_known == PMON_PLACES_MAX)
		return -1;

	i = pmon_places_known;
	place = &pmon_places[i];
	place->id = id;
	place->cpu = pmon_cpu_choose(id, -1, -1);
	pmon_place_set_name(place);
	/* With the count the place can be seen. */
	smp_store_release(&pmon_places_known, i + 1);
	return i;
}

/* This place; NULL when there are too many. */
struct pmon_place *pmon_place_get(struct pmon_place_id id, unsigned int *index)
{
	/* So that the designated CPU stays. */
	cpus_read_lock();
	*index = pmon_place_add(id);
	cpus_read_unlock();
	return pmon_place_at(*index);
}

int pmon_place_cpu(struct pmon_place_id id)
{
	int i = pmon_place_find(id);

	return i < 0 ? -1 : READ_ONCE(pmon_places[i].cpu);
}
EXPORT_SYMBOL_GPL(pmon_place_cpu);

/*
 * The CPU that a PMU's cpumask names for a place, or -1. It is the designated
 * one. But with several NUMA nodes in a package (sub-NUMA clusters) it is the
 * first one that is online, as for the kernel's own drivers: perf takes it for
 * the first CPU of the first of the nodes, and derives from it those of the
 * others. An event opened on any of them moves.
 */
int pmon_place_shown_cpu(const struct pmon_place *place)
{
	int designated = READ_ONCE(place->cpu), first = -1, cpu;

	if (designated < 0 || place->id.kind == PMON_PLACE_NODE)
		return designated;

	/*
	 * A thread that removes the file of cpumask waits for its readers,
	 * maybe with the CPU hotplug lock held: readers do not take it.
	 */
	for_each_online_cpu(cpu) {
		if (pmon_cpu_distance(cpu, place->id) < 0)
			continue;
		if (first < 0)
			first = cpu;
		else if (cpu_to_node(cpu) != cpu_to_node(first))
			return first;
	}
	return designated;
}

/* ---- CPUs that are isolated ---------------------------------------------- */

/*
 * The kernel has no notifier for CPUs that a cpuset isolates: how often the
 * masks are read while events are open.
 */
#define PMON_ISOLATION_JIFFIES	round_jiffies_relative(30 * HZ)

static bool pmon_any_place_is_open(void)
{
	struct pmon_place *place;
	unsigned int i;

	pmon_for_each_place(place, i)
		if (atomic_read(&place->open))
			return true;
	return false;
}

static void pmon_isolation_continue(void)
{
	if (pmon_any_place_is_open())
		queue_delayed_work(system_dfl_wq, &pmon_isolation_work,
				   PMON_ISOLATION_JIFFIES);
}

/* The last event of a place was closed, and maybe the last of all. */
void pmon_isolation_end(void)
{
	if (pmon_any_place_is_open())
		return;
	cancel_delayed_work(&pmon_isolation_work);
	/* Pairs with opening an event, @open, before perf adds it. */
	smp_mb();
	pmon_isolation_continue();
}

/* ---- the timer that polls boxes ----------------------------------------- */

#define PMON_TIMER_MODE		HRTIMER_MODE_REL_PINNED_HARD

/*
 * An access takes about a microsecond with interrupts off, and a place may have
 * hundreds of boxes: a round is made in batches with pauses between. A batch
 * ends with the box that reaches this many accesses, so a tick takes at most 64
 * where no box takes more than 16. The period leaves room for the pauses, it is
 * half of what a counter needs to wrap.
 */
#define PMON_POLL_ACCESSES	47U
/* The shortest pause is the period divided by this. */
#define PMON_POLL_BATCHES	64U
#define PMON_POLL_PAUSE_MAX_NS	1000000ULL

/* The box that was polled the longest time ago; NULL when there is none. */
static struct pmon_box *pmon_poll_first(struct pmon_place *place)
{
	return list_first_entry_or_null(&place->polled, struct pmon_box, poll);
}

/* Has this round polled all boxes? */
static bool pmon_poll_is_over(struct pmon_place *place)
{
	return pmon_poll_first(place)->round == place->round;
}

/* Returns how many accesses that takes at most. */
static unsigned int pmon_poll_box(struct pmon_box *box, unsigned int round)
{
	unsigned int accesses;

	if (!READ_ONCE(box->bank.running))
		return 0;

	guard(pmon_box)(box);
	if (pmon_box_enters_d3(box))
		return 1;
	accesses = pmon_global_tick(box, round);
	pmon_bank_tick(&box->bank);
	return accesses + pmon_bank_tick_accesses(&box->bank);
}

static void pmon_poll_batch(struct pmon_place *place)
{
	unsigned int accesses = 0;

	lockdep_assert_held(&place->lock);
	if (pmon_poll_is_over(place))
		place->round++;
	while (accesses < PMON_POLL_ACCESSES && !pmon_poll_is_over(place)) {
		struct pmon_box *box = pmon_poll_first(place);

		box->round = place->round;
		list_move_tail(&box->poll, &place->polled);
		accesses += pmon_poll_box(box, place->round);
	}
}

static u64 pmon_poll_wait_ns(struct pmon_place *place)
{
	if (pmon_poll_is_over(place))
		return place->period_ns;
	return min_t(u64, place->period_ns / PMON_POLL_BATCHES,
		     PMON_POLL_PAUSE_MAX_NS);
}

static enum hrtimer_restart pmon_timer_tick(struct hrtimer *timer)
{
	struct pmon_place *place =
		container_of(timer, struct pmon_place, timer);
	unsigned int cpu = smp_processor_id();
	u64 ns = PMON_POLL_PAUSE_MAX_NS;

	guard(raw_spinlock_irqsave)(&place->lock);
	if (!pmon_poll_first(place))
		return HRTIMER_NORESTART;

	/*
	 * A box that became active on a CPU that is not the designated one has
	 * started the timer there, and when that CPU goes offline the kernel
	 * moves the timer to any other, until pmon_timer_move().
	 */
	WRITE_ONCE(place->timer_cpu, cpu);
	if (cpu == READ_ONCE(place->cpu) ||
	    pmon_cpu_distance(cpu, place->id) >= 0) {
		pmon_poll_batch(place);
		ns = pmon_poll_wait_ns(place);
	}
	/*
	 * While this CPU waited for the lock another one may have started the
	 * timer anew, for an earlier expiry or for the CPU that takes over.
	 */
	if (hrtimer_is_queued(timer))
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ns_to_ktime(ns));
	return HRTIMER_RESTART;
}

/*
 * The box has begun to run, and is polled from the next round on, until it is
 * removed or no event of its place is open. To stop the timer whenever nothing
 * runs would take as many instructions as the rest of stopping an event. The
 * period is the shortest of the boxes that are polled, or have been since any
 * was.
 *
 * The tick holds the place's lock and takes the boxes', so this must be called
 * without the box's lock, and with interrupts off. Since that was dropped the
 * box may have been removed, which takes it off the list.
 */
void pmon_timer_start(struct pmon_box *box)
{
	struct pmon_place *place = box->place;

	lockdep_assert_irqs_disabled();
	guard(raw_spinlock)(&place->lock);
	guard(pmon_box)(box);
	if (box->polled || !box->bank.running)
		return;

	WRITE_ONCE(box->polled, true);
	if (list_empty(&place->polled))
		place->period_ns = ~0ULL;
	box->round = place->round;
	list_add_tail(&box->poll, &place->polled);
	if (place->period_ns <= box->period_ns)
		return;

	place->period_ns = box->period_ns;
	WRITE_ONCE(place->timer_cpu, smp_processor_id());
	hrtimer_start(&place->timer, ns_to_ktime(place->period_ns),
		      PMON_TIMER_MODE);
}

/*
 * The box has ended to run. Whether it has begun again is known under its lock,
 * under which pmon_box_apply() looks at @polled. A tick that runs at this
 * moment is not waited for: it finds no box and does not start the timer again.
 */
void pmon_timer_stop(struct pmon_box *box)
{
	struct pmon_place *place = box->place;

	guard(raw_spinlock_irq)(&place->lock);
	guard(pmon_box)(box);
	if (!box->polled || box->bank.running)
		return;

	WRITE_ONCE(box->polled, false);
	list_del(&box->poll);
	if (list_empty(&place->polled))
		hrtimer_try_to_cancel(&place->timer);
}

/*
 * The last event of the place was closed: no box runs. If one was opened
 * meanwhile its box may run by now, and may have been found polled.
 */
void pmon_timer_end(struct pmon_place *place)
{
	struct pmon_box *box;

	guard(raw_spinlock_irq)(&place->lock);
	list_for_each_entry(box, &place->polled, poll)
		WRITE_ONCE(box->polled, false);
	/* Pairs with opening an event, @open, before its start, @polled. */
	smp_mb();
	if (unlikely(atomic_read(&place->open))) {
		list_for_each_entry(box, &place->polled, poll)
			WRITE_ONCE(box->polled, true);
		return;
	}
	INIT_LIST_HEAD(&place->polled);
	hrtimer_try_to_cancel(&place->timer);
}

/* For the same expiry, because counters go on while the timer is moved. */
static void pmon_timer_start_here(void *data)
{
	struct pmon_place *place = data;

	guard(raw_spinlock_irqsave)(&place->lock);
	if (!pmon_poll_first(place))
		return;

	WRITE_ONCE(place->timer_cpu, smp_processor_id());
	hrtimer_start_expires(&place->timer, HRTIMER_MODE_ABS_PINNED_HARD);
}

static void pmon_timer_move(struct pmon_place *place)
{
	hrtimer_cancel(&place->timer);
	smp_call_function_single(place->cpu, pmon_timer_start_here, place,
				 true);
}

/* ---- CPUs come and go, and the machine sleeps ---------------------------- */

/*
 * Choose the designated CPU of a place anew, but not @but. New events are
 * opened on the new CPU at once, then the old ones are moved. If no CPU of a
 * package is left, perf ends the events after this callback, on the CPU that
 * goes; their counts stay.
 */
static void pmon_place_update(struct pmon_place *place, unsigned int index,
			      int but)
{
	int from = place->cpu, to = pmon_cpu_choose(place->id, from, but);
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
	int package = topology_physical_package_id(cpu);
	struct pmon_place *place;
	unsigned int i;

	if (pmon_place_add(pmon_in_package(package)) < 0)
		pr_warn_once("more than %u packages and nodes with boxes: CPUs are left out\n",
			     PMON_PLACES_MAX);
	per_cpu(pmon_cpu_die, cpu) = compat_logical_die_id(cpu) + 1;
	per_cpu(pmon_cpu_package, cpu) = package + 1;
	pmon_for_each_place(place, i)
		pmon_place_update(place, i, -1);
	return 0;
}

/* Only events whose opening saw another designated CPU are still on @cpu. */
static void pmon_cpu_vacate(unsigned int cpu)
{
	struct pmon_pmu *pmu;

	guard(mutex)(&pmon_mutex);
	list_for_each_entry(pmu, &pmon_pmus, list) {
		struct pmon_box *box = pmon_box_of_cpu(pmu, cpu);

		if (box && box->place->cpu >= 0 && READ_ONCE(pmu->open))
			pmon_pmu_move_events(pmu, cpu, box->place->cpu);
	}
}

static int pmon_cpu_offline(unsigned int cpu)
{
	struct pmon_place *place;
	unsigned int i;

	pmon_for_each_place(place, i) {
		pmon_place_update(place, i, cpu);
		/* Boxes may run whose timer is on a CPU not designated. */
		if (place->cpu >= 0 && !list_empty_careful(&place->polled) &&
		    READ_ONCE(place->timer_cpu) == (int)cpu)
			pmon_timer_move(place);
	}
	if (pmon_cpu_has_events(cpu))
		pmon_cpu_vacate(cpu);
	return 0;
}

static void pmon_isolation_check(struct work_struct *work)
{
	struct pmon_place *place;
	unsigned int i;

	cpus_read_lock();
	pmon_for_each_place(place, i)
		pmon_place_update(place, i, -1);
	cpus_read_unlock();
	pmon_isolation_continue();
}

static void pmon_resume(void)
{
	struct pmon_pmu *pmu;
	struct pmon_box *box;
	unsigned int i;

	guard(pmon_cpus_and)(&pmon_mutex);
	list_for_each_entry(pmu, &pmon_pmus, list)
		pmon_for_each_box(box, pmu, i)
			pmon_box_resume(box);
	pmon_boxes_resumed();
}

/* Boxes are checked after sleep, and not at the next wrap tick. */
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

static void pmon_place_init(struct pmon_place *place)
{
	raw_spin_lock_init(&place->lock);
	INIT_LIST_HEAD(&place->polled);
	place->timer_cpu = -1;
	hrtimer_setup(&place->timer, pmon_timer_tick, CLOCK_MONOTONIC,
		      PMON_TIMER_MODE);
}

int pmon_cpu_init(void)
{
	unsigned int i;
	int ret;

	for (i = 0; i < PMON_PLACES_MAX; i++)
		pmon_place_init(&pmon_places[i]);
	INIT_DELAYED_WORK(&pmon_isolation_work, pmon_isolation_check);
	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "perf/pmon:online",
				pmon_cpu_online, pmon_cpu_offline);
	if (ret < 0)
		return ret;

	pmon_cpuhp_state = ret;
	pmon_boxes_resumed();
	register_pm_notifier(&pmon_pm_nb);
	return 0;
}

/* No box runs, but a tick may not have ended yet. */
void pmon_cpu_exit(void)
{
	unsigned int i;

	pmon_report_sync();
	cancel_delayed_work_sync(&pmon_isolation_work);
	unregister_pm_notifier(&pmon_pm_nb);
	cpuhp_remove_state_nocalls(pmon_cpuhp_state);
	for (i = 0; i < PMON_PLACES_MAX; i++)
		hrtimer_cancel(&pmon_places[i].timer);
}
