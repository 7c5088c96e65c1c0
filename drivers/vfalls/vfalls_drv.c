// SPDX-License-Identifier: GPL-2.0-only
/*
 * Register perf PMUs for the memory controllers, the L2 cache and the Zambezi
 * chips of sun4v machines with UltraSPARC T2 Plus (Victoria Falls). The
 * hypervisor owns the registers; any CPU may access them by calls, which do not
 * sleep. The load of the module writes no register.
 *
 * Events of counters count on one designated CPU. Between pmu_disable and
 * pmu_enable perf often removes and adds the same events. So add and del only
 * record changes, and pmu_enable writes the hardware once.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/cleanup.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/sysfs.h>
#include <linux/timekeeping.h>
#include <linux/topology.h>
#include <linux/workqueue.h>

#include <asm/hypervisor.h>
#include <asm/pil.h>
#include <asm/processor.h>
#include <asm/spitfire.h>

#include <compat/hrtimer.h>
#include <compat/isolation.h>
#include <compat/workqueue.h>

#include <pmon/class.h>
#include <pmon/owner.h>
#include <pmon/param.h>
#include <pmon/pmu.h>

#include "vfalls.h"

PMON_PARAM(mode, 16, "on",
	   "on: register PMUs; observe: read registers and report, register nothing; off: do nothing");

/* An existing unit */
struct vfalls_box {
	/* protects pair, due, disturbed; taken with interrupts off */
	raw_spinlock_t lock;
	struct vfalls_pair pair;
	u64 due;	/* time of the next read in ns, 0: no event counts */
	struct pmon_pmu *pmu;	/* NULL: not registered */
	bool failed;	/* a failed event is not logged yet */
	unsigned int disturbed;	/* changes by another guest */
	unsigned int sysfs_disturbed;	/* @disturbed as shown in sysfs */
};

static struct vfalls {
	unsigned long minor;	/* of the API version */
	DECLARE_BITMAP(readable, VFALLS_REGS);	/* registers, one bit each */
	/* registers that the hypervisor refused */
	DECLARE_BITMAP(denied, VFALLS_REGS);
	unsigned int cpu;	/* designated CPU: all units count there */
	struct vfalls_box box[VFALLS_UNITS];	/* index as for vfalls_unit() */
	atomic_long_t blocked;	/* calls that would have blocked */
	atomic_long_t missed;	/* accesses given up after VFALLS_TRIES calls */
	atomic_long_t overwritten; /* settings changed by others while in use */
} vfalls;

/* ---- boxes --------------------------------------------------------------- */

static struct vfalls_box *vfalls_box_of(const struct perf_event *event)
{
	return pmon_pmu_data(event->pmu);
}

/* Box locks that this CPU holds or waits for */
static DEFINE_PER_CPU(unsigned int, vfalls_box_locks);

static void vfalls_box_lock(struct vfalls_box *box)
{
	lockdep_assert_irqs_disabled();
	raw_cpu_inc(vfalls_box_locks);
	raw_spin_lock(&box->lock);
}

static void vfalls_box_unlock(struct vfalls_box *box)
{
	raw_spin_unlock(&box->lock);
	raw_cpu_dec(vfalls_box_locks);
}

DEFINE_GUARD(vfalls_box, struct vfalls_box *, vfalls_box_lock(_T),
	     vfalls_box_unlock(_T))

static struct irq_work vfalls_report_irq_work;

/* Schedule vfalls_report(), in any context. */
static void vfalls_report_soon(void)
{
	irq_work_queue(&vfalls_report_irq_work);
}

static void vfalls_blocked(bool last)
{
	atomic_long_inc(&vfalls.blocked);
	if (last)
		atomic_long_inc(&vfalls.missed);
	else
		cpu_relax();
}

static void vfalls_gain(struct perf_event *event, u64 delta)
{
	local64_add(delta, &event->count);
}

/* Mark of a failed event: a bit of hw.state that drivers may use */
#define VFALLS_HES_FAILED	PERF_HES_ARCH

