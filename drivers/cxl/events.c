// SPDX-License-Identifier: GPL-2.0-only
/*
 * The events of the specification's table of events under its own vendor ID
 * (CXL 3.2, table 13-5), which has those of the ECN of March 2024, and the
 * format terms. Names and terms are those of the kernel's driver, so that what
 * was written for it works; it has no names for groups 30h and 31h.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "events.h"

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

const struct cpmu_event cpmu_events[] = {
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

	/*
	 * Other names of what moves a whole line: data to the host, and writes
	 * that are not partial ones.
	 */
	{ .name = "read_bytes", .gid = 0x0025, .id = 0, .lines = true },
	{ .name = "write_bytes", .gid = 0x0021, .id = 1, .lines = true },

	/*
	 * What residencies are divided by: all requests, with data and without.
	 */
	{ .name = "m2s_req_all", .gid = 0x0020, .all = true },
	{ .name = "m2s_rwd_all", .gid = 0x0021, .all = true },
};

const unsigned int cpmu_event_count = ARRAY_SIZE(cpmu_events);

/* Format terms */

#define MASK		GENMASK_ULL(31, 0)
#define GID		GENMASK_ULL(47, 32)
#define VID		GENMASK_ULL(63, 48)
#define THRESHOLD	GENMASK_ULL(15, 0)
#define INVERT		BIT_ULL(16)
#define EDGE		BIT_ULL(17)
#define HDM_ENABLE	BIT_ULL(18)
#define CRB_ENABLE	BIT_ULL(19)
#define HDM		GENMASK_ULL(15, 0)
#define CRB		GENMASK_ULL(63, 32)

/* The register has eight bits for it. */
#define THRESHOLD_MAX	0xff

/* The format terms, each with the filter that it needs. */
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
	{ { "hdm_filter_en", 1, HDM_ENABLE }, BIT(CPMU_FILTER_HDM) },
	{ { "hdm", 2, HDM }, BIT(CPMU_FILTER_HDM) },
	{ { "crb_filter_en", 1, CRB_ENABLE }, BIT(CPMU_FILTER_CRB) },
	{ { "crb", 2, CRB }, BIT(CPMU_FILTER_CRB) },
};

/**
 * cpmu_fields() - the terms that a CPMU has
 * @caps: the CPMU
 * @field: gets them, and the end of the table
 */
void cpmu_fields(const struct cpmu_caps *caps,
		 struct pmon_field field[CPMU_FIELDS + 1])
{
	unsigned int i;

	for (i = 0; i < CPMU_FIELDS; i++)
		if (!(terms[i].filter & ~caps->filters))
			*field++ = terms[i].field;
	*field = (struct pmon_field){ };
}

/**
 * cpmu_event_config() - perf's config word of an event
 * @event: the event
 */
u64 cpmu_event_config(const struct cpmu_event *event)
{
	return FIELD_PREP(VID, CPMU_VENDOR_CXL) | FIELD_PREP(GID, event->gid) |
	       BIT_ULL(event->id);
}

/*
 * The number of the Event Capability register that has the event's group, by
 * which the control of a configurable counter selects it.
 */
static int cpmu_find_group(const struct cpmu_caps *caps, u64 config)
{
	unsigned int i;

	for (i = 0; i < caps->groups; i++) {
		const struct cpmu_group *group = &caps->group[i];

		if (!group->taken && group->vid == FIELD_GET(VID, config) &&
		    group->gid == FIELD_GET(GID, config) &&
		    !(FIELD_GET(MASK, config) & ~group->mask))
			return i;
	}
	return -1;
}

/*
 * The column MEC of the table of events: several events of these groups must
 * not be selected at once. Those of the others are added up.
 */
