// SPDX-License-Identifier: GPL-2.0-only
/*
 * Handle boxes that may not be accessed, because the PCI function is in D3 or
 * does not respond, or because the machine sleeps.
 */
#include <linux/ktime.h>
#include <linux/pci.h>

#include "core.h"

/*
 * Set from PM_SUSPEND_PREPARE to PM_POST_SUSPEND, and during hibernation. The
 * kernel then puts PCI functions in D3, which is no reason to fail events.
 */
bool pmon_suspended;

bool pmon_box_is_blocked(const struct pmon_box *box)
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
 * Set the state if the kernel resets the PCI function, or if the function is in
 * D3 outside sleep. Return true if the box may be accessed. Reads no register.
 */
bool pmon_box_update_state(struct pmon_box *box)
{
	bool in_d3 = pmon_box_is_in_d3(box);

	lockdep_assert_held(&box->lock);
	if (in_d3 && READ_ONCE(pmon_suspended))
		return false;
	if (in_d3 || pmon_box_is_blocked(box))
		pmon_hw_set_state(&box->hw, PMON_BOX_UNRESPONSIVE);
	return box->hw.state == PMON_BOX_READY;
}

/* ---- boxes without response --------------------------------------------- */

/* Probe a box. Set it up if it responds, as it may be frozen or miss writes. */
bool pmon_box_probe(struct pmon_box *box)
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

/* Shortest time between two probes of a dropped box by add(). */
#define PMON_RETRY_NS		(250 * NSEC_PER_MSEC)

/* Probe a dropped box, but not too often. Return true if it responds. */
bool pmon_box_retry(struct pmon_box *box)
{
	struct pmon_box_hw *hw = &box->hw;
	u64 now = hw->ops->clock();

	lockdep_assert_held(&box->lock);
	if (hw->state > PMON_BOX_UNRESPONSIVE || pmon_hw_is_probed(hw) ||
	    now - hw->probed < PMON_RETRY_NS ||
	    pmon_box_access(box) != PMON_PCI_ACCESSIBLE)
		return false;

	hw->probed = now;
	return pmon_box_probe(box);
}

/* ---- changes are applied ------------------------------------------------- */

/*
 * Delete and program events, on a CPU that reaches the box. Returns what is
 * left to do without the lock of the box.
 */
unsigned int pmon_box_apply(struct pmon_box *box, struct pmon_hw_event *deleted)
{
	unsigned int applied = 0;
	bool runs;

	lockdep_assert_irqs_disabled();
	guard(pmon_box)(box);
	for (; deleted; deleted = deleted->open.deleted)
		pmon_hw_del(&box->hw, &deleted->event);
	/* A box in D3 during suspend becomes unresponsive. Resume probes it. */
	if (!(box->hw.active & box->hw.controlled) &&
	    !pmon_box_update_state(box))
		pmon_hw_set_state(&box->hw, PMON_BOX_UNRESPONSIVE);
	pmon_hw_apply(&box->hw);
	runs = box->hw.active;
	if (unlikely(runs != box->in_global))
		pmon_global_update_active(box);
	if (unlikely(runs && !pmon_box_is_polled(box)))
		applied |= PMON_APPLIED_STARTS;
	if (unlikely(box->hw.has_lost))
		applied |= PMON_APPLIED_LOST;
	box->hw.has_lost = false;
	return applied;
}

/* ---- sleep --------------------------------------------------------------- */

/* Time of sleep since boot at pmon_sleep_clear(), never too short. */
static u64 pmon_sleep_cleared_ns;

/*
 * Get the time of sleep since pmon_sleep_clear(), in any context, even NMI. The
 * time between the reads of two clocks shortens the result, so it is 0 without
 * sleep.
 */
u64 pmon_sleep_ns(void)
{
	u64 boot = ktime_get_boot_fast_ns();
	s64 ns = boot - ktime_get_mono_fast_ns() -
		 READ_ONCE(pmon_sleep_cleared_ns);

	return max(ns, 0);
}

void pmon_sleep_clear(void)
{
	u64 mono = ktime_get_mono_fast_ns();

	WRITE_ONCE(pmon_sleep_cleared_ns, ktime_get_boot_fast_ns() - mono);
}
