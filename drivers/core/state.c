// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keep the state of a box. Only pmon_hw_set_state() writes the state: a state
 * replaces any state above it in the table, and READY replaces every state.
 *
 * ============ ===================== ===================== ============ ======
 * State        Accesses              Events                Hand-back    Polled
 * ============ ===================== ===================== ============ ======
 * READY        all                   count                 on removal   yes
 * UNRESPONSIVE probes: by a work    do not count; fail    on removal,  no
 *              until the box is      when the box is       if it then
 *              dropped, then by      dropped, and in       responds
 *              add(). None in D3     add(). D3: ENXIO
 * NO_CPU       none                  end with their CPU;   done, except no
 *                                    opening: ENXIO        in D3
 * REMOVED      none                  fail; opening: ENODEV done         no
 * ============ ===================== ===================== ============ ======
 *
 * In D3 the function's configuration space may be read. pmon_hw_release() hands
 * a box back. report.c logs a dropped box, and READY after that.
 */
#include <linux/bitops.h>

#include "box_hw.h"

/* Mark events as failed. They gain nothing until perf disables them. */
void pmon_hw_fail(struct pmon_box_hw *hw, u64 counters, enum pmon_failure why)
{
	bool ends = why == PMON_END_FAILED;
	struct pmon_event *event;

	for (; counters; counters &= counters - 1) {
		event = hw->assigned[__ffs64(counters)];
		if (event && !ends)
			WRITE_ONCE(event->failed, true);
		for (event = hw->counter[__ffs64(counters)].counted; event;
		     event = event->next) {
			bool counted = event->counted_on >= 0;

			if (why != PMON_ALL_FAIL && counted != ends)
				continue;
			hw->has_lost |= ends;
			if (event->failed)
				continue;
			WRITE_ONCE(event->failed, true);
			hw->lost += ends;
		}
	}
	hw->refused += why == PMON_START_FAILED;
	hw->ops->report(hw);
}

/*
 * Detach the events of @counters from the hardware. An event that is assigned
 * to a free-running counter stays in its list.
 */
void pmon_hw_detach(struct pmon_box_hw *hw, u64 counters)
{
	for (; counters; counters &= counters - 1) {
		struct pmon_event **link =
			&hw->counter[__ffs64(counters)].counted;
		struct pmon_event *event;

		while ((event = *link)) {
			event->counted_on = -1;
			if (event->free_running && event->assigned_to >= 0) {
				link = &event->next;
				continue;
			}
			*link = event->next;
			event->next = NULL;
			hw->has_lost |= event->failed && event->assigned_to < 0;
		}
	}
}

void pmon_hw_set_unknown(struct pmon_box_hw *hw)
{
	u64 counters;

	hw->dirty |= hw->taken;
	for (counters = hw->controlled; counters; counters &= counters - 1) {
		hw->counter[__ffs64(counters)].ctl = PMON_CTL_UNKNOWN;
		hw->counter[__ffs64(counters)].value = 0;
		hw->counter[__ffs64(counters)].held = PMON_NO_READING;
	}
}

void pmon_hw_set_state(struct pmon_box_hw *hw, enum pmon_box_state state)
{
	if (state == hw->state || (state && state < hw->state))
		return;

	WRITE_ONCE(hw->state, state);
	switch (state) {
	case PMON_BOX_READY:
		pmon_hw_set_unknown(hw);
		break;
	case PMON_BOX_UNRESPONSIVE:
		hw->probed = hw->ops->clock();
		WRITE_ONCE(hw->unresponsive_ns, 0);
		break;
	case PMON_BOX_REMOVED:
		hw->used = false;
		hw->filtered = false;
		fallthrough;
	case PMON_BOX_NO_CPU:
		hw->needs_setup = false;
		pmon_hw_detach(hw, hw->active);
		WRITE_ONCE(hw->active, 0);
	}
	hw->ops->report(hw);
}

/*
 * Add the time since @probed to @unresponsive_ns, unless the kernel resets the
 * function (@blocked). Drop the box if the sum reaches PMON_RESPONSE_NS.
 */
void pmon_hw_no_response(struct pmon_box_hw *hw, bool blocked)
{
	u64 now = hw->ops->clock();

	if (!pmon_hw_is_probed(hw))
		return;

	if (!blocked)
		WRITE_ONCE(hw->unresponsive_ns,
			   hw->unresponsive_ns + now - hw->probed);
	hw->probed = now;
	if (pmon_hw_is_probed(hw))
		return;
	WRITE_ONCE(hw->drops, hw->drops + 1);
	pmon_hw_fail(hw, hw->active | hw->taken, PMON_ALL_FAIL);
}

/* After sleep, give an unresponsive box the full time to respond again. */
void pmon_hw_restart_probes(struct pmon_box_hw *hw)
{
	if (!pmon_hw_is_probed(hw))
		return;

	hw->probed = hw->ops->clock();
	WRITE_ONCE(hw->unresponsive_ns, 0);
}
