// SPDX-License-Identifier: GPL-2.0-only
/* contract: addresses */
/* Check ranges.c: first and last bytes of ranges, addresses in registers. */
#include <kunit/test.h>
#include <linux/kernel.h>

#include <pmon/regs.h>

#include "../platform.h"
#include "suites.h"

/* Source: Intel 64 SDM volume 3, 12.4.1; "Memory Map" in chipset datasheets. */
static void addresses_that_are_fixed(struct kunit *test)
{
	static const struct {
		u64 address;
		const char *reason;
	} rows[] = {
		{ 0x0, "in the first megabyte" },
		{ 0xfffff, "in the first megabyte" },
		{ 0x100000 }, { 0xfebfffff },
		{ 0xfec00000, "inside an I/O APIC" },
		{ 0xfecfffff, "inside an I/O APIC" },
		{ 0xfed00000, "inside the timers of the chipset" },
		{ 0xfedbffff, "inside the timers of the chipset" },
		{ 0xfedc0000 }, { 0xfedfffff },
		{ 0xfee00000, "inside a local APIC" },
		{ 0xfeefffff, "inside a local APIC" },
		{ 0xfef00000 }, { 0xfeffffff },
		{ 0xff000000, "is memory of the firmware" },
		{ 0xffffffff, "is memory of the firmware" },
		{ 0x100000000 },
	};
	u64 at;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		at = rows[i].address;
		if (rows[i].reason)
			KUNIT_EXPECT_STREQ(test, uncore_range_fixed(at, at),
					   rows[i].reason);
		else
			KUNIT_EXPECT_NULL(test, uncore_range_fixed(at, at));
	}
	KUNIT_EXPECT_STREQ(test, uncore_range_fixed(0xfebfffff, 0xfec00000),
			   "inside an I/O APIC");
	KUNIT_EXPECT_STREQ(test, uncore_range_fixed(0xfeefffff, 0xfef00000),
			   "inside a local APIC");
	KUNIT_EXPECT_STREQ(test, uncore_range_fixed(0x100000, U64_MAX),
			   "inside an I/O APIC");
}

/* One megabyte for each bus: PCI Express Base Specification, 7.2.2. */
static void configuration_space_of_buses(struct kunit *test)
{
	const u64 base = 0x3ffe0000000;

#define ECAM(_first, _last)	uncore_ecam_overlaps(base, 1, 0xff, _first, _last)
	KUNIT_EXPECT_FALSE(test, ECAM(base, base + 0xfffff));
	KUNIT_EXPECT_TRUE(test, ECAM(base, base + 0x100000));
	KUNIT_EXPECT_TRUE(test, ECAM(base + 0x100000, base + 0x100000));
	KUNIT_EXPECT_TRUE(test, ECAM(base + 0xfffffff, base + 0xfffffff));
	KUNIT_EXPECT_TRUE(test, ECAM(base + 0xfffffff, base + 0x10000000));
	KUNIT_EXPECT_FALSE(test, ECAM(base + 0x10000000, base + 0x10000000));
	KUNIT_EXPECT_TRUE(test, ECAM(0, U64_MAX));
#undef ECAM
	KUNIT_EXPECT_TRUE(test, uncore_ecam_overlaps(base, 0, 0, base, base));
}

