// SPDX-License-Identifier: GPL-2.0-only
/* contract: owner addresses */
/* Check conflicts between units: duplicates, shared registers, whole tables. */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "build.h"
#include "suites.h"

/* Buffers for a whole table. */
struct pool {
	u64 records[UNCORE_TABLE_UNITS * UNCORE_RECORD_QWORDS];
	struct uncore_unit units[UNCORE_TABLE_UNITS];
	struct uncore_unit *list[UNCORE_TABLE_UNITS];
	size_t count;
};

static int resolve_init(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct pool), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

static struct uncore_unit *add(struct pool *pool, u16 package, struct spec spec)
{
	struct uncore_unit *unit = &pool->units[pool->count];

	unit->package = package;
	unit->index = pool->count;
	spec_parse(&spec, spr(), unit);
	pool->list[pool->count++] = unit;
	return unit;
}

static void expect_fault(struct kunit *test, const struct uncore_unit *unit,
			 const char *field, u64 value)
{
	KUNIT_EXPECT_FALSE(test, uncore_unit_good(unit));
	KUNIT_ASSERT_NOT_NULL(test, unit->fault.field);
	KUNIT_EXPECT_STREQ(test, unit->fault.field, field);
	KUNIT_EXPECT_EQ(test, unit->fault.value, value);
}

/* All sixteen bits of type and of id distinguish units. */
static void identities_are_apart(struct kunit *test)
{
	static const u16 values[] = { 100, 0x8000 | 100, 0x4000 | 100, 101 };
	struct pool *pool = test->priv;
	struct spec spec;
	size_t i;

	for (i = 0; i < 16; i++) {
		spec = spec_generic(UNCORE_ACCESS_MMIO, i);
		spec.type = values[i / 4];
		spec.id = values[i % 4];
		add(pool, 0, spec);
	}
	uncore_units_resolve(pool->list, pool->count, no_limit);
	for (i = 0; i < 16; i++)
		KUNIT_EXPECT_TRUE(test, uncore_unit_good(&pool->units[i]));
}

/* MSRs are per package, memory and PCI functions are shared. */
static void packages_share_memory_only(struct kunit *test)
{
	struct pool *pool = test->priv;
	struct uncore_unit *msr[2], *mmio[2], *pci[2];
	int i;

	for (i = 0; i < 2; i++) {
		msr[i] = add(pool, i, spec_cha(1));
		mmio[i] = add(pool, i, spec_imc(1));
		pci[i] = add(pool, i, spec_upi(1));
	}
	uncore_units_resolve(pool->list, pool->count, no_limit);
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(msr[0]));
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(msr[1]));
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(mmio[0]));
	expect_fault(test, mmio[1], "address", spec_imc(1).address);
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(pci[0]));
	expect_fault(test, pci[1], "address", spec_upi(1).address);
}

/* The largest possible table, with every third unit broken. */
static void the_largest_table_is_read(struct kunit *test)
{
	struct pool *pool = test->priv;
	struct uncore_unit *units = pool->units;
	struct spec spec;
	size_t i;

	for (i = 0; i < UNCORE_TABLE_UNITS; i++) {
		spec = spec_generic(UNCORE_ACCESS_MMIO, i);
		if (i % 3 == 2)
			spec.width = 200;
		spec_record(&spec, pool->records + i * UNCORE_RECORD_QWORDS);
		pool->list[i] = &units[i];
	}
	uncore_table_units(pool->records, spr(), 0, units, UNCORE_TABLE_UNITS);
	uncore_units_resolve(pool->list, UNCORE_TABLE_UNITS, no_limit);
	for (i = 0; i < UNCORE_TABLE_UNITS; i++) {
		KUNIT_EXPECT_EQ(test, units[i].index, i);
		KUNIT_EXPECT_EQ(test, units[i].id, i);
		KUNIT_EXPECT_EQ(test, units[i].type, 99);
		if (i % 3 == 2)
			expect_fault(test, &units[i], "width", 200);
		else
			KUNIT_EXPECT_TRUE(test, uncore_unit_good(&units[i]));
	}
}

static struct uncore_limit at_most_two(const struct uncore_unit *unit)
{
	return (struct uncore_limit){ 2, "more than two" };
}

