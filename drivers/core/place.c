// SPDX-License-Identifier: GPL-2.0-only
/*
 * Places, each with one CPU that serves its boxes: its events live there, and
 * so does its timer. There is one for each processor package, from when one of
 * its CPUs was first online, and one for each die that has boxes and each NUMA
 * node that a box is near.
 */
#include <linux/cpu.h>
#include <linux/export.h>
#include <linux/numa.h>
#include <linux/rcupdate.h>
#include <linux/sched/isolation.h>
#include <linux/topology.h>

#include <compat/cleanup.h>
#include <compat/topology.h>

#include "core.h"
#include "serve.h"

static struct pmon_place pmon_places[PMON_PLACES_MAX];
static unsigned int pmon_places_known;
static DEFINE_RAW_SPINLOCK(pmon_places_lock);

/* Index of a CPU's package plus one; 0 until the CPU was first online. */
static DEFINE_PER_CPU(u8, pmon_cpu_place);

/* Likewise the number of its die. */
static DEFINE_PER_CPU(int, pmon_cpu_die);

/* Indices below this one are places. */
unsigned int pmon_place_count(void)
{
	/* Pairs with the release in pmon_place_add(). */
	return smp_load_acquire(&pmon_places_known);
}

/* A place, or room for one. */
struct pmon_place *pmon_place_at(unsigned int index)
{
	return &pmon_places[index];
}

bool pmon_place_is(const struct pmon_place *place, struct pmon_place_id id)
{
	return place->id.kind == id.kind && place->id.id == id.id;
}

static int pmon_place_find(struct pmon_place_id id)
{
	unsigned int i, n = pmon_place_count();

	for (i = 0; i < n; i++)
		if (pmon_place_is(&pmon_places[i], id))
			return i;
	return -1;
}

/* The index of the package of a CPU that was online once, or -1. */
static int pmon_place_of(unsigned int cpu)
{
	return per_cpu(pmon_cpu_place, cpu) - 1;
}

/* The number of the die of a CPU that was online once, or -1. */
static int pmon_die_of(unsigned int cpu)
{
	return per_cpu(pmon_cpu_die, cpu) - 1;
}

/*
 * Where an event on @cpu counts, of a PMU with a box near the place @near, or
 * boxes of dies or packages. Return: the place's index, or -1.
 */
int pmon_place_index(int near, unsigned int cpu)
{
	int die;

	if (near >= 0)
		return near;
	if (likely(near != PMON_NEAR_DIE))
		return pmon_place_of(cpu);

	die = pmon_die_of(cpu);
	return die < 0 ? -1 : pmon_place_find(pmon_in_die(die));
}

static int pmon_cpu_next(int from)
{
	unsigned int cpu = cpumask_next(from - 1, cpu_online_mask);

	return cpu < nr_cpu_ids ? cpu : -1;
}

static int pmon_cpu_distance(int cpu, struct pmon_place_id id)
{
	int package = pmon_place_of(cpu);

	if (id.kind == PMON_PLACE_NODE)
		return id.id == NUMA_NO_NODE ? 0 :
			node_distance(id.id, cpu_to_node(cpu));
	if (id.kind == PMON_PLACE_DIE)
		return pmon_die_of(cpu) == id.id ? 0 : -1;
	if (package < 0 || !pmon_place_is(&pmon_places[package], id))
		return -1;
	return 0;
}

/*
 * CPUs that isolcpus= or nohz_full= keep for other work. A later kernel frees
 * the mask when cpusets change.
 */
static bool pmon_cpu_is_isolated(int cpu)
{
	bool isolated;

	rcu_read_lock();
	isolated = !housekeeping_cpu(cpu, HK_TYPE_DOMAIN) ||
		   !housekeeping_cpu(cpu, HK_TYPE_TIMER);
	rcu_read_unlock();
	return isolated;
}

static const struct pmon_cpus pmon_cpus = {
	.next = pmon_cpu_next,
	.distance = pmon_cpu_distance,
	.isolated = pmon_cpu_is_isolated,
};

/* Can a CPU access its boxes? */
bool pmon_place_reaches(const struct pmon_place *place, unsigned int cpu)
{
	return pmon_cpu_distance(cpu, place->id) >= 0;
}

