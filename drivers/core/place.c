// SPDX-License-Identifier: GPL-2.0-only
/*
 * Give each place (a package, a die, the surroundings of a NUMA node) its
 * designated CPU: the nearest one that is not isolated.
 */
#include <linux/cpu.h>
#include <linux/export.h>
#include <linux/numa.h>
#include <linux/topology.h>

#include <compat/isolation.h>
#include <compat/topology.h>
#include <compat/workqueue.h>

#include "core.h"

struct pmon_place pmon_places[PMON_PLACES_MAX];
static unsigned int pmon_places_known;
static DEFINE_RAW_SPINLOCK(pmon_places_lock);

/* Number of a CPU's package, and of its die, plus one; 0: never yet online. */
static DEFINE_PER_CPU(int, pmon_cpu_package);
static DEFINE_PER_CPU(int, pmon_cpu_die);

/* The place with index @i; NULL when there is none. */
struct pmon_place *pmon_place_at(unsigned int i)
{
	/* Pairs with the release in pmon_place_add(). */
	unsigned int known = smp_load_acquire(&pmon_places_known);

	return i < known ? &pmon_places[i] : NULL;
}

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
int pmon_cpu_distance(unsigned int cpu, struct pmon_place_id id)
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
int pmon_cpu_choose(struct pmon_place_id id, int now, int but)
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

/* A CPU is online, and so may be the first of its package. */
void pmon_place_add_cpu(unsigned int cpu)
{
	int package = topology_physical_package_id(cpu);

	if (pmon_place_add(pmon_in_package(package)) < 0)
		pr_warn_once("more than %u packages and nodes with boxes: CPUs are left out\n",
			     PMON_PLACES_MAX);
	per_cpu(pmon_cpu_die, cpu) = compat_logical_die_id(cpu) + 1;
	per_cpu(pmon_cpu_package, cpu) = package + 1;
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
