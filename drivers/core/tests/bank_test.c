// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a bank does to the hardware otherwise: a group's life, readings, and
 * devices that go. Expected accesses first, then the act.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "rig.h"
#include "suites.h"

static const struct pmon_layout * const layouts[] = { &imc, &cha };

/* In which even the fastest counter cannot gain what one of 48 bits holds. */
#define LONG_NS		(1100ULL * 1000000000)
/* 2^41 a second: what is believed, see pmon_delta_possible(). */
#define BELIEVED_NS	2200ULL

/* A counter that only this event can have is taken first, the others after it. */
static void its_own_counter_comes_first(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	for (i = 0; i < 2; i++) {
		config(t, i, 0xff, 0);
		t->ev[i].event.allowed = 0x1f;
		KUNIT_ASSERT_TRUE(test, add(t, i));
	}
	KUNIT_EXPECT_EQ(test, t->ev[0].event.assigned_to, 4);
	KUNIT_EXPECT_EQ(test, t->ev[1].event.assigned_to, 0);
}

/* The budget: 6 to start four, 4 to read them, 6 for a snapshot, 5 to stop. */
static void a_group_of_four(struct kunit *test)
{
	unsigned int k, i;

	for (k = 0; k < ARRAY_SIZE(layouts); k++) {
		struct rig *t = rig_new(test, layouts[k], false);
		const struct pmon_layout *l = layouts[k];

		start_four(test, t);

		for (i = 0; i < 4; i++) {
			fake_read(&t->fake, l->counter[i].ctr, 100 + i);
			pmon_bank_read(&t->bank, &t->ev[i].event);
			KUNIT_EXPECT_EQ(test, t->ev[i].count, 100ULL + i);
		}
		fake_done(&t->fake);

		fake_write(&t->fake, 0, FREEZE, l->protocol->bytes);
		for (i = 0; i < 4; i++)
			fake_read(&t->fake, l->counter[i].ctr, 200 + i);
		fake_write(&t->fake, 0, RUN, l->protocol->bytes);
		pmon_bank_snapshot(&t->bank, 0xf);
		fake_done(&t->fake);
		KUNIT_EXPECT_EQ(test, t->bank.frozen_ns,
				6ULL * FAKE_ACCESS_NS);

		fake_write(&t->fake, 0, FREEZE, l->protocol->bytes);
		for (i = 0; i < 4; i++) {
			fake_read(&t->fake, l->counter[i].ctr, 300 + i);
			del(t, i);
		}
		apply(t);
		for (i = 0; i < 4; i++)
			KUNIT_EXPECT_EQ(test, t->ev[i].count, 300ULL + i);
		/* Idle is not frozen while active. */
		KUNIT_EXPECT_EQ(test, t->bank.frozen_ns,
				6ULL * FAKE_ACCESS_NS);

		/* Starting again starts from 0, whatever was there. */
		start_four(test, t);
		fake_read(&t->fake, l->counter[2].ctr, 5);
		pmon_bank_read(&t->bank, &t->ev[2].event);
		KUNIT_EXPECT_EQ(test, t->ev[2].count, 5ULL);
	}
}

static void fixed_counter(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	config(t, 0, 0xff, 0);
	config(t, 1, 0xff, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	KUNIT_EXPECT_FALSE(test, add(t, 1));
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0x54, 0x400000, 4);
	fake_read(&t->fake, 0x38, 0);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);

	fake_time += LONG_NS;
	fake_read_bytes(&t->fake, 0x54, 0x400000, 4);
	fake_write(&t->fake, 0, FREEZE, 4);
	fake_read(&t->fake, 0x38, 0xffffffffffff);
	del(t, 0);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 0xffffffffffffULL);
}

