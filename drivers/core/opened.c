// SPDX-License-Identifier: GPL-2.0-only
/*
 * The events of a PMU that are open. perf lists them, and what is said here of
 * them is what is found there: which they are, on which CPUs, and whether there
 * may be some that perf has not listed yet. So opening a plain one and closing
 * one cost nothing.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include <compat/cleanup.h>
#include <compat/perf.h>

#include "core.h"
#include "event.h"
#include "opened.h"

atomic_t pmon_events_opened;

/*
 * Where a PMU stays with perf its module is ours, and perf keeps that loaded:
 * so each event has a reference to the leaf, and is counted. Elsewhere perf has
 * the reference, and pmon_owner_settled() can tell what is open. False: @pmu is
 * not ready, or dead.
 */
static bool pmon_pmu_hold(struct pmon_pmu *pmu)
{
	if (!COMPAT_PMU_STAYS)
		return READ_ONCE(pmu->ready) && !READ_ONCE(pmu->dead);

	guard(spinlock)(&pmu->lock);
	if (!pmu->ready || pmu->dead || !try_module_get(pmu->owner))
		return false;

	pmu->open++;
	return true;
}

static void pmon_pmu_drop(struct pmon_pmu *pmu)
{
	struct module *owner = pmu->owner;
	bool last;

	scoped_guard(spinlock, &pmu->lock) {
		pmu->open--;
		last = pmu->dead && !pmu->open;
	}
	if (last)
		queue_delayed_work(pmon_workqueue, &pmu->bury, 1);
	module_put(owner);
}

/*
 * First of all when an event is opened: false, unless @pmu is ready and not
 * dead. If this is true @pmu stays what it is until the event is closed. Before
 * that it may be anything, because perf may have found it while it comes, goes
 * or is used again.
 */
bool pmon_pmu_open(struct pmon_pmu *pmu)
{
	if (!pmon_pmu_hold(pmu))
		return false;

	pmon_event_opens();
	return true;
}

/*
 * @event is closed, or perf has taken it away; or opening it has failed after
 * pmon_pmu_open(). The leaf's module cannot go before. perf is told to call
 * this of events of software counts, of those that have ended with their
 * device, for which a dead PMU waits, and where each is counted, of all.
 */
void pmon_event_close(struct perf_event *event)
{
	struct pmon_pmu *pmu = to_pmon_pmu(event->pmu);

	compat_event_revoked(event);
	if (COMPAT_PMU_STAYS)
		pmon_pmu_drop(pmu);
	else if (READ_ONCE(pmu->dead))
		mod_delayed_work(pmon_workqueue, &pmu->bury, 1);
}

/* Does the function of @box sleep, which may be lost just now? */
bool pmon_box_sleeps(struct pmon_box *box)
{
	guard(spinlock)(&box->pmu->lock);
	return pmon_box_is_off(box);
}

/*
 * Why no event of @box can be opened now, or 0. That of a box which sleeps, or
 * that no CPU reaches, must not end the `perf stat` of a wildcard, which counts
 * on other boxes: perf before 7.3 shows <not supported> for ENXIO and goes on,
 * and gives up for ENODEV.
 */
static int pmon_box_refuses(struct pmon_box *box, int cpu)
{
	if (cpu < 0 || READ_ONCE(box->asleep) || READ_ONCE(box->away))
		return -ENXIO;
	if (READ_ONCE(box->bank.gone))
		return -ENODEV;
	return pmon_box_sleeps(box) ? -ENXIO : 0;
}

/* The box that an event counts on, which moves to the CPU that serves it. */
struct pmon_box *pmon_event_box(struct perf_event *event)
{
	struct pmon_pmu *pmu = to_pmon_pmu(event->pmu);
	int index = pmon_place_index(READ_ONCE(pmu->near), event->cpu);
	struct pmon_box *box = index < 0 ? NULL : READ_ONCE(pmu->box[index]);
	int cpu, ret;

	if (!box)
		return ERR_PTR(-EINVAL);
	cpu = READ_ONCE(box->place->cpu);
	ret = pmon_box_refuses(box, cpu);
	if (ret)
		return ERR_PTR(ret);

	event->cpu = cpu;
	return box;
}

/* Does perf list events of @pmu? If not, none is open. */
static bool pmon_pmu_is_with_perf(const struct pmon_pmu *pmu)
{
	lockdep_assert_held(&pmon_mutex);
	return pmu->kept || (pmu->registered && !pmu->leaving);
}

