// SPDX-License-Identifier: GPL-2.0-only
/* contract: wrap torn */
/* Test counter pairs of a memory controller and of a unit of a Zambezi. */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "fake.h"
#include "suites.h"

#define FULL	0x7fffffffULL
#define PAIR(pic0, pic1) (((u64)(pic0) & FULL) << 32 | ((u64)(pic1) & FULL))

/* The state of a test: one unit's pair of counters, and three events. */
static struct rig {
	unsigned int reg;
	struct vfalls_pair pair;
	u64 count[3];
	bool has_failed[3];
	unsigned int failed;
	unsigned int lost;
	unsigned int disturbed;
	u64 time;
	u64 step;
} rig;

/* Return a fake event: pair.c only compares pointers to events. */
static struct perf_event *rig_event(unsigned int i)
{
	return (struct perf_event *)&rig.count[i];
}

static void rig_gain(struct perf_event *event, u64 delta)
{
	*(u64 *)event += delta;
}

static void rig_failed(struct perf_event *event, bool last)
{
	rig.has_failed[(u64 *)event - rig.count] = true;
	rig.failed++;
	rig.lost += last;
}

static void rig_disturbed(struct vfalls_pair *pair)
{
	if (pair == &rig.pair)
		rig.disturbed++;
}

static u64 rig_clock(void)
{
	return rig.time += rig.step;
}

static const struct vfalls_ops rig_ops = {
	.get = fake_get, .set = fake_set, .blocked = fake_blocked,
	.denied = fake_hv.denied,
	.gain = rig_gain, .failed = rig_failed, .disturbed = rig_disturbed,
	.clock = rig_clock,
};

/* Return the unit's registers. */
static u64 *rig_init(unsigned int n)
{
	fake_hv_reset();
	memset(&rig, 0, sizeof(rig));
	rig.step = 10000000;
	rig.time = 1ULL << 50;
	rig.pair.ops = &rig_ops;
	rig.pair.unit = vfalls_unit(n);
	rig.reg = rig.pair.unit.reg;
	return &fake_hv.reg[rig.reg];
}

static void rig_add(struct kunit *test, unsigned int i, u8 event)
{
	rig.count[i] = 0;
	rig.has_failed[i] = false;
	KUNIT_ASSERT_EQ(test, vfalls_pair_add(&rig.pair, rig_event(i), event),
			0);
}

static void rig_del(unsigned int i)
{
	vfalls_pair_del(&rig.pair, rig_event(i));
}

static void rig_apply(void)
{
	vfalls_pair_apply(&rig.pair);
}

/* Return the counter that counts an event, or -1. */
static int rig_on(unsigned int i)
{
	unsigned int on = vfalls_pair_active(&rig.pair, rig_event(i));

	return on ? on >> 1 : -1;
}

static void rig_read(void)
{
	vfalls_pair_read(&rig.pair, 0x3);
}

/* Add two events, the first on counter 0. */
static void rig_start(struct kunit *test, u8 event0, u8 event1)
{
	rig_add(test, 0, event0);
	rig_add(test, 1, event1);
	rig_apply();
	KUNIT_ASSERT_EQ(test, rig_on(0), 0);
	KUNIT_ASSERT_EQ(test, rig_on(1), 1);
}

static void expect_calls(struct kunit *test, unsigned int gets,
			 unsigned int sets)
{
	KUNIT_EXPECT_EQ(test, fake_hv.gets, gets);
	KUNIT_EXPECT_EQ(test, fake_hv.sets, sets);
	fake_hv.gets = 0;
	fake_hv.sets = 0;
}

static void expect_counts(struct kunit *test, u64 count0, u64 count1)
{
	KUNIT_EXPECT_EQ(test, rig.count[0], count0);
	KUNIT_EXPECT_EQ(test, rig.count[1], count1);
}

/*
 * Check positions and widths of selects, and positions of counters, of each
 * unit. Of the six units of a Zambezi the first four have selects of 8 bits.
 */