static void snapshot_of_one_does_not_freeze(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_four(test, t);
	fake_read(&t->fake, 0x10, 42);
	pmon_bank_snapshot(&t->bank, 0x2);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.frozen_ns, 0ULL);

	/* Counters without an event are not read. */
	fake_write(&t->fake, 0, FREEZE, 4);
	fake_read(&t->fake, 0x8, 1);
	fake_read(&t->fake, 0x20, 4);
	fake_write(&t->fake, 0, RUN, 4);
	pmon_bank_snapshot(&t->bank, 0x19);
	fake_done(&t->fake);
	pmon_bank_snapshot(&t->bank, 0x10);
	fake_done(&t->fake);
}

/* What a counter without an event holds is nobody's. */
static void a_counter_may_have_no_event(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_four(test, t);
	fake_read(&t->fake, 0x38, 42);
	KUNIT_EXPECT_TRUE(test, pmon_bank_take(&t->bank, &t->bank.slot[4],
					       fake_time));
	fake_done(&t->fake);
}

static void sync_reads_what_counts(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	pmon_bank_sync(&t->bank);
	fake_done(&t->fake);

	config(t, 0, 0x1, 0);
	config(t, 1, 0xff, 0);
	add(t, 0);
	add(t, 1);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0x40, 0x1, 4);
	fake_write(&t->fake, 0x54, 0x400000, 4);
	fake_read(&t->fake, 0x38, 0);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);
	fake_time += LONG_NS;
	fake_read(&t->fake, 0x8, 0xfffffffffffe);
	fake_read(&t->fake, 0x38, 2);
	pmon_bank_sync(&t->bank);
	fake_read(&t->fake, 0x8, 3);
	fake_read(&t->fake, 0x38, 4);
	pmon_bank_sync(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 0x1000000000003ULL);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 4ULL);
}

/* An event that was taken away and not applied yet is still counted. */
static void leaving_events_are_brought_up_to_date(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_four(test, t);
	del(t, 0);
	fake_read(&t->fake, 0x8, 50);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	fake_write(&t->fake, 0x40, 0, 4);
	fake_read(&t->fake, 0x8, 60);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 60ULL);

	/* Now it is not, and has nothing to read. */
	pmon_bank_read(&t->bank, &t->ev[0].event);
	fake_done(&t->fake);
}

static void stopped_events_keep_their_counter(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_four(test, t);
	pmon_bank_set_stopped(&t->bank, &t->ev[1].event, true);
	fake_write(&t->fake, 0x44, 0, 4);
	fake_read(&t->fake, 0x10, 11);
	apply(t);
	config(t, 4, 0x5, 0);
	KUNIT_EXPECT_FALSE(test, add(t, 4));

	pmon_bank_set_stopped(&t->bank, &t->ev[1].event, false);
	fake_write(&t->fake, 0x44, 0x2, 4);
	apply(t);
	fake_read(&t->fake, 0x10, 12);
	pmon_bank_read(&t->bank, &t->ev[1].event);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 12ULL);
}

/*
 * Each control of start_four() is read, and one differs from what was written
 * there; the fifth was reset.
 */
static void hand_back(struct rig *t, unsigned int slot, u64 xor)
{
	const struct pmon_layout *l = &t->bank.layout;
	unsigned int i;

	for (i = 0; i < l->counters; i++)
		fake_read_bytes(&t->fake, l->counter[i].ctl,
				(i < 4 ? 1 + i : 0) ^ (i == slot ? xor : 0),
				l->ctl_bytes);
	fake_write(&t->fake, l->box_ctl, RESET, l->protocol->bytes);
	fake_write(&t->fake, l->box_ctl, RUN, l->protocol->bytes);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
}

static void release_only_what_was_used(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	pmon_bank_release(&t->bank);
	fake_done(&t->fake);

	start_four(test, t);
	fake_write(&t->fake, 0, FREEZE, 4);
	for (i = 0; i < 4; i++) {
		fake_read(&t->fake, 8 + 8 * i, 0);
		del(t, i);
	}
	apply(t);

	hand_back(t, 0, 0);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);
}

