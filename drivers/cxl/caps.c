// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks the capability registers of a CPMU, and the entry of the register
 * locator that leads to it. What cannot be, or contradicts itself, is left out
 * with a reason; the rest is used.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "caps.h"

/* Capability */
#define CAP_COUNTERS		GENMASK_ULL(5, 0)
#define CAP_WIDTH		GENMASK_ULL(15, 8)
#define CAP_GROUPS		GENMASK_ULL(24, 20)
#define CAP_FILTERS		GENMASK_ULL(39, 32)
#define CAP_FREEZE		BIT_ULL(49)

#define FILTERS_KNOWN		(BIT(CPMU_FILTER_HDM) | BIT(CPMU_FILTER_CRB))

/* Event Capability */
#define GROUP_VENDOR		GENMASK_ULL(63, 48)
#define GROUP_ID		GENMASK_ULL(47, 32)
#define GROUP_EVENTS		GENMASK_ULL(31, 0)

/* Counter configuration */
#define CFG_TYPE		GENMASK_ULL(1, 0)
#define TYPE_FREE_RUNNING	0
#define TYPE_FIXED		1
#define TYPE_CONFIGURABLE	2

/*
 * Four increments in each clock of 1 GHz are taken for the most there is, but
 * of what may be more than one in a clock (cpmu_is_fast()); then these are the
 * narrowest counters that can be read before they wrap twice. Those of
 * WIDTH_SLOW and more are read in time for such, too: that is each second, and
 * from 45 bits on each minute, as all counters are anyway.
 */
#define RATE_LOG2		32
#define WIDTH_MIN		26
#define WIDTH_SLOW		39

/**
 * cpmu_wrong() - say what is wrong
 * @fault: gets it
 * @field: the field
 * @value: what it holds
 * @reason: why it cannot be used
 *
 * Return: false.
 */
bool cpmu_wrong(struct cpmu_fault *fault, const char *field, u64 value,
		const char *reason)
{
	*fault = (struct cpmu_fault){ field, value, reason };
	return false;
}

unsigned int cpmu_counters(u64 cap)
{
	return FIELD_GET(CAP_COUNTERS, cap) + 1;
}

unsigned int cpmu_groups(u64 cap)
{
	return FIELD_GET(CAP_GROUPS, cap) + 1;
}

/**
 * cpmu_parse_cap() - the first register
 * @cap: the CPMU Capability register
 * @caps: gets what it says
 * @fault: gets what is wrong, if anything is
 *
 * The version, bits 63:60, is not looked at: a later one of a CXL capability
 * has fields more, where this one has reserved bits. Nor is bit 48, which says
 * that Counter Data may be written while frozen: it is never written.
 *
 * Return: whether the CPMU can be used, as far as this register says.
 */
bool cpmu_parse_cap(u64 cap, struct cpmu_caps *caps, struct cpmu_fault *fault)
{
	u64 width = FIELD_GET(CAP_WIDTH, cap);

	memset(caps, 0, sizeof(*caps));
	if (cap == ~0ULL)
		return cpmu_wrong(fault, "capability", cap, "does not answer");
	if (width > PMON_WIDTH_MAX)
		return cpmu_wrong(fault, "width", width,
				  "is more than a register holds");
	if (width < WIDTH_MIN)
		return cpmu_wrong(fault, "width", width,
				  "wraps before it can be read");
	caps->width = width;
	caps->filters = FIELD_GET(CAP_FILTERS, cap) & FILTERS_KNOWN;
	caps->freezes = cap & CAP_FREEZE;
	return true;
}

/**
 * cpmu_parse_group() - the next Event Capability register
 * @value: what it holds
 * @caps: of cpmu_parse_cap()
 * @fault: gets what is wrong, if anything is
 *
 * One with a fault keeps its number, and has no events.
 *
 * Return: whether nothing is wrong.
 */
bool cpmu_parse_group(u64 value, struct cpmu_caps *caps,
		      struct cpmu_fault *fault)
{
	struct cpmu_group *group = &caps->group[caps->groups++];