static void each_unit_counts(struct kunit *test)
{
	unsigned int n;

	for (n = 0; n < VFALLS_UNITS; n++) {
		bool dram = n < VFALLS_DRAMS;
		u64 *reg = rig_init(n);

		if (dram)
			*reg = 0xff;
		else
			*reg = (n - VFALLS_DRAMS) % 6 < 4 ? 0xffff : 0x0f0f;
		memcpy(reg + 1, ((u64[]){ PAIR(1, 2), 3 }), 2 * sizeof(*reg));
		rig_start(test, 5, 4);
		KUNIT_EXPECT_EQ(test, reg[0], dram ? 0x54ULL : 0x0405ULL);
		if (dram) {
			reg[1] = PAIR(1 + 10, 2 + 20);
		} else {
			reg[1] += 10;
			reg[2] += 20;
		}
		rig_read();
		expect_counts(test, 10, 20);
	}
}

/* A memory controller's counters have 31 bits: bits 62:32 and 30:0 of a register. */
static void a_gain_of_31_bits(struct kunit *test)
{
	u64 *reg = rig_init(0);

	rig_start(test, 1, 2);
	reg[1] = PAIR(BIT_ULL(30) + 5, BIT_ULL(30) + 6);
	rig_read();
	expect_counts(test, BIT_ULL(30) + 5, BIT_ULL(30) + 6);
}

/* Count calls per operation. The select register is read before each write. */
static void calls_of_a_memory_controller(struct kunit *test)
{
	rig_init(3);
	rig_start(test, 0, 1);
	expect_calls(test, 2, 1);
	rig_read();
	expect_calls(test, 1, 0);
	vfalls_pair_read(&rig.pair, BIT(1));
	expect_calls(test, 1, 0);
	rig_del(0);
	rig_del(1);
	rig_apply();
	expect_calls(test, 1, 0);
	rig_start(test, 2, 7);
	expect_calls(test, 2, 1);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[rig.reg], 0x27ULL);
	/* If one event is replaced, the other counter is not touched. */
	rig_del(0);
	rig_add(test, 2, 4);
	rig_apply();
	KUNIT_EXPECT_EQ(test, rig_on(2), 0);
	expect_calls(test, 3, 1);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[rig.reg], 0x47ULL);
}

static void calls_of_a_zambezi(struct kunit *test)
{
	rig_init(VFALLS_DRAMS);
	fake_hv.reg[rig.reg] = 0x0102;
	rig_start(test, 0x29, 0x01);
	expect_calls(test, 3, 1);
	rig_read();
	expect_calls(test, 2, 0);
	rig_del(0);
	rig_del(1);
	rig_apply();
	expect_calls(test, 3, 1);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[rig.reg], 0ULL);
	rig_start(test, 0x02, 0x03);
	expect_calls(test, 3, 1);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[rig.reg], 0x0302ULL);
	/* If one of two events ends, its counter is turned off. */
	rig_del(0);
	rig_apply();
	KUNIT_EXPECT_EQ(test, fake_hv.reg[rig.reg], 0x0300ULL);
}

/* The period of reads is shorter than half the time to a wrap. */
static void read_before_it_wraps_twice(struct kunit *test)
{
	struct vfalls_unit dram = vfalls_unit(0), lpu = vfalls_unit(8);
	u64 ns = dram.layout->period_ns;

	/* A queue of 40 requests at 400 MHz makes no wrap in two periods. */
	KUNIT_EXPECT_LT(test, ns * 2 * 40 * 400 / 1000, FULL);
	KUNIT_EXPECT_GE(test, ns, 50000000ULL);
	KUNIT_EXPECT_EQ(test, lpu.layout->period_ns, 60000000000ULL);
}

/* An event whose select cannot be written fails; the other event counts. */
static void a_start_that_blocks_fails_alone(struct kunit *test)
{
	rig_init(VFALLS_DRAMS);
	rig_add(test, 0, 1);
	rig_apply();
	fake_hv.set_status[rig.reg] = VFALLS_EWOULDBLOCK;
	rig_add(test, 1, 2);
	fake_hv.sets = 0;
	rig_apply();
	KUNIT_EXPECT_EQ(test, fake_hv.sets, (unsigned int)VFALLS_TRIES);
	KUNIT_EXPECT_TRUE(test, rig.has_failed[1]);
	KUNIT_EXPECT_FALSE(test, rig.has_failed[0]);
	fake_hv.reg[rig.reg + 1] += 11;
	rig_read();
	expect_counts(test, 11, 0);
	/* The failed event is removed and added again. */
	rig_del(1);
	rig_apply();
	fake_hv.set_status[rig.reg] = VFALLS_EOK;
	rig_add(test, 1, 2);
	rig_apply();
	KUNIT_EXPECT_EQ(test, fake_hv.reg[rig.reg], 0x0201ULL);
	fake_hv.reg[rig.reg + 2] += 5;
	rig_read();
	expect_counts(test, 11, 5);
	/* If the read of counter 0 blocks, counter 1 is read all the same. */
	fake_hv.get_status[rig.reg + 1] = VFALLS_EWOULDBLOCK;
	fake_hv.reg[rig.reg + 2] += 4;
	rig_read();
	expect_counts(test, 11, 9);
}

