// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers that change what the strands' own counters count: the virtual
 * control of the L2 banks, one for a node, and the hyperprivileged bit of a
 * strand. They have no counter. So each is a PMU whose event has a setting in
 * force while it counts, and counts the nanoseconds.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <linux/topology.h>

#include <compat/cleanup.h>

#include "hold.h"
#include "vfalls.h"

/* PERF_CONFIG (section 2.3): bits 1:0 of the virtual register. */
#define L2_PERF_CONFIG		0x3ULL
/* HT in the PCR (section 2.1), bit 3 of an UltraSPARC T2's. */
#define PCR_HT			0x8ULL

#define L2_CONFIG		0x3ULL
#define STRAND_CONFIG		0x1ULL

/*
 * The hold of a node's L2 register, at the node's first CPU, and of each
 * strand's PCR.
 */
static DEFINE_PER_CPU(struct vfalls_hold, l2_hold);
static DEFINE_PER_CPU(struct vfalls_hold, strand_hold);

/* Protects all holds. The innermost lock, taken with interrupts off. */
static DEFINE_RAW_SPINLOCK(holds_lock);

static bool l2_denied;
static bool strand_denied;

/* The strands of a node: they share its L2 cache. */
static const struct cpumask *vfalls_node_of(int cpu)
{
	return &cpu_core_sib_cache_map[cpu];
}

static u64 vfalls_holds_now(const struct perf_event *event)
{
	return ktime_get_mono_fast_ns();
}

/* perf's callbacks cannot print. Once: vfalls_overwritten counts on. */
static void vfalls_holds_tell(struct irq_work *work)
{
	pr_warn("the kernel or another guest overwrote a setting\n");
}

static struct irq_work holds_tell = IRQ_WORK_INIT(vfalls_holds_tell);

static int vfalls_holds_begin(struct perf_event *event,
			      struct vfalls_hold *hold, unsigned int reg,
			      u64 mask, u64 value, bool *denied)
{
	int ret;

	lockdep_assert_held(&holds_lock);
	if (READ_ONCE(*denied))
		return -EACCES;
	ret = vfalls_hold_begin(hold, &vfalls_hv, reg, mask, value);
	if (ret == -EACCES)
		WRITE_ONCE(*denied, true);
	/*
	 * The hold where the event began: by its end another CPU may be the
	 * node's first.
	 */
	if (!ret)
		event->pmu_private = hold;
	return ret;
}

static void vfalls_holds_end(struct perf_event *event, unsigned int reg,
			     u64 mask)
{
	static bool told;	/* under holds_lock */

	guard(raw_spinlock)(&holds_lock);
	if (vfalls_hold_end(event->pmu_private, &vfalls_hv, reg, mask) <= 0)
		return;

	atomic_long_inc(&vfalls_overwritten);
	if (!told)
		irq_work_queue(&holds_tell);
	told = true;
}

/*
 * The hold of this CPU's node: the one that is in use, or that of the node's
 * first CPU. CPUs that are added while it is in use may come before that one.
 */
static struct vfalls_hold *vfalls_l2_hold(void)
{
	const struct cpumask *node = vfalls_node_of(smp_processor_id());
	int cpu;

	lockdep_assert_held(&holds_lock);
	for_each_cpu(cpu, node)
		if (vfalls_hold_is_used(&per_cpu(l2_hold, cpu)))
			return &per_cpu(l2_hold, cpu);
	cpu = cpumask_first(node);
	return cpu < nr_cpu_ids ? &per_cpu(l2_hold, cpu) :
				  this_cpu_ptr(&l2_hold);
}

/* Do two events of a group, which has one CPU, want the same in a register? */
static bool vfalls_holds_agree(const struct perf_event *a,
			       const struct perf_event *b)
{
	return a->pmu != b->pmu || a->attr.config == b->attr.config;
}

/*
 * A group is in force as a whole or not at all, so one that wants two settings
 * never would be. perf holds the mutex of the leader's context.
 */
static int vfalls_holds_open(struct perf_event *event, const bool *denied)
{
	struct perf_event *leader = event->group_leader, *sibling;

	if (READ_ONCE(*denied))
		return -EACCES;
	if (leader == event)
		return 0;
	if (!vfalls_holds_agree(leader, event))
		return -EINVAL;
	for_each_sibling_event(sibling, leader)
		if (!vfalls_holds_agree(sibling, event))
			return -EINVAL;
	return 0;
}

static int vfalls_l2_open(struct perf_event *event)
{
	return vfalls_holds_open(event, &l2_denied);
}

