// SPDX-License-Identifier: GPL-2.0-only
/* Poll the boxes of a place, on its designated CPU, before counters wrap. */
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include <compat/hrtimer.h>
#include <compat/workqueue.h>

#include "core.h"

#define PMON_TIMER_MODE		HRTIMER_MODE_REL_PINNED_HARD

/*
 * An access takes about a microsecond with interrupts off. So a round is split
 * into batches, one per tick, with pauses in between. A batch ends with the box
 * that reaches this number of accesses. A box with four events and split reads
 * needs up to 34, so a batch has at most 30 + 34.
 */
#define PMON_POLL_ACCESSES	31U
/* The pause is the period divided by this number, but at most the maximum. */
#define PMON_POLL_BATCHES	64U
#define PMON_POLL_PAUSE_MAX_NS	1000000ULL

#define PMON_ISOLATION_JIFFIES	(30 * HZ)

static struct pmon_box *pmon_poll_first(struct pmon_place *place)
{
	return list_first_entry_or_null(&place->poll_list, struct pmon_box,
					poll);
}

static bool pmon_poll_is_over(struct pmon_place *place)
{
	return pmon_poll_first(place)->round == place->round;
}

/* Poll a box. Return the most accesses it takes without change or recheck. */
static unsigned int pmon_poll_box(struct pmon_box *box, unsigned int round)
{
	unsigned int accesses;

	if (!READ_ONCE(box->hw.active))
		return 0;

	guard(pmon_box)(box);
	if (!pmon_box_update_state(box))
		return 1;
	accesses = pmon_global_tick(box, round);
	pmon_hw_tick(&box->hw);
	return accesses + pmon_hw_tick_accesses(&box->hw);
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
		list_move_tail(&box->poll, &place->poll_list);
		accesses += pmon_poll_box(box, place->round);
	}
}

static enum hrtimer_restart pmon_poll(struct pmon_place *place)
{
	struct hrtimer *timer = &place->timer;
	unsigned int cpu = smp_processor_id();
	u64 ns = PMON_POLL_PAUSE_MAX_NS;

	guard(raw_spinlock_irqsave)(&place->lock);
	if (!pmon_poll_first(place))
		return HRTIMER_NORESTART;

	/*
	 * This may not be the designated CPU: the first box may have started
	 * here, or the kernel moved the timer from a CPU that went offline.
	 */
	WRITE_ONCE(place->timer_cpu, cpu);
	if (cpu == READ_ONCE(place->cpu) ||
	    pmon_cpu_distance(cpu, place->id) >= 0) {
		if (pmon_poll_is_over(place))
			place->round_start = ktime_get();
		pmon_poll_batch(place);
		ns = min(ns, place->period_ns / PMON_POLL_BATCHES);
		if (pmon_poll_is_over(place))
			ns = max_t(s64, ns, place->period_ns -
				   (ktime_get() - place->round_start));
	}
	/* Another CPU may have restarted the timer while this CPU waited. */
	if (hrtimer_is_queued(timer))
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ns_to_ktime(ns));
	return HRTIMER_RESTART;
}

/* Called without the lock of a place, because queue_work() wakes a task. */
static void pmon_poll_isolation(void)
{
	static unsigned long next = INITIAL_JIFFIES;

	if (time_before(jiffies, READ_ONCE(next)))
		return;

	WRITE_ONCE(next, jiffies + PMON_ISOLATION_JIFFIES);
	queue_work(system_dfl_wq, &pmon_isolation_work);
}

static enum hrtimer_restart pmon_timer_tick(struct hrtimer *timer)
{
	pmon_poll_isolation();
	return pmon_poll(container_of(timer, struct pmon_place, timer));
}

/*
 * Poll an active box from the next round on, until it is no longer accessible
 * or the last event of the place is closed. When its events stop, the box stays
 * on the list: to remove it would double the instructions of a stop. The period
 * is the shortest of all boxes since the list was empty. Context: no box lock.
 */
void pmon_poll_add(struct pmon_box *box)
{
	struct pmon_place *place = box->place;

	lockdep_assert_irqs_disabled();
	guard(raw_spinlock)(&place->lock);
	guard(pmon_box)(box);
	if (pmon_box_is_polled(box) || !box->hw.active)
		return;

	WRITE_ONCE(box->polled, place->emptied);
	if (list_empty(&place->poll_list))
		place->period_ns = ~0ULL;
	box->round = place->round;
	list_add_tail(&box->poll, &place->poll_list);
	if (place->period_ns <= box->period_ns)
		return;

	place->period_ns = box->period_ns;
	WRITE_ONCE(place->timer_cpu, smp_processor_id());
	hrtimer_start(&place->timer, ns_to_ktime(place->period_ns),
		      PMON_TIMER_MODE);
}

/* Stop polling the box if it is idle. A tick that finds no box is the last. */
void pmon_poll_remove(struct pmon_box *box)
{
	struct pmon_place *place = box->place;

	guard(raw_spinlock_irq)(&place->lock);
	guard(pmon_box)(box);
	if (!pmon_box_is_polled(box) || box->hw.active)
		return;

	WRITE_ONCE(box->polled, 0);
	list_del(&box->poll);
	if (list_empty(&place->poll_list))
		hrtimer_try_to_cancel(&place->timer);
}

/*
 * Stop polling after the last event of the place was closed. If an event was
 * opened meanwhile, keep list and timer, and restore @emptied: listed boxes
 * have this value in @polled, so pmon_box_apply() does not add them again.
 */
void pmon_poll_end(struct pmon_place *place)
{
	guard(raw_spinlock_irq)(&place->lock);
	WRITE_ONCE(place->emptied, place->emptied + 1);
	/* Pairs with pmon_event_finish_open(), after which @emptied is read. */
	smp_mb();
	if (unlikely(atomic_read(&place->open_events))) {
		WRITE_ONCE(place->emptied, place->emptied - 1);
		return;
	}
	INIT_LIST_HEAD(&place->poll_list);
	hrtimer_try_to_cancel(&place->timer);
}

/* Keep the expiry time, because counters count on while the timer moves. */
static void pmon_timer_start_here(void *data)
{
	struct pmon_place *place = data;

	guard(raw_spinlock_irqsave)(&place->lock);
	if (!pmon_poll_first(place))
		return;

	WRITE_ONCE(place->timer_cpu, smp_processor_id());
	hrtimer_start_expires(&place->timer, HRTIMER_MODE_ABS_PINNED_HARD);
}

void pmon_timer_move(struct pmon_place *place)
{
	hrtimer_cancel(&place->timer);
	smp_call_function_single(place->cpu, pmon_timer_start_here, place,
				 true);
}

void pmon_poll_init(struct pmon_place *place)
{
	raw_spin_lock_init(&place->lock);
	INIT_LIST_HEAD(&place->poll_list);
	place->emptied = 1;
	place->timer_cpu = -1;
	hrtimer_setup(&place->timer, pmon_timer_tick, CLOCK_MONOTONIC,
		      PMON_TIMER_MODE);
}
