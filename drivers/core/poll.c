// SPDX-License-Identifier: GPL-2.0-only
/* Poll the boxes of a place, on its designated CPU, before counters wrap. */
#include <linux/hrtimer.h>
#include <linux/minmax.h>
#include <linux/smp.h>

#include <compat/hrtimer.h>

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
	accesses = pmon_global_visit(box, round, false);
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

/*
 * Look at the global control of a box, and take an idle box off the list, which
 * its next start joins again. Returns true if the box needs looks.
 */
static bool pmon_poll_look(struct pmon_box *box, unsigned int look)
{
	guard(pmon_box)(box);
	if (!pmon_global_is_watched(box))
		return false;
	if (!box->hw.active) {
		WRITE_ONCE(box->polled, 0);
		list_del(&box->poll);
		return false;
	}
	if (pmon_box_update_state(box))
		pmon_global_visit(box, look, true);
	return true;
}

/* Look at all global controls once a second, from one round to the next. */
static void pmon_poll_looks(struct pmon_place *place, ktime_t now)
{
	struct pmon_box *box, *next;
	bool any = false;

	lockdep_assert_held(&place->lock);
	if (now - place->looked < NSEC_PER_SEC - PMON_POLL_PAUSE_MAX_NS)
		return;

	place->looked = now;
	place->look++;
	list_for_each_entry_safe(box, next, &place->poll_list, poll)
		any |= pmon_poll_look(box, place->look);
	place->wake_ns = any ? min_t(u64, place->period_ns, NSEC_PER_SEC) :
			       place->period_ns;
}

/* Poll the next boxes. Returns the time until the next tick in ns. */
static u64 pmon_poll_here(struct pmon_place *place)
{
	u64 pause = min(PMON_POLL_PAUSE_MAX_NS,
			place->period_ns / PMON_POLL_BATCHES);
	ktime_t now = ktime_get();
	bool is_due = now - place->round_start + pause >= place->period_ns;

	pmon_poll_looks(place, now);
	if (!pmon_poll_first(place))
		return pause;
	if (pmon_poll_is_over(place) && is_due)
		place->round_start = now;
	if (!pmon_poll_is_over(place) || is_due)
		pmon_poll_batch(place);
	if (!pmon_poll_is_over(place))
		return pause;
	now = ktime_get();
	return min(place->wake_ns,
		   max_t(s64, pause,
			 place->period_ns - (now - place->round_start)));
}

static enum hrtimer_restart pmon_timer_tick(struct hrtimer *timer)
{
	struct pmon_place *place =
		container_of(timer, struct pmon_place, timer);
	unsigned int cpu = smp_processor_id();
	u64 ns;

	guard(raw_spinlock_irqsave)(&place->lock);
	ns = place->period_ns;
	/*
	 * This may not be the designated CPU: the first box may have started
	 * here, or the kernel moved the timer from a CPU that went offline.
	 * If it does not reach the boxes, the report moves the timer back.
	 */
	WRITE_ONCE(place->timer_cpu, cpu);
	if (pmon_poll_first(place)) {
		pmon_report_tick();
		if (cpu == READ_ONCE(place->cpu) ||
		    pmon_cpu_distance(cpu, place->id) >= 0)
			ns = pmon_poll_here(place);
		else
			pmon_report_soon();
	}
	/* Another CPU may have restarted the timer while this CPU waited. */
	if (!pmon_poll_first(place) || hrtimer_is_queued(timer))
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ns_to_ktime(ns));
	return HRTIMER_RESTART;
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
	u64 wake_ns = box->wake_ns;
	bool is_first;

	lockdep_assert_irqs_disabled();
	guard(raw_spinlock)(&place->lock);
	/* If the box stops now, a look or pmon_poll_remove() comes later. */
	if (box->polled == place->emptied || !READ_ONCE(box->hw.active))
		return;

	WRITE_ONCE(box->polled, place->emptied);
	box->round = place->round;
	is_first = list_empty(&place->poll_list);
	list_add_tail(&box->poll, &place->poll_list);
	if (is_first || box->period_ns < place->period_ns)
		place->period_ns = box->period_ns;
	if (!is_first && place->wake_ns <= wake_ns)
		return;

	place->wake_ns = wake_ns;
	WRITE_ONCE(place->timer_cpu, smp_processor_id());
	hrtimer_start(&place->timer, ns_to_ktime(wake_ns), PMON_TIMER_MODE);
	/* Spares a read of the clock, which costs a start 2 %. */
	if (is_first)
		place->round_start = hrtimer_get_expires(&place->timer) -
				     wake_ns;
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
	/* The report comes once more, but now. */
	if (atomic_dec_and_test(&pmon_open_places) &&
	    delayed_work_pending(&pmon_report_work))
		pmon_report_soon();
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

/* Move a timer to the designated CPU. The caller holds the CPU hotplug lock. */
void pmon_timer_reconcile(struct pmon_place *place)
{
	if (place->cpu < 0 || list_empty_careful(&place->poll_list) ||
	    READ_ONCE(place->timer_cpu) == place->cpu)
		return;
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