/* Of one control, what differs from what was written, and does it matter? */
static void changed_controls_are_found(struct kunit *test)
{
	static const struct {
		unsigned int slot;
		u64 xor;
		unsigned int found;
	} rows[] = {
		{ 0, 0, 0 }, { 0, 1, 1 }, { 3, 0x80000000, 1 },
		{ 4, 0x400000, 1 },
		/* not what the fixed counter is enabled by */
		{ 4, 0x1, 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct rig *t = rig_new(test, &imc, false);

		start_four(test, t);
		hand_back(t, rows[i].slot, rows[i].xor);
		KUNIT_EXPECT_EQ(test, t->bank.disturbed, rows[i].found);
	}
}

static void reads(struct rig *t, u64 value)
{
	fake_read(&t->fake, 0x8, value);
	pmon_bank_read(&t->bank, &t->ev[0].event);
}

/* One look at one control, and then the counters. */
static void a_tick_reads_what_counts(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	pmon_bank_tick(&t->bank);
	fake_done(&t->fake);

	start_four(test, t);
	fake_read_bytes(&t->fake, 0x40, 1, 4);
	for (i = 0; i < 4; i++)
		fake_read(&t->fake, 8 + 8 * i, 10 + i);
	pmon_bank_tick(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[3].count, 13ULL);
	KUNIT_EXPECT_EQ(test, t->bank.restarts, 0U);
}

/*
 * What a tick takes: one control, and each counter that an event has; a counter
 * that several free-running events share once for each. In halves it is twice.
 */
static void a_tick_is_weighed(struct kunit *test)
{
	static const struct pmon_counter counters[] = {
		{ .width = 48, .ctr = 0x8, .config = 0x10ff,
		  .kind = PMON_COUNTER_FREE_RUNNING },
	};
	static const struct pmon_layout free_running = {
		.counter = counters, .counters = 1, .free_running = true,
	};
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	start_four(test, t);
	KUNIT_EXPECT_EQ(test, pmon_bank_tick_accesses(&t->bank), 5U);
	del(t, 3);
	fake_write(&t->fake, 0x4c, 0, 4);
	fake_read(&t->fake, 0x20, 0);
	apply(t);
	KUNIT_EXPECT_EQ(test, pmon_bank_tick_accesses(&t->bank), 4U);

	t = rig_new(test, &upi, true);
	start_four(test, t);
	KUNIT_EXPECT_EQ(test, pmon_bank_tick_accesses(&t->bank), 10U);

	t = rig_new(test, &free_running, false);
	for (i = 0; i < 3; i++) {
		config(t, i, 0x10ff, 0);
		KUNIT_ASSERT_TRUE(test, add(t, i));
		fake_read(&t->fake, 0x8, 0);
		apply(t);
	}
	KUNIT_EXPECT_GE(test, pmon_bank_tick_accesses(&t->bank), 3U);
	KUNIT_EXPECT_LE(test, pmon_bank_tick_accesses(&t->bank), 4U);
}

/* All is set up anew; what is left in the counters is not counted. */
static void a_box_that_was_reset_counts_again(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	start_four(test, t);
	reads(t, 5000);
	fake_read_bytes(&t->fake, 0x40, 0, 4);
	fake_write(&t->fake, 0, RESET, 4);
	for (i = 0; i < 4; i++)
		fake_write(&t->fake, 0x40 + 4 * i, 1 + i, 4);
	fake_write(&t->fake, 0, RUN, 4);
	pmon_bank_tick(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.restarts, 1U);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);

	reads(t, 7);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 5007ULL);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);
}

/* Silence is none of a reset, and nothing is written to a device that is gone. */
static void a_tick_without_an_answer_changes_nothing(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	start_four(test, t);
	fake_read_bytes(&t->fake, 0x40, ~0U, 4);
	for (i = 0; i < 4; i++)
		fake_read(&t->fake, 8 + 8 * i, ~0ULL);
	pmon_bank_tick(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);
}

