/* SPDX-License-Identifier: GPL-2.0-only */
/* Define the state of pmon_cxl and of each CPMU. */
#ifndef PMON_CXL_H
#define PMON_CXL_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/workqueue.h>

#include <pmon/pmu.h>

#include "cpmu.h"

/**
 * struct cxl_regs - registers of a CPMU, see regs.c
 * @mmio: mapped registers, CPMU_BYTES
 * @caps: capabilities of the CPMU
 * @cached: counters with a valid copy in @config
 * @used: counters with a configuration written by this driver
 * @frozen: counters frozen by this driver
 * @config: copies of the Counter Configuration registers
 *
 * The box lock protects @cached, @used, @frozen and @config once the box
 * exists.
 */
struct cxl_regs {
	void __iomem *mmio;
	const struct cpmu_caps *caps;
	u64 cached;
	u64 used;
	u64 frozen;
	u64 config[CPMU_COUNTERS_MAX];
};

/**
 * struct cxl_cpmu - a CPMU
 * @node: in cxl.cpmus; empty once the function is dropped
 * @pdev: PCI function, with a reference
 * @regs: registers of the CPMU
 * @caps: capabilities; no usable counter if the CPMU is rejected (logged)
 * @pmu: PMU of the core, or NULL
 * @registering: being registered with perf without cxl.lock: do not free
 * @registered: registered with perf
 * @logged_owner: left to another driver, and logged
 * @chmus: number of hotness monitoring units (CHMUs) of the function
 * @index: number of the CPMU in the function
 * @name: name of the PMU
 */
struct cxl_cpmu {
	struct list_head node;
	struct pci_dev *pdev;
	struct cxl_regs regs;
	struct cpmu_caps caps;
	struct pmon_pmu *pmu;
	bool registering;
	bool registered;
	bool logged_owner;
	unsigned int chmus;
	unsigned int index;
	char name[48];
};

/**
 * struct cxl - the driver
 * @lock: protects all fields but @cxl_pmu_unloaded. Nests inside a device lock;
 *	not held while PMUs are registered with perf or unregistered
 * @cpmus: list of struct cxl_cpmu
 * @rescan: scans all functions
 * @observe: report, register nothing; also while the module is unloaded
 * @unbound: use ports and functions without a driver, too
 * @cxl_pmu_unloaded: cxl_pmu has been unloaded; accessed without @lock
 */
struct cxl {
	struct mutex lock;	/* all fields but cxl_pmu_unloaded */
	struct list_head cpmus;
	struct delayed_work rescan;
	bool observe;
	bool unbound;
	bool cxl_pmu_unloaded;
};

extern struct cxl cxl;

/* Bus of the CXL core, looked up at run time. Const since Linux 6.8. */
extern typeof(*((struct device *)NULL)->bus) cxl_bus_type;

/* bus.c */
void cxl_bus_register(void);
void cxl_bus_unregister(void);
bool cxl_bus_is_unclaimed(const struct cxl_cpmu *cpmu);

/* device.c */
bool cxl_find_memdev(struct pci_dev *pdev, unsigned int *number);
bool cxl_has_other_driver(struct pci_dev *pdev);
bool cxl_may_read(struct pci_dev *pdev);
int cxl_discover(struct pci_dev *pdev);
void cxl_cpmu_free(struct cxl_cpmu *cpmu);
int cxl_pmu_add(struct cxl_cpmu *cpmu, bool unclaimed);
void cxl_pmu_destroy(struct cxl_cpmu *cpmu);
void cxl_types_free(void);

/* regs.c */
void cxl_regs_init(struct pmon_regs *regs, struct cxl_regs *priv);
u64 cxl_read_config(struct cxl_regs *regs, unsigned int i);

#endif
