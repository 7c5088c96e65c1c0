// SPDX-License-Identifier: GPL-2.0-only
/* contract: names encoding refused */
/*
 * Check names, numbers and encodings of events. Expected values: events, sums and
 * filters from CXL 3.2, table 13-5; thresholds and filter registers from CXL
 * 4.0, tables 8-185 to 8-187; names from Linux 7.3, drivers/perf/cxl_pmu.c.
 */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "../cpmu.h"
#include "suites.h"

struct expected {
	u16 gid;
	const char *prefix;
	const char *names[32];	/* by event ID */
};

static const struct expected expected[] = {
	{ 0x0000, "", { "clock_ticks" } },
	{ 0x0010, "d2h_req_", { NULL, "rdcurr", "rdown", "rdshared", "rdany",
		"rdownnodata", "itomwr", "wrcurr", "clflush", "cleanevict",
		"dirtyevict", "cleanevictnodata", "wowrinv", "wowrinvf",
		"wrinv", NULL, "cacheflushed" } },
	{ 0x0011, "d2h_rsp_", { NULL, "rspshitse", NULL, NULL, "rspihiti",
		"rspihitse", "rspvhitv", "rspsfwdm", [15] = "rspifwdm",
		[22] = "rspvfwdv" } },
	{ 0x0012, "h2d_req_", { NULL, "snpdata", "snpinv", "snpcur" } },
	{ 0x0013, "h2d_rsp_", { NULL, "writepull", [4] = "go",
		[5] = "gowritepull", [6] = "extcmp", [8] = "gowritepulldrop",
		[13] = "fastgowritepull", [15] = "goerrwritepull" } },
	{ 0x0014, "cachedata_", { "d2h_data", "h2d_data" } },
	{ 0x0020, "m2s_req_", { "meminv", "memrd", "memrddata", "memrdfwd",
		"memwrfwd", "memrdtee", "memrddatatee", "meminvtee",
		"memspecrd", "meminvnt", "memcleanevict", "meminvptee",
		"memspecrdtee", "teupdate", "memclnevcttee",
		"memclnevctu" } },
	{ 0x0021, "m2s_rwd_", { NULL, "memwr", "memwrptl", NULL, "biconflict",
		"memrdfill", [9] = "memwrtee", [10] = "memwrptltee",
		[13] = "memrdfilltee" } },
	{ 0x0022, "m2s_birsp_", { "i", "s", "e", NULL, "iblk", "sblk",
		"eblk" } },
	{ 0x0023, "s2m_bisnp_", { "cur", "data", "inv", NULL, "curblk",
		"datblk", "invblk", NULL, "curtee", "datatee", "invtee", NULL,
		"curblktee", "datablktee", "invblktee" } },
	{ 0x0024, "s2m_ndr_", { "cmp", "cmps", "cmpe", "cmpm",
		"biconflictack", "cmptee", "cmptee_s", "cmptee_e" } },
	{ 0x0025, "s2m_drs_", { "memdata", "memdatanxm", "memdatatee" } },
	{ 0x0030, "devload_", { "light", "optimal", "moderate_overload",
		"severe_overload" } },
	{ 0x0031, "m2s_", { "req_resid_cnt", "rwd_resid_cnt" } },
	{ 0x8000, "ddr_", { "act", "pre", "casrd", "caswr", "refresh",
		"selfrefreshent", "rfm", "cas_rd_ap", "cas_wr_ap",
		"refresh_all_banks", "refresh_same_bank", "pwrdn_entry",
		"pwrdn_exit", "rd_wr_ddr_bus_switching", "incoming_rd_req",
		"incoming_wr_req" } },
	{ 0x8001, "", { "rd_queue_occ", "wr_queue_occ",
		"rd_wr_merged_queue_occ", "pwrdn_event" } },
	{ 0x8002, "", { "mc_rd_resid_cnt", "mc_wr_resid_cnt" } },
	{ 0x8003, "retry_event_trig_by_", { "rd_crc", "wr_crc", "ca_parity",
		"ecc" } },
	{ 0x8004, "", { "thermal_throttle_event", "power_throttle_event" } },
};

