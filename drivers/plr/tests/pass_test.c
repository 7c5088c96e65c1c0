// SPDX-License-Identifier: GPL-2.0-only
/*
 * Passes over many modules: the exact accesses against a script, and several
 * mailboxes at once against small simulated instances that take their time.
 */
#include <linux/bitfield.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>

#include "../pass.h"
#include "fake.h"
#include "suites.h"

#define IF	PLR_MAILBOX_INTERFACE
#define DATA	PLR_MAILBOX_DATA
#define BUSY	PLR_MAILBOX_RUN_BUSY
#define CORE(_n)	((u64)(_n) << 12)
#define CLEAR(_n)	(CORE(_n) | PLR_COMMAND_WRITE)

/* Four each, and one look at the end. */
static void reads_four_each(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(0, CORE(2)), FAKE_READ(IF, CORE(2)), FAKE_READ(DATA, 4),
		FAKE_GIVE(CORE(2), CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 0),
		FAKE_GIVE(CORE(1), CORE(7)), FAKE_READ(IF, CORE(7)), FAKE_READ(DATA, 8),
		FAKE_READ(IF, CORE(7)),
	};
	struct plr_target targets[3] = { { .id = 2 }, { .id = 1 }, { .id = 7 } };
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	fake_plr_pass(fake, targets, 3);
	fake_plr_done(fake);
	fake_plr_expect(test, &targets[0], 0, 4);
	fake_plr_expect(test, &targets[1], 0, 0);
	fake_plr_expect(test, &targets[2], 0, 8);
}

/* The time before a command is given is not the hardware's. */
static void lost_cpu_before_the_command(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_READ(IF, 0), FAKE_WRITE(IF, BUSY | CORE(1)),
		FAKE_READS(IF, BUSY | CORE(1), 3), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 4),
		FAKE_READ(IF, CORE(1)),
	};
	struct plr_target target = { .id = 1 };
	struct fake_plr *fake = fake_plr_new(test);
	struct plr_pass pass;

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	plr_pass_begin(&pass, &fake->mailbox, &target, 1);
	fake_plr_pass_time(50 * PLR_TIMEOUT_NS);
	plr_pass_run(&pass, fake->mailbox.wait);
	fake_plr_done(fake);
	fake_plr_expect(test, &target, 0, 4);
}

/* Five more for each module that has something to clear, none for others. */
static void clears_what_is_set(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(0, CORE(2)), FAKE_READ(IF, CORE(2)), FAKE_READ(DATA, 4),
		FAKE_CLEAR(CORE(2), CLEAR(2)), FAKE_READ(IF, CLEAR(2)), FAKE_READ(DATA, 0),
		FAKE_GIVE(CLEAR(2), CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 0),
		FAKE_READ(IF, CORE(1)),
	};
	struct plr_target targets[2] = {
		{ .id = 2, .clear = U64_MAX }, { .id = 1, .clear = U64_MAX },
	};
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	fake_plr_pass(fake, targets, 2);
	fake_plr_done(fake);
	fake_plr_expect(test, &targets[0], 0, 4);
	fake_plr_expect(test, &targets[1], 0, 0);
}

/* Named reasons only: a module without one of them is left as it is. */
static void clears_for_a_mask(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(0, CORE(2)), FAKE_READ(IF, CORE(2)), FAKE_READ(DATA, 4),
		FAKE_GIVE(CORE(2), CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 12),
		FAKE_CLEAR(CORE(1), CLEAR(1)), FAKE_READ(IF, CLEAR(1)), FAKE_READ(DATA, 0),
	};
	struct plr_target targets[2] = { { .id = 2, .clear = 8 }, { .id = 1, .clear = 8 } };
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	fake_plr_pass(fake, targets, 2);
	fake_plr_done(fake);
	fake_plr_expect(test, &targets[0], 0, 4);
	fake_plr_expect(test, &targets[1], 0, 12);
}

/* Another agent's data in the register when it was cleared: once more. */
static void clear_is_verified(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(0, CORE(2)), FAKE_READ(IF, CORE(2)), FAKE_READ(DATA, 4),
		FAKE_CLEAR(CORE(2), CLEAR(2)), FAKE_READ(IF, CLEAR(2)), FAKE_READ(DATA, 8),
		FAKE_CLEAR(CLEAR(2), CLEAR(2)), FAKE_READ(IF, BUSY | CLEAR(2)),
		FAKE_READ(IF, CLEAR(2)), FAKE_READ(DATA, 0),
	};
	struct plr_target target = { .id = 2, .clear = U64_MAX };
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	fake_plr_pass(fake, &target, 1);
	fake_plr_done(fake);
	fake_plr_expect(test, &target, 0, 4);
	KUNIT_EXPECT_FALSE(test, fake->mailbox.opaque);
}

