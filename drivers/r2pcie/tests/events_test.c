// SPDX-License-Identifier: GPL-2.0-only
/* contract: encoding refused */
/* Check refused events and the assignment of counters; lint/data checks the tables. */
#include <kunit/test.h>
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "../../core/tests/plain.h"
#include "../boxes.h"
#include "suites.h"

#define V1	0x3c43
#define V2	0x0e34
#define V3	0x2f34
#define V4	0x6f34

struct box {
	struct pmon_counter counter[R2_COUNTERS];
	struct pmon_layout layout;
	const struct pmon_type *type;
};

static void find_box(struct box *box, u16 device)
{
	const struct r2_function *f = r2_function_find(device);

	r2_layout(f, box->counter, &box->layout);
	pmon_layout_prepare(&box->layout);
	box->type = f->generation->type[f->kind];
}

/*
 * Prefer counters 2 and 3 to 0 and 1 for an event that may use them. Check the
 * clock event of each kind of box.
 */
static void the_last_counters_come_first(struct kunit *test)
{
	static const u64 allowed[] = { 0xf, 0xb, 0x3 }, first[] = { 4, 8, 1 };
	struct box box;
	unsigned int i;

	find_box(&box, V3);
	KUNIT_EXPECT_EQ(test, box.layout.prefer, 0xcULL);
	for (i = 0; i < ARRAY_SIZE(allowed); i++) {
		struct pmon_event *assigned[PMON_COUNTERS_MAX] = { };
		struct pmon_event event = { .allowed = allowed[i] };

		KUNIT_EXPECT_EQ(test, pmon_assign(assigned, 0, &event,
						  box.layout.prefer, 0),
				first[i]);
	}
	KUNIT_EXPECT_EQ(test, box.layout.clock, 0x400001ULL);
	find_box(&box, 0x2f32);
	KUNIT_EXPECT_EQ(test, box.layout.clock, 0x400014ULL);
}

/*
 * Reject events with a filter in another PCI function. Reject thresholds above
 * 128, the largest increment.
 */
static void qpi_matches_are_refused(struct kunit *test)
{
	static const u64 refused[] = { 0x38, 0x200038, 0xff38, 0x01040038,
				       0x81000014, 0xff000014 };
	u64 config[PMON_CONFIG_WORDS] = { };
	struct pmon_event event;
	struct box box;
	unsigned int i;

	find_box(&box, 0x2f32);
	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		config[0] = refused[i];
		KUNIT_EXPECT_NE(test, 0, pmon_event_encode(&event, box.type,
							   &box.layout,
							   config));
	}
	config[0] = 0x80000014;
	KUNIT_EXPECT_EQ(test, 0, pmon_event_encode(&event, box.type,
						   &box.layout, config));
	config[0] = 0x01840039;
	KUNIT_EXPECT_EQ(test, 0, pmon_event_encode(&event, box.type,
						   &box.layout, config));
	KUNIT_EXPECT_EQ(test, event.ctl, 0x01c40039);
}

struct threshold_case {
	u64 config;
	bool counts;
};

static void check_thresholds(struct kunit *test, const u16 *device,
			     unsigned int devices,
			     const struct threshold_case *cases,
			     unsigned int nr)
{
	unsigned int d, i;

	for (d = 0; d < devices; d++)
		for (i = 0; i < nr; i++) {
			u64 config[PMON_CONFIG_WORDS] = { cases[i].config };
			struct pmon_event event = { };
			struct box box;
			int ret;

			find_box(&box, device[d]);
			ret = pmon_event_encode(&event, box.type, &box.layout,
						config);
			KUNIT_EXPECT_EQ_MSG(test, !ret && event.allowed,
					    cases[i].counts, "0x%x %u",
					    device[d], i);
		}
}

/*
 * Edges are detected after the threshold, so an event that adds 1 per cycle
 * needs threshold 1 (329468-002, table 2-2). Edge with threshold 0 is rejected.
 */
static void edges_of_nothing_are_refused(struct kunit *test)
{
	static const u16 device[] = {
		V1, V2, V3, V4, 0x0e32, 0x0e33, 0x0e3a, 0x2f32,
	};
	static const struct threshold_case cases[] = {
		{ 0x040001, false }, { 0x04ff13, false }, { 0x01040001, true },
		{ 0x1f04cc07, true }, { 0x01000001, true }, { 0x000001, true },
	};

	check_thresholds(test, device, ARRAY_SIZE(device), cases,
			 ARRAY_SIZE(cases));
}

/*
 * The invert bit counts "less than the threshold" (327043-001, tables 2-86 and
 * 2-106, for v1). No increment is less than 0, so threshold 0 is rejected. v2
 * has no invert bit.
 */
static void less_than_nothing_is_refused(struct kunit *test)
{
	static const u16 device[] = { V1, V3, V4, 0x3c41, 0x2f32, 0x6f33 };
	static const struct threshold_case cases[] = {
		{ 0x800001, false }, { 0x80ff13, false }, { 0x840001, false },
		{ 0x01800001, true }, { 0x1f80cc07, true },
		{ 0x01840001, true },
	};

	check_thresholds(test, device, ARRAY_SIZE(device), cases,
			 ARRAY_SIZE(cases));
}

static struct kunit_case events_tests[] = {
	KUNIT_CASE(the_last_counters_come_first),
	KUNIT_CASE(qpi_matches_are_refused),
	KUNIT_CASE(edges_of_nothing_are_refused),
	KUNIT_CASE(less_than_nothing_is_refused),
	{ }
};

struct kunit_suite r2pcie_events_suite = {
	.name = "pmon_r2pcie_events",
	.test_cases = events_tests,
};
