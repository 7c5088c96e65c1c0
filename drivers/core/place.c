// SPDX-License-Identifier: GPL-2.0-only
/*
 * Choose the designated CPU of each place (a package, a die, the CPUs near a
 * NUMA node): the nearest CPU that is not isolated.
 */
#include <linux/cpu.h>
#include <linux/export.h>
#include <linux/numa.h>
#include <linux/topology.h>

#include <compat/isolation.h>
#include <compat/topology.h>

#include "core.h"

struct pmon_place pmon_places[PMON_PLACES_MAX];
static unsigned int pmon_place_count;
static DEFINE_RAW_SPINLOCK(pmon_places_lock);

/* Package and die number of a CPU plus 1, or 0 if it was never online. */
static DEFINE_PER_CPU(int, pmon_cpu_package);
static DEFINE_PER_CPU(int, pmon_cpu_die);

struct pmon_place *pmon_place_at(unsigned int i)
{
	/* Places below the count are complete. */
	unsigned int count = smp_load_acquire(&pmon_place_count);

	return i < count ? &pmon_places[i] : NULL;
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

/* Get the distance of a CPU from a place; negative if out of reach. */
int pmon_cpu_distance(unsigned int cpu, struct pmon_place_id id)
{
	if (id.kind == PMON_PLACE_PACKAGE)
		return per_cpu(pmon_cpu_package, cpu) - 1 == id.id ? 0 : -1;
	if (id.kind == PMON_PLACE_DIE)
		return per_cpu(pmon_cpu_die, cpu) - 1 == id.id ? 0 : -1;
	return id.id == NUMA_NO_NODE ? 0 :
	       node_distance(id.id, cpu_to_node(cpu));
}

/* Get the box for an event on @cpu, or NULL. */
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

static int pmon_cpu_cost(unsigned int cpu, struct pmon_place_id id)
{
	int distance = pmon_cpu_distance(cpu, id);

	if (distance < 0)
		return INT_MAX;
	return distance + (compat_cpu_is_isolated(cpu) ? 1000000 : 0);
}

/* Choose the nearest CPU except @but, isolated CPUs last. @now wins a tie. */
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

/* Returns the index, or -1 if there are too many places. */
static int pmon_place_add(struct pmon_place_id id)
{
	struct pmon_place *place;
	int i;

	guard(raw_spinlock_irqsave)(&pmon_places_lock);
	i = pmon_place_find(id);
	if (i >= 0)
		return i;
	if (pmon_place_count == PMON_PLACES_MAX)
		return -1;

	i = pmon_place_count;
	place = &pmon_places[i];
	place->id = id;
	place->cpu = pmon_cpu_choose(id, -1, -1);
	pmon_place_set_name(place);
	/* Pairs with the acquire in pmon_place_at(). */
	smp_store_release(&pmon_place_count, i + 1);
	return i;
}

void pmon_place_add_cpu(unsigned int cpu)
{
	int package = topology_physical_package_id(cpu);

	if (pmon_place_add(pmon_in_package(package)) < 0)
		pr_warn_once("more than %u packages and nodes with boxes: CPUs are left out\n",
			     PMON_PLACES_MAX);
	per_cpu(pmon_cpu_die, cpu) = compat_logical_die_id(cpu) + 1;
	per_cpu(pmon_cpu_package, cpu) = package + 1;
}

struct pmon_place *pmon_place_get(struct pmon_place_id id, unsigned int *index)
{
	/* A CPU cannot go offline while it becomes the designated CPU. */
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
 * Get the CPU of a place for a PMU's cpumask: the designated CPU, or -1. If the
 * place has several NUMA nodes (sub-NUMA clusters), get the first online CPU
 * instead, from which perf derives the CPUs of the other nodes. An event opened
 * on any CPU of the place moves to the designated CPU.
 */
int pmon_place_shown_cpu(const struct pmon_place *place)
{
	int designated = READ_ONCE(place->cpu), first = -1, cpu;

	if (designated < 0 || place->id.kind == PMON_PLACE_NODE)
		return designated;

	/* Take no CPU hotplug lock: a task removing this file may hold it. */
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
