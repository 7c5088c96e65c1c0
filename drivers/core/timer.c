// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading counters before they wrap twice. One timer per package, on the CPU
 * that does the package's work, and only while one of its boxes has events.
 */
#include <compat/cleanup.h>
#include <compat/hrtimer.h>

#include "core.h"

#define PMON_TIMER_MODE		HRTIMER_MODE_REL_PINNED_HARD

static void pmon_timer_portion(struct pmon_package *package)
{
	unsigned int n = pmon_round_portion(&package->round);
	struct pmon_box *box;

	lockdep_assert_held(&package->lock);
	while (n--) {
		box = list_entry(pmon_round_next(&package->round),
				 struct pmon_box, queue);
		scoped_guard(raw_spinlock, &box->lock)
			if (!pmon_bank_falls_asleep(&box->bank))
				pmon_bank_tick(&box->bank);
	}
}

/*
 * A box that began to run on another CPU has started the timer there, and if
 * that CPU went offline then, the kernel has moved it to any other one. It is
 * about to follow; until then it does not tick where MSRs are another package's.
 */
static bool pmon_timer_may_stay(struct pmon_package *package)
{
	unsigned int index;

	lockdep_assert_held(&package->lock);
	WRITE_ONCE(package->timer_cpu, smp_processor_id());
	pmon_package_astray();
	return pmon_package_of(smp_processor_id(), &index) == package;
}

static enum hrtimer_restart pmon_timer_tick(struct hrtimer *timer)
{
	struct pmon_package *package =
		container_of(timer, struct pmon_package, timer);

	guard(raw_spinlock_irqsave)(&package->lock);
	if (!package->round.boxes)
		return HRTIMER_NORESTART;
	if (unlikely(smp_processor_id() != READ_ONCE(package->cpu)) &&
	    !pmon_timer_may_stay(package)) {
		hrtimer_forward_now(timer, ns_to_ktime(PMON_ROUND_PAUSE_MAX_NS));
		return HRTIMER_RESTART;
	}

	pmon_timer_portion(package);
	hrtimer_forward_now(timer,
			    ns_to_ktime(pmon_round_wait_ns(&package->round)));
	return HRTIMER_RESTART;
}

void pmon_timer_init(struct pmon_package *package)
{
	raw_spin_lock_init(&package->lock);
	pmon_round_init(&package->round);
	hrtimer_setup(&package->timer, pmon_timer_tick, CLOCK_MONOTONIC,
		      PMON_TIMER_MODE);
}

static void pmon_timer_start(struct pmon_package *package)
{
	lockdep_assert_held(&package->lock);
	WRITE_ONCE(package->timer_cpu, smp_processor_id());
	hrtimer_start(&package->timer, ns_to_ktime(package->round.period_ns),
		      PMON_TIMER_MODE);
}

static void pmon_timer_box_begins(struct pmon_package *package,
				  struct pmon_box *box)
{
	struct pmon_round *round = &package->round;

	lockdep_assert_held(&package->lock);
	if (pmon_round_add(round, &box->queue, box->period_ns))
		pmon_timer_start(package);
}

static void pmon_timer_box_ends(struct pmon_package *package,
				struct pmon_box *box)
{
	lockdep_assert_held(&package->lock);
	/* A tick that runs at this moment finds no box and ends. */
	if (pmon_round_del(&package->round, &box->queue))
		hrtimer_try_to_cancel(&package->timer);
}

/*
 * A box may have begun or ended to run. The tick holds the package's lock and
 * takes the boxes', so this must be called without the box's lock, and with
 * interrupts off; each change of @running is followed by a call, so the last
 * one gets it right.
 */
void pmon_timer_update(struct pmon_box *box)
{
	struct pmon_package *package = box->package;
	bool running;

	lockdep_assert_irqs_disabled();
	if (READ_ONCE(box->bank.running) == READ_ONCE(box->queued))
		return;

	guard(raw_spinlock)(&package->lock);
	running = READ_ONCE(box->bank.running);
	if (running == box->queued)
		return;

	WRITE_ONCE(box->queued, running);
	if (running)
		pmon_timer_box_begins(package, box);
	else
		pmon_timer_box_ends(package, box);
}

/* When it was due on the other CPU: the counters go on all the time. */
static void pmon_timer_start_here(void *data)
{
	struct pmon_package *package = data;

	guard(raw_spinlock_irqsave)(&package->lock);
	if (!package->round.boxes)
		return;

	WRITE_ONCE(package->timer_cpu, smp_processor_id());
	hrtimer_start_expires(&package->timer, HRTIMER_MODE_ABS_PINNED_HARD);
}

/* The package's work has moved to another CPU: so must the timer. */
void pmon_timer_move(struct pmon_package *package)
{
	hrtimer_cancel(&package->timer);
	smp_call_function_single(package->cpu, pmon_timer_start_here, package,
				 true);
}

bool pmon_timer_is_astray(const struct pmon_package *package)
{
	return READ_ONCE(package->round.boxes) &&
	       READ_ONCE(package->timer_cpu) != package->cpu;
}
