// SPDX-License-Identifier: GPL-2.0-only
/*
 * Count random events on a model of the units of a Victoria Falls, written from
 * the performance API of sun4v. The rates of selects vary with time, the
 * hypervisor refuses calls, and another guest writes the select register. A
 * test fails if a count differs from what the hardware counted for the event
 * (not checked with another guest, because foreign selects count, too); if an
 * event fails although no call was refused; if another guest is reported but
 * does not exist; if a counter is written; if a bit beside the selects changes;
 * or if a select is left after the end of the last event.
 *
 * MODEL_SEED sets the first seed, MODEL_SECONDS the minimum duration.
 */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include <stdlib.h>
#include <time.h>

#include "../../vfalls.h"
#include "../suites.h"

#define UNITS		600
#define STEPS		100
#define EVENTS		6

enum faults { NONE, REFUSALS, OTHER_GUEST };

struct event {
	u64 count;		/* first: its address serves as perf_event */
	u64 least, most;	/* counted by the hardware */
	u8 select;
	bool on, ending, failed;
};

static struct model {
	u64 reg[VFALLS_REGS], time;
	unsigned long denied[2];
	unsigned int refusals;	/* percent */
	bool busy;		/* vfalls_pair_apply() runs; @least stays */
	enum faults faults;
	bool refused;		/* a call was refused in this operation */
	const char *wrong;
	struct event event[EVENTS];
	struct vfalls_pair pair;
} m;

static u64 state;

static u64 draw(u64 n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state * 0x2545f4914f6cdd1dULL >> 20) % n;
}

static u64 select_bits(void)
{
	switch (m.pair.unit.kind) {
	case VFALLS_DRAM:
		return 0xff;
	case VFALLS_LPU:
		return 0xffff;
	}
	return 0x0f0f;
}

static u64 rate(u64 select)
{
	u64 hash = (m.time + select * 77) * 0x9e3779b97f4a7c15ULL;

	if (m.pair.unit.kind != VFALLS_DRAM && !select)
		return 0;
	return (hash >> 33) & 1 ? (hash >> 40) % 3 : 0;
}

/* Advance the time; bits 63 and 31 of a memory controller's counters stay. */
static void step(void)
{
	u64 *reg = &m.reg[m.pair.unit.reg];
	struct event *e;

	m.time++;
	if (m.pair.unit.kind == VFALLS_DRAM) {
		u64 high = (reg[1] >> 32) + rate(reg[0] >> 4 & 0xf);
		u64 low = reg[1] + rate(reg[0] & 0xf);

		reg[1] = (reg[1] & 0x8000000080000000ULL) |
			 (high & 0x7fffffff) << 32 | (low & 0x7fffffff);
	} else {
		reg[1] += rate(reg[0] & select_bits() & 0xff);
		reg[2] += rate(reg[0] >> 8 & select_bits() >> 8);
	}
	for (e = m.event; e < m.event + EVENTS; e++) {
		if (!e->on)
			continue;
		e->most += rate(e->select);
		e->least += m.busy ? 0 : rate(e->select);
	}
}

static void run(u64 steps)
{
	while (steps--)
		step();
}

static unsigned long call(void)
{
	run(1 + draw(3));
	if (draw(100) >= m.refusals)
		return VFALLS_EOK;
	m.refused = true;
	return draw(5) ? VFALLS_EWOULDBLOCK : VFALLS_ENOACCESS;
}

static unsigned long model_get(unsigned long reg, u64 *value)
{
	unsigned long status = call();

	if (!status)
		*value = m.reg[reg];
	return status;
}

static unsigned long model_set(unsigned long reg, u64 value)
{
	unsigned long status = call();

	if (status)
		return status;
	if (reg != m.pair.unit.reg)
		m.wrong = "a counter is written";
	else if ((m.reg[reg] ^ value) & ~select_bits())
		m.wrong = "a bit beside the selects changes";
	m.reg[reg] = value;
	return VFALLS_EOK;
}

static void model_blocked(bool last)
{
}

static void model_gain(struct perf_event *event, u64 delta)
{
	*(u64 *)event += delta;
}

static void model_failed(struct perf_event *event, bool last)
{
	((struct event *)event)->failed = true;
	if (last != ((struct event *)event)->ending)
		m.wrong = "a failed start is taken for a last read, or the reverse";
	if (!m.refused)
		m.wrong = "an event fails without a refusal";
}

static void model_disturbed(struct vfalls_pair *pair)
{
	if (m.faults != OTHER_GUEST)
		m.wrong = "another guest is reported that is not there";
}

static u64 model_clock(void)
{
	return m.time * 10;
}

