// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading counters before they wrap twice. One timer per place, on the CPU that
 * serves it, and only while one of its boxes has events.
 */
#include <compat/cleanup.h>
#include <compat/hrtimer.h>

#include "core.h"
#include "lock.h"

#define PMON_TIMER_MODE		HRTIMER_MODE_REL_PINNED_HARD

/*
 * Read a box, and its global control once in each round. Returns how many
 * accesses that takes at most.
 */
static unsigned int pmon_timer_read_box(struct pmon_box *box,
					unsigned int round)
{
	unsigned int restarts;
	bool still;

	guard(pmon_box)(box);
	if (pmon_bank_falls_asleep(&box->bank))
		return 1;
	still = pmon_global_tick(box, round);
	restarts = box->bank.restarts;
	pmon_bank_tick(&box->bank);
	/* One that was set up again just now has gained nothing yet. */
	if (unlikely(still) && !box->gained && !box->bank.unresponsive &&
	    box->bank.restarts == restarts)
		pmon_global_unfreeze(box);
	return 1 + pmon_bank_tick_accesses(&box->bank);
}

static void pmon_timer_batch(struct pmon_place *place)
{
	unsigned int accesses = 0;
	struct hlist_node *next;
	struct pmon_box *box;

	lockdep_assert_held(&place->lock);
	pmon_round_begin(&place->round);
	while (accesses < PMON_ROUND_ACCESSES) {
		next = pmon_round_next(&place->round);
		if (!next)
			break;
		box = hlist_entry(next, struct pmon_box, queue);
		accesses += pmon_timer_read_box(box, place->round.number);
	}
}

/*
 * May this CPU read the boxes of a place? A box that became active on a CPU
 * that is not the designated one has started the timer there, and when that CPU
 * goes offline the kernel moves the timer to any other, until
 * pmon_timer_move().
 */
static bool pmon_timer_may_run_here(struct pmon_place *place)
{
	unsigned int cpu = smp_processor_id();

	lockdep_assert_held(&place->lock);
	WRITE_ONCE(place->timer_cpu, cpu);
	return cpu == READ_ONCE(place->cpu) || pmon_place_reaches(place, cpu);
}

/*
 * While this CPU waited for the lock of the place another one may have started
 * the timer anew, for an earlier expiry or for the CPU that takes over.
 */
static enum hrtimer_restart pmon_timer_again(struct hrtimer *timer, u64 ns)
{
	if (hrtimer_is_queued(timer))
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ns_to_ktime(ns));
	return HRTIMER_RESTART;
}

static enum hrtimer_restart pmon_timer_tick(struct hrtimer *timer)
{
	struct pmon_place *place =
		container_of(timer, struct pmon_place, timer);

	guard(raw_spinlock_irqsave)(&place->lock);
	if (!place->round.boxes)
		return HRTIMER_NORESTART;
	if (!pmon_timer_may_run_here(place))
		return pmon_timer_again(timer, PMON_ROUND_PAUSE_MAX_NS);

	pmon_timer_batch(place);
	return pmon_timer_again(timer, pmon_round_wait_ns(&place->round));
}

/* For all PMON_PLACES_MAX places, used or not yet. */
int pmon_timer_init(void)
{
	unsigned int i;

	for (i = 0; i < PMON_PLACES_MAX; i++) {
		struct pmon_place *place = pmon_place_at(i);

		raw_spin_lock_init(&place->lock);
		pmon_round_init(&place->round);
		hrtimer_setup(&place->timer, pmon_timer_tick, CLOCK_MONOTONIC,
			      PMON_TIMER_MODE);
	}
	return 0;
}

/* No box runs, but a tick may not have ended yet. */
void pmon_timer_exit(void)
{
	unsigned int i;

	for (i = 0; i < PMON_PLACES_MAX; i++)
		hrtimer_cancel(&pmon_place_at(i)->timer);
}

static void pmon_timer_start(struct pmon_place *place)
{
	lockdep_assert_held(&place->lock);
	WRITE_ONCE(place->timer_cpu, smp_processor_id());
	hrtimer_start(&place->timer, ns_to_ktime(place->round.period_ns),
		      PMON_TIMER_MODE);
}

static void pmon_timer_box_begins(struct pmon_place *place,
				  struct pmon_box *box)
{
	struct pmon_round *round = &place->round;

	lockdep_assert_held(&place->lock);
	if (pmon_round_add(round, &box->queue, box->period_ns))
		pmon_timer_start(place);
}

static void pmon_timer_box_ends(struct pmon_place *place,
				struct pmon_box *box)
{
	lockdep_assert_held(&place->lock);
	/*
	 * Do not wait for a tick that runs at this moment: it finds no box and
	 * does not start the timer again.
	 */
	if (pmon_round_del(&place->round, &box->queue))
		hrtimer_try_to_cancel(&place->timer);
}

/*
 * The box has begun or ended to run. Each change of @running by
 * pmon_box_apply(), pmon_box_stop() or pmon_box_leave(), under the box's lock,
 * is followed by a call, whatever @queued was then: of two calls for two
 * changes the later one in the order of the place's lock sees the later change,
 * which it made itself or which the earlier call saw. The tick holds the
 * place's lock and takes the boxes', so this must be called without the box's
 * lock, and with interrupts off.
 *
 * A tick, a reading of a group as a whole, and what other files of the engine
 * run on the box's CPU by pmon_box_call() may end a box, and make no call: the
 * box stays queued, and ticks find nothing to read there, until the next
 * pmon_box_apply() or pmon_box_stop() finds that @queued differs. None of these
 * makes a box run that did not.
 */
void pmon_timer_update(struct pmon_box *box)
{
	struct pmon_place *place = box->place;
	bool running;

	lockdep_assert_irqs_disabled();
	raw_spin_lock(&place->lock);
	running = READ_ONCE(box->bank.running);
	if (running != box->queued) {
		WRITE_ONCE(box->queued, running);
		pmon_global_count(box, running);
		if (running)
			pmon_timer_box_begins(place, box);
		else
			pmon_timer_box_ends(place, box);
	}
	raw_spin_unlock(&place->lock);
}

/*
 * On the new CPU: start the timer for the same expiry, because the counters go
 * on while it is moved.
 */
static void pmon_timer_start_here(void *data)
{
	struct pmon_place *place = data;

	guard(raw_spinlock_irqsave)(&place->lock);
	if (!place->round.boxes)
		return;

	WRITE_ONCE(place->timer_cpu, smp_processor_id());
	hrtimer_start_expires(&place->timer, HRTIMER_MODE_ABS_PINNED_HARD);
}

/* Another CPU serves the place: move the timer to it. */
void pmon_timer_move(struct pmon_place *place)
{
	hrtimer_cancel(&place->timer);
	smp_call_function_single(place->cpu, pmon_timer_start_here, place,
				 true);
}

/* Do boxes have events, and does their timer run on @cpu? */
bool pmon_timer_is_on(const struct pmon_place *place, unsigned int cpu)
{
	return place->cpu >= 0 && READ_ONCE(place->round.boxes) &&
	       READ_ONCE(place->timer_cpu) == cpu;
}
