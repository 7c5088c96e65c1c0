// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a bank does to the hardware, access by access. Each test says first
 * which accesses it expects, in order, then lets the bank act.
 */
#include <linux/bits.h>
#include <linux/container_of.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "../bank.h"
#include "fake.h"
#include "suites.h"

#define FREEZE	0x1
#define RESET	0x301
#define RUN	0x0

#define SLOTS	5
#define EVENTS	10

static const struct pmon_protocol protocol = { FREEZE, RESET, RUN, 4 };
static const struct pmon_protocol protocol_msr = { FREEZE, RESET, RUN, 8 };

/* MMIO, controls of 4 bytes, a fixed counter. */
static const struct pmon_layout imc = {
	.protocol = &protocol, .counters = 4, .width = 48, .ctl_bytes = 4,
	.box_ctl = 0, .ctl = 0x40, .ctl_stride = 4, .ctr = 8, .ctr_stride = 8,
	.fixed = { .width = 48, .ctl = 0x54, .ctr = 0x38, .enable = 0x400000 },
};

/* MSR, controls of 8 bytes, a filter. */
static const struct pmon_layout cha = {
	.protocol = &protocol_msr, .counters = 4, .width = 48, .ctl_bytes = 8,
	.box_ctl = 0, .ctl = 2, .ctl_stride = 1, .ctr = 8, .ctr_stride = 1,
	.filter = { .bytes = 8, .reg = 14 },
};

/* PCI config space: 8 bytes are two accesses. */
static const struct pmon_layout upi = {
	.protocol = &protocol, .counters = 4, .width = 48, .ctl_bytes = 8,
	.box_ctl = 0, .ctl = 0x38, .ctl_stride = 8, .ctr = 8, .ctr_stride = 8,
};

static const struct pmon_constraint constraints[] = {
	PMON_ON_COUNTERS(0x11, 0x1),
	{ }
};

static const struct pmon_type type = {
	.name = "test", .constraints = constraints, .ctl_mask = ~0ULL,
	.fixed_config = 0xff, .filter_enable = BIT_ULL(16),
	.filter_mask = 0x3ff,
};

struct counted {
	struct pmon_event event;
	u64 count;
};

struct bank_test {
	struct fake fake;
	struct pmon_bank bank;
	struct pmon_slot slot[SLOTS];
	struct pmon_op op[PMON_OPS_MAX(SLOTS)];
	struct counted ev[EVENTS];
};

static u64 bank_time;

static u64 bank_clock(void)
{
	return bank_time += 100;
}

static void bank_gain(struct pmon_event *event, u64 delta)
{
	container_of(event, struct counted, event)->count += delta;
}

static const struct pmon_bank_ops bank_ops = {
	.gain = bank_gain, .clock = bank_clock,
};

static struct bank_test *bank_new(struct kunit *test,
				  const struct pmon_layout *layout, bool split)
{
	struct bank_test *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, t);
	fake_init(&t->fake, test, split);
	t->bank.layout = *layout;
	t->bank.regs = t->fake.regs;
	t->bank.ops = &bank_ops;
	t->bank.slot = t->slot;
	t->bank.op = t->op;
	return t;
}

static void config(struct bank_test *t, unsigned int i, u64 config, u64 config1)
{
	pmon_event_init(&t->ev[i].event, &type, &t->bank.layout, config,
			config1);
	t->ev[i].count = 0;
}

static bool add(struct bank_test *t, unsigned int i)
{
	return pmon_bank_add(&t->bank, &t->ev[i].event);
}

static void del(struct bank_test *t, unsigned int i)
{
	pmon_bank_del(&t->bank, &t->ev[i].event);
}

static void apply(struct bank_test *t)
{
	pmon_bank_apply(&t->bank);
	fake_done(&t->fake);
}

