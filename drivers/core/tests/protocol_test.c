// SPDX-License-Identifier: GPL-2.0-only
/*
 * Boxes that do not start and stop like those of a discovery table, access by
 * access: DRAM counters of Victoria Falls (no box control, always counting), its
 * Zambezi counters (no box control, select 0 is off) and R2PCIe (Intel 329468-002,
 * 2.9: an enable bit in each control).
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "rig.h"
#include "suites.h"

#define SELECT(n)	(0x100 + (n))
#define PIC(n)		(0x200 + (n))

static const struct pmon_type select_type = { .ctl_mask = 0xff };

static const struct pmon_protocol zam_protocol = {
	.keeps = true, .rate_log2 = 34,
};

static const struct pmon_counter zam_counters[] = {
	{ .width = 64, .ctl = SELECT(0), .ctr = PIC(0) },
	{ .width = 64, .ctl = SELECT(1), .ctr = PIC(1) },
};

static const struct pmon_layout zam = {
	.protocol = &zam_protocol, .counter = zam_counters, .counters = 2,
	.ctl_bytes = 8, .indexed = true,
};

static const struct pmon_protocol r2pcie_protocol = {
	.freeze = 0x30100, .reset = 0x30103, .run = 0x30000, .bytes = 4,
};

static const struct pmon_counter r2pcie_counters[] = {
	{ .width = 44, .ctl = 0xd8, .ctr = 0xa0 },
	{ .width = 44, .ctl = 0xdc, .ctr = 0xa8 },
	{ .width = 44, .ctl = 0xe0, .ctr = 0xb0 },
	{ .width = 44, .ctl = 0xe4, .ctr = 0xb8 },
};

static const struct pmon_layout r2pcie = {
	.protocol = &r2pcie_protocol, .counter = r2pcie_counters, .counters = 4,
	.ctl_bytes = 4, .box_ctl = 0xf4,
};

static const struct pmon_type r2pcie_type = {
	.ctl_mask = 0xff04ffff, .ctl_set = BIT(22),
};

static struct rig *box(struct kunit *test, const struct pmon_layout *layout,
		       const struct pmon_type *type, bool split)
{
	struct rig *t = rig_new(test, layout, split);

	KUNIT_ASSERT_NULL(test, pmon_layout_valid(layout, 0));
	t->bank.ctl_event = type->ctl_mask | type->ctl_set;
	return t;
}

static void want(struct rig *t, unsigned int i, const struct pmon_type *type,
		 u64 config)
{
	pmon_event_init(&t->ev[i].event, type, &t->bank.layout, config, 0);
	t->ev[i].count = 0;
	KUNIT_ASSERT_TRUE(t->fake.test, add(t, i));
}

static void w(struct rig *t, u32 reg, u64 val)
{
	fake_write(&t->fake, reg, val, 8);
}

static void r(struct rig *t, u32 reg, u64 val)
{
	fake_read(&t->fake, reg, val);
}

static const struct pmon_protocol four_protocol = {
	.keeps = true, .rate_log2 = 32,
};

static const struct pmon_counter four_counters[] = {
	{ .width = 48, .ctl = SELECT(0), .ctr = PIC(0) },
	{ .width = 48, .ctl = SELECT(1), .ctr = PIC(1) },
	{ .width = 48, .ctl = SELECT(2), .ctr = PIC(2) },
	{ .width = 48, .ctl = SELECT(3), .ctr = PIC(3) },
};

static const struct pmon_protocol frozen_kept_protocol = {
	.freeze = 1, .reset = 1, .bytes = 4, .keeps = true, .rate_log2 = 32,
};

/* A box that can be frozen, whose counters can be off and keep their values. */
static const struct pmon_layout frozen_kept = {
	.protocol = &frozen_kept_protocol, .counter = four_counters,
	.counters = 4, .ctl_bytes = 8, .indexed = true,
};

/* A box of four that cannot be frozen. */
static const struct pmon_layout four = {
	.protocol = &four_protocol, .counter = four_counters, .counters = 4,
	.ctl_bytes = 8, .indexed = true,
};

static void start_all(struct rig *t, bool frozen)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		want(t, i, &select_type, 1 + i);
	for (i = 0; i < 4; i++)
		w(t, SELECT(i), frozen ? 1 + i : 0);
	if (frozen)
		fake_write(&t->fake, 0, 1, 4);
	for (i = 0; i < 4; i++)
		r(t, PIC(i), 0);
	for (i = 0; i < 4 && !frozen; i++)
		w(t, SELECT(i), 1 + i);
	if (frozen)
		fake_write(&t->fake, 0, 0, 4);
	apply(t);
}

