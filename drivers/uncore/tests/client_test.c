// SPDX-License-Identifier: GPL-2.0-only
/* contract: names-kernel encoding */
/*
 * Check client processors. Expected values: tables ptl_* and nvl_* in
 * arch/x86/events/intel/uncore_snb.c of Linux 7.3.
 */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include <pmon/box.h>

#include "build.h"
#include "suites.h"

static const struct uncore_platform *ptl(void)
{
	return uncore_platform_find(6, 0xcc);
}

static const struct uncore_platform *nvl(void)
{
	return uncore_platform_find(18, 1);
}

static void tables_are_behind_msrs(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, ptl()->memory.msr, 0x201e);
	KUNIT_EXPECT_FALSE(test, ptl()->memory.of_die);
	KUNIT_EXPECT_FALSE(test, ptl()->memory.unknown_model);
	KUNIT_EXPECT_EQ(test, nvl()->memory.msr, 0x711);
	KUNIT_EXPECT_FALSE(test, nvl()->memory.of_die);
	KUNIT_EXPECT_FALSE(test, nvl()->memory.unknown_model);
}

/* The MSR of the table is also read on unknown models. */
static void unknown_models_may_have_one(struct kunit *test)
{
	const struct uncore_platform *platform = uncore_platform_fallback(6, 0xff);
	/* Alder to Lunar Lake, Bartlett Lake, Gracemont: intel-family.h of Linux */
	static const u8 others[] = {
		0x97, 0x9a, 0xbe, 0xb7, 0xba, 0xbf, 0xac, 0xaa, 0xc5, 0xc6,
		0xb5, 0xd7, 0xbd,
	};
	size_t i;

	KUNIT_EXPECT_EQ(test, platform->memory.msr, 0x201e);
	KUNIT_EXPECT_TRUE(test, platform->memory.unknown_model);
	/* on these this MSR is the control of a box, or another register */
	for (i = 0; i < ARRAY_SIZE(others); i++) {
		platform = uncore_platform_fallback(6, others[i]);
		KUNIT_EXPECT_EQ_MSG(test, platform->memory.msr, 0, "model 0x%x",
				    others[i]);
		platform = uncore_platform_fallback(18, others[i]);
		KUNIT_EXPECT_EQ(test, platform->memory.msr, 0x201e);
	}
}

static const struct fixed_case {
	const char *name;
	u8 family, model;
	u16 id;
	u32 ctl, ctr;
	u64 enable;
} fixed_cases[] = {
	{ "cbox", 6, 0xcc, 0, 0x2442, 0x2448, BIT(22) },
	{ "cbox", 6, 0xcc, 5, 0x2492, 0x2498, BIT(22) },
	{ "ia_core_bridge", 6, 0xcc, 0, 0x2022, 0x2028, BIT(22) },
	{ "santa", 6, 0xd5, 1, 0x2422, 0x2428, BIT(22) },
	{ "cncu", 6, 0xcc, 0, 0x2402, 0x2408, BIT(22) },
	{ "cncu", 6, 0xcc, 1, 0x2542, 0x2548, BIT(22) },
	{ "cbox", 18, 3, 11, 0x21b2, 0x21b8, BIT(22) },
	{ "santa", 18, 1, 1, 0x2052, 0x2058, BIT(22) },
	{ "cncu", 18, 1, 0, 0x2022, 0x2028, BIT(22) },
};

static void fixed_case_desc(const struct fixed_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s %u, family %u", c->name,
		 c->id, c->family);
}

KUNIT_ARRAY_PARAM(fixed, fixed_cases, fixed_case_desc);

static void units_in_msrs(struct kunit *test)
{
	const struct fixed_case *c = test->param_value;
	const struct uncore_platform *platform =
		uncore_platform_find(c->family, c->model);
	const struct uncore_unlisted *fixed = platform->unlisted;
	static struct pmon_counter counter[PMON_COUNTERS_MAX];
	struct uncore_unit unit = {};
	struct pmon_layout layout;
	u64 enable;

	while (fixed->row && strcmp(fixed->row->pmu_type->name, c->name))
		fixed++;
	KUNIT_ASSERT_LT(test, c->id, fixed->end);
	uncore_unit_init_unlisted(fixed->row, c->id,
				  fixed->offset + fixed->step * c->id, &unit);
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&unit));
	KUNIT_EXPECT_FALSE(test, uncore_unit_is_listed(&unit));
	uncore_unit_layout(&unit, counter, &layout);
	KUNIT_EXPECT_STREQ(test, pmon_layout_valid(&layout, 0) ?: "nothing",
			   "nothing");
	KUNIT_EXPECT_EQ(test, layout.protocol->bytes, 0);
	KUNIT_EXPECT_EQ(test, unit.address + counter[0].ctl, c->ctl);
	KUNIT_EXPECT_EQ(test, unit.address + counter[0].ctr, c->ctr);
	KUNIT_EXPECT_EQ(test, counter[0].width, 48);
	enable = counter[0].kind == PMON_COUNTER_FIXED ?
			 counter[0].enable :
			 unit.row->pmu_type->ctl_set;
	KUNIT_EXPECT_EQ(test, enable, c->enable);
}

