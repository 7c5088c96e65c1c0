/* SPDX-License-Identifier: GPL-2.0-only */
/* Define the state of pmon_r2pcie, its functions and PMUs. */
#ifndef PMON_R2PCIE_H
#define PMON_R2PCIE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pci.h>

#include <pmon/pmu.h>

#include "boxes.h"

#define R2_DRIVER		"pmon_r2pcie"

/* One PMU for R2PCIe, one for each port of QPI. */
#define R2_PMUS			(1 + R2_PORTS)

/**
 * struct r2_box - a PCI function bound to this driver
 * @node: in r2.boxes
 * @pdev: PCI function
 * @function: row of r2_functions[]
 * @package: processor package, or -1: the function stays bound, but is not used
 * @added: the PMU has the box
 * @status: status MSR of the package, for an overflow that was not cleared
 */
struct r2_box {
	struct list_head node;
	struct pci_dev *pdev;
	const struct r2_function *function;
	int package;
	bool added;
	struct pmon_global status;
};

/**
 * struct r2_pmu - a PMU: one kind and port, of all packages
 * @pmu: PMU of the core, or NULL
 * @registered: registered with perf
 * @logged: the reason why the PMU is not registered was logged
 */
struct r2_pmu {
	struct pmon_pmu *pmu;
	bool registered;
	bool logged;
};

/**
 * struct r2 - the driver
 * @lock: protects all fields. Nests inside a device lock. Held while PMUs are
 *	registered and unregistered; no callback of perf takes the lock.
 * @boxes: list of struct r2_box
 * @pmu: all PMUs
 * @probed: pci_register_driver() has probed all functions
 */
struct r2 {
	struct mutex lock;	/* protects all fields */
	struct list_head boxes;
	struct r2_pmu pmu[R2_PMUS];
	bool probed;
};

extern struct r2 r2;

/* package.c */
int r2_package(struct pci_dev *pdev, const struct r2_function *function,
	       const char **reason);

/* pmus.c */
void r2_pmus_update(void);
void r2_pmus_remove(struct r2_box *box);

#endif
