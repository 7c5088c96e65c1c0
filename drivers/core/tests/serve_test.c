// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which CPU serves a place, on a machine whose CPUs come and go: two packages of
 * four CPUs, each of two NUMA nodes, and memory on nodes without CPUs.
 *
 *	CPU	0 1	2 3	4 5	6 7
 *	node	0	1	2	3
 *	die	0	1	2	3
 *	package	0		1
 *
 * Node 4 is a device of package 1, node 5 one that is as far from all.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "../serve.h"
#include "suites.h"

#define CPUS		8
#define NODES		6
#define NO_NODE		(-1)

static const u8 distances[NODES][4] = {
	{ 10, 12, 21, 22 },
	{ 12, 10, 22, 21 },
	{ 21, 22, 10, 12 },
	{ 22, 21, 12, 10 },
	{ 31, 30, 17, 14 },
	{ 40, 40, 40, 40 },
};

/* KUnit runs one case at a time. */
static unsigned int machine_online;
static unsigned int machine_isolated;

static int machine_next(int from)
{
	for (; from < CPUS; from++)
		if (machine_online & BIT(from))
			return from;
	return -1;
}

static int machine_distance(int cpu, struct pmon_place_id id)
{
	if (id.kind == PMON_PLACE_PACKAGE)
		return id.id == cpu / 4 ? 0 : -1;
	if (id.kind == PMON_PLACE_DIE)
		return id.id == cpu / 2 ? 0 : -1;
	return id.id == NO_NODE ? 0 : distances[id.id][cpu / 2];
}

static bool machine_is_isolated(int cpu)
{
	return machine_isolated & BIT(cpu);
}

static const struct pmon_cpus machine = {
	.next = machine_next,
	.distance = machine_distance,
	.isolated = machine_is_isolated,
};

static void machine_boot(unsigned int online, unsigned int isolated)
{
	machine_online = online;
	machine_isolated = isolated;
}

static int comes(struct pmon_place_id id, int server, int cpu)
{
	machine_online |= BIT(cpu);
	return pmon_serve_online(&machine, id, server, cpu);
}

/* As in the kernel: a CPU that goes is online until it has gone. */
static int goes(struct pmon_place_id id, int server, int cpu)
{
	server = pmon_serve_offline(&machine, id, server, cpu);
	machine_online &= ~BIT(cpu);
	return server;
}

static int first(struct pmon_place_id id)
{
	return pmon_serve_choose(&machine, id, -1);
}

static void nearest(struct kunit *test)
{
	machine_boot(0xff, 0);
	KUNIT_EXPECT_EQ(test, first(pmon_near_node(0)), 0);
	KUNIT_EXPECT_EQ(test, first(pmon_near_node(1)), 2);
	KUNIT_EXPECT_EQ(test, first(pmon_near_node(3)), 6);
	/* Nodes without CPUs. */
	KUNIT_EXPECT_EQ(test, first(pmon_near_node(4)), 6);
	KUNIT_EXPECT_EQ(test, first(pmon_near_node(5)), 0);
	KUNIT_EXPECT_EQ(test, first(pmon_near_node(NO_NODE)), 0);
	KUNIT_EXPECT_EQ(test, first(pmon_in_package(1)), 4);
	KUNIT_EXPECT_EQ(test, first(pmon_in_package(2)), -1);
	KUNIT_EXPECT_EQ(test, first(pmon_in_die(1)), 2);
	KUNIT_EXPECT_EQ(test, first(pmon_in_die(4)), -1);
	/* Another CPU of the package does not do. */
	KUNIT_EXPECT_EQ(test, goes(pmon_in_die(1), 2, 2), 3);
	machine_boot(0xf3, 0);
	KUNIT_EXPECT_EQ(test, first(pmon_in_die(1)), -1);
}

static void last_of_a_node_goes(struct kunit *test)
{
	const struct pmon_place_id node = pmon_near_node(3);
	int server = 6;

	machine_boot(0xff, 0);
	server = goes(node, server, 6);
	KUNIT_EXPECT_EQ(test, server, 7);
	/* Then its package's other node, then the nearer one of the others. */
	server = goes(node, server, 7);
	KUNIT_EXPECT_EQ(test, server, 4);
	server = goes(node, server, 5);
	KUNIT_EXPECT_EQ(test, server, 4);
	server = goes(node, server, 4);
	KUNIT_EXPECT_EQ(test, server, 2);
	/* Only a nearer one takes over when it comes. */
	server = comes(node, server, 4);
	KUNIT_EXPECT_EQ(test, server, 4);
	server = comes(node, server, 5);
	KUNIT_EXPECT_EQ(test, server, 4);
	server = comes(node, server, 7);
	KUNIT_EXPECT_EQ(test, server, 7);
	server = comes(node, server, 6);
	KUNIT_EXPECT_EQ(test, server, 7);
}

