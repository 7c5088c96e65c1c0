/* SPDX-License-Identifier: GPL-2.0-only */
/* pmon_cxl: the state of the driver, and a CPMU that was found. */
#ifndef PMON_CXL_H
#define PMON_CXL_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/workqueue.h>

#include <pmon/pmu.h>

#include "cpmu.h"

/**
 * struct cxl_regs - the registers of a CPMU, see regs.c
 * @mmio: where they are
 * @caps: its capabilities
 * @known: counters whose configuration is known; all under the lock of the box
 * @used: those to which one was written
 * @frozen: those that we have frozen
 * @config: their configuration
 */
struct cxl_regs {
	void __iomem *mmio;
	const struct cpmu_caps *caps;
	u64 known;
	u64 used;
	u64 frozen;
	u64 config[CPMU_COUNTERS_MAX];
};

/**
 * struct cxl_cpmu - a CPMU that was found
 * @node: in the list of all; empty when its function was given up
 * @pdev: the function that has it
 * @regs: its registers
 * @caps: of @regs; no counter where it cannot be used, which was logged
 * @pmu: the core's, or NULL
 * @registering: with perf, without the driver's lock: it must stay
 * @registered: with perf
 * @left: not served, and it was logged why
 * @chmus: monitors of hot ranges (CHMUs) in its function, which have no driver
 * @index: its number in the function
 * @name: of the PMU
 */
struct cxl_cpmu {
	struct list_head node;
	struct pci_dev *pdev;
	struct cxl_regs regs;
	struct cpmu_caps caps;
	struct pmon_pmu *pmu;
	bool registering;
	bool registered;
	bool left;
	unsigned int chmus;
	unsigned int index;
	char name[48];
};

/**
 * struct cxl - the driver
 * @lock: protects what follows. Taken with a device's lock held; not held while
 *	PMUs are given to perf or taken away
 * @cpmus: struct cxl_cpmu
 * @rescan: looks at all functions
 * @observe: report, register nothing; also while the module unloads
 * @unbound: ports and functions that no driver has, too
 * @peer_gone: the kernel's driver has been unloaded; not under @lock
 */
struct cxl {
	struct mutex lock;	/* see above */
	struct list_head cpmus;
	struct delayed_work rescan;
	bool observe;
	bool unbound;
	bool peer_gone;
};

extern struct cxl cxl;

/*
 * The bus of the kernel's CXL core, looked up at run time. Constant since 6.8.
 */
extern typeof(*((struct device *)NULL)->bus) cxl_bus_type;

/* bus.c */
void cxl_bus_join(void);
void cxl_bus_leave(void);
bool cxl_bus_bars(const struct cxl_cpmu *cpmu);

/* device.c */
bool cxl_memdev(struct pci_dev *pdev, unsigned int *number);
bool cxl_is_others(struct pci_dev *pdev);
bool cxl_may_read(struct pci_dev *pdev);
int cxl_discover(struct pci_dev *pdev);
void cxl_cpmu_free(struct cxl_cpmu *cpmu);
int cxl_pmu_add(struct cxl_cpmu *cpmu, bool barred);
void cxl_pmu_give_up(struct cxl_cpmu *cpmu);
void cxl_types_free(void);

/* regs.c */
void cxl_regs(struct pmon_regs *regs, struct cxl_regs *own);
u64 cxl_read_config(struct cxl_regs *regs, unsigned int i);

#endif
