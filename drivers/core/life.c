// SPDX-License-Identifier: GPL-2.0-only
/*
 * Set up a box, check it in each tick and after sleep, recover it when it
 * responds again, and release it.
 *
 * Each tick stops and starts all events, so a general-purpose counter never
 * wraps: if its value went back, another program or firmware has reset it. With
 * @no_reset most ticks only read.
 */
#include <linux/bitops.h>
#include <linux/bits.h>

#include "program.h"

void pmon_layout_prepare(struct pmon_layout *layout)
{
	unsigned int i;

	layout->general = 0;
	layout->dedicated = 0;
	for (i = 0; i < layout->counters; i++) {
		if (layout->counter[i].kind == PMON_COUNTER_GENERAL)
			layout->general |= BIT_ULL(i);
		else
			layout->dedicated |= BIT_ULL(i);
	}
	layout->shares_filter = layout->filter_bytes && layout->counters > 1 &&
		layout->counter[0].filter == layout->counter[1].filter;
}

void pmon_hw_init(struct pmon_box_hw *hw, const struct pmon_layout *layout,
		  const struct pmon_regs *regs)
{
	unsigned int i;

	hw->layout = *layout;
	pmon_layout_prepare(&hw->layout);
	hw->zeroed = layout->protocol && !layout->protocol->no_reset ?
		     hw->layout.general : 0;
	hw->regs = *regs;
	hw->controlled = 0;
	for (i = 0; i < layout->counters; i++) {
		const struct pmon_counter *desc = &layout->counter[i];
		struct pmon_hw_counter *counter = &hw->counter[i];

		counter->mask = GENMASK_ULL(desc->width - 1, 0);
		counter->ctr_reg = desc->ctr;
		counter->held = PMON_NO_READING;
		if (desc->kind != PMON_COUNTER_FREE_RUNNING)
			hw->controlled |= BIT_ULL(i);
	}
	hw->probe_reg = layout->counter->ctr;
	hw->probe_bytes = 8;
	pmon_hw_set_unknown(hw);
	pmon_hw_set_state(hw, PMON_BOX_READY);
}

bool pmon_hw_probe(struct pmon_box_hw *hw)
{
	return pmon_read(&hw->regs, hw->probe_reg, hw->probe_bytes) !=
	       GENMASK_ULL(8 * hw->probe_bytes - 1, 0);
}

/*
 * Use a box again. Return true, and count a reset and a disturbance, if there
 * are events on @counters, which have missed a time.
 */
bool pmon_hw_set_ready(struct pmon_box_hw *hw, u64 counters)
{
	pmon_hw_set_state(hw, PMON_BOX_READY);
	if (!counters)
		return false;
	hw->restarts++;
	pmon_hw_count_disturbance(hw);
	return true;
}

/*
 * Set up a box that responds again, because earlier writes may have been lost.
 * Only free-running counters may keep their counts since the last read.
 */
void pmon_hw_recover(struct pmon_box_hw *hw)
{
	struct pmon_pass pass = {
		.now = READ_ONCE(*hw->ops->ticks), .ctl = PMON_CTL_CHANGED,
		.counted = true,
	};

	if (!pmon_hw_set_ready(hw, hw->active))
		return;
	pmon_hw_read_pass(hw, hw->active & ~hw->controlled, &pass);
	if (hw->active & hw->controlled) {
		pmon_hw_set_unknown(hw);
		hw->needs_setup = true;
		pmon_hw_apply(hw);
	}
}

/* A single counter needs no freeze. */
void pmon_hw_snapshot(struct pmon_box_hw *hw, u64 counters)
{
	struct pmon_pass pass = { .now = READ_ONCE(*hw->ops->ticks) };
	u64 when = hw->ops->clock();

	counters &= hw->active;
	if (!counters || hw->state != PMON_BOX_READY)
		return;

	pass.frozen = counters & (counters - 1) && hw->layout.protocol->bytes &&
		      !pmon_write_box(hw, hw->layout.protocol->freeze);
	pmon_hw_read_pass(hw, counters, &pass);
	if (!pass.frozen)
		return;

	if (unlikely(pmon_write_box(hw, hw->layout.protocol->run))) {
		hw->needs_setup = true;
		pmon_hw_fail(hw, hw->taken & hw->controlled,
			     PMON_START_FAILED);
	}
	hw->frozen_ns += hw->ops->clock() - when;
}

