// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check the registers of a CPMU and the register locator; encode events.
 *
 * Events are from CXL 3.2, table 13-5, with the ECN of March 2024. Names and
 * format terms are as in cxl_pmu, so scripts for cxl_pmu work here; cxl_pmu has
 * no names for groups 30h and 31h.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "cpmu.h"

/* Capability */
#define CAP_COUNTERS		GENMASK_ULL(5, 0)
#define CAP_WIDTH		GENMASK_ULL(15, 8)
#define CAP_GROUPS		GENMASK_ULL(24, 20)
#define CAP_FILTERS		GENMASK_ULL(39, 32)
#define CAP_FREEZE		BIT_ULL(49)

/* Fields of an Event Capability register, and of an event's config */
#define VID			GENMASK_ULL(63, 48)
#define GID			GENMASK_ULL(47, 32)
#define MASK			GENMASK_ULL(31, 0)

/* Format terms in config1 */
#define THRESHOLD		GENMASK_ULL(15, 0)
#define INVERT			BIT_ULL(16)
#define EDGE			BIT_ULL(17)
#define HDM_ENABLE		BIT_ULL(18)
#define CRB_ENABLE		BIT_ULL(19)
#define SNAPSHOT		BIT_ULL(63)
/* Format terms in config2 */
#define HDM			GENMASK_ULL(15, 0)
#define CRB			GENMASK_ULL(63, 32)

/* Counter Type in a Counter Configuration register */
#define CFG_TYPE		GENMASK_ULL(1, 0)
#define TYPE_FREE_RUNNING	0
#define TYPE_FIXED		1
#define TYPE_CONFIGURABLE	2

/*
 * Assumed highest rates: 2^32 increments a second (1 per clock at 4.3 GHz), or
 * 2^PMON_RATE_LOG2 for a fast event, which may add more than 1 per clock. Below
 * the minimum widths, polls would have to be closer than PMON_PERIOD_MIN_NS.
 */
#define RATE_LOG2		32
#define WIDTH_MIN		26
#define WIDTH_MIN_FAST		32

#define EVENT(_gid, _id, _name) { .name = _name, .gid = _gid, .id = _id }
#define D2H_REQ(id, name)	EVENT(0x0010, id, "d2h_req_" name)
#define D2H_RSP(id, name)	EVENT(0x0011, id, "d2h_rsp_" name)
#define H2D_REQ(id, name)	EVENT(0x0012, id, "h2d_req_" name)
#define H2D_RSP(id, name)	EVENT(0x0013, id, "h2d_rsp_" name)
#define CACHE_DATA(id, name)	EVENT(0x0014, id, "cachedata_" name)
#define M2S_REQ(id, name)	EVENT(0x0020, id, "m2s_req_" name)
#define M2S_RWD(id, name)	EVENT(0x0021, id, "m2s_rwd_" name)
#define M2S_BIRSP(id, name)	EVENT(0x0022, id, "m2s_birsp_" name)
#define S2M_BISNP(id, name)	EVENT(0x0023, id, "s2m_bisnp_" name)
#define S2M_NDR(id, name)	EVENT(0x0024, id, "s2m_ndr_" name)
#define S2M_DRS(id, name)	EVENT(0x0025, id, "s2m_drs_" name)
#define DEVLOAD(id, name)	EVENT(0x0030, id, "devload_" name)
#define DDR(id, name)	EVENT(0x8000, id, "ddr_" name)
#define RETRY(id, name)	EVENT(0x8003, id, "retry_event_trig_by_" name)

/*
 * Four requests do not complete: MemSpecRd and MemSpecRdTEE (CXL 3.2, 3.5.3.1),
 * MemRdFwd and MemWrFwd of type 2 devices.
 */
#define M2S_REQ_COMPLETED \
	(U32_MAX & ~(BIT(3) | BIT(4) | BIT(8) | BIT(12)))

