// SPDX-License-Identifier: GPL-2.0-only
/* Which layouts the engine accepts, one member out of range at a time. */
#include <linux/kernel.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include <pmon/box.h>

#include "shape.h"
#include "suites.h"

static const struct pmon_protocol protocol = { 0x1, 0x301, 0, 4 };

/* A memory controller's: four counters and a fixed one. */
static const struct shape imc = {
	.protocol = &protocol, .counters = 4, .width = 48, .ctl_bytes = 4,
	.box_ctl = 0, .ctl = 0x40, .ctl_stride = 4, .ctr = 8, .ctr_stride = 8,
	.fixed = { .width = 48, .ctl = 0x54, .ctr = 0x38, .enable = 0x400000 },
};

static const struct shape cha = {
	.protocol = &protocol, .counters = 4, .width = 48, .ctl_bytes = 8,
	.box_ctl = 0, .ctl = 2, .ctl_stride = 1, .ctr = 8, .ctr_stride = 1,
	.indexed = true,
};

/* Registers of each kind far from the others. */
static const struct shape wide = {
	.protocol = &protocol, .counters = 4, .width = 48, .ctl_bytes = 4,
	.box_ctl = 0, .ctl = 0x1000, .ctl_stride = 4, .ctr = 0x2000,
	.ctr_stride = 8,
	.fixed = { .width = 48, .ctl = 0x3000, .ctr = 0x2ff8,
		   .enable = 0x400000 },
};

/* The same, of MSRs. */
static const struct shape many = {
	.protocol = &protocol, .counters = 4, .width = 48, .ctl_bytes = 8,
	.box_ctl = 0, .ctl = 0x100, .ctl_stride = 1, .ctr = 0x200,
	.ctr_stride = 1, .indexed = true,
};

/* Ports of an I/O stack: a clock, and two kinds of eight. */
static const struct shape ports = {
	.indexed = true,
	.free = { { 0x10ff, 0x340e, 1, 1, 48 }, { 0x20ff, 0x3800, 1, 8, 48 },
		  { 0x30ff, 0x3808, 1, 8, 48 } },
};

/* The same in memory. */
static const struct shape queues = {
	.free = { { 0x10ff, 0x22b0, 8, 1, 48 }, { 0x20ff, 0x2318, 8, 2, 48 } },
};

struct layout_case {
	const char *what;
	const char *wrong;
	const struct shape *base;
	u32 size;
	size_t offset;
	u64 value;
	u8 bytes;
};

#define GOOD(base, size)	{ #base " in " #size, NULL, &(base), size }
#define CHANGED(base, size, member, value, wrong) \
	{ #base "." #member " " #value, wrong, &(base), size, \
	  offsetof(struct shape, member), value, \
	  sizeof((base).member) }