static const struct cpmu_event *find(u16 gid, unsigned int id)
{
	unsigned int i;

	for (i = 0; i < CPMU_EVENTS_MAX; i++)
		if (!cpmu_events[i].sum && cpmu_events[i].gid == gid &&
		    cpmu_events[i].id == id)
			return &cpmu_events[i];
	return NULL;
}

static void names_and_numbers(struct kunit *test)
{
	unsigned int i, id, events = 0;
	char name[48];

	for (i = 0; i < ARRAY_SIZE(expected); i++) {
		for (id = 0; id < 32; id++) {
			const struct cpmu_event *e = find(expected[i].gid, id);

			if (!expected[i].names[id]) {
				KUNIT_EXPECT_NULL(test, e);
				continue;
			}
			snprintf(name, sizeof(name), "%s%s", expected[i].prefix,
				 expected[i].names[id]);
			KUNIT_ASSERT_NOT_NULL_MSG(test, e, "%s", name);
			KUNIT_EXPECT_STREQ(test, e->name, name);
			events++;
		}
	}
	KUNIT_EXPECT_EQ(test, events, 121U);
	/* Further names: four in bytes, three of sums. */
	KUNIT_EXPECT_EQ(test, CPMU_EVENTS_MAX, 128);
}

/* CPMU of setup(): groups 0 (fixed), 20h, 8000h, 8001h, vendor's 7, 30h, 20h */
static struct cpmu_caps caps;
static struct pmon_counter counter[4];
static struct pmon_layout layout;

static void setup(u64 filters)
{
	static const u64 groups[] = {
		0x1e98000000000001, 0x1e98002000000006, 0x1e9880000000ffff,
		0x1e9880010000000f, 0x1b00000700000030, 0x1e9800300000000f,
		0x1e9800200000ffff,
	};
	unsigned int i;

	cpmu_parse_cap(0x1007800000603003ULL | filters << 32, &caps);
	for (i = 0; i < ARRAY_SIZE(groups); i++)
		cpmu_parse_group(i, groups[i], &caps);
	cpmu_parse_counter(0, 1 | 1 << 16 | 1 << 24, &caps);
	cpmu_parse_counter(1, 2, &caps);
	cpmu_parse_counter(2, 2, &caps);
	cpmu_layout(&caps, counter, &layout);
	layout.general = 3;
	layout.dedicated = GENMASK(cpmu_count_usable(&caps) - 1, 2);
}

struct code_case {
	u64 config, config1, config2;
	u64 ctl, filter, allowed;
};

#define MEM(mask)	(0x1e98002000000000 | (mask))
#define DDR(mask)	(0x1e98800000000000 | (mask))
#define QUEUE(mask)	(0x1e98800100000000 | (mask))
#define OFF		0xffffffffffffffff