/* A duplicate is not counted; a unit with another fault is counted. */
static void duplicates_are_not_counted(struct kunit *test)
{
	struct pool *pool = test->priv;
	struct spec broken = spec_cha(3);
	u64 zero[UNCORE_RECORD_QWORDS] = {};
	u16 id;

	broken.width = 7;
	for (id = 0; id < 3; id++)
		add(pool, 0, spec_cha(id));
	add(pool, 0, broken);
	add(pool, 0, spec_cha(1));
	add(pool, 0, spec_imc(0));
	uncore_unit_parse(zero, spr(), &pool->units[pool->count++]);
	uncore_units_resolve(pool->list, pool->count - 1, no_limit);
	expect_fault(test, &pool->units[4], "id", 1);
	KUNIT_EXPECT_EQ(test, 4u, uncore_units_count_listed(pool->units, pool->count,
							    UNCORE_KIND_CHA));
	KUNIT_EXPECT_EQ(test, 1u,
			uncore_units_count_listed(pool->units, pool->count, 6));
	KUNIT_EXPECT_EQ(test, 0u,
			uncore_units_count_listed(pool->units, pool->count,
						  6 | UNCORE_KIND_FREE_RUNNING));
	/* A table lists the units beyond max_units, too. */
	uncore_units_resolve(pool->list, pool->count - 1, at_most_two);
	expect_fault(test, &pool->units[2], "id", 2);
	KUNIT_EXPECT_EQ(test, 4u,
			uncore_units_count_listed(pool->units, pool->count,
						  UNCORE_KIND_CHA));
}

/* A table with a correct link, a wrong link and a link that cannot exist. */
static void a_wrong_link_is_rejected(struct kunit *test)
{
	const struct uncore_link *link = spr()->links;
	struct pool *pool = test->priv;
	/* The last address is the address of the link that cannot exist. */
	u64 addresses[UNCORE_LINKS_MAX + 1] = { 0x10, 0x20, 0x30, 0, 0x50 };
	static const struct {
		u16 id;
		u64 address;
	} listed[] = {
		{ 1, 0x20 },
		/* the same place in another segment */
		{ 2, 0x10000030 },
		{ UNCORE_LINKS_MAX, 0x50 },
	};
	size_t i;

	KUNIT_ASSERT_EQ(test, UNCORE_LINKS_MAX, link->count);
	for (i = 0; i < ARRAY_SIZE(listed); i++)
		pool->units[i] = (struct uncore_unit){
			.type = link->type, .id = listed[i].id,
			.address = listed[i].address,
		};
	pool->units[i] = (struct uncore_unit){
		.type = link->type + 1, .id = 0, .address = 0x77,
	};
	/* a unit beyond @count */
	pool->units[i + 1] = (struct uncore_unit){
		.type = link->type, .id = 0, .address = 0x11,
	};
	uncore_units_compare_links(pool->units, i + 1, link, addresses);
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&pool->units[0]));
	expect_fault(test, &pool->units[1], "address", 0x10000030);
	expect_fault(test, &pool->units[2], "address", 0x50);
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&pool->units[3]));
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&pool->units[4]));
	KUNIT_EXPECT_EQ(test, 0x10ULL, addresses[0]);
	KUNIT_EXPECT_EQ(test, 0ULL, addresses[1]);
	KUNIT_EXPECT_EQ(test, 0x30ULL, addresses[2]);
	KUNIT_EXPECT_EQ(test, 0x50ULL, addresses[UNCORE_LINKS_MAX]);
}

/*
 * Compare a table again after links 1 and 2 got functions: link 1 at the
 * address in the table, link 2 at another. Link 3 keeps its function; link 0
 * has lost its function.
 */
