// SPDX-License-Identifier: GPL-2.0-only
/* Check boxes of a function that sleeps, or of a machine that did. */
#include <linux/kernel.h>

#include "cpmu.h"
#include "suites.h"

/* Event 0 counts on counter 0, which starts at 0. */
static void expect_start(struct rig *t)
{
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0x40, 0x1, 4);
	fake_write(&t->fake, 0, RUN, 4);
}

static struct rig *counting(struct kunit *test)
{
	struct rig *t = rig_device(test, &imc);

	config(t, 0, 0x1, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	expect_start(t);
	apply(t);
	fake_read(&t->fake, 0x8, 50);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	return t;
}

static void expect_lost(struct rig *t)
{
	KUNIT_EXPECT_TRUE(t->fake.test, t->bank.state != PMON_BOX_PRESENT);
	KUNIT_EXPECT_FALSE(t->fake.test, t->bank.running);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	pmon_bank_tick(&t->bank);
	pmon_bank_release(&t->bank);
	apply(t);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[0].event.counted_on, -1);
}

/* Awake again it is set up anew, and what it has counted stays. */
static void expect_again(struct rig *t, u64 count)
{
	t->in_d3 = false;
	pmon_bank_find(&t->bank, &imc, &t->fake.regs);
	expect_start(t);
	apply(t);
	fake_read(&t->fake, 0x8, 7);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[0].count, count);
}

/* No register is touched from the moment on in which it is known. */
static void what_sleeps_is_not_touched(struct kunit *test)
{
	struct rig *t = counting(test);

	KUNIT_EXPECT_FALSE(test, pmon_bank_enters_d3(&t->bank));
	t->in_d3 = true;
	KUNIT_EXPECT_TRUE(test, pmon_bank_enters_d3(&t->bank));
	expect_lost(t);
	expect_again(t, 57);
}

/*
 * Its last event ends meanwhile, and registers may hold what they did: awake
 * again it is handed back. That they do is no other's change.
 */
static void what_has_slept_is_handed_back(struct kunit *test)
{
	struct rig *t = counting(test);

	t->in_d3 = true;
	KUNIT_EXPECT_TRUE(test, pmon_bank_enters_d3(&t->bank));
	del(t, 0);
	pmon_bank_release(&t->bank);
	t->in_d3 = false;
	pmon_bank_find(&t->bank, &imc, &t->fake.regs);
	apply(t);
	fake_done(&t->fake);

	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0, RUN, 4);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);

	pmon_bank_lose(&t->bank, PMON_BOX_D3);
	pmon_bank_find(&t->bank, &imc, &t->fake.regs);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
}

/* Each control as it was last written, then the box control: reset, run. */
static void expect_handed_back(struct rig *t, u32 control)
{
	unsigned int i;

	for (i = 0; i < imc.counters; i++)
		fake_read_bytes(&t->fake, imc.counter[i].ctl, i ? 0 : control,
				imc.ctl_bytes);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0, RUN, 4);
}

/* One read says that it answers. Its event has what it had counted by then. */
static void what_counts_is_given_over(struct kunit *test)
{
	struct rig *t = counting(test);

	fake_read_bytes(&t->fake, 0x40, 0x1, 4);
	fake_write(&t->fake, 0, FREEZE, 4);
	fake_read(&t->fake, 0x8, 70);
	expect_handed_back(t, 0x1);
	pmon_bank_give_over(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 70ULL);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);
	expect_lost(t);
	pmon_bank_give_over(&t->bank);
	fake_done(&t->fake);
}

static const struct pmon_counter mixed_counters[] = {
	{ .width = 48, .ctl = 0x40, .ctr = 0x8 },
	{ .width = 48, .ctr = 0x20, .config = 0xff,
	  .kind = PMON_COUNTER_FREE_RUNNING },
};

/* All counters are read before the reset, those that run by themselves, too. */
static void what_runs_by_itself_is_given_over(struct kunit *test)
{
	struct pmon_layout layout = imc;
	struct rig *t;

	layout.counter = mixed_counters;
	layout.counters = ARRAY_SIZE(mixed_counters);
	t = rig_device(test, &layout);
	config(t, 0, 0x1, 0);
	config(t, 1, 0xff, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	KUNIT_ASSERT_TRUE(test, add(t, 1));
	expect_start(t);
	fake_read(&t->fake, 0x20, 1000);
	apply(t);

	fake_write(&t->fake, 0, FREEZE, 4);
	fake_read(&t->fake, 0x8, 70);
	fake_read(&t->fake, 0x20, 1030);
	fake_read_bytes(&t->fake, 0x40, 0x1, 4);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0, RUN, 4);
	pmon_bank_leave(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 70ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 30ULL);
}

/* The first control is the only one that does not answer, or none does. */
static void what_is_idle_is_given_over(struct kunit *test)
{
	struct rig *t = counting(test);
	unsigned int i;

	fake_write(&t->fake, 0, FREEZE, 4);
	fake_read(&t->fake, 0x8, 60);
	del(t, 0);
	apply(t);
	for (i = 0; i < imc.counters; i++)
		fake_read_bytes(&t->fake, imc.counter[i].ctl, ~0U, 4);
	pmon_bank_give_over(&t->bank);
	fake_done(&t->fake);

	fake_read_bytes(&t->fake, 0x40, ~0U, 4);
	fake_read_bytes(&t->fake, 0x44, 0, 4);
	expect_handed_back(t, 0x1);
	pmon_bank_give_over(&t->bank);
	fake_done(&t->fake);
}

