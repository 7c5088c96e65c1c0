/* SPDX-License-Identifier: GPL-2.0-only */
/* Define the platform data that discovery tables do not have. Pure data. */
#ifndef PMON_UNCORE_PLATFORM_H
#define PMON_UNCORE_PLATFORM_H

#include <linux/types.h>

#include "unit.h"

struct pmon_type;

/* A group of free-running counters at equal distances. */
struct uncore_free_running_group {
	u32 config;	/* event of counter 0; unit mask + n for counter n */
	u32 base;	/* first counter of unit 0: MSR, or offset in memory */
	u16 step;	/* distance from unit to unit */
	u8 stride;	/* distance from counter to counter */
	u8 count;	/* number of counters, 0 ends a table */
};

/* How to find the far end of a unit: its root bus, or the other UPI port. */
enum uncore_topology {
	UNCORE_TOPOLOGY_NONE,
	UNCORE_TOPOLOGY_UPI,	/* from registers of the unit's function */
	UNCORE_TOPOLOGY_IIO,	/* from registers of the package */
	UNCORE_TOPOLOGY_AS_IIO,	/* as for the IIO unit with the same id */
};

/* One unit type of one platform. */
struct uncore_row {
	const struct pmon_type *pmu_type;	/* events and terms */
	/* name in intel_uncore, if different; the PMU gets it as an alias */
	const char *intel_name;
	u16 type;	/* number of the type in tables */
	u8 accesses;	/* permitted: mask of BIT(enum uncore_access) */
	u8 counters;	/* programmable counters, 0: from the table */
	u8 ctl;	/* offset of the first event control, 0: from the table */
	u8 ctr;	/* offset of the first counter, 0: from the table */
	u8 fixed_ctl;	/* offset of the fixed counter's control, 0: none */
	u8 fixed_ctr;	/* offset of the fixed counter */
	u8 filter;	/* offset of an MSR unit's filter register, 0: none */
	u8 width;	/* bits of counters that no table lists, 0: 48 */
	/* bytes of an event control, 4 or 8; in memory also their stride */
	u8 ctl_bytes;
	u16 freeze;	/* offset of a register that freezes all units, or 0 */
	/* NULL: the row fits all units of @type that no earlier row fits */
	bool (*applies)(u8 access, u64 address);
	/* free-running counters; NULL: programmable ones */
	const struct uncore_free_running_group *groups;
	enum uncore_topology topology;	/* how to find the far end of a unit */
	bool single;	/* one unit per package: no number in the PMU's name */
	bool controls_only;	/* no box control; an enable bit per event */
	bool wide_in_pci;	/* event controls in PCI have 8 bytes */
};

#define UNCORE_LINKS_MAX		4

/* Units of one type, each in a separate PCI function. */
struct uncore_link {
	u16 type;
	u16 device;
	u8 slot;	/* slot of unit 0; unit n has slot + n */
	u8 function;
	u8 count;	/* up to UNCORE_LINKS_MAX; 0 ends a table */
	u16 offset;	/* offset of the box control in configuration space */
};

#define UNCORE_BUS_INDEXES	32

/* The root bus of an IIO unit. */
struct uncore_stack {
	u8 bus_index;	/* UNCORE_BUS_INDEXES ends a table */
	u8 unit;
};

/* Base of the addresses of unlisted units. */
enum uncore_base {
	UNCORE_BASE_ZERO,
	UNCORE_BASE_HOST_BAR,	/* MCHBAR of the host bridge */
	UNCORE_BASE_MEM_BAR,	/* MEMn_BAR of function 8086:3251 for unit n */
};

/* Units that no table lists. */
struct uncore_unlisted {
	const struct uncore_row *row; /* type of the units, NULL ends a list */
	enum uncore_base base;
	u64 offset;	/* of unit 0 from @base; 0 if @row->groups has MSRs */
	u32 step;	/* distance from unit to unit */
	u8 first;
	u8 end;	/* number of the last unit plus one */
	/* unless 0: unit n exists if a good listed id divided by this is n */
	u8 listed_per_unit;
	/* unless 0: unit n exists if more than n listed ids are below this */
	u16 listed_below;
	bool first_package;	/* only units of package 0 are known */
};

/*
 * Tables in memory. Unless @unknown_model is set, their global control is in
 * memory, too, and the access field of record 0 is ignored.
 */
struct uncore_memory_tables {
	u32 msr; /* MSR with the physical address of a table, 0: no tables */
	u16 ignored;	/* type of units to ignore, or 0 */
	bool of_die;	/* each die has a table, located by @msr of its CPUs */
	/* @msr may have another purpose; the access field is not ignored */
	bool unknown_model;
};

/* Kinds of dies of a CPU model, numbered as in CAPID4 */
enum uncore_chop {
	UNCORE_CHOP_ANY,
	UNCORE_CHOP_MCC,
	UNCORE_CHOP_XCC = 3,
	UNCORE_CHOPS
};

struct uncore_msr_range {
	u32 first;
	u32 last;	/* included */
};

/* CPU models with the same boxes. */
struct uncore_platform {
	const char *name;	/* short name, as in the log and in sysfs */
	const struct uncore_row *rows; /* unit types that have a name */
	struct uncore_memory_tables memory;	/* tables not behind a BAR */
	u16 ignored;	/* type to ignore in tables behind a BAR, or 0 */
	/* MSRs of units, ended by an empty range; NULL: none */
	const struct uncore_msr_range *msr;
	struct uncore_msr_range global;	/* MSRs that may be global controls */
	const struct uncore_link *links; /* override the table; NULL: none */
	const struct uncore_stack *stacks[UNCORE_CHOPS]; /* of IIO units */
	const struct uncore_unlisted *unlisted; /* NULL: none */
	/* MSRs whose bit 29 enables units in MSRs, ended by 0; or NULL */
	const u32 *enables;
	const struct uncore_row *named;	/* rows of the names= parameter */
	u8 roots; /* root buses per package that have a table; 0: unknown */
	u8 nr_rows;
	u8 nr_named;
	/* each bus has a function with its index; else one lists all buses */
	bool index_on_bus;
	bool counts_chas;	/* an MSR has the number of CHAs of a package */
	bool any_function;	/* any Intel function may have a table */
	bool repeats_ids;	/* tables of a package use the same ids */
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
