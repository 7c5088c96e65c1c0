/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pmon_uncore: the state of the driver, its tables and boxes, and which file
 * does what.
 */
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

#define UNCORE_PEER_MODULE	"intel_uncore"

#define UNCORE_ANY_DEVFN	(-1)

#define UNCORE_NAME_SIZE	48	/* of a PMU */

/* More capabilities with registers than such a device has. */
#define UNCORE_TAKEN		16

/* What a table names, what its SNCU has, and those in MSRs. */
#define UNCORE_STOPS		4

/* A register that stops all units of a table. */
struct uncore_stop {
	struct pmon_regs regs;	/* the register */
	u8 bytes;	/* its width: 4 in memory, 8 of an MSR */
	u64 run; /* the bit that lets them count; 0: bit 0 freezes them */
};

/* Which driver serves a unit. */
enum uncore_owner {
	UNCORE_NOBODY,
	UNCORE_SELF,
	UNCORE_PEER,
};

/* What was made of a good unit. */
struct uncore_box {
	struct uncore_pmu *pmu;	/* the PMU that has its box, or NULL */
	struct pci_dev *pci;	/* that has its registers, or NULL */
	void __iomem *mmio;	/* its mapping, for an MMIO unit */
	enum uncore_owner owner;	/* which driver serves it */
	struct uncore_root stack;	/* root bus behind an IIO unit */
	bool has_stack;	/* it is known */
};

/* A discovery table that was read. */
struct uncore_table {
	struct device dev;	/* the device below /sys/class/pmon */
	struct list_head node;	/* in the list of tables */
	char origin[16];	/* where it was found, for the log */
	/* the PCI device that carries it, NULL if it is in memory */
	struct pci_dev *pdev;
	u64 where;	/* its capability there, or its address */
	int package;	/* processor package */
	u16 die; /* one more than the die that has it, 0: the package has */
	unsigned int number;	/* which table of the package, from 0 */
	struct resource place;	/* where it is in memory */
	/* where other registers of @pdev are, if there is one */
	struct resource taken[UNCORE_TAKEN];
	unsigned int nr_taken;	/* how many */
	struct pmon_global global;	/* the control of all its units, ... */
	bool has_global;	/* ... if there is one that may be accessed */
	/* the registers that it stands for */
	struct uncore_stop stops[UNCORE_STOPS];
	unsigned int nr_stops;	/* how many */
	struct uncore_fault fault;	/* what is wrong with the whole of it */
	/* why the control of all its units is not accessed */
	struct uncore_fault global_fault;
	u64 *raw;	/* its records, record 0 first */
	size_t raw_bytes;	/* size of @raw */
	struct uncore_unit *units;	/* the units, good and bad */
	struct uncore_box *boxes;	/* what was made of each */
	/* number of units; those behind the table's own were added */
	size_t count;
	size_t room;	/* how many fit */
	bool published;	/* in sysfs */
};

/* The driver. */
struct uncore {
	/*
	 * protects @tables and the boxes in them. No CPU hotplug callback takes
	 * it; readers of the tables' files do. Not held while PMUs are given to
	 * perf or taken away.
	 */
	struct mutex lock;
	struct list_head tables;	/* struct uncore_table */
	/* what is known of this CPU model */
	const struct uncore_platform *platform;
	enum pmon_mode mode;	/* whether units are served, and if not, why */
	bool generic;	/* processors that are not known are served, too */
	bool unfreeze;	/* boxes that are frozen together may be unfrozen */
	bool any_place;	/* also places of something else are used */
	/* units of one type that are served in a package */
	unsigned int max_units;
	bool unplaced;	/* a device waits for the first CPU of its package */
	bool absent;	/* a package with a table has no CPU online */
	bool misplaced;	/* units are not used for a reason that may pass */
	bool retry; /* a PMU of a name that is needed had yet to leave perf */
};

extern struct uncore uncore;

/* scan.c; under uncore.lock, but for uncore_tables_drop() */
int uncore_tables_scan(void);
void uncore_tables_drop(struct list_head *tables);
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
bool uncore_table_place(struct pci_dev *pdev, int cap, u8 *bar, u32 *offset);
void uncore_note_others(struct uncore_table *table);
bool uncore_other_registers(struct uncore_table *table, struct resource *where);
bool uncore_given_away(struct pci_dev *pdev);
bool uncore_has_counters(struct pci_dev *pdev);
void uncore_packages_find(void);
int uncore_package(struct pci_dev *pdev);
struct pci_dev *uncore_package_device(u16 device, int devfn, int package);
void uncore_topology_show(struct pmon_pmu *pmu, const struct uncore_unit *unit,
			  struct uncore_box *box);
const struct uncore_root *uncore_stack(const struct uncore_unit *unit);
int uncore_node(const struct uncore_unit *unit);

/* peer.c */
void uncore_peer_refuse(void);
void uncore_peer_admit(void);
int uncore_peer_mark(void);
void uncore_peer_watch(void (*gone)(void));
void uncore_peer_unwatch(void);

/* global.c */
void uncore_global_find(struct uncore_table *table);
void uncore_global_drop(struct uncore_table *table);
int uncore_global_read(const struct uncore_table *table, u64 *value);

/* placement.c */
void uncore_check_placement(struct uncore_table *table);
struct pci_dev *uncore_unit_function(const struct uncore_unit *unit);
const char *uncore_check_mmio(struct uncore_table *table, u64 address,
			      u32 span);

/* boxes.c */
void uncore_boxes_add(struct uncore_table *table);
void uncore_box_describe(const struct uncore_table *table, size_t unit);
bool uncore_box_withdraw(struct uncore_table *table, size_t unit);
void uncore_boxes_remove(struct uncore_table *table, struct pci_dev *gone);
void uncore_boxes_destroy(void);
void uncore_boxes_show(void);
bool uncore_boxes_any(void);
void uncore_pmu_name(const struct uncore_unit *unit, char *name, size_t size);
bool uncore_pmu_alias(const struct uncore_unit *unit, char *alias, size_t size);
const char *uncore_box_pmu_name(const struct uncore_box *box);

/* sysfs.c */
int uncore_table_publish(struct uncore_table *table);

#endif