/*
 * Call @visit, which does not sleep, for each event of @pmu that perf lists,
 * until it returns true; so does this then. It may be an event that is being
 * closed. None moves to another CPU meanwhile: that takes pmon_mutex, too.
 */
bool pmon_pmu_visit(struct pmon_pmu *pmu,
		    bool (*visit)(struct perf_event *event, const void *data),
		    const void *data)
{
	return pmon_pmu_is_with_perf(pmu) &&
	       compat_pmu_visit(&pmu->pmu, visit, data);
}

/*
 * How many events perf has for @cpu in the contexts of @pmu, without those that
 * it opens: of @pmu, and of others that are in a group with one, or were.
 */
static unsigned int pmon_pmu_refs_on(struct pmon_pmu *pmu, unsigned int cpu)
{
	return pmon_pmu_is_with_perf(pmu) ? compat_pmu_refs(&pmu->pmu, cpu) : 0;
}

static unsigned int pmon_pmu_refs(struct pmon_pmu *pmu)
{
	unsigned int cpu, refs = 0;

	for_each_possible_cpu(cpu)
		refs += pmon_pmu_refs_on(pmu, cpu);
	return refs;
}

/* And how many of these are of other PMUs, as far as perf lists them. */
static unsigned int pmon_pmu_others_on(struct pmon_pmu *pmu, unsigned int cpu)
{
	return pmon_pmu_is_with_perf(pmu) ?
	       compat_pmu_others(&pmu->pmu, cpu) : 0;
}

static unsigned int pmon_pmu_others(struct pmon_pmu *pmu)
{
	unsigned int cpu, others = 0;

	for_each_possible_cpu(cpu)
		others += pmon_pmu_others_on(pmu, cpu);
	return others;
}

/*
 * How many of them are of @pmu, or fewer: one of another PMU that is listed at
 * either end is one that is there in between. Only one that perf is about to
 * list or to forget, or that ended with its CPU, is taken for one of @pmu.
 */
static unsigned int pmon_pmu_listed(struct pmon_pmu *pmu)
{
	unsigned int others = pmon_pmu_others(pmu), refs;

	smp_rmb();	/* the one end */
	refs = pmon_pmu_refs(pmu);
	smp_rmb();	/* the other end */
	others = max(others, pmon_pmu_others(pmu));
	return refs - min(refs, others);
}

/* Those of all PMUs of @owner. */
static unsigned int pmon_owner_listed(const struct module *owner)
{
	struct pmon_pmu *pmu;
	unsigned int listed = 0;

	list_for_each_entry(pmu, &pmon_pmus, list)
		if (pmu->owner == owner)
			listed += pmon_pmu_listed(pmu);
	return listed;
}

/* And all that there are. */
static unsigned int pmon_owner_events(struct module *owner)
{
	struct pmon_pmu *pmu;
	unsigned int open = 0;

	if (!COMPAT_PMU_STAYS)
		return module_refcount(owner);
	list_for_each_entry(pmu, &pmon_pmus, list)
		if (pmu->owner == owner)
			open += READ_ONCE(pmu->open);
	return open;
}

/* Where events are counted pins are not among them. */
static unsigned int pmon_owner_pins(const atomic_t *pins)
{
	return pins && !COMPAT_PMU_STAYS ? atomic_read(pins) : 0;
}

/**
 * pmon_owner_settled() - does perf list all events that are open?
 * @owner: a leaf
 * @pins: references to @owner that it has itself, or NULL
 *
 * An event has a reference to @owner from before it is opened until after perf
 * has let go of the PMU. All that were there at first, but for @pins, must be
 * listed then, and none may have been opened meanwhile: if one that was listed
 * has gone, another one that is not listed would be taken for it.
 *
 * Return: whether that is so. Once it is, an event of a PMU that is dead is
 * listed, or there is none.
 */
bool pmon_owner_settled(struct module *owner, const atomic_t *pins)
{
	int opened = atomic_read(&pmon_events_opened);
	unsigned int events, listed;

	lockdep_assert_held(&pmon_mutex);
	/* Whether events can be opened was written before what is read here. */
	smp_mb();
	listed = pmon_owner_pins(pins);
	/* A pin that was not there at both ends may not be in between. */
	smp_rmb();
	events = pmon_owner_events(owner);
	/* The other end. */
	smp_rmb();
	listed = min(listed, pmon_owner_pins(pins));
	/* An event that perf lists meanwhile was opened before. */
	smp_rmb();
	listed += pmon_owner_listed(owner);
	/* And that was noted before it was listed. */
	smp_rmb();
	return events <= listed && atomic_read(&pmon_events_opened) == opened;
}

