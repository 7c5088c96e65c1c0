/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Platform data beside the discovery tables: types, links, ranges of MSRs,
 * addresses of tables. Pure data.
 */
#ifndef PMON_UNCORE_PLATFORM_H
#define PMON_UNCORE_PLATFORM_H

#include <linux/types.h>

#include "unit.h"

struct pmon_type;

/* A row of consecutive free-running counters. */
struct uncore_free_running_group {
	/* event of the first counter; the unit mask grows by one per counter */
	u32 config;
	/* first counter of unit 0: an MSR, or an offset in the unit's space */
	u32 base;
	u16 step;	/* distance from unit to unit */
	u8 stride;	/* distance from counter to counter */
	u8 count;	/* number of counters, 0 ends a table */
};

/* How the driver finds the far end of a unit. */
enum uncore_topology {
	UNCORE_TOPOLOGY_NONE,
	/* link to another package: PCI function of the unit */
	UNCORE_TOPOLOGY_UPI,
	/* stack with a root bus: registers of the package */
	UNCORE_TOPOLOGY_IIO,
	/* same root bus as the IIO unit of that number */
	UNCORE_TOPOLOGY_AS_IIO,
};

/* One unit type of one platform. */
struct uncore_row {
	/* name, format, events and constraints, for the core */
	const struct pmon_type *pmu_type;
	/* name of the type in intel_uncore where different: alias of the PMU */
	const char *intel_name;
	u16 type;	/* box type in the table */
	/* permitted access types, a mask of BIT(enum uncore_access) */
	u8 accesses;
	u8 counters;	/* programmable counters, 0: from the table */
	u8 ctl;	/* offset of the first event control, 0: from the table */
	u8 ctr;	/* offset of the first counter, 0: from the table */
	/* offset of the fixed counter's control, 0: no fixed counter */
	u8 fixed_ctl;
	u8 fixed_ctr;	/* offset of the fixed counter */
	/* offset of the filter register of an MSR unit, 0: none */
	u8 filter;
	u8 width;	/* bits of counters that no table lists, 0: 48 */
	/*
	 * bytes of an event control in memory or in configuration space, 4 or
	 * 8; in memory also the distance between event controls
	 */
	u8 ctl_bytes;
	/*
	 * offset of another control that freezes all units of the table, or 0
	 */
	u16 freeze;
	/*
	 * does the row apply? NULL: to all units that no earlier row applies to
	 */
	bool (*applies)(u8 access, u64 address);
	/* of a row for free-running counters: the counters */
	const struct uncore_free_running_group *groups;
	enum uncore_topology topology;	/* how to find the far end of a unit */
	/* one unit per package, and no number in the name of the PMU */
	bool single;
	/* no box control; each event control has an enable bit */
	bool controls_only;
	/* an event control of PCI units has 8 bytes despite @ctl_bytes */
	bool wide_in_pci;
};

#define UNCORE_LINKS_MAX		4

/* Units of one type, each in a separate PCI function. */
struct uncore_link {
	u16 type;
	u16 device;
	u8 slot;	/* slot of unit 0; other units follow */
	u8 function;
	/* largest number of units, up to UNCORE_LINKS_MAX; 0 ends a table */
	u8 count;
	u16 offset;	/* offset of the box control in configuration space */
};

#define UNCORE_BUS_INDEXES	32

/* The root bus of an IIO unit. */
struct uncore_stack {
	/*
	 * place of the bus, see @index_on_bus; UNCORE_BUS_INDEXES ends a
	 * table
	 */
	u8 bus_index;
	u8 unit;
};

/* Base of the addresses of unlisted units. */
enum uncore_base {
	UNCORE_BASE_ZERO,
	/* MCHBAR of the host bridge, with memory controllers */
	UNCORE_BASE_HOST_BAR,
	UNCORE_BASE_MEM_BAR,	/* MEMn_BAR of function 8086:3251 for unit n */
};

