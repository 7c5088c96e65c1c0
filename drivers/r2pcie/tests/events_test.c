// SPDX-License-Identifier: GPL-2.0-only
/* contract: names encoding refused groups */
/* Check terms, values of controls and counter constraints. */
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
 * Expected counters: tables of the manuals and perf's lists of events. Only the
 * manual of version 2 (329468-002, 2.9.2) has the note on rings.
 */
struct rule {
	u8 event;
	u8 v1;
	u8 v2;
	u8 v3;
	u8 v4;
};

static const struct rule rules[] = {
	{ 0x01, 0xf, 0xf, 0xf, 0xf },
	{ 0x07, 0xf, 0xc, 0xf, 0xf },
	{ 0x08, 0xf, 0xc, 0xf, 0xf },
	{ 0x09, 0xf, 0xc, 0xf, 0xf },
	{ 0x0a, 0xf, 0xc, 0xf, 0xf },
	{ 0x10, 0x3, 0x3, 0x3, 0x3 },
	{ 0x11, 0x3, 0x3, 0x3, 0x3 },
	{ 0x12, 0x1, 0x1, 0xf, 0xf },
	{ 0x13, 0x1, 0x1, 0x1, 0x1 },
	{ 0x23, 0x1, 0x1, 0x1, 0x1 },
	{ 0x25, 0x1, 0x1, 0x1, 0x1 },
	{ 0x26, 0x3, 0x3, 0x3, 0x3 },
	{ 0x28, 0x3, 0x3, 0x3, 0x3 },
	{ 0x2a, 0xf, 0xf, 0x1, 0x1 },
	{ 0x2c, 0xf, 0xf, 0x3, 0x3 },
	{ 0x2d, 0xf, 0xf, 0x3, 0x3 },
	{ 0x32, 0x3, 0x3, 0x3, 0x3 },
	{ 0x33, 0x3, 0x3, 0x3, 0x3 },
	{ 0x34, 0x3, 0x3, 0x3, 0x3 },
};

static void counters_of_an_event(struct kunit *test)
{
	static const u16 device[] = { V1, V2, V3, V4 };
	struct box box;
	unsigned int i, v;

	for (i = 0; i < ARRAY_SIZE(rules); i++) {
		const u8 want[] = { rules[i].v1, rules[i].v2, rules[i].v3,
				    rules[i].v4 };

		for (v = 0; v < ARRAY_SIZE(device); v++) {
			find_box(&box, device[v]);
			KUNIT_EXPECT_EQ_MSG(test,
					    pmon_allowed(box.type, &box.layout,
							 0xff00 | rules[i].event),
					    want[v], "event 0x%x of v%u",
					    rules[i].event, v + 1);
		}
	}
}

/*
 * Events of any counter get counters 2 and 3 first: clockticks and a ring event
 * of version 3. The layout has a clock event.
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

static bool has_room(const u64 *allowed, unsigned int events, u64 taken)
{
	unsigned int i;

	if (!events)
		return true;
	for (i = 0; i < R2_COUNTERS; i++)
		if (allowed[0] & ~taken & BIT_ULL(i) &&
		    has_room(allowed + 1, events - 1, taken | BIT_ULL(i)))
			return true;
	return false;
}

/* Assign events one after another, with moves where needed, like the core. */
static bool are_assigned(const u64 *allowed, unsigned int events)
{
	struct pmon_event *assigned[PMON_COUNTERS_MAX];
	struct pmon_event event[5];
	unsigned int i;
	u64 taken = 0;

	for (i = 0; i < events; i++) {
		u64 moved;

		event[i] = (struct pmon_event) { .allowed = allowed[i] };
		moved = pmon_assign(assigned, taken, &event[i], 0, 0);
		if (!moved)
			return false;
		taken |= moved;
	}
	return true;
}

/* Each group of one to five events of all kinds. */
static void every_group(struct kunit *test)
{
	unsigned int n = ARRAY_SIZE(rules), groups = n * n * n * n * n, g, i;
	unsigned int wrong = 0;

	for (g = 0; g < groups; g++) {
		u64 allowed[5];
		unsigned int rest = g;

		for (i = 0; i < ARRAY_SIZE(allowed); i++, rest /= n)
			allowed[i] = rules[rest % n].v2;
		for (i = 1; i <= ARRAY_SIZE(allowed); i++)
			wrong += are_assigned(allowed, i) !=
				 has_room(allowed, i, 0);
		/* A sample of all groups is enough. */
		g += 97;
	}
	KUNIT_EXPECT_EQ(test, wrong, 0);
}

static const struct pmon_field *field(const struct pmon_type *type,
				      const char *name)
{
	const struct pmon_field *f;

	for (f = type->fields; f->name; f++)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}