/* Four events run on counters 0 to 3, with controls 1 to 4. */
static void start_four(struct kunit *test, struct bank_test *t)
{
	const struct pmon_layout *l = &t->bank.layout;
	unsigned int i;

	fake_write(&t->fake, l->box_ctl, RESET, l->protocol->bytes);
	for (i = 0; i < 4; i++) {
		config(t, i, 0x1 + i, 0);
		KUNIT_ASSERT_TRUE(test, add(t, i));
		fake_write(&t->fake, pmon_slot_ctl(l, i), 1 + i,
			   t->fake.ops.split ? 4 : l->ctl_bytes);
	}
	fake_write(&t->fake, l->box_ctl, RUN, l->protocol->bytes);
	apply(t);
}

static const struct pmon_layout * const layouts[] = { &imc, &cha };

/* The budget: 6 to start four, 4 to read them, 6 for a snapshot, 5 to stop. */
static void a_group_of_four(struct kunit *test)
{
	unsigned int k, i;

	for (k = 0; k < ARRAY_SIZE(layouts); k++) {
		struct bank_test *t = bank_new(test, layouts[k], false);
		const struct pmon_layout *l = layouts[k];

		start_four(test, t);

		for (i = 0; i < 4; i++) {
			fake_read(&t->fake, pmon_slot_ctr(l, i), 100 + i);
			pmon_bank_read(&t->bank, &t->ev[i].event);
			KUNIT_EXPECT_EQ(test, t->ev[i].count, 100ULL + i);
		}
		fake_done(&t->fake);

		fake_write(&t->fake, 0, FREEZE, l->protocol->bytes);
		for (i = 0; i < 4; i++)
			fake_read(&t->fake, pmon_slot_ctr(l, i), 200 + i);
		fake_write(&t->fake, 0, RUN, l->protocol->bytes);
		pmon_bank_snapshot(&t->bank, 0xf);
		fake_done(&t->fake);
		KUNIT_EXPECT_EQ(test, t->bank.frozen_ns, 100ULL);

		fake_write(&t->fake, 0, FREEZE, l->protocol->bytes);
		for (i = 0; i < 4; i++) {
			fake_read(&t->fake, pmon_slot_ctr(l, i), 300 + i);
			del(t, i);
		}
		apply(t);
		for (i = 0; i < 4; i++)
			KUNIT_EXPECT_EQ(test, t->ev[i].count, 300ULL + i);
		/* Idle is not frozen while active. */
		KUNIT_EXPECT_EQ(test, t->bank.frozen_ns, 100ULL);

		/* Starting again starts from 0, whatever was there. */
		start_four(test, t);
		fake_read(&t->fake, pmon_slot_ctr(l, 2), 5);
		pmon_bank_read(&t->bank, &t->ev[2].event);
		KUNIT_EXPECT_EQ(test, t->ev[2].count, 5ULL);
	}
}

/* perf takes everything off and puts it on again: nothing happens. */
static void coming_back_costs_nothing(struct kunit *test)
{
	struct bank_test *t = bank_new(test, &imc, false);
	int i;

	start_four(test, t);
	for (i = 0; i < 4; i++)
		del(t, i);
	for (i = 3; i >= 0; i--)
		KUNIT_ASSERT_TRUE(test, add(t, i));
	apply(t);
	for (i = 0; i < 4; i++) {
		KUNIT_EXPECT_EQ(test, t->ev[i].event.hw, i);
		KUNIT_EXPECT_EQ(test, t->ev[i].event.want, i);
	}
	apply(t);
}

/* The order in which they come back does not matter while there is room. */
static void newcomers_leave_counters_to_their_owners(struct kunit *test)
{
	struct bank_test *t = bank_new(test, &imc, false);

	config(t, 0, 0x1, 0);
	config(t, 1, 0x2, 0);
	config(t, 2, 0x3, 0);
	add(t, 0);
	add(t, 1);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0x40, 0x1, 4);
	fake_write(&t->fake, 0x44, 0x2, 4);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);

	del(t, 0);
	del(t, 1);
	add(t, 2);
	add(t, 1);
	add(t, 0);
	fake_write(&t->fake, 0x48, 0x3, 4);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->bank.frozen_ns, 0ULL);
}

