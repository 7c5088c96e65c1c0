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
#include <pmon/pci.h>
#include <pmon/pmu.h>

#include "platform.h"
#include "resolve.h"
#include "table.h"

#define UNCORE_PEER_MODULE	"intel_uncore"

#define UNCORE_ANY_DEVFN	(-1)

/* Of a PMU. */
#define UNCORE_NAME_SIZE	48

/* More capabilities with registers than such a device has. */
#define UNCORE_TAKEN		16

/* What a table names, what its SNCU has, and those in MSRs. */
#define UNCORE_STOPS		4

/**
 * struct uncore_stop - a register that stops all units of a table
 * @regs: the register
 * @mmio: its mapping, where it is in memory
 * @bytes: its width
 * @run: the bit that lets them count; 0: bit 0 freezes them
 */
struct uncore_stop {
	struct pmon_regs regs;
	void __iomem *mmio;
	u8 bytes;
	u64 run;
};

/* Which driver serves a unit. */
enum uncore_owner {
	UNCORE_NOBODY,
	UNCORE_SELF,
	UNCORE_PEER,
};

/**
 * struct uncore_box - what was made of a good unit
 * @pmu: the PMU that has its box, or NULL
 * @pci: the function whose registers it uses, for a PCI unit
 * @mmio: its mapping, for an MMIO unit
 * @owner: which driver serves it
 * @stack: root bus behind an IIO unit
 * @has_stack: it is known
 */
struct uncore_box {
	struct uncore_pmu *pmu;
	struct pci_dev *pci;
	void __iomem *mmio;
	enum uncore_owner owner;
	struct uncore_root stack;
	bool has_stack;
};

/**
 * struct uncore_table - a discovery table that was read
 * @dev: the device below /sys/class/pmon
 * @node: in the list of tables
 * @domain: what has it
 * @origin: where it was found, for the log
 * @pdev: the PCI device that carries it, NULL if none does
 * @package: processor package
 * @die: one more than the number of the die that has it, 0: the package has
 * @number: which table of the package, from 0
 * @place: where it is in memory
 * @taken: where other registers of @pdev are, if there is one
 * @nr_taken: how many
 * @global: the control of all its units, ...
 * @has_global: ... if there is one that may be accessed
 * @stops: the registers that it stands for
 * @nr_stops: how many
 * @fault: what is wrong with the whole of it
 * @global_fault: why the control of all its units is not accessed
 * @fingerprint: hash of @raw
 * @raw: its records, record 0 first
 * @raw_bytes: size of @raw
 * @units: the units, good and bad
 * @boxes: what was made of each
 * @count: number of units; those behind the table's own were added
 * @placed: of how many it was checked whether they may be where they are
 * @room: how many fit
 * @published: in sysfs
 */
struct uncore_table {
	struct device dev;
	struct list_head node;
	const struct uncore_discovery_domain *domain;
	char origin[16];
	struct pci_dev *pdev;
	int package;
	u16 die;
	unsigned int number;
	struct resource place;
	struct resource taken[UNCORE_TAKEN];
	unsigned int nr_taken;
	struct pmon_global global;
	bool has_global;
	struct uncore_stop stops[UNCORE_STOPS];
	unsigned int nr_stops;
	struct uncore_fault fault;
	struct uncore_fault global_fault;
	u64 fingerprint;
	u64 *raw;
	size_t raw_bytes;
	struct uncore_unit *units;
	struct uncore_box *boxes;
	size_t count;
	size_t placed;
	size_t room;
	bool published;
};

/**
 * struct uncore - the driver
 * @lock: protects @tables and the boxes in them. No CPU hotplug callback
 *	takes it; readers of the tables' files do. Not held while PMUs are
 *	given to perf or taken away.
 * @tables: struct uncore_table
 * @platform: what is known of this CPU model
 * @mode: whether units are served, and if not, why
 * @unfreeze: boxes that are frozen together may be unfrozen
 * @max_units: units of one type that are served in a package
 * @tables_read: how many tables were ever read
 * @unplaced: a device waits for the first CPU of its package
 * @absent: a package with a table has no CPU online
 * @misplaced: units are not used for a reason that may pass
 * @again: a PMU of a name that is needed had yet to leave perf
 */
struct uncore {
	struct mutex lock;	/* see above */
	struct list_head tables;
	const struct uncore_platform *platform;
	enum pmon_mode mode;
	bool unfreeze;
	unsigned int max_units;
	u32 tables_read;
	bool unplaced;
	bool absent;
	bool misplaced;
	bool again;
};

extern struct uncore uncore;

/* params.c */
bool uncore_params_judge(void);

/* tables.c; under uncore.lock, but for uncore_tables_drop() */
int uncore_tables_scan(void);
void uncore_tables_drop(struct list_head *tables);
void uncore_log_summary(void);
void uncore_log_no_table(void);

/* discovery.c */
int uncore_find_tables(void);
void uncore_forget_sources(void);
bool uncore_cpu_may_know(unsigned int cpu);
void uncore_table_free(struct uncore_table *table);

/* package.c */
bool uncore_is_discovery(struct pci_dev *pdev);
int uncore_next_table(struct pci_dev *pdev, int cap);
bool uncore_table_place(struct pci_dev *pdev, int cap, u8 *bar, u32 *offset);
void uncore_note_others(struct uncore_table *table);
bool uncore_other_registers(const struct uncore_table *table,
			    const struct resource *where);
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
int uncore_peer_refuse(void);
void uncore_peer_admit(void);
int uncore_peer_find(void);
bool uncore_peer_counts(const struct uncore_unit *unit);
void uncore_peer_watch(void (*gone)(void));
void uncore_peer_unwatch(void);

/* global.c */
void uncore_global_find(struct uncore_table *table);
void uncore_global_drop(struct uncore_table *table);
int uncore_global_read(const struct uncore_table *table, u64 *value);

/* placement.c */
void uncore_check_placement(struct uncore_table *table, size_t first);
void uncore_check_misplaced(struct uncore_table *table);
struct pci_dev *uncore_unit_function(const struct uncore_unit *unit);
const char *uncore_check_function(const struct uncore_unit *unit);
struct pci_dev *uncore_memory_function(const struct uncore_table *table,
				       const struct uncore_unit *unit);
const char *uncore_check_mmio(const struct uncore_table *table, u64 address,
			      u32 span);

/* boxes.c */
void uncore_boxes_mark(struct uncore_table *table);
void uncore_boxes_add(struct uncore_table *table);
void uncore_boxes_describe(const struct uncore_table *table);
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
