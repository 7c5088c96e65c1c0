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

#define EVENT(_name, _gid, _id) { .name = _name, .gid = _gid, .id = _id }

const struct cpmu_event cpmu_events[] = {
	EVENT("clock_ticks", 0x0000, 0),

	EVENT("d2h_req_rdcurr", 0x0010, 1),
	EVENT("d2h_req_rdown", 0x0010, 2),
	EVENT("d2h_req_rdshared", 0x0010, 3),
	EVENT("d2h_req_rdany", 0x0010, 4),
	EVENT("d2h_req_rdownnodata", 0x0010, 5),
	EVENT("d2h_req_itomwr", 0x0010, 6),
	EVENT("d2h_req_wrcurr", 0x0010, 7),
	EVENT("d2h_req_clflush", 0x0010, 8),
	EVENT("d2h_req_cleanevict", 0x0010, 9),
	EVENT("d2h_req_dirtyevict", 0x0010, 10),
	EVENT("d2h_req_cleanevictnodata", 0x0010, 11),
	EVENT("d2h_req_wowrinv", 0x0010, 12),
	EVENT("d2h_req_wowrinvf", 0x0010, 13),
	EVENT("d2h_req_wrinv", 0x0010, 14),
	EVENT("d2h_req_cacheflushed", 0x0010, 16),

	EVENT("d2h_rsp_rspshitse", 0x0011, 1),
	EVENT("d2h_rsp_rspihiti", 0x0011, 4),
	EVENT("d2h_rsp_rspihitse", 0x0011, 5),
	EVENT("d2h_rsp_rspvhitv", 0x0011, 6),
	EVENT("d2h_rsp_rspsfwdm", 0x0011, 7),
	EVENT("d2h_rsp_rspifwdm", 0x0011, 15),
	EVENT("d2h_rsp_rspvfwdv", 0x0011, 22),

	EVENT("h2d_req_snpdata", 0x0012, 1),
	EVENT("h2d_req_snpinv", 0x0012, 2),
	EVENT("h2d_req_snpcur", 0x0012, 3),

	EVENT("h2d_rsp_writepull", 0x0013, 1),
	EVENT("h2d_rsp_go", 0x0013, 4),
	EVENT("h2d_rsp_gowritepull", 0x0013, 5),
	EVENT("h2d_rsp_extcmp", 0x0013, 6),
	EVENT("h2d_rsp_gowritepulldrop", 0x0013, 8),
	EVENT("h2d_rsp_fastgowritepull", 0x0013, 13),
	EVENT("h2d_rsp_goerrwritepull", 0x0013, 15),

	EVENT("cachedata_d2h_data", 0x0014, 0),
	EVENT("cachedata_h2d_data", 0x0014, 1),

	EVENT("m2s_req_meminv", 0x0020, 0),
	EVENT("m2s_req_memrd", 0x0020, 1),
	EVENT("m2s_req_memrddata", 0x0020, 2),
	EVENT("m2s_req_memrdfwd", 0x0020, 3),
	EVENT("m2s_req_memwrfwd", 0x0020, 4),
	EVENT("m2s_req_memrdtee", 0x0020, 5),
	EVENT("m2s_req_memrddatatee", 0x0020, 6),
	EVENT("m2s_req_meminvtee", 0x0020, 7),
	EVENT("m2s_req_memspecrd", 0x0020, 8),
	EVENT("m2s_req_meminvnt", 0x0020, 9),
	EVENT("m2s_req_memcleanevict", 0x0020, 10),
	EVENT("m2s_req_meminvptee", 0x0020, 11),
	EVENT("m2s_req_memspecrdtee", 0x0020, 12),
	EVENT("m2s_req_teupdate", 0x0020, 13),
	EVENT("m2s_req_memclnevcttee", 0x0020, 14),
	EVENT("m2s_req_memclnevctu", 0x0020, 15),

	EVENT("m2s_rwd_memwr", 0x0021, 1),
	EVENT("m2s_rwd_memwrptl", 0x0021, 2),
	EVENT("m2s_rwd_biconflict", 0x0021, 4),
	EVENT("m2s_rwd_memrdfill", 0x0021, 5),
	EVENT("m2s_rwd_memwrtee", 0x0021, 9),
	EVENT("m2s_rwd_memwrptltee", 0x0021, 10),
	EVENT("m2s_rwd_memrdfilltee", 0x0021, 13),

	EVENT("m2s_birsp_i", 0x0022, 0),
	EVENT("m2s_birsp_s", 0x0022, 1),
	EVENT("m2s_birsp_e", 0x0022, 2),
	EVENT("m2s_birsp_iblk", 0x0022, 4),
	EVENT("m2s_birsp_sblk", 0x0022, 5),
	EVENT("m2s_birsp_eblk", 0x0022, 6),

	EVENT("s2m_bisnp_cur", 0x0023, 0),
	EVENT("s2m_bisnp_data", 0x0023, 1),
	EVENT("s2m_bisnp_inv", 0x0023, 2),
	EVENT("s2m_bisnp_curblk", 0x0023, 4),
	EVENT("s2m_bisnp_datblk", 0x0023, 5),
	EVENT("s2m_bisnp_invblk", 0x0023, 6),
	EVENT("s2m_bisnp_curtee", 0x0023, 8),
	EVENT("s2m_bisnp_datatee", 0x0023, 9),
	EVENT("s2m_bisnp_invtee", 0x0023, 10),
	EVENT("s2m_bisnp_curblktee", 0x0023, 12),
	EVENT("s2m_bisnp_datablktee", 0x0023, 13),
	EVENT("s2m_bisnp_invblktee", 0x0023, 14),

	EVENT("s2m_ndr_cmp", 0x0024, 0),
	EVENT("s2m_ndr_cmps", 0x0024, 1),
	EVENT("s2m_ndr_cmpe", 0x0024, 2),
	EVENT("s2m_ndr_cmpm", 0x0024, 3),
	EVENT("s2m_ndr_biconflictack", 0x0024, 4),
	EVENT("s2m_ndr_cmptee", 0x0024, 5),
	EVENT("s2m_ndr_cmptee_s", 0x0024, 6),
	EVENT("s2m_ndr_cmptee_e", 0x0024, 7),

	EVENT("s2m_drs_memdata", 0x0025, 0),
	EVENT("s2m_drs_memdatanxm", 0x0025, 1),
	EVENT("s2m_drs_memdatatee", 0x0025, 2),

	EVENT("devload_light", 0x0030, 0),
	EVENT("devload_optimal", 0x0030, 1),
	EVENT("devload_moderate_overload", 0x0030, 2),
	EVENT("devload_severe_overload", 0x0030, 3),

	EVENT("m2s_req_resid_cnt", 0x0031, 0),
	EVENT("m2s_rwd_resid_cnt", 0x0031, 1),

	EVENT("ddr_act", 0x8000, 0),
	EVENT("ddr_pre", 0x8000, 1),
	EVENT("ddr_casrd", 0x8000, 2),
	EVENT("ddr_caswr", 0x8000, 3),
	EVENT("ddr_refresh", 0x8000, 4),
	EVENT("ddr_selfrefreshent", 0x8000, 5),
	EVENT("ddr_rfm", 0x8000, 6),
	EVENT("ddr_cas_rd_ap", 0x8000, 7),
	EVENT("ddr_cas_wr_ap", 0x8000, 8),
	EVENT("ddr_refresh_all_banks", 0x8000, 9),
	EVENT("ddr_refresh_same_bank", 0x8000, 10),
	EVENT("ddr_pwrdn_entry", 0x8000, 11),
	EVENT("ddr_pwrdn_exit", 0x8000, 12),
	EVENT("ddr_rd_wr_ddr_bus_switching", 0x8000, 13),
	EVENT("ddr_incoming_rd_req", 0x8000, 14),
	EVENT("ddr_incoming_wr_req", 0x8000, 15),

	EVENT("rd_queue_occ", 0x8001, 0),
	EVENT("wr_queue_occ", 0x8001, 1),
	EVENT("rd_wr_merged_queue_occ", 0x8001, 2),
	EVENT("pwrdn_event", 0x8001, 3),

	EVENT("mc_rd_resid_cnt", 0x8002, 0),
	EVENT("mc_wr_resid_cnt", 0x8002, 1),

	EVENT("retry_event_trig_by_rd_crc", 0x8003, 0),
	EVENT("retry_event_trig_by_wr_crc", 0x8003, 1),
	EVENT("retry_event_trig_by_ca_parity", 0x8003, 2),
	EVENT("retry_event_trig_by_ecc", 0x8003, 3),

	EVENT("thermal_throttle_event", 0x8004, 0),
	EVENT("power_throttle_event", 0x8004, 1),

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