/* Units that no table lists. */
struct uncore_unlisted {
	const struct uncore_row *row; /* type of the units, NULL ends a list */
	enum uncore_base base;
	/*
	 * registers of unit 0 from @base: an MSR, or an address. Free-running
	 * counters in MSRs use the MSR numbers of the groups.
	 */
	u64 offset;
	u32 step;	/* distance from unit to unit */
	u8 first;
	u8 end;	/* number of the last unit plus one */
	/*
	 * a unit exists if one of @listed_per_unit listed units of the row's
	 * type does; 0: always
	 */
	u8 listed_per_unit;
	/*
	 * unless 0: one unit per listed unit of the row's type with a number
	 * below @listed_below
	 */
	u16 listed_below;
	bool first_package;	/* no known units in other packages */
};

/*
 * Tables in memory. The control of all units is in memory, too, even if the
 * table's access field reads otherwise.
 */
struct uncore_memory_tables {
	u32 msr; /* MSR with the physical address of a table, 0: no tables */
	u16 ignored;	/* type of units to ignore, or 0 */
	/*
	 * one table per die, found by the MSR of its CPUs; else one per package
	 */
	bool of_die;
	/*
	 * unknown model: do not read the MSR under a hypervisor, and do not
	 * assume that the control is in memory
	 */
	bool unknown_model;
};

/* Dies of one CPU model that differ, as encoded in CAPID4. */
enum uncore_chop {
	UNCORE_CHOP_ANY,
	UNCORE_CHOP_MCC,
	UNCORE_CHOP_XCC = 3,
	UNCORE_CHOPS
};

/* MSRs that counter boxes of a platform may occupy, both ends included. */
struct uncore_msr_range {
	u32 first;
	u32 last;
};

/* A family of CPU models with the same boxes. */
struct uncore_platform {
	const char *name;	/* short name, as in the log and in sysfs */
	const struct uncore_row *rows; /* unit types with a name of their own */
	/* tables that are not behind a BAR */
	struct uncore_memory_tables memory;
	/* type of units in tables behind a BAR to ignore, or 0 */
	u16 ignored;
	/* MSRs that units may have, ended by an empty entry; NULL: none */
	const struct uncore_msr_range *msr;
	/* MSRs that the global control may have */
	struct uncore_msr_range global;
	/* units whose PCI functions override the table, or NULL */
	const struct uncore_link *links;
	/* root buses of IIO units, for each enum uncore_chop */
	const struct uncore_stack *stacks[UNCORE_CHOPS];
	/* units that no table lists, or NULL */
	const struct uncore_unlisted *unlisted;
	/* MSRs whose bit 29 enables units in MSRs, ended by 0; or NULL */
	const u32 *enables;
	/* rows for types named by the parameter names= */
	const struct uncore_row *named;
	u8 roots; /* root buses with tables per package; 0: unknown */
	u8 nr_rows;
	u8 nr_named;
	/*
	 * a function on each root bus has the bus's place; else one function
	 * lists all
	 */
	bool index_on_bus;
	bool counts_chas;	/* an MSR has the number of CHAs of a package */
	/* unknown model: any Intel function may have a table */
	bool any_function;
	/* tables of a package number their units independently */
	bool repeats_ids;
};

extern const struct uncore_platform uncore_platform_unknown;
extern const struct uncore_platform uncore_platform_plain;

const struct uncore_platform *uncore_platform_find(u8 family, u8 model);
const struct uncore_platform *uncore_platform_fallback(u8 family, u8 model);

const struct uncore_platform *
uncore_platform_narrow(const struct uncore_platform *platform);
const struct uncore_row *
uncore_platform_row(const struct uncore_platform *platform, u16 type, u8 access,
		    u64 address);
const struct uncore_stack *
uncore_platform_stacks(const struct uncore_platform *platform,
		       enum uncore_chop chop);
const struct uncore_stack *
uncore_platform_stack(const struct uncore_stack *stacks, u16 unit);
bool uncore_platform_names(struct uncore_platform *platform, const char *text,
			   struct uncore_row *rows, size_t count);
int uncore_platform_kind(const struct uncore_platform *platform,
			 const char *pmu);

#endif