/* Stopped, brought up to date, handed back, and then left alone. */
static void the_last_cpu_hands_the_box_back(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	start_four(test, t);
	fake_write(&t->fake, 0, FREEZE, 4);
	for (i = 0; i < 4; i++)
		fake_read(&t->fake, 8 + 8 * i, 100 + i);
	for (i = 0; i < 5; i++)
		fake_read_bytes(&t->fake, imc.counter[i].ctl,
				i < 4 ? 1 + i : 0, 4);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0, RUN, 4);
	pmon_bank_leave(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[3].count, 103ULL);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);

	/* perf takes the events away after that. */
	for (i = 0; i < 4; i++)
		del(t, i);
	apply(t);
	pmon_bank_release(&t->bank);
	pmon_bank_leave(&t->bank);
	fake_done(&t->fake);
}

/* Nor is that somebody's doing. */
static void all_ones_is_no_change(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	start_four(test, t);
	for (i = 0; i < 5; i++)
		fake_read_bytes(&t->fake, imc.counter[i].ctl, ~0U, 4);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0, RUN, 4);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);
}

static void a_counter_that_goes_back_is_not_counted(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_four(test, t);
	reads(t, 1000);
	fake_time += 1000000000;
	reads(t, 999);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 1000ULL);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);
	/* It counts on from there. */
	reads(t, 1003);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 1004ULL);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);
}

/* Less than 2^28 is taken without a question of how fast that was. */
static void a_small_gain_is_not_questioned(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_four(test, t);
	reads(t, BIT_ULL(28) - 1);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);
	reads(t, 2 * BIT_ULL(28) - 1);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, BIT_ULL(28) - 1);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);
}

/*
 * At most 2200 in a nanosecond, from before the last reading of all counters to
 * after this one.
 */
static void a_counter_that_jumps_is_not_counted(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	const u64 pause = 10000000;
	u64 most, before;
	unsigned int i;

	start_four(test, t);
	for (i = 0; i < 4; i++)
		fake_read(&t->fake, 8 + 8 * i, 0);
	before = fake_time;
	pmon_bank_sync(&t->bank);

	fake_time += pause;
	most = (fake_time + FAKE_ACCESS_NS - before + 1) * BELIEVED_NS;
	reads(t, most);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, most);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);

	/* Measured from the same moment on. */
	reads(t, 2 * most + FAKE_ACCESS_NS * BELIEVED_NS);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 2 * most + FAKE_ACCESS_NS * BELIEVED_NS);
	reads(t, 3 * most + 3 * FAKE_ACCESS_NS * BELIEVED_NS + 1);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 2 * most + FAKE_ACCESS_NS * BELIEVED_NS);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);
}

/* While it did not answer it counted on. */
static void no_answer_is_no_time(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i, k;

	start_four(test, t);
	for (k = 0; k < 2; k++) {
		fake_time += 10000000;
		for (i = 0; i < 4; i++)
			fake_read(&t->fake, 8 + 8 * i,
				  k ? 0x100000000 : ~0ULL);
		pmon_bank_sync(&t->bank);
	}
	KUNIT_EXPECT_EQ(test, t->ev[3].count, 0x100000000ULL);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);
}

/* A long time ago it stood elsewhere: that tells nothing about now. */
static void what_happens_between_events_is_found(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_four(test, t);
	del(t, 0);
	fake_write(&t->fake, 0x40, 0, 4);
	fake_read(&t->fake, 0x8, 5000);
	apply(t);

	fake_time += LONG_NS;
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	fake_write(&t->fake, 0x40, 1, 4);
	apply(t);
	reads(t, 10);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 5000ULL);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 1U);
}

/* A device that does not answer leaves the count as it was. */
static void all_ones_is_not_counted(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	start_four(test, t);
	fake_read(&t->fake, 0x8, 70);
	fake_read(&t->fake, 0x8, ~0ULL);
	fake_read(&t->fake, 0x8, 71);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 70ULL);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 71ULL);
}

