// SPDX-License-Identifier: GPL-2.0-only
/*
 * Boxes that did not answer and do again: they may have been reset meanwhile, so
 * no reading is believed before a control has said that it was not. And boxes
 * that were reset while nothing counted.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "cpmu.h"
#include "suites.h"

#define CTL(n)	(0x40 + 4 * (n))
#define CTR(n)	(8 + 8 * (n))

static void ctl_is(struct rig *t, unsigned int i, u32 val)
{
	fake_read_bytes(&t->fake, CTL(i), val, 4);
}

/* The event @i is read, its counter holds @val. */
static void reading(struct rig *t, unsigned int i, u64 val)
{
	fake_read(&t->fake, CTR(i), val);
	pmon_bank_read(&t->bank, &t->ev[i].event);
	fake_done(&t->fake);
}

/* The same, and the control of that counter is asked. */
static void asked_reading(struct rig *t, unsigned int i, u64 val, u32 ctl)
{
	fake_read(&t->fake, CTR(i), val);
	ctl_is(t, i, ctl);
	pmon_bank_read(&t->bank, &t->ev[i].event);
	fake_done(&t->fake);
}

static void asked(struct rig *t)
{
	pmon_bank_ask(&t->bank);
	fake_done(&t->fake);
}

/* Neither of two counters answers. */
static void asked_in_vain(struct rig *t)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		ctl_is(t, i, U32_MAX);
		fake_read(&t->fake, CTR(i), ~0ULL);
	}
	asked(t);
}

/* Events up to number @last count on the counters of their numbers. */
static void expect_start(struct rig *t, unsigned int last)
{
	unsigned int i;

	fake_write(&t->fake, 0, RESET, 4);
	for (i = 0; i <= last; i++)
		fake_write(&t->fake, CTL(i), 1 + i, 4);
	fake_write(&t->fake, 0, RUN, 4);
}

static void wants(struct rig *t, unsigned int last)
{
	unsigned int i;

	for (i = 0; i <= last; i++) {
		config(t, i, 1 + i, 0);
		KUNIT_ASSERT_TRUE(t->fake.test, add(t, i));
	}
}

static void starts(struct rig *t, unsigned int last)
{
	wants(t, last);
	expect_start(t, last);
	apply(t);
}

/* Events 0 and 1 have counted 50 each, and the box does not answer now. */
static struct rig *silent(struct kunit *test)
{
	struct rig *t = rig_sleepy(test, &imc);

	starts(t, 1);
	reading(t, 0, 50);
	reading(t, 1, 50);
	reading(t, 0, ~0ULL);
	KUNIT_EXPECT_EQ(test, t->silences, 1U);
	return t;
}

/* Both events, and how often the box was set up again. */
static void expect_counts(struct rig *t, u64 a, u64 b, unsigned int restarts)
{
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[0].count, a);
	KUNIT_EXPECT_EQ(t->fake.test, t->ev[1].count, b);
	KUNIT_EXPECT_EQ(t->fake.test, t->bank.restarts, restarts);
	KUNIT_EXPECT_EQ(t->fake.test, t->bank.disturbed, restarts);
	KUNIT_EXPECT_EQ(t->fake.test, t->changes, restarts);
}

/* It was not reset: all is believed, and soon without questions. */
static void what_stands_is_believed(struct kunit *test)
{
	struct rig *t = silent(test);

	asked_reading(t, 0, 60, 1);
	asked_reading(t, 1, 61, 2);
	expect_counts(t, 60, 61, 0);
	KUNIT_EXPECT_EQ(test, t->silences, 1U);
	KUNIT_EXPECT_EQ(test, t->bank.sure, 0ULL);

	ctl_is(t, 0, 1);	/* does it answer? */
	ctl_is(t, 0, 1);	/* do all stand? */
	ctl_is(t, 1, 2);
	asked(t);
	KUNIT_EXPECT_EQ(test, t->bank.sure, PMON_DELTA_SMALL);
	reading(t, 0, 70);
	reading(t, 1, 72);
	expect_counts(t, 70, 72, 0);
}