static int vfalls_strand_open(struct perf_event *event)
{
	return vfalls_holds_open(event, &strand_denied);
}

static void vfalls_holds_close(struct perf_event *event)
{
}

static int vfalls_l2_begin(struct perf_event *event)
{
	guard(raw_spinlock)(&holds_lock);
	return vfalls_holds_begin(event, vfalls_l2_hold(), VFALLS_REG_L2,
				  L2_PERF_CONFIG, event->attr.config,
				  &l2_denied);
}

static void vfalls_l2_end(struct perf_event *event)
{
	vfalls_holds_end(event, VFALLS_REG_L2, L2_PERF_CONFIG);
}

static int vfalls_strand_begin(struct perf_event *event)
{
	u64 value = event->attr.config ? PCR_HT : 0;

	guard(raw_spinlock)(&holds_lock);
	return vfalls_holds_begin(event, this_cpu_ptr(&strand_hold),
				  VFALLS_REG_STRAND, PCR_HT, value,
				  &strand_denied);
}

static void vfalls_strand_end(struct perf_event *event)
{
	vfalls_holds_end(event, VFALLS_REG_STRAND, PCR_HT);
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

/* The registers are those of the CPU that calls. */
static void vfalls_holds_hand_back_here(void *unused)
{
	guard(raw_spinlock)(&holds_lock);
	vfalls_hold_hand_back(vfalls_l2_hold(), &vfalls_hv, VFALLS_REG_L2,
			      L2_PERF_CONFIG);
	vfalls_hold_hand_back(this_cpu_ptr(&strand_hold), &vfalls_hv,
			      VFALLS_REG_STRAND, PCR_HT);
}

static const struct pmon_field l2_fields[] = {
	{ "l2ctl", 0, L2_CONFIG },
	{ }
};

static const struct pmon_field strand_fields[] = {
	{ "hpriv", 0, STRAND_CONFIG },
	{ }
};

static const struct pmon_type l2_type = {
	.name = "l2", .fields = l2_fields, .free_running = true,
};

static const struct pmon_type strand_type = {
	.name = "strand", .fields = strand_fields, .free_running = true,
};

static const struct pmon_soft_ops l2_ops = {
	.cpus = vfalls_l2_cpus,
	.open = vfalls_l2_open,
	.close = vfalls_holds_close,
	.begin = vfalls_l2_begin,
	.end = vfalls_l2_end,
	.now = vfalls_holds_now,
};

static const struct pmon_soft_ops strand_ops = {
	.cpus = vfalls_strand_cpus,
	.open = vfalls_strand_open,
	.close = vfalls_holds_close,
	.begin = vfalls_strand_begin,
	.end = vfalls_strand_end,
	.now = vfalls_holds_now,
};

static void vfalls_holds_add_one(const char *name, const struct pmon_type *type,
				 const struct pmon_soft_ops *ops)
{
	const struct pmon_pmu_info info = {
		.name = name, .type = type, .soft = ops, .owner = THIS_MODULE,
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
static int vfalls_holds_offline(unsigned int cpu)
{
	unsigned int to;

	for_each_cpu_and(to, vfalls_node_of(cpu), cpu_online_mask)
		if (to != cpu) {
			pmon_soft_migrate(&l2_ops, cpu, to);
			break;
		}
	return 0;
}

static int holds_cpuhp;

/**
 * vfalls_holds_add() - give perf the registers that can be read
 *
 * At module init; pmon_pmu_destroy_all() takes them away.
 */
void vfalls_holds_add(void)
{
	holds_cpuhp = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN,
						"perf/pmon_vfalls:online",
						NULL, vfalls_holds_offline);
	if (holds_cpuhp < 0)
		pr_warn("events of vfalls_l2 end with their CPU: error %d\n",
			holds_cpuhp);
	if (!vfalls.found.l2)
		vfalls_holds_add_one("vfalls_l2", &l2_type, &l2_ops);
	if (!vfalls.found.strand)
		vfalls_holds_add_one("vfalls_strand", &strand_type, &strand_ops);
}

/**
 * vfalls_holds_remove() - undo vfalls_holds_add()
 *
 * After pmon_pmu_destroy_all(). What could not be written back when an event
 * ended is tried once more.
 */
void vfalls_holds_remove(void)
{
	if (!holds_cpuhp)
		return;
	if (holds_cpuhp > 0)
		cpuhp_remove_state_nocalls(holds_cpuhp);
	on_each_cpu(vfalls_holds_hand_back_here, NULL, 1);
	irq_work_sync(&holds_tell);
}
