// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers that change what the strands' own counters count: the virtual
 * control of the L2 banks, one for a node, and the hyperprivileged bit of a
 * strand. They have no counter. So each is a PMU whose event has a setting in
 * force while it counts, and counts the nanoseconds.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <linux/topology.h>

#include <asm/pil.h>

#include <compat/cleanup.h>

#include <pmon/owner.h>

#include "driver.h"

/**
 * struct vfalls_setting - some bits of a register that an event may set
 * @reg: the register of the calling CPU
 * @mask: the bits
 * @shift: the lowest of them, where that of the event's config goes
 * @hold: finds what is held there, for the calling CPU; under settings_lock
 * @denied: the hypervisor has refused this guest the register
 */
struct vfalls_setting {
	unsigned int reg;
	u64 mask;
	u8 shift;
	struct vfalls_hold *(*hold)(void);
	bool denied;
};

/*
 * The hold of a node's L2 register, at the node's first CPU, and of each
 * strand's PCR.
 */
static DEFINE_PER_CPU(struct vfalls_hold, l2_hold);
static DEFINE_PER_CPU(struct vfalls_hold, strand_hold);

/* Protects all holds. An innermost lock, taken with interrupts off. */
static DEFINE_RAW_SPINLOCK(settings_lock);

/* The strands of a node: they share its L2 cache. */
static const struct cpumask *vfalls_node_of(int cpu)
{
	return &cpu_core_sib_cache_map[cpu];
}

/*
 * The hold of this CPU's node: the one that is in use, or that of the node's
 * first CPU. CPUs that are added while it is in use may come before that one.
 */
static struct vfalls_hold *vfalls_l2_hold(void)
{
	const struct cpumask *node = vfalls_node_of(smp_processor_id());
	int cpu;

	lockdep_assert_held(&settings_lock);
	for_each_cpu(cpu, node)
		if (per_cpu(l2_hold, cpu).users)
			return &per_cpu(l2_hold, cpu);
	cpu = cpumask_first(node);
	return cpu < nr_cpu_ids ? &per_cpu(l2_hold, cpu) :
				  this_cpu_ptr(&l2_hold);
}

static struct vfalls_hold *vfalls_strand_hold(void)
{
	return this_cpu_ptr(&strand_hold);
}

/* PERF_CONFIG (section 2.3): bits 1:0 of the virtual register. */
static struct vfalls_setting l2_setting = {
	.reg = VFALLS_REG_L2, .mask = 0x3, .hold = vfalls_l2_hold,
};

/* HT in the PCR (section 2.1), bit 3 of an UltraSPARC T2's. */
static struct vfalls_setting strand_setting = {
	.reg = VFALLS_REG_STRAND, .mask = 0x8, .shift = 3,
	.hold = vfalls_strand_hold,
};

static struct vfalls_setting *vfalls_setting_of(const struct perf_event *event)
{
	return pmon_pmu_data(event->pmu);
}

/*
 * The interrupt of the strands' counters is not masked with others, and the
 * kernel writes the PCR there. So it waits while that is read and written here.
 */
static unsigned long vfalls_mask_counters(void)
{
	unsigned long pil = arch_local_save_flags();

	arch_local_irq_restore(PIL_NMI);
	return pil;
}

static void vfalls_unmask_counters(unsigned long pil)
{
	arch_local_irq_restore(pil);
}

static u64 vfalls_setting_now(const struct perf_event *event)
{
	return ktime_get_mono_fast_ns();
}

static int vfalls_setting_begin(struct perf_event *event)
{
	struct vfalls_setting *setting = vfalls_setting_of(event);
	struct vfalls_hold *hold;
	unsigned long pil;
	int ret;

	guard(raw_spinlock)(&settings_lock);
	if (READ_ONCE(setting->denied))
		return -EACCES;
	hold = setting->hold();
	pil = vfalls_mask_counters();
	ret = vfalls_hold_begin(hold, &vfalls_hv, setting->reg, setting->mask,
				event->attr.config << setting->shift &
				setting->mask);
	vfalls_unmask_counters(pil);
	if (ret == -EACCES)
		WRITE_ONCE(setting->denied, true);
	/*
	 * The hold where the event began: by its end another CPU may be the
	 * node's first.
	 */
	if (!ret)
		event->pmu_private = hold;
	return ret;
}

