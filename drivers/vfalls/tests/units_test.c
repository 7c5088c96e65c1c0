// SPDX-License-Identifier: GPL-2.0-only
/* The engine on the counters of a memory controller and of a Zambezi. */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "../../core/bank.h"
#include "../../core/encode.h"
#include "../units.h"
#include "fake.h"
#include "suites.h"

#define FULL	0x7fffffffULL
#define PAIR(pic0, pic1) (((u64)(pic0) & FULL) << 32 | ((u64)(pic1) & FULL))

static u64 unit_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	u64 value;

	return vfalls_get(&fake_calls, regs->base + reg, &value) ? ~0ULL : value;
}

static int unit_write(const struct pmon_regs *regs, u32 reg, u64 val, u8 bytes)
{
	return vfalls_set(&fake_calls, regs->base + reg, val);
}

static const struct pmon_regs_ops unit_ops = {
	.read = unit_read, .write = unit_write,
};

/* A unit, its counters, and events for them. */
static struct rig {
	struct vfalls_unit unit;
	unsigned int reg;
	struct pmon_packed packed;
	struct pmon_bank bank;
	struct pmon_slot slot[2];
	struct pmon_event event[3];
	u64 count[3];
	bool denied;
	struct vfalls_rights rights;
	struct pmon_layout layout;
} rig;

static void rig_gain(struct pmon_event *event, u64 delta)
{
	rig.count[event - rig.event] += delta;
}

static void rig_nothing(struct pmon_bank *bank)
{
}

static u64 rig_time;

static u64 rig_clock(void)
{
	return rig_time += 10000000;
}

static void rig_lost(struct pmon_event *event)
{
}

static const struct pmon_bank_ops rig_ops = {
	.gain = rig_gain, .disturbed = rig_nothing, .refused = rig_nothing,
	.lost = rig_lost,
	.clock = rig_clock,
};

static void rig_init(struct kunit *test, unsigned int n)
{
	struct pmon_regs regs;

	fake_hv_reset();
	memset(&rig, 0, sizeof(rig));
	rig.unit = vfalls_unit(n);
	rig.reg = vfalls_unit_reg(&rig.unit);
	rig.packed.regs = (struct pmon_regs) {
		.ops = &unit_ops, .base = rig.reg,
	};
	rig.packed.part = vfalls_parts(&rig.unit);
	rig.packed.parts = VFALLS_PARTS;
	pmon_regs_packed(&regs, &rig.packed);
	rig.rights.denied = &rig.denied;
	rig.layout = *vfalls_layout(&rig.unit);
	rig.layout.data = &rig.rights;
	rig.bank.ops = &rig_ops;
	rig.bank.slot = rig.slot;
	rig.bank.ctl_event = vfalls_type(&rig.unit)->ctl_mask;
	KUNIT_ASSERT_NULL(test, pmon_layout_valid(&rig.layout, 0));
	pmon_bank_find(&rig.bank, &rig.layout, &regs);
}

static int rig_open(unsigned int i, u64 event)
{
	const u64 config[PMON_CONFIG_WORDS] = { event };

	rig.count[i] = 0;
	return pmon_event_encode(&rig.event[i], vfalls_type(&rig.unit),
				 &rig.bank.layout, config);
}

static void rig_add(struct kunit *test, unsigned int i, u64 event)
{
	KUNIT_ASSERT_EQ(test, rig_open(i, event), 0);
	KUNIT_ASSERT_TRUE(test, pmon_bank_add(&rig.bank, &rig.event[i]));
}

