// SPDX-License-Identifier: GPL-2.0-only
/*
 * The events of a PMU that are open: which they are, how many, and how they end
 * when their device goes before them.
 */
#include <linux/perf_event.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include <compat/cleanup.h>

#include "core.h"

/* Counts every event that is opened or closed, after that was noted. */
static atomic_t pmon_event_moves;

/* How many have moved so far. */
int pmon_pmu_event_moves(void)
{
	return atomic_read(&pmon_event_moves);
}

static void pmon_pmu_event_moved(void)
{
	/* Pairs with the barriers of pmon_owner_settled(). */
	smp_mb__before_atomic();
	atomic_inc(&pmon_event_moves);
}

/* One event more, of a PMU that was seen to be neither coming nor dead. */
void pmon_pmu_note_open(struct pmon_pmu *pmu)
{
	lockdep_assert_held(&pmu->lock);
	pmu->open++;
	pmon_pmu_event_moved();
}

/* One event more; false: of a PMU that is coming, leaving or dead. */
bool pmon_pmu_open(struct pmon_pmu *pmu)
{
	guard(spinlock)(&pmu->lock);
	if (!pmu->ready || pmu->dead || !pmon_presence_hold(pmu))
		return false;

	pmon_pmu_note_open(pmu);
	return true;
}

/*
 * One event less, of @box unless the PMU has none. The leaf stays until the PMU
 * has no more use for it.
 */
void pmon_pmu_close(struct pmon_pmu *pmu, struct pmon_box *box)
{
	struct module *owner = pmu->owner;
	bool last;

	scoped_guard(spinlock, &pmu->lock) {
		if (box)
			box->open--;
		pmu->open--;
		last = pmu->dead && !pmu->open;
		pmon_pmu_event_moved();
	}
	if (last)
		queue_delayed_work(pmon_workqueue, &pmu->bury, 1);
	pmon_presence_drop(owner);
}
