// SPDX-License-Identifier: GPL-2.0-only
/*
 * Connect the counters of a box to perf's events, a place, a lock, the power
 * state of its PCI function and the log.
 */
#include <linux/jiffies.h>
#include <linux/pci.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include <compat/workqueue.h>

#include "core.h"

/* ---- the power state of its function ------------------------------------ */

/*
 * Read the power state from the function itself. Its BARs do not answer either
 * after a reset: it is in D0 then, and decodes no memory before the kernel has
 * restored its configuration. The caller holds pmon_mutex or the lock of the
 * PMU or of the box.
 */
bool pmon_box_reads_d3(const struct pmon_box *box)
{
	struct pci_dev *pdev = box->power;
	u16 command;

	if (!pdev)
		return false;
	if (pmon_box_is_in_d3(box) ||
	    (box->in_bar &&
	     (pci_read_config_word(pdev, PCI_COMMAND, &command) ||
	      command == (u16)~0 || !(command & PCI_COMMAND_MEMORY))))
		return true;
	return pmon_pci_is_in_d3(pdev);
}

/* Is the box in D3, or not there, so that it counts nothing now? */
bool pmon_box_enters_d3(struct pmon_box *box)
{
	lockdep_assert_held(&box->lock);
	if (box->bank.state != PMON_BOX_PRESENT)
		return true;
	if (!pmon_box_is_in_d3(box))
		return false;

	pmon_bank_lose(&box->bank, PMON_BOX_D3);
	return true;
}

/* ---- reports ------------------------------------------------------------ */

static void pmon_box_report_d3(struct pmon_box *box)
{
	bool in_d3;

	if (READ_ONCE(box->bank.unresponsive) && pmon_box_reads_d3(box))
		pmon_box_stop(box, PMON_BOX_D3);
	in_d3 = READ_ONCE(box->bank.state) == PMON_BOX_D3;
	if (in_d3)
		pmon_box_fail_refused(box);
	if (in_d3 && !box->logged_d3)
		pr_info("%s %s: PCI function %s in D3, not counting\n",
			box->pmu->name, box->place->name, pci_name(box->power));
	if (!in_d3 && box->logged_d3 && box->power)
		pr_info("%s %s: PCI function %s left D3\n",
			box->pmu->name, box->place->name, pci_name(box->power));
	box->logged_d3 = in_d3;
}

/* One line when a box stops to respond, and one when it responds again. */
static void pmon_box_report_unresponsive(struct pmon_box *box)
{
	bool unresponsive = READ_ONCE(box->bank.unresponsive) &&
			    READ_ONCE(box->bank.state) != PMON_BOX_D3;

	if (unresponsive)
		pmon_box_fail_refused(box);
	if (unresponsive && !box->logged_unresponsive)
		pr_warn("%s %s: no response (all ones), not counting\n",
			box->pmu->name, box->place->name);
	if (!unresponsive && box->logged_unresponsive)
		pr_info("%s %s: responds again\n", box->pmu->name,
			box->place->name);
	box->logged_unresponsive = unresponsive;
}

/*
 * Each time that a register refused an access has its line, for nothing else
 * says why perf shows <not counted>, unless the box does not respond.
 */
static void pmon_box_report_refused(struct pmon_box *box, bool unresponsive)
{
	unsigned int refused = READ_ONCE(box->bank.refused);
	unsigned int lost = READ_ONCE(box->bank.lost);

	if (box->logged_refused == refused && box->logged_lost == lost)
		return;

	pmon_box_fail_refused(box);
	if (box->logged_refused != refused || !unresponsive)
		pr_warn_ratelimited("%s: a register of %s could not be written or read: events end\n",
				    box->pmu->name, box->place->name);
	box->logged_refused = refused;
	box->logged_lost = lost;
}

/* Was the box reset since that was last logged? It is logged now. */
static bool pmon_box_log_restart(struct pmon_box *box)
{
	unsigned int before = box->logged_restarts;

	box->logged_restarts = READ_ONCE(box->bank.restarts);
	return box->logged_restarts != before;
}

/* The same of other changes, which are logged once. */
static bool pmon_box_log_disturbed(struct pmon_box *box)
{
	bool before = box->logged_disturbed;

	if (READ_ONCE(box->bank.disturbed) != READ_ONCE(box->bank.restarts))
		box->logged_disturbed = true;
	return box->logged_disturbed && !before;
}