	memset(group, 0, sizeof(*group));
	if (value == ~0ULL)
		return cpmu_wrong(fault, "event capability", value,
				  "does not answer");
	group->vid = FIELD_GET(GROUP_VENDOR, value);
	group->gid = FIELD_GET(GROUP_ID, value);
	group->mask = FIELD_GET(GROUP_EVENTS, value);
	return true;
}

static bool cpmu_parse_own(unsigned int index, u64 value, u8 kind,
			   struct cpmu_caps *caps, struct cpmu_fault *fault)
{
	unsigned int number = FIELD_GET(CPMU_CFG_GROUP, value);
	u32 events = FIELD_GET(CPMU_CFG_EVENTS, value);
	struct cpmu_group *group = &caps->group[number];
	struct cpmu_own *own;

	if (number >= caps->groups)
		return cpmu_wrong(fault, "counter", value,
				  "names an event capability that is not there");
	if (!events || events & ~group->mask)
		return cpmu_wrong(fault, "counter", value,
				  "counts events that its group does not have");
	group->taken = true;
	own = &caps->own[caps->owns++];
	own->config = FIELD_PREP(GROUP_VENDOR, group->vid) |
		      FIELD_PREP(GROUP_ID, group->gid) | events;
	own->terms = value & CPMU_CFG_TERMS;
	own->index = index;
	own->kind = kind;
	return true;
}

/**
 * cpmu_parse_counter() - a Counter Configuration register
 * @index: of which counter
 * @value: what it holds
 * @caps: with all its groups
 * @fault: gets what is wrong, if anything is
 *
 * Return: whether the counter can be used.
 */
bool cpmu_parse_counter(unsigned int index, u64 value, struct cpmu_caps *caps,
			struct cpmu_fault *fault)
{
	if (value == ~0ULL)
		return cpmu_wrong(fault, "counter", value, "does not answer");

	switch (FIELD_GET(CFG_TYPE, value)) {
	case TYPE_CONFIGURABLE:
		caps->any |= BIT_ULL(index);
		return true;
	case TYPE_FIXED:
		return cpmu_parse_own(index, value, PMON_COUNTER_FIXED, caps,
				      fault);
	case TYPE_FREE_RUNNING:
		return cpmu_parse_own(index, value, PMON_COUNTER_FREE_RUNNING,
				      caps, fault);
	default:
		return cpmu_wrong(fault, "counter", value,
				  "is of a kind that is not known");
	}
}

/**
 * cpmu_config() - what is written to a Counter Configuration register
 * @held: what it holds
 * @ctl: what it shall hold of the fields that may be written
 *
 * Return: @ctl, with what is read-only or to be preserved as it is.
 */
u64 cpmu_config(u64 held, u64 ctl)
{
	u64 fields = CPMU_CFG_ENABLE | CPMU_CFG_ACTIONS;

	if (FIELD_GET(CFG_TYPE, held) != TYPE_FIXED)
		fields |= CPMU_CFG_TERMS | CPMU_CFG_EVENTS | CPMU_CFG_GROUP;
	return (held & ~fields) | (ctl & fields);
}

/**
 * cpmu_freezable() - the bits of the Freeze register that may be set
 * @caps: a CPMU
 */
u64 cpmu_freezable(const struct cpmu_caps *caps)
{
	u64 counters = caps->any;
	unsigned int i;

	for (i = 0; i < caps->owns; i++)
		if (caps->own[i].kind == PMON_COUNTER_FIXED)
			counters |= BIT_ULL(caps->own[i].index);
	return counters;
}

/**
 * cpmu_parse_end() - all registers were seen
 * @caps: made of them
 * @fault: gets what is wrong, if anything is
 *
 * Return: whether there is something to count with.
 */
bool cpmu_parse_end(struct cpmu_caps *caps, struct cpmu_fault *fault)
{
	unsigned int i;
	u32 events = 0;

	for (i = 0; i < caps->groups; i++)
		if (!caps->group[i].taken)
			events |= caps->group[i].mask;
	if (!events)
		caps->any = 0;
	if (!caps->any && !caps->owns)
		return cpmu_wrong(fault, "counters", 0,
				  "of which none can be used");
	return true;
}