const struct cpmu_event cpmu_events[CPMU_EVENTS_MAX] = {
	EVENT(0x0000, 0, "clock_ticks"),
	D2H_REQ(1, "rdcurr"), D2H_REQ(2, "rdown"), D2H_REQ(3, "rdshared"),
	D2H_REQ(4, "rdany"), D2H_REQ(5, "rdownnodata"), D2H_REQ(6, "itomwr"),
	D2H_REQ(7, "wrcurr"), D2H_REQ(8, "clflush"), D2H_REQ(9, "cleanevict"),
	D2H_REQ(10, "dirtyevict"), D2H_REQ(11, "cleanevictnodata"),
	D2H_REQ(12, "wowrinv"), D2H_REQ(13, "wowrinvf"), D2H_REQ(14, "wrinv"),
	D2H_REQ(16, "cacheflushed"),
	D2H_RSP(1, "rspshitse"), D2H_RSP(4, "rspihiti"),
	D2H_RSP(5, "rspihitse"), D2H_RSP(6, "rspvhitv"), D2H_RSP(7, "rspsfwdm"),
	D2H_RSP(15, "rspifwdm"), D2H_RSP(22, "rspvfwdv"),
	H2D_REQ(1, "snpdata"), H2D_REQ(2, "snpinv"), H2D_REQ(3, "snpcur"),
	H2D_RSP(1, "writepull"), H2D_RSP(4, "go"), H2D_RSP(5, "gowritepull"),
	H2D_RSP(6, "extcmp"), H2D_RSP(8, "gowritepulldrop"),
	H2D_RSP(13, "fastgowritepull"), H2D_RSP(15, "goerrwritepull"),
	CACHE_DATA(0, "d2h_data"), CACHE_DATA(1, "h2d_data"),
	M2S_REQ(0, "meminv"), M2S_REQ(1, "memrd"), M2S_REQ(2, "memrddata"),
	M2S_REQ(3, "memrdfwd"), M2S_REQ(4, "memwrfwd"), M2S_REQ(5, "memrdtee"),
	M2S_REQ(6, "memrddatatee"), M2S_REQ(7, "meminvtee"),
	M2S_REQ(8, "memspecrd"), M2S_REQ(9, "meminvnt"),
	M2S_REQ(10, "memcleanevict"), M2S_REQ(11, "meminvptee"),
	M2S_REQ(12, "memspecrdtee"), M2S_REQ(13, "teupdate"),
	M2S_REQ(14, "memclnevcttee"), M2S_REQ(15, "memclnevctu"),
	M2S_RWD(1, "memwr"), M2S_RWD(2, "memwrptl"), M2S_RWD(4, "biconflict"),
	M2S_RWD(5, "memrdfill"), M2S_RWD(9, "memwrtee"),
	M2S_RWD(10, "memwrptltee"), M2S_RWD(13, "memrdfilltee"),
	M2S_BIRSP(0, "i"), M2S_BIRSP(1, "s"), M2S_BIRSP(2, "e"),
	M2S_BIRSP(4, "iblk"), M2S_BIRSP(5, "sblk"), M2S_BIRSP(6, "eblk"),
	S2M_BISNP(0, "cur"), S2M_BISNP(1, "data"), S2M_BISNP(2, "inv"),
	S2M_BISNP(4, "curblk"), S2M_BISNP(5, "datblk"), S2M_BISNP(6, "invblk"),
	S2M_BISNP(8, "curtee"), S2M_BISNP(9, "datatee"),
	S2M_BISNP(10, "invtee"), S2M_BISNP(12, "curblktee"),
	S2M_BISNP(13, "datablktee"), S2M_BISNP(14, "invblktee"),
	S2M_NDR(0, "cmp"), S2M_NDR(1, "cmps"), S2M_NDR(2, "cmpe"),
	S2M_NDR(3, "cmpm"), S2M_NDR(4, "biconflictack"), S2M_NDR(5, "cmptee"),
	S2M_NDR(6, "cmptee_s"), S2M_NDR(7, "cmptee_e"),
	S2M_DRS(0, "memdata"), S2M_DRS(1, "memdatanxm"),
	S2M_DRS(2, "memdatatee"),
	DEVLOAD(0, "light"), DEVLOAD(1, "optimal"),
	DEVLOAD(2, "moderate_overload"), DEVLOAD(3, "severe_overload"),
	EVENT(0x0031, 0, "m2s_req_resid_cnt"),
	EVENT(0x0031, 1, "m2s_rwd_resid_cnt"),
	DDR(0, "act"), DDR(1, "pre"), DDR(2, "casrd"), DDR(3, "caswr"),
	DDR(4, "refresh"), DDR(5, "selfrefreshent"), DDR(6, "rfm"),
	DDR(7, "cas_rd_ap"), DDR(8, "cas_wr_ap"), DDR(9, "refresh_all_banks"),
	DDR(10, "refresh_same_bank"), DDR(11, "pwrdn_entry"),
	DDR(12, "pwrdn_exit"), DDR(13, "rd_wr_ddr_bus_switching"),
	DDR(14, "incoming_rd_req"), DDR(15, "incoming_wr_req"),
	EVENT(0x8001, 0, "rd_queue_occ"), EVENT(0x8001, 1, "wr_queue_occ"),
	EVENT(0x8001, 2, "rd_wr_merged_queue_occ"),
	EVENT(0x8001, 3, "pwrdn_event"),
	EVENT(0x8002, 0, "mc_rd_resid_cnt"),
	EVENT(0x8002, 1, "mc_wr_resid_cnt"),
	RETRY(0, "rd_crc"), RETRY(1, "wr_crc"), RETRY(2, "ca_parity"),
	RETRY(3, "ecc"),
	EVENT(0x8004, 0, "thermal_throttle_event"),
	EVENT(0x8004, 1, "power_throttle_event"),

	/* Cache lines in MiB; sums include TEE and partial lines */
	{ .name = "memdata_bytes", .gid = 0x0025, .id = 0, .lines = true },
	{ .name = "memwr_bytes", .gid = 0x0021, .id = 1, .lines = true },
	{ .name = "read_bytes", .gid = 0x0025, .sum = BIT(0) | BIT(2),
	  .lines = true },
	{ .name = "write_bytes", .gid = 0x0021,
	  .sum = BIT(1) | BIT(2) | BIT(9) | BIT(10), .lines = true },

	/*
	 * Sums of requests: all without data; all without data that complete;
	 * all with data. The last two are divisors of the average latency.
	 */
	{ .name = "m2s_req_all", .gid = 0x0020, .sum = U32_MAX },
	{ .name = "m2s_req_completed", .gid = 0x0020,
	  .sum = M2S_REQ_COMPLETED },
	{ .name = "m2s_rwd_all", .gid = 0x0021, .sum = U32_MAX },
};

