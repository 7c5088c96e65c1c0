// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run random operations on a model of a box. The model is written from
 * documents: the box has a control that freezes, and resets controls and
 * counters (Intel 329468-002, 2.2; discovery tables: FRZ bit 0, RST_CTRL bit 8,
 * RST_CTRS bit 9), or is a CPMU (CXL 4.0, 8.2.7: enable in the control, a
 * Freeze register, no reset). Other programs write, the machine sleeps, the box
 * or a register does not respond, a write is refused. A run fails
 * 1. if, after a tick, an event is not selected, or the box is frozen,
 * 2. if an event has more than hardware counted for the event, at any time,
 * 3. if counts are lost, and @disturbed has not increased by the next tick,
 * 4. if @disturbed increases, but no other program or fault touched the box,
 * 5. if a register is accessed that the box does not have.
 *
 * A run does not check events whose select another program writes; a counter
 * that another program zeroes, if no reset zeroes the counter, or if the last
 * value is reached again before a read; losses of events that stop within a
 * second; and losses by a freeze that another program ends before the tick.
 *
 * MODEL_SEED sets the first seed, MODEL_SECONDS a minimum time for all runs. A
 * failure prints a shortened sequence.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/time64.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../box_hw.h"
#include "../suites.h"

#define EVENTS		10
#define STEPS		150
#define SEQUENCES	100
#define ACCESS_NS	400ULL
#define TICK_NS		4000000ULL
#define SECOND_NS	1000000000ULL
/* If an event has counted for this time, the stop checks the control. */
#define PIECE_TICKS	(SECOND_NS / TICK_NS + 2)
/* Gain of the fastest event during the accesses between a write and a read. */
#define ACCESSES_GAIN	4000000ULL
/* First of the selects that other programs write, and that no event has. */
#define FOREIGN_SELECT	200

/* ---- layouts -------------------------------------------------------------- */

static const struct pmon_protocol mmio = { 0x1, 0x301, 0, 4 };

static const struct pmon_protocol slow = { 0x1, 0x301, 0, 4, .rate_log2 = 32 };

static const struct pmon_protocol msr = { 0x1, 0x301, 0, 8 };

static const struct pmon_protocol r2pcie = {
	0x30100, 0x30103, 0x30000, 4, .rate_log2 = 37,
};

static const struct pmon_protocol cpmu = {
	~0ULL, ~0ULL, 0, 8, .no_reset = true, .rate_log2 = 32,
};

static const struct pmon_protocol cpmu_no_freeze = {
	.no_reset = true, .rate_log2 = 32,
};

static const struct pmon_protocol free_running = { .rate_log2 = 35 };

enum { IS_SPLIT = 1, HAS_FILTER = 2, HAS_FIXED = 4, KEEPS_FIXED = 8 };

static const struct box {
	const char *name;
	const struct pmon_protocol *protocol;
	u8 width, flags, counters, rate_log2;
	u64 fastest;	/* gain of event 5 in 1024 ns */
} boxes[] = {
	{ "mmio 48", &mmio, 48, 0, 4, 0, 640000 },
	{ "mmio 64", &mmio, 64, 0, 4, 0, 640000 },
	{ "mmio 47", &mmio, 47, 0, 4, 0, 640000 },
	{ "mmio 44", &mmio, 44, 0, 4, 0, 640000 },
	{ "mmio 41", &mmio, 41, 0, 4, 0, 640000 },
	{ "mmio 40", &mmio, 40, 0, 4, 0, 640000 },
	{ "mmio 40, eight counters", &mmio, 40, 0, 8, 0, 2457 },
	{ "mmio 36", &mmio, 36, 0, 4, 0, 2457 },
	{ "mmio 32", &mmio, 32, 0, 4, 0, 2457 },
	{ "mmio 32, rate", &slow, 32, 0, 4, 0, 2457 },
	{ "mmio, fixed counter kept", &mmio, 48, HAS_FIXED | KEEPS_FIXED, 4, 0,
	  640000 },
	{ "mmio, fixed counter reset", &mmio, 48, HAS_FIXED, 4, 0, 640000 },
	{ "pci 48", &mmio, 48, IS_SPLIT, 4, 0, 640000 },
	{ "pci 46", &mmio, 46, IS_SPLIT, 4, 0, 640000 },
	{ "r2pcie 44", &r2pcie, 44, IS_SPLIT, 4, 0, 130000 },
	{ "msr 48", &msr, 48, 0, 4, 0, 640000 },
	{ "msr 48, filter", &msr, 48, HAS_FILTER, 4, 0, 640000 },
	{ "cpmu 48", &cpmu, 48, 0, 4, 0, 2457 },
	{ "cpmu 48, 64 counters", &cpmu, 48, 0, 64, 0, 2457 },
	{ "cpmu 44, fast", &cpmu, 44, 0, 4, 38, 260000 },
	{ "cpmu 32", &cpmu, 32, 0, 4, 0, 2457 },
	{ "cpmu 26", &cpmu, 26, 0, 4, 0, 2457 },
	{ "cpmu 36, no freeze", &cpmu_no_freeze, 36, 0, 4, 0, 2457 },
	{ "free-running", &free_running, 36, 0, 4, 0, 2457 },
};