static void links_that_come_late(struct kunit *test)
{
	const struct uncore_link *link = spr()->links;
	struct pool *pool = test->priv;
	u64 before[UNCORE_LINKS_MAX] = { 0x10, 0, 0, 0x40 };
	u64 addresses[UNCORE_LINKS_MAX + 1] = { 0, 0x20, 0x30, 0x40, 0x50 };
	static const u64 listed[] = { 0x10, 0x20, 0x31, 0x40 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(listed); i++)
		pool->units[i] = (struct uncore_unit){
			.type = link->type, .id = i, .address = listed[i],
		};
	uncore_units_compare_links(pool->units, i, link, before);
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&pool->units[0]));
	/* Records of another type, and empty records, are ignored. */
	pool->units[i] = (struct uncore_unit){
		.type = link->type + 1, .id = 2, .address = 0x30,
	};
	pool->units[i + 1] = (struct uncore_unit){
		.type = link->type, .id = 2, .address = 0x30, .empty = true,
	};
	pool->units[i + 2] = (struct uncore_unit){
		.type = link->type, .id = link->count, .address = 0x50,
	};
	uncore_units_compare_links(pool->units, i + 3, link, addresses);
	expect_fault(test, &pool->units[0], "address", 0x10);
	KUNIT_EXPECT_FALSE(test, pool->units[0].temporary_fault);
	KUNIT_EXPECT_TRUE(test, pool->units[1].temporary_fault);
	KUNIT_EXPECT_FALSE(test, pool->units[2].temporary_fault);
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&pool->units[3]));
	KUNIT_EXPECT_EQ(test, addresses[1], 0ULL);
	KUNIT_EXPECT_EQ(test, addresses[2], 0x30ULL);
	KUNIT_EXPECT_EQ(test, addresses[3], 0ULL);
	KUNIT_EXPECT_EQ(test, addresses[UNCORE_LINKS_MAX], 0x50ULL);

	/* A unit with another fault still counts as the unit of a link. */
	pool->units[i] = (struct uncore_unit){
		.type = link->type, .id = 2, .address = 0x30,
	};
	uncore_unit_reject(&pool->units[i], "address", 0x30, "another");
	uncore_units_compare_links(pool->units, i + 1, link, addresses);
	KUNIT_EXPECT_EQ(test, addresses[2], 0ULL);
	KUNIT_EXPECT_FALSE(test, pool->units[i].temporary_fault);

	/* No function existed; now the function at 0x31 is another link's. */
	pool->units[i].address = 0x31;
	pool->units[i].temporary_fault = true;
	addresses[2] = 0x30;
	uncore_units_compare_links(&pool->units[i], 1, link, addresses);
	KUNIT_EXPECT_FALSE(test, pool->units[i].temporary_fault);
	KUNIT_EXPECT_STREQ(test, pool->units[i].fault.reason,
			   "is not where this link is");
	KUNIT_EXPECT_EQ(test, addresses[2], 0x30ULL);
}

/*
 * Bits of an address, from arch/x86/events/intel/uncore_discovery.h of Linux:
 * 0-11 offset, 12-19 function, 20-27 bus, 28-30 segment, 31 enable.
 */
static void parts_of_an_address(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, FIELD_GET(UNCORE_PCI_SEGMENT, 0xd7e09318), 5);
	KUNIT_EXPECT_EQ(test, FIELD_GET(UNCORE_PCI_SEGMENT, 0x87e09318), 0);
	KUNIT_EXPECT_EQ(test, FIELD_GET(UNCORE_PCI_BUS, 0xd7e09318), 0x7e);
	KUNIT_EXPECT_EQ(test, FIELD_GET(UNCORE_PCI_DEVFN, 0xd7e09318), 0x09);
	KUNIT_EXPECT_EQ(test, FIELD_GET(UNCORE_PCI_OFFSET, 0xd7e09318), 0x318);
	KUNIT_EXPECT_EQ(test, UNCORE_PCI_ENABLE | UNCORE_PCI_SEGMENT |
			UNCORE_PCI_BUS | UNCORE_PCI_DEVFN | UNCORE_PCI_OFFSET,
			0xffffffffULL);
}

/* Each package has its own segment; bus numbers are equal. */
static void segments_are_apart(struct kunit *test)
{
	struct pool *pool = test->priv;
	struct uncore_unit *units[8], *again;
	struct spec spec = spec_upi(1);
	u8 i;

	for (i = 0; i < ARRAY_SIZE(units); i++) {
		spec.address = pci_address(i, 0x7e, 0x11, 0x318);
		units[i] = add(pool, i, spec);
	}
	again = add(pool, i, spec);
	uncore_units_resolve(pool->list, pool->count, no_limit);
	for (i = 0; i < ARRAY_SIZE(units); i++) {
		KUNIT_EXPECT_TRUE(test, uncore_unit_good(units[i]));
		KUNIT_EXPECT_EQ(test, FIELD_GET(UNCORE_PCI_SEGMENT,
						units[i]->address), i);
	}
	expect_fault(test, again, "address", 0xf7e11318);
}

static struct kunit_case resolve_tests[] = {
	KUNIT_CASE(parts_of_an_address),
	KUNIT_CASE(segments_are_apart),
	KUNIT_CASE(a_wrong_link_is_rejected),
	KUNIT_CASE(links_that_come_late),
	KUNIT_CASE(identities_are_apart),
	KUNIT_CASE(packages_share_memory_only),
	KUNIT_CASE(the_largest_table_is_read),
	KUNIT_CASE(duplicates_are_not_counted),
	{}
};

struct kunit_suite resolve_suite = {
	.name = "uncore_resolve",
	.init = resolve_init,
	.test_cases = resolve_tests,
};
