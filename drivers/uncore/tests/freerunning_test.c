// SPDX-License-Identifier: GPL-2.0-only
/* contract: names links */
/* Check units that no table lists: free-running counters and links. */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include <pmon/box.h>

#include "build.h"
#include "suites.h"

static const struct uncore_unlisted *free_of(u8 model, unsigned int n)
{
	return &uncore_platform_find(6, model)->unlisted[n];
}

static struct uncore_unit iio(struct kunit *test, u8 model, u16 id, u64 address)
{
	struct uncore_unit unit = { .package = 3, .table = 5 };
	struct spec spec = spec_cha(0);

	spec.type = 1;
	spec.id = id;
	spec.address = address;
	spec_parse(&spec, uncore_platform_find(6, model), &unit);
	KUNIT_ASSERT_TRUE(test, uncore_unit_good(&unit));
	return unit;
}

struct register_case {
	u8 model;
	u16 id;
	u16 config;	/* unit mask and 0xff */
	u32 msr;
};

/* MSRs as in intel_uncore. 0x10ff: clock; 0x2<p>ff, 0x3<p>ff: port p in, out */
static const struct register_case register_cases[] = {
	{ 0x8f, 0, 0x10ff, 0x340e }, { 0x8f, 11, 0x10ff, 0x34be },
	{ 0x8f, 0, 0x20ff, 0x3800 }, { 0x8f, 11, 0x27ff, 0x38b7 },
	{ 0x8f, 0, 0x30ff, 0x3808 }, { 0x8f, 2, 0x35ff, 0x382d },
	{ 0xcf, 1, 0x21ff, 0x3811 }, { 0xad, 0, 0x10ff, 0x290e },
	{ 0xad, 15, 0x10ff, 0x29fe }, { 0xad, 0, 0x20ff, 0x360e },
	{ 0xad, 1, 0x27ff, 0x36fe }, { 0xaf, 0, 0x30ff, 0x2e0e },
	{ 0xad, 3, 0x32ff, 0x2fae },
};

static struct pmon_counter counters[PMON_COUNTERS_MAX];

static void registers_by_event(struct kunit *test)
{
	const struct register_case *c = register_cases;
	struct uncore_unit companion;
	struct pmon_layout layout;
	u64 msr;
	size_t i, n;

	for (i = 0; i < ARRAY_SIZE(register_cases); i++, c++) {
		uncore_unit_init_unlisted(free_of(c->model, 0)->row, c->id, 0,
					  &companion);
		uncore_unit_layout(&companion, counters, &layout);
		msr = 0;
		for (n = 0; n < layout.counters; n++)
			if (counters[n].config == c->config)
				msr = companion.address + counters[n].ctr;
		KUNIT_EXPECT_EQ_MSG(test, msr, c->msr, "config 0x%x",
				    c->config);
	}
}

static void companion_of_a_stack(struct kunit *test)
{
	struct uncore_unit unit = iio(test, 0x8f, 2, 0x3020), companion;
	struct pmon_layout layout;

	uncore_unit_init_unlisted(free_of(0x8f, 0)->row, 2, 0, &companion);
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&companion));
	KUNIT_EXPECT_TRUE(test, companion.free_running);
	KUNIT_EXPECT_EQ(test, companion.id, 2);
	KUNIT_EXPECT_EQ(test, companion.counters, 17);
	/* other units may lie behind the first MSR, but not on it */
	KUNIT_EXPECT_EQ(test, companion.span, 1);
	KUNIT_EXPECT_NE(test, uncore_unit_kind(&companion),
			uncore_unit_kind(&unit));
	KUNIT_EXPECT_STREQ(test, companion.row->pmu_type->name,
			   "iio_free_running");
	uncore_unit_layout(&companion, counters, &layout);
	KUNIT_EXPECT_EQ(test, layout.counters, 17);
	KUNIT_EXPECT_TRUE(test, pmon_layout_is_free_running(&layout));
	KUNIT_EXPECT_NULL(test, pmon_layout_valid(&layout, 0));
	/* counters of 48 bits are read once a minute, the longest period */
	KUNIT_ASSERT_NOT_NULL(test, layout.protocol);
	KUNIT_EXPECT_EQ(test, pmon_layout_period_ns(&layout), 60000000000ULL);
	/* 16 lanes at 64 GT/s, in units of 4 bytes */
	KUNIT_EXPECT_GE(test, 1ULL << layout.protocol->rate_log2, 32000000000ULL);
}