static void vfalls_failed(struct perf_event *event, bool last)
{
	if (last)
		pmon_event_report_lost(event);
	WRITE_ONCE(event->hw.state, VFALLS_HES_FAILED);
	WRITE_ONCE(vfalls_box_of(event)->failed, true);
	vfalls_report_soon();
}

static void vfalls_disturbed(struct vfalls_pair *pair)
{
	struct vfalls_box *box = container_of(pair, struct vfalls_box, pair);

	WRITE_ONCE(box->disturbed, box->disturbed + 1);
	vfalls_report_soon();
}

static const struct vfalls_ops ops = {
	.get = vfalls_get_perfreg, .set = vfalls_set_perfreg,
	.blocked = vfalls_blocked, .denied = vfalls.denied,
	.gain = vfalls_gain, .failed = vfalls_failed,
	.disturbed = vfalls_disturbed, .clock = ktime_get_mono_fast_ns,
};

/* ---- timer: read counters before they wrap ------------------------------- */

#define TIMER_MODE	HRTIMER_MODE_ABS_PINNED_HARD

/* Protects the expiry of the timer; nests inside a box lock. */
static DEFINE_RAW_SPINLOCK(vfalls_timer_lock);
static struct hrtimer vfalls_timer;

/* Start the timer for the earliest box, or stop the timer. */
static void vfalls_timer_update(void)
{
	unsigned int n;
	u64 next = 0;

	guard(raw_spinlock)(&vfalls_timer_lock);
	for (n = 0; n < VFALLS_UNITS; n++) {
		u64 due = READ_ONCE(vfalls.box[n].due);

		if (due && (!next || due < next))
			next = due;
	}
	if (next)
		hrtimer_start(&vfalls_timer, ns_to_ktime(next), TIMER_MODE);
	else
		hrtimer_try_to_cancel(&vfalls_timer);
}

static void vfalls_box_set_due(struct vfalls_box *box, u64 now)
{
	WRITE_ONCE(box->due, vfalls_pair_active(&box->pair, NULL) ?
			     now + box->pair.unit.layout->period_ns : 0);
}

static enum hrtimer_restart vfalls_timer_poll(struct hrtimer *timer)
{
	u64 now = ktime_get_ns();
	unsigned int n;

	for (n = 0; n < VFALLS_UNITS; n++) {
		struct vfalls_box *box = &vfalls.box[n];
		u64 due = READ_ONCE(box->due);

		if (!due || due > now)
			continue;
		guard(vfalls_box)(box);
		vfalls_pair_poll(&box->pair);
		vfalls_box_set_due(box, now);
	}
	vfalls_timer_update();
	return HRTIMER_NORESTART;
}

/* ---- perf's callbacks ---------------------------------------------------- */

/* Flags of perf's transaction on this CPU; bit 31: the pair was read. */
#define TXN_WAS_READ	BIT(31)
static DEFINE_PER_CPU(unsigned int, vfalls_txn);

static void vfalls_enable(struct pmu *pmu)
{
	struct vfalls_box *box = pmon_pmu_data(pmu);

	guard(vfalls_box)(box);
	vfalls_pair_apply(&box->pair);
	if (!box->due == !vfalls_pair_active(&box->pair, NULL))
		return;
	vfalls_box_set_due(box, ktime_get_ns());
	vfalls_timer_update();
}

static int vfalls_add(struct perf_event *event, int flags)
{
	struct vfalls_box *box = vfalls_box_of(event);

	guard(vfalls_box)(box);
	return vfalls_pair_add(&box->pair, event, event->attr.config);
}

static void vfalls_del(struct perf_event *event, int flags)
{
	struct vfalls_box *box = vfalls_box_of(event);

	guard(vfalls_box)(box);
	vfalls_pair_del(&box->pair, event);
}

/*
 * In a transaction perf reads the leader first. Read both counters with the
 * leader, none with the sibling. In an NMI, or in a probe (kprobe, BPF) inside
 * a locked section, access no register; the count stays as last read.
 */