/* A part whose register has something else after a clear: not asked for ever. */
static void clear_cannot_be_verified(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(0, CORE(2)), FAKE_READ(IF, CORE(2)), FAKE_READ(DATA, 4),
		FAKE_CLEAR(CORE(2), CLEAR(2)), FAKE_READ(IF, CLEAR(2)), FAKE_READ(DATA, 8),
		FAKE_CLEAR(CLEAR(2), CLEAR(2)), FAKE_READ(IF, BUSY | CLEAR(2)),
		FAKE_READ(IF, CLEAR(2)), FAKE_READ(DATA, 8), FAKE_CLEAR(CLEAR(2), CLEAR(2)),
		FAKE_READ(IF, BUSY | CLEAR(2)), FAKE_READ(IF, CLEAR(2)), FAKE_READ(DATA, 8),
		FAKE_GIVE(CLEAR(2), CORE(3)), FAKE_READ(IF, CORE(3)), FAKE_READ(DATA, 4),
		FAKE_CLEAR(CORE(3), CLEAR(3)), FAKE_READ(IF, CLEAR(3)),
		FAKE_GIVE(CLEAR(3), CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 2),
		FAKE_CLEAR(CORE(1), CLEAR(1)), FAKE_READ(IF, CLEAR(1)),
	};
	struct plr_target targets[3] = {
		{ .id = 2, .clear = U64_MAX }, { .id = 3, .clear = U64_MAX },
		{ .id = 1, .clear = U64_MAX },
	};
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	fake_plr_pass(fake, targets, 3);
	fake_plr_done(fake);
	fake_plr_expect(test, &targets[0], 0, 4);
	fake_plr_expect(test, &targets[1], 0, 4);
	fake_plr_expect(test, &targets[2], 0, 2);
}

/* Stuck in the middle: what came before is kept, the rest is not waited for. */
static void stuck_in_the_middle(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(0, CORE(3)), FAKE_READ(IF, CORE(3)), FAKE_READ(DATA, 4),
		FAKE_READ(IF, CORE(3)), FAKE_WRITE(IF, BUSY | CORE(1)),
		FAKE_READ(IF, BUSY | CORE(1)),
	};
	struct plr_target targets[4] = { { .id = 3 }, { .id = 1 }, { .id = 2 }, { .id = 0 } };
	struct fake_plr *fake = fake_plr_new(test);
	u64 start = fake_plr_now();

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	fake->repeat = true;
	fake_plr_pass(fake, targets, 4);
	fake_plr_expect(test, &targets[0], 0, 4);
	fake_plr_expect(test, &targets[1], -ETIMEDOUT, 0);
	fake_plr_expect(test, &targets[2], -ETIMEDOUT, 0);
	fake_plr_expect(test, &targets[3], -ETIMEDOUT, 0);
	KUNIT_EXPECT_LT(test, fake_plr_now() - start, 2000000);
}

/* Stuck while clearing: what has been read is not lost. */
static void stuck_while_clearing(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(0, CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 4),
		FAKE_CLEAR(CORE(1), CLEAR(1)), FAKE_READ(IF, BUSY | CLEAR(1)),
	};
	struct plr_target target = { .id = 1, .clear = U64_MAX };
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	fake->repeat = true;
	fake_plr_pass(fake, &target, 1);
	KUNIT_EXPECT_EQ(test, target.ret, -ETIMEDOUT);
	KUNIT_EXPECT_TRUE(test, target.read);
	KUNIT_EXPECT_EQ(test, target.value, 4);
}

/* Let time for another agent's answer pass whenever the pass waits. */
static void run_patiently(struct fake_plr *fake, struct plr_target *targets, unsigned int count)
{
	struct plr_pass pass;
	unsigned int n;

	plr_pass_begin(&pass, &fake->mailbox, targets, count);
	for (n = 0; n < 100 && !plr_pass_step(&pass); n++)
		fake_plr_pass_time(PLR_GRACE_NS);
	fake_plr_done(fake);
}

/* Another agent took one command: that one is repeated, the data included. */
static void other_agent_during_a_clear(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(0, CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 4),
		FAKE_CLEAR(CORE(1), CLEAR(1)), FAKE_READ(IF, CORE(9)),
		FAKE_READS(IF, CORE(9), 3), FAKE_CLEAR(CORE(9), CLEAR(1)),
		FAKE_READ(IF, CLEAR(1)), FAKE_READ(DATA, 0),
	};
	struct plr_target target = { .id = 1, .clear = U64_MAX };
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	run_patiently(fake, &target, 1);
	fake_plr_expect(test, &target, 0, 4);
}

