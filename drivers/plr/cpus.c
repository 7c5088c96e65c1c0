// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which CPU belongs to which module. A CPU that is not online belongs nowhere,
 * so that one which never came up is not taken for a CPU of module 0.
 */
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "plr.h"

static DEFINE_PER_CPU(struct plr_place, plr_places);
/* CPUs whose place is known. */
static cpumask_var_t plr_placed;

/**
 * plr_cpu_set_place() - note where a CPU is
 * @cpu: the CPU
 * @place: its place
 *
 * The caller keeps places and links of CPUs in step.
 */
void plr_cpu_set_place(unsigned int cpu, const struct plr_place *place)
{
	per_cpu(plr_places, cpu) = *place;
	cpumask_set_cpu(cpu, plr_placed);
}

/**
 * plr_cpu_clear_place() - forget where a CPU is
 * @cpu: the CPU
 */
void plr_cpu_clear_place(unsigned int cpu)
{
	cpumask_clear_cpu(cpu, plr_placed);
}

/**
 * plr_cpu_place() - where a CPU is
 * @cpu: the CPU
 * @place: the result
 *
 * Return: false for a CPU that is offline or could not be placed.
 */
bool plr_cpu_place(unsigned int cpu, struct plr_place *place)
{
	if (!cpumask_test_cpu(cpu, plr_placed))
		return false;
	*place = per_cpu(plr_places, cpu);

	return true;
}

/**
 * plr_cpu_is_in() - does a CPU belong to a domain, or to a module of it?
 * @cpu: the CPU
 * @package: package id
 * @domain: power domain
 * @module: module, or PLR_ANY_MODULE
 *
 * Return: whether it does, and is online.
 */
bool plr_cpu_is_in(unsigned int cpu, u8 package, u8 domain, int module)
{
	struct plr_place place;

	return plr_cpu_place(cpu, &place) && place.package == package &&
	       place.domain == domain &&
	       (module == PLR_ANY_MODULE || place.module == module);
}

/**
 * plr_cpus_print() - write the list of CPUs of a domain or module
 * @buf: a page of sysfs
 * @package: package id
 * @domain: power domain
 * @module: module, or PLR_ANY_MODULE
 *
 * Return: bytes written, or -ENOMEM.
 */
int plr_cpus_print(char *buf, u8 package, u8 domain, int module)
{
	cpumask_var_t mask;
	unsigned int cpu;
	int len;

	if (!zalloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;

	for_each_cpu(cpu, plr_placed)
		if (plr_cpu_is_in(cpu, package, domain, module))
			cpumask_set_cpu(cpu, mask);
	len = sysfs_emit(buf, "%*pbl\n", cpumask_pr_args(mask));
	free_cpumask_var(mask);

	return len;
}

/**
 * plr_cpus_init() - no CPU has a place yet
 *
 * Return: 0 or -ENOMEM.
 */
int plr_cpus_init(void)
{
	return zalloc_cpumask_var(&plr_placed, GFP_KERNEL) ? 0 : -ENOMEM;
}

/**
 * plr_cpus_exit() - undo plr_cpus_init()
 */
void plr_cpus_exit(void)
{
	free_cpumask_var(plr_placed);
}
