// SPDX-License-Identifier: GPL-2.0-only
/* contract: addresses wrap */
/* Parse capabilities of CPMUs, valid and invalid (CXL 4.0, 8.2.7.1). */
#include <kunit/test.h>
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "../cpmu.h"
#include "suites.h"

/* Eight counters of 48 bits, two groups, both filters, all optional features. */
#define CAP		0x1007800300103007ULL
#define GROUP(gid, mask) (0x1e98ULL << 48 | (u64)(gid) << 32 | (mask))
#define ANY		2ULL
#define FIXED(group, mask) (1ULL | (u64)(mask) << 24 | (u64)(group) << 59)
#define FREE(group, mask) ((u64)(mask) << 24 | (u64)(group) << 59)

/* Parse the capability and two groups; return the reason to reject, or NULL. */
static const char *start(struct cpmu_caps *caps, u64 cap)
{
	return cpmu_parse_cap(cap, caps) ?:
	       cpmu_parse_group(0, GROUP(0, 1), caps) ?:
	       cpmu_parse_group(1, GROUP(0x20, 0xffff), caps);
}

static void fields_of_the_capability(struct kunit *test)
{
	struct cpmu_caps caps;

	KUNIT_ASSERT_NULL(test, start(&caps, CAP));
	KUNIT_EXPECT_EQ(test, caps.counters, 8);
	KUNIT_EXPECT_EQ(test, caps.groups, 2);
	KUNIT_EXPECT_EQ(test, caps.width, 48);
	KUNIT_EXPECT_EQ(test, caps.filters, 3);
	KUNIT_EXPECT_TRUE(test, caps.can_freeze);
	KUNIT_EXPECT_EQ(test, caps.group[1].vid, 0x1e98);
	KUNIT_EXPECT_EQ(test, caps.group[1].gid, 0x20);
	KUNIT_EXPECT_EQ(test, caps.group[1].mask, 0xffffU);
	KUNIT_ASSERT_NULL(test, cpmu_parse_cap(CAP | 0x01f0003f, &caps));
	KUNIT_EXPECT_EQ(test, caps.counters, 64);
	KUNIT_EXPECT_EQ(test, caps.groups, 32);
}

struct cap_case {
	u64 cap;
	const char *fault;
};

/* Last valid and first invalid widths; with and without freeze; any version */
static const struct cap_case cap_cases[] = {
	{ ~0ULL, "does not answer" },
	{ (CAP & ~0xff00ULL) | 0 << 8,
	  "has counters that wrap before they can be read" },
	{ (CAP & ~0xff00ULL) | 25 << 8,
	  "has counters that wrap before they can be read" },
	{ (CAP & ~0xff00ULL) | 26 << 8, NULL },
	{ (CAP & ~(0xff00ULL | BIT_ULL(50))) | 26 << 8, NULL },
	{ (CAP & ~0xff00ULL) | 64 << 8, NULL },
	{ (CAP & ~0xff00ULL) | 65 << 8,
	  "has counters wider than a register" },
	{ CAP & ~(0xfULL << 60), NULL },
	{ (CAP & ~(0xfULL << 60)) | 2ULL << 60, NULL },
	{ CAP & ~(BIT_ULL(48) | BIT_ULL(49)), NULL },
	{ CAP | 0xfcULL << 32, NULL },
};

static void capabilities_that_cannot_be(struct kunit *test)
{
	struct cpmu_caps caps;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cap_cases); i++) {
		const struct cap_case *c = &cap_cases[i];

		KUNIT_EXPECT_STREQ(test, start(&caps, c->cap) ?: "-",
				   c->fault ?: "-");
		if (c->fault)
			KUNIT_EXPECT_EQ(test, caps.counters + caps.groups +
					caps.width, 0);
	}
	KUNIT_EXPECT_EQ(test, caps.filters, 3);
}

struct counter_case {
	u64 value;
	const char *fault;	/* the first one; "-" if the counter is good */
	unsigned int reserves;	/* mask of groups */
};