static bool cpmu_adds_up(u64 config)
{
	if (FIELD_GET(VID, config) != CPMU_VENDOR_CXL || cpmu_is_single(config))
		return true;
	switch (FIELD_GET(GID, config)) {
	case CPMU_GROUP_CLOCK:
	case CPMU_GROUP_DEVLOAD:
	case CPMU_GROUP_M2S_RESIDENCY:
	case CPMU_GROUP_QUEUES:
	case CPMU_GROUP_MC_RESIDENCY:
	case CPMU_GROUP_THROTTLE:
		return false;
	default:
		return true;
	}
}

/*
 * What the terms of an event are in a Counter Configuration register. An event
 * that happens once in a clock at most needs a threshold of 1 (CXL 4.0, table
 * 8-185); what may be more in a clock is added up as it is, by 0.
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
 * The column Filters of the table of events: M2S and S2M have that of HDM
 * decoders, ...
 */
static bool cpmu_group_has_hdm(u64 config)
{
	u64 gid = FIELD_GET(GID, config);

	return FIELD_GET(VID, config) != CPMU_VENDOR_CXL ||
	       (gid >= CPMU_GROUP_M2S_REQ && gid <= CPMU_GROUP_S2M_DRS);
}

/* ... and these that of channel, rank and bank. */
static bool cpmu_group_has_crb(u64 config)
{
	return FIELD_GET(VID, config) == CPMU_VENDOR_CXL &&
	       FIELD_GET(GID, config) >= CPMU_GROUP_DDR &&
	       FIELD_GET(GID, config) <= CPMU_GROUP_RETRIES;
}

/*
 * Can the event be filtered so? A filter must not be set for several events,
 * and a mask without a decoder selects nothing.
 */
static bool cpmu_filters_valid(const u64 *config)
{
	bool hdm = config[1] & HDM_ENABLE, crb = config[1] & CRB_ENABLE;

	if ((!hdm && config[2] & HDM) || (!crb && config[2] & CRB))
		return false;
	if (hdm && (!cpmu_group_has_hdm(config[0]) || !(config[2] & HDM)))
		return false;
	if (crb && !cpmu_group_has_crb(config[0]))
		return false;
	return (!hdm && !crb) || cpmu_is_single(config[0]);
}

/*
 * The values of both filter registers. All-ones turns a filter off: every event
 * passes.
 */
static void cpmu_encode_filters(const struct cpmu_caps *caps, const u64 *config,
				struct pmon_encoding *encoding)
{
	u64 decoders = config[1] & HDM_ENABLE ? FIELD_GET(HDM, config[2]) :
						U32_MAX;
	u64 place = config[1] & CRB_ENABLE ? FIELD_GET(CRB, config[2]) :
					     U32_MAX;

	encoding->uses_filter = caps->filters;
	if (!(caps->filters & BIT(CPMU_FILTER_HDM)))
		encoding->filter = place;
	else if (caps->filters & BIT(CPMU_FILTER_CRB))
		encoding->filter = place << 32 | decoders;
	else
		encoding->filter = decoders;
}

/*
 * Does a counter with an event of its own count this one? Its terms are
 * read-only: they must be those that were asked for. Where none was, and the
 * event happens once in a clock, it makes no difference whether it is compared.
 * One that runs by itself has no term and no filter.
 */
static bool cpmu_own_counts(const struct cpmu_own *own, const u64 *config)
{
	u64 terms = cpmu_terms(config);

	if (own->config != config[0])
		return false;
	if (own->kind == PMON_COUNTER_FREE_RUNNING)
		return !config[1] && !config[2];
	if (config[1] & (THRESHOLD | INVERT | EDGE))
		return own->terms == terms;
	return !own->terms || own->terms == FIELD_PREP(CPMU_CFG_THRESHOLD, 1);
}

/* The counters of one kind that have this event for their own. */
static u64 cpmu_own_slots(const struct cpmu_caps *caps, const u64 *config,
			  enum pmon_counter_kind kind)
{
	unsigned int i, first = hweight64(caps->any);
	u64 slots = 0;

