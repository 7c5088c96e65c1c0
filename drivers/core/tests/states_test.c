// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check the table of state.c: each pair of situations, with each load, as box.c,
 * attach.c, probe.c and event.c bring them about. Each situation is entered
 * twice; the second time nothing changes and no register is accessed.
 */
#include <linux/kernel.h>

#include "rig.h"
#include "suites.h"

enum situation {
	READY,
	SILENT,		/* UNRESPONSIVE, and probed */
	DROPPED,	/* UNRESPONSIVE for too long */
	NO_CPU,
	REMOVED,
	SITUATIONS
};

static const struct {
	const char *name;
	enum pmon_box_state state;
} is[SITUATIONS] = {
	[READY] = { "ready", PMON_BOX_READY },
	[SILENT] = { "silent", PMON_BOX_UNRESPONSIVE },
	[DROPPED] = { "dropped", PMON_BOX_UNRESPONSIVE },
	[NO_CPU] = { "no CPU", PMON_BOX_NO_CPU },
	[REMOVED] = { "removed", PMON_BOX_REMOVED },
};

enum load {
	NOTHING,	/* the box was never used */
	ONE,		/* an event counts */
	OFF,		/* the event was disabled */
	BESIDE,		/* an event counts; in another box, too */
	LOADS
};

static const char * const loads[LOADS] = {
	"nothing", "one event", "a disabled event", "an event beside another box",
};

/* A box, and what must be true of it. */
struct pair {
	struct rig *t, *beside;
	enum situation now;
	bool used;	/* since the last hand-back */
	bool enabled;	/* perf runs the event */
	bool counts;	/* hardware counts the event, as far as known */
	bool failed;
	u64 count, value;
	unsigned int disturbed;
};

static struct pair pair_new(struct kunit *test, enum load load)
{
	struct pair p = { };

	if (load == BESIDE)
		p.beside = rig_counting(test);
	if (load == NOTHING) {
		p.t = rig_new(test, &imc, false);
		config(p.t, 0, 0x1, 0);
		return p;
	}
	p.t = rig_counting(test);
	p.used = true;
	p.enabled = load != OFF;
	p.counts = p.enabled;
	p.value = 50;
	p.count = 50;
	if (load == OFF) {
		del(p.t, 0);
		apply_as(p.t, W4(0, FREEZE), R8(0x8, 50));
	}
	return p;
}

/* The event starts again, at 0. */
static void starts(struct pair *p)
{
	rig_expect_start(p->t);
	p->used = true;
	p->counts = true;
	p->value = 0;
}

/* ---- situations are entered ---------------------------------------------- */

/* The function does not respond, or the kernel resets it. */
static void go_silent(struct pair *p)
{
	pmon_hw_set_state(&p->t->hw, PMON_BOX_UNRESPONSIVE);
	p->now = p->now == READY ? SILENT : p->now;
}

static void drop(struct pair *p)
{
	go_silent(p);
	if (p->now != SILENT)
		return;
	fake_time += PMON_RESPONSE_NS;
	pmon_hw_no_response(&p->t->hw, false);
	p->now = DROPPED;
	p->failed |= p->counts;
}

/* The last CPU goes: attach.c releases the box. */
static void lose_cpus(struct pair *p)
{
	if (p->now == READY && p->used) {
		fake_read_bytes(&p->t->fake, 0x40, p->counts, 4);
		if (p->counts) {
			p->value += 20;
			p->count += 20;
			expect(p->t, W4(0, FREEZE), R8(0x8, p->value));
		}
		expect(p->t, W4(0, RESET), W4(0, RUN));
	} else if (p->now < NO_CPU && p->used) {
		p->failed |= p->counts;
		expect(p->t, R8(0x8, 0), W4(0, RESET), W4(0, RUN));
	}
	rig_release(p->t);
	if (p->now < NO_CPU) {
		p->now = NO_CPU;
		p->counts = false;
		p->used = false;
	}
}

/* The device is gone: nothing is accessed. */
static void remove_box(struct pair *p)
{
	pmon_hw_set_state(&p->t->hw, PMON_BOX_REMOVED);
	p->now = REMOVED;
	p->counts = false;
	p->used = false;
}