#define NO_GROUP	"names an event capability that is not there"
#define NO_EVENTS	"counts events that its group does not have"

static const struct counter_case counter_cases[] = {
	{ ANY, "-" }, { ANY | 0xfffffffffffffff0ULL, "-" },
	{ 3, "is of a kind that is not known" }, { ~0ULL, "does not answer" },
	{ FIXED(0, 1), "-", 1 }, { FIXED(1, 0x8001), "-", 2 },
	{ FIXED(1, 0x18000), NO_EVENTS, 2 }, { FIXED(1, 0), NO_EVENTS, 2 },
	{ FIXED(0, 2), NO_EVENTS, 1 }, { FIXED(2, 1), NO_GROUP },
	{ FIXED(31, 1), NO_GROUP }, { FREE(0, 1), "-", 1 },
	{ FREE(1, 2), "-", 2 }, { FREE(0, 0), NO_EVENTS, 1 },
	{ FREE(30, 1), NO_GROUP },
};

static void counters_that_cannot_be(struct kunit *test)
{
	struct cpmu_caps caps;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(counter_cases); i++) {
		const struct counter_case *c = &counter_cases[i];
		const char *fault;

		KUNIT_ASSERT_NULL(test, start(&caps, CAP));
		fault = cpmu_parse_counter(5, c->value, &caps);
		KUNIT_EXPECT_STREQ_MSG(test, fault ?: "-", c->fault, "%zu", i);
		KUNIT_EXPECT_EQ(test, cpmu_count_usable(&caps),
				fault ? 0U : 1U);
		/* A rejected counter reserves its group, too. */
		KUNIT_EXPECT_EQ_MSG(test, c->reserves,
				    caps.group[0].dedicated |
				    caps.group[1].dedicated << 1, "%zu", i);
	}
}

/* Configurable counters are dropped if no group is left for them. */
static void nothing_to_count_with(struct kunit *test)
{
	struct cpmu_caps caps;

	KUNIT_ASSERT_NULL(test, start(&caps, CAP));
	KUNIT_EXPECT_STREQ(test, cpmu_select_counters(&caps),
			   "leaves no counter that can be used");

	KUNIT_ASSERT_NULL(test, cpmu_parse_cap(CAP, &caps));
	KUNIT_EXPECT_STREQ(test, cpmu_parse_group(0, ~0ULL, &caps),
			   "does not answer");
	KUNIT_EXPECT_NULL(test, cpmu_parse_group(1, GROUP(7, 0), &caps));
	KUNIT_EXPECT_NULL(test, cpmu_parse_counter(0, ANY, &caps));
	KUNIT_EXPECT_NOT_NULL(test, cpmu_select_counters(&caps));

	KUNIT_ASSERT_NULL(test, start(&caps, CAP));
	KUNIT_EXPECT_NULL(test, cpmu_parse_counter(0, ANY, &caps));
	KUNIT_EXPECT_NULL(test, cpmu_select_counters(&caps));
	KUNIT_EXPECT_EQ(test, caps.freezable, 1ULL);

	/* Only a free-running counter is left: no register is written. */
	KUNIT_ASSERT_NULL(test, start(&caps, CAP));
	caps.group[0].mask = 0;
	KUNIT_EXPECT_NULL(test, cpmu_parse_counter(0, ANY, &caps));
	KUNIT_EXPECT_NULL(test, cpmu_parse_counter(1, FREE(1, 1), &caps));
	KUNIT_EXPECT_NULL(test, cpmu_select_counters(&caps));
	KUNIT_EXPECT_EQ(test, cpmu_count_usable(&caps), 1U);
	KUNIT_EXPECT_EQ(test, caps.freezable, 0ULL);
}

