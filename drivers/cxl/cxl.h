/* SPDX-License-Identifier: GPL-2.0-only */
/* What the driver's files share. */
#ifndef PMON_CXL_H
#define PMON_CXL_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pci.h>

#include <pmon/pmu.h>

#include "caps.h"
#include "locator.h"

#define CXL_PEER_MODULE		"cxl_pmu"
#define CXL_NAME_SIZE		32

/**
 * struct cxl_cpmu - a CPMU that was found
 * @node: in the list of all
 * @pdev: the function that has it
 * @mmio: its registers
 * @caps: what they say
 * @off: counters that were off when @caps were read, one bit for each
 * @pmu: the engine's, or NULL
 * @irq: its interrupt, or 0 when it is not used
 * @showing: is about to be registered, without the driver's lock: it must stay
 * @shown: registered with perf
 * @left: not served, and it was said why
 * @gone: its function was given up while @showing
 * @index: its number in the function
 * @name: of the PMU
 */
struct cxl_cpmu {
	struct list_head node;
	struct pci_dev *pdev;
	void __iomem *mmio;
	struct cpmu_caps caps;
	u64 off;
	struct pmon_pmu *pmu;
	int irq;
	bool showing;
	bool shown;
	bool left;
	bool gone;
	unsigned int index;
	char name[CXL_NAME_SIZE];
};

/**
 * struct cxl - the driver
 * @lock: protects what follows. Taken with a device's lock held; not held while
 *	PMUs are given to perf or taken away
 * @cpmus: struct cxl_cpmu
 * @observe: report, register nothing
 * @again: a PMU of a name that is needed had yet to leave perf
 */
struct cxl {
	struct mutex lock;	/* see above */
	struct list_head cpmus;
	bool observe;
	bool again;
};

extern struct cxl cxl;

/* device.c */
bool cxl_is_ours(struct pci_dev *pdev);
void cxl_discover(struct pci_dev *pdev);
void cxl_say(struct cxl_cpmu *cpmu, const struct cpmu_fault *fault);
void cxl_cpmu_free(struct cxl_cpmu *cpmu);

/* irq.c */
void cxl_irq_get(struct cxl_cpmu *cpmu);
void cxl_irq_put(struct cxl_cpmu *cpmu);

/* pmus.c */
void cxl_pmu_add(struct cxl_cpmu *cpmu);
void cxl_pmu_remove(struct cxl_cpmu *cpmu);
void cxl_pmus_show(void);
void cxl_types_free(void);

/* regs.c */
void cxl_regs(struct pmon_regs *regs, void __iomem *mmio);

#endif