static void one_more_and_one_less(struct kunit *test)
{
	struct bank_test *t = bank_new(test, &imc, false);

	config(t, 0, 0xcf05, 0);
	config(t, 1, 0xf005, 0);
	add(t, 0);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0x40, 0xcf05, 4);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);

	add(t, 1);
	fake_write(&t->fake, 0x44, 0xf005, 4);
	apply(t);

	del(t, 1);
	fake_write(&t->fake, 0x44, 0, 4);
	fake_read(&t->fake, 0x10, 77);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 77ULL);

	/* The counter is known to stand at 77: no read, only the control. */
	add(t, 1);
	fake_write(&t->fake, 0x44, 0xf005, 4);
	apply(t);
	fake_read(&t->fake, 0x10, 80);
	pmon_bank_read(&t->bank, &t->ev[1].event);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 80ULL);
}

/* Up to two counters are exchanged while the others count on. */
static void exchange_of_two(struct kunit *test)
{
	struct bank_test *t = bank_new(test, &imc, false);

	start_four(test, t);
	config(t, 4, 0x21, 0);
	config(t, 5, 0x22, 0);
	del(t, 1);
	del(t, 3);
	KUNIT_ASSERT_TRUE(test, add(t, 4));
	KUNIT_ASSERT_TRUE(test, add(t, 5));
	fake_write(&t->fake, 0x44, 0, 4);
	fake_read(&t->fake, 0x10, 1000);
	fake_write(&t->fake, 0x4c, 0, 4);
	fake_read(&t->fake, 0x20, 2000);
	fake_write(&t->fake, 0x44, 0x21, 4);
	fake_write(&t->fake, 0x4c, 0x22, 4);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[1].count, 1000ULL);
	KUNIT_EXPECT_EQ(test, t->ev[3].count, 2000ULL);

	fake_read(&t->fake, 0x10, 1007);
	pmon_bank_read(&t->bank, &t->ev[4].event);
	KUNIT_EXPECT_EQ(test, t->ev[4].count, 7ULL);
}

/* A rotation exchanges all: with more than two, freezing is cheaper. */
static void rotation_of_four(struct kunit *test)
{
	struct bank_test *t = bank_new(test, &imc, false);
	unsigned int i;

	start_four(test, t);
	fake_write(&t->fake, 0, FREEZE, 4);
	for (i = 0; i < 4; i++) {
		del(t, i);
		fake_read(&t->fake, 8 + 8 * i, 10 * i);
	}
	for (i = 0; i < 4; i++) {
		config(t, 4 + i, 0x31 + i, 0);
		KUNIT_ASSERT_TRUE(test, add(t, 4 + i));
		fake_write(&t->fake, 0x40 + 4 * i, 0x31 + i, 4);
	}
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->bank.frozen_ns, 100ULL);

	for (i = 0; i < 4; i++) {
		KUNIT_EXPECT_EQ(test, t->ev[i].count, 10ULL * i);
		fake_read(&t->fake, 8 + 8 * i, 10 * i + 3);
		pmon_bank_read(&t->bank, &t->ev[4 + i].event);
		KUNIT_EXPECT_EQ(test, t->ev[4 + i].count, 3ULL);
	}
}

/* Counters that nobody takes over are stopped, also under a freeze. */
static void exchange_of_three_of_four(struct kunit *test)
{
	struct bank_test *t = bank_new(test, &upi, true);

	start_four(test, t);
	del(t, 0);
	del(t, 1);
	del(t, 2);
	config(t, 4, 0x100000021, 0);
	add(t, 4);
	/* Halves: a counter costs two, so 3 * (1 + 2) + 2 without freezing. */
	fake_write(&t->fake, 0x38, 0, 4);
	fake_read(&t->fake, 0x8, 1);
	fake_write(&t->fake, 0x40, 0, 4);
	fake_read(&t->fake, 0x10, 2);
	fake_write(&t->fake, 0x48, 0, 4);
	fake_read(&t->fake, 0x18, 3);
	fake_write(&t->fake, 0x38, 0x100000021, 8);
	apply(t);

	/* Stopping leaves the high half, which is not written again. */
	del(t, 4);
	fake_write(&t->fake, 0x38, 0x100000000, 4);
	fake_read(&t->fake, 0x8, 1);
	apply(t);
	config(t, 5, 0x100000022, 0);
	add(t, 5);
	fake_write(&t->fake, 0x38, 0x100000022, 4);
	apply(t);
	/* With another high half all of it is. */
	del(t, 5);
	fake_write(&t->fake, 0x38, 0x100000000, 4);
	fake_read(&t->fake, 0x8, 1);
	apply(t);
	config(t, 6, 0x23, 0);
	add(t, 6);
	fake_write(&t->fake, 0x38, 0x23, 8);
	apply(t);
}

