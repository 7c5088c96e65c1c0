// SPDX-License-Identifier: GPL-2.0-only
/* Hold module parameters, the list of domains and the module of each CPU. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/kstrtox.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/sysfs.h>

#include <asm/cpufeature.h>
#include <asm/processor.h>

#include <pmon/param.h>

#include "plr.h"

PMON_PARAM(mode, 16, "on",
	   "on: show limits; observe: show TPMI devices only; off: do nothing");
PMON_PARAM(generic, 8, "N",
	   "Y: serve CPU models that are not known, and under a hypervisor, too");
PMON_PARAM(interval_ms, 16, "0",
	   "10 to 60000: monitor all domains at this interval; 0: only for consumers");
PMON_PARAM(mesh, 8, "N",
	   "Y: monitor the mesh, too; hardware without mesh reasons may block the mailbox");

enum pmon_mode plr_mode = PMON_MODE_OFF;
unsigned int plr_default_ms;
bool plr_mesh;

static bool __init plr_parse_interval(void)
{
	if (!kstrtouint(interval_ms, 0, &plr_default_ms) &&
	    (!plr_default_ms || (plr_default_ms >= PLR_MIN_MS &&
				 plr_default_ms <= PLR_MAX_MS)))
		return true;
	pr_err("interval_ms=%s is neither 0 nor 10 to 60000: doing nothing\n",
	       interval_ms);
	return false;
}

/* Parse parameters; limit the mode, as unknown models may lack MSR 0x54 IDs. */
void __init plr_parse(void)
{
	bool is_known = plr_reasons_use_cpu(boot_cpu_data.x86,
					    boot_cpu_data.x86_model) &&
			boot_cpu_data.x86_vendor == X86_VENDOR_INTEL;
	bool is_virtual = boot_cpu_has(X86_FEATURE_HYPERVISOR), anywhere;
	enum pmon_mode requested;

	if (pmon_check_mode(KBUILD_MODNAME, mode, &requested) &&
	    pmon_check_flag(KBUILD_MODNAME, "generic", generic, &anywhere) &&
	    pmon_check_flag(KBUILD_MODNAME, "mesh", mesh, &plr_mesh) &&
	    plr_parse_interval())
		plr_mode = pmon_mode_here(requested, !anywhere && is_virtual,
					  anywhere || is_known);
}

/* Protects lists of devices and domains, modules, CPUs and links. */
DEFINE_MUTEX(plr_lock);

/* Entries are added under plr_lock, never removed; readers take no lock. */
LIST_HEAD(plr_domains);

/* Module of a CPU, or NULL if offline or unknown. Writes need plr_lock. */
static DEFINE_PER_CPU(struct plr_scope *, plr_cpu_modules);

struct plr_domain *plr_domain_find(u16 package, u8 id)
{
	struct plr_domain *domain;

	list_for_each_entry_rcu(domain, &plr_domains, node, true)
		if (domain->package == package && domain->id == id)
			return domain;
	return NULL;
}

struct plr_scope *plr_cpu_module(unsigned int cpu)
{
	return READ_ONCE(per_cpu(plr_cpu_modules, cpu));
}

void plr_cpu_set_module(unsigned int cpu, struct plr_scope *module)
{
	lockdep_assert_held(&plr_lock);
	WRITE_ONCE(per_cpu(plr_cpu_modules, cpu), module);
}

/* Print the online CPUs of @module, or of @domain if @module is NULL. */
int plr_cpus_print(char *buf, const struct plr_domain *domain,
		   const struct plr_scope *module)
{
	const struct plr_scope *of;
	cpumask_var_t mask;
	unsigned int cpu;
	int len;

	if (!zalloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;
	for_each_online_cpu(cpu) {
		of = plr_cpu_module(cpu);
		if (of && (module ? of == module : of->domain == domain))
			cpumask_set_cpu(cpu, mask);
	}
	len = sysfs_emit(buf, "%*pbl\n", cpumask_pr_args(mask));
	free_cpumask_var(mask);
	return len;
}
