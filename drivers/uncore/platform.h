/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the driver knows of each platform beside its discovery tables: types,
 * links, ranges of MSRs, where tables are. Pure data.
 */
#ifndef PMON_UNCORE_PLATFORM_H
#define PMON_UNCORE_PLATFORM_H

#include <linux/types.h>

#include "unit.h"

struct pmon_type;

/**
 * struct uncore_free_running_group - counters that follow each other
 * @config: the event of the first; a unit mask more for each of the others
 * @base: the first counter of unit 0: an MSR, or an offset in the unit's space
 * @step: from unit to unit
 * @stride: from counter to counter
 * @count: how many counters, 0 ends a table
 */
struct uncore_free_running_group {
	u32 config;
	u32 base;
	u16 step;
	u8 stride;
	u8 count;
};

/* What a unit is connected to can be read from its platform. */
enum uncore_topology {
	UNCORE_TOPOLOGY_NONE,
	UNCORE_TOPOLOGY_UPI,	/* a link, to another package's */
	UNCORE_TOPOLOGY_IIO,	/* a stack, with a root bus */
	UNCORE_TOPOLOGY_BESIDE,	/* that of the IIO unit with its number */
};

/**
 * struct uncore_row - one unit type of one platform
 * @pmu_type: name, format, events, constraints: what the engine needs
 * @kernel: the kernel's driver's name of this type, if not @pmu_type's: alias
 * @type: box type in the table
 * @accesses: how such units may be reached, a mask of BIT(enum uncore_access)
 * @counters: programmable counters, 0 if the table decides
 * @ctl: offset of the first event control, 0 if the table decides
 * @ctr: offset of the first counter, 0 if the table decides
 * @ctl_stride: from one event control to the next, 0 if as usual
 * @ctl_bytes: size of an event control, 0 if as usual
 * @pci_ctl_bytes: the same of PCI units, 0 if as @ctl_bytes says
 * @fixed_ctl: offset of the fixed counter's control, 0 if there is none
 * @fixed_ctr: offset of the fixed counter
 * @filter: offset of the filter register of an MSR unit, 0 if there is none
 * @width: of counters that no table has, 0: 48
 * @freeze: offset of another control that freezes all units of the table, 0 if
 *	there is none
 * @applies: whether a unit of this type is meant; NULL: each that no row before
 *	it is for
 * @companion: the free-running counters beside each unit, or NULL
 * @groups: of a row for free-running counters: which there are
 * @topology: what tells where the unit leads to
 * @single: a package has one, whose PMU has no number in its name
 * @controls_only: a unit has no control of its own; each event control has an
 *	enable bit
 * @maybe_wide: nobody has seen that event controls in memory have 64 bits: with
 *	controls=4 they have 32, and no fields above these
 */
struct uncore_row {
	const struct pmon_type *pmu_type;
	const char *kernel;
	u16 type;
	u8 accesses;
	u8 counters;
	u8 ctl;
	u8 ctr;
	u8 ctl_stride;
	u8 ctl_bytes;
	u8 pci_ctl_bytes;
	u8 fixed_ctl;
	u8 fixed_ctr;
	u8 filter;
	u8 width;
	u16 freeze;
	bool (*applies)(u8 access, u64 address);
	const struct uncore_row *companion;
	const struct uncore_free_running_group *groups;
	enum uncore_topology topology;
	bool single;
	bool controls_only;
	bool maybe_wide;
};

#define UNCORE_LINKS_MAX		4

/**
 * struct uncore_link - units of a type, each in a PCI function of its own
 * @type: box type
 * @device: PCI device id of the functions
 * @slot: of unit 0; the others follow
 * @function: in each slot
 * @count: how many there can be, at most UNCORE_LINKS_MAX; 0 ends a table
 * @offset: of the box control in configuration space
 */
struct uncore_link {
	u16 type;
	u16 device;
	u8 slot;
	u8 function;
	u8 count;
	u16 offset;
};

#define UNCORE_STACK_PLACES	32

/**
 * struct uncore_stack - an IIO unit and its bus
 * @place: of the bus number among those of the package, or what the bus itself
 *	says (@buses_tell); UNCORE_STACK_PLACES ends a table
 * @unit: number of the IIO unit
 */
struct uncore_stack {
	u8 place;
	u8 unit;
};

/**
 * struct uncore_spaces - free-running counters at fixed places in memory
 * @row: what they are
 * @beside: type of the units in whose spaces they are
 * @ids: only of units whose number is below this
 * @package: in this package
 * @base: physical address
 * @offset: from there to the space of the first, second... of these units, in
 *	the order of their numbers
 * @count: of @offset
 */
struct uncore_spaces {
	const struct uncore_row *row;
	u16 beside;
	u16 ids;
	u16 package;
	u64 base;
	const u32 *offset;
	u8 count;
};

