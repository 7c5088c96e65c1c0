// SPDX-License-Identifier: GPL-2.0-only
/* Power state of a box's PCI function, and the time of sleep. */
#include <linux/pci.h>
#include <linux/timekeeping.h>

#include "core.h"

/*
 * Does the function report D3? After a reset the function is in D0, but memory
 * decoding is off until the kernel has restored the configuration. The caller
 * holds pmon_mutex, or the lock of the PMU or of the box.
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

/*
 * Set state D3 if the kernel has put the function in D3. Returns true if the
 * registers of the box may be accessed.
 */
bool pmon_box_update_state(struct pmon_box *box)
{
	lockdep_assert_held(&box->lock);
	if (pmon_box_is_in_d3(box))
		pmon_hw_set_state(&box->hw, PMON_BOX_D3);
	return box->hw.state <= PMON_BOX_UNRESPONSIVE;
}

/* Total time of sleep at the last pmon_sleep_clear(). */
static u64 pmon_sleep_cleared_ns;

/* Safe in any context. */
static u64 pmon_sleep_total_ns(void)
{
	u64 mono = ktime_get_mono_fast_ns();

	return ktime_get_boot_fast_ns() - mono;
}

u64 pmon_sleep_ns(void)
{
	s64 ns = pmon_sleep_total_ns() - READ_ONCE(pmon_sleep_cleared_ns);

	return max(ns, 0);
}

void pmon_sleep_clear(void)
{
	WRITE_ONCE(pmon_sleep_cleared_ns, pmon_sleep_total_ns());
}

/* Make a box ready after D3, or when a CPU is online again. */
void pmon_box_set_ready(struct pmon_box *box)
{
	lockdep_assert_held(&box->lock);
	pmon_hw_set_state(&box->hw, PMON_BOX_READY);
	pmon_global_mark_unchecked(box);
}