/* ---- hardware ------------------------------------------------------------- */

static struct world {
	const struct box *box;
	struct pmon_counter desc[PMON_COUNTERS_MAX];
	u64 rate[EVENTS];
	u64 now, ticks, sleep_ns;
	u64 ctl[PMON_COUNTERS_MAX], ctr[PMON_COUNTERS_MAX];
	u64 part[PMON_COUNTERS_MAX];	/* 1/1024 of a count */
	u64 filter;
	bool frozen, frozen_by_us, dead, undisturbed;
	u32 silent;			/* register without response, or 0 */
	unsigned int silent_set_ups;	/* set-ups since @silent was set */
	unsigned int ones, refuse;	/* accesses until the fault, or 0 */
	bool refused, lost;		/* a write was refused, or lost */
	/* Zeroed by others, and not read since. @last: the last value read. */
	bool zeroed[PMON_COUNTERS_MAX];
	u64 last[PMON_COUNTERS_MAX];
} w;

static struct counted {
	struct pmon_event event;
	u64 count;
	u64 most;	/* highest valid count: gain while selected */
	u64 least;	/* lowest valid count, unless touched */
	unsigned int disturbed;	/* hw.disturbed at the last level() */
	u64 began;	/* start on its counter, in ticks */
	int was_on;
	bool ended;	/* perf shows <not counted> */
	/* Counts were lost, so by the next tick hw.disturbed must increase. */
	bool owed;
	unsigned int owed_before;	/* hw.disturbed at the loss */
	bool exempt, exempt_once;
} ev[EVENTS];

static struct pmon_box_hw hw;
static struct pmon_hw_counter counters[PMON_COUNTERS_MAX];

/* Another program or fault touched the box since the last tick. */
static bool touched;
static u64 used_idle;	/* idle counters that others have used */
static u64 period, tick_due;
static bool prints;

static jmp_buf wrong;
static char wrong_text[200];
static int wrong_sense;

static void __printf(2, 3) __noreturn
is_wrong(int sense, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(wrong_text, sizeof(wrong_text), fmt, args);
	va_end(args);
	wrong_sense = sense;
	longjmp(wrong, 1);
}

static bool is_free_running(void)
{
	return w.box->protocol == &free_running;
}

static bool is_fixed(unsigned int counter)
{
	return w.box->flags & HAS_FIXED && counter == 3;
}

static bool is_counted_on(unsigned int event, unsigned int i)
{
	if (is_free_running())
		return event % w.box->counters == i;
	if (is_fixed(i) || (w.box->flags & HAS_FIXED && event == 3))
		return is_fixed(i) && event == 3 && w.ctl[i];
	return (u8)w.ctl[i] == event + 1 &&
	       (!ev[event].event.uses_filter ||
		w.filter == ev[event].event.filter);
}

static u64 rate_of(unsigned int i)
{
	unsigned int select = (u8)w.ctl[i];

	if (is_free_running())
		return w.rate[i];
	if (is_fixed(i))
		return w.ctl[i] ? w.rate[3] : 0;
	if (select >= FOREIGN_SELECT)
		return select == FOREIGN_SELECT ? w.box->fastest : 500;
	return select && is_counted_on(select - 1, i) ? w.rate[select - 1] : 0;
}

/* Let hardware count for @ns. */
static void pass(u64 ns)
{
	unsigned int i, k;

	w.now += ns;
	w.ticks = w.now / TICK_NS;
	for (i = 0; i < w.box->counters; i++) {
		bool runs = !w.frozen || is_free_running();
		u64 rate = runs ? rate_of(i) : 0, gain;

		if (!rate)
			continue;
		w.part[i] += (ns & 1023) * rate;
		gain = (ns >> 10) * rate + (w.part[i] >> 10);
		w.part[i] &= 1023;
		w.ctr[i] = (w.ctr[i] + gain) &
			   GENMASK_ULL(w.desc[i].width - 1, 0);
		for (k = 0; k < EVENTS; k++)
			if (is_counted_on(k, i))
				ev[k].most += gain;
	}
	/* @least omits access times, in which events may start or stop. */
	for (k = 0; k < EVENTS && w.undisturbed; k++) {
		u64 rate = w.rate[is_free_running() ? k % w.box->counters : k];

		if (ev[k].event.counted_on >= 0)
			ev[k].least += (ns >> 10) * rate +
				       ((ns & 1023) * rate >> 10);
	}
}

