// SPDX-License-Identifier: GPL-2.0-only
/* The first and the last that is allowed, and which of two tables wins. */
#include <kunit/test.h>
#include <linux/kernel.h>
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

/* Not below 1 MiB, not beyond 52 bits, on whole quadwords. */
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

/* A table that was read earlier wins, whatever the places in them. */
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

/* Each bit of a width, and no other field's. */
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
	KUNIT_CASE(tables_come_in_order),
	KUNIT_CASE(widths),
	{}
};

struct kunit_suite edges_suite = {
	.name = "uncore_edges",
	.test_cases = edges_tests,
};
