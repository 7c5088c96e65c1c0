// SPDX-License-Identifier: GPL-2.0-only
/* Check the validation of layouts, with one member out of range at a time. */
#include <linux/kernel.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include <pmon/box.h>

#include "shape.h"
#include "suites.h"

static const struct pmon_protocol protocol = { 0x1, 0x301, 0, 4 };

/* Box of a memory controller: four counters and a fixed counter. */
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

/* Registers of each kind far apart, so that one kind can grow or move. */
static const struct shape wide = {
	.protocol = &protocol, .counters = 4, .width = 48, .ctl_bytes = 4,
	.box_ctl = 0, .ctl = 0x1000, .ctl_stride = 4, .ctr = 0x2000,
	.ctr_stride = 8,
	.fixed = { .width = 48, .ctl = 0x3000, .ctr = 0x2ff8,
		   .enable = 0x400000 },
};

/* A box with a filter register after all other registers. */
static const struct shape filtered = {
	.protocol = &protocol, .counters = 4, .width = 48, .ctl_bytes = 4,
	.box_ctl = 0, .ctl = 0x1000, .ctl_stride = 4, .ctr = 0x2000,
	.ctr_stride = 8, .filter_bytes = 4, .filter = 0x3010,
};

/* MSRs far apart, so that the number of counters can grow. */
static const struct shape many = {
	.protocol = &protocol, .counters = 4, .width = 48, .ctl_bytes = 8,
	.box_ctl = 0, .ctl = 0x100, .ctl_stride = 1, .ctr = 0x200,
	.ctr_stride = 1, .indexed = true,
};

/* Ports of an I/O stack: a clock, and two groups of eight counters. */
static const struct shape ports = {
	.indexed = true,
	.free = { { 0x10ff, 0x340e, 1, 1, 48 }, { 0x20ff, 0x3800, 1, 8, 48 },
		  { 0x30ff, 0x3808, 1, 8, 48 } },
};

/* Memory-mapped: a clock, and a group of two counters. */
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
	CHANGED(many, 0, counters, 64, NULL),
	CHANGED(many, 0, counters, 65, "counters"),
	CHANGED(imc, 0, width, 0, "width"),
	CHANGED(imc, 0, width, 31, "width"),
	CHANGED(imc, 0, width, 32, NULL),
	CHANGED(imc, 0, width, 64, NULL),
	CHANGED(imc, 0, width, 65, "width"),
	CHANGED(imc, 0x58, ctl_bytes, 8, "register"),
	CHANGED(imc, 0x5c, box_ctl, 0x58, NULL),
	CHANGED(imc, 0x58, box_ctl, 0x58, "box_ctl"),
	CHANGED(imc, 0, ctl, 0xffffffff, "register"),
	CHANGED(wide, 0x3028, ctr, 0x3008, NULL),
	CHANGED(wide, 0x3028, ctr, 0x3009, "register"),
	CHANGED(cha, 12, ctr, 9, "register"),
	CHANGED(imc, 0, filter, 0x14, NULL),
	GOOD(filtered, 0x3014),
	CHANGED(filtered, 0x3014, filter, 0x3011, "register"),
	CHANGED(imc, 0x58, fixed.ctl, 0x55, "register"),
	GOOD(ports, 0),
	GOOD(queues, 0x2328),
	CHANGED(queues, 0x2327, free[0].width, 48, "register"),
	CHANGED(queues, 0, free[1].width, 31, "width"),
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

static void layout_is_checked(struct kunit *test)
{
	const struct layout_case *c = test->param_value;
	struct shape shape = *c->base;
	const char *wrong;

	layout_store(&shape, c);
	wrong = pmon_layout_valid(shape_layout(&shape, &shaped), c->size);
	KUNIT_EXPECT_STREQ(test, wrong ?: "nothing", c->wrong ?: "nothing");
}

static const char *judge(const struct shape *shape)
{
	return pmon_layout_valid(shape_layout(shape, &shaped), 0) ?: "nothing";
}

/* All counters share one filter register, or each has its own. */
static void filters_are_one_or_own(struct kunit *test)
{
	struct shape shape = cha;

	shape.filter_bytes = 8;
	shape.filter = 14;
	KUNIT_EXPECT_STREQ(test, judge(&shape), "nothing");
	KUNIT_EXPECT_TRUE(test, shaped.layout.shares_filter);
	/* a single counter; the array still has the filter of a second */
	shape.counters = 1;
	KUNIT_EXPECT_STREQ(test, judge(&shape), "nothing");
	KUNIT_EXPECT_FALSE(test, shaped.layout.shares_filter);
	shape.counters = 4;
	shape.filter_stride = 1;
	KUNIT_EXPECT_STREQ(test, judge(&shape), "nothing");
	KUNIT_EXPECT_FALSE(test, shaped.layout.shares_filter);
}

/* A counter with a rate above the protocol's is read more often. */
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
}

/* The shortest period of all counters is the period of the box. */
static void the_fastest_counter_decides(struct kunit *test)
{
	static const struct {
		u8 width, rate_log2;
		u64 period_ns;
	} fast[] = {
		{ 40, 38, 2000000000 },	/* 2^39 at 2^38 a second */
		{ 40, 40, 500000000 },
		{ 32, 32, 500000000 },
		{ 33, 32, 1000000000 },
		{ 39, 0, 1000000000 },	/* no documented rate */
		{ 40, 0, 500000000 },
	};
	struct pmon_counter counter[3];
	struct pmon_layout layout = { .counter = counter, .counters = 3 };
	unsigned int row, at, i;

	for (row = 0; row < ARRAY_SIZE(fast); row++)
		for (at = 0; at < 3; at++) {
			for (i = 0; i < 3; i++)
				counter[i] = (struct pmon_counter) {
					.width = 48, .rate_log2 = 32,
				};
			counter[at].width = fast[row].width;
			counter[at].rate_log2 = fast[row].rate_log2;
			KUNIT_EXPECT_EQ(test, pmon_layout_period_ns(&layout),
					fast[row].period_ns);
		}
}

