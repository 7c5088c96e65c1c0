// SPDX-License-Identifier: GPL-2.0-only
/* contract: packages */
/* Check packages of root buses: from TPMI, NUMA nodes, the order of buses. */
#include <kunit/test.h>
#include <linux/kernel.h>

#include "../unit.h"
#include "suites.h"

/* Add root buses, given as segment << 8 | bus. */
static void add(struct uncore_roots *roots, const int *at, unsigned int n)
{
	for (roots->count = 0; n--; at++)
		uncore_roots_add(roots,
				 (struct uncore_root){ *at >> 8, *at & 0xff },
				 -1);
}

#define ADD(...) do {							\
		static const int _at[] = { __VA_ARGS__ };		\
		add(&roots, _at, ARRAY_SIZE(_at));			\
	} while (0)

#define ROOT(_at)	((struct uncore_root){ (_at) >> 8, (_at) & 0xff })

/* Get bus @_at's package by bus order; further arguments: known packages. */
#define GUESS(_each, _at, ...) ({					\
		static const int _known[] = { __VA_ARGS__ };		\
		uncore_roots_package_by_order(&roots, ROOT(_at), _each, _known,	\
					      ARRAY_SIZE(_known)); })

static void as_many_buses_as_packages(struct kunit *test)
{
	struct uncore_roots roots;

	ADD(0x80, 0x00);
	KUNIT_EXPECT_EQ(test, GUESS(1, 0x00, 0, 1), 0);
	KUNIT_EXPECT_EQ(test, GUESS(1, 0x7e, 0, 1), 0);
	KUNIT_EXPECT_EQ(test, GUESS(1, 0x80, 0, 1), 1);
	KUNIT_EXPECT_EQ(test, GUESS(1, 0xfe, 0, 1), 1);
	/* package numbers need not be consecutive */
	KUNIT_EXPECT_EQ(test, GUESS(1, 0x80, 0, 2), 2);
	/* a platform with an unknown number of buses per package */
	KUNIT_EXPECT_EQ(test, GUESS(0, 0x80, 0, 1), 1);
	/* Diamond Rapids with one hub per package */
	KUNIT_EXPECT_EQ(test, GUESS(2, 0x80, 0, 1), 1);
}

static void segments_come_before_buses(struct kunit *test)
{
	struct uncore_roots roots;

	ADD(0x100, 0x000, 0x180, 0x080);
	KUNIT_EXPECT_EQ(test, GUESS(1, 0x080, 0, 1, 2, 3), 1);
	KUNIT_EXPECT_EQ(test, GUESS(1, 0x100, 0, 1, 2, 3), 2);
	KUNIT_EXPECT_EQ(test, GUESS(1, 0x1fe, 0, 1, 2, 3), 3);
}

/* Segment 0 has two Sapphire Rapids, segment 1 the last two of eight. */
static void the_table_of_a_bus(struct kunit *test)
{
	static const struct {
		int bus;
		int table;
	} rows[] = {
		{ 0x6a, 0x6a }, { 0x7e, 0x6a }, { 0xe8, 0xe8 }, { 0xfe, 0xe8 },
		{ 0x1be, 0x1a7 }, { 0x1e7, 0x1e7 }, { 0x1ff, 0x1e7 },
		/* buses before the first one with a table in the segment */
		{ 0x00, 0x6a }, { 0x100, 0x1a7 },
	};
	const struct uncore_root *home;
	struct uncore_roots roots;
	size_t i;

	ADD(0x1e7, 0x6a, 0x1a7, 0xe8);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		home = uncore_roots_home(&roots, ROOT(rows[i].bus), 4);
		KUNIT_ASSERT_NOT_NULL(test, home);
		KUNIT_EXPECT_EQ(test, home->segment << 8 | home->bus,
				rows[i].table);
	}
	/* no bus of segment 2 has a table */
	KUNIT_EXPECT_NULL(test, uncore_roots_home(&roots, ROOT(0x240), 4));
	/* the next bus with a table is of another segment, the last one too */
	ADD(0x6a, 0x2e7);
	KUNIT_EXPECT_NULL(test, uncore_roots_home(&roots, ROOT(0x140), 2));
	ADD(0x1e7, 0x6a, 0x1a7, 0xe8);
	/* a fifth package, whose bus has no table, may have any other bus */
	KUNIT_EXPECT_NULL(test, uncore_roots_home(&roots, ROOT(0x7e), 5));
	home = uncore_roots_home(&roots, ROOT(0x1a7), 5);
	KUNIT_ASSERT_NOT_NULL(test, home);
	KUNIT_EXPECT_EQ(test, home->bus, 0xa7);
}

