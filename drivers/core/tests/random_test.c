// SPDX-License-Identifier: GPL-2.0-only
/*
 * Start, stop and read events in random order, on a model of a box that counts.
 * Single accesses may read as all-ones, and other programs may reset the box.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/limits.h>

#include "rig.h"
#include "suites.h"

#define SEEDS		100
#define STEPS		150
#define GENERAL		4
#define MINUTE_NS	60000000000ULL

/* Event i has control i + 1, and gains (i & 3) + 1 each nanosecond. */
static struct model {
	const struct pmon_layout *layout;
	u64 random;
	u64 ctl[GENERAL];
	u64 ctr[GENERAL];
	bool frozen;
	unsigned int ones;	/* this access reads as all-ones; 0: none */
	u64 truth[EVENTS];
} model;

/* Xorshift. */
static u64 draw(u64 below)
{
	model.random ^= model.random << 13;
	model.random ^= model.random >> 7;
	model.random ^= model.random << 17;
	return (model.random >> 33) % below;
}

static void advance(u64 ns)
{
	unsigned int i, event;
	u64 gain;

	fake_time += ns;
	for (i = 0; i < GENERAL && !model.frozen; i++) {
		if (!(u8)model.ctl[i])
			continue;
		event = (u8)model.ctl[i] - 1;
		gain = ns * ((event & 3) + 1);
		model.ctr[i] = (model.ctr[i] + gain) & GENMASK_ULL(47, 0);
		model.truth[event] += gain;
	}
}

static u64 model_access(u32 reg, u8 bytes)
{
	u64 all = GENMASK_ULL(8 * bytes - 1, 0), value = 0;
	unsigned int i;

	advance(FAKE_ACCESS_NS);
	for (i = 0; i < GENERAL; i++) {
		if (reg == model.layout->counter[i].ctl)
			value = model.ctl[i];
		else if (reg == model.layout->counter[i].ctr)
			value = model.ctr[i];
		else if (reg == model.layout->counter[i].ctr + 4)
			value = model.ctr[i] >> 32;
	}
	if (model.ones && !--model.ones)
		value = U64_MAX;
	return value & all;
}

static u64 model_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	u64 low;

	if (!regs->ops->split || bytes < 8)
		return model_access(reg, bytes);
	low = model_access(reg, 4);
	return model_access(reg + 4, 4) << 32 | low;
}

static void model_reset(void)
{
	memset(model.ctl, 0, sizeof(model.ctl));
	memset(model.ctr, 0, sizeof(model.ctr));
}

static int model_write(const struct pmon_regs *regs, u32 reg, u64 val, u8 bytes)
{
	unsigned int i;

	advance(FAKE_ACCESS_NS);
	if (reg == model.layout->box_ctl) {
		model.frozen = val & FREEZE;
		if (val == RESET)
			model_reset();
		return 0;
	}
	for (i = 0; i < GENERAL; i++)
		if (reg == model.layout->counter[i].ctl)
			model.ctl[i] = val;
	return 0;
}

/* After a tick all controls hold their events. */
static void tick(struct rig *t)
{
	unsigned int i;

	pmon_hw_tick(&t->hw);
	for (i = 0; i < EVENTS; i++) {
		const struct pmon_event *event = &t->ev[i].event;

		if (event->counted_on >= 0)
			KUNIT_ASSERT_EQ(t->fake.test, (u8)event->ctl,
					(u8)model.ctl[event->counted_on]);
	}
}

/* Start events that do not count, and stop those that do. */
static void change(struct rig *t)
{
	unsigned int n = draw(4) + 1, i;

	while (n--) {
		i = draw(EVENTS);
		if (t->ev[i].event.assigned_to >= 0) {
			del(t, i);
			continue;
		}
		t->ev[i].event.allowed = draw(15) + 1;
		add(t, i);
	}
	pmon_hw_apply(&t->hw);
}

/* Events that have stopped: exact, or none too much. */
static void check(struct rig *t, bool exact)
{
	unsigned int i;

	for (i = 0; i < EVENTS; i++) {
		KUNIT_ASSERT_LE(t->fake.test, t->ev[i].count, model.truth[i]);
		if (exact && t->ev[i].event.counted_on < 0)
			KUNIT_ASSERT_EQ(t->fake.test, t->ev[i].count,
					model.truth[i]);
	}
}

static void step(struct rig *t, bool resets)
{
	switch (draw(8)) {
	case 0:
	case 1:
		change(t);
		break;
	case 2:
		advance(draw(MINUTE_NS));
		tick(t);
		break;
	case 3:
		advance(draw(MINUTE_NS) >> draw(40));
		break;
	case 4:
		rig_read(t, draw(EVENTS));
		break;
	case 5:
		pmon_hw_snapshot(&t->hw, draw(BIT(GENERAL)));
		break;
	case 6:
		model.ones = draw(8);
		break;
	case 7:
		if (resets)
			model_reset();
		break;
	}
}

static void random_box(struct kunit *test, const struct pmon_layout *layout,
		       bool split, bool resets)
{
	unsigned int seed, i;
	struct rig *t;

	for (seed = 1; seed <= SEEDS; seed++) {
		model = (struct model){
			.layout = layout,
			.random = seed * 0x9e3779b97f4a7c15ULL,
			.frozen = true,
		};
		t = rig_new(test, layout, split);
		t->fake.ops.read = model_read;
		t->fake.ops.write = model_write;
		t->hw.ctl_event = GENMASK(15, 0);
		for (i = 0; i < EVENTS; i++)
			config(t, i, i + 1, 0);
		for (i = 0; i < STEPS; i++) {
			step(t, resets);
			check(t, !resets);
		}
		if (!resets)
			KUNIT_EXPECT_EQ(test, t->hw.disturbed, 0U);
		kunit_kfree(test, t);
	}
}

static void counts_are_exact(struct kunit *test)
{
	random_box(test, &imc, false, false);
	random_box(test, &upi, true, false);
}

static void a_reset_ends_with_a_tick(struct kunit *test)
{
	random_box(test, &imc, false, true);
	random_box(test, &upi, true, true);
}

static struct kunit_case random_tests[] = {
	/* contract: torn */
	KUNIT_CASE(counts_are_exact),
	/* contract: reset */
	KUNIT_CASE(a_reset_ends_with_a_tick),
	{ }
};

struct kunit_suite pmon_random_suite = {
	.name = "pmon_random",
	.test_cases = random_tests,
};