/**
 * struct uncore_host_spaces - spaces of memory controllers behind a host bridge
 * @bar: register of 00:00.0 with the physical address of all its spaces; bit 0:
 *	it is decoded
 * @first: from there to the first
 * @step: from one to the next
 * @count: how many
 */
struct uncore_host_spaces {
	u16 bar;
	u32 first;
	u32 step;
	u8 count;
};

/**
 * struct uncore_fixed - units in MSRs that no table lists
 * @row: what they are
 * @base: MSR before the registers of the first
 * @step: from one to the next
 * @count: how many, 0 ends a list
 */
struct uncore_fixed {
	const struct uncore_row *row;
	u32 base;
	u16 step;
	u8 count;
};

/* Where tables are. The driver has a function for each. */
enum uncore_source {
	UNCORE_SOURCE_NONE,
	UNCORE_SOURCE_PCI, /* behind a BAR of PCI functions */
	UNCORE_SOURCE_MSR, /* in memory, where an MSR of a die's CPUs says */
	UNCORE_SOURCES
};

/**
 * struct uncore_discovery_domain - part of a package with a table of its own
 * @source: where it is; UNCORE_SOURCE_NONE ends a list
 * @ignored: a type of units that is left alone, 0: none is
 * @msr: of UNCORE_SOURCE_MSR: has its physical address
 * @global_in_memory: whatever the table says, the control of all its units is
 *	in memory
 * @of_package: the whole package has one, whichever of its CPUs says where
 * @guess: the model is not known to have one: no hypervisor is asked for it
 */
struct uncore_discovery_domain {
	enum uncore_source source;
	u16 ignored;
	u32 msr;
	bool global_in_memory;
	bool of_package;
	bool guess;
};

/* Dies of one CPU model that differ, as a capability register says. */
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

/**
 * struct uncore_platform - a family of CPU models with the same boxes
 * @name: short name, as in the log and in sysfs
 * @rows: unit types with a name of their own
 * @generic: what to make of any other type, by access
 * @domains: where its tables are
 * @msr: where MSR units may be, ended by an empty entry
 * @global: where an MSR that controls all units may be
 * @links: units that are where these say, whatever a table says; or NULL
 * @stacks: root buses of IIO units, for each enum uncore_chop
 * @controllers: free-running counters in the space of each memory controller,
 *	or NULL
 * @host: where these spaces are, NULL: 8086:3251 has their addresses
 * @spaces: free-running counters at fixed places, or NULL
 * @fixed: units that no table lists, or NULL
 * @enables: MSRs whose bit 29 lets units in MSRs count, ended by 0; or NULL
 * @unplaced: a row whose type number no public source has, or NULL
 * @named: rows for types that a person gave a name
 * @roots: root buses with tables that a package has; 0: not known
 * @nr_rows: number of @rows
 * @nr_named: number of @named
 * @buses_tell: a function on each root bus says its place; otherwise one of the
 *	package has the bus number at each place
 * @counts_chas: an MSR says how many CHAs a package has
 * @repeats_ids: tables of a package number their units independently
 */
struct uncore_platform {
	const char *name;
	const struct uncore_row *rows;
	const struct uncore_row *generic;
	const struct uncore_discovery_domain *domains;
	const struct uncore_msr_range *msr;
	struct uncore_msr_range global;
	const struct uncore_link *links;
	const struct uncore_stack *stacks[UNCORE_CHOPS];
	const struct uncore_row *controllers;
	const struct uncore_host_spaces *host;
	const struct uncore_spaces *spaces;
	const struct uncore_fixed *fixed;
	const u32 *enables;
	const struct uncore_row *unplaced;
	const struct uncore_row *named;
	u8 roots;
	u8 nr_rows;
	u8 nr_named;
	bool buses_tell;
	bool counts_chas;
	bool repeats_ids;
};

extern const struct uncore_platform uncore_platform_unknown;
extern const struct uncore_platform uncore_platform_plain;
extern const struct uncore_platform uncore_platform_spr;
extern const struct uncore_platform uncore_platform_emr;
extern const struct uncore_platform uncore_platform_gnr;
extern const struct uncore_platform uncore_platform_gnr_d;
extern const struct uncore_platform uncore_platform_srf;
extern const struct uncore_platform uncore_platform_grr;
extern const struct uncore_platform uncore_platform_cwf;
extern const struct uncore_platform uncore_platform_dmr;
extern const struct uncore_platform uncore_platform_ptl;
extern const struct uncore_platform uncore_platform_nvl;

/* What to make of a type that a platform has no row for, by access. */
extern const struct uncore_row uncore_rows_generic[];

const struct uncore_platform *uncore_platform_find(u8 family, u8 model);
const struct uncore_platform *uncore_platform_guess(u8 family, u8 model);

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
