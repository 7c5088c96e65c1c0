/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registers of a CPMU (CXL 4.0, 8.2.7) and its events. Pure: register
 * values in, checked counters and encodings out.
 */
#ifndef PMON_CPMU_H
#define PMON_CPMU_H

#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/types.h>

#include <pmon/box.h>

/* Of the CXL Consortium's DVSECs, and of the events that it defines */
#define CXL_VENDOR		0x1e98

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

/* Filter 0: HDM decoders; filter 1: channel, rank, bank group and bank */
#define CPMU_FILTER_HDM		BIT(0)
#define CPMU_FILTER_CRB		BIT(1)

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
 * struct cpmu_group - an Event Capability register
 * @vid: vendor of the events
 * @gid: event group
 * @mask: events that can be counted, one bit for each id
 * @taken: a fixed-function or free-running counter reports it, so configurable
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
 * @freezable: counters that can be frozen: all but free-running ones
 * @counters: how many Counter Configuration registers it has
 * @group: its Event Capability registers
 * @own: counters with an event of their own
 * @groups: how many of @group
 * @owns: how many of @own
 * @width: of its counters, in bits
 * @filters: CPMU_FILTER_HDM, CPMU_FILTER_CRB
 * @freezes: it can be frozen
 */
struct cpmu_caps {
	u64 any;
	u64 freezable;
	struct cpmu_group group[CPMU_GROUPS_MAX];
	struct cpmu_own own[CPMU_COUNTERS_MAX];
	u8 counters;
	u8 groups;
	u8 owns;
	u8 width;
	u8 filters;
	bool freezes;
};

/* These return why a register cannot be used, or NULL. */
const char *cpmu_parse_cap(u64 cap, struct cpmu_caps *caps);
const char *cpmu_parse_group(unsigned int index, u64 value,
			     struct cpmu_caps *caps);
const char *cpmu_parse_counter(unsigned int index, u64 value,
			       struct cpmu_caps *caps);
const char *cpmu_parse_end(struct cpmu_caps *caps);
const char *cxl_check_entry(const u64 *entries, unsigned int count,
			    unsigned int which, u64 bar);

u64 cpmu_config(u64 held, u64 ctl);

/* How many counters can be used */
static inline unsigned int cpmu_slots(const struct cpmu_caps *caps)
{
	return hweight64(caps->any) + caps->owns;
}

void cpmu_layout(const struct cpmu_caps *caps, struct pmon_counter *counter,
		 struct pmon_layout *layout);

/**
 * struct cpmu_event - an event that the specification defines
 * @name: its file in events/
 * @gid: event group
 * @id: number in the group
 * @lines: each is a line of 64 bytes, and this name shows them as MiB
 * @sum: events of the group, by their bits, of which those that the CPMU has
 *	are added up; @id means nothing then. 0: a single event
 */
struct cpmu_event {
	const char *name;
	u16 gid;
	u8 id;
	bool lines;
	u32 sum;
};

/* Format terms of a CPMU that has all filters. */
#define CPMU_FIELDS	10

/* 121 of the specification, and 5 more names */
#define CPMU_EVENTS_MAX	126

extern const struct cpmu_event cpmu_events[CPMU_EVENTS_MAX];

u64 cpmu_event_of(const struct cpmu_caps *caps, const struct cpmu_event *event);
void cpmu_fields(const struct cpmu_caps *caps,
		 struct pmon_field field[CPMU_FIELDS + 1]);
int cpmu_encode(const struct pmon_layout *layout, const u64 *config,
		struct pmon_encoding *encoding);

/* A function's register locator leads to its CPMUs (CXL 3.1, 8.1.9). */
/* More than the extended configuration space has room for is not read. */
#define CXL_ENTRIES_MAX		64

/* An entry of it: the BAR, what the block is, and its offset in the BAR */
#define CXL_ENTRY_BIR		GENMASK_ULL(2, 0)
#define CXL_ENTRY_BLOCK		GENMASK_ULL(15, 8)
#define CXL_ENTRY_OFFSET	GENMASK_ULL(63, 16)

#define CXL_BLOCK_EMPTY		0
#define CXL_BLOCK_CPMU		4
#define CXL_BLOCK_CHMU		5	/* monitor of hot ranges: no driver */

#endif