/* Two events, the first on counter 0. */
static void rig_start(struct kunit *test, u64 event0, u64 event1)
{
	rig_add(test, 0, event0);
	rig_add(test, 1, event1);
	pmon_bank_apply(&rig.bank);
	KUNIT_ASSERT_EQ(test, rig.event[0].counted_on, 0);
	KUNIT_ASSERT_EQ(test, rig.event[1].counted_on, 1);
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

/* Where the selects and the counters are, of each unit there is. */
static void each_unit_counts(struct kunit *test)
{
	unsigned int n;

	for (n = 0; n < VFALLS_UNITS; n++) {
		bool dram = n < VFALLS_DRAMS;
		u64 *reg;

		rig_init(test, n);
		reg = &fake_hv.reg[rig.reg];
		memcpy(reg + 1, ((u64[]){ PAIR(1, 2), 3 }), 2 * sizeof(*reg));
		rig_start(test, 5, 4);
		KUNIT_EXPECT_EQ(test, reg[0], dram ? 0x54ULL : 0x0405ULL);
		if (dram) {
			reg[1] = PAIR(1 + 10, 2 + 20);
		} else {
			reg[1] += 10;
			reg[2] += 20;
		}
		pmon_bank_sync(&rig.bank);
		expect_counts(test, 10, 20);
	}
}

/* Calls per operation, once the select is known. */
static void calls_of_a_memory_controller(struct kunit *test)
{
	rig_init(test, 3);
	rig_start(test, 0, 1);
	expect_calls(test, 2, 1);
	pmon_bank_snapshot(&rig.bank, 0x3);
	expect_calls(test, 1, 0);
	pmon_bank_read(&rig.bank, &rig.event[1]);
	expect_calls(test, 1, 0);
	pmon_bank_del(&rig.bank, &rig.event[0]);
	pmon_bank_del(&rig.bank, &rig.event[1]);
	pmon_bank_apply(&rig.bank);
	expect_calls(test, 1, 0);
	rig_start(test, 2, 7);
	expect_calls(test, 1, 1);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[rig.reg], 0x27ULL);
	/* One of the two is another event: the other one is left alone. */
	pmon_bank_del(&rig.bank, &rig.event[0]);
	rig_add(test, 2, 4);
	pmon_bank_apply(&rig.bank);
	KUNIT_EXPECT_EQ(test, rig.event[2].counted_on, 0);
	expect_calls(test, 2, 1);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[rig.reg], 0x47ULL);
}

static void calls_of_a_zambezi(struct kunit *test)
{
	rig_init(test, VFALLS_DRAMS);
	/* What others left there is turned off, and both are read, before. */
	rig_start(test, 0x29, 0x01);
	expect_calls(test, 3, 2);
	pmon_bank_snapshot(&rig.bank, 0x3);
	expect_calls(test, 2, 0);
	pmon_bank_del(&rig.bank, &rig.event[0]);
	pmon_bank_del(&rig.bank, &rig.event[1]);
	pmon_bank_apply(&rig.bank);
	expect_calls(test, 2, 1);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[rig.reg], 0ULL);
	rig_start(test, 0x02, 0x03);
	expect_calls(test, 2, 1);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[rig.reg], 0x0302ULL);
	/* One event: the other counter is off. */
	pmon_bank_del(&rig.bank, &rig.event[0]);
	pmon_bank_apply(&rig.bank);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[rig.reg], 0x0300ULL);
}

/* The bits between the fields belong to none; a field may wrap alone. */
static void fields_wrap_alone(struct kunit *test)
{
	u64 *pic;

	rig_init(test, 0);
	pic = &fake_hv.reg[rig.reg + 1];
	*pic = PAIR(FULL, FULL) | BIT_ULL(31);
	rig_start(test, 0, 1);
	*pic = PAIR(FULL + 5, FULL) | BIT_ULL(63);
	pmon_bank_sync(&rig.bank);
	expect_counts(test, 5, 0);
	*pic = PAIR(4, FULL + 9) | BIT_ULL(31);
	pmon_bank_sync(&rig.bank);
	expect_counts(test, 5, 9);
	/* All but once around, both. */
	*pic = PAIR(3, 7);
	pmon_bank_sync(&rig.bank);
	expect_counts(test, 5 + FULL, 9 + FULL);
}

/* Two wraps cannot be told from one: there is no time for them. */
static void read_before_it_wraps_twice(struct kunit *test)
{
	struct vfalls_unit dram = vfalls_unit(0), lpu = vfalls_unit(8);
	u64 ns = pmon_layout_period_ns(vfalls_layout(&dram));

	/* 40 requests in a queue, at 400 MHz, and twice that. */
	KUNIT_EXPECT_LT(test, ns * 2 * 40 * 400 / 1000, FULL);
	KUNIT_EXPECT_GE(test, ns, 50000000ULL);
	KUNIT_EXPECT_EQ(test, pmon_layout_period_ns(vfalls_layout(&lpu)),
			60000000000ULL);
}

/* A counter is never the control: not the second one either. */
static void the_second_counter_is_a_counter(struct kunit *test)
{
	rig_init(test, VFALLS_DRAMS + 5);
	fake_hv.reg[rig.reg + 1] = 1000;
	fake_hv.reg[rig.reg + 2] = 2000;
	rig_start(test, 2, 3);
	fake_hv.reg[rig.reg + 2] = 2007;
	pmon_bank_read(&rig.bank, &rig.event[1]);
	pmon_bank_read(&rig.bank, &rig.event[0]);
	expect_counts(test, 0, 7);
}

