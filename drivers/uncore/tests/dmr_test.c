// SPDX-License-Identifier: GPL-2.0-only
/* contract: names encoding groups */
/*
 * Check Diamond Rapids. Expected values: dmr_uncores[] and the constraints
 * after it in arch/x86/events/intel/uncore_snbep.c of Linux 7.3, except for the
 * conflict of "inv" and "thresh", see platform.c.
 */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include <pmon/box.h>

#include "../../core/box_hw.h"
#include "build.h"
#include "suites.h"

static struct spec spec_dmr(u16 type, u16 id)
{
	return (struct spec){
		.type = type, .id = id, .access = UNCORE_ACCESS_MMIO,
		.counters = 4, .width = 48, .ctl = 0x40, .ctr = 0x20,
		.address = 0xd0002800 + 0x8000 * id,
	};
}

static bool parse(const struct uncore_platform *platform, struct spec spec,
		  struct uncore_unit *unit)
{
	spec_parse(&spec, platform, unit);
	return uncore_unit_good(unit);
}

struct type_case {
	u16 type;
	const char *name;
	u64 mask;
	u64 narrow;	/* @mask with controls of 32 bits */
};

#define LOW	0xff84ffff

static const struct type_case type_cases[] = {
	{ 4, "pcu", LOW, LOW }, { 5, "ubox", LOW, LOW },
	/* without "inv": the bit belongs to thresh */
	{ 6, "imc", 0x1ff84ffff, LOW },
	{ 23, "sca", 0xffffffffULL << 32 | LOW, LOW },
	{ 24, "cxlcm", 0xfffa4ffff, 0xffa4ffff },
	{ 30, "hamvf", 0xffffffffULL << 32 | LOW, LOW },
	{ 31, "cbo", 0xffffffffULL << 32 | LOW, LOW },
	{ 32, "santa", LOW, LOW }, { 33, "cncu", LOW, LOW },
	{ 34, "sncu", LOW, LOW },
	{ 35, "ula", 0xffffffffULL << 32 | LOW, LOW },
	{ 36, "dda", 0xffffffffULL << 32 | LOW, LOW },
	{ 38, "sbo", 0xffffffffULL << 32 | LOW, LOW },
	{ 43, "ubr", 0xffffffffULL << 32 | LOW, LOW },
	{ 45, "pcie4", 0xffffffULL << 32 | LOW, LOW },
	{ 46, "crs", LOW, LOW },
	{ 47, "cpc", 0xffffffffULL << 32 | LOW, LOW },
	{ 48, "itc", 0xffffffffULL << 32 | LOW, LOW },
	{ 49, "otc", 0xffffffffULL << 32 | LOW, LOW },
	{ 50, "cms", LOW, LOW },
	{ 51, "pcie6", 0xffffffULL << 32 | LOW, LOW },
};

static struct pmon_counter counters[PMON_COUNTERS_MAX];

/* Check that controls have bits for all fields and are far enough apart. */
static void check_type(struct kunit *test,
		       const struct uncore_platform *platform,
		       const struct type_case *c, u64 mask, u8 bytes)
{
	u64 covered[PMON_CONFIG_WORDS];
	struct uncore_unit unit = {};
	struct pmon_layout layout;

	KUNIT_ASSERT_TRUE_MSG(test, parse(platform, spec_dmr(c->type, 0), &unit),
			      "type %u: %s", c->type, unit.fault.reason);
	KUNIT_EXPECT_STREQ(test, unit.row->pmu_type->name, c->name);
	pmon_fields_cover(unit.row->pmu_type->fields, covered);
	KUNIT_EXPECT_EQ_MSG(test, covered[0], mask, "%s", c->name);
	uncore_unit_layout(&unit, counters, &layout);
	KUNIT_EXPECT_EQ_MSG(test, layout.ctl_bytes, bytes, "%s", c->name);
	KUNIT_EXPECT_EQ(test, counters[3].ctl, 0x40 + 3 * bytes);
	KUNIT_EXPECT_EQ(test, counters[3].ctr, 0x38);
	KUNIT_EXPECT_EQ(test, layout.protocol->bytes, 4);
}