/*
 * Columns of CXL 3.2, table 13-5, for a range of groups. Fast events count
 * waiting requests and queue entries; all others add at most 1 per clock
 * (13.2).
 */
struct cpmu_rule {
	u16 first;	/* event group IDs */
	u16 last;
	u8 filters;	/* column Filters */
	bool mec;	/* column MEC: a counter may add up several events */
	u32 fast;	/* events that may add more than 1 per clock */
};

static const struct cpmu_rule cpmu_rules[] = {
	{ 0x0000, 0x0000 },
	{ 0x0020, 0x0025, .filters = CPMU_FILTER_HDM, .mec = true },
	{ 0x0030, 0x0030 },
	{ 0x0031, 0x0031, .fast = ~0 },
	{ 0x8000, 0x8000, .filters = CPMU_FILTER_CRB, .mec = true },
	{ 0x8001, 0x8001, .filters = CPMU_FILTER_CRB, .fast = 0x7 },
	{ 0x8002, 0x8002, .filters = CPMU_FILTER_CRB, .fast = ~0 },
	{ 0x8003, 0x8003, .filters = CPMU_FILTER_CRB, .mec = true },
	{ 0x8004, 0x8004 },
	{ 0x0000, 0xffff, .mec = true },
};

/* Vendors' events may be fast. As in cxl_pmu, they have no CRB filter. */
static const struct cpmu_rule cpmu_vendor_rule = {
	.filters = CPMU_FILTER_HDM, .mec = true, .fast = ~0,
};

static const struct cpmu_rule *cpmu_rule(u64 config)
{
	const struct cpmu_rule *rule = cpmu_rules;
	u16 gid = FIELD_GET(GID, config);

	if (FIELD_GET(VID, config) != CXL_VENDOR)
		return &cpmu_vendor_rule;
	while (gid < rule->first || gid > rule->last)
		rule++;
	return rule;
}