static void vfalls_read(struct perf_event *event)
{
	struct vfalls_box *box = vfalls_box_of(event);
	unsigned int txn = this_cpu_read(vfalls_txn);

	if (txn & TXN_WAS_READ || in_nmi() || raw_cpu_read(vfalls_box_locks))
		return;
	guard(vfalls_box)(box);
	if (txn & PERF_PMU_TXN_READ) {
		this_cpu_write(vfalls_txn, txn | TXN_WAS_READ);
		event = NULL;
	}
	vfalls_pair_read(&box->pair, vfalls_pair_active(&box->pair, event));
}

static void vfalls_start_txn(struct pmu *pmu, unsigned int txn)
{
	this_cpu_write(vfalls_txn, txn);
}

static void vfalls_cancel_txn(struct pmu *pmu)
{
	this_cpu_write(vfalls_txn, 0);
}

static int vfalls_commit_txn(struct pmu *pmu)
{
	vfalls_cancel_txn(pmu);
	return 0;
}

static const struct pmu vfalls_callbacks = {
	.pmu_enable = vfalls_enable,
	.add = vfalls_add,
	.del = vfalls_del,
	.read = vfalls_read,
	.start_txn = vfalls_start_txn,
	.commit_txn = vfalls_commit_txn,
	.cancel_txn = vfalls_cancel_txn,
};

/* Return true if the other events of the group need both counters. */
static bool vfalls_group_is_full(struct perf_event *event)
{
	struct perf_event *leader = event->group_leader, *sibling;
	unsigned int n = leader != event && leader->pmu == event->pmu;

	for_each_sibling_event(sibling, leader)
		n += sibling->pmu == event->pmu;
	return n > 1;
}

static unsigned int vfalls_unit_end(const struct vfalls_unit *unit)
{
	return unit->reg + unit->layout->reg[1] + 1;
}

static bool vfalls_unit_is_present(const struct vfalls_unit *unit)
{
	unsigned int end = vfalls_unit_end(unit);

	return find_next_zero_bit(vfalls.readable, end, unit->reg) == end;
}

static bool vfalls_unit_is_denied(const struct vfalls_unit *unit)
{
	unsigned int end = vfalls_unit_end(unit);

	return find_next_bit(vfalls.denied, end, unit->reg) < end;
}

/* Check an event, at the end of event_init; no register is accessed. */
static int vfalls_open(struct perf_event *event)
{
	const struct vfalls_unit *unit = &vfalls_box_of(event)->pair.unit;
	u64 select = event->attr.config & unit->layout->select_mask;

	if (vfalls_unit_is_denied(unit))
		return -EACCES;
	if (!vfalls_has_event(unit, select) ||
	    vfalls_group_is_full(event))
		return -EINVAL;
	event->cpu = READ_ONCE(vfalls.cpu);
	return 0;
}

static void vfalls_cpus(struct cpumask *cpus)
{
	cpumask_set_cpu(READ_ONCE(vfalls.cpu), cpus);
}

static void vfalls_no_close(struct perf_event *event)
{
}

static const struct pmon_boxless_ops vfalls_ops = {
	.cpus = vfalls_cpus,
	.open = vfalls_open,
	.close = vfalls_no_close,
	.perf = &vfalls_callbacks,
};

/* ---- reports ------------------------------------------------------------- */

/* Return true for a failed event; clear the state for another start. */
static bool vfalls_test_and_clear_failed(const struct perf_event *event,
					 const void *data)
{
	struct hw_perf_event *hw = (struct hw_perf_event *)&event->hw;

	return xchg(&hw->state, 0);
}

static void vfalls_report_box(struct vfalls_box *box)
{
	unsigned int disturbed = READ_ONCE(box->disturbed);
	const char *name = pmon_pmu_name(box->pmu);
	char text[24];

	if (box->sysfs_disturbed != disturbed) {
		if (!box->sysfs_disturbed)
			pr_warn("%s: reset by another program and set up again\n",
				name);
		box->sysfs_disturbed = disturbed;
		snprintf(text, sizeof(text), "-1 %u", disturbed);
		pmon_pmu_add_file(box->pmu, "disturbed", text);
	}
	if (!READ_ONCE(box->failed))
		return;
	WRITE_ONCE(box->failed, false);
	pr_warn_ratelimited("%s: a register of the machine could not be written or read: events end\n",
			    name);
}