static void types_and_masks(struct kunit *test)
{
	const struct type_case *c = type_cases;
	size_t i;

	KUNIT_EXPECT_EQ(test, ARRAY_SIZE(type_cases), dmr()->nr_rows);
	for (i = 0; i < ARRAY_SIZE(type_cases); i++, c++) {
		check_type(test, dmr(), c, c->mask, c->mask >> 32 ? 8 : 4);
		check_type(test, uncore_platform_narrow(dmr()), c, c->narrow, 4);
	}
}

/* Events from first to last that only some counters count */
static const struct range_case {
	u16 type;
	u8 first, last, counters;
} range_cases[] = {
	{ 24, 0x01, 0x24, 0x0f }, { 24, 0x41, 0x41, 0xf0 },
	{ 24, 0x50, 0x5e, 0xf0 }, { 24, 0x60, 0x61, 0xf0 },
	{ 31, 0x11, 0x11, 1 }, { 31, 0x19, 0x1a, 1 }, { 31, 0x1f, 0x1f, 1 },
	{ 31, 0x21, 0x21, 1 }, { 31, 0x25, 0x25, 1 }, { 31, 0x36, 0x36, 1 },
	{ 38, 0x1f, 0x1f, 1 }, { 38, 0x25, 0x25, 1 },
};

static void counters_of_events(struct kunit *test)
{
	const struct range_case *c = range_cases;
	const struct pmon_layout layout = { .general = 0xff };
	const struct uncore_row *row;
	unsigned int n;

	for (; c < range_cases + ARRAY_SIZE(range_cases); c++) {
		row = uncore_platform_row(dmr(), c->type, UNCORE_ACCESS_MMIO, 0);
		for (n = c->first - 1; n <= c->last + 1; n++)
			KUNIT_EXPECT_EQ_MSG(test, pmon_allowed(row->pmu_type, &layout, n),
					    n < c->first || n > c->last ? 0xff : c->counters,
					    "type %u event 0x%x", c->type, n);
	}
}

/* format_attr_thresh_ext to format_attr_port_sel of Linux */
static void terms_of_pcie(struct kunit *test)
{
	static const char * const names[] = {
		"thresh_ext", "rs3_sel", "rx_sel", "tx_sel", "iep_sel", "vc_sel",
		"port_sel"
	};
	static const u8 first[] = { 32, 36, 37, 38, 39, 40, 48, 56 };
	const struct uncore_row *row =
		uncore_platform_row(dmr(), 45, UNCORE_ACCESS_MMIO, 0);
	const struct pmon_field *field = row->pmu_type->fields + 5;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		KUNIT_EXPECT_STREQ(test, field[i].name, names[i]);
		KUNIT_EXPECT_EQ(test, field[i].mask,
				GENMASK_ULL(first[i + 1] - 1, first[i]));
	}
}

/* A control in configuration space has 8 bytes, whatever the fields are. */
static void controls_in_pci(struct kunit *test)
{
	const struct uncore_platform *platform;
	struct spec spec = spec_dmr(23, 0);
	struct uncore_unit unit = {};
	struct pmon_layout layout;
	unsigned int i;

	spec.access = UNCORE_ACCESS_PCI;
	spec.address = pci_address(0, 0x7e, 0x11, 0x318);
	for (i = 0; i < 4; i++) {
		spec.type = i & 1 ? 5 : 23;
		platform = i & 2 ? uncore_platform_narrow(dmr()) : dmr();
		KUNIT_ASSERT_TRUE(test, parse(platform, spec, &unit));
		uncore_unit_layout(&unit, counters, &layout);
		KUNIT_EXPECT_EQ(test, layout.ctl_bytes, 8);
		KUNIT_EXPECT_EQ(test, counters[1].ctl, 0x48);
	}
}

static void units_in_msrs_are_rejected(struct kunit *test)
{
	struct spec spec = spec_cha(0);
	struct uncore_unit unit = {};

	spec.type = 99;
	KUNIT_EXPECT_FALSE(test, parse(dmr(), spec, &unit));
	KUNIT_EXPECT_STREQ(test, unit.fault.field, "address");
	spec.type = 31;
	KUNIT_EXPECT_FALSE(test, parse(dmr(), spec, &unit));
	KUNIT_EXPECT_STREQ(test, unit.fault.field, "access");
}