static void pass_undisturbed(u64 ns)
{
	w.undisturbed = true;
	pass(ns);
	w.undisturbed = false;
}

static void exempt_on(unsigned int i)
{
	unsigned int k;

	for (k = 0; k < EVENTS; k++)
		if (ev[k].event.counted_on == (s8)i)
			ev[k].exempt_once = true;
}

static u64 value_of(u32 reg)
{
	const struct pmon_protocol *protocol = w.box->protocol;
	bool by_others = w.frozen && !w.frozen_by_us;
	unsigned int i;

	if (!reg && protocol->no_reset)
		return by_others;
	if (!reg)
		return w.frozen ? protocol->freeze : protocol->run;
	for (i = 0; i < w.box->counters; i++) {
		if (reg == w.desc[i].ctl)
			return w.ctl[i];
		if (reg == w.desc[i].ctr + 4)
			return w.ctr[i] >> 32;
		if (reg != w.desc[i].ctr)
			continue;
		if (w.zeroed[i] && w.ctr[i] >= w.last[i])
			exempt_on(i);
		w.zeroed[i] = false;
		w.last[i] = w.ctr[i];
		return w.ctr[i];
	}
	is_wrong(5, "read of register %x", reg);
}

static u64 access_read(u32 reg, u8 bytes)
{
	u64 all = GENMASK_ULL(8 * bytes - 1, 0), value = all;

	pass(ACCESS_NS);
	if (!w.dead && !(w.silent && (reg & ~4U) == w.silent) &&
	    !(w.ones && !--w.ones))
		value = value_of(reg) & all;
	if (prints)
		printf("#       %llu: read %x: %llx\n", w.now, reg, value);
	return value;
}

static u64 model_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	u64 low;

	if (!regs->ops->split || bytes < 8)
		return access_read(reg, bytes);
	low = access_read(reg, 4);
	return access_read(reg + 4, 4) << 32 | low;
}

/* Clear what a reset clears; a fixed counter may be kept. */
static void reset_registers(bool by_others)
{
	unsigned int i;

	for (i = 0; i < w.box->counters; i++) {
		w.ctl[i] = 0;
		if (is_fixed(i) && w.box->flags & KEEPS_FIXED)
			continue;
		w.ctr[i] = 0;
		w.part[i] = 0;
		w.zeroed[i] = by_others;
		w.last[i] = by_others ? w.last[i] : 0;
	}
}

static int model_write(const struct pmon_regs *regs, u32 reg, u64 val, u8 bytes)
{
	const struct pmon_protocol *protocol = w.box->protocol;
	unsigned int i;

	pass(ACCESS_NS);
	if (prints)
		printf("#       %llu: write %x: %llx\n", w.now, reg, val);
	if (w.dead) {
		w.lost = true;
		return 0;
	}
	if (w.refuse && !--w.refuse) {
		w.refused = true;
		return -EIO;
	}
	if (!reg) {
		w.frozen = val == protocol->freeze || val == protocol->reset;
		w.frozen_by_us = w.frozen;
		if (!protocol->no_reset && val == protocol->reset)
			reset_registers(false);
		return 0;
	}
	if (w.box->flags & HAS_FILTER && reg == w.desc[0].filter) {
		w.filter = val;
		return 0;
	}
	for (i = 0; i < w.box->counters; i++) {
		if (reg == w.desc[i].ctl) {
			w.ctl[i] = val;
			return 0;
		}
	}
	is_wrong(5, "write of register %x", reg);
}

static u64 model_clock(void)
{
	return w.now;
}

static u64 model_sleep_ns(void)
{
	return w.sleep_ns;
}

static void model_report(struct pmon_box_hw *hw)
{
}

static void model_report_lost(struct pmon_event *event)
{
	struct counted *e = container_of(event, struct counted, event);

	e->ended = true;
	e->owed = false;
}

