// SPDX-License-Identifier: GPL-2.0-only
/* Which layouts the engine accepts, one member out of range at a time. */
#include <linux/kernel.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include <pmon/box.h>

#include "suites.h"

static const struct pmon_protocol protocol = { 0x1, 0x301, 0, 4 };

/* A memory controller's: four counters and a fixed one. */
static const struct pmon_layout imc = {
	.protocol = &protocol, .counters = 4, .width = 48, .ctl_bytes = 4,
	.box_ctl = 0, .ctl = 0x40, .ctl_stride = 4, .ctr = 8, .ctr_stride = 8,
	.fixed = { .width = 48, .ctl = 0x54, .ctr = 0x38, .enable = 0x400000 },
};

static const struct pmon_layout cha = {
	.protocol = &protocol, .counters = 4, .width = 48, .ctl_bytes = 8,
	.box_ctl = 0, .ctl = 2, .ctl_stride = 1, .ctr = 8, .ctr_stride = 1,
};

/* Ports of an I/O stack: a clock, and two kinds of eight. */
static const struct pmon_layout ports = {
	.free = { { 0x10ff, 0x340e, 1, 1, 48 }, { 0x20ff, 0x3800, 1, 8, 48 },
		  { 0x30ff, 0x3808, 1, 8, 48 } },
};

/* The same in a memory window. */
static const struct pmon_layout queues = {
	.free = { { 0x10ff, 0x22b0, 8, 1, 48 }, { 0x20ff, 0x2318, 8, 2, 48 } },
};

struct layout_case {
	const char *what;
	const char *wrong;
	const struct pmon_layout *base;
	u32 size;
	size_t offset;
	u64 value;
	u8 bytes;
};

#define GOOD(base, size)	{ #base " in " #size, NULL, &(base), size }
#define CHANGED(base, size, member, value, wrong) \
	{ #base "." #member " " #value, wrong, &(base), size, \
	  offsetof(struct pmon_layout, member), value, \
	  sizeof((base).member) }

static const struct layout_case layout_cases[] = {
	GOOD(imc, 0),
	GOOD(imc, 0x58),
	GOOD(cha, 0),
	GOOD(cha, 12),
	CHANGED(imc, 0, counters, 0, "counters"),
	CHANGED(imc, 0, counters, 63, NULL),
	CHANGED(imc, 0, counters, 64, "counters"),
	CHANGED(cha, 0, counters, 64, NULL),
	CHANGED(cha, 0, counters, 65, "counters"),
	CHANGED(cha, 0, counters, 255, "counters"),
	CHANGED(imc, 0, width, 0, "width"),
	CHANGED(imc, 0, width, 31, "width"),
	CHANGED(imc, 0, width, 32, NULL),
	CHANGED(imc, 0, width, 64, NULL),
	CHANGED(imc, 0, width, 65, "width"),
	CHANGED(imc, 0, width, 255, "width"),
	CHANGED(imc, 0, ctl_bytes, 0, "ctl_bytes"),
	CHANGED(imc, 0, ctl_bytes, 2, "ctl_bytes"),
	CHANGED(imc, 0, ctl_bytes, 8, "ctl_stride"),
	CHANGED(imc, 0, ctl_stride, 3, "ctl_stride"),
	CHANGED(imc, 0, ctl_stride, 8, NULL),
	CHANGED(imc, 0, ctr_stride, 4, "ctr_stride"),
	CHANGED(imc, 0x58, box_ctl, 0x54, NULL),
	CHANGED(imc, 0x58, box_ctl, 0x55, "box_ctl"),
	CHANGED(imc, 0x58, box_ctl, 0xffffffff, "box_ctl"),
	CHANGED(imc, 0x58, ctl, 0x48, NULL),
	CHANGED(imc, 0x58, ctl, 0x49, "ctl"),
	CHANGED(imc, 0, ctl, 0xffffffff, "ctl"),
	CHANGED(imc, 0x58, ctl_stride, 0, "ctl_stride"),
	CHANGED(imc, 0x58, ctl_stride, 0xffffffff, "ctl"),
	CHANGED(imc, 0x58, ctr, 0x38, NULL),
	CHANGED(imc, 0x58, ctr, 0x39, "ctr"),
	CHANGED(imc, 0x58, ctr_stride, 0, "ctr_stride"),
	CHANGED(imc, 0x58, ctr_stride, 0x40000000, "ctr"),
	CHANGED(cha, 12, ctr, 9, "ctr"),
	CHANGED(imc, 0x58, fixed.width, 0, NULL),
	CHANGED(imc, 0x58, fixed.width, 31, "fixed.width"),
	CHANGED(imc, 0x58, fixed.width, 65, "fixed.width"),
	CHANGED(imc, 0x58, fixed.ctl, 0x55, "fixed.ctl"),
	CHANGED(imc, 0x58, fixed.ctr, 0x50, NULL),
	CHANGED(imc, 0x58, fixed.ctr, 0x51, "fixed.ctr"),
	GOOD(ports, 0),
	GOOD(queues, 0x2328),
	CHANGED(queues, 0x2327, free[0].width, 48, "free"),
	CHANGED(queues, 0, free[1].stride, 4, "free"),
	CHANGED(queues, 0, free[1].stride, 0, "free"),
	CHANGED(queues, 0, free[0].stride, 0, "free"),
	CHANGED(queues, 0, free[1].width, 31, "free"),
	CHANGED(queues, 0, free[1].width, 64, NULL),
	CHANGED(queues, 0, free[1].width, 65, "free"),
	CHANGED(queues, 0, free[1].count, 0, NULL),
	CHANGED(ports, 0, free[1].count, 55, NULL),
	CHANGED(ports, 0, free[1].count, 56, "free"),
	CHANGED(ports, 0, free[1].count, 255, "free"),
	CHANGED(ports, 0, counters, 1, "free"),
	CHANGED(ports, 0, fixed.width, 48, "free"),
};

