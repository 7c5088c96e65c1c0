// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processor packages, each with one CPU that does the work for its boxes: its
 * events live there, and so does its timer. When that CPU goes offline,
 * another one of the package takes over.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/delay.h>
#include <linux/irq_work.h>
#include <linux/sched/isolation.h>
#include <linux/topology.h>
#include <linux/workqueue.h>

#include <compat/cleanup.h>

#include "core.h"

/* For so long an event is awaited that perf is about to install. */
#define PMON_AWAIT_MS		50

static struct pmon_package pmon_packages[PMON_PACKAGES_MAX];
static unsigned int pmon_package_count;
static DEFINE_RAW_SPINLOCK(pmon_packages_lock);

/* Index of a CPU's package plus one; 0 until the CPU was first online. */
static DEFINE_PER_CPU(u8, pmon_cpu_package);
static enum cpuhp_state pmon_cpuhp_state;

static int pmon_package_find(int id)
{
	unsigned int i, n;

	/* Pairs with the release below. */
	n = smp_load_acquire(&pmon_package_count);
	for (i = 0; i < n; i++)
		if (pmon_packages[i].id == id)
			return i;
	return -1;
}

static int pmon_package_add(int id)
{
	unsigned int n = pmon_package_count;

	lockdep_assert_held(&pmon_packages_lock);
	if (n == PMON_PACKAGES_MAX)
		return -1;

	pmon_packages[n].id = id;
	pmon_packages[n].cpu = -1;
	pmon_timer_init(&pmon_packages[n]);
	/* Whoever sees the count sees the package. */
	smp_store_release(&pmon_package_count, n + 1);
	return n;
}

/* The package with this id; NULL when there are too many. */
struct pmon_package *pmon_package_get(int id, unsigned int *index)
{
	int i;

	scoped_guard(raw_spinlock_irqsave, &pmon_packages_lock) {
		i = pmon_package_find(id);
		if (i < 0)
			i = pmon_package_add(id);
	}
	if (i < 0)
		return NULL;

	*index = i;
	return &pmon_packages[i];
}

int pmon_package_cpu(int id)
{
	int i = pmon_package_find(id);

	return i < 0 ? -1 : READ_ONCE(pmon_packages[i].cpu);
}
EXPORT_SYMBOL_GPL(pmon_package_cpu);

/* The package of a CPU that was online once, or NULL. */
struct pmon_package *pmon_package_of(unsigned int cpu, unsigned int *index)
{
	u8 known = per_cpu(pmon_cpu_package, cpu);

	if (!known)
		return NULL;

	*index = known - 1;
	return &pmon_packages[known - 1];
}

/**
 * pmon_package_shown_cpu - the CPU that a PMU's cpumask names for a package
 * @package: which
 *
 * It is the one that does the work. But with several NUMA nodes in the package
 * (sub-NUMA clusters) it is the first one that is online, as for the kernel's
 * own drivers: perf takes it for the first CPU of the first of the nodes, and
 * derives from it those of the others. An event opened on any of them moves.
 *
 * Return: -1 for a package without CPUs.
 */
int pmon_package_shown_cpu(const struct pmon_package *package)
{
	unsigned int known = package - pmon_packages + 1, cpu;
	int server = READ_ONCE(package->cpu), first = -1;

	if (server < 0)
		return -1;

	/*
	 * A thread that removes the file of cpumask waits for its readers, maybe
	 * with the CPU hotplug lock held: readers do not take it.
	 */
	for_each_online_cpu(cpu) {
		if (per_cpu(pmon_cpu_package, cpu) != known)
			continue;
		if (first < 0)
			first = cpu;
		else if (cpu_to_node(cpu) != cpu_to_node(first))
			return first;
	}
	return server;
}

/*
 * CPUs that isolcpus= or nohz_full= keep for other work: they work only for
 * packages that have no others.
 */
static bool pmon_cpu_is_isolated(unsigned int cpu)
{
	return !housekeeping_cpu(cpu, HK_TYPE_DOMAIN) ||
	       !housekeeping_cpu(cpu, HK_TYPE_TIMER);
}

/* Another CPU of @cpu's package, or -1. */
static int pmon_package_other_cpu(unsigned int cpu)
{
	u8 known = per_cpu(pmon_cpu_package, cpu);
	unsigned int other;
	int found = -1;

	for_each_online_cpu(other) {
		if (other == cpu || per_cpu(pmon_cpu_package, other) != known)
			continue;
		if (!pmon_cpu_is_isolated(other))
			return other;
		if (found < 0)
			found = other;
	}
	return found;
}

struct pmon_migration {
	unsigned int index;
	int from;
	int to;
};

static void pmon_package_migrate(struct pmon_pmu *pmu, void *data)
{
	const struct pmon_migration *m = data;
	struct pmon_box *box = pmu->box[m->index];
	unsigned int open = 0;

	scoped_guard(spinlock, &pmu->lock)
		if (box)
			open = box->open;

	/* Migrating waits for a grace period; most PMUs have no events. */
	if (open)
		perf_pmu_migrate_context(&pmu->pmu, m->from, m->to);
}

static void pmon_package_leave(struct pmon_pmu *pmu, void *data)
{
	unsigned int *index = data;

	if (pmu->box[*index])
		pmon_box_leave(pmu->box[*index]);
}

static void pmon_package_return(struct pmon_pmu *pmu, void *data)
{
	unsigned int *index = data;

	if (pmu->box[*index])
		pmon_box_return(pmu->box[*index]);
}

