/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probes that fail. A driver whose probe has failed is the function's for a
 * moment longer than the bus says so, and what looks at the function meanwhile
 * takes it for that driver's.
 */
#ifndef PMON_PROBE_H
#define PMON_PROBE_H

#include <linux/pci.h>
#include <linux/types.h>
#include <linux/workqueue.h>

/**
 * struct pmon_probes - a rescan that waits until failed probes are through
 * @rescan: the work item; calls pmon_probes_wait() first
 * @is_others: does a function belong to a driver with which it is not served?
 * @looks: how often the rescan still looks before it goes on
 */
struct pmon_probes {
	struct delayed_work *rescan;
	bool (*is_others)(struct pci_dev *pdev);
	atomic_t looks;
};

void pmon_probes_failed(struct pmon_probes *probes);
bool pmon_probes_wait(struct pmon_probes *probes);

#endif /* PMON_PROBE_H */