/* Free-running counters exist if the IIO unit is listed and good. */
static void companions_of_good_units(struct kunit *test)
{
	struct uncore_unit units[] = {
		iio(test, 0xad, 15, 0x3000), iio(test, 0xad, 3, 0x3010),
		iio(test, 0xad, 4, 0x3020), iio(test, 0xad, 5, 0x3030),
	};
	u16 n;

	uncore_unit_reject(&units[2], "width", 7, "too narrow");
	units[3].type = 2;
	for (n = 0; n < 16; n++)
		KUNIT_EXPECT_EQ_MSG(test, n == 3 || n == 15,
				    uncore_unlisted_is_missing(free_of(0xad, 0),
							       n, units, 4),
				    "%u", n);
	KUNIT_EXPECT_EQ(test, free_of(0xad, 0)->end, 16);
	for (n = 0; n < 4; n++)
		units[n].type = 6;
	/* channels 15, 3, 5 belong to controllers 7, 1, 2: two for each */
	for (n = 0; n < 8; n++)
		KUNIT_EXPECT_EQ_MSG(test, n == 1 || n == 2 || n == 7,
				    uncore_unlisted_is_missing(free_of(0x8f, 1),
							       n, units, 4),
				    "%u", n);
	/* controller 1 is added already, and is not channel 1 of controller 0 */
	uncore_unit_init_unlisted(free_of(0x8f, 1)->row, 1, 0x800000, &units[1]);
	for (n = 0; n < 8; n++)
		KUNIT_EXPECT_EQ_MSG(test, n == 2 || n == 7,
				    uncore_unlisted_is_missing(free_of(0x8f, 1),
							       n, units, 4),
				    "%u", n);
}

static void memory_controllers_have_three_counters(struct kunit *test)
{
	struct uncore_unit unit = {};
	struct pmon_layout layout;

	uncore_unit_init_unlisted(free_of(0x8f, 1)->row, 3, 0xc8a80000, &unit);
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&unit));
	KUNIT_EXPECT_EQ(test, unit.id, 3);
	KUNIT_EXPECT_EQ(test, unit.number, 3);
	KUNIT_EXPECT_EQ(test, unit.width, 48);
	KUNIT_EXPECT_EQ(test, unit.counters, 3);
	KUNIT_EXPECT_EQ(test, unit.span, 0x2328);
	KUNIT_EXPECT_EQ(test, unit.access, UNCORE_ACCESS_MMIO);
	uncore_unit_layout(&unit, counters, &layout);
	KUNIT_EXPECT_EQ(test, layout.counters, 3);
	KUNIT_EXPECT_EQ(test, counters[0].config, 0x10ff);
	KUNIT_EXPECT_EQ(test, counters[0].ctr, 0x22b0);
	KUNIT_EXPECT_EQ(test, counters[1].config, 0x20ff);
	KUNIT_EXPECT_EQ(test, counters[1].ctr, 0x2318);
	KUNIT_EXPECT_EQ(test, counters[2].config, 0x21ff);
	KUNIT_EXPECT_EQ(test, counters[2].ctr, 0x2320);
	KUNIT_EXPECT_NULL(test, pmon_layout_valid(&layout, unit.span));
	KUNIT_EXPECT_EQ(test, free_of(0x8f, 1)->base, UNCORE_BASE_MEM_BAR);
	KUNIT_EXPECT_TRUE(test, !free_of(0xad, 1)->row);
}