/* It came before the clear was given: what was read may be its own. */
static void other_agent_before_a_clear(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(0, CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 8),
		FAKE_READS(IF, CORE(9), 3), FAKE_GIVE(CORE(9), CORE(1)),
		FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 4),
		/* It may have asked for the same meanwhile, so a moment later. */
		FAKE_READS(IF, CORE(1), 3), FAKE_CLEAR(CORE(1), CLEAR(1)),
		FAKE_READ(IF, CLEAR(1)), FAKE_READ(DATA, 0),
	};
	struct plr_target target = { .id = 1, .clear = U64_MAX };
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	run_patiently(fake, &target, 1);
	fake_plr_expect(test, &target, 0, 4);
}

/* The next command is the look at the data of the one before. */
static void other_agent_between_modules(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(0, CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 8),
		FAKE_READ(IF, BUSY | CORE(9)), FAKE_READS(IF, CORE(9), 3),
		FAKE_GIVE(CORE(9), CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 4),
		FAKE_READS(IF, CORE(1), 3), FAKE_GIVE(CORE(1), CORE(2)),
		FAKE_READ(IF, CORE(2)), FAKE_READ(DATA, 1), FAKE_READ(IF, CORE(2)),
	};
	struct plr_target targets[2] = { { .id = 1 }, { .id = 2 } };
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	run_patiently(fake, targets, 2);
	fake_plr_expect(test, &targets[0], 0, 4);
	fake_plr_expect(test, &targets[1], 0, 1);
}

static void gone_in_the_middle(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_GIVE(0, CORE(3)), FAKE_READ(IF, CORE(3)), FAKE_READ(DATA, 4),
		FAKE_READ(IF, CORE(3)), FAKE_WRITE(IF, BUSY | CORE(1)), FAKE_READ(IF, U64_MAX),
	};
	struct plr_target targets[3] = { { .id = 3 }, { .id = 1 }, { .id = 2 } };
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	fake_plr_pass(fake, targets, 3);
	fake_plr_done(fake);
	fake_plr_expect(test, &targets[0], 0, 4);
	fake_plr_expect(test, &targets[1], -EIO, 0);
	fake_plr_expect(test, &targets[2], -EIO, 0);
}

/* A mailbox that is stuck with a core is never written over. */
static void stuck_core_is_waited_for(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_READ(IF, 0), FAKE_WRITE(IF, BUSY | CORE(1)),
		FAKE_READ(IF, BUSY | CORE(1)),
	};
	static const struct fake_access busy[] = {
		FAKE_READ(IF, BUSY | CORE(1)),
	};
	struct plr_target target = { .id = 1 };
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	fake->repeat = true;
	fake_plr_pass(fake, &target, 1);
	fake_plr_pass_time(60 * PLR_MESH_NS);
	fake_plr_script(fake, busy, ARRAY_SIZE(busy));
	fake->repeat = true;
	fake_plr_pass(fake, &target, 1);
	fake_plr_expect(test, &target, -ETIMEDOUT, 0);
}

/*
 * Another agent's command for the same came before the data were taken: those
 * are asked for anew, with all the looks that a command has.
 */
static void a_doubt_begins_anew(struct kunit *test)
{
	static const struct fake_access stuck[] = {
		FAKE_GIVE(0, CORE(1)), FAKE_READ(IF, BUSY | CORE(1)),
	};
	static const struct fake_access heals[] = {
		FAKE_READ(IF, BUSY | CORE(1)), FAKE_GIVE(CORE(1), CORE(2)),
		FAKE_READ(IF, CORE(2)), FAKE_READ(DATA, 4), FAKE_READS(IF, BUSY | CORE(1), 5),
	};
	struct plr_target target = { .id = 1 };
	struct fake_plr *fake = fake_plr_new(test);
	struct plr_pass pass;
	unsigned int n;

	fake_plr_script(fake, stuck, ARRAY_SIZE(stuck));
	fake->repeat = true;
	fake_plr_pass(fake, &target, 1);
	fake_plr_expect(test, &target, -ETIMEDOUT, 0);
	target.id = 2;
	fake_plr_script(fake, heals, ARRAY_SIZE(heals));
	plr_pass_begin(&pass, &fake->mailbox, &target, 1);
	KUNIT_EXPECT_FALSE(test, plr_pass_step(&pass));
	KUNIT_EXPECT_FALSE(test, plr_pass_step(&pass));
	KUNIT_EXPECT_FALSE(test, target.read);
	fake_plr_pass_time(PLR_TIMEOUT_NS);
	for (n = 0; n < 3; n++)
		KUNIT_EXPECT_FALSE(test, plr_pass_step(&pass));
	KUNIT_EXPECT_TRUE(test, plr_pass_step(&pass));
	fake_plr_done(fake);
	fake_plr_expect(test, &target, -ETIMEDOUT, 0);
}