static void registers_of_units(struct kunit *test)
{
	static const struct uncore_free_running_group groups[] = {
		{ .base = 0x40, .count = 2, .stride = 8 },
		{ .base = 0x80, .count = 1, .stride = 8 },
		{}
	};
	static const struct uncore_row rows[] = { {}, { .groups = groups } };
	struct uncore_unit units[] = {
		{ .access = UNCORE_ACCESS_MMIO, .address = 0x1000, .span = 16,
		  .row = &rows[0] },
		{ .access = UNCORE_ACCESS_MSR, .address = 0x2000, .span = 16,
		  .row = &rows[0] },
		{ .access = UNCORE_ACCESS_MSR, .address = 0x3000, .span = 16,
		  .row = &rows[0], .empty = true },
		{ .access = UNCORE_ACCESS_MMIO, .address = 0x4000, .span = 0x88,
		  .row = &rows[1], .free_running = true },
	};

#define HAVE(_access, _at, _size) \
	uncore_units_have(units, ARRAY_SIZE(units), UNCORE_ACCESS_##_access, \
			  _at, _size)
#define MSR(_msr)	HAVE(MSR, _msr, 1)
#define MMIO(_address)	HAVE(MMIO, _address, 4)
	KUNIT_EXPECT_FALSE(test, MSR(0x1fff));
	KUNIT_EXPECT_TRUE(test, MSR(0x2000));
	KUNIT_EXPECT_TRUE(test, MSR(0x200f));
	KUNIT_EXPECT_FALSE(test, MSR(0x2010));
	KUNIT_EXPECT_FALSE(test, MSR(0x1000));
	KUNIT_EXPECT_FALSE(test, MSR(0x3000));
	uncore_unit_reject(&units[1], "width", 99, "too wide");
	KUNIT_EXPECT_FALSE(test, MSR(0x2000));

	KUNIT_EXPECT_FALSE(test, MMIO(0xffc));
	KUNIT_EXPECT_TRUE(test, MMIO(0xffd));
	KUNIT_EXPECT_TRUE(test, MMIO(0x100f));
	KUNIT_EXPECT_FALSE(test, MMIO(0x1010));
	KUNIT_EXPECT_FALSE(test, MMIO(0x2000));
	/* other registers may lie before and between groups of counters */
	KUNIT_EXPECT_FALSE(test, MMIO(0x4000));
	KUNIT_EXPECT_TRUE(test, MMIO(0x4040));
	KUNIT_EXPECT_TRUE(test, MMIO(0x404c));
	KUNIT_EXPECT_FALSE(test, MMIO(0x4050));
	KUNIT_EXPECT_TRUE(test, MMIO(0x4084));
#undef HAVE
#undef MSR
#undef MMIO
}

static void registers_of_memory_controllers(struct kunit *test)
{
	u64 address = 0;

	/* SNR_IMC_MMIO_BASE_MASK: 29 bits x 8 MiB; MEM0: 11 bits x 4 KiB */
	KUNIT_EXPECT_TRUE(test, uncore_mem_bar_address(1, 0, &address));
	KUNIT_EXPECT_EQ(test, address, 0x800000);
	KUNIT_EXPECT_TRUE(test, uncore_mem_bar_address(0, 0x7ff, &address));
	KUNIT_EXPECT_EQ(test, address, 0x7ff000);
	KUNIT_EXPECT_TRUE(test, uncore_mem_bar_address(0x200, 1, &address));
	KUNIT_EXPECT_EQ(test, address, 0x100001000);
	KUNIT_EXPECT_TRUE(test, uncore_mem_bar_address(0x7fffffff, 0xffff,
						       &address));
	KUNIT_EXPECT_EQ(test, address, 0xffffffffff000);
	KUNIT_EXPECT_FALSE(test, uncore_mem_bar_address(0xe0000000, 0xf800,
							&address));
	KUNIT_EXPECT_FALSE(test, uncore_mem_bar_address(U32_MAX, 0, &address));
	KUNIT_EXPECT_FALSE(test, uncore_mem_bar_address(0, U32_MAX, &address));

	KUNIT_EXPECT_TRUE(test, uncore_host_bar_address(0xfedc0001, 0x3,
							&address));
	KUNIT_EXPECT_EQ(test, address, 0x3fedc0000);
	KUNIT_EXPECT_FALSE(test, uncore_host_bar_address(0xfedc0000, 0,
							 &address));
	KUNIT_EXPECT_FALSE(test, uncore_host_bar_address(0xfedc0005, 0,
							 &address));
	KUNIT_EXPECT_FALSE(test, uncore_host_bar_address(U32_MAX, U32_MAX,
							 &address));
}

static void buses_of_an_index(struct kunit *test)
{
	u8 bus = 0;

	KUNIT_EXPECT_TRUE(test, uncore_bus_of_index(BIT(0), 0x44332211, 0, &bus));
	KUNIT_EXPECT_EQ(test, bus, 0x11);
	KUNIT_EXPECT_TRUE(test, uncore_bus_of_index(BIT(3), 0x44332211, 3, &bus));
	KUNIT_EXPECT_EQ(test, bus, 0x44);
	KUNIT_EXPECT_TRUE(test, uncore_bus_of_index(BIT(29), 0x44332211, 29, &bus));
	KUNIT_EXPECT_EQ(test, bus, 0x22);
	KUNIT_EXPECT_FALSE(test, uncore_bus_of_index(BIT(3), 0x44332211, 2, &bus));
	KUNIT_EXPECT_FALSE(test, uncore_bus_of_index(U32_MAX, 0x44332211, 0, &bus));
	KUNIT_EXPECT_FALSE(test, uncore_bus_of_index(BIT(0), U32_MAX, 0, &bus));
}