static void node_without_cpus(struct kunit *test)
{
	const struct pmon_place_id node = pmon_near_node(4);
	int server;

	machine_boot(0x0f, 0);
	server = first(node);
	KUNIT_EXPECT_EQ(test, server, 2);
	server = comes(node, server, 5);
	KUNIT_EXPECT_EQ(test, server, 5);
	server = comes(node, server, 6);
	KUNIT_EXPECT_EQ(test, server, 6);
	server = goes(node, server, 6);
	KUNIT_EXPECT_EQ(test, server, 5);
	server = goes(node, server, 5);
	KUNIT_EXPECT_EQ(test, server, 2);
}

/* Its boxes are out of reach of all others. */
static void last_of_a_package_goes(struct kunit *test)
{
	const struct pmon_place_id package = pmon_in_package(0);
	int server = 0;

	machine_boot(0xff, 0);
	server = goes(package, server, 0);
	KUNIT_EXPECT_EQ(test, server, 1);
	server = goes(package, server, 2);
	server = goes(package, server, 3);
	KUNIT_EXPECT_EQ(test, server, 1);
	server = goes(package, server, 1);
	KUNIT_EXPECT_EQ(test, server, -1);
	server = goes(package, server, 5);
	KUNIT_EXPECT_EQ(test, server, -1);
	server = comes(package, server, 5);
	KUNIT_EXPECT_EQ(test, server, -1);
	server = comes(package, server, 3);
	KUNIT_EXPECT_EQ(test, server, 3);
	server = comes(package, server, 0);
	KUNIT_EXPECT_EQ(test, server, 3);
}

static void isolated_last(struct kunit *test)
{
	/* CPU 2 and all of package 1 but CPU 7 */
	machine_boot(0xff, 0x74);
	KUNIT_EXPECT_EQ(test, first(pmon_in_package(1)), 7);
	KUNIT_EXPECT_EQ(test, first(pmon_near_node(1)), 3);
	KUNIT_EXPECT_EQ(test, first(pmon_near_node(2)), 7);
	/* A package has no others. */
	KUNIT_EXPECT_EQ(test, goes(pmon_in_package(1), 7, 7), 4);
	KUNIT_EXPECT_EQ(test, first(pmon_near_node(2)), 0);
	KUNIT_EXPECT_EQ(test, comes(pmon_in_package(1), 4, 7), 7);
	KUNIT_EXPECT_EQ(test, comes(pmon_near_node(2), 0, 7), 7);
	/* Nor is there one where all are isolated. */
	machine_boot(0xff, 0xff);
	KUNIT_EXPECT_EQ(test, first(pmon_near_node(4)), 6);
}

static unsigned int cost_of(struct pmon_place_id id, int cpu)
{
	return machine_distance(cpu, id) +
	       (machine_is_isolated(cpu) ? 256 : 0);
}

/* The best there is, and the one that was there if it is as good. */
static void expect_best(struct kunit *test, struct pmon_place_id id, int was,
			int server)
{
	bool any = false;
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		if (!(machine_online & BIT(cpu)) ||
		    machine_distance(cpu, id) < 0)
			continue;
		any = true;
		KUNIT_ASSERT_GE(test, server, 0);
		KUNIT_EXPECT_LE(test, cost_of(id, server), cost_of(id, cpu));
		if (cpu == was && server != was)
			KUNIT_EXPECT_LT(test, cost_of(id, server),
					cost_of(id, was));
	}
	KUNIT_EXPECT_EQ(test, server >= 0, any);
	if (server >= 0)
		KUNIT_EXPECT_TRUE(test, machine_online & BIT(server));
}

static void walk(struct kunit *test, struct pmon_place_id id,
		 unsigned int isolated)
{
	u32 random = 12345 + isolated;
	unsigned int step;
	int server, was;

	machine_boot(0x81, isolated);
	server = first(id);
	expect_best(test, id, -1, server);
	for (step = 0; step < 2000; step++) {
		int cpu;

		random = random * 1664525 + 1013904223;
		cpu = random >> 29;
		was = server;
		if (!(machine_online & BIT(cpu)))
			server = comes(id, server, cpu);
		else if (machine_online != BIT(cpu))
			server = goes(id, server, cpu);
		expect_best(test, id, was, server);
	}
}

static void as_cpus_come_and_go(struct kunit *test)
{
	int i;

	for (i = NO_NODE; i < NODES; i++) {
		walk(test, pmon_near_node(i), 0);
		walk(test, pmon_near_node(i), 0x2c);
	}
	for (i = 0; i < 2; i++) {
		walk(test, pmon_in_package(i), 0);
		walk(test, pmon_in_package(i), 0x2c);
	}
}

static struct kunit_case serve_cases[] = {
	KUNIT_CASE(nearest),
	KUNIT_CASE(last_of_a_node_goes),
	KUNIT_CASE(node_without_cpus),
	KUNIT_CASE(last_of_a_package_goes),
	KUNIT_CASE(isolated_last),
	KUNIT_CASE(as_cpus_come_and_go),
	{}
};

struct kunit_suite pmon_serve_suite = {
	.name = "pmon_serve",
	.test_cases = serve_cases,
};
