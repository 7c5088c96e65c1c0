// SPDX-License-Identifier: GPL-2.0-only
/* contract: encoding refused */
/*
 * Check types with an encode function, here events of a CXL CPMU (Compute
 * Express Link 3.1, 8.2.7, CPMU Register Interface). A device lists its groups
 * of events by vendor and group; a control selects a group by the index in the
 * list.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "../box_hw.h"
#include "../box_hw.h"
#include "suites.h"

#define CFG_ENABLE	BIT_ULL(8)
#define CFG_THRESHOLD	GENMASK_ULL(23, 16)
#define CFG_EVENTS	GENMASK_ULL(55, 24)
#define CFG_GROUP	GENMASK_ULL(63, 59)

/* Terms: config:0-31 mask, 32-47 gid, 48-63 vid; config1:0-7 threshold, 8
 * hdm_filter; config2:0-15 hdm.
 */
#define EVENT(vid, gid, mask) \
	((u64)(vid) << 48 | (u64)(gid) << 32 | (mask))
#define HDM_FILTER	BIT_ULL(8)

/* A group of events of a device. */
struct group {
	u16 vid;
	u16 gid;
	u32 events;
	s8 fixed;	/* the only counter of the group, or -1 */
};

struct groups {
	unsigned int count;
	struct group group[4];
};

static int encode(const struct pmon_layout *layout, const u64 *config,
		  struct pmon_encoding *encoding)
{
	const struct groups *groups = layout->data;
	const struct group *group = groups->group;
	u32 mask = config[0];
	unsigned int i;

	for (i = 0; i < groups->count; i++, group++)
		if (group->vid == config[0] >> 48 &&
		    group->gid == (config[0] >> 32 & 0xffff) &&
		    mask && !(mask & ~group->events))
			break;
	if (i == groups->count)
		return -EINVAL;

	encoding->ctl = FIELD_PREP(CFG_GROUP, i) |
			FIELD_PREP(CFG_EVENTS, mask) |
			FIELD_PREP(CFG_THRESHOLD, config[1] & 0xff);
	encoding->allowed = group->fixed < 0 ? layout->general :
					       BIT_ULL(group->fixed);
	encoding->uses_filter = config[1] & HDM_FILTER;
	encoding->filter = config[2];
	encoding->rate_log2 = group->vid == 0x8086 ? 37 : 0;
	return 0;
}

static const struct pmon_type type = {
	.ctl_set = CFG_ENABLE, .encode = encode,
	/* ignored with @encode */
	.fixed_config = EVENT(0x1e98, 0x10, 1), .filter_enable = ~0ULL,
	.constraints = (const struct pmon_constraint []) {
		{ .allowed = 1 }, { }
	},
};

static const struct groups part = {
	.count = 3,
	.group = {
		{ 0x1e98, 0x00, 0x1, 0 },
		{ 0x1e98, 0x10, 0x1ff, -1 },
		{ 0x8086, 0x10, 0x80000001, -1 },
	},
};

/* Another order of groups: the same config words, other controls. */
static const struct groups other = {
	.count = 2,
	.group = {
		{ 0x8086, 0x10, 0x80000001, 3 },
		{ 0x1e98, 0x10, 0x3, -1 },
	},
};

static const struct pmon_protocol protocol = {
	.freeze = ~0ULL, .bytes = 8, .no_reset = true,
};

static const struct pmon_counter counters[] = {
	{ .ctr = 0xc00, .ctl = 0x200, .filter = 0x400, .width = 48,
	  .kind = PMON_COUNTER_FIXED, .config = 0x1234, .enable = 0x5678 },
	{ .ctr = 0xc08, .ctl = 0x208, .filter = 0x408, .width = 48 },
	{ .ctr = 0xc10, .ctl = 0x210, .filter = 0x410, .width = 48 },
	{ .ctr = 0xc18, .width = 48, .kind = PMON_COUNTER_FREE_RUNNING },
};

static struct pmon_layout layout_of(const struct groups *groups)
{
	struct pmon_layout layout = {
		.protocol = &protocol, .counter = counters,
		.counters = ARRAY_SIZE(counters), .ctl_bytes = 8,
		.filter_bytes = 8, .box_ctl = 0x18, .data = groups,
		.data_bytes = sizeof(*groups),
	};

	pmon_layout_prepare(&layout);
	return layout;
}

static int encode_in(const struct groups *groups, struct pmon_event *event,
		     u64 config, u64 config1, u64 config2)
{
	const u64 words[PMON_CONFIG_WORDS] = { config, config1, config2 };
	const struct pmon_layout layout = layout_of(groups);

	return pmon_event_encode(event, &type, &layout, words);
}