static void expect_format(struct kunit *test, u16 device, const char *name,
			  const char *want)
{
	const struct r2_function *function = r2_function_find(device);
	const struct pmon_field *f =
		field(function->generation->type[function->kind], name);
	char text[64];

	if (!want) {
		KUNIT_EXPECT_NULL(test, f);
		return;
	}
	KUNIT_ASSERT_NOT_NULL(test, f);
	pmon_field_format(f, text, sizeof(text));
	KUNIT_EXPECT_STREQ(test, text, want);
}

/* Reserved bits and bits of other agents have no term: rejected. */
static void terms(struct kunit *test)
{
	static const u16 all[] = { V1, V2, V3, V4, 0x3c41, 0x0e32, 0x2f32 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		bool qpi = i > 3, v2 = i == 1 || i == 5;

		expect_format(test, all[i], "event",
			      qpi ? "config:0-7,21" : "config:0-7");
		expect_format(test, all[i], "umask", "config:8-15");
		expect_format(test, all[i], "edge", "config:18");
		expect_format(test, all[i], "inv", v2 ? NULL : "config:23");
		expect_format(test, all[i], "thresh",
			      qpi ? "config:24-31" : "config:24-28");
		expect_format(test, all[i], "match0", NULL);
	}
}

static void bits_of_a_control(struct kunit *test)
{
	u64 covered[PMON_CONFIG_WORDS] = { };
	struct pmon_event event;
	struct box box;

	find_box(&box, V2);
	pmon_fields_cover(box.type->fields, covered);
	KUNIT_EXPECT_EQ(test, covered[0], 0x1f04ffffULL);
	KUNIT_EXPECT_EQ(test, covered[1] | covered[2], 0);
	pmon_event_init(&event, box.type, &box.layout, 0x1f04cc07, 0);
	KUNIT_EXPECT_EQ(test, event.ctl, 0x1f44cc07);
	KUNIT_EXPECT_EQ(test, event.allowed, 0xc);
	find_box(&box, V3);
	pmon_fields_cover(box.type->fields, covered);
	KUNIT_EXPECT_EQ(test, covered[0], 0x1f84ffffULL);
	pmon_event_init(&event, box.type, &box.layout, 0x01840113, 0);
	KUNIT_EXPECT_EQ(test, event.ctl, 0x01c40113);
	KUNIT_EXPECT_EQ(test, event.allowed, 0x1);
}

/* VNA credits: "Extra Select Bit: Y" is bit 21 of a control. */
static void extra_select_bit_of_qpi(struct kunit *test)
{
	static const u16 device[] = { 0x0e32, 0x0e33, 0x0e3a };
	struct pmon_event event;
	struct box box;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(device); i++) {
		u64 config[PMON_CONFIG_WORDS] = { };

		find_box(&box, device[i]);
		/* config:0-7,21, value 0x11c */
		KUNIT_EXPECT_EQ(test, field(box.type, "event")->mask,
				0x2000ffULL);
		config[0] = 0x20001c;
		KUNIT_EXPECT_EQ(test, 0, pmon_event_encode(&event, box.type,
							   &box.layout,
							   config));
		KUNIT_EXPECT_EQ(test, event.ctl, 0x60001c);
		KUNIT_EXPECT_EQ(test, event.allowed, 0xf);
		config[0] = 0x1b;
		pmon_event_encode(&event, box.type, &box.layout, config);
		KUNIT_EXPECT_EQ(test, event.ctl, 0x40001b);
	}
}

/*
 * Rejected: events with a filter in another function; thresholds above 128, the
 * largest increment.
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
 * Edges are detected behind the threshold: an event that adds 1 per cycle needs
 * threshold 1 (329468-002, table 2-2). Threshold 0 with edge is rejected.
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
 * Inverse is "less than the threshold" (327043-001, tables 2-86 and 2-106, of
 * version 1): no increment is less than 0, so threshold 0 is rejected. Version 2
 * has no inverse.
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
	KUNIT_CASE(counters_of_an_event),
	KUNIT_CASE(the_last_counters_come_first),
	KUNIT_CASE(every_group),
	KUNIT_CASE(terms),
	KUNIT_CASE(bits_of_a_control),
	KUNIT_CASE(extra_select_bit_of_qpi),
	KUNIT_CASE(qpi_matches_are_refused),
	KUNIT_CASE(edges_of_nothing_are_refused),
	KUNIT_CASE(less_than_nothing_is_refused),
	{ }
};

struct kunit_suite r2pcie_events_suite = {
	.name = "pmon_r2pcie_events",
	.test_cases = events_tests,
};