static const struct pmon_hw_ops model_ops = {
	.count = offsetof(struct counted, count) -
		 offsetof(struct counted, event),
	.clock = model_clock, .sleep_ns = model_sleep_ns, .ticks = &w.ticks,
	.second = SECOND_NS / TICK_NS, .report = model_report,
};

/* ---- the judge ------------------------------------------------------------ */

/* Accept the current count as exact. */
static void level(struct counted *e)
{
	e->least = e->count;
	e->disturbed = hw.disturbed;
}

static bool lasted(const struct counted *e)
{
	return w.ticks - e->began >= PIECE_TICKS;
}

static void check_event(unsigned int k, bool is_tick)
{
	struct counted *e = &ev[k];

	if (e->ended || e->exempt)
		return;
	if (e->count > e->most + ACCESSES_GAIN * (touched || w.refused))
		is_wrong(2, "event %u has %llu, hardware counted %llu", k,
			 e->count, e->most);
	e->most = max(e->most, e->count);
	if (e->event.counted_on >= 0 && !is_tick)
		return;
	if (e->count + 4 >= e->least && !e->exempt_once)
		return;
	if (e->exempt_once || hw.disturbed != e->disturbed) {
		e->exempt_once = false;
		level(e);
		return;
	}
	if (!touched)
		is_wrong(3, "event %u has %llu of %llu, disturbed is %u", k,
			 e->count, e->least, hw.disturbed);
	/* A tick must count the loss, unless the event ended too soon. */
	if (!e->owed && (lasted(e) || e->event.counted_on >= 0)) {
		e->owed = true;
		e->owed_before = hw.disturbed;
	}
	level(e);
}

static void check_counts(bool is_tick)
{
	unsigned int k;

	for (k = 0; k < EVENTS; k++)
		check_event(k, is_tick && !ev[k].event.failed &&
			    ev[k].event.counted_on >= 0);
}

/* Check that @disturbed counts all losses before this tick or resume. */
static void check_owed(void)
{
	unsigned int k;

	for (k = 0; k < EVENTS; k++) {
		if (ev[k].owed && !ev[k].ended &&
		    hw.disturbed == ev[k].owed_before)
			is_wrong(3, "event %u lost before a tick, disturbed is %u",
				 k, hw.disturbed);
		ev[k].owed = false;
	}
}

/* Check rule 1 in the head: events are selected, and the box runs. */
static void check_selects(void)
{
	unsigned int k;

	for (k = 0; k < EVENTS && !is_free_running(); k++) {
		int i = ev[k].event.counted_on;

		if (i < 0 || ev[k].event.failed)
			continue;
		if (w.ctl[i] != ev[k].event.ctl)
			is_wrong(1, "control %d of event %u holds %llx", i, k,
				 w.ctl[i]);
		if (w.frozen)
			is_wrong(1, "event %u is frozen", k);
	}
}

/* Earlier changes have no more effect, so clear @touched and each @owed. */
static void end_of_touch(void)
{
	unsigned int k;

	for (k = 0; k < EVENTS; k++)
		ev[k].owed = false;
	touched = w.refuse || w.ones || w.dead || w.silent;
	w.lost = w.dead;
	if (!w.box->protocol->no_reset)
		used_idle = 0;
}

/* Delete failed events, as perf does. */
static void disable_failed(void)
{
	unsigned int k;

	for (k = 0; k < EVENTS; k++) {
		if (!ev[k].event.failed)
			continue;
		model_report_lost(&ev[k].event);
		pmon_hw_del(&hw, &ev[k].event);
	}
	if (hw.dirty)
		pmon_hw_apply(&hw);
	for (k = 0; k < EVENTS; k++) {
		if (ev[k].event.counted_on >= 0 || ev[k].event.assigned_to >= 0)
			continue;
		if (ev[k].event.failed)
			model_report_lost(&ev[k].event);
		ev[k].event.failed = false;
	}
}

static void begin(struct counted *e)
{
	e->ended = false;
	e->exempt = false;
	e->exempt_once = false;
	e->was_on = -1;
	e->most = e->count;
	level(e);
}

/* Note events that have moved to other counters, or were set up again. */
static void note_moves(void)
{
	static unsigned int restarts;
	unsigned int k;

	for (k = 0; k < EVENTS; k++) {
		int i = ev[k].event.counted_on;

		if (restarts != hw.restarts)
			ev[k].began = w.ticks;
		ev[k].exempt |= i >= 0 && w.lost;
		if (i == ev[k].was_on)
			continue;
		if (ev[k].was_on >= 0 && touched && !lasted(&ev[k]))
			ev[k].exempt = true;
		if (i >= 0) {
			ev[k].began = w.ticks;
			ev[k].exempt |= !!(used_idle & BIT_ULL(i));
		}
		ev[k].was_on = i;
	}
	restarts = hw.restarts;
}