static void vfalls_settings_restore(bool last);
static struct delayed_work vfalls_report_work;

/* Log problems and end failed events, because perf's callbacks cannot do so. */
static void vfalls_report(struct work_struct *work)
{
	static bool logged;
	unsigned int n;

	for (n = 0; n < VFALLS_UNITS; n++)
		if (vfalls.box[n].pmu)
			vfalls_report_box(&vfalls.box[n]);
	pmon_boxless_fail(&vfalls_ops, vfalls_test_and_clear_failed, NULL);
	vfalls_settings_restore(false);
	if (atomic_long_read(&vfalls.overwritten) && !logged) {
		logged = true;
		pr_warn("the kernel or another guest overwrote a setting\n");
	}
}

static DECLARE_DELAYED_WORK(vfalls_report_work, vfalls_report);

static void vfalls_report_irq(struct irq_work *work)
{
	mod_delayed_work(system_percpu_wq, &vfalls_report_work, 0);
}

static struct irq_work vfalls_report_irq_work =
	IRQ_WORK_INIT(vfalls_report_irq);

/* ---- settings ------------------------------------------------------------ */

/*
 * Bits of a register that an event sets while active. The bits modify events of
 * the strands' counters (PMU cpu). The event itself counts nanoseconds.
 */
struct vfalls_setting {
	struct pmon_type type;
	struct pmon_boxless_ops ops;
	unsigned int reg;	/* accessed on the calling CPU */
	unsigned long mask;
	/* CPUs that share the register with @cpu */
	const struct cpumask *(*sharers)(int cpu);
	/* all sharers use one sharer's hold; protected by settings_lock */
	struct vfalls_hold __percpu *hold;
};

/* Protects all holds. An innermost lock, taken with interrupts off. */
static DEFINE_RAW_SPINLOCK(settings_lock);

static struct vfalls_setting *vfalls_setting_of(const struct perf_event *event)
{
	return pmon_pmu_data(event->pmu);
}

/* Return a sharer's hold that is in use or unrestored, else this CPU's hold. */
static struct vfalls_hold *vfalls_hold_of(const struct vfalls_setting *setting)
{
	int cpu, this = smp_processor_id();

	lockdep_assert_held(&settings_lock);
	for_each_cpu(cpu, setting->sharers(this)) {
		struct vfalls_hold *hold = per_cpu_ptr(setting->hold, cpu);

		if (hold->users || hold->unrestored)
			return hold;
	}
	return per_cpu_ptr(setting->hold, this);
}

/*
 * Mask the interrupt of the strands' counters, whose handler writes the PCR
 * even while other interrupts are masked. Returns the level to restore.
 */
static unsigned long vfalls_mask_counters(void)
{
	unsigned long pil = arch_local_save_flags();

	arch_local_irq_restore(PIL_NMI);
	return pil;
}

static u64 vfalls_setting_now(const struct perf_event *event)
{
	return ktime_get_mono_fast_ns();
}

static int vfalls_setting_begin(struct perf_event *event)
{
	struct vfalls_setting *setting = vfalls_setting_of(event);
	u64 value = event->attr.config << __ffs(setting->mask) & setting->mask;
	struct vfalls_hold *hold;
	unsigned long pil;
	int ret;

	guard(raw_spinlock)(&settings_lock);
	hold = vfalls_hold_of(setting);
	pil = vfalls_mask_counters();
	ret = vfalls_hold_begin(hold, &ops, setting->reg, setting->mask, value);
	arch_local_irq_restore(pil);
	/* the event may end on another CPU */
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
	ret = vfalls_hold_end(event->pmu_private, &ops, setting->reg,
			      setting->mask);
	arch_local_irq_restore(pil);
	if (!ret)
		return;
	if (ret > 0)
		atomic_long_inc(&vfalls.overwritten);
	vfalls_report_soon();
}