/* Three events of four are replaced, and the last one goes. */
static void replace_three(struct rig *t)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		del(t, i);
	for (i = 0; i < 3; i++) {
		pmon_event_init(&t->ev[4 + i].event, &select_type,
				&t->bank.layout, 0x10 + i, 0);
		t->ev[4 + i].event.allowed = BIT_ULL(i);
		KUNIT_ASSERT_TRUE(t->fake.test, add(t, 4 + i));
	}
}

/* What three left was read then; the fourth counter has been free meanwhile. */
static void kept_counters_are_stopped_first(struct kunit *test)
{
	struct rig *t = box(test, &frozen_kept, &select_type, false);
	unsigned int i;

	start_all(t, true);
	del(t, 3);
	w(t, SELECT(3), 0);
	r(t, PIC(3), 7);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[3].count, 7ULL);
	for (i = 0; i < 3; i++)
		del(t, i);
	for (i = 0; i < 4; i++) {
		pmon_event_init(&t->ev[4 + i].event, &select_type,
				&t->bank.layout, 0x10 + i, 0);
		t->ev[4 + i].event.allowed = BIT_ULL(i);
		KUNIT_ASSERT_TRUE(test, add(t, 4 + i));
	}
	for (i = 0; i < 3; i++)
		w(t, SELECT(i), 0);
	for (i = 0; i < 3; i++)
		r(t, PIC(i), 10 + i);
	r(t, PIC(3), 9);
	for (i = 0; i < 4; i++)
		w(t, SELECT(i), 0x10 + i);
	apply(t);
	fake_done(&t->fake);
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, t->ev[i].count, 10ULL + i);
	for (i = 0; i < 4; i++) {
		r(t, PIC(i), 20);
		pmon_bank_read(&t->bank, &t->ev[4 + i].event);
	}
	KUNIT_EXPECT_EQ(test, t->ev[4].count, 10ULL);
	KUNIT_EXPECT_EQ(test, t->ev[6].count, 8ULL);
	KUNIT_EXPECT_EQ(test, t->ev[7].count, 11ULL);
}

static void a_box_without_control_is_not_frozen_for_changes(struct kunit *test)
{
	struct rig *t = box(test, &four, &select_type, false);
	unsigned int i;

	start_all(t, false);
	replace_three(t);
	for (i = 0; i < 4; i++)
		w(t, SELECT(i), 0);
	for (i = 0; i < 4; i++)
		r(t, PIC(i), 7);
	for (i = 0; i < 3; i++)
		w(t, SELECT(i), 0x10 + i);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 7ULL);
}

/* There is no freeze: a group is read counter by counter. */
static void nothing_freezes_a_box_without_control(struct kunit *test)
{
	struct rig *t = box(test, &zam, &select_type, false);

	want(t, 0, &select_type, 1);
	want(t, 1, &select_type, 2);
	w(t, SELECT(0), 0);
	w(t, SELECT(1), 0);
	r(t, PIC(0), 0);
	r(t, PIC(1), 0);
	w(t, SELECT(0), 1);
	w(t, SELECT(1), 2);
	apply(t);
	r(t, PIC(0), 1);
	r(t, PIC(1), 2);
	pmon_bank_snapshot(&t->bank, 0x3);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.frozen_ns, 0ULL);

	/* Both events change places with others: no freeze to save writes. */
	del(t, 0);
	del(t, 1);
	want(t, 2, &select_type, 5);
	want(t, 3, &select_type, 6);
	w(t, SELECT(0), 0);
	w(t, SELECT(1), 0);
	r(t, PIC(0), 2);
	r(t, PIC(1), 4);
	w(t, SELECT(0), 5);
	w(t, SELECT(1), 6);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 2ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 4ULL);
}

/*
 * Counters that can be off are stopped one by one, when idle and at the end, and
 * are read while they are. What is known to be off is not stopped again.
 */
static void counters_are_stopped_one_by_one(struct kunit *test)
{
	struct rig *t = box(test, &zam, &select_type, false);

	want(t, 0, &select_type, 3);
	w(t, SELECT(0), 0);
	w(t, SELECT(1), 0);
	r(t, PIC(0), 9);
	w(t, SELECT(0), 3);
	apply(t);
	del(t, 0);
	w(t, SELECT(0), 0);
	r(t, PIC(0), 12);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 3ULL);

	want(t, 0, &select_type, 3);
	r(t, PIC(0), 12);
	w(t, SELECT(0), 3);
	apply(t);
	del(t, 0);
	w(t, SELECT(0), 0);
	r(t, PIC(0), 12);
	apply(t);
	r(t, SELECT(0), 0);
	r(t, SELECT(1), 0);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
}