/* A CPMU with both filters. An event with .allowed 0 is rejected. */
static const struct code_case codes[] = {
	{ MEM(2), 0, 0, 0x0800000002010100, OFF, 3 },	/* threshold 1 */
	{ MEM(6), 0, 0, 0x0800000006000100, OFF, 3 },	/* sum: threshold 0 */
	{ MEM(6), 1, 0, 0x0800000006010100, OFF, 3 },
	{ MEM(1), 0, 0, 0x3000000001010100, OFF, 3 },	/* second 20h group */
	{ MEM(0x10000), 0, 0, 0, 0, 0 },
	{ MEM(0), 0, 0, 0, 0, 0 },
	{ 0x1e98002100000002, 0, 0, 0, 0, 0 },
	{ 0x1b00000700000030, 0, 0, 0x2000000030000100, OFF, 3 },
	{ 0x1b00000700000010, 0, 0, 0x2000000010000100, OFF, 3 },
	{ 0x1b00000700000040, 0, 0, 0, 0, 0 },
	{ MEM(2), 0x4, 0, 0x0800000002040100, OFF, 3 },
	{ MEM(2), 0xff, 0, 0x0800000002ff0100, OFF, 3 },
	{ MEM(2), 0x100, 0, 0, 0, 0 },
	{ MEM(2), 0x10001, 0, 0x0800000002011100, OFF, 3 },
	{ MEM(2), 0x20001, 0, 0x0800000002010900, OFF, 3 },
	{ MEM(2), 0x20000, 0, 0x0800000002010900, OFF, 3 },
	{ MEM(2), 0x40000, 0, 0, 0, 0 },		/* no decoder */
	{ MEM(2), 0x40000, 9, 0x0800000002010100, 0xffffffff00000009, 3 },
	{ MEM(2), 0x40000, 0xffff, 0x0800000002010100, 0xffffffff0000ffff, 3 },
	{ MEM(6), 0x40000, 9, 0, 0, 0 },		/* several events */
	{ MEM(2), 0, 9, 0, 0, 0 },			/* HDM filter not enabled */
	{ DDR(4), 0x80000, 9ULL << 32, 0x1000000004010100, 0x9ffffffff, 3 },
	{ DDR(4), 0x80000, 0x01ffffffULL << 32, 0x1000000004010100,
	  0x01ffffffffffffff, 3 },
	{ DDR(4), 0, 9ULL << 32, 0, 0, 0 },
	{ DDR(0xc), 0x80000, 9ULL << 32, 0, 0, 0 },
	{ QUEUE(1), 7, 0, 0x1800000001070100, OFF, 3 },
	{ 0x1b00000700000010, 0x40000, 2, 0x2000000010000100,
	  0xffffffff00000002, 3 },			/* event of a vendor */
	{ 0x1b00000700000010, 0x80000, 2ULL << 32, 0, 0, 0 },
	{ 0x1e98000000000001, 0, 0, 0x10100, OFF, 4 },	/* fixed counter */
	{ 0x1e98000000000001, 1, 0, 0x10100, OFF, 4 },
	{ 0x1e98000000000001, 2, 0, 0, 0, 0 },		/* only threshold 1 */
	{ 0x1e98000000000001, 0x20000, 0, 0, 0, 0 },
};

static void events_are_encoded(struct kunit *test)
{
	struct pmon_encoding got;
	size_t i;
	int ret;

	setup(3);
	for (i = 0; i < ARRAY_SIZE(codes); i++) {
		const struct code_case *c = &codes[i];

		memset(&got, 0, sizeof(got));
		ret = cpmu_encode(&layout, &c->config, &got);
		KUNIT_EXPECT_EQ_MSG(test, ret == 0, c->allowed != 0, "%zu", i);
		if (ret)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, got.ctl, c->ctl, "%zu", i);
		KUNIT_EXPECT_EQ_MSG(test, got.filter, c->filter, "%zu", i);
		KUNIT_EXPECT_EQ_MSG(test, got.allowed, c->allowed, "%zu", i);
		KUNIT_EXPECT_TRUE(test, got.uses_filter);
		KUNIT_EXPECT_EQ_MSG(test, got.rate_log2,
				    c->ctl & 0xff0000 ? 32 : 38, "%zu", i);
	}
}

/*
 * A fixed counter with threshold 0 adds the raw count (CXL 4.0, table 8-185).
 * So an event of at most 1 per clock counts there, but only without terms.
 */
static void a_fixed_threshold_of_zero(struct kunit *test)
{
	static const struct {
		u64 config1;
		bool counts;
	} rows[] = {
		{ 0, true }, { 0x1, false }, { 0x10000, false },
		{ 0x20000, false },
	};
	struct pmon_encoding got = { };
	unsigned int i;

	setup(3);
	caps.dedicated[0].terms = 0;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const u64 config[] = {
			0x1e98000000000001, rows[i].config1, 0,
		};

		KUNIT_EXPECT_EQ_MSG(test, !cpmu_encode(&layout, config, &got),
				    rows[i].counts, "%u", i);
	}
}

