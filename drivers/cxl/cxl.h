/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pmon_cxl: the state of the driver, a CPMU that was found, and which file does
 * what.
 */
#ifndef PMON_CXL_H
#define PMON_CXL_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/workqueue.h>

#include <pmon/pmu.h>

#include "caps.h"

#define CXL_PEER_MODULE		"cxl_pmu"
#define CXL_NAME_SIZE		48
/* Instead of the number of a CPMU: it is not where its device says */
#define CXL_NO_NUMBER		(~0U)
#define CXL_CLASS_MEMORY	0x050210

/**
 * enum cxl_kind - why a function may be read
 * @CXL_NONE: it may not
 * @CXL_MEMORY: a memory device that cxl_pci has bound
 * @CXL_UNBOUND: no driver has it, and unbound=1 asks for such
 * @CXL_PORT: a root port or one of a switch, and unbound=1 asks for these
 */
enum cxl_kind {
	CXL_NONE,
	CXL_MEMORY,
	CXL_UNBOUND,
	CXL_PORT,
};

/**
 * struct cxl_regs - the registers of a CPMU, see regs.c
 * @mmio: where they are, or NULL
 * @filters: as in &struct cpmu_caps
 * @freezable: counters that can be frozen, one bit for each
 * @known: those whose configuration is known; all under the lock of the box
 * @used: those to which one was written
 * @config: their configuration
 */
struct cxl_regs {
	void __iomem *mmio;
	u8 filters;
	u64 freezable;
	u64 known;
	u64 used;
	u64 config[CPMU_COUNTERS_MAX];
};

/**
 * struct cxl_cpmu - a CPMU that was found
 * @node: in the list of all
 * @pdev: the function that has it
 * @place: where that was when the CPMU was found; what sysfs says of its NUMA
 *	node can be changed at any time
 * @regs: its registers, where it can be used; that it cannot was said
 * @caps: what they say
 * @pmu: the engine's, or NULL
 * @showing: is about to be registered, without the driver's lock: it must stay
 * @shown: registered with perf
 * @left: not served, and it was said why
 * @gone: its function was given up while @showing
 * @barred: its device on the CXL bus is not bound to this driver
 * @kind: of its function
 * @chmus: monitors of hot ranges (CHMUs) in its function, which have no driver
 * @mem: the number of its memory device, if it is of one
 * @index: its number in the function, or %CXL_NO_NUMBER
 * @name: of the PMU
 */
struct cxl_cpmu {
	struct list_head node;
	struct pci_dev *pdev;
	struct pmon_place_id place;
	struct cxl_regs regs;
	struct cpmu_caps caps;
	struct pmon_pmu *pmu;
	bool showing;
	bool shown;
	bool left;
	bool gone;
	bool barred;
	enum cxl_kind kind;
	unsigned int chmus;
	unsigned int mem;
	unsigned int index;
	char name[CXL_NAME_SIZE];
};

/**
 * struct cxl - the driver
 * @lock: protects what follows. Taken with a device's lock held; not held while
 *	PMUs are given to perf or taken away
 * @cpmus: struct cxl_cpmu
 * @rescan: looks at all functions
 * @observe: report, register nothing
 * @unbound: ports and functions that no driver has, too
 * @again: a PMU of a name that is needed had yet to leave perf
 * @leaving: the module unloads
 * @peer_gone: the kernel's driver has been unloaded; not under @lock
 */
struct cxl {
	struct mutex lock;	/* see above */
	struct list_head cpmus;
	struct delayed_work rescan;
	bool observe;
	bool unbound;
	bool again;
	bool leaving;
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
bool cxl_is_memory(struct pci_dev *pdev);
bool cxl_may_have_cpmus(struct pci_dev *pdev);
bool cxl_is_awake(struct pci_dev *pdev);
bool cxl_is_others(struct pci_dev *pdev);
enum cxl_kind cxl_kind_of(struct pci_dev *pdev);
int cxl_discover(struct pci_dev *pdev, enum cxl_kind kind);
void cxl_say(const struct cxl_cpmu *cpmu, const struct cpmu_fault *fault);
void cxl_cpmu_free(struct cxl_cpmu *cpmu);

/* pmus.c */
void cxl_pmu_add(struct cxl_cpmu *cpmu);
void cxl_pmu_give_up(struct cxl_cpmu *cpmu);
void cxl_pmu_remove(struct cxl_cpmu *cpmu);
void cxl_pmus_show(void);
void cxl_types_free(void);

/* regs.c */
void cxl_regs(struct pmon_regs *regs, struct cxl_regs *own);
u64 cxl_read_config(struct cxl_regs *regs, unsigned int i);

#endif
