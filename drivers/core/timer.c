// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading counters before they wrap twice. One timer per package, on the CPU
 * that does the package's work, and only while one of its boxes has events.
 */
#include <compat/cleanup.h>
#include <compat/hrtimer.h>

#include "core.h"

#define PMON_TIMER_MODE		HRTIMER_MODE_REL_PINNED_HARD

static enum hrtimer_restart pmon_timer_tick(struct hrtimer *timer)
{
	struct pmon_package *package =
		container_of(timer, struct pmon_package, timer);
	struct pmon_box *box;

	guard(raw_spinlock_irqsave)(&package->lock);
	if (list_empty(&package->running))
		return HRTIMER_NORESTART;

	list_for_each_entry(box, &package->running, queue) {
		guard(raw_spinlock)(&box->lock);
		pmon_bank_sync(&box->bank);
	}
	hrtimer_forward_now(timer, ns_to_ktime(package->period_ns));
	return HRTIMER_RESTART;
}

void pmon_timer_init(struct pmon_package *package)
{
	raw_spin_lock_init(&package->lock);
	INIT_LIST_HEAD(&package->running);
	hrtimer_setup(&package->timer, pmon_timer_tick, CLOCK_MONOTONIC,
		      PMON_TIMER_MODE);
}

/* The shortest period of all running boxes, 0 when there are none. */
static u64 pmon_timer_period_ns(struct pmon_package *package)
{
	struct pmon_box *box;
	u64 period = 0;

	lockdep_assert_held(&package->lock);
	list_for_each_entry(box, &package->running, queue)
		if (!period || box->period_ns < period)
			period = box->period_ns;
	return period;
}

static void pmon_timer_set(struct pmon_package *package)
{
	u64 period = pmon_timer_period_ns(package);
	bool sooner = !package->period_ns || period < package->period_ns;

	package->period_ns = period;
	/* A tick that runs at this moment finds the list empty and ends. */
	if (!period)
		hrtimer_try_to_cancel(&package->timer);
	else if (sooner)
		hrtimer_start(&package->timer, ns_to_ktime(period),
			      PMON_TIMER_MODE);
}

/*
 * A box may have begun or ended to run. The tick holds the package's lock and
 * takes the boxes', so this must be called without the box's lock; each change
 * of @running is followed by a call, so the last one gets it right.
 */
void pmon_timer_update(struct pmon_box *box)
{
	struct pmon_package *package = box->package;
	bool running;

	if (READ_ONCE(box->bank.running) == READ_ONCE(box->queued))
		return;

	guard(raw_spinlock_irqsave)(&package->lock);
	running = READ_ONCE(box->bank.running);
	if (running == box->queued)
		return;

	WRITE_ONCE(box->queued, running);
	if (running)
		list_add(&box->queue, &package->running);
	else
		list_del_init(&box->queue);
	pmon_timer_set(package);
}

static void pmon_timer_start_here(void *data)
{
	struct pmon_package *package = data;

	guard(raw_spinlock_irqsave)(&package->lock);
	if (!list_empty(&package->running))
		hrtimer_start(&package->timer, ns_to_ktime(package->period_ns),
			      PMON_TIMER_MODE);
}

/* The package's work has moved to another CPU: so must the timer. */
void pmon_timer_move(struct pmon_package *package)
{
	hrtimer_cancel(&package->timer);
	smp_call_function_single(package->cpu, pmon_timer_start_here, package,
				 true);
}