/* A unit of 0x18 bytes at @offset in an inbound traffic controller (ITC) */
struct beside_case {
	u32 offset;
	bool overlaps;
};

/* Counter groups are at 0x4d40, 0x6b00, 0x6b60, 0x6bb0; the last has 8 bytes. */
static const struct beside_case beside_cases[] = {
	{ 0, false }, { 0x4c00, false }, { 0x4d28, false }, { 0x4d30, true },
	{ 0x4d50, true }, { 0x4d78, true }, { 0x4d80, false },
	{ 0x6a80, false }, { 0x6ae8, false }, { 0x6af0, true },
	{ 0x6b38, true }, { 0x6b40, false }, { 0x6b48, false },
	{ 0x6b50, true }, { 0x6b98, true }, { 0x6ba0, true },
	{ 0x6bb0, true }, { 0x6bb8, false },
};

static struct uncore_unit dmr_unit(struct kunit *test, u16 type, u16 id,
				   u64 address)
{
	struct spec spec = {
		.type = type, .id = id, .access = UNCORE_ACCESS_MMIO,
		.counters = 1, .width = 48, .ctl = 0x8, .ctr = 0x10,
		.address = address,
	};
	struct uncore_unit unit = {};

	spec_parse(&spec, dmr(), &unit);
	KUNIT_ASSERT_TRUE(test, uncore_unit_good(&unit));
	KUNIT_EXPECT_EQ(test, unit.span, 0x18);
	return unit;
}

/* Make the free-running counters of an ITC, in table 1. */
static struct uncore_unit dmr_space(u16 id)
{
	struct uncore_unit unit = {};

	uncore_unit_init_unlisted(dmr()->unlisted->row, id,
				  0x1ffff6ae7000 + 0x8000 * id, &unit);
	unit.table = 1;
	return unit;
}

/* Units may lie between groups of counters; overlaps reject the later unit. */
static void units_in_a_space(struct kunit *test)
{
	const struct beside_case *c = beside_cases;
	struct uncore_unit space, other, *list[2] = { &space, &other };
	size_t i, n;

	for (i = 0; i < 8 * ARRAY_SIZE(beside_cases); i++) {
		n = i / 8;
		space = dmr_space(i % 4);
		other = dmr_unit(test, 49, 0, space.address + c[n].offset);
		other.table = i & 4 ? 2 : 0;
		uncore_units_resolve(list, 2, no_limit);
		KUNIT_EXPECT_EQ_MSG(test, uncore_unit_good(&space),
				    !c[n].overlaps || other.table, "0x%x",
				    c[n].offset);
		KUNIT_EXPECT_EQ_MSG(test, uncore_unit_good(&other),
				    !c[n].overlaps || !other.table, "0x%x",
				    c[n].offset);
	}
}

/* Detect that two units overlap even if a third starts between them. */
static void units_around_a_space(struct kunit *test)
{
	struct uncore_unit space = dmr_space(2), again = space;
	struct uncore_unit low = dmr_unit(test, 49, 0, space.address - 0x10);
	struct uncore_unit high = dmr_unit(test, 49, 1, space.address);
	struct uncore_unit *list[] = { &again, &high, &low, &space };

	high.table = 2;
	again.table = 3;
	again.number = 4;
	uncore_units_resolve(list, ARRAY_SIZE(list), no_limit);
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&low));
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&space));
	KUNIT_EXPECT_FALSE(test, uncore_unit_good(&high));
	KUNIT_EXPECT_FALSE(test, uncore_unit_good(&again));
	KUNIT_ASSERT_NOT_NULL(test, again.fault.field);
	KUNIT_EXPECT_STREQ(test, again.fault.field, "address");
}

