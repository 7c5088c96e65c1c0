/* SPDX-License-Identifier: GPL-2.0-only */
/* Drive boxes with a freeze, but no reset: CXL CPMUs (CXL 3.1, 8.2.7). */
#ifndef PMON_CORE_TEST_CPMU_H
#define PMON_CORE_TEST_CPMU_H

#include <linux/bits.h>

#include "rig.h"

#define CPMU_CFG(n)	(0x200 + 8 * (n))
#define CPMU_CTR(n)	(0xc00 + 8 * (n))
#define CPMU_BOX	0x18
#define CPMU_STOP	(~0ULL)
#define CPMU_ENABLE	0x100
/* Control value of an event. */
#define CPMU_ON(_event)	((u64)(_event) << 24 | CPMU_ENABLE)

static const struct pmon_protocol cpmu_protocol = {
	.freeze = CPMU_STOP, .reset = CPMU_STOP, .run = 0, .bytes = 8,
	.no_reset = true, .rate_log2 = 32,
};

static const struct pmon_type cpmu_type = {
	.ctl_event = GENMASK_ULL(55, 24), .ctl_set = CPMU_ENABLE,
};

static inline struct rig *box(struct kunit *test,
			      const struct pmon_layout *layout)
{
	struct rig *t = rig_new(test, layout, false);

	KUNIT_ASSERT_NULL(test, pmon_layout_valid(layout, 0));
	t->hw.ctl_event = cpmu_type.ctl_event | cpmu_type.ctl_set;
	return t;
}

/* The controls of @counters are known to be off. */
static inline void set_off(struct pmon_box_hw *hw, u64 counters)
{
	for (; counters; counters &= counters - 1)
		hw->counter[__ffs64(counters)].ctl = 0;
}

static inline void want_among(struct rig *t, unsigned int i, u64 config,
			      u64 counters)
{
	pmon_event_init(&t->ev[i].event, &cpmu_type, &t->hw.layout, config,
			0);
	t->ev[i].event.allowed &= counters;
	t->ev[i].count = 0;
	KUNIT_ASSERT_TRUE(t->fake.test, add(t, i));
}

static inline void want(struct rig *t, unsigned int i, u64 config)
{
	want_among(t, i, config, ~0ULL);
}

/* Add an event on @counter. */
static inline void want_on(struct rig *t, unsigned int i, u64 config,
			   unsigned int counter)
{
	want_among(t, i, config, BIT_ULL(counter));
}

static inline void w(struct rig *t, u32 reg, u64 val)
{
	fake_write(&t->fake, reg, val, 8);
}

static inline void r(struct rig *t, u32 reg, u64 val)
{
	fake_read(&t->fake, reg, val);
}

/*
 * Expect the start of a single event on counter 0: read @value from the stopped
 * counter, write control @ctl, and run the CPMU, because it may be frozen.
 */
static inline void expect_one(struct rig *t, u64 ctl, u64 value)
{
	r(t, CPMU_CTR(0), value);
	w(t, CPMU_CFG(0), ctl);
	w(t, CPMU_BOX, 0);
}

/* Start event @i with number @event, alone on counter 0, which holds @value. */
static inline void begin_one(struct rig *t, unsigned int i, unsigned int event,
			     u64 value)
{
	want_on(t, i, event << 24, 0);
	expect_one(t, CPMU_ON(event), value);
	apply(t);
}

/* Delete event @i; counter 0 holds @value. */
static inline void end_one(struct rig *t, unsigned int i, u64 value)
{
	del(t, i);
	apply_as(t, W8(CPMU_CFG(0), 0), R8(CPMU_CTR(0), value));
}

#endif /* PMON_CORE_TEST_CPMU_H */
