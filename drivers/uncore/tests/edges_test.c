// SPDX-License-Identifier: GPL-2.0-only
/* contract: addresses */
/* Limits of addresses and widths, and the order of two tables. */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "build.h"
#include "suites.h"

#define SPR 0x8f

static bool good_at(struct spec spec, u64 address, struct uncore_unit *unit)
{
	u64 record[UNCORE_RECORD_QWORDS];

	spec.address = address;
	spec_record(&spec, record);
	memset(unit, 0, sizeof(*unit));
	uncore_unit_parse(record, uncore_platform_find(6, SPR), unit);
	return uncore_unit_good(unit);
}

struct edge_case {
	u64 address;
	bool good;
};

/* Controls at 2 to 5, counters at 8 to 11: twelve MSRs from the box control. */
static const struct edge_case msr_cases[] = {
	{ 0x1fff, false }, { 0x2000, true }, { 0x2fe4, true },
	{ 0x2fe5, false }, { 0x2fef, false }, { 0x2ff0, false },
	{ 0x2ffe, false }, { 0x2fff, false }, { 0x3000, true },
	{ 0x3ff4, true }, { 0x3ff5, false }, { 0x4000, false },
	{ 0x0, false }, { 0x10, false }, { 0xc0000080, false },
	{ 0x100002000, false },
};

static void msrs_of_units(struct kunit *test)
{
	struct uncore_unit unit;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(msr_cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, msr_cases[i].good,
				    good_at(spec_generic(UNCORE_ACCESS_MSR, 0),
					    msr_cases[i].address, &unit),
				    "MSR 0x%llx", (unsigned long long)
				    msr_cases[i].address);
}

/* Addresses from 1 MiB to 52 bits, aligned to quadwords. */
static const struct edge_case mmio_cases[] = {
	{ 0xffff8, false }, { 0x100000, true }, { 0x100004, false },
	{ 0xc8aa2800, true }, { 0xc8aa2801, false },
	{ 0xffffffffff000, true }, { 0xffffffffffff8, false },
	{ 0x10000000000000, false }, { 0xffffffffffffffff, false },
};

static void memory_of_units(struct kunit *test)
{
	struct uncore_unit unit;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(mmio_cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, mmio_cases[i].good,
				    good_at(spec_generic(UNCORE_ACCESS_MMIO, 0),
					    mmio_cases[i].address, &unit),
				    "address 0x%llx", (unsigned long long)
				    mmio_cases[i].address);
}

/* Compare the fields of two units. */
static void expect_same(struct kunit *test, const struct uncore_unit *unit,
			const struct uncore_unit *other)
{
	KUNIT_EXPECT_PTR_EQ(test, unit->fault.field, other->fault.field);
	KUNIT_EXPECT_PTR_EQ(test, unit->row, other->row);
	KUNIT_EXPECT_EQ(test, unit->address, other->address);
	KUNIT_EXPECT_EQ(test, unit->number, other->number);
	KUNIT_EXPECT_EQ(test, unit->type, other->type);
	KUNIT_EXPECT_EQ(test, unit->id, other->id);
	KUNIT_EXPECT_EQ(test, unit->span, other->span);
	KUNIT_EXPECT_EQ(test, unit->access, other->access);
	KUNIT_EXPECT_EQ(test, unit->counters, other->counters);
	KUNIT_EXPECT_EQ(test, unit->width, other->width);
	KUNIT_EXPECT_EQ(test, unit->empty, other->empty);
	KUNIT_EXPECT_EQ(test, unit->free_running, other->free_running);
}

/*
 * uncore_unit_parse() and uncore_unit_init_unlisted() set all fields of a used unit.
 */
