/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_R2PCIE_H
#define PMON_R2PCIE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pci.h>

#include <pmon/pmu.h>

#include "boxes.h"

#define R2_DRIVER		"pmon_r2pcie"

/* Number of PMUs: one for R2PCIe, one for each QPI port */
#define R2_PMUS			(1 + R2_PORTS)

/* A PCI function bound to this driver */
struct r2_box {
	struct list_head node;	/* in r2.boxes */
	struct pci_dev *pdev;
	const struct r2_function *function;	/* row of r2_functions[] */
	int package;	/* -1: the function stays bound, but is not used */
	bool added;	/* the PMU has the box */
	struct pmon_global status;	/* MSR that shows an overflow */
};

/* A PMU: the functions of one kind and port in all packages */
struct r2_pmu {
	struct pmon_pmu *pmu;	/* NULL: none */
	bool registered;	/* perf has the PMU */
	bool logged;	/* the reason not to register was logged */
};

struct r2 {
	/*
	 * protects all fields. Nests inside a device lock. Held while PMUs are
	 * registered and unregistered; no callback of perf takes the lock.
	 */
	struct mutex lock;
	struct list_head boxes;	/* struct r2_box */
	struct r2_pmu pmu[R2_PMUS];
	bool probed;	/* pci_register_driver() has probed all functions */
};

extern struct r2 r2;

/* package.c */
int r2_package(struct pci_dev *pdev, const struct r2_function *function,
	       const char **reason);

/* pmus.c */
void r2_pmus_update(void);
void r2_pmus_remove(struct r2_box *box);

#endif
