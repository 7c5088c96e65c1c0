// SPDX-License-Identifier: GPL-2.0-only
/*
 * A perf PMU for each unit. Any CPU reaches the registers, and a call neither
 * sleeps nor takes a lock; all events count on one designated CPU.
 *
 * Between pmu_disable and pmu_enable perf takes events off and puts events on,
 * often the same ones: that is noted, and the hardware is changed once, in
 * pmu_enable.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include <compat/cleanup.h>
#include <compat/hrtimer.h>
#include <compat/isolation.h>

#include "driver.h"

/* ---- boxes --------------------------------------------------------------- */

static struct vfalls_box *vfalls_box_of(const struct perf_event *event)
{
	return pmon_pmu_data(event->pmu);
}

/* The driver's part of an event lies over the first fields of perf's. */
static_assert(sizeof(struct vfalls_event) <=
	      offsetof(struct hw_perf_event, flags));

static struct vfalls_event *vfalls_hw(const struct perf_event *event)
{
	return (struct vfalls_event *)&event->hw;
}

static struct perf_event *vfalls_perf(struct vfalls_event *event)
{
	return container_of((struct hw_perf_event *)event, struct perf_event,
			    hw);
}

/* Locks of boxes that this CPU holds or waits for. */
static DEFINE_PER_CPU(unsigned int, vfalls_box_locks);

static void vfalls_box_lock(struct vfalls_box *box)
{
	unsigned long flags;

	local_irq_save(flags);
	raw_cpu_inc(vfalls_box_locks);
	raw_spin_lock(&box->lock);
	box->flags = flags;
}

static void vfalls_box_unlock(struct vfalls_box *box)
{
	unsigned long flags = box->flags;

	raw_spin_unlock(&box->lock);
	raw_cpu_dec(vfalls_box_locks);
	local_irq_restore(flags);
}

COMPAT_DEFINE_GUARD(vfalls_box, struct vfalls_box *, vfalls_box_lock(_T),
		    vfalls_box_unlock(_T))

/*
 * Lock a box to read an event, but not in an NMI, nor in a probe (kprobe, BPF)
 * in the middle of an access: the event keeps its last count then.
 */
static bool vfalls_box_lock_to_read(struct vfalls_box *box)
{
	if (in_nmi() || raw_cpu_read(vfalls_box_locks))
		return false;
	vfalls_box_lock(box);
	return true;
}

static void vfalls_gain(struct vfalls_event *event, u64 delta)
{
	local64_add(delta, &vfalls_perf(event)->count);
}

static void vfalls_failed(struct vfalls_event *event, bool last)
{
	struct perf_event *perf = vfalls_perf(event);
	struct vfalls_box *box = vfalls_box_of(perf);

	if (last)
		pmon_event_lost(perf);
	WRITE_ONCE(box->failed, true);
	vfalls_report_soon();
}

static const struct vfalls_pair_ops pair_ops = {
	.gain = vfalls_gain, .failed = vfalls_failed,
	.disturbed = vfalls_report_soon,
	.clock = ktime_get_mono_fast_ns,
};

/* ---- the timer: counters are read before they wrap ----------------------- */

#define TIMER_MODE	HRTIMER_MODE_ABS_PINNED_HARD

/* Protects the timer's expiry; taken inside of a box's lock. */
static DEFINE_RAW_SPINLOCK(vfalls_timer_lock);
static struct hrtimer vfalls_timer;

/* The timer expires when the next box must be read. */
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
	WRITE_ONCE(box->due, vfalls_pair_counting(&box->pair, NULL) ?
			     now + box->pair.layout->period_ns : 0);
}

static enum hrtimer_restart vfalls_timer_tick(struct hrtimer *timer)
{
	u64 now = ktime_get_ns();
	unsigned int n;

	for (n = 0; n < VFALLS_UNITS; n++) {
		struct vfalls_box *box = &vfalls.box[n];
		u64 due = READ_ONCE(box->due);

		if (!due || due > now)
			continue;
		guard(vfalls_box)(box);
		vfalls_pair_tick(&box->pair);
		vfalls_box_set_due(box, now);
	}
	vfalls_timer_update();
	return HRTIMER_NORESTART;
}

/* ---- perf's callbacks ---------------------------------------------------- */

/* What perf reads as one: its kind, and whether the pair was read. */
#define TXN_WAS_READ	BIT(31)
static DEFINE_PER_CPU(unsigned int, vfalls_txn);