	for (i = 0; i < caps->owns; i++)
		if (caps->own[i].kind == kind &&
		    cpmu_own_counts(&caps->own[i], config))
			slots |= BIT_ULL(first + i);
	return slots;
}

/*
 * A free-running counter serves any number of events. Without one those that
 * have this event for their own can count it, and those that select it by Event
 * Capability @group, if that is there (what it selects is ignored by the
 * others).
 */
static u64 cpmu_slots_of(const struct cpmu_caps *caps, const u64 *config,
			 int group)
{
	u64 free = cpmu_own_slots(caps, config, PMON_COUNTER_FREE_RUNNING);

	if (free)
		return free & -free;
	return cpmu_own_slots(caps, config, PMON_COUNTER_FIXED) |
	       (group < 0 || !caps->any ?
		0 : GENMASK_ULL(hweight64(caps->any) - 1, 0));
}

/**
 * cpmu_has() - can a CPMU count an event without terms?
 * @caps: the CPMU
 * @config: the event's config word
 */
bool cpmu_has(const struct cpmu_caps *caps, u64 config)
{
	const u64 plain[] = { config, 0, 0 };

	return cpmu_slots_of(caps, plain, cpmu_find_group(caps, config));
}

/*
 * All events of the group that the CPMU has. A counter selects one Event
 * Capability register, so they can be counted as one event only where one
 * register has all of them.
 */
static u64 cpmu_all_of_group(const struct cpmu_caps *caps, u16 gid)
{
	unsigned int i;
	u32 mask = 0;

	for (i = 0; i < caps->groups; i++)
		if (caps->group[i].vid == CPMU_VENDOR_CXL &&
		    caps->group[i].gid == gid)
			mask |= caps->group[i].mask;
	return FIELD_PREP(VID, CPMU_VENDOR_CXL) | FIELD_PREP(GID, gid) | mask;
}

/**
 * cpmu_event_of() - how a CPMU is asked for a named event
 * @caps: the CPMU
 * @event: the event
 *
 * Return: perf's config word, or 0 when the CPMU cannot count it.
 */
u64 cpmu_event_of(const struct cpmu_caps *caps, const struct cpmu_event *event)
{
	u64 config = event->all ? cpmu_all_of_group(caps, event->gid) :
				  cpmu_event_config(event);

	return FIELD_GET(MASK, config) && cpmu_has(caps, config) ? config : 0;
}

/**
 * cpmu_encode() - what the registers hold while an event counts
 * @layout: the box, with the &struct cpmu_caps as its data
 * @config: the words of configuration of the event
 * @encoding: gets it
 *
 * What a threshold compares gains one in a clock at most.
 *
 * Return: 0, or -EINVAL when the CPMU cannot count it.
 */
int cpmu_encode(const struct pmon_layout *layout, const u64 *config,
		struct pmon_encoding *encoding)
{
	const struct cpmu_caps *caps = layout->data;
	int group = cpmu_find_group(caps, config[0]);

	if (!FIELD_GET(MASK, config[0]) ||
	    FIELD_GET(THRESHOLD, config[1]) > THRESHOLD_MAX ||
	    !cpmu_adds_up(config[0]) || !cpmu_filters_valid(config))
		return -EINVAL;

	cpmu_encode_filters(caps, config, encoding);
	encoding->ctl = CPMU_CFG_ENABLE | cpmu_terms(config);
	encoding->rate_log2 = encoding->ctl & CPMU_CFG_THRESHOLD ?
			      0 : PMON_RATE_LOG2;
	encoding->allowed = cpmu_slots_of(caps, config, group);
	if (group >= 0)
		encoding->ctl |= FIELD_PREP(CPMU_CFG_GROUP, group) |
				 FIELD_PREP(CPMU_CFG_EVENTS,
					    FIELD_GET(MASK, config[0]));
	return encoding->allowed ? 0 : -EINVAL;
}
