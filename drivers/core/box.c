// SPDX-License-Identifier: GPL-2.0-only
/*
 * Connect the counters of a box to a lock, a global control and the power state
 * of its PCI function.
 */
#include <linux/pci.h>
#include <linux/timekeeping.h>

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

/* May the box be accessed? If its function is in D3 now the box is, too. */
bool pmon_box_check_d3(struct pmon_box *box)
{
	lockdep_assert_held(&box->lock);
	if (pmon_box_is_in_d3(box))
		pmon_bank_set_state(&box->bank, PMON_BOX_D3);
	return box->bank.state <= PMON_BOX_UNRESPONSIVE;
}

/* ---- sleep -------------------------------------------------------------- */

/* How long the machine had slept when boxes were last resumed. */
static u64 pmon_slept_before;

/* In any context, which reads both clocks one after the other. */
static u64 pmon_slept_ns(void)
{
	u64 mono = ktime_get_mono_fast_ns();

	return ktime_get_boot_fast_ns() - mono;
}

u64 pmon_slept(void)
{
	s64 ns = pmon_slept_ns() - READ_ONCE(pmon_slept_before);

	return max(ns, 0);
}

/* All boxes were resumed. */
void pmon_boxes_resumed(void)
{
	WRITE_ONCE(pmon_slept_before, pmon_slept_ns());
}

/* ---- changes of state ---------------------------------------------------- */

/* The box was in D3, or had no CPU. */
void pmon_box_set_ready(struct pmon_box *box)
{
	lockdep_assert_held(&box->lock);
	pmon_bank_set_state(&box->bank, PMON_BOX_READY);
	pmon_global_recheck(box);
}