/* A memory controller's fixed counter lies between the listed registers. */
static void fixed_counter_is_between_listed_registers(struct kunit *test)
{
	struct spec spec = spec_dmr(6, 0);
	struct uncore_unit unit = {};
	struct pmon_layout layout;

	KUNIT_ASSERT_TRUE(test, parse(dmr(), spec, &unit));
	uncore_unit_layout(&unit, counters, &layout);
	KUNIT_ASSERT_EQ(test, layout.counters, 5);
	KUNIT_EXPECT_EQ(test, counters[4].ctl, 0x10);
	KUNIT_EXPECT_EQ(test, counters[4].ctr, 0x18);
	KUNIT_EXPECT_EQ(test, counters[4].width, 48);
	KUNIT_EXPECT_EQ(test, counters[4].enable, BIT(22));
	KUNIT_EXPECT_NULL(test, pmon_layout_valid(&layout, unit.span));
	/* the listed registers are aligned, the fixed counter is not */
	spec.address += 4;
	spec.ctl = 0x44;
	spec.ctr = 0x24;
	KUNIT_EXPECT_FALSE(test, parse(dmr(), spec, &unit));
	KUNIT_EXPECT_STREQ(test, unit.fault.field ?: "none", "address");
	spec = spec_dmr(6, 0);
	spec.ctr = 0x18;
	KUNIT_EXPECT_FALSE(test, parse(dmr(), spec, &unit));
	KUNIT_EXPECT_STREQ(test, unit.fault.field, "ctr_offset");
	spec.ctr = 0x40;
	spec.ctl = 0x10;
	KUNIT_EXPECT_FALSE(test, parse(dmr(), spec, &unit));
	KUNIT_EXPECT_STREQ(test, unit.fault.field, "ctl_offset");
	/* a second wide control overlaps the fixed counter */
	spec.counters = 1;
	spec.ctl = 0x8;
	KUNIT_EXPECT_TRUE(test, parse(dmr(), spec, &unit));
	spec.counters = 2;
	KUNIT_EXPECT_FALSE(test, parse(dmr(), spec, &unit));
	KUNIT_EXPECT_TRUE(test, parse(uncore_platform_narrow(dmr()), spec, &unit));
}

static void ignored_types_are_no_units(struct kunit *test)
{
	u64 records[2 * UNCORE_RECORD_QWORDS];
	struct uncore_unit units[2] = {};
	unsigned int i;

	KUNIT_EXPECT_EQ(test, dmr()->roots, 2);
	KUNIT_EXPECT_EQ(test, dmr()->ignored, 0x13);
	KUNIT_EXPECT_EQ(test, dmr()->memory.msr, 0x710);
	KUNIT_EXPECT_EQ(test, dmr()->memory.ignored, 0x25);
	KUNIT_EXPECT_TRUE(test, dmr()->memory.of_die);
	KUNIT_EXPECT_FALSE(test, dmr()->memory.unknown_model);
	for (i = 0; i < ARRAY_SIZE(units); i++) {
		const struct spec spec = spec_dmr(i ? 0x25 : 0x13, 0);

		spec_record(&spec, records + i * UNCORE_RECORD_QWORDS);
	}
	uncore_table_units(records, dmr(), 0, units, 2);
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&units[0]));
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&units[1]));
	uncore_table_units(records, dmr(), 0x25, units, 2);
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&units[0]));
	KUNIT_EXPECT_FALSE(test, uncore_unit_good(&units[1]));
	KUNIT_EXPECT_NULL(test, units[1].fault.field);
	/* not even if the record is wrong: no counters */
	records[UNCORE_RECORD_QWORDS] &= ~0xffULL;
	uncore_table_units(records, dmr(), 0x25, units, 2);
	KUNIT_EXPECT_TRUE(test, units[1].empty);
	KUNIT_EXPECT_NULL(test, units[1].fault.field);
}

