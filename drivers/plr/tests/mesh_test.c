// SPDX-License-Identifier: GPL-2.0-only
/*
 * The mesh is the last target of a pass: whether it answers, and which of the
 * targets it was that did not.
 */
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
#define MESH	BIT_ULL(8)

/*
 * Hardware may not know the mesh and never finish. A core does not wait for it;
 * when one has answered, the mesh is asked again a second later, and no more.
 */
static void mesh_does_not_answer(struct kunit *test)
{
	static const struct fake_access asked[] = {
		FAKE_GIVE(0, CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 4),
		FAKE_GIVE(CORE(1), MESH), FAKE_READ(IF, BUSY | MESH),
	};
	static const struct fake_access soon[] = {
		FAKE_GIVE(BUSY | MESH, CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 8),
		FAKE_READ(IF, CORE(1)),
	};
	static const struct fake_access later[] = {
		FAKE_GIVE(CORE(1), CORE(2)), FAKE_READ(IF, CORE(2)), FAKE_READ(DATA, 8),
		FAKE_GIVE(CORE(2), MESH), FAKE_READ(IF, BUSY | MESH),
	};
	static const struct fake_access over[] = {
		FAKE_GIVE(BUSY | MESH, CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 1),
		FAKE_READ(IF, CORE(1)),
	};
	struct plr_target targets[2] = { { .id = 1 }, { .domain = PLR_DOMAIN_MESH } };
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, asked, ARRAY_SIZE(asked));
	fake->repeat = true;
	fake_plr_pass(fake, targets, 2);
	fake_plr_expect(test, &targets[0], 0, 4);
	fake_plr_expect(test, &targets[1], -ETIMEDOUT, 0);

	fake_plr_script(fake, soon, ARRAY_SIZE(soon));
	fake_plr_pass(fake, targets, 2);
	fake_plr_done(fake);
	fake_plr_expect(test, &targets[0], 0, 8);
	fake_plr_expect(test, &targets[1], -ETIMEDOUT, 0);
	KUNIT_EXPECT_FALSE(test, fake->mailbox.mesh_lost);

	fake_plr_pass_time(PLR_MESH_NS);
	targets[0].id = 2;
	fake_plr_script(fake, later, ARRAY_SIZE(later));
	fake->repeat = true;
	fake_plr_pass(fake, targets, 2);
	targets[0].id = 1;
	fake_plr_script(fake, over, ARRAY_SIZE(over));
	fake_plr_pass(fake, targets, 2);
	fake_plr_done(fake);
	KUNIT_EXPECT_TRUE(test, fake->mailbox.mesh_lost);
	fake_plr_pass(fake, &targets[1], 1);
	fake_plr_done(fake);
	fake_plr_expect(test, &targets[1], -ENXIO, 0);
}

/* Another agent's command for a mesh, and one for a core written over it. */
static const struct fake_access mesh_busy[] = {
	FAKE_READ(IF, BUSY | MESH),
};

static const struct fake_access mesh_over[] = {
	FAKE_GIVE(BUSY | MESH, CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 4),
	FAKE_READ(IF, CORE(1)),
};

/*
 * A command for the mesh that does not end, from another agent or from before
 * the module was loaded: it is written over like one of ours, but is no try of
 * ours. A command for a core is not.
 */
static void mesh_of_another(struct kunit *test)
{
	static const struct fake_access core[] = {
		FAKE_READ(IF, BUSY | CORE(3)),
	};
	struct plr_target target = { .id = 1 };
	struct fake_plr *fake = fake_plr_new(test);
	unsigned int n;

	for (n = 0; n < 2 * PLR_MESH_TRIES; n++) {
		fake_plr_script(fake, mesh_busy, ARRAY_SIZE(mesh_busy));
		fake->repeat = true;
		fake_plr_pass(fake, &target, 1);
		fake_plr_expect(test, &target, -ETIMEDOUT, 0);
		fake_plr_script(fake, mesh_over, ARRAY_SIZE(mesh_over));
		fake_plr_pass(fake, &target, 1);
		fake_plr_done(fake);
		fake_plr_expect(test, &target, 0, 4);
		target.value = 0;
		fake_plr_pass_time(PLR_SHARED_NS);
	}
	KUNIT_EXPECT_FALSE(test, fake->mailbox.mesh_lost);
	KUNIT_EXPECT_TRUE(test, plr_mailbox_may_ask_mesh(&fake->mailbox));
	/* After one that did not answer: not before the second is over. */
	fake->mailbox.mesh_tries = 1;
	fake->mailbox.mesh_ns = fake_plr_now();
	fake_plr_pass_time(PLR_MESH_NS - 1);
	KUNIT_EXPECT_FALSE(test, plr_mailbox_may_ask_mesh(&fake->mailbox));
	fake_plr_pass_time(1);
	KUNIT_EXPECT_TRUE(test, plr_mailbox_may_ask_mesh(&fake->mailbox));
	fake->mailbox.mesh_tries = 0;

	for (n = 0; n < 2; n++) {
		fake_plr_script(fake, core, ARRAY_SIZE(core));
		fake->repeat = true;
		fake_plr_pass(fake, &target, 1);
		fake_plr_expect(test, &target, -ETIMEDOUT, 0);
	}
}