/* Probe an unresponsive box as probe.c does; returns true if it is ready. */
static bool is_ready(void)
{
	unsigned int i;

	if (hw.state == PMON_BOX_READY)
		return true;
	if (!pmon_hw_probe(&hw)) {
		pmon_hw_no_response(&hw, false);
		return false;
	}
	pmon_hw_recover(&hw);
	if (hw.state != PMON_BOX_READY)
		return false;
	/* Allow one set-up, as the probe may have read another register. */
	for (i = 0; i < w.box->counters; i++)
		if (w.silent == w.desc[i].ctr && hw.active & BIT_ULL(i) &&
		    w.silent_set_ups++)
			is_wrong(1, "set up, but counter %u does not respond",
				 i);
	return true;
}

/* Each tick checks a box that has a reset, but other boxes once a second. */
static void tick(void)
{
	bool ready = hw.state == PMON_BOX_READY, was_touched = touched;
	u64 checked = hw.checked;
	unsigned int before = hw.disturbed;
	bool checks = !hw.controlled || !w.box->protocol->no_reset || !ready;

	if (ready)
		pmon_hw_tick(&hw);
	else
		is_ready();
	checks |= checked != hw.checked;
	tick_due = w.now + period - period / 8 + w.now % (period / 8 + 1);
	disable_failed();
	note_moves();
	if (hw.disturbed != before && !was_touched && ready)
		is_wrong(4, "disturbed is %u after it", hw.disturbed);
	check_counts(checks);
	if (!checks || hw.state != PMON_BOX_READY || w.dead)
		return;
	check_selects();
	check_owed();
	end_of_touch();
}

static void advance(u64 ns)
{
	u64 step;

	ns = min(ns, 200 * period);
	for (; ns; ns -= step) {
		if (!hw.active)
			tick_due = w.now + period;
		step = tick_due > w.now ? min(tick_due - w.now, ns) : 0;
		step = min(step, 10 * SECOND_NS);
		pass_undisturbed(step);
		if (hw.active && w.now >= tick_due)
			tick();
	}
}

/* ---- operations ----------------------------------------------------------- */

enum op_type {
	START, STOP, APPLY, ROTATE, READ, SNAPSHOT, ADVANCE,
	RESET, RESET_FREEZE, FREEZE, UNFREEZE, CLEAR_CTL, SELECT, CLEAR_CTR,
	ONES, DEAD, SILENT, ALIVE, REFUSE, SLEEP, OPS
};

static const struct {
	const char *name;
	u8 weight;
} ops[OPS] = {
	[START] = { "start", 8 }, [STOP] = { "stop", 5 },
	[APPLY] = { "apply", 8 }, [ROTATE] = { "rotate", 4 },
	[READ] = { "read", 8 }, [SNAPSHOT] = { "snapshot", 3 },
	[ADVANCE] = { "advance", 14 }, [RESET] = { "others reset", 2 },
	[RESET_FREEZE] = { "others reset and freeze", 2 },
	[FREEZE] = { "others freeze", 1 }, [UNFREEZE] = { "others unfreeze", 1 },
	[CLEAR_CTL] = { "others clear a control", 1 },
	[SELECT] = { "others select", 1 },
	[CLEAR_CTR] = { "others clear a counter", 1 },
	[ONES] = { "all-ones once", 2 }, [DEAD] = { "no response", 1 },
	[SILENT] = { "no response of a register", 1 },
	[ALIVE] = { "response", 4 }, [REFUSE] = { "a refused write", 1 },
	[SLEEP] = { "sleep", 1 },
};

struct op {
	u8 type;
	u64 a, b;
};

/* Return the counters for event @k, reduced to @set unless none is in @set. */
static u64 allowed(unsigned int k, u64 set)
{
	u64 all = GENMASK_ULL(w.box->counters - 1, 0);

	if (is_free_running())
		return BIT_ULL(k % w.box->counters);
	if (w.box->flags & HAS_FIXED)
		all = k == 3 ? BIT_ULL(3) : GENMASK_ULL(2, 0);
	return all & set ?: all;
}

static bool add(unsigned int k, u64 set)
{
	if (!is_ready())
		return false;
	if (ev[k].event.counted_on < 0) {
		ev[k].event.allowed = allowed(k, set);
		begin(&ev[k]);
	}
	return pmon_hw_add(&hw, &ev[k].event);
}