static bool vfalls_settings_agree(const struct perf_event *a,
				  const struct perf_event *b)
{
	return a->pmu != b->pmu || a->attr.config == b->attr.config;
}

/*
 * Refuse a group that needs two values, because it could never be active. perf
 * holds the mutex of the leader's context, so the siblings are stable.
 */
static int vfalls_setting_open(struct perf_event *event)
{
	struct perf_event *leader = event->group_leader, *sibling;
	bool agree = vfalls_settings_agree(leader, event);

	if (test_bit(vfalls_setting_of(event)->reg, vfalls.denied))
		return -EACCES;
	for_each_sibling_event(sibling, leader)
		agree &= vfalls_settings_agree(sibling, event);
	return agree ? 0 : -EINVAL;
}

/* The strands of a node share the L2 cache. */
static const struct cpumask *vfalls_l2_sharers(int cpu)
{
	return &cpu_core_sib_cache_map[cpu];
}

static const struct cpumask *vfalls_strand_sharers(int cpu)
{
	return cpumask_of(cpu);
}

static void vfalls_l2_cpus(struct cpumask *cpus)
{
	int cpu;

	for_each_online_cpu(cpu)
		if (!cpumask_intersects(cpus, vfalls_l2_sharers(cpu)))
			cpumask_set_cpu(cpu, cpus);
}

static void vfalls_strand_cpus(struct cpumask *cpus)
{
	cpumask_copy(cpus, cpu_online_mask);
}

#define VFALLS_SETTING_OPS(_cpus) {					\
	.cpus = _cpus, .open = vfalls_setting_open,			\
	.close = vfalls_no_close, .start = vfalls_setting_begin,	\
	.stop = vfalls_setting_end, .now = vfalls_setting_now,		\
}

static DEFINE_PER_CPU(struct vfalls_hold, l2_hold);
static DEFINE_PER_CPU(struct vfalls_hold, strand_hold);

static const struct pmon_field l2_fields[] = { { "l2ctl", 0, 0x3 }, { } };
static const struct pmon_field strand_fields[] = { { "hpriv", 0, 0x1 }, { } };

static struct vfalls_setting settings[] = {
	/* PERF_CONFIG (section 2.3) */
	{
		.reg = VFALLS_REG_L2, .mask = 0x3,
		.type = {
			.name = "vfalls_l2", .fields = l2_fields,
			.free_running = true,
		},
		.ops = VFALLS_SETTING_OPS(vfalls_l2_cpus),
		.sharers = vfalls_l2_sharers, .hold = &l2_hold,
	},
	/* HT in the PCR (section 2.1), on UltraSPARC T2 */
	{
		.reg = VFALLS_REG_STRAND, .mask = 0x8,
		.type = {
			.name = "vfalls_strand", .fields = strand_fields,
			.free_running = true,
		},
		.ops = VFALLS_SETTING_OPS(vfalls_strand_cpus),
		.sharers = vfalls_strand_sharers, .hold = &strand_hold,
	},
};

/* ---- settings that could not be restored --------------------------------- */

struct vfalls_restore {
	const struct vfalls_setting *setting;
	struct vfalls_hold *hold;
	int ret;	/* result of vfalls_hold_restore() */
};

static void vfalls_hold_restore_here(void *data)
{
	struct vfalls_restore *restore = data;
	const struct vfalls_setting *setting = restore->setting;
	unsigned long pil;

	guard(raw_spinlock)(&settings_lock);
	restore->ret = 0;
	/* an event may have taken over the hold */
	if (!restore->hold->unrestored)
		return;
	pil = vfalls_mask_counters();
	restore->ret = vfalls_hold_restore(restore->hold, &ops, setting->reg,
					   setting->mask);
	arch_local_irq_restore(pil);
	if (restore->ret > 0)
		atomic_long_inc(&vfalls.overwritten);
}