static void layout_of(struct kunit *test, u64 cap, struct pmon_counter *counter,
		      struct pmon_layout *layout, struct cpmu_caps *caps)
{
	KUNIT_ASSERT_NULL(test, start(caps, cap));
	KUNIT_EXPECT_NULL(test, cpmu_parse_counter(0, FIXED(0, 1),
						   caps));
	KUNIT_EXPECT_NULL(test, cpmu_parse_counter(3, ANY,
						   caps));
	KUNIT_EXPECT_NULL(test, cpmu_parse_counter(7, FREE(1, 4),
						   caps));
	KUNIT_ASSERT_EQ(test, cpmu_count_usable(caps), 3U);
	cpmu_layout(caps, counter, layout);
}

static void where_the_registers_are(struct kunit *test)
{
	struct pmon_counter counter[3];
	struct pmon_layout layout;
	struct cpmu_caps caps;

	layout_of(test, CAP, counter, &layout, &caps);
	KUNIT_EXPECT_NULL(test, pmon_layout_valid(&layout, 0xe00));
	KUNIT_EXPECT_EQ(test, layout.box_ctl, 0x18U);
	KUNIT_EXPECT_EQ(test, layout.filter_bytes, 8);
	KUNIT_EXPECT_EQ(test, counter[0].ctl, 0x218U);
	KUNIT_EXPECT_EQ(test, counter[0].ctr, 0xc18U);
	KUNIT_EXPECT_EQ(test, counter[0].filter, 0x460U);
	KUNIT_EXPECT_EQ(test, counter[1].ctl, 0x200U);
	KUNIT_EXPECT_EQ(test, counter[1].kind, PMON_COUNTER_FIXED);
	KUNIT_EXPECT_EQ(test, counter[1].enable, 0x100ULL);
	KUNIT_EXPECT_EQ(test, counter[2].ctr, 0xc38U);
	KUNIT_EXPECT_EQ(test, counter[2].kind, PMON_COUNTER_FREE_RUNNING);
	KUNIT_EXPECT_EQ(test, layout.protocol->freeze, ~0ULL);
	KUNIT_EXPECT_EQ(test, layout.protocol->run, 0ULL);
	KUNIT_EXPECT_EQ(test, caps.freezable, 0x9ULL);

	layout_of(test, CAP & ~BIT_ULL(32), counter, &layout, &caps);
	KUNIT_EXPECT_EQ(test, layout.filter_bytes, 4);
	KUNIT_EXPECT_EQ(test, counter[0].filter, 0x464U);
	layout_of(test, CAP & ~(3ULL << 32 | 3ULL << 48), counter, &layout,
		  &caps);
	KUNIT_EXPECT_EQ(test, layout.filter_bytes, 0);
	KUNIT_EXPECT_EQ(test, layout.protocol->bytes, 0);
	KUNIT_EXPECT_TRUE(test, layout.protocol->no_reset);
	KUNIT_EXPECT_NULL(test, pmon_layout_valid(&layout, 0xe00));
	/* Enable, Events and Event Group ID Index read as written. */
	KUNIT_EXPECT_EQ(test, CPMU_CFG_CHECKED, 0xf8ffffffff000100ULL);
}

/*
 * Residencies (31h, 8002h), queues, sums and vendors' events may gain 2^38 a
 * second, and a counter is read before it gains half of its range. Counters of
 * 31 bits would need a read every 4 ms, so they count these events only with a
 * threshold. A threshold limits the gain to 1 per clock.
 */