/* The same of all leaves. */
bool pmon_owners_settled(void)
{
	const struct module *last = NULL;
	struct pmon_pmu *pmu;

	guard(mutex)(&pmon_mutex);
	list_for_each_entry(pmu, &pmon_pmus, list) {
		/* PMUs of a leaf stand side by side. */
		if (pmu->owner == last)
			continue;
		if (!pmon_owner_settled(pmu->owner, pmu->pins))
			return false;
		last = pmu->owner;
	}
	return true;
}

static bool pmon_event_count_revocable(struct perf_event *event, const void *n)
{
	*(unsigned int *)n += compat_event_is_revocable(event);
	return false;
}

/*
 * Does perf have events in its contexts for @pmu that it does not take away
 * with it? Before 6.16 it takes none, since then not those of other PMUs that
 * are in a group with one of @pmu, or were. One of @pmu that comes or goes
 * meanwhile makes this true at most.
 */
bool pmon_pmu_is_held(struct pmon_pmu *pmu)
{
	unsigned int before = pmon_pmu_refs(pmu), revocable = 0;

	pmon_pmu_visit(pmu, pmon_event_count_revocable, &revocable);
	return before > revocable || pmon_pmu_refs(pmu) > revocable;
}

/*
 * Does perf still use what it will free when @pmu leaves, which is dead? Where
 * perf can take events away, each must be listed then. -EBUSY while others are
 * open, -EAGAIN while it opens or closes some, of other PMUs maybe.
 */
int pmon_pmu_in_use(struct pmon_pmu *pmu)
{
	if (COMPAT_PMU_STAYS)
		return READ_ONCE(pmu->open) ? -EBUSY : 0;
	if (pmon_pmu_is_held(pmu))
		return -EBUSY;
	return pmon_owner_settled(pmu->owner, pmu->pins) ? 0 : -EAGAIN;
}

static bool pmon_event_is_of(struct perf_event *event, const void *box)
{
	return pmon_hw(event)->box == box;
}

/* Is an event of @box open? One that perf has yet to install need not count. */
bool pmon_box_has_events(struct pmon_box *box)
{
	return pmon_pmu_visit(box->pmu, pmon_event_is_of, box);
}

static bool pmon_event_add_cpu(struct perf_event *event, const void *cpus)
{
	if (READ_ONCE(event->ctx))
		cpumask_set_cpu(READ_ONCE(event->cpu), (struct cpumask *)cpus);
	return false;
}

/*
 * The CPUs that events are on. Those that perf has yet to install are not among
 * them, because it could not move them.
 */
void pmon_pmu_cpus(struct pmon_pmu *pmu, struct cpumask *cpus)
{
	cpumask_clear(cpus);
	pmon_pmu_visit(pmu, pmon_event_add_cpu, cpus);
}

static bool pmon_event_is_on(struct perf_event *event, const void *cpu)
{
	return READ_ONCE(event->ctx) &&
	       READ_ONCE(event->cpu) == *(const unsigned int *)cpu &&
	       READ_ONCE(event->attach_state) & PERF_ATTACH_CONTEXT;
}

/*
 * Is an event on @cpu, or being installed there? Before 6.2 perf has not noted
 * it then; any event that it does not list yet may be such a one.
 */
static bool pmon_pmu_may_be_on(struct pmon_pmu *pmu, unsigned int cpu)
{
	return pmon_pmu_refs_on(pmu, cpu) ||
	       (COMPAT_PMU_STAYS &&
		READ_ONCE(pmu->open) > pmon_pmu_listed(pmu));
}

/**
 * pmon_pmu_move_events() - move the events that are on a CPU to another one
 * @pmu: the PMU
 * @from: where they are
 * @to: the other CPU
 *
 * Events that are left on a CPU that goes offline have ended. perf of Linux 6.2
 * to 7.2 moves one event or group each time it is asked, because it looks for
 * the next one from one that it has just taken off the tree; 7.3 and 6.12.117
 * move all. So it is asked again until none is left, but no more often than
 * there were events. One that perf is installing just now is waited for the
 * first time.
 */
void pmon_pmu_move_events(struct pmon_pmu *pmu, unsigned int from,
			  unsigned int to)
{
	unsigned int tries = pmon_pmu_refs_on(pmu, from);

	if (!pmon_pmu_may_be_on(pmu, from))
		return;
	do {
		perf_pmu_migrate_context(&pmu->pmu, from, to);
	} while (tries-- > 1 && pmon_pmu_visit(pmu, pmon_event_is_on, &from));
}