/* KTIPCSTS, KTILP0 in arch/x86/events/intel/uncore_snbep.c of Linux. */
static void a_link_leads_to_a_port_and_a_node(struct kunit *test)
{
	static const struct uncore_link link = {
		.slot = 5, .count = 3, .function = 1,
	};
	unsigned int port = 99, node = 99;

	KUNIT_EXPECT_FALSE(test, uncore_link_has(&link, 4, 1));
	KUNIT_EXPECT_TRUE(test, uncore_link_has(&link, 5, 1));
	KUNIT_EXPECT_TRUE(test, uncore_link_has(&link, 7, 1));
	KUNIT_EXPECT_FALSE(test, uncore_link_has(&link, 8, 1));
	KUNIT_EXPECT_FALSE(test, uncore_link_has(&link, 5, 2));

	KUNIT_EXPECT_TRUE(test, uncore_upi_far_end(0x10, 0xfff5e3ff, &port, &node));
	KUNIT_EXPECT_EQ(test, port, 3);
	KUNIT_EXPECT_EQ(test, node, 5);
	KUNIT_EXPECT_FALSE(test, uncore_upi_far_end(0xf, 0, &port, &node));
	KUNIT_EXPECT_FALSE(test, uncore_upi_far_end(U32_MAX, 0, &port, &node));
	KUNIT_EXPECT_FALSE(test, uncore_upi_far_end(0x10, U32_MAX, &port, &node));
}

static u64 combine(u64 first, u8 bytes, u64 second, u64 enable)
{
	u64 all = U64_MAX;

	uncore_global_combine(first, bytes, 0, &all);
	uncore_global_combine(second, sizeof(u64), enable, &all);
	return all;
}

/* A value of all ones, of eight or four bytes, is ignored. */
static void registers_that_stop_all_boxes(struct kunit *test)
{
	const u64 enable = BIT_ULL(29);

	KUNIT_EXPECT_EQ(test, combine(0, 8, enable, enable), 0);
	KUNIT_EXPECT_EQ(test, combine(0, 8, 0, enable), 1);
	KUNIT_EXPECT_EQ(test, combine(1, 8, enable, enable), 1);
	KUNIT_EXPECT_EQ(test, combine(1, 4, U64_MAX, enable), 1);
	KUNIT_EXPECT_EQ(test, combine(U32_MAX, 4, enable, enable), 0);
	KUNIT_EXPECT_EQ(test, combine(U32_MAX, 4, U64_MAX, enable), U64_MAX);
	KUNIT_EXPECT_EQ(test, combine(U32_MAX, 8, U64_MAX, enable), U32_MAX);
	KUNIT_EXPECT_TRUE(test, pmon_is_all_ones(U64_MAX, 8));
	KUNIT_EXPECT_FALSE(test, pmon_is_all_ones(U64_MAX, 4));
	KUNIT_EXPECT_FALSE(test, pmon_is_all_ones(U64_MAX - 1, 8));
	KUNIT_EXPECT_TRUE(test, pmon_is_any_set(U64_MAX - 1, BIT_ULL(63), 8));
	KUNIT_EXPECT_FALSE(test, pmon_is_any_set(U64_MAX, BIT_ULL(63), 8));
	KUNIT_EXPECT_FALSE(test, pmon_is_any_set(U32_MAX, BIT_ULL(31), 4));
	KUNIT_EXPECT_FALSE(test, pmon_is_any_set(1, BIT_ULL(63), 8));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(addresses_that_are_fixed),
	KUNIT_CASE(configuration_space_of_buses),
	KUNIT_CASE(registers_of_units),
	KUNIT_CASE(registers_of_memory_controllers),
	KUNIT_CASE(buses_of_an_index),
	KUNIT_CASE(a_link_leads_to_a_port_and_a_node),
	KUNIT_CASE(registers_that_stop_all_boxes),
	{}
};

struct kunit_suite ranges_suite = {
	.name = "uncore_ranges",
	.test_cases = cases,
};
