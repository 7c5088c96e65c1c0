/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Check what the capabilities of a CPMU say (CXL 4.0, 8.2.7). Pure: register
 * values in, checked counters out; no device is known here.
 */
#ifndef PMON_CXL_CAPS_H
#define PMON_CXL_CAPS_H

#include <linux/types.h>

#include <pmon/box.h>

/* Of the register block */
#define CPMU_BYTES		0xe00
#define CPMU_CAP		0x000
#define CPMU_OVERFLOW		0x010
#define CPMU_FREEZE		0x018
#define CPMU_EVENTS(n)		(0x100 + 8 * (n))
#define CPMU_CFG(n)		(0x200 + 8 * (n))
#define CPMU_FILTER_BYTES	32
#define CPMU_FILTER(n, id)	(0x400 + CPMU_FILTER_BYTES * (n) + 4 * (id))
#define CPMU_DATA(n)		(0xc00 + 8 * (n))

#define CPMU_COUNTERS_MAX	64
#define CPMU_GROUPS_MAX		32

/* Vendor of the events that the specification defines */
#define CPMU_VENDOR_CXL		0x1e98
/* Groups of its events (CXL 3.2, table 13-5) */
#define CPMU_GROUP_CLOCK		0x0000
#define CPMU_GROUP_M2S_REQ		0x0020
#define CPMU_GROUP_S2M_DRS		0x0025
#define CPMU_GROUP_DEVLOAD		0x0030
#define CPMU_GROUP_M2S_RESIDENCY	0x0031
#define CPMU_GROUP_DDR			0x8000
#define CPMU_GROUP_QUEUES		0x8001
#define CPMU_GROUP_MC_RESIDENCY		0x8002
#define CPMU_GROUP_RETRIES		0x8003
#define CPMU_GROUP_THROTTLE		0x8004

/* Filters, as bits of what is supported and as numbers of registers */
#define CPMU_FILTER_HDM		0
#define CPMU_FILTER_CRB		1
#define CPMU_FILTERS		2

/* Counter configuration */
#define CPMU_CFG_ENABLE		BIT_ULL(8)
#define CPMU_CFG_ACTIONS	GENMASK_ULL(10, 9)	/* on overflow: none */
#define CPMU_CFG_EDGE		BIT_ULL(11)
#define CPMU_CFG_INVERT		BIT_ULL(12)
#define CPMU_CFG_THRESHOLD	GENMASK_ULL(23, 16)
/* Read-only but of a configurable counter */
#define CPMU_CFG_TERMS		(CPMU_CFG_EDGE | CPMU_CFG_INVERT | \
				 CPMU_CFG_THRESHOLD)
#define CPMU_CFG_EVENTS		GENMASK_ULL(55, 24)
#define CPMU_CFG_GROUP		GENMASK_ULL(63, 59)
/* What a reset leaves of it */
#define CPMU_CFG_RESET		BIT_ULL(16)

/*
 * What must read as it was written while an event counts. A device need not
 * have the other bits, nor keep them.
 */
#define CPMU_CFG_CHECKED	(CPMU_CFG_ENABLE | CPMU_CFG_EVENTS | \
				 CPMU_CFG_GROUP)

/**
 * struct cpmu_fault - what is wrong with a register
 * @field: its name, or NULL when nothing is wrong
 * @value: what it holds
 * @reason: why it cannot be used
 */
struct cpmu_fault {
	const char *field;
	u64 value;
	const char *reason;
};

/**
 * struct cpmu_group - an Event Capability register
 * @vid: vendor of the events
 * @gid: event group
 * @mask: events that can be counted, one bit for each id
 * @taken: a fixed-function or free-running counter reports it, configurable
 *	ones must not
 */
struct cpmu_group {
	u16 vid;
	u16 gid;
	u32 mask;
	bool taken;
};

/**
 * struct cpmu_own - a counter with an event of its own
 * @config: the event, as perf's config word
 * @terms: what its read-only %CPMU_CFG_TERMS hold
 * @index: which counter
 * @kind: enum pmon_counter_kind
 */
struct cpmu_own {
	u64 config;
	u32 terms;
	u8 index;
	u8 kind;
};

/**
 * struct cpmu_caps - a CPMU
 * @any: its configurable counters, one bit for each
 * @group: its Event Capability registers
 * @own: counters with an event of their own
 * @groups: how many of @group
 * @owns: how many of @own
 * @width: of its counters, in bits
 * @filters: one bit for each that it has
 * @freezes: it can be frozen
 */
struct cpmu_caps {
	u64 any;
	struct cpmu_group group[CPMU_GROUPS_MAX];
	struct cpmu_own own[CPMU_COUNTERS_MAX];
	u8 groups;
	u8 owns;
	u8 width;
	u8 filters;
	bool freezes;
};

bool cpmu_wrong(struct cpmu_fault *fault, const char *field, u64 value,
		const char *reason);

/* How many registers of each kind there are, by the first register. */
unsigned int cpmu_counters(u64 cap);
unsigned int cpmu_groups(u64 cap);

bool cpmu_parse_cap(u64 cap, struct cpmu_caps *caps, struct cpmu_fault *fault);
bool cpmu_parse_group(u64 value, struct cpmu_caps *caps,
		      struct cpmu_fault *fault);
bool cpmu_parse_counter(unsigned int index, u64 value, struct cpmu_caps *caps,
			struct cpmu_fault *fault);
u64 cpmu_config(u64 held, u64 ctl);
u64 cpmu_freezable(const struct cpmu_caps *caps);
bool cpmu_parse_end(struct cpmu_caps *caps, struct cpmu_fault *fault);

unsigned int cpmu_slots(const struct cpmu_caps *caps);
bool cpmu_is_single(u64 config);
bool cpmu_is_fast(u64 config);
bool cpmu_only_free_running(const struct cpmu_caps *caps);
void cpmu_layout(const struct cpmu_caps *caps, struct pmon_counter *counter,
		 struct pmon_layout *layout);

/* Where a function has its CPMUs: its register locator (CXL 3.1, 8.1.9) */
#define CXL_BARS		6
/*
 * More than a function has; the extended configuration space has room for 500.
 */
#define CXL_ENTRIES_MAX		64

/**
 * struct cxl_bar - a BAR
 * @size: 0 when there is none
 * @memory: it is in memory, not an I/O port
 */
struct cxl_bar {
	u64 size;
	bool memory;
};

/**
 * struct cxl_place - what an entry of the locator says
 * @offset: of the block in the BAR
 * @bir: which BAR
 * @block: what the block is
 */
struct cxl_place {
	u64 offset;
	u8 bir;
	u8 block;
};

struct cxl_place cxl_place_of(u64 entry);
bool cxl_is_cpmu(const struct cxl_place *place);
bool cxl_is_chmu(const struct cxl_place *place);
bool cxl_check_place(const u64 *entries, unsigned int count, unsigned int which,
		     const struct cxl_bar bar[CXL_BARS],
		     struct cpmu_fault *fault);

#endif
