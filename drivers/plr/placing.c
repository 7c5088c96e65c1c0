// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the directory of a module when its first CPU has its place, and the
 * links from CPUs to these directories.
 */
#include <linux/cpu.h>
#include <linux/sysfs.h>

#include <compat/cleanup.h>

#include "plr.h"

/* The domain with these numbers, if its directories are shown. */
static struct plr_domain *plr_domain_of(const struct plr_place *place)
{
	struct plr_domain *domain =
		plr_domain_find(place->package, place->domain);

	return domain && domain->placed ? domain : NULL;
}

/*
 * A directory for the CPU's module, and the link from the CPU to it. Returns
 * the CPU whose events it takes over, or -1.
 */
static int plr_domain_add_cpu(struct plr_domain *domain, unsigned int cpu,
			      const struct plr_place *place)
{
	struct plr_scope **core = &domain->core[place->module];
	struct device *dev = get_cpu_device(cpu);

	lockdep_assert_held(&plr_lock);
	if (!*core)
		/*
		 * Pairs with plr_core(), whose callers do not have this lock.
		 */
		smp_store_release(core, plr_scope_create(domain, PLR_SCOPE_CORE,
							 place->module));
	if (*core && place->module >= domain->bound)
		/* Pairs with plr_domain_bound(): a reader finds the module. */
		smp_store_release(&domain->bound, place->module + 1);
	if (*core && dev && sysfs_create_link(&dev->kobj, &(*core)->kobj, "plr"))
		dev_warn(&domain->dev, "no link from cpu%u\n", cpu);

	return *core ? plr_perf_cpus_online(cpu, place) : -1;
}

static void plr_cpu_unlink(unsigned int cpu)
{
	struct device *dev = get_cpu_device(cpu);

	if (dev)
		sysfs_remove_link(&dev->kobj, "plr");
}

/**
 * plr_domains_cpu_online() - a CPU has a place now
 * @cpu: the CPU
 * @place: its place
 */
void plr_domains_cpu_online(unsigned int cpu, const struct plr_place *place)
{
	struct plr_domain *domain;
	int from = -1;

	scoped_guard(mutex, &plr_lock) {
		plr_cpu_set_place(cpu, place);
		domain = plr_domain_of(place);
		if (domain)
			from = plr_domain_add_cpu(domain, cpu, place);
	}
	plr_perf_migrate(from, cpu);
}

/**
 * plr_domains_cpu_offline() - a CPU is about to go
 * @cpu: the CPU
 *
 * The module keeps its directory: what limited it is still on record.
 */
void plr_domains_cpu_offline(unsigned int cpu)
{
	struct plr_place place;
	int to;

	scoped_guard(mutex, &plr_lock) {
		if (!plr_cpu_place(cpu, &place))
			return;
		if (plr_domain_of(&place))
			plr_cpu_unlink(cpu);
		to = plr_perf_cpus_offline(cpu, &place);
		plr_cpu_clear_place(cpu);
	}
	plr_perf_vacate(cpu, to);
}

/**
 * plr_domain_place() - its CPUs have their directories from now on
 * @domain: complete but for these
 *
 * Others get them as they come online.
 */
void plr_domain_place(struct plr_domain *domain)
{
	struct plr_place place;
	unsigned int cpu;
	int from;

	cpus_read_lock();
	scoped_guard(mutex, &plr_lock)
		domain->placed = true;
	for_each_online_cpu(cpu) {
		from = -1;
		scoped_guard(mutex, &plr_lock)
			if (plr_cpu_is_in(cpu, domain->package, domain->id,
					  PLR_ANY_MODULE) &&
			    plr_cpu_place(cpu, &place))
				from = plr_domain_add_cpu(domain, cpu, &place);
		plr_perf_migrate(from, cpu);
	}
	cpus_read_unlock();
}

/**
 * plr_domain_displace() - no CPU gets a directory or a link any more
 * @domain: about to go
 */
void plr_domain_displace(struct plr_domain *domain)
{
	unsigned int cpu;

	guard(mutex)(&plr_lock);
	domain->placed = false;
	plr_perf_cpus_remove(domain->package, domain->id);
	for_each_possible_cpu(cpu)
		if (plr_cpu_is_in(cpu, domain->package, domain->id,
				  PLR_ANY_MODULE))
			plr_cpu_unlink(cpu);
}
