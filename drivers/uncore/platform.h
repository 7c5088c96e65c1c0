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

/* Counters that follow each other. */
struct uncore_free_running_group {
	/* the event of the first; a unit mask more for each of the others */
	u32 config;
	u32 base;	/* of unit 0: an MSR, or an offset in its space */
	u16 step;	/* from unit to unit */
	u8 stride;	/* from counter to counter */
	u8 count;	/* how many counters, 0 ends a table */
};

/* What a unit is connected to can be read from its platform. */
enum uncore_topology {
	UNCORE_TOPOLOGY_NONE,
	UNCORE_TOPOLOGY_UPI,	/* a link, to another package's */
	UNCORE_TOPOLOGY_IIO,	/* a stack, with a root bus */
	UNCORE_TOPOLOGY_BESIDE,	/* that of the IIO unit with its number */
};

/* One unit type of one platform. */
struct uncore_row {
	/* name, format, events, constraints: what the engine needs */
	const struct pmon_type *pmu_type;
	/* the kernel's driver's name of this type, if not @pmu_type's: alias */
	const char *kernel;
	u16 type;	/* box type in the table */
	/* how such units may be reached, a mask of BIT(enum uncore_access) */
	u8 accesses;
	u8 counters;	/* programmable counters, 0 if the table decides */
	u8 ctl;	/* offset of the first event control, 0 if the table decides */
	u8 ctr;	/* offset of the first counter, 0 if the table decides */
	/* offset of the fixed counter's control, 0 if there is none */
	u8 fixed_ctl;
	u8 fixed_ctr;	/* offset of the fixed counter */
	/* offset of the filter register of an MSR unit, 0 if there is none */
	u8 filter;
	u8 width;	/* of counters that no table has, 0: 48 */
	/*
	 * bytes of an event control in memory or in configuration space, 4 or
	 * 8; in memory also from one to the next
	 */
	u8 ctl_bytes;
	/* of another control that freezes all units of the table, or 0 */
	u16 freeze;
	/* is it such a unit? NULL: each that no row before it is for */
	bool (*applies)(u8 access, u64 address);
	/* of a row for free-running counters: which there are */
	const struct uncore_free_running_group *groups;
	enum uncore_topology topology;	/* which registers say where it leads */
	/* a package has one, whose PMU has no number in its name */
	bool single;
	/* no box control; each event control has an enable bit */
	bool controls_only;
	/* an event control of PCI units has 8 bytes, whatever @ctl_bytes */
	bool wide_in_pci;
};

#define UNCORE_LINKS_MAX		4

/* Units of a type, each in a PCI function of its own. */
struct uncore_link {
	u16 type;	/* box type */
	u16 device;	/* PCI device id of the functions */
	u8 slot;	/* of unit 0; the others follow */
	u8 function;	/* in each slot */
	/* how many there can be, at most UNCORE_LINKS_MAX; 0 ends a table */
	u8 count;
	u16 offset;	/* of the box control in configuration space */
};

#define UNCORE_STACK_PLACES	32

/* An IIO unit and its bus. */
struct uncore_stack {
	/* of its bus, see @places_by_bus; UNCORE_STACK_PLACES ends a table */
	u8 place;
	u8 unit;	/* number of the IIO unit */
};

/* What the addresses of units are counted from. */
enum uncore_from {
	UNCORE_FROM_ZERO,
	UNCORE_FROM_HOST_BAR,	/* the host bridge's, of memory controllers */
	UNCORE_FROM_MEM_BAR,	/* one of 8086:3251 for each unit */
};

/* Units that no table lists. */
struct uncore_unlisted {
	const struct uncore_row *row;	/* what they are, NULL ends a list */
	enum uncore_from from;
	/*
	 * before the registers of number 0: an MSR, or an address; those of
	 * free-running counters in MSRs are where their groups say
	 */
	u64 base;
	u32 step;	/* from one to the next */
	u8 first;	/* number of the first */
	u8 end;	/* number behind that of the last */
	/* listed units of the row's type beside each, by number; 0: any */
	u8 each;
	/*
	 * unless 0: as many as there are listed units of the row's type with
	 * numbers below this
	 */
	u16 below;
	bool first_package;	/* other packages have none that are known */
};

/*
 * Tables in memory. Whatever they say, the control of all their units is in
 * memory, too.
 */
struct uncore_memory_tables {
	u32 msr;	/* has the physical address of one, 0: there are none */
	u16 ignored;	/* a type of units that is left alone, 0: none is */
	/* each die has one, whose CPUs say where; else the package has */
	bool of_die;
	/*
	 * the model is not known to have one: under a hypervisor the MSR is
	 * not read, and nothing is certain about the control
	 */
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

/* A family of CPU models with the same boxes. */
struct uncore_platform {
	const char *name;	/* short name, as in the log and in sysfs */
	const struct uncore_row *rows; /* unit types with a name of their own */
	/* its tables, but for those behind a BAR of PCI functions */
	struct uncore_memory_tables memory;
	/* a type of units in these PCI functions that is left alone, or 0 */
	u16 ignored;
	/* where MSR units may be, ended by an empty entry; NULL: nowhere */
	const struct uncore_msr_range *msr;
	/* where an MSR that controls all units may be */
	struct uncore_msr_range global;
	/* units that are where these say, whatever a table says; or NULL */
	const struct uncore_link *links;
	/* root buses of IIO units, for each enum uncore_chop */
	const struct uncore_stack *stacks[UNCORE_CHOPS];
	/* units that no table lists, or NULL */
	const struct uncore_unlisted *unlisted;
	/* MSRs whose bit 29 lets units in MSRs count, ended by 0; or NULL */
	const u32 *enables;
	/* rows for types that a person gave a name */
	const struct uncore_row *named;
	u8 roots; /* root buses with tables that a package has; 0: not known */
	u8 nr_rows;	/* number of @rows */
	u8 nr_named;	/* number of @named */
	/* places: a function on each bus says its own; else one lists all */
	bool places_by_bus;
	bool counts_chas;	/* an MSR says how many CHAs a package has */
	/* a model that is not known: any Intel function may have a table */
	bool any_function;
	/* tables of a package number their units independently */
	bool repeats_ids;
};

extern const struct uncore_platform uncore_platform_unknown;
extern const struct uncore_platform uncore_platform_plain;

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