static void pmus_of_the_kernel(struct kunit *test)
{
	static const struct {
		const char *pmu;
		int kind;
	} cases[] = {
		{ "uncore_imc_1", 6 }, { "uncore_imc", 6 },
		{ "uncore_sncu", 34 }, { "uncore_hbo_0", 41 },
		{ "uncore_type_6_0", 6 }, { "uncore_cbox_5", 0xff00 },
		{ "uncore_ia_core_bridge", 0xff01 },
		{ "uncore_santa_1", 0xff02 }, { "uncore_cncu_0", 0xff03 },
		{ "uncore_imc_free_running_0",
		  6 | UNCORE_KIND_FREE_RUNNING },
		{ "uncore_cbox", 0xff00 }, { "uncore_cboxes_1", UNCORE_KIND_UNKNOWN },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, cases[i].kind,
				    uncore_platform_kind(ptl(), cases[i].pmu),
				    "%s", cases[i].pmu);
}

/* Counters are as in adl_uncore_imc_freerunning[], with 64 bits. */
static void memory_traffic_has_counters_of_64_bits(struct kunit *test)
{
	static const u32 places[] = { 0x40, 0x58, 0xa0 };
	static struct pmon_counter counter[PMON_COUNTERS_MAX];
	struct uncore_unit unit = {};
	struct pmon_layout layout;
	size_t i;

	uncore_unit_init_unlisted(ptl()->unlisted->row, 1, 0xfeddd800, &unit);
	uncore_unit_layout(&unit, counter, &layout);
	KUNIT_EXPECT_STREQ(test, pmon_layout_valid(&layout, 0) ?: "nothing",
			   "nothing");
	KUNIT_ASSERT_EQ(test, layout.counters, ARRAY_SIZE(places));
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		KUNIT_EXPECT_EQ(test, counter[i].ctr, places[i]);
		KUNIT_EXPECT_EQ(test, counter[i].width, 64);
		KUNIT_EXPECT_EQ(test, counter[i].config, 0x10ff + 0x1000 * i);
	}
	KUNIT_EXPECT_EQ(test, ptl()->unlisted->base, UNCORE_BASE_HOST_BAR);
}

/* Alder Lake's box control is at 0xc4, and its counters are at 0xe8. */
static void registers_are_aligned(struct kunit *test)
{
	static const struct {
		u64 address;
		u8 ctl, ctr;
		const char *field;
	} cases[] = {
		{ 0xfedcd9c4, 0x0c, 0x24, NULL },
		{ 0xfedcd9c4, 0x0c, 0x28, "address" },
		{ 0xfedcd9c8, 0x08, 0x24, "ctr_offset" },
		{ 0xfedcd9c6, 0x0a, 0x22, "address" },
	};
	struct uncore_unit unit;
	const char *field;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct spec spec = {
			.type = 6, .access = UNCORE_ACCESS_MMIO, .counters = 5,
			.width = 64, .address = cases[i].address,
			.ctl = cases[i].ctl, .ctr = cases[i].ctr,
		};

		spec_parse(&spec, ptl(), &unit);
		field = cases[i].field ?: "none";
		KUNIT_EXPECT_STREQ_MSG(test, unit.fault.field ?: "none", field,
				       "row %zu", i);
	}
}

/* A unit in MSRs is rejected if a table lists it. */
static void tables_name_no_msr(struct kunit *test)
{
	struct spec spec = spec_generic(UNCORE_ACCESS_MSR, 0);
	struct uncore_unit unit;

	spec_parse(&spec, ptl(), &unit);
	KUNIT_EXPECT_STREQ(test, unit.fault.field, "address");
}

static struct kunit_case client_cases[] = {
	KUNIT_CASE(tables_are_behind_msrs),
	KUNIT_CASE(unknown_models_may_have_one),
	KUNIT_CASE_PARAM(units_in_msrs, fixed_gen_params),
	KUNIT_CASE(pmus_of_the_kernel),
	KUNIT_CASE(memory_traffic_has_counters_of_64_bits),
	KUNIT_CASE(registers_are_aligned),
	KUNIT_CASE(tables_name_no_msr),
	{}
};

struct kunit_suite client_suite = {
	.name = "uncore_client",
	.test_cases = client_cases,
};