/* In how many boxes of a place, from this one on, that are of its kind? */
static unsigned int pmon_log_kind(struct pmon_pmu *pmu, unsigned int place,
				  bool (*log)(struct pmon_box *box))
{
	const struct pmon_type *type = pmu->type;
	unsigned int boxes = log(pmu->box[place]);

	if (!boxes)
		return 0;
	list_for_each_entry_continue(pmu, &pmon_pmus, list)
		boxes += pmu->type == type && pmu->box[place] &&
			 log(pmu->box[place]);
	return boxes;
}

/*
 * Another program resets all boxes of a server at once, which may be hundreds:
 * one line for each kind of box in a place.
 */
static void pmon_report_others(struct work_struct *work)
{
	struct pmon_pmu *pmu;
	struct pmon_box *box;
	unsigned int i, boxes;

	guard(mutex)(&pmon_mutex);
	list_for_each_entry(pmu, &pmon_pmus, list)
		pmon_for_each_box(box, pmu, i) {
			boxes = pmon_log_kind(pmu, i, pmon_box_log_restart);
			if (boxes)
				pr_warn("%s: the box of %s was reset by another program or firmware (boxes of its kind: %u)\n",
					pmu->name, box->place->name, boxes);
			boxes = pmon_log_kind(pmu, i, pmon_box_log_disturbed);
			if (boxes)
				pr_warn("%s: somebody else changed counters or controls of %s (boxes of its kind: %u)\n",
					pmu->name, box->place->name, boxes);
		}
}

/* Boxes are found one by one, as their events stop or they are polled. */
#define PMON_OTHERS_JIFFIES	HZ

static DECLARE_DELAYED_WORK(pmon_report_others_work, pmon_report_others);

/*
 * Log what a box has met, and fail the events that it cannot count: that was
 * found with interrupts off, maybe in an NMI. The caller holds pmon_mutex.
 */
void pmon_box_report(struct pmon_box *box)
{
	bool unresponsive = box->logged_unresponsive;

	pmon_global_report(box);
	pmon_box_report_d3(box);
	pmon_box_report_unresponsive(box);
	unresponsive |= box->logged_unresponsive || box->logged_d3;
	pmon_box_report_refused(box, unresponsive);
	if (READ_ONCE(box->bank.stood_still) && !box->logged_still)
		pr_warn("%s %s: the clock stood still for a second: another program or firmware has frozen the box\n",
			box->pmu->name, box->place->name);
	box->logged_still = READ_ONCE(box->bank.stood_still);
	if (READ_ONCE(box->bank.disturbed))
		queue_delayed_work(system_dfl_wq, &pmon_report_others_work,
				   PMON_OTHERS_JIFFIES);
}

/* That is rare, so one work item reports for all boxes. */
static void pmon_report(struct work_struct *work)
{
	struct pmon_pmu *pmu;
	struct pmon_box *box;
	unsigned int i;

	guard(mutex)(&pmon_mutex);
	list_for_each_entry(pmu, &pmon_pmus, list)
		pmon_for_each_box(box, pmu, i)
			pmon_box_report(box);
}

/* Before a PMU goes. */
void pmon_report_flush(void)
{
	pmon_report_sync();
	flush_work(&pmon_report_work);
	flush_delayed_work(&pmon_report_others_work);
}

void pmon_report_init(void)
{
	INIT_WORK(&pmon_report_work, pmon_report);
}

/* ---- what the counters need --------------------------------------------- */

/*
 * A program or firmware that has reset the box may also have set the freeze bit
 * of its global control.
 */
static void pmon_bank_reports(struct pmon_bank *bank)
{
	struct pmon_box *box = container_of(bank, struct pmon_box, bank);

	if (box->restarts != bank->restarts) {
		box->restarts = bank->restarts;
		pmon_global_recheck(box);
		pmon_global_start(box);
	}
	pmon_report_soon();
}

static void pmon_bank_lost_reading(struct pmon_event *event)
{
	pmon_event_lost(pmon_event_perf(event));
}

/* How long the machine had slept when boxes were last resumed. */
static u64 pmon_slept_before;