/* A unit that is rejected for an overlap causes no further rejection. */
static void losers_around_a_space(struct kunit *test)
{
	struct uncore_unit space = dmr_space(2);
	struct uncore_unit low = dmr_unit(test, 49, 0, space.address + 0x4d20);
	struct uncore_unit loser = dmr_unit(test, 49, 1,
					    space.address + 0x4d30);
	struct uncore_unit *list[] = { &space, &loser, &low };

	loser.table = 1;
	space.table = 2;
	uncore_units_resolve(list, ARRAY_SIZE(list), no_limit);
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&low));
	KUNIT_EXPECT_FALSE(test, uncore_unit_good(&loser));
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&space));
}

/*
 * If two units overlap only in the second group of one and the third group of
 * the other, the later unit is rejected.
 */
static void spaces_that_overlap(struct kunit *test)
{
	struct uncore_unit space = dmr_space(2), other = space;
	struct uncore_unit *list[] = { &other, &space };

	other.number = 4;
	other.table = 2;
	other.address += 0x6b60 - 0x6b00;
	uncore_units_resolve(list, ARRAY_SIZE(list), no_limit);
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&space));
	KUNIT_EXPECT_FALSE(test, uncore_unit_good(&other));
}

/*
 * A counter in memory and an MSR with the same address do not overlap, in any
 * package.
 */
static void spaces_and_msrs_are_apart(struct kunit *test)
{
	struct uncore_unit space = {}, msr, *list[] = { &space, &msr };
	u16 package;

	for (package = 0; package < 8; package++) {
		uncore_unit_init_unlisted(free_of(0x8f, 1)->row, 3, 0x1000, &space);
		msr = iio(test, 0x8f, 2, 0x1000 + 0x22b0);
		msr.package = package;
		uncore_units_resolve(list, ARRAY_SIZE(list), no_limit);
		KUNIT_EXPECT_TRUE_MSG(test, uncore_unit_good(&space),
				      "package %u", package);
		KUNIT_EXPECT_TRUE_MSG(test, uncore_unit_good(&msr),
				      "package %u", package);
	}
}

/* A unit made from a link equals the unit of a correct table. */
static void links_as_a_table_has_them(struct kunit *test)
{
	u64 address = pci_address(1, 0x7e, 2 << 3 | 1, 0x318);
	const struct uncore_link *links = spr()->links;
	struct uncore_unit expected = {}, unit = {};
	struct spec spec = spec_upi(1);

	spec.status = 0;
	spec.address = address;
	spec_parse(&spec, spr(), &expected);
	uncore_unit_init_unlisted(uncore_platform_row(spr(), links[0].type,
						      UNCORE_ACCESS_PCI, address),
				  1, address, &unit);
	KUNIT_EXPECT_EQ(test, memcmp(&unit, &expected, sizeof(unit)), 0);
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&unit));
	unit = (struct uncore_unit){};
	address = pci_address(0, 0xfe, 0x41, 0xa0);
	uncore_unit_init_unlisted(uncore_platform_row(spr(), links[1].type,
						      UNCORE_ACCESS_PCI, address),
				  3, address, &unit);
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&unit));
	KUNIT_EXPECT_STREQ(test, unit.row->pmu_type->name, "m3upi");
	KUNIT_EXPECT_EQ(test, unit.id, 3);
}

static struct kunit_case free_tests[] = {
	KUNIT_CASE(registers_by_event),
	KUNIT_CASE(companion_of_a_stack),
	KUNIT_CASE(companions_of_good_units),
	KUNIT_CASE(memory_controllers_have_three_counters),
	KUNIT_CASE(units_in_a_space),
	KUNIT_CASE(units_around_a_space),
	KUNIT_CASE(losers_around_a_space),
	KUNIT_CASE(spaces_that_overlap),
	KUNIT_CASE(spaces_and_msrs_are_apart),
	KUNIT_CASE(links_as_a_table_has_them),
	{}
};

struct kunit_suite free_suite = {
	.name = "uncore_free",
	.test_cases = free_tests,
};