static void fast_events_have_a_rate(struct kunit *test)
{
	static const struct {
		u64 config;
		u8 rate_log2;
	} cases[] = {
		{ GROUP(0x31, 1), 38 }, { GROUP(0x8002, 2), 38 },
		{ 0x1b00000700000001, 38 }, { GROUP(0x30, 1), 32 },
		{ GROUP(0x8001, 1), 38 }, { GROUP(0x8001, 4), 38 },
		{ GROUP(0x8001, 8), 32 }, { GROUP(0, 1), 32 },
		{ GROUP(0x20, 0xffff), 38 }, { GROUP(0x20, 2), 32 },
	};
	struct pmon_counter counter[3];
	struct pmon_layout layout;
	struct cpmu_caps caps;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		layout_of(test, CAP, counter, &layout, &caps);
		caps.dedicated[0].config = cases[i].config;
		cpmu_layout(&caps, counter, &layout);
		KUNIT_EXPECT_EQ_MSG(test, counter[1].rate_log2,
				    cases[i].rate_log2, "%u", i);
	}
	layout_of(test, (CAP & ~0xff00ULL) | 40 << 8, counter, &layout, &caps);
	KUNIT_EXPECT_EQ(test, counter[0].rate_log2, 38);
	KUNIT_EXPECT_EQ(test, counter[1].rate_log2, 32);
	KUNIT_EXPECT_EQ(test, counter[2].rate_log2, 32);
	KUNIT_EXPECT_EQ(test, pmon_layout_period_ns(&layout), 2000000000ULL);
	layout_of(test, (CAP & ~0xff00ULL) | 39 << 8, counter, &layout, &caps);
	KUNIT_EXPECT_EQ(test, pmon_layout_period_ns(&layout), 1000000000ULL);
	layout_of(test, (CAP & ~0xff00ULL) | 38 << 8, counter, &layout, &caps);
	KUNIT_EXPECT_EQ(test, counter[0].rate_log2, 38);
	KUNIT_EXPECT_EQ(test, pmon_layout_period_ns(&layout), 500000000ULL);
	layout_of(test, (CAP & ~0xff00ULL) | 32 << 8, counter, &layout, &caps);
	KUNIT_EXPECT_EQ(test, pmon_layout_period_ns(&layout), 7812500ULL);
	layout_of(test, (CAP & ~0xff00ULL) | 31 << 8, counter, &layout, &caps);
	KUNIT_EXPECT_EQ(test, counter[0].rate_log2, 32);
	KUNIT_EXPECT_EQ(test, pmon_layout_period_ns(&layout), 250000000ULL);
	layout_of(test, CAP, counter, &layout, &caps);
	caps.dedicated[0].config = GROUP(0x31, 1);
	caps.dedicated[0].terms = 0x10000;
	cpmu_layout(&caps, counter, &layout);
	KUNIT_EXPECT_EQ(test, counter[1].rate_log2, 32);
}

static void accepts_64(struct kunit *test, unsigned int width, bool is_free)
{
	struct pmon_counter counter[64];
	struct pmon_layout layout;
	struct cpmu_caps caps;
	unsigned int i;

	KUNIT_ASSERT_NULL(test, start(&caps, (CAP & ~0xff3fULL) | width << 8 |
				      0x3f));
	for (i = 0; i < 64; i++)
		cpmu_parse_counter(i, is_free ? FREE(1, 1 << i % 16) : ANY,
				   &caps);
	cpmu_layout(&caps, counter, &layout);
	KUNIT_EXPECT_EQ(test, layout.protocol->bytes, is_free ? 0 : 8);
	KUNIT_EXPECT_NULL(test, pmon_layout_valid(&layout, 0xe00));
}

/* drivers/core accepts 64 counters of any width, even if free-running. */
static void core_accepts_64_counters_of_any_width(struct kunit *test)
{
	unsigned int width;

	for (width = 26; width <= 64; width++) {
		accepts_64(test, width, false);
		accepts_64(test, width, true);
	}
}

static struct kunit_case caps_tests[] = {
	KUNIT_CASE(fields_of_the_capability),
	KUNIT_CASE(capabilities_that_cannot_be),
	KUNIT_CASE(counters_that_cannot_be),
	KUNIT_CASE(nothing_to_count_with),
	KUNIT_CASE(where_the_registers_are),
	KUNIT_CASE(fast_events_have_a_rate),
	KUNIT_CASE(core_accepts_64_counters_of_any_width),
	{ }
};

struct kunit_suite cxl_caps_suite = {
	.name = "pmon_cxl_caps",
	.test_cases = caps_tests,
};