/* It was: no reading counts, and it is set up as soon as it is asked. */
static void what_was_reset_is_set_up(struct kunit *test)
{
	struct rig *t = silent(test);

	asked_reading(t, 0, 0, 0);
	asked_reading(t, 1, 60, 0);
	expect_counts(t, 50, 50, 0);
	KUNIT_EXPECT_EQ(test, t->silences, 3U);

	ctl_is(t, 0, 0);
	ctl_is(t, 0, 0);
	expect_start(t, 1);
	asked(t);
	KUNIT_EXPECT_FALSE(test, t->bank.silent);
	reading(t, 0, 7);
	reading(t, 1, 8);
	expect_counts(t, 57, 58, 1);
}

/* One that was told to be mute, too, and whatever told that it answers. */
static void what_was_mute_is_set_up(struct kunit *test)
{
	struct rig *t = silent(test);
	unsigned int i;

	for (i = 0; i < 2; i++)
		asked_in_vain(t);
	KUNIT_EXPECT_TRUE(test, t->bank.mute);

	/* As if it had counted little; its control says otherwise. */
	asked_reading(t, 0, 55, 0);
	KUNIT_EXPECT_EQ(test, t->silences, 2U);
	ctl_is(t, 0, 0);
	expect_start(t, 1);
	asked(t);
	reading(t, 0, 7);
	expect_counts(t, 57, 50, 1);

	/* Again, and the wrap tick is the first to see it. */
	reading(t, 0, ~0ULL);
	ctl_is(t, 0, U32_MAX);
	asked(t);
	ctl_is(t, 0, 0);
	expect_start(t, 1);
	pmon_bank_tick(&t->bank);
	reading(t, 0, 3);
	expect_counts(t, 60, 50, 2);
}

/* What is written to a box that does not answer is lost, and may be in part. */
static void each_control_is_asked(struct kunit *test)
{
	struct rig *t = silent(test);

	ctl_is(t, 0, 1);
	ctl_is(t, 0, 1);
	ctl_is(t, 1, 0);
	expect_start(t, 1);
	asked(t);
	expect_counts(t, 50, 50, 1);
}

/*
 * An event begins meanwhile: what the counter holds afterwards is another's,
 * and so is its control.
 */
static void what_began_meanwhile_is_set_up(struct kunit *test)
{
	struct rig *t = silent(test);

	del(t, 0);
	del(t, 1);
	ctl_is(t, 0, U32_MAX);
	fake_write(&t->fake, 0, FREEZE, 4);
	fake_read(&t->fake, CTR(0), ~0ULL);
	fake_read(&t->fake, CTR(1), ~0ULL);
	apply(t);
	wants(t, 1);
	ctl_is(t, 0, U32_MAX);
	fake_read(&t->fake, CTR(0), ~0ULL);
	ctl_is(t, 1, U32_MAX);
	fake_read(&t->fake, CTR(1), ~0ULL);
	expect_start(t, 1);
	apply(t);
	/* No counter has gained: is it frozen? */
	fake_read(&t->fake, CTR(0), 12345);
	fake_read_bytes(&t->fake, 0, 0, 4);
	ctl_is(t, 0, 0x99);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	fake_done(&t->fake);
	expect_counts(t, 0, 0, 0);

	ctl_is(t, 0, 0x99);
	ctl_is(t, 0, 0x99);
	expect_start(t, 1);
	asked(t);
	reading(t, 0, 7);
	expect_counts(t, 7, 0, 1);
}

/* A change looks first: it would write controls itself. */
static void a_change_sets_it_up(struct kunit *test)
{
	struct rig *t = silent(test);

	del(t, 0);
	config(t, 2, 3, 0);
	t->ev[2].event.allowed = BIT_ULL(0);
	KUNIT_ASSERT_TRUE(test, add(t, 2));
	ctl_is(t, 0, 0);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, CTL(0), 3, 4);
	fake_write(&t->fake, CTL(1), 2, 4);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);
	reading(t, 1, 5);
	expect_counts(t, 50, 55, 1);
	KUNIT_EXPECT_LT(test, t->ev[0].event.counted_on, 0);

	/* One that leaves nothing behind is frozen, and is told once. */
	t = silent(test);
	del(t, 0);
	del(t, 1);
	ctl_is(t, 0, 0);
	fake_write(&t->fake, 0, FREEZE, 4);
	apply(t);
	expect_counts(t, 50, 50, 1);
	KUNIT_EXPECT_FALSE(test, t->bank.running);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0, RUN, 4);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
	expect_counts(t, 50, 50, 1);
}