/*
 * Without @no_reset, check the controls, and stop and start all events. With
 * @no_reset, check at most once a second, and restart only after a change.
 */
void pmon_hw_tick(struct pmon_box_hw *hw)
{
	struct pmon_pass pass = { .now = READ_ONCE(*hw->ops->ticks) };
	u64 counters = hw->active & hw->controlled;
	unsigned int disturbed = hw->disturbed;
	bool reset = counters && !hw->layout.protocol->no_reset;

	if (unlikely(hw->state != PMON_BOX_READY))
		return;
	if (counters &&
	    (reset || pass.now - hw->checked >= hw->ops->second)) {
		hw->checked = pass.now;
		if (!pmon_hw_check(hw, counters, true, &pass))
			return;
	}
	if (reset || pass.ctl == PMON_CTL_CHANGED)
		pmon_hw_restart(hw, &pass);
	else
		pmon_hw_read_pass(hw, hw->active, &pass);
	hw->restarts += hw->disturbed - disturbed;
}

/* Return the most accesses of pmon_hw_tick() without a change or recheck. */
unsigned int pmon_hw_tick_accesses(const struct pmon_box_hw *hw)
{
	const struct pmon_layout *layout = &hw->layout;
	u64 active = READ_ONCE(hw->active), events = active & hw->controlled;
	unsigned int registers = hweight64(active) + hweight64(events) + 1;

	if (events && !layout->protocol->no_reset)
		registers += 3 + hweight64(events) +
			     hweight64(events & ~layout->general) +
			     (layout->filter_bytes ? hweight64(events) : 0);
	return hw->regs.ops->split ? 2 * registers : registers;
}

/* Check all counters after sleep. */
void pmon_hw_resume(struct pmon_box_hw *hw)
{
	if (hw->state != PMON_BOX_READY)
		return;

	hw->checked = READ_ONCE(*hw->ops->ticks) - hw->ops->second;
	if (hw->active)
		pmon_hw_tick(hw);
	if (!(hw->active & hw->controlled))
		pmon_hw_set_unknown(hw);
}

/* ---- a box is released --------------------------------------------------- */

/* Clear a box, by &pmon_regs_ops.release if a reset does not clear it all. */
static void pmon_hw_clear(struct pmon_box_hw *hw)
{
	const struct pmon_layout *layout = &hw->layout;

	if (hw->regs.ops->release) {
		hw->regs.ops->release(&hw->regs);
		return;
	}
	if (!layout->protocol->bytes) {
		pmon_clear_ctls(hw, hw->controlled);
		return;
	}
	pmon_write_box(hw, layout->protocol->reset);
	if (hw->filtered)
		pmon_write(&hw->regs, layout->counter->filter, 0,
			   layout->filter_bytes);
	pmon_write_box(hw, layout->protocol->run);
}

/*
 * Return true if hardware does not count what is taken: an edge was missed, or
 * perf is between add() and pmu_enable().
 */
bool pmon_hw_is_behind(const struct pmon_box_hw *hw)
{
	return READ_ONCE(hw->state) == PMON_BOX_READY &&
	       (READ_ONCE(hw->dirty) || READ_ONCE(hw->needs_setup) ||
		READ_ONCE(hw->taken) & ~READ_ONCE(hw->active));
}

void pmon_hw_release(struct pmon_box_hw *hw)
{
	u64 counters = hw->active & hw->controlled ?: hw->controlled;
	struct pmon_pass pass = { .now = READ_ONCE(*hw->ops->ticks) };
	const struct pmon_change change = { .stop = hw->active };

	if (hw->state > PMON_BOX_UNRESPONSIVE)
		return;
	if (hw->used && hw->state == PMON_BOX_READY &&
	    pmon_read_ctl(hw, __ffs64(counters), &pass) == PMON_NO_READING)
		pmon_hw_react(hw, 0, &pass);
	if (hw->active)
		pmon_hw_stop(hw, &change, &pass);
	hw->active = 0;
	if (hw->used && hw->state != PMON_BOX_READY && pmon_hw_probe(hw))
		pmon_hw_recover(hw);
	if (hw->used && hw->state == PMON_BOX_READY) {
		pmon_hw_clear(hw);
		hw->filtered = false;
		hw->used = false;
	}
	pmon_hw_set_state(hw, PMON_BOX_NO_CPU);
}