/* Once the device is gone nothing touches it; if it returns, all goes on. */
static void gone_and_back(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	start_four(test, t);
	pmon_bank_lose(&t->bank, PMON_BOX_REMOVED);
	for (i = 0; i < 4; i++)
		pmon_bank_read(&t->bank, &t->ev[i].event);
	pmon_bank_sync(&t->bank);
	pmon_bank_snapshot(&t->bank, 0xf);
	pmon_bank_release(&t->bank);
	del(t, 3);
	apply(t);

	pmon_bank_find(&t->bank, &imc, &t->fake.regs);
	fake_write(&t->fake, 0, RESET, 4);
	for (i = 0; i < 3; i++)
		fake_write(&t->fake, 0x40 + 4 * i, 1 + i, 4);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);
	fake_read(&t->fake, 0x8, 5);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 5ULL);
}

/* Cleared by the next reset, whatever it held when it went. */
static void a_box_that_returns_starts_at_zero(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);
	unsigned int i;

	start_four(test, t);
	for (i = 0; i < 4; i++)
		fake_read(&t->fake, imc.counter[i].ctr, 500);
	pmon_bank_sync(&t->bank);
	fake_done(&t->fake);
	pmon_bank_lose(&t->bank, PMON_BOX_REMOVED);
	pmon_bank_find(&t->bank, &imc, &t->fake.regs);
	fake_write(&t->fake, 0, RESET, 4);
	for (i = 0; i < 4; i++)
		fake_write(&t->fake, imc.counter[i].ctl, 1 + i, 4);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);
	fake_read(&t->fake, imc.counter[0].ctr, 3);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 503ULL);
	KUNIT_EXPECT_EQ(test, t->bank.disturbed, 0U);
}

static void slots_lie_where_the_layout_says(struct kunit *test)
{
	const struct pmon_bank *b = &rig_new(test, &imc, false)->bank;

	KUNIT_EXPECT_EQ(test, b->slot[3].ctl_reg, 0x4cU);
	KUNIT_EXPECT_EQ(test, b->slot[3].ctr_reg, 0x20U);
	KUNIT_EXPECT_EQ(test, b->slot[4].ctl_reg, 0x54U);
	KUNIT_EXPECT_EQ(test, b->slot[4].ctr_reg, 0x38U);
	KUNIT_EXPECT_EQ(test, b->slot[4].mask, GENMASK_ULL(47, 0));
	b = &rig_new(test, &cha, false)->bank;
	KUNIT_EXPECT_EQ(test, b->slot[3].ctl_reg, 5U);
	KUNIT_EXPECT_EQ(test, b->slot[3].ctr_reg, 11U);
}

static struct kunit_case bank_tests[] = {
	KUNIT_CASE(slots_lie_where_the_layout_says),
	KUNIT_CASE(a_box_that_returns_starts_at_zero),
	KUNIT_CASE(its_own_counter_comes_first),
	KUNIT_CASE(a_group_of_four),
	KUNIT_CASE(fixed_counter),
	KUNIT_CASE(snapshot_of_one_does_not_freeze),
	KUNIT_CASE(a_counter_may_have_no_event),
	KUNIT_CASE(sync_reads_what_counts),
	KUNIT_CASE(leaving_events_are_brought_up_to_date),
	KUNIT_CASE(stopped_events_keep_their_counter),
	KUNIT_CASE(release_only_what_was_used),
	KUNIT_CASE(changed_controls_are_found),
	KUNIT_CASE(a_tick_reads_what_counts),
	KUNIT_CASE(a_tick_is_weighed),
	KUNIT_CASE(a_box_that_was_reset_counts_again),
	KUNIT_CASE(a_tick_without_an_answer_changes_nothing),
	KUNIT_CASE(the_last_cpu_hands_the_box_back),
	KUNIT_CASE(all_ones_is_no_change),
	KUNIT_CASE(a_counter_that_goes_back_is_not_counted),
	KUNIT_CASE(a_small_gain_is_not_questioned),
	KUNIT_CASE(a_counter_that_jumps_is_not_counted),
	KUNIT_CASE(no_answer_is_no_time),
	KUNIT_CASE(what_happens_between_events_is_found),
	KUNIT_CASE(all_ones_is_not_counted),
	KUNIT_CASE(gone_and_back),
	{ }
};

struct kunit_suite pmon_bank_suite = {
	.name = "pmon_bank",
	.test_cases = bank_tests,
};