static void die_is_cleared_with_zero(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_WRITE(PLR_DIE_LEVEL, 0),
	};
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	plr_die_clear(&fake->mailbox);
	fake_plr_done(fake);
}

/* A simulated instance: a command takes a time, or never ends. */
#define SIM_CORES	16

struct sim_plr {
	struct pmon_regs regs;
	struct plr_mailbox mailbox;
	struct plr_target targets[SIM_CORES];
	u64 core[SIM_CORES];
	u64 data;
	u64 command;
	u64 done_ns;
	u64 takes_ns;
	bool stuck;
};

static void sim_finish(struct sim_plr *sim)
{
	u64 *core = &sim->core[FIELD_GET(PLR_MAILBOX_ID, sim->command) % SIM_CORES];

	if (!(sim->command & BUSY) || sim->stuck || fake_plr_now() < sim->done_ns)
		return;
	sim->command &= ~BUSY;
	if (FIELD_GET(PLR_MAILBOX_COMMAND, sim->command) == PLR_COMMAND_WRITE)
		*core = sim->data;
	else
		sim->data = *core;
}

static u64 sim_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	struct sim_plr *sim = regs->priv;

	sim_finish(sim);

	return reg == IF ? sim->command : sim->data;
}

static int sim_write(const struct pmon_regs *regs, u32 reg, u64 value, u8 bytes)
{
	struct sim_plr *sim = regs->priv;

	if (reg == DATA) {
		sim->data = value;
		return 0;
	}
	sim->command = value;
	sim->done_ns = fake_plr_now() + sim->takes_ns;
	return 0;
}

static const struct pmon_regs_ops sim_ops = { .read = sim_read, .write = sim_write };

static struct sim_plr *sim_new(struct kunit *test, unsigned int domains, u64 takes_ns)
{
	struct sim_plr *sims = kunit_kzalloc(test, domains * sizeof(*sims), GFP_KERNEL);
	unsigned int d, c;

	KUNIT_ASSERT_NOT_NULL(test, sims);
	for (d = 0; d < domains; d++) {
		sims[d].regs.ops = &sim_ops;
		sims[d].regs.priv = &sims[d];
		sims[d].mailbox.regs = &sims[d].regs;
		sims[d].mailbox.wait = fake_plr_wait();
		sims[d].takes_ns = takes_ns;
		for (c = 0; c < SIM_CORES; c++) {
			sims[d].core[c] = d * 100 + c;
			sims[d].targets[c].id = c;
		}
	}

	return sims;
}

static u64 sim_run(struct sim_plr *sims, unsigned int domains)
{
	struct plr_pass passes[8];
	u64 start = fake_plr_now();
	unsigned int d;

	for (d = 0; d < domains; d++) {
		plr_pass_begin(&passes[d], &sims[d].mailbox, sims[d].targets, SIM_CORES);
		if (d)
			passes[d - 1].next = &passes[d];
	}
	plr_pass_run(passes, fake_plr_wait());

	return fake_plr_now() - start;
}

/* Six domains whose mailboxes take 100 us: about the time of one. */
static void domains_side_by_side(struct kunit *test)
{
	struct sim_plr *sims = sim_new(test, 6, 100000);
	u64 one = sim_run(sims, 1), six;
	unsigned int d, c;

	sims = sim_new(test, 6, 100000);
	six = sim_run(sims, 6);
	KUNIT_EXPECT_GE(test, one, SIM_CORES * 100000ULL);
	KUNIT_EXPECT_LT(test, six * 4, one * 5);
	for (d = 0; d < 6; d++)
		for (c = 0; c < SIM_CORES; c++)
			fake_plr_expect(test, &sims[d].targets[c], 0, d * 100 + c);
}

static void stuck_domain_delays_no_other(struct kunit *test)
{
	struct sim_plr *sims = sim_new(test, 3, 1000);
	unsigned int c;
	u64 took;

	sims[1].stuck = true;
	took = sim_run(sims, 3);
	KUNIT_EXPECT_LT(test, took, 2000000);
	for (c = 0; c < SIM_CORES; c++) {
		fake_plr_expect(test, &sims[0].targets[c], 0, c);
		fake_plr_expect(test, &sims[1].targets[c], -ETIMEDOUT, 0);
		fake_plr_expect(test, &sims[2].targets[c], 0, 200 + c);
	}

	sims[1].stuck = false;
	sim_run(sims, 3);
	for (c = 0; c < SIM_CORES; c++)
		fake_plr_expect(test, &sims[1].targets[c], 0, 100 + c);
}