static void rotate(unsigned int first)
{
	unsigned int k, n = 0;

	for (k = 0; k < EVENTS; k++)
		pmon_hw_del(&hw, &ev[k].event);
	for (k = 0; k < EVENTS && n < 4; k++)
		n += add((first + k) % EVENTS, ~0ULL);
	pmon_hw_apply(&hw);
}

static void exempt_active(void)
{
	unsigned int k;

	for (k = 0; k < EVENTS; k++) {
		ev[k].owed = false;
		if (ev[k].event.counted_on >= 0)
			ev[k].exempt_once = true;
	}
}

static void exempt_all(void)
{
	unsigned int k;

	for (k = 0; k < EVENTS; k++)
		ev[k].exempt = true;
}

static void others_clear(unsigned int i)
{
	unsigned int k;

	w.ctr[i] = 0;
	w.zeroed[i] = true;
	for (k = 0; k < EVENTS; k++) {
		if (ev[k].event.counted_on != (s8)i)
			continue;
		ev[k].exempt_once = true;
		ev[k].exempt |= w.box->protocol->no_reset || is_fixed(i);
	}
	if (!(hw.active & BIT_ULL(i)))
		used_idle |= BIT_ULL(i);
}

static void others_select(unsigned int i, u64 select)
{
	unsigned int k;

	w.ctl[i] = FOREIGN_SELECT + select % 5;
	for (k = 0; k < EVENTS; k++)
		ev[k].exempt |= ev[k].event.counted_on == (s8)i;
	if (!(hw.active & BIT_ULL(i)))
		used_idle |= BIT_ULL(i);
}

static void do_others(const struct op *op)
{
	unsigned int i = op->a % w.box->counters;
	bool can_freeze = w.box->protocol->bytes;

	pass_undisturbed(min(period / 8, 5000000ULL));
	touched = true;
	switch (op->type) {
	case RESET:
	case RESET_FREEZE:
		reset_registers(true);
		if (can_freeze)
			w.frozen = op->type == RESET_FREEZE;
		w.frozen_by_us = false;
		break;
	case FREEZE:
		if (!w.frozen && can_freeze)
			w.frozen_by_us = false;
		w.frozen |= can_freeze;
		break;
	case UNFREEZE:
		if (w.frozen)
			exempt_active();
		w.frozen = w.frozen && !hw.active;
		break;
	case CLEAR_CTL:
		w.ctl[i] = 0;
		break;
	case SELECT:
		others_select(i, op->b);
		break;
	case CLEAR_CTR:
		others_clear(i);
		break;
	}
	pass_undisturbed(min(period / 8, 5000000ULL));
}

/*
 * Sleep for op->a ns. Bits of op->b: 0 resets the box, 1 also freezes it, 2
 * lets counters run on if not reset (s2idle), 3 rotates events before resume.
 */
static void machine_sleeps(const struct op *op)
{
	u64 now = w.now, ticks = w.ticks;
	unsigned int k;

	/* In sleep a wrap of a free-running counter is taken for a reset. */
	touched = touched || op->b & 1 || is_free_running();
	w.sleep_ns = op->a;
	if (op->b & 1) {
		reset_registers(true);
		w.frozen = w.box->protocol->bytes && op->b & 2;
		w.frozen_by_us = false;
	} else if (op->b & 4) {
		/* limit the time: no counter may pass its last value again */
		w.sleep_ns = min(w.sleep_ns, period / 64);
		pass_undisturbed(w.sleep_ns);
		w.now = now;
		w.ticks = ticks;
	}
	if (op->b & 8) {
		rotate(op->a % EVENTS);
		note_moves();
	}
	pmon_hw_resume(&hw);
	is_ready();
	w.sleep_ns = 0;
	tick_due = w.now + period;
	disable_failed();
	note_moves();
	if (hw.state != PMON_BOX_READY || w.dead)
		return;
	check_counts(true);
	check_selects();
	for (k = 0; k < EVENTS; k++)
		ev[k].disturbed = min(ev[k].disturbed, hw.disturbed);
	check_owed();
	end_of_touch();
}

