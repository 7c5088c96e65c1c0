// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keep the state of a box: which registers may be accessed, and what becomes of
 * events. pmon_bank_set_state() alone writes it. A later state replaces an
 * earlier one, and READY any.
 *
 * ============ ===================== ===================== ============ ======
 * State        Accesses              Events                Handed back  Polled
 * ============ ===================== ===================== ============ ======
 * READY        all                   count                 as it ends   yes
 * UNRESPONSIVE one read at a tick or fail at a tick and    if it        yes
 *              before add()          in add()              answers then
 * D3           none                  fail; opening: ENXIO  once in D0   no
 * NO_CPU       none                  end with their CPU;   was before,  no
 *                                    opening: ENXIO        but from D3
 * REMOVED      none                  fail; opening: ENODEV was before   no
 * ============ ===================== ===================== ============ ======
 *
 * In D3 the function's configuration space may be read. The log has a line as
 * a box becomes UNRESPONSIVE or D3, and as it is READY after one of these
 * (report.c). pmon_bank_set_up() sets up a box that has events, and
 * pmon_bank_hand_back() hands one back.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>

#include "bank.h"

/* ---- the events of a box ------------------------------------------------- */

/* The events of @slots gain nothing until they are disabled. */
void pmon_bank_fail(struct pmon_bank *bank, u64 slots, enum pmon_failure why)
{
	bool ends = why == PMON_END_FAILED;
	struct pmon_event *event;

	for (; slots; slots &= slots - 1) {
		event = bank->assigned[__ffs64(slots)];
		if (event && !ends)
			WRITE_ONCE(event->failed, true);
		for (event = bank->slot[__ffs64(slots)].counted; event;
		     event = event->next) {
			bool counted = event->counted_on >= 0;

			if (why != PMON_ALL_FAIL && counted != ends)
				continue;
			if (ends)
				bank->ops->lost(event);
			if (event->failed)
				continue;
			WRITE_ONCE(event->failed, true);
			bank->lost += ends;
		}
	}
	bank->refused += why == PMON_START_FAILED;
	bank->ops->report(bank);
}

/*
 * The hardware no longer counts the events of @slots. Of a free-running counter
 * those stay that are to be counted again. One that leaves and has failed is
 * reported, those of @unread have been: perf is about to read it.
 */
void pmon_bank_detach(struct pmon_bank *bank, u64 slots, u64 unread)
{
	for (; slots; slots &= slots - 1) {
		struct pmon_event **link = &bank->slot[__ffs64(slots)].counted;
		struct pmon_event *event;

		while ((event = *link)) {
			event->counted_on = -1;
			if (event->free_running && event->assigned_to >= 0) {
				link = &event->next;
				continue;
			}
			*link = event->next;
			event->next = NULL;
			if (unlikely(event->failed) && event->assigned_to < 0 &&
			    !(unread & slots & -slots))
				bank->ops->lost(event);
		}
	}
}

/* ---- states -------------------------------------------------------------- */

/*
 * The registers hold anything. A control that was cleared meanwhile is no other
 * program's change.
 */
void pmon_bank_set_unknown(struct pmon_bank *bank)
{
	u64 slots;

	bank->dirty |= bank->taken;
	bank->filters_known = 0;
	bank->hi_unknown = ~0ULL;
	bank->programmed = 0;
	for (slots = bank->controlled; slots; slots &= slots - 1) {
		bank->slot[__ffs64(slots)].ctl = 0;
		bank->slot[__ffs64(slots)].value = 0;
	}
}

void pmon_bank_set_state(struct pmon_bank *bank, enum pmon_box_state state)
{
	if (state == bank->state || (state && state < bank->state))
		return;

	WRITE_ONCE(bank->state, state);
	switch (state) {
	case PMON_BOX_READY:
		pmon_bank_set_unknown(bank);
		break;
	case PMON_BOX_UNRESPONSIVE:
		bank->probed = bank->ops->clock();
		break;
	case PMON_BOX_REMOVED:
		bank->used = false;
		bank->filtered = false;
		fallthrough;
	case PMON_BOX_D3:
	case PMON_BOX_NO_CPU:
		bank->halted = false;
		if (state == PMON_BOX_D3)
			pmon_bank_fail(bank, bank->active | bank->taken,
				       PMON_ALL_FAIL);
		pmon_bank_detach(bank, bank->active, 0);
		WRITE_ONCE(bank->active, 0);
	}
	bank->ops->report(bank);
}