/* Neither one that was not used nor one that sleeps or is gone. */
static void what_is_not_in_use_is_not_given_over(struct kunit *test)
{
	struct rig *t = rig_device(test, &imc);

	pmon_bank_give_over(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_FALSE(test, t->bank.used);

	t = counting(test);
	pmon_bank_lose(&t->bank, PMON_BOX_D3);
	pmon_bank_give_over(&t->bank);
	pmon_bank_lose(&t->bank, PMON_BOX_REMOVED);
	pmon_bank_give_over(&t->bank);
	pmon_bank_find(&t->bank, &imc, &t->fake.regs);
	pmon_bank_give_over(&t->bank);
	fake_done(&t->fake);
}

/* What is gone is not asked: its function may be gone, too. */
static void what_is_gone_is_not_asked(struct kunit *test)
{
	struct rig *t = counting(test);

	pmon_bank_lose(&t->bank, PMON_BOX_REMOVED);
	t->power_checks = 0;
	t->in_d3 = true;
	KUNIT_EXPECT_TRUE(test, pmon_bank_enters_d3(&t->bank));
	t->in_d3 = false;
	KUNIT_EXPECT_TRUE(test, pmon_bank_enters_d3(&t->bank));
	KUNIT_EXPECT_EQ(test, t->power_checks, 0U);
	expect_lost(t);
}

/* An event that is to begin asks first, one that is to go on does not. */
static void no_event_begins_asleep(struct kunit *test)
{
	struct rig *t = rig_device(test, &imc);

	t->in_d3 = true;
	config(t, 0, 0x1, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	apply(t);
	expect_lost(t);
	expect_again(t, 7);

	t->in_d3 = true;
	config(t, 1, 0x2, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 1));
	fake_write(&t->fake, 0x44, 0x2, 4);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->bank.state, PMON_BOX_PRESENT);
}

/* An idle box whose event 0 has counted 20. */
static struct rig *idle(struct kunit *test)
{
	struct rig *t = counting(test);

	del(t, 0);
	fake_write(&t->fake, 0, FREEZE, 4);
	fake_read(&t->fake, 0x8, 70);
	apply(t);
	return t;
}

/* The machine slept: that its controls were cleared is no other's change. */
static void nothing_is_known_after_sleep(struct kunit *test)
{
	struct rig *t = idle(test);

	pmon_bank_resume(&t->bank);
	fake_done(&t->fake);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0, RUN, 4);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);
}

/* A free-running counter goes on from the value that it had. */
static void totals_stay_after_sleep(struct kunit *test)
{
	static const struct pmon_counter counters[] = {
		{ .width = 48, .ctr = 0x8, .config = 0x10ff,
		  .kind = PMON_COUNTER_FREE_RUNNING },
	};
	static const struct pmon_layout layout = {
		.counter = counters, .counters = 1, .free_running = true,
	};
	struct rig *t = rig_new(test, &layout, false);
	static const u64 values[] = { 1100, 1150 };
	unsigned int i;

	config(t, 0, 0x10ff, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	fake_read(&t->fake, 0x8, 1000);
	apply(t);
	for (i = 0; i < ARRAY_SIZE(values); i++) {
		fake_read(&t->fake, 0x8, values[i]);
		pmon_bank_read(&t->bank, &t->ev[0].event);
		fake_read(&t->fake, 0x8, values[i] + 30);
		pmon_bank_resume(&t->bank);
		fake_done(&t->fake);
	}
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 150ULL);
}

/*
 * Controls that were off as the box was found need no write, but they do after
 * sleep, although the box was never used.
 */
static void all_controls_are_written_after_sleep(struct kunit *test)
{
	static const struct pmon_counter counters[] = {
		{ .width = 48, .ctl = CPMU_CFG(0), .ctr = CPMU_CTR(0) },
		{ .width = 48, .ctl = CPMU_CFG(1), .ctr = CPMU_CTR(1) },
	};
	static const struct pmon_layout layout = {
		.protocol = &cpmu_protocol, .counter = counters, .counters = 2,
		.ctl_bytes = 8, .box_ctl = CPMU_BOX,
	};
	struct rig *t = box(test, &layout);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	pmon_bank_resume(&t->bank);
	want_on(t, 0, 1 << 24, 0);
	w(t, CPMU_CFG(0), 0);
	w(t, CPMU_CFG(1), 0);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 10);
	apply(t);
}

static struct kunit_case asleep_tests[] = {
	KUNIT_CASE(what_sleeps_is_not_touched),
	KUNIT_CASE(what_has_slept_is_handed_back),
	KUNIT_CASE(what_counts_is_given_over),
	KUNIT_CASE(what_runs_by_itself_is_given_over),
	KUNIT_CASE(what_is_idle_is_given_over),
	KUNIT_CASE(what_is_not_in_use_is_not_given_over),
	KUNIT_CASE(what_is_gone_is_not_asked),
	KUNIT_CASE(no_event_begins_asleep),
	KUNIT_CASE(nothing_is_known_after_sleep),
	KUNIT_CASE(totals_stay_after_sleep),
	KUNIT_CASE(all_controls_are_written_after_sleep),
	{ }
};

struct kunit_suite pmon_asleep_suite = {
	.name = "pmon_asleep",
	.test_cases = asleep_tests,
};
