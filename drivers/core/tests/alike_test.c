// SPDX-License-Identifier: GPL-2.0-only
/* A box that returns may be elsewhere; it may not be another kind of box. */
#include <linux/kernel.h>

#include <pmon/box.h>

#include "shape.h"
#include "suites.h"

static const struct pmon_protocol protocol = { 0x1, 0x301, 0x0, 4 };
static const struct pmon_protocol other_protocol = { 0x1, 0x301, 0x0, 8 };

static const struct shape box = {
	.protocol = &protocol, .counters = 4, .width = 48, .ctl_bytes = 4,
	.ctl = 0x40, .ctl_stride = 4, .ctr = 8, .ctr_stride = 8,
	.fixed = { .width = 48, .ctl = 0x54, .ctr = 0x38, .enable = 0x400000 },
};

static const struct shape free_box = {
	.free = { { .config = 0x10ff, .reg = 0xb0, .count = 1, .width = 48,
		    .stride = 8 },
		  { .config = 0x20ff, .reg = 0x118, .count = 2, .width = 48,
		    .stride = 8 } },
};

static struct shaped one, two;

static void expect_alike(struct kunit *test, const struct shape *left,
			 const struct shape *right, bool alike,
			 const char *what)
{
	const struct pmon_layout *a = shape_layout(left, &one);
	const struct pmon_layout *b = shape_layout(right, &two);

	KUNIT_EXPECT_EQ_MSG(test, pmon_layouts_alike(a, b), alike, "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, pmon_layouts_alike(b, a), alike, "%s", what);
}

static void what_makes_another_box(struct kunit *test)
{
	struct shape other = box;

	expect_alike(test, &box, &other, true, "the same");
	other.counters = 5;
	expect_alike(test, &box, &other, false, "counters");
	other = box;
	other.width = 44;
	expect_alike(test, &box, &other, false, "width");
	other = box;
	other.fixed.width = 0;
	expect_alike(test, &box, &other, false, "no fixed counter");
	other = box;
	other.fixed.width = 44;
	expect_alike(test, &box, &other, false, "width of the fixed counter");
	expect_alike(test, &box, &free_box, false, "counters of their own");
}

static void where_registers_are_makes_none(struct kunit *test)
{
	struct shape other = box;

	other.protocol = &other_protocol;
	other.ctl = 0x80;
	other.ctl_stride = 8;
	other.ctl_bytes = 8;
	other.ctr = 0x10;
	other.fixed.ctl = 0x60;
	other.fixed.ctr = 0x68;
	expect_alike(test, &box, &other, true, "registers elsewhere");
	other = free_box;
	other.free[0].reg = 0x10;
	other.free[1].stride = 16;
	expect_alike(test, &free_box, &other, true, "free ones elsewhere");
}

static void what_makes_other_free_counters(struct kunit *test)
{
	struct shape other = free_box;

	expect_alike(test, &free_box, &other, true, "the same");
	other.free[0].config = 0x30ff;
	expect_alike(test, &free_box, &other, false, "another event");
	other = free_box;
	other.free[1].count = 1;
	expect_alike(test, &free_box, &other, false, "fewer");
	other = free_box;
	other.free[1].width = 36;
	expect_alike(test, &free_box, &other, false, "another width");
	other = free_box;
	other.free[2] = (struct shape_free){ .config = 0x30ff, .count = 1,
					    .width = 48 };
	expect_alike(test, &free_box, &other, false, "one more group");
}

static struct kunit_case alike_tests[] = {
	KUNIT_CASE(what_makes_another_box),
	KUNIT_CASE(where_registers_are_makes_none),
	KUNIT_CASE(what_makes_other_free_counters),
	{ }
};

struct kunit_suite pmon_alike_suite = {
	.name = "pmon_alike",
	.test_cases = alike_tests,
};
