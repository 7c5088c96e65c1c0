// SPDX-License-Identifier: GPL-2.0-only
/* Compare each access with the next step of a script. */
#include <linux/bits.h>
#include <linux/errno.h>

#include "fake.h"

/* As on a machine that has run for a while; 0 would also mean never. */
u64 fake_time = 100 * 1000000000ULL;
u64 fake_sleep_ns;

static struct fake_step *fake_next(struct fake *fake)
{
	fake_time += FAKE_ACCESS_NS;
	if (fake->at == fake->steps)
		return NULL;
	return &fake->step[fake->at++];
}

static u64 fake_do_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	struct fake *fake = regs->priv;
	struct fake_step *step = fake_next(fake);

	if (!step || !step->read || step->reg != reg || step->bytes != bytes) {
		KUNIT_FAIL(fake->test, "access %u: read of 0x%x, %u bytes",
			   fake->at, reg, bytes);
		return 0;
	}
	return step->val;
}

static int fake_do_write(const struct pmon_regs *regs, u32 reg, u64 val,
			 u8 bytes)
{
	struct fake *fake = regs->priv;
	struct fake_step *step = fake_next(fake);

	if (!step || step->read || step->reg != reg || step->bytes != bytes ||
	    step->val != val)
		KUNIT_FAIL(fake->test, "access %u: write of 0x%x, %u bytes: %llx",
			   fake->at, reg, bytes, (unsigned long long)val);
	return step && step->refused ? -EWOULDBLOCK : 0;
}

void fake_init(struct fake *fake, struct kunit *test, bool split)
{
	fake->test = test;
	fake->steps = 0;
	fake->at = 0;
	fake->ops = (struct pmon_regs_ops) {
		.read = fake_do_read, .write = fake_do_write, .split = split,
	};
	fake->regs = (struct pmon_regs) { .ops = &fake->ops, .priv = fake };
}

static void fake_add(struct fake *fake, struct fake_step step)
{
	KUNIT_ASSERT_LT(fake->test, fake->steps, FAKE_STEPS_MAX);
	fake->step[fake->steps++] = step;
}

void fake_write(struct fake *fake, u32 reg, u64 val, u8 bytes)
{
	fake_add(fake, (struct fake_step) {
		.reg = reg, .val = val, .bytes = bytes,
	});
}

void fake_read_bytes(struct fake *fake, u32 reg, u64 val, u8 bytes)
{
	fake_add(fake, (struct fake_step) {
		.read = true, .reg = reg, .val = val, .bytes = bytes,
	});
}

void fake_read(struct fake *fake, u32 reg, u64 val)
{
	fake_read_bytes(fake, reg, val, 8);
}

void fake_script(struct fake *fake, const struct fake_step *step)
{
	for (; step->bytes; step++)
		fake_add(fake, *step);
}

void fake_refused(struct fake *fake)
{
	struct fake_step *last = &fake->step[fake->steps - 1];

	last->refused = true;
	if (last->read)
		last->val = GENMASK_ULL(8 * last->bytes - 1, 0);
}

void fake_done(struct fake *fake)
{
	KUNIT_EXPECT_EQ(fake->test, fake->at, fake->steps);
	fake->at = 0;
	fake->steps = 0;
}