static void vfalls_enable(struct pmu *pmu)
{
	struct vfalls_box *box = pmon_pmu_data(pmu);

	lockdep_assert_irqs_disabled();
	if (!READ_ONCE(box->pair.dirty))
		return;
	guard(vfalls_box)(box);
	vfalls_pair_apply(&box->pair);
	if (!box->due == !vfalls_pair_counting(&box->pair, NULL))
		return;
	vfalls_box_set_due(box, ktime_get_ns());
	vfalls_timer_update();
}

static int vfalls_add(struct perf_event *event, int flags)
{
	struct vfalls_box *box = vfalls_box_of(event);

	guard(vfalls_box)(box);
	return vfalls_pair_add(&box->pair, vfalls_hw(event));
}

static void vfalls_del(struct perf_event *event, int flags)
{
	struct vfalls_box *box = vfalls_box_of(event);

	guard(vfalls_box)(box);
	vfalls_pair_del(&box->pair, vfalls_hw(event));
}

/*
 * perf reads the leader of a group first, in a transaction. Both counters are
 * read then as of one moment, and the group's other event need not be.
 */
static void vfalls_read(struct perf_event *event)
{
	struct vfalls_box *box = vfalls_box_of(event);
	unsigned int txn = this_cpu_read(vfalls_txn);
	const struct vfalls_event *which = vfalls_hw(event);

	if (txn & TXN_WAS_READ || !vfalls_box_lock_to_read(box))
		return;
	if (txn & PERF_PMU_TXN_READ) {
		this_cpu_write(vfalls_txn, txn | TXN_WAS_READ);
		which = NULL;
	}
	vfalls_pair_read(&box->pair, vfalls_pair_counting(&box->pair, which));
	vfalls_box_unlock(box);
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

/* Has the group an event more than there are counters? */
static bool vfalls_group_is_full(struct perf_event *event)
{
	struct perf_event *leader = event->group_leader, *sibling;
	unsigned int n = leader != event && leader->pmu == event->pmu;

	for_each_sibling_event(sibling, leader)
		n += sibling->pmu == event->pmu;
	return n > 1;
}

/* The last part of event_init; no register is touched. */
static int vfalls_open(struct perf_event *event)
{
	const struct vfalls_box *box = vfalls_box_of(event);
	const struct vfalls_layout *layout = box->pair.layout;
	u64 select = event->attr.config & layout->select_mask;

	if (READ_ONCE(box->pair.denied))
		return -EACCES;
	/* Select 0 stops the counter: that is no event. */
	if ((layout->off && !select) || vfalls_group_is_full(event))
		return -EINVAL;
	*vfalls_hw(event) = (struct vfalls_event) { .select = select };
	event->cpu = READ_ONCE(vfalls.cpu);
	return 0;
}

static void vfalls_cpus(struct cpumask *cpus)
{
	cpumask_set_cpu(READ_ONCE(vfalls.cpu), cpus);
}

void vfalls_no_close(struct perf_event *event)
{
}

static const struct pmon_soft_ops vfalls_ops = {
	.cpus = vfalls_cpus,
	.open = vfalls_open,
	.close = vfalls_no_close,
	.perf = &vfalls_callbacks,
};

/* ---- the designated CPU -------------------------------------------------- */

/* The first CPU but @not, if there is one that is not kept for other work. */
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
 * Called with the CPU hotplug lock held. An event may be about to be installed
 * on @cpu that was opened when it was the designated one.
 */
void vfalls_pmus_offline(unsigned int cpu)
{
	if (vfalls.cpu == cpu)
		WRITE_ONCE(vfalls.cpu, vfalls_choose_cpu(cpu));
	pmon_soft_migrate(&vfalls_ops, cpu, vfalls.cpu);
}

/* ---- coming and going ---------------------------------------------------- */

/* Did it fail since the last report? It may be started again then. */
static bool vfalls_take_failed(const struct perf_event *event,
			       const void *data)
{
	struct vfalls_event *hw = vfalls_hw(event);
	bool failed = READ_ONCE(hw->failed);

	if (failed)
		WRITE_ONCE(hw->failed, false);
	return failed;
}

static void vfalls_show_disturbed(struct vfalls_box *box)
{
	unsigned int disturbed = READ_ONCE(box->pair.disturbed);
	char text[24];

	if (box->shown_disturbed == disturbed)
		return;
	if (!box->shown_disturbed)
		pr_warn("%s: reset by another program and set up again\n",
			box->name);
	box->shown_disturbed = disturbed;
	snprintf(text, sizeof(text), "-1 %u", disturbed);
	pmon_pmu_add_file(box->pmu, "disturbed", text);
}

static void vfalls_report_box(struct vfalls_box *box)
{
	vfalls_show_disturbed(box);
	if (!READ_ONCE(box->failed))
		return;
	WRITE_ONCE(box->failed, false);
	pr_warn_ratelimited("%s: a register of the machine could not be written or read: events end\n",
			    box->name);
}

/* perf's callbacks cannot print, nor fail events. */
static void vfalls_report(struct work_struct *work)
{
	static bool logged;
	unsigned int n;

	for (n = 0; n < VFALLS_UNITS; n++)
		if (vfalls.box[n].pmu)
			vfalls_report_box(&vfalls.box[n]);
	pmon_soft_end(&vfalls_ops, vfalls_take_failed, NULL);
	if (atomic_long_read(&vfalls.overwritten) && !logged) {
		logged = true;
		pr_warn("the kernel or another guest overwrote a setting\n");
	}
}

static DECLARE_WORK(vfalls_report_work, vfalls_report);

static void vfalls_report_irq(struct irq_work *work)
{
	schedule_work(&vfalls_report_work);
}

static struct irq_work vfalls_report_irq_work =
	IRQ_WORK_INIT(vfalls_report_irq);

/* Have it logged what boxes and settings have met. In any context. */
void vfalls_report_soon(void)
{
	irq_work_queue(&vfalls_report_irq_work);
}

/* Wait until it is; no event is open. */
void vfalls_report_stop(void)
{
	irq_work_sync(&vfalls_report_irq_work);
	flush_work(&vfalls_report_work);
}

/* The files that other PMUs of the suite have for a box. */
static int vfalls_add_files(struct pmon_pmu *pmu)
{
	return pmon_pmu_add_file(pmu, "disturbed", "-1 0") ?:
	       pmon_pmu_add_file(pmu, "frozen_ns", "-1 0") ?:
	       pmon_pmu_add_file(pmu, "unresponsive", "-1 0");
}

static int vfalls_box_add(struct vfalls_box *box,
			  const struct vfalls_unit *unit)
{
	const struct pmon_pmu_info info = {
		.name = box->name, .type = vfalls_type(unit),
		.soft = &vfalls_ops, .data = box, .owner = THIS_MODULE,
	};
	struct pmon_pmu *pmu;
	int ret;

	vfalls_unit_name(unit, box->name, sizeof(box->name));
	raw_spin_lock_init(&box->lock);
	vfalls_pair_init(&box->pair, unit, &vfalls_hv, &pair_ops);
	pmu = pmon_pmu_create(&info);
	if (IS_ERR(pmu))
		return PTR_ERR(pmu);
	box->pmu = pmu;
	ret = vfalls_add_files(pmu) ?: pmon_pmu_register(pmu);
	if (ret) {
		box->pmu = NULL;
		pmon_pmu_destroy(pmu);
	}
	return ret;
}

/* Give perf the units that are there, until pmon_pmu_destroy_all(). */
void vfalls_pmus_add(void)
{
	unsigned int n;

	hrtimer_setup(&vfalls_timer, vfalls_timer_tick, CLOCK_MONOTONIC,
		      TIMER_MODE);
	vfalls.cpu = vfalls_choose_cpu(nr_cpu_ids);
	for (n = 0; n < VFALLS_UNITS; n++) {
		const struct vfalls_unit unit = vfalls_unit(n);
		struct vfalls_box *box = &vfalls.box[n];
		int ret;

		if (!(vfalls.found.units & BIT(n)))
			continue;
		ret = vfalls_box_add(box, &unit);
		if (ret)
			pr_warn("%s cannot be registered: error %d\n",
				box->name, ret);
	}
}

/* Hand the units back, after pmon_pmu_destroy_all(). */
void vfalls_pmus_remove(void)
{
	unsigned int n;

	hrtimer_cancel(&vfalls_timer);
	for (n = 0; n < VFALLS_UNITS; n++)
		if (vfalls.box[n].pmu)
			vfalls_pair_release(&vfalls.box[n].pair);
}