/* Longer than a command may take in all, but each of them in time. */
static void slow_pass_is_no_timeout(struct kunit *test)
{
	struct sim_plr *sims = sim_new(test, 1, 900000);

	KUNIT_EXPECT_GT(test, sim_run(sims, 1), SIM_CORES * 900000ULL);
	fake_plr_expect(test, &sims[0].targets[0], 0, 0);
	fake_plr_expect(test, &sims[0].targets[SIM_CORES - 1], 0, SIM_CORES - 1);
}

static void clears_in_a_simulated_instance(struct kunit *test)
{
	struct sim_plr *sims = sim_new(test, 2, 1000);
	unsigned int c;

	for (c = 0; c < SIM_CORES; c++)
		sims[1].targets[c].clear = U64_MAX;
	sim_run(sims, 2);
	for (c = 0; c < SIM_CORES; c++) {
		KUNIT_EXPECT_EQ(test, sims[0].core[c], c);
		KUNIT_EXPECT_EQ(test, sims[1].core[c], 0);
		fake_plr_expect(test, &sims[1].targets[c], 0, 100 + c);
	}
}

/* A reader that loses the CPU while another agent has its turn looks again. */
static void others_while_asleep(struct kunit *test)
{
	static const struct fake_access other[] = {
		FAKE_READ(IF, BUSY | CORE(4)),
	};
	static const struct fake_access left[] = {
		FAKE_READS(IF, CORE(4), PLR_GRACE_LOOKS),
	};
	static const struct fake_access ours[] = {
		FAKE_GIVE(CORE(4), CORE(3)), FAKE_READ(IF, CORE(3)), FAKE_READ(DATA, 0x4),
		FAKE_READ(IF, CORE(3)),
	};
	struct fake_plr *fake = fake_plr_new(test);
	struct plr_target target = { .id = 3 };
	struct plr_pass pass;
	unsigned int n;

	plr_pass_begin(&pass, &fake->mailbox, &target, 1);
	fake_plr_script(fake, other, ARRAY_SIZE(other));
	KUNIT_EXPECT_FALSE(test, plr_pass_step(&pass));
	fake_plr_pass_time(PLR_TURN_NS);
	fake_plr_script(fake, left, ARRAY_SIZE(left));
	for (n = 0; n < PLR_GRACE_LOOKS; n++)
		KUNIT_EXPECT_FALSE(test, plr_pass_step(&pass));
	fake_plr_pass_time(PLR_GRACE_NS);
	fake_plr_script(fake, ours, ARRAY_SIZE(ours));
	while (!plr_pass_step(&pass))
		fake_plr_pass_time(PLR_GRACE_NS);
	fake_plr_done(fake);
	KUNIT_EXPECT_EQ(test, target.ret, 0);
	KUNIT_EXPECT_EQ(test, target.value, 0x4);
}

static struct kunit_case plr_pass_cases[] = {
	KUNIT_CASE(reads_four_each),
	KUNIT_CASE(lost_cpu_before_the_command),
	KUNIT_CASE(clears_what_is_set),
	KUNIT_CASE(clears_for_a_mask),
	KUNIT_CASE(clear_is_verified),
	KUNIT_CASE(clear_cannot_be_verified),
	KUNIT_CASE(stuck_in_the_middle),
	KUNIT_CASE(stuck_while_clearing),
	KUNIT_CASE(other_agent_during_a_clear),
	KUNIT_CASE(other_agent_before_a_clear),
	KUNIT_CASE(other_agent_between_modules),
	KUNIT_CASE(gone_in_the_middle),
	KUNIT_CASE(stuck_core_is_waited_for),
	KUNIT_CASE(a_doubt_begins_anew),
	KUNIT_CASE(die_is_cleared_with_zero),
	KUNIT_CASE(domains_side_by_side),
	KUNIT_CASE(stuck_domain_delays_no_other),
	KUNIT_CASE(slow_pass_is_no_timeout),
	KUNIT_CASE(clears_in_a_simulated_instance),
	KUNIT_CASE(others_while_asleep),
	{}
};

struct kunit_suite plr_pass_suite = {
	.name = "plr_pass",
	.test_cases = plr_pass_cases,
};