static void by_the_part(struct kunit *test)
{
	struct pmon_event e;

	KUNIT_ASSERT_EQ(test, 0,
			encode_in(&part, &e, EVENT(0x1e98, 0x10, 0x101), 0x2a,
				  0));
	KUNIT_EXPECT_EQ(test, e.ctl, 0x08000001012a0100ULL);
	KUNIT_EXPECT_EQ(test, e.allowed, 0x6ULL);
	KUNIT_EXPECT_EQ(test, e.rate_log2, 0);
	KUNIT_EXPECT_FALSE(test, e.uses_filter);
	KUNIT_EXPECT_FALSE(test, e.free_running);
	KUNIT_EXPECT_EQ(test, e.assigned_to, -1);
	KUNIT_EXPECT_EQ(test, e.counted_on, -1);

	KUNIT_ASSERT_EQ(test, 0,
			encode_in(&part, &e, EVENT(0x8086, 0x10, 0x80000000),
				  0, 0));
	KUNIT_EXPECT_EQ(test, e.ctl, 0x1080000000000100ULL);
	KUNIT_EXPECT_EQ(test, e.rate_log2, 37);

	KUNIT_ASSERT_EQ(test, 0,
			encode_in(&other, &e, EVENT(0x1e98, 0x10, 1), 0, 0));
	KUNIT_EXPECT_EQ(test, e.ctl, 0x0800000001000100ULL);
}

/* Use the control of the function, not @enable of the fixed counter. */
static void on_a_fixed_counter(struct kunit *test)
{
	struct pmon_event e;

	KUNIT_ASSERT_EQ(test, 0,
			encode_in(&part, &e, EVENT(0x1e98, 0, 1), 0, 0));
	KUNIT_EXPECT_EQ(test, e.ctl, 0x0000000001000100ULL);
	KUNIT_EXPECT_EQ(test, e.allowed, 0x1ULL);
	KUNIT_EXPECT_FALSE(test, e.free_running);
}

static void on_a_free_running_counter(struct kunit *test)
{
	struct pmon_event e;

	KUNIT_ASSERT_EQ(test, 0,
			encode_in(&other, &e, EVENT(0x8086, 0x10, 1),
				  HDM_FILTER, 5));
	KUNIT_EXPECT_EQ(test, e.allowed, 0x8ULL);
	KUNIT_EXPECT_TRUE(test, e.free_running);
	KUNIT_EXPECT_FALSE(test, e.uses_filter);
	KUNIT_EXPECT_TRUE(test, !e.next);
}

static void with_a_filter(struct kunit *test)
{
	struct pmon_event a, b;

	KUNIT_ASSERT_EQ(test, 0,
			encode_in(&part, &a, EVENT(0x1e98, 0x10, 2),
				  HDM_FILTER, 0x8001));
	KUNIT_ASSERT_EQ(test, 0,
			encode_in(&part, &b, EVENT(0x1e98, 0x10, 2),
				  HDM_FILTER, 0x8002));
	KUNIT_EXPECT_TRUE(test, a.uses_filter);
	KUNIT_EXPECT_EQ(test, a.filter, 0x8001ULL);
	/* one register for each counter */
	KUNIT_EXPECT_FALSE(test, a.shares_filter);
	KUNIT_EXPECT_FALSE(test, b.shares_filter);
	KUNIT_EXPECT_EQ(test, b.filter, 0x8002ULL);
}

static void events_that_a_part_lacks(struct kunit *test)
{
	struct pmon_event e;

	KUNIT_EXPECT_EQ(test, -EINVAL,
			encode_in(&part, &e, EVENT(0x1e98, 0x11, 1), 0, 0));
	KUNIT_EXPECT_EQ(test, -EINVAL,
			encode_in(&part, &e, EVENT(0x1e98, 0x10, 0x200), 0, 0));
	KUNIT_EXPECT_EQ(test, -EINVAL,
			encode_in(&part, &e, EVENT(0x1e98, 0x10, 0), 0, 0));
	KUNIT_EXPECT_EQ(test, -EINVAL,
			encode_in(&other, &e, EVENT(0x1e98, 0x10, 0x4), 0, 0));
}

/* When the device is back, events encode as before, or are rejected. */
static void parts_that_are_alike(struct kunit *test)
{
	const struct groups copy = part;
	struct pmon_layout a = layout_of(&part), b = layout_of(&copy);

	KUNIT_EXPECT_TRUE(test, pmon_layouts_alike(&a, &b));
	b.data = &other;
	KUNIT_EXPECT_FALSE(test, pmon_layouts_alike(&a, &b));
	b.data = NULL;
	b.data_bytes = 0;
	KUNIT_EXPECT_FALSE(test, pmon_layouts_alike(&a, &b));
	KUNIT_EXPECT_FALSE(test, pmon_layouts_alike(&b, &a));
}

static struct kunit_case encode_cases[] = {
	KUNIT_CASE(by_the_part),
	KUNIT_CASE(on_a_fixed_counter),
	KUNIT_CASE(on_a_free_running_counter),
	KUNIT_CASE(with_a_filter),
	KUNIT_CASE(events_that_a_part_lacks),
	KUNIT_CASE(parts_that_are_alike),
	{}
};

struct kunit_suite pmon_encode_suite = {
	.name = "pmon_encode",
	.test_cases = encode_cases,
};