/**
 * cpmu_slots() - how many counters can be used
 * @caps: a CPMU
 */
unsigned int cpmu_slots(const struct cpmu_caps *caps)
{
	return hweight64(caps->any) + caps->owns;
}

static const struct pmon_protocol cpmu_frozen = {
	.freeze = ~0ULL, .reset = ~0ULL, .run = 0, .bytes = 8, .keeps = true,
	.may_reset = true, .rate_log2 = RATE_LOG2,
};

/*
 * The protocol of a CPMU that cannot be frozen: its counters are stopped one by
 * one.
 */
static const struct pmon_protocol cpmu_running = {
	.keeps = true, .may_reset = true, .rate_log2 = RATE_LOG2,
};

/*
 * The protocol of a CPMU whose counters are all free-running: nothing is
 * written.
 */
static const struct pmon_protocol cpmu_free = {
	.may_reset = true, .rate_log2 = RATE_LOG2,
};

/* One event, and not several that are added up? */
bool cpmu_is_single(u64 config)
{
	return hweight32(FIELD_GET(GROUP_EVENTS, config)) == 1;
}

/* Entries of the three queues; what else is in their group are clocks. */
#define QUEUE_ENTRIES		GENMASK_ULL(2, 0)

/**
 * cpmu_is_fast() - may an event be more than one in a clock?
 * @config: the event, as perf's config word
 *
 * Residencies may add up the requests that wait, queues their entries, and
 * several events at once are added up. Of vendors' events nothing is known. All
 * others happen once in a clock at most (CXL 3.2, 13.2).
 */
bool cpmu_is_fast(u64 config)
{
	if (FIELD_GET(GROUP_VENDOR, config) != CPMU_VENDOR_CXL ||
	    !cpmu_is_single(config))
		return true;
	switch (FIELD_GET(GROUP_ID, config)) {
	case CPMU_GROUP_M2S_RESIDENCY:
	case CPMU_GROUP_MC_RESIDENCY:
		return true;
	case CPMU_GROUP_QUEUES:
		return config & QUEUE_ENTRIES;
	default:
		return false;
	}
}

static u8 cpmu_rate_log2(const struct cpmu_caps *caps, bool fast)
{
	return fast && caps->width >= WIDTH_SLOW ? PMON_RATE_LOG2 : RATE_LOG2;
}

static struct pmon_counter cpmu_counter(const struct cpmu_caps *caps,
					unsigned int i)
{
	unsigned int filter = caps->filters & BIT(CPMU_FILTER_HDM) ?
		CPMU_FILTER_HDM : CPMU_FILTER_CRB;

	return (struct pmon_counter){
		.ctr = CPMU_DATA(i),
		.ctl = CPMU_CFG(i),
		.filter = CPMU_FILTER(i, filter),
		.width = caps->width,
		.bit = i,
		.rate_log2 = cpmu_rate_log2(caps, true),
	};
}

/**
 * cpmu_only_free_running() - do all its counters run by themselves?
 * @caps: a CPMU that can be used
 */
bool cpmu_only_free_running(const struct cpmu_caps *caps)
{
	unsigned int i;

	for (i = 0; i < caps->owns; i++)
		if (caps->own[i].kind != PMON_COUNTER_FREE_RUNNING)
			return false;
	return !caps->any;
}

static const struct pmon_protocol *cpmu_protocol(const struct cpmu_caps *caps)
{
	if (cpmu_only_free_running(caps))
		return &cpmu_free;
	return caps->freezes ? &cpmu_frozen : &cpmu_running;
}

/* All-ones, in each filter register that there is: everything passes. */
static u64 cpmu_filter_off(const struct cpmu_caps *caps)
{
	return caps->filters == FILTERS_KNOWN ? U64_MAX :
	       caps->filters ? U32_MAX : 0;
}

/**
 * cpmu_layout() - where its counters are, for the engine
 * @caps: a CPMU that can be used
 * @counter: gets its counters, as many as cpmu_slots() says
 * @layout: gets the rest; points to @counter
 *
 * With both filters a register of eight bytes stands for the two of four.
 */
