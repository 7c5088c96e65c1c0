// SPDX-License-Identifier: GPL-2.0-only
/* contract: packages */
/* Map buses to sockets. */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "../boxes.h"
#include "suites.h"

/* Maps of 2, 4 and 8 nodes, with node n in group n. */
#define GROUPS_2	0x00000008
#define GROUPS_4	0x00000688
#define GROUPS_8	0x00fac688

static void expect(struct kunit *test, const struct r2_ubox *ubox,
		   unsigned int count, u16 segment, u8 bus, int socket,
		   const char *why)
{
	const char *reason;

	KUNIT_EXPECT_EQ_MSG(test, r2_socket(ubox, count, segment, bus, &reason),
			    socket, "bus %04x:%02x", segment, bus);
	KUNIT_EXPECT_STREQ(test, reason ?: "-", why);
}

static void a_bus_uses_the_next_higher_ubox(struct kunit *test)
{
	const struct r2_ubox ubox[] = {
		{ 0, 0xff, 1, GROUPS_2 }, { 0, 0x7f, 0, GROUPS_2 },
	};

	expect(test, ubox, 2, 0, 0x7f, 0, "-");
	expect(test, ubox, 2, 0, 0xff, 1, "-");
	/* A bus without a Ubox uses the Ubox of the next higher bus. */
	expect(test, ubox, 2, 0, 0x00, 0, "-");
	expect(test, ubox, 2, 0, 0x80, 1, "-");
	expect(test, ubox, 1, 0, 0x40, 1, "-");
	expect(test, ubox + 1, 1, 0, 0x80, -1,
	       "no Ubox on its bus or a higher bus");
	expect(test, ubox, 2, 1, 0x7f, -1,
	       "no Ubox on its bus or a higher bus");
	expect(test, ubox, 0, 0, 0x7f, -1,
	       "no Ubox on its bus or a higher bus");
}

/* Only the low three bits of the node ID register are the node ID. */
static void three_bits_are_the_node_id(struct kunit *test)
{
	const struct r2_ubox ubox = { 0, 0x7f, 0xffff0100, 0 };

	expect(test, &ubox, 1, 0, 0x7f, 0, "-");
}

/* Node IDs may differ from package numbers. */
static void eight_sockets_have_numbers_by_node(struct kunit *test)
{
	struct r2_ubox ubox[8];
	unsigned int i;

	for (i = 0; i < 8; i++)
		ubox[i] = (struct r2_ubox){ 0, 0x1f + 0x20 * i, i, GROUPS_8 };
	for (i = 0; i < 8; i++)
		expect(test, ubox, 8, 0, ubox[i].bus, i, "-");
	for (i = 0; i < 8; i++)	/* reverse order */
		ubox[i].map = 0x00053977;
	for (i = 0; i < 8; i++)
		expect(test, ubox, 8, 0, ubox[i].bus, 7 - i, "-");
}

static void those_that_do_not_answer(struct kunit *test)
{
	struct r2_ubox ubox[] = {
		{ 0, 0x7f, U32_MAX, U32_MAX }, { 0, 0xff, 1, GROUPS_2 },
	};

	expect(test, ubox, 2, 0, 0x7f, -1, "its Ubox does not answer");
	/* An unresponsive Ubox does not contradict the other. */
	expect(test, ubox, 2, 0, 0xff, 1, "-");
	ubox[0] = (struct r2_ubox){ 0, 0x7f, 0, U32_MAX };
	expect(test, ubox, 2, 0, 0x7f, -1, "its Ubox does not answer");
	ubox[0] = (struct r2_ubox){ 0, 0x7f, U32_MAX, GROUPS_2 };
	expect(test, ubox, 2, 0, 0x7f, -1, "its Ubox does not answer");
}

static void those_that_contradict(struct kunit *test)
{
	struct r2_ubox ubox[] = {
		{ 0, 0x3f, 0, GROUPS_4 }, { 0, 0x7f, 1, GROUPS_4 },
		{ 0, 0xbf, 0x201, GROUPS_4 }, { 0, 0xff, 3, GROUPS_4 },
	};

	expect(test, ubox, 4, 0, 0x7f, -1,
	       "another Ubox has the same node id");
	expect(test, ubox, 4, 0, 0xbf, -1,
	       "another Ubox has the same node id");
	expect(test, ubox, 4, 0, 0x3f, 0, "-");
	expect(test, ubox, 4, 0, 0xff, 3, "-");

	ubox[2].node = 2;
	ubox[2].map = 0x000004d1;	/* groups have nodes 1, 2, 3, 2 */
	expect(test, ubox, 4, 0, 0x3f, -1,
	       "another Ubox has another map of nodes");
	expect(test, ubox, 4, 0, 0xbf, -1,
	       "another Ubox has another map of nodes");
}

static void a_node_in_no_group(struct kunit *test)
{
	const struct r2_ubox ubox = { 0, 0x7f, 5, GROUPS_4 };

	expect(test, &ubox, 1, 0, 0x7f, -1,
	       "its Ubox maps its own node id to no group");
}

static struct kunit_case sockets_tests[] = {
	KUNIT_CASE(a_bus_uses_the_next_higher_ubox),
	KUNIT_CASE(three_bits_are_the_node_id),
	KUNIT_CASE(eight_sockets_have_numbers_by_node),
	KUNIT_CASE(those_that_do_not_answer),
	KUNIT_CASE(those_that_contradict),
	KUNIT_CASE(a_node_in_no_group),
	{ }
};

struct kunit_suite r2pcie_sockets_suite = {
	.name = "pmon_r2pcie_sockets",
	.test_cases = sockets_tests,
};
