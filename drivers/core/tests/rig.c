// SPDX-License-Identifier: GPL-2.0-only
/* Drive a box and its events on a scripted register space. */
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

static const struct pmon_counter mixed_counters[] = {
	{ .width = 48, .ctr = 0x100, .config = 0xff,
	  .kind = PMON_COUNTER_FREE_RUNNING },
	{ .width = 48, .ctl = 0x40, .ctr = 0x8 },
};

const struct pmon_layout mixed = {
	.protocol = &protocol, .counter = mixed_counters, .counters = 2,
	.ctl_bytes = 4, .box_ctl = 0,
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

/* A type with free-running counters only. */
static const struct pmon_type free_type = { .name = "free" };

static u64 rig_clock(void)
{
	return fake_time;
}

static u64 rig_sleep_ns(void)
{
	return fake_sleep_ns;
}

/* Look for events that failed, as the core does for perf. */
static void rig_see_lost(struct rig *t)
{
	struct counted *ev = t->ev;

	for (; t->hw.has_lost && ev < t->ev + ARRAY_SIZE(t->ev); ev++) {
		ev->lost += ev->event.failed && !ev->is_lost;
		ev->is_lost |= ev->event.failed;
	}
	t->hw.has_lost = false;
}

static void rig_report(struct pmon_box_hw *hw)
{
	container_of(hw, struct rig, hw)->reports++;
}

static void rig_on_release(const struct pmon_regs *regs)
{
	container_of(regs, struct rig, hw.regs)->released++;
}

static const struct pmon_hw_ops rig_ops = {
	.count = offsetof(struct counted, count),
	.report = rig_report,
	.clock = rig_clock,
	.sleep_ns = rig_sleep_ns,
	.ticks = &fake_time,
	.second = NSEC_PER_SEC,
};

struct rig *rig_new(struct kunit *test, const struct pmon_layout *layout,
		    bool split)
{
	struct rig *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, t);
	fake_init(&t->fake, test, split);
	t->hw.ops = &rig_ops;
	t->hw.counter = t->counter;
	t->hw.ctl_event = type.ctl_event;
	if (layout->protocol && layout->protocol->no_reset &&
	    layout->protocol->bytes)
		t->fake.ops.release = rig_on_release;
	pmon_hw_init(&t->hw, layout, &t->fake.regs);
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
	KUNIT_EXPECT_EQ(t->fake.test, t->hw.state,
			responds ? PMON_BOX_READY : PMON_BOX_UNRESPONSIVE);
}

void config(struct rig *t, unsigned int i, u64 config, u64 config1)
{
	pmon_event_init(&t->ev[i].event,
			pmon_layout_is_free_running(&t->hw.layout) ?
				&free_type : &type,
			&t->hw.layout, config, config1);
	t->ev[i].count = 0;
}

bool add(struct rig *t, unsigned int i)
{
	t->ev[i].is_lost = false;
	return pmon_hw_add(&t->hw, &t->ev[i].event);
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
	pmon_hw_del(&t->hw, &t->ev[i].event);
}

#define RIG_ACT(_name)							\
	void rig_##_name(struct rig *t)				\
	{								\
		pmon_hw_##_name(&t->hw);				\
		rig_see_lost(t);					\
		fake_done(&t->fake);					\
	}

RIG_ACT(tick)
RIG_ACT(resume)
RIG_ACT(release)

bool rig_probe(struct rig *t)
{
	bool responds = pmon_hw_probe(&t->hw);

	if (responds)
		pmon_hw_recover(&t->hw);
	else
		pmon_hw_no_response(&t->hw, false);
	fake_done(&t->fake);
	return responds;
}

void rig_ready(struct rig *t)
{
	pmon_hw_set_state(&t->hw, PMON_BOX_READY);
}

void rig_sync(struct rig *t)
{
	u64 each;

	for (each = t->hw.active; each; each &= each - 1)
		pmon_hw_read_one(&t->hw, __ffs64(each));
	fake_done(&t->fake);
}

void rig_read(struct rig *t, unsigned int i)
{
	int counter = t->ev[i].event.counted_on;

	if (counter >= 0)
		pmon_hw_read_one(&t->hw, counter);
}

void apply(struct rig *t)
{
	pmon_hw_apply(&t->hw);
	rig_see_lost(t);
	fake_done(&t->fake);
}

void apply_script(struct rig *t, const struct fake_step *step)
{
	fake_script(&t->fake, step);
	apply(t);
}

void rig_snapshot(struct rig *t, u64 counters)
{
	pmon_hw_snapshot(&t->hw, counters);
	fake_done(&t->fake);
}

void expect_count(struct rig *t, unsigned int i, u32 ctr, u64 value,
		  u64 count)
{
	fake_read(&t->fake, ctr, value);
	rig_read(t, i);
	fake_done(&t->fake);
	KUNIT_EXPECT_EQ_MSG(t->fake.test, t->ev[i].count, count, "event %u", i);
}

void expect_four_reads(struct rig *t, u64 value)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		fake_read(&t->fake, t->hw.layout.counter[i].ctr, value + i);
}

void expect_restart(struct rig *t, const u64 *value)
{
	const struct pmon_layout *l = &t->hw.layout;
	u64 events = t->hw.active & t->hw.controlled;
	unsigned int i, n = 0;

	fake_write(&t->fake, l->box_ctl, FREEZE, l->protocol->bytes);
	for (i = 0; i < l->counters; i++)
		if (t->hw.active & BIT_ULL(i))
			fake_read(&t->fake, l->counter[i].ctr, value[n++]);
	fake_write(&t->fake, l->box_ctl, RESET, l->protocol->bytes);
	for (i = 0; i < l->counters; i++)
		if (events & BIT_ULL(i))
			fake_write(&t->fake, l->counter[i].ctl,
				   t->counter[i].counted->ctl,
				   t->fake.ops.split ? 4 : l->ctl_bytes);
	for (i = 0, n = 0; i < l->counters; i++) {
		if (events & BIT_ULL(i) &&
		    l->counter[i].kind == PMON_COUNTER_FIXED)
			fake_read(&t->fake, l->counter[i].ctr, value[n]);
		n += !!(t->hw.active & BIT_ULL(i));
	}
	fake_write(&t->fake, l->box_ctl, RUN, l->protocol->bytes);
}

void expect_period(struct rig *t, const u64 *value)
{
	const struct pmon_layout *l = &t->hw.layout;
	unsigned int i;

	fake_read_bytes(&t->fake, l->box_ctl, RUN, l->protocol->bytes);
	for (i = 0; i < l->counters; i++)
		if (t->hw.active & t->hw.controlled & BIT_ULL(i))
			fake_read_bytes(&t->fake, l->counter[i].ctl,
					t->counter[i].counted->ctl,
					l->ctl_bytes);
	expect_restart(t, value);
}

void start_four(struct kunit *test, struct rig *t)
{
	const struct pmon_layout *l = &t->hw.layout;
	/* if split, only the first start writes the high halves */
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

/* Expect the start of event 0 on counter 0. */
void rig_expect_start(struct rig *t)
{
	expect(t, W4(0, RESET), W4(0x40, 0x1), W4(0, RUN));
}

/* Make a box of memory whose event 0 counts on counter 0 and has counted 50. */
struct rig *rig_counting(struct kunit *test)
{
	struct rig *t = rig_new(test, &imc, false);

	add_new(t, 0, 0x1, 0);
	rig_expect_start(t);
	apply(t);
	expect_count(t, 0, 0x8, 50, 50);
	return t;
}
