// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chooses the CPU that the events of a module are on: one of its CPUs, because
 * what limits a module limits all of them. A housekeeping CPU where it has one.
 */
#include <linux/cpumask.h>
#include <linux/rcupdate.h>
#include <linux/sched/isolation.h>

#include "plr.h"

static cpumask_var_t plr_perf_mask;

static bool plr_place_is(unsigned int cpu, const struct plr_place *place)
{
	return plr_cpu_is_in(cpu, place->package, place->domain, place->module);
}

/**
 * plr_perf_cpu_of() - the CPU that stands for a module
 * @place: the module
 *
 * Return: the CPU, or -1 when the module cannot be read.
 */
int plr_perf_cpu_of(const struct plr_place *place)
{
	unsigned int cpu;

	for_each_cpu(cpu, plr_perf_mask)
		if (plr_place_is(cpu, place))
			return cpu;

	return -1;
}

/* A later kernel frees the mask when cpusets change. */
static bool plr_cpu_is_isolated(unsigned int cpu)
{
	bool isolated;

	rcu_read_lock();
	isolated = !housekeeping_cpu(cpu, HK_TYPE_DOMAIN);
	rcu_read_unlock();
	return isolated;
}

/* Another CPU of the module, or -1. */
static int plr_perf_other_cpu(unsigned int cpu, const struct plr_place *place)
{
	unsigned int other;
	int found = -1;

	for_each_online_cpu(other) {
		if (other == cpu || !plr_place_is(other, place))
			continue;
		if (!plr_cpu_is_isolated(other))
			return other;
		if (found < 0)
			found = other;
	}

	return found;
}

static void plr_perf_cpus_move(int from, int to)
{
	if (to >= 0)
		cpumask_set_cpu(to, plr_perf_mask);
	if (from >= 0)
		cpumask_clear_cpu(from, plr_perf_mask);
}

/**
 * plr_perf_cpus_online() - a CPU of a domain that is there is online
 * @cpu: the CPU
 * @place: its place
 *
 * Return: the CPU that it takes the place of, or -1.
 */
int plr_perf_cpus_online(unsigned int cpu, const struct plr_place *place)
{
	int now = plr_perf_cpu_of(place);

	if (now >= 0 && (!plr_cpu_is_isolated(now) || plr_cpu_is_isolated(cpu)))
		return -1;
	plr_perf_cpus_move(now, cpu);

	return now;
}

/**
 * plr_perf_cpus_offline() - a CPU is about to go
 * @cpu: the CPU
 * @place: its place
 *
 * Return: the CPU that events on it go to, or -1. If it does not stand for its
 * module there may be such events all the same: perf installs an event a moment
 * after it has asked where.
 */
int plr_perf_cpus_offline(unsigned int cpu, const struct plr_place *place)
{
	int other;

	if (!cpumask_test_cpu(cpu, plr_perf_mask))
		return plr_perf_cpu_of(place);
	other = plr_perf_other_cpu(cpu, place);
	plr_perf_cpus_move(cpu, other);

	return other;
}

/**
 * plr_perf_cpus_remove() - a domain goes
 * @package: package id
 * @domain: power domain
 *
 * Events that are open stay where they are.
 */
void plr_perf_cpus_remove(u8 package, u8 domain)
{
	unsigned int cpu;

	for_each_cpu(cpu, plr_perf_mask)
		if (plr_cpu_is_in(cpu, package, domain, PLR_ANY_MODULE))
			cpumask_clear_cpu(cpu, plr_perf_mask);
}

/**
 * plr_perf_cpus() - the CPUs that events live on
 * @cpus: gets what the file cpumask shows
 */
void plr_perf_cpus(struct cpumask *cpus)
{
	cpumask_copy(cpus, plr_perf_mask);
}

/**
 * plr_perf_cpus_init() - none yet
 *
 * Return: 0 or -ENOMEM.
 */
int plr_perf_cpus_init(void)
{
	return zalloc_cpumask_var(&plr_perf_mask, GFP_KERNEL) ? 0 : -ENOMEM;
}

/**
 * plr_perf_cpus_exit() - undo plr_perf_cpus_init()
 */
void plr_perf_cpus_exit(void)
{
	free_cpumask_var(plr_perf_mask);
}