#define ITC	48

struct space_case {
	u16 ids[5];
	u16 spaces;	/* expected units of free-running counters */
};

/* Up to four ITCs with ids below 0x8000 have units of free-running counters. */
static const struct space_case space_cases[] = {
	{ { 0, 1, 2, 3, 0x8000 }, 4 },
	{ { 0, 1, 0x8000, 0x8001, 0x8002 }, 2 },
	/* intel_uncore reads past the end of an array here */
	{ { 4, 3, 1, 0, 0x7fff }, 4 },
	{ { 0x8000, 0x8001, 0x8002, 0x8003, 0x8004 }, 0 },
};

static const u64 space_addresses[] = {
	0x1ffff6ae7000, 0x1ffff6aef000, 0x1ffff6aff000, 0x1ffff6b07000,
};

/* Count the units of free-running counters if a table lists @units. */
static unsigned int count_spaces(struct kunit *test,
				 const struct uncore_unit *units)
{
	const struct uncore_unlisted *unlisted = dmr()->unlisted;
	unsigned int n, spaces = 0;

	for (; unlisted->row; unlisted++) {
		KUNIT_EXPECT_TRUE(test, unlisted->first_package);
		for (n = unlisted->first; n < unlisted->end; n++) {
			KUNIT_ASSERT_LT(test, n, ARRAY_SIZE(space_addresses));
			KUNIT_EXPECT_EQ(test, space_addresses[n],
					unlisted->offset + unlisted->step * n);
			spaces += uncore_unlisted_is_missing(unlisted, n,
							     units, 5);
		}
	}
	return spaces;
}

static void free_running_spaces(struct kunit *test)
{
	const struct space_case *c = space_cases;
	struct uncore_unit units[5];
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(space_cases); i++, c++) {
		memset(units, 0, sizeof(units));
		for (j = 0; j < ARRAY_SIZE(units); j++)
			KUNIT_ASSERT_TRUE(test,
					  parse(dmr(), spec_dmr(ITC, c->ids[j]),
						&units[j]));
		KUNIT_EXPECT_EQ_MSG(test, count_spaces(test, units), c->spaces,
				    "case %zu", i);
	}
	/* no free-running counters for another type or an unused record */
	for (j = 0; j < ARRAY_SIZE(units); j++)
		units[j].id = j;
	units[3].type = 49;
	units[4].empty = true;
	KUNIT_EXPECT_EQ(test, count_spaces(test, units), 3);
}

/* Make the free-running counters of ITC @n. */
static struct uncore_unit space_of(u16 n)
{
	struct uncore_unit unit = {};

	uncore_unit_init_unlisted(dmr()->unlisted->row, n, space_addresses[n],
				  &unit);
	return unit;
}

/* intel_uncore has separate PMUs for free-running counters. */
static void free_running_pmus_of_others(struct kunit *test)
{
	struct uncore_unit itc = {}, unit = space_of(0);
	int kind = uncore_platform_kind(dmr(), "uncore_iio_free_running_2");

	KUNIT_ASSERT_TRUE(test, parse(dmr(), spec_dmr(ITC, 2), &itc));
	KUNIT_EXPECT_EQ(test, kind, (int)uncore_unit_kind(&unit));
	KUNIT_EXPECT_EQ(test, uncore_platform_kind(dmr(), "uncore_itc_2"),
			(int)uncore_unit_kind(&itc));
	KUNIT_EXPECT_NE(test, kind, (int)uncore_unit_kind(&itc));
	KUNIT_EXPECT_EQ(test, uncore_platform_kind(dmr(), "uncore_iio_2"),
			(int)UNCORE_KIND_UNKNOWN);
	KUNIT_EXPECT_EQ(test, uncore_platform_kind(dmr(),
						   "uncore_imc_free_running_0"),
			(int)UNCORE_KIND_UNKNOWN);
}

