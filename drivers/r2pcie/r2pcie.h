/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pmon_r2pcie: the state of the driver, its functions and PMUs, and which file
 * does what.
 */
#ifndef PMON_R2PCIE_H
#define PMON_R2PCIE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pci.h>

#include <pmon/pmu.h>

#include "boxes.h"

#define R2_DRIVER		"pmon_r2pcie"

/* One for R2PCIe, one for each port of QPI. */
#define R2_PMUS			(1 + R2_PORTS)

/**
 * struct r2_box - a function that this driver has bound
 * @node: in the list of all
 * @pdev: the function
 * @function: what it is
 * @package: where, or -1: it is kept, but cannot be served
 * @added: its PMU has it
 * @status: of the package, where it says that an overflow was not cleared
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
 * struct r2_pmu - a PMU: the boxes of all packages that have one number
 * @pmu: the engine's, or NULL
 * @shown: registered with perf
 * @logged: the log has why it is not
 */
struct r2_pmu {
	struct pmon_pmu *pmu;
	bool shown;
	bool logged;
};

/**
 * struct r2 - the driver
 * @lock: protects what follows. Taken with the lock of a function held, and
 *	held while PMUs come and go: nothing that perf waits for wants it.
 * @boxes: struct r2_box
 * @pmu: the PMUs
 * @settled: all functions were offered to this driver
 */
struct r2 {
	struct mutex lock;	/* see above */
	struct list_head boxes;
	struct r2_pmu pmu[R2_PMUS];
	bool settled;
};

extern struct r2 r2;

/* package.c */
int r2_package(struct pci_dev *pdev, const struct r2_function *function,
	       const char **reason);

/* pmus.c */
void r2_pmus_settle(void);
void r2_pmus_remove(struct r2_box *box);

#endif