static void two_hubs_of_a_package(struct kunit *test)
{
	struct uncore_roots roots;

	ADD(0x00, 0x40, 0x80, 0xc0);
	KUNIT_EXPECT_EQ(test, GUESS(2, 0x40, 0, 1), 0);
	KUNIT_EXPECT_EQ(test, GUESS(2, 0x80, 0, 1), 1);
	KUNIT_EXPECT_EQ(test, GUESS(0, 0x40, 0, 1), 0);
	KUNIT_EXPECT_EQ(test, GUESS(0, 0xc0, 0, 1), 1);
	/* the other package's CPUs are disabled */
	KUNIT_EXPECT_EQ(test, GUESS(2, 0x40, 0), 0);
	KUNIT_EXPECT_EQ(test, GUESS(2, 0x80, 0), 1);
}

static void packages_whose_cpus_do_not_run(struct kunit *test)
{
	struct uncore_roots roots;

	ADD(0x00, 0x80);
	KUNIT_EXPECT_EQ(test, GUESS(1, 0x00, 0), 0);
	KUNIT_EXPECT_EQ(test, GUESS(1, 0x80, 0), 1);
	/* a crash kernel that runs on the second package */
	KUNIT_EXPECT_EQ(test, GUESS(1, 0x00, 1), 0);
	KUNIT_EXPECT_EQ(test, GUESS(1, 0x80, 1), 1);
	/* package 2 cannot be one of two packages numbered from 0 */
	KUNIT_EXPECT_EQ(test, GUESS(1, 0x00, 2), -1);
}

static void contradicting_buses_have_no_guess(struct kunit *test)
{
	struct uncore_roots roots;

	ADD(0x00, 0x40, 0x80);
	KUNIT_EXPECT_EQ(test, GUESS(2, 0x00, 0, 1), -1);
	KUNIT_EXPECT_EQ(test, GUESS(1, 0x00, 0, 1, 2, 3), -1);
	KUNIT_EXPECT_EQ(test, GUESS(0, 0x00, 0, 1, 2, 3), -1);
	ADD(0x10);
	KUNIT_EXPECT_EQ(test, GUESS(1, 0x00, 0), -1);
	roots.count = 0;
	KUNIT_EXPECT_EQ(test, GUESS(1, 0x00, 0), -1);
}

/* Check whether @_packages, from NUMA nodes, fit the known packages. */
#define FIT(_each, _packages, ...) ({					\
		static const int _known[] = { __VA_ARGS__ };		\
		uncore_roots_nodes_fit(&roots, _packages, _each, _known,	\
				       ARRAY_SIZE(_known)); })
#define FROM(...)	((const int[]){ __VA_ARGS__ })