/* One that does not answer as its event ends is read for the next one. */
static void an_end_that_is_not_read_tells_nothing(struct kunit *test)
{
	struct rig *t = box(test, &zam, &select_type, false);

	want(t, 0, &select_type, 3);
	w(t, SELECT(0), 0);
	w(t, SELECT(1), 0);
	r(t, PIC(0), 9);
	w(t, SELECT(0), 3);
	apply(t);
	del(t, 0);
	pmon_event_init(&t->ev[1].event, &select_type, &t->bank.layout, 4, 0);
	t->ev[1].event.allowed = BIT_ULL(0);
	KUNIT_ASSERT_TRUE(test, add(t, 1));
	w(t, SELECT(0), 0);
	r(t, PIC(0), ~0ULL);
	r(t, PIC(0), 50);
	w(t, SELECT(0), 4);
	apply(t);
	KUNIT_EXPECT_TRUE(test, t->ev[0].event.failed);
	r(t, PIC(0), 51);
	pmon_bank_read(&t->bank, &t->ev[1].event);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 1ULL);
}

/* Bits 16 and 17 of the box control are always set, and bit 22 of a control. */
static void bits_that_are_always_set(struct kunit *test)
{
	struct rig *t = box(test, &r2pcie, &r2pcie_type, true);

	want(t, 0, &r2pcie_type, 0x0110);
	fake_write(&t->fake, 0xf4, 0x30103, 4);
	fake_write(&t->fake, 0xd8, 0x400110, 4);
	fake_write(&t->fake, 0xf4, 0x30000, 4);
	apply(t);
	r(t, 0xa0, 5);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 5ULL);

	/* The bit is looked at, too. */
	fake_read_bytes(&t->fake, 0xd8, 0x110, 4);
	fake_write(&t->fake, 0xf4, 0x30103, 4);
	fake_write(&t->fake, 0xd8, 0x400110, 4);
	fake_write(&t->fake, 0xf4, 0x30000, 4);
	pmon_bank_tick(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.restarts, 1U);
}

static const struct pmon_protocol reset_protocol = { FREEZE, RESET, RUN, 4 };

static const struct pmon_counter mixed_counters[] = {
	{ .width = 48, .ctl = 0x40, .ctr = 0x08 },
	{ .width = 48, .ctr = 0x38, .kind = PMON_COUNTER_FREE_RUNNING,
	  .config = 0xff },
};

/* One counter has a control, the other one runs by itself. */
static const struct pmon_layout mixed = {
	.protocol = &reset_protocol, .counter = mixed_counters, .counters = 2,
	.ctl_bytes = 4,
};

/* The box runs for the one event, whether the other one counts or not. */
static void a_counter_runs_beside_one_with_a_control(struct kunit *test)
{
	struct rig *t = rig_new(test, &mixed, false);

	config(t, 0, 0x1, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	config(t, 1, 0xff, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 1));
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0x40, 0x1, 4);
	fake_write(&t->fake, 0, RUN, 4);
	fake_read(&t->fake, 0x38, 5);
	apply(t);
	pmon_bank_set_stopped(&t->bank, &t->ev[1].event, true);
	fake_read(&t->fake, 0x38, 7);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 2ULL);
	KUNIT_EXPECT_TRUE(test, t->bank.running);
}

/* The fastest and the narrowest counter say how often a box is read. */
static void period_of_a_box(struct kunit *test)
{
	struct pmon_layout layout = imc;
	struct pmon_counter counter[5];

	memcpy(counter, imc.counter, sizeof(counter));
	layout.counter = counter;
	counter[4].width = 36;
	KUNIT_EXPECT_EQ(test, pmon_layout_period_ns(&layout), 125000000ULL);
}

static struct kunit_case protocol_tests[] = {
	KUNIT_CASE(kept_counters_are_stopped_first),
	KUNIT_CASE(a_box_without_control_is_not_frozen_for_changes),
	KUNIT_CASE(nothing_freezes_a_box_without_control),
	KUNIT_CASE(counters_are_stopped_one_by_one),
	KUNIT_CASE(an_end_that_is_not_read_tells_nothing),
	KUNIT_CASE(bits_that_are_always_set),
	KUNIT_CASE(a_counter_runs_beside_one_with_a_control),
	KUNIT_CASE(period_of_a_box),
	{ }
};

struct kunit_suite pmon_protocol_suite = {
	.name = "pmon_protocol",
	.test_cases = protocol_tests,
};