static const struct layout_case layout_cases[] = {
	GOOD(imc, 0),
	GOOD(imc, 0x58),
	GOOD(cha, 0),
	GOOD(cha, 12),
	CHANGED(cha, 0, counters, 0, "counters"),
	CHANGED(wide, 0, counters, 63, NULL),
	CHANGED(wide, 0, counters, 64, "counters"),
	CHANGED(many, 0, counters, 64, NULL),
	CHANGED(many, 0, counters, 65, "counters"),
	CHANGED(many, 0, counters, 255, "counters"),
	CHANGED(imc, 0, width, 0, "width"),
	CHANGED(imc, 0, width, 31, "width"),
	CHANGED(imc, 0, width, 32, NULL),
	CHANGED(imc, 0, width, 64, NULL),
	CHANGED(imc, 0, width, 65, "width"),
	CHANGED(imc, 0, width, 255, "width"),
	CHANGED(imc, 0, ctl_bytes, 0, "ctl_bytes"),
	CHANGED(imc, 0, ctl_bytes, 2, "ctl_bytes"),
	CHANGED(imc, 0, ctl_bytes, 8, "ctl"),
	CHANGED(imc, 0, ctl_stride, 3, "ctl"),
	CHANGED(imc, 0, ctl_stride, 8, NULL),
	CHANGED(imc, 0, ctr_stride, 4, "ctr"),
	CHANGED(imc, 0x5c, box_ctl, 0x58, NULL),
	CHANGED(imc, 0x5c, box_ctl, 0x59, "box_ctl"),
	CHANGED(imc, 0x58, box_ctl, 0xffffffff, "box_ctl"),
	CHANGED(wide, 0x3018, ctl, 0x3008, NULL),
	CHANGED(wide, 0x3018, ctl, 0x3009, "ctl"),
	CHANGED(imc, 0, ctl, 0xffffffff, "ctl"),
	CHANGED(imc, 0x58, ctl_stride, 0, "ctl"),
	CHANGED(imc, 0x58, ctl_stride, 0xffffffff, "ctl"),
	CHANGED(wide, 0x3028, ctr, 0x3008, NULL),
	CHANGED(wide, 0x3028, ctr, 0x3009, "ctr"),
	CHANGED(imc, 0x58, ctr_stride, 0, "ctr"),
	CHANGED(imc, 0x58, ctr_stride, 0x40000000, "ctr"),
	CHANGED(cha, 12, ctr, 9, "ctr"),
	CHANGED(imc, 0, filter, 0x14, NULL),
	CHANGED(imc, 0x58, fixed.width, 0, NULL),
	CHANGED(imc, 0x58, fixed.width, 31, "width"),
	CHANGED(imc, 0x58, fixed.width, 65, "width"),
	CHANGED(imc, 0x58, fixed.ctl, 0x55, "ctl"),
	CHANGED(wide, 0x3010, fixed.ctr, 0x3008, NULL),
	CHANGED(wide, 0x3010, fixed.ctr, 0x3009, "ctr"),
	GOOD(ports, 0),
	GOOD(queues, 0x2328),
	CHANGED(queues, 0x2327, free[0].width, 48, "ctr"),
	CHANGED(queues, 0, free[1].stride, 4, "ctr"),
	CHANGED(queues, 0, free[1].stride, 0, "ctr"),
	CHANGED(queues, 0, free[1].width, 31, "width"),
	CHANGED(queues, 0, free[1].width, 64, NULL),
	CHANGED(queues, 0, free[1].width, 65, "width"),
	CHANGED(queues, 0, free[1].count, 0, NULL),
	CHANGED(ports, 0, free[2].count, 55, NULL),
	CHANGED(ports, 0, free[2].count, 56, "counters"),
	CHANGED(ports, 0, free[2].count, 247, "counters"),
	CHANGED(ports, 0, counters, 1, "protocol"),
	CHANGED(ports, 0, fixed.width, 48, "protocol"),
};

static struct shaped shaped;

KUNIT_ARRAY_PARAM_DESC(layout, layout_cases, what);

static void layout_store(struct shape *layout,
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
	struct shape shape = *c->base;
	const char *wrong;

	layout_store(&shape, c);
	wrong = pmon_layout_valid(shape_layout(&shape, &shaped), c->size);
	if (!c->wrong) {
		KUNIT_EXPECT_STREQ(test, wrong ?: "nothing", "nothing");
		return;
	}
	KUNIT_EXPECT_STREQ(test, wrong ?: "nothing", c->wrong);
}

static const char *judge(const struct shape *shape)
{
	return pmon_layout_valid(shape_layout(shape, &shaped), 0) ?: "nothing";
}

/* One register for all counters, or one for each; nothing in between. */
static void filters_are_one_or_own(struct kunit *test)
{
	struct shape shape = cha;

	shape.filter_bytes = 8;
	shape.filter = 14;
	KUNIT_EXPECT_STREQ(test, judge(&shape), "nothing");
	KUNIT_EXPECT_TRUE(test, pmon_layout_shares_filter(&shaped.layout));
	shaped.counter[3].filter = 15;
	KUNIT_EXPECT_STREQ(test, pmon_layout_valid(&shaped.layout, 0),
			   "filter");

	shape.filter_stride = 1;
	KUNIT_EXPECT_STREQ(test, judge(&shape), "nothing");
	KUNIT_EXPECT_FALSE(test, pmon_layout_shares_filter(&shaped.layout));
	shaped.counter[3].filter = 16;
	KUNIT_EXPECT_STREQ(test, pmon_layout_valid(&shaped.layout, 0),
			   "filter");
	shape.filter = 5;
	shape.ctl = 12;
	KUNIT_EXPECT_STREQ(test, judge(&shape), "filter");
	shape.ctl = 2;
	shape.filter = 14;
	shape.filter_bytes = 2;
	KUNIT_EXPECT_STREQ(test, judge(&shape), "filter");
}