void cpmu_layout(const struct cpmu_caps *caps, struct pmon_counter *counter,
		 struct pmon_layout *layout)
{
	unsigned int i, n = 0;
	u64 any;

	for (any = caps->any; any; any &= any - 1)
		counter[n++] = cpmu_counter(caps, __ffs64(any));
	for (i = 0; i < caps->owns; i++) {
		counter[n] = cpmu_counter(caps, caps->own[i].index);
		counter[n].kind = caps->own[i].kind;
		counter[n].config = caps->own[i].config;
		counter[n].rate_log2 =
			cpmu_rate_log2(caps, cpmu_is_fast(counter[n].config));
		counter[n++].enable = CPMU_CFG_ENABLE;
	}
	*layout = (struct pmon_layout){
		.protocol = cpmu_protocol(caps),
		.counter = counter,
		.counters = n,
		.ctl_bytes = 8,
		.filter_bytes = 4 * hweight8(caps->filters),
		.filter_off = cpmu_filter_off(caps),
		.box_ctl = CPMU_FREEZE,
		.overflow_reg = CPMU_OVERFLOW,
		.data = caps,
		.data_bytes = sizeof(*caps),
	};
}

/* The register locator */
#define ENTRY_BIR		GENMASK_ULL(2, 0)
#define ENTRY_BLOCK		GENMASK_ULL(15, 8)
#define ENTRY_OFFSET		GENMASK_ULL(63, 16)

#define BLOCK_EMPTY		0
#define BLOCK_CPMU		4
#define BLOCK_CHMU		5

/**
 * cxl_place_of() - the fields of an entry
 * @entry: its 64 bits
 */
struct cxl_place cxl_place_of(u64 entry)
{
	return (struct cxl_place){
		.offset = entry & ENTRY_OFFSET,
		.bir = FIELD_GET(ENTRY_BIR, entry),
		.block = FIELD_GET(ENTRY_BLOCK, entry),
	};
}

bool cxl_is_cpmu(const struct cxl_place *place)
{
	return place->block == BLOCK_CPMU;
}

/* Is it a monitor of hot ranges, which has no driver? */
bool cxl_is_chmu(const struct cxl_place *place)
{
	return place->block == BLOCK_CHMU;
}

/*
 * Does another block lie in the same 64 KiB? Blocks begin at multiples of that,
 * and none of these is larger.
 */
static bool cxl_is_shared(const u64 *entries, unsigned int count,
			  unsigned int which)
{
	struct cxl_place mine = cxl_place_of(entries[which]);
	unsigned int i;

	for (i = 0; i < count; i++) {
		struct cxl_place other = cxl_place_of(entries[i]);

		if (i != which && other.block != BLOCK_EMPTY &&
		    other.bir == mine.bir && other.offset == mine.offset)
			return true;
	}
	return false;
}

/**
 * cxl_check_place() - can a CPMU be where its entry says?
 * @entries: the entries of the locator
 * @count: how many
 * @which: that of the CPMU
 * @bar: the BARs of the function
 * @fault: gets what is wrong, if anything is
 */
bool cxl_check_place(const u64 *entries, unsigned int count, unsigned int which,
		     const struct cxl_bar bar[CXL_BARS],
		     struct cpmu_fault *fault)
{
	struct cxl_place place = cxl_place_of(entries[which]);

	if (place.bir >= CXL_BARS)
		return cpmu_wrong(fault, "BIR", place.bir, "is no BAR");
	if (!bar[place.bir].size)
		return cpmu_wrong(fault, "BIR", place.bir,
				  "is a BAR that is not there");
	if (!bar[place.bir].memory)
		return cpmu_wrong(fault, "BIR", place.bir, "is not memory");
	if (place.offset > bar[place.bir].size ||
	    bar[place.bir].size - place.offset < CPMU_BYTES)
		return cpmu_wrong(fault, "offset", place.offset,
				  "is outside the BAR");
	if (cxl_is_shared(entries, count, which))
		return cpmu_wrong(fault, "offset", place.offset,
				  "is that of another block");
	return true;
}
