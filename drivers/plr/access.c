// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decide whether registers can be accessed: the function responds, and firmware
 * has not blocked writes.
 */
#include <linux/ktime.h>
#include <linux/lockdep.h>

#include <compat/workqueue.h>

#include "plr.h"

/*
 * The state of the feature is read that often at most: others use the
 * interface.
 */
#define PLR_STATE_NS	(NSEC_PER_SEC / 2)

/*
 * Check whether the registers can be accessed. Costs no access to the device
 * unless its last answer was all ones. Returns false while there are none, and
 * while the function sleeps, is offline or does not decode its BARs: it is not
 * touched then, and not woken.
 */
bool plr_domain_is_ready(struct plr_domain *domain)
{
	struct pci_dev *pdev;

	lockdep_assert_held(&domain->lock);
	if (!domain->device)
		return false;
	pdev = domain->device->pdev;
	if (pci_channel_offline(pdev)) {
		/* Called normal again before its driver has restored it. */
		domain->suspect = true;
		return false;
	}
	if (pdev->current_state == PCI_D3hot ||
	    pdev->current_state == PCI_D3cold)
		return false;
	if (domain->suspect)
		domain->suspect = !pmon_tpmi_is_ready(pdev);

	return !domain->suspect;
}

/* The work item: it may take seconds. */
void plr_state_work(struct work_struct *work)
{
	struct plr_device *device =
		container_of(work, struct plr_device, state_work);
	int blocked = device->front->blocked(device->auxdev);

	if (blocked > 0 && !device->blocked)
		dev_warn(&device->dev, "PLR: writes blocked by firmware, reasons of modules not known\n");
	if (blocked >= 0)
		WRITE_ONCE(device->blocked, blocked);
	complete_all(&device->state_done);
}

/*
 * Find out whether firmware has blocked the feature. A work item of its own
 * reads it: that may take seconds, and nothing waits for it but a clear, for a
 * moment. Does nothing where the kernel cannot tell.
 */
void plr_device_check_state(struct plr_device *device)
{
	u64 now_ns = ktime_get_ns();

	if (!device->front->blocked)
		return;
	if (device->state_ns && now_ns - device->state_ns < PLR_STATE_NS)
		return;
	device->state_ns = now_ns;
	reinit_completion(&device->state_done);
	queue_work(system_dfl_wq, &device->state_work);
}