/*
 * Nothing that was written when its event began again has reached the box: it
 * is frozen, holds what it did, and the control is the same as before.
 */
static void what_missed_its_beginning_is_set_up(struct kunit *test)
{
	struct rig *t = rig_sleepy(test, &imc);

	starts(t, 0);
	del(t, 0);
	fake_write(&t->fake, 0, FREEZE, 4);
	fake_read(&t->fake, CTR(0), 50);
	apply(t);
	starts(t, 0);
	reading(t, 0, ~0ULL);
	/* Its control could say nothing, and is not asked. */
	fake_read(&t->fake, CTR(0), 50);
	fake_read_bytes(&t->fake, 0, FREEZE, 4);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->silences, 2U);

	ctl_is(t, 0, 1);
	ctl_is(t, 0, 1);
	fake_read_bytes(&t->fake, 0, FREEZE, 4);
	expect_start(t, 0);
	asked(t);
	reading(t, 0, 7);
	expect_counts(t, 7, 0, 1);
}

/* What a counter holds that no event is on says nothing of this. */
static void only_what_counts_has_begun(struct kunit *test)
{
	struct rig *t = rig_sleepy(test, &imc);

	starts(t, 1);
	del(t, 0);
	fake_write(&t->fake, CTL(0), 0, 4);
	fake_read(&t->fake, CTR(0), 50);
	apply(t);
	reading(t, 1, ~0ULL);
	fake_read(&t->fake, CTR(1), 9);
	fake_read_bytes(&t->fake, 0, RUN, 4);
	ctl_is(t, 1, 2);
	pmon_bank_read(&t->bank, &t->ev[1].event);
	fake_done(&t->fake);
	expect_counts(t, 50, 9, 0);
}

static struct rig *idle(struct kunit *test, u64 last)
{
	struct rig *t = rig_sleepy(test, &imc);

	starts(t, 0);
	del(t, 0);
	fake_write(&t->fake, 0, FREEZE, 4);
	fake_read(&t->fake, CTR(0), last);
	apply(t);
	return t;
}

/* It has begun: what it counted until its first reading is not lost. */
static void what_has_begun_is_believed(struct kunit *test)
{
	struct rig *t = rig_sleepy(test, &imc);

	starts(t, 1);
	reading(t, 0, ~0ULL);
	fake_read(&t->fake, CTR(1), 70);
	fake_read_bytes(&t->fake, 0, 0, 4);
	ctl_is(t, 1, 2);
	pmon_bank_read(&t->bank, &t->ev[1].event);
	fake_done(&t->fake);
	expect_counts(t, 0, 70, 0);
}

/* Its last reading had no answer. What answers when it begins is not doubted. */
static void a_beginning_ends_the_doubt(struct kunit *test)
{
	struct rig *t = idle(test, ~0ULL);

	ctl_is(t, 0, 0);
	asked(t);
	wants(t, 0);
	ctl_is(t, 0, 0);
	expect_start(t, 0);
	apply(t);
	reading(t, 0, 100);
	expect_counts(t, 100, 0, 0);
}

/* Between a change that was asked for and its apply no other sets it up. */
static void a_change_that_is_due_does_it(struct kunit *test)
{
	struct rig *t = silent(test);

	del(t, 1);
	ctl_is(t, 0, 0);
	asked(t);
	expect_counts(t, 50, 50, 0);

	ctl_is(t, 0, 0);
	expect_start(t, 0);
	apply(t);
	expect_counts(t, 50, 50, 1);
}