/*
 * Restore the hold of @cpu, on a CPU that shares the register. @last: at unload
 * of the module. Returns false if the register could not be restored.
 */
static bool vfalls_setting_restore(const struct vfalls_setting *setting,
				   unsigned int cpu, bool last)
{
	struct vfalls_restore restore = {
		.setting = setting, .hold = per_cpu_ptr(setting->hold, cpu),
		.ret = -ENXIO,
	};
	struct vfalls_hold *hold = restore.hold;
	const char *name = setting->type.name;
	unsigned int on = cpu;

	if (!READ_ONCE(hold->unrestored) && !hold->logged)
		return true;
	if (!cpu_online(cpu))
		on = cpumask_any_and(setting->sharers(cpu), cpu_online_mask);
	smp_call_function_single(on, vfalls_hold_restore_here, &restore, true);
	if (restore.ret >= 0) {
		if (hold->logged)
			pr_info("%s: register %u of CPU %u is restored\n", name,
				setting->reg, cpu);
		hold->logged = false;
	} else if (last) {
		pr_warn("%s: register %u of CPU %u: bits 0x%lx stay 0x%llx, not 0x%llx: error %d\n",
			name, setting->reg, cpu, setting->mask, hold->value,
			hold->original, restore.ret);
	} else if (!hold->logged) {
		hold->logged = true;
		pr_warn("%s: register %u of CPU %u cannot be restored, trying again: error %d\n",
			name, setting->reg, cpu, restore.ret);
	}
	return restore.ret >= 0;
}

/* Retry after 1, 2, 4, ... 512 s; afterwards only with the next report */
#define RETRIES		10

static void vfalls_settings_restore(bool last)
{
	static unsigned int retries;
	bool restored = true;
	unsigned int i, cpu;

	for (i = 0; i < ARRAY_SIZE(settings); i++)
		for_each_possible_cpu(cpu)
			if (!vfalls_setting_restore(&settings[i], cpu, last))
				restored = false;
	if (restored)
		retries = 0;
	else if (!last && retries < RETRIES)
		schedule_delayed_work(&vfalls_report_work, HZ << retries++);
}

/* Migrate events to another sharer of the register. */
static void vfalls_setting_offline(const struct vfalls_setting *setting,
				   unsigned int cpu)
{
	unsigned int to;

	for_each_cpu_and(to, setting->sharers(cpu), cpu_online_mask)
		if (to != cpu) {
			pmon_boxless_migrate(&setting->ops, cpu, to);
			break;
		}
}

/* ---- the designated CPU -------------------------------------------------- */

/* Return an online CPU except @not, preferably not isolated; @not if none. */
static unsigned int vfalls_choose_cpu(unsigned int not)
{
	unsigned int cpu, found = not;

	for_each_online_cpu(cpu)
		if (cpu != not && (found == not ||
				   (compat_cpu_is_isolated(found) &&
				    !compat_cpu_is_isolated(cpu))))
			found = cpu;
	return found;
}

/*
 * Migrate even if @cpu is not designated, because perf may be late to install
 * an event opened while @cpu was designated. Called with the CPU hotplug lock.
 */
static int vfalls_offline(unsigned int cpu)
{
	unsigned int i;

	if (vfalls.cpu == cpu)
		WRITE_ONCE(vfalls.cpu, vfalls_choose_cpu(cpu));
	pmon_boxless_migrate(&vfalls_ops, cpu, vfalls.cpu);
	for (i = 0; i < ARRAY_SIZE(settings); i++)
		vfalls_setting_offline(&settings[i], cpu);
	return 0;
}

/* ---- registration -------------------------------------------------------- */

static int vfalls_pmu_add(struct pmon_pmu *pmu, const char *name)
{
	int ret = PTR_ERR_OR_ZERO(pmu) ?: pmon_pmu_register(pmu);

	if (!ret)
		return 0;
	pr_warn("%s cannot be registered: error %d\n", name, ret);
	if (!IS_ERR(pmu))
		pmon_pmu_destroy(pmu);
	return ret;
}

