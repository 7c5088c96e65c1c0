// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chooses the CPU that serves a place, when the place is new and when CPUs come
 * and go.
 */
#include <linux/limits.h>

#include "serve.h"

/* How bad a choice is it? Not above a million for CPUs that reach the place. */
static int pmon_serve_cost(const struct pmon_cpus *cpus,
			   struct pmon_place_id id, int cpu)
{
	int distance = cpus->distance(cpu, id);

	if (distance < 0)
		return INT_MAX;
	return distance + (cpus->isolated(cpu) ? 1000000 : 0);
}

int pmon_serve_choose(const struct pmon_cpus *cpus, struct pmon_place_id id,
		      int but)
{
	int least = INT_MAX, found = -1, cpu;

	/* None is better than one without a cost. */
	for (cpu = cpus->next(0); cpu >= 0 && least;
	     cpu = cpus->next(cpu + 1)) {
		int cost = cpu == but ? INT_MAX :
					pmon_serve_cost(cpus, id, cpu);

		if (cost < least) {
			least = cost;
			found = cpu;
		}
	}
	return found;
}

int pmon_serve_online(const struct pmon_cpus *cpus, struct pmon_place_id id,
		      int server, int cpu)
{
	int cost = pmon_serve_cost(cpus, id, cpu);

	if (server < 0)
		return cost == INT_MAX ? -1 : cpu;
	return cost < pmon_serve_cost(cpus, id, server) ? cpu : server;
}

int pmon_serve_offline(const struct pmon_cpus *cpus, struct pmon_place_id id,
		       int server, int cpu)
{
	return server == cpu ? pmon_serve_choose(cpus, id, cpu) : server;
}