static const struct vfalls_ops model_ops = {
	.get = model_get, .set = model_set, .blocked = model_blocked,
	.denied = m.denied,
	.gain = model_gain, .failed = model_failed, .disturbed = model_disturbed,
	.clock = model_clock,
};

static void judge(const struct event *e)
{
	if (e->failed || m.faults == OTHER_GUEST)
		return;
	if (e->count > e->most)
		m.wrong = "an event has more than the hardware";
	if (e->count < e->least)
		m.wrong = "an event has less than the hardware";
}

static struct perf_event *perf_event_of(struct event *e)
{
	return (struct perf_event *)&e->count;
}

static void toggle(struct event *e)
{
	if (e->ending)
		return;
	if (e->on) {
		vfalls_pair_del(&m.pair, perf_event_of(e));
		e->ending = true;
		return;
	}
	memset(e, 0, sizeof(*e));
	do
		e->select = draw(256) & m.pair.unit.layout->select_mask;
	while (!vfalls_has_event(&m.pair.unit, e->select));
	e->on = !vfalls_pair_add(&m.pair, perf_event_of(e), e->select);
}

static void apply(void)
{
	struct event *e;

	m.busy = true;
	vfalls_pair_apply(&m.pair);
	m.busy = false;
	for (e = m.event; e < m.event + EVENTS; e++) {
		if (!e->ending)
			continue;
		judge(e);
		e->on = false;
		e->ending = false;
	}
}

static void operate(void)
{
	unsigned int n;

	m.refused = false;
	switch (draw(4)) {
	case 0: case 1:
		for (n = 1 + draw(3); n; n--)
			toggle(&m.event[draw(EVENTS)]);
		apply();
		break;
	case 2:
		vfalls_pair_read(&m.pair, vfalls_pair_active(&m.pair, NULL));
		break;
	case 3:
		vfalls_pair_poll(&m.pair);
	}
	if (m.faults == OTHER_GUEST && !draw(10))
		m.reg[m.pair.unit.reg] ^= draw(~0ULL);
	run(draw(100));
}

static const char *fault_of(u64 seed, enum faults faults)
{
	struct vfalls_unit unit;
	unsigned int i;

	state = seed * 0x9e3779b97f4a7c15ULL;
	memset(&m, 0, sizeof(m));
	for (i = 0; i < VFALLS_REGS; i++)
		m.reg[i] = draw(~0ULL) << 20 | draw(BIT(20));
	unit = vfalls_unit(draw(VFALLS_UNITS));
	/* Start half of the units near a wrap. */
	if (draw(2))
		m.reg[unit.reg + 1] = unit.kind == VFALLS_DRAM ?
			0xffffff80ffffff80ULL : -draw(300);
	m.time = draw(BIT_ULL(40));
	m.pair.ops = &model_ops;
	m.pair.unit = unit;
	m.faults = faults;
	m.refusals = faults == REFUSALS ? draw(60) : 0;
	for (i = 0; i < STEPS && !m.wrong; i++)
		operate();
	for (i = 0; i < EVENTS; i++)
		if (m.event[i].on)
			toggle(&m.event[i]);
	m.refused = false;
	apply();
	m.refusals = 0;
	vfalls_pair_turn_off(&m.pair);
	if (!m.wrong && faults != OTHER_GUEST && unit.layout->off &&
	    m.pair.programmed && m.reg[unit.reg] & select_bits())
		m.wrong = "a select stays";
	return m.wrong;
}

static void each_unit(struct kunit *test, enum faults faults)
{
	u64 seed = host_setting("MODEL_SEED", 1), i;
	time_t end = time(NULL) + host_setting("MODEL_SECONDS", 0) / 3;
	const char *wrong = NULL;

	for (i = 0; !wrong && (i < UNITS || time(NULL) < end); i++)
		wrong = fault_of(seed + i, faults);
	KUNIT_EXPECT_STREQ_MSG(test, wrong ?: "nothing", "nothing",
			       "MODEL_SEED=%llu", seed + i - 1);
}

static void counts_are_exact(struct kunit *test)
{
	each_unit(test, NONE);
}

static void refused_calls(struct kunit *test)
{
	each_unit(test, REFUSALS);
}

static void another_guest(struct kunit *test)
{
	each_unit(test, OTHER_GUEST);
}

static struct kunit_case model_tests[] = {
	/* contract: wrap torn */
	KUNIT_CASE(counts_are_exact),
	KUNIT_CASE(refused_calls),
	KUNIT_CASE(another_guest),
	{ }
};

static struct kunit_suite vfalls_model_suite = {
	.name = "vfalls_model",
	.test_cases = model_tests,
};

kunit_host_test_suites(&vfalls_model_suite);