/* Two of a box that are one register would count or control each other's. */
static void registers_lie_apart(struct kunit *test)
{
	struct shape shape = imc;

	shape.box_ctl = 0x50;
	KUNIT_EXPECT_STREQ(test, judge(&shape), "nothing");
	shape.box_ctl = 0x51;
	KUNIT_EXPECT_STREQ(test, judge(&shape), "ctl");
	shape.box_ctl = 0x4f;
	KUNIT_EXPECT_STREQ(test, judge(&shape), "ctl");
	shape.box_ctl = 0x27;
	KUNIT_EXPECT_STREQ(test, judge(&shape), "ctr");
	shape = imc;
	shape.fixed.ctl = 0x4c;
	KUNIT_EXPECT_STREQ(test, judge(&shape), "ctl");
	shape.fixed.ctl = 0x20;
	KUNIT_EXPECT_STREQ(test, judge(&shape), "ctl");
	shape = cha;
	shape.ctr = 5;
	KUNIT_EXPECT_STREQ(test, judge(&shape), "ctl");
	shape.ctr = 6;
	KUNIT_EXPECT_STREQ(test, judge(&shape), "nothing");
}

/* Of counters that run by themselves a protocol says how fast they are. */
static void rate_of_free(struct kunit *test)
{
	static const struct pmon_protocol slow = { .rate_log2 = 30 },
		fast = { .rate_log2 = 39 }, keeps = { .keeps = true };

	judge(&ports);
	shaped.layout.protocol = &slow;
	KUNIT_EXPECT_NULL(test, pmon_layout_valid(&shaped.layout, 0));
	shaped.counter[0].width = 24;
	KUNIT_EXPECT_NULL(test, pmon_layout_valid(&shaped.layout, 0));
	shaped.layout.protocol = NULL;
	KUNIT_EXPECT_STREQ(test, pmon_layout_valid(&shaped.layout, 0), "width");
	judge(&ports);
	shaped.layout.protocol = &fast;
	KUNIT_EXPECT_STREQ(test, pmon_layout_valid(&shaped.layout, 0),
			   "protocol");
	shaped.layout.protocol = &keeps;
	KUNIT_EXPECT_STREQ(test, pmon_layout_valid(&shaped.layout, 0),
			   "protocol");
}

/* A counter that is faster than its protocol says is read more often. */
static void rate_of_a_counter(struct kunit *test)
{
	const struct pmon_protocol slow = { .bytes = 8, .rate_log2 = 32 };
	struct pmon_counter counter[] = {
		{ .width = 40, .ctl = 0x40, .ctr = 8 },
		{ .width = 40, .ctl = 0x48, .ctr = 0x10 },
	};
	const struct pmon_layout layout = {
		.protocol = &slow, .counter = counter, .counters = 2,
		.ctl_bytes = 8,
	};

	KUNIT_EXPECT_EQ(test, pmon_layout_period_ns(&layout), 60000000000ULL);
	counter[1].rate_log2 = 38;
	KUNIT_EXPECT_NULL(test, pmon_layout_valid(&layout, 0));
	KUNIT_EXPECT_EQ(test, pmon_layout_period_ns(&layout), 2000000000ULL);
	counter[1].width = 31;
	KUNIT_EXPECT_STREQ(test, pmon_layout_valid(&layout, 0), "width");
	counter[1].width = 64;
	counter[1].rate_log2 = 39;
	KUNIT_EXPECT_STREQ(test, pmon_layout_valid(&layout, 0), "rate_log2");
}

static void kinds_are_known(struct kunit *test)
{
	KUNIT_EXPECT_STREQ(test, judge(&imc), "nothing");
	shaped.counter[0].kind = PMON_COUNTER_FREE_RUNNING + 1;
	KUNIT_EXPECT_STREQ(test, pmon_layout_valid(&shaped.layout, 0), "kind");
	/* Counters that run by themselves need no protocol, others do. */
	KUNIT_EXPECT_STREQ(test, judge(&imc), "nothing");
	shaped.layout.protocol = NULL;
	KUNIT_EXPECT_STREQ(test, pmon_layout_valid(&shaped.layout, 0),
			   "protocol");
	shaped.counter[0].kind = PMON_COUNTER_FREE_RUNNING;
	KUNIT_EXPECT_STREQ(test, pmon_layout_valid(&shaped.layout, 0),
			   "protocol");
	KUNIT_EXPECT_STREQ(test, judge(&ports), "nothing");
	shaped.layout.protocol = &protocol;
	KUNIT_EXPECT_STREQ(test, pmon_layout_valid(&shaped.layout, 0),
			   "protocol");
}