/* Reading in vain loses nothing: the next reading has it. */
static void a_reading_that_blocks_loses_nothing(struct kunit *test)
{
	rig_init(test, VFALLS_DRAMS);
	rig_start(test, 1, 2);
	fake_hv.reg[rig.reg + 1] = 100;
	fake_hv.reg[rig.reg + 2] = 200;
	fake_hv.block = ~0U;
	pmon_bank_sync(&rig.bank);
	pmon_bank_tick(&rig.bank);
	pmon_bank_snapshot(&rig.bank, 0x3);
	expect_counts(test, 0, 0);
	fake_hv.block = 0;
	pmon_bank_snapshot(&rig.bank, 0x3);
	expect_counts(test, 100, 200);
	KUNIT_EXPECT_EQ(test, rig.bank.refused, 0U);
	KUNIT_EXPECT_EQ(test, rig.bank.disturbed, 0U);
}

/*
 * The last reading has no next one: what was counted since the one before is
 * lost, and the event must not look as if it had been counted.
 */
static void a_last_reading_that_blocks_fails(struct kunit *test, unsigned int n)
{
	rig_init(test, n);
	rig_start(test, 1, 2);
	fake_hv.get_status[rig.reg + 1] = VFALLS_EWOULDBLOCK;
	fake_hv.get_status[rig.reg + 2] = VFALLS_EWOULDBLOCK;
	/* One leaves, the other one counts on. */
	pmon_bank_del(&rig.bank, &rig.event[0]);
	pmon_bank_apply(&rig.bank);
	KUNIT_EXPECT_TRUE(test, rig.event[0].failed);
	KUNIT_EXPECT_FALSE(test, rig.event[1].failed);
	KUNIT_EXPECT_EQ(test, rig.bank.lost, 1U);
	KUNIT_EXPECT_EQ(test, rig.event[0].counted_on, -1);
	KUNIT_EXPECT_EQ(test, rig.event[1].counted_on, 1);
	/* The last one leaves. */
	pmon_bank_del(&rig.bank, &rig.event[1]);
	pmon_bank_apply(&rig.bank);
	KUNIT_EXPECT_TRUE(test, rig.event[1].failed);
	KUNIT_EXPECT_EQ(test, rig.bank.lost, 2U);
	/* Neither has gained what another one counts later. */
	memset(fake_hv.get_status, 0, sizeof(fake_hv.get_status));
	fake_hv.reg[rig.reg + 1] = n < VFALLS_DRAMS ? PAIR(9, 0) : 9;
	rig_add(test, 2, 1);
	pmon_bank_apply(&rig.bank);
	KUNIT_EXPECT_FALSE(test, rig.event[2].failed);
	fake_hv.reg[rig.reg + 1] = n < VFALLS_DRAMS ? PAIR(12, 0) : 12;
	pmon_bank_del(&rig.bank, &rig.event[2]);
	pmon_bank_apply(&rig.bank);
	KUNIT_EXPECT_FALSE(test, rig.event[2].failed);
	KUNIT_EXPECT_EQ(test, rig.count[2], 3ULL);
	expect_counts(test, 0, 0);
	KUNIT_EXPECT_EQ(test, rig.bank.lost, 2U);
}

static void a_last_reading_that_blocks(struct kunit *test)
{
	a_last_reading_that_blocks_fails(test, 0);
	a_last_reading_that_blocks_fails(test, VFALLS_DRAMS);
}

/* What cannot be told to the hardware does not count; the other one does. */
static void a_start_that_blocks_fails_alone(struct kunit *test)
{
	rig_init(test, VFALLS_DRAMS);
	rig_add(test, 0, 1);
	pmon_bank_apply(&rig.bank);
	fake_hv.set_status[rig.reg] = VFALLS_EWOULDBLOCK;
	rig_add(test, 1, 2);
	fake_hv.sets = 0;
	pmon_bank_apply(&rig.bank);
	KUNIT_EXPECT_EQ(test, fake_hv.sets, (unsigned int)VFALLS_TRIES);
	KUNIT_EXPECT_TRUE(test, rig.event[1].failed);
	KUNIT_EXPECT_FALSE(test, rig.event[0].failed);
	fake_hv.reg[rig.reg + 1] += 11;
	pmon_bank_sync(&rig.bank);
	expect_counts(test, 11, 0);
	/* It ends, and is tried again. */
	pmon_bank_del(&rig.bank, &rig.event[1]);
	pmon_bank_apply(&rig.bank);
	fake_hv.set_status[rig.reg] = VFALLS_EOK;
	rig_add(test, 1, 2);
	pmon_bank_apply(&rig.bank);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[rig.reg], 0x0201ULL);
	fake_hv.reg[rig.reg + 2] += 5;
	pmon_bank_sync(&rig.bank);
	expect_counts(test, 11, 5);
}

