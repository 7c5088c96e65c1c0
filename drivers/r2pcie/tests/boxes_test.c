// SPDX-License-Identifier: GPL-2.0-only
/* contract: encoding handback */
/* Check functions, registers and box controls. */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "../boxes.h"
#include "suites.h"

#define CONFIG_SPACE	0x1000

struct box_case {
	u16 device;
	const char *generation;
	enum r2_kind kind;
	u8 port;
	u8 width;
	u32 freeze;
	u32 reset;
	u32 run;
	u16 ubox;
};

static const struct box_case box_cases[] = {
	{ 0x3c43, "v1", R2_KIND_R2PCIE, 0, 44, 0x10100, 0x10103, 0x10000, 0x3ce0 },
	{ 0x3c41, "v1", R2_KIND_QPI, 0, 48, 0x10100, 0x10103, 0x10000, 0x3ce0 },
	{ 0x3c42, "v1", R2_KIND_QPI, 1, 48, 0x10100, 0x10103, 0x10000, 0x3ce0 },
	{ 0x0e34, "v2", R2_KIND_R2PCIE, 0, 44, 0x30100, 0x30103, 0x30000, 0x0e1e },
	{ 0x0e32, "v2", R2_KIND_QPI, 0, 48, 0x30100, 0x30103, 0x30000, 0x0e1e },
	{ 0x0e33, "v2", R2_KIND_QPI, 1, 48, 0x30100, 0x30103, 0x30000, 0x0e1e },
	{ 0x0e3a, "v2", R2_KIND_QPI, 2, 48, 0x30100, 0x30103, 0x30000, 0x0e1e },
	{ 0x2f34, "v3", R2_KIND_R2PCIE, 0, 48, 0x10100, 0x10103, 0x10000, 0x2f1e },
	{ 0x2f3a, "v3", R2_KIND_QPI, 2, 48, 0x10100, 0x10103, 0x10000, 0x2f1e },
	{ 0x6f34, "v4", R2_KIND_R2PCIE, 0, 48, 0x10100, 0x10103, 0x10000, 0x6f1e },
	{ 0x6f33, "v4", R2_KIND_QPI, 1, 48, 0x10100, 0x10103, 0x10000, 0x6f1e },
};

static void which_function_is_what(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(box_cases); i++) {
		const struct box_case *want = &box_cases[i];
		const struct r2_function *f = r2_function_find(want->device);

		KUNIT_ASSERT_NOT_NULL(test, f);
		KUNIT_EXPECT_STREQ(test, f->generation->name,
				   want->generation);
		KUNIT_EXPECT_EQ(test, (int)f->kind, (int)want->kind);
		KUNIT_EXPECT_EQ(test, f->port, want->port);
		KUNIT_EXPECT_EQ(test, f->generation->ubox, want->ubox);
	}
	/* R3QPI, a home agent, a filter of QPI, and no device ID. */
	KUNIT_EXPECT_NULL(test, r2_function_find(0x0e36));
	KUNIT_EXPECT_NULL(test, r2_function_find(0x0e30));
	KUNIT_EXPECT_NULL(test, r2_function_find(0x0e86));
	KUNIT_EXPECT_NULL(test, r2_function_find(0));
}

static void what_the_box_control_gets(struct kunit *test)
{
	struct pmon_counter counter[R2_COUNTERS];
	struct pmon_layout layout;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(box_cases); i++) {
		const struct box_case *want = &box_cases[i];

		r2_layout(r2_function_find(want->device), counter, &layout);
		KUNIT_EXPECT_EQ(test, layout.protocol->freeze, want->freeze);
		KUNIT_EXPECT_EQ(test, layout.protocol->reset, want->reset);
		KUNIT_EXPECT_EQ(test, layout.protocol->run, want->run);
		KUNIT_EXPECT_EQ(test, layout.protocol->bytes, 4);
		KUNIT_EXPECT_FALSE(test, layout.protocol->no_reset);
	}
}

/* The core accepts the layout: in configuration space, polled each minute. */
static void registers_of_every_box(struct kunit *test)
{
	static const u32 ctr[] = { 0xa0, 0xa8, 0xb0, 0xb8 };
	static const u32 ctl[] = { 0xd8, 0xdc, 0xe0, 0xe4 };
	struct pmon_counter counter[R2_COUNTERS];
	const struct r2_function *f;
	struct pmon_layout layout;
	unsigned int i;

	for (f = r2_functions; f->device; f++) {
		r2_layout(f, counter, &layout);
		KUNIT_EXPECT_NULL(test,
				  pmon_layout_valid(&layout, CONFIG_SPACE));
		KUNIT_EXPECT_EQ(test, layout.box_ctl, 0xf4);
		KUNIT_EXPECT_EQ(test, layout.ctl_bytes, 4);
		KUNIT_ASSERT_EQ(test, layout.counters, 4);
		for (i = 0; i < layout.counters; i++) {
			KUNIT_EXPECT_EQ(test, layout.counter[i].ctr, ctr[i]);
			KUNIT_EXPECT_EQ(test, layout.counter[i].ctl, ctl[i]);
		}
		KUNIT_EXPECT_EQ(test, pmon_layout_period_ns(&layout),
				60000000000ULL);
	}
}

static void widths(struct kunit *test)
{
	struct pmon_counter counter[R2_COUNTERS];
	struct pmon_layout layout;
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(box_cases); i++) {
		r2_layout(r2_function_find(box_cases[i].device), counter,
			  &layout);
		for (j = 0; j < layout.counters; j++)
			KUNIT_EXPECT_EQ(test, layout.counter[j].width,
					box_cases[i].width);
	}
}

static struct kunit_case boxes_tests[] = {
	KUNIT_CASE(which_function_is_what),
	KUNIT_CASE(what_the_box_control_gets),
	KUNIT_CASE(registers_of_every_box),
	KUNIT_CASE(widths),
	{ }
};

struct kunit_suite r2pcie_boxes_suite = {
	.name = "pmon_r2pcie_boxes",
	.test_cases = boxes_tests,
};
