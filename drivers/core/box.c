// SPDX-License-Identifier: GPL-2.0-only
/*
 * Boxes that may not be accessed: the PCI function is in D3, or does not
 * respond. A box without response is probed by one delayed work for all boxes,
 * because perf's callbacks cannot wait for an answer; if there is none, the
 * work drops the box, and its events fail.
 */
#include <linux/jiffies.h>
#include <linux/pci.h>
#include <linux/timekeeping.h>

#include <compat/workqueue.h>

#include "core.h"

/*
 * Between PM_SUSPEND_PREPARE and PM_POST_SUSPEND or the like, the kernel puts
 * functions in D3: no reason to fail events.
 */
static bool pmon_suspended;

static bool pmon_box_is_blocked(const struct pmon_box *box)
{
	return box->power && box->power->block_cfg_access;
}

/*
 * Return whether the registers may be accessed. The caller holds pmon_mutex,
 * the lock of the PMU, or @box->lock.
 */
enum pmon_pci_access pmon_box_access(const struct pmon_box *box)
{
	if (pmon_box_is_in_d3(box))
		return PMON_PCI_D3;
	return box->power ? pmon_pci_access(box->power, box->in_bar) :
			    PMON_PCI_ACCESSIBLE;
}

/*
 * Set the state of a function in D3, or that the kernel resets. True: the box
 * may be accessed. Reads no register.
 */
bool pmon_box_update_state(struct pmon_box *box)
{
	lockdep_assert_held(&box->lock);
	if (pmon_box_is_in_d3(box)) {
		if (READ_ONCE(pmon_suspended))
			return false;
		pmon_hw_set_state(&box->hw, PMON_BOX_D3);
	} else if (pmon_box_is_blocked(box)) {
		pmon_hw_set_state(&box->hw, PMON_BOX_UNRESPONSIVE);
	}
	return box->hw.state == PMON_BOX_READY;
}

/* ---- boxes without response --------------------------------------------- */

/* Writes may be lost, and the box frozen: set it up if it responds. */
static bool pmon_box_probe(struct pmon_box *box)
{
	lockdep_assert_held(&box->lock);
	if (!pmon_hw_probe(&box->hw))
		return false;

	pmon_global_mark_unchecked(box);
	if (box->hw.active)
		pmon_global_start(box);
	pmon_hw_recover(&box->hw);
	return box->hw.state == PMON_BOX_READY;
}

/* add() probes a dropped box this often at most. */
#define PMON_RETRY_NS		(250 * NSEC_PER_MSEC)

/* Returns true if a box that did not respond responds now. */
bool pmon_box_retry(struct pmon_box *box)
{
	struct pmon_box_hw *hw = &box->hw;
	u64 now = hw->ops->clock();

	lockdep_assert_held(&box->lock);
	if (pmon_hw_is_probed(hw) || now - hw->probed < PMON_RETRY_NS)
		return false;

	hw->probed = now;
	return pmon_box_access(box) == PMON_PCI_ACCESSIBLE &&
	       pmon_box_probe(box);
}

static void pmon_box_probe_here(void *data)
{
	struct pmon_box *box = data;

	guard(pmon_box)(box);
	if (pmon_hw_is_probed(&box->hw))
		pmon_box_probe(box);
}

static void pmon_box_visit(struct pmon_box *box)
{
	enum pmon_pci_access access = pmon_box_access(box);

	lockdep_assert_held(&pmon_mutex);
	if (access == PMON_PCI_D3) {
		pmon_box_set_state(box, PMON_BOX_D3);
		return;
	}
	if (access == PMON_PCI_ACCESSIBLE)
		pmon_box_call(box, pmon_box_probe_here);
	guard(pmon_box_irq)(box);
	pmon_hw_no_response(&box->hw, pmon_box_is_blocked(box));
}

static void pmon_probe_work_fn(struct work_struct *work);
static DECLARE_DELAYED_WORK(pmon_probe_work, pmon_probe_work_fn);

/*
 * CPUs that go offline wait for this work, and other boxes for pmon_mutex: let
 * go of both after a while, and continue with the boxes not yet visited.
 */
#define PMON_VISITS_NS		(20 * NSEC_PER_MSEC)
#define PMON_VISITS_MS		10

static void pmon_probe_work_fn(struct work_struct *work)
{
	static unsigned int round = 1;
	bool over = true, any = false;
	struct pmon_pmu *pmu;
	struct pmon_box *box;
	unsigned int i;
	u64 begin;

	guard(pmon_cpus_and)(&pmon_mutex);
	if (READ_ONCE(pmon_suspended))
		return;
	begin = ktime_get_mono_fast_ns();
	list_for_each_entry(pmu, &pmon_pmus, list)
		pmon_for_each_box(box, pmu, i) {
			if (!pmon_hw_is_probed(&box->hw))
				continue;
			if (box->visited != round &&
			    ktime_get_mono_fast_ns() - begin < PMON_VISITS_NS) {
				box->visited = round;
				pmon_box_visit(box);
			}
			over &= box->visited == round;
			any |= pmon_hw_is_probed(&box->hw);
		}
	round += over;
	if (any)
		queue_delayed_work(system_dfl_wq, &pmon_probe_work,
				   msecs_to_jiffies(PMON_VISITS_MS));
}

void pmon_probe_soon(void)
{
	queue_delayed_work(system_dfl_wq, &pmon_probe_work, 0);
}

void pmon_probe_exit(void)
{
	cancel_delayed_work_sync(&pmon_probe_work);
}

/* ---- sleep --------------------------------------------------------------- */

void pmon_set_suspended(bool suspended)
{
	WRITE_ONCE(pmon_suspended, suspended);
}

static u64 pmon_sleep_cleared_ns;

/* Any context, even NMI. */
static u64 pmon_sleep_total_ns(void)
{
	u64 mono = ktime_get_mono_fast_ns();

	return ktime_get_boot_fast_ns() - mono;
}

/* Get the time of sleep since pmon_sleep_clear(). */
u64 pmon_sleep_ns(void)
{
	s64 ns = pmon_sleep_total_ns() - READ_ONCE(pmon_sleep_cleared_ns);

	return max(ns, 0);
}

void pmon_sleep_clear(void)
{
	WRITE_ONCE(pmon_sleep_cleared_ns, pmon_sleep_total_ns());
}

void pmon_box_set_ready(struct pmon_box *box)
{
	lockdep_assert_held(&box->lock);
	pmon_hw_set_state(&box->hw, PMON_BOX_READY);
	pmon_global_mark_unchecked(box);
}
