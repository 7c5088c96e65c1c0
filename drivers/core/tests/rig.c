// SPDX-License-Identifier: GPL-2.0-only
/* A bank on a scripted register space, with events. */
#include <linux/bits.h>
#include <linux/container_of.h>
#include <linux/kernel.h>
#include <linux/time64.h>

#include "rig.h"

static const struct pmon_protocol protocol = { FREEZE, RESET, RUN, 4 };
static const struct pmon_protocol protocol_msr = { FREEZE, RESET, RUN, 8 };

static const struct pmon_counter imc_counters[] = {
	{ .width = 48, .ctl = 0x40, .ctr = 0x08 },
	{ .width = 48, .ctl = 0x44, .ctr = 0x10 },
	{ .width = 48, .ctl = 0x48, .ctr = 0x18 },
	{ .width = 48, .ctl = 0x4c, .ctr = 0x20 },
	{ .width = 48, .ctl = 0x54, .ctr = 0x38, .kind = PMON_COUNTER_FIXED,
	  .config = 0xff, .enable = 0x400000 },
};

const struct pmon_layout imc = {
	.protocol = &protocol, .counter = imc_counters, .counters = 5,
	.ctl_bytes = 4, .box_ctl = 0,
};

static const struct pmon_counter cha_counters[] = {
	{ .width = 48, .ctl = 2, .ctr = 8, .filter = 14 },
	{ .width = 48, .ctl = 3, .ctr = 9, .filter = 14 },
	{ .width = 48, .ctl = 4, .ctr = 10, .filter = 14 },
	{ .width = 48, .ctl = 5, .ctr = 11, .filter = 14 },
};

const struct pmon_layout cha = {
	.protocol = &protocol_msr, .counter = cha_counters, .counters = 4,
	.ctl_bytes = 8, .filter_bytes = 8, .indexed = true, .box_ctl = 0,
};

static const struct pmon_counter upi_counters[] = {
	{ .width = 48, .ctl = 0x38, .ctr = 0x08 },
	{ .width = 48, .ctl = 0x40, .ctr = 0x10 },
	{ .width = 48, .ctl = 0x48, .ctr = 0x18 },
	{ .width = 48, .ctl = 0x50, .ctr = 0x20 },
};

const struct pmon_layout upi = {
	.protocol = &protocol, .counter = upi_counters, .counters = 4,
	.ctl_bytes = 8, .box_ctl = 0,
};

static const struct pmon_constraint constraints[] = {
	PMON_ON_COUNTERS(0x11, 0x1),
	{ }
};

static const struct pmon_type type = {
	.name = "test", .constraints = constraints, .ctl_event = ~0ULL,
	.fixed_config = 0xff, .filter_enable = BIT_ULL(16),
	.filter_mask = 0x3ff,
};

/* Free-running counters only. */
static const struct pmon_type free_type = { .name = "free" };

static u64 bank_clock(void)
{
	return fake_time;
}

static u64 bank_slept(void)
{
	return fake_slept;
}

static void bank_lost(struct pmon_event *event)
{
	container_of(event, struct counted, event)->lost++;
}

static void bank_report(struct pmon_bank *bank)
{
	container_of(bank, struct rig, bank)->reports++;
}

static void bank_handed_back(const struct pmon_regs *regs)
{
	container_of(regs, struct rig, bank.regs)->handed_back++;
}

static const struct pmon_bank_ops bank_ops = {
	.count = offsetof(struct counted, count),
	.lost = bank_lost, .report = bank_report,
	.clock = bank_clock,
	.slept = bank_slept,
	.ticks = &fake_time,
	.second = NSEC_PER_SEC,
};

struct rig *rig_new(struct kunit *test, const struct pmon_layout *layout,
		    bool split)
{
	struct rig *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, t);
	fake_init(&t->fake, test, split);
	t->bank.ops = &bank_ops;
	t->bank.slot = t->slot;
	t->bank.ctl_event = type.ctl_event;
	if (layout->protocol && layout->protocol->keeps &&
	    layout->protocol->bytes)
		t->fake.ops.hand_back = bank_handed_back;
	pmon_bank_init(&t->bank, layout, &t->fake.regs);
	return t;
}