/* Another guest changes one of the two selects. */
static void either_select_is_looked_at(struct kunit *test)
{
	static const unsigned int units[] = { 0, VFALLS_DRAMS };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(units); i++) {
		bool dram = units[i] < VFALLS_DRAMS;
		u64 select = dram ? 0x12 : 0x0201;
		u64 *reg = rig_init(units[i]);

		rig_start(test, 1, 2);
		fake_hv.gets = 0;
		fake_hv.sets = 0;
		/* One read of the select register, and one of each counter register. */
		vfalls_pair_poll(&rig.pair);
		expect_calls(test, dram ? 2 : 3, 0);
		*reg = select ^ (dram ? 0x10 : 0x01);
		vfalls_pair_poll(&rig.pair);
		KUNIT_EXPECT_EQ(test, rig.disturbed, 1U);
		KUNIT_EXPECT_EQ(test, *reg, select);
		*reg = select ^ (dram ? 0x01 : 0x0100);
		vfalls_pair_poll(&rig.pair);
		KUNIT_EXPECT_EQ(test, rig.disturbed, 2U);
		KUNIT_EXPECT_EQ(test, *reg, select);
	}
}

/* A register without write or read permission is recorded. */
static void what_is_denied(struct kunit *test)
{
	rig_init(0);
	fake_hv.set_status[rig.reg] = VFALLS_EWOULDBLOCK;
	rig_add(test, 0, 1);
	rig_apply();
	KUNIT_EXPECT_FALSE(test, test_bit(rig.reg, fake_hv.denied));
	KUNIT_EXPECT_EQ(test, rig.failed, 1U);
	fake_hv.set_status[rig.reg] = VFALLS_ENOACCESS;
	rig_del(0);
	rig_add(test, 1, 1);
	rig_apply();
	KUNIT_EXPECT_TRUE(test, test_bit(rig.reg, fake_hv.denied));
	KUNIT_EXPECT_EQ(test, rig_on(1), -1);
	/* A write that succeeds shows that the register is permitted. */
	fake_hv.set_status[rig.reg] = VFALLS_EOK;
	rig_add(test, 1, 1);
	rig_apply();
	KUNIT_EXPECT_FALSE(test, test_bit(rig.reg, fake_hv.denied));
	rig_init(VFALLS_DRAMS);
	rig_start(test, 1, 2);
	fake_hv.get_status[rig.reg + 2] = VFALLS_ENOACCESS;
	rig_read();
	KUNIT_EXPECT_TRUE(test, test_bit(rig.reg + 2, fake_hv.denied));
	KUNIT_EXPECT_EQ(test, rig.failed, 0U);
	/* An event that ends unread is lost. */
	rig_del(1);
	rig_apply();
	KUNIT_EXPECT_TRUE(test, rig.has_failed[1]);
	KUNIT_EXPECT_EQ(test, rig.lost, 1U);
}

/* A unit that was never written is not turned off. */
static void what_was_not_used_stays(struct kunit *test)
{
	rig_init(VFALLS_DRAMS);
	fake_hv.reg[rig.reg] = 0x0102;
	vfalls_pair_turn_off(&rig.pair);
	expect_calls(test, 0, 0);
	fake_hv.set_status[rig.reg] = VFALLS_EWOULDBLOCK;
	rig_add(test, 0, 1);
	rig_apply();
	rig_del(0);
	fake_hv.set_status[rig.reg] = VFALLS_EOK;
	rig_apply();
	vfalls_pair_turn_off(&rig.pair);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[rig.reg], 0x0102ULL);
}

/*
 * Another guest changes the select of an idle counter, while the other counter
 * is active. The next event with the old select writes the select again.
 */