static void vfalls_box_add(struct vfalls_box *box,
			   const struct vfalls_unit *unit)
{
	char name[VFALLS_NAME_SIZE];
	const struct pmon_pmu_info info = {
		.name = name, .type = vfalls_type(unit), .boxless = &vfalls_ops,
		.data = box, .owner = THIS_MODULE,
	};
	/* the core adds these files only to PMUs with boxes */
	static const char * const files[] = {
		"disturbed", "frozen_ns", "unresponsive",
	};
	struct pmon_pmu *pmu;
	unsigned int i;

	vfalls_unit_name(unit, name, sizeof(name));
	raw_spin_lock_init(&box->lock);
	box->pair = (struct vfalls_pair) { .ops = &ops, .unit = *unit };
	pmu = pmon_pmu_create(&info);
	for (i = 0; !IS_ERR(pmu) && i < ARRAY_SIZE(files); i++)
		pmon_pmu_add_file(pmu, files[i], "-1 0");
	box->pmu = pmu;
	if (vfalls_pmu_add(pmu, name))
		box->pmu = NULL;
}

static void vfalls_setting_add(struct vfalls_setting *setting)
{
	const struct pmon_pmu_info info = {
		.name = setting->type.name, .type = &setting->type,
		.boxless = &setting->ops, .data = setting, .owner = THIS_MODULE,
	};

	vfalls_pmu_add(pmon_pmu_create(&info), info.name);
}

static void vfalls_pmus_add(void)
{
	unsigned int n;

	hrtimer_setup(&vfalls_timer, vfalls_timer_poll, CLOCK_MONOTONIC,
		      TIMER_MODE);
	vfalls.cpu = vfalls_choose_cpu(nr_cpu_ids);
	for (n = 0; n < VFALLS_UNITS; n++) {
		const struct vfalls_unit unit = vfalls_unit(n);

		if (vfalls_unit_is_present(&unit))
			vfalls_box_add(&vfalls.box[n], &unit);
	}
	for (n = 0; n < ARRAY_SIZE(settings); n++)
		if (test_bit(settings[n].reg, vfalls.readable))
			vfalls_setting_add(&settings[n]);
	if (!pmon_owner_has("cpu"))
		pr_info("the kernel has no PMU cpu: effects of vfalls_l2 and vfalls_strand cannot be counted\n");
}

/* Remove PMUs, restore settings, stop counters. No event is open. */
static void vfalls_pmus_remove(void)
{
	unsigned int n;

	irq_work_sync(&vfalls_report_irq_work);
	flush_delayed_work(&vfalls_report_work);
	pmon_pmu_destroy_all(THIS_MODULE);
	cancel_delayed_work_sync(&vfalls_report_work);
	hrtimer_cancel(&vfalls_timer);
	vfalls_settings_restore(true);
	for (n = 0; n < VFALLS_UNITS; n++)
		if (vfalls.box[n].pmu)
			vfalls_pair_turn_off(&vfalls.box[n].pair);
}

/* ---- sysfs and the module ------------------------------------------------ */

static ssize_t version_show(struct device *dev, struct device_attribute *attr,
			    char *buf)
{
	return sysfs_emit(buf, "1.%lu\n", vfalls.minor);
}
static PMON_DEVICE_ATTR_RO(version);

#define VFALLS_NUMBER_ATTR(_name)					\
static ssize_t _name##_show(struct device *dev,				\
			    struct device_attribute *attr, char *buf)	\
{									\
	return sysfs_emit(buf, "%ld\n",					\
			  atomic_long_read(&vfalls._name));		\
}									\
static PMON_DEVICE_ATTR_RO(_name)

VFALLS_NUMBER_ATTR(blocked);
VFALLS_NUMBER_ATTR(missed);
VFALLS_NUMBER_ATTR(overwritten);