/* In any context, which reads both clocks one after the other. */
static u64 pmon_slept_ns(void)
{
	u64 mono = ktime_get_mono_fast_ns();

	return ktime_get_boot_fast_ns() - mono;
}

static u64 pmon_slept(void)
{
	s64 ns = pmon_slept_ns() - READ_ONCE(pmon_slept_before);

	return max(ns, 0);
}

/* All boxes were resumed. */
void pmon_boxes_resumed(void)
{
	WRITE_ONCE(pmon_slept_before, pmon_slept_ns());
}

static const struct pmon_bank_ops pmon_bank_ops = {
	.count = offsetof(struct perf_event, count) -
		 offsetof(struct perf_event, hw),
	.report = pmon_bank_reports,
	.lost = pmon_bank_lost_reading,
	.clock = ktime_get_mono_fast_ns,
	.slept = pmon_slept,
	.ticks = &jiffies_64,
	.second = HZ,
};

/* ---- boxes come and go -------------------------------------------------- */

struct pmon_box *pmon_box_create(struct pmon_pmu *pmu,
				 struct pmon_place *place,
				 const struct pmon_box_info *info)
{
	unsigned int slots = info->layout.counters;
	struct pmon_box *box = kzalloc(sizeof(*box), GFP_KERNEL);

	if (!box)
		return NULL;

	raw_spin_lock_init(&box->lock);
	box->pmu = pmu;
	box->place = place;
	box->period_ns = pmon_layout_period_ns(&info->layout);
	box->bank.ops = &pmon_bank_ops;
	box->bank.ctl_event = (pmu->type->ctl_event ?: pmu->covered[0]) |
			      pmu->type->ctl_set;
	box->bank.slot = kcalloc(slots, sizeof(*box->bank.slot), GFP_KERNEL);
	box->counter = kcalloc(slots, sizeof(*box->counter), GFP_KERNEL);
	box->data = kmemdup(info->layout.data, info->layout.data_bytes,
			    GFP_KERNEL);
	if (!box->bank.slot || !box->counter || !box->data) {
		pmon_box_free(box);
		return NULL;
	}
	pmon_box_find(box, info);
	return box;
}

/*
 * The hardware of @box is there, for the first time or again; then it has the
 * same counters and data, pmon_layouts_alike().
 */
void pmon_box_find(struct pmon_box *box, const struct pmon_box_info *info)
{
	struct pmon_layout layout = info->layout;
	const struct pmon_global *global = info->global;

	scoped_guard(spinlock, &box->pmu->lock) {
		box->power = info->power;
		box->in_bar = info->in_bar;
	}
	guard(pmon_box_irq)(box);
	box->global = info->global;
	WRITE_ONCE(box->may_refuse,
		   global && global->keep && !global->status);
	layout.counter = memcpy(box->counter, info->layout.counter,
				layout.counters * sizeof(*box->counter));
	layout.data = box->data;
	pmon_bank_find(&box->bank, &layout, &info->regs);
	pmon_bank_mark_off(&box->bank, info->off);
}

void pmon_box_free(struct pmon_box *box)
{
	if (!box)
		return;
	kfree(box->data);
	kfree(box->counter);
	kfree(box->bank.slot);
	kfree(box);
}

/*
 * Take the counters of the @deleted events away, and have the box count what
 * perf has added by now. Runs on a CPU that reaches the box.
 */
void pmon_box_apply(struct pmon_box *box, struct pmon_hw_event *deleted)
{
	bool starts;

	lockdep_assert_irqs_disabled();
	pmon_box_lock(box);
	for (; deleted; deleted = deleted->open.deleted)
		pmon_bank_del(&box->bank, &deleted->event);
	if (!(box->bank.active & box->bank.controlled))
		pmon_box_enters_d3(box);
	pmon_bank_apply(&box->bank);
	if (box->bank.running != box->counted)
		pmon_global_count(box);
	starts = box->bank.running && !READ_ONCE(box->polled);
	pmon_box_unlock(box);
	if (unlikely(starts))
		pmon_timer_start(box);
}

/*
 * Run @fn on the designated CPU of the box. Without one pmon_box_leave() has
 * handed the box back, unless it was in D3 then.
 */