static void an_idle_counter_is_written_anew(struct kunit *test)
{
	rig_init(0);
	rig_start(test, 1, 2);
	rig_del(1);
	rig_apply();
	fake_hv.reg[rig.reg] = 0x17;
	fake_hv.sets = 0;
	rig_add(test, 2, 2);
	rig_apply();
	KUNIT_EXPECT_EQ(test, fake_hv.sets, 1U);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[rig.reg], 0x12ULL);
	KUNIT_EXPECT_EQ(test, rig_on(2), 1);
	KUNIT_EXPECT_EQ(test, rig.disturbed, 0U);
	/* The active counter gets another event with the same select. */
	rig_del(0);
	rig_apply();
	fake_hv.reg[rig.reg] = 0x52;
	rig_del(2);
	rig_add(test, 0, 1);
	rig_add(test, 1, 2);
	rig_apply();
	KUNIT_EXPECT_EQ(test, fake_hv.reg[rig.reg], 0x12ULL);
}

/*
 * Another guest changes a select, and the event ends before the next poll, up
 * to a minute later. The event must not gain counts of the new select. The end
 * of an event reads the select once more if the last access was a second ago.
 */
static void a_change_before_the_end(struct kunit *test)
{
	u64 *reg = rig_init(VFALLS_DRAMS);

	rig.step = 1000;
	rig_start(test, 1, 2);
	reg[1] = 100;
	rig_read();
	rig.time += 10 * 1000000000ULL;
	reg[0] = 0x0205;
	reg[1] = 5000;
	reg[2] = 7000;
	/* Counter 0 has no event any more, so no read of it can fail one. */
	fake_hv.get_status[rig.reg + 1] = VFALLS_EWOULDBLOCK;
	rig_del(0);
	rig_apply();
	fake_hv.get_status[rig.reg + 1] = VFALLS_EOK;
	KUNIT_EXPECT_EQ(test, rig.failed, 0U);
	KUNIT_EXPECT_EQ(test, rig.count[0], 100ULL);
	KUNIT_EXPECT_EQ(test, rig.disturbed, 1U);
	/*
	 * Event 1 is set up again, event 0 has ended, and the other guest
	 * keeps counter 0.
	 */
	KUNIT_EXPECT_EQ(test, reg[0], 0x0205ULL);
	KUNIT_EXPECT_EQ(test, rig_on(0), -1);
	KUNIT_EXPECT_EQ(test, rig_on(1), 1);
	fake_hv.gets = 0;
	fake_hv.sets = 0;
	rig.time += 900000000;
	rig_del(1);
	rig_apply();
	expect_calls(test, 2, 1);
	KUNIT_EXPECT_EQ(test, rig.disturbed, 1U);
	/* The check of an unchanged select costs one more read. */
	rig_start(test, 1, 2);
	rig.time += 1000000000;
	fake_hv.gets = 0;
	fake_hv.sets = 0;
	rig_del(0);
	rig_del(1);
	rig_apply();
	expect_calls(test, 4, 1);
	KUNIT_EXPECT_EQ(test, rig.disturbed, 1U);
}

/* Apply a change; counter 0 starts anew with @select, and gains 7. */
static void expect_found(struct kunit *test, unsigned int disturbed,
			 u64 select, u64 count)
{
	u64 *reg = &fake_hv.reg[rig.reg];

	rig_apply();
	KUNIT_EXPECT_EQ(test, rig.disturbed, disturbed);
	KUNIT_EXPECT_EQ(test, reg[0], select);
	reg[1] += 7;
	rig_read();
	expect_counts(test, count, 0);
}

/*
 * Another guest changes a select, and before the next poll an event of the
 * other counter starts or ends. The write of the selects finds the change.
 */
static void a_change_before_a_write(struct kunit *test)
{
	u64 *reg = rig_init(VFALLS_DRAMS);

	rig_add(test, 0, 1);
	rig_apply();
	reg[1] = 100;
	rig_read();
	reg[0] = 0x0005;
	reg[1] = 5000;
	rig_add(test, 1, 2);
	expect_found(test, 1, 0x0201, 107);

	reg[0] = 0x0205;
	reg[1] = 9000;
	rig_del(1);
	expect_found(test, 2, 0x0001, 114);
}

/*
 * Another guest counts on counter 1, which this driver has not used. So the
 * counter is not stopped.
 */