/* The CPU that serves the package of an online one. */
static int pmon_package_server(unsigned int cpu)
{
	unsigned int index;
	struct pmon_package *package = pmon_package_of(cpu, &index);

	return package ? package->cpu : -1;
}

/*
 * perf_event_open() asks which CPU serves the package before it installs the
 * event, and meanwhile another one may have come to do so: the event is then
 * left behind, and lost when its CPU goes. Bring it to where it belongs, from
 * the CPUs in @data.
 */
static void pmon_package_gather_pmu(struct pmon_pmu *pmu, void *data)
{
	static struct cpumask cpus;	/* under pmon_mutex */
	unsigned int cpu;
	int to;

	if (pmu->soft)
		return;

	pmon_pmu_cpus(pmu, &cpus);
	for_each_cpu_and(cpu, &cpus, (const struct cpumask *)data) {
		to = pmon_package_server(cpu);
		if (to >= 0 && to != cpu)
			perf_pmu_migrate_context(&pmu->pmu, cpu, to);
	}
}

/* The hotplug lock is held. */
static void pmon_package_gather(const struct cpumask *from)
{
	unsigned int i, n;

	/* Pairs with the release in pmon_package_add(). */
	n = smp_load_acquire(&pmon_package_count);
	pmon_registry_each(pmon_package_gather_pmu, (void *)from);
	for (i = 0; i < n; i++)
		if (pmon_packages[i].cpu >= 0 &&
		    pmon_timer_is_astray(&pmon_packages[i]))
			pmon_timer_move(&pmon_packages[i]);
}

struct pmon_awaited {
	unsigned int cpu;
	bool any;
};

static void pmon_package_await_pmu(struct pmon_pmu *pmu, void *data)
{
	struct pmon_awaited *a = data;

	a->any = a->any || (!pmu->soft && pmon_pmu_awaits(pmu, a->cpu));
}

/*
 * @cpu goes and serves no package any more, so no new event looks for it. perf
 * may be about to install some that did; what it installs after this callback
 * would be lost. That takes microseconds, and perf_event_open() fails if it takes
 * longer than perf needs to give up the CPU.
 */
static void pmon_package_gather_last(unsigned int cpu)
{
	unsigned int tries = PMON_AWAIT_MS;

	do {
		struct pmon_awaited a = { .cpu = cpu };

		/* First this: what is installed meanwhile is gathered. */
		pmon_registry_each(pmon_package_await_pmu, &a);
		pmon_package_gather(cpumask_of(cpu));
		if (!a.any)
			return;
		usleep_range(1000, 2000);
	} while (--tries);
}

static void pmon_package_gather_all(struct work_struct *work)
{
	cpus_read_lock();
	pmon_package_gather(cpu_online_mask);
	cpus_read_unlock();
}

static DECLARE_WORK(pmon_package_work, pmon_package_gather_all);

static void pmon_package_gather_soon(struct irq_work *irq_work)
{
	schedule_work(&pmon_package_work);
}

static DEFINE_IRQ_WORK(pmon_package_irq, pmon_package_gather_soon);

/* An event or a tick is on a CPU that does not serve its package. Any context. */
void pmon_package_astray(void)
{
	irq_work_queue(&pmon_package_irq);
}

/*
 * New events go to the new CPU at once, then the old ones follow. When no CPU
 * of the package is left, perf ends the events after this, on the CPU that
 * goes, and their counts stay.
 */
static void pmon_package_move(struct pmon_package *package, unsigned int index,
			      int to)
{
	struct pmon_migration m = {
		.index = index, .from = package->cpu, .to = to,
	};

	WRITE_ONCE(package->cpu, to);
	if (to < 0) {
		pmon_registry_each(pmon_package_leave, &index);
	} else if (m.from < 0) {
		pmon_registry_each(pmon_package_return, &index);
	} else {
		pmon_registry_each(pmon_package_migrate, &m);
		pmon_timer_move(package);
	}
}

static int pmon_package_online(unsigned int cpu)
{
	struct pmon_package *package;
	unsigned int index;

	package = pmon_package_get(topology_physical_package_id(cpu), &index);
	if (!package) {
		pr_warn_once("CPUs beyond %u packages are left out\n",
			     PMON_PACKAGES_MAX);
		return 0;
	}

	per_cpu(pmon_cpu_package, cpu) = index + 1;
	if (package->cpu < 0 || (pmon_cpu_is_isolated(package->cpu) &&
				 !pmon_cpu_is_isolated(cpu)))
		pmon_package_move(package, index, cpu);
	return 0;
}

static int pmon_package_offline(unsigned int cpu)
{
	struct pmon_package *package;
	unsigned int index;

	package = pmon_package_of(cpu, &index);
	if (!package)
		return 0;
	if (package->cpu == cpu)
		pmon_package_move(package, index, pmon_package_other_cpu(cpu));
	if (package->cpu >= 0)
		pmon_package_gather_last(cpu);
	return 0;
}

int pmon_package_init(void)
{
	int ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "perf/pmon:online",
				    pmon_package_online, pmon_package_offline);

	if (ret < 0)
		return ret;

	pmon_cpuhp_state = ret;
	return 0;
}

void pmon_package_exit(void)
{
	unsigned int i;

	cpuhp_remove_state_nocalls(pmon_cpuhp_state);
	irq_work_sync(&pmon_package_irq);
	cancel_work_sync(&pmon_package_work);
	/* No box runs, but a tick may not have ended yet. */
	for (i = 0; i < pmon_package_count; i++)
		hrtimer_cancel(&pmon_packages[i].timer);
}