void expect_all_ones(struct rig *t, u32 ctr)
{
	unsigned int i;

	for (i = 0; i < READS; i++)
		fake_read(&t->fake, ctr, ~0ULL);
}

void expect_responds(struct rig *t, bool responds)
{
	KUNIT_EXPECT_EQ(t->fake.test, t->bank.state,
			responds ? PMON_BOX_READY : PMON_BOX_UNRESPONSIVE);
}

void config(struct rig *t, unsigned int i, u64 config, u64 config1)
{
	pmon_event_init(&t->ev[i].event,
			pmon_layout_is_free_running(&t->bank.layout) ?
				&free_type : &type,
			&t->bank.layout, config, config1);
	t->ev[i].count = 0;
}

bool add(struct rig *t, unsigned int i)
{
	return pmon_bank_add(&t->bank, &t->ev[i].event);
}

void add_new(struct rig *t, unsigned int i, u64 word, u64 word1)
{
	config(t, i, word, word1);
	KUNIT_ASSERT_TRUE(t->fake.test, add(t, i));
}

void add_on(struct rig *t, unsigned int i, u64 word, unsigned int counter)
{
	config(t, i, word, 0);
	t->ev[i].event.allowed = BIT_ULL(counter);
	KUNIT_ASSERT_TRUE(t->fake.test, add(t, i));
}

void del(struct rig *t, unsigned int i)
{
	pmon_bank_del(&t->bank, &t->ev[i].event);
}

#define RIG_ACT(_name)							\
	void bank_##_name(struct rig *t)				\
	{								\
		pmon_bank_##_name(&t->bank);				\
		fake_done(&t->fake);					\
	}

RIG_ACT(tick)
RIG_ACT(resume)
RIG_ACT(hand_back)

void bank_ready(struct rig *t)
{
	pmon_bank_set_state(&t->bank, PMON_BOX_READY);
}

void bank_sync(struct rig *t)
{
	pmon_bank_read_at(&t->bank, t->bank.active, fake_time);
	fake_done(&t->fake);
}

void bank_read(struct rig *t, unsigned int i)
{
	int counter = t->ev[i].event.counted_on;

	pmon_bank_read(&t->bank, counter < 0 ? 0 : BIT_ULL(counter));
}

void apply(struct rig *t)
{
	pmon_bank_apply(&t->bank);
	fake_done(&t->fake);
}

void apply_script(struct rig *t, const struct fake_step *step)
{
	fake_script(&t->fake, step);
	apply(t);
}

void bank_snapshot(struct rig *t, u64 slots)
{
	pmon_bank_snapshot(&t->bank, slots);
	fake_done(&t->fake);
}

void expect_count(struct rig *t, unsigned int i, u32 ctr, u64 value,
		  u64 count)
{
	fake_read(&t->fake, ctr, value);
	bank_read(t, i);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ_MSG(t->fake.test, t->ev[i].count, count, "event %u", i);
}

void expect_four_reads(struct rig *t, u64 value)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		fake_read(&t->fake, t->bank.layout.counter[i].ctr, value + i);
}

void start_four(struct kunit *test, struct rig *t)
{
	const struct pmon_layout *l = &t->bank.layout;
	/* split: high halves at the first start only */
	u8 bytes = t->fake.ops.split && t->started ? 4 : l->ctl_bytes;
	unsigned int i;

	fake_write(&t->fake, l->box_ctl, RESET, l->protocol->bytes);
	for (i = 0; i < 4; i++) {
		config(t, i, 0x1 + i, 0);
		KUNIT_ASSERT_TRUE(test, add(t, i));
		fake_write(&t->fake, l->counter[i].ctl, 1 + i, bytes);
	}
	t->started = true;
	fake_write(&t->fake, l->box_ctl, RUN, l->protocol->bytes);
	apply(t);
}