static void the_counter_of_another_runs(struct kunit *test)
{
	rig_init(VFALLS_DRAMS);
	fake_hv.reg[rig.reg] = 0x0700;
	rig_add(test, 0, 1);
	rig_apply();
	KUNIT_EXPECT_EQ(test, fake_hv.reg[rig.reg], 0x0701ULL);
	rig_del(0);
	rig_apply();
	KUNIT_EXPECT_EQ(test, fake_hv.reg[rig.reg], 0x0700ULL);
	/* A counter that this driver has used is stopped, but only once. */
	rig_start(test, 1, 2);
	rig_del(1);
	rig_apply();
	KUNIT_EXPECT_EQ(test, fake_hv.reg[rig.reg], 0x0001ULL);
	fake_hv.reg[rig.reg] = 0x0901;
	vfalls_pair_poll(&rig.pair);
	rig_del(0);
	rig_apply();
	vfalls_pair_turn_off(&rig.pair);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[rig.reg], 0x0900ULL);
	KUNIT_EXPECT_EQ(test, rig.disturbed, 0U);
	/* The other guest changes its select while no event counts here. */
	fake_hv.reg[rig.reg] = 0x0a00;
	rig_add(test, 0, 1);
	rig_apply();
	KUNIT_EXPECT_EQ(test, fake_hv.reg[rig.reg], 0x0a01ULL);
	KUNIT_EXPECT_EQ(test, rig.disturbed, 0U);
}

/* A third event gets no counter. */
static void a_third_event_has_no_counter(struct kunit *test)
{
	rig_init(0);
	rig_start(test, 1, 2);
	KUNIT_EXPECT_EQ(test, vfalls_pair_add(&rig.pair, rig_event(2), 3),
			-EAGAIN);
	/* A re-added event gets its old counter, without a hypervisor call. */
	rig_del(0);
	rig_del(1);
	fake_hv.gets = 0;
	fake_hv.sets = 0;
	KUNIT_EXPECT_EQ(test, vfalls_pair_add(&rig.pair, rig_event(1), 2), 0);
	KUNIT_EXPECT_EQ(test, vfalls_pair_add(&rig.pair, rig_event(0), 1), 0);
	rig_apply();
	expect_calls(test, 0, 0);
	KUNIT_EXPECT_EQ(test, rig_on(0), 0);
	KUNIT_EXPECT_EQ(test, rig_on(1), 1);
	/* A new event takes the idle counter, not that of a removed event. */
	rig_del(0);
	rig_del(1);
	rig_apply();
	rig_add(test, 0, 1);
	rig_apply();
	rig_del(0);
	rig_add(test, 2, 3);
	KUNIT_EXPECT_EQ(test, vfalls_pair_add(&rig.pair, rig_event(0), 1), 0);
	rig_apply();
	KUNIT_EXPECT_EQ(test, rig_on(0), 0);
	KUNIT_EXPECT_EQ(test, rig_on(2), 1);
	/* A single event does not move to the idle counter. */
	rig_del(2);
	rig_apply();
	rig_del(0);
	fake_hv.gets = 0;
	fake_hv.sets = 0;
	KUNIT_EXPECT_EQ(test, vfalls_pair_add(&rig.pair, rig_event(0), 1), 0);
	rig_apply();
	expect_calls(test, 0, 0);
	KUNIT_EXPECT_EQ(test, rig_on(0), 0);
}

/* An impossible gain is rejected, a possible gain is accepted. */
static void a_gain_that_cannot_be(struct kunit *test)
{
	rig_init(VFALLS_DRAMS);
	rig.step = 1000;
	rig_start(test, 1, 2);
	fake_hv.reg[rig.reg + 1] = 1ULL << 40;
	fake_hv.reg[rig.reg + 2] = 1000 * 1000;
	rig_read();
	expect_counts(test, 0, 1000 * 1000);
	KUNIT_EXPECT_EQ(test, rig.disturbed, 1U);
	/* Counting goes on from the new value. */
	fake_hv.reg[rig.reg + 1] += 9;
	rig_read();
	expect_counts(test, 9, 1000 * 1000);
	KUNIT_EXPECT_EQ(test, rig.disturbed, 1U);
}

/* The limit is 2^11 per ns; here 2000 ns have passed since the last read. */
static void the_most_that_can_be(struct kunit *test)
{
	u64 most = 2000ULL << 11;

	rig_init(VFALLS_DRAMS);
	rig.step = 1000;
	rig_start(test, 1, 2);
	rig.time = rig.pair.counter[0].read_ns;
	fake_hv.reg[rig.reg + 1] = most;
	vfalls_pair_read(&rig.pair, BIT(0));
	KUNIT_EXPECT_EQ(test, rig.count[0], most);
	rig.time = rig.pair.counter[0].read_ns;
	fake_hv.reg[rig.reg + 1] += most + BIT(11);
	vfalls_pair_read(&rig.pair, BIT(0));
	KUNIT_EXPECT_EQ(test, rig.count[0], most);
	KUNIT_EXPECT_EQ(test, rig.disturbed, 1U);
}