/* Free-running counters are not frozen for a snapshot (bit 63), fixed ones are. */
static void a_snapshot_of_a_clock(struct kunit *test)
{
	const u64 clock[] = { 0x1e98000000000001, 0, 0 };
	const u64 snapshot[] = { 0x1e98000000000001, BIT_ULL(63), 0 };
	struct pmon_encoding got = { };

	setup(3);
	caps.dedicated[0].kind = PMON_COUNTER_FREE_RUNNING;
	KUNIT_EXPECT_EQ(test, cpmu_encode(&layout, clock, &got), 0);
	KUNIT_EXPECT_NE(test, cpmu_encode(&layout, snapshot, &got), 0);
	caps.dedicated[1] = caps.dedicated[0];
	caps.dedicated[1].kind = PMON_COUNTER_FIXED;
	caps.dedicated_count = 2;
	KUNIT_EXPECT_EQ(test, cpmu_encode(&layout, clock, &got), 0);
	KUNIT_EXPECT_EQ(test, got.allowed, 4ULL);
	KUNIT_EXPECT_EQ(test, cpmu_encode(&layout, snapshot, &got), 0);
	KUNIT_EXPECT_EQ(test, got.allowed, 8ULL);
}

/* A single filter is in bits 31:0; without filters .uses_filter is false. */
static void filters_there_are(struct kunit *test)
{
	const u64 memory[] = { MEM(2), 0x40000, 9 };
	const u64 ddr[] = { DDR(4), 0x80000, 9ULL << 32 };
	const u64 plain[] = { DDR(4), 0, 0 };
	struct pmon_field field[CPMU_FIELDS + 1];
	struct pmon_encoding got = { };

	setup(1);
	KUNIT_EXPECT_EQ(test, cpmu_encode(&layout, memory, &got), 0);
	KUNIT_EXPECT_EQ(test, got.filter, 9ULL);
	cpmu_fields(&caps, field);
	KUNIT_EXPECT_STREQ(test, field[7].name, "hdm");
	KUNIT_EXPECT_NULL(test, field[8].name);
	setup(2);
	KUNIT_EXPECT_EQ(test, cpmu_encode(&layout, ddr, &got), 0);
	KUNIT_EXPECT_EQ(test, got.filter, 9ULL);
	KUNIT_EXPECT_EQ(test, cpmu_encode(&layout, plain, &got), 0);
	KUNIT_EXPECT_EQ(test, got.filter, 0xffffffffULL);
	cpmu_fields(&caps, field);
	KUNIT_EXPECT_STREQ(test, field[7].name, "crb");
	setup(0);
	KUNIT_EXPECT_EQ(test, cpmu_encode(&layout, plain, &got), 0);
	KUNIT_EXPECT_FALSE(test, got.uses_filter);
	cpmu_fields(&caps, field);
	KUNIT_EXPECT_NULL(test, field[6].name);
	setup(3);
	cpmu_fields(&caps, field);
	KUNIT_EXPECT_STREQ(test, field[9].name, "crb");
}