/* Gone while it did not answer, and found again: it is a new box. */
static void what_is_found_again_is_not_doubted(struct kunit *test)
{
	struct rig *t = silent(test);

	asked_in_vain(t);
	pmon_bank_lose(&t->bank);
	pmon_bank_find(&t->bank, &imc, &t->fake.regs);
	KUNIT_EXPECT_FALSE(test, t->bank.silent);
	expect_start(t, 1);
	apply(t);
	reading(t, 0, 60);
	expect_counts(t, 110, 50, 0);

	/* It is asked twice, too. */
	reading(t, 0, ~0ULL);
	asked_in_vain(t);
	KUNIT_EXPECT_TRUE(test, t->bank.silent);
	KUNIT_EXPECT_FALSE(test, t->bank.mute);
}

/* One event ends: its control is stopped then, and cannot be asked. */
static void what_is_stopped_is_believed(struct kunit *test)
{
	struct rig *t = silent(test);

	del(t, 0);
	ctl_is(t, 0, U32_MAX);
	fake_write(&t->fake, CTL(0), 0, 4);
	fake_read(&t->fake, CTR(0), 70);
	apply(t);
	expect_counts(t, 70, 50, 0);
}

/* Handed back, it is not asked for what it was set up with before. */
static void expect_handed_back(struct rig *t)
{
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0, RUN, 4);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(t->fake.test, t->bank.disturbed, 0U);
}

/* The machine slept: that its controls were cleared is no other's change. */
static void nothing_is_known_after_sleep(struct kunit *test)
{
	struct rig *t = idle(test, 20);

	pmon_bank_resume(&t->bank);
	fake_done(&t->fake);
	expect_handed_back(t);
}

/* Its last reading was silent: it may have been reset, too. */
static void nothing_is_known_after_silence(struct kunit *test)
{
	struct rig *t = idle(test, ~0ULL);

	ctl_is(t, 0, 0);
	asked(t);
	expect_handed_back(t);
}

/* But a counter that runs by itself goes on from what it held. */
static void totals_stay(struct kunit *test)
{
	static const struct pmon_counter counters[] = {
		{ .width = 48, .ctr = 0x8, .config = 0x10ff,
		  .kind = PMON_COUNTER_FREE_RUNNING },
	};
	static const struct pmon_layout free = {
		.counter = counters, .counters = 1, .free_running = true,
	};
	struct rig *t = rig_new(test, &free, false);

	config(t, 0, 0x10ff, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	fake_read(&t->fake, 0x8, 1000);
	apply(t);
	reading(t, 0, 1100);
	fake_read(&t->fake, 0x8, 1130);
	pmon_bank_resume(&t->bank);
	fake_done(&t->fake);
	reading(t, 0, 1150);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 150ULL);
}

static const struct pmon_counter kept_counters[] = {
	{ .width = 48, .ctl = CPMU_CFG(0), .ctr = CPMU_CTR(0) },
	{ .width = 48, .ctl = CPMU_CFG(1), .ctr = CPMU_CTR(1) },
};

static const struct pmon_layout kept = {
	.protocol = &cpmu_protocol, .counter = kept_counters, .counters = 2,
	.ctl_bytes = 8, .box_ctl = CPMU_BOX,
};

/*
 * Controls that were off as the box was found need no write, but they do after
 * sleep, although the box was never used.
 */
static void what_was_off_is_written_after_sleep(struct kunit *test)
{
	struct rig *t = box(test, &kept);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	pmon_bank_resume(&t->bank);
	want_on(t, 0, 1 << 24, 0);
	w(t, CPMU_CFG(0), 0);
	w(t, CPMU_CFG(1), 0);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 10);
	apply(t);
}

/* Such a box, which may fall silent. */
static struct rig *kept_box(struct kunit *test)
{
	struct rig *t = rig_sleepy(test, &kept);

	t->bank.ctl_mask = cpmu_type.ctl_mask | cpmu_type.ctl_set;
	return t;
}