static bool cpmu_is_single(u64 config)
{
	return hweight32(FIELD_GET(MASK, config)) == 1;
}

static bool cpmu_is_fast(u64 config)
{
	return !cpmu_is_single(config) || cpmu_rule(config)->fast & config;
}

/*
 * Parse the CPMU Capability register. On rejection, leave no counter or group
 * in @caps. Ignore the version (63:60): later versions define reserved bits.
 */
const char *cpmu_parse_cap(u64 cap, struct cpmu_caps *caps)
{
	unsigned int width = FIELD_GET(CAP_WIDTH, cap);

	memset(caps, 0, sizeof(*caps));
	if (cap == ~0ULL)
		return "does not answer";
	if (width > PMON_WIDTH_MAX)
		return "has counters wider than a register";
	if (width < WIDTH_MIN)
		return "has counters that wrap before they can be read";
	caps->counters = FIELD_GET(CAP_COUNTERS, cap) + 1;
	caps->groups = FIELD_GET(CAP_GROUPS, cap) + 1;
	caps->width = width;
	caps->filters = FIELD_GET(CAP_FILTERS, cap) &
			(CPMU_FILTER_HDM | CPMU_FILTER_CRB);
	caps->can_freeze = cap & CAP_FREEZE;
	return NULL;
}

/* Parse @value of Event Capability register @index (below @caps->groups). */
const char *cpmu_parse_group(unsigned int index, u64 value,
			     struct cpmu_caps *caps)
{
	struct cpmu_group *group = &caps->group[index];

	if (value == ~0ULL)
		return "does not answer";
	group->vid = FIELD_GET(VID, value);
	group->gid = FIELD_GET(GID, value);
	group->mask = FIELD_GET(MASK, value);
	return NULL;
}

static const char *cpmu_parse_dedicated(unsigned int index, u64 value, u8 kind,
					struct cpmu_caps *caps)
{
	unsigned int number = FIELD_GET(CPMU_CFG_GROUP, value);
	u32 events = FIELD_GET(CPMU_CFG_EVENTS, value);
	struct cpmu_group *group = &caps->group[number];

	if (number >= caps->groups)
		return "names an event capability that is not there";
	group->dedicated = true;
	if (!events || events & ~group->mask)
		return "counts events that its group does not have";
	if (kind == PMON_COUNTER_FIXED)
		caps->freezable |= BIT_ULL(index);
	caps->dedicated[caps->dedicated_count++] = (struct cpmu_dedicated){
		.config = FIELD_PREP(VID, group->vid) |
			  FIELD_PREP(GID, group->gid) | events,
		.terms = value & CPMU_CFG_TERMS,
		.index = index,
		.kind = kind,
	};
	return NULL;
}

/* Parse @value of Counter Configuration register @index, after all groups. */
const char *cpmu_parse_counter(unsigned int index, u64 value,
			       struct cpmu_caps *caps)
{
	if (value == ~0ULL)
		return "does not answer";

	switch (FIELD_GET(CFG_TYPE, value)) {
	case TYPE_CONFIGURABLE:
		caps->configurable |= BIT_ULL(index);
		caps->freezable |= BIT_ULL(index);
		return NULL;
	case TYPE_FIXED:
		return cpmu_parse_dedicated(index, value, PMON_COUNTER_FIXED,
					    caps);
	case TYPE_FREE_RUNNING:
		return cpmu_parse_dedicated(index, value,
					    PMON_COUNTER_FREE_RUNNING, caps);
	default:
		return "is of a kind that is not known";
	}
}

/* Drop configurable counters if no event group is left for them. */
const char *cpmu_select_counters(struct cpmu_caps *caps)
{
	unsigned int i;
	u32 events = 0;

	for (i = 0; i < caps->groups; i++)
		if (!caps->group[i].dedicated)
			events |= caps->group[i].mask;
	if (!events) {
		caps->freezable &= ~caps->configurable;
		caps->configurable = 0;
	}
	return cpmu_count_usable(caps) ? NULL :
	       "leaves no counter that can be used";
}