/* Prepared again, a layout has what its counters are now. */
static void a_layout_is_prepared_again(struct kunit *test)
{
	KUNIT_EXPECT_STREQ(test, judge(&imc), "nothing");
	KUNIT_EXPECT_EQ(test, shaped.layout.any, 0xfULL);
	KUNIT_EXPECT_EQ(test, shaped.layout.own, 0x10ULL);
	shaped.counter[0].kind = PMON_COUNTER_FIXED;
	shaped.counter[4].kind = PMON_COUNTER_ANY;
	pmon_layout_prepare(&shaped.layout);
	KUNIT_EXPECT_EQ(test, shaped.layout.any, 0x1eULL);
	KUNIT_EXPECT_EQ(test, shaped.layout.own, 0x1ULL);
}

/*
 * The register of overflows can be reached, lies apart from the others and has
 * a bit for each counter.
 */
static void overflows_have_a_register(struct kunit *test)
{
	KUNIT_EXPECT_STREQ(test, judge(&wide), "nothing");
	shaped.layout.overflow_reg = 0x3004;
	shaped.counter[1].bit = 63;
	KUNIT_EXPECT_NULL(test, pmon_layout_valid(&shaped.layout, 0x300c));
	KUNIT_EXPECT_STREQ(test, pmon_layout_valid(&shaped.layout, 0x300b),
			   "overflow");
	KUNIT_EXPECT_NULL(test, pmon_layout_valid(&shaped.layout, 0));
	shaped.layout.overflow_reg = 3;
	KUNIT_EXPECT_STREQ(test, pmon_layout_valid(&shaped.layout, 0),
			   "overflow");
	shaped.layout.overflow_reg = 4;
	KUNIT_EXPECT_NULL(test, pmon_layout_valid(&shaped.layout, 0));
	shaped.counter[1].bit = 64;
	KUNIT_EXPECT_STREQ(test, pmon_layout_valid(&shaped.layout, 0), "bit");
}

struct protocol_case {
	const char *what;
	struct pmon_protocol protocol;
	u8 width;
	const char *wrong;
};

static const struct protocol_case protocol_cases[] = {
	{ "a box control of 4 bytes", { .bytes = 4 }, 32 },
	{ "of 8", { .bytes = 8 }, 32 },
	{ "of 2", { .bytes = 2 }, 32, "protocol" },
	{ "none", { .keeps = true }, 32 },
	{ "none, and counters are cleared", { }, 32, "protocol" },
	{ "the fastest", { .bytes = 4, .rate_log2 = 38 }, 32 },
	{ "too fast", { .bytes = 4, .rate_log2 = 39 }, 64, "protocol" },
	{ "too narrow", { .bytes = 4 }, 31, "width" },
	{ "slow, narrow", { .bytes = 4, .rate_log2 = 37 }, 31 },
	{ "slow, too narrow", { .bytes = 4, .rate_log2 = 37 }, 30, "width" },
	{ "very slow and narrow", { .bytes = 4, .rate_log2 = 7 }, 1 },
	{ "very narrow", { .bytes = 4, .rate_log2 = 8 }, 1, "width" },
};

KUNIT_ARRAY_PARAM_DESC(protocol, protocol_cases, what);

static void protocol_is_judged(struct kunit *test)
{
	const struct protocol_case *c = test->param_value;
	const struct pmon_counter counter = {
		.width = c->width, .ctl = 0x40, .ctr = 8,
	};
	const struct pmon_layout layout = {
		.protocol = &c->protocol, .counter = &counter, .counters = 1,
		.ctl_bytes = 4,
	};

	KUNIT_EXPECT_STREQ(test, pmon_layout_valid(&layout, 0) ?: "nothing",
			   c->wrong ?: "nothing");
}

static struct kunit_case layout_tests[] = {
	KUNIT_CASE_PARAM(protocol_is_judged, protocol_gen_params),
	KUNIT_CASE_PARAM(layout_is_judged, layout_gen_params),
	KUNIT_CASE(filters_are_one_or_own),
	KUNIT_CASE(registers_lie_apart),
	KUNIT_CASE(rate_of_free),
	KUNIT_CASE(rate_of_a_counter),
	KUNIT_CASE(kinds_are_known),
	KUNIT_CASE(a_layout_is_prepared_again),
	KUNIT_CASE(overflows_have_a_register),
	{ }
};

struct kunit_suite pmon_layout_suite = {
	.name = "pmon_layout",
	.test_cases = layout_tests,
};