/* The device is back. perf has ended the event of the old one. */
static void attach(struct pair *p)
{
	if (p->enabled)
		del(p->t, 0);
	apply(p->t);
	pmon_hw_init(&p->t->hw, &imc, &p->t->fake.regs);
	if (!p->enabled)
		return;
	KUNIT_EXPECT_TRUE(p->t->fake.test, add(p->t, 0));
	p->failed = false;
	starts(p);
	apply(p->t);
}

/* CPUs are back. An event is left if the kernel took back the last one. */
static void reopen(struct pair *p)
{
	rig_ready(p->t);
	if (!p->enabled)
		return;
	starts(p);
	apply(p->t);
}

/* The box responds to a probe. */
static void respond(struct pair *p)
{
	expect(p->t, R8(0x8, 0));
	if (p->counts) {
		starts(p);
		p->disturbed++;
	}
	KUNIT_EXPECT_TRUE(p->t->fake.test, rig_probe(p->t));
}

static void come_back(struct pair *p)
{
	enum situation from = p->now;

	p->now = READY;
	if (from == REMOVED)
		attach(p);
	else if (from == NO_CPU)
		reopen(p);
	else if (from != READY)
		respond(p);
}

static void (*const enter[SITUATIONS])(struct pair *p) = {
	[READY] = come_back, [SILENT] = go_silent, [DROPPED] = drop,
	[NO_CPU] = lose_cpus, [REMOVED] = remove_box,
};

/* ---- checks -------------------------------------------------------------- */

static void check(struct pair *p, const char *what)
{
	struct kunit *test = p->t->fake.test;
	struct rig *t = p->t;

	KUNIT_EXPECT_EQ_MSG(test, t->hw.state, is[p->now].state, "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, t->ev[0].event.failed, p->failed, "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, !!t->hw.active, p->counts, "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, t->hw.used, p->used, "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, t->hw.disturbed, p->disturbed, "%s", what);
	/* A read of what does not count accesses nothing. */
	if (p->now == READY && p->counts) {
		p->value += 5;
		p->count += p->failed ? 0 : 5;
		fake_read(&t->fake, 0x8, p->value);
	}
	rig_read(t, 0);
	KUNIT_EXPECT_EQ_MSG(test, t->ev[0].count, p->count, "%s", what);
	fake_done(&t->fake);
}

/* Enter a situation: what changes is reported, once. */
static void enter_twice(struct pair *p, enum situation to, const char *what)
{
	enum situation before = p->now;
	unsigned int reports = p->t->reports;

	enter[to](p);
	check(p, what);
	KUNIT_EXPECT_EQ_MSG(p->t->fake.test, p->t->reports > reports,
			    p->now != before, "%s", what);

	reports = p->t->reports;
	enter[to](p);
	check(p, what);
	KUNIT_EXPECT_EQ_MSG(p->t->fake.test, p->t->reports, reports, "%s",
			    what);
}

static void each_pair_of_states(struct kunit *test)
{
	enum situation from, to;
	enum load load;
	char what[96];

	for (load = NOTHING; load < LOADS; load++)
		for (from = READY; from < SITUATIONS; from++)
			for (to = READY; to < SITUATIONS; to++) {
				struct pair p = pair_new(test, load);

				snprintf(what, sizeof(what), "%s: %s, then %s",
					 loads[load], is[from].name,
					 is[to].name);
				enter_twice(&p, from, what);
				enter_twice(&p, to, what);
				enter_twice(&p, READY, what);
				if (!p.beside)
					continue;
				expect_count(p.beside, 0, 0x8, 90, 90);
				KUNIT_EXPECT_EQ_MSG(test, p.beside->reports, 0U,
						    "%s", what);
			}
}

static struct kunit_case states_tests[] = {
	/* contract: asleep */
	KUNIT_CASE(each_pair_of_states),
	{ }
};

struct kunit_suite pmon_states_suite = {
	.name = "pmon_states",
	.test_cases = states_tests,
};