/* Merge the writable fields of @ctl with all other bits of @old. */
u64 cpmu_config(u64 old, u64 ctl)
{
	u64 fields = CPMU_CFG_ENABLE | CPMU_CFG_ACTIONS;

	if (FIELD_GET(CFG_TYPE, old) != TYPE_FIXED)
		fields |= CPMU_CFG_TERMS | CPMU_CFG_EVENTS | CPMU_CFG_GROUP;
	return (old & ~fields) | (ctl & fields);
}

static const struct pmon_protocol cpmu_with_freeze = {
	.freeze = ~0ULL, .reset = ~0ULL, .run = 0, .bytes = 8, .no_reset = true,
};

static const struct pmon_protocol cpmu_no_freeze = { .no_reset = true };

/* All counters are free-running, so no register is written */
static const struct pmon_protocol cpmu_free_running = { };

static const struct pmon_protocol *cpmu_protocol(const struct cpmu_caps *caps)
{
	if (!caps->freezable)
		return &cpmu_free_running;
	return caps->can_freeze ? &cpmu_with_freeze : &cpmu_no_freeze;
}

static struct pmon_counter cpmu_counter(const struct cpmu_caps *caps,
					unsigned int i, bool fast)
{
	bool adds_up = fast && caps->width >= WIDTH_MIN_FAST;

	return (struct pmon_counter){
		.ctr = CPMU_DATA(i),
		.ctl = CPMU_CFG(i),
		.freeze = BIT_ULL(i),
		.filter = CPMU_FILTER(i, !(caps->filters & CPMU_FILTER_HDM)),
		.width = caps->width,
		.rate_log2 = adds_up ? PMON_RATE_LOG2 : RATE_LOG2,
	};
}

/*
 * Describe the registers of a CPMU to drivers/core; @counter has
 * cpmu_count_usable() entries, at least one. Two adjacent 32-bit filter
 * registers are one 64-bit register of @layout.
 */
void cpmu_layout(const struct cpmu_caps *caps, struct pmon_counter *counter,
		 struct pmon_layout *layout)
{
	u8 filter_bytes = 4 * hweight8(caps->filters);
	unsigned int i, n = 0;
	u64 any;

	for (any = caps->configurable; any; any &= any - 1)
		counter[n++] = cpmu_counter(caps, __ffs64(any), true);
	for (i = 0; i < caps->dedicated_count; i++, n++) {
		const struct cpmu_dedicated *dedicated = &caps->dedicated[i];

		counter[n] = cpmu_counter(caps, dedicated->index,
					  cpmu_is_fast(dedicated->config) &&
					  !(dedicated->terms &
					    CPMU_CFG_THRESHOLD));
		counter[n].kind = dedicated->kind;
		counter[n].config = dedicated->config;
		counter[n].enable = CPMU_CFG_ENABLE;
	}
	*layout = (struct pmon_layout){
		.protocol = cpmu_protocol(caps),
		.counter = counter,
		.counters = n,
		.ctl_bytes = 8,
		.filter_bytes = filter_bytes,
		.box_ctl = CPMU_FREEZE,
		.data = caps,
		.data_bytes = sizeof(*caps),
	};
}

/* Format terms; a term with .filter needs a CPMU with that filter */
static const struct {
	struct pmon_field field;
	u8 filter;
} terms[CPMU_FIELDS] = {
	{ { "mask", 0, MASK } },
	{ { "gid", 0, GID } },
	{ { "vid", 0, VID } },
	{ { "threshold", 1, THRESHOLD } },
	{ { "invert", 1, INVERT } },
	{ { "edge", 1, EDGE } },
	{ { "hdm_filter_en", 1, HDM_ENABLE }, CPMU_FILTER_HDM },
	{ { "hdm", 2, HDM }, CPMU_FILTER_HDM },
	{ { "crb_filter_en", 1, CRB_ENABLE }, CPMU_FILTER_CRB },
	{ { "crb", 2, CRB }, CPMU_FILTER_CRB },
};

void cpmu_fields(const struct cpmu_caps *caps,
		 struct pmon_field field[CPMU_FIELDS + 1])
{
	unsigned int i;

	for (i = 0; i < CPMU_FIELDS; i++)
		if (!(terms[i].filter & ~caps->filters))
			*field++ = terms[i].field;
	*field = (struct pmon_field){ };
}