/* Idle, it begins before it was asked: all controls are written again. */
static void nothing_is_known_before_it_is_asked(struct kunit *test)
{
	struct rig *t = kept_box(test);

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	want_on(t, 0, 1 << 24, 0);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 10);
	apply(t);
	end_one(t, 0, ~0ULL);
	want_on(t, 0, 1 << 24, 0);
	r(t, CPMU_CFG(0), 0);
	w(t, CPMU_CFG(0), 0);
	w(t, CPMU_CFG(1), 0);
	expect_one(t, 1 << 24 | CPMU_ENABLE, 20);
	apply(t);
}

/* Its counter was read as its event began: that it held 0 then says nothing. */
static void what_is_kept_has_begun(struct kunit *test)
{
	struct rig *t = kept_box(test);
	const u64 ctl = 1 << 24 | CPMU_ENABLE;

	pmon_bank_is_off(&t->bank, BIT(0) | BIT(1));
	want_on(t, 0, 1 << 24, 0);
	expect_one(t, ctl, 0);
	apply(t);
	r(t, CPMU_CTR(0), ~0ULL);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	r(t, CPMU_CTR(0), 9);
	r(t, CPMU_CFG(0), ctl);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	fake_done(&t->fake);
	expect_counts(t, 9, 0, 0);
}

/*
 * The write that was to stop an event is lost, and the control of the one that
 * stays stands: when the box is handed back that write is made again, and
 * whatever its counter's control holds is no other program's.
 */
static void what_was_not_stopped_is_at_the_end(struct kunit *test)
{
	struct rig *t = kept_box(test);
	const u64 b = 2 << 24 | CPMU_ENABLE;

	want_on(t, 0, 1 << 24, 0);
	want_on(t, 1, 2 << 24, 1);
	w(t, CPMU_BOX, CPMU_STOP);
	w(t, CPMU_CFG(0), 1 << 24 | CPMU_ENABLE);
	w(t, CPMU_CFG(1), b);
	r(t, CPMU_CTR(0), 10);
	r(t, CPMU_CTR(1), 11);
	w(t, CPMU_BOX, 0);
	apply(t);
	end_one(t, 0, ~0ULL);

	r(t, CPMU_CFG(1), b);
	r(t, CPMU_CFG(1), b);
	asked(t);
	del(t, 1);
	w(t, CPMU_CFG(1), 0);
	r(t, CPMU_CTR(1), 31);
	apply(t);
	r(t, CPMU_CFG(1), 0);
	w(t, CPMU_BOX, CPMU_STOP);
	w(t, CPMU_CFG(0), 0);
	w(t, CPMU_BOX, 0);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 20ULL);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);
}

static struct kunit_case doubt_tests[] = {
	KUNIT_CASE(what_stands_is_believed),
	KUNIT_CASE(what_was_reset_is_set_up),
	KUNIT_CASE(what_was_mute_is_set_up),
	KUNIT_CASE(each_control_is_asked),
	KUNIT_CASE(what_began_meanwhile_is_set_up),
	KUNIT_CASE(a_change_sets_it_up),
	KUNIT_CASE(what_missed_its_beginning_is_set_up),
	KUNIT_CASE(only_what_counts_has_begun),
	KUNIT_CASE(what_has_begun_is_believed),
	KUNIT_CASE(a_beginning_ends_the_doubt),
	KUNIT_CASE(a_change_that_is_due_does_it),
	KUNIT_CASE(what_is_found_again_is_not_doubted),
	KUNIT_CASE(what_is_stopped_is_believed),
	KUNIT_CASE(what_is_kept_has_begun),
	KUNIT_CASE(nothing_is_known_after_sleep),
	KUNIT_CASE(nothing_is_known_after_silence),
	KUNIT_CASE(totals_stay),
	KUNIT_CASE(what_was_off_is_written_after_sleep),
	KUNIT_CASE(nothing_is_known_before_it_is_asked),
	KUNIT_CASE(what_was_not_stopped_is_at_the_end),
	{ }
};

struct kunit_suite pmon_doubt_suite = {
	.name = "pmon_doubt",
	.test_cases = doubt_tests,
};