static void nodes_that_fit_the_packages(struct kunit *test)
{
	struct uncore_roots roots;

	ADD(0x6a, 0xe8);
	KUNIT_EXPECT_TRUE(test, FIT(1, FROM(0, 1), 0, 1));
	/* firmware may number nodes in another order than buses */
	KUNIT_EXPECT_TRUE(test, FIT(0, FROM(1, 0), 0, 1));
	/* firmware reports node 0 for all buses, or no node for a bus */
	KUNIT_EXPECT_FALSE(test, FIT(1, FROM(0, 0), 0, 1));
	KUNIT_EXPECT_FALSE(test, FIT(0, FROM(0, 0), 0, 1));
	KUNIT_EXPECT_FALSE(test, FIT(1, FROM(0, -1), 0, 1));
	/* one package never had a CPU online */
	KUNIT_EXPECT_TRUE(test, FIT(1, FROM(0, -1), 0));
	KUNIT_EXPECT_TRUE(test, FIT(1, FROM(-1, 1), 1));
	KUNIT_EXPECT_FALSE(test, FIT(1, FROM(0, 0), 0));
	KUNIT_EXPECT_FALSE(test, FIT(0, FROM(0, 0), 0));
	/* numa=fake=2U: nodes 0, 1 are in package 0, nodes 2, 3 in package 1 */
	ADD(0x16a, 0x1e8, 0x6a, 0xe8);
	KUNIT_EXPECT_FALSE(test, FIT(1, FROM(0, 0, 1, 1), 0, 1, 2, 3));
	KUNIT_EXPECT_FALSE(test, FIT(1, FROM(0, -1, 1, -1), 0, 1, 2, 3));
	/* four packages, and three of which a bus has another's node */
	KUNIT_EXPECT_TRUE(test, FIT(1, FROM(3, 0, 2, 1), 0, 1, 2, 3));
	KUNIT_EXPECT_FALSE(test, FIT(1, FROM(3, 0, 2, 2), 0, 1, 2, 3));
	KUNIT_EXPECT_TRUE(test, FIT(1, FROM(2, 0, 1, -1), 0, 1, 2));
	/* Diamond Rapids: two hubs per package */
	KUNIT_EXPECT_TRUE(test, FIT(2, FROM(0, 0, 1, 1), 0, 1));
	KUNIT_EXPECT_FALSE(test, FIT(2, FROM(0, 0, 0, 1), 0, 1));
	KUNIT_EXPECT_FALSE(test, FIT(2, FROM(0, 0, 0, 0), 0));
	/* no package is known */
	KUNIT_EXPECT_FALSE(test, uncore_roots_nodes_fit(&roots, FROM(0, 0, 1, 1),
							0, NULL, 0));
}

static void packages_from_tpmi(struct kunit *test)
{
	struct uncore_roots roots;

	ADD(0x00, 0x80);
	KUNIT_EXPECT_EQ(test, uncore_roots_tpmi_package(&roots, ROOT(0x80)), -1);
	uncore_roots_add(&roots, ROOT(0x80), 0);
	uncore_roots_add(&roots, ROOT(0x80), -1);
	KUNIT_EXPECT_EQ(test, roots.count, 2);
	KUNIT_EXPECT_EQ(test, uncore_roots_tpmi_package(&roots, ROOT(0x80)), 0);
	KUNIT_EXPECT_EQ(test, uncore_roots_tpmi_package(&roots, ROOT(0xfe)), 0);
	KUNIT_EXPECT_EQ(test, uncore_roots_tpmi_package(&roots, ROOT(0x00)), -1);
	KUNIT_EXPECT_TRUE(test, uncore_roots_has(&roots, ROOT(0x80)));
	KUNIT_EXPECT_FALSE(test, uncore_roots_has(&roots, ROOT(0x81)));
	KUNIT_EXPECT_FALSE(test, uncore_roots_has(&roots, ROOT(0x180)));
}

static void no_more_than_there_is_room_for(struct kunit *test)
{
	struct uncore_roots roots = {};
	unsigned int i;

	for (i = 0; i < UNCORE_ROOTS; i++)
		KUNIT_EXPECT_TRUE(test, uncore_roots_add(&roots, ROOT(i), -1));
	KUNIT_EXPECT_FALSE(test, uncore_roots_add(&roots, ROOT(i), -1));
	KUNIT_EXPECT_TRUE(test, uncore_roots_add(&roots, ROOT(0), 1));
	KUNIT_EXPECT_EQ(test, roots.count, UNCORE_ROOTS);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(as_many_buses_as_packages),
	KUNIT_CASE(segments_come_before_buses),
	KUNIT_CASE(the_table_of_a_bus),
	KUNIT_CASE(two_hubs_of_a_package),
	KUNIT_CASE(packages_whose_cpus_do_not_run),
	KUNIT_CASE(contradicting_buses_have_no_guess),
	KUNIT_CASE(nodes_that_fit_the_packages),
	KUNIT_CASE(packages_from_tpmi),
	KUNIT_CASE(no_more_than_there_is_room_for),
	{}
};

struct kunit_suite roots_suite = {
	.name = "uncore_roots",
	.test_cases = cases,
};