static void results_are_new(struct kunit *test)
{
	u64 records[3][UNCORE_RECORD_QWORDS] = {};
	const struct uncore_platform *spr = uncore_platform_find(6, SPR);
	struct spec spec = spec_imc(2);
	struct uncore_unit unit, used = {};
	size_t i;

	spec_record(&spec, records[0]);
	spec.width = 7;
	spec_record(&spec, records[1]);
	for (i = 0; i < ARRAY_SIZE(records); i++) {
		uncore_unit_init_unlisted(spr->unlisted[1].row, 9, 0xc8a80000, &used);
		uncore_unit_reject(&used, "address", 0xc8a80000, "before");
		memset(&unit, 0, sizeof(unit));
		uncore_unit_parse(records[i], spr, &unit);
		uncore_unit_parse(records[i], spr, &used);
		expect_same(test, &used, &unit);
		/* the unit of free-running counters */
		memset(&unit, 0, sizeof(unit));
		used = unit;
		used.span = U16_MAX;
		uncore_unit_init_unlisted(spr->unlisted[1].row, 9, 0xc8a80000, &unit);
		uncore_unit_init_unlisted(spr->unlisted[1].row, 9, 0xc8a80000, &used);
		expect_same(test, &used, &unit);
	}
}

/* Three of the four values of the access field are valid. */
static void no_other_access(struct kunit *test)
{
	struct spec spec = spec_generic(UNCORE_ACCESS_MMIO, 0);
	struct uncore_unit unit;

	spec.access = 3;
	KUNIT_EXPECT_FALSE(test, good_at(spec, spec.address, &unit));
	KUNIT_EXPECT_STREQ(test, unit.fault.field, "access");
	KUNIT_EXPECT_EQ(test, unit.fault.value, 3);
	KUNIT_EXPECT_STREQ(test, unit.fault.reason, "no such access type");
}

/* A table that reads as all-ones has no stride and no units. */
static void nothing_of_a_table_of_ones(struct kunit *test)
{
	static const u64 ones[UNCORE_RECORD_QWORDS] = {
		U64_MAX, U64_MAX, U64_MAX
	};
	struct uncore_global_record head;
	struct uncore_fault fault;

	memset(&head, 0xff, sizeof(head));
	KUNIT_EXPECT_FALSE(test, uncore_global_record_check(ones, 0x10000,
							    &head, &fault));
	KUNIT_EXPECT_EQ(test, head.units, 0);
	KUNIT_EXPECT_EQ(test, head.stride, 0);
	KUNIT_EXPECT_EQ(test, head.address, 0ULL);
}

/* Units of the table that was read first win, independent of the index. */
static void tables_come_in_order(struct kunit *test)
{
	struct uncore_unit unit[3], *list[3];
	struct spec spec = spec_generic(UNCORE_ACCESS_MMIO, 3);
	int i;

	for (i = 0; i < 3; i++) {
		KUNIT_ASSERT_TRUE(test, good_at(spec, 0xc8aa2800 + i * 0x8000,
						&unit[i]));
		list[i] = &unit[i];
	}
	unit[0].table = 2;
	unit[0].index = 0;
	unit[1].table = 1;
	unit[1].index = 700;
	unit[2].table = 1;
	unit[2].index = 701;
	uncore_units_resolve(list, 3, no_limit);
	KUNIT_EXPECT_FALSE(test, uncore_unit_good(&unit[0]));
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&unit[1]));
	KUNIT_EXPECT_FALSE(test, uncore_unit_good(&unit[2]));
}

/* All values of the width field. */
static void widths(struct kunit *test)
{
	struct spec spec = spec_generic(UNCORE_ACCESS_MMIO, 0);
	struct uncore_unit unit;
	unsigned int width;

	for (width = 0; width < 256; width++) {
		spec.width = width;
		KUNIT_EXPECT_EQ_MSG(test, good_at(spec, 0xc8aa2800, &unit),
				    width >= 32 && width <= 64, "%u", width);
	}
}

static struct kunit_case edges_tests[] = {
	KUNIT_CASE(msrs_of_units),
	KUNIT_CASE(memory_of_units),
	KUNIT_CASE(results_are_new),
	KUNIT_CASE(no_other_access),
	KUNIT_CASE(nothing_of_a_table_of_ones),
	KUNIT_CASE(tables_come_in_order),
	KUNIT_CASE(widths),
	{}
};

struct kunit_suite edges_suite = {
	.name = "uncore_edges",
	.test_cases = edges_tests,
};