/* A change of one select loses no counts of the other counter. */
static void the_neighbour_of_a_change(struct kunit *test)
{
	u64 *reg = rig_init(VFALLS_DRAMS);

	rig_start(test, 1, 2);
	reg[0] = 0x0205;
	reg[1] = 30;
	reg[2] = 40;
	vfalls_pair_poll(&rig.pair);
	KUNIT_EXPECT_EQ(test, reg[0], 0x0201ULL);
	reg[1] += 1;
	reg[2] += 2;
	rig_read();
	expect_counts(test, 1, 42);
}

/*
 * The selects of named events ascend and fit the term "event". No other select
 * counts an event.
 */
static void names_of_events(struct kunit *test)
{
	static const unsigned int many[] = {
		[VFALLS_DRAM] = 7, [VFALLS_LPU] = 0x29, [VFALLS_GPD] = 1,
		[VFALLS_ASU] = 5,
	};
	unsigned int kind;

	for (kind = VFALLS_DRAM; kind <= VFALLS_ASU; kind++) {
		const struct vfalls_unit unit = { .kind = kind };
		const struct pmon_type *type = vfalls_type(&unit);
		const struct pmon_alias *alias;
		unsigned int n = 0, code = 0, last = 0, select, valid = 0;

		KUNIT_EXPECT_STREQ(test, type->fields[0].name, "event");
		KUNIT_EXPECT_EQ(test, type->fields[0].word, 0);
		KUNIT_EXPECT_EQ(test, type->fields[0].mask,
				kind == VFALLS_LPU ? 0xffULL : 0xfULL);
		KUNIT_EXPECT_STREQ(test, type->fields[1].name, "snapshot");
		KUNIT_EXPECT_EQ(test, type->fields[1].word, 2);
		KUNIT_EXPECT_EQ(test, type->fields[1].mask, 1ULL << 63);
		KUNIT_EXPECT_NULL(test, type->fields[2].name);
		for (alias = type->aliases; alias->name; alias++, n++) {
			if (sscanf(alias->event, "event=0x%x", &code) != 1)
				KUNIT_FAIL(test, "%s", alias->event);
			KUNIT_EXPECT_EQ(test, code & ~type->fields[0].mask,
					0ULL);
			KUNIT_EXPECT_TRUE(test, !n || code > last);
			last = code;
			KUNIT_EXPECT_TRUE_MSG(test,
					      vfalls_has_event(&unit, code),
					      "%s", alias->name);
		}
		for (select = 0; select < 256; select++)
			valid += vfalls_has_event(&unit, select);
		KUNIT_EXPECT_EQ(test, valid, many[kind]);
		KUNIT_EXPECT_EQ(test, n, many[kind]);
	}
}

static struct kunit_case pair_tests[] = {
	KUNIT_CASE(each_unit_counts),
	KUNIT_CASE(a_gain_of_31_bits),
	KUNIT_CASE(calls_of_a_memory_controller),
	KUNIT_CASE(calls_of_a_zambezi),
	KUNIT_CASE(read_before_it_wraps_twice),
	KUNIT_CASE(a_start_that_blocks_fails_alone),
	KUNIT_CASE(either_select_is_looked_at),
	KUNIT_CASE(what_is_denied),
	KUNIT_CASE(what_was_not_used_stays),
	KUNIT_CASE(an_idle_counter_is_written_anew),
	KUNIT_CASE(a_change_before_the_end),
	KUNIT_CASE(a_change_before_a_write),
	KUNIT_CASE(the_counter_of_another_runs),
	KUNIT_CASE(a_third_event_has_no_counter),
	KUNIT_CASE(a_gain_that_cannot_be),
	KUNIT_CASE(the_most_that_can_be),
	KUNIT_CASE(names_of_events),
	KUNIT_CASE(the_neighbour_of_a_change),
	{ }
};

struct kunit_suite vfalls_pair_suite = {
	.name = "vfalls_pair",
	.test_cases = pair_tests,
};
