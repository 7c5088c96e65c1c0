// SPDX-License-Identifier: GPL-2.0-only
/* Waiting, for a limited time, until a probe that has failed is through. */
#include <linux/export.h>
#include <linux/jiffies.h>

#include <pmon/probe.h>

/* How often a rescan looks, and the pause between. */
#define PMON_PROBE_LOOKS	20
#define PMON_PROBE_PAUSE_MS	50

/**
 * pmon_probes_failed() - the bus says that a driver was not bound
 * @probes: whose rescan is to wait; the caller schedules it
 *
 * Context: any.
 */
void pmon_probes_failed(struct pmon_probes *probes)
{
	atomic_set(&probes->looks, PMON_PROBE_LOOKS);
}
EXPORT_SYMBOL_GPL(pmon_probes_failed);

/*
 * The lock of a function is held over its probe, but waiting for it may take
 * for ever: vfio-pci is unbound with that lock as soon as the virtual machine
 * lets go.
 */
static bool pmon_probe_runs(bool (*is_others)(struct pci_dev *pdev))
{
	struct pci_dev *pdev = NULL;

	for_each_pci_dev(pdev) {
		if (!is_others(pdev))
			continue;
		if (!device_trylock(&pdev->dev)) {
			pci_dev_put(pdev);
			return true;
		}
		device_unlock(&pdev->dev);
	}
	return false;
}

/**
 * pmon_probes_wait() - is a failed probe of another driver still under way?
 * @probes: those of the rescan that asks
 *
 * Not for longer than a second after the last one that has failed.
 *
 * Context: the rescan, without locks.
 *
 * Return: whether one may be; the rescan comes again then, and ends here.
 */
bool pmon_probes_wait(struct pmon_probes *probes)
{
	int looks = atomic_xchg(&probes->looks, 0);

	if (!looks || !pmon_probe_runs(probes->is_others))
		return false;
	/* Another probe may have failed meanwhile. */
	atomic_cmpxchg(&probes->looks, 0, looks - 1);
	schedule_delayed_work(probes->rescan,
			      msecs_to_jiffies(PMON_PROBE_PAUSE_MS));
	return true;
}
EXPORT_SYMBOL_GPL(pmon_probes_wait);