KUNIT_ARRAY_PARAM_DESC(layout, layout_cases, what);

static void layout_store(struct pmon_layout *layout,
			 const struct layout_case *c)
{
	void *where = (char *)layout + c->offset;
	u32 val32 = c->value;
	u8 val8 = c->value;

	if (c->bytes == 4)
		memcpy(where, &val32, 4);
	else if (c->bytes == 1)
		memcpy(where, &val8, 1);
}

static void layout_is_judged(struct kunit *test)
{
	const struct layout_case *c = test->param_value;
	struct pmon_layout layout = *c->base;
	const char *wrong;

	layout_store(&layout, c);
	wrong = pmon_layout_valid(&layout, c->size);
	if (!c->wrong) {
		KUNIT_EXPECT_STREQ(test, wrong ?: "nothing", "nothing");
		return;
	}
	KUNIT_EXPECT_STREQ(test, wrong ?: "nothing", c->wrong);
}

static void slots_lie_where_the_layout_says(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, pmon_layout_slots(&imc), 5U);
	KUNIT_EXPECT_EQ(test, pmon_layout_slots(&cha), 4U);
	KUNIT_EXPECT_EQ(test, pmon_slot_ctl(&imc, 3), 0x4cU);
	KUNIT_EXPECT_EQ(test, pmon_slot_ctr(&imc, 3), 0x20U);
	KUNIT_EXPECT_EQ(test, pmon_slot_ctl(&imc, 4), 0x54U);
	KUNIT_EXPECT_EQ(test, pmon_slot_ctr(&imc, 4), 0x38U);
	KUNIT_EXPECT_EQ(test, pmon_slot_ctl(&cha, 3), 5U);
	KUNIT_EXPECT_EQ(test, pmon_slot_ctr(&cha, 3), 11U);
	KUNIT_EXPECT_EQ(test, pmon_slot_width(&imc, 4), 48);
}

static struct kunit_case layout_tests[] = {
	KUNIT_CASE_PARAM(layout_is_judged, layout_gen_params),
	KUNIT_CASE(slots_lie_where_the_layout_says),
	{ }
};

struct kunit_suite pmon_layout_suite = {
	.name = "pmon_layout",
	.test_cases = layout_tests,
};
