/* SPDX-License-Identifier: GPL-2.0-only */
/* Declare the state of pmon_uncore, and the functions of each file. */
#ifndef PMON_UNCORE_H
#define PMON_UNCORE_H

#include <linux/device.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pci.h>

#include <pmon/mode.h>
#include <pmon/regs.h>
#include <pmon/pmu.h>

#include "platform.h"

#define UNCORE_INTEL_MODULE	"intel_uncore"

#define UNCORE_ANY_DEVFN	(-1)

#define UNCORE_NAME_SIZE	48	/* bytes for the name of a PMU */

/* Limit of other drivers' register ranges in a function; devices have fewer. */
#define UNCORE_OTHER_RANGES	16

/* At most the table's control, the SNCU's control and two enable MSRs. */
#define UNCORE_GLOBAL_REGS	4

/* A register that can stop units of a table. */
struct uncore_global_reg {
	struct pmon_regs regs;
	u8 bytes;	/* width of the register: 4 in memory, 8 for an MSR */
	u64 enable;	/* bit that enables counting; 0 if bit 0 freezes */
};

/* The driver that counts with a unit. */
enum uncore_owner {
	UNCORE_OWNER_NONE,
	UNCORE_OWNER_OPENPMON,
	UNCORE_OWNER_INTEL,
};

/* The box of a good unit. */
struct uncore_box {
	struct uncore_pmu *pmu;	/* PMU that the box belongs to, or NULL */
	struct pci_dev *pci;	/* function with the registers, or NULL */
	void __iomem *mmio;	/* mapping of the registers of an MMIO unit */
	enum uncore_owner owner;	/* driver that counts with the box */
	struct uncore_root root;	/* root bus behind an IIO unit */
	bool has_root;
};

/* A discovery table that was found. */
struct uncore_table {
	struct device dev;
	struct list_head node;
	char origin[16];	/* name of device or CPU, for the log */
	struct pci_dev *pdev;	/* function with the table, NULL if in memory */
	u64 key;	/* offset of the capability, or the table's address */
	int package;
	u16 die; /* 1 + the table's die; 0: the table is of the whole package */
	unsigned int number;	/* number of the table in the package, from 0 */
	struct resource res;	/* the table's memory */
	/* registers of other drivers in @pdev */
	struct resource others[UNCORE_OTHER_RANGES];
	unsigned int nr_others;
	struct pmon_global global;	/* control that stops units */
	bool has_global;	/* @global exists and may be accessed */
	/* registers that @global combines */
	struct uncore_global_reg global_regs[UNCORE_GLOBAL_REGS];
	unsigned int nr_global_regs;
	struct uncore_fault fault;	/* fault of the whole table */
	struct uncore_fault global_fault; /* why a global control is rejected */
	u64 *raw;	/* the records, record 0 first */
	size_t raw_bytes;
	struct uncore_unit *units;	/* the units, rejected ones included */
	struct uncore_box *boxes;	/* the box of each unit */
	size_t count;	/* number of units; added ones come last */
	size_t capacity;	/* length of @units and @boxes */
	bool published;
};

struct uncore {
	/*
	 * protects @tables and their boxes. Readers of sysfs files take the
	 * lock, CPU hotplug callbacks do not. The lock is not held while PMUs
	 * are registered or unregistered.
	 */
	struct mutex lock;
	struct list_head tables;	/* struct uncore_table */
	const struct uncore_platform *platform;
	enum pmon_mode mode;	/* whether the driver counts, and if not, why */
	bool generic;	/* generic=1: also serve unknown models and guests */
	bool kernel_placement;	/* placement=kernel: skip most address checks */
	unsigned int max_units;	/* of one type in a package */
	bool package_unknown;	/* a skipped table's package is unknown */
	bool package_offline;	/* a package with a table has no online CPU */
	bool temporary_faults;	/* units are rejected for a temporary reason */
	/* perf has an old PMU with a needed name, so flush PMUs and rescan */
	bool retry;
	bool waits;	/* the old PMU has events: rescan after its end */
	bool waiting;	/* @waits or a scan runs; read without @lock */
	void (*pmu_unregistered)(void);	/* constant */
};

extern struct uncore uncore;

/* scan.c; uncore_tables_scan() and uncore_log_summary() need uncore.lock */
int uncore_tables_scan(void);
void uncore_tables_remove(struct list_head *tables);
void uncore_log_summary(void);
void uncore_log_no_table(void);

/* discovery.c */
int uncore_find_tables(void);
bool uncore_cpu_may_have_table(unsigned int cpu);
void uncore_table_add(struct uncore_table *table,
		      const struct uncore_unit *unit);
void uncore_table_free(struct uncore_table *table);

/* package.c */
bool uncore_is_discovery(struct pci_dev *pdev);
int uncore_next_table(struct pci_dev *pdev, int cap);
bool uncore_capability_bar(struct pci_dev *pdev, int cap, u8 *bar, u32 *offset);
void uncore_find_others(struct uncore_table *table);
bool uncore_overlaps_others(struct uncore_table *table, struct resource *range);
bool uncore_is_in_vm(struct pci_dev *pdev);
bool uncore_may_have_counters(struct pci_dev *pdev);
void uncore_packages_find(void);
int uncore_package(struct pci_dev *pdev);
struct pci_dev *uncore_package_device(u16 device, int devfn, int package);
void uncore_topology_add_file(struct pmon_pmu *pmu,
			      const struct uncore_unit *unit,
			      struct uncore_box *box);
const struct uncore_root *uncore_stack_root(const struct uncore_unit *unit);
int uncore_unit_node(const struct uncore_unit *unit);

/* intel.c */
void uncore_intel_block(void);
void uncore_intel_unblock(void);
int uncore_intel_mark_units(void);
void uncore_intel_register_notifier(void (*on_unload)(void));
void uncore_intel_unregister_notifier(void);

/* global.c */
void uncore_global_find(struct uncore_table *table);
void uncore_global_unmap(struct uncore_table *table);
int uncore_global_read(const struct uncore_table *table, u64 *value);

/* placement.c */
void uncore_check_placement(struct uncore_table *table);
struct pci_dev *uncore_unit_function(const struct uncore_unit *unit);
const char *uncore_check_mmio(struct uncore_table *table, u64 address,
			      u32 span);

/* boxes.c */
void uncore_boxes_add(struct uncore_table *table);
void uncore_box_update_topology(const struct uncore_table *table, size_t unit);
bool uncore_box_remove_rejected(struct uncore_table *table, size_t unit);
void uncore_boxes_remove(struct uncore_table *table, struct pci_dev *pdev);
void uncore_boxes_destroy(void);
void uncore_pmus_register(void);
void uncore_pmu_name(const struct uncore_unit *unit, char *name, size_t size);
bool uncore_pmu_alias(const struct uncore_unit *unit, char *alias, size_t size);
const char *uncore_box_pmu_name(const struct uncore_box *box);

/* sysfs.c */
int uncore_table_publish(struct uncore_table *table);

#endif
