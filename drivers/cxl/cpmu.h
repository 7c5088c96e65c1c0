/* SPDX-License-Identifier: GPL-2.0-only */
/* Define registers and events of a CPMU (CXL 4.0, 8.2.7). No device access. */
#ifndef PMON_CPMU_H
#define PMON_CPMU_H

#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/types.h>

#include <pmon/box.h>
#include <pmon/regs.h>

/* Vendor ID of the CXL Consortium, in DVSECs and in events of CXL */
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
/* Writable only in configurable counters */
#define CPMU_CFG_TERMS		(CPMU_CFG_EDGE | CPMU_CFG_INVERT | \
				 CPMU_CFG_THRESHOLD)
#define CPMU_CFG_EVENTS		GENMASK_ULL(55, 24)
#define CPMU_CFG_GROUP		GENMASK_ULL(63, 59)
/* Value of the writable fields after a reset: a threshold of 1 */
#define CPMU_CFG_RESET		BIT_ULL(16)

/* Bits that read as written while an event counts; others may read as 0. */
#define CPMU_CFG_CHECKED	(CPMU_CFG_ENABLE | CPMU_CFG_EVENTS | \
				 CPMU_CFG_GROUP)

/* An Event Capability register. */
struct cpmu_group {
	u16 vid;		/* vendor ID of the events */
	u16 gid;		/* event group ID */
	u32 mask;		/* supported events, by event ID */
	bool dedicated;		/* configurable counters must not select it */
};

/* A fixed-function or free-running counter, which has one event. */
struct cpmu_dedicated {
	u64 config;		/* event, as the config word of perf */
	u32 terms;		/* read-only CPMU_CFG_TERMS */
	u8 index;		/* counter number */
	u8 kind;		/* enum pmon_counter_kind */
};

struct cpmu_caps {
	u64 configurable;	/* configurable counters, by counter number */
	u64 freezable;		/* all counters except free-running ones */
	struct cpmu_group group[CPMU_GROUPS_MAX];
	struct cpmu_dedicated dedicated[CPMU_COUNTERS_MAX];
	u8 counters;		/* number of Counter Configuration registers */
	u8 groups;		/* entries of @group */
	u8 dedicated_count;	/* entries of @dedicated */
	u8 width;		/* bits of each counter */
	u8 filters;		/* CPMU_FILTER_HDM, CPMU_FILTER_CRB */
	bool can_freeze;	/* the CPMU has a Freeze register */
};

/* A returned text is the reason of a rejection; NULL: not rejected. */
const char *cpmu_parse_cap(u64 cap, struct cpmu_caps *caps);
const char *cpmu_parse_group(unsigned int index, u64 value,
			     struct cpmu_caps *caps);
const char *cpmu_parse_counter(unsigned int index, u64 value,
			       struct cpmu_caps *caps);
const char *cpmu_select_counters(struct cpmu_caps *caps);
unsigned int cxl_count_entries(unsigned int length);
const char *cxl_check_entry(const u64 *entries, unsigned int count,
			    unsigned int which, u64 bar);

u64 cpmu_config(u64 old, u64 ctl);

static inline unsigned int cpmu_count_usable(const struct cpmu_caps *caps)
{
	return hweight64(caps->configurable) + caps->dedicated_count;
}

void cpmu_layout(const struct cpmu_caps *caps, struct pmon_counter *counter,
		 struct pmon_layout *layout);

/* An event of the specification. */
struct cpmu_event {
	const char *name;	/* of the file in events/ */
	u16 gid;		/* event group ID */
	u8 id;			/* event ID; unused if @sum is not 0 */
	bool lines;		/* an event is 64 bytes; perf prints MiB */
	u32 sum;		/* mask of events to add if supported, or 0 */
};

/* Number of format terms of a CPMU with both filters */
#define CPMU_FIELDS	10

/* 121 events of the specification and 7 further names */
#define CPMU_EVENTS_MAX	128

extern const struct cpmu_event cpmu_events[CPMU_EVENTS_MAX];

u64 cpmu_event_of(const struct cpmu_caps *caps, const struct cpmu_event *event);
void cpmu_fields(const struct cpmu_caps *caps,
		 struct pmon_field field[CPMU_FIELDS + 1]);
int cpmu_encode(const struct pmon_layout *layout, const u64 *config,
		struct pmon_encoding *encoding);

struct cxl_regs {
	void __iomem *mmio;		/* CPMU_BYTES */
	const struct cpmu_caps *caps;
	u64 used;			/* counters that this driver wrote */
};

void cxl_regs_init(struct pmon_regs *regs, struct cxl_regs *priv);

/* Register Locator DVSEC (CXL 3.1, 8.1.9) */
#define CXL_ENTRIES_BEGIN	0x0c
#define CXL_ENTRY_BYTES		8
#define CXL_ENTRIES_MAX		64	/* further entries are ignored */

/* Locator entry: number of the BAR, kind of the block, offset in the BAR */
#define CXL_ENTRY_BIR		GENMASK_ULL(2, 0)
#define CXL_ENTRY_BLOCK		GENMASK_ULL(15, 8)
#define CXL_ENTRY_OFFSET	GENMASK_ULL(63, 16)

#define CXL_BLOCK_EMPTY		0
#define CXL_BLOCK_CPMU		4
#define CXL_BLOCK_CHMU		5	/* hotness monitoring unit; not used */

#endif
