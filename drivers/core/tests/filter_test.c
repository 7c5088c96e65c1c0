// SPDX-License-Identifier: GPL-2.0-only
/* Filters that a box is handed back with. */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/limits.h>

#include "cpmu.h"
#include "suites.h"

#define CPMU_FILTER(n)	(0x400 + 0x20 * (n))

static const struct pmon_counter filtered_counters[] = {
	{ .width = 48, .ctl = CPMU_CFG(0), .ctr = CPMU_CTR(0),
	  .filter = CPMU_FILTER(0) },
	{ .width = 48, .ctl = CPMU_CFG(1), .ctr = CPMU_CTR(1),
	  .filter = CPMU_FILTER(1) },
};

/* All ones in a filter let everything pass (CXL 3.1, 8.2.7). */
static const struct pmon_layout filtered = {
	.protocol = &cpmu_protocol, .counter = filtered_counters, .counters = 2,
	.ctl_bytes = 8, .filter_bytes = 4, .filter_off = U32_MAX,
	.box_ctl = CPMU_BOX,
};

static void want_filtered(struct rig *t, unsigned int i, unsigned int counter,
			  u64 filter)
{
	want_on(t, i, 1 << 24, counter);
	t->ev[i].event.uses_filter = true;
	t->ev[i].event.filter = filter;
}

/* The box is handed back; both its controls are off. */
static void hand_back(struct rig *t, bool filter_0)
{
	r(t, CPMU_CFG(0), 0);
	r(t, CPMU_CFG(1), 0);
	w(t, CPMU_BOX, CPMU_STOP);
	if (filter_0)
		fake_write(&t->fake, CPMU_FILTER(0), U32_MAX, 4);
	w(t, CPMU_BOX, 0);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
}

/* Event @i counts on counter 0 with this filter, which is written, and ends. */
static void counts_with(struct rig *t, unsigned int i, u64 filter)
{
	want_filtered(t, i, 0, filter);
	fake_write(&t->fake, CPMU_FILTER(0), filter, 4);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 10);
	apply(t);
	end_one(t, i, 13);
}

/* Event @i counts on counter 1, without a filter, and ends. */
static void counts_without(struct rig *t, unsigned int i)
{
	want_on(t, i, 1 << 24, 1);
	expect_one_on(t, 1, 1 << 24 | CPMU_ENABLE, 10);
	apply(t);
	del(t, i);
	w(t, CPMU_CFG(1), 0);
	r(t, CPMU_CTR(1), 10);
	apply(t);
}

/*
 * The next owner counts everything: a filter that we have left on is off (all
 * ones), and one that is off already is not written.
 */
static void filters_are_off_when_handed_back(struct kunit *test)
{
	struct rig *t = box(test, &filtered);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	counts_with(t, 0, 3);
	hand_back(t, true);

	/* What it is used for after that has no filter. */
	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	counts_with(t, 1, U32_MAX);
	hand_back(t, false);

	/* It was on, and off again. */
	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	counts_with(t, 2, 3);
	want_filtered(t, 3, 0, U32_MAX);
	r(t, CPMU_CTR(0), 13);
	fake_write(&t->fake, CPMU_FILTER(0), U32_MAX, 4);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	w(t, CPMU_BOX, 0);
	apply(t);
	end_one(t, 3, 14);
	hand_back(t, false);
}

/* Both counters had one: each is turned off, once. */
static void each_filter_is_off_once(struct kunit *test)
{
	struct rig *t = box(test, &filtered);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	counts_with(t, 0, 3);
	want_filtered(t, 1, 1, 3);
	fake_write(&t->fake, CPMU_FILTER(1), 3, 4);
	expect_one_on(t, 1, 1 << 24 | CPMU_ENABLE, 10);
	apply(t);
	del(t, 1);
	w(t, CPMU_CFG(1), 0);
	r(t, CPMU_CTR(1), 10);
	apply(t);
	r(t, CPMU_CFG(0), 0);
	r(t, CPMU_CFG(1), 0);
	w(t, CPMU_BOX, CPMU_STOP);
	fake_write(&t->fake, CPMU_FILTER(0), U32_MAX, 4);
	fake_write(&t->fake, CPMU_FILTER(1), U32_MAX, 4);
	w(t, CPMU_BOX, 0);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
}

/* It slept, of which nothing is known afterwards but what is to be undone. */
static void filters_are_off_after_sleep(struct kunit *test)
{
	struct rig *t = box(test, &filtered);
	unsigned int way;

	for (way = 0; way < 2; way++) {
		pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
		counts_with(t, way, 3);
		if (way) {
			pmon_bank_lose(&t->bank, PMON_BOX_D3);
			pmon_bank_find(&t->bank, &filtered, &t->fake.regs);
		} else {
			pmon_bank_resume(&t->bank);
		}
		w(t, CPMU_BOX, CPMU_STOP);
		w(t, CPMU_CFG(0), 0);
		w(t, CPMU_CFG(1), 0);
		fake_write(&t->fake, CPMU_FILTER(0), U32_MAX, 4);
		w(t, CPMU_BOX, 0);
		pmon_bank_release(&t->bank);
		fake_done(&t->fake);
	}
}

/* What was lost is not found again: another device is, with its own filters. */
static void filters_of_another_device_are_left(struct kunit *test)
{
	struct rig *t = box(test, &filtered);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	counts_with(t, 0, 3);
	pmon_bank_lose(&t->bank, PMON_BOX_REMOVED);
	pmon_bank_find(&t->bank, &filtered, &t->fake.regs);
	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	counts_without(t, 1);
	hand_back(t, false);
}

/* It is found with fewer counters than it had: what is not there is left. */
static void filters_that_are_gone_are_left(struct kunit *test)
{
	struct pmon_layout layout = filtered;
	struct rig *t = box(test, &filtered);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	want_filtered(t, 0, 1, 3);
	fake_write(&t->fake, CPMU_FILTER(1), 3, 4);
	expect_one_on(t, 1, 1 << 24 | CPMU_ENABLE, 10);
	apply(t);
	del(t, 0);
	pmon_bank_lose(&t->bank, PMON_BOX_D3);
	layout.counters = 1;
	pmon_bank_find(&t->bank, &layout, &t->fake.regs);
	w(t, CPMU_BOX, CPMU_STOP);
	w(t, CPMU_CFG(0), 0);
	w(t, CPMU_BOX, 0);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
}

/* If that is refused it is tried once more, the next time. */
static void a_filter_that_is_not_off_is_not_forgotten(struct kunit *test)
{
	struct rig *t = box(test, &filtered);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	counts_with(t, 0, 3);
	r(t, CPMU_CFG(0), 0);
	r(t, CPMU_CFG(1), 0);
	w(t, CPMU_BOX, CPMU_STOP);
	fake_write(&t->fake, CPMU_FILTER(0), U32_MAX, 4);
	fake_refused(&t->fake);
	w(t, CPMU_BOX, 0);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	counts_without(t, 1);
	hand_back(t, true);
}

static struct kunit_case filter_tests[] = {
	KUNIT_CASE(filters_are_off_when_handed_back),
	KUNIT_CASE(each_filter_is_off_once),
	KUNIT_CASE(filters_are_off_after_sleep),
	KUNIT_CASE(filters_of_another_device_are_left),
	KUNIT_CASE(filters_that_are_gone_are_left),
	KUNIT_CASE(a_filter_that_is_not_off_is_not_forgotten),
	{ }
};

struct kunit_suite pmon_filter_suite = {
	.name = "pmon_filter",
	.test_cases = filter_tests,
};