/* Another event with the same control: one reading ends and begins. */
static void hand_over(struct kunit *test)
{
	struct bank_test *t = bank_new(test, &imc, false);

	start_four(test, t);
	config(t, 4, 0x3, 0);
	del(t, 2);
	KUNIT_ASSERT_TRUE(test, add(t, 4));
	fake_read(&t->fake, 0x18, 500);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[2].count, 500ULL);
	KUNIT_EXPECT_EQ(test, t->ev[2].event.hw, -1);

	fake_read(&t->fake, 0x18, 501);
	pmon_bank_read(&t->bank, &t->ev[4].event);
	KUNIT_EXPECT_EQ(test, t->ev[4].count, 1ULL);
}

static void constrained_event_moves_another(struct kunit *test)
{
	struct bank_test *t = bank_new(test, &imc, false);

	config(t, 0, 0x1, 0);
	config(t, 1, 0x11, 0);
	add(t, 0);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0x40, 0x1, 4);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);

	KUNIT_ASSERT_TRUE(test, add(t, 1));
	fake_write(&t->fake, 0x40, 0, 4);
	fake_read(&t->fake, 0x8, 9);
	fake_write(&t->fake, 0x40, 0x11, 4);
	fake_write(&t->fake, 0x44, 0x1, 4);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 9ULL);

	/* It goes on where it is now, from 0. */
	fake_read(&t->fake, 0x10, 4);
	pmon_bank_read(&t->bank, &t->ev[0].event);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 13ULL);

	/* Two that want the same one cannot both have it. */
	config(t, 2, 0x11, 0);
	KUNIT_EXPECT_FALSE(test, add(t, 2));
	apply(t);
}

static void fixed_counter(struct kunit *test)
{
	struct bank_test *t = bank_new(test, &imc, false);

	config(t, 0, 0xff, 0);
	config(t, 1, 0xff, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	KUNIT_EXPECT_FALSE(test, add(t, 1));
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0x54, 0x400000, 4);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);

	fake_write(&t->fake, 0, FREEZE, 4);
	fake_read(&t->fake, 0x38, 0xffffffffffff);
	del(t, 0);
	apply(t);
	KUNIT_EXPECT_EQ(test, t->ev[0].count, 0xffffffffffffULL);
}

static void filter_is_written_when_needed(struct kunit *test)
{
	struct bank_test *t = bank_new(test, &cha, false);

	config(t, 0, 0x10001, 0x7);
	config(t, 1, 0x10002, 0x7);
	config(t, 2, 0x10003, 0x8);
	config(t, 3, 0x00004, 0x8);
	KUNIT_ASSERT_TRUE(test, add(t, 0));
	fake_write(&t->fake, 0, RESET, 8);
	fake_write(&t->fake, 14, 0x7, 8);
	fake_write(&t->fake, 2, 0x10001, 8);
	fake_write(&t->fake, 0, RUN, 8);
	apply(t);

	/* The same filter is there already, another cannot be, or is unused. */
	KUNIT_EXPECT_TRUE(test, add(t, 1));
	KUNIT_EXPECT_FALSE(test, add(t, 2));
	KUNIT_EXPECT_TRUE(test, add(t, 3));
	fake_write(&t->fake, 3, 0x10002, 8);
	fake_write(&t->fake, 4, 0x4, 8);
	apply(t);

	/* The users of one filter go, a user of another comes. */
	del(t, 0);
	del(t, 1);
	KUNIT_EXPECT_TRUE(test, add(t, 2));
	fake_write(&t->fake, 2, 0, 8);
	fake_read(&t->fake, 8, 1);
	fake_write(&t->fake, 3, 0, 8);
	fake_read(&t->fake, 9, 1);
	fake_write(&t->fake, 14, 0x8, 8);
	fake_write(&t->fake, 5, 0x10003, 8);
	apply(t);
}