/* Offset of each event's counter, as in dmr_iio_freerunning[] of Linux. */
static const struct {
	u16 config;
	u32 offset;
} free_cases[] = {
	{ 0x10ff, 0x4d40 }, { 0x17ff, 0x4d78 }, { 0x20ff, 0x6b00 },
	{ 0x27ff, 0x6b38 }, { 0x30ff, 0x6b60 }, { 0x37ff, 0x6b98 },
	{ 0x40ff, 0x6bb0 },
};

static void free_running_counters(struct kunit *test)
{
	struct uncore_unit unit = space_of(1);
	struct pmon_layout layout;
	unsigned int n, found;
	size_t i;

	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&unit));
	KUNIT_EXPECT_EQ(test, unit.number, 1);
	KUNIT_EXPECT_LE(test, unit.span, 0x8000);
	KUNIT_EXPECT_EQ(test, unit.counters, 25);
	uncore_unit_layout(&unit, counters, &layout);
	KUNIT_EXPECT_NULL(test, pmon_layout_valid(&layout, unit.span));
	for (i = 0; i < ARRAY_SIZE(free_cases); i++) {
		found = 0;
		for (n = 0; n < layout.counters; n++) {
			if (counters[n].config != free_cases[i].config)
				continue;
			found++;
			KUNIT_EXPECT_EQ(test, counters[n].ctr,
					free_cases[i].offset);
		}
		KUNIT_EXPECT_EQ(test, found, 1);
	}
}

struct number_case {
	u16 package;
	u16 die;	/* 0: table of the whole package */
	u16 id;
	u32 number;
	bool other;	/* another type */
};

/* Each row is a unit in a separate table, in the order of reading. */
static const struct number_case number_cases[] = {
	/* hubs: one in each of two packages, then a second hub in package 0 */
	{ 0, 0, 0, 0 }, { 1, 0, 0, 0 }, { 0, 0, 0, 0x10000 },
	/* a second hub may use ids from 0x8000 on; then the id is the number */
	{ 0, 0, 0x8000, 0x8000 },
	/*
	 * core blocks have the same number on all dies, never a hub's number,
	 * because a PMU has boxes of packages or of dies, not both
	 */
	{ 0, 1, 0, 0x20000 }, { 0, 2, 0, 0x20000 }, { 1, 3, 0, 0x20000 },
	/* a second block on die 1 */
	{ 0, 1, 0, 0x30000 },
	/* an id that no hub has is the number, except in a die's second block */
	{ 0, 1, 5, 5 }, { 0, 2, 5, 5 }, { 0, 2, 5, 0x10005 },
	/* units of another type are numbered independently */
	{ 0, 0, 0, 0, true }, { 0, 0, 0x8000, 0x8000, true },
};

#define NUMBER_CASES	ARRAY_SIZE(number_cases)

static void number_all(struct uncore_unit *units, size_t count)
{
	struct uncore_unit *list[NUMBER_CASES];
	size_t i;

	for (i = 0; i < count; i++)
		list[i] = &units[count - 1 - i];
	uncore_units_assign_numbers(list, count);
	uncore_units_resolve(list, count, no_limit);
}

static void make_units(struct kunit *test, struct uncore_unit *units)
{
	struct spec spec;
	size_t i;

	memset(units, 0, NUMBER_CASES * sizeof(*units));
	for (i = 0; i < NUMBER_CASES; i++) {
		spec = spec_dmr(number_cases[i].other ? 34 : 35,
				number_cases[i].id);
		spec.address = 0xd0000000 + 0x1000 * i;
		KUNIT_ASSERT_TRUE(test, parse(dmr(), spec, &units[i]));
		units[i].package = number_cases[i].package;
		units[i].die = number_cases[i].die;
		units[i].table = i;
	}
}

static void units_with_equal_ids_have_own_numbers(struct kunit *test)
{
	struct uncore_unit units[NUMBER_CASES];
	size_t i;

	KUNIT_EXPECT_TRUE(test, dmr()->repeats_ids);
	make_units(test, units);
	number_all(units, NUMBER_CASES);
	for (i = 0; i < NUMBER_CASES; i++) {
		KUNIT_EXPECT_TRUE_MSG(test, uncore_unit_good(&units[i]),
				      "case %zu", i);
		KUNIT_EXPECT_EQ_MSG(test, units[i].number,
				    number_cases[i].number, "case %zu", i);
	}
}

