/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_CXL_H
#define PMON_CXL_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/workqueue.h>

#include <pmon/pmu.h>

#include "cpmu.h"

struct cxl_cpmu {
	struct list_head node;	/* in cxl.cpmus; empty: function was removed */
	struct pci_dev *pdev;	/* with a reference */
	struct cxl_regs regs;
	struct cpmu_caps caps;	/* a rejected CPMU has no usable counter */
	struct pmon_pmu *pmu;	/* or NULL */
	bool registering;	/* being registered: do not free the CPMU */
	bool registered;
	bool logged_owner;	/* logged "... is left to another driver" */
	int error;		/* of the last try to get a PMU */
	bool waits;		/* for the end of another device's PMU */
	/* First fault for which the CPMU is rejected; @reason may be NULL. */
	struct {
		const char *name;
		u64 value;
		const char *reason;
	} fault;
	unsigned int chmus;	/* hotness monitoring units of the function */
	unsigned int index;	/* number of the CPMU in the function */
	char name[48];		/* of the PMU */
};

/* PMUs are registered and unregistered without @lock. */
struct cxl {
	/* Protects @cpmus and each CPMU; nests inside a device lock. */
	struct mutex lock;
	struct list_head cpmus;
	struct delayed_work rescan;
	void (*pmu_unregistered)(void);	/* constant; of cxl_drv.c */
	/* The CXL bus, set by @rescan; pins the CXL core module. */
	typeof(((struct device *)NULL)->bus) bus;
	bool observe;		/* register nothing; set under @lock at exit */
	bool unbound;		/* parameter: use ports and unbound functions */
};

extern struct cxl cxl;

/* Bus of the CXL core, looked up at run time. Const since Linux 6.8. */
extern typeof(*((struct device *)NULL)->bus) cxl_bus_type;

/* sysfs.c */
int cxl_device_add(void);
void cxl_device_remove(void);

/* device.c */
bool cxl_find_memdev(struct pci_dev *pdev, unsigned int *number);
bool cxl_has_other_driver(struct pci_dev *pdev);
bool cxl_may_read(struct pci_dev *pdev);
int cxl_discover(struct pci_dev *pdev);
void cxl_cpmu_free(struct cxl_cpmu *cpmu);
const char *cxl_device_name(const struct cxl_cpmu *cpmu);
int cxl_pmu_add(struct cxl_cpmu *cpmu);
void cxl_pmu_yield(struct cxl_cpmu *cpmu);
void cxl_pmu_destroy(struct cxl_cpmu *cpmu);
void cxl_types_free(void);

#endif