/*
 * Return the Event Group ID Index for a configurable counter: the number of an
 * Event Capability register with all events of @config, or -1.
 */
static int cpmu_find_group(const struct cpmu_caps *caps, u64 config)
{
	unsigned int i;

	for (i = 0; i < caps->groups; i++) {
		const struct cpmu_group *group = &caps->group[i];

		if (!group->dedicated && group->vid == FIELD_GET(VID, config) &&
		    group->gid == FIELD_GET(GID, config) &&
		    !(FIELD_GET(MASK, config) & ~group->mask))
			return i;
	}
	return -1;
}

/*
 * Encode threshold, edge and invert. The default threshold (CXL 4.0, table
 * 8-185) is 1, but 0 for a fast event, to add its whole value in each clock.
 */
static u64 cpmu_terms(const u64 *config)
{
	u64 threshold = FIELD_GET(THRESHOLD, config[1]) ?:
			!cpmu_is_fast(config[0]);

	return FIELD_PREP(CPMU_CFG_THRESHOLD, threshold) |
	       (config[1] & INVERT ? CPMU_CFG_INVERT : 0) |
	       (config[1] & EDGE ? CPMU_CFG_EDGE : 0);
}

/*
 * Check filters (CXL 4.0, 8.2.7.2.2): the group must support the filter, and a
 * sum of events must have none. An empty HDM mask would count nothing.
 */
static bool cpmu_filters_valid(const u64 *config)
{
	bool hdm = config[1] & HDM_ENABLE, crb = config[1] & CRB_ENABLE;
	u8 used = (hdm ? CPMU_FILTER_HDM : 0) | (crb ? CPMU_FILTER_CRB : 0);

	if (hdm != !!(config[2] & HDM) || (!crb && config[2] & CRB))
		return false;
	return !(used & ~cpmu_rule(config[0])->filters) &&
	       (!used || cpmu_is_single(config[0]));
}

/* Return all ones for a filter that the event does not use. */
static u64 cpmu_filter(const struct cpmu_caps *caps, const u64 *config)
{
	u64 decoders = config[1] & HDM_ENABLE ? FIELD_GET(HDM, config[2]) :
						U32_MAX;
	u64 place = config[1] & CRB_ENABLE ? FIELD_GET(CRB, config[2]) :
					     U32_MAX;

	if (!(caps->filters & CPMU_FILTER_HDM))
		return place;
	return caps->filters & CPMU_FILTER_CRB ? place << 32 | decoders :
						 decoders;
}

/*
 * Return true if @counter can count an event: the read-only edge, invert and
 * threshold of @counter must equal the event's. Threshold 0 of @counter also
 * fits a default threshold of 1. A free-running counter has no filter, and is
 * not frozen for a snapshot.
 */
static bool cpmu_can_count(const struct cpmu_dedicated *counter,
			   const u64 *config)
{
	bool plain = !(config[1] & (THRESHOLD | INVERT | EDGE));

	if (counter->config != config[0])
		return false;
	if (counter->kind == PMON_COUNTER_FREE_RUNNING &&
	    config[1] & (HDM_ENABLE | CRB_ENABLE | SNAPSHOT))
		return false;
	return counter->terms == cpmu_terms(config) ||
	       (plain && !counter->terms);
}

/*
 * Return only the free-running counter of the event if there is one, because
 * any number of events can share it. Else return the fixed-function counters of
 * the event and, unless @group is negative, all configurable counters.
 */
static u64 cpmu_counters_for(const struct cpmu_caps *caps, const u64 *config,
			     int group)
{
	unsigned int i, first = hweight64(caps->configurable);
	u64 counters = 0;

	if (group >= 0 && first)
		counters = GENMASK_ULL(first - 1, 0);
	for (i = 0; i < caps->dedicated_count; i++) {
		if (!cpmu_can_count(&caps->dedicated[i], config))
			continue;
		if (caps->dedicated[i].kind == PMON_COUNTER_FREE_RUNNING)
			return BIT_ULL(first + i);
		counters |= BIT_ULL(first + i);
	}
	return counters;
}