/* read_bytes adds MemData(TEE); write_bytes adds MemWr(TEE), MemWrPtl(TEE). */
static void lines_are_bytes(struct kunit *test)
{
	static const struct {
		const char *name;
		u64 whole;	/* with all events of the group */
		u64 part;	/* with events 0 to 3 */
	} lines[] = {
		{ "memdata_bytes", 0x1e98002500000001, 0x1e98002500000001 },
		{ "memwr_bytes", 0x1e98002100000002, 0x1e98002100000002 },
		{ "read_bytes", 0x1e98002500000005, 0x1e98002500000005 },
		{ "write_bytes", 0x1e98002100000606, 0x1e98002100000006 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		const struct cpmu_event *e = &cpmu_events[121 + i];

		KUNIT_EXPECT_STREQ(test, e->name, lines[i].name);
		KUNIT_EXPECT_TRUE(test, e->lines);
		setup(3);
		KUNIT_EXPECT_EQ(test, cpmu_event_of(&caps, e), 0ULL);
		caps.group[1].gid = e->gid;
		caps.group[1].mask = 0xffff;
		KUNIT_EXPECT_EQ(test, cpmu_event_of(&caps, e), lines[i].whole);
		caps.group[1].mask = 0xf;
		KUNIT_EXPECT_EQ(test, cpmu_event_of(&caps, e), lines[i].part);
		/* no sum if the other events are in a second register */
		caps.group[6].gid = e->gid;
		caps.group[6].mask = 0xfffc;
		caps.group[1].mask = 0x3;
		KUNIT_EXPECT_EQ(test, cpmu_event_of(&caps, e),
				i < 2 ? lines[i].whole : 0);
	}
}

/* All requests are one event if one register has all of them. */
static void all_of_a_group(struct kunit *test)
{
	const struct cpmu_event *req = &cpmu_events[125];
	const struct cpmu_event *completed = &cpmu_events[126];
	const struct cpmu_event *rwd = &cpmu_events[127];

	setup(3);
	KUNIT_EXPECT_STREQ(test, req->name, "m2s_req_all");
	KUNIT_EXPECT_STREQ(test, completed->name, "m2s_req_completed");
	KUNIT_EXPECT_STREQ(test, rwd->name, "m2s_rwd_all");
	KUNIT_EXPECT_EQ(test, cpmu_event_of(&caps, req), MEM(0xffff));
	KUNIT_EXPECT_EQ(test, cpmu_event_of(&caps, rwd), 0ULL);
	/* All but MemRdFwd 3, MemWrFwd 4, MemSpecRd 8 and MemSpecRdTEE 12 */
	KUNIT_EXPECT_EQ(test, cpmu_event_of(&caps, completed), MEM(0xeee7));
	caps.group[6].mask = 0x112;
	KUNIT_EXPECT_EQ(test, cpmu_event_of(&caps, completed), MEM(0x6));
	caps.group[6].mask = 0x1112;
	caps.group[1].mask = 0x1100;
	KUNIT_EXPECT_EQ(test, cpmu_event_of(&caps, completed), MEM(0x2));
	caps.group[6].mask = 0x1118;
	KUNIT_EXPECT_EQ(test, cpmu_event_of(&caps, completed), 0ULL);
	caps.group[1].mask = 0x6;
	caps.group[6].mask = 0xfff0;
	KUNIT_EXPECT_EQ(test, cpmu_event_of(&caps, req), 0ULL);
	/* A vendor's group with the same number is another group. */
	caps.group[6].vid = 0x1b00;
	KUNIT_EXPECT_EQ(test, cpmu_event_of(&caps, req), MEM(0x6));
	caps.group[1].mask = 0;
	KUNIT_EXPECT_EQ(test, cpmu_event_of(&caps, req), 0ULL);

	KUNIT_EXPECT_EQ(test, cpmu_event_of(&caps, &cpmu_events[0]),
			0x1e98000000000001ULL);
	KUNIT_EXPECT_EQ(test, cpmu_event_of(&caps, find(0x8001, 2)), QUEUE(4));
	KUNIT_EXPECT_EQ(test, cpmu_event_of(&caps, find(0x0010, 1)), 0ULL);
	/* narrow counters have fast events, for use with a threshold */
	caps.width = 26;
	KUNIT_EXPECT_EQ(test, cpmu_event_of(&caps, find(0x8001, 2)), QUEUE(4));
}

static struct kunit_case events_tests[] = {
	KUNIT_CASE(names_and_numbers),
	KUNIT_CASE(events_are_encoded),
	KUNIT_CASE(a_fixed_threshold_of_zero),
	KUNIT_CASE(a_snapshot_of_a_clock),
	KUNIT_CASE(filters_there_are),
	KUNIT_CASE(lines_are_bytes),
	KUNIT_CASE(all_of_a_group),
	{ }
};

struct kunit_suite cxl_events_suite = {
	.name = "pmon_cxl_events",
	.test_cases = events_tests,
};
