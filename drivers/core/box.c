// SPDX-License-Identifier: GPL-2.0-only
/* Power state of a box's PCI function, and the time of sleep. */
#include <linux/pci.h>
#include <linux/timekeeping.h>

#include "core.h"

/*
 * Return true if the function reports D3, or was reset: then memory decoding is
 * off until the kernel has restored the configuration. The caller holds
 * pmon_mutex, the lock of the PMU, or @box->lock.
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

/* Set state D3 if the function is in D3. True: the box may be accessed. */
bool pmon_box_update_state(struct pmon_box *box)
{
	lockdep_assert_held(&box->lock);
	if (pmon_box_is_in_d3(box))
		pmon_hw_set_state(&box->hw, PMON_BOX_D3);
	return box->hw.state <= PMON_BOX_UNRESPONSIVE;
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