/* A stop that was refused is made up for when the unit is handed back. */
static void a_stop_that_blocks_is_made_up_for(struct kunit *test)
{
	rig_init(test, VFALLS_DRAMS);
	rig_start(test, 1, 2);
	pmon_bank_del(&rig.bank, &rig.event[0]);
	pmon_bank_del(&rig.bank, &rig.event[1]);
	fake_hv.set_status[rig.reg] = VFALLS_EWOULDBLOCK;
	fake_hv.reg[rig.reg + 1] = 3;
	pmon_bank_apply(&rig.bank);
	expect_counts(test, 3, 0);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[rig.reg], 0x0201ULL);
	fake_hv.set_status[rig.reg] = VFALLS_EOK;
	pmon_bank_release(&rig.bank);
	KUNIT_EXPECT_EQ(test, fake_hv.reg[rig.reg], 0ULL);
	KUNIT_EXPECT_EQ(test, rig.bank.disturbed, 0U);
}

/* Another guest selects another event for one of the two, whichever it is. */
static void either_select_is_looked_at(struct kunit *test)
{
	static const unsigned int units[] = { 0, VFALLS_DRAMS };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(units); i++) {
		bool dram = units[i] < VFALLS_DRAMS;
		u64 select = dram ? 0x12 : 0x0201, *reg;

		rig_init(test, units[i]);
		reg = &fake_hv.reg[rig.reg];
		rig_start(test, 1, 2);
		fake_hv.gets = 0;
		fake_hv.sets = 0;
		/* One call to look at both, and one for each counter. */
		pmon_bank_tick(&rig.bank);
		expect_calls(test, 3, 0);
		*reg = select ^ (dram ? 0x10 : 0x01);
		pmon_bank_tick(&rig.bank);
		KUNIT_EXPECT_EQ(test, rig.bank.restarts, 1U);
		KUNIT_EXPECT_EQ(test, *reg, select);
		*reg = select ^ (dram ? 0x01 : 0x0100);
		pmon_bank_tick(&rig.bank);
		KUNIT_EXPECT_EQ(test, rig.bank.restarts, 2U);
		KUNIT_EXPECT_EQ(test, rig.bank.disturbed, 2U);
		KUNIT_EXPECT_EQ(test, *reg, select);
	}
}

static void what_is_refused_at_open(struct kunit *test)
{
	rig_init(test, 0);
	KUNIT_EXPECT_EQ(test, rig_open(0, 0), 0);
	rig.denied = true;
	KUNIT_EXPECT_EQ(test, rig_open(0, 0), -EACCES);
	/* Off is no event. */
	rig_init(test, VFALLS_DRAMS);
	KUNIT_EXPECT_EQ(test, rig_open(0, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, rig_open(0, 1), 0);
	rig.denied = true;
	KUNIT_EXPECT_EQ(test, rig_open(0, 1), -EACCES);
}

/* Names stand for different events that the format can say, in order. */
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
		unsigned int n = 0, code = 0, last = 0;

		for (alias = type->aliases; alias->name; alias++, n++) {
			if (sscanf(alias->event, "event=0x%x", &code) != 1)
				KUNIT_FAIL(test, "%s", alias->event);
			KUNIT_EXPECT_EQ(test, code & ~type->fields[0].mask,
					0ULL);
			KUNIT_EXPECT_TRUE(test, !n || code > last);
			last = code;
		}
		KUNIT_EXPECT_EQ(test, n, many[kind]);
	}
}

static struct kunit_case units_tests[] = {
	KUNIT_CASE(each_unit_counts),
	KUNIT_CASE(calls_of_a_memory_controller),
	KUNIT_CASE(calls_of_a_zambezi),
	KUNIT_CASE(fields_wrap_alone),
	KUNIT_CASE(read_before_it_wraps_twice),
	KUNIT_CASE(the_second_counter_is_a_counter),
	KUNIT_CASE(a_reading_that_blocks_loses_nothing),
	KUNIT_CASE(a_last_reading_that_blocks),
	KUNIT_CASE(a_start_that_blocks_fails_alone),
	KUNIT_CASE(a_stop_that_blocks_is_made_up_for),
	KUNIT_CASE(either_select_is_looked_at),
	KUNIT_CASE(what_is_refused_at_open),
	KUNIT_CASE(names_of_events),
	{ }
};

struct kunit_suite vfalls_units_suite = {
	.name = "vfalls_units",
	.test_cases = units_tests,
};