/*
 * One of ours that another pass has found there, and one that another agent's
 * came after, are tries of ours all the same.
 */
static void mesh_of_ours(struct kunit *test)
{
	static const struct fake_access ours[] = {
		FAKE_GIVE(0, MESH), FAKE_READ(IF, BUSY | MESH),
	};
	static const struct fake_access lost[] = {
		FAKE_GIVE(BUSY | MESH, CORE(1)), FAKE_READ(IF, BUSY | MESH),
	};
	static const struct fake_access after[] = {
		FAKE_READS(IF, CORE(1), PLR_GRACE_LOOKS - 1), FAKE_GIVE(CORE(1), MESH),
		FAKE_READ(IF, BUSY | MESH),
	};
	struct plr_target core = { .id = 1 }, mesh = { .domain = PLR_DOMAIN_MESH };
	struct fake_plr *fake;
	unsigned int n;

	for (n = 0; n < 2; n++) {
		fake = fake_plr_new(test);
		fake_plr_script(fake, ours, ARRAY_SIZE(ours));
		fake->repeat = true;
		fake_plr_pass(fake, &mesh, 1);
		fake_plr_expect(test, &mesh, -ETIMEDOUT, 0);
		if (n)
			fake_plr_script(fake, lost, ARRAY_SIZE(lost));
		else
			fake_plr_script(fake, mesh_busy, ARRAY_SIZE(mesh_busy));
		fake->repeat = true;
		fake_plr_pass(fake, n ? &core : &mesh, 1);
		KUNIT_EXPECT_EQ(test, n ? core.ret : mesh.ret, -ETIMEDOUT);
		fake_plr_script(fake, mesh_over, ARRAY_SIZE(mesh_over));
		fake_plr_pass(fake, &core, 1);
		fake_plr_done(fake);
		fake_plr_expect(test, &core, 0, 4);
		KUNIT_EXPECT_EQ(test, fake->mailbox.mesh_tries, 1U);
		core.value = 0;
	}
	/* And one after another agent's was written over. */
	fake = fake_plr_new(test);
	fake_plr_script(fake, mesh_busy, ARRAY_SIZE(mesh_busy));
	fake->repeat = true;
	fake_plr_pass(fake, &core, 1);
	fake_plr_script(fake, mesh_over, ARRAY_SIZE(mesh_over));
	fake_plr_pass(fake, &core, 1);
	fake_plr_done(fake);
	KUNIT_EXPECT_EQ(test, fake->mailbox.mesh_tries, 0U);
	fake_plr_script(fake, after, ARRAY_SIZE(after));
	fake->repeat = true;
	fake_plr_pass(fake, &mesh, 1);
	fake_plr_expect(test, &mesh, -ETIMEDOUT, 0);
	fake_plr_script(fake, mesh_over, ARRAY_SIZE(mesh_over));
	fake_plr_pass(fake, &core, 1);
	KUNIT_EXPECT_EQ(test, fake->mailbox.mesh_tries, 1U);
}

/* Ours is over, and another agent's is there: not written over at once. */
static void mesh_of_another_after_our_mesh(struct kunit *test)
{
	static const struct fake_access ours[] = {
		FAKE_GIVE(0, MESH), FAKE_READ(IF, BUSY | MESH),
	};
	static const struct fake_access others[] = {
		FAKE_READ(IF, CORE(9)), FAKE_READ(IF, BUSY | MESH),
	};
	/* Also where ours has just brought its answer. */
	static const struct fake_access answered[] = {
		FAKE_GIVE(0, MESH), FAKE_READ(IF, MESH), FAKE_READ(DATA, 4),
		FAKE_READ(IF, BUSY | MESH),
	};
	struct plr_target core = { .id = 1 }, mesh = { .domain = PLR_DOMAIN_MESH };
	struct plr_target both[2] = { { .domain = PLR_DOMAIN_MESH }, { .id = 1 } };
	struct fake_plr *fake = fake_plr_new(test);
	struct plr_pass pass;

	fake_plr_script(fake, ours, ARRAY_SIZE(ours));
	fake->repeat = true;
	fake_plr_pass(fake, &mesh, 1);
	fake_plr_expect(test, &mesh, -ETIMEDOUT, 0);
	fake_plr_script(fake, others, ARRAY_SIZE(others));
	plr_pass_begin(&pass, &fake->mailbox, &core, 1);
	KUNIT_EXPECT_FALSE(test, plr_pass_step(&pass));
	KUNIT_EXPECT_FALSE(test, plr_pass_step(&pass));
	fake_plr_done(fake);
	KUNIT_EXPECT_TRUE(test, plr_mailbox_is_shared(&fake->mailbox));
	fake = fake_plr_new(test);
	fake_plr_script(fake, answered, ARRAY_SIZE(answered));
	plr_pass_begin(&pass, &fake->mailbox, both, 2);
	KUNIT_EXPECT_FALSE(test, plr_pass_step(&pass));
	fake_plr_done(fake);
}