static void do_own(const struct op *op)
{
	struct counted *e = &ev[op->a % EVENTS];

	switch (op->type) {
	case START:
		if (e->event.assigned_to < 0 && add(op->a % EVENTS, op->b) &&
		    op->b & 7)
			pmon_hw_apply(&hw);
		break;
	case STOP:
		pmon_hw_del(&hw, &e->event);
		if (op->b & 7)
			pmon_hw_apply(&hw);
		break;
	case APPLY:
		pmon_hw_apply(&hw);
		break;
	case ROTATE:
		rotate(op->a % EVENTS);
		break;
	case READ:
		if (e->event.counted_on >= 0)
			pmon_hw_read_one(&hw, e->event.counted_on);
		break;
	case SNAPSHOT:
		if (is_free_running())
			break;
		if (w.frozen)
			exempt_active();
		pmon_hw_snapshot(&hw, op->b);
		break;
	case ADVANCE:
		advance(op->a);
		break;
	}
}

static void do_fault(const struct op *op)
{
	unsigned int i = op->a % w.box->counters;

	touched = true;
	switch (op->type) {
	case ONES:
		w.ones = op->b % 8 + 1;
		break;
	case DEAD:
		w.dead = true;
		break;
	case SILENT:
		if (!w.silent)
			w.silent = op->b & 1 && !is_free_running() ?
				   w.desc[i].ctl : w.desc[i].ctr;
		break;
	case ALIVE:
		w.silent = 0;
		w.silent_set_ups = 0;
		if (w.dead && op->b & 1) {
			reset_registers(true);
			if (is_free_running())
				exempt_all();
			w.frozen = w.box->protocol->bytes;
			w.frozen_by_us = false;
		}
		w.dead = false;
		break;
	case REFUSE:
		w.refuse = op->b % 8 + 1;
		break;
	case SLEEP:
		machine_sleeps(op);
		break;
	}
}

static void do_op(const struct op *op)
{
	unsigned int before = hw.disturbed;
	bool was_touched = touched;

	if (op->type < RESET)
		do_own(op);
	else if (op->type >= ONES)
		do_fault(op);
	else if (!is_free_running())
		do_others(op);
	note_moves();
	disable_failed();
	note_moves();
	check_counts(false);
	if (op->type == SLEEP)
		was_touched |= op->b & 1 || is_free_running();
	if (hw.disturbed != before && !was_touched && !touched)
		is_wrong(4, "disturbed is %u", hw.disturbed);
	if (!hw.active && hw.state == PMON_BOX_READY && !w.dead)
		end_of_touch();
}

/* ---- sequences ------------------------------------------------------------ */

static void set_up(const struct box *box, struct pmon_regs_ops *regs_ops)
{
	static const u64 rates[EVENTS] = {
		1, 1024, 2457, 4096, 10, 0, 333, 4300, 2000, 1,
	};
	struct pmon_regs regs = { .ops = regs_ops };
	struct pmon_layout layout = {
		.protocol = box->protocol, .counter = w.desc,
		.counters = box->counters,
		.ctl_bytes = box->protocol->bytes == 8 ? 8 : 4,
		.filter_bytes = box->flags & HAS_FILTER ? 8 : 0,
	};
	unsigned int i;

	memset(&w, 0, sizeof(w));
	memset(&hw, 0, sizeof(hw));
	memset(counters, 0, sizeof(counters));
	memset(ev, 0, sizeof(ev));
	w.box = box;
	w.now = 12345;
	w.frozen = box->protocol->bytes;
	w.frozen_by_us = true;
	for (i = 0; i < box->counters; i++) {
		w.desc[i] = (struct pmon_counter) {
			.width = box->width, .ctl = 0x1000 + 8 * i,
			.ctr = 0x2000 + 8 * i, .filter = 0x3000,
			.rate_log2 = box->rate_log2,
		};
		if (is_free_running())
			w.desc[i].kind = PMON_COUNTER_FREE_RUNNING;
		if (is_fixed(i)) {
			w.desc[i].kind = PMON_COUNTER_FIXED;
			w.desc[i].enable = BIT(4);
		}
		w.ctr[i] = 0x9e3779b97f4a7c15ULL * (i + 1) &
			   GENMASK_ULL(box->width - 1, 0);
	}
	hw.ops = &model_ops;
	hw.counter = counters;
	hw.ctl_event = 0xffff;
	pmon_hw_init(&hw, &layout, &regs);
	for (i = 0; i < EVENTS; i++) {
		w.rate[i] = i == 5 ? box->fastest : rates[i];
		ev[i].event = (struct pmon_event) {
			.ctl = box->flags & HAS_FIXED && i == 3 ? BIT(4) : i + 1,
			.assigned_to = -1, .counted_on = -1,
			.free_running = is_free_running(),
			.rate_log2 = w.rate[i] > 4390 ? box->rate_log2 : 0,
			.uses_filter = box->flags & HAS_FILTER && i < 4,
			.shares_filter = box->flags & HAS_FILTER && i < 4,
			.filter = 7 + i / 2,
		};
		ev[i].was_on = -1;
	}
	period = pmon_layout_period_ns(&layout);
	tick_due = w.now + period;
	touched = false;
	used_idle = 0;
}