/* Equal controls do not hand over when the filter changes under them. */
static void filter_change_is_no_hand_over(struct kunit *test)
{
	struct bank_test *t = bank_new(test, &cha, false);

	config(t, 0, 0x10011, 0x7);
	config(t, 1, 0x10011, 0x9);
	add(t, 0);
	fake_write(&t->fake, 0, RESET, 8);
	fake_write(&t->fake, 14, 0x7, 8);
	fake_write(&t->fake, 2, 0x10011, 8);
	fake_write(&t->fake, 0, RUN, 8);
	apply(t);

	del(t, 0);
	KUNIT_ASSERT_TRUE(test, add(t, 1));
	fake_write(&t->fake, 2, 0, 8);
	fake_read(&t->fake, 8, 1);
	fake_write(&t->fake, 14, 0x9, 8);
	fake_write(&t->fake, 2, 0x10011, 8);
	apply(t);
}

static void snapshot_of_one_does_not_freeze(struct kunit *test)
{
	struct bank_test *t = bank_new(test, &imc, false);

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

static void sync_reads_what_counts(struct kunit *test)
{
	struct bank_test *t = bank_new(test, &imc, false);

	pmon_bank_sync(&t->bank);
	fake_done(&t->fake);

	config(t, 0, 0x1, 0);
	config(t, 1, 0xff, 0);
	add(t, 0);
	add(t, 1);
	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0x40, 0x1, 4);
	fake_write(&t->fake, 0x54, 0x400000, 4);
	fake_write(&t->fake, 0, RUN, 4);
	apply(t);
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
	struct bank_test *t = bank_new(test, &imc, false);

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
	struct bank_test *t = bank_new(test, &imc, false);

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

static void release_only_what_was_used(struct kunit *test)
{
	struct bank_test *t = bank_new(test, &imc, false);
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

	fake_write(&t->fake, 0, RESET, 4);
	fake_write(&t->fake, 0, RUN, 4);
	pmon_bank_release(&t->bank);
	pmon_bank_release(&t->bank);
	fake_done(&t->fake);
}

/* A device that does not answer leaves the count as it was. */
static void all_ones_is_not_counted(struct kunit *test)
{
	struct bank_test *t = bank_new(test, &imc, false);

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
	struct bank_test *t = bank_new(test, &imc, false);
	unsigned int i;

	start_four(test, t);
	pmon_bank_lose(&t->bank);
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

static struct kunit_case bank_tests[] = {
	KUNIT_CASE(a_group_of_four),
	KUNIT_CASE(coming_back_costs_nothing),
	KUNIT_CASE(newcomers_leave_counters_to_their_owners),
	KUNIT_CASE(one_more_and_one_less),
	KUNIT_CASE(exchange_of_two),
	KUNIT_CASE(rotation_of_four),
	KUNIT_CASE(exchange_of_three_of_four),
	KUNIT_CASE(hand_over),
	KUNIT_CASE(constrained_event_moves_another),
	KUNIT_CASE(fixed_counter),
	KUNIT_CASE(filter_is_written_when_needed),
	KUNIT_CASE(filter_change_is_no_hand_over),
	KUNIT_CASE(snapshot_of_one_does_not_freeze),
	KUNIT_CASE(sync_reads_what_counts),
	KUNIT_CASE(leaving_events_are_brought_up_to_date),
	KUNIT_CASE(stopped_events_keep_their_counter),
	KUNIT_CASE(release_only_what_was_used),
	KUNIT_CASE(all_ones_is_not_counted),
	KUNIT_CASE(gone_and_back),
	{ }
};

struct kunit_suite pmon_bank_suite = {
	.name = "pmon_bank",
	.test_cases = bank_tests,
};