/* Return a group's events, merged from all its Event Capability registers. */
static u32 cpmu_group_events(const struct cpmu_caps *caps, u16 gid)
{
	unsigned int i;
	u32 mask = 0;

	for (i = 0; i < caps->groups; i++)
		if (caps->group[i].vid == CXL_VENDOR &&
		    caps->group[i].gid == gid)
			mask |= caps->group[i].mask;
	return mask;
}

/*
 * Return the config of an event, or 0 if the CPMU cannot count the event. With
 * counters below WIDTH_MIN_FAST, the user must add a threshold to a fast event.
 */
u64 cpmu_event_of(const struct cpmu_caps *caps, const struct cpmu_event *event)
{
	u32 mask = event->sum ?
		   cpmu_group_events(caps, event->gid) & event->sum :
		   BIT(event->id);
	u64 config[] = {
		FIELD_PREP(VID, CXL_VENDOR) | FIELD_PREP(GID, event->gid) |
		mask, 0, 0
	};

	if (cpmu_is_fast(config[0]) && caps->width < WIDTH_MIN_FAST)
		config[1] = FIELD_PREP(THRESHOLD, 1);
	if (!mask ||
	    !cpmu_counters_for(caps, config, cpmu_find_group(caps, config[0])))
		return 0;
	return config[0];
}

/* Implement &pmon_type.encode. A threshold limits the gain to 1 per clock. */
int cpmu_encode(const struct pmon_layout *layout, const u64 *config,
		struct pmon_encoding *encoding)
{
	const struct cpmu_caps *caps = layout->data;
	int group = cpmu_find_group(caps, config[0]);

	if (!FIELD_GET(MASK, config[0]) ||
	    FIELD_GET(THRESHOLD, config[1]) > U8_MAX ||
	    !cpmu_filters_valid(config) ||
	    (!cpmu_rule(config[0])->mec && !cpmu_is_single(config[0])))
		return -EINVAL;

	encoding->uses_filter = caps->filters;
	encoding->filter = cpmu_filter(caps, config);
	encoding->ctl = CPMU_CFG_ENABLE | cpmu_terms(config);
	encoding->rate_log2 = encoding->ctl & CPMU_CFG_THRESHOLD ?
			      RATE_LOG2 : PMON_RATE_LOG2;
	if (encoding->rate_log2 > RATE_LOG2 && caps->width < WIDTH_MIN_FAST)
		return -EINVAL;
	encoding->allowed = cpmu_counters_for(caps, config, group);
	if (group >= 0)
		encoding->ctl |= FIELD_PREP(CPMU_CFG_GROUP, group) |
				 FIELD_PREP(CPMU_CFG_EVENTS,
					    FIELD_GET(MASK, config[0]));
	return encoding->allowed ? 0 : -EINVAL;
}

/* Return the number of whole entries, up to 64, in a DVSEC of @length bytes. */
unsigned int cxl_count_entries(unsigned int length)
{
	if (length <= CXL_ENTRIES_BEGIN)
		return 0;
	return min_t(unsigned int, CXL_ENTRIES_MAX,
		     (length - CXL_ENTRIES_BEGIN) / CXL_ENTRY_BYTES);
}

/*
 * Check entry @which of a register locator. @bar is the size of the entry's BAR
 * in bytes; 0: no memory BAR. Blocks are aligned to 64 KiB and not larger, so
 * only equal offsets overlap. Returns NULL or the reason of a rejection.
 */
const char *cxl_check_entry(const u64 *entries, unsigned int count,
			    unsigned int which, u64 bar)
{
	u64 offset = entries[which] & CXL_ENTRY_OFFSET;
	unsigned int i;

	if (!bar)
		return "names no BAR in memory";
	if (offset > bar || bar - offset < CPMU_BYTES)
		return "leads behind the end of its BAR";
	for (i = 0; i < count; i++)
		if (i != which &&
		    FIELD_GET(CXL_ENTRY_BLOCK, entries[i]) != CXL_BLOCK_EMPTY &&
		    !((entries[i] ^ entries[which]) &
		      (CXL_ENTRY_BIR | CXL_ENTRY_OFFSET)))
			return "leads to another block";
	return NULL;
}