/* Run @n operations. Returns the failed rule (1-5 in the head), or 0. */
static int run(const struct box *box, const struct op *op, unsigned int n)
{
	static struct pmon_regs_ops regs_ops = {
		.read = model_read, .write = model_write,
	};
	unsigned int i;

	regs_ops.split = box->flags & IS_SPLIT;
	set_up(box, &regs_ops);
	if (setjmp(wrong))
		return wrong_sense;
	for (i = 0; i < n; i++) {
		if (prints)
			printf("#    %s %llu %llu   at %llu, active %llx\n",
			       ops[op[i].type].name, op[i].a, op[i].b, w.now,
			       hw.active);
		do_op(&op[i]);
	}
	return 0;
}

static u64 random_state;

/* Draw a random number below @below, by xorshift. */
static u64 draw(u64 below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (random_state >> 11) % below;
}

static struct op draw_op(bool with_others)
{
	unsigned int sum = 0, at, i;
	struct op op;

	op.a = draw(1000);
	op.b = draw(1000);
	for (i = 0; i < (with_others ? OPS : RESET); i++)
		sum += ops[i].weight;
	at = draw(sum);
	for (i = 0; at >= ops[i].weight; i++)
		at -= ops[i].weight;
	op.type = i;
	if (i == ADVANCE) {
		op.a = draw(20 * 3600 * SECOND_NS);
		if (draw(60))
			op.a = op.a % (90 * SECOND_NS) >> draw(36);
	}
	if (i == SLEEP)
		op.a = draw(3600 * SECOND_NS);
	return op;
}

/* Leave out operations without which the run still fails by rule @sense. */
static unsigned int shorten(const struct box *box, struct op *op,
			    unsigned int n, int sense)
{
	struct op less[STEPS];
	unsigned int i, len;

	for (len = n / 2; len; len /= 2)
		for (i = 0; i + len <= n;) {
			memcpy(less, op, i * sizeof(*op));
			memcpy(less + i, op + i + len,
			       (n - i - len) * sizeof(*op));
			if (run(box, less, n - len) != sense) {
				i++;
				continue;
			}
			n -= len;
			memcpy(op, less, n * sizeof(*op));
		}
	return n;
}

static bool sequence_holds(struct kunit *test, const struct box *box, u64 seed,
			   bool with_others)
{
	struct op op[STEPS];
	unsigned int i, n = STEPS;
	int sense;

	random_state = seed * 0x9e3779b97f4a7c15ULL + 88172645463325252ULL;
	for (i = 0; i < 20; i++)
		draw(2);
	for (i = 0; i < n; i++)
		op[i] = draw_op(with_others);
	sense = run(box, op, n);
	if (!sense)
		return true;

	for (i = 0; i < 3; i++)
		n = shorten(box, op, n, sense);
	prints = true;
	run(box, op, n);
	prints = false;
	host_fail(test, __FILE__, __LINE__,
		  "%s, seed %llu: wrong in sense %d: %s", box->name, seed,
		  sense, wrong_text);
	return false;
}

static void check_box(struct kunit *test, bool with_others)
{
	const struct box *box = test->param_value;
	u64 seconds = host_setting("MODEL_SECONDS", 0);
	u64 seed = host_setting("MODEL_SEED", 1);
	time_t end = time(NULL) + seconds / ARRAY_SIZE(boxes) / 2;
	u64 n = SEQUENCES * 4 / max_t(u64, box->counters, 4), i;

	for (i = 0; i < n || time(NULL) < end; i++)
		if (!sequence_holds(test, box, seed + i, with_others))
			return;
}

static void counts_are_exact(struct kunit *test)
{
	check_box(test, false);
}

static void others_and_faults_do_not_last(struct kunit *test)
{
	check_box(test, true);
}

KUNIT_ARRAY_PARAM_DESC(box, boxes, name);

static struct kunit_case model_tests[] = {
	/* contract: torn */
	KUNIT_CASE_PARAM(counts_are_exact, box_gen_params),
	/* contract: reset */
	KUNIT_CASE_PARAM(others_and_faults_do_not_last, box_gen_params),
	{ }
};

static struct kunit_suite pmon_model_suite = {
	.name = "pmon_model",
	.test_cases = model_tests,
};

kunit_host_test_suites(&pmon_model_suite);
