// SPDX-License-Identifier: GPL-2.0-only
/* A scripted PLR instance: every access must be the next one of the script. */
#include <linux/kernel.h>

#include "fake.h"

static u64 fake_clock_ns;
static u64 fake_lost_ns;

/* The access that is expected now: some are several. */
static struct fake_access fake_expected(const struct fake_plr *fake)
{
	struct fake_access access = fake->script[fake->next];
	unsigned int step = fake->done;

	if (access.given && !step)
		return (struct fake_access)FAKE_READ(PLR_MAILBOX_INTERFACE, access.before);
	if (access.zeroed && step == 1)
		return (struct fake_access)FAKE_WRITE(PLR_MAILBOX_DATA, 0);

	return access;
}

static unsigned int fake_accesses(const struct fake_access *access)
{
	if (access->times)
		return access->times;

	return 1 + access->given + access->zeroed;
}

static struct fake_access fake_take(struct fake_plr *fake, bool write, u32 reg)
{
	struct fake_access none = {};
	struct fake_access access;

	if (fake->next >= fake->length) {
		KUNIT_FAIL(fake->test, "access %zu is one too many: %c 0x%x",
			   fake->next, write ? 'w' : 'r', reg);
		return none;
	}

	access = fake_expected(fake);
	KUNIT_EXPECT_EQ(fake->test, access.write, write);
	KUNIT_EXPECT_EQ(fake->test, access.reg, reg);
	if (++fake->done < fake_accesses(&fake->script[fake->next]))
		return access;
	fake->done = 0;
	if (!fake->repeat || fake->next + 1 < fake->length)
		fake->next++;

	return access;
}

static u64 fake_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	struct fake_plr *fake = regs->priv;

	KUNIT_EXPECT_TRUE(fake->test, bytes == 8 || fake->any_width);

	return fake_take(fake, false, reg).value;
}

static int fake_write(const struct pmon_regs *regs, u32 reg, u64 value, u8 bytes)
{
	struct fake_plr *fake = regs->priv;

	KUNIT_EXPECT_TRUE(fake->test, bytes == 8 || fake->any_width);
	KUNIT_EXPECT_EQ(fake->test, fake_take(fake, true, reg).value, value);
	return 0;
}

static const struct pmon_regs_ops fake_regs_ops = {
	.read = fake_read,
	.write = fake_write,
};

u64 fake_plr_now(void)
{
	return fake_clock_ns;
}

static void fake_sleep(unsigned int us)
{
	fake_clock_ns += us * 1000ULL + fake_lost_ns;
	fake_lost_ns = 0;
}

static unsigned long fake_hold_cpu(void)
{
	return 0;
}

static void fake_let_go(unsigned long flags)
{
}

static const struct plr_wait fake_wait = {
	.now_ns = fake_plr_now,
	.sleep_us = fake_sleep,
	.hold_cpu = fake_hold_cpu,
	.let_go = fake_let_go,
};

const struct plr_wait *fake_plr_wait(void)
{
	return &fake_wait;
}

/* The next sleep takes this much longer: its caller lost the CPU. */
void fake_plr_lose_cpu(u64 ns)
{
	fake_lost_ns = ns;
}

void fake_plr_pass_time(u64 ns)
{
	fake_clock_ns += ns;
}

struct fake_plr *fake_plr_new(struct kunit *test)
{
	struct fake_plr *fake = kunit_kzalloc(test, sizeof(*fake), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, fake);
	fake->test = test;
	fake->regs.ops = &fake_regs_ops;
	fake->regs.priv = fake;
	fake->mailbox.regs = &fake->regs;
	fake->mailbox.wait = &fake_wait;

	return fake;
}

void fake_plr_script(struct fake_plr *fake, const struct fake_access *script, size_t length)
{
	fake->script = script;
	fake->length = length;
	fake->next = 0;
	fake->done = 0;
	fake->repeat = false;
}

/* All that the script expects has happened. */
void fake_plr_done(struct fake_plr *fake)
{
	KUNIT_EXPECT_EQ(fake->test, fake->next, fake->length);
}

/* A pass over these targets. Return: which one has failed, @count for none. */
unsigned int fake_plr_pass(struct fake_plr *fake, struct plr_target *targets,
			   unsigned int count)
{
	struct plr_pass pass;

	plr_pass_begin(&pass, &fake->mailbox, targets, count);
	plr_pass_run(&pass, fake->mailbox.wait);

	return pass.failed;
}

/* What a pass has brought for a target. */
void fake_plr_expect(struct kunit *test, const struct plr_target *target, int ret,
		     u64 value)
{
	KUNIT_EXPECT_EQ(test, target->ret, ret);
	KUNIT_EXPECT_EQ(test, target->value, ret ? 0 : value);
}