/* A unit's number stays when tables are removed and added. */
static void numbers_stay_when_tables_come_and_go(struct kunit *test)
{
	struct uncore_unit units[NUMBER_CASES];
	size_t i;

	make_units(test, units);
	number_all(units, NUMBER_CASES);
	number_all(units + 4, NUMBER_CASES - 4);
	for (i = 4; i < NUMBER_CASES; i++)
		KUNIT_EXPECT_EQ_MSG(test, units[i].number,
				    number_cases[i].number, "case %zu", i);
	/* the first hub returns as the last table, and gets number 0 again */
	units[0].numbered = false;
	units[0].table = 100;
	number_all(units, NUMBER_CASES);
	KUNIT_EXPECT_EQ(test, units[0].number, 0);
	/* a unit that was rejected after that keeps its number */
	uncore_unit_reject(&units[0], "address", units[0].address, "is odd");
	units[2].numbered = false;
	units[2].number = units[2].id;
	number_all(units, NUMBER_CASES);
	KUNIT_EXPECT_EQ(test, units[2].number, 0x10000);
}

/* A rejected unit takes no number from a good unit. */
static void no_number_is_wasted(struct kunit *test)
{
	struct uncore_unit units[NUMBER_CASES];

	make_units(test, units);
	uncore_unit_reject(&units[0], "address", units[0].address, "is odd");
	number_all(units, NUMBER_CASES);
	KUNIT_EXPECT_FALSE(test, units[0].numbered);
	KUNIT_EXPECT_EQ(test, units[1].number, 0);
	KUNIT_EXPECT_EQ(test, units[2].number, 0);
	KUNIT_EXPECT_EQ(test, units[4].number, 0x10000);
	KUNIT_EXPECT_EQ(test, units[7].number, 0x20000);
}

/* Equal ids in one table are an error. */
static void equal_ids_in_a_table(struct kunit *test)
{
	struct uncore_unit units[NUMBER_CASES];

	make_units(test, units);
	units[2].table = 0;
	units[2].index = 1;
	number_all(units, 3);
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&units[0]));
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&units[1]));
	KUNIT_EXPECT_FALSE(test, uncore_unit_good(&units[2]));
	KUNIT_EXPECT_STREQ(test, units[2].fault.field, "id");
}

/* Units with equal ids on different dies are different units. */
static void dies_are_places(struct kunit *test)
{
	struct uncore_unit units[3], *list[3] = { &units[2], &units[1], units };
	size_t i;

	memset(units, 0, sizeof(units));
	for (i = 0; i < 3; i++) {
		KUNIT_ASSERT_TRUE(test, parse(dmr(), spec_dmr(31, 1), &units[i]));
		units[i].address += 0x1000 * i;
		units[i].die = 1 + i / 2;
		units[i].index = i;
	}
	uncore_units_resolve(list, 3, no_limit);
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&units[0]));
	KUNIT_EXPECT_FALSE(test, uncore_unit_good(&units[1]));
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&units[2]));
}

static struct kunit_case dmr_tests[] = {
	KUNIT_CASE(types_and_masks),
	KUNIT_CASE(counters_of_events),
	KUNIT_CASE(terms_of_pcie),
	KUNIT_CASE(controls_in_pci),
	KUNIT_CASE(units_in_msrs_are_rejected),
	KUNIT_CASE(fixed_counter_is_between_listed_registers),
	KUNIT_CASE(ignored_types_are_no_units),
	KUNIT_CASE(free_running_spaces),
	KUNIT_CASE(free_running_pmus_of_others),
	KUNIT_CASE(free_running_counters),
	KUNIT_CASE(units_with_equal_ids_have_own_numbers),
	KUNIT_CASE(numbers_stay_when_tables_come_and_go),
	KUNIT_CASE(no_number_is_wasted),
	KUNIT_CASE(equal_ids_in_a_table),
	KUNIT_CASE(dies_are_places),
	{}
};

struct kunit_suite dmr_suite = {
	.name = "uncore_dmr",
	.test_cases = dmr_tests,
};