/* Free-running counters need no protocol, other counters do. */
static void some_need_a_protocol(struct kunit *test)
{
	KUNIT_EXPECT_STREQ(test, judge(&imc), "nothing");
	shaped.layout.protocol = NULL;
	KUNIT_EXPECT_STREQ(test, pmon_layout_valid(&shaped.layout, 0),
			   "protocol");
	shaped.counter[0].kind = PMON_COUNTER_FREE_RUNNING;
	KUNIT_EXPECT_STREQ(test, pmon_layout_valid(&shaped.layout, 0),
			   "protocol");
	KUNIT_EXPECT_STREQ(test, judge(&ports), "nothing");
}

/* pmon_layout_prepare() follows changes of the counters. */
static void a_layout_is_prepared_again(struct kunit *test)
{
	KUNIT_EXPECT_STREQ(test, judge(&imc), "nothing");
	KUNIT_EXPECT_EQ(test, shaped.layout.general, 0xfULL);
	KUNIT_EXPECT_EQ(test, shaped.layout.dedicated, 0x10ULL);
	shaped.counter[0].kind = PMON_COUNTER_FIXED;
	shaped.counter[4].kind = PMON_COUNTER_GENERAL;
	pmon_layout_prepare(&shaped.layout);
	KUNIT_EXPECT_EQ(test, shaped.layout.general, 0x1eULL);
	KUNIT_EXPECT_EQ(test, shaped.layout.dedicated, 0x1ULL);
}

struct protocol_case {
	const char *what;
	struct pmon_protocol protocol;
	u8 width;
	const char *wrong;
};

static const struct protocol_case protocol_cases[] = {
	{ "a box control of 4 bytes", { .bytes = 4 }, 32 },
	{ "the fastest", { .bytes = 4, .rate_log2 = 38 }, 32 },
	{ "too narrow", { .bytes = 4 }, 31, "width" },
	{ "slow, narrow", { .bytes = 4, .rate_log2 = 37 }, 31 },
	{ "slow, too narrow", { .bytes = 4, .rate_log2 = 37 }, 30, "width" },
	{ "very slow and narrow", { .bytes = 4, .rate_log2 = 7 }, 1 },
	{ "very narrow", { .bytes = 4, .rate_log2 = 8 }, 1, "width" },
};

KUNIT_ARRAY_PARAM_DESC(protocol, protocol_cases, what);

static void protocol_is_checked(struct kunit *test)
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

/* When a device returns, registers may be elsewhere; counters must be equal. */
static void boxes_that_differ(struct kunit *test)
{
	static const struct {
		const char *what;
		const struct shape *shape;
		struct shape other;
		bool alike;
	} rows[] = {
#define BOX(_counters, _width, _fixed) \
	{ .counters = _counters, .width = _width, .fixed = { .width = _fixed } }
		{ "the same", &imc, BOX(4, 48, 48), true },
		{ "counters", &imc, BOX(5, 48, 48) },
		{ "width", &imc, BOX(4, 44, 48) },
		{ "width of the fixed counter", &imc, BOX(4, 48, 44) },
		{ "registers elsewhere", &imc,
		  { .protocol = &protocol, .counters = 4, .width = 48,
		    .ctl_bytes = 8, .ctl = 0x80, .ctl_stride = 8, .ctr = 0x10,
		    .fixed = { .width = 48, .ctl = 0x60, .ctr = 0x68 } },
		  true },
#define FREE(_event) \
	{ .free = { { .config = _event, .reg = 0x10, .count = 1, .width = 48 }, \
		    { .config = 0x20ff, .reg = 0x118, .stride = 16, \
		      .count = 2, .width = 48 } } }
		{ "free ones elsewhere", &queues, FREE(0x10ff), true },
		{ "another event", &queues, FREE(0x30ff) },
	};
	static struct shaped other;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct pmon_layout *a =
			shape_layout(rows[i].shape, &shaped);
		const struct pmon_layout *b =
			shape_layout(&rows[i].other, &other);

		KUNIT_EXPECT_EQ_MSG(test, pmon_layouts_alike(a, b),
				    rows[i].alike, "%s", rows[i].what);
		KUNIT_EXPECT_EQ_MSG(test, pmon_layouts_alike(b, a),
				    rows[i].alike, "%s", rows[i].what);
	}
	/* the data differs */
	shaped.layout.data = "ab";
	shaped.layout.data_bytes = 2;
	other.layout = shaped.layout;
	other.layout.data = "ac";
	KUNIT_EXPECT_FALSE(test, pmon_layouts_alike(&shaped.layout,
						    &other.layout));
}

static struct kunit_case layout_tests[] = {
	/* contract: addresses */
	KUNIT_CASE_PARAM(protocol_is_checked, protocol_gen_params),
	KUNIT_CASE_PARAM(layout_is_checked, layout_gen_params),
	KUNIT_CASE(filters_are_one_or_own),
	KUNIT_CASE(some_need_a_protocol),
	KUNIT_CASE(a_layout_is_prepared_again),
	KUNIT_CASE(boxes_that_differ),
	/* contract: wrap */
	KUNIT_CASE(rate_of_a_counter),
	KUNIT_CASE(the_fastest_counter_decides),
	{ }
};

struct kunit_suite pmon_layout_suite = {
	.name = "pmon_layout",
	.test_cases = layout_tests,
};