static void vfalls_setting_end(struct perf_event *event)
{
	const struct vfalls_setting *setting = vfalls_setting_of(event);
	unsigned long pil;
	int ret;

	guard(raw_spinlock)(&settings_lock);
	pil = vfalls_mask_counters();
	ret = vfalls_hold_end(event->pmu_private, &vfalls_hv, setting->reg,
			      setting->mask);
	vfalls_unmask_counters(pil);
	if (ret <= 0)
		return;
	atomic_long_inc(&vfalls.overwritten);
	vfalls_report_soon();
}

/* Do two events of a group, which has one CPU, agree about a register? */
static bool vfalls_settings_agree(const struct perf_event *a,
				  const struct perf_event *b)
{
	return a->pmu != b->pmu || a->attr.config == b->attr.config;
}

/*
 * A group is in force as a whole or not at all, so one with two settings never
 * would be. perf holds the mutex of the leader's context.
 */
static int vfalls_setting_open(struct perf_event *event)
{
	struct perf_event *leader = event->group_leader, *sibling;

	if (READ_ONCE(vfalls_setting_of(event)->denied))
		return -EACCES;
	if (leader == event)
		return 0;
	if (!vfalls_settings_agree(leader, event))
		return -EINVAL;
	for_each_sibling_event(sibling, leader)
		if (!vfalls_settings_agree(sibling, event))
			return -EINVAL;
	return 0;
}

/* One CPU of each node. */
static void vfalls_l2_cpus(struct cpumask *cpus)
{
	int cpu;

	for_each_online_cpu(cpu)
		if (!cpumask_intersects(cpus, vfalls_node_of(cpu)))
			cpumask_set_cpu(cpu, cpus);
}

static void vfalls_strand_cpus(struct cpumask *cpus)
{
	cpumask_copy(cpus, cpu_online_mask);
}

static const struct pmon_field l2_fields[] = {
	{ "l2ctl", 0, 0x3 },
	{ }
};

static const struct pmon_field strand_fields[] = {
	{ "hpriv", 0, 0x1 },
	{ }
};

static const struct pmon_type l2_type = {
	.name = "l2", .fields = l2_fields, .free_running = true,
};

static const struct pmon_type strand_type = {
	.name = "strand", .fields = strand_fields, .free_running = true,
};

#define VFALLS_SETTING_OPS(_cpus) {					\
	.cpus = _cpus, .open = vfalls_setting_open,			\
	.close = vfalls_no_close, .begin = vfalls_setting_begin,	\
	.end = vfalls_setting_end, .now = vfalls_setting_now,		\
}

static const struct pmon_soft_ops l2_ops = VFALLS_SETTING_OPS(vfalls_l2_cpus);
static const struct pmon_soft_ops strand_ops =
	VFALLS_SETTING_OPS(vfalls_strand_cpus);

static void vfalls_setting_add(const char *name, struct vfalls_setting *setting,
			       const struct pmon_type *type,
			       const struct pmon_soft_ops *ops)
{
	const struct pmon_pmu_info info = {
		.name = name, .type = type, .soft = ops, .data = setting,
		.owner = THIS_MODULE,
	};
	struct pmon_pmu *pmu = pmon_pmu_create(&info);
	int ret = PTR_ERR_OR_ZERO(pmu) ?: pmon_pmu_register(pmu);

	if (!ret)
		return;
	pr_warn("%s cannot be registered: error %d\n", name, ret);
	if (!IS_ERR(pmu))
		pmon_pmu_destroy(pmu);
}

/* A setting is its node's, and stays with another CPU of that. */
void vfalls_settings_offline(unsigned int cpu)
{
	unsigned int to;

	for_each_cpu_and(to, vfalls_node_of(cpu), cpu_online_mask)
		if (to != cpu) {
			pmon_soft_migrate(&l2_ops, cpu, to);
			break;
		}
}

/* As vfalls_pmus_add(). */
void vfalls_settings_add(void)
{
	if (!vfalls.found.l2)
		vfalls_setting_add("vfalls_l2", &l2_setting, &l2_type, &l2_ops);
	if (!vfalls.found.strand)
		vfalls_setting_add("vfalls_strand", &strand_setting,
				   &strand_type, &strand_ops);
	if (!pmon_owner_has("cpu"))
		pr_info("the kernel has no PMU cpu: what vfalls_l2 and vfalls_strand change cannot be counted\n");
}