/* It came while a command of ours for a core had timed out. */
static void mesh_of_another_after_ours(struct kunit *test)
{
	static const struct fake_access ours[] = {
		FAKE_GIVE(0, CORE(1)), FAKE_READ(IF, BUSY | CORE(1)),
	};
	struct plr_target target = { .id = 1 };
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, ours, ARRAY_SIZE(ours));
	fake->repeat = true;
	fake_plr_pass(fake, &target, 1);
	fake_plr_expect(test, &target, -ETIMEDOUT, 0);
	fake_plr_script(fake, mesh_busy, ARRAY_SIZE(mesh_busy));
	fake->repeat = true;
	fake_plr_pass(fake, &target, 1);
	fake_plr_expect(test, &target, -ETIMEDOUT, 0);
	fake_plr_script(fake, mesh_over, ARRAY_SIZE(mesh_over));
	fake_plr_pass(fake, &target, 1);
	fake_plr_done(fake);
	fake_plr_expect(test, &target, 0, 4);
}

/* One that has answered is there, however slow it is afterwards. */
static void mesh_has_answered(struct kunit *test)
{
	static const struct fake_access answers[] = {
		FAKE_GIVE(0, CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 4),
		FAKE_GIVE(CORE(1), MESH), FAKE_READ(IF, MESH), FAKE_READ(DATA, 8),
		FAKE_READ(IF, MESH),
	};
	static const struct fake_access asked[] = {
		FAKE_GIVE(MESH, CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 4),
		FAKE_GIVE(CORE(1), MESH), FAKE_READ(IF, BUSY | MESH),
	};
	static const struct fake_access again[] = {
		FAKE_GIVE(BUSY | MESH, CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 4),
		FAKE_GIVE(CORE(1), MESH), FAKE_READ(IF, BUSY | MESH),
	};
	static const struct fake_access late[] = {
		FAKE_GIVE(BUSY | MESH, CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 4),
		FAKE_GIVE(CORE(1), MESH), FAKE_READ(IF, MESH), FAKE_READ(DATA, 2),
		FAKE_READ(IF, MESH),
	};
	struct plr_target targets[2] = { { .id = 1 }, { .domain = PLR_DOMAIN_MESH } };
	struct fake_plr *fake = fake_plr_new(test);
	unsigned int n;

	fake_plr_script(fake, answers, ARRAY_SIZE(answers));
	fake_plr_pass(fake, targets, 2);
	fake_plr_done(fake);
	fake_plr_expect(test, &targets[1], 0, 8);

	for (n = 0; n < 2 * PLR_MESH_TRIES; n++) {
		targets[1].value = 0;
		if (n)
			fake_plr_script(fake, again, ARRAY_SIZE(again));
		else
			fake_plr_script(fake, asked, ARRAY_SIZE(asked));
		fake->repeat = true;
		fake_plr_pass(fake, targets, 2);
		fake_plr_expect(test, &targets[0], 0, 4);
		fake_plr_expect(test, &targets[1], -ETIMEDOUT, 0);
		KUNIT_EXPECT_FALSE(test, fake->mailbox.mesh_lost);
		fake_plr_pass_time(PLR_MESH_NS);
	}
	fake->repeat = false;
	fake_plr_script(fake, late, ARRAY_SIZE(late));
	fake_plr_pass(fake, targets, 2);
	fake_plr_done(fake);
	fake_plr_expect(test, &targets[1], 0, 2);
}