/* One page has room for all 90 registers. */
static ssize_t registers_show(struct device *dev, struct device_attribute *attr,
			      char *buf)
{
	char line[64];
	unsigned int reg;
	int n = 0;

	for_each_set_bit(reg, vfalls.readable, VFALLS_REGS) {
		vfalls_reg_format(reg, line, sizeof(line));
		n += sysfs_emit_at(buf, n, "%s\n", line);
	}
	return n;
}
static PMON_DEVICE_ATTR_RO(registers);

static struct attribute *vfalls_attrs[] = {
	&dev_attr_version.attr,
	&dev_attr_blocked.attr,
	&dev_attr_missed.attr,
	&dev_attr_overwritten.attr,
	&dev_attr_registers.attr,
	NULL
};
ATTRIBUTE_GROUPS(vfalls);

static struct device *vfalls_device;

static void vfalls_release(struct device *dev)
{
	kfree(dev);
}

static int vfalls_sysfs_add(void)
{
	struct device *dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	int ret;

	if (!dev)
		return -ENOMEM;
	device_initialize(dev);
	dev->release = vfalls_release;
	dev->groups = vfalls_groups;
	ret = dev_set_name(dev, "vfalls0") ?: pmon_class_add(dev, NULL);
	if (ret)
		put_device(dev);
	else
		vfalls_device = dev;
	return ret;
}

static void vfalls_log_found(void)
{
	unsigned int n, pairs = 0;
	unsigned int denied = test_bit(VFALLS_REG_STRAND, vfalls.denied) +
			      test_bit(VFALLS_REG_L2, vfalls.denied);

	for (n = 0; n < VFALLS_UNITS; n++) {
		const struct vfalls_unit unit = vfalls_unit(n);

		pairs += vfalls_unit_is_present(&unit);
		denied += vfalls_unit_is_denied(&unit);
	}
	pr_info("performance API 1.%lu: %u pairs of counters\n", vfalls.minor,
		pairs);
	if (denied)
		pr_info("the hypervisor does not permit this guest %u units\n",
			denied);
}

/* PMUs are registered. */
static bool registered;
static int vfalls_cpuhp;

static void vfalls_register(void)
{
	registered = true;
	vfalls_pmus_add();
	vfalls_cpuhp = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN,
						 "perf/pmon_vfalls:online",
						 NULL, vfalls_offline);
	if (vfalls_cpuhp < 0)
		pr_warn("events end with their CPU: error %d\n", vfalls_cpuhp);
}

static int __init vfalls_init(void)
{
	enum pmon_mode requested;
	int ret;

	/* without a hypervisor, a call's trap is an illegal instruction */
	if (tlb_type != hypervisor)
		return -ENODEV;
	if (!pmon_check_mode(KBUILD_MODNAME, mode, &requested) ||
	    requested == PMON_MODE_OFF)
		return 0;
	/* if a driver has registered the group, minor becomes that version */
	vfalls.minor = 1;
	if (sun4v_hvapi_register(HV_GRP_VF_CPU, 1, &vfalls.minor))
		return -ENODEV;
	vfalls_probe(&ops, vfalls.minor, vfalls.readable);
	ret = vfalls_sysfs_add();
	if (ret) {
		sun4v_hvapi_unregister(HV_GRP_VF_CPU);
		return ret;
	}
	vfalls_log_found();
	if (requested == PMON_MODE_ON)
		vfalls_register();
	return 0;
}
module_init(vfalls_init);

static void __exit vfalls_exit(void)
{
	if (!vfalls_device)
		return;
	if (vfalls_cpuhp > 0)
		cpuhp_remove_state_nocalls(vfalls_cpuhp);
	if (registered)
		vfalls_pmus_remove();
	device_unregister(vfalls_device);
	sun4v_hvapi_unregister(HV_GRP_VF_CPU);
}
module_exit(vfalls_exit);

MODULE_DESCRIPTION("Counters of UltraSPARC T2 Plus machines");
MODULE_AUTHOR("The openpmon project");
MODULE_VERSION(PMON_VERSION);
MODULE_LICENSE("GPL");