/* What serves a place when @cpu has come. */
int pmon_place_after_online(const struct pmon_place *place, unsigned int cpu)
{
	return pmon_serve_online(&pmon_cpus, place->id, place->cpu, cpu);
}

/* What serves a place when @cpu has gone. */
int pmon_place_after_offline(const struct pmon_place *place, unsigned int cpu)
{
	return pmon_serve_offline(&pmon_cpus, place->id, place->cpu, cpu);
}

static void pmon_place_set_name(struct pmon_place *place)
{
	if (place->id.kind == PMON_PLACE_PACKAGE)
		snprintf(place->name, sizeof(place->name), "package %d",
			 place->id.id);
	else if (place->id.kind == PMON_PLACE_DIE)
		snprintf(place->name, sizeof(place->name), "die %d",
			 place->id.id);
	else if (place->id.id == NUMA_NO_NODE)
		snprintf(place->name, sizeof(place->name), "the machine");
	else
		snprintf(place->name, sizeof(place->name), "node %d",
			 place->id.id);
}

/* With the CPU hotplug lock, so that what serves it stays. */
static int pmon_place_add(struct pmon_place_id id)
{
	unsigned int n = pmon_places_known;
	struct pmon_place *place = &pmon_places[n];

	lockdep_assert_held(&pmon_places_lock);
	if (n == PMON_PLACES_MAX)
		return -1;

	place->id = id;
	place->cpu = pmon_serve_choose(&pmon_cpus, id, -1);
	pmon_place_set_name(place);
	/* With the count the place can be seen. */
	smp_store_release(&pmon_places_known, n + 1);
	return n;
}

/* The index of this place; -1 when there are too many. */
static int pmon_place_find_or_add(struct pmon_place_id id)
{
	int i;

	guard(raw_spinlock_irqsave)(&pmon_places_lock);
	i = pmon_place_find(id);
	return i < 0 ? pmon_place_add(id) : i;
}

/* This place; NULL when there are too many. */
struct pmon_place *pmon_place_get(struct pmon_place_id id, unsigned int *index)
{
	int i;

	cpus_read_lock();
	i = pmon_place_find_or_add(id);
	cpus_read_unlock();
	if (i < 0)
		return NULL;

	*index = i;
	return &pmon_places[i];
}

/* A CPU is online, and its package thus known; NULL when there are too many. */
struct pmon_place *pmon_place_enter(unsigned int cpu)
{
	int package = topology_physical_package_id(cpu);
	int i = pmon_place_find_or_add(pmon_in_package(package));

	if (i < 0)
		return NULL;

	per_cpu(pmon_cpu_die, cpu) = compat_logical_die_id(cpu) + 1;
	per_cpu(pmon_cpu_place, cpu) = i + 1;
	return &pmon_places[i];
}

int pmon_place_cpu(struct pmon_place_id id)
{
	int i = pmon_place_find(id);

	return i < 0 ? -1 : READ_ONCE(pmon_places[i].cpu);
}
EXPORT_SYMBOL_GPL(pmon_place_cpu);

/**
 * pmon_place_shown_cpu() - the CPU that a PMU's cpumask names for a place
 * @place: which
 *
 * It is the one that serves it. But with several NUMA nodes in a package
 * (sub-NUMA clusters) it is the first one that is online, as for the kernel's
 * own drivers: perf takes it for the first CPU of the first of the nodes, and
 * derives from it those of the others. An event opened on any of them moves.
 *
 * Return: -1 for a package or die without CPUs.
 */
int pmon_place_shown_cpu(const struct pmon_place *place)
{
	int server = READ_ONCE(place->cpu), first = -1, cpu;

	if (server < 0 || place->id.kind == PMON_PLACE_NODE)
		return server;

	/*
	 * A thread that removes the file of cpumask waits for its readers,
	 * maybe with the CPU hotplug lock held: readers do not take it.
	 */
	for_each_online_cpu(cpu) {
		if (!pmon_place_reaches(place, cpu))
			continue;
		if (first < 0)
			first = cpu;
		else if (cpu_to_node(cpu) != cpu_to_node(first))
			return first;
	}
	return server;
}
