// SPDX-License-Identifier: GPL-2.0-only
/*
 * Collect changes of one box: events that are added and deleted. Touches no
 * register. program.c starts and stops what pmon_hw_compare() returns.
 */
#include <linux/bitops.h>
#include <linux/bits.h>

#include "box_hw.h"

/*
 * If @event was deleted since the last apply, prefer its old counter, which
 * still counts. Otherwise clear @failed, so that a failed event counts again.
 */
bool pmon_hw_add(struct pmon_box_hw *hw, struct pmon_event *event)
{
	u64 prefer = event->counted_on >= 0 ?
		     BIT_ULL(event->counted_on) :
		     hw->layout.dedicated | hw->layout.prefer;
	u64 moved;

	if (event->counted_on < 0)
		WRITE_ONCE(event->failed, false);
	if (event->free_running) {
		struct pmon_hw_counter *counter =
			&hw->counter[__ffs64(event->allowed)];

		if (event->counted_on < 0) {
			event->next = counter->counted;
			counter->counted = event;
		}
		event->assigned_to = counter - hw->counter;
		hw->taken |= event->allowed;
		hw->dirty |= event->allowed;
		return true;
	}

	moved = pmon_assign(hw->assigned, hw->taken & hw->controlled,
			    event, prefer, hw->active);
	hw->taken |= moved;
	hw->dirty |= moved;
	for (; moved; moved &= moved - 1)
		hw->assigned[__ffs64(moved)]->assigned_to = __ffs64(moved);
	return event->assigned_to >= 0;
}

void pmon_hw_del(struct pmon_box_hw *hw, struct pmon_event *event)
{
	struct pmon_event **link;
	unsigned int i = event->assigned_to;

	if (event->assigned_to < 0)
		return;

	event->assigned_to = -1;
	hw->assigned[i] = NULL;
	hw->taken &= ~BIT_ULL(i);
	hw->dirty |= BIT_ULL(i);
	link = event->free_running ? &hw->counter[i].counted : NULL;
	while (unlikely(link) && *link) {
		if (*link == event && event->counted_on < 0) {
			*link = event->next;
			event->next = NULL;
			continue;
		}
		if ((*link)->assigned_to >= 0)
			hw->taken |= BIT_ULL(i);
		link = &(*link)->next;
	}
	hw->has_lost |= event->failed;
}

/*
 * End the deleted events of @counters, whose last read is lost. Others may
 * count on the same free-running counter.
 */
void pmon_hw_end_unread(struct pmon_box_hw *hw, u64 counters)
{
	struct pmon_event **link, *event;

	for (; counters; counters &= counters - 1) {
		link = &hw->counter[__ffs64(counters)].counted;
		while ((event = *link)) {
			if (event->assigned_to >= 0) {
				link = &event->next;
				continue;
			}
			*link = event->next;
			event->next = NULL;
			event->counted_on = -1;
			WRITE_ONCE(event->failed, true);
			hw->lost++;
			hw->has_lost = true;
		}
	}
}