/* One that has answered at last may be asked again at once. */
static void mesh_answers_late(struct kunit *test)
{
	static const struct fake_access asked[] = {
		FAKE_GIVE(0, CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 4),
		FAKE_GIVE(CORE(1), MESH), FAKE_READ(IF, BUSY | MESH),
	};
	static const struct fake_access over[] = {
		FAKE_GIVE(BUSY | MESH, CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 4),
		FAKE_READ(IF, CORE(1)),
	};
	static const struct fake_access late[] = {
		FAKE_GIVE(CORE(1), MESH), FAKE_READ(IF, MESH), FAKE_READ(DATA, 2),
		FAKE_GIVE(MESH, CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 4),
		FAKE_READ(IF, CORE(1)),
	};
	struct plr_target targets[2] = { { .id = 1 }, { .domain = PLR_DOMAIN_MESH } };
	struct plr_target back[2] = { { .domain = PLR_DOMAIN_MESH }, { .id = 1 } };
	struct fake_plr *fake = fake_plr_new(test);
	unsigned int n;

	fake_plr_script(fake, asked, ARRAY_SIZE(asked));
	fake->repeat = true;
	fake_plr_pass(fake, targets, 2);
	fake_plr_expect(test, &targets[1], -ETIMEDOUT, 0);
	fake_plr_script(fake, over, ARRAY_SIZE(over));
	fake_plr_pass(fake, targets, 1);
	fake_plr_done(fake);
	KUNIT_EXPECT_FALSE(test, plr_mailbox_may_ask_mesh(&fake->mailbox));
	fake_plr_pass_time(PLR_MESH_NS);
	for (n = 0; n < 2; n++) {
		fake_plr_script(fake, late, ARRAY_SIZE(late));
		fake_plr_pass(fake, back, 2);
		fake_plr_done(fake);
		fake_plr_expect(test, &back[0], 0, 2);
	}
}

/* Which target ended the pass: those behind it have its error, too. */
static void which_has_failed(struct kunit *test)
{
	static const struct fake_access second[] = {
		FAKE_GIVE(0, CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 4),
		FAKE_GIVE(CORE(1), CORE(2)), FAKE_READ(IF, CORE(2)), FAKE_READ(DATA, U64_MAX),
	};
	static const struct fake_access mesh[] = {
		FAKE_GIVE(CORE(2), CORE(1)), FAKE_READ(IF, CORE(1)), FAKE_READ(DATA, 4),
		FAKE_GIVE(CORE(1), CORE(2)), FAKE_READ(IF, CORE(2)), FAKE_READ(DATA, 8),
		FAKE_GIVE(CORE(2), MESH), FAKE_READ(IF, MESH), FAKE_READ(DATA, U64_MAX),
	};
	static const struct fake_access unasked[] = {
		FAKE_READ(IF, U64_MAX),
	};
	struct plr_target targets[3] = {
		{ .id = 1 }, { .id = 2 }, { .domain = PLR_DOMAIN_MESH },
	};
	struct fake_plr *fake = fake_plr_new(test);

	fake_plr_script(fake, second, ARRAY_SIZE(second));
	KUNIT_EXPECT_EQ(test, fake_plr_pass(fake, targets, 3), 1U);
	fake_plr_done(fake);
	fake_plr_expect(test, &targets[0], 0, 4);
	fake_plr_expect(test, &targets[1], -EIO, 0);
	fake_plr_expect(test, &targets[2], -EIO, 0);
	fake_plr_script(fake, mesh, ARRAY_SIZE(mesh));
	KUNIT_EXPECT_EQ(test, fake_plr_pass(fake, targets, 3), 2U);
	fake_plr_done(fake);
	fake_plr_expect(test, &targets[1], 0, 8);
	fake_plr_expect(test, &targets[2], -EIO, 0);
	KUNIT_EXPECT_FALSE(test, fake->mailbox.mesh_answered);
	/* All ones before the command are no answer of the mesh. */
	fake_plr_script(fake, unasked, ARRAY_SIZE(unasked));
	KUNIT_EXPECT_EQ(test, fake_plr_pass(fake, &targets[2], 1), 1U);
	fake_plr_done(fake);
	fake_plr_expect(test, &targets[2], -EIO, 0);
}

static struct kunit_case plr_mesh_cases[] = {
	KUNIT_CASE(mesh_does_not_answer),
	KUNIT_CASE(mesh_of_another),
	KUNIT_CASE(mesh_of_ours),
	KUNIT_CASE(mesh_of_another_after_our_mesh),
	KUNIT_CASE(mesh_of_another_after_ours),
	KUNIT_CASE(mesh_has_answered),
	KUNIT_CASE(mesh_answers_late),
	KUNIT_CASE(which_has_failed),
	{}
};

struct kunit_suite plr_mesh_suite = {
	.name = "plr_mesh",
	.test_cases = plr_mesh_cases,
};