static void pmon_box_call(struct pmon_box *box, smp_call_func_t fn)
{
	int cpu = box->place->cpu;

	if (cpu >= 0)
		smp_call_function_single(cpu, fn, box, true);
}

static void pmon_box_apply_here(void *data)
{
	struct pmon_box *box = data;

	scoped_guard(pmon_box, box)
		pmon_global_start(box);
	pmon_box_apply(box, NULL);
}

/* Apply, on a CPU that reaches the box, changes that no perf callback made. */
void pmon_box_apply_remotely(struct pmon_box *box)
{
	if (READ_ONCE(box->bank.dirty))
		pmon_box_call(box, pmon_box_apply_here);
}

static void pmon_box_resume_here(void *data)
{
	struct pmon_box *box = data;

	guard(pmon_box)(box);
	if (!pmon_box_enters_d3(box))
		pmon_bank_resume(&box->bank);
}

/*
 * After S3, S4 or suspend to idle a box of whose registers anything is known
 * may have been reset, and any may have been frozen with others.
 */
void pmon_box_resume(struct pmon_box *box)
{
	scoped_guard(pmon_box_irq, box)
		pmon_global_recheck(box);
	if (READ_ONCE(box->bank.used) || READ_ONCE(box->bank.programmed) ||
	    READ_ONCE(box->bank.active))
		pmon_box_call(box, pmon_box_resume_here);
}

void pmon_box_find_again(struct pmon_box *box)
{
	lockdep_assert_held(&box->lock);
	pmon_bank_mark_present(&box->bank);
	pmon_global_recheck(box);
	pmon_report_soon();
}

static void pmon_box_give_over_here(void *data)
{
	struct pmon_box *box = data;

	guard(pmon_box)(box);
	pmon_bank_give_over(&box->bank);
}

/* Hand a box that is about to be removed back, if it was used and answers. */
static void pmon_box_give_over(struct pmon_box *box)
{
	bool used;

	/* Of one without events it is not known whether it is in D3. */
	if (pmon_box_reads_d3(box))
		return;
	scoped_guard(pmon_box_irq, box) {
		used = box->bank.used;
		if (!used)
			pmon_bank_lose(&box->bank, PMON_BOX_REMOVED);
		else if (box->bank.state == PMON_BOX_D3)
			pmon_box_find_again(box);
	}
	if (used)
		pmon_box_call(box, pmon_box_give_over_here);
}

/* When this returns no register of the box is being accessed, or will be. */
void pmon_box_stop(struct pmon_box *box, enum pmon_box_state state)
{
	scoped_guard(pmon_box_irq, box) {
		pmon_bank_lose(&box->bank, state);
		pmon_global_count(box);
	}
	pmon_timer_stop(box);
}

/*
 * The device of @box goes. @box->power, to which the leaf is about to drop its
 * reference, is not looked at after this. The caller holds pmon_mutex.
 */
void pmon_box_remove(struct pmon_box *box, bool hand_back)
{
	if (hand_back) {
		pmon_box_give_over(box);
		pmon_box_report(box);
	}
	pmon_box_stop(box, PMON_BOX_REMOVED);
	scoped_guard(pmon_box_irq, box)
		box->global = NULL;
	guard(spinlock)(&box->pmu->lock);
	box->power = NULL;
}

/*
 * The last CPU of a package goes offline, which is this one. MSRs cannot be
 * reached from other packages, so a box that was used is handed back, unless
 * it is in D3; perf ends its events after this.
 */
void pmon_box_leave(struct pmon_box *box)
{
	bool in_d3 = pmon_box_reads_d3(box);

	scoped_guard(pmon_box_irq, box) {
		if (box->bank.state == PMON_BOX_D3 && !in_d3)
			pmon_box_find_again(box);
		if (in_d3)
			pmon_bank_lose(&box->bank, PMON_BOX_NO_CPU);
		else
			pmon_bank_leave(&box->bank);
		pmon_global_count(box);
	}
	pmon_timer_stop(box);
}

/* A CPU that reaches @box is online again: set the box up for its events. */
void pmon_box_return(struct pmon_box *box)
{
	if (READ_ONCE(box->bank.state) != PMON_BOX_NO_CPU)
		return;
	scoped_guard(pmon_box_irq, box)
		pmon_box_find_again(box);
	pmon_box_apply_remotely(box);
}
